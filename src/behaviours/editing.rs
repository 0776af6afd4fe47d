//! Behaviours of exploring and editing (`definitions.md` §5).

use std::collections::BTreeSet;

use super::{Behaviour, BehaviourKind, Better, Evidence, Measured};
use crate::facts::{EditKind, EditTarget};
use crate::model::{Quality, TagName};
use crate::tags::Example;

const SEARCH_KINDS: [&str; 2] = ["search", "web"];

/// At least one valid call.
pub const ACTED: Behaviour = Behaviour {
    code: "acted",
    name: "acted",
    meaning: "at least one call that the tool took",
    kind: BehaviourKind::Share,
    tag: None,
    better: Better::Up,
    twin_of: None,
    count: Some(acted),
    examples: &[
        Example { name: "a valid call", log: "run ls -> 0: a.py\n#! run: acted 1/1\n" },
        Example { name: "no call at all", log: "say I give up.\n#! run: acted 0/1\n" },
    ],
};

fn acted(evidence: &Evidence) -> Measured {
    let mut calls = evidence.trajectory.model_turns().flat_map(|(_, turn)| &turn.calls);
    Measured::of(calls.any(|call| call.quality == Quality::Valid))
}

/// At least one exploration.
pub const EXPLORED: Behaviour = Behaviour {
    code: "explored",
    name: "explored",
    meaning: "at least one exploration by the model",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Exploration),
    better: Better::Neither,
    twin_of: None,
    count: Some(|evidence| Measured::of(evidence.rows(TagName::Exploration).next().is_some())),
    examples: &[
        Example { name: "reads a file", log: "run cat a.py -> 0: x\n#! run: explored 1/1\n" },
        Example { name: "only submits", log: "submit -> ok\n#! run: explored 0/1\n" },
    ],
};

/// At least one search.
pub const SEARCHED: Behaviour = Behaviour {
    code: "searched",
    name: "searched",
    meaning: "at least one search or web call",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Exploration),
    better: Better::Neither,
    twin_of: None,
    count: Some(|evidence| {
        Measured::of(
            evidence
                .rows(TagName::Exploration)
                .any(|row| row.tag.kind.is_some_and(|kind| SEARCH_KINDS.contains(&kind))),
        )
    }),
    examples: &[
        Example { name: "greps", log: "run grep -rn foo src -> 0: src/a.py:1:foo\n#! run: searched 1/1\n" },
        Example { name: "reading is no search", log: "run cat a.py -> 0: x\n#! run: searched 0/1\n" },
    ],
};

/// Changed something.
pub const CHANGED: Behaviour = Behaviour {
    code: "changed",
    name: "changed something",
    meaning: "an effective edit or an execution (a stage of terminal tasks)",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Editing),
    better: Better::Neither,
    twin_of: None,
    count: Some(|evidence| {
        let executed = evidence.rows(TagName::Execution).any(|row| {
            let place = crate::facts::Place {
                turn: row.turn,
                call: row.call.unwrap_or_default(),
                segment: row.segment,
            };
            !evidence.did_not_run(place)
        });
        Measured::of(executed || evidence.effective_edits().next().is_some())
    }),
    examples: &[
        Example { name: "an edit", log: "edit src/a.py -> ok\n#! run: changed 1/1\n" },
        Example { name: "looking changes nothing", log: "run ls -> 0: a.py\n#! run: changed 0/1\n" },
    ],
};

/// A final message.
pub const ANSWERED: Behaviour = Behaviour {
    code: "answered",
    name: "answered",
    meaning: "a non-empty final message or answer field (a stage of search tasks)",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Submission),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| {
        let last = evidence.trajectory.model_turns().last();
        Measured::of(last.is_some_and(|(_, turn)| {
            turn.calls.is_empty() && turn.quality() == Quality::None && !turn.text.trim().is_empty()
        }))
    }),
    examples: &[
        Example {
            name: "a closing message",
            log: "run ls -> 0: a\nsay The answer is 4.\n#! run: answered 1/1\n",
        },
        Example { name: "ends on a call", log: "run ls -> 0: a\n#! run: answered 0/1\n" },
    ],
};

/// An effective edit of source by the model.
pub const AUTONOMOUS_EDIT: Behaviour = Behaviour {
    code: "autonomous_edit",
    name: "autonomous edit",
    meaning: "at least one effective edit of a source file in a model turn, of a kind other than revert",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Editing),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| Measured::of(evidence.has_autonomous_edit())),
    examples: &[
        Example { name: "edits source", log: "edit src/a.py -> ok\n#! run: autonomous_edit 1/1\n" },
        Example {
            name: "a scratch script is no source",
            log: "create reproduce.py: print(1) -> ok\n#! run: autonomous_edit 0/1\n",
        },
    ],
};

