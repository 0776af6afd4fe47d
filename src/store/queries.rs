//! The statements of `queries/*.sql`, compiled in. Each yields counts in the order of its whole key; every share,
//! interval and test is made of them in Rust (style.md §4).

/// All queries by code, sorted.
pub const QUERIES: [(&str, &str); 12] = [
    ("ethogram", include_str!("../../queries/ethogram.sql")),
    ("funnel", include_str!("../../queries/funnel.sql")),
    ("head", include_str!("../../queries/head.sql")),
    ("instance_pairs", include_str!("../../queries/instance_pairs.sql")),
    ("left_out", include_str!("../../queries/left_out.sql")),
    ("pairs", include_str!("../../queries/pairs.sql")),
    ("positions", include_str!("../../queries/positions.sql")),
    ("runs", include_str!("../../queries/runs.sql")),
    ("t01", include_str!("../../queries/t01.sql")),
    ("t01_rewards", include_str!("../../queries/t01_rewards.sql")),
    ("t04", include_str!("../../queries/t04.sql")),
    ("t14", include_str!("../../queries/t14.sql")),
];

/// The statement of a code.
pub fn query(code: &str) -> Option<&'static str> {
    QUERIES.iter().find(|(name, _)| *name == code).map(|(_, sql)| *sql)
}
