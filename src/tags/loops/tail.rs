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
    // Most responses are short, or end in words that did not stand shortly before: a look at the very end tells.
    let is_short = text.len() < DEGENERATE_LENGTH;
    if is_short || !last_words_return(text) || !returns(&collapsed_tail(text, DEGENERATE_PERIOD + LOOK)) {
        return None;
    }
    let tail = collapsed_tail(text, TAIL);
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

/// The last two words, or the ends of long ones, stand once more among the bytes that the longest phrase may fill.
/// One is not enough: many responses end in the mark that closes their code, and began it with the same.
fn last_words_return(text: &str) -> bool {
    const WORD: usize = 16;
    const BYTES: usize = 4 * DEGENERATE_PERIOD + 1_000;
    let (before, last) = split_word(text.trim_end().as_bytes(), WORD);
    // Both lie within the signs that must return.
    let (before, one_before) = split_word(before.trim_ascii_end(), LOOK - WORD - 1);
    let near = &before[before.len().saturating_sub(BYTES)..];
    [last, one_before].iter().all(|word| memchr::memmem::find(near, word).is_some())
}

/// The end of the last word of a text, and what stands before it.
fn split_word(text: &[u8], longest: usize) -> (&[u8], &[u8]) {
    let word = text.iter().rev().take(longest).take_while(|byte| !byte.is_ascii_whitespace()).count();
    text.split_at(text.len() - word)
}

/// Characters at the very end that must return within the longest phrase.
const LOOK: usize = 24;

/// The last signs stand a phrase earlier too.
fn returns(tail: &[(char, usize)]) -> bool {
    let end = &tail[..LOOK.min(tail.len())];
    let same = |window: &[(char, usize)]| window.iter().zip(end).all(|(one, other)| one.0 == other.0);
    tail.windows(end.len()).skip(1).any(same)
}

/// The last characters, last first, each run of blanks as one blank; with their bytes in the text.
fn collapsed_tail(text: &str, limit: usize) -> Vec<(char, usize)> {
    let mut tail: Vec<(char, usize)> = Vec::with_capacity(limit.min(text.len()));
    for (place, sign) in text.trim_end().char_indices().rev() {
        let sign = if sign.is_whitespace() { ' ' } else { sign };
        if sign == ' ' && tail.last().is_some_and(|(last, _)| *last == ' ') {
            continue;
        }
        if tail.len() == limit {
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
