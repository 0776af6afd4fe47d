//! An arm for tests: heads of logs and outcome files of a folder or an archive, as the steps of a study make them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ethogram::formats;
use ethogram::model::Trajectory;
use ethogram::outcomes::{LogHead, OutcomeFile, TrialFolders, patch_digest, recognise};
use ethogram::sources::{Limits, members, walk};

/// Logs, outcome files and demonstrations (by path: they are no runs).
#[derive(Default)]
pub struct Arm {
    pub logs: Vec<LogHead>,
    pub outcomes: Vec<OutcomeFile>,
    pub demonstrations: Vec<String>,
}

impl Arm {
    fn add(&mut self, path: &str, bytes: &[u8]) {
        match (formats::recognise(bytes), recognise(path, bytes)) {
            (Some(format), outcome) => {
                assert!(outcome.is_none(), "{path} is claimed as a log and as an outcome file");
                let read = formats::read_file(format, bytes);
                match format.name {
                    "swe-agent-demonstration" => self.demonstrations.push(path.to_owned()),
                    // Sub-agents are no runs.
                    _ => self.logs.extend(
                        (read.trajectories.iter().enumerate())
                            .filter(|(_, run)| run.parent.is_none())
                            .map(|(ordinal, run)| LogHead { ordinal, ..head(format.name, path, bytes, run) }),
                    ),
                }
            }
            (None, Some(shape)) => self.outcomes.push((shape.read)(path, bytes)),
            (None, None) => {}
        }
    }
}

impl Arm {
    /// Finds the trials in which the logs lie, when all files are known.
    fn with_trials(mut self) -> Arm {
        let trials = TrialFolders::of(&self.outcomes);
        for log in &mut self.logs {
            log.trial = trials.of_path(&log.file).map(|trial| trial.folder.clone());
        }
        self
    }
}

fn head(format: &'static str, path: &str, bytes: &[u8], run: &Trajectory) -> LogHead {
    LogHead {
        file: path.to_owned(),
        template_path: path.to_owned(),
        place: run.place.clone(),
        ordinal: 0,
        instance_id: run.instance_id.clone(),
        collection: run.collection.clone(),
        session_id: run.session_id.clone(),
        run: run.run,
        is_sample: run.is_sample,
        started_at: run.started_at,
        model: run.model.clone(),
        patch_state: run.patch_state,
        patch: run.patch.as_deref().and_then(patch_digest),
        has_log: run.has_log,
        format,
        n_turns: run.turns.len() as i64,
        trial: None,
        verdict: run.verdict.clone(),
        content: blake3::hash(&[bytes, run.place.as_bytes()].concat()),
    }
}

/// All files below a folder, sorted, as paths below it with `/`.
pub fn files_below(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in
            std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned()),
            }
        }
    }
    found.sort();
    found
}

/// The arm of a folder.
pub fn arm(root: &Path) -> Arm {
    let mut arm = Arm::default();
    for path in files_below(root) {
        arm.add(&path, &std::fs::read(root.join(&path)).unwrap());
    }
    arm.with_trials()
}

/// The arm of an archive.
pub fn packed_arm(archive: &Path) -> Arm {
    let packed = walk(archive).unwrap().files.remove(0);
    let mut arm = Arm::default();
    let problems = members(&packed, &Limits::default(), |member| {
        arm.add(&member.path, &member.bytes);
        ControlFlow::Continue(())
    });
    assert_eq!(problems.unwrap(), [], "{}", archive.display());
    arm.with_trials()
}
