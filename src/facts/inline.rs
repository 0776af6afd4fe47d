//! Inline and authored code: does it write files and which, import the project, assert or print, and what commands
//! does it run? (`definitions.md` §3: inline code that writes files; testing `inline` and `repro`.)
//!
//! Owns   the reading of Python, JavaScript, Perl and Ruby given by `-c`, by a here-document or by a file that this
//!        trajectory wrote; literal paths and simple variables.
//! Never  runs code, and never takes a word in a string or comment for a call.

use std::ops::Range;

use super::fact::EditKind;
use super::project::Project;
use super::source::{self, Source, Value};
use crate::runners::script;
use crate::shell::Language;

/// A file that code writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Write {
    /// Kind of the edit.
    pub kind: EditKind,
    /// The path as the code spells it; `None` where it is not a simple literal.
    pub path: Option<String>,
    /// Where it was moved from.
    pub from: Option<String>,
    /// Literal text that is written.
    pub new: Option<String>,
    /// Line of the code that writes, from 1.
    pub line: usize,
    /// The same code reads the file first: a code mod, which may change nothing.
    pub is_mod: bool,
}

/// One request of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fetch {
    /// To this address or host.
    Address(String),
    /// A data set or model by name.
    DataSet,
    /// A sample that a plotting or learning package loads from its own host.
    Sample,
    /// To a host in a variable.
    Unknown,
}

/// What a piece of code does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CodeFacts {
    /// Files that it writes.
    pub writes: Vec<Write>,
    /// It imports or runs the project (any module that is neither standard nor a well-known tool).
    pub uses_project: bool,
    /// It asserts, prints a verdict of its own, or ends with a status of its own making.
    pub asserts: bool,
    /// It prints.
    pub prints: bool,
    /// It only prints source code.
    pub shows_source: bool,
    /// It only asks for versions and places.
    pub asks_environment: bool,
    /// It opens or lists files to read them.
    pub reads: bool,
    /// Shell commands that it runs.
    pub commands: Vec<String>,
    /// Literals by which it would say that it found nothing to change.
    pub misses: Vec<String>,
    /// What it asks of the network.
    pub requests: Vec<Fetch>,
}

/// Reads a piece of code.
pub(super) fn read(text: &str, language: Language, project: &Project) -> CodeFacts {
    let source = source::read(text, language);
    match language {
        Language::Python => python(&source, project),
        Language::JavaScript => javascript(&source),
        Language::Perl | Language::Ruby | Language::Php => scripting(&source, language),
        Language::R | Language::Lua | Language::Julia => CodeFacts::default(),
    }
}

fn python(source: &Source, project: &Project) -> CodeFacts {
    let imports = python_imports(source);
    let code = source.code.as_str();
    let asserts = script::judges(source.text) || exits_by_itself(source);
    CodeFacts {
        writes: python_writes(source),
        uses_project: imports.iter().any(|module| project.is_module(module)),
        asserts,
        prints: source.has_call("print") || source.has_call("pprint") || code.contains("stdout.write"),
        shows_source: shows_source(source),
        asks_environment: asks_environment(source),
        reads: source.has_call("open")
            || source.has_call(".read_text")
            || source.has_call(".read_bytes")
            || source.has_call(".getsource")
            || source.has_call(".listdir")
            || source.has_call(".glob")
            || source.has_call(".walk")
            || source.has_call("connect"),
        commands: python_commands(source),
        misses: misses(source),
        requests: python_requests(source),
    }
}

/// `sys.exit(1)`, `exit(not ok)`; `sys.exit()` and `sys.exit(main())` tell nothing.
fn exits_by_itself(source: &Source) -> bool {
    ["sys.exit", "exit", "os._exit"].iter().any(|name| {
        source.calls(name).any(|at| {
            let argument = source.arguments(at).first().map_or("", |range| source.code[range.clone()].trim());
            argument.starts_with(['1', '2'])
                || argument.starts_with("not ")
                || argument.contains(" if ")
                || argument.starts_with("int(")
        })
    })
}

/// Top-level names of imported modules.
fn python_imports<'a>(source: &'a Source) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for line in source.code.split(['\n', ';']) {
        let line = line.trim_start();
        if let Some(rest) = line.strip_prefix("import ") {
            found.extend(rest.split(',').filter_map(|name| name.split_whitespace().next()).filter_map(top));
        } else if let Some(rest) = line.strip_prefix("from ") {
            found.extend(rest.split_whitespace().next().and_then(top));
        }
    }
    for name in ["__import__", "import_module", "importlib.import_module"] {
        for at in source.calls(name) {
            if let Some(range) = source.arguments(at).into_iter().next() {
                let index = source.strings.partition_point(|(inside, _)| inside.start < range.start);
                let inside = source.strings.get(index).filter(|(inside, _)| inside.end <= range.end);
                found.extend(inside.and_then(|(inside, _)| top(&source.text[inside.clone()])));
            }
        }
    }
    found
}

