//! A trajectory as turn lines.

use super::escape::{MARKS, RESULT, attribute, line, name, shorten};
use super::{facts, operation};
use crate::model::{Call, CallKind, CommandSet, ObservationState, Origin, Quality, Trajectory, Turn};

/// The whole trajectory. With a limit (bytes a text) it is for a person: long text is cut, and sizes, times and digests
/// are left out; without one `parse` gives all of it back.
pub fn print(trajectory: &Trajectory, limit: Option<usize>) -> String {
    print_marked(trajectory, limit, |_| String::new())
}

/// The same with marks: what `marks` gives for a turn is written behind `#!`; empty for none.
pub fn print_marked(
    trajectory: &Trajectory,
    limit: Option<usize>,
    marks: impl Fn(usize) -> String,
) -> String {
    let Parts { facts, turns, end } = print_parts(trajectory, limit, marks);
    [facts, turns.concat(), end].concat()
}

/// The lines of a trajectory, apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Facts of the run.
    pub facts: String,
    /// Lines of each turn, refusals before it among them.
    pub turns: Vec<String>,
    /// Refusals behind the last turn.
    pub end: String,
}

/// The lines with marks, turn by turn, for who sets something between them.
pub fn print_parts(trajectory: &Trajectory, limit: Option<usize>, marks: impl Fn(usize) -> String) -> Parts {
    let mut printer = Printer { commands: trajectory.commands, limit, sticky: Sticky::default() };
    let facts = facts::print(trajectory).iter().map(|fact| shorten(fact, limit) + "\n").collect();
    let refused_before = |place| {
        let refused = trajectory.refusals.iter().filter(|refusal| refusal.before_turn == Some(place));
        "refused\n".repeat(refused.count())
    };
    let turns = trajectory.turns.iter().enumerate().map(|(place, turn)| {
        let mut lines = printer.turn(turn);
        let marks = marks(place);
        if let Some(first) = lines.first_mut().filter(|_| !marks.is_empty()) {
            first.push_str(&format!("   {MARKS} {marks}"));
        }
        format!("{}{}\n", refused_before(place), lines.join("\n"))
    });
    Parts { facts, turns: turns.collect(), end: refused_before(trajectory.turns.len()) }
}

/// What holds until the next of its kind.
#[derive(Default)]
struct Sticky {
    cwd: Option<String>,
    open_file: Option<String>,
    diff: Option<blake3::Hash>,
}

struct Printer {
    commands: CommandSet,
    limit: Option<usize>,
    sticky: Sticky,
}

impl Printer {
    /// Lines of a turn: its first call, or what it says; text and reasoning; further calls.
    fn turn(&mut self, turn: &Turn) -> Vec<String> {
        let mut words = turn_words(turn);
        if self.limit.is_none() {
            words.extend(sizes(turn));
            if turn.diff_after != self.sticky.diff {
                words.push(
                    turn.diff_after.map_or("diff=?".to_owned(), |hash| format!("diff={}", hash.to_hex())),
                );
                self.sticky.diff = turn.diff_after;
            }
        }
        let Some(first) = turn.calls.first() else {
            return self.with_reasoning(turn, self.without_call(turn, words));
        };
        words.extend(self.call_words(first));
        let mut lines = vec![format!("{}{}", brackets(&words), self.call(first))];
        if !turn.text.is_empty() {
            lines.push(format!("| {}", self.text(&turn.text, &[MARKS])));
        }
        lines = self.with_reasoning(turn, lines);
        for call in &turn.calls[1..] {
            let words = self.call_words(call);
            lines.push(format!("+ {}{}", brackets(&words), self.call(call)));
        }
        lines
    }

    fn without_call(&self, turn: &Turn, mut words: Vec<String>) -> Vec<String> {
        if let Some(reason) = turn.quality_reason {
            words.push(format!("reason={}", attribute(reason)));
        }
        let verb = match turn.quality_without_call {
            Quality::Unparsable => "unparsable",
            Quality::Parsable => "parsable",
            Quality::Valid | Quality::None => "say",
        };
        let text = self.text(&turn.text, &[MARKS]);
        vec![format!("{}{verb} {text}", brackets(&words)).trim_end().to_owned()]
    }

