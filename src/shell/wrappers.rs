//! Programs that start other programs, and how their options are stepped over (definitions.md §3).
//!
//! A wrapper without a command after it (`sudo -l`, `command -v x`, a bare `env`) is the program itself.

use std::ops::Range;

use super::segment::{Language, Word, Wrapper, WrapperKind};

/// How a wrapper's command line is made up: options, operands, assignments, then the command.
struct Rule {
    kind: WrapperKind,
    /// The word that makes it a wrapper (`exec` of `docker exec`); empty where none is needed.
    verb: &'static str,
    /// Words that may stand before the verb (`compose`).
    groups: &'static [&'static str],
    /// Short options whose value is the next word when it is not attached.
    short_value: &'static str,
    /// Long options whose value is the next word when it is not attached.
    long_value: &'static [&'static str],
    /// Short options with which it runs nothing.
    refuses: &'static str,
    /// Words between the options and the command.
    operands: usize,
    /// Whether `NAME=value` may stand before the command.
    assigns: bool,
    /// Whether what follows is for Python: `-m MODULE` always is, a script when `Python::Script`.
    python: Python,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Python {
    No,
    Module,
    Script,
}

const PLAIN: Rule = Rule {
    kind: WrapperKind::Nohup,
    verb: "",
    groups: &[],
    short_value: "",
    long_value: &[],
    refuses: "",
    operands: 0,
    assigns: false,
    python: Python::No,
};

const DOCKER: Rule = Rule {
    kind: WrapperKind::DockerExec,
    verb: "exec",
    groups: &["compose", "container"],
    short_value: "euwHcfp",
    long_value: &[
        "--env",
        "--user",
        "--workdir",
        "--env-file",
        "--detach-keys",
        "--host",
        "--context",
        "--config",
        "--file",
        "--project-name",
        "--profile",
        "--index",
    ],
    operands: 1,
    ..PLAIN
};

const CONDA: Rule = Rule {
    kind: WrapperKind::CondaRun,
    verb: "run",
    short_value: "np",
    long_value: &["--name", "--prefix", "--cwd"],
    ..PLAIN
};

const UV: Rule = Rule {
    kind: WrapperKind::UvRun,
    verb: "run",
    short_value: "pwCf",
    long_value: &[
        "--python",
        "--with",
        "--with-editable",
        "--with-requirements",
        "--extra",
        "--group",
        "--only-group",
        "--no-group",
        "--directory",
        "--project",
        "--env-file",
        "--index",
        "--index-url",
        "--extra-index-url",
        "--find-links",
        "--package",
        "--config-file",
        "--cache-dir",
        "--color",
    ],
    python: Python::Module,
    ..PLAIN
};

const COVERAGE: Rule = Rule {
    kind: WrapperKind::Coverage,
    verb: "run",
    long_value: &["--source", "--include", "--omit", "--rcfile", "--concurrency", "--context", "--data-file"],
    python: Python::Script,
    ..PLAIN
};

const SUDO: Rule = Rule {
    kind: WrapperKind::Sudo,
    short_value: "ughpCrtTUDRac",
    long_value: &["--user", "--group", "--host", "--prompt", "--chdir", "--chroot", "--role", "--type"],
    refuses: "lveKV",
    assigns: true,
    ..PLAIN
};

const XARGS: Rule = Rule {
    kind: WrapperKind::Xargs,
    short_value: "InPLdasE",
    long_value: &["--max-args", "--max-procs", "--delimiter", "--arg-file", "--max-chars"],
    ..PLAIN
};

