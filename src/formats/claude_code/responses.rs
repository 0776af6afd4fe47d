//! Responses that are logged in pieces become turns (`formats-other.md` §6): lines of one `message.id` are one response,
//! whether each adds a block or repeats what stood before; the last usage counts. Results find their call by its id.

use super::result;
use crate::formats::json::lenient::{content, filled, list, text, whole};
use crate::formats::tools;
use crate::model::quality_reason::{ARGUMENTS, UNKNOWN_TOOL};
use crate::model::{Call, CallKind, Operation, Origin, Quality, Turn};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// One response.
pub struct Response {
    /// The turn; its texts are joined at the end.
    pub turn: Turn,
    /// Model that wrote it.
    pub model: Option<String>,
    /// Why it ended; null on most lines.
    pub stop: Option<String>,
    texts: Vec<String>,
    thoughts: Vec<String>,
}

/// Responses of one conversation, in the order of their first lines.
#[derive(Default)]
pub struct Responses {
    list: Vec<Response>,
    by_key: HashMap<String, usize>,
    /// Turn and call of each call's id.
    calls: HashMap<String, (usize, usize)>,
    /// Turn and call of each start of a sub-agent, and the turn that told one these words.
    starts: Vec<(usize, usize)>,
    told: HashMap<String, usize>,
}

impl Responses {
    /// Takes a line of a response; gives its turn.
    pub fn take(&mut self, key: &str, message: &Value, at: Option<i64>, cwd: Option<&str>) -> usize {
        let next = self.list.len();
        let turn = *self.by_key.entry(key.to_owned()).or_insert(next);
        if turn == next {
            self.list.push(Response {
                turn: Turn::new(""),
                model: None,
                stop: None,
                texts: Vec::new(),
                thoughts: Vec::new(),
            });
        }
        let Some(response) = self.list.get_mut(turn) else { return turn };
        response.turn.logged_at = response.turn.logged_at.or(at);
        response.model = response.model.take().or_else(|| filled(message, "model").map(str::to_owned));
        response.stop = filled(message, "stop_reason").map(str::to_owned).or(response.stop.take());
        if let Some(usage) = message.get("usage").filter(|usage| usage.is_object()) {
            (response.turn.tokens_in, response.turn.tokens_out) =
                (prompt_tokens(usage), whole(usage, "output_tokens"));
        }
        if let Some(words) = text(message, "content") {
            add(&mut response.texts, words);
        }
        for block in list(message, "content") {
            self.block(turn, block, cwd);
        }
        turn
    }

    fn block(&mut self, turn: usize, block: &Value, cwd: Option<&str>) {
        let Some(response) = self.list.get_mut(turn) else { return };
        match text(block, "type") {
            Some("text") => add(&mut response.texts, text(block, "text").unwrap_or_default()),
            Some("thinking") => add(&mut response.thoughts, text(block, "thinking").unwrap_or_default()),
            Some("tool_use" | "server_tool_use" | "mcp_tool_use") => {
                let call = call(block, cwd);
                // Hosts behind other interfaces give the same ids in every response: only its own are repeated.
                let known = filled(block, "id").and_then(|id| self.calls.get(id).copied());
                match known.filter(|(known, _)| *known == turn) {
                    // A line that repeats the response: its input may have grown, its result is kept.
                    Some((turn, place)) => {
                        let old = self.list.get_mut(turn).and_then(|old| old.turn.calls.get_mut(place));
                        if let Some(old) =
                            old.filter(|old| old.observation.is_none() && call.input.len() > old.input.len())
                        {
                            *old = call;
                        }
                    }
                    None => {
                        if let Some(id) = filled(block, "id") {
                            self.calls.insert(id.to_owned(), (turn, response.turn.calls.len()));
                        }
                        if call.operation == Some(Operation::Delegate) {
                            self.starts.push((turn, response.turn.calls.len()));
                            let prompt = block.get("input").and_then(|input| filled(input, "prompt"));
                            self.told.extend(prompt.map(|prompt| (prompt.to_owned(), turn)));
                        }
                        response.turn.calls.push(call);
                    }
                }
            }
            // What the model's own host ran comes back within the response.
            Some(kind) if kind.ends_with("_tool_result") => {
                self.result(block, None);
            }
            _ => {}
        }
    }

