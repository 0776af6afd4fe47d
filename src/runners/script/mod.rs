//! Scripts that test by themselves: a reproduction, inline code that asserts or prints a verdict.
//!
//! Owns   the second half of `definitions.md` §4: what a script's print and end say.
//! Never  calls a print without a verdict a pass: it is unknown. The contrast with an earlier run of the same command
//!        is not seen here, since one call is all that is known.

mod exception;
mod words;

use std::sync::LazyLock;

use regex::Regex;

use crate::data::pattern::ascii;

use super::{
    ExitEvidence, NotRunReason, Reading, TestEvidence, TestOutcome, any, error_file, not_run, outcome, signs,
    without_markup,
};

use super::counts::has;
use exception::Exception;

/// Statements that end a script when a check does not hold.
static ASSERTION: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"(?m)^\s*assert[ (]|[;:]\s*assert |\bself\.(?:assert\w+|fail)\(|\bassert_\w+\(|\bassert(?:\.\w+)*\(",
        r"|\braise AssertionError|\bassertEquals?\(|\bassert[A-Z]\w+\(|\bconsole\.assert\(|\bexpect\([^\n]*\)\.",
    ))
});
static EXIT_WITH_CODE: LazyLock<Regex> = LazyLock::new(|| {
    ascii(
        r"\b(?:sys\.exit|os\._exit|exit|process\.exit|System\.exit|SystemExit)\(\s*[^)\s0]|(?m)^\s*exit [1-9]",
    )
});

/// What a script's output and end show. `script` is its text where this trajectory wrote it, `task` the task's
/// statement. An exit code that is not the script's own counts as not logged.
pub fn read(output: Option<&str>, exit: ExitEvidence, script: Option<&str>, task: Option<&str>) -> Reading {
    let Some(output) = output else {
        return Reading::new(TestOutcome::Unknown, TestEvidence::None);
    };
    let text = without_markup(output);
    let mut reading = match any::distinct(&text) {
        Some(summary) => outcome::by_summary(summary, exit),
        None => by_text(&text, exit, script, task.unwrap_or("")),
    };
    if reading.outcome == TestOutcome::Error {
        reading.error_file = error_file::last(&text);
    }
    reading
}

/// Whether a script that failed before now ends normally without its symptom (`definitions.md` §4, contrast): none of
/// the exceptions and failing lines of the earlier print is there any more. Only for a run of the same command whose
/// own print gives no verdict.
pub fn is_contrast(earlier: &str, now: &str, exit_now: ExitEvidence) -> bool {
    let (earlier, now) = (without_markup(earlier), without_markup(now));
    let symptoms = exception::symptoms(&earlier);
    let ends = exit_now.own().is_none_or(|code| code == 0)
        && exception::uncaught(&now, exit_now.own()).is_none()
        && not_run::reason(&now, exit_now).is_none();
    ends && !symptoms.is_empty() && !symptoms.iter().any(|symptom| now.contains(symptom))
}

/// Whether code asserts, or prints a verdict of its own.
pub fn judges(script: &str) -> bool {
    has_assertion(script) || words::prints_verdict(script)
}

/// Whether code ends when a check of its own does not hold.
pub fn has_assertion(script: &str) -> bool {
    // The pattern begins with blanks or a border, which no search can leap to: these words it can.
    const MAY_ASSERT: [&str; 3] = ["ssert", ".fail(", "expect("];
    MAY_ASSERT.iter().any(|word| has(script, word)) && ASSERTION.is_match(script)
}

fn by_text(text: &str, exit: ExitEvidence, script: Option<&str>, task: &str) -> Reading {
    let raised = exception::uncaught(text, exit.own());
    let printed = raised.as_ref().map_or(text, |raised| raised.text_before);
    let words = words::read(printed, script, task);
    let says = |outcome| Reading::new(outcome, TestEvidence::Text);
    if words.failure {
        return says(TestOutcome::Fail);
    }
    if let Some(raised) = raised {
        return says(if is_verdict(&raised, task) { TestOutcome::Fail } else { TestOutcome::Error });
    }
    if let Some((reason, evidence)) = not_run::reason(text, exit).filter(|_| !words.success) {
        return Reading::not_run(reason, evidence);
    }
    match exit.own() {
        Some(code) if code != 0 => ended_badly(text, code, script),
        _ if words.success => says(TestOutcome::Pass),
        own => ended_well(text, own, script),
    }
}

/// A failed assertion of the script's own, or an exception that the task speaks of.
fn is_verdict(raised: &Exception, task: &str) -> bool {
    raised.is_own_assertion() || exception::in_task(raised.class, raised.message, task)
}

/// No exception is shown: a crash, a build that failed, or a check that ended the script with a code.
fn ended_badly(text: &str, code: i64, script: Option<&str>) -> Reading {
    if matches!(code, 126 | 127) {
        return Reading::not_run(NotRunReason::Missing, TestEvidence::Exit);
    }
    if matches!(code, 132 | 134 | 136 | 139) || signs::worst(text) == Some(TestOutcome::Error) {
        return Reading::new(TestOutcome::Error, TestEvidence::Exit);
    }
    if script.is_some_and(|script| EXIT_WITH_CODE.is_match(script)) {
        return Reading::new(TestOutcome::Fail, TestEvidence::Exit);
    }
    Reading::new(TestOutcome::Unknown, TestEvidence::None)
}

/// It asserts and ends: a pass, unless nothing shows that it ended.
fn ended_well(text: &str, own: Option<i64>, script: Option<&str>) -> Reading {
    let asserts = script.is_some_and(has_assertion);
    match own {
        Some(_) if asserts => Reading::new(TestOutcome::Pass, TestEvidence::Exit),
        None if asserts && !text.trim().is_empty() && signs::worst(text).is_none() => {
            Reading::new(TestOutcome::Pass, TestEvidence::Text)
        }
        None if signs::worst(text) == Some(TestOutcome::Error) && !exception::is_shown(text) => {
            Reading::new(TestOutcome::Error, TestEvidence::Text)
        }
        _ => Reading::new(TestOutcome::Unknown, TestEvidence::None),
    }
}
