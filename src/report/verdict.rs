//! The verdict: what training changed, in one sentence a comparison (`interface.md`, report folder). First the outcome,
//! then the three behaviours with the smallest adjusted p below 0.05 that do not say the same twice, else that none differs
//! detectably. It claims nothing that a table does not hold, and it says what it cannot say.

use std::collections::BTreeMap;

use super::phrases;
use crate::behaviours::BehaviourKind;
use crate::measure::{
    Answer, Compared, Comparison, ComparisonRow, Contrast, Pool, Question, Test, Transferred,
};
use crate::model::series::{Estimate, Series};
use crate::number;

/// Behaviours that a verdict names.
const NAMED: usize = 3;

/// Arms that a verdict without a comparison names.
const ARMS_NAMED: usize = 3;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Plain(String),
    /// A number that is read first.
    Number(String),
    /// How sure: interval, test, p.
    Aside(String),
}

/// One sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Its pieces in order; blanks between them are in the words.
    pub parts: Vec<Part>,
}

impl Verdict {
    /// The sentence as text.
    pub fn text(&self) -> String {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Plain(text) | Part::Number(text) | Part::Aside(text) => text.as_str(),
            })
            .collect()
    }

    fn plain(&mut self, text: impl Into<String>) -> &mut Verdict {
        self.parts.push(Part::Plain(text.into()));
        self
    }

    fn number(&mut self, text: impl Into<String>) -> &mut Verdict {
        self.parts.push(Part::Number(text.into()));
        self
    }

    fn aside(&mut self, text: impl Into<String>) -> &mut Verdict {
        self.parts.push(Part::Aside(text.into()));
        self
    }
}

/// One sentence a comparison; where there is none, one about the arms.
pub fn verdicts(question: &Question, answer: &Answer) -> Vec<Verdict> {
    if answer.comparisons.is_empty() && !answer.transferred.is_empty() {
        return answer.transferred.iter().map(|transferred| of_totals(question, transferred)).collect();
    }
    if answer.comparisons.is_empty() {
        return vec![of_arms(question, answer)];
    }
    answer.comparisons.iter().map(|comparison| of_pair(question, answer, comparison)).collect()
}

fn of_pair(question: &Question, answer: &Answer, comparison: &Comparison) -> Verdict {
    let mut verdict = Verdict::default();
    let decimals = question.decimals.unwrap_or(1);
    if comparison.names_benchmark {
        verdict.plain(format!("On {}, ", comparison.benchmark));
    }
    match &comparison.resolved {
        Some(resolved) => outcome(&mut verdict, comparison, resolved, decimals),
        None => no_outcome(&mut verdict, answer, comparison),
    }
    behaviours(&mut verdict, comparison, decimals);
    verdict.plain(".");
    if scaffolds_differ(question, comparison) {
        verdict.aside(" The scaffolds differ: descriptive, not scaffold-controlled.");
    }
    verdict
}

fn outcome(verdict: &mut Verdict, comparison: &Comparison, resolved: &Compared, decimals: usize) {
    let (base, trained) = (&comparison.base, &comparison.trained);
    let wins = |share: f64, n: i64| number::count((share * n as f64).round() as i64);
    match (resolved.cells, resolved.test) {
        (Some([both, only_base, only_trained, _]), _) => verdict
            .plain(format!("{trained} solves "))
            .number(of(both + only_trained, resolved.instances.0))
            .plain(format!(" where {base} solves "))
            .number(number::count(both + only_base)),
        // One run an instance, and no instance in both: the mean of 0 and 1 is a count.
        (None, Test::Boschloo) => verdict
            .plain(format!("{trained} solves "))
            .number(format!(
                "{} of {}",
                wins(resolved.trained, resolved.instances.1),
                number::count(resolved.instances.1)
            ))
            .plain(format!(" where {base} solves "))
            .number(format!(
                "{} of {}",
                wins(resolved.base, resolved.instances.0),
                number::count(resolved.instances.0)
            ))
            .plain(" other instances"),
        _ => verdict
            .plain(format!("{trained} resolves "))
            .number(format!("{} %", number::percent(resolved.trained, decimals)))
            .plain(format!(" of runs, mean over {}, where {base} resolves ", scope(comparison, resolved)))
            .number(format!("{} %", number::percent(resolved.base, decimals))),
    };
    verdict.plain(" (");
    difference(verdict, resolved, decimals);
    if let Some(p) = resolved.p {
        verdict.aside(format!(", {} p {}", test_name(resolved.test), number::p(p)));
        if let Some(adjusted) = comparison.resolved_p_adjusted.filter(|adjusted| *adjusted != p) {
            verdict.aside(format!(", Holm {}", number::p(adjusted)));
        }
    }
    if comparison.undecided_by_unscored() {
        verdict.aside("; undecided by unscored runs");
    }
    verdict.plain(")");
}

