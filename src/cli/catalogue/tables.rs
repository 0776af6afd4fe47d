//! Tables, their columns and queries, and charts.

use std::collections::BTreeMap;

use super::entry::{self, Entry};
use super::markdown::{fenced, list, paragraph, sentence, table};
use crate::charts::CHARTS;
use crate::measure::{TABLES, TableFamily};
use crate::store::{QUERIES, query};

/// The second table of the funnel's family.
const DECOMPOSITION: &str = "decomposition";

/// All tables of a report.
pub fn tables() -> Vec<Entry> {
    TABLES.iter().map(|table| entry_of(table)).collect()
}

fn entry_of(family: &TableFamily) -> Entry {
    let columns: Vec<[String; 2]> =
        family.columns.iter().map(|(name, meaning)| [format!("`{name}`"), (*meaning).to_owned()]).collect();
    let mut body = paragraph(&format!("{} {}", sentence(family.title), family.about));
    body.push('\n');
    body.push_str(&table(["column", "says"], &columns));
    for name in family.queries {
        let sql = query(name).unwrap_or_default();
        body.push_str(&format!("\nCounts come from the query `{name}`:\n\n{}", fenced("sql", sql)));
    }
    let has_second = family.queries.contains(&"funnel");
    Entry {
        kind: "table",
        name: family.code.to_owned(),
        aliases: has_second.then(|| DECOMPOSITION.to_owned()).into_iter().collect(),
        line: family.title.to_owned(),
        body,
    }
}

/// Columns of all tables by name, with what each table means by it.
pub fn columns() -> Vec<Entry> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for family in TABLES {
        for (name, meaning) in family.columns {
            let name = name.strip_prefix("ARM.").unwrap_or(name);
            found.entry(name).or_default().push(format!("{}: {meaning}", family.code));
        }
    }
    found
        .into_iter()
        .map(|(name, meanings)| Entry {
            kind: "column of tables",
            name: name.to_owned(),
            aliases: Vec::new(),
            line: meanings.join("; "),
            body: list(&meanings),
        })
        .collect()
}

/// All charts.
pub fn charts() -> Vec<Entry> {
    CHARTS
        .iter()
        .map(|chart| Entry {
            kind: "chart",
            name: chart.name.to_owned(),
            // Its files are spelt so.
            aliases: vec![chart.name.replace('-', "_")],
            line: chart.about.to_owned(),
            body: paragraph(&format!(
                "{} Written to `charts/` of the report as SVG and PNG; n, unit and interval stand in its foot.",
                sentence(chart.about)
            )),
        })
        .collect()
}

/// `docs/tables.md`.
pub fn page() -> String {
    let about = format!(
        "{}\n{}",
        paragraph(
            "The instance is the unit of inference: values are means over instances, and several runs of an instance are never \
             counted as several instances. Unscored runs leave the main figure and are shown with both bounds. Every table ends \
             in a generated foot: unit, pairs, runs, test, interval, family of p-values, what was left out, seed and version. A \
             dash is a value that is not defined or not known; JSON says why."
        ),
        paragraph(
            "Names of columns are those of `tables/*.csv` and `tables/*.json`. Grouping and joining is SQL over the store, shown \
             below each table; every share, interval and test is reckoned from these counts."
        ),
    );
    let used: Vec<&str> = TABLES.iter().flat_map(|table| table.queries.iter().copied()).collect();
    let others: String = QUERIES
        .iter()
        .filter(|(name, _)| !used.contains(name))
        .map(|(name, sql)| format!("\n## Query {name}\n\n{}", fenced("sql", sql)))
        .collect();
    let charts: Vec<[String; 2]> =
        CHARTS.iter().map(|chart| [format!("`{}`", chart.name), chart.about.to_owned()]).collect();
    format!(
        "{}\n# Charts\n\n{}\n{}\n# Other queries\n\n{}{others}",
        entry::page("Tables", &about, &tables()),
        paragraph("Each is written as SVG and PNG; n, unit and interval stand in its foot."),
        table(["chart", "shows"], &charts),
        paragraph("They feed the head of the report, its charts and its lists of pairs."),
    )
}
