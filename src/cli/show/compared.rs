//! Two runs of one instance beside each other: where their actions part (`definitions.md` §6, the same action).

use crate::data::benchmarks::settle_benchmark;
use crate::facts::Context;
use crate::steps::tag_rows;
use crate::store::StoredLog;

/// Stands before the first turn that differs.
pub const PARTING: &str = "# same actions until here\n";

/// The first turn whose actions differ; the number of turns of the shorter log where none does.
pub fn parting(one: &StoredLog, other: &StoredLog) -> usize {
    actions(one).iter().zip(&actions(other)).take_while(|(one, other)| one == other).count()
}

/// What facts may know of a stored log beyond itself.
pub fn context_of(stored: &StoredLog) -> Context {
    let benchmark = settle_benchmark(Some(&stored.key.benchmark), &[]).benchmark;
    tag_rows::context(&benchmark, &stored.key.instance_id, &stored.log)
}

/// The keys of the actions of every turn. Thoughts and what came back are no part of them.
fn actions(stored: &StoredLog) -> Vec<Vec<u64>> {
    let facts = crate::facts::compute(&stored.log, &context_of(stored));
    let mut turns = vec![Vec::new(); stored.log.turns.len()];
    for call in &facts.calls {
        if let Some(turn) = turns.get_mut(call.turn) {
            turn.push(call.action_key);
        }
    }
    turns
}
