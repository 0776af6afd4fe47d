//! Command lines inside command lines: `bash -c`, `eval`, `find -exec`, keystrokes, and text that is piped or
//! here-documented into a shell. They are read again as text of their own; a trace leads every byte back to where
//! it was typed.

use std::ops::Range;

use super::inline::{self, Reader};
use super::parser::Parser;
use super::segment::{
    CodeSource, Connector, Context, Heredoc, InlineCode, Language, RedirectionOperator, Segment, Word,
    Wrapper, WrapperKind,
};
use super::simple::Draft;
use super::tool_program;
use super::wrappers;

/// Where the parts of an unquoted text were typed.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// Offset in the text, offset in the source; in order.
    pieces: Vec<(usize, usize)>,
    /// Substitutions that were read outside already.
    opaque: Vec<Range<usize>>,
}

impl Trace {
    pub fn piece(&mut self, offset: usize, source: usize) {
        // Text that was taken back, since its quote or substitution does not end, leaves its pieces behind.
        while self.pieces.last().is_some_and(|last| last.0 > offset) {
            self.pieces.pop();
        }
        let continues = self.pieces.last().is_some_and(|last| last.1 + (offset - last.0) == source);
        if !continues {
            self.pieces.push((offset, source));
        }
    }

    pub fn opaque(&mut self, start: usize, end: usize) {
        self.opaque.push(start..end);
    }

    fn source(&self, offset: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.0 <= offset);
        match self.pieces.get(after.wrapping_sub(1)) {
            Some(piece) => piece.1 + (offset - piece.0),
            None => offset,
        }
    }

    fn source_span(&self, span: &Range<usize>, source: &str) -> Range<usize> {
        let start = floor(source, self.source(span.start));
        let end = if span.end > span.start { self.source(span.end - 1) + 1 } else { start };
        start..ceiling(source, end).max(start)
    }
}

fn floor(source: &str, offset: usize) -> usize {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn ceiling(source: &str, offset: usize) -> usize {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset += 1;
    }
    offset
}

/// A command line that another command runs.
#[derive(Debug, Default)]
pub(super) struct Nested {
    text: String,
    trace: Trace,
}

impl Nested {
    fn append_word(&mut self, parser: &mut Parser, word: &Word) {
        if !word.quoted && !word.expands && word.text.len() == word.span.len() {
            self.append_typed(&word.text, word.span.start);
            return;
        }
        let (text, trace) = parser.trace_word(word);
        let base = self.text.len();
        for (offset, source) in trace.pieces {
            self.trace.piece(base + offset, source);
        }
        for span in trace.opaque {
            self.trace.opaque(base + span.start, base + span.end);
        }
        self.text.push_str(&text);
    }

    fn append_typed(&mut self, text: &str, source: usize) {
        self.trace.piece(self.text.len(), source);
        self.text.push_str(text);
    }

