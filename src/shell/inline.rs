//! Which word of an interpreter's or shell's command line is code, which is the script, and who reads standard input.
//!
//! Looks at option letters only; what the code does is for `facts` to say.

use super::segment::{CodeSource, InlineCode, Language, Segment, Word};

/// What a command does with its standard input, when that is its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    Shell,
    Code(Language),
}

/// Names of shells.
pub(super) fn is_shell(program: &str) -> bool {
    matches!(program, "bash" | "sh" | "zsh" | "dash" | "ksh" | "ash")
}

/// How an interpreter's command line is made up.
enum Part<'w> {
    /// Code, or a command line, in a word.
    Code(&'w Word),
    /// Code attached to its option (`-c'print(1)'`), from this byte of the word.
    Attached(&'w Word, usize),
    /// A module's name, and the word in which it ends.
    Module(&'w str, usize),
    /// A file, or `-`.
    Script(usize),
}

/// Letters of an interpreter's options.
struct Letters {
    /// These take code.
    code: &'static str,
    /// These take a module.
    module: &'static str,
    /// These take another value.
    value: &'static str,
    /// What follows these in the same word belongs to them, and they never take the next word.
    attached: &'static str,
    /// Long options that take code.
    long_code: &'static [&'static str],
    /// Long options whose value is the next word.
    long_value: &'static [&'static str],
}

const SHELL: Letters = Letters {
    code: "c",
    module: "",
    value: "oO",
    attached: "",
    long_code: &[],
    long_value: &["--rcfile", "--init-file"],
};
const PYTHON: Letters =
    Letters { code: "c", module: "m", value: "WXQ", attached: "", long_code: &[], long_value: &[] };
const NODE: Letters = Letters {
    code: "ep",
    module: "",
    value: "rC",
    attached: "",
    long_code: &["--eval", "--print"],
    long_value: &["--require", "--import", "--loader", "--experimental-loader", "--conditions"],
};
const PERL: Letters =
    Letters { code: "eE", module: "", value: "", attached: "iMmIxCDF0l", long_code: &[], long_value: &[] };
const RUBY: Letters =
    Letters { code: "e", module: "", value: "rICF", attached: "ixTKW0", long_code: &[], long_value: &[] };
const PHP: Letters = Letters {
    code: "rBRE",
    module: "",
    value: "dczSt",
    attached: "",
    long_code: &["--run"],
    long_value: &[],
};
const OTHER: Letters =
    Letters { code: "eE", module: "", value: "lL", attached: "", long_code: &[], long_value: &[] };

fn letters(language: Language) -> &'static Letters {
    match language {
        Language::Python => &PYTHON,
        Language::JavaScript => &NODE,
        Language::Perl => &PERL,
        Language::Ruby => &RUBY,
        Language::Php => &PHP,
        Language::R | Language::Lua | Language::Julia => &OTHER,
    }
}

/// The first part of a command line that is not a plain option.
fn first_part<'w>(arguments: &'w [Word], letters: &Letters) -> Option<Part<'w>> {
    let mut index = 0;
    while let Some(word) = arguments.get(index) {
        let text = word.text.as_str();
        if text == "-" || !text.starts_with(['-', '+']) {
            return Some(Part::Script(index));
        }
        if text == "--" {
            return (index + 1 < arguments.len()).then_some(Part::Script(index + 1));
        }
        index += 1;
        if text.starts_with("--") {
            if let Some(part) = long_option(arguments, index, word, letters) {
                return Some(part);
            }
            index += usize::from(letters.long_value.contains(&text));
            continue;
        }
        match cluster(arguments, index, word, letters) {
            Cluster::Part(part) => return Some(part),
            Cluster::TakesNext => index += 1,
            Cluster::Flags => {}
        }
    }
    None
}

fn long_option<'w>(
    arguments: &'w [Word],
    next: usize,
    word: &'w Word,
    letters: &Letters,
) -> Option<Part<'w>> {
    let (name, attached) = match word.text.split_once('=') {
        Some((name, _)) => (name, true),
        None => (word.text.as_str(), false),
    };
    if !letters.long_code.contains(&name) {
        return None;
    }
    if attached { Some(Part::Attached(word, name.len() + 1)) } else { arguments.get(next).map(Part::Code) }
}

enum Cluster<'w> {
    Part(Part<'w>),
    TakesNext,
    Flags,
}

