//! Instance ids: what a path says of them, and which spellings are the same id (`definitions.md` §1, keys and
//! equal ids). The only place that compares ids of different files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::data::pattern::ascii;

/// Extensions that are stripped where the format's own rule takes the stem of the file as the id.
const STEM_RULE: [&str; 4] = [".traj.json", ".traj", ".pred", ".patch"];
/// Extensions of compressed files.
const COMPRESSED: [&str; 2] = [".gz", ".zst"];
/// Further extensions of logs that a stem does not hold.
const LOG_EXTENSIONS: [&str; 8] = [".jsonl", ".json", ".log", ".txt", ".yaml", ".yml", ".eval", ".cast"];

/// Folder name and file name of a path.
fn last_two(path: &str) -> (Option<&str>, &str) {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    (parts.next(), name)
}

/// Name of the folder that holds a file, `None` at the root.
pub fn folder_of(path: &str) -> Option<&str> {
    last_two(path).0.filter(|folder| *folder != "..")
}

/// The file name without `.gz` and `.zst`.
fn uncompressed(name: &str) -> &str {
    COMPRESSED.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// The id by the format's own rule: file stem for `.traj`, `.traj.json`, `.pred` and `.patch`, folder name for
/// `report.json`. `None` for other files.
pub fn instance_in_path(path: &str) -> Option<&str> {
    let (folder, name) = last_two(path);
    let name = uncompressed(name);
    if name == "report.json" {
        return folder;
    }
    STEM_RULE.iter().find_map(|end| name.strip_suffix(end)).filter(|stem| !stem.is_empty())
}

/// The file stem without its extensions, the last resort of identity. Dots inside the stem stay.
pub fn file_stem(path: &str) -> &str {
    let mut name = uncompressed(last_two(path).1);
    let known = STEM_RULE.iter().chain(&LOG_EXTENSIONS);
    while let Some(shorter) =
        known.clone().find_map(|end| name.strip_suffix(end)).filter(|stem| !stem.is_empty())
    {
        name = shorter;
    }
    name
}

/// True for a text that is surely an instance id of the SWE-bench family (`owner__name-12`, `instance_…`).
pub fn looks_like_instance(text: &str) -> bool {
    static FAMILY: LazyLock<Regex> = LazyLock::new(|| {
        ascii(r"^(instance_)?[A-Za-z0-9][A-Za-z0-9._-]*(__|/)[A-Za-z0-9][A-Za-z0-9._-]*[-.][A-Za-z0-9_]+$")
    });
    FAMILY.is_match(text)
}

/// The benchmarks' own spelling rules: the prefix `instance_` and `/` against `__` make no difference.
fn plain(id: &str) -> String {
    id.strip_prefix("instance_").unwrap_or(id).replace('/', "__")
}

/// All spellings of ids in an arm, from which each id gets its key: the log's spelling where a log has one.
#[derive(Clone, Debug, Default)]
pub struct Spellings {
    groups: BTreeMap<String, Group>,
}

/// Ids that differ in case at most.
#[derive(Clone, Debug, Default)]
struct Group {
    /// Plain form to the first spelling in a log.
    logs: BTreeMap<String, String>,
    /// Plain form to the first spelling in an outcome file.
    outcomes: BTreeMap<String, String>,
}

impl Spellings {
    /// Collects the ids of logs and of outcome files, each in a fixed order.
    pub fn new<'a>(
        logs: impl IntoIterator<Item = &'a str>,
        outcomes: impl IntoIterator<Item = &'a str>,
    ) -> Spellings {
        let mut spellings = Spellings::default();
        for id in logs {
            spellings.group(id).logs.entry(plain(id)).or_insert_with(|| id.to_owned());
        }
        for id in outcomes {
            spellings.group(id).outcomes.entry(plain(id)).or_insert_with(|| id.to_owned());
        }
        spellings
    }

    fn group(&mut self, id: &str) -> &mut Group {
        self.groups.entry(plain(id).to_lowercase()).or_default()
    }

    /// The key of an id. Case is ignored only where one spelling stands on each side.
    pub fn key<'a>(&'a self, id: &'a str) -> &'a str {
        let form = plain(id);
        let Some(group) = self.groups.get(&form.to_lowercase()) else {
            return id;
        };
        if let Some(known) = group.logs.get(&form) {
            return known;
        }
        if group.outcomes.len() <= 1
            && let (Some(only), 1) = (group.logs.values().next(), group.logs.len())
        {
            return only;
        }
        group.outcomes.get(&form).map_or(id, String::as_str)
    }
}

/// One spelling for all arms of a study: maps ids of later arms to the spelling of the first arm that has them, by
/// the same rules. Returns for each arm the ids that change; every entry is a match that the report counts.
pub fn common_spelling(arms: &[BTreeSet<String>]) -> Vec<BTreeMap<String, String>> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut changes = Vec::new();
    for ids in arms {
        let spellings = Spellings::new(known.iter().map(String::as_str), ids.iter().map(String::as_str));
        let changed: BTreeMap<String, String> = ids
            .iter()
            .map(|id| (id.clone(), spellings.key(id).to_owned()))
            .filter(|(id, key)| id != key)
            .collect();
        known.extend(ids.iter().filter(|id| !changed.contains_key(*id)).cloned());
        changes.push(changed);
    }
    changes
}
