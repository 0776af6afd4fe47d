//! Lists, operators and compounds: what stands between simple commands.
//!
//! Compounds are frames on a stack, not recursion; a closing word takes away the nearest frame of its kind, and the
//! text counts as broken when that is not the innermost one.

use super::parser::{Closer, Frame, FrameKind, Parser};
use super::segment::{Connector, Context};

impl<'a> Parser<'a> {
    /// Reads commands up to the closer (left in place) or the end.
    pub fn list(&mut self, closer: Closer) {
        loop {
            self.skip_blanks();
            if self.is_done() {
                break;
            }
            if self.segments.len() >= self.room {
                self.broken();
                self.pos = self.end;
                break;
            }
            if self.case_pattern() {
                continue;
            }
            let before = self.pos;
            match self.at(self.pos) {
                b'\n' => self.newline(),
                b';' => self.semicolon(),
                b'&' if self.at(self.pos + 1) != b'>' => self.ampersand(),
                b'|' => self.bar(),
                b'(' => self.open_bracket(),
                b')' => {
                    self.pos += 1;
                    if !self.close(|kind| kind == FrameKind::Paren) {
                        if closer == Closer::Paren {
                            self.pos -= 1;
                            break;
                        }
                        self.broken();
                    }
                }
                _ => self.command(),
            }
            if self.pos == before {
                self.broken();
                self.skip_character();
            }
        }
        if !self.frames.is_empty() || self.place.wants_right || self.place.function_pending {
            self.broken();
            self.frames.clear();
        }
    }

    /// Steps over blanks, line continuations and a comment.
    pub fn skip_blanks(&mut self) {
        while self.pos < self.end {
            match self.at(self.pos) {
                b' ' | b'\t' | b'\r' => self.pos += 1,
                b'\\' if self.at(self.pos + 1) == b'\n' => self.pos += 2,
                b'\\' if self.at(self.pos + 1) == b'\r' && self.at(self.pos + 2) == b'\n' => self.pos += 3,
                b'#' => {
                    let rest = &self.text.as_bytes()[self.pos..self.end];
                    self.pos += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                _ => break,
            }
        }
    }

    fn skip_blanks_and_newlines(&mut self) {
        self.skip_blanks();
        while self.pos < self.end && self.at(self.pos) == b'\n' {
            self.newline();
            self.skip_blanks();
        }
    }

    fn newline(&mut self) {
        self.pos += 1;
        self.read_pending_bodies();
        if self.place.has_left {
            self.sequence();
        }
    }

    /// The next command begins a new and-or list.
    fn sequence(&mut self) {
        self.place.has_left = false;
        self.place.connector = Connector::Sequence;
        self.place.list_start = self.segments.len();
        self.new_pipeline();
    }

    fn semicolon(&mut self) {
        let is_double = matches!(self.at(self.pos + 1), b';' | b'&');
        if is_double {
            self.pos += 2;
            if self.at(self.pos) == b'&' {
                self.pos += 1;
            }
            match self.frames.last_mut() {
                Some(Frame { kind: FrameKind::Case { wants_pattern }, .. }) => *wants_pattern = true,
                _ => self.broken(),
            }
        } else {
            self.pos += 1;
            if !self.place.has_left {
                self.broken();
            }
        }
        self.place.wants_right = false;
        self.sequence();
    }

    fn ampersand(&mut self) {
        if self.at(self.pos + 1) == b'&' {
            self.pos += 2;
            self.operator(Connector::And);
            self.new_pipeline();
            return;
        }
        self.pos += 1;
        if !self.place.has_left {
            self.broken();
        }
        let start = self.place.list_start;
        for segment in self.segments.iter_mut().skip(start) {
            segment.background = true;
        }
        self.sequence();
        self.place.connector = Connector::Background;
    }

    fn bar(&mut self) {
        if self.at(self.pos + 1) == b'|' {
            self.pos += 2;
            self.operator(Connector::Or);
            self.new_pipeline();
            return;
        }
        self.pos += if self.at(self.pos + 1) == b'&' { 2 } else { 1 };
        self.operator(Connector::Pipe);
        self.place.pipe_position += 1;
    }

    fn operator(&mut self, connector: Connector) {
        if !self.place.has_left {
            self.broken();
        }
        self.place.has_left = false;
        self.place.wants_right = true;
        self.place.connector = connector;
    }

    fn open_bracket(&mut self) {
        self.left_must_be_closed();
        if self.at(self.pos + 1) == b'('
            && self.can_nest()
            && let Some(end) = self.arithmetic_end(self.pos + 2)
        {
            self.arithmetic_command(end);
            return;
        }
        self.pos += 1;
        self.open(FrameKind::Paren, Context::Subshell);
    }

    /// Opens a compound, or passes over its opening word when the nesting is too deep.
    fn open(&mut self, kind: FrameKind, context: Context) {
        if !self.can_nest() {
            self.broken();
            return;
        }
        let is_body = std::mem::take(&mut self.place.function_pending);
        let context = match kind {
            FrameKind::Paren | FrameKind::Brace if is_body => Context::FunctionBody,
            FrameKind::Brace => self.current_context(),
            _ => context,
        };
        self.frames.push(Frame { kind, context, around: self.place });
        self.place.has_left = false;
        self.place.wants_right = false;
    }

    /// Closes the nearest compound of this kind.
    fn close(&mut self, is_kind: impl Fn(FrameKind) -> bool) -> bool {
        let Some(found) = self.frames.iter().rposition(|frame| is_kind(frame.kind)) else { return false };
        if found + 1 != self.frames.len() || self.place.wants_right {
            self.broken();
        }
        self.place = self.frames[found].around;
        self.frames.truncate(found);
        self.command_read(None);
        self.compound_redirections();
        true
    }

    /// A command or compound was read: an operator may follow.
    pub fn command_read(&mut self, simple: Option<usize>) {
        self.place.has_left = true;
        self.place.wants_right = false;
        self.place.function_pending = false;
        self.place.last = simple;
    }

    /// A command: a keyword, or a simple command.
    fn command(&mut self) {
        let keyword = self.peek_keyword();
        if !self.is_keyword_read(keyword) {
            self.left_must_be_closed();
            if std::mem::take(&mut self.place.function_pending) {
                self.broken();
            }
            self.simple_command();
        }
    }

    /// Two commands side by side without an operator (`fi ls`) are broken text.
    pub fn left_must_be_closed(&mut self) {
        if self.place.has_left {
            self.broken();
            self.sequence();
        }
    }

    fn peek_keyword(&self) -> &'a str {
        let bytes = self.text.as_bytes();
        let mut offset = self.pos;
        while offset < self.end
            && offset - self.pos < 9
            && matches!(bytes[offset], b'a'..=b'z' | b'{' | b'}' | b'[' | b'!')
        {
            offset += 1;
        }
        let ends = offset == self.end
            || matches!(
                bytes[offset],
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>'
            );
        if ends { self.slice(self.pos, offset) } else { "" }
    }