/// Reads letters that share a dash (`-lc`, `-pi`, `-ne`).
fn cluster<'w>(arguments: &'w [Word], next: usize, word: &'w Word, letters: &Letters) -> Cluster<'w> {
    for (offset, letter) in word.text.char_indices().skip(1) {
        let after = offset + letter.len_utf8();
        let is_last = after == word.text.len();
        // `sh -ce`: letters after the `c` of a shell are more options, in other interpreters they are the code.
        let ends_here = is_last || std::ptr::eq(letters, &SHELL);
        if letters.code.contains(letter) {
            let code = if ends_here {
                arguments.get(next).map(Part::Code)
            } else if letter == 'p' {
                continue;
            } else {
                Some(Part::Attached(word, after))
            };
            return code.map_or(Cluster::Flags, Cluster::Part);
        }
        if letters.module.contains(letter) {
            let module = if is_last {
                arguments.get(next).map(|word| (word.text.as_str(), next))
            } else {
                word.text.get(after..).map(|name| (name, next - 1))
            };
            return module.map_or(Cluster::Flags, |(name, index)| Cluster::Part(Part::Module(name, index)));
        }
        if letters.attached.contains(letter) {
            return Cluster::Flags;
        }
        if letters.value.contains(letter) {
            return if is_last { Cluster::TakesNext } else { Cluster::Flags };
        }
    }
    Cluster::Flags
}

/// The command line of `bash -c '…'`.
pub(super) fn command_string(segment: &Segment) -> Option<Word> {
    match first_part(&segment.arguments, &SHELL)? {
        Part::Code(word) => Some(word.clone()),
        _ => None,
    }
}

/// The module of `python -m MODULE`.
pub(super) fn module(segment: &Segment) -> Option<String> {
    let language = Language::of_program(&segment.program)?;
    match first_part(&segment.arguments, letters(language))? {
        Part::Module(name, _) => Some(name.to_owned()),
        _ => None,
    }
}

/// Where the module's name stands among the arguments.
pub(super) fn module_index(segment: &Segment) -> Option<usize> {
    let language = Language::of_program(&segment.program)?;
    match first_part(&segment.arguments, letters(language))? {
        Part::Module(_, index) => Some(index),
        _ => None,
    }
}

/// The code of `python -c '…'`, `perl -pe '…'`, `node -e '…'`.
pub(super) fn option_code(segment: &Segment) -> Option<InlineCode> {
    let language = Language::of_program(&segment.program)?;
    let (text, span) = match code_part(segment, language)? {
        Part::Code(word) => (word.text.clone(), word.span.clone()),
        Part::Attached(word, from) => (word.text.get(from..)?.to_owned(), word.span.clone()),
        _ => return None,
    };
    Some(InlineCode { language, text, span, source: CodeSource::Option })
}

fn code_part(segment: &Segment, language: Language) -> Option<Part<'_>> {
    let arguments = segment.arguments.as_slice();
    match first_part(arguments, letters(language))? {
        // `deno eval CODE`, and `python manage.py shell -c CODE`: the words after the script are options again.
        Part::Script(index) => match arguments.get(index)?.text.as_str() {
            "eval" if language == Language::JavaScript => arguments.get(index + 1).map(Part::Code),
            script if script.ends_with("manage.py") => django_shell(arguments.get(index + 1..)?),
            _ => None,
        },
        part => Some(part),
    }
}

fn django_shell(arguments: &[Word]) -> Option<Part<'_>> {
    let (first, rest) = arguments.split_first()?;
    if !matches!(first.text.as_str(), "shell" | "shell_plus") {
        return None;
    }
    let option = rest.iter().position(|word| matches!(word.text.as_str(), "-c" | "--command"))?;
    rest.get(option + 1).map(Part::Code)
}

/// Where the script of an interpreter or shell stands among the arguments.
pub(super) fn script_index(segment: &Segment) -> Option<usize> {
    let letters =
        if is_shell(&segment.program) { &SHELL } else { letters(Language::of_program(&segment.program)?) };
    match first_part(&segment.arguments, letters)? {
        Part::Script(index) => Some(index).filter(|&index| !is_standard_input(&segment.arguments[index])),
        _ => None,
    }
}

fn is_standard_input(word: &Word) -> bool {
    matches!(word.text.as_str(), "-" | "/dev/stdin")
}

/// What the command makes of its standard input; nothing when its program comes from elsewhere.
pub(super) fn reader(segment: &Segment) -> Option<Reader> {
    if is_shell(&segment.program) {
        let takes_arguments = segment.arguments.iter().any(|word| word.text == "-s");
        let part = first_part(&segment.arguments, &SHELL);
        let is_free = match part {
            None => true,
            Some(Part::Script(index)) => takes_arguments || is_standard_input(&segment.arguments[index]),
            Some(_) => false,
        };
        return is_free.then_some(Reader::Shell);
    }
    let language = Language::of_program(&segment.program)?;
    let is_free = match first_part(&segment.arguments, letters(language)) {
        None => true,
        Some(Part::Script(index)) => {
            let is_shell_of_django = segment.arguments[index].text.ends_with("manage.py")
                && segment.arguments.get(index + 1).is_some_and(|word| word.text.starts_with("shell"));
            is_standard_input(&segment.arguments[index]) || is_shell_of_django
        }
        Some(_) => false,
    };
    (is_free && segment.inline_code.is_none()).then_some(Reader::Code(language))
}
