//! Programs of tool calls: scaffolds that let a model write JavaScript in which each tool of theirs is a function
//! (`await tools.bash({command: 'ls'})`). What the program calls is what the turn does (`definitions.md` §3), so each call
//! becomes the command line that does the same.
//!
//! Owns   the finding of the calls, and of their arguments where they are literals or variables set to one.
//! Never  runs the program: a call in a branch or a loop counts once, and a value that is put together stays unknown.

use std::ops::Range;

/// Calls of one program that are looked at: each costs a look through the program.
const MOST: usize = 64;

/// A part of a command line, and the byte of the program at which it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub text: String,
    pub at: usize,
}

/// The command lines of a program's calls, in order.
pub(super) fn lines(code: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for (at, _) in code.match_indices("tools.").take(MOST) {
        let is_part_of_name = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
        let rest = &code[at + "tools.".len()..];
        let name =
            &rest[..rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())];
        let open = at + "tools.".len() + name.len();
        if !is_part_of_name && code[open..].starts_with('(') {
            line(&Call { code, at, arguments: open + 1..closing(code, open + 1) }, name, &mut parts);
        }
    }
    parts
}

struct Call<'c> {
    code: &'c str,
    at: usize,
    arguments: Range<usize>,
}

fn line(call: &Call, name: &str, parts: &mut Vec<Part>) {
    let mut push = |text: String, at: usize| parts.push(Part { text, at });
    let path = || call.value(&["filePath", "file_path", "path"]).map_or("$js".to_owned(), |(path, _)| path);
    match name {
        "bash" | "shell" | "execute_bash" => {
            if let Some((command, at)) = call.value(&["command", "cmd"]) {
                push(command, at);
                push("\n".to_owned(), at);
            }
        }
        "read_code" | "read_file" => push(format!("cat \"{}\"\n", path()), call.at),
        "grep_files" | "search_project" | "glob_files" => push("grep -rn \"$js\" .\n".to_owned(), call.at),
        "write_file" => {
            let content = call.value(&["content"]).map(|(content, _)| content);
            let body = content.map_or(String::new(), |content| format!(" <<'JS_TEXT'\n{content}\nJS_TEXT"));
            push(format!("cat > \"{}\"{body}\n", path()), call.at);
        }
        "edit_file" => push(format!("sed -i -f \"$js\" \"{}\"\n", path()), call.at),
        _ => {}
    }
}

impl Call<'_> {
    /// The text of the first of these keys, and where it stands.
    fn value(&self, keys: &[&str]) -> Option<(String, usize)> {
        keys.iter().find_map(|key| self.of_key(key))
    }

    fn of_key(&self, key: &str) -> Option<(String, usize)> {
        let inside = &self.code[self.arguments.clone()];
        inside.match_indices(key).find_map(|(offset, _)| {
            let before = inside[..offset].trim_end_matches(['"', '\'']).trim_end();
            if !before.ends_with(['{', ',']) {
                return None;
            }
            let after = inside[offset + key.len()..].trim_start_matches(['"', '\'']).trim_start();
            let value = after.strip_prefix(':')?.trim_start();
            let at = self.arguments.end - value.len();
            literal(self.code, at).map(|text| (text, at)).or_else(|| self.variable(value))
        })
    }

    /// `const script = '…'` before the call.
    fn variable(&self, value: &str) -> Option<(String, usize)> {
        let name =
            &value[..value.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(value.len())];
        if name.is_empty() {
            return None;
        }
        let set = self.code[..self.at].rfind(&format!(" {name} = "))?;
        let at = set + name.len() + " ".len() + " = ".len();
        literal(self.code, at).map(|text| (text, at))
    }
}

/// The end of a call's arguments; brackets in literals close nothing.
fn closing(code: &str, from: usize) -> usize {
    let (mut depth, mut quote, mut escaped) = (1_usize, None, false);
    for (offset, character) in code[from..].char_indices() {
        match (quote, character) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return from + offset;
        }
    }
    code.len()
}

/// What a string literal holds; what a template fills in is an unknown variable.
fn literal(code: &str, at: usize) -> Option<String> {
    let mut rest = code[at..].chars();
    let quote = rest.next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let mut text = String::new();
    while let Some(character) = rest.next() {
        match character {
            '\\' => match rest.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '\n' => {}
                other => text.push(other),
            },
            '$' if quote == '`' && rest.as_str().starts_with('{') => {
                let filled = rest.as_str().find('}')?;
                rest = rest.as_str()[filled + 1..].chars();
                text.push_str("$js");
            }
            end if end == quote => return Some(text),
            other => text.push(other),
        }
    }
    None
}
