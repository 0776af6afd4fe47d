//! T3: checkpoints in their order, by stage, beside scores from elsewhere, and what each stage gained
//! (`definitions.md` §10; `interface.md`, study file). Gains are described and not tested: neighbours are compared by T5.

use std::collections::BTreeSet;

use super::columns::{numbers, words};
use super::scores::{self, Score};
use super::{Material, TableFamily, foot};
use crate::model::series::Series;
use crate::model::table::{Cell, Column, Missing, Row, Table};
use crate::store::StoreError;

/// T3.
pub const TABLE: TableFamily = TableFamily {
    code: "T3",
    title: "checkpoints by stage",
    about: "pass@1 of every point of a series, from its runs or from the figure that stands for it, beside scores from \
            elsewhere. Gain within a stage: last minus first point of the stage, from counts where they are known; a \
            stage of one point has a dash. A figure that is a difference alone is the gain of its stage as printed.",
    queries: &["t01", "aggregates", "t03", "t03_external"],
    columns: &[
        ("stage", "stage of the training"),
        ("arm", "arm; of a gain, its last point"),
        ("x", "position within the stage"),
        ("pass_at_1", "mean over instances of resolved over scored runs"),
        ("interval", "95 % interval of pass@1"),
        ("first", "pass@1 of the first point of the stage"),
        ("last", "pass@1 of its last point"),
        ("gain", "last minus first"),
        ("external.NAME", "a score from elsewhere, as given; of a gain, last minus first"),
    ],
    paper: &[],
    build,
    series,
};

/// One point of a series.
struct Point {
    arm: String,
    stage: Option<String>,
    x: Option<f64>,
}

/// A series with the scores that stand beside it.
struct Checkpoints {
    name: String,
    points: Vec<Point>,
    /// Arm, measure, value.
    external: Vec<(String, String, f64)>,
}

impl Checkpoints {
    fn measures(&self) -> BTreeSet<&str> {
        self.external.iter().map(|(_, measure, _)| measure.as_str()).collect()
    }

    fn external(&self, arm: &str, measure: &str) -> Option<f64> {
        let is_asked = |row: &&(String, String, f64)| row.0 == arm && row.1 == measure;
        self.external.iter().find(is_asked).map(|row| row.2)
    }

    /// Neighbouring points of one stage.
    fn stages(&self) -> impl Iterator<Item = &[Point]> {
        self.points
            .chunk_by(|a, b| a.stage == b.stage)
            .filter(|points| points.iter().all(|p| p.stage.is_some()))
    }
}

fn checkpoints(material: &Material) -> Result<Vec<Checkpoints>, StoreError> {
    let mut found: Vec<Checkpoints> = Vec::new();
    for row in material.frames.get("t03")?.iter() {
        let name = row.text("series")?;
        if found.last().is_none_or(|last| last.name != name) {
            found.push(Checkpoints { name: name.to_owned(), points: Vec::new(), external: Vec::new() });
        }
        let arm = row.text("arm")?.to_owned();
        let point = Point { arm, stage: row.opt_text("stage")?.map(str::to_owned), x: row.opt_float("x")? };
        if let Some(last) = found.last_mut().filter(|_| material.question.arm(&point.arm).is_some()) {
            last.points.push(point);
        }
    }
    for row in material.frames.get("t03_external")?.iter() {
        let (name, arm, measure) = (row.text("series")?, row.text("arm")?, row.text("measure")?);
        let of_series = found.iter_mut().find(|series| series.name == name);
        if let (Some(series), Some(value)) = (of_series, row.opt_float("value")?) {
            series.external.push((arm.to_owned(), measure.to_owned(), value));
        }
    }
    Ok(found)
}

fn build(material: &Material) -> Result<Vec<Table>, StoreError> {
    let mut tables = Vec::new();
    for series in checkpoints(material)? {
        let arms = series.points.iter().filter_map(|point| material.question.arm(&point.arm));
        let scored: BTreeSet<String> = arms
            .flat_map(|arm| scores::scored_on(material, arm))
            .filter(|(_, k)| *k == 1)
            .map(|(benchmark, _)| benchmark)
            .collect();
        for benchmark in scored {
            tables.push(points_table(material, &series, &benchmark));
            tables.push(gains_table(material, &series, &benchmark));
        }
    }
    Ok(tables)
}

const UNDEFINED: Cell = Cell::Missing(Missing::Undefined);

fn text(value: Option<&str>) -> Cell {
    value.map_or(UNDEFINED, |value| Cell::Text(value.to_owned()))
}