fn rule(name: &str) -> Option<&'static Rule> {
    use WrapperKind as Kind;
    let rule: &'static Rule = match name {
        "builtin" => &Rule { kind: Kind::Builtin, ..PLAIN },
        "bundle" => &Rule { kind: Kind::BundleExec, verb: "exec", ..PLAIN },
        "chroot" => &Rule { kind: Kind::Chroot, operands: 1, ..PLAIN },
        "chrt" => &Rule { kind: Kind::Chrt, short_value: "TPD", refuses: "pm", operands: 1, ..PLAIN },
        "command" => &Rule { kind: Kind::CommandBuiltin, refuses: "vV", ..PLAIN },
        "conda" | "mamba" | "micromamba" => &CONDA,
        "coverage" | "coverage3" => &COVERAGE,
        "docker" | "docker-compose" | "podman" | "nerdctl" => &DOCKER,
        "env" => &Rule {
            kind: Kind::Env,
            short_value: "uCS",
            long_value: &["--unset", "--chdir"],
            assigns: true,
            ..PLAIN
        },
        "exec" => &Rule { kind: Kind::Exec, short_value: "a", ..PLAIN },
        "flock" => &Rule {
            kind: Kind::Flock,
            short_value: "wE",
            long_value: &["--timeout", "--wait"],
            operands: 1,
            ..PLAIN
        },
        "hatch" => &Rule { kind: Kind::HatchRun, verb: "run", short_value: "ep", ..PLAIN },
        "ionice" => &Rule { kind: Kind::Ionice, short_value: "cn", refuses: "pPu", ..PLAIN },
        "nice" => &Rule { kind: Kind::Nice, short_value: "n", long_value: &["--adjustment"], ..PLAIN },
        "nohup" => &PLAIN,
        "npm" | "pnpm" => &Rule {
            kind: Kind::NpmExec,
            verb: "exec",
            short_value: "Cw",
            long_value: &["--prefix", "--package", "--workspace"],
            refuses: "c",
            ..PLAIN
        },
        "npx" | "pnpx" | "bunx" => {
            &Rule { kind: Kind::Npx, short_value: "p", long_value: &["--package"], refuses: "c", ..PLAIN }
        }
        "pdm" => &Rule { kind: Kind::PdmRun, verb: "run", short_value: "p", ..PLAIN },
        "pipenv" => &Rule { kind: Kind::PipenvRun, verb: "run", ..PLAIN },
        "pixi" => &Rule {
            kind: Kind::PixiRun,
            verb: "run",
            short_value: "e",
            long_value: &["--environment", "--manifest-path"],
            ..PLAIN
        },
        "poetry" => &Rule {
            kind: Kind::PoetryRun,
            verb: "run",
            short_value: "CP",
            long_value: &["--directory", "--project"],
            ..PLAIN
        },
        "rye" => &Rule { kind: Kind::RyeRun, verb: "run", short_value: "p", ..PLAIN },
        "setsid" => &Rule { kind: Kind::Setsid, ..PLAIN },
        "stdbuf" => &Rule {
            kind: Kind::Stdbuf,
            short_value: "ioe",
            long_value: &["--input", "--output", "--error"],
            ..PLAIN
        },
        "sudo" | "doas" => &SUDO,
        "taskset" => &Rule { kind: Kind::Taskset, refuses: "p", operands: 1, ..PLAIN },
        "time" => {
            &Rule { kind: Kind::Time, short_value: "fo", long_value: &["--format", "--output"], ..PLAIN }
        }
        "timeout" | "gtimeout" => &Rule {
            kind: Kind::Timeout,
            short_value: "ks",
            long_value: &["--kill-after", "--signal"],
            operands: 1,
            ..PLAIN
        },
        "unbuffer" => &Rule { kind: Kind::Unbuffer, ..PLAIN },
        "uv" => &UV,
        "xargs" => &XARGS,
        "xvfb-run" => &Rule {
            kind: Kind::XvfbRun,
            short_value: "snef",
            long_value: &["--server-args", "--server-num", "--auth-file", "--error-file"],
            ..PLAIN
        },
        _ => return None,
    };
    Some(rule)
}

/// A command line without its wrappers.
#[derive(Debug, Default)]
pub(super) struct Peeled {
    /// Index of the program among the words, or of its first argument when `program` is set.
    pub start: usize,
    /// The program, where the wrapper alone says it (`coverage run x.py` runs Python).
    pub program: Option<&'static str>,
    pub wrappers: Vec<Wrapper>,
    pub assignments: Vec<(String, String)>,
    /// Whether `name@version` stands for the program `name`.
    pub drops_version: bool,
}

