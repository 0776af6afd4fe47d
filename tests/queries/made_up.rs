//! A made-up store of a few hundred runs, where everything that may be missing is missing somewhere: logs, verdicts,
//! behaviours, reasons; with copies, sub-agents, prefix turns and four kinds of benchmark. It means nothing; both
//! engines must count it alike.

use std::path::Path;

use ethogram::store::{Contents, Store, StoreError, StoreWriter};

/// Numbers by a fixed rule (SplitMix64), the same on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: i64) -> i64 {
        i64::try_from(self.next() % n.unsigned_abs()).unwrap()
    }

    /// True in `percent` of 100 throws.
    fn hit(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[usize::try_from(self.below(all.len() as i64)).unwrap()]
    }

    fn maybe<T>(&mut self, percent: i64, value: T) -> Option<T> {
        self.hit(percent).then_some(value)
    }
}

const SHARES: [&str; 8] = [
    "acted",
    "answered",
    "autonomous_edit",
    "changed",
    "ended_by_itself",
    "explored",
    "searched",
    "verified_submission",
];
const TAGS: [&str; 5] = ["exploration", "editing", "testing", "execution", "submission"];

struct Run {
    arm: &'static str,
    benchmark: &'static str,
    instance: String,
    run: i64,
}

/// Writes the store.
pub fn store(path: &Path) -> Store {
    let mut writer = Store::create_or_open(path).unwrap().writer().unwrap();
    write(&mut writer, &mut Dice(11)).unwrap();
    writer.commit(Contents::default()).unwrap()
}

fn write(writer: &mut StoreWriter, dice: &mut Dice) -> Result<(), StoreError> {
    for (arm, role) in
        [("base", Some("base")), ("rl", Some("trained")), ("sft", Some("trained")), ("other", None)]
    {
        let arms = writer.table("arms")?;
        arms.row()
            .text("arm", arm)
            .opt_text("role", role)
            .text("system", arm)
            .int("prefix_turns", 0)
            .done()?;
    }
    for trained in ["rl", "sft"] {
        writer.table("arm_pairs")?.row().text("base_arm", "base").text("trained_arm", trained).done()?;
    }
    for (benchmark, kind) in
        [("repo-bench", "repo"), ("term-bench", "terminal"), ("web-bench", "search"), ("talk", "chat")]
    {
        let benchmarks = writer.table("benchmarks")?;
        benchmarks
            .row()
            .text("benchmark", benchmark)
            .text("family", benchmark)
            .text("kind", kind)
            .text("policy", "none")
            .done()?;
        for instance in 0..15 {
            write_instance(writer, dice, benchmark, &format!("i{instance:02}"))?;
        }
    }
    Ok(())
}

fn write_instance(
    writer: &mut StoreWriter,
    dice: &mut Dice,
    benchmark: &'static str,
    instance: &str,
) -> Result<(), StoreError> {
    let known = dice.hit(80);
    let (repo, language) = (dice.maybe(70, "o/r"), dice.maybe(60, "java"));
    if known {
        let instances = writer.table("instances")?;
        let mut row = instances.row();
        row.text("benchmark", benchmark).text("instance_id", instance);
        row.opt_text("repo", repo).opt_text("language", language).done()?;
    }
    for arm in ["base", "rl", "sft", "other"] {
        for run in 0..dice.below(4) {
            write_run(writer, dice, &Run { arm, benchmark, instance: instance.to_owned(), run })?;
        }
    }
    Ok(())
}

fn write_run(writer: &mut StoreWriter, dice: &mut Dice, run: &Run) -> Result<(), StoreError> {
    let id = format!("{}-{}-{}-{}", run.arm, run.benchmark, run.instance, run.run);
    let has_row = dice.hit(90);
    if has_row {
        write_log(writer, dice, run, &id, None, None)?;
    }
    if has_row && dice.hit(10) {
        write_log(writer, dice, run, &format!("{id}-old"), Some(&id), None)?;
    }
    if has_row && dice.hit(10) {
        write_log(writer, dice, run, &format!("{id}-child"), None, Some(&id))?;
    }
    if dice.hit(85) || !has_row { write_outcome(writer, dice, run, &id) } else { Ok(()) }
}

fn write_outcome(writer: &mut StoreWriter, dice: &mut Dice, run: &Run, id: &str) -> Result<(), StoreError> {
    let scored = dice.hit(80);
    let eighths = dice.below(9) as f64 / 8.0;
    let (resolved, reward) = (dice.hit(50), dice.maybe(50, eighths));
    let reason = (!scored).then(|| dice.one_of(&["error", "incomplete", "null"]));
    let applied = dice.maybe(50, dice.0.is_multiple_of(3));
    let passed = dice.maybe(30, dice.0 as i64 % 5);
    let outcomes = writer.table("outcomes")?;
    outcomes
        .row()
        .text("arm", run.arm)
        .text("benchmark", run.benchmark)
        .text("instance_id", &run.instance)
        .int("run", run.run)
        .text("trajectory_id", id)
        .flag("scored", scored)
        .opt_flag("resolved", scored.then_some(resolved))
        .opt_float("reward", reward)
        .opt_text("unscored_reason", reason)
        .opt_flag("applied", applied)
        .opt_int("f2p_passed", passed)
        .text("source", "made up")
        .done()
}

