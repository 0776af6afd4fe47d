//! A settled run as rows of `outcomes` and `tests` (`interface.md`, The store).

use crate::outcomes::SettledRun;
use crate::store::{StoreError, StoreWriter};

/// Writes the verdict of one run, and the grader's tests where its file lists them.
///
/// # Errors
/// A row does not fit its schema, or the disk refuses.
pub fn write(
    writer: &mut StoreWriter,
    arm: &str,
    benchmark: &str,
    run: &SettledRun,
    trajectory: Option<&str>,
) -> Result<(), StoreError> {
    let verdict = &run.verdict;
    let counts = verdict.counts;
    writer
        .table("outcomes")?
        .row()
        .text("arm", arm)
        .text("benchmark", benchmark)
        .text("instance_id", &run.instance_id)
        .int("run", run.run)
        .opt_text("trajectory_id", trajectory)
        .flag("scored", verdict.scored)
        .opt_flag("resolved", verdict.resolved)
        .opt_float("reward", verdict.reward)
        .opt_text("unscored_reason", verdict.unscored_reason.as_ref().map(|reason| reason.as_str()))
        .opt_text("failed_reason", verdict.failed_reason.map(|reason| reason.as_str()))
        .opt_flag("applied", verdict.applied)
        .opt_int("f2p_passed", counts.map(|counts| counts.f2p_passed))
        .opt_int("f2p_total", counts.map(|counts| counts.f2p_total))
        .opt_int("p2p_passed", counts.map(|counts| counts.p2p_passed))
        .opt_int("p2p_total", counts.map(|counts| counts.p2p_total))
        .text("source", run.source.as_ref().map_or("none", |source| source.0))
        .done()?;
    let table = writer.table("tests")?;
    for test in &verdict.tests {
        table
            .row()
            .text("arm", arm)
            .text("benchmark", benchmark)
            .text("instance_id", &run.instance_id)
            .int("run", run.run)
            .text("test_group", &test.group)
            .text("name", if test.name.is_empty() { "(no name)" } else { &test.name })
            .text("status", test.status.as_str())
            .done()?;
    }
    Ok(())
}
