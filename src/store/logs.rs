//! The logs of a store, one in memory at a time: the rows that `log_rows` wrote become the same log again, so that
//! rules can run anew without the files (`interface.md`, `tag`).
//!
//! The tables are walked side by side, since all were written in one order; rows of a log that `trajectories` does
//! not name (a copy that was dropped) are passed over.

use std::collections::BTreeSet;

use super::Store;
use super::cursor::{Cursor, CursorRow};
use super::error::StoreError;
use super::log_rows::command_set_name;
use crate::formats;
use crate::model::{
    Call, CallKind, CommandSet, ObservationState, Operation, Origin, PatchState, Quality, Refusal, RunKey,
    TaskKind, Termination, Trajectory, Turn, quality_reason,
};

/// A log as the store has it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredLog {
    /// Trajectory.
    pub id: String,
    /// The run whose log it is.
    pub key: RunKey,
    /// File, as given joined with what lies below it.
    pub file: String,
    /// The log. `patch_state` is what the log alone tells: a `foreign` patch is a patch until facts settle it.
    pub log: Trajectory,
}

/// All logs of a store in the order in which they were written, superseded ones and sub-agents included.
pub fn logs(store: &Store) -> Result<Logs, StoreError> {
    let mut ids = BTreeSet::new();
    let mut cursor = Cursor::open(store, "trajectories", &["trajectory_id"]);
    while let Some(mut row) = cursor.peek()? {
        ids.insert(row.text("trajectory_id")?.to_owned());
        cursor.advance();
    }
    Ok(Logs {
        waiting: ids.clone(),
        ids,
        heads: Cursor::open(store, "trajectories", HEAD),
        turns: Cursor::open(store, "turns", TURN),
        turn_texts: Cursor::open(store, "turn_text", &["trajectory_id", "turn", "text", "reasoning"]),
        calls: Cursor::open(store, "calls", CALL),
        call_texts: Cursor::open(store, "call_text", CALL_TEXT),
        task_texts: Cursor::open(store, "task_text", &["trajectory_id", "system", "task"]),
        patches: Cursor::open(store, "patches", &["trajectory_id", "patch"]),
        failed: false,
    })
}

const HEAD: &[&str] = &[
    "trajectory_id",
    "arm",
    "benchmark",
    "instance_id",
    "run",
    "file",
    "place",
    "format",
    "task_kind",
    "scaffold",
    "scaffold_version",
    "model",
    "steps",
    "api_calls",
    "has_log",
    "has_turn_boundaries",
    "n_refused_unsaved",
    "n_refused_at_end",
    "termination",
    "auto_submitted",
    "submitting_turn",
    "can_submit",
    "raw_exit_status",
    "patch_state",
    "command_set",
    "repository_root",
    "logs_exit_codes",
    "tokens_in",
    "tokens_out",
    "cost_usd",
    "started_at",
    "ended_at",
    "train_step",
];
const TURN: &[&str] = &[
    "trajectory_id",
    "turn",
    "origin",
    "accepted",
    "n_calls",
    "quality",
    "quality_reason",
    "n_refused_before",
    "tokens_in",
    "tokens_out",
    "logged_at",
    "reasoning_bytes",
    "diff_after",
];
const CALL: &[&str] = &[
    "trajectory_id",
    "turn",
    "call",
    "tool",
    "kind",
    "quality",
    "quality_reason",
    "operation",
    "path",
    "from_line",
    "to_line",
    "old_bytes",
    "new_bytes",
    "search_bytes",
    "cwd",
    "open_file",
    "exit_code",
    "is_error",
    "timed_out",
    "observation_state",
    "observation_bytes",
    "duration_ms",
];
const CALL_TEXT: &[&str] =
    &["trajectory_id", "turn", "call", "input", "observation", "old_text", "new_text", "search_text"];

/// Walks the logs of a store.
pub struct Logs {
    ids: BTreeSet<String>,
    /// Logs that are still to come.
    waiting: BTreeSet<String>,
    heads: Cursor,
    turns: Cursor,
    turn_texts: Cursor,
    calls: Cursor,
    call_texts: Cursor,
    task_texts: Cursor,
    patches: Cursor,
    failed: bool,
}

impl Iterator for Logs {
    type Item = Result<StoredLog, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.read_next().transpose();
        self.failed = matches!(next, None | Some(Err(_)));
        next
    }
}

impl Logs {
    fn read_next(&mut self) -> Result<Option<StoredLog>, StoreError> {
        let Some(row) = self.heads.peek()? else {
            return self.all_were_read().map(|()| None);
        };
        let (mut stored, refused) = head(row)?;
        self.heads.advance();
        self.waiting.remove(&stored.id);
        self.read_turns(&mut stored, &refused)?;
        self.read_calls(&mut stored)?;
        self.read_run_texts(&mut stored)?;
        Ok(Some(stored))
    }

