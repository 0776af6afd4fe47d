//! Turn lines as a trajectory with its marks.

use super::escape::{MARKS, RESULT, plain, split};
use super::{Example, Mark, ParseError, RunMark, facts, operation};
use crate::model::{
    Call, CallKind, ObservationState, Origin, Quality, Refusal, Trajectory, Turn, quality_reason,
};

/// Reads turn lines.
pub fn parse(text: &str) -> Result<Example, ParseError> {
    let mut parser = Parser::new();
    let mut lines = Vec::new();
    // Facts come first whatever their place: what a line means may depend on them, and they beat what turns imply.
    let facts: Vec<_> = numbered(text).filter(|(_, line)| line.starts_with('@')).collect();
    for (number, fact) in &facts {
        at(*number, facts::set(&mut parser.trajectory, fact[1..].trim()))?;
    }
    for (number, line) in numbered(text).filter(|(_, line)| !line.starts_with('@')) {
        at(number, parser.line(line))?;
        if parser.trajectory.turns.len() > lines.len() {
            lines.push(number);
        }
    }
    facts::derive(&parser.trajectory).apply(&mut parser.trajectory);
    for (number, fact) in facts.iter().filter(|(_, fact)| !fact[1..].trim().starts_with("refused ")) {
        at(*number, facts::set(&mut parser.trajectory, fact[1..].trim()))?;
    }
    Ok(Example { trajectory: parser.trajectory, lines, marks: parser.marks, run_marks: parser.run_marks })
}

/// Lines with their number, without blank ones and comments.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(place, line)| (place + 1, line.trim_start()));
    lines.filter(|(_, line)| !line.trim().is_empty() && *line != "#" && !line.starts_with("# "))
}

fn at<T>(line: usize, result: Result<T, String>) -> Result<T, ParseError> {
    result.map_err(|what| ParseError { line, what })
}

struct Parser {
    trajectory: Trajectory,
    marks: Vec<Mark>,
    run_marks: Vec<RunMark>,
    cwd: Option<String>,
    open_file: Option<String>,
    diff: Option<blake3::Hash>,
}

