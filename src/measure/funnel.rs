//! The funnel of two arms and the decomposition of the difference in resolved (`definitions.md` §5): where runs stop,
//! and what each stage contributes. Over the instances that have a scored run with a log in both arms, weight
//! 1/(M·n) a run.

use std::collections::BTreeMap;

use super::columns::{numbers, words};
use super::comparison::{Compared, Sides, compare};
use super::data::{Instances, RunCounts};
use super::t05_comparison::Comparison;
use super::{Material, Question, TableFamily, foot};
use crate::behaviours::BehaviourKind;
use crate::model::benchmark::TaskKind;
use crate::model::series::{Caption, FunnelSeries, FunnelStage, Series};
use crate::model::table::{Cell, Missing, Row, Table};
use crate::number;
use crate::stats;
use crate::store::{Frame, StoreError};

/// The two tables of the funnel.
pub const TABLE: TableFamily = TableFamily {
    code: "funnel",
    title: "funnel and decomposition",
    about: "Scored runs with a log stop at the first stage that they lack; a resolved run that lacks one is off path. \
            Minus the sum of the differences of stops is the difference in resolved; so is the sum of the Shapley values of \
            the stage ratios over all orders, with the difference of off path.",
    queries: &["funnel"],
    columns: &[
        ("stage", "the first stage that a run lacks, or a stage of the decomposition"),
        (
            "base",
            "base arm: share of its scored runs with a log that stop here; in the decomposition, of the runs at the stage \
              before, the share that goes on",
        ),
        ("base_cut_off", "of the base arm's share, the part of runs that were cut off"),
        ("trained", "trained arm, as for base"),
        ("trained_cut_off", "of the trained arm's share, the part of runs that were cut off"),
        ("delta", "trained − base"),
        ("interval", "95 % interval of Δ, t on instance differences"),
        ("p", "two-sided p, sign-flip of instance differences"),
        ("p_adjusted", "p after Benjamini–Hochberg over the stops"),
        ("contribution", "Shapley value of the stage's ratio, in points of Δ resolved"),
    ],
    paper: &[],
    build,
    series,
};

/// Stages of a kind of task, the last is the verdict.
pub fn stages(kind: TaskKind) -> &'static [(&'static str, &'static str)] {
    match kind {
        TaskKind::Repo => &[
            ("acted", "acted"),
            ("explored", "explored"),
            ("edited_source", "edited source"),
            ("patched", "non-empty patch"),
            ("applied", "applied"),
            ("resolved", "resolved"),
        ],
        TaskKind::Terminal => {
            &[("acted", "acted"), ("changed", "changed something"), ("resolved", "resolved")]
        }
        TaskKind::Search => &[
            ("acted", "acted"),
            ("searched", "searched"),
            ("answered", "answered"),
            ("resolved", "resolved"),
        ],
        TaskKind::Chat => &[],
    }
}

/// Shares of one arm, by instance and as means over instances.
#[derive(Clone, Debug, Default, PartialEq)]
struct Side {
    runs: i64,
    /// By instance: its runs, and how many of them stop at each stage, unresolved ones.
    stops: BTreeMap<String, (i64, Vec<i64>)>,
    /// Means over instances: unresolved runs that stop at each stage, ended by themselves or cut off.
    stop_shares: Vec<f64>,
    stop_cut_off: Vec<f64>,
    /// Runs that have all stages up to each, resolved or not.
    reached: Vec<f64>,
    /// Of these, cut off at their end.
    reached_cut_off: Vec<f64>,
    /// Resolved runs that lack a stage.
    off_path: f64,
    /// All resolved runs.
    resolved: f64,
}

/// The funnel of one comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Funnel {
    base_arm: String,
    trained_arm: String,
    /// Id of its comparison's table.
    id: String,
    kind: TaskKind,
    instances: usize,
    base: Side,
    trained: Side,
    /// Δ resolved over these runs.
    delta: f64,
    /// Shapley value of each stage ratio, in order of the stages.
    shapley: Vec<f64>,
    /// Δ off path.
    off_path: f64,
}

/// Runs of one instance: (index of the first stage that is lacking, resolved, ended by itself) and their number.
type Runs = BTreeMap<(usize, bool, bool), i64>;

