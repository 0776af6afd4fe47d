//! Identities between functions, hand-calculated values and properties: what no table of values can hold.

use ethogram::stats::{
    self, Adjustment, CONF, Share, SignFlipMethod, SplitMix64, Stratum, Zeros, boschloo,
    cluster_bootstrap_mean, clustered_se, cmh, fisher, mcnemar, mcnemar_bounds, newcombe_independent,
    newcombe_paired, p_adjust, paired_mean_ci, pass_at_k, pass_at_k_mean, pass_hat_k, signflip,
    signflip_exact, signflip_mc, wilson, wilson_clustered,
};

#[track_caller]
fn near(got: f64, want: f64, rel: f64) {
    assert!((got - want).abs() <= rel * want.abs().max(1e-300), "got {got:?}, want {want:?}");
}

/// Differences of one run per arm: b times −1, c times +1, some zeros.
fn differences(only_base: usize, only_trained: usize, ties: usize) -> Vec<f64> {
    let parts = [vec![-1.0; only_base], vec![1.0; only_trained], vec![0.0; ties]];
    parts.concat()
}

#[test]
fn signflip_with_one_run_is_exact_mcnemar() {
    for (b, c) in [(0, 0), (0, 5), (1, 7), (16, 9), (30, 49), (7, 82), (19, 54), (257, 292)] {
        let p = signflip_exact(&differences(b, c, 11)).unwrap();
        near(p, mcnemar(b as u64, c as u64).exact, 1e-10);
    }
}

#[test]
fn cmh_by_instance_with_one_run_is_mcnemar_chi_square() {
    for (b, c) in [(2, 12), (16, 9), (0, 6), (30, 49)] {
        let pair = |k0, k1| Stratum { k0, n0: 1, k1, n1: 1 };
        let strata =
            [vec![pair(1, 0); b], vec![pair(0, 1); c], vec![pair(1, 1); 4], vec![pair(0, 0); 3]].concat();
        let (m, s) = (mcnemar(b as u64, c as u64), cmh(&strata, CONF));
        near(s.chi2.unwrap(), m.chi2.unwrap(), 1e-12);
        near(s.p.unwrap(), m.chi2_p.unwrap(), 1e-10);
        assert_eq!(s.informative_strata, b + c);
    }
}

/// 16 both, 3 only base, 9 only trained, 20 neither: p = 2 (1 + 12 + 66 + 220) / 4096.
#[test]
fn mcnemar_by_hand() {
    near(mcnemar(3, 9).exact, 598.0 / 4096.0, 1e-14);
    near(mcnemar(0, 5).exact, 2.0 / 32.0, 1e-14);
    near(mcnemar(1, 2).mid_p, (2.0 * 4.0 - 3.0) / 8.0, 1e-14);
    assert_eq!(mcnemar(4, 4).exact, 1.0);
    assert_eq!(mcnemar(0, 3).odds_ratio, Some(f64::INFINITY));
    for (b, c) in [(3, 9), (0, 5), (12, 40)] {
        assert_eq!(mcnemar(b, c).exact, mcnemar(c, b).exact, "two-sided p has no direction");
    }
}

/// A study of the corpus prints p = 2.4e-17: a p far below the precision of 1 − cdf.
#[test]
fn mcnemar_keeps_its_digits_in_the_far_tail() {
    let sum: f64 = (0..=7_u64).map(|i| (0..i).fold(1.0, |c, j| c * (89 - j) as f64 / (j + 1) as f64)).sum();
    near(mcnemar(7, 82).exact, 2.0 * sum / 2f64.powi(89), 1e-12);
    assert!(mcnemar(0, 1000).exact > 0.0);
}

#[test]
fn the_range_of_p_holds_every_pairing() {
    let bounds = mcnemar_bounds(30, 49, 113).unwrap();
    for only_base in 0..=30 {
        let p = mcnemar(only_base, only_base + 19).exact;
        assert!(bounds.p_min <= p && p <= bounds.p_max);
    }
    assert_eq!((bounds.discordant_min, bounds.discordant_max), (19, 79));
    assert_eq!(mcnemar_bounds(3, 9, 8), None);
}

