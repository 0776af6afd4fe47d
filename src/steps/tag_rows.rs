//! What was found in one trajectory, as rows of the tag tables (`interface.md`, The store). `study`, `ingest` and
//! `tag` all write through here, so that tagging in memory and tagging a store give the same rows.

use std::collections::BTreeMap;

use crate::behaviours::{self, Evidence};
use crate::facts::{Context, EditFact, Facts, NetworkFact, Place, ReadFact, SegmentFact, TestRunFact};
use crate::model::{Benchmark, TagName, Trajectory};
use crate::store::{StoreError, StoreWriter};
use crate::tags::{Event, Loop, Rules, Tagged, TurnFact};

/// Tables that tagging writes.
pub const TAG_TABLES: [&str; 10] = [
    "segments",
    "tags",
    "turn_facts",
    "reads",
    "edits",
    "test_runs",
    "network",
    "events",
    "loops",
    "behaviours",
];

/// Those of them that user rules write in.
pub const RULE_TABLES: [&str; 3] = ["tags", "turn_facts", "behaviours"];

/// What the rules said of one trajectory.
pub struct Findings {
    /// Facts.
    pub facts: Facts,
    /// Tags, events, loops, turn facts.
    pub tagged: Tagged,
    /// Behaviours with numerator and denominator.
    pub behaviours: Vec<(&'static behaviours::Behaviour, behaviours::Measured)>,
}

/// What a rule may know beyond the log: the benchmark, with the kind of this log's task, and the repository that an
/// `owner__name-N` id names.
pub fn context(benchmark: &Benchmark, instance_id: &str, log: &Trajectory) -> Context {
    let repository = instance_id.split_once("__").and_then(|(owner, rest)| {
        let (name, number) = rest.rsplit_once('-')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && !owner.is_empty() && !name.is_empty()).then(|| format!("{owner}/{name}"))
    });
    let benchmark = Benchmark { kind: log.task_kind.unwrap_or(benchmark.kind), ..benchmark.clone() };
    Context { benchmark, source_paths: Vec::new(), repository }
}

/// Runs facts, tags and behaviours over one trajectory.
pub fn find(rules: &Rules, context: &Context, trajectory: &Trajectory) -> Findings {
    let facts = crate::facts::compute(trajectory, context);
    let tagged = crate::tags::apply_with(rules, context, trajectory, &facts);
    let behaviours = behaviours::count(&Evidence { context, trajectory, facts: &facts, tagged: &tagged });
    Findings { facts, tagged, behaviours }
}

/// Writes the findings of one trajectory.
///
/// # Errors
/// A row does not fit its schema, or the disk refuses.
pub fn write(writer: &mut StoreWriter, id: &str, findings: &Findings) -> Result<(), StoreError> {
    segments(writer, id, &findings.facts.segments)?;
    reads(writer, id, &findings.facts.reads)?;
    edits(writer, id, &findings.facts.edits)?;
    test_runs(writer, id, &findings.facts.test_runs)?;
    network(writer, id, &findings.facts.network)?;
    events(writer, id, &findings.tagged.events)?;
    loops(writer, id, &findings.tagged.loops)?;
    write_rules(writer, id, findings)
}

/// Writes what of the findings user rules take part in.
///
/// # Errors
/// A row does not fit its schema, or the disk refuses.
pub fn write_rules(writer: &mut StoreWriter, id: &str, findings: &Findings) -> Result<(), StoreError> {
    tags(writer, id, &findings.tagged)?;
    turn_facts(writer, id, &findings.tagged.turns)?;
    let table = writer.table("behaviours")?;
    for (behaviour, measured) in &findings.behaviours {
        table
            .row()
            .text("trajectory_id", id)
            .text("behaviour", behaviour.code)
            .text("kind", behaviour.kind.as_str())
            .opt_int("num", measured.num)
            .int("den", measured.den)
            .done()?;
    }
    Ok(())
}

