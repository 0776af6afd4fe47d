//! Network attempts: which commands would leave this machine, and for where (`shortcuts.md` §5).
//!
//! Owns   the joining of requests of shell programs, code and tools with what came of them.
//! Never  says whether a policy is broken, and never resolves a name.

use super::fact::{HostKind, NetworkFact, NetworkResult, Place};
use super::inline::{CodeFacts, Fetch};
use super::network_hosts::{host_of, kind_of};
use super::network_programs::{Request, of_program};
use super::network_results::{self, Family};
use super::scope::Scope;
use super::walk::{Line, Seen, Walk};
use crate::model::Operation;
use crate::shell::{self, Segment};

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
        request.kind.unwrap_or_else(|| kind_of(&walk.project, host.as_deref(), request.address.as_deref()));
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

fn of_code(code: &CodeFacts) -> Vec<Request> {
    let mut requests: Vec<Request> = code
        .requests
        .iter()
        .map(|request| match request {
            Fetch::Address(address) => Request::to(Family::Code, address),
            Fetch::DataSet => Request::implied(Family::Code, HostKind::DataHost),
            Fetch::Sample => Request::implied(Family::Code, HostKind::Other),
            Fetch::Unknown => Request::unknown(Family::Code),
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
