//! The law of a sum of whole numbers each of which is in or out with probability ½: the engine behind the exact
//! sign-flip test and the exact signed-rank test.

/// P(S <= cap) for S = the sum of the kept among `units`. The law is symmetric about half the total, so a caller
/// needs the lower tail only.
pub(super) fn lower_tail(units: &[u64], cap: u64) -> f64 {
    let mut ascending: Vec<usize> = units.iter().map(|&u| u as usize).collect();
    ascending.sort_unstable();
    let cap = cap as usize;
    let mut law = vec![0.0_f64; cap + 1];
    law[0] = 1.0;
    // Only cells up to the largest sum so far are worked on, which is why the small units come first.
    let mut reached = 0;
    for unit in ascending {
        let next = (reached + unit).min(cap);
        for cell in &mut law[..=reached] {
            *cell *= 0.5;
        }
        for s in (unit..=next).rev() {
            law[s] += law[s - unit];
        }
        reached = next;
    }
    law.iter().sum::<f64>().min(1.0)
}