/// The funnels of all comparisons whose benchmark has one.
pub fn funnels(frame: &Frame, comparisons: &[Comparison]) -> Result<Vec<Funnel>, StoreError> {
    let mut runs: BTreeMap<(String, String), BTreeMap<String, Runs>> = BTreeMap::new();
    let mut kinds: BTreeMap<String, TaskKind> = BTreeMap::new();
    for row in frame.iter() {
        let Some(kind) = TaskKind::parse(row.text("kind")?).filter(|kind| !stages(*kind).is_empty()) else {
            continue;
        };
        let benchmark = row.text("benchmark")?.to_owned();
        kinds.insert(benchmark.clone(), kind);
        let lacks = row.text("lacks_stage")?;
        let stages = stages(kind);
        let index =
            stages.iter().position(|(code, _)| *code == lacks).unwrap_or(stages.len().saturating_sub(1));
        let key = (index, row.int("resolved")? == 1, row.int("own_end")? == 1);
        let instances = runs.entry((row.text("arm")?.to_owned(), benchmark)).or_default();
        *instances.entry(row.text("instance_id")?.to_owned()).or_default().entry(key).or_default() +=
            row.int("n")?;
    }
    let mut found = Vec::new();
    for comparison in comparisons {
        let Some(&kind) = kinds.get(&comparison.benchmark) else { continue };
        let side = |arm: &str| runs.get(&(arm.to_owned(), comparison.benchmark.clone()));
        if let (Some(base), Some(trained)) = (side(&comparison.base), side(&comparison.trained)) {
            found.extend(funnel(comparison, kind, base, trained));
        }
    }
    Ok(found)
}

fn funnel(
    comparison: &Comparison,
    kind: TaskKind,
    base: &BTreeMap<String, Runs>,
    trained: &BTreeMap<String, Runs>,
) -> Option<Funnel> {
    let shared: Vec<&String> = base.keys().filter(|instance| trained.contains_key(*instance)).collect();
    if shared.is_empty() {
        return None;
    }
    let count = stages(kind).len();
    let base = side(count, shared.iter().filter_map(|instance| base.get_key_value(*instance)));
    let trained = side(count, shared.iter().filter_map(|instance| trained.get_key_value(*instance)));
    Some(Funnel {
        base_arm: comparison.base.clone(),
        trained_arm: comparison.trained.clone(),
        id: comparison.id("funnel"),
        kind,
        instances: shared.len(),
        delta: trained.resolved - base.resolved,
        off_path: trained.off_path - base.off_path,
        shapley: shapley(&ratios(&base), &ratios(&trained)),
        base,
        trained,
    })
}

fn side<'a>(stages: usize, instances: impl Iterator<Item = (&'a String, &'a Runs)>) -> Side {
    let instances: Vec<(&String, &Runs)> = instances.collect();
    let n = instances.len() as f64;
    let zeros = || vec![0.0; stages];
    let mut side = Side {
        stop_shares: zeros(),
        stop_cut_off: zeros(),
        reached: zeros(),
        reached_cut_off: zeros(),
        ..Side::default()
    };
    for (instance, runs) in instances {
        let total: i64 = runs.values().sum();
        side.runs += total;
        let mut stops = vec![0; stages];
        for (&(lacks, is_resolved, own_end), &n) in runs {
            let share = n as f64 / total as f64;
            // The last stage is the verdict: a run on path has it exactly when it is resolved.
            let on_path = lacks + 1 == stages;
            let reached = if on_path && is_resolved { stages } else { lacks };
            for stage in 0..reached {
                side.reached[stage] += share;
                side.reached_cut_off[stage] += if own_end { 0.0 } else { share };
            }
            if is_resolved {
                side.resolved += share;
                side.off_path += if on_path { 0.0 } else { share };
            } else {
                stops[lacks] += n;
                side.stop_shares[lacks] += share;
                side.stop_cut_off[lacks] += if own_end { 0.0 } else { share };
            }
        }
        side.stops.insert(instance.clone(), (total, stops));
    }
    // Sums are divided once, so that whole shares come out whole.
    let lists = [&mut side.stop_shares, &mut side.stop_cut_off, &mut side.reached, &mut side.reached_cut_off];
    for value in lists.into_iter().flatten().chain([&mut side.off_path, &mut side.resolved]) {
        *value /= n;
    }
    side
}

/// Ratio of each stage to the stage before, on path; `None` where nothing reached the stage before.
fn ratios(side: &Side) -> Vec<Option<f64>> {
    let mut before = 1.0;
    side.reached
        .iter()
        .map(|&reached| {
            let ratio = (before > 0.0).then(|| reached / before);
            before = reached;
            ratio
        })
        .collect()
}

