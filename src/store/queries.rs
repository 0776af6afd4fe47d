//! The statements of `queries/*.sql`, compiled in. Each yields counts in the order of its whole key; every share,
//! interval and test is made of them in Rust (style.md §4).

/// All queries by code, sorted.
pub const QUERIES: [(&str, &str); 17] = [
    ("ethogram", include_str!("../../queries/ethogram.sql")),
    ("funnel", include_str!("../../queries/funnel.sql")),
    ("head", include_str!("../../queries/head.sql")),
    ("instance_pairs", include_str!("../../queries/instance_pairs.sql")),
    ("left_out", include_str!("../../queries/left_out.sql")),
    ("pairs", include_str!("../../queries/pairs.sql")),
    ("positions", include_str!("../../queries/positions.sql")),
    ("runs", include_str!("../../queries/runs.sql")),
    ("strata", include_str!("../../queries/strata.sql")),
    ("t01", include_str!("../../queries/t01.sql")),
    ("t04", include_str!("../../queries/t04.sql")),
    ("t04_micro", include_str!("../../queries/t04_micro.sql")),
    ("t05", include_str!("../../queries/t05.sql")),
    ("t05_cells", include_str!("../../queries/t05_cells.sql")),
    ("t05_runs", include_str!("../../queries/t05_runs.sql")),
    ("t14", include_str!("../../queries/t14.sql")),
    ("turn_quality", include_str!("../../queries/turn_quality.sql")),
];

/// The statement of a code.
pub fn query(code: &str) -> Option<&'static str> {
    QUERIES.iter().find(|(name, _)| *name == code).map(|(_, sql)| *sql)
}
