//! A row of a file of samples: what it says beside its conversation (`definitions.md` §1, keys), and the trajectory that the
//! two make. Rows of chats, of training dumps and of mapped files share it.
//!
//! Never here: under which key a row says it.

use super::dialogue::{self, Said};
use super::json::lenient::as_whole;
use super::{Input, Read, json};
use crate::data::statuses::termination;
use crate::model::{Origin, PatchState, Problem, Termination, Trajectory, UnscoredReason, Verdict, Weight};
use serde_json::Value;

/// Rows that keep their conversation as a list under `trajectory`; a row without one is listed.
pub fn read_trajectories(
    input: &Input,
    trajectory: impl Fn(&Value, String, &mut Vec<Problem>) -> Trajectory,
) -> Read {
    let mut read = Read::default();
    let Read { trajectories, problems, .. } = &mut read;
    json::records(input.bytes(), input.lines_before, problems, |record, problems| {
        if record.value.get("trajectory").is_some_and(Value::is_array) {
            trajectories.push(trajectory(&record.value, record.place(), problems));
        } else {
            let what = "a row without a trajectory: left out";
            problems.push(Problem::new(Weight::Refused, record.place(), what));
        }
    });
    read
}

/// What a row says of its run.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Where it stands: `line N`, `record N`, or empty for the whole file.
    pub place: String,
    /// Instance id.
    pub instance_id: Option<String>,
    /// Run number from 0.
    pub run: Option<i64>,
    /// Session id.
    pub session_id: Option<String>,
    /// Scaffold; `chat` where none is named.
    pub scaffold: Option<String>,
    /// Model.
    pub model: Option<String>,
    /// Reward.
    pub reward: Option<f64>,
    /// Solved, by the row's own word.
    pub resolved: Option<bool>,
    /// The row has a place for an outcome, and it is null.
    pub is_unscored: bool,
    /// The environment says that the sample is not to be relied on.
    pub is_masked: bool,
    /// Raw exit status.
    pub status: Option<String>,
    /// What the status means, where the row's own table says it.
    pub termination: Option<Termination>,
    /// The patch that was handed in.
    pub patch: Option<String>,
    /// The row has a place for a patch.
    pub has_patch: bool,
    /// The scaffold's own number of steps.
    pub steps: Option<i64>,
    /// Training step.
    pub train_step: Option<i64>,
    /// Rows of the file are samples of a design.
    pub is_sample: bool,
    /// The scaffold has a means to hand in.
    pub can_submit: bool,
    /// From which reward on a run is solved; 1 where nothing else is said.
    pub resolved_at: Option<f64>,
}

impl Row {
    /// The trajectory of a row and its conversation.
    pub fn trajectory(self, format: &'static str, said: Vec<Said>) -> Trajectory {
        let mut run = self.empty(format);
        dialogue::fill(&mut run, said);
        self.close(&mut run);
        run
    }

    /// The trajectory of a row whose prompt holds an earlier exchange: responses of the prompt are copies.
    pub fn continued(self, format: &'static str, before: Vec<Said>, after: Vec<Said>) -> Trajectory {
        let mut run = self.empty(format);
        dialogue::fill(&mut run, before);
        for turn in &mut run.turns {
            turn.origin = Origin::Copied;
        }
        dialogue::fill(&mut run, after);
        self.close(&mut run);
        run
    }

    /// The trajectory without its turns.
    pub fn empty(&self, format: &'static str) -> Trajectory {
        let mut run = Trajectory::new(format, self.scaffold.as_deref().unwrap_or("chat"));
        run.place = self.place.clone();
        run.instance_id = self.instance_id.clone();
        run.run = self.run.filter(|run| *run >= 0);
        run.session_id = self.session_id.clone();
        run.model = self.model.clone();
        run.is_sample = self.is_sample;
        run.train_step = self.train_step;
        run.can_submit = self.can_submit;
        run.verdict = self.verdict();
        run.patch = self.patch.clone().filter(|patch| !patch.trim().is_empty());
        run.patch_state = match (&run.patch, self.has_patch) {
            (Some(_), _) => PatchState::Nonempty,
            (None, true) => PatchState::Empty,
            (None, false) => PatchState::Missing,
        };
        run
    }

    /// Sets the end: what the row says of it, else what the last turn tells.
    pub fn close(self, run: &mut Trajectory) {
        run.steps = self.steps.or(Some(run.turns.len() as i64));
        run.has_log = !run.turns.is_empty();
        dialogue::end(run);
        let Some(status) = self.status else { return };
        let meaning = self.termination.or_else(|| termination(&run.scaffold, &status));
        run.termination = meaning.unwrap_or(Termination::Unknown);
        run.raw_exit_status = Some(status);
        if run.termination != Termination::Submitted {
            run.submitting_turn = None;
        }
    }

    /// A reward of 1 is a solved run (`definitions.md` §7), less is none; the row's own word goes before.
    fn verdict(&self) -> Option<Verdict> {
        let solved_at = self.resolved_at.unwrap_or(1.0);
        let resolved = self.resolved.or_else(|| self.reward.map(|reward| reward >= solved_at));
        let mut verdict = match resolved {
            _ if self.is_masked => Verdict::unscored(UnscoredReason::MaskSample),
            Some(resolved) => Verdict::scored(resolved),
            None if self.is_unscored => Verdict::unscored(UnscoredReason::Null),
            None => return None,
        };
        verdict.reward = self.reward;
        Some(verdict)
    }
}

/// The first of these keys that holds a text or a whole number.
pub fn name(value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| as_name(value.get(*key)?))
}

/// A text that is not blank, or a whole number, as a text.
pub fn as_name(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned),
        number => as_whole(number).map(|number| number.to_string()),
    }
}

/// An id of the task, where a row names none: samples of one prompt are runs of one instance.
pub fn of_prompt(prompt: &str) -> String {
    let digest = blake3::hash(prompt.trim().as_bytes()).to_hex();
    format!("prompt-{}", digest.get(..12).unwrap_or_default())
}
