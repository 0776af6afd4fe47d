//! User rules from the outermost side: files that are refused, and what a store says of those that are not.

use std::fs;
use std::path::Path;

use crate::support::{ethogram, repository};

/// A rule that is sound, with one line of it replaced.
fn rule(from: &str, to: &str) -> String {
    let text = r#"[[rule]]
code = "lints"
name = "runs the linter"
tag = "execution"
when = { program = "ruff", subcommand = "check" }
examples = '''
run ruff check . -> 0: ok   #! execution/lints
'''
near_misses = '''
run ruff format . -> 0: ok
'''
"#;
    assert!(text.contains(from), "{from} is no part of the rule");
    text.replacen(from, to, 1)
}

/// What the program says of a file of rules.
#[track_caller]
fn refused(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.toml"), text).unwrap();
    let ran = ethogram(folder.path(), &["list", "rules", "--rules", "r.toml"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    ran.stderr
}

#[track_caller]
fn says(text: &str, wanted: &[&str]) {
    let said = refused(text);
    for want in wanted {
        assert!(said.contains(want), "{want:?} is not in:\n{said}");
    }
}

#[test]
fn a_sound_rule_is_listed_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.toml"), rule("[[rule]]", "[[rule]]")).unwrap();
    let listed = ethogram(folder.path(), &["list", "rules", "--rules", "r.toml"]);
    assert!(
        listed
            .stdout
            .lines()
            .any(|line| line.starts_with("execution/lints") && line.contains("runs the linter"))
    );
    for name in ["lints", "execution/lints", "rule:lints"] {
        let said = ethogram(folder.path(), &["explain", name, "--rules", "r.toml"]).stdout;
        for want in
            ["Runs the linter.", "run ruff check . -> 0: ok", "run ruff format .", "behaviour `rule:lints`"]
        {
            assert!(said.contains(want), "{name}: {want:?} is not in:\n{said}");
        }
    }
}

#[test]
fn a_failing_example_names_line_expectation_and_what_came() {
    // Line 7 is the example.
    says(
        &rule("run ruff check . ->", "run ruff clean . ->"),
        &[
            "r.toml:7:",
            "`execution/lints` is expected and did not come",
            "program `ruff`, subcommand `clean`",
        ],
    );
    says(
        &rule("run ruff format .", "run uvx true; ruff check ."),
        &["r.toml:10:", "`execution/lints` is not expected and came", "subcommand `check`"],
    );
    says(&rule("   #! execution/lints", ""), &["r.toml:7:", "not expected and came"]);
    says(
        &rule("run ruff check . -> 0: ok   #! execution/lints", "run ls -> 0: a"),
        &["no example marks a turn"],
    );
    says(
        &rule("run ruff format . -> 0: ok", "run ruff format . -> 0: ok   #! execution/lints"),
        &["r.toml:10:", "near miss"],
    );
    says(
        &rule("#! execution/lints", "#! execution/build"),
        &["the mark `execution/build` is not that of this rule"],
    );
    says(&rule("run ruff check .", "walk ruff check ."), &["r.toml:7:", "no turn line"]);
}

#[test]
fn what_is_misspelt_names_the_nearest() {
    says(
        &rule("name =", "nmae ="),
        &["r.toml:3:", "`nmae` is no key here; did you mean `name`?", "a rule needs `name`"],
    );
    says(&rule("{ program =", "{ progam ="), &["r.toml:5:", "did you mean `program`?"]);
    says(&rule("\"ruff\"", "{ prefx = \"ruff\" }"), &["r.toml:5:", "did you mean `prefix`?"]);
    says(&rule("\"execution\"", "\"exection\""), &["r.toml:4:", "did you mean `execution`?"]);
    says(&rule("\"execution\"", "\"loop\""), &["r.toml:4:", "`loop` is of whole runs"]);
    says(&rule("[[rule]]", "[[rules]]"), &["r.toml:1:", "did you mean `rule`?"]);
    says("", &["r.toml:1:", "it holds no [[rule]]"]);
    says("rule = [", &["r.toml:1:"]);
}

#[test]
fn codes_are_free_plain_and_named_once() {
    for taken in ["editing", "suite", "autonomous_edit", "funnel"] {
        says(
            &rule("\"lints\"", &format!("\"{taken}\""))
                .replace("execution/lints", &format!("execution/{taken}")),
            &[taken],
        );
    }
    says(&rule("\"lints\"", "\"L1\""), &["r.toml:2:", "`L1` is no code"]);
    let twice = rule("[[rule]]", "[[rule]]") + &rule("[[rule]]", "[[rule]]");
    says(&twice, &["r.toml:12:", "the code `lints` stands in r.toml:1 already"]);
}

#[test]
fn a_text_alone_does_not_say_what_was_done() {
    let alone = "each way to meet `when` must name a segment or tool (program, subcommand, tool, host, path, argument)";
    let when = "{ program = \"ruff\", subcommand = \"check\" }";
    for refused in [
        "{ observation = \"x\" }",
        "{ text = { regex = \"ruff\" } }",
        "{ none = [{ program = \"ls\" }] }",
        "{ any = [{ program = \"ruff\" }, { text = \"ruff\" }] }",
    ] {
        says(&rule(when, refused), &["r.toml:5:", alone]);
    }
    let folder = tempfile::tempdir().unwrap();
    let both = "{ any = [{ program = \"ruff\" }, { tool = \"lint\" }], subcommand = \"check\", observation = { suffix = \"ok\" } }";
    fs::write(folder.path().join("r.toml"), rule(when, both)).unwrap();
    assert_eq!(ethogram(folder.path(), &["list", "rules", "--rules", "r.toml"]).code, 0);
}

#[test]
fn patterns_have_limits() {
    says(&rule("\"ruff\"", "{ regex = '(' }"), &["r.toml:5:", "is no pattern"]);
    says(
        &rule("\"ruff\"", "{ regex = '(((a{90}){90}){90}){90}' }"),
        &["r.toml:5:", "is no pattern", "size limit"],
    );
    says(&rule("\"ruff\"", "{ glob = '[' }"), &["r.toml:5:", "is no glob"]);
    says(
        &rule(
            "\"ruff\"",
            &format!("'{}'", "a").replace("'a'", &format!("{{ regex = '{}' }}", "a".repeat(1_001))),
        ),
        &["longer than 1000"],
    );
    let deep = format!("{}{{ program = \"ruff\" }}{}", "{ all = [".repeat(18), "] }".repeat(18));
    says(&rule("{ program = \"ruff\", subcommand = \"check\" }", &deep), &["conditions within conditions"]);
}

/// The blocks of `docs/rules.md` are a file of rules that loads.
fn documented() -> String {
    let page = fs::read_to_string(repository().join("docs/rules.md")).unwrap();
    let blocks: Vec<&str> =
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 3, "docs/rules.md shows rules");
    blocks.concat()
}

