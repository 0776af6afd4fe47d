//! What came of a network command, from the words that belong to its program (`shortcuts.md` §5, result).
//!
//! Cause beats symptom: a name that did not resolve is `dns` although a retry warning stands around it. The scaffold's
//! own time limit tells nothing.

use std::sync::LazyLock;

use regex::Regex;

use super::fact::NetworkResult;
use super::walk::{Line, Seen};
use crate::data::pattern::ascii;

/// Programs whose words are read alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// curl, wget and their kin.
    Fetch,
    /// git.
    Git,
    /// GitHub's command line.
    Gh,
    /// pip.
    Pip,
    /// apt.
    Apt,
    /// Other package managers.
    Packages,
    /// Builds that fetch what they need.
    Build,
    /// Inline code.
    Code,
    /// A fetch or search tool.
    Tool,
    /// ssh, ping and the rest.
    Other,
}

const DNS: &[&str] = &[
    "could not resolve",
    "temporary failure in name resolution",
    "temporary failure resolving",
    "name or service not known",
    "unknownhost",
    "unknown host",
    "getaddrinfo",
    "errno -2",
    "errno -3",
    "errno -5",
    "curl: (6)",
    "nodename nor servname",
    "no address associated with hostname",
    "enotfound",
    "eai_again",
    "unable to resolve host",
    "name resolution",
    "failed to resolve",
    "err_name_not_resolved",
];
const REFUSED: &[&str] = &[
    "connection refused",
    "no route to host",
    "network is unreachable",
    "network unreachable",
    "curl: (7)",
    "connect tunnel failed",
    "err_internet_disconnected",
    "outgoing traffic has been disabled",
    "could not connect to",
    "econnrefused",
    "enetunreach",
    "failed to connect to",
    "err_connection_refused",
    "tunnel connection failed",
    "received http code 403 from proxy",
    "cannot connect to proxy",
];
const TIMEOUT: &[&str] = &[
    "curl: (28)",
    "read timed out",
    "connect timed out",
    "connection timed out",
    "etimedout",
    "100% packet loss",
    "readtimeout",
    "connecttimeout",
    "operation timed out",
    "err_timed_out",
];
const HTTP_ERROR: &[&str] = &[
    "error 404",
    "error 403",
    "error 401",
    "error 500",
    "error 502",
    "error 503",
    "error 429",
    "http error 4",
    "http error 5",
    "404 not found",
    "403 forbidden",
    "curl: (22)",
    "\"message\":\"not found\"",
    "\"message\": \"not found\"",
    "rate limit exceeded",
    "api rate limit",
    "http/1.1 4",
    "http/1.1 5",
    "http/2 4",
    "http/2 5",
    "http/1.0 4",
    "returned error: 4",
    "repository not found",
    "e404",
    "status code 404",
];
const ANSWERED: &[&str] = &[
    "http/1.1 2",
    "http/1.1 3",
    "http/2 2",
    "http/2 3",
    "http/1.0 2",
    "200 ok",
    "downloading http",
    "downloaded from",
    "saved [",
    "saved ./",
    "receiving objects",
    "successfully installed",
    "successfully downloaded",
    "resolving deltas",
    "from https://",
    "from http://",
];
/// Words that the environment is as it should be, so that nothing was asked.
const SATISFIED: &[&str] = &[
    "requirement already satisfied",
    "is already the newest version",
    "all requested packages already installed",
    "already up-to-date",
    "already up to date",
    "up to date",
    "nothing to do",
];
const NOT_RUN: &[&str] = &[
    "does not appear to be a git repository",
    "no such remote",
    "gh_token",
    "gh auth login",
    "could not read username",
    "no remote repository specified",
    "unable to locate package",
    "has no installation candidate",
    "are you root",
    "could not open lock file",
    "no remote configured",
    "host key verification failed",
    "permission denied (publickey",
];

/// What came of a request.
pub(super) fn read(family: Family, seen: Seen, line: Option<Line>) -> NetworkResult {
    let Some(text) = seen.result.text else { return NetworkResult::Unknown };
    if seen.result.timed_out || text.contains("EXECUTION TIMED OUT") {
        return NetworkResult::Unknown;
    }
    if family == Family::Tool && text.contains("command not found") {
        return NetworkResult::NotRun;
    }
    let (head, tail) = super::evidence::ends(text);
    let lower = format!("{head}\n{tail}").to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    if answered(family, &lower) {
        return NetworkResult::Ok;
    }
    if has(DNS) {
        return NetworkResult::Dns;
    }
    if has(REFUSED) {
        return NetworkResult::Refused;
    }
    if has(TIMEOUT) {
        return NetworkResult::Timeout;
    }
    if has(NOT_RUN) {
        return NetworkResult::NotRun;
    }
    if has(HTTP_ERROR) {
        return NetworkResult::HttpError;
    }
    if has(SATISFIED) {
        return NetworkResult::NotRun;
    }
    weakly(family, &lower, line)
}