fn top(name: &str) -> Option<&str> {
    let top = name.split('.').next()?.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    (!top.is_empty()).then_some(top)
}

/// Prints nothing but versions, places and settings: `print(django.VERSION)`.
fn asks_environment(source: &Source) -> bool {
    let mut asked = 0;
    for at in source.calls("print") {
        for range in source.arguments(at) {
            let text = source.code[range].trim();
            let is_literal =
                text.starts_with(['"', '\'']) || text.starts_with("f\"") || text.starts_with("f'");
            let last = text.trim_end_matches(')').rsplit('.').next().unwrap_or("").to_ascii_lowercase();
            let asks = matches!(
                last.as_str(),
                "version"
                    | "__version__"
                    | "__file__"
                    | "version_info"
                    | "path"
                    | "executable"
                    | "prefix"
                    | "__path__"
                    | "get_version("
                    | "version("
                    | "platform"
                    | "platform("
                    | "getcwd("
                    | "environ"
                    | "get_python_version("
            );
            asked += usize::from(asks);
            if !(asks || is_literal || text.is_empty()) {
                return false;
            }
        }
    }
    let defines = ["def ", "class ", "assert ", "for "].iter().any(|word| source.code.contains(word));
    asked > 0 && !defines
}

/// Prints nothing but the source of something: `print(inspect.getsource(f))`.
fn shows_source(source: &Source) -> bool {
    let mut shown = 0;
    for at in source.calls("print") {
        for range in source.arguments(at) {
            let text = source.code[range].trim();
            let shows =
                text.contains("getsource(") || text.contains("getsourcefile(") || text.contains("getfile(");
            let is_literal = text.starts_with(['"', '\'']);
            if !(shows || is_literal || text.is_empty()) {
                return false;
            }
            shown += usize::from(shows);
        }
    }
    shown > 0
}

fn python_commands(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for name in [
        "os.system",
        "os.popen",
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "subprocess.Popen",
        "check_output",
        "check_call",
    ] {
        for at in source.calls(name) {
            let Some(range) = source.arguments(at).into_iter().next() else { continue };
            match source.value(range.clone()) {
                Value::Literal(text) | Value::Begins(text) => found.push(text),
                _ => found.push(list_literals(source, range).join(" ")),
            }
        }
    }
    found.retain(|command| !command.is_empty());
    found
}

/// `print('pattern not found')`: what a code mod says where nothing fitted.
fn misses(source: &Source) -> Vec<String> {
    const WORDS: [&str; 7] = [
        "not found",
        "not replaced",
        "no match",
        "no replacement",
        "could not find",
        "no change",
        "not applied",
    ];
    let mut found = Vec::new();
    for at in source.calls("print").chain(source.calls(".write")) {
        let Some(range) = source.arguments(at).into_iter().next() else { continue };
        for literal in list_literals(source, range) {
            let known = literal.split(['{', '%']).next().unwrap_or("").trim().to_owned();
            let lower = known.to_ascii_lowercase();
            if WORDS.iter().any(|words| lower.contains(words)) {
                found.push(known);
            }
        }
    }
    found
}

/// Call sites of clients; nothing where the code puts a double in their place.
fn python_requests(source: &Source) -> Vec<Fetch> {
    const DOUBLES: [&str; 5] = ["patch(", "responses.", "monkeypatch", "Mock", "requests_mock"];
    if DOUBLES.iter().any(|double| source.code.contains(double)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for client in ["requests", "httpx"] {
        for method in ["get", "post", "put", "delete", "head", "patch", "options", "request", "stream"] {
            let name = format!("{client}.{method}");
            let index = usize::from(matches!(method, "request" | "stream"));
            request_calls(source, &name, index, &mut found);
        }
        for session in sessions(source, client) {
            for method in ["get", "post", "put", "delete", "head", "patch"] {
                request_calls(source, &format!("{session}.{method}"), 0, &mut found);
            }
        }
    }
    for name in [
        "urllib.request.urlopen",
        "request.urlopen",
        "urlopen",
        "urllib.request.urlretrieve",
        "urlretrieve",
        "http.client.HTTPSConnection",
        "http.client.HTTPConnection",
        "HTTPSConnection",
        "HTTPConnection",
        "socket.create_connection",
        "socket.gethostbyname",
        "socket.getaddrinfo",
    ] {
        request_calls(source, name, 0, &mut found);
    }
    if source.code.contains("socket") {
        for at in source.calls(".connect") {
            let literal = source
                .arguments(at)
                .into_iter()
                .next()
                .and_then(|range| list_literals(source, range).into_iter().next());
            found.extend(literal.map(Fetch::Address));
        }
    }
    found.extend(data_sets(source));
    found
}

/// Names that hold a session of a client.
fn sessions<'a>(source: &'a Source, client: &str) -> Vec<&'a str> {
    let makers = [
        format!("{client}.Session("),
        format!("{client}.session("),
        format!("{client}.Client("),
        format!("{client}.AsyncClient("),
    ];
    let mut found = Vec::new();
    for line in source.code.lines().filter(|line| makers.iter().any(|maker| line.contains(maker.as_str()))) {
        let name = match line.split_once(" as ") {
            Some((_, name)) => name.trim().trim_end_matches(':'),
            None => line.split('=').next().unwrap_or("").trim(),
        };
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            found.push(name);
        }
    }
    found
}

