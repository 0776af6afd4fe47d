//! What training saw, as the study says it: what the slices of the transfer table rest on (`definitions.md` §10, T9).

use std::collections::BTreeMap;

/// What training saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transfer {
    /// Last day of the training data, UTC milliseconds: a benchmark that was released later cannot have been in them.
    pub collected_until: Option<i64>,
    /// Benchmarks that were released after the training data were collected, where the study says so without a day.
    pub released_after: Vec<String>,
    /// Harnesses in which training ran.
    pub harnesses_seen: Vec<String>,
    /// The member of a family of benchmarks that enters pooled tests; else the one released last that both arms have.
    pub family_member: BTreeMap<String, String>,
}
