//! Session files: lines become the main conversation and those of sub-agents, which older versions write into the same file.
//!
//! Never here: how pieces of a response are joined (`responses`), which branch was kept (`branches`).

use super::branches::{Link, Origins, origins};
use super::end::{self, Last};
use super::responses::{Responses, results, said};
use super::{SCAFFOLD, SESSION};
use crate::formats::json::lenient::{at, filled, flag, text, time};
use crate::formats::json::{self, Record};
use crate::formats::{Input, Level, Read, UnknownKeys};
use crate::model::{Origin, Parent, Problem, Termination, Trajectory, Weight};
use serde_json::Value;
use std::collections::HashMap;

/// Kinds of lines that hold no message.
const KNOWN: &[&str] = &[
    "agent-name",
    "agent-setting",
    "ai-title",
    "attachment",
    "custom-title",
    "file-history-snapshot",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "summary",
    "system",
    "tag",
    "worktree-state",
];

/// Reads a session file.
pub fn read(input: &Input) -> Read {
    let mut session = Session::default();
    let mut problems = Vec::new();
    if let Some(lines) = export(input.bytes(), &mut problems) {
        for (place, value) in lines.iter().enumerate() {
            session.line(value, &format!("record {}", place + 1), &mut problems);
        }
    } else {
        json::records(input.bytes(), input.lines_before, &mut problems, |record, problems| {
            session.last_line = record.line;
            let Record { value, .. } = &record;
            session.line(value, &record.place(), problems);
        });
    }
    session.finish(problems)
}

/// The lines of an export: one document whose `loglines` they are. In a line of a session the key could only stand escaped.
fn export(bytes: &[u8], problems: &mut Vec<Problem>) -> Option<Vec<Value>> {
    memchr::memmem::find(bytes, b"\"loglines\"")?;
    let mut value = json::document(bytes, problems)?;
    value.get_mut("loglines")?.as_array_mut().map(std::mem::take)
}

/// One conversation: the main one, or a sub-agent's.
#[derive(Default)]
struct Chain {
    /// Place of its first line.
    place: String,
    is_side: bool,
    responses: Responses,
    last: Last,
    task: Option<String>,
    agent: Option<String>,
    session: Option<String>,
    version: Option<String>,
    started_by: Option<usize>,
    times: Option<(i64, i64)>,
}

#[derive(Default)]
struct Session {
    chains: Vec<Chain>,
    /// Place of the main conversation among the chains.
    main: Option<usize>,
    /// Chain of each sub-agent's id, and of each line of a sub-agent.
    by_agent: HashMap<String, usize>,
    by_line: HashMap<String, usize>,
    /// Lines of the main conversation.
    links: Vec<Link>,
    unknown_keys: UnknownKeys,
    last_line: u64,
}

impl Session {
    fn line(&mut self, line: &Value, place: &str, problems: &mut Vec<Problem>) {
        let mut refuse = |what: String| problems.push(Problem::new(Weight::Refused, place, what));
        let Some(kind) = text(line, "type") else {
            return refuse(format!("{} without a `type` is no line of a session", shape(line)));
        };
        match kind {
            "user" | "assistant" => match line.get("message") {
                Some(message) if message.is_object() && message.get("content").is_some() => {
                    self.message(line, message, kind == "assistant", place, problems);
                }
                Some(message) if message.is_object() => refuse("a message without `content`".to_owned()),
                Some(message) => refuse(format!("`message` is {}, no object", shape(message))),
                None => refuse("a line of a message without `message`".to_owned()),
            },
            _ => {
                if !KNOWN.contains(&kind) {
                    let kind: String = kind.chars().take(60).collect();
                    self.unknown_keys.count(Level::Top, &format!("type={kind}"));
                }
                // They stand between messages in the tree.
                if flag(line, "isSidechain") == Some(true) {
                    if let (Some(uuid), Some(chain)) = (filled(line, "uuid"), self.side_of_parent(line)) {
                        self.by_line.insert(uuid.to_owned(), chain);
                    }
                } else if line.get("uuid").is_some() {
                    self.links.push(link(line, false));
                }
            }
        }
    }

