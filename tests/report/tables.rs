//! Numbers of the tables against counts made by hand: which runs and instances enter, and what the foot says of them.

use ethogram::model::series::Role;
use ethogram::model::table::{Cell, Table};

use super::study::{Run, Study, question, repeats, study};

fn pair(runs: &[Run]) -> Study {
    study(question("s", &[("base", Role::Base), ("rl", Role::Trained)], &[("base", "rl")]), runs)
}

fn table<'a>(study: &'a Study, code: &str) -> &'a Table {
    study.answer.tables.iter().find(|table| table.code == code).unwrap()
}

fn cell<'a>(table: &'a Table, row: &str, column: &str) -> &'a Cell {
    let place = table.columns.iter().position(|known| known.name == column).unwrap();
    &table.rows.iter().find(|known| known.id.contains(row)).unwrap().cells[place]
}

fn mean(cell: &Cell) -> f64 {
    match cell {
        Cell::Mean { value, .. } => *value,
        other => panic!("{other:?}"),
    }
}

fn foot(table: &Table) -> String {
    table.foot.join("; ")
}

#[test]
fn bounds_are_means_over_instances_where_runs_are_unequal() {
    // `a`: one resolved run; `b`: two failed, one unscored. Mean over instances 1/2, whatever the runs.
    let mut runs = vec![Run::new("base", "a", Some(true))];
    for (run, resolved) in [Some(false), Some(false), None].into_iter().enumerate() {
        runs.push(Run { run: run as i64, ..Run::new("base", "b", resolved) });
    }
    let study = study(question("s", &[("base", Role::Base)], &[]), &runs);
    let t1 = table(&study, "T1");
    assert_eq!(mean(cell(t1, "base", "pass_at_1")), 0.5);
    assert_eq!(mean(cell(t1, "base", "as_failures")), 0.5);
    assert!((mean(cell(t1, "base", "as_successes")) - (1.0 + 1.0 / 3.0) / 2.0).abs() < 1e-12);
}

#[test]
fn pooled_turns_are_those_of_the_instances_that_pair() {
    let run = |arm: &str, instance: &str, num| Run {
        behaviours: vec![("valid_calls", "rate", num, 10)],
        ..Run::new(arm, instance, Some(false))
    };
    let study = pair(&[
        run("base", "a", 5),
        run("rl", "a", 6),
        run("base", "b", 7),
        run("rl", "b", 8),
        run("rl", "c", 1),
    ]);
    let row = study.answer.comparisons[0].rows.iter().find(|row| row.code == "valid_calls").unwrap();
    assert_eq!(row.micro, Some([(12, 20), (14, 20)]));
}

#[test]
fn a_twin_that_the_study_names_is_tested_in_the_holm_family() {
    let mut runs = Vec::new();
    for place in 0..12 {
        for (arm, num) in [("base", 0), ("rl", 1)] {
            let mut run = Run::new(arm, &format!("i{place:02}"), Some(false));
            run.behaviours = vec![("loop", "share", num, 1), ("repetitive_loop", "share", num, 1)];
            runs.push(run);
        }
    }
    let mut question = question("s", &[("base", Role::Base), ("rl", Role::Trained)], &[("base", "rl")]);
    question.primary = vec!["repetitive_loop".to_owned()];
    let study = study(question, &runs);
    let rows = &study.answer.comparisons[0].rows;
    // Twelve of twelve one way: 2 · 2⁻¹²; each family has one member.
    let p = Some(2.0 / 4096.0);
    assert_eq!(
        rows.iter().map(|row| (row.code, row.p_adjusted)).collect::<Vec<_>>(),
        [("loop", p), ("repetitive_loop", p)]
    );
    let foot = foot(table(&study, "T5"));
    assert!(foot.contains("1 behaviours, Benjamini–Hochberg; 1 primary, Holm"), "{foot}");
}

#[test]
fn a_condition_says_how_many_runs_meet_it() {
    let run = |arm: &str, instance: &str, den| Run {
        behaviours: vec![("test_after_edit", "share", 0, den)],
        ..Run::new(arm, instance, Some(false))
    };
    let study = pair(&[run("base", "a", 1), run("rl", "a", 1), run("base", "b", 0), run("rl", "b", 1)]);
    let row = table(&study, "T5").rows.iter().find(|row| row.id == "test_after_edit").unwrap();
    assert!(row.notes.contains(&"applies to 1 of 2 runs and 2 of 2".to_owned()), "{:?}", row.notes);
}

