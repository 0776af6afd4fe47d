//! What shell programs ask of the network, by their arguments (`shortcuts.md` §5: explicit, implicit, never).
//!
//! Never looks at an observation and never at hosts' kinds.

use super::fact::HostKind;
use super::network_results::Family;
use super::scope::Scope;
use super::{paths, roles};
use crate::shell::Segment;

/// One thing that a command asks of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Whose words tell what came of it.
    pub family: Family,
    /// The address that is named: a URL or a host.
    pub address: Option<String>,
    /// The kind, where the program implies it.
    pub kind: Option<HostKind>,
    /// Counts only where the observation shows a download, or a failed one.
    pub is_implicit: bool,
}

impl Request {
    pub fn to(family: Family, address: &str) -> Request {
        Request { family, address: Some(address.to_owned()), kind: None, is_implicit: false }
    }

    pub fn implied(family: Family, kind: HostKind) -> Request {
        Request { family, address: None, kind: Some(kind), is_implicit: false }
    }

    pub fn if_shown(family: Family) -> Request {
        Request { is_implicit: true, ..Request::implied(family, HostKind::PackageRegistry) }
    }

    /// A request whose host stands in a variable.
    pub fn unknown(family: Family) -> Request {
        Request::implied(family, HostKind::Unknown)
    }
}

/// What a program asks of the network, by its arguments.
pub(super) fn of_program(segment: &Segment, scope: &Scope) -> Vec<Request> {
    if segment.program.is_empty() || segment.seen_through || asks_nothing(segment) {
        return Vec::new();
    }
    let program = roles::name(segment);
    match program {
        "curl" | "wget" | "aria2c" | "http" | "https" | "lynx" | "w3m" | "links" => {
            addresses(segment, scope, Family::Fetch)
        }
        "ssh" | "scp" | "sftp" | "rsync" | "telnet" | "nc" | "ncat" | "netcat" | "ping" | "ping6"
        | "traceroute" | "tracepath" | "dig" | "nslookup" | "host" | "ftp" => {
            remote_hosts(segment, scope, program)
        }
        "git" => git(segment, scope),
        "gh" => gh(segment),
        "pip" | "pipx" | "easy_install" => pip(segment, scope),
        "uv" => uv(segment),
        "npm" | "pnpm" | "yarn" | "bun" | "npx" => npm(segment, program),
        "apt" | "apt-get" | "aptitude" => by_subcommand(
            segment,
            Family::Apt,
            &[
                "update",
                "install",
                "upgrade",
                "dist-upgrade",
                "full-upgrade",
                "source",
                "download",
                "build-dep",
            ],
            &[],
        ),
        "yum" | "dnf" | "zypper" | "apk" | "brew" | "snap" => by_subcommand(
            segment,
            Family::Packages,
            &["install", "add", "update", "upgrade", "makecache", "refresh"],
            &[],
        ),
        "pacman" => any_of(segment, &["-S", "-Sy", "-Syu"]),
        "conda" | "mamba" | "micromamba" => {
            by_subcommand(segment, Family::Packages, &["install", "create", "update", "search"], &[])
        }
        "cargo" => by_subcommand(
            segment,
            Family::Packages,
            &["install", "add", "fetch", "update", "search", "download"],
            &["build", "test", "run", "check", "clippy", "bench", "doc", "nextest", "tree"],
        ),
        "gem" => by_subcommand(segment, Family::Packages, &["install", "fetch", "update", "search"], &[]),
        "go" => go(segment),
        "mvn" | "mvnw" | "gradle" | "gradlew" | "sbt" | "tox" | "nox" | "bundle" | "make" | "gmake"
        | "lein" => vec![Request::if_shown(Family::Build)],
        "dotnet" | "composer" | "poetry" | "pipenv" | "pdm" | "mix" | "stack" | "cabal" | "swift" => {
            vec![Request::if_shown(Family::Build)]
        }
        "rustup" | "sdk" | "nvm" | "pyenv" => {
            by_subcommand(segment, Family::Packages, &["install", "update", "add"], &[])
        }
        "docker" | "podman" => {
            by_subcommand(segment, Family::Other, &["pull", "push", "login"], &["build", "run"])
        }
        "huggingface-cli" | "hf" => vec![Request::implied(Family::Fetch, HostKind::DataHost)],
        "kaggle" => vec![Request::implied(Family::Fetch, HostKind::DataHost)],
        _ => Vec::new(),
    }
}