    fn with_reasoning(&self, turn: &Turn, mut lines: Vec<String>) -> Vec<String> {
        if let Some(reasoning) = &turn.reasoning {
            lines.push(format!("~ {}", self.text(reasoning, &[MARKS])));
        }
        lines
    }

    fn call(&self, call: &Call) -> String {
        let (verb, tool, operand) = match call.kind {
            CallKind::Shell => {
                ("run", self.commands.tool(&call.input), self.text(&call.input, &[RESULT, MARKS]))
            }
            CallKind::Tool => {
                let (verb, operand) = operation::print(call.operation.as_ref(), &call.tool, &call.input);
                (verb, operation::usual_tool(verb).unwrap_or_default(), shorten(&operand, self.limit))
            }
        };
        let given = if tool == call.tool { String::new() } else { format!("@{}", name(&call.tool)) };
        let head = format!("{verb}{given} {operand}");
        format!("{}{}", head.trim_end_matches(' '), self.result(call))
    }

    fn result(&self, call: &Call) -> String {
        let is_known = call.exit_code.is_some() || call.is_error.is_some() || call.timed_out;
        if call.observation_state == ObservationState::Missing && call.observation.is_none() && !is_known {
            return String::new();
        }
        let mut words: Vec<String> = Vec::new();
        words.push(match (call.exit_code, call.is_error) {
            (Some(code), _) => code.to_string(),
            (None, Some(true)) => "error".to_owned(),
            (None, Some(false)) => "ok".to_owned(),
            (None, None) => "?".to_owned(),
        });
        if let (Some(_), Some(is_error)) = (call.exit_code, call.is_error) {
            words.push(if is_error { "error" } else { "ok" }.to_owned());
        }
        match call.observation_state {
            ObservationState::Full => {}
            state => words.push(state.as_str().to_owned()),
        }
        if call.timed_out {
            words.push("timeout".to_owned());
        }
        let text = call.observation.as_deref().unwrap_or_default();
        let text = if text.is_empty() { String::new() } else { format!(": {}", self.text(text, &[MARKS])) };
        format!(" {RESULT} {}{text}", words.join(" "))
    }

    fn call_words(&mut self, call: &Call) -> Vec<String> {
        let mut words = Vec::new();
        match call.quality {
            Quality::Valid => {}
            quality => words.push(quality.as_str().to_owned()),
        }
        if let Some(reason) = call.quality_reason {
            words.push(format!("reason={}", attribute(reason)));
        }
        if let (Some(duration), None) = (call.duration_ms, self.limit) {
            words.push(format!("ms={duration}"));
        }
        words.extend(changed("cwd", &mut self.sticky.cwd, &call.cwd));
        words.extend(changed("open", &mut self.sticky.open_file, &call.open_file));
        words
    }

    fn text(&self, text: &str, signs: &[&str]) -> String {
        line(&shorten(text, self.limit), signs)
    }
}

fn changed(key: &str, held: &mut Option<String>, now: &Option<String>) -> Option<String> {
    if held == now {
        return None;
    }
    held.clone_from(now);
    Some(format!("{key}={}", now.as_deref().map_or("?".to_owned(), attribute)))
}

fn turn_words(turn: &Turn) -> Vec<String> {
    let mut words = Vec::new();
    if turn.origin != Origin::Model {
        words.push(turn.origin.as_str().to_owned());
    }
    // Of a response without an action a refusal is the rule, of the others the exception.
    let expected = !(turn.calls.is_empty() && turn.quality_without_call == Quality::Unparsable);
    if turn.accepted != expected {
        words.push(if turn.accepted { "accepted" } else { "rejected" }.to_owned());
    }
    words
}

fn sizes(turn: &Turn) -> Vec<String> {
    [("in", turn.tokens_in), ("out", turn.tokens_out), ("at", turn.logged_at)]
        .into_iter()
        .filter_map(|(key, number)| Some(format!("{key}={}", number?)))
        .collect()
}

fn brackets(words: &[String]) -> String {
    if words.is_empty() { String::new() } else { format!("[{}] ", words.join(", ")) }
}
