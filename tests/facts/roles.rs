//! Roles: what each command is for (`definitions.md` §3), near misses beside it.

use super::{check, compute, role};

/// The roles of the segments of one command.
#[track_caller]
fn of(command: &str, want: &[&str]) {
    let facts = compute(&format!("@ root /testbed\nrun {command} -> 0: x\n"));
    check(facts.segments.iter().map(|segment| role(segment.role)).collect(), want);
}

#[test]
fn reading_and_searching() {
    of("cat a.py", &["exploration/read"]);
    of("sed -n 1,20p a.py", &["exploration/read"]);
    of("nl -ba a.py | sed -n '1,5p'", &["exploration/read", "filter"]);
    of("grep -rn x src | head -5", &["exploration/search", "filter"]);
    of("find . -name '*.py' | xargs grep -l x", &["exploration/search", "exploration/search"]);
    of("ls && cat a", &["exploration/search", "exploration/read"]);
    of("unzip -l x.zip", &["exploration/read"]);
    of("python -m json.tool x.json", &["exploration/read"]);
}

#[test]
fn history_review_and_environment() {
    of("git log --oneline -3", &["exploration/history"]);
    of("git -C sub --no-pager show HEAD", &["exploration/history"]);
    of("git stash list", &["exploration/history"]);
    of("git diff && git status", &["exploration/review", "exploration/review"]);
    of("git apply --stat x.patch", &["exploration/review"]);
    of("pip show x", &["exploration/env"]);
    of("python --version", &["exploration/env"]);
    of("which java", &["exploration/env"]);
    of("echo $PATH", &["exploration/env"]);
    of("pwd", &["exploration/env"]);
    of("pwd && ls", &["neutral", "exploration/search"]);
    of("echo done", &["neutral"]);
    of("echo $?", &["neutral"]);
}

#[test]
fn setup_and_execution() {
    of("pip install -e .", &["setup/install"]);
    of("python -m pip install x", &["setup/install"]);
    of("sudo apt-get install -y x", &["setup/install"]);
    of("npm ci", &["setup/install"]);
    of("chmod +x run.sh", &["setup/permission"]);
    of("source venv/bin/activate", &["setup/environment"]);
    of("python setup.py develop", &["setup/install"]);
    of("python setup.py build_ext --inplace", &["execution/build"]);
    of("make", &["execution/build"]);
    of("npm run build", &["execution/build"]);
    of("npm run dev", &["execution/service"]);
    of("python -m py_compile a.py", &["execution/build"]);
    of("mypy src", &["execution/build"]);
    of("python manage.py runserver", &["execution/service"]);
    of("./tool --run", &["execution/run"]);
    of("bash -n run.sh", &["execution/build"]);
}

#[test]
fn no_tag_and_no_command() {
    of("cd src", &["neutral"]);
    of("mkdir -p x && sleep 2", &["neutral", "neutral"]);
    of("export A=b", &["neutral"]);
    of("git add -A && git commit -qm x", &["neutral", "neutral"]);
    of("git checkout -b fix", &["neutral"]);
    let prose =
        compute("run The tests pass now, so I will look at the file. -> 127: bash: The: command not found\n");
    check(prose.segments.iter().map(|segment| role(segment.role)).collect(), &["unknown"]);
    // A known program that is missing was tried all the same.
    let missing = compute("run mvn compile -> 127: bash: mvn: command not found\n");
    check(missing.segments.iter().map(|segment| role(segment.role)).collect(), &["execution/build"]);
}

#[test]
fn reading_an_edited_file_is_a_review() {
    let facts = compute(
        r"
@ root /testbed
run cat src/a.py -> 0: x
run sed -i s/x/y/ src/a.py -> 0:
run cat src/a.py -> 0: y
run grep -n y src/a.py -> 0: 1:y
run git checkout -- src/a.py -> 0: Updated 1 path from the index
run cat src/a.py -> 0: x
",
    );
    let roles: Vec<String> = facts.segments.iter().map(|segment| role(segment.role)).collect();
    check(
        roles,
        &[
            "exploration/read",
            "editing",
            "exploration/review",
            "exploration/search",
            "editing",
            "exploration/read",
        ],
    );
}

#[test]
fn a_submission_is_the_scaffolds_own_means() {
    let facts = compute(
        r"
@ scaffold mini-swe-agent
run echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached -> 0: diff --git a/a b/a
",
    );
    // The diff is what is handed in, no look at it.
    check(
        facts.segments.iter().map(|segment| role(segment.role)).collect(),
        &["submission", "neutral", "neutral"],
    );
    let searched =
        compute("@ scaffold mini-swe-agent\nrun grep -rn COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT . -> 1:\n");
    check(searched.segments.iter().map(|segment| role(segment.role)).collect(), &["exploration/search"]);
}

#[test]
fn a_part_behind_a_failed_one_did_not_run() {
    let facts =
        compute("run javac A.java && java A -> 127: bash: javac: command not found\nrun ls; cat x -> 0: x\n");
    let ran: Vec<Option<bool>> = facts.segments.iter().map(|segment| segment.ran).collect();
    assert_eq!(ran, [Some(false), Some(false), Some(true), Some(true)]);
}
