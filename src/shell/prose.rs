//! Tells a sentence that was handed to the shell from a command. Conservative: a command is never called prose, a
//! sentence may be missed.

use std::borrow::Cow;

/// Words that sentences are made of and that are rare as arguments.
const COMMON: &[&str] = &[
    "a", "about", "all", "also", "an", "and", "are", "as", "be", "because", "been", "but", "by", "can",
    "could", "do", "does", "for", "from", "has", "have", "how", "i", "if", "in", "is", "it", "its", "let's",
    "me", "more", "my", "need", "not", "now", "of", "on", "or", "our", "should", "so", "some", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "to", "was", "we", "were", "what", "when",
    "where", "which", "will", "with", "would", "you", "your",
];

/// Programs that begin with a capital letter.
const CAPITAL_PROGRAMS: &[&str] = &["R", "Rscript", "Xvfb", "Xorg", "GET", "POST", "HEAD", "PUT", "MAKEDEV"];

/// Openings of a sentence that are no program though they are written small.
const SMALL_OPENINGS: &[&str] =
    &["let's", "i'll", "i'm", "i've", "i", "we", "we'll", "it's", "that's", "there's", "here's", "now,"];

/// Headings that models put before what they think; a shell takes them for a program.
const HEADINGS: &[&str] =
    &["DISCUSSION", "THOUGHT:", "Thought:", "ACTION:", "Action:", "THOUGHT", "REASONING:"];

/// Whether the text is prose rather than a command line: it opens like a sentence, goes on in common words and has
/// no form of a command in its first line.
pub fn looks_like_prose(text: &str) -> bool {
    let text = text.trim_start();
    let heading = HEADINGS.iter().find_map(|heading| text.strip_prefix(heading));
    let body = heading.filter(|rest| rest.starts_with(char::is_whitespace)).unwrap_or(text);
    let Some(line) = body.lines().map(str::trim).find(|line| !line.is_empty()) else { return false };
    let line = line.trim_start_matches('(');
    let mut words = line.split_whitespace().take(16);
    // Nearly every line is a command, and its first word tells.
    let Some(first) = words.next().filter(|first| opens_sentence(first)) else { return false };
    let rest: Vec<&str> = words.collect();
    if rest.len() < 2 || looks_like_command(&rest) {
        return false;
    }
    let common = rest.iter().filter(|word| COMMON.contains(&plain(word).as_str())).count();
    let opening = usize::from(COMMON.contains(&plain(first).as_str()));
    let is_sentence = line.ends_with(['.', '!', '?', ':']);
    common + opening >= if is_sentence { 1 } else { 2 }
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).replace('’', "'").to_lowercase()
}

fn opens_sentence(word: &str) -> bool {
    let word = if word.contains('’') { Cow::Owned(word.replace('’', "'")) } else { Cow::Borrowed(word) };
    if SMALL_OPENINGS.iter().any(|opening| opening.eq_ignore_ascii_case(&word)) {
        return true;
    }
    if word.len() > 2 && word.starts_with('`') && word.ends_with('`') {
        return true;
    }
    let letters = word.trim_end_matches([',', ':', '.', '!', ';']);
    let mut characters = letters.chars();
    let is_capital = characters.next().is_some_and(char::is_uppercase);
    let is_word = characters.all(|c| c.is_lowercase() || c == '\'' || c == '-');
    is_capital && is_word && !CAPITAL_PROGRAMS.contains(&letters)
}

/// Options, paths, assignments and operators where a sentence would go on in words.
fn looks_like_command(rest: &[&str]) -> bool {
    rest.iter().take(2).any(|word| {
        word.starts_with(['-', '/', '.', '<', '>', '|', '&', '=', '$', '~', '*'])
            || word.contains('=')
            || word.ends_with(';')
    })
}
