//! T5: base against trained, every behaviour with both values, difference, interval, test and counts
//! (`definitions.md` §5, §7, §10; `statistics.md` §1).

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{numbers, words};
use super::comparison::{Compared, Sides, compare};
use super::coverage::PairCoverage;
use super::data::{Data, InstanceOutcomes, Instances, applicable};
use super::outcome_rows::{Unscored, resolved};
use super::t01_pass::measure;
use super::{Material, Question, TableFamily, foot};
use crate::behaviours::{self, Behaviour, BehaviourKind};
use crate::model::table::{Cell, Missing, Row, Table};
use crate::number;
use crate::stats::{self, Adjustment};
use crate::store::{Frame, StoreError};

/// T5.
pub const TABLE: TableFamily = TableFamily {
    code: "T5",
    title: "base against trained",
    about: "Means over the instances that both arms have. One run an instance: exact McNemar with Newcombe's paired \
            interval; several: sign-flip of instance differences with a t interval; sizes: Wilcoxon signed rank with the \
            Hodges–Lehmann shift; no shared instances: Boschloo or Mann–Whitney. All behaviours of one table are one \
            Benjamini–Hochberg family; resolved is its own.",
    queries: &["t04", "instance_pairs"],
    columns: &[
        ("behaviour", "behaviour; `ethogram explain CODE` says what is counted"),
        ("base", "base arm: mean over the instances compared; of a size the median"),
        ("trained", "trained arm, the same"),
        ("delta", "trained − base; of a size the Hodges–Lehmann shift"),
        ("interval", "95 % interval of Δ by the method that the foot names; of a size none"),
        ("p", "two-sided p of the test that the design asks for, as the foot names it"),
        (
            "p_adjusted",
            "p after adjustment within its family: Holm for resolved and for primary rows, Benjamini–Hochberg for all \
              others; a twin row has none",
        ),
        ("gained", "instances whose value rose"),
        ("lost", "instances whose value fell"),
        ("both", "with one run an arm: instances that show it in both arms"),
        ("neither", "with one run an arm: instances that show it in neither"),
        ("instances", "instances that enter"),
    ],
    paper: &["behaviour", "base", "trained", "delta", "interval", "p_adjusted", "gained", "lost"],
    build,
    series: super::forest::series,
};

/// Level below which a row is bold.
const LEVEL: f64 = 0.05;

/// How far the share of autonomous edits must move without silent ones for both to be printed.
const SILENT_MOVES: f64 = 0.01;

/// One behaviour compared.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonRow {
    /// Code.
    pub code: &'static str,
    /// What came of it.
    pub compared: Compared,
    /// Adjusted p; `None` where p is undefined, or the row is a twin that counts once.
    pub p_adjusted: Option<f64>,
    /// All turns or events pooled, for rates: base and trained, numerator and denominator.
    pub micro: Option<[(i64, i64); 2]>,
}

impl ComparisonRow {
    /// The behaviour.
    pub fn behaviour(&self) -> Option<&'static Behaviour> {
        behaviours::find(self.code)
    }

    /// Adjusted p below 0.05.
    pub fn is_detected(&self) -> bool {
        self.p_adjusted.is_some_and(|p| p < LEVEL)
    }
}

/// Two arms on one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Base arm.
    pub base: String,
    /// Trained arm.
    pub trained: String,
    /// Benchmark.
    pub benchmark: String,
    /// Whether the pair meets on several benchmarks, so that ids name this one.
    pub names_benchmark: bool,
    /// How the instances meet.
    pub coverage: PairCoverage,
    /// `resolved`, unscored runs left out.
    pub resolved: Option<Compared>,
    /// Adjusted p of `resolved`: Holm over the benchmarks of this pair.
    pub resolved_p_adjusted: Option<f64>,
    /// `resolved` with unscored runs as failures.
    pub resolved_as_failures: Option<Compared>,
    /// Difference in resolved if base's unscored runs all failed and trained's all passed, and the other way round.
    pub extremes: Option<(f64, f64)>,
    /// Instances solved in no, some, all scored runs: base down, trained across.
    pub solved: [[i64; 3]; 3],
    /// Instances scored in both arms with the class of each side: 0 solved in no, 1 in some, 2 in all scored runs.
    pub solved_cells: Vec<(String, usize, usize)>,
    /// Behaviours, in the order of the catalogue.
    pub rows: Vec<ComparisonRow>,
    /// Most scored runs an instance, base and trained.
    pub most_runs: (i64, i64),
}