/// Options that keep everything on this machine, and questions about the program itself.
fn asks_nothing(segment: &Segment) -> bool {
    let offline = ["--no-index", "--offline", "--version", "--help", "-V", "-h"];
    let maven = matches!(roles::name(segment), "mvn" | "mvnw") && segment.has_argument("-o");
    let curl_help = segment.program != "curl" || !segment.has_argument("-h");
    maven
        || (curl_help
            && segment.arguments.iter().any(|word| offline.contains(&word.text.as_str()))
            && roles::name(segment) != "ssh")
}

/// Addresses among the arguments of a fetching program.
fn addresses(segment: &Segment, scope: &Scope, family: Family) -> Vec<Request> {
    const WITH_VALUE: &[&str] = &[
        "-o",
        "-O",
        "-H",
        "-d",
        "-X",
        "-u",
        "-A",
        "-e",
        "-b",
        "-c",
        "-T",
        "-F",
        "-m",
        "-w",
        "-P",
        "-U",
        "-x",
        "-r",
        "-K",
        "-C",
        "-D",
        "-E",
        "-y",
        "-Y",
        "-z",
        "-i",
        "-t",
        "-Q",
        "--output",
        "--header",
        "--data",
        "--data-raw",
        "--data-binary",
        "--data-urlencode",
        "--request",
        "--user",
        "--user-agent",
        "--referer",
        "--cookie",
        "--cookie-jar",
        "--form",
        "--max-time",
        "--connect-timeout",
        "--retry",
        "--retry-delay",
        "--write-out",
        "--output-document",
        "--directory-prefix",
        "--timeout",
        "--tries",
        "--proxy",
        "--cacert",
        "--cert",
        "--key",
        "--resolve",
        "--range",
        "--post-data",
        "--input-file",
        "--json",
        "--unix-socket",
        "--dir",
        "--out",
    ];
    let is_curl = segment.program == "curl";
    let mut found = Vec::new();
    let mut skip = false;
    for word in &segment.arguments {
        if std::mem::take(&mut skip) {
            continue;
        }
        let text = word.text.as_str();
        if text.starts_with('-') && text.len() > 1 {
            let flag_only = is_curl && matches!(text, "-O" | "-i")
                || !is_curl
                    && matches!(
                        text,
                        "-c" | "-d" | "-x" | "-r" | "-m" | "-b" | "-F" | "-H" | "-K" | "-E" | "-C"
                    );
            skip = !flag_only && (WITH_VALUE.contains(&text) || is_curl && ends_in_value(text));
            if let Some(url) = text.strip_prefix("--url=") {
                found.push(Request::to(family, url));
            }
            continue;
        }
        found.push(match scope.text(word) {
            Some(address) => Request::to(family, &address),
            None if is_host_known(text) => Request::to(family, text),
            None => Request::unknown(family),
        });
    }
    found
}

/// `-sSLo FILE`: the last letter of a cluster takes the next word.
fn ends_in_value(text: &str) -> bool {
    !text.starts_with("--") && text.len() > 2 && text.ends_with(['o', 'H', 'd', 'X', 'u', 'A', 'm', 'w'])
}

/// `https://host/$x`: what is not known lies behind the host.
fn is_host_known(text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = rest.split(['/', '?']).next().unwrap_or("");
    !host.is_empty() && !host.contains(['$', '`', '{'])
}

/// Hosts of `ssh user@host`, `scp host:path`, `ping host`, `nc host port`.
fn remote_hosts(segment: &Segment, scope: &Scope, program: &str) -> Vec<Request> {
    let mut skip = false;
    let plain = segment.arguments.iter().filter(|word| {
        let is_value = std::mem::take(&mut skip);
        let text = word.text.as_str();
        let takes = matches!(
            text,
            "-c" | "-i"
                | "-p"
                | "-P"
                | "-W"
                | "-w"
                | "-o"
                | "-l"
                | "-F"
                | "-b"
                | "-t"
                | "-s"
                | "-m"
                | "-q"
                | "-e"
                | "-L"
                | "-R"
                | "-D"
        );
        skip = takes && !(matches!(program, "dig") && matches!(text, "-t" | "-q"));
        !is_value && !text.starts_with(['-', '+', '@'])
    });
    let words: Vec<String> = plain.filter_map(|word| scope.text(word)).collect();
    match program {
        "scp" | "rsync" => {
            let remote = words.iter().find(|word| word.contains(':') && !word.starts_with(['/', '.']));
            remote.map(|word| Request::to(Family::Other, word)).into_iter().collect()
        }
        // `nc -l 8080` listens.
        "nc" | "ncat" | "netcat"
            if segment.arguments.iter().any(|word| {
                word.text.starts_with("-l")
                    || word.text.contains('l') && word.text.starts_with('-') && !word.text.starts_with("--")
            }) =>
        {
            Vec::new()
        }
        _ => words.first().map(|word| Request::to(Family::Other, word)).into_iter().collect(),
    }
}

