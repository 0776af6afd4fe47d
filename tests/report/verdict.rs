//! The verdict sentence, word for word.

use ethogram::behaviours::BEHAVIOURS;
use ethogram::measure::Compared;
use ethogram::model::series::Role;

use super::study::{Run, Study, java, question, repeats, study};

/// A study of outcomes alone with one run an instance: (instances, base, trained) a cell.
fn outcomes(cells: &[(usize, Option<bool>, Option<bool>)]) -> Study {
    let mut runs = Vec::new();
    for (cell, (count, base, trained)) in cells.iter().enumerate() {
        for place in 0..*count {
            let instance = format!("i{cell}-{place}");
            for (arm, resolved) in [("base", base), ("rl", trained)] {
                let mut run = Run::new(arm, &instance, *resolved);
                run.has_log = false;
                runs.push(run);
            }
        }
    }
    study(question("s", &[("base", Role::Base), ("rl", Role::Trained)], &[("base", "rl")]), &runs)
}

#[test]
fn one_run_an_arm() {
    // Exact McNemar of 6 against 3: 2 · (1 + 9 + 36 + 84) / 2⁹ = 0.5078; Newcombe's method 10 with the corrected φ,
    // worked out apart from this code: −4.25, 11.79.
    let verdict = java().verdict();
    assert!(
        verdict.starts_with(
            "deepseek-chat-v2 solves 9 of 84 where gpt-4o-2024-05-13 solves 6 (+3.6 points [−4.3, 11.8], exact McNemar \
             p 0.51); it "
        ),
        "{verdict}"
    );
}

#[test]
fn behaviours_are_the_three_with_the_smallest_adjusted_p() {
    let study = java();
    let detected = study.answer.comparisons[0].rows.iter().filter(|row| row.is_detected()).count();
    assert!(detected > 3, "the drawn arms differ");
    let verdict = study.verdict();
    let sentence = verdict.split("; it ").nth(1).unwrap();
    assert_eq!(sentence.matches(" points [").count() + sentence.matches("turns (").count(), 3, "{verdict}");
    let submitted =
        study.answer.comparisons[0].rows.iter().find(|row| row.code == "explicit_submission").unwrap();
    let [both, _, only, _] = submitted.compared.cells.unwrap();
    let words = format!("hands in its work itself in {} of 89 runs", both + only);
    assert!(verdict.contains(&words), "{words}: {verdict}");
}

#[test]
fn a_behaviour_that_moves_as_another_is_not_named_twice() {
    let mut runs = Vec::new();
    for place in 0..40 {
        for (arm, trained) in [("base", false), ("rl", true)] {
            let hands_in = i64::from(trained && place < 30);
            let mut run = Run::new(arm, &format!("i{place:02}"), Some(false));
            run.behaviours = vec![
                ("explicit_submission", "share", hands_in, 1),
                ("ended_by_itself", "share", hands_in, 1),
                ("abnormal_end", "share", 1 - hands_in, 1),
                ("active_testing", "share", i64::from(trained && place >= 20), 1),
            ];
            runs.push(run);
        }
    }
    let study =
        study(question("s", &[("base", Role::Base), ("rl", Role::Trained)], &[("base", "rl")]), &runs);
    let verdict = study.verdict();
    assert!(verdict.contains("; it ") && verdict.contains(" in 30 of 40 runs (+75.0 points ["), "{verdict}");
    assert!(verdict.contains(") and tests in 20 of 40 runs (+50.0 points ["), "{verdict}");
    assert_eq!(verdict.matches(" runs (").count(), 2, "{verdict}");
}

#[test]
fn several_runs() {
    let study = repeats(40, 4);
    let resolved = study.answer.comparisons[0].resolved.as_ref().unwrap();
    let want = format!(
        "rl resolves {:.1} % of runs, mean over 40 instances × 4, where base resolves {:.1} % (+{:.1} points [",
        resolved.trained * 100.0,
        resolved.base * 100.0,
        resolved.delta.unwrap() * 100.0
    );
    assert!(study.verdict().starts_with(&want), "{want}\n{}", study.verdict());
    assert!(study.verdict().contains("], sign-flip p "), "{}", study.verdict());
}

