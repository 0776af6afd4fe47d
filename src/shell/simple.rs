//! Simple commands: assignments, words and redirections, up to the next operator.

use super::heredoc::Pending;
use super::parser::Parser;
use super::segment::{Redirection, RedirectionOperator, Segment, Word};

/// What is read of a simple command before its program is found.
#[derive(Default)]
pub(super) struct Draft {
    pub assignments: Vec<(String, String)>,
    pub words: Vec<Word>,
    pub redirections: Vec<Redirection>,
}

impl<'a> Parser<'a> {
    /// Reads a simple command, or the `name()` of a function.
    pub fn simple_command(&mut self) {
        let start = self.pos;
        let index = self.begin_segment(start);
        let around = self.parent.replace(index);
        let brackets = std::mem::take(&mut self.place.brackets);
        let mut draft = Draft::default();
        let mut end = start;
        let mut is_function = false;
        loop {
            if let Some(end_word) = self.block_end_word(&draft) {
                self.block(index, &mut draft, end_word);
                end = draft.words.last().map_or(start, |word| word.span.end);
                break;
            }
            self.skip_command_blanks();
            match self.at(self.pos) {
                b'(' if draft.words.len() == 1 && self.function_brackets() => {
                    is_function = true;
                    break;
                }
                b'(' => {
                    self.broken();
                    draft.words.push(self.word());
                }
                b')' | b'|' | b';' | b'&' if self.place.brackets > 0 => draft.words.push(self.word()),
                b'\n' | b';' | b'|' | b')' | b'#' => break,
                b'&' if self.at(self.pos + 1) != b'>' => break,
                _ if self.is_done() => break,
                _ => self.part_of_command(index, &mut draft),
            }
            end = self.pos;
        }
        self.parent = around;
        self.place.brackets = brackets;
        if is_function && self.is_function_begun(index) {
            return;
        }
        self.segments[index].span = start..end;
        self.finish_segment(index, draft);
        self.command_read(Some(index));
    }

    /// `name()` and its body make a function: no segment of its own, and segments inside the name (there are none in
    /// real logs) go with it. Without a body (`graph.validate()` typed into a shell) it is a broken command.
    fn is_function_begun(&mut self, index: usize) -> bool {
        let end = self.pos;
        self.skip_blanks();
        while self.at(self.pos) == b'\n' && self.pos < self.end {
            self.pos += 1;
            self.skip_blanks();
        }
        if !self.compound_follows() {
            self.pos = end;
            self.broken();
            return false;
        }
        self.segments.truncate(index);
        self.place.function_pending = true;
        true
    }

    /// Steps over blanks and line continuations, not over a comment.
    pub fn skip_command_blanks(&mut self) {
        while self.pos < self.end {
            match self.at(self.pos) {
                b' ' | b'\t' | b'\r' => self.pos += 1,
                b'\\' if self.at(self.pos + 1) == b'\n' => self.pos += 2,
                b'\\' if self.at(self.pos + 1) == b'\r' && self.at(self.pos + 2) == b'\n' => self.pos += 3,
                _ => break,
            }
        }
    }

    /// Makes room for a segment at this place, so that what stands inside its words follows it.
    pub fn begin_segment(&mut self, start: usize) -> usize {
        self.segments.push(Segment {
            program: String::new(),
            program_path: String::new(),
            module: None,
            arguments: Vec::new(),
            assignments: Vec::new(),
            wrappers: Vec::new(),
            redirections: Vec::new(),
            heredoc: None,
            inline_code: None,
            span: start..start,
            pipe_position: self.place.pipe_position,
            pipeline: self.place.pipeline,
            connector: self.place.connector,
            background: false,
            depth: self.depth(),
            context: self.current_context(),
            parent: self.parent,
            seen_through: false,
        });
        self.segments.len() - 1
    }

    fn part_of_command(&mut self, index: usize, draft: &mut Draft) {
        if let Some(redirection) = self.redirection(index) {
            draft.redirections.push(redirection);
            return;
        }
        let name = if draft.words.is_empty() { self.assignment_name() } else { None };
        let before = self.pos;
        let word = self.word();
        match name {
            Some(length) => draft.assignments.push(assignment(self.slice(before, before + length), &word)),
            None => draft.words.push(word),
        }
        if self.pos == before {
            self.broken();
            self.skip_character();
        }
    }

    /// Length of `name`, `name+` or `name[key]` before a `=` that makes this word an assignment.
    fn assignment_name(&self) -> Option<usize> {
        let rest = self.text.as_bytes().get(self.pos..self.end)?;
        let mut length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
        if length == 0 || rest[0].is_ascii_digit() {
            return None;
        }
        let name = length;
        if rest[length] == b'[' {
            length += 1 + rest[length..].iter().take(64).position(|&byte| byte == b']')?;
        }
        let is_assignment = rest[length..].starts_with(b"=") || rest[length..].starts_with(b"+=");
        is_assignment.then_some(name)
    }

