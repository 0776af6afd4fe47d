//! Examples of loops: for every code one that is, and near misses that are not.

use crate::tags::Example;

pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "L1: the same action with the same result",
        log: r"
            run ls src -> 0: a.py   #! loop/L1
            run ls src -> 0: a.py   #! loop/L1
            say I think I should look again.
            run ls src -> 0: a.py   #! loop/L1
            run pwd -> 0: /testbed
        ",
    },
    Example {
        name: "L1: durations and addresses differ, the result does not",
        log: r"
            run ./a.out -> 1: object at 0x7f01 done in 0.12s   #! loop/L1
            run ./a.out -> 1: object at 0x7f99 done in 0.34s   #! loop/L1
            run ./a.out -> 1: object at 0x7fab done in 1.02s   #! loop/L1
        ",
    },
    Example {
        name: "near miss L1: twice is a repeat; other results are none",
        log: r"
            run ls src -> 0: a.py
            run ls src -> 0: a.py
            run ls src -> 0: a.py b.py
        ",
    },
    Example {
        name: "near miss L1: waiting for a process",
        log: "run sleep 30 -> 0:\nrun sleep 30 -> 0:\nrun sleep 30 -> 0:\nrun sleep 30 -> 0:\n",
    },
    Example {
        name: "near miss L1: a missing observation is like no other",
        log: "run ./a.out\nrun ./a.out\nrun ./a.out\n",
    },
    Example {
        name: "L1: a shell that counts its lines says the same",
        log: r"
            run javac A.java -> ?: /bin/bash: line 30: javac: command not found   #! loop/L1
            run javac A.java -> ?: /bin/bash: line 45: javac: command not found   #! loop/L1
            run javac A.java -> ?: /bin/bash: line 60: javac: command not found   #! loop/L1
        ",
    },
    Example {
        name: "L2: two actions in alternation",
        log: r"
            run cat a.txt -> 0: x   #! loop/L2
            run ls -> 0: a.txt   #! loop/L2
            run cat a.txt -> 0: x   #! loop/L2
            run ls -> 0: a.txt   #! loop/L2
            run cat a.txt -> 0: x   #! loop/L2
            run ls -> 0: a.txt   #! loop/L2
        ",
    },
    Example {
        name: "L2: three actions in alternation",
        log: r"
            run cat a.txt -> 0: x   #! loop/L2
            run ls -> 0: a.txt   #! loop/L2
            run pwd -> 0: /testbed   #! loop/L2
            run cat a.txt -> 0: x   #! loop/L2
            run ls -> 0: a.txt   #! loop/L2
            run pwd -> 0: /testbed   #! loop/L2
            run cat a.txt -> 0: x   #! loop/L2
            run ls -> 0: a.txt   #! loop/L2
            run pwd -> 0: /testbed   #! loop/L2
        ",
    },
    Example {
        name: "near miss L2: two rounds, or results that change",
        log: r"
            run date -> 0: one
            run ls -> 0: a.txt
            run date -> 0: one
            run ls -> 0: a.txt
            run date -> 0: two
            run ls -> 0: a.txt
        ",
    },
    Example {
        name: "L3: the same action, another error each time",
        log: r"
            run ./build.sh -> 1: error: missing header alpha   #! loop/L3
            run ./build.sh -> 1: error: missing header beta   #! loop/L3
            run ./build.sh -> 1: error: missing header gamma   #! loop/L3
        ",
    },
    Example {
        name: "near miss L3: it works in the end",
        log: r"
            run ./build.sh -> 1: error: missing header alpha
            run ./build.sh -> 1: error: missing header beta
            run ./build.sh -> 0: done
        ",
    },
    Example {
        name: "L4: failing edits of one file, whatever their text",
        log: r"
            edit src/a.py: one => x -> error: No match found for the old text   #! loop/L4
            edit src/a.py: two => x -> error: No match found for the old text   #! loop/L4
            run grep -n two src/a.py -> 1:
            run cat src/a.py -> 0: three
            edit src/a.py: three => x -> error: No match found for the old text   #! loop/L4
            edit src/a.py: four => x -> error: No match found for the old text   #! loop/L4
        ",
    },
    Example {
        name: "near miss L4: one takes effect, or too much lies between",
        log: r"
            edit src/a.py: one => x -> error: No match found for the old text
            edit src/a.py: two => x -> error: No match found for the old text
            edit src/a.py: three => x -> ok
            edit src/a.py: four => x -> error: No match found for the old text
            edit src/a.py: five => x -> error: No match found for the old text
            run pwd -> 0: /testbed
            run ls src -> 0: a.py
            run git status -> 0: nothing to commit
            edit src/a.py: six => x -> error: No match found for the old text
            edit src/a.py: seven => x -> error: No match found for the old text
        ",
    },
    Example {
        name: "L5: the same lines for the fourth time",
        log: r"
            run sed -n '1,40p' src/a.py -> 0: x   #! loop/L5
            run ls -> 0: src
            run sed -n '10,60p' src/a.py -> 0: x   #! loop/L5
            run sed -n '5,30p' src/a.py -> 0: x   #! loop/L5
            run pwd -> 0: /testbed
            run sed -n '12,20p' src/a.py -> 0: x   #! loop/L5
        ",
    },
    Example {
        name: "near miss L5: an edit between, other lines, a search",
        log: r"
            run sed -n '1,40p' src/a.py -> 0: x
            run sed -n '1,40p' src/a.py | head -40 -> 0: x
            edit src/a.py: x => y -> ok
            run sed -n '1,41p' src/a.py -> 0: x
            run sed -n '1,42p' src/a.py -> 0: x
            run sed -n '40,80p' src/a.py -> 0: x
            run grep -n x src/a.py -> 0: 1:x
        ",
    },
    Example {
        name: "L6: a monologue",
        log: "say Hm.   #! loop/L6\nsay Well.   #! loop/L6\nsay So.   #! loop/L6\nrun ls -> 0: a\n",
    },
    Example {
        name: "near miss L6: a dialogue, in which a plain message is an answer",
        log: "@ cannot-submit\nsay Hm.\nsay Well.\nsay So.\nrun ls -> 0: a\n",
    },
    Example { name: "near miss L6: an action between", log: "say Hm.\nsay Well.\nrun ls -> 0: a\nsay So.\n" },
    Example {
        name: "L4: a substitution of a text by itself changes nothing",
        log: r"
            run sed -i 's/return aab/return aab/' a.py -> 0   #! loop/L4
            run sed -i 's/return aab/return aab/' a.py -> 0   #! loop/L4
            run cat b.py -> 0: x
            run sed -i 's/return aab/return aab/' a.py -> 0   #! loop/L4
            run sed -i 's/return aab/return aab/' a.py -> 0   #! loop/L4
        ",
    },
    Example {
        name: "L7: the same failing test, nothing edited between",
        log: r"
            run pytest -q tests/test_a.py -> 1: FAILED tests/test_a.py::test_x\n1 failed in 0.11s   #! loop/L7
            run cat src/a.py -> 0: x
            run pytest tests/test_a.py -> 1: FAILED tests/test_a.py::test_x\n1 failed in 0.12s   #! loop/L7
            run ls -> 0: src
            run pytest -q tests/test_a.py -> 1: FAILED tests/test_a.py::test_x\n1 failed in 0.13s   #! loop/L7
        ",
    },
    Example {
        name: "near miss L7: an edit between is progress, however small",
        log: r"
            run pytest -q tests/test_a.py -> 1: FAILED tests/test_a.py::test_x\n1 failed in 0.11s
            edit src/a.py: x => y -> ok
            run pytest -q tests/test_a.py -> 1: FAILED tests/test_a.py::test_x\n1 failed in 0.12s
            edit src/a.py: y => z -> ok
            run pytest -q tests/test_a.py -> 1: FAILED tests/test_a.py::test_x\n1 failed in 0.13s
        ",
    },
    Example {
        name: "L8: one phrase to the end",
        log: r"
            say Done.\nI will check the parser once more and then go on. I will check the parser once more and then go on. I will check the parser once more and then go on. I will check the parser once more and then go on. I will check the parser once more and then go on. I will check the parser once more and then go on. I will check the parser once more and then go on. I will check the parser once more and then go on. I will check   #! loop/L8
        ",
    },
    Example {
        name: "near miss L8: seven times, or a short one",
        log: r"
            say I will check the parser once more and then go on to the next of the many files that may hold it. I will check the parser once more and then go on to the next of the many files that may hold it. I will check the parser once more and then go on to the next of the many files that may hold it. I will check the parser once more and then go on to the next of the many files that may hold it. I will check the parser once more and then go on to the next of the many files that may hold it. I will check the parser once more and then go on to the next of the many files that may hold it. I will check the parser once more and then go on to the next of the many files that may hold it.
            run ls -> 0: a
            say no no no no no no no no no no no no
        ",
    },
    Example {
        name: "L9: refused responses in a row",
        log: r"
            unparsable one   #! loop/L9
            unparsable two   #! loop/L9
            refused
            run ls -> 0: a
        ",
    },
    Example {
        name: "near miss L9: an action between",
        log: "unparsable one\nunparsable two\nrun ls -> 0: a\nunparsable three\n",
    },
    Example {
        name: "L10: the same insertion again and again",
        log: r"
            insert src/a.py: import os -> ok   #! loop/L10
            run cat src/b.py -> 0: y
            insert src/a.py: import os -> ok   #! loop/L10
            run ls src -> 0: a.py
            insert src/a.py: import os -> ok   #! loop/L10
        ",
    },
    Example {
        name: "near miss L10: other text, or another edit between",
        log: r"
            insert src/a.py: import os -> ok
            insert src/a.py: import re -> ok
            insert src/a.py: import os -> ok
            edit src/a.py: x => y -> ok
            insert src/a.py: import os -> ok
        ",
    },
    Example {
        name: "near miss L10: programs that write the same file, each its own way",
        log: r#"
            run python -c "open('src/a.py', 'a').write(f(1))" -> 0: one
            run ls -> 0: src
            run python -c "open('src/a.py', 'a').write(f(2))" -> 0: two
            run pwd -> 0: /testbed
            run python -c "open('src/a.py', 'a').write(f(3))" -> 0: three
        "#,
    },
];