impl Comparison {
    /// The id of its T5.
    pub fn id(&self, code: &str) -> String {
        let pair = format!("{code}.{}-{}", self.base, self.trained);
        if self.names_benchmark { format!("{pair}.{}", self.benchmark) } else { pair }
    }

    /// Unscored runs in both arms, and the two extreme assignments disagree in sign.
    pub fn undecided_by_unscored(&self) -> bool {
        self.extremes.is_some_and(|(low, high)| low < 0.0 && high > 0.0)
    }

    /// Rows by evidence: adjusted p, then the size of the difference.
    pub fn by_evidence(&self) -> Vec<&ComparisonRow> {
        let mut rows: Vec<&ComparisonRow> = self.rows.iter().collect();
        rows.sort_by(|left, right| {
            let key = |row: &ComparisonRow| row.p_adjusted.or(row.compared.p).unwrap_or(2.0);
            // Shifts of sizes have units of their own; they do not outrank shares by them.
            let is_size =
                |row: &ComparisonRow| row.behaviour().is_some_and(|found| found.kind == BehaviourKind::Size);
            let size = |row: &ComparisonRow| {
                if is_size(row) { 0.0 } else { row.compared.delta.unwrap_or_default().abs() }
            };
            key(left).total_cmp(&key(right)).then(size(right).total_cmp(&size(left)))
        });
        rows
    }
}

/// Compares every pair of the question on every benchmark that both of its arms have.
pub fn comparisons(
    question: &Question,
    data: &Data,
    instance_pairs: &Frame,
) -> Result<Vec<Comparison>, StoreError> {
    let mut found = Vec::new();
    for (base, trained) in &question.pairs {
        // A benchmark that one arm lacks compares nothing; `coverage::warnings` says so where no benchmark is left.
        let benchmarks: Vec<&str> = data
            .benchmarks_of(base)
            .filter(|benchmark| data.outcomes_of(trained, benchmark).is_some())
            .collect();
        let first = found.len();
        for benchmark in &benchmarks {
            let coverage = pair_coverage(instance_pairs, base, trained, benchmark)?;
            let mut comparison = compare_pair(question, data, (base, trained), benchmark, coverage);
            comparison.names_benchmark = benchmarks.len() > 1;
            found.push(comparison);
        }
        adjust_resolved(&mut found[first..]);
    }
    Ok(found)
}

/// Holm over the benchmarks of one pair.
fn adjust_resolved(comparisons: &mut [Comparison]) {
    let raw: Vec<Option<f64>> =
        comparisons.iter().map(|comparison| comparison.resolved.as_ref().and_then(|row| row.p)).collect();
    for (comparison, adjusted) in comparisons.iter_mut().zip(stats::p_adjust(&raw, Adjustment::Holm)) {
        comparison.resolved_p_adjusted = adjusted;
    }
}

fn pair_coverage(
    frame: &Frame,
    base: &str,
    trained: &str,
    benchmark: &str,
) -> Result<PairCoverage, StoreError> {
    let mut coverage = PairCoverage::default();
    for row in frame.iter() {
        if row.text("base_arm")? != base
            || row.text("trained_arm")? != trained
            || row.text("benchmark")? != benchmark
        {
            continue;
        }
        let list = match row.text("state")? {
            "both_scored" => &mut coverage.both_scored,
            "one_unscored" => &mut coverage.one_unscored,
            "both_unscored" => &mut coverage.both_unscored,
            "base_only" => &mut coverage.base_only,
            _ => &mut coverage.trained_only,
        };
        list.push(row.text("instance_id")?.to_owned());
    }
    Ok(coverage)
}