    /// Reads a keyword and what belongs to its head; false for any other word.
    fn is_keyword_read(&mut self, keyword: &str) -> bool {
        let length = keyword.len();
        match keyword {
            "if" => self.open_word(length, FrameKind::If, Context::Condition),
            "while" | "until" => self.open_word(length, FrameKind::Loop, Context::Condition),
            "{" => self.open_word(length, FrameKind::Brace, Context::TopLevel),
            "for" | "select" => self.loop_head(length),
            "case" => self.case_head(length),
            "function" => self.function_head(length),
            "[[" => self.test_command(),
            "then" | "else" => self.part(length, &[FrameKind::If], Context::Branch),
            "elif" => self.part(length, &[FrameKind::If], Context::Condition),
            "do" => self.part(length, &[FrameKind::Loop, FrameKind::For], Context::LoopBody),
            "fi" => self.close_word(length, |kind| kind == FrameKind::If),
            "done" => self.close_word(length, |kind| matches!(kind, FrameKind::Loop | FrameKind::For)),
            "esac" => self.close_word(length, |kind| matches!(kind, FrameKind::Case { .. })),
            "}" => self.close_word(length, |kind| kind == FrameKind::Brace),
            "!" => self.pos += length,
            "time" | "coproc" => return self.is_prefix_read(length),
            _ => return false,
        }
        true
    }

    fn open_word(&mut self, length: usize, kind: FrameKind, context: Context) {
        self.left_must_be_closed();
        self.pos += length;
        self.open(kind, context);
    }

    fn close_word(&mut self, length: usize, is_kind: impl Fn(FrameKind) -> bool) {
        self.pos += length;
        if !self.close(is_kind) {
            self.broken();
        }
    }