#[test]
fn pass_at_k_by_hand_and_at_its_ends() {
    near(pass_at_k(4, 2, 2).unwrap(), 5.0 / 6.0, 1e-15);
    near(pass_hat_k(4, 3, 2).unwrap(), 0.5, 1e-15);
    assert_eq!(pass_at_k(3, 2, 4), None);
    for (n, c) in [(8, 0), (8, 3), (8, 8), (5, 4)] {
        near(pass_at_k(n, c, 1).unwrap(), c as f64 / n as f64, 1e-14);
        near(pass_hat_k(n, c, 1).unwrap(), c as f64 / n as f64, 1e-14);
        for k in 1..n {
            assert!(pass_at_k(n, c, k).unwrap() <= pass_at_k(n, c, k + 1).unwrap() + 1e-15);
            assert!(pass_hat_k(n, c, k).unwrap() >= pass_hat_k(n, c, k + 1).unwrap());
        }
    }
}

/// pass@k of a run solved c times is 1 − pass^k of the failures: the chance that not all k runs fail.
#[test]
fn pass_at_k_and_pass_hat_k_are_two_sides_of_one_draw() {
    for (n, c, k) in [(8, 3, 2), (10, 7, 3), (100, 40, 10), (5, 0, 2)] {
        near(pass_at_k(n, c, k).unwrap(), 1.0 - pass_hat_k(n, n - c, k).unwrap(), 1e-12);
    }
}

/// 4,000 runs with 295 solved, pooled into one n, would claim a pass@8 of 45.9 %.
#[test]
fn runs_of_instances_are_not_pooled() {
    let pooled = pass_at_k(4000, 295, 8).unwrap();
    assert_eq!(format!("{:.1}", pooled * 100.0), "45.9");
    let mean = pass_at_k_mean(&[(8, 8), (8, 0), (8, 0), (2, 1)], 8);
    assert_eq!((mean.used, mean.left_out), (3, 1));
    near(mean.value.unwrap(), 1.0 / 3.0, 1e-15);
}

#[test]
fn wilson_limits_are_the_roots_of_the_score_equation() {
    for (k, n) in [(1, 10), (8, 66), (439, 731), (17, 24000)] {
        let (p, size) = (k as f64 / n as f64, n as f64);
        let ci = wilson(k, n, CONF).unwrap();
        for limit in [ci.low, ci.high] {
            let z = (p - limit).abs() / (limit * (1.0 - limit) / size).sqrt();
            near(z, 1.959963984540054, 1e-10);
        }
        let mirrored = wilson(n - k, n, CONF).unwrap();
        near(1.0 - mirrored.high, ci.low, 1e-9);
    }
    assert_eq!(wilson(0, 25, CONF).unwrap().low, 0.0);
    assert_eq!(wilson(25, 25, CONF).unwrap().high, 1.0);
    assert_eq!(wilson(3, 2, CONF), None);
}

#[test]
fn clustered_se_with_equal_runs_is_that_of_instance_means() {
    let groups = vec![vec![1.0, 0.0, 1.0], vec![0.0, 0.0, 0.0], vec![1.0, 1.0, 1.0], vec![0.0, 1.0, 0.0]];
    let c = clustered_se(&groups, CONF).unwrap();
    near(c.se_cr1, c.se_instance_means, 1e-12);
    let means: Vec<f64> = groups.iter().map(|g| g.iter().sum::<f64>() / 3.0).collect();
    let ci = paired_mean_ci(&means, CONF).unwrap().ci.unwrap();
    near(c.ci.unwrap().low, ci.low, 1e-9);
    near(c.ci.unwrap().high, ci.high, 1e-9);
}

/// Thirds do not add up exactly: what rounding leaves of "no spread" must not become an interval or a t of 1e16.
#[test]
fn rounding_is_no_spread() {
    let groups = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let c = clustered_se(&groups, CONF).unwrap();
    assert_eq!((c.se_cr1, c.ci), (0.0, None));
    let m = paired_mean_ci(&[0.3 - 0.2, 0.2 - 0.1, 0.7 - 0.6], CONF).unwrap();
    assert_eq!((m.t, m.p, m.ci), (None, None, None));
    assert_eq!(stats::icc1(&[[0.1, 0.1], [0.1, 0.1]]), None);
}

/// One run an instance: the effective n may not exceed the number of runs, so clustering never narrows an interval.
#[test]
fn clustering_never_narrows_the_interval() {
    let runs: Vec<[f64; 1]> = (0..40).map(|i| [f64::from(i % 3 == 0)]).collect();
    let k = runs.iter().filter(|r| r[0] == 1.0).count() as u64;
    let (clustered, plain) = (wilson_clustered(&runs, CONF).unwrap(), wilson(k, 40, CONF).unwrap());
    assert!(clustered.n_eff <= 40.0);
    assert!(clustered.ci.low <= plain.low && plain.high <= clustered.ci.high);
}