/// Shapley values of switching each ratio from base to trained, over all orders. After a ratio of 0 the arm's later
/// ratios are undefined and take the other arm's value (both undefined: 1), so that they contribute 0.
fn shapley(base: &[Option<f64>], trained: &[Option<f64>]) -> Vec<f64> {
    let filled: Vec<(f64, f64)> = base
        .iter()
        .zip(trained)
        .map(|pair| match pair {
            (Some(b), Some(t)) => (*b, *t),
            (Some(b), None) => (*b, *b),
            (None, Some(t)) => (*t, *t),
            (None, None) => (1.0, 1.0),
        })
        .collect();
    let n = filled.len();
    let factorial = |k: usize| (1..=k).map(|i| i as f64).product::<f64>();
    let mut values = vec![0.0; n];
    for mask in 0..1usize << n {
        let product = |without: usize| -> f64 {
            filled
                .iter()
                .enumerate()
                .filter(|(stage, _)| *stage != without)
                .map(|(stage, (b, t))| if mask >> stage & 1 == 1 { t } else { b })
                .product()
        };
        let size = mask.count_ones() as usize;
        for (stage, value) in values.iter_mut().enumerate() {
            if mask >> stage & 1 == 0 {
                let weight = factorial(size) * factorial(n - size - 1) / factorial(n);
                let (b, t) = filled[stage];
                *value += weight * (t - b) * product(stage);
            }
        }
    }
    values
}

/// Rounds parts to a multiple of 10⁻⁶ so that they add up to the rounded whole: printed to four decimals of a point they
/// sum to the last digit. The largest remainders take the difference.
pub(super) fn that_add_up(parts: &[f64], whole: f64) -> (Vec<f64>, f64) {
    const UNIT: f64 = 1e6;
    let target = (whole * UNIT).round();
    let mut rounded: Vec<f64> = parts.iter().map(|part| (part * UNIT).floor()).collect();
    let mut missing = (target - rounded.iter().sum::<f64>()) as i64;
    let mut order: Vec<usize> = (0..parts.len()).collect();
    let remainder = |index: usize| parts[index] * UNIT - (parts[index] * UNIT).floor();
    order.sort_by(|left, right| remainder(*right).total_cmp(&remainder(*left)).then(left.cmp(right)));
    for index in order.into_iter().cycle().take(parts.len() * 2) {
        if missing <= 0 {
            break;
        }
        rounded[index] += 1.0;
        missing -= 1;
    }
    (rounded.into_iter().map(|value| value / UNIT).collect(), target / UNIT)
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    Ok(material
        .funnels
        .iter()
        .flat_map(|funnel| [stop_table(material, funnel), shapley_table(material, funnel)])
        .collect())
}

