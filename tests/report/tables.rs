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