fn compare_pair(
    question: &Question,
    data: &Data,
    (base, trained): (&str, &str),
    benchmark: &str,
    coverage: PairCoverage,
) -> Comparison {
    let nothing = BTreeMap::new();
    let base_outcomes = data.outcomes_of(base, benchmark).unwrap_or(&nothing);
    let trained_outcomes = data.outcomes_of(trained, benchmark).unwrap_or(&nothing);
    let paired = coverage.shared() > 0;
    let cells = solved_cells(base_outcomes, trained_outcomes);
    let compare_resolved = |unscored: Unscored| {
        compare(&Sides {
            base: &resolved(base_outcomes, unscored),
            trained: &resolved(trained_outcomes, unscored),
            kind: BehaviourKind::Share,
            paired,
            seed: question.seed,
        })
    };
    let most = |outcomes: &BTreeMap<String, InstanceOutcomes>| {
        outcomes.values().map(|counts| counts.scored).max().unwrap_or_default()
    };
    Comparison {
        base: base.to_owned(),
        trained: trained.to_owned(),
        benchmark: benchmark.to_owned(),
        names_benchmark: false,
        resolved: compare_resolved(Unscored::Excluded),
        resolved_p_adjusted: None,
        resolved_as_failures: compare_resolved(Unscored::Failed),
        extremes: extremes(base_outcomes, trained_outcomes, paired, question.seed),
        solved: solved(&cells),
        solved_cells: cells,
        rows: behaviour_rows(question, data, (base, trained), benchmark, paired),
        most_runs: (most(base_outcomes), most(trained_outcomes)),
        coverage,
    }
}

/// Both extreme assignments, where both arms have unscored runs.
fn extremes(
    base: &BTreeMap<String, InstanceOutcomes>,
    trained: &BTreeMap<String, InstanceOutcomes>,
    paired: bool,
    seed: u64,
) -> Option<(f64, f64)> {
    let unscored = |outcomes: &BTreeMap<String, InstanceOutcomes>| {
        outcomes.values().any(|counts| counts.runs > counts.scored)
    };
    if !(unscored(base) && unscored(trained)) {
        return None;
    }
    let delta = |base_as: Unscored, trained_as: Unscored| {
        compare(&Sides {
            base: &resolved(base, base_as),
            trained: &resolved(trained, trained_as),
            kind: BehaviourKind::Share,
            paired,
            seed,
        })?
        .delta
    };
    Some((delta(Unscored::Resolved, Unscored::Failed)?, delta(Unscored::Failed, Unscored::Resolved)?))
}

fn solved_cells(
    base: &BTreeMap<String, InstanceOutcomes>,
    trained: &BTreeMap<String, InstanceOutcomes>,
) -> Vec<(String, usize, usize)> {
    let class = |counts: &InstanceOutcomes| match counts.resolved {
        0 => 0,
        resolved if resolved == counts.scored => 2,
        _ => 1,
    };
    base.iter()
        .filter_map(|(instance, left)| {
            let right = trained.get(instance)?;
            (left.scored > 0 && right.scored > 0).then(|| (instance.clone(), class(left), class(right)))
        })
        .collect()
}

fn solved(cells: &[(String, usize, usize)]) -> [[i64; 3]; 3] {
    let mut table = [[0; 3]; 3];
    for (_, base, trained) in cells {
        table[*base][*trained] += 1;
    }
    table
}

fn behaviour_rows(
    question: &Question,
    data: &Data,
    (base, trained): (&str, &str),
    benchmark: &str,
    paired: bool,
) -> Vec<ComparisonRow> {
    let mut rows: Vec<ComparisonRow> = data
        .listed()
        .into_iter()
        .filter(|behaviour| behaviour.code != "resolved")
        .filter_map(|behaviour| {
            let base = data.instances(base, benchmark, behaviour)?;
            let trained = data.instances(trained, benchmark, behaviour)?;
            let sides = Sides { base, trained, kind: behaviour.kind, paired, seed: question.seed };
            let compared = compare(&sides)?;
            let micro = (behaviour.kind == BehaviourKind::Rate)
                .then(|| [base, trained].map(|instances| micro(instances, &compared)));
            Some(ComparisonRow { code: behaviour.code, compared, p_adjusted: None, micro })
        })
        .collect();
    drop_silent_twin(&mut rows);
    adjust(question, &mut rows);
    rows
}

