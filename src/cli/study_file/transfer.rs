//! The parts of a study file that say how arms stand to each other: series of checkpoints, what was varied between arms,
//! and what training saw (`interface.md`, study file).

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::data::benchmarks::settle_with;
use crate::model::nearest::nearest_hint;
use crate::model::{Benchmark, Transfer, time};
use crate::steps::study::{SeriesOfArms, SeriesPoint};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSeries {
    name: String,
    points: Vec<RawPoint>,
    external: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPoint {
    arm: String,
    stage: Option<String>,
    x: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTransfer {
    collected_until: Option<toml::value::Datetime>,
    #[serde(default)]
    released_after: Vec<String>,
    #[serde(default)]
    harnesses_seen: Vec<String>,
    #[serde(default)]
    family_member: BTreeMap<String, String>,
}

/// A level of a factor may be written as text or as a number.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a string, a number, or true or false")]
pub(super) enum RawLevel {
    Text(String),
    Whole(i64),
    Number(f64),
    Flag(bool),
}

/// Factors with their levels as text.
pub(super) fn factors(raw: BTreeMap<String, RawLevel>) -> BTreeMap<String, String> {
    let text = |level| match level {
        RawLevel::Text(text) => text,
        RawLevel::Whole(number) => number.to_string(),
        RawLevel::Number(number) => number.to_string(),
        RawLevel::Flag(flag) => flag.to_string(),
    };
    raw.into_iter().map(|(factor, level)| (factor, text(level))).collect()
}

/// Series whose points are arms of the study, each once a series.
pub(super) fn series(raw: Vec<RawSeries>, arms: &[&str], folder: &Path) -> Result<Vec<SeriesOfArms>, String> {
    let mut found: Vec<SeriesOfArms> = Vec::new();
    for series in raw {
        if found.iter().any(|known| known.name == series.name) {
            return Err(format!("the series `{}` is named twice", series.name));
        }
        for (place, point) in series.points.iter().enumerate() {
            if !arms.contains(&point.arm.as_str()) {
                let hint = nearest_hint(&point.arm, arms);
                return Err(format!(
                    "the series `{}` names the arm `{}`, which is none{hint}",
                    series.name, point.arm
                ));
            }
            if series.points.iter().take(place).any(|before| before.arm == point.arm) {
                return Err(format!("the series `{}` names the arm `{}` twice", series.name, point.arm));
            }
            if point.x.is_some_and(|x| !x.is_finite()) {
                return Err(format!("`x` of the arm `{}` is no finite number", point.arm));
            }
        }
        let point = |point: RawPoint| SeriesPoint { arm: point.arm, stage: point.stage, x: point.x };
        found.push(SeriesOfArms {
            name: series.name,
            points: series.points.into_iter().map(point).collect(),
            external: series.external.map(|file| folder.join(file)),
        });
    }
    Ok(found)
}

/// What training saw, with benchmarks by the names that the store has.
pub(super) fn transfer(raw: RawTransfer, benchmarks: &[Benchmark]) -> Result<Transfer, String> {
    let named = |name: &str| settle_with(benchmarks, Some(name), &[]).benchmark;
    let collected_until = raw
        .collected_until
        .map(|day| {
            let text = day.to_string();
            time::iso(&text)
                .ok_or_else(|| format!("`collected_until` is `{text}`, no day such as 2026-05-01"))
        })
        .transpose()?;
    let mut family_member = BTreeMap::new();
    for (family, member) in raw.family_member {
        let member = named(&member);
        // A family is named by itself, or by the beginning that its members share.
        if member.family != family && !member.name.starts_with(&family) {
            return Err(format!(
                "[transfer] family_member: `{}` belongs to the family `{}`, not to `{family}`",
                member.name, member.family
            ));
        }
        family_member.insert(member.family, member.name);
    }
    Ok(Transfer {
        collected_until,
        released_after: raw.released_after.iter().map(|name| named(name).name).collect(),
        harnesses_seen: raw.harnesses_seen,
        family_member,
    })
}
