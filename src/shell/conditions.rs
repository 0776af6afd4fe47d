//! `[[ … ]]` and `(( … ))`: tests that are syntax. Each is a segment of that name, so that what follows `&&` has a
//! segment before it.

use super::parser::Parser;
use super::segment::Word;

/// An arithmetic expression longer than this is taken for nested subshells.
const MAX_ARITHMETIC: usize = 2048;

impl Parser<'_> {
    /// Reads `(( … ))`, whose end is known.
    pub fn arithmetic_command(&mut self, end: usize) {
        let start = self.pos;
        let index = self.begin_segment(start);
        self.pos += 2;
        self.scan_expansions(end - 2);
        self.pos = end;
        self.segments[index].program = "((".to_owned();
        self.segments[index].program_path = "((".to_owned();
        self.segments[index].span = start..end;
        self.command_read(Some(index));
        self.compound_redirections();
    }

    /// The end of `… ))` if the brackets from here on close as arithmetic does.
    pub fn arithmetic_end(&self, from: usize) -> Option<usize> {
        let mut open = 0_usize;
        let last = self.end.min(from + MAX_ARITHMETIC);
        for offset in from..last {
            match self.at(offset) {
                b'(' => open += 1,
                b')' if open > 0 => open -= 1,
                b')' => return (self.at(offset + 1) == b')').then_some(offset + 2),
                _ => {}
            }
        }
        None
    }

    /// Reads `[[ … ]]`: operators and brackets inside are words.
    pub fn test_command(&mut self) {
        self.left_must_be_closed();
        let start = self.pos;
        let index = self.begin_segment(start);
        let around = self.parent.replace(index);
        let brackets = std::mem::take(&mut self.place.brackets);
        self.pos += 2;
        let words = self.test_words();
        self.place.brackets = brackets;
        self.parent = around;
        let segment = &mut self.segments[index];
        segment.program = "[[".to_owned();
        segment.program_path = "[[".to_owned();
        segment.arguments = words;
        segment.span = start..self.pos;
        self.command_read(Some(index));
        self.compound_redirections();
    }

    fn test_words(&mut self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        loop {
            self.skip_command_blanks();
            let before = self.pos;
            match self.at(before) {
                _ if self.is_done() => {
                    self.broken();
                    return words;
                }
                b']' if self.ends_test() => {
                    self.pos += 2;
                    return words;
                }
                b'\n' if words.last().is_none_or(|word| matches!(word.text.as_str(), "&&" | "||")) => {
                    self.pos += 1;
                }
                b'\n' | b';' => {
                    self.broken();
                    return words;
                }
                _ if words.last().is_some_and(|word| word.text == "=~") => words.push(self.pattern_word()),
                b'&' | b'|' if self.at(before + 1) == self.at(before) => words.push(self.token(2)),
                b'(' | b')' | b'<' | b'>' | b'&' | b'|' => words.push(self.token(1)),
                _ => words.push(self.word()),
            }
            if self.pos == before {
                self.broken();
                self.skip_character();
            }
        }
    }

    fn ends_test(&self) -> bool {
        let ends = matches!(
            self.at(self.pos + 2),
            b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b')' | b'<' | b'>'
        );
        self.at(self.pos + 1) == b']' && (ends || self.pos + 2 >= self.end)
    }

    fn token(&mut self, length: usize) -> Word {
        let span = self.pos..self.pos + length;
        self.pos = span.end;
        Word { text: self.slice(span.start, span.end).to_owned(), span, quoted: false, expands: false }
    }

    /// A regular expression after `=~`: brackets and bars are its own.
    fn pattern_word(&mut self) -> Word {
        self.place.brackets = 1;
        let word = self.word();
        self.place.brackets = 0;
        word
    }
}