    /// Reads a redirection if one stands here.
    fn redirection(&mut self, index: usize) -> Option<Redirection> {
        let start = self.pos;
        let mut offset = start;
        while offset - start < 4 && self.at(offset).is_ascii_digit() {
            offset += 1;
        }
        let fd = self.slice(start, offset).parse().ok();
        let (operator, length) = self.redirection_operator(offset)?;
        if operator == RedirectionOperator::WriteBoth && fd.is_some() && self.at(offset) == b'&' {
            return None;
        }
        self.pos = offset + length;
        self.skip_command_blanks();
        if operator == RedirectionOperator::Heredoc {
            let strips_tabs = length == 3;
            return Some(self.heredoc_redirection(index, fd, strips_tabs));
        }
        let target = self.redirection_target();
        Some(Redirection { operator: settled(operator, &target), fd, target })
    }

    fn redirection_operator(&self, offset: usize) -> Option<(RedirectionOperator, usize)> {
        use RedirectionOperator as Op;
        let operator = match (self.at(offset), self.at(offset + 1), self.at(offset + 2)) {
            (b'&', b'>', b'>') => (Op::AppendBoth, 3),
            (b'&', b'>', _) => (Op::WriteBoth, 2),
            (b'>', b'(', _) | (b'<', b'(', _) => return None,
            (b'>', b'>', _) => (Op::Append, 2),
            (b'>', b'|', _) => (Op::Write, 2),
            (b'>', b'&', _) => (Op::DuplicateOutput, 2),
            (b'>', _, _) => (Op::Write, 1),
            (b'<', b'<', b'<') => (Op::HereString, 3),
            (b'<', b'<', b'-') => (Op::Heredoc, 3),
            (b'<', b'<', _) => (Op::Heredoc, 2),
            (b'<', b'&', _) => (Op::DuplicateInput, 2),
            (b'<', b'>', _) => (Op::ReadWrite, 2),
            (b'<', _, _) => (Op::Read, 1),
            _ => return None,
        };
        Some(operator)
    }

    fn redirection_target(&mut self) -> Word {
        if self.starts_word() {
            return self.word();
        }
        self.broken();
        Word { span: self.pos..self.pos, ..Word::default() }
    }

    fn heredoc_redirection(&mut self, index: usize, fd: Option<u32>, strips_tabs: bool) -> Redirection {
        let tag = self.heredoc_tag();
        if tag.text.is_empty() && !tag.quoted {
            self.broken();
        } else {
            let is_input = fd.is_none_or(|fd| fd == 0);
            self.pending.push(Pending::new(index, &tag, strips_tabs, is_input));
        }
        Redirection { operator: RedirectionOperator::Heredoc, fd, target: tag }
    }

    /// Redirections after `done`, `fi`, `}`, `)`: a segment without a program carries them.
    pub fn compound_redirections(&mut self) {
        self.skip_command_blanks();
        let start = self.pos;
        let mut index = None;
        let mut redirections = Vec::new();
        let mut end = start;
        while matches!(self.at(self.pos), b'<' | b'>' | b'&' | b'0'..=b'9') {
            if self.redirection_operator(self.after_digits()).is_none() {
                break;
            }
            let segment = *index.get_or_insert_with(|| self.begin_segment(start));
            let around = self.parent.replace(segment);
            redirections.extend(self.redirection(segment));
            self.parent = around;
            end = self.pos;
            self.skip_command_blanks();
        }
        if let Some(index) = index {
            self.segments[index].span = start..end;
            self.segments[index].redirections = redirections;
        }
    }

    fn after_digits(&self) -> usize {
        let mut offset = self.pos;
        while offset - self.pos < 4 && self.at(offset).is_ascii_digit() {
            offset += 1;
        }
        offset
    }

    /// The end word, if the command read so far is a scaffold's block command.
    fn block_end_word(&self, draft: &Draft) -> Option<&'a str> {
        let [name] = draft.words.as_slice() else { return None };
        if self.depth() > 0 {
            return None;
        }
        let block = self.options.block_commands.iter().find(|(command, _)| *command == name.text)?;
        Some(block.1)
    }
}

fn assignment(name: &str, word: &Word) -> (String, String) {
    let value = word.text.split_once('=').map_or("", |(_, value)| value);
    (name.to_owned(), value.to_owned())
}

/// `>&` duplicates a descriptor only when it names one.
fn settled(operator: RedirectionOperator, target: &Word) -> RedirectionOperator {
    let names_file =
        !target.text.is_empty() && !target.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if operator == RedirectionOperator::DuplicateOutput && names_file && !target.text.starts_with('$') {
        return RedirectionOperator::WriteBoth;
    }
    operator
}
