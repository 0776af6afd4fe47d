//! Paths in code: which file an expression names, where it is a literal, a path object of literals, a variable set to
//! one, or a loop over a list of them.
//!
//! Never evaluates code: everything else is not known.

use std::ops::Range;

use super::source::{Source, Value};

pub(super) fn list_literals(source: &Source, range: Range<usize>) -> Vec<String> {
    let strings =
        source.strings.iter().filter(|(inside, _)| range.start <= inside.start && inside.end <= range.end);
    strings.map(|(inside, _)| source.text[inside.clone()].to_owned()).collect()
}

/// Paths that an expression may be: a literal, `Path('x')`, a variable set to one, a loop over literals.
pub(super) fn paths(source: &Source, range: Range<usize>, depth: usize) -> Vec<Option<String>> {
    if depth > 4 {
        return vec![None];
    }
    match source.value(range.clone()) {
        Value::Literal(text) => vec![Some(text)],
        Value::Name(name) => match source.assigned(&name, range.start) {
            Some(right) => paths(source, right, depth + 1),
            None => looped(source, &name, range.start),
        },
        Value::Begins(_) => vec![None],
        Value::Other => vec![path_object(source, range)],
    }
}

/// `Path('a')`, `Path('a') / 'b'`, `os.path.join('a', 'b')` of literals alone.
fn path_object(source: &Source, range: Range<usize>) -> Option<String> {
    let code = source.code[range.clone()].trim();
    let is_path = ["Path(", "pathlib.Path(", "os.path.join(", "join(", "PurePath(", "str(", "r'", "r\""]
        .iter()
        .any(|start| code.starts_with(start));
    let names =
        code.replace("pathlib", "").replace("os.path.join", "").replace("Path", "").replace("str", "");
    let only_literals = !names.bytes().any(|byte| byte.is_ascii_alphabetic());
    let parts = list_literals(source, range);
    (is_path && only_literals && !parts.is_empty()).then(|| parts.join("/"))
}

/// `for path in ['a', 'b']:`, or over a variable that holds such a list.
fn looped(source: &Source, name: &str, before: usize) -> Vec<Option<String>> {
    let code = &source.code[..before];
    let header = format!("for {name} in ");
    let Some(at) = code.rfind(&header) else { return vec![None] };
    let from = at + header.len();
    let end = code[from..].find(":\n").map_or(before, |end| from + end);
    let text = code[from..end].trim();
    let range = if text.starts_with(['[', '(']) {
        from..end
    } else {
        match source.assigned(text, at) {
            Some(right) if source.code[right.start..].trim_start().starts_with(['[', '(']) => {
                let close = source.code[right.start..]
                    .find([']', ')'])
                    .map_or(right.end, |close| right.start + close);
                right.start..close
            }
            _ => return vec![None],
        }
    };
    let names = source.code[range.clone()].bytes().any(|byte| byte.is_ascii_alphabetic());
    let literals = list_literals(source, range);
    if literals.is_empty() || names { vec![None] } else { literals.into_iter().map(Some).collect() }
}
