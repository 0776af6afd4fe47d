//! Words: quotes, escapes, expansions. A word's text loses its quotes and keeps its expansions as they were typed;
//! commands inside substitutions become segments of their own on the way.

use super::nested::Trace;
use super::parser::{Closer, Parser};
use super::segment::{Context, Word};

/// Bytes that end a run of plain text inside an unquoted word.
static SPECIAL: [bool; 256] = special(b" \t\r\n;&|<>()'\"\\$`*?[{");
/// Bytes that end a run of plain text inside double quotes.
static SPECIAL_IN_DOUBLE: [bool; 256] = special(b"\"\\$`");

const fn special(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
}

/// Braces further apart than this are not looked at (`{a,b}`).
const MAX_BRACES: usize = 128;

impl<'a> Parser<'a> {
    /// Reads one word. The caller has seen that one begins here.
    pub fn word(&mut self) -> Word {
        let start = self.pos;
        let mut word = Word { span: start..start, ..Word::default() };
        while self.plain_run(&mut word.text, &SPECIAL) {
            if !self.special_part(start, &mut word) {
                break;
            }
        }
        word.span.end = self.pos;
        word
    }

    /// Takes over plain text; false at the end.
    fn plain_run(&mut self, text: &mut String, table: &[bool; 256]) -> bool {
        let bytes = &self.text.as_bytes()[self.pos..self.end];
        let length = bytes.iter().position(|&byte| table[byte as usize]).unwrap_or(bytes.len());
        if length > 0 {
            self.push(text, self.pos, self.pos + length);
            self.pos += length;
        }
        !self.is_done()
    }

    /// Takes over source text and, when a word is read again, notes where it came from.
    pub fn push(&mut self, text: &mut String, from: usize, to: usize) {
        if let Some(trace) = &mut self.trace {
            trace.piece(text.len(), from);
            for (&start, &end) in self.known.range(from..to) {
                trace.opaque(text.len() + start - from, text.len() + end - from);
            }
        }
        text.push_str(self.text.get(from..to).unwrap_or(""));
    }

    /// Reads what a special byte begins; false when it ends the word.
    fn special_part(&mut self, start: usize, word: &mut Word) -> bool {
        let here = self.pos;
        match self.at(here) {
            b'\'' => self.single_quoted(word),
            b'"' => {
                word.quoted = true;
                word.expands |= self.double_quoted(&mut word.text);
            }
            b'\\' => self.escaped(word),
            b'$' => self.dollar(word),
            b'`' => {
                word.expands = true;
                self.backticks(&mut word.text);
            }
            b'<' | b'>' if self.at(here + 1) == b'(' && self.place.brackets == 0 => {
                word.expands = true;
                self.process_substitution(&mut word.text);
            }
            b'(' => return self.bracket_in_word(start, word),
            b')' if self.place.brackets > 0 => {
                self.place.brackets -= 1;
                self.literal(word);
            }
            b'|' | b'&' | b';' | b'<' | b'>' if self.place.brackets > 0 => self.literal(word),
            b'*' | b'?' | b'[' => {
                word.expands = true;
                self.literal(word);
            }
            b'{' => {
                word.expands |= self.are_expanding_braces();
                self.literal(word);
            }
            _ => return false,
        }
        true
    }

    fn literal(&mut self, word: &mut Word) {
        self.push(&mut word.text, self.pos, self.pos + 1);
        self.pos += 1;
    }

    fn single_quoted(&mut self, word: &mut Word) {
        word.quoted = true;
        let from = self.pos + 1;
        let (to, next) = self.closing_quote(from);
        self.push(&mut word.text, from, to);
        self.pos = next;
    }

    /// Where a single-quoted text ends and where reading goes on; an open quote takes the rest.
    fn closing_quote(&mut self, from: usize) -> (usize, usize) {
        match memchr::memchr(b'\'', &self.text.as_bytes()[from..self.end]) {
            Some(length) => (from + length, from + length + 1),
            None => {
                self.broken();
                (self.end, self.end)
            }
        }
    }

