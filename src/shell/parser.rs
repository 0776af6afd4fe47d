//! The state of one pass over a command line, and how the pass enters and leaves what nests.
//!
//! Every byte is read once at each level of re-reading (`bash -c "…"`), every recursion is counted against
//! `MAX_DEPTH`, and the number of segments is capped, so that no text can cost more than linear time.

use std::collections::BTreeMap;

use super::heredoc::Pending;
use super::nested::Trace;
use super::segment::{Command, Connector, Context, Segment};

/// Compounds, substitutions and nested command lines beyond this depth are read as plain text.
pub const MAX_DEPTH: usize = 40;
/// A call with more simple commands than this is cut there.
pub const MAX_SEGMENTS: usize = 16_384;
/// `bash -c` of `bash -c` of …, here-documents inside substitutions of here-documents: each level reads the rest again, so
/// that this is a factor of the running time.
const MAX_REREAD: usize = 4;

/// What the caller knows about the commands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Commands of a scaffold whose text goes on after their line up to a line with the end word:
    /// `("edit", "end_of_edit")` of SWE-agent 0.x. That text is the segment's here-document.
    pub block_commands: &'a [(&'a str, &'a str)],
}

/// Reads a command line. Never fails: what cannot be read is passed over and `complete` is false.
pub fn parse(text: &str, options: &Options) -> Command {
    let mut parser = Parser::new(text, *options);
    parser.run();
    Command { segments: parser.segments, complete: parser.complete }
}

/// Where the parser stands in the list of commands that it reads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub pipeline: usize,
    pub pipe_position: usize,
    pub connector: Connector,
    /// First segment of the current and-or list, which `&` sends to the background.
    pub list_start: usize,
    /// A command was read and an operator may follow.
    pub has_left: bool,
    /// `&&`, `||` or `|` was read and a command must follow.
    pub wants_right: bool,
    /// `name()` was read and its body must follow.
    pub function_pending: bool,
    /// Brackets open in the words of the current command (no shell syntax, but `print(x)` is typed).
    pub brackets: usize,
    /// The last simple command of the current pipeline.
    pub last: Option<usize>,
}

/// The compound that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Paren,
    Brace,
    If,
    /// `while` and `until`.
    Loop,
    /// `for` and `select`.
    For,
    Case {
        wants_pattern: bool,
    },
}

/// An open compound and where the list around it stood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub kind: FrameKind,
    pub context: Context,
    pub around: Place,
}

pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub pos: usize,
    /// Reading stops here: the end of the text, or of the backticks or the here-document that is read.
    pub end: usize,
    pub options: Options<'a>,
    pub segments: Vec<Segment>,
    pub complete: bool,
    pub place: Place,
    pub frames: Vec<Frame>,
    /// Context outside all frames.
    pub context: Context,
    /// Substitutions and re-readings around this place.
    pub level: usize,
    /// Segments that may still be made.
    pub room: usize,
    pub reread: usize,
    pub next_pipeline: usize,
    pub parent: Option<usize>,
    /// Here-documents whose bodies begin after the next newline; those before `pending_base` wait for a newline
    /// outside the substitution that is read.
    pub pending: Vec<Pending>,
    pub pending_base: usize,
    /// Start and end of every substitution that was read: reading its word again jumps over it.
    pub known: BTreeMap<usize, usize>,
    /// Where each part of a word that is read again came from.
    pub trace: Option<Trace>,
}

/// What `Parser::enter` keeps until `Parser::leave`.
pub(super) struct Outer {
    place: Place,
    context: Context,
    pending_base: usize,
    hidden_frames: Vec<Frame>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, options: Options<'a>) -> Self {
        Parser {
            text,
            pos: 0,
            end: text.len(),
            options,
            segments: Vec::new(),
            complete: true,
            place: Place::default(),
            frames: Vec::new(),
            context: Context::TopLevel,
            level: 0,
            room: MAX_SEGMENTS,
            reread: 0,
            next_pipeline: 1,
            parent: None,
            pending: Vec::new(),
            pending_base: 0,
            known: BTreeMap::new(),
            trace: None,
        }
    }

    /// A parser for text that a command of this one runs.
    pub fn for_nested<'b>(&self, text: &'b str) -> Parser<'b> {
        let mut nested = Parser::new(text, Options::default());
        nested.context = Context::Nested;
        nested.level = self.depth() + 1;
        nested.room = self.room.saturating_sub(self.segments.len());
        nested.reread = self.reread + 1;
        nested
    }

    pub fn run(&mut self) {
        self.list(Closer::End);
        self.read_pending_bodies();
    }

    pub fn may_reread(&self) -> bool {
        self.reread < MAX_REREAD && self.can_nest()
    }

    pub fn depth(&self) -> usize {
        self.level + self.frames.len()
    }

    /// Whether one more level may be opened; if not, the text counts as broken.
    pub fn can_nest(&self) -> bool {
        self.depth() < MAX_DEPTH && self.segments.len() < self.room
    }

    pub fn broken(&mut self) {
        self.complete = false;
    }

    /// The byte at an offset, 0 at and beyond the end.
    pub fn at(&self, offset: usize) -> u8 {
        if offset < self.end { self.text.as_bytes()[offset] } else { 0 }
    }

    pub fn is_done(&self) -> bool {
        self.pos >= self.end
    }

    pub fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or("")
    }

    pub fn rest_starts_with(&self, what: &str) -> bool {
        self.text.as_bytes()[self.pos..self.end].starts_with(what.as_bytes())
    }

    /// Steps over one character, whole.
    pub fn skip_character(&mut self) {
        self.pos += 1;
        while self.pos < self.end && !self.text.is_char_boundary(self.pos) {
            self.pos += 1;
        }
    }

    /// Begins a list of its own inside the current word or body.
    pub fn enter(&mut self, context: Context) -> Outer {
        let outer = Outer {
            place: self.place,
            context: self.context,
            pending_base: self.pending_base,
            hidden_frames: std::mem::take(&mut self.frames),
        };
        self.level += outer.hidden_frames.len() + 1;
        self.context = context;
        self.pending_base = self.pending.len();
        self.place = Place { list_start: self.segments.len(), ..Place::default() };
        self.new_pipeline();
        outer
    }

    /// Goes back to the list outside. Here-documents that found no newline inside wait for the next one outside.
    pub fn leave(&mut self, outer: Outer) {
        self.level -= outer.hidden_frames.len() + 1;
        self.frames = outer.hidden_frames;
        self.place = outer.place;
        self.context = outer.context;
        self.pending_base = outer.pending_base;
    }

    pub fn new_pipeline(&mut self) {
        self.place.pipeline = self.next_pipeline;
        self.place.pipe_position = 0;
        self.place.last = None;
        self.next_pipeline += 1;
    }

    /// The context of a segment at this place.
    pub fn current_context(&self) -> Context {
        self.frames.last().map_or(self.context, |frame| frame.context)
    }
}

/// What ends a list, beside the end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closer {
    End,
    Paren,
}
