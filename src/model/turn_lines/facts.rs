//! Facts of the run: the lines that begin with `@`, printed where they differ from what a parser derives.

use super::escape::{MARKS, line, name, plain};
use crate::model::{CommandSet, Operation, PatchState, Refusal, Termination, Trajectory};

/// What the turns alone say of the run: a parser begins with it, a printer prints only what differs.
pub struct Derived {
    termination: Termination,
    submitting_turn: Option<usize>,
    patch_state: PatchState,
    logs_exit_codes: bool,
}

/// Reads the end off the last turn.
pub fn derive(trajectory: &Trajectory) -> Derived {
    let last = trajectory.turns.len().checked_sub(1);
    let submitting_turn = last.filter(|turn| {
        let calls = &trajectory.turns[*turn].calls;
        calls.iter().any(|call| call.operation == Some(Operation::Submit) && call.is_error != Some(true))
    });
    let mut calls = trajectory.turns.iter().flat_map(|turn| &turn.calls);
    let (termination, patch_state) = match submitting_turn {
        Some(_) => (Termination::Submitted, PatchState::Nonempty),
        None => (Termination::Unknown, PatchState::Missing),
    };
    let logs_exit_codes = calls.any(|call| call.exit_code.is_some());
    Derived { termination, submitting_turn, patch_state, logs_exit_codes }
}

impl Derived {
    /// Writes it into the trajectory.
    pub fn apply(self, trajectory: &mut Trajectory) {
        trajectory.termination = self.termination;
        trajectory.submitting_turn = self.submitting_turn;
        trajectory.patch_state = self.patch_state;
        trajectory.logs_exit_codes = self.logs_exit_codes;
    }
}

/// The lines of facts.
pub fn print(trajectory: &Trajectory) -> Vec<String> {
    let derived = derive(trajectory);
    let mut out = Vec::new();
    let mut say = |key: &str, value: String| {
        out.push(if value.is_empty() { format!("@ {key}") } else { format!("@ {key} {value}") })
    };
    if trajectory.scaffold != super::FORMAT || trajectory.scaffold_version.is_some() {
        let version = trajectory.scaffold_version.as_deref().map(|version| format!(" {}", name(version)));
        say("scaffold", name(&trajectory.scaffold) + &version.unwrap_or_default());
    }
    if trajectory.commands == CommandSet::SweAgent {
        say("commands", "swe-agent".to_owned());
    }
    for (key, text) in texts(trajectory) {
        if let Some(text) = text {
            say(key, line(text, &[MARKS]));
        }
    }
    for (key, number) in numbers(trajectory) {
        if let Some(number) = number {
            say(key, number.to_string());
        }
    }
    if let Some(cost) = trajectory.cost_usd {
        say("cost", cost.to_string());
    }
    let counted = trajectory.refusals.iter().filter(|refusal| refusal.before_turn.is_none()).count();
    if counted > 0 {
        say("refused", counted.to_string());
    }
    if trajectory.termination != derived.termination || trajectory.auto_submitted {
        let auto = if trajectory.auto_submitted { " auto" } else { "" };
        say("end", format!("{}{auto}", trajectory.termination.as_str()));
    }
    if trajectory.submitting_turn != derived.submitting_turn {
        say("submitting-turn", trajectory.submitting_turn.map_or("none".to_owned(), |turn| turn.to_string()));
    }
    if trajectory.patch_state != derived.patch_state {
        say("patch", trajectory.patch_state.as_str().to_owned());
    }
    for (key, is_said) in [
        ("no-log", !trajectory.has_log),
        ("no-turn-boundaries", !trajectory.has_turn_boundaries),
        ("cannot-submit", !trajectory.can_submit),
        ("exit-codes", trajectory.logs_exit_codes && !derived.logs_exit_codes),
        ("no-exit-codes", !trajectory.logs_exit_codes && derived.logs_exit_codes),
    ] {
        if is_said {
            say(key, String::new());
        }
    }
    out
}