/// Takes the wrappers off.
pub(super) fn peel(words: &[Word]) -> Peeled {
    let mut peeled = Peeled::default();
    while let Some(word) = words.get(peeled.start) {
        let name = base_name(&word.text);
        let found = match rule(name) {
            Some(rule) => Some((rule, peeled.start + 1)),
            None if is_coverage_module(name, &words[peeled.start + 1..]) => {
                Some((&COVERAGE, peeled.start + 3))
            }
            None => None,
        };
        let Some((rule, after)) = found else { break };
        let Some(command) = command_index(rule, words, after, &mut peeled) else { break };
        peeled.start = command;
        peeled.drops_version = matches!(rule.kind, WrapperKind::Npx | WrapperKind::NpmExec);
        if runs_python(rule, words, command) {
            peeled.program = Some("python");
            break;
        }
    }
    peeled
}

fn is_coverage_module(name: &str, rest: &[Word]) -> bool {
    let is_module = matches!(rest, [option, module, ..] if option.text == "-m" && module.text == "coverage");
    is_module && Language::of_program(name) == Some(Language::Python)
}

fn runs_python(rule: &Rule, words: &[Word], command: usize) -> bool {
    match rule.python {
        Python::No => false,
        Python::Module => words[command].text == "-m",
        Python::Script => true,
    }
}

/// Steps over a wrapper's own words and notes them; nothing when no command follows.
fn command_index(rule: &Rule, words: &[Word], after: usize, peeled: &mut Peeled) -> Option<usize> {
    let mut index = verb_end(rule, words, after)?;
    index = options_end(rule, words, index)?;
    let operand = words.get(index).filter(|_| rule.operands > 0).map(|word| word.text.clone());
    index += rule.operands;
    let mut assignments = Vec::new();
    while let Some(pair) = words.get(index).filter(|_| rule.assigns).and_then(assignment) {
        assignments.push(pair);
        index += 1;
    }
    words.get(index)?;
    peeled.assignments.append(&mut assignments);
    let seconds = operand.as_deref().filter(|_| rule.kind == WrapperKind::Timeout).and_then(seconds);
    peeled.wrappers.push(Wrapper { kind: rule.kind, seconds, operand });
    Some(index)
}

fn verb_end(rule: &Rule, words: &[Word], after: usize) -> Option<usize> {
    if rule.verb.is_empty() {
        return Some(after);
    }
    let mut index = options_end(rule, words, after)?;
    if rule.groups.contains(&words.get(index)?.text.as_str()) {
        index = options_end(rule, words, index + 1)?;
    }
    (words.get(index)?.text == rule.verb).then_some(index + 1)
}

/// Where the options end; nothing when one of them says that no command is run.
fn options_end(rule: &Rule, words: &[Word], from: usize) -> Option<usize> {
    let mut index = from;
    while let Some(word) = words.get(index) {
        let text = word.text.as_str();
        if text == "--" {
            return Some(index + 1);
        }
        if text == "-" || !text.starts_with('-') || (text == "-m" && rule.python != Python::No) {
            break;
        }
        let takes_next = if text.starts_with("--") {
            rule.long_value.contains(&text)
        } else {
            short_takes_next(rule, &text[1..])?
        };
        index += 1 + usize::from(takes_next);
    }
    Some(index)
}

fn short_takes_next(rule: &Rule, letters: &str) -> Option<bool> {
    for (offset, letter) in letters.char_indices() {
        if rule.refuses.contains(letter) {
            return None;
        }
        if rule.short_value.contains(letter) {
            return Some(offset + letter.len_utf8() == letters.len());
        }
    }
    Some(false)
}

fn assignment(word: &Word) -> Option<(String, String)> {
    let (name, value) = word.text.split_once('=')?;
    let is_name = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| (name.to_owned(), value.to_owned()))
}

