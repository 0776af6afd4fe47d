//! Inline and authored code: files that it writes, whether they were written, and what it says of that.

use super::{check, compute, edits};

#[test]
fn code_writes_the_files_that_it_names() {
    let facts = compute(
        r#"
@ root /r
run python - <<'EOF'\nfrom pathlib import Path\np = Path('src/a.py')\np.write_text(p.read_text().replace('a', 'b'))\nEOF -> 0:
run python -c "open('new.txt', 'w').write('x')" -> 0:
run python - <<'EOF'\nfor f in ['src/a.py', 'src/b.py']:\n    s = open(f).read()\n    open(f, 'w').write(s + 'x')\nEOF -> 0:
run python - <<'EOF'\nimport os\nos.remove('new.txt')\nos.rename('src/a.py', 'src/c.py')\nEOF -> 0:
run python - <<'EOF'\n# open('no.txt', 'w')\nprint("open('no.txt', 'w')")\nopen('src/c.py')\nEOF -> 0: x
run node -e "require('fs').writeFileSync('out.json', '{}')" -> 0:
run perl -pi -e 's/a/b/' src/c.py -> 0:
"#,
    );
    check(
        edits(&facts),
        &[
            "0 replace src/a.py source true silent",
            "1 create new.txt scratch true exit",
            "2 replace src/a.py source true silent",
            "2 replace src/b.py source true silent",
            "3 delete new.txt scratch true exit",
            "3 move src/c.py source true exit",
            "5 create out.json scratch true exit",
            "6 replace src/c.py source true silent",
        ],
    );
}

#[test]
fn code_that_failed_before_it_wrote_wrote_nothing() {
    let facts = compute(
        r#"
@ root /r
run python - <<'EOF'\ns = open('src/a.py').read()\nassert 'x' in s\nopen('src/a.py', 'w').write(s.replace('x', 'y'))\nEOF -> 1: Traceback (most recent call last):\n  File "<stdin>", line 2, in <module>\nAssertionError
run python - <<'EOF'\ns = open('src/a.py').read()\nopen('src/a.py', 'w').write(s.replace('x', 'y'))\nimport src.a\nEOF -> 1: Traceback (most recent call last):\n  File "<stdin>", line 3, in <module>\n  File "/r/src/a.py", line 9\nSyntaxError: invalid syntax
run python - <<'EOF'\nopen('src/a.py', 'w').write('x'\nEOF -> 1:   File "<stdin>", line 2\n    x\n    ^\nSyntaxError: invalid syntax
run python - <<'EOF'\ns = open('src/a.py').read()\nif 'x' not in s:\n    print('pattern not found')\nopen('src/a.py', 'w').write(s.replace('x', 'y'))\nEOF -> 0: pattern not found
"#,
    );
    check(
        edits(&facts),
        &[
            "0 replace src/a.py source false stated no_match",
            "1 replace src/a.py source true silent",
            "2 create src/a.py source false stated malformed",
            "3 replace src/a.py source false stated no_match",
        ],
    );
}

#[test]
fn a_reproduction_that_writes_its_own_input_edits_nothing() {
    let facts = compute(
        r#"
@ root /r
run cat > repro.py <<'EOF'\nimport lib\nopen('input.xml', 'w').write('<a/>')\nprint(lib.read('input.xml'))\nEOF -> 0:
run python repro.py -> 0: a
"#,
    );
    check(edits(&facts), &["0 create repro.py scratch true exit"]);
    check(super::tests(&facts), &["1 repro unknown"]);
}
