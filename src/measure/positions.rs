//! Tags by relative position: the primary tag of every model turn in 20 bins (`definitions.md` §2, §10).

use std::collections::BTreeMap;

use super::{Figure, Material};
use crate::model::TagName;
use crate::model::series::{Caption, PositionPanel, Positions, Series};
use crate::store::StoreError;

/// Bins of the relative position.
const BINS: usize = 20;

/// Its entry among the figures.
pub const FIGURE: Figure = Figure { queries: &["positions"], series };

/// One panel an arm with logs.
fn series(material: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    let mut turns: BTreeMap<String, BTreeMap<Option<TagName>, Vec<i64>>> = BTreeMap::new();
    for row in material.frames.get("positions")?.iter() {
        let arm = row.text("arm")?.to_owned();
        let tag = row.opt_text("primary_tag")?.and_then(TagName::parse);
        let bin = usize::try_from(row.int("bin")?).unwrap_or_default().min(BINS - 1);
        let layer = turns.entry(arm).or_default().entry(tag).or_insert_with(|| vec![0; BINS]);
        if let Some(slot) = layer.get_mut(bin) {
            *slot += row.int("turns_with")?;
        }
    }
    let panels: Vec<PositionPanel> = material
        .question
        .arms
        .iter()
        .filter_map(|arm| {
            let layers = turns.get(&arm.name)?;
            let totals: Vec<i64> =
                (0..BINS).map(|bin| layers.values().filter_map(|layer| layer.get(bin)).sum()).collect();
            let shares = |layer: &Vec<i64>| {
                layer
                    .iter()
                    .zip(&totals)
                    .map(|(n, total)| if *total == 0 { 0.0 } else { *n as f64 / *total as f64 })
                    .collect()
            };
            let runs = material
                .data
                .benchmarks_of(&arm.name)
                .filter_map(|benchmark| material.data.outcomes_of(&arm.name, benchmark))
                .flat_map(|outcomes| outcomes.values())
                .map(|counts| counts.logs)
                .sum();
            Some(PositionPanel {
                arm: arm.label(),
                runs,
                layers: layers.iter().map(|(tag, layer)| (*tag, shares(layer))).collect(),
            })
        })
        .collect();
    if panels.is_empty() {
        return Ok(Vec::new());
    }
    let caption = Caption {
        title: "What turns do, by position in the run".to_owned(),
        subtitle: "share of model turns by primary tag in 20 bins of relative position, %".to_owned(),
        foot:
            "unit: model turn, pooled over runs with a log; no interval: turns of a run are not independent"
                .to_owned(),
    };
    Ok(vec![("positions".to_owned(), Series::Positions(Positions { caption, panels }))])
}
