//! Target classes of edited files (`definitions.md` §3.1), by the first that fits.

use super::compute;

/// The class of a file that a command creates, or changes where it was there.
fn class(path: &str, is_new: bool) -> &'static str {
    let command = if is_new { format!("echo x > {path}") } else { format!("sed -i s/a/b/ {path}") };
    let facts = compute(&format!("@ root /testbed\nrun {command} -> 0:\n"));
    facts.edits[0].target.unwrap().as_str()
}

#[test]
fn files_that_were_there() {
    assert_eq!(class("src/a.py", false), "source");
    assert_eq!(class("tests/helpers.py", false), "test");
    assert_eq!(class("pkg/foo_test.go", false), "test");
    assert_eq!(class("src/FooTest.java", false), "test");
    assert_eq!(class("web/a.spec.ts", false), "test");
    assert_eq!(class("conftest.py", false), "test");
    assert_eq!(class("src/contest.py", false), "source");
    assert_eq!(class("latest/a.py", false), "source");
    assert_eq!(class("docs/conf.py", false), "docs");
    assert_eq!(class("CHANGELOG", false), "docs");
    assert_eq!(class("setup.cfg", false), "config");
    assert_eq!(class("pom.xml", false), "config");
    assert_eq!(class("Dockerfile", false), "config");
    assert_eq!(class(".github/workflows/x.yml", false), "config");
    assert_eq!(class("/usr/lib/python3/x.py", false), "outside");
    assert_eq!(class("/testbed/src/a.py", false), "source");
    // A product path that looks like a test's: the benchmark's row lists it.
    assert_eq!(class("django/test/client.py", false), "source");
}

#[test]
fn files_that_this_trajectory_made() {
    assert_eq!(class("src/new.py", true), "source");
    assert_eq!(class("tests/test_new.py", true), "test");
    assert_eq!(class("test_new.py", true), "scratch");
    assert_eq!(class("reproduce_issue.py", true), "scratch");
    assert_eq!(class("src/debug_it.py", true), "scratch");
    assert_eq!(class("/tmp/x.py", true), "scratch");
    assert_eq!(class("src/a.py.orig", true), "scratch");
    assert_eq!(class("notes.md", true), "scratch");
    assert_eq!(class("docs/notes.md", true), "docs");
}

#[test]
fn a_file_made_and_deleted_again_was_scratch() {
    let facts = compute("@ root /testbed\nrun echo x > src/try.py -> 0:\nrun rm src/try.py -> 0:\n");
    let targets: Vec<&str> = facts.edits.iter().map(|edit| edit.target.unwrap().as_str()).collect();
    assert_eq!(targets, ["scratch", "scratch"]);
}

#[test]
fn without_a_root_nothing_is_outside() {
    let facts = compute("run sed -i s/a/b/ /usr/lib/x.py -> 0:\n");
    assert_eq!(facts.repository_root, None);
    assert_eq!(facts.edits[0].target.unwrap().as_str(), "source");
}

#[test]
fn the_root_is_what_the_log_tells_first() {
    let root = |lines: &str| compute(lines).repository_root;
    assert_eq!(root("@ root /repo\n[cwd=/x] run ls -> 0: a\n").as_deref(), Some("/repo"));
    assert_eq!(root("[cwd=/owner__name] run ls -> 0: a\n").as_deref(), Some("/owner__name"));
    assert_eq!(root("[cwd=/] run cat /testbed/a.py -> 0: a\n").as_deref(), Some("/testbed"));
    assert_eq!(
        root("run cat /workspace/app/a.py /workspace/x.py -> 0: a\n").as_deref(),
        Some("/workspace/app")
    );
    assert_eq!(root("run cat /usr/lib/a.py -> 0: a\n"), None);
}
