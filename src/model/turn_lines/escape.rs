//! Text on one line, and back.

use std::fmt::Write;

/// Separates a call from its result.
pub const RESULT: &str = "->";
/// Separates old from new text.
pub const BECOMES: &str = "=>";
/// Begins the marks.
pub const MARKS: &str = "#!";
/// Separates a path from what follows.
pub const PATH: &str = ":";

/// Text on one line, so that `plain` gives it back; the signs stand in it as text.
pub fn line(text: &str, signs: &[&str]) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let body = text.trim_end_matches(' ');
    for (place, sign) in body.char_indices() {
        match sign {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}') => code(&mut out, sign),
            _ => {
                if signs.iter().any(|separator| separates(text, place, separator)) {
                    out.push('\\');
                }
                out.push(sign);
            }
        }
    }
    // Blanks at the end of a line would be lost.
    text[body.len()..].chars().for_each(|blank| code(&mut out, blank));
    out
}

/// The sign stands here as a word of its own (a colon: before a blank), so that it could be taken for a separator.
fn separates(text: &str, place: usize, sign: &str) -> bool {
    let Some(after) = text[place..].strip_prefix(sign) else { return false };
    let before = &text[..place];
    let parted = sign == PATH || before.is_empty() || before.ends_with(' ');
    parted && (after.is_empty() || after.starts_with(' '))
}

/// The value of an attribute: as `line`, without brackets and commas.
pub fn attribute(text: &str) -> String {
    without(&line(text, &[RESULT, MARKS]), &[',', ']'])
}

/// A name that ends at a blank.
pub fn name(text: &str) -> String {
    without(&line(text, &[]), &[' '])
}

fn without(line: &str, signs: &[char]) -> String {
    let mut out = String::new();
    for sign in line.chars() {
        if signs.contains(&sign) {
            code(&mut out, sign);
        } else {
            out.push(sign);
        }
    }
    out
}

fn code(out: &mut String, sign: char) {
    write!(out, "\\u{{{:x}}}", sign as u32).expect("a string takes any text");
}

/// The text that a line stands for.
pub fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(place) = rest.find('\\') {
        out.push_str(&rest[..place]);
        let after = &rest[place + 1..];
        let (text, taken) = escaped(after);
        out.push_str(&text);
        rest = &after[taken..];
    }
    out.push_str(rest);
    out
}

/// What a backslash and what follows it stand for, and how many bytes of what follows are taken.
fn escaped(after: &str) -> (String, usize) {
    let sign = match after.chars().next() {
        Some('n') => "\n",
        Some('r') => "\r",
        Some('t') => "\t",
        Some('\\') => "\\",
        Some('u') => match coded(after) {
            Some((sign, taken)) => return (sign.to_string(), taken),
            None => return ("\\".to_owned(), 0),
        },
        _ if is_sign(after) => return (String::new(), 0),
        _ => return ("\\".to_owned(), 0),
    };
    (sign.to_owned(), 1)
}

fn is_sign(after: &str) -> bool {
    [RESULT, BECOMES, MARKS, PATH].into_iter().any(|sign| {
        let rest = after.strip_prefix(sign);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\\']))
    })
}

fn coded(after: &str) -> Option<(char, usize)> {
    let digits = after.strip_prefix("u{")?.split_once('}')?.0;
    let sign = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((sign, digits.len() + 3))
}

/// Splits at the first separator that no backslash makes text.
pub fn split<'a>(line: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    let mut from = 0;
    while let Some(found) = line[from..].find(separator) {
        let place = from + found;
        // The sign itself may begin after the separator's blank (` -> `).
        let sign = place + separator.len() - separator.trim_start().len();
        if !is_escaped(line, sign) {
            return Some((&line[..place], &line[place + separator.len()..]));
        }
        from = sign + 1;
    }
    None
}

/// An odd number of backslashes stands before this byte.
fn is_escaped(line: &str, place: usize) -> bool {
    let slashes = line.as_bytes()[..place].iter().rev().take_while(|byte| **byte == b'\\').count();
    slashes % 2 == 1
}

/// Cuts long text in the middle: two thirds of the limit from its head, one third from its end.
pub fn shorten(text: &str, limit: Option<usize>) -> String {
    let Some(limit) = limit.filter(|limit| text.len() > *limit) else { return text.to_owned() };
    let head = floor(text, limit * 2 / 3);
    let tail = ceiling(text, text.len() - limit / 3);
    format!("{}…({} bytes){}", &text[..head], thousands(tail - head), &text[tail..])
}

fn floor(text: &str, mut place: usize) -> usize {
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

fn ceiling(text: &str, mut place: usize) -> usize {
    while !text.is_char_boundary(place) {
        place += 1;
    }
    place
}

/// A count with commas.
fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