    fn escaped(&mut self, word: &mut Word) {
        self.pos += 1;
        if self.is_done() {
            return;
        }
        if self.at(self.pos) == b'\n' {
            self.pos += 1;
            return;
        }
        word.quoted = true;
        let from = self.pos;
        self.skip_character();
        self.push(&mut word.text, from, self.pos);
    }

    /// Reads `"…"`; true when something in it expands.
    pub fn double_quoted(&mut self, text: &mut String) -> bool {
        let mut expands = false;
        self.pos += 1;
        while self.plain_run(text, &SPECIAL_IN_DOUBLE) {
            match self.at(self.pos) {
                b'"' => {
                    self.pos += 1;
                    return expands;
                }
                b'\\' => self.escaped_in_double(text),
                b'$' => expands |= self.dollar_in_text(text),
                _ => {
                    expands = true;
                    self.backticks(text);
                }
            }
        }
        self.broken();
        expands
    }

    fn escaped_in_double(&mut self, text: &mut String) {
        let from = self.pos;
        match self.at(from + 1) {
            b'\n' => self.pos += 2,
            b'$' | b'`' | b'"' | b'\\' => {
                self.push(text, from + 1, from + 2);
                self.pos += 2;
            }
            _ => {
                self.push(text, from, from + 1);
                self.pos += 1;
            }
        }
    }

    fn dollar(&mut self, word: &mut Word) {
        match self.at(self.pos + 1) {
            b'\'' => {
                word.quoted = true;
                self.ansi_quoted(&mut word.text);
            }
            b'"' => {
                word.quoted = true;
                self.pos += 1;
                word.expands |= self.double_quoted(&mut word.text);
            }
            _ => word.expands |= self.dollar_in_text(&mut word.text),
        }
    }

    /// Reads what `$` begins outside `$'…'`; true when it expands.
    pub fn dollar_in_text(&mut self, text: &mut String) -> bool {
        let from = self.pos;
        let expands = self.step_over_dollar();
        self.push(text, from, self.pos);
        expands
    }

    fn step_over_dollar(&mut self) -> bool {
        match self.at(self.pos + 1) {
            b'(' => self.dollar_bracket(),
            b'{' if self.can_nest() => {
                self.parameter();
                true
            }
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'_'
            | b'0'..=b'9'
            | b'?'
            | b'$'
            | b'!'
            | b'#'
            | b'@'
            | b'*'
            | b'-' => {
                self.pos += 2;
                true
            }
            _ => {
                self.pos += 1;
                false
            }
        }
    }

    fn dollar_bracket(&mut self) -> bool {
        let open = self.pos;
        if let Some(&end) = self.known.get(&open) {
            self.pos = end.min(self.end);
            return true;
        }
        if !self.can_nest() {
            self.broken();
            self.pos += 1;
            return false;
        }
        let arithmetic = if self.at(open + 2) == b'(' { self.arithmetic_end(open + 3) } else { None };
        match arithmetic {
            Some(end) => {
                self.pos = open + 3;
                self.scan_expansions(end - 2);
                self.pos = end;
            }
            None => self.substitution(open, open + 2, Context::CommandSubstitution),
        }
        true
    }

    /// Reads a list in brackets that begins at `body`; `open` is where the construct begins.
    fn substitution(&mut self, open: usize, body: usize, context: Context) {
        let before = self.segments.len();
        let outer = self.enter(context);
        self.pos = body;
        self.list(Closer::Paren);
        if self.at(self.pos) == b')' {
            self.pos += 1
        } else {
            self.broken()
        }
        self.leave(outer);
        self.remember(open, before);
    }

    /// Reading a word again jumps over a substitution that gave segments.
    fn remember(&mut self, open: usize, segments_before: usize) {
        if self.segments.len() > segments_before {
            self.known.insert(open, self.pos);
        }
    }

