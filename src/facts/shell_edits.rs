//! Edits by shell commands: redirections, here-documents, `tee`, `sed -i`, `perl -pi`, `patch`, `git`, `mv`, `cp`, `rm`
//! and their kin become drafts (`definitions.md` §3, editing).
//!
//! Never says whether an edit took effect (`effects.rs`); code that writes files is `code_edits.rs`'s.

use super::edits::Draft;
use super::envelope;
use super::fact::{EditKind, Role};
use super::files::Files;
use super::git::{self, Change};
use super::patches;
use super::roles;
use super::scope::Scope;
use crate::shell::{Command, Segment, Word, WrapperKind};

/// What the drafts of a segment may read.
pub(super) struct Around<'a> {
    pub command: &'a Command,
    pub index: usize,
    pub scope: &'a Scope,
    pub root: Option<&'a str>,
    pub files: &'a Files,
    pub observation: &'a str,
    /// Role of the first command of the pipeline.
    pub head_role: Role,
    /// Role of this segment.
    pub role: Role,
    /// Role of the program by its name and options alone.
    pub base: Role,
}

impl Around<'_> {
    fn segment(&self) -> &Segment {
        &self.command.segments[self.index]
    }

    fn file(&self, word: &Word) -> Option<String> {
        self.scope.file(word, self.root)
    }

    /// The files that a word names: several where it is a pattern that fits known files.
    fn files_of(&self, word: &Word) -> Vec<Option<String>> {
        match self.file(word) {
            Some(path) => self.files.expand(&path).into_iter().map(Some).collect(),
            None => vec![None],
        }
    }
}

/// All drafts of a segment, in order.
pub(super) fn drafts(around: &Around) -> Vec<Draft> {
    let mut drafts = Vec::new();
    by_program(around, &mut drafts);
    by_redirection(around, &mut drafts);
    drafts
}

/// Output of a test, a run or an installation sent to a file is no edit.
fn is_logged_output(around: &Around) -> bool {
    let runs = |role: Role| {
        matches!(
            role,
            Role::Execution(_) | Role::Testing | Role::TestingBy(_) | Role::Setup(_) | Role::Unknown
        )
    };
    runs(around.head_role) || runs(around.role)
}

fn by_redirection(around: &Around, drafts: &mut Vec<Draft>) {
    let segment = around.segment();
    if is_logged_output(around) {
        return;
    }
    for redirection in segment.redirections.iter().filter(|one| one.writes_file() && !one.is_standard_error())
    {
        let appends = redirection.operator.appends();
        let new = written_text(around);
        // `find . > /dev/null 2>&1` never comes here; `ls > list` does: it makes a file.
        drafts.push(Draft {
            path: around.file(&redirection.target),
            kind: Some(if appends { EditKind::Append } else { EditKind::Create }),
            new,
            from: unknown_text_source(around),
            ..Draft::default()
        });
    }
}

/// The text that a segment writes to its output, where the command line holds it.
fn written_text(around: &Around) -> Option<String> {
    let segment = around.segment();
    match segment.program.as_str() {
        "cat" | "tee" | "sponge" => {
            if let Some(heredoc) = &segment.heredoc {
                return Some(heredoc.body.clone());
            }
            let feeder = around.command.feeder(around.index)?;
            feeder.heredoc.as_ref().map(|heredoc| heredoc.body.clone()).or_else(|| echoed(feeder))
        }
        "echo" | "printf" => echoed(segment),
        "" | ":" | "true" => Some(String::new()),
        _ => None,
    }
}

fn echoed(segment: &Segment) -> Option<String> {
    if !matches!(segment.program.as_str(), "echo" | "printf") {
        return None;
    }
    let words: Vec<&str> = segment.arguments.iter().map(|word| word.text.as_str()).collect();
    let escaped = segment.program == "printf" || words.first().is_some_and(|word| *word == "-e");
    let text = words.join(" ");
    let mut text = if escaped { text.replace("\\n", "\n") } else { text };
    text.push('\n');
    Some(text)
}

/// Marks a text that exists but is not in the command line, so that the edit does not count as empty.
fn unknown_text_source(around: &Around) -> Option<String> {
    let segment = around.segment();
    let is_known =
        matches!(segment.program.as_str(), "cat" | "tee" | "sponge" | "echo" | "printf" | "" | ":" | "true");
    (!is_known || written_text(around).is_none()).then(|| format!("output of {}", segment.program))
}

