//! A log as rows: turns, calls and texts as soon as it is read, its row of `trajectories` at the end of ingest, when
//! its key is settled. `logs` reads the same rows back into the same log; a test holds the two together.

use super::error::StoreError;
use super::rows::TableWriter;
use super::writer::StoreWriter;
use crate::model::{
    Call, CommandSet, InstanceSource, Operation, Origin, RunKey, RunSource, TaskKind, Trajectory, Turn,
};

/// What is kept of a log once its turns and texts are written.
#[derive(Clone, Debug, PartialEq)]
pub struct LogHead {
    /// The log without turns, refusals and texts. `patch_state` may still be settled by facts.
    pub log: Trajectory,
    /// Turns of all origins.
    pub n_turns: usize,
    /// Turns of the model.
    pub n_model_turns: usize,
    /// Turns copied from a reference trajectory.
    pub n_prefix_turns: usize,
    /// Calls of model turns.
    pub n_calls: usize,
    /// Refusals without a response.
    pub n_refused_unsaved: usize,
    /// Those of them that lie after the last turn.
    pub n_refused_at_end: usize,
}

impl LogHead {
    /// Takes the head and drops the rest.
    pub fn of(mut log: Trajectory) -> LogHead {
        let n_turns = log.turns.len();
        let of_origin = |origin| log.turns.iter().filter(|turn| turn.origin == origin).count();
        let (n_model_turns, n_prefix_turns) = (of_origin(Origin::Model), of_origin(Origin::Prefix));
        let n_calls = log.model_turns().map(|(_, turn)| turn.calls.len()).sum();
        let at_end = |before: Option<usize>| before.is_some_and(|turn| turn >= n_turns);
        let n_refused_at_end = log.refusals.iter().filter(|refusal| at_end(refusal.before_turn)).count();
        let n_refused_unsaved = log.refusals.len();
        (log.turns, log.refusals) = (Vec::new(), Vec::new());
        (log.system, log.task, log.patch) = (None, None, None);
        LogHead { log, n_turns, n_model_turns, n_prefix_turns, n_calls, n_refused_unsaved, n_refused_at_end }
    }
}

/// A row of `trajectories`.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// Trajectory.
    pub id: String,
    /// The run whose log it is.
    pub key: RunKey,
    /// Where the run number comes from.
    pub run_source: RunSource,
    /// Where the instance id comes from.
    pub instance_source: InstanceSource,
    /// Where the benchmark comes from.
    pub benchmark_source: &'static str,
    /// File, as given joined with what lies below it.
    pub file: String,
    /// The log without turns and texts.
    pub head: LogHead,
    /// Trajectory that lives in its place.
    pub superseded_by: Option<String>,
    /// Trajectory whose sub-agent this is.
    pub parent_id: Option<String>,
    /// Turn of the parent that started it.
    pub parent_turn: Option<usize>,
    /// Its own id; for a sub-agent that of its topmost parent.
    pub root_id: String,
}

/// Writes turns, calls and texts of a log: `turns`, `calls`, `turn_text`, `call_text`, `task_text`, `patches`.
pub fn write_log(writer: &mut StoreWriter, id: &str, log: &Trajectory) -> Result<(), StoreError> {
    write_turns(writer.table("turns")?, id, log)?;
    write_turn_texts(writer.table("turn_text")?, id, log)?;
    write_calls(writer.table("calls")?, id, log)?;
    write_call_texts(writer.table("call_text")?, id, log)?;
    let (system, task) = (filled(&log.system), filled(&log.task));
    if system.is_some() || task.is_some() {
        let texts = writer.table("task_text")?;
        texts.row().text("trajectory_id", id).opt_text("system", system).opt_text("task", task).done()?;
    }
    if let Some(patch) = filled(&log.patch) {
        writer.table("patches")?.row().text("trajectory_id", id).text("patch", patch).done()?;
    }
    Ok(())
}

