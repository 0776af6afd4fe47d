//! One object: its keys and their order are those of `interface.md`, `inspect` JSON. A key without a value is null, since
//! its reader shall see that it is not known; `turn` and `tags` are there only where they were asked for.

use serde::Serialize;
use serde_json::value::RawValue;

use super::tags::TagObject;
use crate::model::{Origin, Problem, Trajectory, Turn, Verdict};
use crate::outcomes::SettledLog;
use crate::steps::read_arm::{Placed, ReadLog, instance_of};

/// What is held of a log until its path is settled.
pub struct Head {
    /// Path as given, joined with what lies below it.
    pub file: String,
    /// Place in the file.
    pub place: String,
    format: &'static str,
    instance_id: String,
    model: Option<String>,
    steps: Option<i64>,
    turns: Option<usize>,
    termination: &'static str,
    auto_submitted: bool,
    raw_exit_status: Option<String>,
    patch: &'static str,
}

impl Head {
    /// Keeps what an object prints, and lets go of the texts.
    pub fn of(log: ReadLog) -> Head {
        let instance_id = instance_of(&log);
        let trajectory = log.trajectory;
        Head {
            file: log.shown,
            format: trajectory.format,
            instance_id,
            steps: trajectory.steps,
            turns: trajectory.has_turn_boundaries.then(|| trajectory.shown_turns()),
            termination: trajectory.termination.as_str(),
            auto_submitted: trajectory.auto_submitted,
            patch: trajectory.patch_state.as_str(),
            place: trajectory.place,
            model: trajectory.model,
            raw_exit_status: trajectory.raw_exit_status,
        }
    }
}

/// A run or trajectory.
#[derive(Serialize)]
pub struct Object<'a> {
    pub(super) file: &'a str,
    place: &'a str,
    format: &'a str,
    pub(super) instance_id: &'a str,
    pub(super) run: Option<i64>,
    run_source: Option<&'a str>,
    model: Option<&'a str>,
    pub(super) steps: Option<i64>,
    pub(super) turns: Option<usize>,
    pub(super) termination: &'a str,
    auto_submitted: bool,
    raw_exit_status: Option<&'a str>,
    pub(super) patch: &'a str,
    pub(super) outcome: Option<Outcome<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<ParentObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<&'a RawValue>,
    pub(super) problems: Vec<Odd<'a>>,
}

/// Whose sub-agent a trajectory is.
#[derive(Serialize)]
pub struct ParentObject<'a> {
    file: Option<&'a str>,
    place: Option<&'a str>,
    session: Option<&'a str>,
    turn: Option<usize>,
}

impl<'a> ParentObject<'a> {
    /// The parent's head, where it was read, and what the sub-agent's log says.
    pub fn new(head: Option<&'a Head>, placed: &'a Placed) -> ParentObject<'a> {
        ParentObject {
            file: head.map(|head| head.file.as_str()),
            place: head.map(|head| head.place.as_str()),
            session: placed.parent_session.as_deref(),
            turn: placed.parent_turn,
        }
    }
}

/// What the outcome files say.
#[derive(Serialize)]
pub struct Outcome<'a> {
    scored: bool,
    resolved: Option<bool>,
    reason: Option<&'a str>,
    source: &'a str,
    file: &'a str,
}

/// What is odd.
#[derive(Serialize)]
pub struct Odd<'a> {
    place: &'a str,
    what: &'a str,
}

impl<'a> Object<'a> {
    /// Joins a log with its identity, its outcome, its turns and what is odd in it.
    pub fn new(
        head: &'a Head,
        log: Option<&'a SettledLog>,
        parent: Option<ParentObject<'a>>,
        outcome: Option<Outcome<'a>>,
        turn: Option<&'a RawValue>,
        problems: Vec<&'a Problem>,
    ) -> Object<'a> {
        Object {
            file: &head.file,
            place: &head.place,
            format: head.format,
            instance_id: log.map_or(&head.instance_id, |log| &log.instance_id),
            run: log.map(|log| log.run),
            run_source: log.map(|log| log.run_source.as_str()),
            model: head.model.as_deref(),
            steps: head.steps,
            turns: head.turns,
            termination: head.termination,
            auto_submitted: head.auto_submitted,
            raw_exit_status: head.raw_exit_status.as_deref(),
            patch: head.patch,
            outcome,
            parent,
            turn,
            problems: problems
                .into_iter()
                .map(|problem| Odd { place: &problem.place, what: &problem.what })
                .collect(),
        }
    }

    /// The object as a line.
    pub fn line(&self) -> String {
        json(self) + "\n"
    }
}

impl<'a> Outcome<'a> {
    /// The unscored reason, else the benchmark's rule by which the run failed.
    pub fn new(verdict: &'a Verdict, source: &'a str, file: &'a str) -> Outcome<'a> {
        let unscored = verdict.unscored_reason.as_ref().map(|reason| reason.as_str());
        Outcome {
            scored: verdict.scored,
            resolved: verdict.resolved,
            reason: unscored.or_else(|| verdict.failed_reason.map(|reason| reason.as_str())),
            source,
            file,
        }
    }

    /// One word for a table.
    pub fn word(&self) -> String {
        let word = match (self.scored, self.resolved) {
            (false, _) => "unscored",
            (true, Some(true)) => "resolved",
            (true, Some(false)) => "failed",
            (true, None) => "scored",
        };
        self.reason.map_or_else(|| word.to_owned(), |reason| format!("{word}: {reason}"))
    }
}

#[derive(Serialize)]
struct TurnObject<'a> {
    turn: usize,
    origin: &'a str,
    quality: &'a str,
    calls: Vec<CallObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<&'a [TagObject<'a>]>,
}

#[derive(Serialize)]
struct CallObject<'a> {
    tool: &'a str,
    kind: &'a str,
    input: &'a str,
    exit_code: Option<i64>,
    observation_bytes: Option<usize>,
}

/// The list `turn`: the turns that `turns` counts, with their tags where these are given (one list a turn).
pub fn turns(trajectory: &Trajectory, tags: Option<&[Vec<TagObject>]>) -> String {
    if !trajectory.has_turn_boundaries {
        return "null".to_owned();
    }
    let shown: Vec<TurnObject> = trajectory
        .turns
        .iter()
        .enumerate()
        .filter(|(_, turn)| matches!(turn.origin, Origin::Model | Origin::Prefix | Origin::Demo))
        .map(|(place, turn)| {
            turn_object(place, turn, tags.map(|tags| tags.get(place).map_or(&[][..], Vec::as_slice)))
        })
        .collect();
    json(&shown)
}

fn turn_object<'a>(place: usize, turn: &'a Turn, tags: Option<&'a [TagObject<'a>]>) -> TurnObject<'a> {
    let calls = turn.calls.iter().map(|call| CallObject {
        tool: &call.tool,
        kind: call.kind.as_str(),
        input: &call.input,
        exit_code: call.exit_code,
        observation_bytes: call.observation.as_ref().map(String::len),
    });
    TurnObject {
        turn: place,
        origin: turn.origin.as_str(),
        quality: turn.quality().as_str(),
        calls: calls.collect(),
        tags,
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain structs with text keys become JSON")
}
