//! Several logs under one key (`definitions.md` §1, duplicates): at most one scored: it lives; two scored: refused,
//! unless the user chose. Copies were dropped before.

use std::collections::BTreeMap;

use super::identity::rank_order;
use super::settled::{Conflict, Duplicates, Fate, LogHead, SettledLog};

/// Sets `fate` (and, where each is to be a run of its own, `run`) of logs that share a key. Returns the conflicts.
pub fn resolve(heads: &[LogHead], logs: &mut [SettledLog], policy: Duplicates) -> Vec<Conflict> {
    let mut by_key: BTreeMap<(String, i64), Vec<usize>> = BTreeMap::new();
    let mut last_run: BTreeMap<String, i64> = BTreeMap::new();
    for (index, log) in logs.iter().enumerate().filter(|(_, log)| log.fate == Fate::Live) {
        by_key.entry((log.instance_id.clone(), log.run)).or_default().push(index);
        let last = last_run.entry(log.instance_id.clone()).or_insert(log.run);
        *last = log.run.max(*last);
    }
    let mut conflicts = Vec::new();
    for ((instance_id, run), mut indices) in by_key.into_iter().filter(|(_, indices)| indices.len() > 1) {
        rank_order(heads, &mut indices);
        let is_scored =
            |index: &usize| logs[*index].spoken.as_ref().is_some_and(|spoken| spoken.verdict.scored);
        let scored: Vec<usize> = indices.iter().copied().filter(is_scored).collect();
        let (first, last) = (scored.first().copied(), scored.last().or(indices.last()).copied());
        let lives = match policy {
            Duplicates::First if scored.len() > 1 => first,
            _ => last,
        };
        if policy == Duplicates::AsRuns {
            for index in scored.iter().skip(1) {
                let free = last_run.entry(instance_id.clone()).or_insert(run);
                *free += 1;
                logs[*index].run = *free;
            }
        }
        let keeps_row = |index: &usize| policy == Duplicates::AsRuns && scored.contains(index);
        if let Some(by) = lives {
            for index in indices.iter().filter(|index| **index != by && !keeps_row(index)) {
                logs[*index].fate = Fate::Superseded { by };
            }
        }
        if policy == Duplicates::Refuse && scored.len() > 1 {
            conflicts.push(Conflict { instance_id, run, logs: scored });
        }
    }
    conflicts
}