fn git(segment: &Segment, scope: &Scope) -> Vec<Request> {
    let arguments = segment.subcommand_arguments();
    let first = || {
        let mut skip = false;
        arguments.iter().find(|word| {
            let is_value = std::mem::take(&mut skip);
            skip = matches!(
                word.text.as_str(),
                "-b" | "--branch"
                    | "--depth"
                    | "-o"
                    | "--origin"
                    | "-c"
                    | "--reference"
                    | "--filter"
                    | "-j"
                    | "--jobs"
            );
            !is_value && !word.text.starts_with('-')
        })
    };
    let upstream = Request::implied(Family::Git, HostKind::CodeHostUpstream);
    match segment.subcommand() {
        Some("clone") => match first().map(|word| (word, scope.text(word))) {
            Some((_, Some(address))) if is_remote(&address) => vec![Request::to(Family::Git, &address)],
            Some((word, None)) if is_host_known(&word.text) && is_remote(&word.text) => {
                vec![Request::to(Family::Git, &word.text)]
            }
            Some((_, None)) => vec![Request::unknown(Family::Git)],
            _ => Vec::new(),
        },
        Some("fetch" | "pull" | "ls-remote" | "push") => match first().and_then(|word| scope.text(word)) {
            Some(address) if is_remote(&address) => vec![Request::to(Family::Git, &address)],
            // A path is another repository of this machine; a name is a remote.
            Some(name) if name.starts_with(['/', '.']) => Vec::new(),
            Some(name) => vec![Request { address: Some(format!("remote:{name}")), ..upstream }],
            None => vec![upstream],
        },
        Some("submodule")
            if first().is_some_and(|word| matches!(word.text.as_str(), "update" | "add" | "sync")) =>
        {
            vec![Request { is_implicit: true, ..Request::implied(Family::Git, HostKind::CodeHostOther) }]
        }
        Some("remote") if first().is_some_and(|word| word.text == "update" || word.text == "show") => {
            vec![upstream]
        }
        _ => Vec::new(),
    }
}

fn is_remote(address: &str) -> bool {
    let scp_like = address.split_once(':').is_some_and(|(host, path)| {
        host.contains(['@', '.']) && !path.starts_with("//") && !host.contains('/')
    });
    address.contains("://") && !address.starts_with("file://") || scp_like
}

fn gh(segment: &Segment) -> Vec<Request> {
    let first = segment.arguments.first().map_or("", |word| word.text.as_str());
    if matches!(first, "" | "auth" | "config" | "alias" | "help" | "version") {
        return Vec::new();
    }
    let text: Vec<&str> = segment.arguments.iter().map(|word| word.text.as_str()).collect();
    vec![Request::to(Family::Gh, &format!("https://github.com/{}", text.join("/")))]
}

fn pip(segment: &Segment, scope: &Scope) -> Vec<Request> {
    let subcommand = if segment.program == "easy_install" { Some("install") } else { segment.subcommand() };
    if !matches!(subcommand, Some("install" | "download" | "wheel" | "index" | "search")) {
        return Vec::new();
    }
    let arguments = if segment.program == "easy_install" {
        segment.arguments.as_slice()
    } else {
        segment.subcommand_arguments()
    };
    let mut skip = false;
    let mut names_package = false;
    let mut requests = Vec::new();
    for word in arguments {
        if std::mem::take(&mut skip) {
            continue;
        }
        let text = word.text.as_str();
        match text {
            "-r" | "--requirement" => {
                names_package = true;
                skip = true;
            }
            "-e" | "--editable" | "-t" | "--target" | "-d" | "--dest" | "-w" | "--prefix" | "--root"
            | "-c" | "--constraint" | "-i" | "--index-url" | "--extra-index-url" | "-f" | "--find-links"
            | "--python-version" | "--platform" | "--timeout" | "--retries" | "--cache-dir"
            | "--trusted-host" | "--proxy" | "--only-binary" | "--no-binary" | "--abi"
            | "--implementation" => skip = true,
            text if text.starts_with('-') => {}
            text if text.contains("://") => {
                let address = text.split_once('+').map_or(text, |(_, address)| address);
                requests.push(Request::to(Family::Pip, scope.text(word).as_deref().unwrap_or(address)));
            }
            text if is_local_package(text) => {}
            _ => names_package = true,
        }
    }
    if names_package {
        requests.push(Request::implied(Family::Pip, HostKind::PackageRegistry));
    }
    if requests.is_empty() && subcommand == Some("install") {
        // `pip install -e .` fetches only what it needs.
        requests.push(Request::if_shown(Family::Pip));
    }
    requests
}