/// `500 instances × 8`, or what the arms have where they differ.
fn scope(comparison: &Comparison, resolved: &Compared) -> String {
    let (base, trained) = comparison.most_runs;
    if !resolved.paired {
        let (n, other) = (resolved.instances.1, resolved.instances.0);
        return format!(
            "{} instances, none of them among the {} of the other arm",
            number::count(n),
            number::count(other)
        );
    }
    let instances = number::count(resolved.instances.0);
    if base == trained {
        format!("{instances} instances × {}", number::count(base))
    } else {
        format!(
            "{instances} instances with up to {} and {} runs",
            number::count(trained),
            number::count(base)
        )
    }
}

fn difference(verdict: &mut Verdict, compared: &Compared, decimals: usize) {
    match compared.delta {
        Some(delta) => verdict.number(format!("{} points", number::points(delta, decimals))),
        None => verdict.aside("difference undefined"),
    };
    if let Some((low, high)) = compared.interval {
        verdict.aside(format!(" {}", number::interval(low, high, decimals)));
    }
}

/// The test in a sentence; the foot of T5 has all its words.
fn test_name(test: Test) -> &'static str {
    match test {
        Test::McNemar => "exact McNemar",
        Test::SignFlipExact | Test::SignFlipDraws => "sign-flip",
        Test::SignedRank => "Wilcoxon",
        Test::Boschloo => "Boschloo",
        Test::MannWhitney => "Mann–Whitney",
    }
}

fn of(k: i64, n: i64) -> String {
    format!("{} of {}", number::count(k), number::count(n))
}

/// Why nothing is said of the outcome.
fn no_outcome(verdict: &mut Verdict, answer: &Answer, comparison: &Comparison) {
    let scored = |arm: &str| {
        let of_arm = answer
            .coverage
            .iter()
            .filter(|found| found.arm == arm && found.benchmark == comparison.benchmark);
        of_arm.map(|found| found.scored).sum::<i64>()
    };
    let (base, trained) = (&comparison.base, &comparison.trained);
    verdict.plain(match (scored(base) > 0, scored(trained) > 0) {
        (true, true) => {
            format!("no instance has a verdict in both {base} and {trained}, so outcomes are not compared")
        }
        (false, true) => {
            format!("no verdicts were found for {base}, so outcomes are not compared with {trained}")
        }
        (true, false) => {
            format!("no verdicts were found for {trained}, so outcomes are not compared with {base}")
        }
        (false, false) => {
            format!("no verdicts were found for {base} and {trained}, so outcomes are not compared")
        }
    });
}

fn behaviours(verdict: &mut Verdict, comparison: &Comparison, decimals: usize) {
    if comparison.rows.is_empty() {
        verdict.plain("; without logs of both arms no behaviour is compared");
        return;
    }
    let detected = named(comparison);
    if detected.is_empty() {
        let tested = comparison.rows.iter().filter_map(|row| row.p_adjusted);
        let least = tested.clone().min_by(f64::total_cmp);
        verdict
            .plain("; none of ")
            .number(number::count(tested.count() as i64))
            .plain(" behaviours differs detectably");
        if let Some(least) = least {
            verdict.aside(format!(" (smallest adjusted p {})", number::p(least)));
        }
        return;
    }
    let subject = if comparison.resolved.is_some() { "it" } else { &comparison.trained };
    verdict.plain(format!("; {subject} "));
    for (place, row) in detected.iter().enumerate() {
        match place {
            0 => {}
            _ if place + 1 == detected.len() => drop(verdict.plain(" and ")),
            _ => drop(verdict.plain(", ")),
        }
        behaviour(verdict, row, decimals);
    }
}