/// "" is never stored: a bare assignment has no program.
fn named(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn segments(writer: &mut StoreWriter, id: &str, segments: &[SegmentFact]) -> Result<(), StoreError> {
    let table = writer.table("segments")?;
    for segment in segments {
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", segment.place.turn)
            .count("call", segment.place.call)
            .count("segment", segment.place.segment.unwrap_or_default())
            .opt_text("program", named(&segment.program))
            .opt_text("subcommand", segment.subcommand.as_deref().and_then(named))
            .count("n_args", segment.parsed.arguments.len())
            .count("pipe_position", segment.parsed.pipe_position)
            .opt_flag("ran", segment.ran)
            .count("from_byte", segment.span.0)
            .count("to_byte", segment.span.1)
            .done()?;
    }
    Ok(())
}

fn tags(writer: &mut StoreWriter, id: &str, tagged: &Tagged) -> Result<(), StoreError> {
    let table = writer.table("tags")?;
    // Families alternate within a turn, so each tag of a turn is counted by itself.
    let mut seen: BTreeMap<(usize, TagName), i64> = BTreeMap::new();
    for row in &tagged.rows {
        let next = seen.entry((row.turn, row.tag.name)).or_default();
        let n = *next;
        *next += 1;
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", row.turn)
            .text("tag", row.tag.name.as_str())
            .int("n", n)
            .opt_count("call", row.call)
            .opt_count("segment", row.segment)
            .opt_text("kind", row.tag.kind)
            .opt_text("code", row.tag.code)
            .text("rule", row.rule)
            .int("rule_version", row.rule_version)
            .text("field", row.field.as_str())
            .opt_count("from_byte", row.span.map(|span| span.0))
            .opt_count("to_byte", row.span.map(|span| span.1))
            .done()?;
    }
    Ok(())
}

fn turn_facts(writer: &mut StoreWriter, id: &str, turns: &[TurnFact]) -> Result<(), StoreError> {
    let table = writer.table("turn_facts")?;
    for (turn, fact) in turns.iter().enumerate() {
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", turn)
            .text("primary_tag", fact.primary.map_or("untagged", |name| name.as_str()))
            .flag("repeat_action", fact.repeat_action)
            .flag("same_observation", fact.same_observation)
            .flag("poll", fact.poll)
            .done()?;
    }
    Ok(())
}

/// The position of a row among those of its call, from 0.
#[derive(Default)]
struct Position {
    last: Option<(usize, usize)>,
    n: i64,
}

impl Position {
    fn of(&mut self, place: Place) -> i64 {
        let call = (place.turn, place.call);
        self.n = if self.last == Some(call) { self.n + 1 } else { 0 };
        self.last = Some(call);
        self.n
    }
}

fn reads(writer: &mut StoreWriter, id: &str, reads: &[ReadFact]) -> Result<(), StoreError> {
    let table = writer.table("reads")?;
    let mut position = Position::default();
    for read in reads {
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", read.place.turn)
            .count("call", read.place.call)
            .int("n", position.of(read.place))
            .opt_count("segment", read.place.segment)
            .text("path", &read.path)
            .opt_int("from_line", read.lines.map(|lines| lines.0))
            .opt_int("to_line", read.lines.map(|lines| lines.1))
            .flag("review", read.review)
            .flag("by_search", read.by_search)
            .done()?;
    }
    Ok(())
}

fn edits(writer: &mut StoreWriter, id: &str, edits: &[EditFact]) -> Result<(), StoreError> {
    let table = writer.table("edits")?;
    let mut position = Position::default();
    for edit in edits {
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", edit.place.turn)
            .count("call", edit.place.call)
            .int("n", position.of(edit.place))
            .opt_count("segment", edit.place.segment)
            .opt_text("path", edit.path.as_deref().and_then(named))
            .text("kind", edit.kind.as_str())
            .opt_text("target", edit.target.map(|target| target.as_str()))
            .opt_flag("effective", edit.effective)
            .text("evidence", edit.evidence.as_str())
            .opt_text("reason", edit.reason.map(|reason| reason.as_str()))
            .opt_flag("survives", edit.survives)
            .count("from_byte", edit.span.0)
            .count("to_byte", edit.span.1)
            .done()?;
    }
    Ok(())
}

fn test_runs(writer: &mut StoreWriter, id: &str, runs: &[TestRunFact]) -> Result<(), StoreError> {
    let table = writer.table("test_runs")?;
    let mut position = Position::default();
    for run in runs {
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", run.place.turn)
            .count("call", run.place.call)
            .int("n", position.of(run.place))
            .opt_count("segment", run.place.segment)
            .text("kind", run.kind.as_str())
            .opt_text("runner", run.runner)
            .text("outcome", run.outcome.as_str())
            .opt_text("reason", run.reason.map(|reason| reason.as_str()))
            .text("evidence", run.evidence.as_str())
            .opt_int("passed", run.counts.passed)
            .opt_int("failed", run.counts.failed)
            .opt_int("errors", run.counts.errors)
            .opt_int("skipped", run.counts.skipped)
            .opt_text("error_file", run.error_file.as_deref().and_then(named))
            .flag("asserts", run.asserts)
            // The key is a hash; the column is a signed whole number of the same bits.
            .int("command_key", run.command_key.cast_signed())
            .count("from_byte", run.span.0)
            .count("to_byte", run.span.1)
            .done()?;
    }
    Ok(())
}

fn network(writer: &mut StoreWriter, id: &str, facts: &[NetworkFact]) -> Result<(), StoreError> {
    let table = writer.table("network")?;
    let mut position = Position::default();
    for fact in facts {
        table
            .row()
            .text("trajectory_id", id)
            .count("turn", fact.place.turn)
            .count("call", fact.place.call)
            .int("n", position.of(fact.place))
            .opt_count("segment", fact.place.segment)
            .flag("attempt", fact.attempt)
            .opt_text("host", fact.host.as_deref().and_then(named))
            .text("host_kind", fact.host_kind.as_str())
            .text("result", fact.result.as_str())
            .flag("explicit", fact.explicit)
            .count("from_byte", fact.span.0)
            .count("to_byte", fact.span.1)
            .done()?;
    }
    Ok(())
}

fn events(writer: &mut StoreWriter, id: &str, events: &[Event]) -> Result<(), StoreError> {
    let table = writer.table("events")?;
    for (n, event) in events.iter().enumerate() {
        table
            .row()
            .text("trajectory_id", id)
            .count("n", n)
            .text("event", event.kind.as_str())
            .opt_count("turn", event.turn)
            .opt_count("before_turn", event.before_turn)
            .opt_count("call", event.call)
            .opt_text("path", event.path.as_deref().and_then(named))
            .opt_text("program", event.program.as_deref().and_then(named))
            .opt_count("recovered_turn", event.recovered_turn)
            .opt_text("code", event.code)
            .opt_count("fixed_turn", event.fixed_turn)
            .flag("after_source_edit", event.after_source_edit)
            .text("fate", event.fate.as_str())
            .done()?;
    }
    Ok(())
}

fn loops(writer: &mut StoreWriter, id: &str, loops: &[Loop]) -> Result<(), StoreError> {
    let table = writer.table("loops")?;
    for (n, found) in loops.iter().enumerate() {
        table
            .row()
            .text("trajectory_id", id)
            .count("n", n)
            .text("code", found.code)
            .count("first_turn", found.first_turn)
            .count("last_turn", found.last_turn)
            .int("rounds", found.rounds)
            .flag("broken_by_harness", found.broken_by_harness)
            .done()?;
    }
    Ok(())
}