fn by_program(around: &Around, drafts: &mut Vec<Draft>) {
    let segment = around.segment();
    match roles::name(segment) {
        "git" => by_git(around, drafts),
        "tee" if !is_logged_output(around) => tee(around, drafts),
        "sponge" if !is_logged_output(around) => {
            each_file(around, plain(segment), drafts, |path| Draft {
                path,
                kind: Some(EditKind::Create),
                from: Some("output".to_owned()),
                ..Draft::default()
            });
        }
        "sed" if roles::has_in_place(segment) => sed(around, drafts),
        "perl" | "ruby" if roles::has_in_place(segment) => in_place_code(around, drafts),
        "patch" if !segment.has_argument("--dry-run") => patch(around, drafts),
        "apply_patch" | "applypatch" => apply_patch(around, drafts),
        "mv" => mv(around, drafts),
        "cp" | "install" => cp(around, drafts),
        "ln" => ln(around, drafts),
        "rm" | "unlink" | "shred" => {
            each_file(around, plain(segment), drafts, |path| Draft {
                path,
                kind: Some(EditKind::Delete),
                ..Draft::default()
            });
        }
        "touch" => touch(around, drafts),
        "truncate" => each_file(around, truncated(segment), drafts, |path| Draft {
            path,
            kind: Some(EditKind::Overwrite),
            ..Draft::default()
        }),
        "dd" => dd(around, drafts),
        "split" | "csplit" => drafts.push(unnamed(EditKind::Create)),
        "rename" => drafts.push(unnamed(EditKind::Move)),
        "find" | "fd" if around.base == Role::Editing => drafts.push(unnamed(EditKind::Delete)),
        _ if around.base == Role::Editing => {
            // Formatters, `ed`, `ex`, `awk -i inplace`: they change the files that they are given.
            each_file(around, files_like(segment), drafts, |path| Draft {
                path,
                kind: Some(EditKind::Replace),
                is_silent: true,
                ..Draft::default()
            });
        }
        _ => {}
    }
}

fn unnamed(kind: EditKind) -> Draft {
    Draft { kind: Some(kind), from: Some(String::new()), ..Draft::default() }
}

/// One draft a file; one without a path where the command takes its files from elsewhere.
fn each_file(
    around: &Around,
    words: Vec<&Word>,
    drafts: &mut Vec<Draft>,
    make: impl Fn(Option<String>) -> Draft,
) {
    let segment = around.segment();
    let from_elsewhere =
        segment.is_wrapped_by(WrapperKind::Xargs) || segment.is_wrapped_by(WrapperKind::FindExec);
    let named: Vec<&Word> = words.into_iter().filter(|word| word.text != "{}").collect();
    if named.is_empty() && from_elsewhere {
        drafts.push(make(None));
    }
    for word in named {
        drafts.extend(around.files_of(word).into_iter().map(&make));
    }
}

/// Arguments that are no option.
fn plain(segment: &Segment) -> Vec<&Word> {
    let mut only_files = false;
    segment
        .arguments
        .iter()
        .filter(|word| {
            let is_option = !only_files && word.text.starts_with('-') && word.text != "-";
            only_files |= word.text == "--";
            !is_option
        })
        .collect()
}

fn files_like(segment: &Segment) -> Vec<&Word> {
    plain(segment).into_iter().filter(|word| super::paths::looks_like_path(&word.text)).collect()
}

fn truncated(segment: &Segment) -> Vec<&Word> {
    after_values(segment, &["-s", "-r", "--size", "--reference"])
}

/// Plain arguments, the values of these options left out.
fn after_values<'a>(segment: &'a Segment, with_value: &[&str]) -> Vec<&'a Word> {
    let mut skip = false;
    let words = segment.arguments.iter().filter(|word| {
        let is_value = std::mem::take(&mut skip);
        skip = with_value.contains(&word.text.as_str());
        !is_value && (!word.text.starts_with('-') || word.text == "-")
    });
    words.collect()
}

fn tee(around: &Around, drafts: &mut Vec<Draft>) {
    let segment = around.segment();
    let appends = segment.has_argument("-a") || segment.has_argument("--append");
    let new = written_text(around);
    let from = unknown_text_source(around);
    each_file(around, plain(segment), drafts, |path| Draft {
        path: path.filter(|path| !path.starts_with("/dev/")),
        kind: Some(if appends { EditKind::Append } else { EditKind::Create }),
        new: new.clone(),
        from: from.clone(),
        ..Draft::default()
    });
    drafts.retain(|draft| {
        draft.path.is_some() || draft.kind != Some(EditKind::Create) || !segment.has_argument("/dev/null")
    });
}