/// The behaviours that the sentence names. One that moves on every instance exactly as another does, or exactly against it
/// (ended by itself, explicit submission, abnormal end), says the same again and gives way to the next.
fn named(comparison: &Comparison) -> Vec<&ComparisonRow> {
    let mut named: Vec<&ComparisonRow> = Vec::new();
    let rows = comparison.by_evidence();
    for row in rows.into_iter().filter(|row| row.is_detected() && phrases::around(row.code).is_some()) {
        if !named.iter().any(|other| says_the_same(&other.compared, &row.compared)) {
            named.push(row);
        }
        if named.len() == NAMED {
            break;
        }
    }
    named
}

/// The differences of two behaviours are equal, or opposite, on all instances that both apply to, and these are most. Of
/// independent samples only the shares of both arms can tell.
fn says_the_same(one: &Compared, two: &Compared) -> bool {
    if !one.paired || !two.paired {
        let (base, trained) = (two.base, two.trained);
        return one.instances == two.instances
            && ((one.base, one.trained) == (base, trained)
                || (one.base, one.trained) == (1.0 - base, 1.0 - trained));
    }
    let by_instance: BTreeMap<&str, f64> =
        two.differences.iter().map(|(instance, difference)| (instance.as_str(), *difference)).collect();
    let common: Vec<(f64, f64)> = one
        .differences
        .iter()
        .filter_map(|(instance, difference)| Some((*difference, *by_instance.get(instance.as_str())?)))
        .collect();
    let most = one.differences.len().max(two.differences.len());
    let is_close = |left: f64, right: f64| (left - right).abs() < 1e-9;
    common.len() * 10 >= most * 9
        && common.iter().any(|(left, _)| *left != 0.0)
        && (common.iter().all(|(left, right)| is_close(*left, *right))
            || common.iter().all(|(left, right)| is_close(*left, -right)))
}

fn behaviour(verdict: &mut Verdict, row: &ComparisonRow, decimals: usize) {
    let Some((before, after)) = phrases::around(row.code) else { return };
    let kind = row.behaviour().map_or(BehaviourKind::Share, |behaviour| behaviour.kind);
    let compared = &row.compared;
    let (value, joint) = match (kind, compared.cells) {
        (BehaviourKind::Size, _) => (number::quantity(compared.trained), ""),
        (_, Some([both, _, only_trained, _])) => (of(both + only_trained, compared.instances.1), ""),
        _ => (format!("{} %", number::percent(compared.trained, decimals)), " of"),
    };
    verdict.plain(before).number(value).plain(format!("{joint}{after} ("));
    match (kind, compared.delta) {
        (BehaviourKind::Size, Some(shift)) => drop(verdict.aside("shift ").number(number::shift(shift))),
        _ => difference(verdict, compared, decimals),
    }
    verdict.plain(")");
}

/// Whether the logs of the two arms come from different scaffolds.
pub(super) fn scaffolds_differ(question: &Question, comparison: &Comparison) -> bool {
    let scaffolds = |name: &str| question.arm(name).map(|arm| arm.scaffolds.as_slice()).unwrap_or_default();
    let (base, trained) = (scaffolds(&comparison.base), scaffolds(&comparison.trained));
    !base.is_empty() && !trained.is_empty() && base != trained
}

/// Two arms of which only totals are known: the one benchmark, else the pool.
fn of_totals(question: &Question, transferred: &Transferred) -> Verdict {
    let mut verdict = Verdict::default();
    let decimals = question.decimals.unwrap_or(1);
    let (base, trained) = (&transferred.base, &transferred.trained);
    let headlines: Vec<&Contrast> = transferred.headlines().collect();
    if let [only] = headlines.as_slice() {
        verdict.plain(format!("On {}, ", only.benchmark));
        match only.base.instances().zip(only.trained.instances()) {
            Some(((k0, _), (k1, n1))) => verdict
                .plain(format!("{trained} solves "))
                .number(of(k1 as i64, n1 as i64))
                .plain(format!(" where {base} solves "))
                .number(number::count(k0 as i64)),
            None => verdict.plain(format!("{trained} against {base}")),
        };
        verdict.plain(" (");
        gain(&mut verdict, only.gain, only.interval, decimals);
        if let Some(p) = only.p {
            verdict.aside(format!(", Boschloo p {}", number::p(p)));
        }
        verdict.plain(")");
    } else {
        let more = headlines.iter().filter(|contrast| contrast.gain.is_some_and(|gain| gain > 0.0)).count();
        verdict
            .plain(format!("{trained} solves a larger share than {base} on "))
            .number(of(more as i64, headlines.len() as i64))
            .plain(" benchmarks");
        pool(&mut verdict, transferred.pooled(), decimals);
        let below = transferred.headline.holm.iter().flatten().filter(|p| **p < 0.05).count();
        verdict.plain(format!(
            "; of the benchmarks alone {} stand",
            if below == 0 { "none".to_owned() } else { number::count(below as i64) }
        ));
        verdict.plain(" after Holm");
    }
    let is_public = headlines.iter().any(|contrast| contrast.base.is_public());
    let public = if is_public { "; some baselines are public scores" } else { "" };
    verdict.aside(format!(". Only totals are known, so that nothing is paired{public}."));
    verdict
}

