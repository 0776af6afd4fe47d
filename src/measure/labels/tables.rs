//! Agreement as two tables: tags with precision, recall and F1; everything else with its accuracy. Each stands over all
//! turns, over those drawn at random where others were drawn for their kind, and by format.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::TAGS;
use super::compare::{Measure, Pair, judgements};
use super::counts::{Counts, Rate, rate};
use crate::measure::columns::{numbers, words};
use crate::model::table::{Cell, Missing, Row, Table};
use crate::number;

/// Stratum of turns that were drawn at random.
const RANDOM: &str = "random";

/// The turns that a block of rows is over.
struct Scope<'p> {
    name: String,
    pairs: Vec<&'p Pair>,
}

/// Both tables.
pub fn tables(pairs: &[Pair]) -> Vec<Table> {
    let scopes = scopes(pairs);
    vec![tags(&scopes, pairs), answers(&scopes, pairs)]
}

fn scopes(pairs: &[Pair]) -> Vec<Scope<'_>> {
    let mut scopes = vec![Scope { name: "all".to_owned(), pairs: pairs.iter().collect() }];
    let random: Vec<&Pair> =
        pairs.iter().filter(|pair| pair.label.stratum.as_deref() == Some(RANDOM)).collect();
    if !random.is_empty() && random.len() < pairs.len() {
        scopes.push(Scope { name: "drawn at random".to_owned(), pairs: random });
    }
    let formats: BTreeSet<&str> = pairs.iter().map(|pair| pair.format.as_str()).collect();
    for format in formats {
        let pairs = pairs.iter().filter(|pair| pair.format == format).collect();
        scopes.push(Scope { name: format.to_owned(), pairs });
    }
    scopes
}

fn tags(scopes: &[Scope], pairs: &[Pair]) -> Table {
    let mut rows = Vec::new();
    for scope in scopes {
        for tag in TAGS {
            let mut counts = Counts::default();
            for pair in &scope.pairs {
                let (label, engine) =
                    (pair.label.answer.tags.contains(&tag), pair.engine.tags.contains(&tag));
                counts.add(&pair.trajectory, label, engine);
            }
            rows.extend(tag_row(&scope.name, tag.as_str(), &counts));
        }
    }
    Table {
        code: "labels".to_owned(),
        id: "labels-tags".to_owned(),
        title: "tags against labels".to_owned(),
        subtitle: "labelled turns".to_owned(),
        columns: vec![
            words("turns", "turns"),
            words("tag", "tag"),
            numbers("labelled", "labelled", ""),
            numbers("found", "found", ""),
            numbers("f1", "F1", "%"),
            numbers("f1_interval", "95 %", ""),
            numbers("precision", "precision", "%"),
            numbers("precision_interval", "95 %", ""),
            numbers("recall", "recall", "%"),
            numbers("recall_interval", "95 %", ""),
            numbers("specificity", "specificity", "%"),
        ],
        rows,
        foot: foot(pairs, "a tag that neither side has on any turn has no row"),
        decimals: 1,
    }
}

fn tag_row(scope: &str, tag: &str, counts: &Counts) -> Option<Row> {
    let (precision, recall, specificity) = (counts.precision(), counts.recall(), counts.specificity());
    let f1 = counts.f1()?;
    Some(Row {
        id: format!("{scope}.{tag}"),
        cells: vec![
            Cell::Text(scope.to_owned()),
            Cell::Text(tag.to_owned()),
            Cell::Count(recall.den),
            Cell::Count(precision.den),
            Cell::Mean { value: f1.value, n: f1.turns },
            limits(f1.interval),
            share(precision),
            limits(precision.interval),
            share(recall),
            limits(recall.interval),
            share(specificity),
        ],
        strong: false,
        group: scope.to_owned(),
        notes: Vec::new(),
    })
}

fn answers(scopes: &[Scope], pairs: &[Pair]) -> Table {
    let mut rows = Vec::new();
    for scope in scopes {
        let mut groups: BTreeMap<Measure, BTreeMap<&str, Vec<f64>>> = BTreeMap::new();
        for pair in &scope.pairs {
            for one in judgements(pair) {
                let group = groups.entry(one.measure).or_default().entry(&pair.trajectory).or_default();
                group.push(if one.is_right { 1.0 } else { 0.0 });
            }
        }
        for measure in Measure::ALL {
            let Some(groups) = groups.remove(&measure) else { continue };
            let right = rate(groups.into_values().collect());
            rows.push(Row {
                id: format!("{}.{}", scope.name, measure.as_str()),
                cells: vec![
                    Cell::Text(scope.name.clone()),
                    Cell::Text(measure.words().to_owned()),
                    Cell::Count(right.num),
                    Cell::Count(right.den),
                    share(right),
                    limits(right.interval),
                ],
                strong: false,
                group: scope.name.clone(),
                notes: Vec::new(),
            });
        }
    }
    Table {
        code: "labels".to_owned(),
        id: "labels-attributes".to_owned(),
        title: "attributes against labels".to_owned(),
        subtitle: "labelled turns on which both sides bear the tag".to_owned(),
        columns: vec![
            words("turns", "turns"),
            words("attribute", "attribute"),
            numbers("right", "right", ""),
            numbers("n", "of", ""),
            numbers("accuracy", "accuracy", "%"),
            numbers("interval", "95 %", ""),
        ],
        rows,
        foot: foot(
            pairs,
            "an attribute is judged where both sides bear its tag; the outcome over pass, not passed (fail or error), \
             not run and unknown, of several tests of a turn by the worst",
        ),
        decimals: 1,
    }
}

fn share(rate: Rate) -> Cell {
    match rate.den {
        0 => Cell::Missing(Missing::NotApplicable),
        den => Cell::Share { num: rate.num, den },
    }
}

fn limits(interval: Option<(f64, f64)>) -> Cell {
    interval.map_or(Cell::Missing(Missing::Undefined), |(low, high)| Cell::Interval { low, high })
}

fn foot(pairs: &[Pair], what: &str) -> Vec<String> {
    let trajectories: BTreeSet<&str> = pairs.iter().map(|pair| pair.trajectory.as_str()).collect();
    let drawn = pairs.iter().filter(|pair| pair.label.stratum.as_deref() == Some(RANDOM)).count();
    let mut foot = vec![
        format!(
            "unit=turn: {} turns of {} trajectories, {} drawn at random",
            number::count(pairs.len() as i64),
            number::count(trajectories.len() as i64),
            number::count(drawn as i64)
        ),
        "interval=Wilson at the effective number of turns, clustered by trajectory (F1: of both/either, 2J/(1+J)), 95 %"
            .to_owned(),
        what.to_owned(),
    ];
    if drawn < pairs.len() {
        foot.push(
            "turns drawn for their kind make rare tags frequent: shares of the corpus need the random ones"
                .to_owned(),
        );
    }
    foot
}
