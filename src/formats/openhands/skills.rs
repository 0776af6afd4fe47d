//! Python functions by which agents of 0.9 and older open, search and edit files (`open_file('a.py')`): a cell that is one such
//! call, after assignments of texts, is an operation; any other cell is Python.

use crate::model::Operation;
use std::collections::BTreeMap;

/// Longest cell that is looked at.
const MOST: usize = 1 << 20;

/// A value of Python, as far as these calls need one.
#[derive(Clone, Debug, PartialEq)]
enum Given {
    Text(String),
    /// A number, `None`, `True`, `False`.
    Other,
}

/// What a cell does that calls one of the functions; `None` for any other cell.
pub fn operation(code: &str) -> Option<Operation> {
    if code.len() > MOST {
        return None;
    }
    let mut cell = Cell { rest: code, texts: BTreeMap::new() };
    let mut name = cell.statement()?;
    // `print(open_file('a.py'))` is the same.
    let is_printed = name == "print";
    if is_printed {
        name = cell.word()?;
        cell.sign('(')?;
    }
    let arguments = cell.arguments()?;
    if is_printed {
        cell.sign(')')?;
    }
    cell.blanks();
    if cell.rest.is_empty() { made(&name, &arguments) } else { None }
}

/// Positional and named arguments.
struct Arguments {
    positional: Vec<Given>,
    named: BTreeMap<String, Given>,
}

impl Arguments {
    /// The text of a parameter, by its place or its names.
    fn text(&self, place: usize, names: &[&str]) -> Option<String> {
        let given =
            self.positional.get(place).or_else(|| names.iter().find_map(|name| self.named.get(*name)));
        match given? {
            Given::Text(text) => Some(text.clone()),
            Given::Other => None,
        }
    }
}

fn made(name: &str, given: &Arguments) -> Option<Operation> {
    let file = || given.text(0, &["path", "file_name", "filename"]);
    Some(match name {
        "open_file" => Operation::View { path: file(), lines: None },
        "goto_line" | "scroll_down" | "scroll_up" => Operation::View { path: None, lines: None },
        "create_file" => Operation::Create { path: file()?, text: None },
        "search_dir" => {
            let path = given.text(1, &["dir_path"]).or_else(|| Some(".".to_owned()));
            Operation::Search { path, pattern: given.text(0, &["search_term"]) }
        }
        "search_file" => Operation::Search {
            path: given.text(1, &["file_path"]),
            pattern: given.text(0, &["search_term"]),
        },
        "find_file" => {
            let path = given.text(1, &["dir_path"]).or_else(|| Some(".".to_owned()));
            Operation::Search { path, pattern: given.text(0, &["file_name"]) }
        }
        "edit_file_by_replace" => Operation::Replace {
            path: file(),
            old: given.text(1, &["to_replace"]),
            new: given.text(2, &["new_content"]),
        },
        // The oldest version edits the open file: its first argument is a line.
        "edit_file" => {
            let has_file = given
                .positional
                .first()
                .map_or(given.named.contains_key("file_name"), |first| *first != Given::Other);
            let (path, place) = if has_file { (file(), 3) } else { (None, 2) };
            Operation::Replace { path, old: None, new: given.text(place, &["content"]) }
        }
        "edit_file_by_line" => {
            Operation::Replace { path: file(), old: None, new: given.text(3, &["new_content", "content"]) }
        }
        "insert_content_at_line" => Operation::Insert { path: file(), new: given.text(2, &["content"]) },
        "append_file" => Operation::Insert { path: file(), new: given.text(1, &["content"]) },
        _ => return None,
    })
}

/// What is left of a cell, and the texts that were assigned.
struct Cell<'c> {
    rest: &'c str,
    texts: BTreeMap<String, String>,
}

