//! Share of model turns that bear a tag, and of turns that bear none: `tag_share:<tag>` (`definitions.md` §5).

use std::collections::BTreeSet;

use super::{Behaviour, BehaviourKind, Better, Evidence, Measured};
use crate::model::TagName;
use crate::tags::Example;

/// Model turns that bear a tag, over model turns.
pub fn turns_with(evidence: &Evidence, name: TagName) -> Measured {
    let mut turns: Vec<usize> = evidence.rows(name).map(|row| row.turn).collect();
    turns.sort_unstable();
    turns.dedup();
    evidence.share_of_turns(turns.len())
}

fn untagged(evidence: &Evidence) -> Measured {
    let tagged: BTreeSet<usize> = evidence.tagged.rows.iter().map(|row| row.turn).collect();
    let bare = evidence.trajectory.model_turns().filter(|(turn, _)| !tagged.contains(turn)).count();
    evidence.share_of_turns(bare)
}

const fn share(
    code: &'static str,
    name: &'static str,
    tag: TagName,
    count: fn(&Evidence) -> Measured,
    examples: &'static [Example],
) -> Behaviour {
    Behaviour {
        code,
        name,
        meaning: "model turns that bear the tag over model turns",
        kind: BehaviourKind::Rate,
        tag: Some(tag),
        better: Better::Neither,
        twin_of: None,
        count: Some(count),
        examples,
    }
}

/// Exploration.
pub const EXPLORATION: Behaviour = share(
    "tag_share:exploration",
    "turns that explore",
    TagName::Exploration,
    |evidence| turns_with(evidence, TagName::Exploration),
    &[
        Example {
            name: "one of two",
            log: "run ls -> 0: a\nsubmit -> ok\n#! run: tag_share:exploration 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:exploration 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:exploration 0/0\n" },
    ],
);

/// Planning.
pub const PLANNING: Behaviour = share(
    "tag_share:planning",
    "turns that plan",
    TagName::Planning,
    |evidence| turns_with(evidence, TagName::Planning),
    &[
        Example {
            name: "one of two",
            log: "think First read, then edit.\nsubmit -> ok\n#! run: tag_share:planning 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:planning 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:planning 0/0\n" },
    ],
);

/// Setup.
pub const SETUP: Behaviour = share(
    "tag_share:setup",
    "turns that set up",
    TagName::Setup,
    |evidence| turns_with(evidence, TagName::Setup),
    &[
        Example {
            name: "one of two",
            log: "run chmod +x a.sh -> 0:\nsubmit -> ok\n#! run: tag_share:setup 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:setup 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:setup 0/0\n" },
    ],
);

/// Execution.
pub const EXECUTION: Behaviour = share(
    "tag_share:execution",
    "turns that execute",
    TagName::Execution,
    |evidence| turns_with(evidence, TagName::Execution),
    &[
        Example {
            name: "one of two",
            log: "run make -> 0: ok\nsubmit -> ok\n#! run: tag_share:execution 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:execution 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:execution 0/0\n" },
    ],
);

/// Testing.
pub const TESTING: Behaviour = share(
    "tag_share:testing",
    "turns that test",
    TagName::Testing,
    |evidence| turns_with(evidence, TagName::Testing),
    &[
        Example {
            name: "one of two",
            log: "run pytest -q -> 0: 3 passed in 0.1s\nsubmit -> ok\n#! run: tag_share:testing 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:testing 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:testing 0/0\n" },
    ],
);

/// Editing.
pub const EDITING: Behaviour = share(
    "tag_share:editing",
    "turns that edit",
    TagName::Editing,
    |evidence| turns_with(evidence, TagName::Editing),
    &[
        Example {
            name: "one of two",
            log: "edit src/a.py -> ok\nsubmit -> ok\n#! run: tag_share:editing 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:editing 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:editing 0/0\n" },
    ],
);

/// Submission.
pub const SUBMISSION: Behaviour = share(
    "tag_share:submission",
    "turns that hand in",
    TagName::Submission,
    |evidence| turns_with(evidence, TagName::Submission),
    &[
        Example {
            name: "one of two",
            log: "run ls -> 0: a\nsubmit -> ok\n#! run: tag_share:submission 1/2\n",
        },
        Example { name: "none", log: "run ls -> 0: a\n#! run: tag_share:submission 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:submission 0/0\n" },
    ],
);

/// Delegation.
pub const DELEGATION: Behaviour = share(
    "tag_share:delegation",
    "turns that delegate",
    TagName::Delegation,
    |evidence| turns_with(evidence, TagName::Delegation),
    &[
        Example {
            name: "one of two",
            log: "delegate find the bug -> ok\nsubmit -> ok\n#! run: tag_share:delegation 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:delegation 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:delegation 0/0\n" },
    ],
);

/// Network.
pub const NETWORK: Behaviour = share(
    "tag_share:network",
    "turns that reach out",
    TagName::Network,
    |evidence| turns_with(evidence, TagName::Network),
    &[
        Example {
            name: "one of two",
            log: "run curl -s https://example.com/a -> 0: x\nsubmit -> ok\n#! run: tag_share:network 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:network 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:network 0/0\n" },
    ],
);

/// Recovery.
pub const RECOVERY: Behaviour = share(
    "tag_share:recovery",
    "turns that recover",
    TagName::Recovery,
    |evidence| turns_with(evidence, TagName::Recovery),
    &[
        Example {
            name: "one of two",
            log: "unparsable hm\nrun ls -> 0: a\n#! run: tag_share:recovery 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:recovery 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:recovery 0/0\n" },
    ],
);

/// Turns without any tag: the tags plus untagged account for every turn.
pub const UNTAGGED: Behaviour = Behaviour {
    code: "tag_share:untagged",
    name: "untagged turns",
    meaning: "model turns that bear no tag over model turns",
    kind: BehaviourKind::Rate,
    tag: None,
    better: Better::Neither,
    twin_of: None,
    count: Some(untagged),
    examples: &[
        Example {
            name: "one of two",
            log: "run cd src -> 0:\nsubmit -> ok\n#! run: tag_share:untagged 1/2\n",
        },
        Example { name: "none", log: "submit -> ok\n#! run: tag_share:untagged 0/1\n" },
        Example { name: "no turn", log: "refused\n#! run: tag_share:untagged 0/0\n" },
    ],
};