    fn read_turns(&mut self, stored: &mut StoredLog, refused: &Refused) -> Result<(), StoreError> {
        let StoredLog { id, log, .. } = stored;
        rows_of(&mut self.turns, id, &self.ids, &self.waiting, |row| read_turn(row, log))?;
        let behind = Refusal { before_turn: Some(log.turns.len()) };
        log.refusals.extend(std::iter::repeat_n(behind, refused.at_end));
        let counted = refused.all.saturating_sub(log.refusals.len());
        log.refusals.extend(std::iter::repeat_n(Refusal { before_turn: None }, counted));
        rows_of(&mut self.turn_texts, id, &self.ids, &self.waiting, |mut row| {
            let turn = turn_of(&mut row, log)?;
            put(&mut turn.text, row.opt_text("text")?);
            fill(&mut turn.reasoning, row.opt_text("reasoning")?);
            Ok(())
        })
    }

    fn read_calls(&mut self, stored: &mut StoredLog) -> Result<(), StoreError> {
        let StoredLog { id, log, .. } = stored;
        rows_of(&mut self.calls, id, &self.ids, &self.waiting, |row| read_call(row, log))?;
        rows_of(&mut self.call_texts, id, &self.ids, &self.waiting, |mut row| {
            let turn = turn_of(&mut row, log)?;
            let index = row.count("call")?;
            let call = turn.calls.get_mut(index).ok_or_else(|| gap("call_text", "call", index))?;
            put(&mut call.input, row.opt_text("input")?);
            fill(&mut call.observation, row.opt_text("observation")?);
            if let Some(operation) = &mut call.operation {
                fill_operation(
                    operation,
                    row.opt_text("old_text")?,
                    row.opt_text("new_text")?,
                    row.opt_text("search_text")?,
                );
            }
            Ok(())
        })
    }

    fn read_run_texts(&mut self, stored: &mut StoredLog) -> Result<(), StoreError> {
        let StoredLog { id, log, .. } = stored;
        rows_of(&mut self.task_texts, id, &self.ids, &self.waiting, |mut row| {
            log.system = row.opt_text("system")?.map(str::to_owned);
            log.task = row.opt_text("task")?.map(str::to_owned);
            Ok(())
        })?;
        rows_of(&mut self.patches, id, &self.ids, &self.waiting, |mut row| {
            log.patch = Some(row.text("patch")?.to_owned());
            Ok(())
        })
    }

    /// Behind the last log no table may hold rows of a known one: they would have been lost without a word.
    fn all_were_read(&mut self) -> Result<(), StoreError> {
        let cursors = [
            &mut self.turns,
            &mut self.turn_texts,
            &mut self.calls,
            &mut self.call_texts,
            &mut self.task_texts,
            &mut self.patches,
        ];
        cursors.into_iter().try_for_each(|cursor| rows_of(cursor, "", &self.ids, &self.waiting, |_| Ok(())))
    }
}

/// Gives the rows of one log to `each`; the cursor stands at the first of them, or of a later log.
fn rows_of(
    cursor: &mut Cursor,
    id: &str,
    ids: &BTreeSet<String>,
    waiting: &BTreeSet<String>,
    mut each: impl FnMut(CursorRow) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    while let Some(mut row) = cursor.peek()? {
        let found = row.text("trajectory_id")?;
        if found == id {
            each(row)?;
        } else if waiting.contains(found) {
            return Ok(());
        } else if ids.contains(found) {
            let what = format!("rows of {found} do not stand in the order of `trajectories`");
            return Err(StoreError::damaged(cursor.table(), what));
        }
        cursor.advance();
    }
    Ok(())
}

/// Refusals of a head: all, and those behind the last turn.
struct Refused {
    all: usize,
    at_end: usize,
}