#[test]
fn stops_are_tested_as_any_other_share() {
    let mut runs = Vec::new();
    for place in 0..8 {
        for arm in ["base", "rl"] {
            let mut run = Run::new(arm, &format!("i{place}"), Some(false));
            if arm == "base" {
                run.tags.retain(|tag| *tag != "testing");
            }
            runs.push(run);
        }
    }
    let study = pair(&runs);
    let funnel = table(&study, "funnel");
    // All eight base runs stop at the edit, no trained one: McNemar 2 · 2⁻⁸, and Newcombe's interval is defined where
    // that of t is not.
    assert_eq!(cell(funnel, "edited_source", "p"), &Cell::P(2.0 / 256.0));
    assert!(matches!(cell(funnel, "edited_source", "interval"), Cell::Interval { .. }));
    assert!(foot(funnel).contains("test=exact McNemar, two-sided; interval=Newcombe paired, 95 %"));
}

#[test]
fn one_number_has_one_interval() {
    let study = repeats(40, 4);
    for arm in ["base", "rl"] {
        let (one, by_k) = (table(&study, "T1"), table(&study, "T2"));
        assert_eq!(cell(one, arm, "interval"), cell(by_k, &format!("{arm}.1"), "interval"));
    }
}

#[test]
fn independent_samples_have_no_discordance() {
    let runs: Vec<Run> = (0..8)
        .flat_map(|place| {
            [("base", "a", place % 2 == 0), ("rl", "b", true)]
                .map(|(arm, prefix, resolved)| Run::new(arm, &format!("{prefix}{place}"), Some(resolved)))
        })
        .collect();
    let study = pair(&runs);
    let foot = foot(table(&study, "T5"));
    assert!(foot.contains("Boschloo") && !foot.contains("discorda") && !foot.contains("minimal"), "{foot}");
}

#[test]
fn too_few_differing_instances_are_said() {
    let runs: Vec<Run> = (0..9)
        .flat_map(|place| {
            [("base", place < 2), ("rl", place < 7)]
                .map(|(arm, resolved)| Run::new(arm, &format!("i{place}"), Some(resolved)))
        })
        .collect();
    assert!(foot(table(&pair(&runs), "T5")).contains("fewer than 6 instances differ"));
}

#[test]
fn behaviours_of_independent_samples_are_not_named_twice() {
    let mut runs = Vec::new();
    for place in 0..30 {
        for (arm, prefix, num) in [("base", "a", 0), ("rl", "b", 1)] {
            let mut run = Run::new(arm, &format!("{prefix}{place}"), Some(false));
            run.behaviours = vec![
                ("explicit_submission", "share", num, 1),
                ("ended_by_itself", "share", num, 1),
                ("abnormal_end", "share", 1 - num, 1),
            ];
            runs.push(run);
        }
    }
    let verdict = pair(&runs).verdict();
    // Resolved, and one of the three that say the same.
    assert_eq!(verdict.matches(" points [").count(), 2, "{verdict}");
}

fn failed(instance: usize, tests: Option<[i64; 4]>) -> Run {
    Run { tests, ..Run::new("base", &format!("i{instance:03}"), Some(false)) }
}