    fn message(
        &mut self,
        line: &Value,
        message: &Value,
        is_response: bool,
        place: &str,
        problems: &mut Vec<Problem>,
    ) {
        let is_side = flag(line, "isSidechain") == Some(true);
        let chain = if is_side { self.side(line, message, place) } else { self.main(place) };
        let turn = if is_response { self.response(chain, line, message, place) } else { None };
        if !is_response {
            self.told(chain, line, message, place, problems);
        }
        if !is_side {
            let mut link = link(line, true);
            link.turn = turn;
            self.links.push(link);
        }
        let Some(chain) = self.chains.get_mut(chain) else { return };
        chain.session = filled(line, "sessionId").map(str::to_owned).or(chain.session.take());
        chain.version = filled(line, "version").map(str::to_owned).or(chain.version.take());
        if let Some(time) = time(line, "timestamp") {
            let (first, last) = chain.times.unwrap_or((time, time));
            chain.times = Some((first.min(time), last.max(time)));
        }
    }

    fn response(&mut self, chain: usize, line: &Value, message: &Value, place: &str) -> Option<usize> {
        let chain = self.chains.get_mut(chain)?;
        let is_error = flag(line, "isApiErrorMessage") == Some(true);
        if is_error || text(message, "model") == Some("<synthetic>") {
            // The client's own words; those that no response was asked for end nothing.
            let is_error = is_error || said(message).is_some_and(|words| words.starts_with("API Error"));
            chain.last = if is_error { Last::ModelError } else { chain.last };
            return None;
        }
        let key =
            filled(message, "id").or_else(|| filled(line, "requestId")).or_else(|| filled(line, "uuid"));
        let turn =
            chain.responses.take(key.unwrap_or(place), message, time(line, "timestamp"), filled(line, "cwd"));
        chain.last = Last::Response;
        Some(turn)
    }

    /// What a person, a tool or the client said.
    fn told(
        &mut self,
        chain: usize,
        line: &Value,
        message: &Value,
        place: &str,
        problems: &mut Vec<Problem>,
    ) {
        let beside = line.get("toolUseResult");
        let mut agent = None;
        let Some(chain) = self.chains.get_mut(chain) else { return };
        for block in results(message) {
            chain.last = Last::Result;
            if !chain.responses.result(block, beside) {
                problems.push(Problem::new(
                    Weight::Note,
                    place,
                    "a result of a call that is not in this file",
                ));
            }
            let call = filled(block, "tool_use_id").and_then(|id| chain.responses.turn_of_call(id));
            agent = agent.or(beside.and_then(|beside| filled(beside, "agentId")).zip(call));
        }
        let words = said(message).filter(|words| !words.trim().is_empty());
        if let Some(words) = words {
            if end::is_interruption(&words) {
                chain.last = Last::Interruption;
            } else if is_prompt(line, &words) {
                chain.last = Last::Prompt;
                chain.task.get_or_insert(words);
            }
        }
        // The parent's result names its sub-agent.
        if let Some((agent, turn)) = agent
            && let Some(chain) = self.by_agent.get(agent).and_then(|chain| self.chains.get_mut(*chain))
        {
            chain.started_by.get_or_insert(turn);
        }
    }

    fn main(&mut self, place: &str) -> usize {
        let next = self.chains.len();
        let main = *self.main.get_or_insert(next);
        if main == next {
            self.chains.push(Chain { place: place.to_owned(), ..Chain::default() });
        }
        main
    }

    /// The sub-agent of a line: by its id, by the line before it, else a new one.
    fn side(&mut self, line: &Value, message: &Value, place: &str) -> usize {
        let agent = filled(line, "agentId");
        let known = agent.and_then(|agent| self.by_agent.get(agent).copied());
        let chain = known.or_else(|| self.side_of_parent(line)).unwrap_or_else(|| {
            let main = self.main.and_then(|main| self.chains.get(main));
            let started_by = main.and_then(|main| main.responses.turn_that_started(said(message).as_deref()));
            let agent = agent.map(str::to_owned);
            let place = place.to_owned();
            self.chains.push(Chain { place, is_side: true, agent, started_by, ..Chain::default() });
            self.chains.len() - 1
        });
        if let Some(agent) = agent {
            self.by_agent.insert(agent.to_owned(), chain);
        }
        if let Some(uuid) = filled(line, "uuid") {
            self.by_line.insert(uuid.to_owned(), chain);
        }
        chain
    }

    fn side_of_parent(&self, line: &Value) -> Option<usize> {
        self.by_line.get(filled(line, "parentUuid")?).copied()
    }

