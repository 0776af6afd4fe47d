//! The real logs that labels name, out of their archives.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use ethogram::formats;
use ethogram::model::Trajectory;
use serde_json::Value;

use crate::support::shared;

/// One labelled file: archive and path in it.
pub type File = (String, String);

/// Lines of a label file by the file they speak of; what stands behind the path is left to the caller.
pub fn labels(name: &str) -> Option<BTreeMap<File, Vec<Value>>> {
    let text = fs::read_to_string(shared(&format!("labels/{name}"))?).unwrap();
    let mut labels: BTreeMap<File, Vec<Value>> = BTreeMap::new();
    for line in text.lines() {
        let label: Value = serde_json::from_str(line).unwrap();
        let mut parts = label["item"].as_str().unwrap().splitn(3, ':');
        let file = (parts.next().unwrap().to_owned(), parts.next().unwrap().to_owned());
        labels.entry(file).or_default().push(label);
    }
    Some(labels)
}

/// The trajectories of these files, each handed on as soon as it is read.
pub fn read<T>(files: &BTreeMap<File, T>, mut each: impl FnMut(&File, &T, &Trajectory)) {
    let Some(corpus) = shared("corpus") else { return };
    let mut archives: Vec<&str> = files.keys().map(|(archive, _)| archive.as_str()).collect();
    archives.dedup();
    for archive in archives {
        let mut wanted = files.keys().filter(|(name, _)| name == archive).count();
        members(&corpus.join(format!("{archive}.tar.zst")), |path, bytes| {
            let key = (archive.to_owned(), path);
            if let Some(value) = files.get(&key) {
                let format =
                    formats::recognise(&bytes()).unwrap_or_else(|| panic!("{key:?}: no format claims it"));
                let read = formats::read_file(format, &bytes());
                each(&key, value, &read.trajectories[0]);
                wanted -= 1;
            }
            wanted > 0
        });
        assert_eq!(wanted, 0, "{archive}: labelled files are missing");
    }
}

/// Files of an archive, until the caller has seen enough.
fn members(archive: &Path, mut each: impl FnMut(String, &mut dyn FnMut() -> Vec<u8>) -> bool) {
    let file = fs::File::open(archive).unwrap_or_else(|error| panic!("{}: {error}", archive.display()));
    let mut tar = tar::Archive::new(zstd::Decoder::new(file).unwrap());
    for entry in tar.entries().unwrap() {
        let mut entry = entry.unwrap();
        let Some(name) = entry.path().unwrap().to_str().map(|name| name.trim_start_matches("./").to_owned())
        else {
            continue;
        };
        let mut held: Option<Vec<u8>> = None;
        let mut bytes = || {
            held.get_or_insert_with(|| {
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes).unwrap();
                bytes
            })
            .clone()
        };
        if !each(name, &mut bytes) {
            return;
        }
    }
}
