//! Source text, lightly read: strings and comments apart from code, so that a word in a string is no call.
//!
//! Never parses a language: it finds where literals begin and end, where a call stands, and what simple literal
//! stands at an argument.

use std::ops::Range;

use crate::shell::Language;

/// A text with its literals found.
#[derive(Clone, Debug)]
pub(super) struct Source<'t> {
    /// The text as it is.
    pub text: &'t str,
    /// The same bytes with the insides of strings and comments blanked.
    pub code: String,
    /// Insides of strings, in order, with whether they hold something that is filled in (`f"{x}"`).
    pub strings: Vec<(Range<usize>, bool)>,
    /// Calls: the dotted name, and the byte behind its bracket.
    calls: Vec<(Range<usize>, usize)>,
}

/// Finds the literals of a text.
pub(super) fn read(text: &str, language: Language) -> Source<'_> {
    let mut reader =
        Reader { text: text.as_bytes(), blank: text.as_bytes().to_vec(), strings: Vec::new(), at: 0 };
    match language {
        Language::JavaScript | Language::Php => reader.c_like(language == Language::Php),
        _ => reader.hash_like(language == Language::Python),
    }
    let code = String::from_utf8(reader.blank).unwrap_or_else(|_| " ".repeat(text.len()));
    let calls = calls_in(code.as_bytes());
    Source { text, code, strings: reader.strings, calls }
}

/// Every `name.name(`, with one look at each bracket.
fn calls_in(code: &[u8]) -> Vec<(Range<usize>, usize)> {
    const LONGEST: usize = 120;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
    let mut found = Vec::new();
    for open in memchr::memchr_iter(b'(', code) {
        let mut end = open;
        while end > 0 && code[end - 1] == b' ' && open - end < 8 {
            end -= 1;
        }
        let mut start = end;
        while start > 0 && end - start < LONGEST && is_part(code[start - 1]) {
            start -= 1;
        }
        if start < end {
            found.push((start..end, open + 1));
        }
    }
    found
}

struct Reader<'t> {
    text: &'t [u8],
    blank: Vec<u8>,
    strings: Vec<(Range<usize>, bool)>,
    at: usize,
}

impl Reader<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    fn wipe(&mut self, range: Range<usize>) {
        for byte in &mut self.blank[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        while self.at < self.text.len() && self.byte(self.at) != b'\n' {
            self.at += 1;
        }
        self.wipe(start..self.at);
    }

    /// Python, Ruby, Perl, shell-like: `#` comments, three quotes where the language has them.
    fn hash_like(&mut self, is_python: bool) {
        while self.at < self.text.len() {
            match self.byte(self.at) {
                b'#' => self.line_comment(),
                quote @ (b'"' | b'\'') => {
                    let triple =
                        is_python && self.byte(self.at + 1) == quote && self.byte(self.at + 2) == quote;
                    let prefix = self.prefix();
                    let fills = if is_python {
                        prefix.contains(&b'f') || prefix.contains(&b'F')
                    } else {
                        quote == b'"'
                    };
                    self.string(quote, if triple { 3 } else { 1 }, fills, is_python && !triple);
                }
                _ => self.at += 1,
            }
        }
    }

    /// JavaScript and PHP: `//`, `/* */`, template strings.
    fn c_like(&mut self, hash_too: bool) {
        while self.at < self.text.len() {
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (b'/', b'/') => self.line_comment(),
                (b'#', _) if hash_too => self.line_comment(),
                (b'/', b'*') => {
                    let start = self.at;
                    let end = memchr::memmem::find(&self.text[start..], b"*/")
                        .map_or(self.text.len(), |at| start + at + 2);
                    self.wipe(start..end);
                    self.at = end;
                }
                (quote @ (b'"' | b'\''), _) => self.string(quote, 1, false, true),
                (b'`', _) => self.string(b'`', 1, true, false),
                _ => self.at += 1,
            }
        }
    }

    /// Letters right before a quote.
    fn prefix(&self) -> &[u8] {
        let mut start = self.at;
        while start > 0 && self.at - start < 2 && b"rRbBuUfF".contains(&self.text[start - 1]) {
            start -= 1;
        }
        &self.text[start..self.at]
    }

    fn string(&mut self, quote: u8, quotes: usize, fills: bool, ends_at_newline: bool) {
        let start = self.at + quotes;
        let mut at = start;
        let end = loop {
            match self.byte(at) {
                _ if at >= self.text.len() => break at,
                b'\\' => at += 2,
                b'\n' if ends_at_newline => break at,
                byte if byte == quote && (1..quotes).all(|more| self.byte(at + more) == quote) => break at,
                _ => at += 1,
            }
        };
        let end = end.min(self.text.len());
        let inside = start.min(end)..end;
        let fills = fills
            && (self.text[inside.clone()].contains(&b'{')
                || self.text[inside.clone()].contains(&b'$')
                || self.text[inside.clone()].contains(&b'#'));
        self.wipe(inside.clone());
        self.strings.push((inside, fills));
        self.at = (end + quotes).min(self.text.len());
    }
}