fn pool(verdict: &mut Verdict, pool: Option<&Pool>, decimals: usize) {
    let Some(pool) = pool else { return };
    let Some(cmh) = &pool.cmh else { return };
    verdict.plain(format!("; over {} sets, one a family, ", number::count(pool.benchmarks.len() as i64)));
    let found = pool.gain.as_ref();
    let interval = found.and_then(|gain| gain.ci.as_ref()).map(|ci| (ci.low, ci.high));
    gain(verdict, found.map(|gain| gain.rd), interval, decimals);
    if let (Some(ratio), Some(ci)) = (cmh.odds_ratio, &cmh.ci) {
        verdict.aside(format!(
            ", odds ratio {} {}",
            number::fixed(ratio, 2),
            number::ratio_range(ci.low, ci.high)
        ));
    }
    if let Some(p) = pool.p {
        verdict.aside(format!(", Cochran–Mantel–Haenszel p {}", number::p(p)));
    }
}

fn gain(verdict: &mut Verdict, gain: Option<f64>, interval: Option<(f64, f64)>, decimals: usize) {
    match gain {
        Some(gain) => verdict.number(format!("{} points", number::points(gain, decimals))),
        None => verdict.aside("difference undefined"),
    };
    if let Some((low, high)) = interval {
        verdict.aside(format!(" {}", number::interval(low, high, decimals)));
    }
}

/// A study without a comparison: what each arm resolves, and that nothing is compared.
fn of_arms(question: &Question, answer: &Answer) -> Verdict {
    let mut verdict = Verdict::default();
    let scored: Vec<_> = answer.coverage.iter().filter(|arm| arm.scored > 0).collect();
    if scored.is_empty() && !answer.totals.is_empty() {
        verdict.plain("Only totals are known: T1 holds them, unpaired.");
        return verdict;
    }
    if scored.is_empty() {
        let runs: i64 = answer.coverage.iter().map(|arm| arm.runs).sum();
        verdict.plain("No verdicts were found for ").number(number::count(runs)).plain(" runs");
    }
    for (place, arm) in scored.iter().take(ARMS_NAMED).enumerate() {
        verdict.plain(if place == 0 { "" } else { "; " });
        verdict.plain(format!("{} resolves ", arm.arm));
        match estimate(answer, &arm.arm, &arm.benchmark) {
            Some(Estimate { value: Some(value), interval, .. }) => {
                verdict.number(format!("{} %", number::percent(*value, question.decimals.unwrap_or(1))));
                if let Some((low, high)) = interval {
                    verdict
                        .aside(format!(" {}", number::interval(*low, *high, question.decimals.unwrap_or(1))));
                }
                verdict.plain(" of ");
            }
            _ => drop(verdict.number(number::count(arm.resolved)).plain(" of ")),
        }
        verdict.plain(format!("{} scored runs on {}", number::count(arm.scored), arm.benchmark));
    }
    if scored.len() > ARMS_NAMED {
        verdict.plain(format!("; {} more in T1", scored.len() - ARMS_NAMED));
    }
    verdict.plain("; nothing is compared, since no base and trained arm are named.");
    verdict
}

fn estimate<'a>(answer: &'a Answer, arm: &str, benchmark: &str) -> Option<&'a Estimate> {
    answer.series.iter().find_map(|(_, series)| match series {
        Series::PassBars(bars) => bars
            .groups
            .iter()
            .filter(|group| group.name == benchmark)
            .flat_map(|group| &group.bars)
            .find(|(label, _)| label.arm == arm)
            .map(|(_, estimate)| estimate),
        _ => None,
    })
}
