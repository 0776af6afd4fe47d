//! The order of evidence for a runner (`definitions.md` §4): its own summary, then its exit code, then its text.
//!
//! Never  guesses: without a summary, an exit code of the runner's own or a failing line the outcome is unknown.

use super::{
    ExitEvidence, Invocation, NotRunReason, Reading, Runner, Scope, Summary, TestEvidence, TestOutcome,
    error_file, not_run, signs, without_markup,
};

/// What came out of a runner's call. `None` for a missing observation; a listing has no outcome.
pub fn outcome(runner: &Runner, invocation: Invocation, output: Option<&str>, exit: ExitEvidence) -> Reading {
    if invocation.scope == Scope::Listing {
        return Reading::new(TestOutcome::Unknown, TestEvidence::None);
    }
    let text = without_markup(output.unwrap_or(""));
    let mut reading = match (runner.read)(&text) {
        Some(summary) => by_summary(summary, exit),
        None => without_summary(runner, &text, exit),
    };
    if output.is_none() && exit.own().is_none() {
        reading = Reading::new(TestOutcome::Unknown, TestEvidence::None);
    }
    if reading.outcome == TestOutcome::Error {
        reading.error_file = error_file::last(&text);
    }
    reading
}

/// What a summary comes to, and whether the exit code says otherwise. A run of nothing is no contradiction to exit
/// code 0: many runners end well without a test.
pub fn by_summary(summary: Summary, exit: ExitEvidence) -> Reading {
    let outcome = summary.outcome();
    let says_bad = summary.counts.failed.is_some_and(|failed| failed > 0)
        || summary.counts.errors.is_some_and(|errors| errors > 0)
        || summary.word == Some(TestOutcome::Fail);
    let disagrees = match exit.own() {
        Some(0) => says_bad,
        Some(_) => outcome == TestOutcome::Pass,
        None => false,
    };
    let evidence = if disagrees { TestEvidence::SummaryAgainstExit } else { TestEvidence::Summary };
    Reading { counts: summary.counts, ..Reading::new(outcome, evidence) }
}

fn without_summary(runner: &Runner, text: &str, exit: ExitEvidence) -> Reading {
    if let Some((reason, evidence)) = not_run::reason(text, exit) {
        return Reading::not_run(reason, evidence);
    }
    match exit.own() {
        Some(0) => Reading::new(TestOutcome::Pass, TestEvidence::Exit),
        Some(code) if runner.error_exits.contains(&code) => {
            Reading::new(TestOutcome::Error, TestEvidence::Exit)
        }
        Some(126 | 127) => Reading::not_run(NotRunReason::Missing, TestEvidence::Exit),
        // A runner that ends badly and shows no line of its own has found a failure: the codes for everything else
        // are in `error_exits` or show a message.
        Some(_) => Reading::new(signs::worst(text).unwrap_or(TestOutcome::Fail), TestEvidence::Exit),
        None => match signs::worst(text) {
            Some(outcome) => Reading::new(outcome, TestEvidence::Text),
            None => Reading::new(TestOutcome::Unknown, TestEvidence::None),
        },
    }
}
