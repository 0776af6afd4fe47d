//! Roles: what a segment is for, from its program, subcommand and options (`definitions.md` §3).
//!
//! Never looks at an observation, save that a name which no program bears is no command. Edits, test runs and
//! network attempts are found by their own files and may change the role.

use super::fact::{ExecutionKind, ExplorationKind, Role, SetupKind};
use super::programs;
use crate::shell::{Language, Segment, WrapperKind};

/// The role of a segment by its command alone.
pub(super) fn role(segment: &Segment, did_not_run: bool) -> Role {
    let program = name(segment);
    if program.is_empty() || segment.seen_through {
        return Role::Neutral;
    }
    let is_run_by_other =
        segment.is_wrapped_by(WrapperKind::Xargs) || segment.is_wrapped_by(WrapperKind::FindExec);
    if segment.pipe_position > 0 && !is_run_by_other && is_filter(segment, program) {
        return Role::Filter;
    }
    if asks_version(segment, program) {
        return Role::Exploration(ExplorationKind::Env);
    }
    if let Some(role) = by_options(segment, program) {
        return role;
    }
    let subcommand = segment.subcommand();
    match programs::role(program, subcommand) {
        // `bin/test` of a project is not the shell's `test`.
        Some(Role::Neutral) if is_of_project(segment) => Role::Execution(ExecutionKind::Run),
        Some(role) => role,
        None if segment.program_path.contains('/') => Role::Execution(ExecutionKind::Run),
        None if !is_name(program) || did_not_run && !is_typed(segment) => Role::Unknown,
        None => Role::Execution(ExecutionKind::Run),
    }
}

/// The program's name as the table spells it: interpreters and pip without their version.
pub(super) fn name(segment: &Segment) -> &str {
    let program = segment.effective_program();
    let stem = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match stem {
        "python" | "pypy" | "pip" | "ruby" | "perl" | "php" | "lua" | "gcc-" | "g++-" | "clang-" | "node" => {
            stem.trim_end_matches('-')
        }
        _ => program,
    }
}

/// The program was typed with a path that is no folder of the system's own programs.
fn is_of_project(segment: &Segment) -> bool {
    let path = segment.program_path.as_str();
    path.contains('/') && !["/bin/", "/sbin/", "/usr/"].iter().any(|folder| path.starts_with(folder))
}

/// A program has a name of the usual characters; `print(x)` and `"key":` are none.
fn is_name(program: &str) -> bool {
    !program.is_empty()
        && !program.ends_with('.')
        && program.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+@".contains(&byte))
}

/// A line that was typed as a command, though its program is missing: a word of prose has neither options nor paths.
fn is_typed(segment: &Segment) -> bool {
    let is_word = |text: &str| text.starts_with(|c: char| c.is_ascii_lowercase());
    let is_argument = |text: &str| {
        let option = text.strip_prefix('-').is_some_and(|rest| {
            rest.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphanumeric())
        });
        option || text.starts_with(['/', '.', '~']) && text.len() > 2
    };
    let redirects = !segment.redirections.is_empty();
    is_word(&segment.program) && (redirects || segment.arguments.iter().any(|word| is_argument(&word.text)))
}

fn is_filter(segment: &Segment, program: &str) -> bool {
    programs::is_filter(program) && !(program == "sed" && has_in_place(segment)) || program == "tee"
}

/// `--version`, `-V`, `--help` as the only thing that is asked.
fn asks_version(segment: &Segment, program: &str) -> bool {
    let arguments = segment.effective_arguments();
    let only = match arguments {
        [one] => one.text.as_str(),
        _ => return false,
    };
    match only {
        "--version" | "-version" | "--help" => !matches!(program, "git" | "echo"),
        "-V" => !matches!(program, "set" | "echo"),
        "-v" => matches!(
            program,
            "node" | "npm" | "ruby" | "php" | "perl" | "mvn" | "mvnw" | "gradle" | "gradlew" | "yarn"
        ),
        "version" => matches!(program, "go" | "docker" | "kubectl"),
        _ => false,
    }
}

