//! Ranks of values with ties.

/// Midranks from 1: equal values share the mean of their places.
pub(super) fn midranks(x: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    let mut ranks = vec![0.0; x.len()];
    for tied in order.chunk_by(|&a, &b| x[a] == x[b]) {
        let first = order.partition_point(|&i| x[i] < x[tied[0]]);
        let rank = first as f64 + (tied.len() + 1) as f64 / 2.0;
        tied.iter().for_each(|&i| ranks[i] = rank);
    }
    ranks
}

/// The sizes of the groups of equal values, in ascending order of value.
pub(super) fn tie_sizes(x: &[f64]) -> Vec<f64> {
    let sorted = super::quantile::sorted(x);
    sorted.chunk_by(|a, b| a == b).map(|tied| tied.len() as f64).collect()
}