fn stop_table(material: &Material, funnel: &Funnel) -> Table {
    let stages = stages(funnel.kind);
    let deltas: Vec<f64> = funnel
        .trained
        .stop_shares
        .iter()
        .zip(&funnel.base.stop_shares)
        .map(|(trained, base)| trained - base)
        .collect();
    let (deltas, whole) = that_add_up(&deltas, -funnel.delta);
    let tests: Vec<Option<Compared>> =
        (0..stages.len()).map(|stage| stop_test(material.question, funnel, stage)).collect();
    let raw: Vec<Option<f64>> = tests.iter().map(|test| test.as_ref()?.p).collect();
    let adjusted = stats::p_adjust(&raw, stats::Adjustment::Bh);
    let n = funnel.instances as i64;
    let mean = |value: f64| Cell::Mean { value, n };
    let optional = |p: Option<f64>| p.map_or(Cell::Missing(Missing::Undefined), Cell::P);
    let mut rows: Vec<Row> = stages
        .iter()
        .enumerate()
        .map(|(stage, (code, name))| Row {
            id: (*code).to_owned(),
            cells: vec![
                Cell::Text(format!("lacks: {name}")),
                mean(funnel.base.stop_shares[stage]),
                mean(funnel.base.stop_cut_off[stage]),
                mean(funnel.trained.stop_shares[stage]),
                mean(funnel.trained.stop_cut_off[stage]),
                Cell::Delta(deltas[stage]),
                tests[stage]
                    .as_ref()
                    .and_then(|test| test.interval)
                    .map_or(Cell::Missing(Missing::Undefined), |(low, high)| Cell::Interval { low, high }),
                optional(raw[stage]),
                optional(adjusted[stage]),
            ],
            strong: adjusted[stage].is_some_and(|p| p < 0.05),
            group: "stops".to_owned(),
            notes: Vec::new(),
        })
        .collect();
    let missing = || Cell::Missing(Missing::NotApplicable);
    for (id, name, base, trained, delta) in [
        (
            "off_path",
            "of the resolved: off path",
            funnel.base.off_path,
            funnel.trained.off_path,
            funnel.off_path,
        ),
        ("resolved_all", "resolved", funnel.base.resolved, funnel.trained.resolved, -whole),
    ] {
        rows.push(Row {
            id: id.to_owned(),
            cells: vec![
                Cell::Text(name.to_owned()),
                mean(base),
                missing(),
                mean(trained),
                missing(),
                Cell::Delta(delta),
                missing(),
                missing(),
                missing(),
            ],
            strong: false,
            group: "resolved".to_owned(),
            notes: Vec::new(),
        });
    }
    Table {
        code: TABLE.code.to_owned(),
        id: funnel.id.clone(),
        title: format!("where runs stop, {} against {}", funnel.base_arm, funnel.trained_arm),
        subtitle: "share of scored runs with a log, %; differences in points".to_owned(),
        columns: vec![
            words("stage", "stops at"),
            numbers("base", funnel.base_arm.as_str(), "%"),
            numbers("base_cut_off", "and is cut off", "%"),
            numbers("trained", funnel.trained_arm.as_str(), "%"),
            numbers("trained_cut_off", "and is cut off", "%"),
            numbers("delta", "Δ", "points"),
            numbers("interval", "95 % interval", "points"),
            numbers("p", "p", ""),
            numbers("p_adjusted", "p adj.", ""),
        ],
        rows,
        foot: table_foot(
            material,
            funnel,
            "−Σ Δ of the stops = Δ resolved; a resolved run that lacks a stage is off path and stops nowhere; cut off=did \
             not end by itself, share of all runs; family=the stops, Benjamini–Hochberg",
            foot::methods(tests.iter().flatten()),
        ),
        decimals: 4,
    }
}

/// The share of runs that stop at a stage, compared as any other share of T5.
fn stop_test(question: &Question, funnel: &Funnel, stage: usize) -> Option<Compared> {
    let stops = |side: &Side| -> Instances {
        let runs = |(instance, (total, stops)): (&String, &(i64, Vec<i64>))| {
            let counts = [(1, stops[stage]), (0, total - stops[stage])]
                .into_iter()
                .filter(|(_, runs)| *runs > 0)
                .map(|(num, runs)| RunCounts { num: Some(num), den: 1, runs });
            (instance.clone(), counts.collect())
        };
        side.stops.iter().map(runs).collect()
    };
    compare(&Sides {
        base: &stops(&funnel.base),
        trained: &stops(&funnel.trained),
        kind: BehaviourKind::Share,
        paired: true,
        seed: question.seed,
    })
}

fn shapley_table(material: &Material, funnel: &Funnel) -> Table {
    let mut parts = funnel.shapley.clone();
    parts.push(funnel.off_path);
    let (parts, whole) = that_add_up(&parts, funnel.delta);
    let ratio = |side: &Side, stage: usize| match ratios(side).get(stage) {
        Some(Some(ratio)) => Cell::Mean { value: *ratio, n: funnel.instances as i64 },
        _ => Cell::Missing(Missing::Undefined),
    };
    let mut rows: Vec<Row> = stages(funnel.kind)
        .iter()
        .enumerate()
        .map(|(stage, (code, name))| {
            let cells = vec![
                Cell::Text((*name).to_owned()),
                ratio(&funnel.base, stage),
                ratio(&funnel.trained, stage),
                Cell::Delta(parts[stage]),
            ];
            decomposition_row(code, cells)
        })
        .collect();
    let missing = || Cell::Missing(Missing::NotApplicable);
    let off_path = parts.last().copied().unwrap_or_default();
    rows.push(decomposition_row(
        "off_path",
        vec![Cell::Text("off_path".to_owned()), missing(), missing(), Cell::Delta(off_path)],
    ));
    rows.push(decomposition_row(
        "delta_resolved",
        vec![Cell::Text("Δ resolved".to_owned()), missing(), missing(), Cell::Delta(whole)],
    ));
    Table {
        code: "decomposition".to_owned(),
        id: funnel.id.replacen("funnel", "decomposition", 1),
        title: format!("what each stage contributes, {} against {}", funnel.base_arm, funnel.trained_arm),
        subtitle:
            "of the runs at the stage before, the share that goes on, %; contribution to Δ resolved in points"
                .to_owned(),
        columns: vec![
            words("stage", "stage"),
            numbers("base", funnel.base_arm.as_str(), "%"),
            numbers("trained", funnel.trained_arm.as_str(), "%"),
            numbers("contribution", "contribution", "points"),
        ],
        rows,
        foot: table_foot(
            material,
            funnel,
            "contribution=Shapley value of the stage ratio over all orders of switching from base to trained; \
             off_path=Δ of resolved runs that lack a stage; the parts sum to Δ resolved (rounded to 10⁻⁴ points by the \
             largest remainders)",
            Vec::new(),
        ),
        decimals: 4,
    }
}

