//! Subcommands (`git log`, `mvn test`) and scripts (`python x.py`) of the programs that have them.
//!
//! Only the options before the subcommand must be known; what a subcommand does is for the tags to say.

use super::inline;
use super::segment::{Segment, Word};

/// Options that stand before a subcommand and take the next word.
struct Globals {
    short_value: &'static str,
    long_value: &'static [&'static str],
}

const NONE: Globals = Globals { short_value: "", long_value: &[] };

fn globals(program: &str) -> Option<&'static Globals> {
    let globals: &'static Globals = match program {
        "git" => &Globals {
            short_value: "Cc",
            long_value: &[
                "--git-dir",
                "--work-tree",
                "--namespace",
                "--exec-path",
                "--super-prefix",
                "--config-env",
            ],
        },
        "mvn" | "mvnw" | "mvnd" => &Globals {
            short_value: "fsPTtlbg",
            long_value: &[
                "-pl",
                "-rf",
                "-gs",
                "-gt",
                "-el",
                "-emp",
                "-ep",
                "--file",
                "--settings",
                "--projects",
                "--activate-profiles",
                "--threads",
                "--resume-from",
                "--log-file",
                "--global-settings",
                "--toolchains",
                "--builder",
            ],
        },
        "gradle" | "gradlew" => &Globals {
            short_value: "pbcgIPDxM",
            long_value: &[
                "--project-dir",
                "--build-file",
                "--settings-file",
                "--gradle-user-home",
                "--init-script",
                "--exclude-task",
                "--tests",
                "--console",
                "--max-workers",
            ],
        },
        "go" => &Globals { short_value: "C", long_value: &[] },
        "cargo" => &Globals { short_value: "CZ", long_value: &["--config", "--color", "--manifest-path"] },
        "npm" | "pnpm" | "yarn" | "bun" => &Globals {
            short_value: "Cw",
            long_value: &["--prefix", "--cwd", "--workspace", "--dir", "--filter", "--loglevel"],
        },
        "pip" | "pipx" => &Globals {
            short_value: "",
            long_value: &["--python", "--log", "--proxy", "--cache-dir", "--timeout", "--retries", "--cert"],
        },
        "docker" | "podman" | "docker-compose" => &Globals {
            short_value: "Hclfp",
            long_value: &["--host", "--context", "--config", "--file", "--project-name", "--profile"],
        },
        "kubectl" | "helm" => &Globals { short_value: "ns", long_value: &["--namespace", "--context"] },
        "apt" | "apt-get" | "apt-cache" => &Globals { short_value: "oct", long_value: &["--option"] },
        "hg" => &Globals { short_value: "R", long_value: &["--cwd", "--repository", "--config"] },
        "make" | "gmake" => &Globals {
            short_value: "CfIoW",
            long_value: &["--directory", "--file", "--makefile", "--include-dir"],
        },
        "uv" => &Globals { short_value: "", long_value: &["--directory", "--project", "--config-file"] },
        "poetry" => &Globals { short_value: "CP", long_value: &["--directory", "--project"] },
        "gh" => &Globals { short_value: "R", long_value: &["--repo"] },
        "bazel" | "bazelisk" => &NONE,
        "ant" => &Globals { short_value: "", long_value: &["-f", "-file", "-buildfile", "-lib", "-logfile"] },
        "ninja" => &Globals { short_value: "Cfjkl", long_value: &[] },
        "tox" => &Globals { short_value: "ecfp", long_value: &["--conf", "--workdir", "--root"] },
        "tmux" => &Globals { short_value: "LSf", long_value: &[] },
        "sbt" | "rake" | "lein" | "mix" | "rebar3" | "composer" | "bundle" | "gem" | "rails" | "artisan"
        | "dotnet" | "swift" | "conda" | "mamba" | "micromamba" | "apk" | "dnf" | "yum" | "brew" | "svn"
        | "systemctl" | "pdm" | "rye" | "pixi" | "hatch" | "pipenv" | "ng" | "nx" | "turbo" | "rustup"
        | "deno" | "stack" | "cabal" | "dune" | "opam" | "openssl" | "terraform" | "django-admin"
        | "coverage" | "pre-commit" | "ruff" | "just" | "task" | "nox" | "supervisorctl" | "ip" | "nvm"
        | "pyenv" | "asdf" | "meson" | "jupyter" | "huggingface-cli" | "hf" | "aws" | "gcloud" => &NONE,
        _ => return None,
    };
    Some(globals)
}

impl Segment {
    /// The subcommand of a program that has some: `log` of `git -C dir log`, `test` of `mvn -q test`, `install` of
    /// `python -m pip install`; the first target of `make`; `test` of `python manage.py test`.
    pub fn subcommand(&self) -> Option<&str> {
        let index = self.subcommand_index()?;
        self.arguments.get(index).map(|word| word.text.as_str())
    }

    /// Everything after the subcommand.
    pub fn subcommand_arguments(&self) -> &[Word] {
        self.subcommand_index().and_then(|index| self.arguments.get(index + 1..)).unwrap_or(&[])
    }

    /// Everything after the effective program: after MODULE for `python -m MODULE`.
    pub fn effective_arguments(&self) -> &[Word] {
        self.arguments.get(self.first_effective()..).unwrap_or(&[])
    }

    /// The script that an interpreter or shell runs: `x.py` of `python -u x.py`, `run.sh` of `bash run.sh`.
    pub fn script(&self) -> Option<&Word> {
        self.arguments.get(inline::script_index(self)?)
    }

    /// Everything after the script.
    pub fn script_arguments(&self) -> &[Word] {
        inline::script_index(self).and_then(|index| self.arguments.get(index + 1..)).unwrap_or(&[])
    }

    fn first_effective(&self) -> usize {
        inline::module_index(self).map_or(0, |index| index + 1)
    }

    fn subcommand_index(&self) -> Option<usize> {
        if self.module.is_none()
            && let Some(script) = inline::script_index(self)
        {
            let is_django = self.arguments[script].text.ends_with("manage.py");
            return (is_django && script + 1 < self.arguments.len()).then_some(script + 1);
        }
        if self.program == "manage.py" {
            return (!self.arguments.is_empty()).then_some(0);
        }
        let program = self.effective_program();
        let is_pip =
            program.strip_prefix("pip").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let globals = globals(if is_pip { "pip" } else { program })?;
        let is_make = matches!(program, "make" | "gmake");
        let mut index = self.first_effective();
        while let Some(word) = self.arguments.get(index) {
            let text = word.text.as_str();
            if text == "--" {
                return None;
            }
            if text.starts_with('-') {
                let is_number = |word: &Word| word.text.bytes().all(|byte| byte.is_ascii_digit());
                // GNU make takes the number of `-j 4` from the next word if there is one.
                let is_load = is_make
                    && matches!(text, "-j" | "-l")
                    && self.arguments.get(index + 1).is_some_and(is_number);
                index += 1 + usize::from(is_load || takes_next(globals, text));
            } else if text.starts_with('+') || (is_make && text.contains('=')) {
                index += 1;
            } else {
                return Some(index);
            }
        }
        None
    }
}

fn takes_next(globals: &Globals, option: &str) -> bool {
    if globals.long_value.contains(&option) {
        return true;
    }
    let mut letters = option.trim_start_matches('-').chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => !option.starts_with("--") && globals.short_value.contains(letter),
        _ => false,
    }
}
