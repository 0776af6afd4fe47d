//! Inline and authored code: does it write files and which, import the project, assert or print, and what commands
//! does it run? (`definitions.md` §3: inline code that writes files; testing `inline` and `repro`.)
//!
//! Owns   the reading of Python, JavaScript, Perl and Ruby given by `-c`, by a here-document or by a file that this
//!        trajectory wrote; literal paths and simple variables.
//! Never  runs code, and never takes a word in a string or comment for a call.

use std::sync::LazyLock;

use regex::Regex;

use super::code_languages::{javascript, scripting};
use super::code_paths::list_literals;
use super::code_requests::python_requests;
use super::code_writes::python_writes;
use super::fact::EditKind;
use super::source::{self, Source, Value};
use crate::data::pattern::ascii;
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
    /// A picture or a table that the code puts out: beside a test it is output, not an edit.
    pub is_output: bool,
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
    /// Top-level names of the Python modules that it imports.
    pub imports: Vec<String>,
    /// It imports or runs the project (any module that is neither standard nor a well-known tool).
    pub uses_project: bool,
    /// It imports, and at most says that it could.
    pub only_imports: bool,
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

impl CodeFacts {
    /// Settles what the files known by now tell: `is_ours` says whether a Python module is the project's, or is there for
    /// it alone.
    pub fn settled(mut self, is_ours: impl Fn(&str) -> bool) -> CodeFacts {
        self.uses_project |= self.imports.iter().any(|module| is_ours(module));
        self.asks_environment |= self.only_imports && !self.uses_project;
        self
    }
}

/// Reads a piece of code.
pub(super) fn read(text: &str, language: Language) -> CodeFacts {
    let source = source::read(text, language);
    match language {
        Language::Python => python(&source),
        Language::JavaScript => javascript(&source),
        Language::Perl | Language::Ruby | Language::Php => scripting(&source, language),
        Language::R | Language::Lua | Language::Julia => CodeFacts::default(),
    }
}

fn python(source: &Source) -> CodeFacts {
    let code = source.code.as_str();
    let asserts = script::judges(source.text) || exits_by_itself(source);
    CodeFacts {
        writes: python_writes(source),
        imports: python_imports(source).into_iter().map(str::to_owned).collect(),
        uses_project: false,
        only_imports: only_imports(source),
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
            || source.has_call("connect")
            || source.has_call("zipfile.ZipFile")
            || source.has_call("tarfile.open")
            || code.contains("sys.stdin"),
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
pub(super) fn python_imports<'a>(source: &'a Source) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for (rest, is_from) in import_statements(&source.code) {
        if is_from {
            found.extend(rest.split_whitespace().next().and_then(top));
        } else {
            found.extend(rest.split(',').filter_map(|name| name.split_whitespace().next()).filter_map(top));
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

/// What follows `import` or `from` at the beginning of a statement, and whether it is `from`.
fn import_statements(code: &str) -> impl Iterator<Item = (&str, bool)> {
    static KEYWORD: LazyLock<Regex> = LazyLock::new(|| ascii("import |from "));
    KEYWORD.find_iter(code).filter_map(move |word| {
        let before = code[..word.start()].trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
        let opens = before.is_empty() || before.ends_with(['\n', ';']);
        let rest = &code[word.end()..];
        let end = rest.find(['\n', ';']).unwrap_or(rest.len());
        opens.then(|| (&rest[..end], word.as_str() == "from "))
    })
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

/// `import x; print('x is there')`: every statement is an import, or prints a literal.
fn only_imports(source: &Source) -> bool {
    let mut imports = 0;
    for statement in source.code.split(['\n', ';']).map(str::trim).filter(|one| !one.is_empty()) {
        let is_import = statement.starts_with("import ") || statement.starts_with("from ");
        imports += usize::from(is_import);
        if !(is_import || prints_literal(statement) || statement.starts_with('#')) {
            return false;
        }
    }
    imports > 0
}

/// One literal and nothing done to it; its inside is blank here.
fn prints_literal(statement: &str) -> bool {
    let inside = statement.strip_prefix("print(").and_then(|rest| rest.strip_suffix(')'));
    inside.is_some_and(|inside| {
        ['"', '\''].iter().any(|quote| {
            let rest = inside.strip_prefix(*quote).and_then(|rest| rest.strip_suffix(*quote));
            rest.is_some_and(|rest| !rest.contains(*quote))
        })
    })
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