#[test]
fn newcombe_paired_reproduces_the_published_intervals() {
    let three = |x: f64| format!("{x:.3}");
    let ci = newcombe_paired(1, 7, 1, 12, CONF).unwrap().ci;
    assert_eq!((three(ci.low), three(ci.high)), ("-0.507".into(), "-0.026".into()));
    let ci = newcombe_paired(36, 2, 12, 0, CONF).unwrap().ci;
    assert_eq!((format!("{:.4}", ci.low), format!("{:.4}", ci.high)), ("0.0569".into(), "0.3404".into()));
}

#[test]
fn swapping_the_arms_mirrors_the_difference() {
    let (a, b) =
        (newcombe_paired(59, 6, 16, 80, CONF).unwrap(), newcombe_paired(59, 16, 6, 80, CONF).unwrap());
    near(a.value, -b.value, 1e-12);
    near(a.ci.low, -b.ci.high, 1e-12);
    let (a, b) = (newcombe_independent(3, 10, 7, 12, CONF), newcombe_independent(7, 12, 3, 10, CONF));
    near(a.unwrap().ci.low, -b.unwrap().ci.high, 1e-12);
    let (a, b) = (boschloo(3, 10, 7, 12).unwrap(), boschloo(7, 12, 3, 10).unwrap());
    near(a.greater, b.less, 1e-9);
    near(a.two_sided, b.two_sided, 1e-9);
}

/// Boschloo rejects whenever Fisher does, in the same direction; 3 of 3 against 0 of 3 has a one-sided Fisher p of
/// 1/20 and a Boschloo p of sup p³(1−p)³ = 1/64.
#[test]
fn boschloo_is_never_above_fisher() {
    near(fisher(0, 3, 3, 3).unwrap().greater, 0.05, 1e-12);
    near(boschloo(0, 3, 3, 3).unwrap().greater, 1.0 / 64.0, 1e-9);
    for (k0, n0, k1, n1) in [(3, 10, 7, 12), (1, 20, 5, 20), (0, 66, 5, 66), (35, 113, 49, 113)] {
        let (b, f) = (boschloo(k0, n0, k1, n1).unwrap(), fisher(k0, n0, k1, n1).unwrap());
        assert!(b.greater <= f.greater * (1.0 + 1e-9) && b.less <= f.less * (1.0 + 1e-9));
    }
    let all = boschloo(4, 4, 9, 9).unwrap();
    assert_eq!((all.greater, all.less, all.two_sided), (1.0, 1.0, 1.0));
}

#[test]
fn signflip_by_hand_and_by_both_roads() {
    // All plus: only the pattern itself and its mirror are as extreme.
    for m in 1..10 {
        near(signflip_exact(&vec![0.25; m]).unwrap(), 2f64.powi(1 - m as i32), 1e-14);
    }
    // Thirds and sevenths meet on 21sts; √2 times them meets on nothing and is enumerated.
    let d: Vec<f64> = [1, 2, -1, 3, 5, -2, 4]
        .iter()
        .zip([3, 7, 7, 3, 7, 3, 7])
        .map(|(a, b)| *a as f64 / b as f64)
        .collect();
    let scaled: Vec<f64> = d.iter().map(|x| x * 2f64.sqrt()).collect();
    near(signflip_exact(&d).unwrap(), signflip_exact(&scaled).unwrap(), 1e-12);
    let negative: Vec<f64> = d.iter().map(|x| -x).collect();
    assert_eq!(signflip_exact(&d), signflip_exact(&negative));
    assert_eq!(signflip_exact(&[]), None);
    assert_eq!(signflip_exact(&[0.0, 0.0]), Some(1.0));
    assert_eq!(signflip_exact(&[1.0, f64::NAN]), None);
}