    /// `then`, `else`, `elif`, `do`: the next part of the innermost compound.
    fn part(&mut self, length: usize, kinds: &[FrameKind], context: Context) {
        self.pos += length;
        let wants_right = self.place.wants_right;
        let mut before = Connector::Sequence;
        match self.frames.last_mut() {
            Some(frame) if kinds.contains(&frame.kind) && !wants_right => {
                frame.context = context;
                // The head of a `for` is no segment, so that its body is what follows the `&&` before the loop.
                if frame.kind == FrameKind::For {
                    before = frame.around.connector;
                }
            }
            _ => self.broken(),
        }
        self.place.wants_right = false;
        self.sequence();
        if matches!(before, Connector::And | Connector::Or) {
            self.place.connector = before;
        }
    }

    /// `time` before a compound is syntax, before a simple command it is a wrapper.
    fn is_prefix_read(&mut self, length: usize) -> bool {
        let start = self.pos;
        self.pos += length;
        self.skip_blanks();
        let follows = self.compound_follows();
        if !follows {
            self.pos = start;
        }
        follows
    }

    /// Whether a compound begins here.
    pub fn compound_follows(&self) -> bool {
        let opens = matches!(
            self.peek_keyword(),
            "{" | "if" | "for" | "while" | "until" | "case" | "select" | "[[" | "!"
        );
        opens || self.at(self.pos) == b'('
    }

    fn loop_head(&mut self, length: usize) {
        self.left_must_be_closed();
        self.pos += length;
        self.skip_blanks();
        let arithmetic = if self.rest_starts_with("((") { self.arithmetic_end(self.pos + 2) } else { None };
        if let Some(end) = arithmetic {
            self.pos += 2;
            self.scan_expansions(end - 2);
            self.pos = end;
        } else if self.starts_word() {
            self.word();
        }
        self.open(FrameKind::For, Context::Condition);
        self.skip_blanks_and_newlines();
        if self.peek_keyword() == "in" {
            self.pos += 2;
            self.head_words();
        }
        self.place.has_left = true;
    }

    fn head_words(&mut self) {
        loop {
            self.skip_blanks();
            if !self.starts_word() {
                break;
            }
            self.word();
        }
    }

    /// Whether a word, and no operator, newline or end, stands here.
    pub fn starts_word(&self) -> bool {
        match self.at(self.pos) {
            b'\n' | b';' | b'&' | b'|' | b'(' | b')' => false,
            b'<' | b'>' => self.at(self.pos + 1) == b'(',
            _ => !self.is_done(),
        }
    }

    fn case_head(&mut self, length: usize) {
        self.left_must_be_closed();
        self.pos += length;
        self.skip_blanks();
        if self.starts_word() {
            self.word();
        }
        self.open(FrameKind::Case { wants_pattern: false }, Context::Branch);
        self.skip_blanks_and_newlines();
        if self.peek_keyword() != "in" {
            self.broken();
            return;
        }
        self.pos += 2;
        if let Some(Frame { kind: FrameKind::Case { wants_pattern }, .. }) = self.frames.last_mut() {
            *wants_pattern = true;
        }
    }

    /// Reads `pattern | pattern )` where an arm of a `case` begins.
    fn case_pattern(&mut self) -> bool {
        let Some(Frame { kind: FrameKind::Case { wants_pattern: true }, .. }) = self.frames.last() else {
            return false;
        };
        self.skip_blanks_and_newlines();
        if let Some(Frame { kind: FrameKind::Case { wants_pattern }, .. }) = self.frames.last_mut() {
            *wants_pattern = false;
        }
        if self.is_done() || self.peek_keyword() == "esac" {
            return false;
        }
        self.patterns();
        self.sequence();
        true
    }

    fn patterns(&mut self) {
        if self.at(self.pos) == b'(' {
            self.pos += 1;
        }
        loop {
            self.skip_blanks();
            match self.at(self.pos) {
                b')' => {
                    self.pos += 1;
                    return;
                }
                b'|' => self.pos += 1,
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

    fn function_head(&mut self, length: usize) {
        self.left_must_be_closed();
        self.pos += length;
        self.skip_blanks();
        if self.starts_word() {
            self.word();
        }
        self.skip_blanks();
        self.function_brackets();
        self.place.function_pending = true;
        self.skip_blanks_and_newlines();
    }

    /// Steps over `()`.
    pub fn function_brackets(&mut self) -> bool {
        let mut offset = self.pos + 1;
        while matches!(self.at(offset), b' ' | b'\t') {
            offset += 1;
        }
        let is_pair = self.at(self.pos) == b'(' && self.at(offset) == b')';
        if is_pair {
            self.pos = offset + 1;
        }
        is_pair
    }
}