fn decomposition_row(id: &str, cells: Vec<Cell>) -> Row {
    Row { id: id.to_owned(), cells, strong: false, group: String::new(), notes: Vec::new() }
}

fn table_foot(material: &Material, funnel: &Funnel, what: &str, methods: Vec<String>) -> Vec<String> {
    let mut foot = vec![
        format!(
            "unit=instance; {} instances with a scored run with a log in both arms ({} and {} runs), weight 1/(M·n) a run",
            number::count(funnel.instances as i64),
            number::count(funnel.base.runs),
            number::count(funnel.trained.runs)
        ),
        what.to_owned(),
    ];
    foot.extend(methods);
    foot.extend(foot::common(material.question));
    foot
}

/// The funnel chart of each comparison.
fn series(material: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    Ok(material
        .funnels
        .iter()
        .map(|funnel| (funnel.id.clone(), Series::Funnel(chart(material.question, funnel))))
        .collect())
}

fn chart(question: &Question, funnel: &Funnel) -> FunnelSeries {
    let stages = stages(funnel.kind);
    let of_those = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let mut shapley: Vec<(String, f64)> =
        stages.iter().zip(&funnel.shapley).map(|((_, name), value)| ((*name).to_owned(), *value)).collect();
    shapley.push(("off path".to_owned(), funnel.off_path));
    FunnelSeries {
        caption: Caption {
            title: "Funnel and decomposition of Δ resolved".to_owned(),
            subtitle: "share of scored runs with a log that reach each stage, % (and % of the stage before)"
                .to_owned(),
            foot: format!(
                "unit: instance, n = {}; weight 1/(M·n) a run; right: Shapley values of the stage ratios, no interval",
                number::count(funnel.instances as i64)
            ),
        },
        arms: [question.label(&funnel.base_arm), question.label(&funnel.trained_arm)],
        runs: [funnel.base.runs, funnel.trained.runs],
        stages: stages
            .iter()
            .enumerate()
            .map(|(stage, (_, name))| {
                let sides = [&funnel.base, &funnel.trained];
                FunnelStage {
                    name: (*name).to_owned(),
                    reached: sides.map(|side| side.reached[stage]),
                    cut_off: sides.map(|side| of_those(side.reached_cut_off[stage], side.reached[stage])),
                }
            })
            .collect(),
        off_path: [funnel.base.off_path, funnel.trained.off_path],
        shapley,
        delta: funnel.delta,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapley_values_of_two_ratios_by_hand() {
        // base 0.5 · 0.4 = 0.2, trained 0.8 · 0.6 = 0.48; first: 0.3 · (0.4 + 0.6) / 2, second: 0.2 · (0.5 + 0.8) / 2.
        let values = shapley(&[Some(0.5), Some(0.4)], &[Some(0.8), Some(0.6)]);
        assert!((values[0] - 0.15).abs() < 1e-12 && (values[1] - 0.13).abs() < 1e-12);
        assert!((values.iter().sum::<f64>() - 0.28).abs() < 1e-12);
    }

    #[test]
    fn an_undefined_ratio_takes_the_other_arms_value() {
        let values = shapley(&[Some(0.0), None], &[Some(0.5), Some(0.5)]);
        assert_eq!(values[1], 0.0);
        assert!((values[0] - 0.25).abs() < 1e-12);
    }

    #[test]
    fn rounded_parts_add_up() {
        let (parts, whole) =
            that_add_up(&[1.0 / 3.0, 1.0 / 3.0, -0.1234567, 0.0000004], 2.0 / 3.0 - 0.1234563);
        let units: i64 = parts.iter().map(|part| (part * 1e6).round() as i64).sum();
        assert_eq!(units, (whole * 1e6).round() as i64);
    }
}
