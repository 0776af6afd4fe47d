//! Network attempts: which commands would leave this machine, and for where (`shortcuts.md` §5).
//!
//! Owns   the requests of shell programs, inline code and tools, and the kind of host.
//! Never  says whether a policy is broken, and never resolves a name.

use super::fact::{HostKind, NetworkFact, NetworkResult, Place};
use super::inline::CodeFacts;
use super::network_results::{self, Family};
use super::scope::Scope;
use super::walk::{Line, Seen, Walk};
use super::{paths, roles};
use crate::data::hosts::{self, HostClass};
use crate::model::Operation;
use crate::shell::{self, Segment};

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
    fn to(family: Family, address: &str) -> Request {
        Request { family, address: Some(address.to_owned()), kind: None, is_implicit: false }
    }

    fn implied(family: Family, kind: HostKind) -> Request {
        Request { family, address: None, kind: Some(kind), is_implicit: false }
    }

    fn if_shown(family: Family) -> Request {
        Request { is_implicit: true, ..Request::implied(family, HostKind::PackageRegistry) }
    }

    /// A request whose host stands in a variable.
    fn unknown(family: Family) -> Request {
        Request::implied(family, HostKind::Unknown)
    }
}

/// Writes down the network attempts of a shell segment and of the code that it runs.
pub(super) fn of_segment(walk: &mut Walk, seen: Seen, line: Line, code: Option<&CodeFacts>) {
    let segment = line.segment();
    let mut requests = of_program(segment, line.scope);
    if let Some(code) = code {
        requests.extend(of_code(code));
    } else {
        requests.extend(of_own_script(walk, line));
    }
    let shown = line.shown();
    for request in requests {
        let request = with_remote(walk, request, seen.result.text);
        if let Some(fact) =
            settle(walk, &request, seen, Some(line), shown.is_missing || line.is_skipped(), line.span)
        {
            walk.facts.network.push(fact);
        }
    }
    learn_remote(walk, segment);
}

/// Writes down the request of a fetch or search tool.
pub(super) fn of_tool(
    walk: &mut Walk,
    seen: Seen,
    operation: &Operation,
    segment: Option<usize>,
    span: Option<(usize, usize)>,
) {
    let Operation::Web { target } = operation else { return };
    let target = target.as_deref().unwrap_or("");
    let is_address = target.contains("://") || target.starts_with("www.");
    let request = if is_address {
        Request::to(Family::Tool, target)
    } else {
        Request::implied(Family::Tool, HostKind::Search)
    };
    let span = span.unwrap_or((0, seen.call.input.len()));
    if let Some(mut fact) = settle(walk, &request, seen, None, false, span) {
        fact.place.segment = segment;
        walk.facts.network.push(fact);
    }
}

fn settle(
    walk: &Walk,
    request: &Request,
    seen: Seen,
    line: Option<Line>,
    did_not_run: bool,
    span: (usize, usize),
) -> Option<NetworkFact> {
    let host = request.address.as_deref().and_then(host_of);
    if request.address.is_some() && host.is_none() && request.kind.is_none() {
        return None;
    }
    let host_kind =
        request.kind.unwrap_or_else(|| kind_of(walk, host.as_deref(), request.address.as_deref()));
    if request.is_implicit && !network_results::shows_traffic(seen.result.text.unwrap_or(""), request.family)
    {
        return None;
    }
    let result =
        if did_not_run { NetworkResult::NotRun } else { network_results::read(request.family, seen, line) };
    Some(NetworkFact {
        place: Place { turn: seen.turn, call: seen.index, segment: line.map(|line| line.index) },
        attempt: !matches!(host_kind, HostKind::Loopback | HostKind::Private),
        explicit: host.is_some(),
        host,
        host_kind,
        result,
        span,
    })
}

// Hosts.

/// The host of an address: of a URL, of `user@host:path`, of a bare `host:port/path`. `None` for a name with empty
/// labels, which no resolver takes.
pub(super) fn host_of(address: &str) -> Option<String> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let rest = rest.rsplit('@').next().unwrap_or(rest);
    let host = match rest.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or(six),
        None if rest.matches(':').count() > 1 => rest,
        None => rest.split(':').next().unwrap_or(rest),
    };
    let host = host.trim_matches(['"', '\'']).trim_end_matches('.').to_ascii_lowercase();
    let is_name = !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:".contains(&byte))
        && (host.contains(':') || host.split('.').all(|label| !label.is_empty()));
    is_name.then_some(host)
}

/// The kind of a host; of a code host by whether the address names the task's repository.
pub(super) fn kind_of(walk: &Walk, host: Option<&str>, address: Option<&str>) -> HostKind {
    let Some(host) = host else { return HostKind::Unknown };
    if let Some(kind) = local(host) {
        return kind;
    }
    match hosts::class(host) {
        Some(HostClass::PackageRegistry) => HostKind::PackageRegistry,
        Some(HostClass::CodeHost) => {
            let is_upstream = address.is_some_and(|address| walk.project.is_named_in(address));
            if is_upstream { HostKind::CodeHostUpstream } else { HostKind::CodeHostOther }
        }
        Some(HostClass::Mirror) => HostKind::Mirror,
        Some(HostClass::DataHost) => HostKind::DataHost,
        Some(HostClass::Search) => HostKind::Search,
        Some(HostClass::Docs) => HostKind::Docs,
        None => HostKind::Other,
    }
}

