//! T13 against log-odds reckoned by hand.

use ethogram::model::series::Role;
use ethogram::model::table::Cell;
use ethogram::store::{Frame, Value};

use super::study::{Run, frame, question, study_with, text};

/// Ten instances, a run each in both arms; `pytest` in 8 of 10 base runs and 2 of 10 trained ones, `grep` the other way
/// round. An eleventh instance of the base arm has no partner and counts nothing.
fn tokens() -> Frame {
    let row = |arm: &str, instance: usize, token: &str| {
        let example = format!("{arm}-{instance} turn 3");
        vec![
            text(arm),
            text("swe-bench-java"),
            text(&format!("i{instance:02}")),
            text("command"),
            text(token),
            Value::Int(1),
            text(&example),
        ]
    };
    let mut rows = Vec::new();
    for (arm, tests) in [("base", 8), ("rl", 2)] {
        rows.extend(
            (0..10).map(|instance| row(arm, instance, if instance < tests { "pytest" } else { "grep" })),
        );
    }
    rows.push(row("base", 10, "make"));
    frame(&["arm", "benchmark", "instance_id", "unit", "token", "trajectories_with", "example"], rows)
}

#[test]
fn the_shift_is_that_of_the_formula() {
    let mut runs = Vec::new();
    for instance in 0..10 {
        let id = format!("i{instance:02}");
        runs.extend(["base", "rl"].map(|arm| Run::new(arm, &id, Some(false))));
    }
    runs.push(Run::new("base", "i10", Some(false)));
    let question = question("s", &[("base", Role::Base), ("rl", Role::Trained)], &[("base", "rl")]);
    let study = study_with(question, &runs, vec![("t13", tokens())]);
    let table = study.answer.tables.iter().find(|table| table.code == "T13").unwrap();
    let ids: Vec<&str> = table.rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["command.grep", "command.pytest"]);
    // Prior: 10 of weight, half on each. grep: (8+5)/(20−13) against (2+5)/(20−7): ln(13/7) − ln(7/13) = 1.238…; the
    // deviation √(1/13 + 1/7) = 0.4688…
    let (delta, z) =
        (2.0 * (13.0f64 / 7.0).ln(), 2.0 * (13.0f64 / 7.0).ln() / (1.0f64 / 13.0 + 1.0 / 7.0).sqrt());
    let cells = &table.rows[0].cells;
    assert_eq!(cells[2..4], [Cell::Share { num: 2, den: 10 }, Cell::Share { num: 8, den: 10 }]);
    assert!(matches!(cells[4], Cell::Shift(found) if (found - delta).abs() < 1e-12), "{cells:?}");
    assert!(matches!(cells[5], Cell::Shift(found) if (found - z).abs() < 1e-12), "{cells:?}");
    assert_eq!(cells[6..], [Cell::Text("base-8 turn 3".to_owned()), Cell::Text("rl-2 turn 3".to_owned())]);
    assert!(table.foot.join("; ").contains("command 10"), "{:?}", table.foot);
}
