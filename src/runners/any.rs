//! The summary of whatever runner an output shows: for `make test`, `npm test`, `tox`, verifiers and scripts, which
//! call a runner that the command does not name.

use super::{
    Summary, ant, ava, bats, cargo_test, catch2, counts, ctest, doctest, dotnet, go_test, gotestsum, gradle,
    gtest, jest, junit_console, karma, make, maven, minitest, mocha, nextest, node_test, phpunit, playwright,
    prove, pytest, rspec, swift_test, sympy, unittest, vitest,
};

/// Forms that no program prints by chance.
const DISTINCT: &[fn(&str) -> Option<Summary>] = &[
    pytest::read,
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
    counts::total(DISTINCT.iter().filter_map(|read| read(text)))
}