fn by_options(segment: &Segment, program: &str) -> Option<Role> {
    let has = |options: &[&str]| segment.arguments.iter().any(|word| options.contains(&word.text.as_str()));
    let build = Role::Execution(ExecutionKind::Build);
    let read = Role::Exploration(ExplorationKind::Read);
    Some(match program {
        // It passes its here-document on: nothing is read.
        "cat" if segment.heredoc.is_some() && segment.arguments.iter().all(|word| word.text == "-") => {
            Role::Neutral
        }
        "sed" if has_in_place(segment) => Role::Editing,
        "perl" | "ruby" if has_in_place(segment) => Role::Editing,
        "awk" | "gawk" if has(&["inplace"]) => Role::Editing,
        "find" | "fd" if has(&["-delete"]) => Role::Editing,
        "black" | "isort" | "rustfmt" | "pyupgrade" | "docformatter" | "dos2unix" | "unix2dos" => {
            if has(&["--check", "--check-only", "--diff", "-c", "--dry-run"]) { build } else { Role::Editing }
        }
        "autopep8" | "yapf" | "clang-format" | "autoflake" if has(&["-i", "--in-place"]) => Role::Editing,
        "gofmt" | "goimports" | "2to3" | "prettier" if has(&["-w", "--write"]) => Role::Editing,
        "eslint" | "ruff" | "rubocop" | "stylelint"
            if has(&["--fix", "-a", "-A", "format"]) && !has(&["--check"]) =>
        {
            Role::Editing
        }
        "cargo" if segment.subcommand() == Some("fmt") && !has(&["--check"]) => Role::Editing,
        "cargo" if segment.subcommand() == Some("fix") => Role::Editing,
        "patch" if has(&["--dry-run"]) => Role::Exploration(ExplorationKind::Review),
        "tar" if lists_archive(segment) => read,
        "unzip" | "zip" if has(&["-l", "-v", "-Z", "-p"]) => read,
        "7z" if has(&["l"]) => read,
        "gunzip" | "gzip" | "bunzip2" | "xz" | "unxz" if has(&["-c", "-dc", "-l", "--stdout"]) => read,
        "bash" | "sh" | "zsh" | "dash" if has(&["-n"]) => build,
        "node" | "nodejs" if has(&["--check", "-c"]) => build,
        "php" if has(&["-l"]) => build,
        "ruby" | "perl" if has(&["-c", "-wc"]) && segment.inline_code.is_none() => build,
        "json.tool" | "tokenize" | "ast" | "dis" | "inspect" | "pydoc" | "zipfile" | "calendar" => read,
        "site" | "sysconfig" | "platform" => Role::Exploration(ExplorationKind::Env),
        "http.server" | "SimpleHTTPServer" => Role::Execution(ExecutionKind::Service),
        "python" => return python(segment),
        "manage.py" => return Some(manage(segment.subcommand())),
        "npm" | "pnpm" | "yarn" | "bun" => return npm(segment),
        "source" | "." => Role::Setup(SetupKind::Environment),
        "echo" | "printf" if shows_variable(segment) => Role::Exploration(ExplorationKind::Env),
        "git" => return super::git::role(segment),
        _ => return None,
    })
}

/// `-i`, `-i.bak`, `-pi`, `--in-place`.
pub(super) fn has_in_place(segment: &Segment) -> bool {
    segment.arguments.iter().any(|word| {
        let text = word.text.as_str();
        if text.starts_with("--in-place") {
            return true;
        }
        let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) else {
            return false;
        };
        let before = letters.split('i').next().unwrap_or("");
        letters.contains('i') && before.bytes().all(|byte| b"nErspalw0123456789z".contains(&byte))
    })
}

fn lists_archive(segment: &Segment) -> bool {
    let first = segment.arguments.first().map_or("", |word| word.text.trim_start_matches('-'));
    first.contains('t') && !first.contains(['x', 'c']) || segment.has_argument("--list")
}

fn python(segment: &Segment) -> Option<Role> {
    let script = segment.script()?.text.as_str();
    if script.ends_with("setup.py") {
        let argument = segment.script_arguments().first().map_or("", |word| word.text.as_str());
        return Some(match argument {
            "install" | "develop" | "easy_install" => Role::Setup(SetupKind::Install),
            "--version" | "--name" | "--help" => Role::Exploration(ExplorationKind::Env),
            _ => Role::Execution(ExecutionKind::Build),
        });
    }
    script.ends_with("manage.py").then(|| manage(segment.subcommand()))
}

fn manage(subcommand: Option<&str>) -> Role {
    match subcommand {
        Some("runserver" | "livereload") => Role::Execution(ExecutionKind::Service),
        Some("check" | "makemigrations" | "compilemessages") => Role::Execution(ExecutionKind::Build),
        Some("showmigrations" | "sqlmigrate" | "diffsettings" | "help") => {
            Role::Exploration(ExplorationKind::Read)
        }
        _ => Role::Execution(ExecutionKind::Run),
    }
}

/// `npm run NAME` is what the name says.
fn npm(segment: &Segment) -> Option<Role> {
    let subcommand = segment.subcommand()?;
    let script = match subcommand {
        "run" | "run-script" | "exec" => segment.subcommand_arguments().first()?.text.as_str(),
        _ => return None,
    };
    let base = script.split(':').next().unwrap_or(script);
    Some(match base {
        "build" | "compile" | "lint" | "typecheck" | "tsc" | "check" | "eslint" | "bundle" | "types" => {
            Role::Execution(ExecutionKind::Build)
        }
        "start" | "serve" | "dev" | "server" | "watch" => Role::Execution(ExecutionKind::Service),
        _ => Role::Execution(ExecutionKind::Run),
    })
}

/// `echo $PATH`; `$?` and `$(…)` show no variable.
fn shows_variable(segment: &Segment) -> bool {
    segment.arguments.iter().filter(|word| word.expands).any(|word| {
        word.text.match_indices('$').any(|(at, _)| {
            let next = word.text[at + 1..].trim_start_matches('{').bytes().next();
            next.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        })
    })
}

/// Programs that tell something only where they stand alone in a call (`definitions.md` §3).
pub(super) fn counts_only_alone(segment: &Segment) -> bool {
    let is_query = segment.is_wrapped_by(WrapperKind::CommandBuiltin) || segment.program == "command";
    is_query || matches!(segment.program.as_str(), "pwd" | "type" | "echo" | "printf")
}

/// Whether a segment runs an interpreter of this language.
pub(super) fn language(segment: &Segment) -> Option<Language> {
    Language::of_program(&segment.program)
}