fn head(mut row: CursorRow) -> Result<(StoredLog, Refused), StoreError> {
    let table = "trajectories";
    let id = row.text("trajectory_id")?.to_owned();
    let key = RunKey {
        arm: row.text("arm")?.to_owned(),
        benchmark: row.text("benchmark")?.to_owned(),
        instance_id: row.text("instance_id")?.to_owned(),
        run: row.int("run")?,
    };
    let file = row.text("file")?.to_owned();
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let place = owned(row.opt_text("place")?).unwrap_or_default();
    let format = row.text("format")?;
    let format = formats::named(format).ok_or_else(|| unknown(table, "format", format))?.name;
    let task_kind = match row.opt_text("task_kind")? {
        Some(kind) => Some(TaskKind::parse(kind).ok_or_else(|| unknown(table, "task_kind", kind))?),
        None => None,
    };
    let scaffold = owned(row.opt_text("scaffold")?).unwrap_or_default();
    let mut log = Trajectory::new(format, &scaffold);
    log.place = place;
    log.task_kind = task_kind;
    log.instance_id = Some(key.instance_id.clone());
    log.run = Some(key.run);
    log.scaffold_version = owned(row.opt_text("scaffold_version")?);
    log.model = owned(row.opt_text("model")?);
    log.steps = row.opt_int("steps")?;
    log.api_calls = row.opt_int("api_calls")?;
    log.has_log = row.flag("has_log")?;
    log.has_turn_boundaries = row.flag("has_turn_boundaries")?;
    let refused = Refused { all: row.count("n_refused_unsaved")?, at_end: row.count("n_refused_at_end")? };
    let end = row.text("termination")?;
    log.termination = Termination::parse(end).ok_or_else(|| unknown(table, "termination", end))?;
    log.auto_submitted = row.flag("auto_submitted")?;
    log.submitting_turn = row.opt_count("submitting_turn")?;
    log.can_submit = row.flag("can_submit")?;
    log.raw_exit_status = owned(row.opt_text("raw_exit_status")?);
    log.patch_state = match word(&mut row, "patch_state", &PATCH_STATES, PatchState::as_str)? {
        PatchState::Foreign => PatchState::Nonempty,
        state => state,
    };
    log.commands = word(&mut row, "command_set", &COMMAND_SETS, command_set_name)?;
    log.repository_root = owned(row.opt_text("repository_root")?);
    log.logs_exit_codes = row.flag("logs_exit_codes")?;
    log.tokens_in = row.opt_int("tokens_in")?;
    log.tokens_out = row.opt_int("tokens_out")?;
    log.cost_usd = row.opt_float("cost_usd")?;
    log.started_at = row.opt_time("started_at")?;
    log.ended_at = row.opt_time("ended_at")?;
    log.train_step = row.opt_int("train_step")?;
    Ok((StoredLog { id, key, file, log }, refused))
}

fn read_turn(mut row: CursorRow, log: &mut Trajectory) -> Result<(), StoreError> {
    let index = row.count("turn")?;
    if index != log.turns.len() {
        return Err(gap("turns", "turn", index));
    }
    let mut turn = Turn::new("");
    turn.origin = word(&mut row, "origin", &ORIGINS, Origin::as_str)?;
    turn.accepted = row.flag("accepted")?;
    // Quality and reason of a turn with calls are those of its calls.
    if row.int("n_calls")? == 0 {
        turn.quality_without_call = word(&mut row, "quality", &QUALITIES, Quality::as_str)?;
        turn.quality_reason = reason(&mut row)?;
    }
    let refused = row.count("n_refused_before")?;
    log.refusals.extend(std::iter::repeat_n(Refusal { before_turn: Some(index) }, refused));
    turn.tokens_in = row.opt_int("tokens_in")?;
    turn.tokens_out = row.opt_int("tokens_out")?;
    turn.logged_at = row.opt_time("logged_at")?;
    turn.reasoning = row.opt_int("reasoning_bytes")?.map(|_| String::new());
    turn.diff_after = match row.opt_text("diff_after")? {
        Some(digest) => {
            Some(blake3::Hash::from_hex(digest).map_err(|_| unknown("turns", "diff_after", digest))?)
        }
        None => None,
    };
    log.turns.push(turn);
    Ok(())
}

fn read_call(mut row: CursorRow, log: &mut Trajectory) -> Result<(), StoreError> {
    let turn = turn_of(&mut row, log)?;
    let index = row.count("call")?;
    if index != turn.calls.len() {
        return Err(gap("calls", "call", index));
    }
    let tool = row.opt_text("tool")?.unwrap_or_default();
    let mut call = Call::new(tool, word(&mut row, "kind", &KINDS, CallKind::as_str)?, "");
    call.quality = word(&mut row, "quality", &QUALITIES, Quality::as_str)?;
    call.quality_reason = reason(&mut row)?;
    call.operation = operation(&mut row)?;
    call.cwd = row.opt_text("cwd")?.map(str::to_owned);
    call.open_file = row.opt_text("open_file")?.map(str::to_owned);
    call.exit_code = row.opt_int("exit_code")?;
    call.is_error = row.opt_flag("is_error")?;
    call.timed_out = row.flag("timed_out")?;
    call.observation_state = word(&mut row, "observation_state", &OBSERVATIONS, ObservationState::as_str)?;
    call.observation = row.opt_int("observation_bytes")?.map(|_| String::new());
    call.duration_ms = row.opt_int("duration_ms")?;
    turn.calls.push(call);
    Ok(())
}

