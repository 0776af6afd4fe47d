//! A run whose context was summarised goes on in a further file: `X.json`, `X.cont-1.json`, `X.cont-2.json` (`atif.md` §5, T7). Its
//! turns are those of all files, which repeat none (what they copy is no turn); its totals and its end are the last file's.
//!
//! Never here: which files lie beside each other.

use super::{SKIPPED, usage};
use crate::formats::{Part, Read, json};
use crate::model::Trajectory;

/// The file in which the run of a continuation began, and the continuation's number.
pub fn began_in(path: &str) -> Option<(String, u64)> {
    let (begun, number) = path.strip_suffix(".json")?.rsplit_once(".cont-")?;
    let is_named = !begun.is_empty() && !begun.ends_with('/');
    Some((format!("{begun}.json"), number.parse().ok()?)).filter(|_| is_named)
}

/// Whether a file says that its run goes on in another.
pub fn goes_on(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"\"continued_trajectory_ref\"").is_some()
}

/// Reads the files of one run, in order.
pub fn read(parts: &[Part]) -> Read {
    let mut joined = Read::default();
    for (number, part) in parts.iter().enumerate() {
        let mut next = super::read(part.bytes);
        let name = part.path.rsplit('/').next().unwrap_or_default();
        if number > 0 {
            next.problems.iter_mut().for_each(|problem| problem.place = placed(name, &problem.place));
        }
        joined.problems.append(&mut next.problems);
        append(&mut joined.trajectories, next.trajectories, name);
    }
    let last = parts.last().and_then(|part| json::pruned(part.bytes, &SKIPPED, &mut Vec::new()));
    if let (Some(run), Some(root)) = (joined.trajectories.first_mut(), last) {
        usage::of_whole_run(run, &root);
    }
    joined
}

fn placed(name: &str, place: &str) -> String {
    format!("member {name} {place}").trim_end().to_owned()
}

/// The first trajectory of a file is the run; the others are its sub-agents.
fn append(known: &mut Vec<Trajectory>, next: Vec<Trajectory>, name: &str) {
    let before = known.len();
    let mut next = next.into_iter();
    let Some(run) = known.first_mut() else {
        known.extend(next);
        return;
    };
    let turns = run.turns.len();
    if let Some(part) = next.next() {
        go_on(run, part);
    }
    for mut child in next {
        child.place = placed(name, &child.place);
        if let Some(parent) = &mut child.parent {
            match parent.ordinal {
                Some(0) => parent.turn = parent.turn.map(|turn| turn + turns),
                Some(ordinal) => parent.ordinal = Some(ordinal + before - 1),
                None => {}
            }
        }
        known.push(child);
    }
}

fn go_on(run: &mut Trajectory, part: Trajectory) {
    let before = run.turns.len();
    run.refusals.extend(part.refusals.into_iter().map(|mut refusal| {
        refusal.before_turn = refusal.before_turn.map(|turn| turn + before);
        refusal
    }));
    run.turns.extend(part.turns);
    run.termination = part.termination;
    run.auto_submitted = part.auto_submitted;
    run.submitting_turn = part.submitting_turn.map(|turn| turn + before);
    run.raw_exit_status = part.raw_exit_status;
    run.can_submit |= part.can_submit;
    run.logs_exit_codes |= part.logs_exit_codes;
    run.steps = sum(run.steps, part.steps.map(|steps| steps - part.copied_steps));
    run.api_calls = sum(run.api_calls, part.api_calls);
    run.tokens_in = sum(run.tokens_in, part.tokens_in);
    run.tokens_out = sum(run.tokens_out, part.tokens_out);
    run.cost_usd = run.cost_usd.zip(part.cost_usd).map(|(own, more)| own + more);
    run.ended_at = part.ended_at.or(run.ended_at);
}

/// Known only where both are.
fn sum(own: Option<i64>, more: Option<i64>) -> Option<i64> {
    Some(own?.saturating_add(more?))
}
