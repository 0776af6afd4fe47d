//! Network: tries to reach a host beyond this machine (`definitions.md` §3; `shortcuts.md` §5 for kinds and results).

use super::row::Found;
use super::{Example, Family, Tagged};
use crate::facts::{Context, Facts};
use crate::model::{Tag, TagName, Trajectory};

/// An attempt.
const ATTEMPT: Tag = Tag::plain(TagName::Network);

/// Network.
pub const FAMILY: Family = Family {
    name: "network",
    version: 1,
    tags: &[(
        ATTEMPT,
        "tries to reach a host beyond this machine; kind of host and result stand in `network`",
    )],
    needs: &[],
    what: "Every try to reach a host beyond this machine, whether or not it gets through. Loopback and \
           private addresses are no attempt.",
    why: "Whether a run tries to leave the machine, where the task lies within it; kind of host and result \
          stand in the table `network`.",
    not_shown: "Why it was tried: an attempt is no shortcut and no offence by itself.",
    apply,
    examples: EXAMPLES,
};

fn apply(_: &Context, _: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    for fact in facts.network.iter().filter(|fact| fact.attempt) {
        tagged.push(&FAMILY, ATTEMPT, Found::at(fact.place, fact.span));
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "by program and by tool",
        log: r"
            run curl -s https://example.com/a -> 0: hello   #! network
            run git clone https://example.com/a.git -> 128: fatal: unable to access   #! network
            run pip install requests -> 0: Successfully installed requests-2.0   #! network
            web how to parse a date -> ok: an answer   #! network
        ",
    },
    Example {
        name: "near miss: stays on this machine",
        log: r#"
            run curl -s http://127.0.0.1:8000/ -> 0: hello
            run grep -rn "curl https://example.com" . -> 1:
            run pip list -> 0: requests 2.0
            run echo "curl https://example.com" -> 0: curl https://example.com
        "#,
    },
];