    /// The words as `eval` and `echo` join them.
    fn of_words(parser: &mut Parser, words: &[Word]) -> Self {
        let mut nested = Nested::default();
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                nested.append_typed(" ", word.span.start.saturating_sub(1));
            }
            nested.append_word(parser, word);
        }
        nested
    }

    /// The body as the reading command gets it: tabs of `<<-` and the escapes of an unquoted body are taken away.
    pub fn of_heredoc(heredoc: &Heredoc, source: &str) -> Self {
        let mut nested = Nested::default();
        let raw = source.get(heredoc.span.clone()).unwrap_or("");
        if heredoc.quoted && raw.len() == heredoc.body.len() {
            nested.append_typed(raw, heredoc.span.start);
            return nested;
        }
        let mut line = heredoc.span.start;
        let strips_tabs = raw.len() != heredoc.body.len();
        for content in raw.split_inclusive('\n') {
            let stripped = if strips_tabs { content.trim_start_matches('\t') } else { content };
            let from = line + content.len() - stripped.len();
            if heredoc.quoted {
                nested.append_typed(stripped, from)
            } else {
                nested.append_unescaped(stripped, from)
            }
            line += content.len();
        }
        nested
    }

    /// Takes over a line of an unquoted here-document.
    fn append_unescaped(&mut self, line: &str, source: usize) {
        let mut rest = line;
        let mut from = source;
        while let Some(offset) = rest.find('\\') {
            let is_escape = rest[offset + 1..].starts_with(['$', '`', '\\', '\n']);
            let kept = if is_escape { offset } else { offset + 1 };
            self.append_typed(&rest[..kept], from);
            let next = if rest[offset + 1..].starts_with('\n') {
                offset + 2
            } else if is_escape {
                let escaped = &rest[offset + 1..offset + 2];
                self.append_typed(escaped, from + offset + 1);
                offset + 2
            } else {
                kept
            };
            from += next;
            rest = &rest[next..];
        }
        self.append_typed(rest, from);
    }

    /// Turns the two characters `\n` into a newline, as `printf` and `echo -e` do.
    fn with_newlines(self) -> Self {
        let mut nested = Nested { text: String::with_capacity(self.text.len()), trace: Trace::default() };
        nested.trace.opaque = if self.text.contains("\\n") { Vec::new() } else { self.trace.opaque.clone() };
        let mut from = 0;
        for (offset, _) in self.text.match_indices("\\n") {
            nested.append_part(&self, from..offset);
            nested.append_typed("\n", self.trace.source(offset));
            from = offset + 2;
        }
        nested.append_part(&self, from..self.text.len());
        nested
    }

    fn append_part(&mut self, other: &Nested, span: Range<usize>) {
        let base = self.text.len();
        self.trace.piece(base, other.trace.source(span.start));
        let first = other.trace.pieces.partition_point(|piece| piece.0 <= span.start);
        for piece in other.trace.pieces[first..].iter().take_while(|piece| piece.0 < span.end) {
            self.trace.piece(base + piece.0 - span.start, piece.1);
        }
        self.text.push_str(other.text.get(span).unwrap_or(""));
    }

    /// Whether all of it is what a substitution will print.
    fn is_unknown(&self) -> bool {
        let start = self.text.len() - self.text.trim_start().len();
        let end = self.text.trim_end().len();
        start >= end || self.trace.opaque.iter().any(|span| span.start <= start && end <= span.end)
    }
}

impl<'a> Parser<'a> {
    /// Settles program, wrappers and code of a simple command, and reads the commands that it carries.
    pub fn finish_segment(&mut self, index: usize, draft: Draft) {
        let Draft { assignments, mut words, redirections } = draft;
        let peeled = wrappers::peel(&words);
        words.drain(..peeled.start);
        let segment = &mut self.segments[index];
        segment.assignments = assignments;
        segment.assignments.extend(peeled.assignments);
        segment.redirections = redirections;
        segment.wrappers.extend(peeled.wrappers);
        if let Some(program) = peeled.program {
            segment.program = program.to_owned();
            segment.program_path = program.to_owned();
            segment.arguments = words;
        } else if !words.is_empty() {
            let arguments = words.split_off(1);
            segment.program_path = words.pop().map(|word| word.text).unwrap_or_default();
            segment.program = wrappers::base_name(&segment.program_path).to_owned();
            segment.arguments = arguments;
        }
        if peeled.drops_version {
            wrappers::drop_version(&mut segment.program);
        }
        segment.module = inline::module(segment);
        segment.inline_code = inline::option_code(segment);
        self.see_through(index);
    }

    fn see_through(&mut self, index: usize) {
        let segment = &self.segments[index];
        match segment.program.as_str() {
            "eval" => {
                let from = segment.arguments.iter().take_while(|word| word.text == "eval").count();
                self.joined_words(index, from, WrapperKind::Eval);
            }
            "watch" => {
                let from = wrappers::watch_command(&segment.arguments);
                self.joined_words(index, from, WrapperKind::Watch);
            }
            "find" => self.find_exec(index),
            "tmux" => self.keystrokes(index),
            "su" | "script" => self.option_string(index),
            _ if inline::is_shell(&segment.program) => match inline::command_string(segment) {
                Some(word) => self.command_string(index, &word, WrapperKind::Shell),
                None => self.standard_input(index),
            },
            _ if inline::reader(segment).is_some() => self.standard_input(index),
            _ => {}
        }
    }