/// As `autonomous_edit`, without edits that nothing but silence shows.
pub const AUTONOMOUS_EDIT_SHOWN: Behaviour = Behaviour {
    code: "autonomous_edit_shown",
    name: "autonomous edit, silent edits left out",
    meaning: "as autonomous_edit, counting only edits whose effect the log shows, states or tells by exit code",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Editing),
    better: Better::Up,
    twin_of: Some("autonomous_edit"),
    count: Some(|evidence| {
        Measured::of(
            evidence.source_edits().any(|edit| {
                edit.kind != EditKind::Revert && edit.evidence != crate::facts::EditEvidence::Silent
            }),
        )
    }),
    examples: &[
        Example {
            name: "the tool states it",
            log: "edit src/a.py -> ok\n#! run: autonomous_edit_shown 1/1\n",
        },
        Example { name: "only looked", log: "run cat src/a.py -> 0: x\n#! run: autonomous_edit_shown 0/1\n" },
    ],
};

/// An edit of source that stays.
pub const NET_EDIT: Behaviour = Behaviour {
    code: "net_edit",
    name: "net edit",
    meaning: "an autonomous edit of a file that is not reverted later",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Editing),
    better: Better::Up,
    twin_of: None,
    count: Some(|evidence| {
        Measured::of(
            evidence.source_edits().any(|edit| edit.kind != EditKind::Revert && !edit.reverted_later),
        )
    }),
    examples: &[
        Example { name: "stays", log: "edit src/a.py -> ok\n#! run: net_edit 1/1\n" },
        Example {
            name: "reverted",
            log: "edit src/a.py -> ok\nrun git checkout -- src/a.py -> 0:\n#! run: net_edit 0/1\n",
        },
    ],
};

/// Any effective edit.
pub const ANY_EDIT: Behaviour = Behaviour {
    code: "any_edit",
    name: "any edit",
    meaning: "at least one effective edit of any target",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Editing),
    better: Better::Neither,
    twin_of: None,
    count: Some(|evidence| Measured::of(evidence.effective_edits().next().is_some())),
    examples: &[
        Example {
            name: "a scratch file counts",
            log: "create reproduce.py: x -> ok\n#! run: any_edit 1/1\n",
        },
        Example { name: "only looked", log: "run ls -> 0: a\n#! run: any_edit 0/1\n" },
    ],
};

/// Wrote a test of its own.
pub const OWN_TEST_WRITTEN: Behaviour = Behaviour {
    code: "own_test_written",
    name: "own test written",
    meaning: "created or extended a test or reproduction file, not an empty one",
    kind: BehaviourKind::Share,
    tag: Some(TagName::Testing),
    better: Better::Up,
    twin_of: None,
    count: Some(own_test_written),
    examples: &[
        Example {
            name: "a reproduction script",
            log: "create reproduce.py: import a -> ok\n#! run: own_test_written 1/1\n",
        },
        Example {
            name: "a script of any name that it ran as a test",
            log: "create /tmp/x1.py: import a\\nassert a.f() == 1 -> ok\n\
                  run python /tmp/x1.py -> 1: AssertionError\n#! run: own_test_written 1/1\n",
        },
        Example { name: "an empty file", log: "run touch test_a.py -> 0:\n#! run: own_test_written 0/1\n" },
        Example { name: "source only", log: "edit src/a.py -> ok\n#! run: own_test_written 0/1\n" },
    ],
};

fn own_test_written(evidence: &Evidence) -> Measured {
    let run = files_run_as_tests(evidence);
    let written = evidence.effective_edits().any(|edit| {
        let adds =
            !matches!(edit.kind, EditKind::Delete | EditKind::Move | EditKind::Revert) && !edit.is_empty;
        let is_test = match edit.target {
            Some(EditTarget::Test) => true,
            Some(EditTarget::Scratch) => edit.path.as_deref().is_some_and(|path| {
                let name = file_name(path);
                names_a_test(name) || run.contains(name)
            }),
            _ => false,
        };
        adds && is_test
    });
    Measured::of(written)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A scratch file is a test or reproduction when its name says so, or when this trajectory ran it as a test or gave it to
/// a compiler: a program of one's own that is no part of the project is there to try something.
fn names_a_test(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["test", "repro", "verify", "check"].iter().any(|word| name.contains(word))
}

const COMPILERS: [&str; 10] =
    ["c++", "cc", "clang", "clang++", "g++", "gcc", "ghc", "javac", "kotlinc", "rustc"];

/// Names of the files that commands which test, and compilers, were given.
fn files_run_as_tests<'a>(evidence: &Evidence<'a>) -> BTreeSet<&'a str> {
    let facts = evidence.facts;
    let testing = facts.test_runs.iter().filter_map(|run| {
        let index = facts.segments.binary_search_by_key(&run.place, |segment| segment.place).ok()?;
        Some(&facts.segments[index])
    });
    let compiling = facts.segments.iter().filter(|segment| COMPILERS.contains(&segment.program.as_str()));
    let segments = testing.chain(compiling).map(|segment| &segment.parsed);
    segments
        .flat_map(|segment| {
            let arguments = segment.arguments.iter().map(|word| word.text.as_str());
            arguments.chain([segment.program_path.as_str()]).map(file_name)
        })
        .collect()
}
