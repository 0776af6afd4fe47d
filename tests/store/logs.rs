//! A log that was written comes back as it was.

use ethogram::model::{
    Call, CallKind, CommandSet, InstanceSource, ObservationState, Operation, Origin, PatchState, Quality,
    Refusal, RunKey, RunSource, TaskKind, Termination, Trajectory, Turn, quality_reason,
};
use ethogram::store::{
    LogHead, RunRow, Store, StoreError, StoreWriter, StoredLog, logs, write_log, write_run,
};

use super::store_of;

/// Every operation, with texts that are absent, empty and full.
fn operations() -> Vec<Operation> {
    let some = |text: &str| Some(text.to_owned());
    vec![
        Operation::View { path: some("src/a.py"), lines: Some((1, 20)) },
        Operation::View { path: None, lines: None },
        Operation::Search { path: some("src"), pattern: some("def f") },
        Operation::Search { path: None, pattern: None },
        Operation::Create { path: "b.py".to_owned(), text: some("x = 1\n") },
        Operation::Create { path: "c.py".to_owned(), text: some("") },
        Operation::Create { path: "d.py".to_owned(), text: None },
        Operation::Replace { path: some("a.py"), old: some("x"), new: some("") },
        Operation::Replace { path: None, old: None, new: some("y\u{1f600}\0") },
        Operation::Insert { path: some("a.py"), new: some("z") },
        Operation::Insert { path: None, new: None },
        Operation::Undo { path: some("a.py") },
        Operation::Delete { path: "b.py".to_owned() },
        Operation::Submit,
        Operation::Exit,
        Operation::Plan,
        Operation::Delegate,
        Operation::HandOver,
        Operation::EndRole,
        Operation::Web { target: some("how to") },
        Operation::Web { target: None },
        Operation::Neutral,
    ]
}

/// A log in which each field says something.
fn full_log() -> Trajectory {
    let mut log = Trajectory::new("swe-agent-0.x", "swe-agent");
    log.place = "record 3".to_owned();
    log.task_kind = Some(TaskKind::Terminal);
    log.scaffold_version = Some("0.7".to_owned());
    log.commands = CommandSet::SweAgent;
    log.model = Some("gpt".to_owned());
    (log.steps, log.api_calls) = (Some(9), Some(11));
    log.system = Some("You are".to_owned());
    log.task = Some("Mend it".to_owned());
    log.termination = Termination::CostLimit;
    (log.auto_submitted, log.submitting_turn, log.can_submit) = (true, Some(2), false);
    log.raw_exit_status = Some("submitted (exit_cost)".to_owned());
    log.patch = Some("diff --git a b".to_owned());
    log.patch_state = PatchState::Nonempty;
    (log.tokens_in, log.tokens_out, log.cost_usd) = (Some(1), Some(2), Some(0.125));
    (log.started_at, log.ended_at, log.train_step) =
        (Some(1_700_000_000_123), Some(1_700_000_000_999), Some(7));
    log.repository_root = Some("/testbed".to_owned());
    log.logs_exit_codes = true;
    log.refusals =
        [Some(0), Some(0), Some(2), Some(7), None, None].map(|before_turn| Refusal { before_turn }).to_vec();
    log.turns = vec![prefix_turn(), called_turn(), structured_turn(), silent_turn()];
    for origin in [Origin::Demo, Origin::Copied, Origin::Abandoned] {
        log.turns.push(Turn { origin, ..Turn::new("of another") });
    }
    log
}

fn prefix_turn() -> Turn {
    Turn { origin: Origin::Prefix, logged_at: Some(5), ..Turn::new("copied") }
}

fn called_turn() -> Turn {
    let mut first = Call::new("bash", CallKind::Shell, "pytest -q");
    (first.cwd, first.open_file) = (Some("/testbed".to_owned()), Some("a.py".to_owned()));
    (first.exit_code, first.is_error, first.timed_out) = (Some(-1), Some(true), true);
    (first.observation, first.observation_state) = (Some("1 failed".to_owned()), ObservationState::Cut);
    first.duration_ms = Some(1500);
    let mut second = Call::new("", CallKind::Tool, "");
    (second.quality, second.quality_reason) = (Quality::Parsable, Some(quality_reason::USAGE));
    (second.observation, second.observation_state) = (Some(String::new()), ObservationState::Full);
    let mut third = Call::new("x", CallKind::Tool, "{}");
    third.observation_state = ObservationState::Shared;
    Turn {
        reasoning: Some("hidden".to_owned()),
        calls: vec![first, second, third],
        tokens_in: Some(100),
        tokens_out: Some(20),
        diff_after: Some(blake3::hash(b"diff")),
        ..Turn::new("I run it")
    }
}

