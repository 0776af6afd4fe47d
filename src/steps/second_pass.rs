//! Pass two over an arm: its logs in order, each with its place among them. It settles nothing: who a log is, is known when
//! the last one was read.

use std::collections::{BTreeMap, BTreeSet};

use super::error::StepError;
use super::open::Opened;
use super::read_arm::{Placed, ReadLog, Seen, is_demonstration};
use crate::model::Problem;
use crate::outcomes::{LogHead, TrialFolders, patch_digest};
use crate::sources;

/// What became of an item, and what was made of its logs.
pub(super) struct Worked<F> {
    seen: Seen,
    logs: Vec<(ReadLog, F)>,
    problems: Vec<Problem>,
    unclaimed: Option<String>,
}

/// What became of an item; each log that it holds is settled and looked at on the same thread.
pub(super) fn worked<F>(opened: Opened, settle: &impl Fn(&mut ReadLog, &mut Vec<Problem>) -> F) -> Worked<F> {
    let nothing = |seen| Worked { seen, logs: Vec::new(), problems: Vec::new(), unclaimed: None };
    match opened {
        Opened::Log { seen, logs, mut problems } => {
            let look = |mut log| {
                let findings = settle(&mut log, &mut problems);
                (log, findings)
            };
            let logs = logs.into_iter().map(look).collect();
            Worked { seen, logs, problems, unclaimed: None }
        }
        Opened::Outcome { seen, .. } => nothing(seen),
        Opened::Unclaimed { seen, problem } => {
            let ending = sources::extension(&seen.shown).to_owned();
            let unclaimed = problem.is_none().then_some(ending);
            Worked { problems: problem.into_iter().collect(), unclaimed, ..nothing(seen) }
        }
        Opened::Refused { seen, problem } => Worked { problems: vec![problem], ..nothing(seen) },
    }
}

/// The logs of an arm as they come: who each is, and what was odd.
#[derive(Default)]
pub(super) struct SecondPass {
    pub(super) heads: Vec<LogHead>,
    pub(super) places: Vec<Placed>,
    /// Logs by their session.
    sessions: BTreeMap<String, usize>,
    /// Folders of trials in which a log lies.
    pub(super) trials: BTreeSet<String>,
    /// Logs that were read of the file that is read now, over its pieces.
    pieces: usize,
    pub(super) seen: Vec<Seen>,
    pub(super) problems: Vec<Problem>,
    pub(super) unclaimed: BTreeMap<String, i64>,
}

/// What is known of an arm before its logs are opened.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// The study has a template for paths.
    pub(super) is_templated: bool,
    /// Its trials.
    pub(super) trials: &'a TrialFolders<'a>,
}

/// Where the logs of an item begin: among all logs, and among those of its file.
struct Base {
    log: usize,
    ordinal: usize,
}

impl SecondPass {
    /// Takes what became of an item: each log gets its place, then it goes to `each`.
    pub(super) fn take<F>(
        &mut self,
        worked: Worked<F>,
        known: Known<'_>,
        mut each: impl FnMut(ReadLog, F) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.problems.extend(worked.problems);
        if let Some(ending) = worked.unclaimed {
            *self.unclaimed.entry(ending).or_default() += 1;
        }
        let base = self.see(worked.seen);
        for (mut log, findings) in worked.logs {
            log.ordinal += base.ordinal;
            self.place(&log, base.log, known);
            each(log, findings)?;
        }
        self.pieces = self.places.len() - base.log + base.ordinal;
        Ok(())
    }

    /// Takes a log that no file holds: a trial's record.
    pub(super) fn take_record(&mut self, log: &ReadLog, known: Known<'_>) {
        self.place(log, self.places.len(), known);
    }

    /// Notes a file; a further piece of the same file belongs to what was noted.
    fn see(&mut self, seen: Seen) -> Base {
        let log = self.places.len();
        match self.seen.last_mut() {
            Some(last) if last.shown == seen.shown => {
                last.bytes = last.bytes.saturating_add(seen.bytes);
                last.digest = match (last.digest, seen.digest) {
                    (Some(before), Some(piece)) => {
                        let mut hasher = blake3::Hasher::new();
                        hasher.update(before.as_bytes()).update(piece.as_bytes());
                        Some(hasher.finalize())
                    }
                    (digest, None) | (None, digest) => digest,
                };
                Base { log, ordinal: self.pieces }
            }
            _ => {
                self.seen.push(seen);
                Base { log, ordinal: 0 }
            }
        }
    }

    /// Gives a log its place. Demonstrations and sub-agents are listed by `inspect`, but they are no runs.
    fn place(&mut self, log: &ReadLog, base: usize, known: Known<'_>) {
        let trajectory = &log.trajectory;
        let trial = known.trials.of_path(&log.relative).map(|trial| trial.folder.clone());
        self.trials.extend(trial.clone());
        // A sub-agent that carries its parent's session must not stand in for it.
        if let Some(session) = trajectory.session_id.as_ref().filter(|_| trajectory.parent.is_none()) {
            self.sessions.entry(session.clone()).or_insert(self.places.len());
        }
        let mut placed = Placed::default();
        if let Some(parent) = &trajectory.parent {
            placed.is_child = true;
            placed.parent = parent.ordinal.map(|ordinal| base + ordinal);
            placed.parent_turn = parent.turn;
            placed.parent_session.clone_from(&parent.session_id);
        } else if !is_demonstration(trajectory) {
            placed.head = Some(self.heads.len());
            self.heads.push(head(log, known.is_templated, trial));
        }
        self.places.push(placed);
    }

    /// Sub-agents whose parents lie in other files.
    pub(super) fn find_parents(&mut self) {
        for index in 0..self.places.len() {
            let placed = &self.places[index];
            let Some(session) = placed.parent_session.as_ref().filter(|_| placed.parent.is_none()) else {
                continue;
            };
            let found = self.sessions.get(session).copied().filter(|parent| *parent != index);
            self.places[index].parent = found;
        }
    }
}

fn head(log: &ReadLog, is_templated: bool, trial: Option<String>) -> LogHead {
    let trajectory = &log.trajectory;
    LogHead {
        file: log.relative.clone(),
        template_path: if is_templated { log.shown.clone() } else { log.relative.clone() },
        place: trajectory.place.clone(),
        ordinal: log.ordinal,
        instance_id: trajectory.instance_id.clone(),
        collection: trajectory.collection.clone(),
        session_id: trajectory.session_id.clone(),
        run: trajectory.run,
        is_sample: trajectory.is_sample,
        started_at: trajectory.started_at,
        model: trajectory.model.clone(),
        patch_state: trajectory.patch_state,
        patch: trajectory.patch.as_deref().and_then(patch_digest),
        has_log: trajectory.has_log,
        format: trajectory.format,
        n_turns: trajectory.turns.len() as i64,
        trial,
        verdict: trajectory.verdict.clone(),
        content: log.content,
    }
}