fn texts(trajectory: &Trajectory) -> [(&'static str, Option<&str>); 7] {
    [
        ("model", trajectory.model.as_deref()),
        ("instance", trajectory.instance_id.as_deref()),
        ("system", trajectory.system.as_deref()),
        ("task", trajectory.task.as_deref()),
        ("root", trajectory.repository_root.as_deref()),
        ("status", trajectory.raw_exit_status.as_deref()),
        ("patch-text", trajectory.patch.as_deref()),
    ]
}

fn numbers(trajectory: &Trajectory) -> [(&'static str, Option<i64>); 8] {
    [
        ("run", trajectory.run),
        ("steps", trajectory.steps),
        ("api-calls", trajectory.api_calls),
        ("in", trajectory.tokens_in),
        ("out", trajectory.tokens_out),
        ("started", trajectory.started_at),
        ("ended", trajectory.ended_at),
        ("train-step", trajectory.train_step),
    ]
}

/// Takes a fact in; `Err` says what is odd about it.
pub fn set(trajectory: &mut Trajectory, fact: &str) -> Result<(), String> {
    let (key, value) = fact.split_once(' ').unwrap_or((fact, ""));
    let text = Some(plain(value));
    let number = || value.parse::<i64>().map(Some).map_err(|_| format!("`{value}` is no whole number"));
    match key {
        "scaffold" => {
            let (name, version) =
                value.split_once(' ').map_or((value, None), |(name, rest)| (name, Some(rest)));
            trajectory.scaffold = plain(name);
            trajectory.scaffold_version = version.map(plain);
        }
        "commands" if value == "swe-agent" => trajectory.commands = CommandSet::SweAgent,
        "commands" if value == "plain" => trajectory.commands = CommandSet::Plain,
        "model" => trajectory.model = text,
        "instance" => trajectory.instance_id = text,
        "system" => trajectory.system = text,
        "task" => trajectory.task = text,
        "root" => trajectory.repository_root = text,
        "status" => trajectory.raw_exit_status = text,
        "patch-text" => trajectory.patch = text,
        "run" => trajectory.run = number()?,
        "steps" => trajectory.steps = number()?,
        "api-calls" => trajectory.api_calls = number()?,
        "in" => trajectory.tokens_in = number()?,
        "out" => trajectory.tokens_out = number()?,
        "started" => trajectory.started_at = number()?,
        "ended" => trajectory.ended_at = number()?,
        "train-step" => trajectory.train_step = number()?,
        "cost" => {
            trajectory.cost_usd = Some(value.parse().map_err(|_| format!("`{value}` is no number"))?);
        }
        "refused" => {
            let count = value.parse::<usize>().map_err(|_| format!("`{value}` is no count"))?;
            trajectory.refusals.extend(std::iter::repeat_n(Refusal { before_turn: None }, count));
        }
        "end" => set_end(trajectory, value)?,
        "submitting-turn" if value == "none" => trajectory.submitting_turn = None,
        "submitting-turn" => {
            trajectory.submitting_turn =
                Some(value.parse().map_err(|_| format!("`{value}` is no turn's number"))?);
        }
        "patch" => trajectory.patch_state = patch_state(value)?,
        "no-log" => trajectory.has_log = false,
        "no-turn-boundaries" => trajectory.has_turn_boundaries = false,
        "cannot-submit" => trajectory.can_submit = false,
        "exit-codes" => trajectory.logs_exit_codes = true,
        "no-exit-codes" => trajectory.logs_exit_codes = false,
        _ => return Err(format!("`@ {key}` is no fact of a run; see the list in model/turn_lines.rs")),
    }
    Ok(())
}

fn set_end(trajectory: &mut Trajectory, value: &str) -> Result<(), String> {
    let (word, auto) = value.split_once(' ').unwrap_or((value, ""));
    trajectory.termination = Termination::parse(word).ok_or_else(|| format!("`{word}` is no end"))?;
    trajectory.auto_submitted = match auto {
        "" => false,
        "auto" => true,
        _ => return Err(format!("`{auto}` after an end: only `auto` may follow")),
    };
    Ok(())
}

fn patch_state(value: &str) -> Result<PatchState, String> {
    [PatchState::Nonempty, PatchState::Empty, PatchState::Foreign, PatchState::Missing]
        .into_iter()
        .find(|state| state.as_str() == value)
        .ok_or_else(|| format!("`{value}` is no state of a patch"))
}