fn touch(around: &Around, drafts: &mut Vec<Draft>) {
    for word in after_values(around.segment(), &["-d", "-r", "-t", "--date", "--reference"]) {
        let Some(path) = around.file(word) else { continue };
        // Touching a file that is there changes its time alone.
        if !around.files.exists(&path) {
            drafts.push(Draft {
                path: Some(path),
                kind: Some(EditKind::Create),
                new: Some(String::new()),
                ..Draft::default()
            });
        }
    }
}

fn dd(around: &Around, drafts: &mut Vec<Draft>) {
    let target = around.segment().arguments.iter().find_map(|word| word.text.strip_prefix("of="));
    if let Some(target) = target.filter(|target| !target.starts_with("/dev/")) {
        drafts.push(Draft {
            path: around.scope.file_of(target, around.root),
            kind: Some(EditKind::Create),
            from: Some("dd".to_owned()),
            ..Draft::default()
        });
    }
}

/// Files and scripts of `sed -i`.
fn sed(around: &Around, drafts: &mut Vec<Draft>) {
    let segment = around.segment();
    let mut scripts: Vec<&str> = Vec::new();
    let mut words: Vec<&Word> = Vec::new();
    let mut arguments = segment.arguments.iter();
    let mut has_script = false;
    while let Some(word) = arguments.next() {
        match word.text.as_str() {
            "-e" | "--expression" | "-f" | "--file" => {
                has_script = true;
                scripts.extend(arguments.next().map(|script| script.text.as_str()));
            }
            // BSD writes an empty suffix apart.
            "" if words.is_empty() => {}
            text if text.starts_with("--expression=") => {
                has_script = true;
                scripts.push(&text["--expression=".len()..]);
            }
            text if text.starts_with('-') && text.len() > 1 => {}
            _ => words.push(word),
        }
    }
    if !has_script && !words.is_empty() {
        scripts.push(&words.remove(0).text);
    }
    let kind = sed_kind(&scripts);
    let joined = scripts.join("\n");
    let substitution = if scripts.len() == 1 { plain_substitution(scripts[0]) } else { None };
    each_file(around, words, drafts, |path| Draft {
        path,
        kind: Some(kind),
        old: Some(joined.clone()),
        substitution: substitution.clone(),
        is_silent: true,
        ..Draft::default()
    });
}

/// Old and new text of `s/old/new/g` and `12s/old/new/`, where neither holds a sign of the language.
fn plain_substitution(script: &str) -> Option<(String, String)> {
    let (_, rest) = after_address(script.trim());
    let body = rest.trim_start().strip_prefix('s')?;
    let separator = body.chars().next()?;
    let body = &body[separator.len_utf8()..];
    let middle = closing(body, separator)?;
    let behind = &body[middle + separator.len_utf8()..];
    let end = closing(behind, separator)?;
    let flags = &behind[end + separator.len_utf8()..];
    let literal = |text: &str| {
        let plain = text.replace(&format!("\\{separator}"), &separator.to_string()).replace("\\.", ".");
        (!plain.is_empty() && !plain.contains(['*', '[', '^', '$', '\\', '&'])).then_some(plain)
    };
    // An unescaped dot fits any character, itself above all.
    flags
        .chars()
        .all(|flag| "gI0123456789".contains(flag))
        .then(|| Some((literal(&body[..middle])?, literal(&behind[..end])?)))?
}

/// `a`, `i` and `s/^/…/` at one line insert; everything else replaces.
fn sed_kind(scripts: &[&str]) -> EditKind {
    let inserts = !scripts.is_empty() && scripts.iter().all(|script| sed_inserts(script));
    if inserts { EditKind::Insert } else { EditKind::Replace }
}

fn sed_inserts(script: &str) -> bool {
    let (addressed, rest) = after_address(script.trim_start());
    match rest.trim_start().trim_start_matches('!').trim_start().bytes().next() {
        Some(b'a' | b'i' | b'r') => true,
        Some(b's') => {
            let body = rest.trim_start().get(1..).unwrap_or("");
            let mut characters = body.chars();
            let separator = characters.next();
            let pattern_end = separator.and_then(|separator| characters.as_str().find(separator));
            let pattern = pattern_end.map_or("", |end| &characters.as_str()[..end]);
            let replacement = pattern_end.map_or("", |end| &characters.as_str()[end..]);
            addressed && (pattern == "^" || pattern == "$") && replacement.contains("\\n")
        }
        _ => false,
    }
}

