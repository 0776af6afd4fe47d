//! `ethogram list` and `ethogram explain`: the catalogue, rendered from the lists in the code, so that it never says what
//! the code does not do. The pages in `docs/` are made of the same entries (`style.md` §10). It reads no store.

mod behaviours;
mod benchmarks;
mod commands;
mod entry;
mod formats;
mod markdown;
mod measured;
mod runners;
mod schema;
mod tables;
mod tags;
mod user_rules;

use std::collections::BTreeSet;

use super::arguments::{Catalogue, ExplainArguments, ListArguments};
use super::error::{CommandError, Exit};
use super::output;
use super::rules_file;
use crate::model::nearest::edit_distance;
use crate::tags::Rules;
use entry::Entry;

/// `ethogram list`: a line an entry.
pub fn list(arguments: &ListArguments) -> Result<Exit, CommandError> {
    let entries = entries(arguments.what, &rules_file::read(&arguments.rules)?);
    let width = entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or_default();
    let lines: String =
        entries.iter().map(|entry| format!("{:<width$}  {}\n", entry.name, entry.line)).collect();
    output::print(&lines)?;
    Ok(Exit::Done)
}

/// `ethogram explain CODE`: everything of that name, since a tag and a behaviour may share one.
pub fn explain(arguments: &ExplainArguments) -> Result<Exit, CommandError> {
    let mut everything = everything();
    everything.extend(user_rules::rules(&rules_file::read(&arguments.rules)?));
    let found = find(&everything, &arguments.code)
        .ok_or_else(|| CommandError::Usage(unknown(&everything, &arguments.code)))?;
    let texts: Vec<String> = found.iter().map(|entry| entry.explanation()).collect();
    output::print(&texts.join("\n\n"))?;
    Ok(Exit::Done)
}

/// Those of some codes that a tag, a family, a behaviour or a table bears, so that no user rule may take them. Columns may
/// bear any name: a new one must break no file of rules.
pub(super) fn taken(codes: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let coded = [tags::tags(), tags::families(), behaviours::behaviours(), tables::tables()];
    let names: BTreeSet<&str> = coded.iter().flatten().flat_map(Entry::names).collect();
    codes.filter(|code| names.contains(code)).collect()
}

fn entries(what: Catalogue, rules: &Rules) -> Vec<Entry> {
    match what {
        Catalogue::Formats => formats::formats(),
        Catalogue::Outcomes => formats::outcomes(),
        Catalogue::Runners => runners::runners(),
        Catalogue::Tags => tags::tags(),
        Catalogue::Rules => tags::families().into_iter().chain(user_rules::rules(rules)).collect(),
        Catalogue::Behaviours => behaviours::behaviours(),
        Catalogue::Tables => tables::tables(),
        Catalogue::Charts => tables::charts(),
        Catalogue::Benchmarks => benchmarks::benchmarks(),
    }
}

/// All that can be explained, in the order in which entries of one name are printed.
fn everything() -> Vec<Entry> {
    [
        tags::tags(),
        tags::families(),
        behaviours::behaviours(),
        tables::tables(),
        tables::columns(),
        tables::charts(),
        formats::formats(),
        formats::outcomes(),
        formats::ends(),
        runners::runners(),
        benchmarks::benchmarks(),
        schema::tables(),
        schema::columns(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Entries of a name; case does not matter where nothing is spelt exactly so.
fn find<'a>(entries: &'a [Entry], code: &str) -> Option<Vec<&'a Entry>> {
    let matching = |test: &dyn Fn(&str) -> bool| -> Vec<&Entry> {
        entries.iter().filter(|entry| entry.names().any(test)).collect()
    };
    let exact = matching(&|name| name == code);
    if !exact.is_empty() {
        return Some(exact);
    }
    let plain = code.to_lowercase();
    let close = matching(&|name| name.to_lowercase() == plain);
    (!close.is_empty()).then_some(close)
}

fn unknown(entries: &[Entry], code: &str) -> String {
    let plain = code.to_lowercase();
    let nearest =
        entries.iter().flat_map(Entry::names).min_by_key(|name| edit_distance(&plain, &name.to_lowercase()));
    let hint = nearest.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
    format!(
        "nothing is called `{code}`; {hint}`ethogram list tags`, `behaviours`, `tables` and others name all codes"
    )
}

/// The generated pages of `docs/`: name of the file and text. A test compares them.
pub fn pages() -> Vec<(String, String)> {
    let pages = [
        ("behaviours.md", behaviours::page()),
        ("benchmarks.md", benchmarks::page()),
        ("cli.md", commands::page()),
        ("formats.md", formats::page()),
        ("runners.md", runners::page()),
        ("schema.md", schema::page()),
        ("tables.md", tables::page()),
        ("tags.md", tags::page()),
    ];
    pages.map(|(name, text)| (name.to_owned(), text)).into_iter().chain(tags::rule_pages()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(code: &str) -> Vec<&'static str> {
        let everything = everything();
        find(&everything, code).unwrap_or_default().iter().map(|entry| entry.kind).collect()
    }

    #[test]
    fn every_kind_of_code_is_found() {
        for (code, kind) in [
            ("testing/suite", "tag"),
            ("suite", "tag"),
            ("R4", "tag"),
            ("l1", "tag"),
            ("recovery", "tag family"),
            ("autonomous_edit", "behaviour"),
            ("T5", "table"),
            ("t5", "table"),
            ("decomposition", "table"),
            ("p_adjusted", "column of tables"),
            ("forest", "chart"),
            ("swe-agent-1.1", "log format"),
            ("harness-summary", "shape of result file"),
            ("step_limit", "end of a run"),
            ("pytest", "test runner"),
            ("swe-bench-verified", "benchmark"),
            ("turn_facts", "table of the store"),
            ("repeat_action", "column of the store"),
        ] {
            assert!(kinds(code).contains(&kind), "{code}: {:?}", kinds(code));
        }
    }

    #[test]
    fn a_shared_name_gives_all_that_bear_it() {
        assert_eq!(kinds("funnel"), ["table", "chart"]);
    }

    #[test]
    fn an_unknown_code_names_the_nearest() {
        let everything = everything();
        assert!(find(&everything, "autonomus_edit").is_none());
        assert!(unknown(&everything, "autonomus_edit").contains("did you mean `autonomous_edit`?"));
        assert!(unknown(&everything, "T55").contains("did you mean `T5`?"));
    }

    #[test]
    fn every_name_is_told_apart_within_its_kind() {
        let everything = everything();
        let mut names: Vec<(&str, &str)> =
            everything.iter().map(|entry| (entry.kind, entry.name.as_str())).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "two entries of one kind and name");
    }
}