    fn process_substitution(&mut self, text: &mut String) {
        let open = self.pos;
        match self.known.get(&open) {
            Some(&end) => self.pos = end.min(self.end),
            None if self.can_nest() => self.substitution(open, open + 2, Context::ProcessSubstitution),
            None => {
                self.broken();
                self.pos += 2;
                self.place.brackets += 1;
            }
        }
        self.push(text, open, self.pos);
    }

    /// Reads `` `…` `` where it stands; an escaped backtick inside (a nested one) is plain text.
    pub fn backticks(&mut self, text: &mut String) {
        let open = self.pos;
        match self.known.get(&open) {
            Some(&end) => self.pos = end.min(self.end),
            None if self.can_nest() => self.backtick_substitution(open),
            None => {
                self.broken();
                self.pos += 1;
            }
        }
        self.push(text, open, self.pos);
    }

    fn backtick_substitution(&mut self, open: usize) {
        let close = self.closing_backtick(open + 1);
        let before = self.segments.len();
        let limit = close.unwrap_or(self.end);
        let end = std::mem::replace(&mut self.end, limit);
        let outer = self.enter(Context::CommandSubstitution);
        self.pos = open + 1;
        self.list(Closer::End);
        self.leave(outer);
        self.pos = self.end;
        self.end = end;
        match close {
            Some(_) => self.pos += 1,
            None => self.broken(),
        }
        self.remember(open, before);
    }

    fn closing_backtick(&self, from: usize) -> Option<usize> {
        let mut offset = from;
        loop {
            offset += memchr::memchr2(b'`', b'\\', self.text.as_bytes().get(offset..self.end)?)?;
            if self.at(offset) == b'`' {
                return Some(offset);
            }
            offset += 2;
        }
    }

    /// Steps over `${…}`, reading the commands inside.
    fn parameter(&mut self) {
        let trace = self.trace.take();
        self.level += 1;
        self.pos += 2;
        if !self.step_over_parameter() {
            self.broken();
        }
        self.level -= 1;
        self.trace = trace;
    }

    fn step_over_parameter(&mut self) -> bool {
        let mut unused = String::new();
        while !self.is_done() {
            match self.at(self.pos) {
                b'}' => {
                    self.pos += 1;
                    return true;
                }
                b'\\' => {
                    self.pos += 1;
                    if !self.is_done() {
                        self.skip_character();
                    }
                }
                b'"' => {
                    self.double_quoted(&mut unused);
                }
                b'$' => {
                    self.step_over_dollar();
                }
                b'`' => self.backticks(&mut unused),
                _ => self.pos += 1,
            }
            unused.clear();
        }
        false
    }

    /// Reads the substitutions between here and an offset, and nothing else: arithmetic, here-document bodies.
    pub fn scan_expansions(&mut self, to: usize) {
        let limit = to.min(self.end);
        let end = std::mem::replace(&mut self.end, limit);
        let trace = self.trace.take();
        let mut unused = String::new();
        self.level += 1;
        while self.plain_run(&mut unused, &SPECIAL_IN_DOUBLE) {
            match self.at(self.pos) {
                b'\\' => self.escaped_in_double(&mut unused),
                b'$' => {
                    self.step_over_dollar();
                }
                b'`' => self.backticks(&mut unused),
                _ => self.pos += 1,
            }
            unused.clear();
        }
        self.level -= 1;
        self.trace = trace;
        self.end = end;
    }

    /// A `(` inside or after a word: an array, a pattern such as `!(a|b)`, or no shell syntax at all.
    fn bracket_in_word(&mut self, start: usize, word: &mut Word) -> bool {
        let before = if self.pos > start { self.at(self.pos - 1) } else { 0 };
        if before == b'=' && self.place.brackets == 0 && self.is_name(start) && self.can_nest() {
            self.array(word);
            return true;
        }
        let is_pattern = matches!(before, b'!' | b'@' | b'?' | b'*' | b'+');
        if is_pattern || self.place.brackets > 0 || self.pos == start {
            word.expands |= is_pattern;
            self.place.brackets += 1;
            self.literal(word);
            return true;
        }
        false
    }

