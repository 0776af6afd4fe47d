//! Which outcome files speak of another model (`interface.md`, outcomes are searched): they are passed over and
//! listed. Only paths tell the model of a report, so a file is passed over only where its path surely names one.

use std::collections::{BTreeMap, BTreeSet};

use super::outcome_file::OutcomeFile;
use super::report;
use super::settled::LogHead;

/// Models of the arm: by its predictions, else by its logs.
struct ArmModels {
    folders: BTreeSet<String>,
    by_predictions: bool,
}

impl ArmModels {
    fn of(logs: &[LogHead], files: &[OutcomeFile]) -> ArmModels {
        let of_logs: BTreeSet<&str> = logs.iter().filter_map(|log| log.model.as_deref()).collect();
        let predicted: BTreeSet<&str> = files
            .iter()
            .flat_map(|file| &file.predictions)
            .filter_map(|made| made.model.as_deref())
            .collect();
        // Predictions of several models in one tree: those of the logs' models are the arm's.
        let of_the_logs: BTreeSet<&str> = predicted
            .iter()
            .copied()
            .filter(|made| of_logs.iter().any(|logged| same_model(&folder_name(made), &folder_name(logged))))
            .collect();
        let chosen = match (predicted.len() > 1 && !of_the_logs.is_empty(), predicted.is_empty()) {
            (true, _) => &of_the_logs,
            (false, false) => &predicted,
            (false, true) => &of_logs,
        };
        ArmModels {
            folders: chosen.iter().map(|model| folder_name(model)).collect(),
            by_predictions: !predicted.is_empty(),
        }
    }

    /// Predictions carry the very name that the harness makes folders of; logs may lack the provider.
    fn is_own(&self, folder: &str) -> bool {
        self.folders.contains(folder)
            || !self.by_predictions && self.folders.iter().any(|own| same_model(own, folder))
    }
}

/// A model's name as a folder: the harness writes `/` as `__`.
fn folder_name(model: &str) -> String {
    model.replace('/', "__")
}

/// Equal but for the provider in front (`openai__gpt-5-mini`, `gpt-5-mini`).
fn same_model(a: &str, b: &str) -> bool {
    let bare = |name: &str| name.rsplit("__").next().unwrap_or(name).to_lowercase();
    bare(a) == bare(b)
}

/// Paths of the files that speak of another model.
pub fn other_models(logs: &[LogHead], files: &[OutcomeFile]) -> BTreeSet<String> {
    let own = ArmModels::of(logs, files);
    if own.folders.is_empty() {
        return BTreeSet::new();
    }
    let mut others = reports_of_others(&own, files);
    others.extend(summaries_of_others(&own, files));
    others.extend(files.iter().filter(|file| predicts_others(&own, file)).map(|file| file.path.clone()));
    others
}

/// A file of predictions of which none is of the arm's models.
fn predicts_others(own: &ArmModels, file: &OutcomeFile) -> bool {
    let named: Vec<&str> = file.predictions.iter().filter_map(|made| made.model.as_deref()).collect();
    !named.is_empty() && named.iter().all(|model| !own.is_own(&folder_name(model)))
}

/// Reports below `run_evaluation/<run>/<model>/<id>/`, and reports in a folder beside that of the arm's model.
fn reports_of_others(own: &ArmModels, files: &[OutcomeFile]) -> BTreeSet<String> {
    let mut by_parent: BTreeMap<String, Vec<(&str, &OutcomeFile)>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.shape == report::SHAPE.name) {
        let parts: Vec<&str> = file.path.split('/').collect();
        if let [above @ .., model, _id, _name] = parts.as_slice() {
            by_parent.entry(above.join("/")).or_default().push((model, file));
        }
    }
    let mut others = BTreeSet::new();
    for (parent, reports) in by_parent {
        let in_harness_folder = parent.rsplit('/').nth(1) == Some("run_evaluation");
        if in_harness_folder || reports.iter().any(|(model, _)| own.folders.contains(*model)) {
            let of_others = reports.iter().filter(|(model, _)| !own.is_own(model));
            others.extend(of_others.map(|(_, file)| file.path.clone()));
        }
    }
    others
}

/// Summaries `<model>.<run>.json` of another model beside one of the arm's with the same run.
fn summaries_of_others(own: &ArmModels, files: &[OutcomeFile]) -> BTreeSet<String> {
    let summaries: Vec<(&str, &str, &OutcomeFile)> = files
        .iter()
        .filter(|file| file.holds_verdicts() && file.shape != report::SHAPE.name)
        .map(|file| {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            (folder, name.trim_end_matches(".json"), file)
        })
        .collect();
    let mut others = BTreeSet::new();
    for (folder, name, _) in &summaries {
        let run = own.folders.iter().find_map(|model| name.strip_prefix(model.as_str())?.strip_prefix('.'));
        let Some(run) = run else { continue };
        for (other_folder, other, file) in &summaries {
            let of_other = other.strip_suffix(run).and_then(|rest| rest.strip_suffix('.'));
            if other_folder == folder && of_other.is_some_and(|model| !own.is_own(model)) {
                others.insert(file.path.clone());
            }
        }
    }
    others
}