#[test]
fn signflip_draws_only_where_it_must() {
    let irrational: Vec<f64> = (1..=30).map(|i| f64::from(i).sqrt() - 3.0).collect();
    assert_eq!(signflip_exact(&irrational), None);
    let drawn = signflip(&irrational, 7).unwrap();
    assert_eq!(drawn.method, SignFlipMethod::MonteCarlo { draws: 100_000, seed: 7 });
    let exact = signflip(&differences(19, 54, 238), 7).unwrap();
    assert_eq!((exact.method, exact.non_zero), (SignFlipMethod::Exact, 73));
    // Counts of the same size on one common denominator: the exact p must lie within the error of the drawn one.
    let rounded: Vec<f64> = irrational.iter().map(|x| (x * 100.0).round() / 100.0).collect();
    let p = signflip_exact(&rounded).unwrap();
    assert!((drawn.p - p).abs() < 4.0 * (p * (1.0 - p) / 1e5).sqrt() + 1e-3, "{} against {p}", drawn.p);
}

/// Eight runs in each arm of 500 instances, differences in eighths: exact, and near the t test as it must be.
#[test]
fn signflip_is_exact_at_any_number_of_instances() {
    let mut random = SplitMix64::new(20261130);
    let mut rate = || (0..8).filter(|_| random.is_plus()).count() as f64 / 8.0;
    let d: Vec<f64> = (0..500).map(|_| rate() - rate()).collect();
    let (p, t) = (signflip_exact(&d).unwrap(), paired_mean_ci(&d, CONF).unwrap().p.unwrap());
    assert!((p - t).abs() < 0.02, "sign-flip {p}, t {t}");
}

#[test]
fn monte_carlo_never_gives_zero() {
    near(signflip_mc(&[1.0; 60], 999, 3).unwrap(), 0.001, 1e-12);
}

#[test]
fn signed_rank_by_hand() {
    // 1 2 3 all plus: 2 / 2³.
    let w = stats::wilcoxon_signed_rank(&[1.0, 2.0, 3.0], Zeros::Wilcox).unwrap();
    near(w.p_exact.unwrap(), 0.25, 1e-14);
    assert_eq!((w.w_plus, w.w_minus, w.rank_biserial), (6.0, 0.0, 1.0));
    // Ties everywhere: it is the sign test.
    let same = differences(2, 7, 0);
    let w = stats::wilcoxon_signed_rank(&same, Zeros::Wilcox).unwrap();
    near(w.p_exact.unwrap(), mcnemar(2, 7).exact, 1e-12);
    // Above 200 differences only the normal p is left.
    let many: Vec<f64> = (0..201).map(|i| f64::from(i) - 50.5).collect();
    let w = stats::wilcoxon_signed_rank(&many, Zeros::Wilcox).unwrap();
    assert_eq!((w.p_exact, w.p()), (None, w.p_normal));
    assert_eq!(stats::hodges_lehmann_paired(&[0.0, 1.0, 4.0]), Some(1.5));
}

#[test]
fn mann_whitney_counts_every_choice_of_ranks() {
    // 3 against 3, fully apart: 2 of the 20 choices.
    let m = stats::mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap();
    near(m.p_exact.unwrap(), 0.1, 1e-14);
    let (x, y) = ([1.0, 4.0, 6.0, 9.0], [2.0, 3.0, 8.0, 11.0, 12.0]);
    let (a, b) = (stats::mann_whitney(&x, &y).unwrap(), stats::mann_whitney(&y, &x).unwrap());
    near(a.u_trained + b.u_trained, 20.0, 1e-14);
    near(a.p_exact.unwrap(), b.p_exact.unwrap(), 1e-12);
    near(a.hl_shift.unwrap(), -b.hl_shift.unwrap(), 1e-14);
    assert_eq!(stats::mann_whitney(&[], &[1.0]), None);
}

#[test]
fn adjusted_p_by_hand() {
    let p = [Some(0.01), None, Some(0.04), Some(0.03)];
    let holm = p_adjust(&p, Adjustment::Holm);
    assert_eq!(holm[1], None);
    for (got, want) in holm.iter().flatten().zip([0.03, 0.06, 0.06]) {
        near(*got, want, 1e-12);
    }
    let bh = p_adjust(&p, Adjustment::Bh);
    for (got, want) in bh.iter().flatten().zip([0.03, 0.04, 0.04]) {
        near(*got, want, 1e-12);
    }
    // One is never below its raw p, and Bonferroni is never below Holm.
    for (method, stricter) in [(Adjustment::Bh, Adjustment::By), (Adjustment::Holm, Adjustment::Bonferroni)] {
        for ((raw, a), b) in p.iter().zip(p_adjust(&p, method)).zip(p_adjust(&p, stricter)) {
            assert!(raw.unwrap_or(0.0) <= a.unwrap_or(0.0) && a.unwrap_or(0.0) <= b.unwrap_or(0.0));
        }
    }
}

