//! Files that Python code writes: call sites that make, change, move or delete a file.
//!
//! Never says whether they were reached (`code_edits.rs`).

use std::ops::Range;

use super::code_paths::{list_literals, paths};
use super::fact::EditKind;
use super::inline::Write;
use super::source::{Source, Value};

pub(super) fn python_writes(source: &Source) -> Vec<Write> {
    let mut found = Vec::new();
    let is_temporary = source.code.contains("tempfile")
        || source.code.contains("tmp_path")
        || source.code.contains("StringIO");
    for name in ["open", "io.open", "codecs.open"] {
        for at in source.calls(name) {
            open_call(source, at, &mut found);
        }
    }
    for (name, kind) in [
        (".write_text", EditKind::Create),
        (".write_bytes", EditKind::Create),
        (".unlink", EditKind::Delete),
        (".touch", EditKind::Create),
    ] {
        for at in source.calls(name) {
            method_call(source, at, name, kind, &mut found);
        }
    }
    for at in source.calls(".open") {
        let writes =
            source.arguments(at).first().is_some_and(|range| writes_mode(source, range.clone()).is_some());
        if writes {
            method_call(source, at, ".open", EditKind::Create, &mut found);
        }
    }
    for (name, kind) in [
        ("os.remove", EditKind::Delete),
        ("os.unlink", EditKind::Delete),
        ("shutil.rmtree", EditKind::Delete),
        ("os.rename", EditKind::Move),
        ("os.replace", EditKind::Move),
        ("shutil.move", EditKind::Move),
        ("shutil.copy", EditKind::Create),
        ("shutil.copyfile", EditKind::Create),
        ("shutil.copy2", EditKind::Create),
    ] {
        for at in source.calls(name) {
            two_paths(source, at, kind, &mut found);
        }
    }
    if source.code.contains("inplace=True") && source.code.contains("fileinput") {
        for at in source.calls("fileinput.input").chain(source.calls("fileinput.FileInput")) {
            let path =
                source.arguments(at).into_iter().next().and_then(|range| list_literals(source, range).pop());
            found.push(Write {
                kind: EditKind::Replace,
                path,
                from: None,
                new: None,
                line: source.line(at),
                is_mod: true,
                is_output: false,
            });
        }
    }
    outputs(source, &mut found);
    // Files of a temporary folder are no files of the workspace.
    found.retain(|write| write.path.is_some() || !is_temporary);
    found.sort_by_key(|write| write.line);
    found
}

/// Pictures, tables and arrays that libraries write under a literal name.
fn outputs(source: &Source, found: &mut Vec<Write>) {
    for (name, index) in [
        (".save", 0),
        (".savefig", 0),
        (".to_csv", 0),
        (".to_excel", 0),
        (".to_json", 0),
        (".to_parquet", 0),
        (".to_pickle", 0),
        ("np.save", 0),
        ("np.savetxt", 0),
        ("np.savez", 0),
        ("torch.save", 1),
        ("cv2.imwrite", 0),
        ("joblib.dump", 1),
    ] {
        for at in source.calls(name) {
            let Some(range) = source.arguments(at).get(index).cloned() else { continue };
            let path = paths(source, range, 0).into_iter().next().flatten();
            // `form.save('x')` of a program's own names no file.
            let Some(path) = path.filter(|path| path.contains('.') && !path.contains([' ', '\n'])) else {
                continue;
            };
            found.push(Write {
                kind: EditKind::Create,
                path: Some(path),
                from: None,
                new: None,
                line: source.line(at),
                is_mod: false,
                is_output: true,
            });
        }
    }
}

/// The mode of `open`, where it writes: `w`, `a`, `x` or `r+`.
fn writes_mode(source: &Source, range: Range<usize>) -> Option<EditKind> {
    let text = source.code[range.clone()].trim_start();
    let skip = if text.starts_with("mode") {
        source.code[range.clone()].find('=').map_or(0, |at| at + 1)
    } else {
        0
    };
    let Value::Literal(mode) = source.value(range.start + skip..range.end) else { return None };
    if mode.len() > 3 {
        return None;
    }
    if mode.contains('a') {
        Some(EditKind::Append)
    } else if mode.contains(['w', 'x']) {
        Some(EditKind::Create)
    } else {
        mode.contains('+').then_some(EditKind::Replace)
    }
}

fn open_call(source: &Source, at: usize, found: &mut Vec<Write>) {
    let arguments = source.arguments(at);
    let Some(path) = arguments.first() else { return };
    let Some(kind) = arguments[1..].iter().find_map(|range| writes_mode(source, range.clone())) else {
        return;
    };
    for path in paths(source, path.clone(), 0) {
        let is_mod = reads_too(source);
        let kind = if is_mod && kind == EditKind::Create { EditKind::Replace } else { kind };
        found.push(Write {
            kind,
            path,
            from: None,
            new: written_literal(source, at),
            line: source.line(at),
            is_mod,
            is_output: false,
        });
    }
}

/// The literal of the first `.write('…')` behind an `open`.
fn written_literal(source: &Source, at: usize) -> Option<String> {
    let next = source.calls(".write").find(|write| *write > at)?;
    if source.code[at..next].matches('\n').count() > 2 {
        return None;
    }
    match source.value(source.arguments(next).into_iter().next()?) {
        Value::Literal(text) => Some(text),
        _ => None,
    }
}

/// Whether the code also reads files: then its writes modify what was there.
fn reads_too(source: &Source) -> bool {
    source.has_call(".read_text")
        || source.has_call(".read")
        || source.has_call(".readlines")
        || source.has_call(".read_bytes")
}

fn method_call(source: &Source, at: usize, name: &str, kind: EditKind, found: &mut Vec<Write>) {
    let dot = source.code[..at].rfind(name).unwrap_or(at);
    let receiver = receiver(source, dot);
    for path in paths(source, receiver, 0) {
        let is_mod = kind == EditKind::Create && name != ".touch" && reads_too(source);
        let new = source.arguments(at).into_iter().next().and_then(|range| match source.value(range) {
            Value::Literal(text) if name == ".write_text" => Some(text),
            _ => None,
        });
        let kind = if is_mod { EditKind::Replace } else { kind };
        found.push(Write { kind, path, from: None, new, line: source.line(at), is_mod, is_output: false });
    }
}

/// The expression left of a dot: a name, or a call such as `Path('x')`.
fn receiver(source: &Source, dot: usize) -> Range<usize> {
    let code = source.code.as_bytes();
    let mut start = dot;
    let mut depth = 0_usize;
    while start > 0 {
        let byte = code[start - 1];
        match byte {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth > 0 => depth -= 1,
            b'\n' if depth == 0 => break,
            byte if depth == 0 && !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.') => break,
            _ => {}
        }
        start -= 1;
    }
    start..dot
}

fn two_paths(source: &Source, at: usize, kind: EditKind, found: &mut Vec<Write>) {
    let arguments = source.arguments(at);
    let one = |index: usize| {
        arguments.get(index).and_then(|range| paths(source, range.clone(), 0).into_iter().next().flatten())
    };
    let line = source.line(at);
    if kind == EditKind::Delete {
        found.push(Write {
            kind,
            path: one(0),
            from: None,
            new: None,
            line,
            is_mod: false,
            is_output: false,
        });
    } else {
        found.push(Write {
            kind,
            path: one(1),
            from: one(0).or(Some(String::new())),
            new: None,
            line,
            is_mod: false,
            is_output: false,
        });
    }
}
