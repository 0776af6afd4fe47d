//! Compare: pairs of arms become the tables of pairs, and count tables become an answer (`definitions.md` §7).

use std::collections::BTreeSet;

use super::error::StepError;
use super::study::Role;
use crate::measure::{self, Answer, ArmInfo, Frames, Question};
use crate::store::{Frame, Sql, Store};

/// Tables that comparing writes.
const PAIR_TABLES: [&str; 3] = ["arm_pairs", "instance_pairs", "pairs"];

/// Those of them that rest on the stored runs.
const RUN_TABLES: [&str; 2] = ["instance_pairs", "pairs"];

/// The arms of a store with their roles and scaffolds, in the order in which they were written.
///
/// # Errors
/// The store refuses.
pub fn arms(store: &Store) -> Result<Vec<ArmInfo>, StepError> {
    let sql = Sql::open(store)?;
    let told =
        sql.run("SELECT DISTINCT arm, scaffold, format FROM trajectories WHERE has_log ORDER BY arm, scaffold, format")?;
    let mut found = Vec::new();
    for row in store.read("arms")?.iter() {
        let name = row.text("arm")?.to_owned();
        let role = match row.opt_text("role")? {
            Some("base") => Role::Base,
            Some("trained") => Role::Trained,
            _ => Role::Other,
        };
        let (mut scaffolds, mut formats) = (BTreeSet::new(), BTreeSet::new());
        for row in told.iter() {
            if row.text("arm")? == name {
                scaffolds.insert(row.text("scaffold")?.to_owned());
                formats.insert(row.text("format")?.to_owned());
            }
        }
        let (scaffolds, formats) = (scaffolds.into_iter().collect(), formats.into_iter().collect());
        found.push(ArmInfo { name, role, scaffolds, formats });
    }
    Ok(found)
}

/// Every base with every trained arm.
pub fn default_pairs(arms: &[ArmInfo]) -> Vec<(String, String)> {
    let of = |role: Role| arms.iter().filter(move |arm| arm.role == role);
    of(Role::Base)
        .flat_map(|base| of(Role::Trained).map(|trained| (base.name.clone(), trained.name.clone())))
        .collect()
}

/// Writes the tables of pairs where they are not those of the store, and gives the store that has them, with its SQL:
/// what the pairs asked of the runs serves the comparison too.
///
/// # Errors
/// A pair names an arm that the store has not, or pairs two arms of session logs; or the store refuses.
pub fn write_pairs(store: Store, pairs: &[(String, String)]) -> Result<(Store, Sql), StepError> {
    check_pairs(&store, pairs)?;
    if stored_pairs(&store)? == pairs {
        let sql = Sql::open(&store)?;
        if !is_stale(&store, &sql)? {
            return Ok((store, sql));
        }
    }
    let mut writer = store.writer()?;
    let contents = writer.manifest().contents.clone();
    writer.replace_tables(&PAIR_TABLES)?;
    let table = writer.table("arm_pairs")?;
    for (base, trained) in pairs {
        table.row().text("base_arm", base).text("trained_arm", trained).done()?;
    }
    let store = writer.commit(contents.clone())?;
    // The queries of pairs read the table that was just written.
    let sql = Sql::open(&store)?;
    let instance_pairs = sql.query("instance_pairs")?;
    let run_pairs = sql.query("pairs")?;
    let mut writer = store.writer()?;
    writer.replace_tables(&RUN_TABLES)?;
    writer.table("instance_pairs")?.append_frame(&instance_pairs)?;
    writer.table("pairs")?.append_frame(&run_pairs)?;
    // No query of a comparison reads the two tables that change here.
    Ok((writer.commit(contents)?, sql))
}

/// The pairs of a store, in their order.
///
/// # Errors
/// The store refuses.
pub fn stored_pairs(store: &Store) -> Result<Vec<(String, String)>, StepError> {
    let mut found = Vec::new();
    for row in store.read("arm_pairs")?.iter() {
        found.push((row.text("base_arm")?.to_owned(), row.text("trained_arm")?.to_owned()));
    }
    Ok(found)
}

/// The stored pairs of instances and of runs are not those of the stored runs: arms were read since. A log that changed
/// may leave every verdict as it was, so that only the pairs of runs, which name its trajectory, tell.
fn is_stale(store: &Store, sql: &Sql) -> Result<bool, StepError> {
    for table in RUN_TABLES {
        if sql.query(table)?.rows != store.read(table)?.rows {
            return Ok(true);
        }
    }
    Ok(false)
}

fn check_pairs(store: &Store, pairs: &[(String, String)]) -> Result<(), StepError> {
    if pairs.is_empty() {
        return Ok(());
    }
    let arms = arms(store)?;
    let sources = Sql::open(store)?.run(
        "SELECT DISTINCT arm, instance_source FROM trajectories WHERE parent_id IS NULL ORDER BY arm, instance_source",
    )?;
    for (base, trained) in pairs {
        for name in [base, trained] {
            if !arms.iter().any(|arm| arm.name == *name) {
                let known: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
                return Err(StepError::UnknownArm { arm: name.clone(), known: known.join(", ") });
            }
        }
        if is_session_arm(&sources, base)? && is_session_arm(&sources, trained)? {
            return Err(StepError::Sessions { base: base.clone(), trained: trained.clone() });
        }
    }
    Ok(())
}

fn is_session_arm(sources: &Frame, arm: &str) -> Result<bool, StepError> {
    let mut found = false;
    for row in sources.iter() {
        if row.text("arm")? == arm {
            if row.text("instance_source")? != "session" {
                return Ok(false);
            }
            found = true;
        }
    }
    Ok(found)
}

/// Answers a question from a store whose tables of pairs are written.
///
/// # Errors
/// The store refuses.
pub fn compare(store: &Store, sql: &Sql, question: &Question) -> Result<Answer, StepError> {
    let frames = Frames::collect(|name| match name {
        // Written just before from the query of this name.
        "instance_pairs" => store.read(name),
        _ => sql.query(name),
    })?;
    Ok(measure::answer(question, &frames)?)
}