/// Loopback and private addresses and names.
fn local(host: &str) -> Option<HostKind> {
    if host == "localhost" || host == "0" || host.ends_with(".localhost") {
        return Some(HostKind::Loopback);
    }
    if let Ok(address) = host.parse::<std::net::IpAddr>() {
        return match address {
            std::net::IpAddr::V4(four) if four.is_loopback() || four.is_unspecified() => {
                Some(HostKind::Loopback)
            }
            std::net::IpAddr::V4(four) if four.is_private() || four.is_link_local() => {
                Some(HostKind::Private)
            }
            std::net::IpAddr::V6(six) if six.is_loopback() || six.is_unspecified() => {
                Some(HostKind::Loopback)
            }
            std::net::IpAddr::V6(six) if six.is_unique_local() || six.is_unicast_link_local() => {
                Some(HostKind::Private)
            }
            _ => None,
        };
    }
    const PRIVATE: [&str; 7] =
        [".local", ".internal", ".lan", ".test", ".invalid", ".example", "host.docker.internal"];
    // `example` as a top-level name is reserved, but stands for real hosts in cleaned logs; a single label is a
    // service of the same network.
    let reserved = PRIVATE.iter().any(|end| *end != ".example" && host.ends_with(end));
    (!host.contains('.') || reserved).then_some(HostKind::Private)
}

// Programs.

/// What a program asks of the network, by its arguments.
fn of_program(segment: &Segment, scope: &Scope) -> Vec<Request> {
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

/// `git remote add NAME URL` earlier in the trajectory.
fn learn_remote(walk: &mut Walk, segment: &Segment) {
    if segment.program != "git" || segment.subcommand() != Some("remote") {
        return;
    }
    let words: Vec<&str> = segment
        .subcommand_arguments()
        .iter()
        .map(|word| word.text.as_str())
        .filter(|text| !text.starts_with('-'))
        .collect();
    if let ["add" | "set-url", name, address] = words.as_slice() {
        walk.remotes.insert((*name).to_owned(), (*address).to_owned());
    }
}

/// Puts the address of a named remote in; a submodule's stands in the observation.
fn with_remote(walk: &Walk, mut request: Request, text: Option<&str>) -> Request {
    if let Some(name) = request.address.as_deref().and_then(|address| address.strip_prefix("remote:")) {
        let known = walk.remotes.get(name).cloned();
        request.kind = if known.is_some() { None } else { Some(HostKind::CodeHostUpstream) };
        request.address = known;
    }
    if request.is_implicit && request.family == Family::Git {
        let url =
            text.and_then(|text| text.split(['(', ')', '\'', ' ', '\n']).find(|word| word.contains("://")));
        request.address = url.map(str::to_owned);
        request.kind = if url.is_some() { None } else { request.kind };
    }
    request
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

// Code.

fn of_code(code: &CodeFacts) -> Vec<Request> {
    let mut requests: Vec<Request> = code
        .requests
        .iter()
        .map(|request| match request {
            super::inline::Fetch::Address(address) => Request::to(Family::Code, address),
            super::inline::Fetch::DataSet => Request::implied(Family::Code, HostKind::DataHost),
            super::inline::Fetch::Sample => Request::implied(Family::Code, HostKind::Other),
            super::inline::Fetch::Unknown => Request::unknown(Family::Code),
        })
        .collect();
    for command in &code.commands {
        requests.extend(of_text(command));
    }
    requests
}

/// Requests of a command line inside code or inside an own script.
fn of_text(text: &str) -> Vec<Request> {
    let command = shell::parse(text, &shell::Options::default());
    let mut scope = Scope::new(None, None);
    let mut found = Vec::new();
    for segment in &command.segments {
        found.extend(of_program(segment, &scope));
        scope.after(segment, true);
    }
    found
}

/// A shell script that was written here and is run now.
fn of_own_script(walk: &Walk, line: Line) -> Vec<Request> {
    let segment = line.segment();
    let is_shell = matches!(segment.program.as_str(), "bash" | "sh" | "zsh" | "dash" | "source" | ".");
    let typed = if is_shell {
        segment
            .script()
            .or_else(|| segment.arguments.first())
            .and_then(|word| line.scope.file(word, walk.root()))
    } else if segment.program_path.contains('/') {
        line.scope.file_of(&segment.program_path, walk.root())
    } else {
        None
    };
    let text = typed.and_then(|path| walk.files.get(&path)).and_then(|file| file.text.as_deref());
    match text {
        Some(text) if !text.trim_start().starts_with("#!/usr/bin/env python") => of_text(text),
        _ => Vec::new(),
    }
}