    /// Whether the word so far is `name=` or `name+=`.
    fn is_name(&self, start: usize) -> bool {
        let bytes = &self.text.as_bytes()[start..self.pos - 1];
        !bytes.is_empty()
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+'))
    }

    /// Reads `(a b c)` of an array assignment into the word as it was typed.
    fn array(&mut self, word: &mut Word) {
        let from = self.pos;
        let trace = self.trace.take();
        self.level += 1;
        self.pos += 1;
        self.array_elements();
        self.level -= 1;
        self.trace = trace;
        word.expands = true;
        self.push(&mut word.text, from, self.pos);
    }

    fn array_elements(&mut self) {
        loop {
            self.skip_blanks();
            match self.at(self.pos) {
                b'\n' => self.pos += 1,
                b')' => {
                    self.pos += 1;
                    return;
                }
                _ if self.starts_word() => {
                    self.word();
                }
                _ => {
                    self.broken();
                    return;
                }
            }
        }
    }

    fn are_expanding_braces(&self) -> bool {
        let bytes = &self.text.as_bytes()[self.pos + 1..self.end.min(self.pos + MAX_BRACES)];
        let mut separated = false;
        for (index, byte) in bytes.iter().enumerate() {
            match byte {
                b'}' => return separated,
                b',' => separated = true,
                b'.' if bytes.get(index + 1) == Some(&b'.') => separated = true,
                b' ' | b'\t' | b'\n' | b'\'' | b'"' | b'{' => return false,
                _ => {}
            }
        }
        false
    }

    /// Reads `$'…'` with its escapes.
    fn ansi_quoted(&mut self, text: &mut String) {
        self.pos += 2;
        while !self.is_done() {
            match self.at(self.pos) {
                b'\'' => {
                    self.pos += 1;
                    return;
                }
                b'\\' => self.ansi_escape(text),
                _ => {
                    let from = self.pos;
                    let rest = &self.text.as_bytes()[from..self.end];
                    self.pos += memchr::memchr2(b'\'', b'\\', rest).unwrap_or(rest.len());
                    self.push(text, from, self.pos);
                }
            }
        }
        self.broken();
    }

    fn ansi_escape(&mut self, text: &mut String) {
        let from = self.pos;
        self.pos += 2;
        let decoded = match self.at(from + 1) {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'a' => '\x07',
            b'b' => '\x08',
            b'e' | b'E' => '\x1b',
            b'f' => '\x0c',
            b'v' => '\x0b',
            b'x' => self.code_point(16, 2),
            b'u' => self.code_point(16, 4),
            b'U' => self.code_point(16, 8),
            b'0'..=b'7' => {
                self.pos -= 1;
                self.code_point(8, 3)
            }
            _ => {
                self.pos = (from + 1).min(self.end);
                if !self.is_done() {
                    self.skip_character();
                }
                self.push(text, from + 1, self.pos);
                return;
            }
        };
        if let Some(trace) = &mut self.trace {
            trace.piece(text.len(), from);
        }
        text.push(decoded);
    }

    fn code_point(&mut self, radix: u32, most: usize) -> char {
        let from = self.pos;
        while self.pos < self.end && self.pos - from < most && char::from(self.at(self.pos)).is_digit(radix) {
            self.pos += 1;
        }
        let value = u32::from_str_radix(self.slice(from, self.pos), radix).unwrap_or(0);
        char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Reads a word again with a trace of where each part came from; nothing else changes.
    pub fn trace_word(&mut self, word: &Word) -> (String, Trace) {
        let kept = (self.pos, self.end, self.place, self.complete);
        let outer = self.trace.replace(Trace::default());
        (self.pos, self.end) = (word.span.start, word.span.end);
        let text = self.word().text;
        let trace = std::mem::replace(&mut self.trace, outer).unwrap_or_default();
        (self.pos, self.end, self.place, self.complete) = kept;
        (text, trace)
    }
}