/// The operation of a call, its texts still empty.
fn operation(row: &mut CursorRow) -> Result<Option<Operation>, StoreError> {
    let name = row.opt_text("operation")?;
    let path = row.opt_text("path")?.map(str::to_owned);
    let lines = row.opt_int("from_line")?.zip(row.opt_int("to_line")?);
    let mut text = |column| Ok::<_, StoreError>(row.opt_int(column)?.map(|_| String::new()));
    let (old, new, search) = (text("old_bytes")?, text("new_bytes")?, text("search_bytes")?);
    let Some(name) = name else { return Ok(None) };
    Ok(Some(match name {
        "view" => Operation::View { path, lines },
        "search" => Operation::Search { path, pattern: search },
        "create" => Operation::Create { path: path.unwrap_or_default(), text: new },
        "replace" => Operation::Replace { path, old, new },
        "insert" => Operation::Insert { path, new },
        "undo" => Operation::Undo { path },
        "delete" => Operation::Delete { path: path.unwrap_or_default() },
        "submit" => Operation::Submit,
        "exit" => Operation::Exit,
        "plan" => Operation::Plan,
        "delegate" => Operation::Delegate,
        "hand_over" => Operation::HandOver,
        "end_role" => Operation::EndRole,
        "web" => Operation::Web { target: search },
        "neutral" => Operation::Neutral,
        other => return Err(unknown("calls", "operation", other)),
    }))
}

fn fill_operation(operation: &mut Operation, old: Option<&str>, new: Option<&str>, search: Option<&str>) {
    match operation {
        Operation::Create { text, .. } => fill(text, new),
        Operation::Replace { old: was, new: is, .. } => {
            fill(was, old);
            fill(is, new);
        }
        Operation::Insert { new: is, .. } => fill(is, new),
        Operation::Search { pattern, .. } => fill(pattern, search),
        Operation::Web { target } => fill(target, search),
        _ => {}
    }
}

fn put(text: &mut String, value: Option<&str>) {
    text.push_str(value.unwrap_or_default());
}

fn fill(text: &mut Option<String>, value: Option<&str>) {
    if let Some(value) = value {
        *text = Some(value.to_owned());
    }
}

fn turn_of<'l>(row: &mut CursorRow, log: &'l mut Trajectory) -> Result<&'l mut Turn, StoreError> {
    let index = row.count("turn")?;
    log.turns.get_mut(index).ok_or_else(|| gap(row.table(), "turn", index))
}

const ORIGINS: [Origin; 5] = [Origin::Model, Origin::Prefix, Origin::Demo, Origin::Copied, Origin::Abandoned];
const QUALITIES: [Quality; 4] = [Quality::Unparsable, Quality::Parsable, Quality::Valid, Quality::None];
const KINDS: [CallKind; 2] = [CallKind::Shell, CallKind::Tool];
const COMMAND_SETS: [CommandSet; 2] = [CommandSet::Plain, CommandSet::SweAgent];
const OBSERVATIONS: [ObservationState; 4] =
    [ObservationState::Full, ObservationState::Cut, ObservationState::Missing, ObservationState::Shared];
const PATCH_STATES: [PatchState; 4] =
    [PatchState::Nonempty, PatchState::Empty, PatchState::Foreign, PatchState::Missing];

/// The value whose word stands in a column.
fn word<T: Copy>(
    row: &mut CursorRow,
    column: &str,
    all: &[T],
    as_str: impl Fn(T) -> &'static str,
) -> Result<T, StoreError> {
    let found = row.text(column)?;
    all.iter()
        .copied()
        .find(|value| as_str(*value) == found)
        .ok_or_else(|| unknown(row.table(), column, found))
}

fn reason(row: &mut CursorRow) -> Result<Option<&'static str>, StoreError> {
    match row.opt_text("quality_reason")? {
        None => Ok(None),
        Some(text) => match quality_reason::parse(text) {
            Some(reason) => Ok(Some(reason)),
            None => Err(unknown(row.table(), "quality_reason", text)),
        },
    }
}

fn unknown(table: &str, column: &str, found: &str) -> StoreError {
    StoreError::damaged(table, format!("`{column}` has the unknown value `{found}`"))
}

fn gap(table: &str, what: &str, index: usize) -> StoreError {
    StoreError::damaged(table, format!("{what} {index} does not follow the one before"))
}