fn filled(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

fn write_turns(table: &mut TableWriter, id: &str, log: &Trajectory) -> Result<(), StoreError> {
    let mut model_turns = 0;
    for (index, turn) in log.turns.iter().enumerate() {
        let model_turn = (turn.origin == Origin::Model).then_some(model_turns);
        model_turns += usize::from(model_turn.is_some());
        let refused = log.refusals.iter().filter(|refusal| refusal.before_turn == Some(index)).count();
        let diff = turn.diff_after.map(|hash| hash.to_hex());
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", index)
            .opt_count("model_turn", model_turn)
            .text("origin", turn.origin.as_str())
            .flag("accepted", turn.accepted)
            .count("n_calls", turn.calls.len())
            .text("quality", turn.quality().as_str())
            .opt_text("quality_reason", turn.quality_reason())
            .count("n_refused_before", refused)
            .opt_int("tokens_in", turn.tokens_in)
            .opt_int("tokens_out", turn.tokens_out)
            .opt_time("logged_at", turn.logged_at)
            .count("text_bytes", turn.text.len())
            .opt_count("reasoning_bytes", turn.reasoning.as_ref().map(String::len))
            .opt_text("diff_after", diff.as_deref())
            .done()?;
    }
    Ok(())
}

fn write_turn_texts(table: &mut TableWriter, id: &str, log: &Trajectory) -> Result<(), StoreError> {
    let has_text = |turn: &Turn| !turn.text.is_empty() || filled(&turn.reasoning).is_some();
    for (index, turn) in log.turns.iter().enumerate().filter(|(_, turn)| has_text(turn)) {
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", index)
            .text("text", &turn.text)
            .opt_text("reasoning", turn.reasoning.as_deref())
            .done()?;
    }
    Ok(())
}

/// Calls of all turns with their places.
fn calls_of(log: &Trajectory) -> impl Iterator<Item = (usize, usize, &Call)> {
    log.turns
        .iter()
        .enumerate()
        .flat_map(|(turn, row)| row.calls.iter().enumerate().map(move |(call, row)| (turn, call, row)))
}

fn write_calls(table: &mut TableWriter, id: &str, log: &Trajectory) -> Result<(), StoreError> {
    for (turn, index, call) in calls_of(log) {
        let operation = call.operation.as_ref().map(OperationRow::of).unwrap_or_default();
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", turn)
            .count("call", index)
            .text("tool", &call.tool)
            .text("kind", call.kind.as_str())
            .text("quality", call.quality.as_str())
            .opt_text("quality_reason", call.quality_reason)
            .opt_text("operation", operation.name)
            .opt_text("path", operation.path)
            .opt_int("from_line", operation.lines.map(|lines| lines.0))
            .opt_int("to_line", operation.lines.map(|lines| lines.1))
            .opt_count("old_bytes", operation.old.map(str::len))
            .opt_count("new_bytes", operation.new.map(str::len))
            .opt_count("search_bytes", operation.search.map(str::len))
            .opt_text("cwd", call.cwd.as_deref())
            .opt_text("open_file", call.open_file.as_deref())
            .opt_int("exit_code", call.exit_code)
            .opt_flag("is_error", call.is_error)
            .flag("timed_out", call.timed_out)
            .text("observation_state", call.observation_state.as_str())
            .opt_count("observation_bytes", call.observation.as_ref().map(String::len))
            .opt_int("duration_ms", call.duration_ms)
            .done()?;
    }
    Ok(())
}

fn write_call_texts(table: &mut TableWriter, id: &str, log: &Trajectory) -> Result<(), StoreError> {
    for (turn, index, call) in calls_of(log) {
        let operation = call.operation.as_ref().map(OperationRow::of).unwrap_or_default();
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", turn)
            .count("call", index)
            .text("input", &call.input)
            .opt_text("observation", call.observation.as_deref())
            .opt_text("old_text", operation.old)
            .opt_text("new_text", operation.new)
            .opt_text("search_text", operation.search)
            .done()?;
    }
    Ok(())
}

/// An operation as columns.
#[derive(Clone, Copy, Default)]
struct OperationRow<'o> {
    name: Option<&'static str>,
    path: Option<&'o str>,
    lines: Option<(i64, i64)>,
    old: Option<&'o str>,
    new: Option<&'o str>,
    search: Option<&'o str>,
}

