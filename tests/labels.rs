//! Rules against labels: counts, rates and intervals by hand, and the draw of turns.

use ethogram::measure::labels::{Counts, Stratum, draw};

/// Turns of a trajectory: label and rules.
fn counts(turns: &[(&str, bool, bool)]) -> Counts {
    let mut counts = Counts::default();
    for (trajectory, label, engine) in turns {
        counts.add(trajectory, *label, *engine);
    }
    counts
}

fn near(got: f64, want: f64) {
    assert!((got - want).abs() < 5e-4, "{got} is not {want}");
}

#[test]
fn rates_are_those_of_the_four_cells() {
    // Both 3, only rules 1, only label 2, neither 1.
    let counts = counts(&[
        ("a", true, true),
        ("a", true, true),
        ("a", false, true),
        ("a", false, false),
        ("b", true, true),
        ("b", true, false),
        ("b", true, false),
    ]);
    assert_eq!((counts.precision().num, counts.precision().den), (3, 4));
    assert_eq!((counts.recall().num, counts.recall().den), (3, 5));
    assert_eq!((counts.specificity().num, counts.specificity().den), (1, 2));
    let f1 = counts.f1().unwrap();
    // 2·3 / (2·3 + 1 + 2), over the 6 turns that either side tags.
    near(f1.value, 6.0 / 9.0);
    assert_eq!(f1.turns, 6);
    // Specificity stands on one trajectory alone: no interval.
    assert_eq!(counts.specificity().interval, None);
}

#[test]
fn one_turn_a_trajectory_has_the_plain_interval_of_wilson() {
    let names: Vec<String> = (0..10).map(|n| format!("t{n}")).collect();
    let turns: Vec<(&str, bool, bool)> =
        names.iter().enumerate().map(|(n, name)| (name.as_str(), true, n > 0)).collect();
    let counts = counts(&turns);
    // 9 of 10: (0.9 + z²/20 ± z √(0.09/10 + z²/400)) / (1 + z²/10) with z = 1.959964: 0.5958 and 0.9821.
    let (low, high) = counts.recall().interval.unwrap();
    near(low, 0.5958);
    near(high, 0.9821);
    // Nothing but tagged turns: J = recall, and F1 = 2J/(1+J) at 0.9, 0.5958 and 0.9821.
    let f1 = counts.f1().unwrap();
    near(f1.value, 1.8 / 1.9);
    let (low, high) = f1.interval.unwrap();
    near(low, 0.7467);
    near(high, 0.9910);
}

#[test]
fn turns_of_one_trajectory_do_not_count_as_independent() {
    // The same 18 of 20, once a turn a trajectory, once in 5 trajectories of which one holds both misses.
    let alone: Vec<String> = (0..20).map(|n| format!("t{n}")).collect();
    let apart: Vec<(&str, bool, bool)> =
        alone.iter().enumerate().map(|(n, name)| (name.as_str(), true, n > 1)).collect();
    let together: Vec<String> = (0..20).map(|n| format!("t{}", n / 4)).collect();
    let clustered: Vec<(&str, bool, bool)> =
        together.iter().enumerate().map(|(n, name)| (name.as_str(), true, n > 1)).collect();
    let width = |counts: Counts| {
        let (low, high) = counts.recall().interval.unwrap();
        high - low
    };
    assert!(width(counts(&clustered)) > 1.3 * width(counts(&apart)));
    // Five trajectories without a miss: n_eff = 5 (1.96/2.776)² = 2.492, and the lower limit n/(n + z²) = 0.3935.
    let right: Vec<(&str, bool, bool)> = together.iter().map(|name| (name.as_str(), true, true)).collect();
    let (low, high) = counts(&right).recall().interval.unwrap();
    near(low, 0.3935);
    near(high, 1.0);
}

#[test]
fn nothing_tagged_has_no_rate() {
    let counts = counts(&[("a", false, false), ("b", false, false)]);
    assert_eq!(counts.f1(), None);
    assert_eq!((counts.precision().den, counts.precision().interval), (0, None));
}

fn stratum(format: &str, turns: usize) -> Stratum {
    Stratum {
        format: format.to_owned(),
        turns: (0..turns).map(|turn| (format!("{format}-run"), turn)).collect(),
    }
}

#[test]
fn formats_are_drawn_alike_as_far_as_they_have_turns() {
    let strata = [stratum("a", 100), stratum("b", 2), stratum("c", 100)];
    let drawn = draw(&strata, 20, 1);
    let of = |format: &str| drawn.iter().filter(|turn| turn.format == format).count();
    assert_eq!((of("a"), of("b"), of("c")), (9, 2, 9));
    let mut once = drawn.clone();
    once.dedup();
    assert_eq!(once.len(), 20, "no turn is drawn twice");
    assert_eq!(draw(&strata, 20, 1), drawn, "the same seed draws the same turns");
    assert_ne!(draw(&strata, 20, 2), drawn);
    assert_eq!(draw(&strata, 1_000, 1).len(), 202, "no more than there are");
}

#[test]
fn every_turn_has_the_same_chance() {
    let strata = [stratum("a", 10)];
    let mut times = [0_u32; 10];
    for seed in 0..2_000 {
        for turn in draw(&strata, 3, seed) {
            times[turn.turn] += 1;
        }
    }
    // 600 expected, standard deviation 20.5: five of them either way.
    assert!(times.iter().all(|times| (498..=702).contains(times)), "{times:?}");
}
