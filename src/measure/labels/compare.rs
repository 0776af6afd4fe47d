//! One turn, both sides: what is judged, whether they agree, and what each says where they do not.
//!
//! A tag is judged on every turn; an attribute only where both sides bear what it belongs to, since a tag that one side
//! lacks is counted once already. Of several tests of a turn the worst speaks (the guide of the labels).

use std::collections::BTreeSet;

use super::answer::{Answer, Edit, TAGS, Test};
use super::label::Label;
use crate::model::TagName;
use crate::runners::TestOutcome;

/// A labelled turn with what the rules say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The label.
    pub label: Label,
    /// Trajectory of the store.
    pub trajectory: String,
    /// Turn within it.
    pub turn: usize,
    /// Format of its log.
    pub format: String,
    /// What the rules say.
    pub engine: Answer,
}

/// What is judged beside the tags, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// pass, not passed (fail or error), not run, unknown.
    TestOutcome,
    /// No pass where the label says fail or error.
    NoFalsePass,
    /// fail against error, of suites and targeted runs.
    FailErrorRunners,
    /// fail against error, of reproductions and inline code.
    FailErrorScripts,
    /// Why a test did not run.
    NotRunReason,
    /// Kind of test.
    TestKind,
    /// An edit of the labelled file was found.
    EditFound,
    /// Whether an edit took effect.
    EditEffect,
    /// Kind of edit.
    EditKind,
    /// Class of the edited file.
    EditTarget,
    /// Quality of the turn.
    Quality,
    /// Kinds of exploration.
    ExplorationKind,
    /// Kind of execution.
    ExecutionKind,
    /// Kind of host.
    NetworkKind,
    /// What came of a network command.
    NetworkResult,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 15] = [
        Measure::TestOutcome,
        Measure::NoFalsePass,
        Measure::FailErrorRunners,
        Measure::FailErrorScripts,
        Measure::NotRunReason,
        Measure::TestKind,
        Measure::EditFound,
        Measure::EditEffect,
        Measure::EditKind,
        Measure::EditTarget,
        Measure::Quality,
        Measure::ExplorationKind,
        Measure::ExecutionKind,
        Measure::NetworkKind,
        Measure::NetworkResult,
    ];

    /// Stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Measure::TestOutcome => "test_outcome",
            Measure::NoFalsePass => "no_false_pass",
            Measure::FailErrorRunners => "fail_error_runners",
            Measure::FailErrorScripts => "fail_error_scripts",
            Measure::NotRunReason => "not_run_reason",
            Measure::TestKind => "test_kind",
            Measure::EditFound => "edit_found",
            Measure::EditEffect => "edit_effect",
            Measure::EditKind => "edit_kind",
            Measure::EditTarget => "edit_target",
            Measure::Quality => "quality",
            Measure::ExplorationKind => "exploration_kind",
            Measure::ExecutionKind => "execution_kind",
            Measure::NetworkKind => "network_kind",
            Measure::NetworkResult => "network_result",
        }
    }

    /// What a person reads.
    pub const fn words(self) -> &'static str {
        match self {
            Measure::TestOutcome => "test outcome",
            Measure::NoFalsePass => "no pass for fail or error",
            Measure::FailErrorRunners => "fail or error: suite, targeted",
            Measure::FailErrorScripts => "fail or error: repro, inline",
            Measure::NotRunReason => "reason of a test not run",
            Measure::TestKind => "kind of test",
            Measure::EditFound => "edit found",
            Measure::EditEffect => "effect of an edit",
            Measure::EditKind => "kind of edit",
            Measure::EditTarget => "target of an edit",
            Measure::Quality => "quality of the turn",
            Measure::ExplorationKind => "kind of exploration",
            Measure::ExecutionKind => "kind of execution",
            Measure::NetworkKind => "kind of host",
            Measure::NetworkResult => "result of a request",
        }
    }
}

/// One judgement on one turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What is judged.
    pub measure: Measure,
    /// Both sides agree.
    pub is_right: bool,
    /// What the label says.
    pub label: String,
    /// What the rules say.
    pub engine: String,
}

/// What two sides say apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What it is about: a tag, or the words of a measure.
    pub what: String,
    /// What the label says.
    pub label: String,
    /// What the rules say.
    pub engine: String,
}

/// Everything that label and rules say apart of one turn.
pub fn differences(pair: &Pair) -> Vec<Difference> {
    let says = |is_there| if is_there { "yes" } else { "no" }.to_owned();
    let (label, engine) = (&pair.label.answer, &pair.engine);
    let tags = TAGS.iter().filter(|name| label.tags.contains(name) != engine.tags.contains(name));
    let mut found: Vec<Difference> = tags
        .map(|name| Difference {
            what: name.as_str().to_owned(),
            label: says(label.tags.contains(name)),
            engine: says(engine.tags.contains(name)),
        })
        .collect();
    // A false pass is a wrong outcome too, and is listed as that alone.
    let wrong =
        judgements(pair).into_iter().filter(|one| !one.is_right && one.measure != Measure::NoFalsePass);
    found.extend(wrong.map(|one| Difference {
        what: one.measure.words().to_owned(),
        label: one.label,
        engine: one.engine,
    }));
    found
}