    fn joined_words(&mut self, index: usize, from: usize, kind: WrapperKind) {
        let words = self.segments[index].arguments.get(from..).unwrap_or(&[]).to_vec();
        let nested = Nested::of_words(self, &words);
        self.read_nested(index, &nested, kind);
    }

    fn command_string(&mut self, index: usize, word: &Word, kind: WrapperKind) {
        let nested = Nested::of_words(self, std::slice::from_ref(word));
        self.read_nested(index, &nested, kind);
    }

    fn option_string(&mut self, index: usize) {
        let segment = &self.segments[index];
        let kind = if segment.program == "su" { WrapperKind::Su } else { WrapperKind::Script };
        if let Some(word) = wrappers::dash_c(&segment.arguments).cloned() {
            self.command_string(index, &word, kind);
        }
    }

    /// Reads the text as commands that `carrier` runs.
    fn read_nested(&mut self, carrier: usize, nested: &Nested, kind: WrapperKind) {
        if nested.is_unknown() {
            return;
        }
        if !self.may_reread() {
            self.broken();
            return;
        }
        let mut inner = self.for_nested(&nested.text);
        inner.known.extend(nested.trace.opaque.iter().map(|span| (span.start, span.end)));
        inner.run();
        let (segments, pipelines) = (std::mem::take(&mut inner.segments), inner.next_pipeline);
        if !inner.complete {
            self.broken();
        }
        self.adopt(carrier, segments, &nested.trace, kind);
        self.next_pipeline += pipelines;
    }

    fn adopt(&mut self, carrier: usize, mut segments: Vec<Segment>, trace: &Trace, kind: WrapperKind) {
        if segments.is_empty() {
            return;
        }
        let base = self.segments.len();
        let mut wrappers = self.segments[carrier].wrappers.clone();
        wrappers.push(Wrapper { kind, seconds: None, operand: None });
        for segment in &mut segments {
            if segment.parent.is_none() {
                segment.wrappers.splice(0..0, wrappers.iter().cloned());
            }
            segment.parent = Some(segment.parent.map_or(carrier, |parent| parent + base));
            segment.pipeline += self.next_pipeline;
            move_spans(segment, trace, self.text);
        }
        self.segments[carrier].seen_through = true;
        self.segments.append(&mut segments);
    }

    /// `find … -exec CMD … \;`: each CMD is a segment.
    fn find_exec(&mut self, carrier: usize) {
        let groups = wrappers::exec_groups(&self.segments[carrier].arguments);
        for group in groups {
            if !self.may_reread() {
                self.broken();
                return;
            }
            let words = self.segments[carrier].arguments[group].to_vec();
            let span = words[0].span.start..words[words.len() - 1].span.end;
            let index = self.begin_segment(span.start);
            let mut wrappers = self.segments[carrier].wrappers.clone();
            wrappers.push(Wrapper { kind: WrapperKind::FindExec, seconds: None, operand: None });
            let outer = self.enter(Context::Nested);
            let place = self.place;
            let depth = self.depth();
            let segment = &mut self.segments[index];
            (segment.span, segment.wrappers, segment.parent) = (span, wrappers, Some(carrier));
            (segment.context, segment.depth) = (Context::Nested, depth);
            (segment.pipeline, segment.pipe_position) = (place.pipeline, 0);
            segment.connector = Connector::Start;
            self.reread += 1;
            self.finish_segment(index, Draft { words, ..Draft::default() });
            self.reread -= 1;
            self.leave(outer);
            self.segments[carrier].seen_through = true;
        }
    }