/// All turns or events of an arm pooled, over the instances that are compared: the same as its mean.
fn micro(instances: &Instances, compared: &Compared) -> (i64, i64) {
    let paired: BTreeSet<&str> = compared.differences.iter().map(|(instance, _)| instance.as_str()).collect();
    instances
        .iter()
        .filter(|(instance, _)| !compared.paired || paired.contains(instance.as_str()))
        .flat_map(|(_, runs)| runs)
        .fold((0, 0), |(num, den), run| match run.num {
            Some(value) => (num + value * run.runs, den + run.den * run.runs),
            None => (num, den),
        })
}

/// `autonomous_edit` is printed a second time without silent edits only when that moves it (`definitions.md` §3.2).
fn drop_silent_twin(rows: &mut Vec<ComparisonRow>) {
    let values = |code: &str| {
        rows.iter().find(|row| row.code == code).map(|row| (row.compared.base, row.compared.trained))
    };
    if let (Some(all), Some(shown)) = (values("autonomous_edit"), values("autonomous_edit_shown"))
        && (all.0 - shown.0).abs() <= SILENT_MOVES
        && (all.1 - shown.1).abs() <= SILENT_MOVES
    {
        rows.retain(|row| row.code != "autonomous_edit_shown");
    }
}

fn is_primary(question: &Question, row: &ComparisonRow) -> bool {
    question.primary.iter().any(|code| code == row.code)
}

/// Primary rows are a Holm family, all others one Benjamini–Hochberg family; twins count once, unless the study names one
/// as primary.
fn adjust(question: &Question, rows: &mut [ComparisonRow]) {
    let is_primary = |row: &ComparisonRow| is_primary(question, row);
    let counts = |row: &ComparisonRow| {
        is_primary(row) || row.behaviour().is_some_and(|behaviour| behaviour.twin_of.is_none())
    };
    for (primary, method) in [(true, Adjustment::Holm), (false, Adjustment::Bh)] {
        let raw: Vec<Option<f64>> = rows
            .iter()
            .map(|row| row.compared.p.filter(|_| counts(row) && is_primary(row) == primary))
            .collect();
        for (row, adjusted) in rows.iter_mut().zip(stats::p_adjust(&raw, method)) {
            if adjusted.is_some() {
                row.p_adjusted = adjusted;
            }
        }
    }
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    Ok(material
        .comparisons
        .iter()
        .filter(|comparison| comparison.resolved.is_some() || !comparison.rows.is_empty())
        .map(|comparison| table(material, comparison))
        .collect())
}

fn table(material: &Material, comparison: &Comparison) -> Table {
    let mut rows = Vec::new();
    if let Some(compared) = &comparison.resolved {
        let mut row =
            row("resolved", "resolved", BehaviourKind::Share, compared, comparison.resolved_p_adjusted);
        row.group = "outcome".to_owned();
        row.notes = largest_differences(compared);
        rows.push(row);
    }
    for found in comparison.by_evidence() {
        let Some(behaviour) = found.behaviour() else { continue };
        let mut row = row(found.code, behaviour.name, behaviour.kind, &found.compared, found.p_adjusted);
        row.group = "behaviour".to_owned();
        row.notes = largest_differences(&found.compared);
        row.notes.extend(reach_note(material, comparison, behaviour));
        row.notes.extend(found.micro.map(micro_note));
        rows.push(row);
    }
    Table {
        code: TABLE.code.to_owned(),
        id: comparison.id(TABLE.code),
        title: format!("{} against {} on {}", comparison.base, comparison.trained, comparison.benchmark),
        subtitle: "means over the instances that both arms have; shares in %, differences in points"
            .to_owned(),
        columns: vec![
            words("behaviour", "behaviour"),
            numbers("base", comparison.base.as_str(), "%"),
            numbers("trained", comparison.trained.as_str(), "%"),
            numbers("delta", "Δ", "points"),
            numbers("interval", "95 % interval", "points"),
            numbers("p", "p", ""),
            numbers("p_adjusted", "p adj.", ""),
            numbers("gained", "+", "instances"),
            numbers("lost", "−", "instances"),
            numbers("both", "both", "instances"),
            numbers("neither", "neither", "instances"),
            numbers("instances", "n", "instances"),
        ],
        rows,
        foot: comparison_foot(material, comparison),
        decimals: material.question.decimals.unwrap_or(1),
    }
}