fn request_calls(source: &Source, name: &str, index: usize, found: &mut Vec<Fetch>) {
    for at in source.calls(name) {
        let arguments = source.arguments(at);
        let named =
            arguments.iter().find(|range| source.code[(*range).clone()].trim_start().starts_with("url"));
        let Some(range) = arguments.get(index).or(named).cloned() else { continue };
        let range = match source.code[range.clone()].find('=') {
            Some(equals) if source.code[range.clone()].trim_start().starts_with("url") => {
                range.start + equals + 1..range.end
            }
            _ => range,
        };
        let query = query_of(source, &arguments);
        let mut unknown = 0;
        let mut addressed = |text: String| found.push(Fetch::Address(format!("{text}{query}")));
        match source.value(range.clone()) {
            // A host that is known before the first part that is filled in.
            Value::Begins(text) if text.split("://").nth(1).is_some_and(|rest| rest.contains('/')) => {
                addressed(text)
            }
            Value::Other => {
                let mut literals = list_literals(source, range).into_iter();
                match literals.find(|text| text.contains("://") || text.contains('.')) {
                    Some(text) => addressed(text),
                    None => unknown += 1,
                }
            }
            _ => {
                for path in paths(source, range, 0) {
                    match path {
                        Some(text) => addressed(text),
                        None => unknown += 1,
                    }
                }
            }
        }
        found.extend((0..unknown).map(|_| Fetch::Unknown));
    }
}

/// `params={'q': 'repo:owner/name'}` as it would stand in the address.
fn query_of(source: &Source, arguments: &[Range<usize>]) -> String {
    let params =
        arguments.iter().find(|range| source.code[(*range).clone()].trim_start().starts_with("params"));
    params.map_or(String::new(), |range| format!("?{}", list_literals(source, range.clone()).join("&")))
}

/// `load_dataset` and `from_pretrained` of their own libraries; sample loaders of others.
fn data_sets(source: &Source) -> Vec<Fetch> {
    let offline = ["local_files_only=True", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"];
    if offline.iter().any(|flag| source.code.contains(flag) || source.text.contains(&format!("{flag}'"))) {
        return Vec::new();
    }
    let imports = python_imports(source);
    let is_hub = imports.iter().any(|module| {
        matches!(
            *module,
            "datasets" | "transformers" | "huggingface_hub" | "sentence_transformers" | "diffusers"
        )
    });
    let mut found = Vec::new();
    for name in ["load_dataset", ".from_pretrained", "hf_hub_download", "snapshot_download"] {
        for at in source.calls(name) {
            let first = source.arguments(at).into_iter().next().map(|range| source.value(range));
            let is_path = matches!(&first, Some(Value::Literal(text)) if text.starts_with(['/', '.']));
            if is_hub && !is_path {
                found.push(Fetch::DataSet);
            }
        }
    }
    for name in [
        "sns.load_dataset",
        "seaborn.load_dataset",
        "fetch_openml",
        "fetch_california_housing",
        "fetch_20newsgroups",
    ] {
        found.extend(source.calls(name).map(|_| Fetch::Sample));
    }
    found
}

fn list_literals(source: &Source, range: Range<usize>) -> Vec<String> {
    let strings =
        source.strings.iter().filter(|(inside, _)| range.start <= inside.start && inside.end <= range.end);
    strings.map(|(inside, _)| source.text[inside.clone()].to_owned()).collect()
}

/// Paths that an expression may be: a literal, `Path('x')`, a variable set to one, a loop over literals.
fn paths(source: &Source, range: Range<usize>, depth: usize) -> Vec<Option<String>> {
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

fn python_writes(source: &Source) -> Vec<Write> {
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
            });
        }
    }
    // Files of a temporary folder are no files of the workspace.
    found.retain(|write| write.path.is_some() || !is_temporary);
    found.sort_by_key(|write| write.line);
    found
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
        found.push(Write { kind, path, from: None, new, line: source.line(at), is_mod });
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
        found.push(Write { kind, path: one(0), from: None, new: None, line, is_mod: false });
    } else {
        found.push(Write {
            kind,
            path: one(1),
            from: one(0).or(Some(String::new())),
            new: None,
            line,
            is_mod: false,
        });
    }
}

fn javascript(source: &Source) -> CodeFacts {
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
            writes.push(Write { kind, path, from: None, new: None, line: source.line(at), is_mod });
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

fn scripting(source: &Source, language: Language) -> CodeFacts {
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
            writes.push(Write { kind, path, from: None, new: None, line: source.line(at), is_mod: false });
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
