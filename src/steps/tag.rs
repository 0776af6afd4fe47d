//! Tag: the rules run over the logs that a store holds, and their tables are written anew (`interface.md`, `tag`).

use std::collections::BTreeMap;

use super::error::StepError;
use super::tag_rows::{self, TAG_TABLES};
use crate::model::{Benchmark, TaskKind};
use crate::store::{Store, logs};

/// Versions of the rules whose rows are stored.
pub fn rule_versions() -> BTreeMap<String, i64> {
    crate::tags::FAMILIES.iter().map(|family| (family.name.to_owned(), family.version)).collect()
}

/// Tags a store anew: facts, tags and behaviours of every log that it holds. Nothing is done where the versions of the
/// rules stand in the manifest, unless asked for.
///
/// # Errors
/// The store refuses.
pub fn tag(store: &Store, again: bool) -> Result<(Store, usize), StepError> {
    let mut writer = store.writer()?;
    let mut contents = writer.manifest().contents.clone();
    if !again && contents.rules == rule_versions() {
        return Ok((Store::open(store.path())?, 0));
    }
    writer.replace_tables(&TAG_TABLES)?;
    let benchmarks = benchmarks_of(store)?;
    let mut tagged = 0;
    for stored in logs(store)? {
        let stored = stored?;
        let benchmark = benchmarks.get(&stored.key.benchmark).cloned().unwrap_or_else(|| {
            crate::data::benchmarks::settle_benchmark(Some(&stored.key.benchmark), &[], None).benchmark
        });
        let context = tag_rows::context(&benchmark, &stored.key.instance_id);
        let findings = tag_rows::find(&context, &stored.log);
        tag_rows::write(&mut writer, &stored.id, &findings)?;
        tagged += 1;
    }
    contents.rules = rule_versions();
    Ok((writer.commit(contents)?, tagged))
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
                policy: row.text("policy")?.to_owned(),
            },
        );
    }
    Ok(found)
}