impl<'o> OperationRow<'o> {
    fn of(operation: &'o Operation) -> OperationRow<'o> {
        let row = OperationRow { name: Some(operation_name(operation)), ..OperationRow::default() };
        match operation {
            Operation::View { path, lines } => OperationRow { path: path.as_deref(), lines: *lines, ..row },
            Operation::Search { path, pattern } => {
                OperationRow { path: path.as_deref(), search: pattern.as_deref(), ..row }
            }
            Operation::Create { path, text } => {
                OperationRow { path: Some(path), new: text.as_deref(), ..row }
            }
            Operation::Replace { path, old, new } => {
                OperationRow { path: path.as_deref(), old: old.as_deref(), new: new.as_deref(), ..row }
            }
            Operation::Insert { path, new } => {
                OperationRow { path: path.as_deref(), new: new.as_deref(), ..row }
            }
            Operation::Undo { path } => OperationRow { path: path.as_deref(), ..row },
            Operation::Delete { path } => OperationRow { path: Some(path), ..row },
            Operation::Web { target } => OperationRow { search: target.as_deref(), ..row },
            Operation::Submit
            | Operation::Exit
            | Operation::Plan
            | Operation::Delegate
            | Operation::HandOver
            | Operation::EndRole
            | Operation::Neutral => row,
        }
    }
}

/// The word of an operation in the store.
fn operation_name(operation: &Operation) -> &'static str {
    match operation {
        Operation::View { .. } => "view",
        Operation::Search { .. } => "search",
        Operation::Create { .. } => "create",
        Operation::Replace { .. } => "replace",
        Operation::Insert { .. } => "insert",
        Operation::Undo { .. } => "undo",
        Operation::Delete { .. } => "delete",
        Operation::Submit => "submit",
        Operation::Exit => "exit",
        Operation::Plan => "plan",
        Operation::Delegate => "delegate",
        Operation::HandOver => "hand_over",
        Operation::EndRole => "end_role",
        Operation::Web { .. } => "web",
        Operation::Neutral => "neutral",
    }
}

/// The word of a command set in the store.
pub(super) const fn command_set_name(commands: CommandSet) -> &'static str {
    match commands {
        CommandSet::Plain => "plain",
        CommandSet::SweAgent => "swe_agent",
    }
}

/// Writes the row of `trajectories`.
pub fn write_run(writer: &mut StoreWriter, run: &RunRow) -> Result<(), StoreError> {
    let (head, log) = (&run.head, &run.head.log);
    writer
        .table("trajectories")?
        .row()
        .text("trajectory_id", &run.id)
        .text("arm", &run.key.arm)
        .text("benchmark", &run.key.benchmark)
        .text("instance_id", &run.key.instance_id)
        .int("run", run.key.run)
        .text("run_source", run.run_source.as_str())
        .text("instance_source", run.instance_source.as_str())
        .text("benchmark_source", run.benchmark_source)
        .text("file", &run.file)
        .text("place", &log.place)
        .text("format", log.format)
        .opt_text("task_kind", log.task_kind.map(TaskKind::as_str))
        .text("scaffold", &log.scaffold)
        .opt_text("scaffold_version", log.scaffold_version.as_deref())
        .opt_text("model", log.model.as_deref())
        .opt_int("steps", log.steps)
        .opt_int("api_calls", log.api_calls)
        .flag("has_log", log.has_log)
        .flag("has_turn_boundaries", log.has_turn_boundaries)
        .opt_count("n_turns", log.has_turn_boundaries.then_some(head.n_turns))
        .count("n_model_turns", head.n_model_turns)
        .count("n_prefix_turns", head.n_prefix_turns)
        .count("n_calls", head.n_calls)
        .count("n_refused_unsaved", head.n_refused_unsaved)
        .count("n_refused_at_end", head.n_refused_at_end)
        .text("termination", log.termination.as_str())
        .text("end_class", log.termination.class().as_str())
        .flag("auto_submitted", log.auto_submitted)
        .opt_count("submitting_turn", log.submitting_turn)
        .flag("can_submit", log.can_submit)
        .opt_text("raw_exit_status", log.raw_exit_status.as_deref())
        .text("patch_state", log.patch_state.as_str())
        .text("command_set", command_set_name(log.commands))
        .opt_text("repository_root", log.repository_root.as_deref())
        .flag("logs_exit_codes", log.logs_exit_codes)
        .opt_int("tokens_in", log.tokens_in)
        .opt_int("tokens_out", log.tokens_out)
        .opt_float("cost_usd", log.cost_usd)
        .opt_time("started_at", log.started_at)
        .opt_time("ended_at", log.ended_at)
        .opt_int("train_step", log.train_step)
        .opt_text("superseded_by", run.superseded_by.as_deref())
        .opt_text("parent_id", run.parent_id.as_deref())
        .opt_count("parent_turn", run.parent_turn)
        .text("root_id", &run.root_id)
        .done()
}
