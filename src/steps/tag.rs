//! Tag: the rules run over the logs that a store holds, and their tables are written anew (`interface.md`, `tag`).

use std::collections::{BTreeMap, BTreeSet};

use super::error::StepError;
use super::tag_rows::{self, RULE_TABLES, TAG_TABLES};
use crate::model::{Benchmark, TaskKind};
use crate::store::{Store, logs};
use crate::tags::{FAMILIES, Rules};

/// Versions of the rules whose rows are stored: families by name, user rules by code.
pub fn rule_versions(rules: &Rules) -> BTreeMap<String, i64> {
    let families = FAMILIES.iter().map(|family| (family.name.to_owned(), family.version));
    families.chain(rules.versions()).collect()
}

/// Versions of the user rules among those of a store.
pub fn user_versions(versions: &BTreeMap<String, i64>) -> BTreeMap<String, i64> {
    let is_user = |(name, _): &(&String, &i64)| crate::tags::find(name).is_none();
    versions.iter().filter(is_user).map(|(name, version)| (name.clone(), *version)).collect()
}

/// What tagging did.
#[derive(Debug)]
pub struct Tagging {
    /// The store as it is now.
    pub store: Store,
    /// Trajectories that were looked at; 0 where nothing was to be done.
    pub trajectories: usize,
    /// Rules that came, changed or went, by name or code.
    pub changed: Vec<String>,
}

/// Tags a store anew: facts, tags and behaviours of every log that it holds. Nothing is done where the versions of the
/// rules stand in the manifest, unless asked for; where only user rules differ, the tables of facts stay as they are.
///
/// # Errors
/// The store refuses.
pub fn tag(store: &Store, rules: &Rules, again: bool) -> Result<Tagging, StepError> {
    let mut writer = store.writer()?;
    let mut contents = writer.manifest().contents.clone();
    let versions = rule_versions(rules);
    let changed = changed(&contents.rules, &versions);
    if !again && changed.is_empty() {
        return Ok(Tagging { store: Store::open(store.path())?, trajectories: 0, changed });
    }
    let only_user_rules = !again && changed.iter().all(|name| crate::tags::find(name).is_none());
    if only_user_rules {
        writer.replace_tables(&RULE_TABLES)?;
    } else {
        writer.replace_tables(&TAG_TABLES)?;
    }
    let benchmarks = benchmarks_of(store)?;
    let mut tagged = 0;
    for stored in logs(store)? {
        let stored = stored?;
        let benchmark = benchmarks.get(&stored.key.benchmark).cloned().unwrap_or_else(|| {
            crate::data::benchmarks::settle_benchmark(Some(&stored.key.benchmark), &[]).benchmark
        });
        let context = tag_rows::context(&benchmark, &stored.key.instance_id, &stored.log);
        let findings = tag_rows::find(rules, &context, &stored.log);
        if only_user_rules {
            tag_rows::write_rules(&mut writer, &stored.id, &findings)?;
        } else {
            tag_rows::write(&mut writer, &stored.id, &findings)?;
        }
        tagged += 1;
    }
    contents.rules = versions;
    Ok(Tagging { store: writer.commit(contents)?, trajectories: tagged, changed })
}

/// Names whose version differs, or that one side lacks.
fn changed(stored: &BTreeMap<String, i64>, wanted: &BTreeMap<String, i64>) -> Vec<String> {
    let names: BTreeSet<&String> = stored.keys().chain(wanted.keys()).collect();
    names.into_iter().filter(|name| stored.get(*name) != wanted.get(*name)).cloned().collect()
}

/// The benchmarks of a store by name.
pub(super) fn benchmarks_of(store: &Store) -> Result<BTreeMap<String, Benchmark>, StepError> {
    let mut found = BTreeMap::new();
    for row in store.read("benchmarks")?.iter() {
        let name = row.text("benchmark")?.to_owned();
        let kind = TaskKind::parse(row.text("kind")?).unwrap_or(TaskKind::Repo);
        found.insert(
            name.clone(),
            Benchmark {
                name,
                version: row.opt_text("version")?.map(str::to_owned),
                family: row.text("family")?.to_owned(),
                kind,
                id_pattern: row.opt_text("id_pattern")?.map(str::to_owned),
                n: row.opt_int("n")?,
                released: row.opt_time("released")?,
                harness: row.opt_text("harness")?.map(str::to_owned),
                test_groups: Vec::new(),
                policy: row.text("policy")?.to_owned(),
            },
        );
    }
    Ok(found)
}
