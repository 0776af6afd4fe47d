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

#[test]
fn a_code_mod_that_gives_up_or_writes_assertions_is_no_test() {
    let facts = compute(
        r#"
@ root /r
run cat > apply_fix.py <<'EOF'\nimport sys\np = 'src/a.py'\nwith open(p) as f:\n    s = f.read()\nif 'old' not in s:\n    print('Could not find the block')\n    sys.exit(1)\nwith open(p, 'w') as f:\n    f.write(s.replace('old', """\n    assert x\n"""))\nprint('Successfully applied fix.')\nEOF -> 0:
run python apply_fix.py -> 0: Successfully applied fix.
run cat > test_mod.py <<'EOF'\np = 'src/a.py'\ns = open(p).read()\nopen(p, 'w').write(s)\nassert open(p).read() == s\nEOF -> 0:
run python test_mod.py -> 0:
run cat > apply_and_try.py <<'EOF'\nimport lib\ns = open('src/a.py').read()\nopen('src/a.py', 'w').write(s)\nassert lib.f() == 1\nEOF -> 0:
run python apply_and_try.py -> 0:
"#,
    );
    check(tests(&facts), &["3 repro pass", "5 repro pass"]);
    assert!(super::edits(&facts).contains(&"1 replace src/a.py source true silent".to_owned()));
}

#[test]
fn in_a_terminal_task_only_the_workspace_is_the_project() {
    let facts = super::compute_terminal(
        r#"
run cat > /app/solver.py <<'EOF'\ndef f(): return 1\nEOF -> 0:
run python3 -c "from solver import f; print(f())" -> 0: 1
run python3 -c "from transformers import AutoModel; print(AutoModel)" -> 0: <class>
run python3 -c "import urllib.request; print('urllib ok')" -> 0: urllib ok
run python3 -c "import decimal; print('{:f}'.format(decimal.Decimal('-0')))" -> 0: -0
run echo 42 > /app/answer.txt -> 0:
run python3 -c "v = int(open('/app/answer.txt').read()); assert v > 1; print('OK', v)" -> 0: OK 42
run python3 -c "v = open('/data/in.txt').read(); assert v; print('OK', v)" -> 0: OK 42
run echo "$X" | python3 -c "import sys, json; print(json.load(sys.stdin)['a'])" -> 0: 1
"#,
    );
    check(tests(&facts), &["1 inline unknown", "6 inline pass"]);
    let tagged: Vec<_> = facts.segments.iter().map(|segment| format!("{:?}", segment.role)).collect();
    assert_eq!(tagged[3..5], ["Exploration(Env)", "Execution(Run)"]);
}

#[test]
fn the_calls_of_a_program_are_what_the_turn_does() {
    let facts = super::compute_terminal(
        r#"
run@execute_program node - <<'P'\nconst script = `import solver\\nprint(solver.f(${n}))\\n`;\nawait tools.write_file({ file_path: "/tmp/try.py", content: script });\nconst [a, b] = await Promise.all([\n  tools.read_code({filePath: '/app/a.c', readFullFile: true}),\n  tools.bash({command: "cd /app && pytest tests 2>&1 | tail -3"}),\n]);\nconsole.log(a, b); // my_tools.bash({command: 'rm x'})\nP -> 0: ===== 2 passed in 0.1s =====
"#,
    );
    check(super::edits(&facts), &["0 create /tmp/try.py scratch true silent"]);
    check(tests(&facts), &["0 targeted pass"]);
    let roles: Vec<_> =
        facts.segments.iter().map(|one| (one.program.as_str(), format!("{:?}", one.role))).collect();
    assert_eq!(roles[0], ("node", "Neutral".to_owned()));
    assert!(roles.contains(&("cat", "Exploration(Read)".to_owned())));
    assert!(!roles.iter().any(|(program, _)| *program == "rm"));
}

#[test]
fn a_picture_beside_a_test_is_output() {
    let facts = compute(
        r#"
@ root /r
run python -c "import lib; lib.plot().savefig('out.png')" -> 0:
run python3 -c "from PIL import Image; Image.open('a.png').crop((1, 2, 3, 4)).save('/tmp/b.png')" -> 0:
run python3 -c "from PIL import Image; form.save('draft')" -> 0:
"#,
    );
    check(super::edits(&facts), &["1 create /tmp/b.png scratch true exit"]);
}

#[test]
fn what_is_added_to_an_unknown_script_is_not_its_whole_text() {
    let facts = compute(
        r#"
@ root /r
run cat > repro.py <<'EOF'\nimport lib\nprint('ISSUE NOT REPRODUCED')\nEOF -> 0:
run sed -i 's/import \(lib\)/import \1; print(1)/' repro.py -> 0:
run echo "print(2)" >> repro.py -> 0:
run python repro.py -> 0: 1\nISSUE NOT REPRODUCED\n2
"#,
    );
    check(tests(&facts), &["3 repro pass"]);
}
