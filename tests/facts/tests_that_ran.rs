//! Test runs: kind, outcome, reason, and the contrast with an earlier run.

use super::{check, compute, tests};

#[test]
fn runners_scripts_and_inline_code() {
    let facts = compute(
        r#"
@ root /testbed
@ instance django__django-1
run pytest -q -> 0: 3 passed in 0.1s
run python -m pytest tests/test_a.py -> 1: 1 failed in 0.1s
run cat > repro.py <<'EOF'\nimport django\nassert django.f() == 1, "no"\nprint("PASS")\nEOF -> 0:
run python repro.py -> 1: Traceback (most recent call last):\n  File "repro.py", line 2, in <module>\nAssertionError: no
run python repro.py -> 0: PASS
run python -c "import django; print(django.f())" -> 0: 1
run python -c "import django; print(django.VERSION)" -> 0: (4, 0)
run python -c "import json; print(json.load(open('x.json')))" -> 0: {}
run pytest --collect-only -q -> 0: tests/test_a.py::test_x
run cat tests/test_a.py -> 0: def test_x
"#,
    );
    check(
        tests(&facts),
        &["0 suite pass", "1 targeted fail", "3 repro fail", "4 repro pass", "5 inline unknown"],
    );
    assert!(facts.test_runs[2].asserts && !facts.test_runs[4].asserts);
    assert_eq!(facts.test_runs[2].command_key, facts.test_runs[3].command_key);
    assert_ne!(facts.test_runs[2].result_key, facts.test_runs[3].result_key);
}

#[test]
fn what_did_not_run_is_no_verdict() {
    let facts = compute(
        r"
@ root /r
run echo 'class A {}' > Reproduce.java -> 0:
run javac Reproduce.java && java Reproduce -> 127: bash: javac: command not found
run mvn test -> 127: bash: mvn: command not found
run python repro_missing.py -> 2: python: can't open file '/r/repro_missing.py': [Errno 2] No such file or directory
run pytest -q -> 124 timeout: tests/test_a.py ..
run pytest -q
",
    );
    check(
        tests(&facts),
        &[
            "1 repro not_run skipped",
            "2 suite not_run missing",
            "3 repro not_run missing",
            "4 suite not_run timeout",
            "5 suite unknown",
        ],
    );
}

#[test]
fn a_failure_that_is_gone_is_a_contrast() {
    let facts = compute(
        r#"
@ root /r
@ task It raises a KeyError when x is empty.
run cat > repro.py <<'EOF'\nimport lib\nprint(lib.f({}))\nEOF -> 0:
run python repro.py -> 1: Traceback (most recent call last):\n  File "repro.py", line 2, in <module>\nKeyError: 'x'
run sed -i s/a/b/ src/lib.py -> 0:
run cd /r && python repro.py -> 0: {}
run python repro.py --other -> 0: {}
"#,
    );
    check(tests(&facts), &["1 repro fail", "3 repro pass", "4 repro unknown"]);
    assert_eq!(facts.test_runs[1].evidence.as_str(), "contrast");
}

#[test]
fn a_tool_is_no_test() {
    let facts = compute(
        r#"
@ root /r
run cat > fix_it.py <<'EOF'\np = 'src/a.py'\ns = open(p).read()\nopen(p, 'w').write(s.replace('a', 'b'))\nEOF -> 0:
run python fix_it.py -> 0:
run ./configure -> 0: checking for gcc
run python manage.py migrate -> 0: OK
"#,
    );
    check(tests(&facts), &[]);
    check(
        super::edits(&facts),
        &["0 create fix_it.py scratch true exit", "1 replace src/a.py source true silent"],
    );
}