/// All judgements on one turn but those of its tags.
pub fn judgements(pair: &Pair) -> Vec<Judgement> {
    let (label, engine) = (&pair.label.answer, &pair.engine);
    let mut found = Vec::new();
    tests(label, engine, &mut found);
    for edit in &label.edits {
        self::edit(edit, &engine.edits, &mut found);
    }
    if let Some(quality) = label.quality {
        let got = engine.quality.map_or("unknown", |quality| quality.as_str());
        found.push(judgement(Measure::Quality, quality.as_str(), got));
    }
    let both = |name| label.tags.contains(&name) && engine.tags.contains(&name);
    if both(TagName::Exploration) && !label.exploration_kinds.is_empty() {
        let (label, engine) = (joined(&label.exploration_kinds), joined(&engine.exploration_kinds));
        found.push(judgement(Measure::ExplorationKind, &label, &engine));
    }
    if both(TagName::Execution) && !label.execution_kinds.is_empty() {
        // A reader names the kind that matters; the rules may see a second.
        found.push(Judgement {
            measure: Measure::ExecutionKind,
            is_right: label.execution_kinds.is_subset(&engine.execution_kinds),
            label: joined(&label.execution_kinds),
            engine: joined(&engine.execution_kinds),
        });
    }
    if both(TagName::Network) {
        let sides = [
            (Measure::NetworkKind, &label.network_kind, &engine.network_kind),
            (Measure::NetworkResult, &label.network_result, &engine.network_result),
        ];
        for (measure, label, engine) in sides {
            if let Some(label) = label {
                found.push(judgement(measure, label, engine.as_deref().unwrap_or("none")));
            }
        }
    }
    found
}

fn judgement(measure: Measure, label: &str, engine: &str) -> Judgement {
    Judgement { measure, is_right: label == engine, label: label.to_owned(), engine: engine.to_owned() }
}

fn joined(words: &BTreeSet<String>) -> String {
    words.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn tests(label: &Answer, engine: &Answer, found: &mut Vec<Judgement>) {
    let (Some(wanted), Some(got)) = (label.worst_test(), engine.worst_test()) else { return };
    let (want, have) = (wanted.outcome, got.outcome);
    let mut push = |measure, is_right| {
        found.push(Judgement {
            measure,
            is_right,
            label: want.as_str().to_owned(),
            engine: have.as_str().to_owned(),
        });
    };
    push(Measure::TestOutcome, class(want) == class(have));
    if not_passed(want) {
        push(Measure::NoFalsePass, have != TestOutcome::Pass);
        if not_passed(have) {
            let by_runner = matches!(wanted.kind.as_str(), "suite" | "targeted");
            let measure = if by_runner { Measure::FailErrorRunners } else { Measure::FailErrorScripts };
            push(measure, want == have);
        }
    }
    if let (Some(reason), TestOutcome::NotRun, TestOutcome::NotRun) = (&wanted.reason, want, have) {
        found.push(judgement(Measure::NotRunReason, reason, got.reason.as_deref().unwrap_or("none")));
    }
    let kinds: BTreeSet<String> = engine.tests.iter().map(|test| test.kind.clone()).collect();
    found.push(test_kind(wanted, &kinds));
}

/// The kind is right where any test of the turn has it: the worst of one side need not be the worst of the other.
fn test_kind(wanted: &Test, kinds: &BTreeSet<String>) -> Judgement {
    Judgement {
        measure: Measure::TestKind,
        is_right: kinds.contains(&wanted.kind),
        label: wanted.kind.clone(),
        engine: joined(kinds),
    }
}

const fn not_passed(outcome: TestOutcome) -> bool {
    matches!(outcome, TestOutcome::Fail | TestOutcome::Error)
}

/// Fail and error are one class: not passed.
const fn class(outcome: TestOutcome) -> TestOutcome {
    if not_passed(outcome) { TestOutcome::Fail } else { outcome }
}

fn edit(wanted: &Edit, all: &[Edit], found: &mut Vec<Judgement>) {
    let Some(got) = same_edit(wanted, all) else {
        let label = format!("{} of {}", wanted.kind, wanted.path.as_deref().unwrap_or("a file"));
        found.push(judgement(Measure::EditFound, &label, "no such edit"));
        return;
    };
    let path = wanted.path.clone().unwrap_or_default();
    found.push(Judgement {
        measure: Measure::EditFound,
        is_right: true,
        label: path,
        engine: got.path.clone().unwrap_or_default(),
    });
    let effect = |effective| match effective {
        Some(true) => "took effect",
        Some(false) => "no effect",
        None => "unknown",
    };
    found.push(judgement(Measure::EditEffect, effect(wanted.effective), effect(got.effective)));
    found.push(judgement(Measure::EditKind, &wanted.kind, &got.kind));
    if let Some(target) = &wanted.target {
        found.push(judgement(Measure::EditTarget, target, got.target.as_deref().unwrap_or("unknown")));
    }
}

/// Of the edits of one file the one that is most alike; where the rules know no path, the only edit is it.
fn same_edit<'a>(wanted: &Edit, all: &'a [Edit]) -> Option<&'a Edit> {
    let name = |edit: &Edit| edit.path.as_deref().and_then(|path| path.rsplit('/').next().map(str::to_owned));
    let wanted_name = name(wanted);
    let same: Vec<&Edit> =
        all.iter().filter(|edit| wanted_name.is_some() && name(edit) == wanted_name).collect();
    let alike = same.iter().find(|edit| edit.kind == wanted.kind).or(same.first());
    match (alike, all) {
        (Some(edit), _) => Some(*edit),
        (None, [edit]) if edit.path.is_none() || wanted.path.is_none() => Some(edit),
        (None, _) => None,
    }
}