fn micro_note(micro: [(i64, i64); 2]) -> String {
    let share = |(num, den): (i64, i64)| {
        if den == 0 {
            "–".to_owned()
        } else {
            format!("{} % ({})", number::share(num, den, 1), number::fraction(num, den))
        }
    };
    format!("pooled over the same instances (micro): {} → {}", share(micro[0]), share(micro[1]))
}

/// How many runs a conditional behaviour applies to, where not to all: reaching the event is itself an outcome of training
/// (`statistics.md` §1).
fn reach_note(material: &Material, comparison: &Comparison, behaviour: &Behaviour) -> Option<String> {
    if behaviour.kind == BehaviourKind::Size {
        return None;
    }
    let of_arm = |arm: &str| {
        let instances = material.data.instances(arm, &comparison.benchmark, behaviour)?;
        let all: i64 = instances.values().flatten().map(|counts| counts.runs).sum();
        Some((applicable(instances, behaviour.kind) as i64, all))
    };
    let (base, trained) = (of_arm(&comparison.base)?, of_arm(&comparison.trained)?);
    (base.0 < base.1 || trained.0 < trained.1).then(|| {
        format!(
            "applies to {} of {} runs and {} of {}",
            number::count(base.0),
            number::count(base.1),
            number::count(trained.0),
            number::count(trained.1)
        )
    })
}

fn row(code: &str, name: &str, kind: BehaviourKind, compared: &Compared, p_adjusted: Option<f64>) -> Row {
    let undefined = Cell::Missing(Missing::Undefined);
    let n = compared.instances.0;
    let (base, trained) = match (kind, compared.cells) {
        (BehaviourKind::Size, _) => (Cell::Quantity(compared.base), Cell::Quantity(compared.trained)),
        (_, Some([both, only_base, only_trained, _])) => {
            (Cell::Share { num: both + only_base, den: n }, Cell::Share { num: both + only_trained, den: n })
        }
        _ => (
            Cell::Mean { value: compared.base, n },
            Cell::Mean { value: compared.trained, n: compared.instances.1 },
        ),
    };
    let delta = match (kind, compared.delta) {
        (BehaviourKind::Size, Some(delta)) => Cell::Shift(delta),
        (_, Some(delta)) => Cell::Delta(delta),
        (_, None) => undefined.clone(),
    };
    let pairs =
        |value: i64| if compared.paired { Cell::Count(value) } else { Cell::Missing(Missing::NoPartner) };
    let cell = |index: usize| match compared.cells {
        Some(cells) => cells.get(index).map_or(undefined.clone(), |value| Cell::Count(*value)),
        None => Cell::Missing(Missing::NotApplicable),
    };
    Row {
        id: code.to_owned(),
        cells: vec![
            Cell::Text(name.to_owned()),
            base,
            trained,
            delta,
            compared.interval.map_or(undefined.clone(), |(low, high)| Cell::Interval { low, high }),
            compared.p.map_or(undefined.clone(), Cell::P),
            p_adjusted.map_or(undefined.clone(), Cell::P),
            pairs(compared.gained_lost.0),
            pairs(compared.gained_lost.1),
            cell(0),
            cell(3),
            Cell::Count(n),
        ],
        strong: p_adjusted.is_some_and(|p| p < LEVEL),
        group: String::new(),
        notes: Vec::new(),
    }
}