fn structured_turn() -> Turn {
    let call = |operation| {
        let mut call = Call::new("edit", CallKind::Tool, "{\"path\": 1}");
        call.operation = Some(operation);
        call
    };
    Turn { calls: operations().into_iter().map(call).collect(), ..Turn::new("") }
}

fn silent_turn() -> Turn {
    Turn {
        accepted: false,
        quality_without_call: Quality::Unparsable,
        quality_reason: Some(quality_reason::NO_ACTION),
        reasoning: Some(String::new()),
        ..Turn::new("I would look")
    }
}

fn write(writer: &mut StoreWriter, id: &str, log: &Trajectory) -> Result<(), StoreError> {
    write_log(writer, id, log)?;
    write_head(writer, id, log)
}

fn write_head(writer: &mut StoreWriter, id: &str, log: &Trajectory) -> Result<(), StoreError> {
    write_run(
        writer,
        &RunRow {
            id: id.to_owned(),
            key: key(id),
            run_source: RunSource::Path,
            instance_source: InstanceSource::Log,
            benchmark_source: "option",
            file: format!("logs/{id}.traj"),
            head: LogHead::of(log.clone()),
            superseded_by: None,
            parent_id: None,
            parent_turn: None,
            root_id: id.to_owned(),
        },
    )
}

fn key(id: &str) -> RunKey {
    RunKey { arm: "base".to_owned(), benchmark: "bench".to_owned(), instance_id: format!("i-{id}"), run: 4 }
}

fn stored(id: &str, mut log: Trajectory) -> StoredLog {
    // The key says what the log said.
    log.instance_id = Some(format!("i-{id}"));
    log.run = Some(4);
    StoredLog { id: id.to_owned(), key: key(id), file: format!("logs/{id}.traj"), log }
}

fn read(store: &Store) -> Vec<StoredLog> {
    logs(store).unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_log_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (full, bare) = (full_log(), Trajectory::new("mini-swe-agent-2", "mini-swe-agent"));
    let mut stub = Trajectory::new("mini-swe-agent-2", "mini-swe-agent");
    (stub.has_log, stub.has_turn_boundaries) = (false, false);
    let store = store_of(folder.path(), |writer| {
        write(writer, "one", &full)?;
        write(writer, "two", &bare)?;
        write(writer, "three", &stub)
    });
    let store = store_of(store.path(), |writer| write(writer, "four", &full));
    let want =
        [stored("one", full.clone()), stored("two", bare), stored("three", stub), stored("four", full)];
    assert_eq!(read(&store), want);
}

#[test]
fn the_head_counts_what_the_log_holds() {
    let head = LogHead::of(full_log());
    // Seven turns: one of a prefix, three of the model, three of others; refusals at 7 lie behind the last.
    assert_eq!((head.n_turns, head.n_model_turns, head.n_prefix_turns), (7, 3, 1));
    assert_eq!((head.n_calls, head.n_refused_unsaved, head.n_refused_at_end), (25, 6, 1));
    assert!(head.log.turns.is_empty() && head.log.patch.is_none() && head.log.task.is_none());
    assert_eq!(head.log.model.as_deref(), Some("gpt"));
}

#[test]
fn a_foreign_patch_is_a_patch_until_facts_settle_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = full_log();
    log.patch_state = PatchState::Foreign;
    let store = store_of(folder.path(), |writer| write(writer, "one", &log));
    assert_eq!(read(&store)[0].log.patch_state, PatchState::Nonempty);
    assert_eq!(
        store.read("trajectories").unwrap().iter().next().unwrap().text("patch_state").unwrap(),
        "foreign"
    );
}

#[test]
fn rows_of_a_log_without_a_head_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| {
        write_log(writer, "dropped", &full_log())?;
        write(writer, "one", &full_log())?;
        write_log(writer, "dropped too", &full_log())?;
        write(writer, "two", &full_log())
    });
    assert_eq!(read(&store), [stored("one", full_log()), stored("two", full_log())]);
}

#[test]
fn rows_in_another_order_than_their_heads_are_damage() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_of(folder.path(), |writer| {
        write_log(writer, "two", &full_log())?;
        write_log(writer, "one", &full_log())?;
        write_head(writer, "one", &full_log())?;
        write_head(writer, "two", &full_log())
    });
    let error = logs(&store).unwrap().collect::<Result<Vec<_>, _>>().unwrap_err().to_string();
    assert!(error.contains("`turns`") && error.contains("order of `trajectories`"), "{error}");
}

#[test]
fn large_logs_cross_batches_and_parts() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = full_log();
    log.turns = (0..3_000)
        .map(|turn| Turn { calls: called_turn().calls, ..Turn::new(format!("turn {turn}")) })
        .collect();
    log.refusals.clear();
    let store = store_of(folder.path(), |writer| {
        write(writer, "one", &log)?;
        write(writer, "two", &full_log())
    });
    assert_eq!(read(&store), [stored("one", log), stored("two", full_log())]);
}
