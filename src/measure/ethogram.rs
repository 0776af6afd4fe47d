//! The ethogram: every pair of runs turn by turn, grouped by pair cell (`look.md` §6). Above 200 pairs a seeded sample of
//! each cell is drawn, and said.

use std::collections::BTreeMap;

use super::t05_comparison::Comparison;
use super::{Figure, Material, Question};
use crate::model::TagName;
use crate::model::series::{Caption, Ethogram, EthogramGroup, EthogramPair, Series};
use crate::number;
use crate::stats::SplitMix64;
use crate::store::StoreError;

/// About so many pairs are drawn at most.
const MOST_PAIRS: usize = 200;

/// The primary tag of each model turn of one run.
type Ribbon = Vec<Option<TagName>>;

/// Its entry among the figures.
pub const FIGURE: Figure = Figure { queries: &["ethogram"], series };

/// One chart a comparison whose arms share instances with a log.
fn series(material: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    let ribbons = ribbons(material)?;
    let mut found = Vec::new();
    for comparison in material.comparisons {
        let chart = chart(material.question, comparison, &ribbons);
        if chart.groups.iter().any(|group| !group.pairs.is_empty()) {
            found.push((comparison.id("ethogram"), Series::Ethogram(chart)));
        }
    }
    Ok(found)
}

/// Ribbons by arm, benchmark and instance: of several runs the first.
fn ribbons(material: &Material) -> Result<BTreeMap<(String, String, String), Ribbon>, StoreError> {
    let mut found: BTreeMap<(String, String, String), (i64, Ribbon)> = BTreeMap::new();
    for row in material.frames.get("ethogram")?.iter() {
        let key = (
            row.text("arm")?.to_owned(),
            row.text("benchmark")?.to_owned(),
            row.text("instance_id")?.to_owned(),
        );
        let run = row.int("run")?;
        let tag = TagName::parse(row.text("primary_tag")?);
        let entry = found.entry(key).or_insert_with(|| (run, Vec::new()));
        // Rows come in order of run, so that the first run met is the lowest.
        if entry.0 == run {
            entry.1.push(tag);
        }
    }
    Ok(found.into_iter().map(|(key, (_, ribbon))| (key, ribbon)).collect())
}

fn chart(
    question: &Question,
    comparison: &Comparison,
    ribbons: &BTreeMap<(String, String, String), Ribbon>,
) -> Ethogram {
    let mut cells: Vec<(&str, Vec<EthogramPair>)> =
        ["both", "only trained", "only base", "neither", "mixed", "unscored"]
            .map(|name| (name, Vec::new()))
            .into();
    let ribbon = |arm: &str, instance: &str| {
        ribbons.get(&(arm.to_owned(), comparison.benchmark.clone(), instance.to_owned())).cloned()
    };
    let solved = solved_by(comparison);
    let coverage = &comparison.coverage;
    for instance in coverage.both_scored.iter().chain(&coverage.one_unscored).chain(&coverage.both_unscored) {
        let pair = EthogramPair {
            instance_id: instance.clone(),
            base: ribbon(&comparison.base, instance),
            trained: ribbon(&comparison.trained, instance),
        };
        if pair.base.is_none() && pair.trained.is_none() {
            continue;
        }
        let cell = solved.get(instance).copied().unwrap_or("unscored");
        if let Some((_, pairs)) = cells.iter_mut().find(|(name, _)| *name == cell) {
            pairs.push(pair);
        }
    }
    let total: usize = cells.iter().map(|(_, pairs)| pairs.len()).sum();
    let groups: Vec<EthogramGroup> = cells
        .into_iter()
        .filter(|(_, pairs)| !pairs.is_empty())
        .enumerate()
        .map(|(index, (name, pairs))| group(name, pairs, total, question.seed, index as u64))
        .collect();
    // Each cell's part is rounded up, so that a few more than `MOST_PAIRS` may be drawn.
    let shown: usize = groups.iter().map(|group| group.pairs.len()).sum();
    let drawn = if shown < total {
        format!(
            "; a sample of {} of {} pairs, seed {}",
            number::count(shown as i64),
            number::count(total as i64),
            question.seed
        )
    } else {
        String::new()
    };
    Ethogram {
        caption: Caption {
            title: format!("Every run of {} and {}, turn by turn", comparison.base, comparison.trained),
            subtitle:
                "a row a pair, a cell a model turn in the colour of its primary tag; grouped by outcome"
                    .to_owned(),
            foot: format!(
                "unit: pair of runs of one instance (the first run of each arm), n = {}{drawn}; no interval",
                number::count(total as i64)
            ),
        },
        arms: [question.label(&comparison.base), question.label(&comparison.trained)],
        groups,
    }
}

/// The cell of each instance that is scored in both arms.
fn solved_by(comparison: &Comparison) -> BTreeMap<String, &'static str> {
    comparison
        .solved_cells
        .iter()
        .map(|(instance, base, trained)| {
            let cell = match (base, trained) {
                (2, 2) => "both",
                (0, 2) => "only trained",
                (2, 0) => "only base",
                (0, 0) => "neither",
                _ => "mixed",
            };
            (instance.clone(), cell)
        })
        .collect()
}

fn group(name: &str, mut pairs: Vec<EthogramPair>, total: usize, seed: u64, stream: u64) -> EthogramGroup {
    let all = pairs.len();
    let most = (MOST_PAIRS * all).div_ceil(total.max(1)).max(1);
    if total > MOST_PAIRS && all > most {
        // A partial Fisher–Yates shuffle: the first `most` are a sample without replacement.
        let mut random = SplitMix64::stream(seed, stream);
        for place in 0..most {
            let other = place + random.below(all - place);
            pairs.swap(place, other);
        }
        pairs.truncate(most);
    }
    let length = |ribbon: &Option<Ribbon>| ribbon.as_ref().map_or(0, Vec::len);
    pairs.sort_by(|left, right| {
        length(&left.trained)
            .cmp(&length(&right.trained))
            .then(length(&left.base).cmp(&length(&right.base)))
            .then(left.instance_id.cmp(&right.instance_id))
    });
    EthogramGroup { name: name.to_owned(), total: all as i64, pairs }
}
