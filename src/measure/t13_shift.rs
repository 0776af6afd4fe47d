//! T13: what one arm does more than the other, without any rule: commands, tools and pairs of neighbouring primary tags by
//! z-scored log-odds with an informative Dirichlet prior (`definitions.md` §10, `statistics.md` §5). Each counts once a
//! trajectory, so that one long run cannot carry a word.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{numbers, words};
use super::t05_comparison::Comparison;
use super::{Material, TableFamily, foot};
use crate::model::table::{Cell, Missing, Row, Table};
use crate::number;
use crate::stats;
use crate::store::StoreError;

/// T13.
pub const TABLE: TableFamily = TableFamily {
    code: "T13",
    title: "shift without rules",
    about: "Commands (program and subcommand), tools and pairs of neighbouring primary tags that one arm uses in more of its \
            trajectories than the other, by z-scored log-odds with an informative Dirichlet prior; each counts once a \
            trajectory. z ranks and is no test. Of each kind the fifteen strongest on either side.",
    queries: &["t13"],
    columns: &[
        ("unit", "command, tool or tag pair"),
        ("token", "the command, the tool, or the tags of two neighbouring model turns"),
        ("base", "base arm: trajectories that have it, of those with a log"),
        ("trained", "trained arm, as for base"),
        ("log_odds", "log-odds in the trained arm minus in the base, both with the prior"),
        ("z", "log-odds over its standard deviation: a rank, no test"),
        ("base_example", "trajectory and first turn of one that has it in the base arm"),
        ("trained_example", "the same in the trained arm"),
    ],
    paper: &["unit", "token", "base", "trained", "log_odds", "z"],
    build,
    series: |_| Ok(Vec::new()),
};

/// Rows of each kind on either side.
const MOST_ROWS: usize = 15;

/// Kinds of token, in the order of the table.
const UNITS: [&str; 3] = ["command", "tool", "tag pair"];

/// Trajectories that have a token, and the first example.
#[derive(Clone, Default)]
struct Count {
    trajectories: i64,
    example: Option<String>,
}

/// Counts by token, of one arm and one kind.
type Tokens = BTreeMap<String, Count>;

/// Counts by arm, benchmark and kind; by instance.
type ByInstance = BTreeMap<(String, String, String), BTreeMap<String, Tokens>>;

fn read(material: &Material) -> Result<ByInstance, StoreError> {
    let mut found = ByInstance::new();
    for row in material.frames.get("t13")?.iter() {
        let key =
            (row.text("arm")?.to_owned(), row.text("benchmark")?.to_owned(), row.text("unit")?.to_owned());
        let count = Count {
            trajectories: row.int("trajectories_with")?,
            example: Some(row.text("example")?.to_owned()),
        };
        let instances = found.entry(key).or_default();
        let tokens = instances.entry(row.text("instance_id")?.to_owned()).or_default();
        tokens.insert(row.text("token")?.to_owned(), count);
    }
    Ok(found)
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let counts = read(material)?;
    Ok(material.comparisons.iter().filter_map(|comparison| table(material, comparison, &counts)).collect())
}

/// Instances with a log in both arms; where there is none, all of either: independent samples.
fn shared(material: &Material, comparison: &Comparison) -> Option<BTreeSet<String>> {
    let with_log = |arm: &str| -> BTreeSet<String> {
        let outcomes = material.data.outcomes_of(arm, &comparison.benchmark);
        let logged = outcomes.into_iter().flatten().filter(|(_, counts)| counts.logs > 0);
        logged.map(|(instance, _)| instance.clone()).collect()
    };
    let (base, trained) = (with_log(&comparison.base), with_log(&comparison.trained));
    if base.is_empty() || trained.is_empty() {
        return None;
    }
    let both: BTreeSet<String> = base.intersection(&trained).cloned().collect();
    Some(if both.is_empty() { base.union(&trained).cloned().collect() } else { both })
}

fn table(material: &Material, comparison: &Comparison, counts: &ByInstance) -> Option<Table> {
    let shared = shared(material, comparison)?;
    let trajectories = |arm: &str| -> i64 {
        let outcomes = material.data.outcomes_of(arm, &comparison.benchmark);
        outcomes
            .into_iter()
            .flatten()
            .filter(|(instance, _)| shared.contains(*instance))
            .map(|(_, counts)| counts.logs)
            .sum()
    };
    let of_arms = (trajectories(&comparison.base), trajectories(&comparison.trained));
    let mut rows = Vec::new();
    let mut priors = Vec::new();
    for unit in UNITS {
        let of = |arm: &str| pooled(counts, (arm, &comparison.benchmark, unit), &shared);
        let (base, trained) = (of(&comparison.base), of(&comparison.trained));
        let (contrasts, prior) = contrasts(&base, &trained);
        if !contrasts.is_empty() {
            priors.push(format!("{unit} {}", number::count(prior)));
        }
        rows.extend(strongest(contrasts).into_iter().map(|contrast| row(unit, &contrast, of_arms)));
    }
    if rows.is_empty() {
        return None;
    }
    let mut foot = vec![
        format!(
            "unit=trajectory, a token counts once in each; {} with a log in {}, {} in {}, on {} instances that both arms have \
             (where they share none: on all)",
            number::count(of_arms.0),
            comparison.base,
            number::count(of_arms.1),
            comparison.trained,
            number::count(shared.len() as i64)
        ),
        format!(
            "log-odds with an informative Dirichlet prior (Monroe et al. 2008): the share of each token in both arms together, \
             its weight the count of the smaller arm ({})",
            priors.join(", ")
        ),
        "odds are those of a token among all of its kind: one that every trajectory of both arms has falls in the arm that uses \
         more kinds"
            .to_owned(),
        "test=none: z ranks, since the tokens of a run are not independent".to_owned(),
        "an example is read with `ethogram show STORE ID --turn N`".to_owned(),
    ];
    foot.extend(foot::common(material.question));
    Some(Table {
        code: TABLE.code.to_owned(),
        id: comparison.id(TABLE.code),
        title: format!("shift without rules, {} against {}", comparison.base, comparison.trained),
        subtitle: format!("trajectories that have it, {}", comparison.benchmark),
        columns: vec![
            words("unit", "unit"),
            words("token", "command, tool or tags"),
            numbers("base", comparison.base.as_str(), "%"),
            numbers("trained", comparison.trained.as_str(), "%"),
            numbers("log_odds", "log-odds", ""),
            numbers("z", "z", ""),
            words("base_example", "example in base"),
            words("trained_example", "example in trained"),
        ],
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(1),
    })
}

