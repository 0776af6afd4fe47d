//! Setup: installs or configures the environment (`definitions.md` §3).

use super::row::units;
use super::{Example, Family, Tagged};
use crate::facts::{Context, Facts, Role, SetupKind};
use crate::model::{Tag, TagName, Trajectory};

const fn tag(kind: SetupKind) -> Tag {
    Tag::kind(TagName::Setup, kind.as_str())
}

/// Setup.
pub const FAMILY: Family = Family {
    name: "setup",
    version: 1,
    tags: &[
        (tag(SetupKind::Install), "installs or removes packages"),
        (tag(SetupKind::Environment), "makes or enters an environment, or picks a tool's version"),
        (tag(SetupKind::Permission), "changes permissions or owners"),
        (tag(SetupKind::Configure), "configures the machine or a tool"),
    ],
    needs: &[],
    what: "Installing packages, making environments, permissions, configuration of tools and machine. \
           Setting a variable, changing or making a folder bears no tag.",
    why: "How much work the environment takes before the task begins.",
    not_shown: "That the installation went well.",
    apply,
    examples: EXAMPLES,
};

fn apply(_: &Context, trajectory: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    for unit in units(trajectory, facts) {
        if let Role::Setup(kind) = unit.role {
            tagged.push(&FAMILY, tag(kind), unit.found());
        }
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "installs",
        log: r"
            run pip install pytest -> 0: Successfully installed pytest-8.1   #! setup/install
            run python -m pip install -q -e . -> 0:   #! setup/install
            run apt-get install -y maven -> 0: done   #! setup/install
        ",
    },
    Example {
        name: "environments, permissions, configuration",
        log: r"
            run source venv/bin/activate -> 0:   #! setup/environment
            run python -m venv venv -> 0:   #! setup/environment
            run chmod +x run.sh -> 0:   #! setup/permission
            run update-alternatives --set java /usr/lib/jvm/java-17/bin/java -> 0:   #! setup/configure
        ",
    },
    Example {
        name: "near miss: asks, or changes no environment",
        log: r"
            run pip show pytest -> 0: Name: pytest
            run export DEBUG=1 -> 0:
            run mkdir -p build -> 0:
            run git config user.name a -> 0:
        ",
    },
];
