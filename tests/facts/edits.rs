//! Edits: kind, effect, evidence, reason, and what later looks and the final patch say of them.

use super::{check, compute, edits};

#[test]
fn edits_of_a_shell_have_kind_target_and_effect() {
    let facts = compute(
        r"
@ root /testbed
run cat > repro.py <<'EOF'\nprint(1)\nEOF -> 0:
run sed -i 's/a/b/' src/a.py -> 0:
run cat <<'EOF' >> docs/x.rst\nmore\nEOF -> 0:
run sed -i 's/a/b/' src/none.py -> 2: sed: can't read src/none.py: No such file or directory
run rm repro.py -> 0:
run git checkout -- src/a.py -> 0: Updated 1 path from the index
run pytest -q > out.log -> 0: 
",
    );
    check(
        edits(&facts),
        &[
            "0 create repro.py scratch true exit",
            "1 replace src/a.py source true silent",
            "2 append docs/x.rst docs true exit",
            "3 replace src/none.py source false stated no_file",
            "4 delete repro.py scratch true exit",
            "5 revert src/a.py source true stated",
        ],
    );
    assert!(facts.edits[1].reverted_later, "the checkout takes the sed back");
}

#[test]
fn the_editor_of_swe_agent_says_what_came_of_an_edit() {
    let facts = compute(
        r#"
@ commands swe-agent
@ no-exit-codes
[cwd=/r, open=?] run create repro.py -> ?: [File: /r/repro.py (1 lines total)]\n1:
[open=/r/repro.py] run edit 1:1\nprint(1)\nend_of_edit -> ?: [File: /r/repro.py (1 lines total)]\n1:print(1)\nFile updated. Please review the changes and make sure they are correct
run edit 1:1\n  print(\nend_of_edit -> ?: Your proposed edit has introduced new syntax error(s). Please understand the fixes\n\nERRORS:\n- E999
run edit 1\nx\nend_of_edit -> ?: Usage: edit <start_line>:<end_line>\n<replacement_text>\nend_of_edit
run create repro.py -> ?: Error: File 'repro.py' already exists.
run edit 1:1\nprint(1)\nend_of_edit -> ?: [File: /r/repro.py (1 lines total)]\n1:print(1)\nFile updated. Please review the changes
"#,
    );
    check(
        edits(&facts),
        &[
            "0 create repro.py scratch true shown",
            "1 replace repro.py scratch true shown",
            "2 replace repro.py scratch false stated syntax_reverted",
            "3 replace repro.py scratch false stated malformed",
            "4 create repro.py scratch false stated other",
            // The same line again by the same text: the tool says updated, the file is what it was.
            "5 replace repro.py scratch false stated no_change",
        ],
    );
    assert!(facts.edits[0].is_empty && !facts.edits[1].is_empty, "`create` writes nothing, `edit` fills it");
    assert_eq!(facts.created, ["repro.py"]);
}

#[test]
fn the_editor_of_tool_calls_says_what_came_of_an_edit() {
    let facts = compute(
        r#"
@ commands swe-agent
@ no-exit-codes
@ root /testbed
run str_replace_editor create /testbed/new.py --file_text 'a = "x"\nb = 1' -> ?: File created successfully at: /testbed/new.py
run str_replace_editor str_replace /testbed/src/a.py --old_str 'x' --new_str 'y' -> ?: The file /testbed/src/a.py has been edited. Here's the result of running `cat -n` on a snippet
run str_replace_editor str_replace /testbed/src/a.py --old_str 'x' --new_str 'y' -> ?: No replacement was performed, old_str `x` did not appear verbatim in /testbed/src/a.py.
run str_replace_editor str_replace /testbed/src/a.py --old_str 'x' --new_str 'y' -> ?: No replacement was performed. Multiple occurrences of old_str `x` in lines [1, 2]. Please ensure it is unique
run str_replace_editor insert /testbed/none.py --insert_line 3 --new_str 'y' -> ?: The path /testbed/none.py does not exist. Please provide a valid path.
run str_replace_editor undo_edit /testbed/src/a.py -> ?: Last edit to /testbed/src/a.py undone successfully.
run str_replace_editor str_replace /testbed/src/a.py --old_str 'same' --new_str 'same' -> ?: The file /testbed/src/a.py has been edited.
run str_replace_editor str_replace /testbed/src/a.py --old_str 'x' --new_str 'y'
"#,
    );
    check(
        edits(&facts),
        &[
            "0 create new.py scratch true stated",
            "1 replace src/a.py source true shown",
            "2 replace src/a.py source false stated no_match",
            "3 replace src/a.py source false stated ambiguous",
            "4 insert none.py source false stated no_file",
            "5 revert src/a.py source true stated",
            "6 replace src/a.py source false stated no_change",
            "7 replace src/a.py source ? none",
        ],
    );
    assert!(facts.edits[1].reverted_later, "undone by turn 5");
}

#[test]
fn the_exit_code_belongs_to_the_last_command() {
    let facts = compute(
        r"
@ root /testbed
run cat > a.txt <<'EOF'\nx\nEOF\npytest -q -> 1: 1 failed
run cp a.txt b.txt && pytest -q -> 0: 1 passed
run cd nowhere && sed -i s/a/b/ src/a.py -> 1: bash: cd: nowhere: No such file or directory
run nosuch && rm src/a.py -> 127: bash: nosuch: command not found
run rm src/a.py src/b.py -> 1: rm: cannot remove 'src/b.py': No such file or directory
run echo x > /etc/hosts -> 1: bash: /etc/hosts: Permission denied
",
    );
    check(
        edits(&facts),
        &[
            "0 create a.txt scratch true silent",
            "1 create b.txt scratch true exit",
            "2 replace src/a.py source false stated skipped",
            "3 delete src/a.py source false stated skipped",
            "4 delete src/a.py source true silent",
            "4 delete src/b.py source false stated no_file",
            "5 create /etc/hosts scratch false stated permission",
        ],
    );
}

#[test]
fn a_later_diff_lifts_or_lowers_a_silent_edit() {
    let diff = r"diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b";
    let lifted = compute(&format!(
        "@ root /testbed\nrun sed -i s/a/b/ src/a.py -> 0:\nrun sed -i s/x/y/ src/b.py -> 0:\nrun git diff -> 0: {diff}\n"
    ));
    check(
        edits(&lifted),
        &["0 replace src/a.py source true shown", "1 replace src/b.py source false shown no_match"],
    );
    // A staged change is in no plain diff, and a diff of one file says nothing of another.
    let hidden = compute(&format!(
        "@ root /testbed\nrun sed -i s/x/y/ src/b.py -> 0:\nrun git diff src/a.py -> 0: {diff}\nrun git add -A -> 0:\nrun git diff -> 0:\n"
    ));
    check(edits(&hidden), &["0 replace src/b.py source true silent"]);
}

#[test]
fn a_cumulative_diff_that_stays_lowers_a_silent_edit() {
    let facts = compute(
        r"
@ root /testbed
[diff=one] run ls -> 0: a.py
[diff=one] run sed -i s/x/y/ src/a.py -> 0:
[diff=two] run sed -i s/x/y/ src/b.py -> 0:
",
    );
    check(
        edits(&facts),
        &["1 replace src/a.py source false shown no_match", "2 replace src/b.py source true shown"],
    );
}

#[test]
fn patches_name_their_files_and_their_hunks() {
    let facts = compute(
        r"
@ root /testbed
run git apply - <<'EOF'\ndiff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\nEOF -> 0:
run cat > f.patch <<'EOF'\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\nEOF -> 0:
run patch -p1 < f.patch -> 1: patching file src/a.py\nHunk #1 FAILED at 1.\n1 out of 1 hunk FAILED -- saving rejects to file src/a.py.rej
run patch -p1 < g.patch -> 1: patching file src/b.py\nHunk #2 FAILED at 9.\n1 out of 3 hunks FAILED -- saving rejects
run git apply --check f.patch -> 0:
run git apply f.patch -> 1: error: patch failed: src/a.py:1\nerror: src/a.py: patch does not apply
",
    );
    check(
        edits(&facts),
        &[
            "0 replace src/a.py source true exit",
            "1 create f.patch scratch true exit",
            "2 replace src/a.py source false stated no_match",
            "3 replace src/b.py source true stated partial",
            "5 replace src/a.py source false stated no_match",
        ],
    );
}

#[test]
fn git_takes_back_puts_in_and_does_neither() {
    let facts = compute(
        r"
@ root /testbed
run sed -i s/a/b/ src/a.py -> 0:
run git stash -> 0: Saved working directory and index state WIP on main: 1 x
run git stash pop -> 0: Dropped refs/stash@{0}
run git checkout -b fix -> 0: Switched to a new branch 'fix'
run git add -A && git commit -qm x -> 0:
run git reset --hard -> 0: HEAD is now at 1 x
run git restore --staged src/a.py -> 0:
run git rm -q src/old.py -> 0:
run git checkout v1.2.3 -> 0: HEAD is now at 1 x
",
    );
    check(
        edits(&facts),
        &[
            "0 replace src/a.py source true silent",
            "1 revert src/a.py source true stated",
            "2 replace ? ? true stated",
            "5 revert ? ? true stated",
            "7 delete src/old.py source true exit",
        ],
    );
}

#[test]
fn output_of_runs_is_no_edit_and_other_output_is() {
    let facts = compute(
        r"
@ root /testbed
run pytest -q > out.log 2>&1 -> 0: 
run python run.py | tee out.log -> 0: x
run make 2>&1 | grep error > errors.txt -> 0:
run ls > /dev/null 2>&1 -> 0:
run git diff > fix.patch -> 0:
run grep -rn foo src | sort > hits.txt -> 0:
run echo '127.0.0.1 x' | sudo tee -a /etc/hosts -> 0: 127.0.0.1 x
run touch src/new.py -> 0:
run touch src/new.py -> 0:
",
    );
    check(
        edits(&facts),
        &[
            "4 create fix.patch scratch true exit",
            "5 create hits.txt scratch true exit",
            "6 append /etc/hosts outside true exit",
            "7 create src/new.py source true exit",
        ],
    );
}

#[test]
fn edits_survive_in_the_final_patch() {
    let facts = compute(
        r"
@ root /testbed
@ patch nonempty
@ patch-text diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+value = 2\n
run cat >> src/a.py <<'EOF'\nvalue = 1\nEOF -> 0:
run cat >> src/a.py <<'EOF'\nvalue = 2\nEOF -> 0:
run cat > repro.py <<'EOF'\nprint(1)\nEOF -> 0:
run rm left.sqlite3 -> 0:
",
    );
    let survives: Vec<Option<bool>> = facts.edits.iter().map(|edit| edit.survives).collect();
    assert_eq!(survives, [Some(false), Some(true), Some(false), Some(false)]);
    // A deleted file of the repository would stand in the patch: this one was left behind by a run.
    assert_eq!(edits(&facts)[3], "3 delete left.sqlite3 scratch true exit");
    assert_eq!(facts.patch_state.as_str(), "nonempty");
}

#[test]
fn a_patch_of_files_that_nobody_edited_is_foreign() {
    let patch = r"@ root /testbed
@ patch nonempty
@ patch-text diff --git a/tox.ini b/tox.ini\n--- a/tox.ini\n+++ b/tox.ini\n@@ -1 +1 @@\n-a\n+b";
    let foreign = compute(&format!("{patch}\nrun cat > repro.py <<'EOF'\\nx\\nEOF -> 0:\n"));
    assert_eq!(foreign.patch_state.as_str(), "foreign");
    let own = compute(&format!("{patch}\nrun sed -i s/a/b/ tox.ini -> 0:\n"));
    assert_eq!(own.patch_state.as_str(), "nonempty");
    // An edit whose file is not known forbids to say so.
    let unknown = compute(&format!("{patch}\nrun grep -rl x . | xargs sed -i s/a/b/ -> 0:\n"));
    assert_eq!(unknown.patch_state.as_str(), "nonempty");
}

#[test]
fn a_later_view_shows_a_substitution_or_its_miss() {
    let facts = compute(
        r"
@ root /testbed
run sed -i 's/old_name/new_name/g' src/a.py -> 0:
run sed -i 's/other_name/third_name/' src/b.py -> 0:
run sed -n 1,20p src/a.py -> 0: x = new_name
run cat src/b.py -> 0: x = other_name
",
    );
    check(
        edits(&facts),
        &["0 replace src/a.py source true shown", "1 replace src/b.py source false shown no_match"],
    );
}

#[test]
fn no_diff_shows_an_untracked_file() {
    let facts = compute(
        "@ root /testbed\nrun echo a > new.py -> 0:\nrun sed -i s/a/b/ new.py -> 0:\nrun git diff -> 0:\n",
    );
    check(edits(&facts), &["0 create new.py scratch true exit", "1 replace new.py scratch true silent"]);
}

#[test]
fn edits_that_cancel_each_other_took_effect() {
    let facts = compute(
        r"
@ root /testbed
run sed -i 's/old_name/new_name/g' src/a.py -> 0:
run sed -i 's/new_name/old_name/g' src/a.py -> 0:
run git diff -> 0:
",
    );
    check(edits(&facts), &["0 replace src/a.py source true silent", "1 replace src/a.py source true silent"]);
}

#[test]
fn a_patch_in_an_envelope_edits_its_files() {
    let facts = compute(
        r"
@ root /repo
[cwd=/repo] run apply_patch <<'PATCH'\n*** Begin Patch\n*** Update File: src/a.py\n@@ def f():\n-    return 1\n+    return 2\n*** Add File: tests/test_a.py\n+def test_f(): pass\n*** Delete File: src/old.py\n*** Update File: src/b.py\n*** Move to: src/c.py\n@@\n-x\n+y\n*** End Patch\nPATCH -> 0: Success. Updated the following files:\nM src/a.py
[cwd=/repo] run apply_patch '*** Begin Patch\n*** Update File: src/a.py\n@@\n-no such line\n+z\n*** End Patch' -> 1: Failed to find expected lines in /repo/src/a.py:\nno such line
[cwd=/repo] run cd src && applypatch <<EOF\n*** Begin Patch\n*** Update File: a.py\n@@\n-    return 2\n+    return 3\n*** End Patch\nEOF -> 0
",
    );
    check(
        edits(&facts),
        &[
            "0 replace src/a.py source true stated",
            "0 create tests/test_a.py test true stated",
            "0 delete src/old.py source true stated",
            "0 move src/c.py source true stated",
            "0 replace src/c.py source true stated",
            "1 replace src/a.py source false stated no_match",
            "2 replace src/a.py source true exit",
        ],
    );
}