impl Cell<'_> {
    /// Takes assignments of texts, and the word and bracket by which a call begins.
    fn statement(&mut self) -> Option<String> {
        loop {
            let word = self.word()?;
            self.blanks();
            if self.rest.starts_with('=') && !self.rest.starts_with("==") {
                self.sign('=')?;
                match self.value()? {
                    Given::Text(text) => self.texts.insert(word, text),
                    Given::Other => return None,
                };
            } else {
                self.sign('(')?;
                return Some(word);
            }
        }
    }

    fn arguments(&mut self) -> Option<Arguments> {
        let mut found = Arguments { positional: Vec::new(), named: BTreeMap::new() };
        loop {
            self.blanks();
            if self.sign(')').is_some() {
                return Some(found);
            }
            let before = self.rest;
            match self.word() {
                Some(word) => {
                    self.blanks();
                    if self.sign('=').is_some() {
                        let value = self.value()?;
                        found.named.insert(word, value);
                    } else {
                        self.rest = before;
                        found.positional.push(self.value()?);
                    }
                }
                None => found.positional.push(self.value()?),
            }
            self.blanks();
            if self.sign(',').is_none() && !self.rest.starts_with(')') {
                return None;
            }
        }
    }

    /// Blanks and comments.
    fn blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let Some(comment) = self.rest.strip_prefix('#') else { return };
            self.rest = comment.find('\n').and_then(|end| comment.get(end..)).unwrap_or_default();
        }
    }

    fn sign(&mut self, sign: char) -> Option<()> {
        self.blanks();
        self.rest = self.rest.strip_prefix(sign)?;
        Some(())
    }

    /// A name, unless it is the prefix of a text (`r'…'`).
    fn word(&mut self) -> Option<String> {
        self.blanks();
        let end = self
            .rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        let is_word = word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if !is_word || rest.starts_with(['\'', '"']) {
            return None;
        }
        self.rest = rest;
        Some(word.to_owned())
    }

    fn value(&mut self) -> Option<Given> {
        self.blanks();
        if self.rest.starts_with(['\'', '"']) {
            return self.quoted(false).map(Given::Text);
        }
        if let Some(rest) = self.rest.strip_prefix('r').filter(|rest| rest.starts_with(['\'', '"'])) {
            self.rest = rest;
            return self.quoted(true).map(Given::Text);
        }
        let digits = self.rest.trim_start_matches('-').find(|letter: char| !letter.is_ascii_digit());
        let taken = self.rest.len() - self.rest.trim_start_matches('-').len() + digits.unwrap_or(0);
        if self.rest.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            self.rest = self.rest.get(taken..)?;
            return Some(Given::Other);
        }
        let word = self.word()?;
        match word.as_str() {
            "None" | "True" | "False" => Some(Given::Other),
            name => self.texts.get(name).cloned().map(Given::Text),
        }
    }

    /// A text in quotes, single or triple.
    fn quoted(&mut self, is_raw: bool) -> Option<String> {
        let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| self.rest.starts_with(quote))?;
        let inner = self.rest.get(quote.len()..)?;
        let mut text = String::new();
        let mut letters = inner.char_indices();
        while let Some((place, letter)) = letters.next() {
            if inner.get(place..).is_some_and(|rest| rest.starts_with(quote)) {
                self.rest = inner.get(place + quote.len()..)?;
                return Some(text);
            }
            match letter {
                '\n' if quote.len() == 1 => return None,
                '\\' if is_raw => {
                    text.push('\\');
                    text.extend(letters.next().map(|(_, next)| next));
                }
                '\\' => escape(letters.next()?.1, &mut text),
                letter => text.push(letter),
            }
        }
        None
    }
}

fn escape(letter: char, text: &mut String) {
    match letter {
        'n' => text.push('\n'),
        't' => text.push('\t'),
        'r' => text.push('\r'),
        '\n' => {}
        '\\' | '\'' | '"' => text.push(letter),
        other => text.extend(['\\', other]),
    }
}

#[cfg(test)]
mod tests {
    use super::operation;
    use crate::model::Operation;

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn a_single_call_is_an_operation() {
        assert_eq!(
            operation("open_file('/w/a.py')"),
            Some(Operation::View { path: some("/w/a.py"), lines: None })
        );
        assert_eq!(
            operation("print(open_file(\"a.py\", line_number=12))"),
            Some(Operation::View { path: some("a.py"), lines: None })
        );
        let code = "edit_file_by_replace(\n'/w/a.py',\nto_replace=\"\"\"x = '1'\ny\"\"\", # the old text\nnew_content='x = \\'2\\'\\n',\n)\n";
        let want =
            Operation::Replace { path: some("/w/a.py"), old: some("x = '1'\ny"), new: some("x = '2'\n") };
        assert_eq!(operation(code), Some(want));
        let code = "NEW = r\"\"\"a\\d\"\"\"\nedit_file(start=1, end=-1, content=NEW)";
        assert_eq!(operation(code), Some(Operation::Replace { path: None, old: None, new: some("a\\d") }));
        let code = "edit_file('a.py', 1, 2, 'x')";
        assert_eq!(
            operation(code),
            Some(Operation::Replace { path: some("a.py"), old: None, new: some("x") })
        );
        let want = Operation::Search { path: some("."), pattern: some("needle") };
        assert_eq!(operation("search_dir('needle')"), Some(want));
        let want = Operation::Insert { path: some("a.py"), new: some("x\n") };
        assert_eq!(operation("insert_content_at_line('a.py', 3, 'x\\n')"), Some(want));
    }

    #[test]
    fn other_cells_are_python() {
        for code in [
            "print('x')",
            "open_file('a.py'); open_file('b.py')",
            "open_file('a.py')\nopen_file('b.py')",
            "x = open_file('a.py')",
            "open_file(path)",
            "open_file('a.py",
            "edit_file_by_replace('a.py', to_replace='a' + 'b', new_content='c')",
            "with open('a.py') as file:\n    file.read()",
            "",
        ] {
            assert_eq!(operation(code), None, "{code}");
        }
    }
}
