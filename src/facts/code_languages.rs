//! Inline code in JavaScript, Perl, Ruby and PHP: files written, own modules, assertions, prints.

use super::code_paths::paths;
use super::fact::EditKind;
use super::inline::{CodeFacts, Write};
use super::source::{Source, Value};
use crate::runners::script;
use crate::shell::Language;

pub(super) fn javascript(source: &Source) -> CodeFacts {
    let code = source.code.as_str();
    let own = |text: &str| text.starts_with("./") || text.starts_with("../") || text.starts_with('/');
    let imports = source
        .calls("require")
        .chain(source.calls("import"))
        .filter_map(|at| source.arguments(at).into_iter().next());
    let required = imports
        .map(|range| source.value(range))
        .any(|value| matches!(value, Value::Literal(text) if own(&text)));
    let imported = source.strings.iter().any(|(range, _)| {
        own(&source.text[range.clone()]) && code[..range.start.saturating_sub(1)].trim_end().ends_with("from")
    });
    let mut writes = Vec::new();
    for (name, kind) in [
        ("writeFileSync", EditKind::Create),
        ("writeFile", EditKind::Create),
        ("appendFileSync", EditKind::Append),
        ("appendFile", EditKind::Append),
        ("unlinkSync", EditKind::Delete),
        ("rmSync", EditKind::Delete),
        ("renameSync", EditKind::Move),
        ("copyFileSync", EditKind::Create),
    ] {
        for at in source.calls(&format!(".{name}")).chain(source.calls(name)) {
            let arguments = source.arguments(at);
            let index = usize::from(matches!(name, "renameSync" | "copyFileSync"));
            let path = arguments
                .get(index)
                .and_then(|range| paths(source, range.clone(), 0).into_iter().next().flatten());
            let is_mod = kind == EditKind::Create && code.contains("readFile");
            let kind = if is_mod { EditKind::Replace } else { kind };
            writes.push(Write {
                kind,
                path,
                from: None,
                new: None,
                line: source.line(at),
                is_mod,
                is_output: false,
            });
        }
    }
    writes.sort_by_key(|write| write.line);
    writes.dedup();
    CodeFacts {
        writes,
        uses_project: required || imported,
        asserts: script::judges(source.text) || code.contains("process.exit(1"),
        prints: code.contains("console."),
        reads: code.contains("readFile") || code.contains("readdir"),
        ..CodeFacts::default()
    }
}

pub(super) fn scripting(source: &Source, language: Language) -> CodeFacts {
    let code = source.code.as_str();
    let mut writes = Vec::new();
    let names: &[(&str, EditKind)] = match language {
        Language::Ruby => &[
            ("File.write", EditKind::Create),
            ("IO.write", EditKind::Create),
            ("File.delete", EditKind::Delete),
        ],
        Language::Php => &[("file_put_contents", EditKind::Create), ("unlink", EditKind::Delete)],
        _ => &[("unlink", EditKind::Delete)],
    };
    for (name, kind) in names {
        for at in source.calls(name) {
            let path = source
                .arguments(at)
                .into_iter()
                .next()
                .and_then(|range| paths(source, range, 0).into_iter().next().flatten());
            let is_mod = *kind == EditKind::Create
                && (code.contains("File.read") || code.contains("file_get_contents"));
            writes.push(Write {
                kind: if is_mod { EditKind::Replace } else { *kind },
                path,
                from: None,
                new: None,
                line: source.line(at),
                is_mod,
                is_output: false,
            });
        }
    }
    // `open(my $fh, '>', 'x')`, `File.open('x', 'w')`.
    for at in source.calls("open").chain(source.calls("File.open")) {
        let literals = source.arguments(at).into_iter().map(|range| source.value(range)).collect::<Vec<_>>();
        let mode = literals.iter().find_map(|value| match value {
            Value::Literal(text)
                if matches!(
                    text.as_str(),
                    ">" | ">>" | "w" | "a" | "+<" | ">:utf8" | ">:encoding(UTF-8)"
                ) =>
            {
                Some(text.contains(['a']) || text == ">>")
            }
            _ => None,
        });
        if let Some(appends) = mode {
            let path = literals.iter().find_map(|value| match value {
                Value::Literal(text) if text.len() > 2 && !text.starts_with('>') => Some(text.clone()),
                _ => None,
            });
            let kind = if appends { EditKind::Append } else { EditKind::Create };
            writes.push(Write {
                kind,
                path,
                from: None,
                new: None,
                line: source.line(at),
                is_mod: false,
                is_output: false,
            });
        }
    }
    CodeFacts {
        writes,
        uses_project: code.contains("require_relative")
            || code.contains("require ") && language == Language::Php
            || code.contains("include "),
        asserts: script::judges(source.text),
        prints: code.contains("print")
            || code.contains("puts ")
            || code.contains("echo ")
            || code.contains("p "),
        reads: code.contains("<") || code.contains("File.read") || code.contains("file_get_contents"),
        ..CodeFacts::default()
    }
}
