//! Repository root (`definitions.md` §3.1): by the log's config, else the working directory of the first call, else
//! the longest of `/testbed`, `/repo`, `/workspace/*`, `/<owner>__<name>` that a call names, else unknown.

use std::sync::LazyLock;

use regex::Regex;

use super::paths::plain;
use super::scope::LONGEST;
use crate::data::pattern::ascii;
use crate::model::Trajectory;

static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    ascii(
        r#"(?:^|[\s'"=(:])(/testbed|/repo|/workspace/[\w.-]+|/[A-Za-z0-9-]+__[A-Za-z0-9][\w.-]*)(?:/|[\s'")&;:]|$)"#,
    )
});

/// The root of a trajectory's repository, absolute and without a closing slash.
pub(super) fn find(trajectory: &Trajectory) -> Option<String> {
    let told = trajectory.repository_root.as_deref().or_else(|| first_cwd(trajectory));
    let told = told.filter(|root| root.len() <= LONGEST);
    told.map(plain).filter(|root| root.starts_with('/') && root != "/").or_else(|| named(trajectory))
}

/// Working directory of the first call; `/` tells nothing, since shells of containers begin there.
fn first_cwd(trajectory: &Trajectory) -> Option<&str> {
    let first = trajectory.turns.iter().flat_map(|turn| &turn.calls).find_map(|call| call.cwd.as_deref());
    first.filter(|cwd| *cwd != "/")
}

fn named(trajectory: &Trajectory) -> Option<String> {
    let inputs = trajectory.turns.iter().flat_map(|turn| &turn.calls).map(|call| call.input.as_str());
    let mut best: Option<&str> = None;
    for input in inputs {
        for found in NAMED.captures_iter(input) {
            let path = found.get(1).map_or("", |group| group.as_str());
            let is_file = path.starts_with("/workspace/") && super::paths::name(path).contains('.');
            if !is_file && best.is_none_or(|best| path.len() > best.len()) {
                best = Some(path);
            }
        }
    }
    best.map(str::to_owned)
}