/// Steps over `12`, `$`, `/re/`, `\cREc` and the second address behind a comma.
fn after_address(script: &str) -> (bool, &str) {
    let mut rest = script;
    let mut found = false;
    loop {
        let before = rest;
        if let Some(after) = rest.strip_prefix('$') {
            rest = after;
        } else if rest.starts_with(|c: char| c.is_ascii_digit()) {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '~');
        } else if rest.starts_with('/') || rest.starts_with('\\') {
            let (skip, end) =
                if rest.starts_with('/') { (1, '/') } else { (2, rest[1..].chars().next().unwrap_or('/')) };
            let Some(body) = rest.get(skip..) else { return (found, rest) };
            let Some(close) = closing(body, end) else { return (found, rest) };
            rest = body[close + end.len_utf8()..].trim_start_matches(['I', 'M']);
        }
        if rest.len() == before.len() {
            return (found, rest);
        }
        found = true;
        match rest.trim_start().strip_prefix(',') {
            Some(after) => rest = after.trim_start().trim_start_matches('+'),
            None => return (true, rest),
        }
    }
}

/// Where an unescaped character stands.
fn closing(body: &str, end: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == end {
            return Some(at);
        }
    }
    None
}

/// `perl -pi -e CODE FILE…`
fn in_place_code(around: &Around, drafts: &mut Vec<Draft>) {
    let segment = around.segment();
    let code = segment.inline_code.as_ref();
    let is_code = |word: &Word| {
        code.is_some_and(|code| {
            code.span.start <= word.span.start && word.span.end <= code.span.end || code.text == word.text
        })
    };
    let words = plain(segment).into_iter().filter(|word| !is_code(word)).collect();
    let text = code.map(|code| code.text.clone());
    each_file(around, words, drafts, |path| Draft {
        path,
        kind: Some(EditKind::Replace),
        old: text.clone(),
        is_silent: true,
        ..Draft::default()
    });
}

/// The patch that a command reads: its here-document, or a file that was written here.
fn patch_text<'a>(around: &'a Around, named: Option<&Word>) -> Option<&'a str> {
    let segment = around.segment();
    if let Some(heredoc) = &segment.heredoc {
        return Some(&heredoc.body);
    }
    let feeder = around.command.feeder(around.index);
    if let Some(heredoc) = feeder.and_then(|feeder| feeder.heredoc.as_ref()) {
        return Some(&heredoc.body);
    }
    let from_input = segment
        .redirections
        .iter()
        .find(|one| one.operator == crate::shell::RedirectionOperator::Read)
        .map(|one| &one.target);
    let path = around.file(named.or(from_input)?)?;
    around.files.get(&path).and_then(|file| file.text.as_deref())
}

fn patch(around: &Around, drafts: &mut Vec<Draft>) {
    let segment = around.segment();
    let reverse = segment.has_argument("-R") || segment.has_argument("--reverse");
    let plain = after_values(segment, &["-i", "--input", "-d", "--directory", "-o", "-r"]);
    let input = segment.arguments.iter().position(|word| matches!(word.text.as_str(), "-i" | "--input"));
    let named = input.and_then(|index| segment.arguments.get(index + 1)).or_else(|| plain.get(1).copied());
    let kind = if reverse { EditKind::Revert } else { EditKind::Replace };
    let text = patch_text(around, named);
    if let Some(original) = plain.first() {
        drafts.push(patched(around.file(original), kind, text));
        return;
    }
    patch_drafts(around, kind, text, drafts);
}

/// The patch is the argument, or the input.
fn apply_patch(around: &Around, drafts: &mut Vec<Draft>) {
    let argument = around.segment().arguments.iter().find(|word| envelope::is_envelope(&word.text));
    let text = argument.map(|word| word.text.as_str()).or_else(|| patch_text(around, None));
    match text.filter(|text| envelope::is_envelope(text)) {
        Some(text) => drafts.extend(envelope::drafts(text, |path| around.scope.file_of(path, around.root))),
        None => patch_drafts(around, EditKind::Replace, text, drafts),
    }
}

