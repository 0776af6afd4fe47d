//! Examples of recoveries: for every code one that is, and near misses that are not.

use crate::tags::Example;

pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "R1: a refused response, then a valid turn",
        log: r"
            unparsable I would look at it.
            run ls -> 0: a.py   #! recovery/R1
        ",
    },
    Example {
        name: "R1: several refusals in a row recover at once",
        log: r"
            unparsable hm
            unparsable hm again
            run ls -> 0: a.py   #! recovery/R1
        ",
    },
    Example {
        name: "R1: a refusal of which the log keeps no response",
        log: r"
            run ls -> 0: a.py
            refused
            refused
            run cat a.py -> 0: x = 1   #! recovery/R1
        ",
    },
    Example {
        name: "near miss R1: too late",
        log: r"
            unparsable one
            say two
            say three
            say four
            run ls -> 0: a.py
        ",
    },
    Example {
        name: "R2: the right path at the second try",
        log: r"
            run cat src/b.py -> 1: cat: src/b.py: No such file or directory
            run ls src -> 0: a.py
            run cat src/a.py -> 0: x = 1   #! recovery/R2
        ",
    },
    Example {
        name: "R2: an error text counts whatever the pipe's exit code says",
        log: r"
            run nl -ba tests | sed -n '1,40p' -> 0: nl: tests: Is a directory
            run nl -ba tests/test_a.py | sed -n '1,40p' -> 0: 1 x = 1   #! recovery/R2
        ",
    },
    Example {
        name: "R2: a program that was missing",
        log: r"
            run xxd -l 16 a.bin | head -2 -> 0: bash: line 1: xxd: command not found
            run apt-get install -y xxd -> 0: Setting up xxd
            run xxd -l 32 a.bin | head -2 -> 0: 00000000: 00   #! recovery/R2
        ",
    },
    Example {
        name: "R2: an installation whose errors went through a pipe",
        log: r"
            run pip3 install chess | tail -5 -> 0: error: externally-managed-environment\n\nhint: See PEP 668
            run pip3 install --break-system-packages chess | tail -5 -> 0: Successfully installed chess   #! recovery/R2
        ",
    },
    Example {
        name: "near miss R2: an error that is only read",
        log: r"
            run cat build.log | tail -5 -> 0: error: externally-managed-environment
            run cat b.log | tail -5 -> 0: done
        ",
    },
    Example {
        name: "R2: a push of which the pipe tells nothing",
        log: r"
            run git push origin a |& tee push.log -> 0: fatal: unable to access 'https://example.org/a.git/': Could not resolve host
            run git push local a |& tee push.log -> 0: To /srv/a.git   #! recovery/R2
        ",
    },
    Example {
        name: "near miss R2: another script of npm",
        log: r#"
            run npm run lint && echo "passed" -> 1: ✖ 2 problems
            run npm run build && echo "built" -> 0: built
        "#,
    },
    Example {
        name: "near miss R2: a program that is not there is looked for, not run",
        log: r"
            run which stockfish -> 1
            run which gnuchess -> 0: /usr/games/gnuchess
        ",
    },
    Example {
        name: "R3: a line replaced by itself, then by another",
        log: r"
            @ commands swe-agent
            run open a.py -> ?: [File: /r/a.py (2 lines total)]\n1:x = 1\n2:y = 2
            run edit 1:1\nx = 1\nend_of_edit -> ?: [File: /r/a.py (2 lines total)]\n1:x = 1\n2:y = 2\nFile updated. Please review the changes.
            run edit 1:1\nx = 2\nend_of_edit -> ?: [File: /r/a.py (2 lines total)]\n1:x = 2\n2:y = 2\nFile updated. Please review the changes.   #! recovery/R3
        ",
    },
    Example {
        name: "R2: the script that it runs was mended",
        log: r#"
            create reproduce.py: import aa -> ok
            run python reproduce.py -> 1: Traceback (most recent call last):\n  File "/testbed/reproduce.py", line 1, in <module>\n    import aa\nModuleNotFoundError: No module named 'aa'
            edit reproduce.py: import aa => import a -> ok
            run python reproduce.py -> 0: 3   #! recovery/R2
        "#,
    },
    Example {
        name: "R2: a test that could not run, then one that ran, whatever its verdict",
        log: r"
            run pytest -q tests/test_b.py -> 4: ERROR: file or directory not found: tests/test_b.py\n\nno tests ran in 0.01s
            run pytest -q tests/test_a.py -> 1: 1 failed in 0.1s   #! recovery/R2
        ",
    },
    Example {
        name: "R2: a rejected form of a tool, then the right one",
        log: r#"
            [parsable, reason=missing argument] tool@grep {} -> error: missing argument: pattern
            tool@grep {"pattern": "x"} -> ok: a.py   #! recovery/R2
        "#,
    },
    Example {
        name: "near miss R2: another program, another script, the same arguments, or too late",
        log: r"
            run cat src/b.py -> 1: cat: src/b.py: No such file or directory
            run head src/a.py -> 0: x = 1
            run python check.py -> 2: python: can't open file 'check.py': [Errno 2] No such file or directory
            run python other.py -> 0: done
            run ls src/b -> 2: ls: cannot access 'src/b': No such file or directory
            run git status -> 0: nothing to commit
            run git log --oneline -> 0: abc fix
            run git diff -> 0:
            run ls src -> 0: a.py
        ",
    },
    Example {
        name: "near miss R2: a search without a match and files that differ are no failures",
        log: r"
            run grep -rn foo src -> 1:
            run grep -rn bar src -> 0: src/a.py:1:bar
            run diff a.py b.py -> 1: 1c1\n< x\n---\n> y
            run diff a.py a.py -> 0:
        ",
    },
    Example {
        name: "near miss R2: inline code has no name to be found again by",
        log: r#"
            run python -c "import aa" -> 1: ModuleNotFoundError: No module named 'aa'
            run python -c "print(1)" -> 0: 1
        "#,
    },
    Example {
        name: "R3: the second edit of the file takes effect",
        log: r"
            edit src/a.py: x = 7 => x = 2 -> error: No match found for the old text
            view src/a.py: 1-20 -> ok: x = 1
            edit src/a.py: x = 1 => x = 2 -> ok   #! recovery/R3
        ",
    },
    Example {
        name: "near miss R3: another file, a revert, or too late",
        log: r"
            edit src/a.py: x = 7 => x = 2 -> error: No match found for the old text
            edit src/b.py: x = 1 => x = 2 -> ok
            run git checkout -- src/a.py -> 0: Updated 1 path from the index
            run ls -> 0: a.py
            run ls src -> 0: a.py
            run pwd -> 0: /testbed
            edit src/a.py: x = 1 => x = 2 -> ok
        ",
    },
    Example {
        name: "R4 and R5: edit, fail, edit, pass",
        log: r"
            edit src/a.py: x = 1 => x = 2 -> ok
            run pytest -q -> 1: 1 failed in 0.1s
            edit src/a.py: x = 2 => x = 3 -> ok   #! recovery/R4
            run pytest -q -> 0: 3 passed in 0.1s   #! recovery/R5
        ",
    },
    Example {
        name: "R5 alone: the failure was there before the first edit",
        log: r"
            run pytest -q tests/test_a.py -> 1: 1 failed in 0.1s
            edit src/a.py: x = 1 => x = 2 -> ok
            run cd /testbed && pytest tests/test_a.py -x -> 0: 3 passed in 0.1s   #! recovery/R5
        ",
    },
    Example {
        name: "near miss R4: after the failure only a script or a test is edited, or the edit is taken back",
        log: r"
            edit src/a.py: x = 1 => x = 2 -> ok
            run pytest -q -> 1: 1 failed in 0.1s
            edit tests/test_a.py: 1 => 2 -> ok
            create reproduce.py: import a -> ok
            run git checkout -- src/a.py -> 0: Updated 1 path from the index
            submit -> ok
        ",
    },
    Example {
        name: "near miss R5: another test passes, or only the test was mended",
        log: r"
            run pytest -q tests/test_a.py -> 1: 1 failed in 0.1s
            edit tests/test_a.py: 1 => 2 -> ok
            run pytest -q tests/test_a.py -> 0: 3 passed in 0.1s
            edit src/a.py: x = 1 => x = 2 -> ok
            run pytest -q tests/test_b.py -> 0: 3 passed in 0.1s
        ",
    },
    Example {
        name: "near miss: turns that the model did not write",
        log: r"
            [demo] run cat src/b.py -> 1: cat: src/b.py: No such file or directory
            [demo] run cat src/a.py -> 0: x = 1
            run ls -> 0: a.py
        ",
    },
];