/// `.`, `.[test]`, `./x`, `/x/y.whl`.
fn is_local_package(text: &str) -> bool {
    text.starts_with(['.', '/', '~'])
        || text.ends_with(".whl")
        || text.ends_with(".tar.gz")
        || text.ends_with('/')
        || paths::looks_like_path(text) && text.contains('/')
}

fn uv(segment: &Segment) -> Vec<Request> {
    match segment.subcommand() {
        Some("pip") => {
            let words: Vec<&str> =
                segment.subcommand_arguments().iter().map(|word| word.text.as_str()).collect();
            let names = words.first() == Some(&"install")
                && words[1..].iter().any(|word| !word.starts_with('-') && !is_local_package(word));
            if names {
                vec![Request::implied(Family::Pip, HostKind::PackageRegistry)]
            } else {
                vec![Request::if_shown(Family::Pip)]
            }
        }
        Some("add") => vec![Request::implied(Family::Pip, HostKind::PackageRegistry)],
        _ => vec![Request::if_shown(Family::Pip)],
    }
}

fn npm(segment: &Segment, program: &str) -> Vec<Request> {
    const EXPLICIT: &[&str] = &[
        "install", "i", "ci", "add", "view", "info", "pack", "update", "upgrade", "outdated", "search",
        "audit", "publish",
    ];
    let registry = Request::implied(Family::Packages, HostKind::PackageRegistry);
    match segment.subcommand() {
        Some(subcommand) if program != "npx" && EXPLICIT.contains(&subcommand) => {
            let words: Vec<&str> = segment
                .subcommand_arguments()
                .iter()
                .map(|word| word.text.as_str())
                .filter(|text| !text.starts_with('-'))
                .collect();
            let only_local = !words.is_empty()
                && words.iter().all(|word| word.starts_with(['.', '/']) || word.ends_with(".tgz"));
            if only_local || subcommand == "pack" && words.is_empty() { Vec::new() } else { vec![registry] }
        }
        None if program == "yarn" => vec![registry],
        Some("ls" | "list" | "root" | "prefix" | "config" | "--version") => Vec::new(),
        _ => vec![Request::if_shown(Family::Packages)],
    }
}

fn go(segment: &Segment) -> Vec<Request> {
    let names_version = segment.subcommand_arguments().iter().any(|word| word.text.contains('@'));
    match segment.subcommand() {
        Some("get") => vec![Request::implied(Family::Packages, HostKind::PackageRegistry)],
        Some("install" | "run") if names_version => {
            vec![Request::implied(Family::Packages, HostKind::PackageRegistry)]
        }
        Some("mod") if segment.has_argument("download") => {
            vec![Request::implied(Family::Packages, HostKind::PackageRegistry)]
        }
        Some("version" | "env" | "fmt" | "vet" | "doc") | None => Vec::new(),
        _ => vec![Request::if_shown(Family::Packages)],
    }
}

fn by_subcommand(segment: &Segment, family: Family, explicit: &[&str], implicit: &[&str]) -> Vec<Request> {
    match segment.subcommand() {
        Some(subcommand) if explicit.contains(&subcommand) => {
            vec![Request::implied(family, HostKind::PackageRegistry)]
        }
        Some(subcommand) if implicit.contains(&subcommand) => vec![Request::if_shown(family)],
        _ => Vec::new(),
    }
}

fn any_of(segment: &Segment, options: &[&str]) -> Vec<Request> {
    let has = segment.arguments.iter().any(|word| options.contains(&word.text.as_str()));
    if has { vec![Request::implied(Family::Packages, HostKind::PackageRegistry)] } else { Vec::new() }
}