#[test]
fn the_bootstrap_draws_the_published_indices() {
    let d: Vec<f64> = (0..10).map(f64::from).collect();
    let first: f64 = stats::resample_indices(1, 0, 10, 10).iter().map(|&i| i as f64).sum();
    near(stats::bootstrap_means(&d, 2, 1)[0], first / 10.0, 1e-15);
    let b = cluster_bootstrap_mean(&d, 2000, 1, CONF).unwrap();
    // The standard error of a mean by the formula, divisor n.
    near(b.se, (8.25_f64 / 10.0).sqrt(), 0.05);
    assert!(b.percentile.low < 4.5 && 4.5 < b.percentile.high && b.undefined == 0);
}

/// With equal denominators a micro ratio is the macro mean, so both bootstraps draw the same replicates.
#[test]
fn the_ratio_bootstrap_agrees_with_the_mean_where_they_meet() {
    let d = [0.5, 0.25, 1.0, 0.0, 0.75, 0.5];
    let pairs: Vec<Share> = d.iter().map(|x| Share { num: x * 4.0, den: 4.0 }).collect();
    let (mean, ratio) = (
        cluster_bootstrap_mean(&d, 500, 9, CONF).unwrap(),
        stats::cluster_bootstrap_ratio(&pairs, 500, 9, CONF).unwrap(),
    );
    near(ratio.estimate, mean.estimate, 1e-12);
    near(ratio.percentile.high, mean.percentile.high, 1e-12);
    let none = [Share { num: 0.0, den: 4.0 }; 6];
    let both: Vec<_> = none.iter().copied().zip(pairs.iter().copied()).collect();
    let difference = stats::cluster_bootstrap_ratio_difference(&both, 500, 9, CONF).unwrap();
    near(difference.percentile.low, ratio.percentile.low, 1e-12);
    // Replicates that miss the only instance with a denominator are counted, not made up.
    let sparse = [Share { num: 1.0, den: 2.0 }, Share::default(), Share::default()];
    let b = stats::cluster_bootstrap_ratio(&sparse, 300, 1, CONF).unwrap();
    assert!(b.undefined > 40 && b.bca.is_none());
}

/// Few discordant pairs cannot reach 0.05: the smallest p of five is 0.0625.
#[test]
fn the_exact_test_has_its_true_size() {
    assert_eq!(stats::power_mcnemar_exact(5, 0.5, 0.5, 0.05), Some(0.0));
    near(stats::power_mcnemar_exact(6, 0.0, 1.0, 0.05).unwrap(), 1.0, 1e-12);
    let size = stats::power_mcnemar_exact(113, 0.1, 0.1, 0.05).unwrap();
    assert_eq!(format!("{size:.3}"), "0.030");
    assert_eq!(stats::mdd_mcnemar(66, 0.1, 0.05, 0.8), None, "not detectable at that discordance");
    let points = |pairs, discordance| {
        format!("{:.1}", 100.0 * stats::mdd_mcnemar(pairs, discordance, 0.05, 0.8).unwrap())
    };
    assert_eq!([points(731, 0.2), points(500, 0.25), points(113, 0.3)], ["4.6", "6.2", "14.3"]);
}

#[test]
fn percentages_print_as_published() {
    let print = |k, n| format!("{:.2}", stats::percent(k, n).unwrap());
    assert_eq!([print(285, 4000), print(1569, 4000)], ["7.12", "39.23"]);
    assert_eq!(stats::percent(0, 0), None);
}

/// The 8 unscored runs of the seed paper: 12.1, 10.8 and 21.6 %.
#[test]
fn unscored_runs_have_three_readings() {
    let b = stats::unscored_bounds(8, 66, 8);
    let print = |x: Option<f64>| format!("{:.1}", 100.0 * x.unwrap());
    assert_eq!([print(b.excluded), print(b.as_fail), print(b.as_pass)], ["12.1", "10.8", "21.6"]);
    let p = |n1| format!("{:.3}", boschloo(1, 74, 8, n1).unwrap().two_sided);
    assert_eq!([p(66), p(74)], ["0.014", "0.026"]);
}