/// 83 failed runs of which 49 pass at least 80 % of their targets and 70 keep every P2P, as the paper counts them; a
/// failed run without tests is in no share.
#[test]
fn near_misses_as_the_paper_counts_them() {
    let mut runs: Vec<Run> = (0..83)
        .map(|place| {
            let passed = if place < 49 { 8 } else { 7 };
            failed(place, Some([passed, 10, if place < 70 { 20 } else { 19 }, 20]))
        })
        .collect();
    runs.push(failed(83, None));
    runs.push(Run { tests: Some([10, 10, 20, 20]), ..Run::new("base", "i084", Some(true)) });
    let study = study(question("s", &[("base", Role::Base)], &[]), &runs);
    let t10 = table(&study, "T10");
    assert_eq!(cell(t10, "base", "graded"), &Cell::Count(83));
    assert_eq!(cell(t10, "base", "near_miss"), &Cell::Share { num: 49, den: 83 });
    assert_eq!(cell(t10, "base", "p2p_kept"), &Cell::Share { num: 70, den: 83 });
    assert_eq!(cell(t10, "base", "near_and_kept"), &Cell::Share { num: 49, den: 83 });
    assert_eq!(cell(t10, "base", "preserved"), &Cell::Share { num: 71, den: 84 });
    assert_eq!(mean(cell(t10, "base", "target_median")), 0.8);
    // `near_miss/ge80_ci` and `near_miss/p2p_kept_ci` of the papers' vectors.
    for (column, low, high) in [
        ("near_miss_interval", 0.4828576852382437, 0.6898708732601949),
        ("p2p_kept_interval", 0.7502486450452769, 0.9061198772487894),
    ] {
        match cell(t10, "base", column) {
            Cell::Interval { low: l, high: h } => assert!((l - low).abs() < 1e-9 && (h - high).abs() < 1e-9),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn tasks_without_p2p_are_in_no_share_of_it() {
    let runs = [failed(0, Some([3, 4, 0, 0])), failed(1, Some([1, 4, 0, 0]))];
    let study = study(question("s", &[("base", Role::Base)], &[]), &runs);
    let t10 = table(&study, "T10");
    assert_eq!(cell(t10, "base", "at_least_half"), &Cell::Share { num: 1, den: 2 });
    assert!(matches!(cell(t10, "base", "p2p_kept"), Cell::Missing(_)));
    assert!(matches!(cell(t10, "base", "preserved"), Cell::Missing(_)));
}

/// Six instances, trained half as long: differences −5, −10, … −30. All one way: p = 2 · 2⁻⁶; the means of pairs are
/// symmetric about −17.5, and with six the interval runs from the least to the largest.
#[test]
fn steps_within_an_instance_by_hand() {
    let runs: Vec<Run> = (1..=6)
        .flat_map(|place| {
            let run = |arm: &str, turns| Run {
                turns: Some(turns),
                ..Run::new(arm, &format!("i{place}"), Some(false))
            };
            [run("base", 10 * place), run("rl", 5 * place)]
        })
        .collect();
    let study = pair(&runs);
    let steps = table(&study, "T10.steps");
    for row in ["model_turns.runs", "model_turns.instances"] {
        assert_eq!(cell(steps, row, "base"), &Cell::Quantity(35.0));
        assert_eq!(cell(steps, row, "trained"), &Cell::Quantity(17.5));
        assert_eq!(cell(steps, row, "change"), &Cell::Delta(-0.5));
    }
    assert_eq!(cell(steps, "model_turns.instances", "shift"), &Cell::Shift(-17.5));
    assert_eq!(
        cell(steps, "model_turns.instances", "shift_interval"),
        &Cell::Range { low: -30.0, high: -5.0 }
    );
    assert_eq!(cell(steps, "model_turns.instances", "p"), &Cell::P(2.0 / 64.0));
    assert_eq!(cell(steps, "model_turns.instances", "shorter"), &Cell::Count(6));
    assert!(foot(steps).contains("change of medians, not median of changes"));
}

/// Two instances of four runs in one step, and one of them again in another step: three groups.
#[test]
fn rewards_and_silent_groups_by_hand() {
    let run = |instance: &str, run: i64, step: i64, tests: [i64; 4]| Run {
        run,
        train_step: Some(step),
        tests: Some(tests),
        ..Run::new("rl", instance, Some(tests[0] == tests[1] && tests[2] == tests[3]))
    };
    let mut runs = Vec::new();
    // 3 of 12 checks give 0.25; all 12 with one of 100 broken give 0 (the paper's two examples); silent under pass or fail.
    for (place, tests) in
        [[3, 12, 100, 100], [12, 12, 99, 100], [3, 12, 100, 100], [0, 12, 100, 100]].iter().enumerate()
    {
        runs.push(run("a", place as i64, 1, *tests));
    }
    for place in 4..8 {
        runs.push(run("a", place, 2, [12, 12, 100, 100]));
    }
    for (place, passed) in [4, 4, 4, 1].into_iter().enumerate() {
        runs.push(run("b", place as i64, 1, [passed, 4, 0, 0]));
    }
    let study = study(question("s", &[("rl", Role::Trained)], &[]), &runs);
    let t12 = table(&study, "T12");
    // a: (0.25 + 0 + 0.25 + 0 + 4) / 8 = 0.5625; b: 3.25 / 4 = 0.8125; mean over instances 0.6875.
    assert_eq!(cell(t12, "partial", "mean"), &Cell::Quantity(0.6875));
    // Of pass or fail the first two groups are silent, one at 0 and one at 1; of partial credit the second alone.
    assert_eq!(cell(t12, "pass_or_fail", "silent"), &Cell::Share { num: 2, den: 3 });
    assert_eq!(cell(t12, "pass_or_fail", "silent_low"), &Cell::Count(1));
    assert_eq!(cell(t12, "partial", "silent"), &Cell::Share { num: 1, den: 3 });
    assert_eq!(cell(t12, "partial", "unsolved_with_signal"), &Cell::Share { num: 1, den: 1 });
    // pass@1 = (4/8 + 3/4) / 2 = 0.625: 0.625⁴ + 0.375⁴.
    assert!(
        (mean(cell(t12, "pass_or_fail", "expected_silent")) - (0.625_f64.powi(4) + 0.375_f64.powi(4))).abs()
            < 1e-12
    );
    // Group a.1: rewards 0.25 0 0.25 0, SD 0.125; b: 1 1 1 0.25, SD √3/4 · 0.75; their mean.
    let spread = (0.125 + 0.75 * 3.0_f64.sqrt() / 4.0) / 2.0;
    match cell(t12, "partial", "spread") {
        Cell::Quantity(value) => assert!((value - spread).abs() < 1e-12),
        other => panic!("{other:?}"),
    }
}

/// Contributions of every factor sum to Δ resolved, to the last digit that is printed.
#[test]
fn strata_sum_to_the_change() {
    let mut runs = Vec::new();
    for place in 0..21 {
        let repo = ["o__r", "o__s", "p__q"][place % 3];
        for (arm, every) in [("base", 4), ("rl", 3)] {
            for run in 0..3 {
                let resolved = Some((place + run) % every == 0);
                runs.push(Run { run: run as i64, ..Run::new(arm, &format!("{repo}-{place}"), resolved) });
            }
        }
    }
    let study = pair(&runs);
    let strata = table(&study, "strata");
    let delta = study.answer.comparisons[0].resolved.as_ref().unwrap().delta.unwrap();
    for factor in ["repo", "base_rate"] {
        let units = |cell: &Cell| match cell {
            Cell::Delta(value) => (value * 1e6).round() as i64,
            other => panic!("{other:?}"),
        };
        let place = strata.columns.len() - 1;
        let parts = strata.rows.iter().filter(|row| row.id.starts_with(&format!("{factor}.")));
        let (parts, instances): (Vec<i64>, Vec<&Cell>) =
            parts.map(|row| (units(&row.cells[place]), &row.cells[2])).unzip();
        assert!(parts.len() > 1, "{factor}");
        assert_eq!(parts.iter().sum::<i64>(), (delta * 1e6).round() as i64, "{factor}");
        assert_eq!(parts.iter().sum::<i64>(), units(cell(strata, &format!("{factor}:all"), "contribution")));
        let counted: i64 = instances
            .iter()
            .map(|cell| match cell {
                Cell::Count(count) => *count,
                other => panic!("{other:?}"),
            })
            .sum();
        assert_eq!(counted, 21);
    }
    // Seven instances of o/r: 0, 3, … 18. Base solves (i + run) % 4 = 0 in 5 of 21 runs of them.
    let base_runs =
        (0..7).flat_map(|i| (0..3).map(move |run| (3 * i + run) % 4 == 0)).filter(|is| *is).count();
    assert!((mean(cell(strata, "repo.o/r", "base")) - base_runs as f64 / 21.0).abs() < 1e-12);
    // Strata that the compared runs themselves form are not tested.
    assert!(
        strata
            .rows
            .iter()
            .filter(|row| row.id.starts_with("base_rate."))
            .all(|row| matches!(row.cells[7], Cell::Missing(_)))
    );
}