fn row(id: String, cells: Vec<Cell>) -> Row {
    Row { id, cells, strong: false, group: String::new(), notes: Vec::new() }
}

fn external_columns(series: &Checkpoints) -> impl Iterator<Item = Column> {
    series.measures().into_iter().map(|measure| numbers(format!("external.{measure}"), measure, ""))
}

fn points_table(material: &Material, series: &Checkpoints, benchmark: &str) -> Table {
    let mut columns = vec![
        words("stage", "stage"),
        words("arm", "arm"),
        numbers("x", "x", ""),
        numbers("pass_at_1", "pass@1", "%"),
        numbers("interval", "95 % interval", "%"),
    ];
    columns.extend(external_columns(series));
    let rows = series.points.iter().map(|point| {
        let score = scores::score(material, &point.arm, benchmark, 1).filter(|score| score.value.is_some());
        let interval = score.as_ref().and_then(|score| score.interval);
        let mut cells = vec![
            text(point.stage.as_deref()),
            Cell::Text(point.arm.clone()),
            point.x.map_or(UNDEFINED, Cell::Quantity),
            score.map_or(UNDEFINED, |score| score.cell),
            interval.map_or(UNDEFINED, |(low, high)| Cell::Interval { low, high }),
        ];
        let external = |measure| series.external(&point.arm, measure).map_or(UNDEFINED, Cell::Ratio);
        cells.extend(series.measures().into_iter().map(external));
        row(point.arm.clone(), cells)
    });
    table(material, series, benchmark, "points", columns, rows.collect())
}

fn gains_table(material: &Material, series: &Checkpoints, benchmark: &str) -> Table {
    let mut columns = vec![
        words("stage", "stage"),
        words("arm", "last point"),
        numbers("first", "first", "%"),
        numbers("last", "last", "%"),
        numbers("gain", "gain", "points"),
    ];
    columns.extend(external_columns(series));
    let rows = series.stages().filter_map(|points| stage_row(material, series, benchmark, points));
    table(material, series, benchmark, "gains", columns, rows.collect())
}

/// A stage of one point has no gain, but for one that somebody printed.
fn stage_row(material: &Material, series: &Checkpoints, benchmark: &str, points: &[Point]) -> Option<Row> {
    let (first, last) = (points.first()?, points.last()?);
    let is_one = points.len() == 1;
    let score = |point: &Point| scores::score(material, &point.arm, benchmark, 1);
    let before = if is_one { None } else { score(first) };
    let after = score(last);
    let printed = after.as_ref().and_then(|score| score.delta);
    let value = |score: &Option<Score>| score.as_ref().and_then(|score| score.value);
    let gain = value(&before).zip(value(&after)).map(|(before, after)| after - before).or(printed);
    let cell = |score: Option<Score>| {
        score.filter(|score| score.value.is_some()).map_or(UNDEFINED, |score| score.cell)
    };
    let stage = last.stage.clone()?;
    let mut cells = vec![
        Cell::Text(stage.clone()),
        Cell::Text(last.arm.clone()),
        cell(before),
        cell(after),
        gain.map_or(UNDEFINED, Cell::Delta),
    ];
    let change = |measure| {
        let both = series.external(&first.arm, measure).zip(series.external(&last.arm, measure));
        both.filter(|_| !is_one).map_or(UNDEFINED, |(before, after)| Cell::Shift(after - before))
    };
    cells.extend(series.measures().into_iter().map(change));
    Some(row(format!("{stage}.{}", last.arm), cells))
}

fn table(
    material: &Material,
    series: &Checkpoints,
    benchmark: &str,
    what: &str,
    columns: Vec<Column>,
    rows: Vec<Row>,
) -> Table {
    let mut foot = vec![
        "unit=instance; no test: neighbours of a series are compared in T5".to_owned(),
        "gain=last − first point of the stage, from counts where they are known; a difference alone stands as printed"
            .to_owned(),
    ];
    foot.extend(foot::common(material.question));
    Table {
        code: TABLE.code.to_owned(),
        id: format!("{}.{}.{benchmark}.{what}", TABLE.code, series.name),
        title: format!("{what} of {} on {benchmark}", series.name),
        subtitle: "mean over instances of resolved over scored runs, %; gains in points".to_owned(),
        columns,
        rows,
        foot,
        decimals: material.question.decimals.unwrap_or(2),
    }
}

fn series(_: &Material) -> Result<Vec<(String, Series)>, StoreError> {
    Ok(Vec::new())
}
