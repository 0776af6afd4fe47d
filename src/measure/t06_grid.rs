//! T6: the grid of what a study varied between arms, a row a combination of levels, a column a system
//! (`definitions.md` §10). Describes; a difference between two cells is tested where the study names the pair (T5).

use std::collections::{BTreeMap, BTreeSet};

use super::columns::{numbers, words};
use super::{Material, TableFamily, foot, scores};
use crate::model::series::{Role, Series};
use crate::model::table::{Cell, Missing, Row, Table};
use crate::store::StoreError;

/// T6.
pub const TABLE: TableFamily = TableFamily {
    code: "T6",
    title: "ablation grid",
    about: "pass@1 by the levels that the study gives its arms (`factors`), a column a system. Arms that vary the same \
            factors stand in one grid, one a benchmark. No test: cells are compared where the study names them a pair.",
    queries: &["t01", "aggregates", "t06", "systems"],
    columns: &[
        ("FACTOR", "level of the factor"),
        (
            "SYSTEM.pass_at_1",
            "pass@1 of the system's arm at these levels; a trained arm has a column of its own",
        ),
        ("SYSTEM.interval", "its 95 % interval"),
    ],
    paper: &[],
    build,
    series,
};

/// Arms that vary the same factors on one benchmark: levels, then system, then arms.
type Grid<'a> = BTreeMap<Vec<&'a str>, BTreeMap<String, Vec<&'a str>>>;

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let factors = scores::factors(material)?;
    let systems = scores::systems(material)?;
    let mut grids: BTreeMap<(Vec<&str>, String), Grid> = BTreeMap::new();
    for arm in &material.question.arms {
        let Some(levels) = factors.get(&arm.name) else { continue };
        let system = systems.get(&arm.name).map_or(arm.name.as_str(), |(system, _)| system.as_str());
        // Before and after training are two columns of one system.
        let system =
            if arm.role == Role::Trained { format!("{system} (trained)") } else { system.to_owned() };
        let names: Vec<&str> = levels.keys().map(String::as_str).collect();
        for (benchmark, _) in scores::scored_on(material, arm).into_iter().filter(|(_, k)| *k == 1) {
            let grid = grids.entry((names.clone(), benchmark)).or_default();
            let row = grid.entry(levels.values().map(String::as_str).collect()).or_default();
            row.entry(system.clone()).or_default().push(&arm.name);
        }
    }
    Ok(grids.iter().map(|((names, benchmark), grid)| table(material, names, benchmark, grid)).collect())
}

fn table(material: &Material, names: &[&str], benchmark: &str, grid: &Grid) -> Table {
    let systems: BTreeSet<&String> = grid.values().flat_map(BTreeMap::keys).collect();
    let mut columns: Vec<_> = names.iter().map(|name| words(name, name)).collect();
    for system in &systems {
        columns.push(numbers(format!("{system}.pass_at_1"), format!("{system} pass@1"), "%"));
        columns.push(numbers(format!("{system}.interval"), "95 % interval", "%"));
    }
    let mut twice = Vec::new();
    let mut rows = Vec::new();
    for (levels, by_system) in grid {
        let mut cells: Vec<Cell> = levels.iter().map(|level| Cell::Text((*level).to_owned())).collect();
        for system in &systems {
            let arms = by_system.get(*system).map_or(&[][..], Vec::as_slice);
            if arms.len() > 1 {
                twice.push(format!(
                    "{} of {system} are alike in every factor: none is shown",
                    arms.join(", ")
                ));
            }
            cells.extend(pair_of_cells(material, arms, benchmark));
        }
        let id = levels.join(".");
        rows.push(Row { id, cells, strong: false, group: String::new(), notes: Vec::new() });
    }
    let mut foot = vec!["unit=instance; no test".to_owned()];
    foot.extend(twice);
    foot.extend(foot::common(material.question));
    Table {
        code: TABLE.code.to_owned(),
        id: format!("{}.{}.{benchmark}", TABLE.code, names.join("-")),
        title: format!("{} on {benchmark}", names.join(" × ")),
        subtitle: "mean over instances of resolved over scored runs, %".to_owned(),
        columns,
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(2),
    }
}

/// Which of several arms stands for the cell nobody said.
fn pair_of_cells(material: &Material, arms: &[&str], benchmark: &str) -> [Cell; 2] {
    let score = match arms {
        [arm] => scores::score(material, arm, benchmark, 1),
        _ => None,
    };
    let interval = score.as_ref().and_then(|score| score.interval);
    let missing = || Cell::Missing(Missing::Undefined);
    [
        score.map_or_else(missing, |score| score.cell),
        interval.map_or_else(missing, |(low, high)| Cell::Interval { low, high }),
    ]
}

fn series(_: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    Ok(Vec::new())
}