    /// `tmux send-keys -t main 'cd /x' Enter`: what is typed, with `Enter` as the end of a line.
    fn keystrokes(&mut self, index: usize) {
        let Some(keys) = wrappers::sent_keys(&self.segments[index].arguments) else { return };
        let words = self.segments[index].arguments[keys].to_vec();
        let mut nested = Nested::default();
        for word in &words {
            match word.text.as_str() {
                "Enter" | "KPEnter" | "C-m" | "C-j" | "^M" => nested.append_typed("\n", word.span.start),
                "Space" => nested.append_typed(" ", word.span.start),
                "Tab" => nested.append_typed("\t", word.span.start),
                key if wrappers::is_control_key(key) => {}
                _ => nested.append_word(self, word),
            }
        }
        self.read_nested(index, &nested, WrapperKind::TmuxSendKeys);
    }

    /// Looks where the program text on the standard input of a shell or interpreter comes from: `<<<` or a pipe.
    /// Its own here-document comes later, after the newline.
    fn standard_input(&mut self, index: usize) {
        let segment = &self.segments[index];
        let string = segment
            .redirections
            .iter()
            .rev()
            .find(|redirection| redirection.operator == RedirectionOperator::HereString)
            .map(|redirection| redirection.target.clone());
        if let Some(word) = string {
            let nested = Nested::of_words(self, std::slice::from_ref(&word));
            self.deliver(index, nested, word.span, CodeSource::HereString);
        } else if segment.pipe_position > 0
            && inline::reader(segment).is_some()
            && let Some(before) = self.place.last
        {
            self.piped_input(before, index);
        }
    }

    fn piped_input(&mut self, before: usize, index: usize) {
        let Some(feeder) = self.segments.get(before) else { return };
        match feeder.program.as_str() {
            "cat" if feeder.arguments.iter().all(|word| word.text == "-") => {
                if feeder.heredoc.is_some() {
                    self.deliver_body(before, index);
                } else {
                    self.redirect_pending(before, index);
                }
            }
            "echo" | "printf" => {
                let options = wrappers::echo_options(&feeder.arguments);
                let decodes = feeder.program == "printf"
                    || feeder.arguments[..options].iter().any(|word| word.text.contains('e'));
                let words = feeder.arguments[options..].to_vec();
                let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
                let span = first.span.start..last.span.end;
                let nested = Nested::of_words(self, &words);
                let nested = if decodes { nested.with_newlines() } else { nested };
                self.deliver(index, nested, span, CodeSource::Pipe);
            }
            _ => {}
        }
    }

    /// Gives text to a command that reads its program; true when that is a shell.
    pub fn deliver(&mut self, index: usize, nested: Nested, span: Range<usize>, source: CodeSource) -> bool {
        let Some(segment) = self.segments.get_mut(index) else { return false };
        match inline::reader(segment) {
            Some(Reader::Shell) => {
                self.read_nested(index, &nested, WrapperKind::Shell);
                true
            }
            Some(Reader::Code(language)) => {
                let calls = match language {
                    Language::JavaScript => tool_program::lines(&nested.text),
                    _ => Vec::new(),
                };
                let mut lines = Nested::default();
                for part in &calls {
                    lines.append_typed(&part.text, nested.trace.source(part.at));
                }
                segment.inline_code = Some(InlineCode { language, text: nested.text, span, source });
                if !calls.is_empty() {
                    self.read_nested(index, &lines, WrapperKind::ToolProgram);
                }
                false
            }
            None => false,
        }
    }
}

/// Leads every span of a segment back to the source.
fn move_spans(segment: &mut Segment, trace: &Trace, source: &str) {
    let moved = |span: &mut Range<usize>| *span = trace.source_span(span, source);
    moved(&mut segment.span);
    segment.arguments.iter_mut().for_each(|word| moved(&mut word.span));
    segment.redirections.iter_mut().for_each(|redirection| moved(&mut redirection.target.span));
    if let Some(heredoc) = &mut segment.heredoc {
        moved(&mut heredoc.span);
    }
    if let Some(code) = &mut segment.inline_code {
        moved(&mut code.span);
    }
}
