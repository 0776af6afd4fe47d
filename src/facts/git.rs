//! Git: which of its commands read, review, take back, put in or change nothing (`definitions.md` §3, git).

use super::fact::{EditKind, ExplorationKind, Role};
use super::paths::looks_like_path;
use crate::shell::{Segment, Word};

/// What a git command does to files.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Change<'a> {
    /// These files change in this way; no file named: all edited files of the repository.
    Paths(EditKind, Vec<&'a Word>),
    /// The work tree goes back to a commit (`reset --hard`, `checkout .`, `stash`).
    RevertAll,
    /// The stash comes back.
    Restore,
    /// A patch is put in (or taken out).
    Apply { reverse: bool },
    /// Untracked files go.
    Clean,
    /// From → to.
    Move(&'a Word, &'a Word),
    /// Commits change the tree in ways that the command does not name.
    Unnamed(EditKind),
}

/// The role where options decide it; `None` leaves it to the table.
pub(super) fn role(segment: &Segment) -> Option<Role> {
    if change(segment).is_some() {
        return Some(Role::Editing);
    }
    let arguments = segment.subcommand_arguments();
    let has = |options: &[&str]| arguments.iter().any(|word| options.contains(&word.text.as_str()));
    let history = Role::Exploration(ExplorationKind::History);
    Some(match segment.subcommand()? {
        "apply" => Role::Exploration(ExplorationKind::Review),
        "stash" if has(&["list", "show"]) => history,
        "branch" if has(&["-d", "-D", "-m", "-M", "-c", "-f", "-u", "--delete", "--set-upstream-to"]) => {
            Role::Neutral
        }
        "branch"
            if arguments.iter().any(|word| !word.text.starts_with('-'))
                && !has(&["-a", "-r", "--contains", "--list", "--merged"]) =>
        {
            Role::Neutral
        }
        "tag" if has(&["-a", "-d", "-m", "-f"]) => Role::Neutral,
        "remote" if has(&["add", "remove", "rm", "set-url", "rename"]) => Role::Neutral,
        "bisect" | "notes" => Role::Neutral,
        "config" if has(&["--get", "--list", "-l"]) => Role::Exploration(ExplorationKind::Env),
        _ => return None,
    })
}

/// What the command does to files; `None` where it changes none.
pub(super) fn change(segment: &Segment) -> Option<Change<'_>> {
    let arguments = segment.subcommand_arguments();
    let has = |options: &[&str]| arguments.iter().any(|word| options.contains(&word.text.as_str()));
    let plain = || arguments.iter().filter(|word| !word.text.starts_with('-'));
    match segment.subcommand()? {
        "apply" | "am" => {
            let only_looks = has(&["--check", "--stat", "--numstat", "--summary"]) && !has(&["--apply"]);
            (!only_looks && !has(&["--cached"])).then(|| Change::Apply { reverse: has(&["-R", "--reverse"]) })
        }
        "checkout" => checkout(arguments),
        "restore" => {
            let staged_only = has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]);
            let paths: Vec<&Word> = after_value(arguments, &["-s", "--source"]);
            (!staged_only && !paths.is_empty()).then(|| reverts(paths))
        }
        "stash" => match plain().next().map(|word| word.text.as_str()) {
            Some("pop" | "apply") => Some(Change::Restore),
            Some("list" | "show" | "drop" | "clear" | "branch" | "create" | "store") => None,
            _ => Some(Change::RevertAll),
        },
        "reset" => has(&["--hard", "--merge", "--keep"]).then_some(Change::RevertAll),
        "clean" => {
            let forced = arguments.iter().any(|word| {
                word.text == "--force"
                    || word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('f')
            });
            let dry = arguments.iter().any(|word| {
                word.text == "--dry-run"
                    || word.text.starts_with('-') && word.text.contains('n') && !word.text.starts_with("--")
            });
            (forced && !dry).then_some(Change::Clean)
        }
        "rm" => (!has(&["--cached"])).then(|| Change::Paths(EditKind::Delete, plain().collect())),
        "mv" => match plain().collect::<Vec<_>>().as_slice() {
            [from, to] => Some(Change::Move(from, to)),
            _ => Some(Change::Unnamed(EditKind::Move)),
        },
        "revert" => Some(Change::Unnamed(EditKind::Revert)),
        "cherry-pick" | "merge" | "rebase" | "pull" => {
            (!has(&["--abort", "--continue", "--quit"])).then_some(Change::Unnamed(EditKind::Replace))
        }
        _ => None,
    }
}

/// `checkout -- f`, `checkout REV -- f`, `checkout f`, `checkout .`; a branch or commit alone switches.
fn checkout(arguments: &[Word]) -> Option<Change<'_>> {
    if arguments.iter().any(|word| matches!(word.text.as_str(), "-b" | "-B" | "--orphan" | "--detach" | "-t"))
    {
        return None;
    }
    if let Some(dashes) = arguments.iter().position(|word| word.text == "--") {
        let paths: Vec<&Word> = arguments[dashes + 1..].iter().collect();
        return (!paths.is_empty()).then(|| reverts(paths));
    }
    let plain: Vec<&Word> = arguments.iter().filter(|word| !word.text.starts_with('-')).collect();
    let is_file = |word: &Word| names_file(&word.text);
    match plain.as_slice() {
        [only] if is_file(only) => Some(reverts(plain)),
        [only] if only.text == "HEAD" && arguments.iter().any(|word| word.text == "-f") => {
            Some(Change::RevertAll)
        }
        [_, rest @ ..] if !rest.is_empty() => {
            let skip = usize::from(!is_file(plain[0]));
            Some(reverts(plain[skip..].to_vec()))
        }
        _ => None,
    }
}

/// Whether a word of `checkout` is a file rather than a branch (`feature/x`), a tag (`v4.1`) or a commit.
fn names_file(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    let is_version = name.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    let has_extension = name.contains('.') && looks_like_path(name);
    text == "."
        || text.starts_with("./")
        || text.ends_with('/')
        || text == "*"
        || (has_extension && !is_version)
}

fn reverts(paths: Vec<&Word>) -> Change<'_> {
    let whole = paths.iter().any(|word| matches!(word.text.as_str(), "." | "*" | ":/" | "./"));
    if whole { Change::RevertAll } else { Change::Paths(EditKind::Revert, paths) }
}

fn after_value<'a>(arguments: &'a [Word], with_value: &[&str]) -> Vec<&'a Word> {
    let mut skip = false;
    let mut kept = Vec::new();
    for word in arguments {
        let is_value = std::mem::take(&mut skip);
        skip = with_value.contains(&word.text.as_str());
        if !is_value && !word.text.starts_with('-') {
            kept.push(word);
        }
    }
    kept
}