/// Words that something came back, whatever else went wrong.
fn answered(family: Family, lower: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    match family {
        Family::Apt => starts_line(lower, &["get:", "hit:"]) || has(&["setting up ", "fetched "]),
        Family::Pip => {
            has(&[
                "  downloading ",
                "\ndownloading ",
                "successfully installed",
                "saved ./",
                "\n     ━",
                "using cached ",
            ]) || lower.starts_with("downloading ")
        }
        Family::Packages | Family::Build => {
            has(&[
                "downloaded from",
                "downloading from",
                "go: downloading",
                "   downloaded ",
                "downloading crates",
                "added ",
                "successfully installed",
            ]) && !lower.contains("could not transfer")
        }
        Family::Git => {
            has(&["receiving objects", "resolving deltas", "\nfrom ", "new branch]"])
                || lower.starts_with("from ")
        }
        _ => has(ANSWERED) && !lower.contains("404 not found"),
    }
}

fn starts_line(lower: &str, words: &[&str]) -> bool {
    lower.lines().any(|line| {
        words.iter().any(|word| {
            line.strip_prefix(word).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    })
}

/// No telling word: a body that was printed is an answer, silence tells nothing.
fn weakly(family: Family, lower: &str, line: Option<Line>) -> NetworkResult {
    let is_silent = lower.trim().is_empty();
    if is_silent {
        return NetworkResult::Unknown;
    }
    match family {
        Family::Tool | Family::Code => NetworkResult::Ok,
        Family::Fetch => {
            let prints = line.is_none_or(|line| prints_body(line));
            if prints { NetworkResult::Ok } else { NetworkResult::Unknown }
        }
        Family::Pip if lower.contains("from versions: none") || lower.contains("error") => {
            NetworkResult::Unknown
        }
        Family::Pip if lower.contains("collecting ") || lower.contains("installing build dependencies") => {
            NetworkResult::Ok
        }
        Family::Git if lower.contains("cloning into") && !lower.contains("fatal:") => NetworkResult::Ok,
        Family::Packages if !lower.contains("error") && !lower.contains("err!") => NetworkResult::Ok,
        _ => NetworkResult::Unknown,
    }
}

/// Whether a fetching program's body comes to the screen, and the text is not another command's.
fn prints_body(line: Line) -> bool {
    let segment = line.segment();
    let quiet_file = segment.arguments.iter().any(|word| {
        let text = word.text.as_str();
        matches!(text, "-o" | "--output" | "-O" | "--remote-name") && !segment.has_argument("-")
    });
    let is_wget = segment.program == "wget" && !segment.has_argument("-O-") && !segment.has_argument("-qO-");
    let has_alternative = line.command.segments[line.index + 1..]
        .iter()
        .any(|one| one.connector == crate::shell::Connector::Or);
    !quiet_file && !is_wget && !has_alternative && segment.written_files().next().is_none()
}

/// Whether a text shows a download, or one that failed.
pub(super) fn shows_traffic(text: &str, family: Family) -> bool {
    if text.is_empty() {
        return false;
    }
    const TRAFFIC: &[&str] = &[
        "Downloading",
        "Downloaded from",
        "Collecting ",
        "go: downloading",
        "Installing build dependencies",
        "Updating crates",
        "Cloning into",
        "Could not resolve host",
        "Temporary failure in name resolution",
        "Could not transfer artifact",
        "Unknown host",
        "UnknownHostException",
        "getaddrinfo",
        "Name or service not known",
        "Fetching ",
        "npm ERR! network",
        "Could not GET '",
        "Connection refused",
        "Retrying (Retry(",
        "Receiving objects",
        "Submodule '",
    ];
    static SHOWN: LazyLock<Regex> = LazyLock::new(|| {
        let words: Vec<String> = TRAFFIC.iter().map(|words| regex::escape(words)).collect();
        ascii(&words.join("|"))
    });
    let (head, tail) = super::evidence::ends(text);
    let has = |words: &str| head.contains(words) || tail.contains(words);
    let shows = SHOWN.is_match(head) || SHOWN.is_match(tail);
    shows && !(family == Family::Build && has("Connection refused") && !has("repo"))
}