impl Parser {
    fn new() -> Parser {
        Parser {
            trajectory: Trajectory::new(super::FORMAT, super::FORMAT),
            marks: Vec::new(),
            run_marks: Vec::new(),
            cwd: None,
            open_file: None,
            diff: None,
        }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(marks) = line.strip_prefix(MARKS) {
            return self.run_marks(marks.trim());
        }
        let (line, marks) = marked(line);
        match line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest)) {
            ("|", text) => self.last_turn()?.text = plain(text),
            ("~", text) => self.last_turn()?.reasoning = Some(plain(text)),
            ("+", rest) => self.further_call(rest)?,
            ("refused", "") => {
                let before_turn = Some(self.trajectory.turns.len());
                self.trajectory.refusals.push(Refusal { before_turn });
            }
            _ => self.turn(line)?,
        }
        self.mark(line, marks)
    }

    fn turn(&mut self, line: &str) -> Result<(), String> {
        let (words, rest) = bracketed(line)?;
        let mut turn = Turn::new("");
        let (verb, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let quality = match verb {
            "say" => Some(Quality::None),
            "unparsable" => Some(Quality::Unparsable),
            "parsable" => Some(Quality::Parsable),
            _ => None,
        };
        if let Some(quality) = quality {
            turn.text = plain(text);
            turn.quality_without_call = quality;
            turn.accepted = quality != Quality::Unparsable;
        } else {
            turn.calls.push(call(&self.trajectory, rest)?);
        }
        for word in words {
            if !self.set_turn(&word, &mut turn)? && !self.set_call(&word, &mut turn)? {
                return Err(format!("`{word}` is no attribute of a {}", call_or_turn(&turn)));
            }
        }
        self.place(turn.calls.first_mut());
        turn.diff_after = self.diff;
        self.trajectory.turns.push(turn);
        Ok(())
    }

    fn further_call(&mut self, line: &str) -> Result<(), String> {
        let (words, rest) = bracketed(line.trim_start())?;
        let mut holder = Turn::new("");
        holder.calls.push(call(&self.trajectory, rest)?);
        for word in words {
            if !self.set_call(&word, &mut holder)? {
                return Err(format!("`{word}` is no attribute of a call"));
            }
        }
        self.place(holder.calls.first_mut());
        self.last_turn()?.calls.append(&mut holder.calls);
        Ok(())
    }

    fn last_turn(&mut self) -> Result<&mut Turn, String> {
        self.trajectory.turns.last_mut().ok_or_else(|| "no turn stands before it".to_owned())
    }

    fn place(&self, call: Option<&mut Call>) {
        if let Some(call) = call {
            call.cwd.clone_from(&self.cwd);
            call.open_file.clone_from(&self.open_file);
        }
    }

    /// Takes an attribute of a turn; false where it is none.
    fn set_turn(&mut self, word: &str, turn: &mut Turn) -> Result<bool, String> {
        let origin = [Origin::Prefix, Origin::Demo, Origin::Copied, Origin::Abandoned]
            .into_iter()
            .find(|origin| origin.as_str() == word);
        if let Some(origin) = origin {
            turn.origin = origin;
            return Ok(true);
        }
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let number = || value.parse::<i64>().map(Some).map_err(|_| format!("`{word}` needs a whole number"));
        match key {
            "rejected" => turn.accepted = false,
            "accepted" => turn.accepted = true,
            "in" => turn.tokens_in = number()?,
            "out" => turn.tokens_out = number()?,
            "at" => turn.logged_at = number()?,
            "diff" => self.diff = digest(value),
            "reason" if turn.calls.is_empty() => turn.quality_reason = Some(reason(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes an attribute of the turn's only call; false where it is none.
    fn set_call(&mut self, word: &str, turn: &mut Turn) -> Result<bool, String> {
        let Some(call) = turn.calls.first_mut() else { return Ok(false) };
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match key {
            "parsable" => call.quality = Quality::Parsable,
            "unparsable" => call.quality = Quality::Unparsable,
            "reason" => call.quality_reason = Some(reason(value)?),
            "ms" => {
                call.duration_ms = Some(value.parse().map_err(|_| format!("`{word}` needs a whole number"))?);
            }
            "cwd" => self.cwd = known(value),
            "open" => self.open_file = known(value),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn mark(&mut self, line: &str, marks: &str) -> Result<(), String> {
        if marks.is_empty() {
            return Ok(());
        }
        let turn = self.trajectory.turns.len().checked_sub(1).ok_or("no turn to mark stands before it")?;
        let call = line.starts_with('+').then(|| self.trajectory.turns[turn].calls.len() - 1);
        for mark in marks.split_whitespace() {
            let (label, value) =
                mark.split_once('=').map_or((mark, None), |(label, value)| (label, Some(value)));
            let (label, value) = (label.to_owned(), value.map(str::to_owned));
            self.marks.push(Mark { turn, call, label, value });
        }
        Ok(())
    }

    fn run_marks(&mut self, marks: &str) -> Result<(), String> {
        let marks = marks.strip_prefix("run:").ok_or("marks without a turn must begin with `#! run:`")?;
        for mark in marks.split(',').map(str::trim) {
            let (label, value) = mark.split_once(' ').unwrap_or((mark, ""));
            self.run_marks.push(RunMark { label: label.to_owned(), value: value.trim().to_owned() });
        }
        Ok(())
    }
}

fn call_or_turn(turn: &Turn) -> &'static str {
    if turn.calls.is_empty() { "turn without a call" } else { "turn or call" }
}

/// The line without its marks.
fn marked(line: &str) -> (&str, &str) {
    // The last one counts: a text may hold the sign without blanks before it, as a shebang does.
    let found = line
        .match_indices(MARKS)
        .filter(|(place, _)| line[..*place].ends_with("  ") && line[place + MARKS.len()..].starts_with(' '));
    match found.last() {
        Some((place, _)) => (line[..place].trim_end_matches(' '), line[place + MARKS.len()..].trim()),
        None => (line.trim_end_matches(' '), ""),
    }
}

/// Attributes and what follows them.
fn bracketed(line: &str) -> Result<(Vec<String>, &str), String> {
    let Some(rest) = line.strip_prefix('[') else { return Ok((Vec::new(), line)) };
    let (words, rest) = rest.split_once(']').ok_or("`[` without `]`")?;
    Ok((words.split(',').map(|word| plain(word.trim())).collect(), rest.trim_start()))
}

fn call(trajectory: &Trajectory, line: &str) -> Result<Call, String> {
    let (head, result) = match split(line, &format!(" {RESULT} ")) {
        Some((head, result)) => (head, Some(result)),
        None => (line, None),
    };
    let (verb, operand) = head.split_once(' ').unwrap_or((head, ""));
    let (verb, name) = verb.split_once('@').map_or((verb, None), |(verb, name)| (verb, Some(plain(name))));
    let mut call = if verb == "run" {
        let input = plain(operand);
        Call::new(trajectory.commands.tool(&input), CallKind::Shell, input)
    } else {
        let usual = operation::usual_tool(verb);
        let tool =
            usual.ok_or_else(|| format!("`{verb}` is no verb of turn lines; see model/turn_lines.rs"))?;
        let mut call = Call::new(tool, CallKind::Tool, plain(operand));
        call.operation = operation::parse(verb, operand)?;
        call
    };
    if let Some(name) = name {
        call.tool = name;
    }
    if let Some(result) = result {
        set_result(&mut call, result)?;
    }
    Ok(call)
}

fn set_result(call: &mut Call, result: &str) -> Result<(), String> {
    let (status, text) = match result.split_once(": ") {
        Some((status, text)) => (status, text),
        None => (result.trim_end_matches(':'), ""),
    };
    call.observation = Some(plain(text));
    call.observation_state = ObservationState::Full;
    for word in status.split_whitespace() {
        match word {
            "?" => {}
            "ok" => call.is_error = Some(false),
            "error" => call.is_error = Some(true),
            "cut" => call.observation_state = ObservationState::Cut,
            "shared" => call.observation_state = ObservationState::Shared,
            "missing" => {
                call.observation_state = ObservationState::Missing;
                call.observation = None;
            }
            "timeout" => call.timed_out = true,
            code => {
                let code = code.parse().map_err(|_| {
                    format!("`{code}` is no exit code, `?`, `ok`, `error`, `cut`, `shared` or `timeout`")
                })?;
                call.exit_code = Some(code);
            }
        }
    }
    Ok(())
}

fn reason(value: &str) -> Result<&'static str, String> {
    quality_reason::parse(value).ok_or_else(|| format!("`{value}` is no reason of model/quality_reason.rs"))
}

fn known(value: &str) -> Option<String> {
    (value != "?").then(|| value.to_owned())
}

/// A digest by its hex digits; any other name stands for a digest of its own.
fn digest(value: &str) -> Option<blake3::Hash> {
    known(value).map(|name| blake3::Hash::from_hex(&name).unwrap_or_else(|_| blake3::hash(name.as_bytes())))
}
