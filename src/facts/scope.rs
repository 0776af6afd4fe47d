//! Scope: the working directory and the variables of one call, so far as the command line tells them.
//!
//! Never runs anything: a variable that is set from a substitution, and a path that holds one, is not known.

use std::collections::BTreeMap;

use super::paths::{Base, plain};
use crate::shell::{Segment, Word};

/// Longest path and longest text of filled-in variables that are followed: a system takes no longer path, and a folder
/// or a variable that grows with each command (`A=$A$A`) must not cost memory or time.
pub(super) const LONGEST: usize = 4096;

/// Where the next segment stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Working directory: absolute, or from an unknown start (empty at that start); `None` after `cd "$X"`.
    cwd: Option<String>,
    previous: Option<String>,
    variables: BTreeMap<String, String>,
}

impl Scope {
    /// The scope at the beginning of a call.
    pub fn new(cwd: Option<&str>, root: Option<&str>) -> Scope {
        let cwd = match cwd.or(root) {
            Some(cwd) if cwd.len() > LONGEST => None,
            cwd => Some(cwd.map(plain).unwrap_or_default()),
        };
        Scope { cwd, ..Scope::default() }
    }

    /// Working directory; `None` where it is not known.
    pub fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    /// Learns what a segment changes for those behind it.
    pub fn after(&mut self, segment: &Segment, succeeded: bool) {
        for (name, value) in &segment.assignments {
            if segment.program.is_empty() {
                self.set(name, value);
            }
        }
        match segment.program.as_str() {
            "export" | "declare" | "local" | "readonly" | "typeset" => {
                for word in &segment.arguments {
                    if let Some((name, value)) = word.text.split_once('=') {
                        self.set(name, value);
                    }
                }
            }
            "cd" | "pushd" if succeeded => self.change(segment),
            _ => {}
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        match self.fill(value) {
            Some(value) => self.variables.insert(name.to_owned(), value),
            None => self.variables.remove(name),
        };
    }

    fn change(&mut self, segment: &Segment) {
        let target = segment.arguments.iter().find(|word| !word.text.starts_with('-') || word.text == "-");
        let next = match target {
            None => Some("~".to_owned()),
            Some(word) if word.text == "-" => self.previous.clone(),
            Some(word) => self.text(word).and_then(|text| self.base(None)?.absolute(&text)),
        };
        let next = next.filter(|next| next.len() <= LONGEST);
        self.previous = std::mem::replace(&mut self.cwd, next);
    }

    /// The text of a word, variables put in; `None` where a part is not known.
    pub fn text(&self, word: &Word) -> Option<String> {
        if word.expands { self.fill(&word.text) } else { Some(word.text.clone()) }
    }

    fn fill(&self, text: &str) -> Option<String> {
        if text.contains('`') {
            return None;
        }
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            filled.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            let (name, behind) = match after.strip_prefix('{') {
                Some(braced) => braced.split_once('}')?,
                None => {
                    let end =
                        after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
                    after.split_at(end)
                }
            };
            match (name, self.variables.get(name)) {
                (_, Some(value)) => filled.push_str(value),
                ("PWD", None) => filled.push_str(self.cwd()?),
                ("HOME", None) => filled.push('~'),
                _ => return None,
            }
            if filled.len() > LONGEST {
                return None;
            }
            rest = behind;
        }
        filled.push_str(rest);
        Some(filled)
    }

    fn base<'a>(&'a self, root: Option<&'a str>) -> Option<Base<'a>> {
        Some(Base { root, cwd: self.cwd()? })
    }

    /// The one name of the file that a word names.
    pub fn file(&self, word: &Word, root: Option<&str>) -> Option<String> {
        self.file_of(&self.text(word)?, root)
    }

    /// The one name of a file that a text names.
    pub fn file_of(&self, text: &str, root: Option<&str>) -> Option<String> {
        if text.starts_with('/') {
            return Base { root, cwd: "" }.file(text);
        }
        self.base(root)?.file(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Scope};
    use crate::shell::{Options, parse};

    fn after(line: &str) -> Scope {
        let mut scope = Scope::new(Some("/r"), None);
        for segment in &parse(line, &Options::default()).segments {
            scope.after(segment, true);
        }
        scope
    }

    #[test]
    fn folders_and_variables_that_grow_are_not_followed_beyond_any_path() {
        assert_eq!(after("cd a && cd b").cwd(), Some("/r/a/b"));
        assert_eq!(after(&"cd a && ".repeat(LONGEST)).cwd(), None);
        let doubled = after(&format!("A=aa; {}true", "A=$A$A; ".repeat(64)));
        assert_eq!(doubled.fill("$A"), None);
        assert_eq!(Scope::new(Some(&"a".repeat(LONGEST + 1)), None).cwd(), None);
    }
}
