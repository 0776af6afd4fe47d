//! Repository root (`definitions.md` §3.1): by the log's config, else the working directory of the first call, else
//! the longest of `/testbed`, `/repo`, `/workspace/*`, `/<owner>__<name>` that a call names, else unknown.

use super::paths::plain;
use super::scope::LONGEST;
use crate::model::Trajectory;

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
        for path in memchr::memchr_iter(b'/', input.as_bytes()).filter_map(|slash| root_at(input, slash)) {
            let is_file = path.starts_with("/workspace/") && super::paths::name(path).contains('.');
            if !is_file && best.is_none_or(|best| path.len() > best.len()) {
                best = Some(path);
            }
        }
    }
    best.map(str::to_owned)
}

/// The root that a word of a command begins with at this slash, whole up to a slash, a blank, a quote or a closing sign.
fn root_at(input: &str, slash: usize) -> Option<&str> {
    let bytes = input.as_bytes();
    let opens = |byte: &u8| byte.is_ascii_whitespace() || b"'\"=(:".contains(byte);
    if !bytes[..slash].last().is_none_or(opens) {
        return None;
    }
    let rest = &bytes[slash..];
    let length = |from: usize, fits: fn(&u8) -> bool| {
        rest.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| fits(byte)).count())
    };
    let name = |from: usize| length(from, |byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte));
    let closes = |end: usize| {
        rest.get(end).is_none_or(|byte| byte.is_ascii_whitespace() || b"/'\")&;:".contains(byte))
    };
    let fixed = |root: &str| (rest.starts_with(root.as_bytes()) && closes(root.len())).then_some(root.len());
    let below = |folder: &str| {
        let end = folder.len() + name(folder.len());
        (rest.starts_with(folder.as_bytes()) && end > folder.len() && closes(end)).then_some(end)
    };
    let owned = || {
        let owner = 1 + length(1, |byte| byte.is_ascii_alphanumeric() || *byte == b'-');
        let begins = rest.get(owner + 2).is_some_and(u8::is_ascii_alphanumeric);
        let end = owner + 2 + name(owner + 2);
        (owner > 1 && rest[owner..].starts_with(b"__") && begins && closes(end)).then_some(end)
    };
    let end = fixed("/testbed").or_else(|| fixed("/repo")).or_else(|| below("/workspace/")).or_else(owned)?;
    input.get(slash..slash + end)
}