/// The five instance pairs with the largest difference, as text (`interface.md`, report folder).
fn largest_differences(compared: &Compared) -> Vec<String> {
    let mut differences: Vec<&(String, f64)> =
        compared.differences.iter().filter(|difference| difference.1 != 0.0).collect();
    differences.sort_by(|left, right| right.1.abs().total_cmp(&left.1.abs()).then(left.0.cmp(&right.0)));
    let named: Vec<String> = differences
        .iter()
        .take(5)
        .map(|(instance, difference)| {
            format!("{instance} ({})", if *difference > 0.0 { "gained" } else { "lost" })
        })
        .collect();
    if named.is_empty() { Vec::new() } else { vec![format!("largest differences: {}", named.join(", "))] }
}

fn comparison_foot(material: &Material, comparison: &Comparison) -> Vec<String> {
    let coverage = &comparison.coverage;
    let count = |list: &Vec<String>| number::count(list.len() as i64);
    let mut foot = vec![
        format!(
            "unit=instance; paired on {} ({} scored in both, {} unscored on a side), {} in {} only, {} in {} only",
            number::count(coverage.shared() as i64),
            count(&coverage.both_scored),
            number::count(coverage.unscored() as i64),
            count(&coverage.base_only),
            comparison.base,
            count(&coverage.trained_only),
            comparison.trained,
        ),
        format!(
            "scored runs an instance: {} in {}, {} in {}{}",
            scored_runs(material, &comparison.base, &comparison.benchmark),
            comparison.base,
            scored_runs(material, &comparison.trained, &comparison.benchmark),
            comparison.trained,
            if comparison.most_runs.0.max(comparison.most_runs.1) == 1 {
                "; run-to-run noise is not measured"
            } else {
                ""
            }
        ),
    ];
    let rows = comparison.rows.iter().map(|row| &row.compared);
    foot.extend(foot::methods(comparison.resolved.iter().chain(rows)));
    let tested = comparison.rows.iter().filter(|row| row.p_adjusted.is_some());
    let primary = tested.clone().filter(|row| is_primary(material.question, row)).count();
    foot.push(format!(
        "family=resolved alone (Holm over benchmarks); {} behaviours, Benjamini–Hochberg{}; twins count once",
        tested.count() - primary,
        if primary == 0 { String::new() } else { format!("; {primary} primary, Holm") }
    ));
    foot.extend(unscored_foot(comparison));
    foot.extend(comparison.resolved.iter().flat_map(foot::detectable));
    foot.extend(foot::classifier(material.question, material.data, &[&comparison.base, &comparison.trained]));
    foot.push(
        "Se and Sp were not measured by arm: a difference in tagging error between the arms is not excluded"
            .to_owned(),
    );
    foot.extend(foot::common(material.question));
    foot
}

/// Fewest and most scored runs an instance, of the instances that have one.
fn scored_runs(material: &Material, arm: &str, benchmark: &str) -> String {
    match material.data.outcomes_of(arm, benchmark).map(|outcomes| measure(outcomes).runs_range) {
        Some((least, most)) if least < most => format!("{least} to {most}"),
        Some((_, most)) => most.to_string(),
        None => number::DASH.to_owned(),
    }
}

fn unscored_foot(comparison: &Comparison) -> Vec<String> {
    let unscored = comparison.coverage.unscored();
    let (Some(excluded), Some(failed)) = (&comparison.resolved, &comparison.resolved_as_failures) else {
        return Vec::new();
    };
    if unscored == 0 && excluded.instances == failed.instances {
        return Vec::new();
    }
    let p = |compared: &Compared| compared.p.map_or_else(|| "–".to_owned(), number::p);
    let delta = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| number::points(value, 1));
    let mut foot = vec![format!(
        "unscored runs: left out Δ {} (p {}), as failures Δ {} (p {})",
        delta(excluded.delta),
        p(excluded),
        delta(failed.delta),
        p(failed),
    )];
    if let Some((low, high)) = comparison.extremes {
        foot.push(format!(
            "extreme assignments of the unscored runs of both arms: Δ from {} to {}",
            number::points(low, 1),
            number::points(high, 1)
        ));
    }
    foot
}
