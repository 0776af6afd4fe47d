//! A second chance for JSON that strict readers refuse: `NaN`, `Infinity` and numbers beyond all bounds outside strings
//! become null, lone surrogates and raw control characters inside strings become escapes, and so does the backslash of an escape that JSON lacks. Run only after a fault; never changes a valid text.

use crate::model::{Problem, Weight};

/// A text that was put right.
pub struct Repaired {
    /// The text.
    pub text: String,
    /// Byte of the first repair in the text as it was.
    first: usize,
    numbers: usize,
    huge: usize,
    surrogates: usize,
    controls: usize,
    escapes: usize,
}

impl Repaired {
    fn count(&self) -> usize {
        self.numbers + self.huge + self.surrogates + self.controls + self.escapes
    }

    /// What was done.
    pub fn problem(&self) -> Problem {
        let counts = [
            (self.numbers, "`NaN` or `Infinity` read as null"),
            (self.huge, "numbers out of range read as null"),
            (self.surrogates, "lone surrogates replaced by U+FFFD"),
            (self.controls, "raw control characters kept as text"),
            (self.escapes, "backslashes of no known escape kept as text"),
        ];
        let done: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{what} ({count})"))
            .collect();
        Problem::new(Weight::Repaired, format!("byte {}", self.first), done.join(", "))
    }
}

const NUMBERS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// Repairs a text; `None` where nothing is to be repaired.
pub fn repair(text: &str) -> Option<Repaired> {
    let bytes = text.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut done = Repaired {
        text: String::new(),
        first: usize::MAX,
        numbers: 0,
        huge: 0,
        surrogates: 0,
        controls: 0,
        escapes: 0,
    };
    let (mut place, mut within) = (0, false);
    while let Some(&byte) = bytes.get(place) {
        let taken = if within {
            inside(bytes, place, &mut out, &mut done)
        } else {
            outside(&bytes[place..], &mut out, &mut done)
        };
        if done.first == usize::MAX && done.count() > 0 {
            done.first = place;
        }
        if taken == 1 && byte == b'"' {
            within = !within;
        }
        place += taken;
    }
    if done.count() == 0 {
        return None;
    }
    // Only whole ASCII sequences were replaced by ASCII, so the text stays valid.
    done.text = String::from_utf8(out).ok()?;
    Some(done)
}

/// Copies one byte or number outside of strings, or replaces a number that JSON lacks; gives how many bytes it took.
fn outside(rest: &[u8], out: &mut Vec<u8>, done: &mut Repaired) -> usize {
    // Bytes, not text: what is no JSON may hold any character outside of strings.
    if let Some(word) = NUMBERS.iter().find(|word| rest.starts_with(word.as_bytes())) {
        out.extend(b"null");
        done.numbers += 1;
        return word.len();
    }
    if !rest[0].is_ascii_digit() && rest[0] != b'-' {
        out.push(rest[0]);
        return 1;
    }
    let is_part = |byte: &&u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let number = &rest[..rest.iter().take_while(is_part).count()];
    let value = std::str::from_utf8(number).ok().and_then(|number| number.parse::<f64>().ok());
    if value.is_some_and(f64::is_infinite) {
        out.extend(b"null");
        done.huge += 1;
    } else {
        out.extend(number);
    }
    number.len()
}

/// Copies one unit inside a string; gives how many bytes it took.
fn inside(bytes: &[u8], place: usize, out: &mut Vec<u8>, done: &mut Repaired) -> usize {
    match (bytes[place], unit(bytes, place)) {
        (_, Some(0xD800..=0xDBFF)) if matches!(unit(bytes, place + 6), Some(0xDC00..=0xDFFF)) => {
            out.extend(&bytes[place..place + 12]);
            12
        }
        (_, Some(0xD800..=0xDFFF)) => {
            out.extend(b"\\uFFFD");
            done.surrogates += 1;
            6
        }
        // Logs that print control characters their own way leave `\^[`.
        (b'\\', unit) if !is_escape(bytes, place, unit) => {
            out.extend(b"\\\\");
            done.escapes += 1;
            1
        }
        (b'\\', _) => {
            let end = bytes.len().min(place + 2);
            out.extend(&bytes[place..end]);
            end - place
        }
        (control, _) if control < 0x20 => {
            out.extend(format!("\\u{control:04x}").bytes());
            done.controls += 1;
            1
        }
        (byte, _) => {
            out.push(byte);
            1
        }
    }
}

/// The backslash at this place begins an escape of JSON, or the text ends with it.
fn is_escape(bytes: &[u8], place: usize, unit: Option<u32>) -> bool {
    match bytes.get(place + 1) {
        Some(b'u') => unit.is_some() || place + 6 > bytes.len(),
        Some(sign) => b"\"\\/bfnrt".contains(sign),
        None => true,
    }
}

/// The UTF-16 unit that an escape `\uXXXX` at this place stands for.
fn unit(bytes: &[u8], place: usize) -> Option<u32> {
    let escape = bytes.get(place..place + 6)?;
    let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
    u32::from_str_radix(digits, 16).ok()
}