fn write_log(
    writer: &mut StoreWriter,
    dice: &mut Dice,
    run: &Run,
    id: &str,
    superseded_by: Option<&str>,
    parent_id: Option<&str>,
) -> Result<(), StoreError> {
    let has_log = dice.hit(95);
    let n_turns = if has_log { dice.below(12) } else { 0 };
    let n_prefix = if dice.hit(20) { dice.below(3).min(n_turns) } else { 0 };
    let (end_class, termination) = match dice.below(3) {
        0 => ("submitted", "submitted"),
        1 => ("limit", "cost_limit"),
        _ => ("unknown", "unknown"),
    };
    let trajectories = writer.table("trajectories")?;
    trajectories
        .row()
        .text("trajectory_id", id)
        .text("arm", run.arm)
        .text("benchmark", run.benchmark)
        .text("instance_id", &run.instance)
        .int("run", run.run)
        .text("run_source", "path")
        .text("instance_source", "path")
        .text("benchmark_source", "option")
        .text("file", id)
        .text("format", "stub")
        .text("scaffold", "none")
        .flag("has_log", has_log)
        .flag("has_turn_boundaries", true)
        .opt_int("n_turns", Some(n_turns))
        .int("n_model_turns", n_turns - n_prefix)
        .int("n_prefix_turns", n_prefix)
        .int("n_calls", n_turns)
        .int("n_refused_unsaved", dice.below(3))
        .int("n_refused_at_end", 0)
        .text("termination", termination)
        .text("end_class", end_class)
        .flag("auto_submitted", dice.hit(30))
        .flag("can_submit", true)
        .text("patch_state", dice.one_of(&["nonempty", "empty", "foreign", "missing"]))
        .text("command_set", "plain")
        .flag("logs_exit_codes", true)
        .opt_text("superseded_by", superseded_by)
        .opt_text("parent_id", parent_id)
        .text("root_id", parent_id.unwrap_or(id))
        .done()?;
    for turn in 0..n_turns {
        write_turn(writer, dice, id, turn, n_prefix)?;
    }
    if has_log { write_behaviours(writer, dice, id) } else { Ok(()) }
}

fn write_turn(
    writer: &mut StoreWriter,
    dice: &mut Dice,
    id: &str,
    turn: i64,
    n_prefix: i64,
) -> Result<(), StoreError> {
    let model_turn = (turn >= n_prefix).then_some(turn - n_prefix);
    let turns = writer.table("turns")?;
    turns
        .row()
        .text("trajectory_id", id)
        .int("turn", turn)
        .opt_int("model_turn", model_turn)
        .text("origin", if model_turn.is_some() { "model" } else { "prefix" })
        .flag("accepted", true)
        .int("n_calls", 1)
        .text("quality", dice.one_of(&["valid", "valid", "parsable", "unparsable", "none"]))
        .int("n_refused_before", 0)
        .int("text_bytes", 10)
        .done()?;
    let primary = dice.one_of(&["exploration", "editing", "testing", "untagged"]);
    let facts = writer.table("turn_facts")?;
    facts
        .row()
        .text("trajectory_id", id)
        .int("turn", turn)
        .text("primary_tag", primary)
        .flag("repeat_action", false)
        .flag("same_observation", false)
        .flag("poll", false)
        .done()?;
    for n in 0..dice.below(3) {
        let tag = dice.one_of(&TAGS);
        let tags = writer.table("tags")?;
        tags.row()
            .text("trajectory_id", id)
            .int("turn", turn)
            .text("tag", tag)
            .int("n", n)
            .text("rule", tag)
            .int("rule_version", 1)
            .text("field", "input")
            .done()?;
    }
    Ok(())
}

fn write_behaviours(writer: &mut StoreWriter, dice: &mut Dice, id: &str) -> Result<(), StoreError> {
    let mut rows: Vec<(&str, &str, Option<i64>, i64)> = SHARES
        .iter()
        .filter_map(|code| {
            let den = i64::from(dice.hit(90));
            let num = dice.below(2) * den;
            dice.maybe(95, (*code, "share", Some(num), den))
        })
        .collect();
    rows.push(("loop_turns", "rate", Some(dice.below(4)), dice.below(12)));
    let cost = dice.below(90_000);
    rows.push(("cost", "size", dice.maybe(70, cost), 1));
    for (code, kind, num, den) in rows {
        let behaviours = writer.table("behaviours")?;
        behaviours
            .row()
            .text("trajectory_id", id)
            .text("behaviour", code)
            .text("kind", kind)
            .opt_int("num", num)
            .int("den", den)
            .done()?;
    }
    Ok(())
}
