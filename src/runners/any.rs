//! The summary of whatever runner an output shows: for `make test`, `npm test`, `tox`, verifiers and scripts, which
//! call a runner that the command does not name.

use std::sync::LazyLock;

use regex::Regex;

use crate::data::pattern::ascii;

use super::{
    Summary, ant, ava, bats, cargo_test, catch2, counts, ctest, doctest, dotnet, go_test, gotestsum, gradle,
    gtest, jest, junit_console, karma, make, maven, minitest, mocha, nextest, node_test, phpunit, playwright,
    prove, pytest, rspec, swift_test, sympy, unittest, vitest,
};

/// Forms that no program prints by chance, beside pytest's, whose closing line has no fixed word.
const DISTINCT: &[fn(&str) -> Option<Summary>] = &[
    unittest::read,
    sympy::read,
    cargo_test::read,
    nextest::read,
    maven::read,
    junit_console::read,
    jest::read,
    vitest::read,
    phpunit::read,
    rspec::read,
    minitest::read,
    ctest::read,
    gtest::read,
    catch2::read,
    dotnet::read,
    swift_test::read,
    gotestsum::read,
    doctest::read,
];

/// A text without any of these has none of those forms: one search in place of a hundred. Tests hold that every
/// example that is read has one.
static MAY_BE_DISTINCT: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"Ran \d|tests? finished: |test result: |error: (?:could not|no tests? |package ID)|Summary \[|Tests run: |BUILD |COMPILATION ERROR|No tests? ",
        r"|Tests are skipped|tests successful|OK \(|,  Failures: |Total tests|Tests:|Tests  |Test suite failed",
        r"|Test Files  |No test files found|assertion|Assertions: |\d failure|tests passed|\[  PASSED  \]|test cases: ",
        r"|- Failed: |Build FAILED|Executed \d|Test run with |DONE \d| passed and |Test Failed\*",
    ))
});

/// Forms that are short words: only where a runner is known to have run.
const LOOSE: &[fn(&str) -> Option<Summary>] = &[
    prove::read,
    make::automake,
    go_test::read,
    karma::read,
    mocha::read,
    playwright::read,
    ava::read,
    node_test::read,
    bats::read,
    ant::read,
    gradle::read,
];

/// The first summary that any runner reads; two kinds in one output (pytest, then doctest) are added up.
pub fn read(text: &str) -> Option<Summary> {
    distinct(text).or_else(|| LOOSE.iter().find_map(|read| read(text)))
}

/// The summaries of forms that no program prints by chance, added up.
pub fn distinct(text: &str) -> Option<Summary> {
    let others = if MAY_BE_DISTINCT.is_match(text) { DISTINCT } else { &[] };
    counts::total(pytest::read(text).into_iter().chain(others.iter().filter_map(|read| read(text))))
}
