//! Editing: changes the content, name or existence of a file, or tries to (`definitions.md` §3). Target and effect
//! stand with the edit facts.

use super::row::Found;
use super::{Example, Family, Tagged};
use crate::facts::{Context, EditKind, Facts};
use crate::model::{Tag, TagName, Trajectory};

const fn tag(kind: EditKind) -> Tag {
    Tag::kind(TagName::Editing, kind.as_str())
}

/// Editing.
pub const FAMILY: Family = Family {
    name: "editing",
    version: 1,
    tags: &[
        (tag(EditKind::Create), "writes a file that was not there"),
        (tag(EditKind::Replace), "replaces text or lines of a file"),
        (tag(EditKind::Insert), "inserts text into a file"),
        (tag(EditKind::Append), "adds text at the end of a file"),
        (tag(EditKind::Overwrite), "writes a whole file anew"),
        (tag(EditKind::Delete), "deletes a file"),
        (tag(EditKind::Move), "moves or renames a file"),
        (tag(EditKind::Revert), "takes changes back"),
    ],
    needs: &[],
    what: "Every try to change the content, name or existence of a file, by a tool, a command, a \
           redirection or inline code. An edit that the tool refused is a try. Output of a test or a build \
           that is sent to a file is no edit.",
    why: "What a run tried to change, and whether it did: effect and target (source, test, scratch, \
          documentation) stand in the table `edits`, and the behaviours ask for effective edits of source.",
    not_shown: "That the change is right.",
    apply,
    examples: EXAMPLES,
};

fn apply(_: &Context, _: &Trajectory, facts: &Facts, tagged: &mut Tagged) {
    for edit in &facts.edits {
        tagged.push(&FAMILY, tag(edit.kind), Found::at(edit.place, edit.span));
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "editor tools",
        log: r"
            create src/new.py: x = 1 -> ok   #! editing/create
            edit src/a.py: x = 1 => x = 2 -> ok   #! editing/replace
            insert src/a.py: y = 3 -> ok   #! editing/insert
            undo src/a.py -> ok   #! editing/revert
        ",
    },
    Example {
        name: "a refused edit is an attempt",
        log: "edit src/a.py: x = 7 => x = 2 -> error: No match found for the old text   #! editing/replace\n",
    },
    Example {
        name: "without an editor",
        log: r"
            run cat > src/new.py <<'EOF'\nx = 1\nEOF -> 0:   #! editing/create
            run echo 'y = 2' >> src/new.py -> 0:   #! editing/append
            run sed -i 's/x = 1/x = 2/' src/new.py -> 0:   #! editing/replace
            run git mv src/new.py src/old.py -> 0:   #! editing/move
            run rm src/old.py -> 0:   #! editing/delete
        ",
    },
    Example {
        name: "a whole file anew",
        log: r"
            run cat src/a.py -> 0: x = 1
            run cat > src/a.py <<'EOF'\nx = 2\nEOF -> 0:   #! editing/overwrite
        ",
    },
    Example {
        name: "git takes changes back and brings them again",
        log: r"
            run git checkout -- src/a.py -> 0:   #! editing/revert
            run git stash -> 0: Saved working directory   #! editing/revert
            run git stash pop -> 0: Dropped refs/stash@{0}   #! editing/replace
        ",
    },
    Example {
        name: "near miss: changes no file",
        log: r#"
            run git stash list -> 0: stash@{0}: WIP
            run git checkout -b fix -> 0: Switched to a new branch
            run ls missing 2>/dev/null -> 2:
            run grep -n "sed -i" notes.md -> 0: 3:sed -i
            run pytest -q > out.log 2>&1 -> 0:
            run mkdir -p build -> 0:
        "#,
    },
];