#[test]
fn the_rules_of_the_page_load() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.toml"), documented()).unwrap();
    let ran = ethogram(folder.path(), &["list", "rules", "--rules", "r.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let wanted = [
        "exploration/reads_tracker",
        "execution/ruff_check",
        "editing/stashes",
        "network/calls_model",
        "execution/segfaults",
    ];
    for want in wanted {
        assert!(ran.stdout.contains(want), "{want} is not in:\n{}", ran.stdout);
    }
}

#[test]
fn the_statement_of_the_page_runs() {
    let page = fs::read_to_string(repository().join("docs/rules.md")).unwrap();
    let statement = page.split("```sql\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    study(folder.path());
    let rows = csv(folder.path(), &statement.replace("rule:ruff_check", "rule:tests"));
    assert_eq!(rows.len(), 2, "an arm a row: {rows:?}");
    assert!(rows.iter().all(|row| row.ends_with(",12")), "six instances, two runs: {rows:?}");
}

/// Two arms, the first study's logs, tagged by a rule that some runs meet.
fn study(folder: &Path) -> std::path::PathBuf {
    std::os::unix::fs::symlink(repository().join("fixtures"), folder.join("fixtures")).unwrap();
    fs::write(folder.join("r.toml"), tests_rule("tests")).unwrap();
    let ran = ethogram(
        folder,
        &["study", "fixtures/studies/first/study.toml", "--rules", "r.toml", "--out", "out"],
    );
    assert!(ran.code < 2, "{}", ran.stderr);
    folder.join("out/store")
}

fn tests_rule(code: &str) -> String {
    format!(
        "[[rule]]\ncode = \"{code}\"\nname = \"runs pytest\"\ntag = \"testing\"\nwhen = {{ program = \"pytest\" }}\n\
         examples = \"run pytest -q -> 0: 1 passed in 0.1s   #! testing/{code}\"\nnear_misses = \"run ls -> 0: a\"\n"
    )
}

fn csv(folder: &Path, statement: &str) -> Vec<String> {
    let ran = ethogram(folder, &["query", "out/store", statement, "--format", "csv"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_study_counts_its_rules_by_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = study(folder.path());
    let rows = csv(
        folder.path(),
        "SELECT trajectory_id, turn, call, segment, rule, rule_version, field, from_byte, to_byte FROM tags WHERE code = 'tests' \
         ORDER BY trajectory_id, turn, call, segment",
    );
    // An independent count: segments whose program is pytest.
    let programs = csv(
        folder.path(),
        "SELECT trajectory_id, turn, call, segment, from_byte, to_byte FROM segments WHERE program = 'pytest' \
         ORDER BY trajectory_id, turn, call, segment",
    );
    assert!(!rows.is_empty(), "some run of the fixture runs pytest");
    assert_eq!(rows.len(), programs.len());
    for (row, program) in rows.iter().zip(&programs) {
        let row: Vec<&str> = row.split(',').collect();
        let program: Vec<&str> = program.split(',').collect();
        assert_eq!((&row[..4], row[4], row[6]), (&program[..4], "tests", "input"));
        assert_eq!(&row[7..], &program[4..], "the evidence is the command");
    }
    let with: Vec<String> = csv(
        folder.path(),
        "SELECT arm, CAST(SUM(num) AS BIGINT) AS runs_with, CAST(COUNT(*) AS BIGINT) AS runs FROM run_behaviours \
         WHERE behaviour = 'rule:tests' GROUP BY arm ORDER BY arm",
    );
    let by_hand: Vec<String> = csv(
        folder.path(),
        "WITH t AS (SELECT DISTINCT segments.trajectory_id AS tid FROM segments JOIN turns ON segments.trajectory_id = \
         turns.trajectory_id AND segments.turn = turns.turn WHERE program = 'pytest' AND turns.origin = 'model') \
         SELECT runs.arm, CAST(COUNT(t.tid) AS BIGINT) AS runs_with, CAST(COUNT(*) AS BIGINT) AS runs FROM runs \
         LEFT JOIN t ON runs.trajectory_id = t.tid WHERE runs.has_log = 1 GROUP BY runs.arm ORDER BY arm",
    );
    assert_eq!(with, by_hand);
    for table in ["T4", "T5"] {
        let ran = ethogram(folder.path(), &["report", store.to_str().unwrap(), table, "--format", "csv"]);
        assert!(ran.stdout.contains("rule tests"), "{table}:\n{}", ran.stdout);
    }
}

#[test]
fn only_what_changed_is_tagged_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = study(folder.path());
    let tag = |rules: &[&str]| {
        let store = store.to_str().unwrap();
        let ran = ethogram(folder.path(), &[&["tag", store], rules].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let parts = |table: &str| {
        let manifest: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(store.join("manifest.json")).unwrap()).unwrap();
        (manifest["parts"][table].clone(), manifest["contents"]["rules"].clone())
    };
    let (tags, rules) = parts("tags");
    let (segments, _) = parts("segments");
    assert!(rules["tests"].as_i64().unwrap() > 0);
    assert!(tag(&["--rules", "r.toml"]).contains("already"));
    // Words and examples are no part of the version; what it matches is.
    let other = tests_rule("tests").replace("runs pytest", "calls pytest").replace("-q", "-x");
    fs::write(folder.path().join("r.toml"), &other).unwrap();
    assert!(tag(&["--rules", "r.toml"]).contains("already"));
    fs::write(
        folder.path().join("r.toml"),
        other.replace("{ program = \"pytest\" }", "{ program = [\"pytest\", \"tox\"] }"),
    )
    .unwrap();
    assert!(tag(&["--rules", "r.toml"]).contains("rules that came, changed or went: tests"));
    assert_ne!(parts("tags").1["tests"], rules["tests"]);
    assert_eq!(parts("segments").0, segments);
    // Without rules they go; with those of before the same bytes come back.
    assert!(tag(&[]).contains("tests"));
    assert!(csv(folder.path(), "SELECT turn FROM tags WHERE code = 'tests'").is_empty());
    assert!(csv(folder.path(), "SELECT num FROM behaviours WHERE behaviour = 'rule:tests'").is_empty());
    fs::write(folder.path().join("r.toml"), tests_rule("tests")).unwrap();
    tag(&["--rules", "r.toml"]);
    assert_eq!(parts("tags"), (tags, rules));
}

#[test]
fn a_study_whose_rules_change_reads_no_log_again() {
    let folder = tempfile::tempdir().unwrap();
    study(folder.path());
    let before = csv(
        folder.path(),
        "SELECT trajectory_id, code FROM tags WHERE code = 'tests' ORDER BY trajectory_id",
    );
    fs::write(folder.path().join("r.toml"), tests_rule("checks")).unwrap();
    let ran = ethogram(
        folder.path(),
        &["study", "fixtures/studies/first/study.toml", "--rules", "r.toml", "--out", "out"],
    );
    assert!(ran.code < 2, "{}", ran.stderr);
    let after = csv(
        folder.path(),
        "SELECT trajectory_id, code FROM tags WHERE code = 'checks' ORDER BY trajectory_id",
    );
    assert_eq!(after, before.iter().map(|row| row.replace("tests", "checks")).collect::<Vec<_>>());
    assert!(csv(folder.path(), "SELECT turn FROM tags WHERE code = 'tests'").is_empty());
}

#[test]
fn logs_that_come_later_come_by_the_same_rules() {
    let folder = tempfile::tempdir().unwrap();
    study(folder.path());
    let logs = fs::read_dir(repository().join("fixtures/studies/first"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.is_dir() && !path.ends_with("want"))
        .unwrap();
    let logs = logs.to_str().unwrap();
    let ran = ethogram(folder.path(), &["ingest", logs, "--arm", "later", "--store", "out/store"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("tagged by `tests`, and no user rules are given"), "{}", ran.stderr);
    let ran = ethogram(
        folder.path(),
        &["ingest", logs, "--arm", "later", "--store", "out/store", "--rules", "r.toml"],
    );
    assert!(ran.code < 2, "{}", ran.stderr);
    let rows = csv(
        folder.path(),
        "SELECT behaviours.num FROM behaviours JOIN trajectories ON behaviours.trajectory_id = trajectories.trajectory_id \
         WHERE trajectories.arm = 'later' AND behaviours.behaviour = 'rule:tests'",
    );
    assert!(!rows.is_empty());
}

#[test]
fn inspect_and_show_try_rules_out() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(repository().join("fixtures"), folder.path().join("fixtures")).unwrap();
    fs::write(folder.path().join("r.toml"), tests_rule("tests")).unwrap();
    let first = "fixtures/studies/first";
    let ran = ethogram(folder.path(), &["inspect", first, "--tags", "--rules", "r.toml", "--json"]);
    assert!(ran.stdout.contains("\"tag\":\"testing\",\"code\":\"tests\""), "{}\n{}", ran.stderr, ran.stdout);
    let ran = ethogram(folder.path(), &["study", &format!("{first}/study.toml"), "--out", "out"]);
    assert!(ran.code < 2, "{}", ran.stderr);
    let id = csv(
        folder.path(),
        "SELECT trajectory_id FROM segments WHERE program = 'pytest' ORDER BY trajectory_id",
    )[0]
    .clone();
    let with = ethogram(folder.path(), &["show", "out/store", &id, "--tags", "--rules", "r.toml"]).stdout;
    assert!(with.contains("testing/tests"), "{with}");
    let without = ethogram(folder.path(), &["show", "out/store", &id, "--tags"]).stdout;
    assert!(!without.contains("testing/tests"), "the store stays as it is");
}

#[test]
fn a_study_file_names_rules_and_primary_rows_of_them() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(repository().join("fixtures"), folder.path().join("fixtures")).unwrap();
    fs::write(folder.path().join("r.toml"), tests_rule("tests")).unwrap();
    let study = |primary: &str| {
        let first = repository().join("fixtures/studies/first");
        let text = fs::read_to_string(first.join("study.toml")).unwrap();
        let text = text
            .replace("logs = \"", "logs = \"fixtures/studies/first/")
            .replace("outcomes = \"", "outcomes = \"fixtures/studies/first/");
        let compare = format!("[compare]\nprimary = [\"{primary}\"]\n");
        let text = if text.contains("[compare]") { text } else { text + &compare };
        let text = format!("rules = \"r.toml\"\n{text}");
        fs::write(folder.path().join("study.toml"), text).unwrap();
        ethogram(folder.path(), &["study", "study.toml", "--out", "out"])
    };
    let ran = study("rule:tests");
    assert!(ran.code < 2, "{}", ran.stderr);
    assert!(!csv(folder.path(), "SELECT num FROM behaviours WHERE behaviour = 'rule:tests'").is_empty());
    let ran = study("rule:test");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("did you mean `tests`?"), "{}", ran.stderr);
}
