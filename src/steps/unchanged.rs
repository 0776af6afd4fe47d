//! Whether an arm's rows still stand: the files that it was read from, and everything of the study on which they rest.

use std::collections::{BTreeMap, BTreeSet};

use super::arm_files::{ArmFile, ArmFiles};
use super::study::{Arm, Study};
use crate::sources::SourceKind;
use crate::store::Manifest;

/// Everything of an arm and its study on which its rows rest.
pub fn settings_of(study: &Study, arm: &Arm) -> String {
    format!(
        "{arm:?} benchmark {:?} {:?} duplicates {:?} expect {:?} reading {:?}",
        study.benchmark, study.benchmarks, study.duplicates, study.expect_runs, study.reading
    )
}

/// The files of an arm are those of the manifest, with their sizes and times, and its settings are the same.
pub fn unchanged(old: &Manifest, study: &Study, arm: &Arm, groups: &[ArmFiles]) -> bool {
    if old.contents.settings.get(&format!("arm {}", arm.name)) != Some(&settings_of(study, arm)) {
        return false;
    }
    // A path may stand for itself and for a run that goes on from it.
    let mut known: BTreeMap<&str, Vec<(u64, Option<i64>)>> = BTreeMap::new();
    for input in old.contents.inputs.iter().filter(|input| input.arm == arm.name) {
        known.entry(&input.path).or_default().push((input.bytes, input.modified_ms));
        for part in &input.parts {
            known.entry(&part.path).or_default().push((part.bytes, part.modified_ms));
        }
    }
    let walked = || groups.iter().flat_map(|group| group.files.iter().chain(&group.parents));
    let is_known = |file: &ArmFile| {
        let of_file = known.get(file.shown.as_str()).map(Vec::as_slice).unwrap_or_default();
        match file.source.kind {
            SourceKind::Binary => true,
            SourceKind::Compressed => of_file.iter().any(|(_, modified)| *modified == file.source.modified),
            SourceKind::Plain | SourceKind::Archive => {
                of_file.contains(&(file.source.size, file.source.modified))
            }
        }
    };
    let paths: BTreeSet<&str> = walked().map(|file| file.shown.as_str()).collect();
    // Named outcomes lie anywhere, so that their arms are read again.
    arm.outcomes.is_none() && walked().all(is_known) && known.keys().all(|path| is_walked(path, &paths))
}

/// A file that was walked, a member of an archive that was, or a folder in which one lies.
fn is_walked(path: &str, walked: &BTreeSet<&str>) -> bool {
    let mut above = std::iter::successors(Some(path), |path| Some(path.rsplit_once('/')?.0));
    let folder = format!("{path}/");
    above.any(|path| walked.contains(path))
        || walked.range(folder.as_str()..).next().is_some_and(|found| found.starts_with(&folder))
}
