//! L8: a response whose tail is one phrase again and again, blanks collapsed.

use super::{Circle, DEGENERATE_LENGTH, DEGENERATE_PERIOD, DEGENERATE_TIMES};
use crate::tags::turns::Turns;

/// The longest tail that can decide.
const TAIL: usize = DEGENERATE_PERIOD * DEGENERATE_TIMES;

/// All of them: one turn each.
pub(super) fn find(turns: &Turns) -> Vec<Circle> {
    let found = turns.model_turns().iter().filter_map(|turn| {
        let tail = repeated(&turns.trajectory.turns[*turn].text)?;
        Some(Circle {
            rounds: tail.times,
            span: Some((tail.from, tail.to)),
            ..Circle::of("L8", vec![(*turn, None)])
        })
    });
    found.collect()
}

/// A degenerate tail.
struct Repeated {
    times: usize,
    from: usize,
    to: usize,
}

fn repeated(text: &str) -> Option<Repeated> {
    let tail = collapsed_tail(text);
    if tail.len() < DEGENERATE_LENGTH {
        return None;
    }
    let matches = prefix_matches(&tail);
    let long_enough = |period: &usize| {
        let length = period + matches.get(*period).copied().unwrap_or_default();
        length >= DEGENERATE_LENGTH && length / period >= DEGENERATE_TIMES
    };
    let period = (1..=DEGENERATE_PERIOD).find(long_enough)?;
    let length = period + matches[period];
    Some(Repeated { times: length / period, from: tail[length - 1].1, to: text.trim_end().len() })
}

/// The last characters, last first, each run of blanks as one blank; with their bytes in the text.
fn collapsed_tail(text: &str) -> Vec<(char, usize)> {
    let mut tail: Vec<(char, usize)> = Vec::new();
    for (place, sign) in text.trim_end().char_indices().rev() {
        let sign = if sign.is_whitespace() { ' ' } else { sign };
        if sign == ' ' && tail.last().is_some_and(|(last, _)| *last == ' ') {
            continue;
        }
        if tail.len() == TAIL {
            break;
        }
        tail.push((sign, place));
    }
    tail
}

/// For every place, how many signs from there on equal those from the beginning on (the Z-function): linear, since a
/// hostile log may hold nothing but such tails.
fn prefix_matches(signs: &[(char, usize)]) -> Vec<usize> {
    let mut matches = vec![0; signs.len()];
    let (mut from, mut to) = (0, 0);
    for place in 1..signs.len() {
        let mut length = if place < to { matches[place - from].min(to - place) } else { 0 };
        while place + length < signs.len() && signs[length].0 == signs[place + length].0 {
            length += 1;
        }
        matches[place] = length;
        if place + length > to {
            (from, to) = (place, place + length);
        }
    }
    matches
}
