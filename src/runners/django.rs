//! Django's runner: `tests/runtests.py`, `manage.py test`, `django-admin test`, `python -m django test`.

use crate::shell::Segment;

use super::command::{Invoked, suite_unless};
use super::counts::lines_with;
use super::{Example, Invocation, Runner, Summary, TestOutcome, any, unittest};

/// See the module.
pub const RUNNER: Runner = Runner {
    name: "django",
    about: "Django's runner: `tests/runtests.py`, `manage.py test`, `django-admin test`, `python -m \
            django test`",
    reads: "what unittest prints; databases that are destroyed after it may hide it in a cut output, \
            then the exit code counts.",
    recognises,
    read,
    error_exits: &[],
    examples: EXAMPLES,
};

const WITH_VALUE: &[&str] = &[
    "-v",
    "--verbosity",
    "--settings",
    "-k",
    "--tag",
    "--exclude-tag",
    "--parallel",
    "--selenium",
    "--pythonpath",
    "-p",
    "--pattern",
    "-t",
    "--top-level-directory",
    "--testrunner",
    "--bisect",
    "--pair",
    "--start-at",
    "--start-after",
    "--shuffle",
];

fn recognises(segment: &Segment) -> Option<Invocation> {
    let invoked = Invoked::of(segment);
    let tests = match invoked.program {
        // `sympy/testing/runtests.py` and its like are modules that do nothing when they are run.
        "runtests.py" if !invoked.path.contains("testing/") && !invoked.path.contains("utilities/") => {
            invoked
        }
        "manage.py" | "django-admin" | "django-admin.py" | "django" => invoked.below("test")?,
        _ => return None,
    };
    if tests.asks_for_help() {
        return None;
    }
    suite_unless(tests.has_option(&["-k", "--tag"]) || names_label(&tests))
}

/// A positional that is no number: `--parallel 1` and `-v 2` may be written without `=`.
fn names_label(tests: &Invoked) -> bool {
    tests.positionals(WITH_VALUE).iter().any(|word| !word.bytes().all(|byte| byte.is_ascii_digit()))
}

fn read(text: &str) -> Option<Summary> {
    // `Aborting: A GIS database backend is required`: settings that these tests need.
    let aborts = || lines_with(text, "Aborting: ").any(|line| line.starts_with("Aborting: "));
    unittest::read(text)
        .or_else(|| any::distinct(text))
        .or_else(|| aborts().then(|| Summary::word(TestOutcome::Error)))
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "passes, the summary stands before other text",
        command: "python3 tests/runtests.py forms_tests.field_tests -v 2",
        exit: Some(0),
        output: "....\n----------------------------------------------------------------------\nRan 12 tests in 0.025s\n\nOK (skipped=5)\nTesting against Django installed in '/testbed/django' with up to 8 processes\nSystem check identified no issues (0 silenced).\n",
        want: "targeted pass 7/0/0/5",
    },
    Example {
        name: "fails",
        command: "./tests/runtests.py --parallel 1",
        exit: Some(1),
        output: "FAIL: test_a (x.tests.T)\nRan 25 tests in 0.178s\n\nFAILED (failures=2, skipped=4)\nDestroying test database for alias 'default'...\n",
        want: "suite fail 19/2/0/4",
    },
    Example {
        name: "errs: the label is none",
        command: "python -m django test custom_lookups --settings=tests.test_sqlite",
        exit: None,
        output: "ERROR: custom_lookups (unittest.loader._FailedTest)\n  File \"/opt/lib/python3.9/unittest/loader.py\", line 154, in loadTestsFromName\nModuleNotFoundError: No module named 'custom_lookups'\n\nRan 1 test in 0.000s\n\nFAILED (errors=1)\n",
        want: "targeted error 0/0/1/0",
    },
    Example {
        name: "errs: missing settings",
        command: "python manage.py test",
        exit: Some(1),
        output: "Traceback (most recent call last):\n  File \"manage.py\", line 10, in <module>\nModuleNotFoundError: No module named 'tests.settings'\n",
        want: "suite error -/-/-/-",
    },
    Example {
        name: "the summary is cut away, exit code 1",
        command: "./tests/runtests.py auth_tests",
        exit: Some(1),
        output: "FAIL: test_a (auth_tests.T)\n<elided_chars>\nDestroying test database for alias 'other'...\n",
        want: "targeted fail -/-/-/-",
    },
    Example {
        name: "wrong usage",
        command: "tests/runtests.py -v",
        exit: Some(2),
        output: "usage: runtests.py [-h] [-v {0,1,2,3}] [modules ...]\nruntests.py: error: argument -v/--verbosity: expected one argument\n",
        want: "suite not_run:usage -/-/-/-",
    },
    Example {
        name: "errs: a database that is not there",
        command: "python tests/runtests.py gis_tests.distapp",
        exit: None,
        output: "Testing against Django installed in '/testbed/django'\nAborting: A GIS database backend is required to run gis_tests.\n",
        want: "targeted error -/-/-/-",
    },
    Example {
        name: "near miss: a module of that name",
        command: "python sympy/testing/runtests.py sympy/core",
        exit: Some(0),
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: a server",
        command: "python manage.py runserver",
        exit: None,
        output: "",
        want: "none",
    },
    Example {
        name: "near miss: reading it",
        command: "grep -n parallel tests/runtests.py",
        exit: None,
        output: "",
        want: "none",
    },
];