/// The tokens of one arm and kind over the shared instances.
fn pooled(
    counts: &ByInstance,
    (arm, benchmark, unit): (&str, &str, &str),
    shared: &BTreeSet<String>,
) -> Tokens {
    let mut found = Tokens::new();
    let instances = counts.get(&(arm.to_owned(), benchmark.to_owned(), unit.to_owned()));
    for (_, tokens) in instances.into_iter().flatten().filter(|(instance, _)| shared.contains(*instance)) {
        for (token, count) in tokens {
            let sum = found.entry(token.clone()).or_default();
            sum.trajectories += count.trajectories;
            if sum.example.is_none() {
                sum.example.clone_from(&count.example);
            }
        }
    }
    found
}

/// One token in both arms.
struct Contrast {
    token: String,
    base: Count,
    trained: Count,
    odds: stats::LogOdds,
}

/// Every token's contrast, and the weight of the prior.
fn contrasts(base: &Tokens, trained: &Tokens) -> (Vec<Contrast>, i64) {
    let vocabulary: BTreeSet<&String> = base.keys().chain(trained.keys()).collect();
    let of = |tokens: &Tokens, token: &String| tokens.get(token).cloned().unwrap_or_default();
    let pairs: Vec<(Count, Count)> =
        vocabulary.iter().map(|token| (of(base, token), of(trained, token))).collect();
    let total = |of: fn(&(Count, Count)) -> i64| pairs.iter().map(of).sum::<i64>();
    let (all_base, all_trained) = (total(|pair| pair.0.trajectories), total(|pair| pair.1.trajectories));
    // An arm without any token has nothing to contrast.
    let weight = all_base.min(all_trained);
    let values =
        |of: fn(&(Count, Count)) -> i64| pairs.iter().map(|pair| of(pair) as f64).collect::<Vec<f64>>();
    let prior: Vec<f64> = pairs
        .iter()
        .map(|pair| {
            weight as f64 * (pair.0.trajectories + pair.1.trajectories) as f64
                / (all_base + all_trained) as f64
        })
        .collect();
    let odds = stats::log_odds_dirichlet(
        &values(|pair| pair.0.trajectories),
        &values(|pair| pair.1.trajectories),
        &prior,
    );
    let found = vocabulary.into_iter().zip(pairs).zip(odds).filter_map(|((token, (base, trained)), odds)| {
        Some(Contrast { token: token.clone(), base, trained, odds: odds? })
    });
    (found.collect(), weight)
}

/// The strongest on either side: more in the trained arm first, each side from the largest |z| on; ties by token.
fn strongest(mut contrasts: Vec<Contrast>) -> Vec<Contrast> {
    contrasts.retain(|contrast| contrast.odds.z != 0.0);
    contrasts.sort_by(|left, right| {
        right.odds.z.abs().total_cmp(&left.odds.z.abs()).then_with(|| left.token.cmp(&right.token))
    });
    let (more, less): (Vec<Contrast>, Vec<Contrast>) =
        contrasts.into_iter().partition(|contrast| contrast.odds.z > 0.0);
    more.into_iter().take(MOST_ROWS).chain(less.into_iter().take(MOST_ROWS)).collect()
}

fn row(unit: &str, contrast: &Contrast, of_arms: (i64, i64)) -> Row {
    let share = |count: &Count, den: i64| Cell::Share { num: count.trajectories, den };
    let example = |count: &Count| match &count.example {
        Some(example) => Cell::Text(example.clone()),
        None => Cell::Missing(Missing::NotApplicable),
    };
    Row {
        id: format!("{}.{}", unit.replace(' ', "_"), contrast.token),
        cells: vec![
            Cell::Text(unit.to_owned()),
            Cell::Text(contrast.token.clone()),
            share(&contrast.base, of_arms.0),
            share(&contrast.trained, of_arms.1),
            Cell::Shift(contrast.odds.delta),
            Cell::Shift(contrast.odds.z),
            example(&contrast.base),
            example(&contrast.trained),
        ],
        strong: false,
        group: String::new(),
        notes: Vec::new(),
    }
}