#[test]
fn without_logs_nothing_is_said_of_behaviour() {
    // 16, 3, 9, 20: the corpus's KAT pair; exact McNemar of 9 against 3 is 2 · 299 / 2¹² = 0.146.
    let verdict = outcomes(&[
        (16, Some(true), Some(true)),
        (3, Some(true), Some(false)),
        (9, Some(false), Some(true)),
        (20, Some(false), Some(false)),
        (2, None, Some(true)),
    ])
    .verdict();
    assert_eq!(
        verdict,
        "rl solves 25 of 48 where base solves 19 (+12.5 points [−1.7, 25.8], exact McNemar p 0.15); without logs of both \
         arms no behaviour is compared."
    );
}

#[test]
fn none_differs() {
    let mut runs = Vec::new();
    for place in 0..6 {
        for (arm, num) in [("base", i64::from(place == 0)), ("rl", i64::from(place < 2))] {
            let mut run = Run::new(arm, &format!("i{place}"), Some(place == 0));
            run.behaviours = vec![("active_testing", "share", num, 1), ("explored", "share", 1, 1)];
            runs.push(run);
        }
    }
    let study =
        study(question("s", &[("base", Role::Base), ("rl", Role::Trained)], &[("base", "rl")]), &runs);
    assert!(
        study.verdict().contains("; none of 2 behaviours differs detectably (smallest adjusted p 1.0)."),
        "{}",
        study.verdict()
    );
}

#[test]
fn undecided_by_unscored_runs() {
    let verdict = outcomes(&[
        (5, Some(true), Some(true)),
        (1, Some(false), Some(true)),
        (3, None, Some(true)),
        (3, Some(true), None),
    ])
    .verdict();
    assert!(verdict.contains("; undecided by unscored runs)"), "{verdict}");
}

#[test]
fn no_verdicts() {
    let verdict = outcomes(&[(4, None, Some(true))]).verdict();
    assert!(
        verdict.starts_with("no verdicts were found for base, so outcomes are not compared with rl; "),
        "{verdict}"
    );
}

#[test]
fn no_shared_instance() {
    let mut runs = Vec::new();
    for place in 0..10 {
        runs.push(Run::new("base", &format!("a{place}"), Some(place < 2)));
        runs.push(Run::new("rl", &format!("b{place}"), Some(place < 7)));
    }
    let study =
        study(question("s", &[("base", Role::Base), ("rl", Role::Trained)], &[("base", "rl")]), &runs);
    assert!(
        study
            .verdict()
            .starts_with("rl solves 7 of 10 where base solves 2 of 10 other instances (+50.0 points ["),
        "{}",
        study.verdict()
    );
    assert!(study.verdict().contains("], Boschloo p 0.0"), "{}", study.verdict());
}

#[test]
fn different_scaffolds_are_said() {
    let mut study = outcomes(&[(4, Some(false), Some(true))]);
    study.question.arms[1].scaffolds = vec!["mini-swe-agent-2".to_owned()];
    assert!(
        study.verdict().ends_with(" The scaffolds differ: descriptive, not scaffold-controlled."),
        "{}",
        study.verdict()
    );
}

#[test]
fn holm_over_benchmarks_is_printed_where_it_differs() {
    let mut study = outcomes(&[(4, Some(false), Some(true)), (4, Some(true), Some(true))]);
    study.answer.comparisons[0].resolved_p_adjusted = Some(0.25);
    assert!(study.verdict().contains("exact McNemar p 0.12, Holm 0.25)"), "{}", study.verdict());
}

#[test]
fn a_batch_without_roles_compares_nothing() {
    let runs: Vec<Run> =
        (0..8).map(|place| Run::new("only", &format!("i{place}"), Some(place < 2))).collect();
    let study = study(question("s", &[("only", Role::Other)], &[]), &runs);
    // Wilson at 2 of 8.
    assert_eq!(
        study.verdict(),
        "only resolves 25.0 % [7.1, 59.1] of 8 scored runs on swe-bench-java; nothing is compared, since no base and \
         trained arm are named."
    );
}

#[test]
fn every_behaviour_has_a_phrase() {
    let mut study = outcomes(&[(4, Some(false), Some(true))]);
    let compared: Compared = study.answer.comparisons[0].resolved.clone().unwrap();
    for behaviour in BEHAVIOURS {
        study.answer.comparisons[0].rows = vec![ethogram::measure::ComparisonRow {
            code: behaviour.code,
            compared: compared.clone(),
            p_adjusted: Some(0.001),
            micro: None,
        }];
        let verdict = study.verdict();
        assert!(
            verdict.contains("; it "),
            "{} has no phrase in report/phrases.rs: {verdict}",
            behaviour.code
        );
        assert!(!verdict.contains("{}"), "{verdict}");
    }
}