/// One draft a file of the patch, or of what `patch` says it patched.
fn patch_drafts(around: &Around, kind: EditKind, text: Option<&str>, drafts: &mut Vec<Draft>) {
    let files: Vec<&str> = text.map(patches::files).unwrap_or_default();
    let said = || {
        let lines = around.observation.lines().filter_map(|line| line.strip_prefix("patching file "));
        lines.map(|path| path.trim_matches('\'')).collect::<Vec<_>>()
    };
    let files = if files.is_empty() { said() } else { files };
    if files.is_empty() {
        drafts.push(patched(None, kind, text));
    }
    for path in files {
        drafts.push(patched(around.scope.file_of(path, around.root), kind, text));
    }
}

fn patched(path: Option<String>, kind: EditKind, text: Option<&str>) -> Draft {
    Draft {
        path,
        kind: Some(kind),
        old: text.map(str::to_owned),
        from: Some("patch".to_owned()),
        ..Draft::default()
    }
}

fn mv(around: &Around, drafts: &mut Vec<Draft>) {
    let words = after_values(around.segment(), &["-t", "-S", "--suffix"]);
    let Some((to, from)) = words.split_last() else { return };
    for word in from {
        for source in around.files_of(word) {
            let path = destination(around, to, source.as_deref(), from.len() > 1);
            drafts.push(Draft { path, kind: Some(EditKind::Move), from: source, ..Draft::default() });
        }
    }
}

fn cp(around: &Around, drafts: &mut Vec<Draft>) {
    let segment = around.segment();
    let words = after_values(segment, &["-t", "-m", "-o", "-g", "-S", "--suffix"]);
    let Some((to, from)) = words.split_last() else { return };
    if segment.has_argument("-d") && segment.program == "install" {
        return;
    }
    for word in from {
        for source in around.files_of(word) {
            let path = destination(around, to, source.as_deref(), from.len() > 1);
            let from = Some(source.unwrap_or_default());
            drafts.push(Draft { path, kind: Some(EditKind::Create), from, ..Draft::default() });
        }
    }
}

fn ln(around: &Around, drafts: &mut Vec<Draft>) {
    let words = plain(around.segment());
    if let [source, target] = words.as_slice() {
        drafts.push(Draft {
            path: destination(around, target, around.file(source).as_deref(), false),
            kind: Some(EditKind::Create),
            from: Some(source.text.clone()),
            ..Draft::default()
        });
    }
}

/// The file behind `mv a DIR/` is `DIR/a`.
fn destination(around: &Around, to: &Word, source: Option<&str>, several: bool) -> Option<String> {
    let path = around.file(to)?;
    let is_folder = several
        || to.text.ends_with('/')
        || matches!(path.as_str(), "." | "/tmp" | "..")
        || around.files.paths_in(&path).next().is_some();
    match source.filter(|_| is_folder) {
        Some(source) if path == "." => Some(super::paths::name(source).to_owned()),
        Some(source) => Some(format!("{}/{}", path.trim_end_matches('/'), super::paths::name(source))),
        None => Some(path),
    }
}

fn by_git(around: &Around, drafts: &mut Vec<Draft>) {
    let segment = around.segment();
    match git::change(segment) {
        Some(Change::Paths(kind, words)) => {
            each_file(around, words, drafts, |path| Draft { path, kind: Some(kind), ..Draft::default() })
        }
        Some(Change::RevertAll) => revert_all(around, drafts),
        Some(Change::Restore) => drafts.push(Draft { restores: true, ..unnamed(EditKind::Replace) }),
        Some(Change::Apply { reverse }) => {
            let named = segment.subcommand_arguments().iter().find(|word| !word.text.starts_with('-'));
            let kind = if reverse { EditKind::Revert } else { EditKind::Replace };
            let text = patch_text(around, named);
            patch_drafts(around, kind, text, drafts);
        }
        Some(Change::Clean) => drafts.push(unnamed(EditKind::Delete)),
        Some(Change::Move(from, to)) => {
            let source = around.file(from);
            let path = destination(around, to, source.as_deref(), false);
            drafts.push(Draft { path, kind: Some(EditKind::Move), from: source, ..Draft::default() });
        }
        Some(Change::Unnamed(kind)) => drafts.push(unnamed(kind)),
        None => {}
    }
}

/// Every file that was edited here goes back; one draft without a path where none is known.
fn revert_all(around: &Around, drafts: &mut Vec<Draft>) {
    let edited = around.files.edited_originals();
    if edited.is_empty() {
        drafts.push(Draft { kind: Some(EditKind::Revert), ..Draft::default() });
    }
    for path in edited {
        drafts.push(Draft { path: Some(path), kind: Some(EditKind::Revert), ..Draft::default() });
    }
}
