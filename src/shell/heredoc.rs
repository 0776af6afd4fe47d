//! Here-documents: the tag at the redirection, the body after the next newline, and who reads it.
//!
//! All tags of a line wait until its newline. An unquoted body is searched for substitutions, unless a shell reads
//! it: then all of it is commands.

use std::ops::Range;

use super::inline;
use super::nested::Nested;
use super::parser::Parser;
use super::segment::{CodeSource, Heredoc, Word};
use super::simple::Draft;

/// A here-document whose body is still to come.
#[derive(Debug)]
pub(super) struct Pending {
    /// The command that has the redirection.
    segment: usize,
    /// The command that gets the text: the same, or the `python` of `cat <<EOF | python`.
    reader: usize,
    tag: String,
    quoted: bool,
    strips_tabs: bool,
    /// False for a body on another descriptor than 0.
    is_input: bool,
}

impl Pending {
    pub fn new(segment: usize, tag: &Word, strips_tabs: bool, is_input: bool) -> Self {
        Pending { segment, reader: segment, tag: tag.text.clone(), quoted: tag.quoted, strips_tabs, is_input }
    }
}

impl<'a> Parser<'a> {
    /// Reads the tag after `<<`: quotes are taken away, nothing expands.
    pub fn heredoc_tag(&mut self) -> Word {
        let start = self.pos;
        let mut tag = Word::default();
        loop {
            match self.at(self.pos) {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                _ if self.is_done() => break,
                quote @ (b'\'' | b'"') => {
                    tag.quoted = true;
                    self.quoted_tag_part(quote, &mut tag.text);
                }
                b'\\' => {
                    tag.quoted = true;
                    self.pos += 1;
                }
                _ => {
                    let from = self.pos;
                    self.skip_character();
                    tag.text.push_str(self.slice(from, self.pos));
                }
            }
        }
        tag.span = start..self.pos;
        tag
    }

    /// A tag stands on one line, so that an open quote takes no more than that.
    fn quoted_tag_part(&mut self, quote: u8, tag: &mut String) {
        let from = self.pos + 1;
        let rest = &self.text.as_bytes()[from..self.end];
        let length = memchr::memchr2(quote, b'\n', rest).unwrap_or(rest.len());
        tag.push_str(self.slice(from, from + length));
        self.pos = from + length;
        if self.at(self.pos) == quote { self.pos += 1 } else { self.broken() }
    }

    /// Reads the bodies of the line that has just ended.
    pub fn read_pending_bodies(&mut self) {
        if self.pending.len() == self.pending_base {
            return;
        }
        for pending in self.pending.split_off(self.pending_base) {
            self.read_body(pending);
        }
    }

    fn read_body(&mut self, pending: Pending) {
        let from = self.pos;
        let closed = self.find_body_end(&pending);
        let (to, after) = closed.unwrap_or((self.end, self.end));
        if closed.is_none() {
            self.broken();
        }
        if pending.is_input {
            let body = body_text(self.slice(from, to), pending.strips_tabs);
            let heredoc = Heredoc {
                tag: pending.tag.clone(),
                quoted: pending.quoted,
                body,
                span: from..to,
                closed: closed.is_some(),
            };
            if let Some(segment) = self.segments.get_mut(pending.segment) {
                segment.heredoc = Some(heredoc);
            }
        }
        let is_commands = pending.is_input && self.deliver_body(pending.segment, pending.reader);
        if !is_commands && !pending.quoted {
            self.scan_body(pending.segment, from..to);
        }
        self.pos = after;
    }

    /// Where the body ends and where reading goes on.
    fn find_body_end(&self, pending: &Pending) -> Option<(usize, usize)> {
        let bytes = self.text.as_bytes();
        let mut line = self.pos;
        while line < self.end {
            let length = memchr::memchr(b'\n', &bytes[line..self.end]).unwrap_or(self.end - line);
            let content = self.slice(line, line + length);
            let stripped = if pending.strips_tabs { content.trim_start_matches('\t') } else { content };
            if stripped.trim_end_matches('\r') == pending.tag {
                return Some((line, self.end.min(line + length + 1)));
            }
            // Bash, too, takes `EOF)` for the end inside a substitution.
            let is_inside = self.level > 0 || !self.frames.is_empty();
            if is_inside && stripped.strip_prefix(&pending.tag).is_some_and(|rest| rest.starts_with(')')) {
                return Some((line, line + length - stripped.len() + pending.tag.len()));
            }
            line += length + 1;
        }
        None
    }

    fn scan_body(&mut self, segment: usize, span: Range<usize>) {
        if !self.may_reread() {
            self.broken();
            return;
        }
        let around = self.parent.replace(segment);
        self.reread += 1;
        self.pos = span.start;
        self.scan_expansions(span.end);
        self.reread -= 1;
        self.parent = around;
    }

    /// Gives the here-document of one segment to the command that reads it; true when that is a shell.
    pub fn deliver_body(&mut self, segment: usize, reader: usize) -> bool {
        let reads_program = self.segments.get(reader).is_some_and(|reader| inline::reader(reader).is_some());
        if !reads_program {
            return false;
        }
        let Some(heredoc) = self.segments.get(segment).and_then(|segment| segment.heredoc.clone()) else {
            return false;
        };
        let source = if segment == reader { CodeSource::Heredoc } else { CodeSource::Pipe };
        let nested = Nested::of_heredoc(&heredoc, self.text);
        self.deliver(reader, nested, heredoc.span, source)
    }

    /// Makes `reader` the command that gets a here-document which was announced before the pipe.
    pub fn redirect_pending(&mut self, segment: usize, reader: usize) {
        for pending in self.pending.iter_mut().filter(|pending| pending.segment == segment) {
            pending.reader = reader;
        }
    }

    /// Reads the line and the block of a scaffold's block command.
    pub fn block(&mut self, index: usize, draft: &mut Draft, end_word: &str) {
        let bytes = self.text.as_bytes();
        let line_end =
            memchr::memchr(b'\n', &bytes[self.pos..self.end]).map_or(self.end, |length| self.pos + length);
        draft.words.extend(plain_words(self.slice(self.pos, line_end), self.pos));
        let from = self.end.min(line_end + 1);
        let (to, after, closed) = self.block_end(from, end_word);
        if !closed {
            self.broken();
        }
        self.segments[index].heredoc = Some(Heredoc {
            tag: end_word.to_owned(),
            quoted: true,
            body: self.slice(from, to).to_owned(),
            span: from..to,
            closed,
        });
        self.pos = after;
    }

    fn block_end(&self, from: usize, end_word: &str) -> (usize, usize, bool) {
        let mut line = from;
        for content in self.slice(from, self.end).split_inclusive('\n') {
            if content.trim_end() == end_word {
                return (line, line + end_word.len(), true);
            }
            line += content.len();
        }
        (self.end, self.end, false)
    }
}

fn body_text(raw: &str, strips_tabs: bool) -> String {
    if !strips_tabs {
        return raw.to_owned();
    }
    raw.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
}

/// Words between blanks, nothing quoted: the arguments of a block command are read by the scaffold, not the shell.
fn plain_words(line: &str, offset: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut start = None;
    for (index, character) in line.char_indices().chain([(line.len(), ' ')]) {
        match (character.is_whitespace(), start) {
            (false, None) => start = Some(index),
            (true, Some(from)) => {
                let span = offset + from..offset + index;
                words.push(Word { text: line[from..index].to_owned(), span, quoted: false, expands: false });
                start = None;
            }
            _ => {}
        }
    }
    words
}