/// Tables of thousands: the law stays a law where factorials overflow.
#[test]
fn large_tables_stay_defined() {
    let t = fisher(900, 4000, 1100, 4000).unwrap();
    assert!(t.two_sided > 0.0 && t.two_sided < 1e-5);
    near(t.greater + t.less - 1.0, probability_of_equality(900, 4000, 1100, 4000), 1e-6);
}

/// C(4000, k0) C(4000, k1) / C(8000, k0 + k1) through logarithms, as an independent road to one probability.
fn probability_of_equality(k0: u64, n0: u64, k1: u64, n1: u64) -> f64 {
    let ln_choose = |n: u64, k: u64| (0..k).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum::<f64>();
    (ln_choose(n0, k0) + ln_choose(n1, k1) - ln_choose(n0 + n1, k0 + k1)).exp()
}

/// Nine patients of Hollander and Wolfe (Hamilton depression scale): shift 0.46, interval 0.01 to 0.786, which they and
/// R print; six differences give the least and the largest; five cannot reach 95 %.
#[test]
fn interval_of_the_shift_as_published() {
    let d = [0.952, -0.147, 1.022, 0.430, 0.620, 0.590, 0.490, -0.080, 0.010];
    let ci = stats::hodges_lehmann_interval(&d, CONF).unwrap();
    near(stats::hodges_lehmann_paired(&d).unwrap(), 0.46, 1e-12);
    near(ci.low, 0.01, 1e-9);
    near(ci.high, 0.786, 1e-12);
    let six = stats::hodges_lehmann_interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], CONF).unwrap();
    assert_eq!((six.low, six.high), (1.0, 6.0));
    assert_eq!(stats::hodges_lehmann_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], CONF), None);
    assert_eq!(stats::hodges_lehmann_interval(&[], CONF), None);
}

/// The test rejects exactly the shifts outside, for the exact law and for the normal one.
#[test]
fn interval_of_the_shift_is_what_the_test_does_not_reject() {
    for n in [6, 20, 61, 260] {
        let mut random = SplitMix64::new(n as u64);
        let d: Vec<f64> = (0..n).map(|_| random.below(1_000_000) as f64 / 7919.0 - 50.0).collect();
        let ci = stats::hodges_lehmann_interval(&d, CONF).unwrap();
        let p = |shift: f64| {
            let moved: Vec<f64> = d.iter().map(|x| x - shift).collect();
            stats::wilcoxon_signed_rank(&moved, Zeros::Wilcox).unwrap().p()
        };
        let small = 1e-9;
        for (inside, outside) in [(ci.low + small, ci.low - small), (ci.high - small, ci.high + small)] {
            assert!(p(inside) > 0.05, "n {n}: {}", p(inside));
            assert!(p(outside) <= 0.0502, "n {n}: {}", p(outside));
        }
    }
}

/// The one walk of the bootstrap is the median of the runs that were drawn, replicate by replicate.
#[test]
fn bootstrap_of_medians_is_that_of_the_drawn_runs() {
    let groups = [vec![3.0, 9.0], vec![1.0], vec![4.0, 4.0, 7.0], vec![], vec![12.0]];
    let other = [vec![1.0], vec![2.0, 3.0], vec![5.0], vec![8.0], vec![2.0, 2.0]];
    let drawn = |groups: &[Vec<f64>], b: u64| {
        let indices = stats::resample_indices(11, b, groups.len(), groups.len());
        stats::median(&indices.iter().flat_map(|i| groups[*i].clone()).collect::<Vec<f64>>())
    };
    let medians: Vec<f64> = (0..300).filter_map(|b| drawn(&groups, b)).collect();
    let got = stats::cluster_bootstrap_median(&groups, 300, 11, CONF).unwrap();
    assert_eq!(got.estimate, 4.0);
    near(got.percentile.low, stats::quantile(&medians, 0.025).unwrap(), 1e-12);
    near(got.percentile.high, stats::quantile(&medians, 0.975).unwrap(), 1e-12);
    let changes: Vec<f64> =
        (0..300).filter_map(|b| stats::relative_change(drawn(&groups, b)?, drawn(&other, b)?)).collect();
    let got = stats::cluster_bootstrap_median_change(&groups, &other, 300, 11, CONF).unwrap();
    assert_eq!(got.estimate, (2.0 - 4.0) / 4.0);
    near(got.percentile.low, stats::quantile(&changes, 0.025).unwrap(), 1e-12);
    near(got.percentile.high, stats::quantile(&changes, 0.975).unwrap(), 1e-12);
}
