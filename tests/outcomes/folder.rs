//! An arm on disk, for tests: heads of logs and outcome files of a folder. Knows only as much of the log formats as
//! identity and patches need; the readers of `formats` have tests of their own.

use std::path::{Path, PathBuf};

use ethogram::model::PatchState;
use ethogram::outcomes::{LogHead, OutcomeFile, patch_digest, recognise};
use serde_json::Value;

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

pub fn is_log(path: &str) -> bool {
    path.ends_with(".traj") || path.ends_with(".traj.json")
}

/// Head of one SWE-agent or mini-swe-agent log, stub or list.
pub fn head(path: &str, bytes: &[u8]) -> LogHead {
    let value: Value = serde_json::from_slice(bytes).unwrap_or(Value::Null);
    let info = &value["info"];
    let patch = info["submission"].as_str().and_then(patch_digest);
    let model = info["config"]["model"]["model_name"].as_str();
    LogHead {
        file: path.to_owned(),
        template_path: path.to_owned(),
        place: String::new(),
        ordinal: 0,
        instance_id: value["instance_id"].as_str().filter(|id| !id.is_empty()).map(str::to_owned),
        session_id: None,
        run: None,
        is_sample: false,
        started_at: None,
        model: model.map(str::to_owned),
        patch_state: if patch.is_some() { PatchState::Nonempty } else { PatchState::Empty },
        patch,
        has_log: info.is_object(),
        content: blake3::hash(bytes),
    }
}

/// Logs and outcome files of a folder; files that neither claims are passed over.
pub fn arm(root: &Path) -> (Vec<LogHead>, Vec<OutcomeFile>) {
    let mut logs = Vec::new();
    let mut outcomes = Vec::new();
    for path in files_below(root) {
        let bytes = std::fs::read(root.join(&path)).unwrap();
        match recognise(&path, &bytes) {
            _ if is_log(&path) => logs.push(head(&path, &bytes)),
            Some(shape) => outcomes.push((shape.read)(&path, &bytes)),
            None => {}
        }
    }
    (logs, outcomes)
}
