//! A number becomes text: the values that statistics.md §0, interface.md and look.md §5 name.

use ethogram::model::table::{Cell, Missing};
use ethogram::number::{
    count, counts, csv, fixed, full, interval, json, p, percent, points, quantity, range, share,
};
use ethogram::number::{shift, signed_tick, text, tick};

#[test]
fn exact_ties_print_as_in_the_paper() {
    assert_eq!(share(285, 4000, 2), "7.12");
    assert_eq!(share(1569, 4000, 2), "39.23");
    assert_eq!(share(474, 731, 1), "64.8");
    assert_eq!(share(439, 731, 1), "60.1");
    assert_eq!(share(0, 66, 1), "0.0");
    assert_eq!(share(0, 0, 1), "–");
    assert_eq!(share(64, 64, 1), "100.0");
}

#[test]
fn differences_have_a_sign_and_zero_has_none() {
    assert_eq!(points(474.0 / 731.0 - 439.0 / 731.0, 1), "+4.8");
    assert_eq!(points(-0.494, 1), "−49.4");
    assert_eq!(points(0.0, 1), "0.0");
    assert_eq!(points(-0.0001, 1), "0.0");
    assert_eq!(points(0.0004, 1), "0.0");
    assert_eq!(points(f64::NAN, 1), "–");
    assert_eq!(shift(-3.0), "−3");
    assert_eq!(shift(1224.0), "+1,224");
    assert_eq!(shift(0.0), "0");
}

#[test]
fn p_has_two_significant_digits() {
    let printed = [
        (0.0614, "0.061"),
        (0.5078, "0.51"),
        (0.09, "0.090"),
        (0.1, "0.10"),
        (0.0996, "0.10"),
        (0.0123, "0.012"),
        (0.0023, "0.0023"),
        (0.001, "0.0010"),
        (0.000999, "<0.001"),
        (1e-300, "<0.001"),
        (0.0, "<0.001"),
        (0.996, "1.0"),
        (1.0, "1.0"),
        (f64::NAN, "–"),
    ];
    for (value, want) in printed {
        assert_eq!(p(value), want, "p {value}");
    }
}

#[test]
fn intervals_and_quantities() {
    assert_eq!(interval(-0.039, 0.115, 1), "[−3.9, 11.5]");
    assert_eq!(interval(-0.0773, 0.0768, 1), "[−7.7, 7.7]");
    assert_eq!(range(12.0, 15.5), "[12, 15.5]");
    assert_eq!(quantity(21.0), "21");
    assert_eq!(quantity(21.5), "21.5");
    assert_eq!(quantity(1224.4), "1,224");
    assert_eq!(quantity(0.0345), "0.035");
    assert_eq!(quantity(0.0), "0");
    assert_eq!(quantity(f64::INFINITY), "–");
    assert_eq!(count(1224), "1,224");
    assert_eq!(count(-1_000_000), "−1,000,000");
    assert_eq!(count(999), "999");
    assert_eq!(fixed(999.96, 1), "1,000.0");
    assert_eq!(percent(1.0 / 3.0, 2), "33.33");
}

#[test]
fn ticks_have_the_decimals_of_their_step() {
    assert_eq!(tick(20.0, 20.0), "20");
    assert_eq!(tick(2.5, 2.5), "2.5");
    assert_eq!(tick(5.0, 2.5), "5.0");
    assert_eq!(tick(0.25, 0.25), "0.25");
    assert_eq!(signed_tick(-60.0, 20.0), "−60");
    assert_eq!(signed_tick(0.0, 20.0), "0");
    assert_eq!(signed_tick(40.0, 20.0), "+40");
}

#[test]
fn cells_for_a_person() {
    let printed = [
        (Cell::Share { num: 474, den: 731 }, "64.84"),
        (Cell::Mean { value: 0.4942, n: 500 }, "49.42"),
        (Cell::Delta(0.048), "+4.80"),
        (Cell::P(0.0123), "0.012"),
        (Cell::Interval { low: -0.039, high: 0.115 }, "[−3.90, 11.50]"),
        (Cell::Count(1224), "1,224"),
        (Cell::Text("<b>".to_owned()), "<b>"),
        (Cell::Missing(Missing::Undefined), "–"),
        (Cell::Missing(Missing::NotApplicable), "–"),
        (Cell::Missing(Missing::NotSearched), "not searched"),
        (Cell::Missing(Missing::NoPartner), "no partner"),
    ];
    for (cell, want) in printed {
        assert_eq!(text(&cell, 2), want);
    }
    assert_eq!(counts(&Cell::Share { num: 474, den: 731 }).as_deref(), Some("474/731"));
    assert_eq!(counts(&Cell::Mean { value: 0.5, n: 4000 }).as_deref(), Some("n 4,000"));
    assert_eq!(counts(&Cell::P(0.5)), None);
}

#[test]
fn machine_forms_keep_every_digit_and_the_reason() {
    assert_eq!(full(1e-300), "1e-300");
    assert_eq!(full(0.1 + 0.2), "0.30000000000000004");
    assert_eq!(full(-0.0), "0");
    assert_eq!(full(f64::NAN), "");
    assert_eq!(
        csv(&Cell::Share { num: 285, den: 4000 }),
        [("", "0.07125".to_owned()), ("_num", "285".to_owned()), ("_den", "4000".to_owned())]
    );
    assert_eq!(csv(&Cell::Share { num: 0, den: 0 })[0].1, "");
    assert_eq!(csv(&Cell::Interval { low: -0.5, high: 0.5 })[0], ("_low", "-0.5".to_owned()));
    assert_eq!(json(&Cell::Share { num: 285, den: 4000 })["value"], 0.07125);
    assert_eq!(json(&Cell::Share { num: 0, den: 0 })["value"], serde_json::Value::Null);
    assert_eq!(json(&Cell::P(f64::NAN)), serde_json::Value::Null);
    assert_eq!(json(&Cell::Missing(Missing::Unscored))["missing"], "unscored");
}
