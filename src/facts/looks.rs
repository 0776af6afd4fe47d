//! Looks at files: what a call reads or views, and what that shows of earlier edits.
//!
//! Owns   the rows of `Facts::reads`, the review of an edited file, folders made by `mkdir`, the open file.

use super::fact::{ExplorationKind, Place, ReadFact, Role};
use super::walk::{Line, Seen, Walk};
use super::{later, reads, targets};

impl<'t> Walk<'t> {
    pub fn shell_reads(&mut self, seen: Seen, line: Line, role: Role) {
        let text = seen.result.text.filter(|_| !seen.result.is_cut);
        let found = reads::of_segment(line.command, line.index, line.scope, self.root(), role, text);
        for one in found {
            // A file that is not there was not read.
            let missing = seen.result.text.is_some_and(|text| {
                text.len() < 2_000
                    && text.contains("No such file")
                    && text.contains(super::paths::name(&one.path))
            });
            if line.shown().ran == Some(false) || missing {
                continue;
            }
            self.read(seen, Some(line.index), one.path, one.lines, one.by_search);
        }
    }

    fn read(
        &mut self,
        seen: Seen,
        segment: Option<usize>,
        path: String,
        lines: Option<(i64, i64)>,
        by_search: bool,
    ) -> bool {
        let review = !by_search && self.files.edited(&path);
        if let Some(text) = seen.result.text.filter(|_| !by_search && !self.waiting.is_empty()) {
            let is_whole = !seen.result.is_cut && lines.is_some_and(|(first, _)| first == 1);
            self.waiting.see_file(&path, text, is_whole, &mut self.facts.edits);
        }
        if seen.result.text.is_some() {
            self.files.seen(&path);
        }
        self.facts.reads.push(ReadFact {
            place: Place { turn: seen.turn, call: seen.index, segment },
            path,
            lines,
            review,
            by_search,
        });
        review
    }

    /// `mkdir x` makes a folder; `mkdir -p a/b` may find it there, save where its name says what it is for.
    pub fn note_folders(&mut self, line: Line) {
        let segment = line.segment();
        if segment.program != "mkdir" || line.shown().ran == Some(false) {
            return;
        }
        let may_exist = segment.has_argument("-p") || segment.has_argument("--parents");
        for word in segment.arguments.iter().filter(|word| !word.text.starts_with('-')) {
            let Some(path) = line.scope.file(word, self.root()) else { continue };
            let is_own = path.starts_with("/tmp/") || targets::is_reproduction(&path);
            if !may_exist || is_own {
                self.files.folder_made(&path);
            }
        }
    }

    /// Reading a file that was edited here is a review.
    pub fn reviewed(&self, seen: Seen, line: Line, role: Role) -> Role {
        let here = self
            .facts
            .reads
            .iter()
            .rev()
            .take_while(|read| read.place.turn == seen.turn && read.place.call == seen.index);
        let reviews = here.filter(|read| read.place.segment == Some(line.index)).any(|read| read.review);
        match role {
            Role::Exploration(ExplorationKind::Read) if reviews => Role::Exploration(ExplorationKind::Review),
            role => role,
        }
    }

    /// Diffs that show earlier edits, and commands that hide them.
    pub fn look_back(&mut self, seen: Seen, line: Line) {
        self.waiting.note(line.segment());
        if self.waiting.is_empty()
            || line.shown().ran == Some(false)
            || seen.result.is_cut
            || seen.result.timed_out
        {
            return;
        }
        let (Some(text), Some(only)) = (seen.result.text, later::shows_diff(line.command, line.index)) else {
            return;
        };
        if seen.result.exit.is_some_and(|exit| exit != 0) || text.contains("fatal: ") {
            return;
        }
        let only: Vec<String> =
            only.iter().filter_map(|path| line.scope.file_of(path, self.root())).collect();
        let files = &self.files;
        self.waiting.see_diff(
            text,
            (!only.is_empty()).then_some(&only),
            |path| files.created_here(path),
            &mut self.facts.edits,
        );
    }

    pub fn view(
        &mut self,
        seen: Seen,
        path: Option<&str>,
        lines: Option<(i64, i64)>,
        line: Option<Line>,
    ) -> Role {
        let text = seen.result.text.unwrap_or("");
        let (window, shown) = reads::window(text);
        let file = match path {
            Some(path) => self.named(seen, line, path),
            None => {
                window.and_then(|path| self.named(seen, line, path)).or_else(|| self.open_file(seen, line))
            }
        };
        let head = text.get(..text.floor_char_boundary(400)).unwrap_or("");
        let is_folder =
            head.contains("files and directories up to") || path.is_some_and(|path| path.ends_with('/'));
        let refused = is_refused_view(head) || line.is_some_and(|line| line.shown().ran == Some(false));
        let Some(file) = file.filter(|_| !is_folder) else {
            return Role::Exploration(if is_folder {
                ExplorationKind::Search
            } else {
                ExplorationKind::Read
            });
        };
        if refused {
            return Role::Exploration(ExplorationKind::Read);
        }
        if window.is_some() {
            self.opened = Some(file.clone());
        }
        let review = self.read(seen, line.map(|line| line.index), file, shown.or(lines), false);
        Role::Exploration(if review { ExplorationKind::Review } else { ExplorationKind::Read })
    }

    pub fn searched(&mut self, seen: Seen, path: Option<&str>, line: Option<Line>) {
        let file = path.filter(|path| *path != "." && super::paths::name(path).contains('.'));
        if let Some(file) = file.and_then(|path| self.named(seen, line, path)) {
            self.read(seen, line.map(|line| line.index), file, None, true);
        }
    }
}

/// A view that the tool refused shows no file.
fn is_refused_view(head: &str) -> bool {
    const REFUSALS: [&str; 9] = [
        "does not exist",
        "No such file",
        "not found",
        "Invalid `view_range`",
        "Usage: ",
        "No file open",
        "must be less than or equal",
        "command not found",
        "Error: ",
    ];
    let first = head.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    !first.starts_with("[File: ") && REFUSALS.iter().any(|words| first.contains(words))
}
