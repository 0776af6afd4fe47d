//! The statements of `queries/*.sql`, compiled in. Each yields counts in the order of its whole key; every share,
//! interval and test is made of them in Rust (style.md §4).

/// All queries by code, sorted.
pub const QUERIES: &[(&str, &str)] = &[
    ("aggregates", include_str!("../../queries/aggregates.sql")),
    ("benchmarks", include_str!("../../queries/benchmarks.sql")),
    ("ethogram", include_str!("../../queries/ethogram.sql")),
    ("funnel", include_str!("../../queries/funnel.sql")),
    ("graded", include_str!("../../queries/graded.sql")),
    ("head", include_str!("../../queries/head.sql")),
    ("instance_facts", include_str!("../../queries/instance_facts.sql")),
    ("instance_pairs", include_str!("../../queries/instance_pairs.sql")),
    ("left_out", include_str!("../../queries/left_out.sql")),
    ("lengths", include_str!("../../queries/lengths.sql")),
    ("pairs", include_str!("../../queries/pairs.sql")),
    ("patch_files", include_str!("../../queries/patch_files.sql")),
    ("positions", include_str!("../../queries/positions.sql")),
    ("runs", include_str!("../../queries/runs.sql")),
    ("systems", include_str!("../../queries/systems.sql")),
    ("t01", include_str!("../../queries/t01.sql")),
    ("t01_rewards", include_str!("../../queries/t01_rewards.sql")),
    ("t03", include_str!("../../queries/t03.sql")),
    ("t03_external", include_str!("../../queries/t03_external.sql")),
    ("t04", include_str!("../../queries/t04.sql")),
    ("t06", include_str!("../../queries/t06.sql")),
    ("t13", include_str!("../../queries/t13.sql")),
    ("t14", include_str!("../../queries/t14.sql")),
];

/// The statement of a code.
pub fn query(code: &str) -> Option<&'static str> {
    QUERIES.iter().find(|(name, _)| *name == code).map(|(_, sql)| *sql)
}