    fn finish(mut self, problems: Vec<Problem>) -> Read {
        let last_line = self.last_line;
        // The file ends with a torn line: what came after the last message is lost.
        let is_torn = problems.iter().any(|problem| {
            let line = problem.place.strip_prefix("line ").and_then(|line| line.parse::<u64>().ok());
            problem.weight == Weight::Refused && line.is_some_and(|line| line > last_line)
        });
        let mut read = Read { problems, unknown_keys: self.unknown_keys, ..Read::default() };
        let turns = self.links.iter().filter_map(|link| link.turn).max().map_or(0, |turn| turn + 1);
        let found = origins(&self.links, turns);
        if !found.strangers.is_empty() {
            let what = format!("holds lines of other sessions, too: {}", found.strangers.join(", "));
            read.problems.push(Problem::new(Weight::Note, "", what));
        }
        let main = self.main;
        if let Some(chain) = main.and_then(|main| self.chains.get_mut(main)) {
            chain.is_side = false;
            own(chain, &self.links, &found);
        }
        // The main conversation stands first, so that sub-agents can name it.
        let chains = self.chains;
        let is_alone = chains.len() == 1;
        let (first, others): (Vec<_>, Vec<_>) =
            chains.into_iter().enumerate().partition(|(place, _)| Some(*place) == main);
        for (_, chain) in first.into_iter().chain(others) {
            read.trajectories.push(trajectory(chain, main.is_some(), is_alone, is_torn));
        }
        read
    }
}

/// Gives the main conversation what the tree told.
fn own(chain: &mut Chain, links: &[Link], found: &Origins) {
    for (turn, origin) in &found.of_turns {
        chain.responses.set_origin(*turn, *origin);
    }
    chain.session = found.own_session.clone().or(chain.session.take());
    let times =
        links.iter().zip(&found.is_copied).filter(|(link, is_copied)| link.is_message && !**is_copied);
    let times: Vec<i64> = times.filter_map(|(link, _)| link.time).collect();
    chain.times = times.iter().min().copied().zip(times.iter().max().copied()).or(chain.times);
}

fn trajectory(chain: Chain, has_main: bool, is_alone: bool, is_torn: bool) -> Trajectory {
    let mut run = Trajectory::new(SESSION.name, SCAFFOLD);
    run.can_submit = false;
    run.place = if is_alone { String::new() } else { chain.place };
    run.scaffold_version = chain.version;
    run.model = chain.responses.model();
    run.task = chain.task;
    run.raw_exit_status = chain.responses.last().and_then(|response| response.stop.clone());
    run.termination = end::of_session(chain.last, &chain.responses);
    if is_torn && run.termination == Termination::Finished {
        run.termination = Termination::Incomplete;
    }
    (run.started_at, run.ended_at) = (chain.times.map(|times| times.0), chain.times.map(|times| times.1));
    if chain.is_side {
        let session_id = if has_main { None } else { chain.session.clone() };
        run.parent = Some(Parent { ordinal: has_main.then_some(0), session_id, turn: chain.started_by });
    }
    // Lines of a sub-agent bear the session of its parent; it is the parent that is found by it.
    run.session_id = if chain.is_side { chain.agent } else { chain.session };
    run.turns = chain.responses.into_turns();
    // What a copied turn cost was paid by the older session.
    let paid = || run.turns.iter().filter(|turn| turn.origin != Origin::Copied);
    let (tokens_in, tokens_out) =
        (sum(paid().map(|turn| turn.tokens_in)), sum(paid().map(|turn| turn.tokens_out)));
    (run.tokens_in, run.tokens_out) = (tokens_in, tokens_out);
    run
}

fn sum(counts: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    counts.flatten().fold(None, |sum: Option<i64>, count| Some(sum.unwrap_or(0).saturating_add(count)))
}

fn link(line: &Value, is_message: bool) -> Link {
    let owned = |key| filled(line, key).map(str::to_owned);
    let is_compaction = text(line, "subtype") == Some("compact_boundary");
    Link {
        uuid: owned("uuid"),
        parent: owned("parentUuid").or_else(|| owned("logicalParentUuid")),
        session: owned("sessionId"),
        is_forked: at(line, &["forkedFrom"]).is_some(),
        // What follows a compaction hangs on it, so it must not be lost from the way back.
        is_message: is_message || is_compaction,
        turn: None,
        time: time(line, "timestamp"),
    }
}

/// These words ask the model for a response: the client writes its own into the same kind of line.
fn is_prompt(line: &Value, words: &str) -> bool {
    let is_flagged = ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"]
        .iter()
        .any(|key| flag(line, key) == Some(true));
    let words = words.trim_start();
    let is_command = words.starts_with("<local-command-")
        || words.starts_with("<bash-")
        || words.starts_with("Caveat: The messages below were generated by the user")
        || ["/clear", "/exit", "/quit", "/compact", "/model", "/cost", "/help"]
            .iter()
            .any(|name| words.contains(&format!("<command-name>{name}</command-name>")));
    !is_flagged && !is_command
}

/// What a value is, in words.
fn shape(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
