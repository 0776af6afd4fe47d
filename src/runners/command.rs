//! A command as a runner sees it: modules and interpreters are looked through, options told from what is tested.
//!
//! Owns   `python -m MODULE`, `python tests/runtests.py`, and which arguments name something.
//! Never  decides which runner it is.

use crate::shell::{Segment, Word};

use super::{Invocation, Scope};

/// A command after `python -m` or an interpreter with a script is seen through.
#[derive(Clone, Copy, Debug)]
pub struct Invoked<'s> {
    /// Base name of what runs: `pytest`, `runtests.py`, `mvn`.
    pub program: &'s str,
    /// The same with its path, as typed.
    pub path: &'s str,
    /// Whether it is a module of `python -m`.
    pub is_module: bool,
    /// What follows it.
    pub arguments: &'s [Word],
}

impl<'s> Invoked<'s> {
    /// What a segment runs.
    pub fn of(segment: &'s Segment) -> Invoked<'s> {
        let plain = Invoked {
            program: &segment.program,
            path: &segment.program_path,
            is_module: false,
            arguments: &segment.arguments,
        };
        match &segment.module {
            Some(module) => Invoked {
                program: module,
                path: module,
                is_module: true,
                arguments: after_module(&segment.arguments, module),
            },
            None if segment.inline_code.is_none() => plain.through_interpreter(),
            None => plain,
        }
    }

    fn through_interpreter(self) -> Invoked<'s> {
        let values = match self.program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "python" | "pypy" => &["-W", "-X"][..],
            "ruby" => &["-I", "-r", "-E", "-C"],
            "perl" => &["-I"],
            "node" => &["-r", "--require", "--import", "--loader"],
            "php" => &["-d"],
            "bash" | "sh" | "dash" | "zsh" => &["-o"],
            _ => return self,
        };
        match first_positional(self.arguments, values) {
            Some(index) if !self.arguments[..index].iter().any(|word| word.text == "--test") => Invoked {
                program: base_name(&self.arguments[index].text),
                path: &self.arguments[index].text,
                arguments: &self.arguments[index + 1..],
                ..self
            },
            _ => self,
        }
    }

    /// Whether an argument is exactly this.
    pub fn has(&self, text: &str) -> bool {
        self.arguments.iter().any(|word| word.text == text)
    }

    /// Whether an option is given, alone or as `--option=value`.
    pub fn has_option(&self, names: &[&str]) -> bool {
        self.options().any(|word| names.iter().any(|name| is_option(word, name)))
    }

    /// The arguments before `--`.
    fn options(&self) -> impl Iterator<Item = &'s str> {
        self.arguments.iter().map(|word| word.text.as_str()).take_while(|word| *word != "--")
    }

    /// The arguments that are neither an option nor the value of one of these options.
    pub fn positionals(&self, with_value: &[&str]) -> Vec<&'s str> {
        let mut found = Vec::new();
        let mut words = self.arguments.iter().map(|word| word.text.as_str());
        while let Some(word) = words.next() {
            if word == "--" {
                found.extend(words);
                break;
            }
            if with_value.contains(&word) {
                words.next();
            } else if !word.starts_with('-') {
                found.push(word);
            }
        }
        found
    }

    /// Whether it only asks for the version or for help.
    pub fn asks_for_help(&self) -> bool {
        self.options().any(|word| matches!(word, "--version" | "--help" | "-h"))
    }

    /// The command without its first argument (`nextest` after `cargo`).
    pub fn below(&self, subcommand: &'s str) -> Option<Invoked<'s>> {
        let index = self
            .arguments
            .iter()
            .position(|word| !word.text.starts_with(['-', '+']))
            .filter(|index| self.arguments[*index].text == subcommand)?;
        Some(Invoked { program: subcommand, arguments: &self.arguments[index + 1..], ..*self })
    }
}

/// An invocation of this scope.
pub fn invocation(scope: Scope) -> Option<Invocation> {
    Some(Invocation { scope })
}

/// Suite, or targeted where something is named.
pub fn suite_unless(is_named: bool) -> Option<Invocation> {
    invocation(if is_named { Scope::Targeted } else { Scope::Suite })
}

/// The name without its folders.
pub fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn is_option(word: &str, name: &str) -> bool {
    word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

fn first_positional(arguments: &[Word], with_value: &[&str]) -> Option<usize> {
    let mut index = 0;
    while let Some(word) = arguments.get(index) {
        if with_value.contains(&word.text.as_str()) {
            index += 2;
        } else if word.text.starts_with('-') {
            index += 1;
        } else {
            return Some(index);
        }
    }
    None
}

/// What follows `-m MODULE`; all of it where the parser has taken these away.
fn after_module<'s>(arguments: &'s [Word], module: &str) -> &'s [Word] {
    let joined = format!("-m{module}");
    for (index, word) in arguments.iter().enumerate() {
        let is_flag = word.text.starts_with('-') && !word.text.starts_with("--") && word.text.ends_with('m');
        if is_flag && arguments.get(index + 1).is_some_and(|next| next.text == module) {
            return &arguments[index + 2..];
        }
        if word.text == joined {
            return &arguments[index + 1..];
        }
    }
    arguments
}