/// What stands at an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A plain literal.
    Literal(String),
    /// A literal of which only the part before the first filled-in place is known.
    Begins(String),
    /// A name that a variable may have.
    Name(String),
    /// Anything else.
    Other,
}

impl Source<'_> {
    /// Where a call of this name stands: offsets of the byte behind the bracket. A name that goes on to the left
    /// (`reopen(`, `x.open(`) is none; a leading dot in the name asks for a method.
    pub fn calls<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let (is_method, name) = (name.starts_with('.'), name.as_bytes());
        self.calls.iter().filter_map(move |(chain, open)| {
            let chain = &self.code.as_bytes()[chain.clone()];
            let fits = if is_method { chain.ends_with(name) } else { chain == name };
            fits.then_some(*open)
        })
    }

    /// Whether a call of this name stands anywhere.
    pub fn has_call(&self, name: &str) -> bool {
        self.calls(name).next().is_some()
    }

    /// Where the arguments of the call that opens at `start` lie.
    pub fn arguments(&self, start: usize) -> Vec<Range<usize>> {
        let code = self.code.as_bytes();
        let (mut depth, mut from, mut found) = (0_usize, start, Vec::new());
        let mut in_string = false;
        for (at, byte) in code.iter().enumerate().skip(start).take(20_000) {
            match byte {
                b'"' | b'\'' | b'`' => in_string = !in_string,
                b'(' | b'[' | b'{' if !in_string => depth += 1,
                b')' | b']' | b'}' if !in_string && depth > 0 => depth -= 1,
                b')' if !in_string => {
                    found.push(from..at);
                    break;
                }
                b',' if !in_string && depth == 0 => {
                    found.push(from..at);
                    from = at + 1;
                }
                _ => {}
            }
        }
        found
    }

    /// What stands in a range of code.
    pub fn value(&self, range: Range<usize>) -> Value {
        let text = &self.code[range.clone()];
        let trimmed = text.trim();
        let start = range.start + (text.len() - text.trim_start().len());
        let quote_at = trimmed.find(['"', '\'', '`']);
        match quote_at {
            Some(at) if trimmed[..at].bytes().all(|byte| b"rRbBuUfF".contains(&byte)) => {
                self.literal(start + at, start + trimmed.len())
            }
            None if is_identifier(trimmed) => Value::Name(trimmed.to_owned()),
            _ => Value::Other,
        }
    }

    /// The string that opens at a quote, provided that nothing follows it before `end`.
    fn literal(&self, quote: usize, end: usize) -> Value {
        let index = self.strings.partition_point(|(range, _)| range.start <= quote);
        let Some((range, fills)) = self.strings.get(index) else { return Value::Other };
        let text = &self.text[range.clone()];
        let closes = end.saturating_sub(range.end) <= 3;
        if !closes {
            return Value::Begins(text.to_owned());
        }
        if *fills {
            let known = text.split(['{', '$', '#']).next().unwrap_or("");
            return Value::Begins(known.to_owned());
        }
        Value::Literal(text.to_owned())
    }

    /// Line of an offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        1 + memchr::memchr_iter(b'\n', &self.text.as_bytes()[..offset.min(self.text.len())]).count()
    }

    /// What a name was last set to before an offset: the range of the right side of `name = …`.
    pub fn assigned(&self, name: &str, before: usize) -> Option<Range<usize>> {
        let code = &self.code[..before.min(self.code.len())];
        let mut found = None;
        for (at, _) in code.match_indices(name) {
            let line_start = code[..at].rfind('\n').map_or(0, |newline| newline + 1);
            let lead = code[line_start..at].trim();
            let starts = lead.is_empty()
                || matches!(lead, "const" | "let" | "var" | "my" | "$")
                || lead.ends_with(';');
            let after = code[at + name.len()..].trim_start();
            if starts && after.starts_with('=') && !after.starts_with("==") {
                let from = code.len() - after.len() + 1;
                let end = code[from..].find('\n').map_or(code.len(), |newline| from + newline);
                found = Some(from..end);
            }
        }
        found
    }
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$')
        && !text.starts_with(|c: char| c.is_ascii_digit())
}
