//! What Terminus tells the model after a response: the screen in its wrapping, a refusal, or the question whether the task is
//! really done (`formats-other.md` §3).

use crate::formats::{observation, quality};
use crate::model::quality_reason::{ARGUMENTS, MISSING_ARGUMENT, NO_ACTION, REFUSED};
use crate::model::{CallKind, CommandSet, ObservationState, Operation, Quality, Turn};

/// Beginning of a text by which the tool refuses a response.
const REFUSAL: &str = "Previous response had parsing errors:";
/// Beginning of the question that follows the first word of an end.
const QUESTION: &str = "Are you sure you want to mark the task as complete?";
/// Headings over the screen.
const HEADINGS: [&str; 4] = [
    "New Terminal Output:",
    "Current Terminal Screen:",
    "**Current Terminal Screen:**",
    "Current terminal state:",
];

/// Calls to which one screen is given: a long list of them must not multiply a long text.
const SHARED: usize = 20;

/// Why the tool refused the response that this text follows; `None` where it took it.
pub fn refusal(text: &str) -> Option<&'static str> {
    let rest = text.trim_start().strip_prefix(REFUSAL)?;
    let reasons = [
        ("Missing required field", MISSING_ARGUMENT),
        ("missing required", MISSING_ARGUMENT),
        ("No valid JSON", NO_ACTION),
        ("No <response>", NO_ACTION),
        ("Missing <", MISSING_ARGUMENT),
        ("Invalid JSON", ARGUMENTS),
    ];
    let found = reasons.iter().find(|(sign, _)| rest.contains(sign));
    Some(found.map_or(REFUSED, |(_, reason)| reason))
}

/// Marks a response from which the tool took no action.
pub fn refuse(turn: &mut Turn, reason: &'static str) {
    turn.accepted = false;
    turn.calls.clear();
    turn.quality_without_call = Quality::Unparsable;
    turn.quality_reason = Some(reason);
}

/// Gives the calls of a turn the screen that they share, and its end the question.
pub fn show(turn: &mut Turn, text: &str) {
    let (screen, question) = parted(text);
    let is_only = turn.calls.len() == 1;
    for call in turn.calls.iter_mut().take(SHARED) {
        let seen = match (&call.operation, question) {
            (Some(Operation::Submit), Some(question)) if is_only && !screen.is_empty() => {
                format!("{screen}\n{question}")
            }
            (Some(Operation::Submit), Some(question)) => question.to_owned(),
            (Some(Operation::Submit), None) if !is_only => continue,
            _ => screen.to_owned(),
        };
        let is_cut = seen.contains("[... output limited to ") && seen.contains(" omitted ...]");
        let state = if is_cut { ObservationState::Cut } else { ObservationState::Full };
        observation::set(call, seen.into(), state);
        if call.kind == CallKind::Shell && call.quality == Quality::Valid {
            quality::judge(call, CommandSet::Plain);
        }
    }
}

/// The screen without what the tool writes around it, and the question.
fn parted(text: &str) -> (&str, Option<&str>) {
    let (text, question) = match text.find(QUESTION) {
        Some(place) => (text.get(..place).unwrap_or(text), text.get(place..)),
        None => (text, None),
    };
    let mut screen = text.trim_start();
    // Warnings stand before the screen, which has a heading of its own.
    if screen.starts_with("Previous response had warnings:") {
        let heading = HEADINGS.iter().filter_map(|heading| screen.find(heading)).min();
        let after = screen.find("\n\n").map(|place| place + 2);
        screen = screen.get(heading.or(after).unwrap_or_default()..).unwrap_or_default();
    }
    while let Some(rest) = HEADINGS.iter().find_map(|heading| screen.strip_prefix(heading)) {
        screen = rest.trim_start_matches('\n');
    }
    (screen.trim_matches('\n'), question)
}

#[cfg(test)]
mod tests {
    use super::{parted, refusal};
    use crate::model::quality_reason::{MISSING_ARGUMENT, NO_ACTION};

    #[test]
    fn the_screen_is_freed_of_its_wrapping() {
        assert_eq!(parted("New Terminal Output:\n\nroot# ls\na\n\n\n"), ("root# ls\na", None));
        assert_eq!(
            parted("Previous response had warnings:\nWARNINGS: - Extra text\n\nCurrent Terminal Screen:\n$ "),
            ("$ ", None)
        );
        let (screen, question) = parted(
            "Current terminal state:\nNew Terminal Output:\n$\n\nAre you sure you want to mark the task as complete? This",
        );
        assert_eq!(screen, "$");
        assert!(question.is_some_and(|text| text.ends_with("This")));
    }

    #[test]
    fn warnings_do_not_refuse() {
        assert_eq!(refusal("Previous response had warnings:\nWARNINGS: x"), None);
        assert_eq!(
            refusal("Previous response had parsing errors:\nERROR: No valid JSON found in response"),
            Some(NO_ACTION)
        );
        assert_eq!(
            refusal("Previous response had parsing errors:\nMissing required fields: plan, commands"),
            Some(MISSING_ARGUMENT)
        );
    }
}