    /// Takes the result of a call, with what the program notes beside it; false where no such call is known.
    pub fn result(&mut self, block: &Value, beside: Option<&Value>) -> bool {
        let found = filled(block, "tool_use_id").and_then(|id| self.calls.get(id).copied());
        let call = found.and_then(|(turn, place)| self.list.get_mut(turn)?.turn.calls.get_mut(place));
        call.map(|call| result::see(call, block, beside)).is_some()
    }

    /// The turn of a call.
    pub fn turn_of_call(&self, id: &str) -> Option<usize> {
        self.calls.get(id).map(|(turn, _)| *turn)
    }

    /// The turn that told a sub-agent these words, else the only one that waits for a sub-agent.
    pub fn turn_that_started(&self, words: Option<&str>) -> Option<usize> {
        if let Some(turn) = words.and_then(|words| self.told.get(words)) {
            return Some(*turn);
        }
        let call = |(turn, place): &(usize, usize)| self.list.get(*turn)?.turn.calls.get(*place);
        let waits = |start: &&(usize, usize)| call(start).is_some_and(|call| call.is_error.is_none());
        let mut turns = self.starts.iter().filter(waits).map(|(turn, _)| *turn);
        let first = turns.next()?;
        turns.all(|turn| turn == first).then_some(first)
    }

    /// The last response.
    pub fn last(&self) -> Option<&Response> {
        self.list.last()
    }

    /// Marks a turn as no work of this run.
    pub fn set_origin(&mut self, turn: usize, origin: Origin) {
        if let Some(response) = self.list.get_mut(turn) {
            response.turn.origin = origin;
        }
    }

    /// The model of most responses, the earlier one of two that wrote as many.
    pub fn model(&self) -> Option<String> {
        let mut counts: BTreeMap<&str, (usize, std::cmp::Reverse<usize>)> = BTreeMap::new();
        for (place, response) in self.list.iter().enumerate() {
            if let Some(model) = &response.model {
                counts.entry(model).or_insert((0, std::cmp::Reverse(place))).0 += 1;
            }
        }
        counts.into_iter().max_by_key(|(_, count)| *count).map(|(model, _)| model.to_owned())
    }

    /// The turns.
    pub fn into_turns(self) -> Vec<Turn> {
        let turns = self.list.into_iter().map(|mut response| {
            response.turn.text = response.texts.join("\n");
            response.turn.reasoning = (!response.thoughts.is_empty()).then(|| response.thoughts.join("\n"));
            response.turn
        });
        turns.collect()
    }
}

/// Prompt tokens, those from the cache included.
pub fn prompt_tokens(usage: &Value) -> Option<i64> {
    let counts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
        .map(|key| whole(usage, key));
    counts.iter().any(Option::is_some).then(|| counts.into_iter().flatten().fold(0, i64::saturating_add))
}

/// Adds a text, or puts the longer one in the place of its beginning: some lines repeat the response as far as it goes.
fn add(texts: &mut Vec<String>, new: &str) {
    if new.is_empty() {
        return;
    }
    match texts.iter_mut().find(|old| new.starts_with(old.as_str())) {
        Some(old) => *old = new.to_owned(),
        None => texts.push(new.to_owned()),
    }
}

fn call(block: &Value, cwd: Option<&str>) -> Call {
    let name = text(block, "name").unwrap_or_default();
    let mut call = match tools::arguments(block.get("input")) {
        Ok(arguments) => tools::call(name, &arguments),
        Err(raw) => {
            let mut call = Call::new(name, CallKind::Tool, raw);
            call.quality = Quality::Parsable;
            call.quality_reason = Some(ARGUMENTS);
            call
        }
    };
    if name.is_empty() {
        call.quality = Quality::Parsable;
        call.quality_reason = Some(UNKNOWN_TOOL);
    }
    call.cwd = call.cwd.or_else(|| cwd.map(str::to_owned));
    call
}

/// The texts of a message that are no results.
pub fn said(message: &Value) -> Option<String> {
    let blocks = list(message, "content");
    if blocks.is_empty() {
        return text(message, "content").map(str::to_owned);
    }
    let texts: Vec<String> = blocks
        .iter()
        .filter(|block| text(block, "type").is_none_or(|kind| kind == "text"))
        .filter_map(|block| content(Some(block)))
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The results in a message.
pub fn results(message: &Value) -> impl Iterator<Item = &Value> {
    list(message, "content").iter().filter(|block| text(block, "type") == Some("tool_result"))
}