/// A duration of `timeout`: `60`, `1.5m`, `2h`.
fn seconds(text: &str) -> Option<f64> {
    let (number, unit) = match text.char_indices().last()? {
        (last, 's') => (&text[..last], 1.0),
        (last, 'm') => (&text[..last], 60.0),
        (last, 'h') => (&text[..last], 3600.0),
        (last, 'd') => (&text[..last], 86_400.0),
        _ => (text, 1.0),
    };
    let number: f64 = number.parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number * unit)
}

/// The last part of a path; a name that a substitution gives stays as it is.
pub(super) fn base_name(path: &str) -> &str {
    if path.contains(['(', '`', '{']) {
        return path;
    }
    match path.trim_end_matches('/').rsplit('/').next() {
        Some(name) if !name.is_empty() => name,
        _ => path,
    }
}

/// `jest@29` is `jest`.
pub(super) fn drop_version(name: &mut String) {
    if let Some(at) = name.rfind('@').filter(|&at| at > 0) {
        name.truncate(at);
    }
}

/// Where the command of `watch` begins.
pub(super) fn watch_command(arguments: &[Word]) -> usize {
    const WATCH: Rule = Rule {
        kind: WrapperKind::Watch,
        short_value: "nq",
        long_value: &["--interval", "--equexit"],
        ..PLAIN
    };
    options_end(&WATCH, arguments, 0).unwrap_or(arguments.len())
}

/// The command line of `su -c` and `script -c`.
pub(super) fn dash_c(arguments: &[Word]) -> Option<&Word> {
    let option = arguments.iter().position(|word| {
        let text = word.text.as_str();
        text == "--command" || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'))
    })?;
    arguments.get(option + 1)
}

/// The commands of `find … -exec CMD \;`.
pub(super) fn exec_groups(arguments: &[Word]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut index = 0;
    while index < arguments.len() {
        let is_exec = matches!(arguments[index].text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
        index += 1;
        if !is_exec {
            continue;
        }
        let start = index;
        while index < arguments.len() && !ends_exec(arguments, index) {
            index += 1;
        }
        if index > start {
            groups.push(start..index);
        }
    }
    groups
}

fn ends_exec(arguments: &[Word], index: usize) -> bool {
    match arguments[index].text.as_str() {
        ";" => true,
        "+" => index > 0 && arguments[index - 1].text == "{}",
        _ => false,
    }
}

/// The keys of `tmux send-keys -t TARGET KEY …`.
pub(super) fn sent_keys(arguments: &[Word]) -> Option<Range<usize>> {
    const TMUX: Rule = Rule { kind: WrapperKind::TmuxSendKeys, short_value: "LSf", ..PLAIN };
    const SEND_KEYS: Rule = Rule { short_value: "tN", refuses: "X", ..TMUX };
    let verb = options_end(&TMUX, arguments, 0)?;
    if !matches!(arguments.get(verb)?.text.as_str(), "send-keys" | "send") {
        return None;
    }
    let start = options_end(&SEND_KEYS, arguments, verb + 1)?;
    (start < arguments.len()).then_some(start..arguments.len())
}

/// Keys of `tmux send-keys` that type no text.
pub(super) fn is_control_key(key: &str) -> bool {
    let is_chord = key.len() == 3 && (key.starts_with("C-") || key.starts_with("M-"));
    let is_caret = key.len() == 2 && key.starts_with('^');
    let named = matches!(
        key,
        "Escape"
            | "BSpace"
            | "Up"
            | "Down"
            | "Left"
            | "Right"
            | "Home"
            | "End"
            | "PageUp"
            | "PageDown"
            | "PgUp"
            | "PgDn"
            | "DC"
            | "IC"
            | "BTab"
    );
    is_chord || is_caret || named
}

/// Number of option words of `echo`.
pub(super) fn echo_options(arguments: &[Word]) -> usize {
    let is_option = |word: &Word| {
        let letters = word.text.strip_prefix('-').unwrap_or("");
        !letters.is_empty() && letters.bytes().all(|byte| matches!(byte, b'n' | b'e' | b'E'))
    };
    arguments.iter().take_while(|word| is_option(word)).count()
}
