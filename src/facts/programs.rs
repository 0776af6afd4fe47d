//! Programs: what a program, or one subcommand of it, is for. One table; the rules of `roles.rs` see to options.
//!
//! Never looks at an observation and never at files; test runners are known by `crate::runners`.
//! Source: `definitions.md` §3 (the table of tags and the lists below it).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fact::ExecutionKind as X;
use super::fact::ExplorationKind as E;
use super::fact::Role::{self, Editing, Execution, Exploration, Neutral, Setup};
use super::fact::SetupKind as S;

/// Programs that are for the same thing; with subcommands: only where one of these is given.
struct Program {
    role: Role,
    subcommands: &'static [&'static str],
    names: &'static [&'static str],
}

#[rustfmt::skip]
const PROGRAMS: &[Program] = &[
    Program { role: Editing, subcommands: &[], names: &[
        "apply_patch", "applypatch", "cp", "csplit", "dd", "ed", "ex", "install", "ln", "mv", "patch",
        "rename", "rm", "shred", "split", "tee", "touch", "truncate", "unlink",
    ] },
    Program { role: Execution(X::Build), subcommands: &[], names: &[
        "2to3", "ant", "ar", "as", "autoconf", "autoflake", "autogen.sh", "automake", "autopep8",
        "autoreconf", "bandit", "bazel", "bazelisk", "bison", "black", "bootstrap", "buck", "buildr",
        "c++", "cc", "checkstyle", "clang", "clang++", "clang-format", "clang-tidy", "clippy",
        "clippy-driver", "cmake", "codespell", "compileall", "configure", "cppcheck", "csc", "cython",
        "cythonize", "docformatter", "esbuild", "eslint", "flake8", "flex", "fpc", "g++", "gcc",
        "gfortran", "ghc", "gmake", "gofmt", "goimports", "golangci-lint", "golint", "grunt", "gulp",
        "hlint", "isort", "jar", "javac", "jshint", "jsonlint", "kotlinc", "latexmk", "ld", "ld.gold",
        "lein", "mcs", "meson", "mill", "msbuild", "mypy", "nasm", "ninja", "nmake", "ocamlc",
        "ocamlopt", "pdflatex", "pre-commit", "prettier", "prospector", "protoc", "py_compile",
        "pycodestyle", "pydocstyle", "pyflakes", "pylint", "pyreverse", "pyright", "pytype",
        "pyupgrade", "qmake", "ranlib", "rollup", "rubocop", "ruff", "rustc", "rustfmt", "sass", "sbt",
        "scalac", "scons", "shellcheck", "staticcheck", "strip", "stylelint", "swiftc", "tidy", "tsc",
        "tslint", "vite-build", "vulture", "webpack", "xbuild", "xelatex", "xmllint", "yacc",
        "yamllint", "yapf",
    ] },
    Program { role: Execution(X::Run), subcommands: &[], names: &[
        "7z", "7za", "R", "Rscript", "ar-x", "bash", "bunzip2", "bzip2", "convert", "coverage", "cpio",
        "dash", "deno", "django-admin", "dot", "elixir", "erl", "fab", "ffmpeg", "fish", "gdb", "ghci",
        "gpg", "groovy", "gunzip", "gzip", "hatch", "invoke", "ipython", "irb", "java", "julia",
        "just", "kotlin", "ksh", "kubectl", "lldb", "ltrace", "lua", "luajit", "manage.py", "mongo",
        "mono", "mysql", "node", "nodejs", "nox", "openssl", "perf", "perl", "php", "psql", "pypy",
        "python", "qemu-img", "rake", "redis-cli", "ruby", "runghc", "scala", "scrapy", "sh",
        "sphinx-apidoc", "sphinx-build", "sphinx-quickstart", "sqlite3", "strace", "tar", "task",
        "tox", "ts-node", "tsx", "unxz", "unzip", "unzstd", "valgrind", "wine", "xz", "zip", "zsh",
        "zstd",
    ] },
    Program { role: Execution(X::Service), subcommands: &[], names: &[
        "Xvfb", "apache2", "apache2ctl", "celery", "docker-compose", "dockerd", "gunicorn", "http-server",
        "httpd", "hypercorn", "jupyter", "live-server", "memcached", "mongod", "mysqld", "nginx",
        "pg_ctl", "pg_ctlcluster", "podman", "postgres", "qemu-system-aarch64", "qemu-system-arm",
        "qemu-system-i386", "qemu-system-riscv64", "qemu-system-x86_64", "rabbitmq-server",
        "redis-server", "sshd", "supervisorctl", "supervisord", "uvicorn", "vncserver", "websockify",
        "x11vnc",
    ] },
    Program { role: Exploration(E::Env), subcommands: &[], names: &[
        "alternatives", "apropos", "apt-cache", "arch", "command", "compgen", "date", "df", "dmesg",
        "dpkg-query", "du", "env", "free", "getconf", "getent", "groups", "hash", "help", "history",
        "hostname", "htop", "id", "ifconfig", "info", "ip", "journalctl", "jps", "last", "ldd",
        "locale", "lsb_release", "lscpu", "lsmod", "lsof", "man", "mount", "netstat", "nproc",
        "nvidia-smi", "pgrep", "printenv", "ps", "pstree", "pwd", "rpm", "ss", "top", "tput", "tty",
        "type", "ulimit-a", "uname", "uptime", "vmstat", "w", "whatis", "whereis", "which", "who",
        "whoami",
    ] },
    Program { role: Exploration(E::Read), subcommands: &[], names: &[
        "awk", "b2sum", "base64", "bat", "batcat", "bzcat", "cat", "cksum", "cmp", "colordiff",
        "column", "comm", "cut", "diff", "dos2unix-info", "exiftool", "file", "fmt", "fold", "gawk",
        "head", "hexdump", "iconv", "javap", "jq", "less", "mawk", "md5sum", "more", "nl", "nm",
        "objdump", "od", "paste", "pdftotext", "readelf", "rev", "sdiff", "sed", "sha1sum",
        "sha256sum", "sha512sum", "sort", "stat", "strings", "sum", "tac", "tail", "tr", "uniq",
        "view", "vimdiff", "wc", "xxd", "xzcat", "yq", "zcat", "zipinfo", "zless",
    ] },
    Program { role: Exploration(E::Search), subcommands: &[], names: &[
        "ack", "ag", "dir", "egrep", "exa", "eza", "fd", "fdfind", "fgrep", "find", "grep", "la", "ll",
        "locate", "ls", "lsd", "rg", "tree", "zgrep",
    ] },
    Program { role: Exploration(E::Web), subcommands: &[], names: &[
        "gh",
    ] },
    Program { role: Neutral, subcommands: &[], names: &[
        "((", ":", "[", "[[", "alias", "aria2c", "base", "basename", "bc", "bg", "break", "cd",
        "clear", "continue", "curl", "dc", "declare", "dig", "dirname", "dirs", "disown", "echo",
        "exit", "expect", "export", "expr", "factor", "false", "fg", "ftp", "getopts", "host", "jobs",
        "kill", "killall", "let", "local", "logout", "mapfile", "mkdir", "mktemp", "nc", "ncat",
        "netcat", "nslookup", "ping", "ping6", "pkill", "popd", "printf", "pushd", "pv", "read",
        "readarray", "readlink", "readonly", "realpath", "reset", "return", "rmdir", "rsync", "scp",
        "screen", "seq", "set", "sftp", "shift", "shopt", "sleep", "ssh", "stty", "sync",
        "telnet", "test", "time", "tmux", "tracepath", "traceroute", "trap", "true", "typeset",
        "ulimit", "umask", "unalias", "unset", "wait", "wget", "xargs", "yes",
    ] },
    Program { role: Setup(S::Configure), subcommands: &[], names: &[
        "add-apt-repository", "adduser", "apt-key", "crontab", "debconf-set-selections",
        "dpkg-reconfigure", "git-lfs", "groupadd", "ldconfig", "locale-gen", "passwd", "ssh-keygen",
        "sysctl", "systemd-resolve", "update-alternatives", "update-ca-certificates", "useradd",
        "usermod",
    ] },
    Program { role: Setup(S::Environment), subcommands: &[], names: &[
        ".", "activate", "asdf", "deactivate", "direnv", "ensurepip", "jenv", "module", "nvm", "pyenv",
        "pyenv-virtualenv", "rbenv", "sdkman", "source", "venv", "virtualenv",
    ] },
    Program { role: Setup(S::Install), subcommands: &[], names: &[
        "apk", "choco", "corepack", "dnf", "easy_install", "flatpak", "pacman", "pipx", "port",
        "rustup", "rye", "sdk", "snap", "yum", "zypper",
    ] },
    Program { role: Setup(S::Permission), subcommands: &[], names: &[
        "chgrp", "chmod", "chown", "setfacl",
    ] },
    Program { role: Exploration(E::Env), subcommands: &[
        "check", "depends", "list", "policy", "search", "show", "showpkg",
    ], names: &["apt", "apt-get", "aptitude"] },
    Program { role: Setup(S::Install), subcommands: &[], names: &["apt", "apt-get", "aptitude"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "info", "list", "search",
    ], names: &["brew"] },
    Program { role: Setup(S::Install), subcommands: &[], names: &["brew"] },
    Program { role: Execution(X::Build), subcommands: &[
        "build", "lint", "pack", "tsc", "typecheck",
    ], names: &["bun", "npm", "pnpm"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["bun", "npm", "pnpm"] },
    Program { role: Execution(X::Service), subcommands: &[
        "dev", "serve", "start",
    ], names: &["bun", "npm", "pnpm"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--version", "bin", "config", "explain", "info", "list", "ls", "outdated", "prefix", "root",
        "search", "show", "view", "why",
    ], names: &["bun", "npm", "pnpm"] },
    Program { role: Setup(S::Configure), subcommands: &[
        "init", "pkg", "set-script",
    ], names: &["bun", "npm", "pnpm"] },
    Program { role: Setup(S::Install), subcommands: &[
        "add", "ci", "dedupe", "i", "install", "link", "prune", "rebuild", "remove", "uninstall",
        "update", "upgrade",
    ], names: &["bun", "npm", "pnpm"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["bundle"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "list", "show",
    ], names: &["bundle"] },
    Program { role: Setup(S::Configure), subcommands: &[
        "config",
    ], names: &["bundle"] },
    Program { role: Setup(S::Install), subcommands: &[
        "install", "update",
    ], names: &["bundle"] },
    Program { role: Execution(X::Build), subcommands: &[
        "b", "build", "c", "check", "clippy", "doc", "fmt", "rustc",
    ], names: &["cargo"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["cargo"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--list", "--version", "metadata", "search", "tree",
    ], names: &["cargo"] },
    Program { role: Neutral, subcommands: &[
        "clean", "init", "new",
    ], names: &["cargo"] },
    Program { role: Setup(S::Install), subcommands: &[
        "add", "fetch", "install", "remove", "update", "vendor",
    ], names: &["cargo"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["composer"] },
    Program { role: Setup(S::Install), subcommands: &[
        "install", "remove", "require", "update",
    ], names: &["composer"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--version", "check", "config", "debug", "env", "freeze", "index", "info", "list", "search",
        "show",
    ], names: &["conda", "mamba", "micromamba"] },
    Program { role: Setup(S::Environment), subcommands: &[
        "activate", "deactivate", "init",
    ], names: &["conda", "mamba", "micromamba"] },
    Program { role: Setup(S::Environment), subcommands: &[], names: &["conda", "mamba", "micromamba"] },
    Program { role: Setup(S::Install), subcommands: &[
        "create", "install", "remove", "uninstall", "update",
    ], names: &["conda", "mamba", "micromamba"] },
    Program { role: Execution(X::Build), subcommands: &[
        "build",
    ], names: &["docker"] },
    Program { role: Execution(X::Service), subcommands: &[], names: &["docker"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "images", "info", "inspect", "logs", "ps", "version",
    ], names: &["docker"] },
    Program { role: Setup(S::Install), subcommands: &[
        "pull",
    ], names: &["docker"] },
    Program { role: Execution(X::Build), subcommands: &[
        "build", "clean", "format", "pack", "publish",
    ], names: &["dotnet"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["dotnet"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--info", "--list-runtimes", "--list-sdks", "--version", "list",
    ], names: &["dotnet"] },
    Program { role: Neutral, subcommands: &[
        "new",
    ], names: &["dotnet"] },
    Program { role: Setup(S::Install), subcommands: &[
        "add", "nuget", "restore", "tool",
    ], names: &["dotnet"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--list", "-L", "-S", "-l", "-s",
    ], names: &["dpkg"] },
    Program { role: Setup(S::Install), subcommands: &[], names: &["dpkg"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["flask"] },
    Program { role: Execution(X::Service), subcommands: &[
        "run",
    ], names: &["flask"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "env", "list", "which",
    ], names: &["gem"] },
    Program { role: Setup(S::Install), subcommands: &[], names: &["gem"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--version", "help", "version",
    ], names: &["git"] },
    Program { role: Exploration(E::History), subcommands: &[
        "annotate", "bisect", "blame", "branch", "cat-file", "cherry", "count-objects", "describe",
        "for-each-ref", "fsck", "log", "ls-remote", "merge-base", "name-rev", "notes", "range-diff",
        "reflog", "remote", "rev-list", "rev-parse", "shortlog", "show", "show-ref", "tag",
        "whatchanged",
    ], names: &["git"] },
    Program { role: Exploration(E::Review), subcommands: &[
        "diff", "diff-files", "diff-index", "diff-tree", "difftool", "format-patch", "status",
    ], names: &["git"] },
    Program { role: Exploration(E::Search), subcommands: &[
        "check-ignore", "grep", "ls-files", "ls-tree",
    ], names: &["git"] },
    Program { role: Neutral, subcommands: &[], names: &["git"] },
    Program { role: Execution(X::Build), subcommands: &[
        "build", "fmt", "generate", "install", "vet",
    ], names: &["go"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["go"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "doc", "env", "list", "version",
    ], names: &["go"] },
    Program { role: Setup(S::Install), subcommands: &[
        "get", "mod", "work",
    ], names: &["go"] },
    Program { role: Execution(X::Build), subcommands: &[], names: &["gradle", "gradlew"] },
    Program { role: Execution(X::Run), subcommands: &[
        "bootRun", "run",
    ], names: &["gradle", "gradlew"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--version", "-v", "dependencies", "projects", "properties", "tasks",
    ], names: &["gradle", "gradlew"] },
    Program { role: Exploration(E::History), subcommands: &[
        "annotate", "blame", "heads", "log", "parents", "tip",
    ], names: &["hg"] },
    Program { role: Exploration(E::Review), subcommands: &[
        "diff", "status",
    ], names: &["hg"] },
    Program { role: Neutral, subcommands: &[], names: &["hg"] },
    Program { role: Execution(X::Build), subcommands: &[], names: &["make"] },
    Program { role: Execution(X::Run), subcommands: &[
        "run", "runserver", "serve", "start",
    ], names: &["make"] },
    Program { role: Execution(X::Build), subcommands: &[], names: &["mvn", "mvnw"] },
    Program { role: Execution(X::Service), subcommands: &[
        "jetty:run", "spring-boot:run", "tomcat7:run",
    ], names: &["mvn", "mvnw"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--version", "-v", "-version",
    ], names: &["mvn", "mvnw"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["pdm"] },
    Program { role: Setup(S::Install), subcommands: &[
        "add", "install", "lock", "sync", "update",
    ], names: &["pdm"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--version", "check", "config", "debug", "env", "freeze", "index", "info", "list", "search",
        "show",
    ], names: &["pip", "pip3"] },
    Program { role: Exploration(E::Env), subcommands: &[], names: &["pip", "pip3"] },
    Program { role: Setup(S::Install), subcommands: &[
        "cache", "download", "install", "uninstall", "wheel",
    ], names: &["pip", "pip3"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["pipenv"] },
    Program { role: Setup(S::Install), subcommands: &[
        "install", "lock", "sync", "uninstall", "update",
    ], names: &["pipenv"] },
    Program { role: Execution(X::Build), subcommands: &[
        "build",
    ], names: &["poetry"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["poetry"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "env", "show",
    ], names: &["poetry"] },
    Program { role: Setup(S::Install), subcommands: &[
        "add", "install", "lock", "remove", "update",
    ], names: &["poetry"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["rails"] },
    Program { role: Execution(X::Service), subcommands: &[
        "server",
    ], names: &["rails"] },
    Program { role: Execution(X::Service), subcommands: &[], names: &["service"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--status-all",
    ], names: &["service"] },
    Program { role: Exploration(E::History), subcommands: &[
        "blame", "info", "log",
    ], names: &["svn"] },
    Program { role: Exploration(E::Review), subcommands: &[
        "diff", "status",
    ], names: &["svn"] },
    Program { role: Neutral, subcommands: &[], names: &["svn"] },
    Program { role: Execution(X::Build), subcommands: &[
        "build",
    ], names: &["swift"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["swift"] },
    Program { role: Setup(S::Install), subcommands: &[
        "package",
    ], names: &["swift"] },
    Program { role: Execution(X::Service), subcommands: &[], names: &["systemctl"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "status",
    ], names: &["systemctl"] },
    Program { role: Execution(X::Run), subcommands: &[], names: &["uv"] },
    Program { role: Setup(S::Environment), subcommands: &[
        "venv",
    ], names: &["uv"] },
    Program { role: Setup(S::Install), subcommands: &[
        "add", "lock", "pip", "python", "remove", "sync", "tool",
    ], names: &["uv"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--version", "check", "config", "debug", "env", "freeze", "index", "info", "list", "search",
        "show",
    ], names: &["uv-pip"] },
    Program { role: Execution(X::Build), subcommands: &[
        "build", "lint", "pack", "tsc", "typecheck",
    ], names: &["yarn"] },
    Program { role: Execution(X::Service), subcommands: &[
        "dev", "serve", "start",
    ], names: &["yarn"] },
    Program { role: Exploration(E::Env), subcommands: &[
        "--version", "bin", "config", "explain", "info", "list", "ls", "outdated", "prefix", "root",
        "search", "show", "view", "why",
    ], names: &["yarn"] },
    Program { role: Setup(S::Configure), subcommands: &[
        "init", "pkg", "set-script",
    ], names: &["yarn"] },
    Program { role: Setup(S::Install), subcommands: &[
        "add", "ci", "dedupe", "i", "install", "link", "prune", "rebuild", "remove", "uninstall",
        "update", "upgrade",
    ], names: &["yarn"] },
    Program { role: Setup(S::Install), subcommands: &[], names: &["yarn"] },
];

static BY_NAME: LazyLock<HashMap<(&str, &str), Role>> = LazyLock::new(|| {
    let mut roles = HashMap::new();
    for program in PROGRAMS {
        for name in program.names {
            for subcommand in if program.subcommands.is_empty() { &[""] } else { program.subcommands } {
                roles.insert((*name, *subcommand), program.role);
            }
        }
    }
    roles
});

/// Programs that only pass text on when they stand behind a pipe.
const FILTERS: &[&str] = &[
    "awk",
    "base64",
    "bat",
    "cat",
    "column",
    "cut",
    "egrep",
    "fgrep",
    "fmt",
    "fold",
    "gawk",
    "grep",
    "head",
    "hexdump",
    "jq",
    "less",
    "mawk",
    "more",
    "nl",
    "od",
    "paste",
    "rev",
    "rg",
    "sed",
    "sort",
    "tac",
    "tail",
    "tr",
    "uniq",
    "wc",
    "xxd",
    "yq",
    "json.tool",
    "md5sum",
    "sha256sum",
    "strings",
    "diff",
    "comm",
    "ack",
    "ag",
    "pv",
    "iconv",
    "colordiff",
];

/// What a program with this subcommand is for; `None` for a program that is not in the table.
pub(super) fn role(program: &str, subcommand: Option<&str>) -> Option<Role> {
    let exact = subcommand.and_then(|subcommand| BY_NAME.get(&(program, subcommand)));
    exact.or_else(|| BY_NAME.get(&(program, ""))).copied()
}

/// Whether a program behind a pipe is a pure filter.
pub(super) fn is_filter(program: &str) -> bool {
    FILTERS.contains(&program)
}
