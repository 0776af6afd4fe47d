//! Files read: what a command or a view shows, with the lines where they can be told (`definitions.md` §3 exploration,
//! §6 L5).
//!
//! Never lists folders, and never takes a filter's own words for a file.

use memchr::memmem;

use super::fact::{ExplorationKind, Role};
use super::paths::looks_like_path;
use super::scope::Scope;
use crate::shell::{Command, Segment, Word};

/// One file that a segment shows or searches in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub path: String,
    pub lines: Option<(i64, i64)>,
    pub by_search: bool,
}

/// The files that a shell segment reads.
pub(super) fn of_segment(
    command: &Command,
    index: usize,
    scope: &Scope,
    root: Option<&str>,
    role: Role,
    text: Option<&str>,
) -> Vec<Shown> {
    let segment = &command.segments[index];
    let (words, by_search, own_lines) = match role {
        Role::Exploration(ExplorationKind::Read | ExplorationKind::Review) => {
            if segment.program == "git" {
                return Vec::new();
            }
            (read_files(segment), false, own_range(segment))
        }
        Role::Exploration(ExplorationKind::Search) => (searched_files(segment), true, None),
        _ => return Vec::new(),
    };
    let later = if by_search { None } else { piped_range(command, index, own_lines) };
    let (lines, filtered) = match later {
        Some(Piped::Range(lines)) => (Some(lines), false),
        Some(Piped::Filtered) => (None, true),
        Some(Piped::Unknown) => (None, false),
        None => (own_lines.filter(|(_, last)| *last != i64::MAX), false),
    };
    let whole = lines.is_none() && later.is_none() && is_whole_reader(segment) && command.segments.len() <= 2;
    let counted = if whole && words.len() == 1 { text.and_then(count_lines) } else { None };
    words
        .into_iter()
        .filter_map(|word| scope.file(word, root))
        .map(|path| Shown { path, lines: lines.or(counted), by_search: by_search || filtered })
        .collect()
}

fn is_whole_reader(segment: &Segment) -> bool {
    matches!(segment.program.as_str(), "cat" | "nl" | "less" | "more" | "bat" | "tac")
        && segment.redirections.is_empty()
}

fn count_lines(text: &str) -> Option<(i64, i64)> {
    let text = text.trim_end_matches('\n');
    let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + usize::from(!text.is_empty());
    i64::try_from(lines).ok().filter(|lines| *lines > 0).map(|lines| (1, lines))
}

/// Arguments of a reading program that are files.
fn read_files(segment: &Segment) -> Vec<&Word> {
    let with_value: &[&str] = match segment.program.as_str() {
        "head" | "tail" => &["-n", "-c", "--lines", "--bytes"],
        "nl" => &["-b", "-v", "-w", "-s", "-n", "-i"],
        "cut" => &["-d", "-f", "-c", "-b"],
        "sort" => &["-k", "-t", "-o"],
        "xxd" | "hexdump" | "od" => &["-n", "-l", "-s", "-N", "-j", "-c", "-A", "-t"],
        "awk" | "gawk" | "mawk" => &["-F", "-v", "-f"],
        "sed" => &["-e", "-f"],
        "jq" | "yq" => &["--arg", "-f"],
        "stat" => &["-c", "-f", "--format"],
        _ => &[],
    };
    let mut skip = false;
    let mut script_given = false;
    let mut words: Vec<&Word> = Vec::new();
    for word in &segment.arguments {
        if std::mem::take(&mut skip) {
            continue;
        }
        let text = word.text.as_str();
        if with_value.contains(&text) {
            skip = true;
            script_given |= matches!(text, "-e" | "-f");
        } else if !text.starts_with('-') && !text.starts_with('+') {
            words.push(word);
        }
    }
    let has_script = matches!(segment.program.as_str(), "sed" | "awk" | "gawk" | "mawk" | "jq" | "yq" | "tr");
    if has_script && !script_given && !words.is_empty() {
        words.remove(0);
    }
    if segment.program == "tr" {
        words.clear();
    }
    words
}

/// Files that a search names; folders are not files.
fn searched_files(segment: &Segment) -> Vec<&Word> {
    if !matches!(segment.program.as_str(), "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack") {
        return Vec::new();
    }
    let mut skip = false;
    let mut pattern_given = false;
    let mut words: Vec<&Word> = Vec::new();
    for word in &segment.arguments {
        if std::mem::take(&mut skip) {
            continue;
        }
        match word.text.as_str() {
            "-e" | "-f" | "--regexp" => {
                pattern_given = true;
                skip = true;
            }
            "-A" | "-B" | "-C" | "-m" | "-d" | "-t" | "-g" | "--include" | "--exclude" | "--exclude-dir"
            | "--glob" | "--max-count" => skip = true,
            text if text.starts_with('-') => {}
            _ => words.push(word),
        }
    }
    if !pattern_given && !words.is_empty() {
        words.remove(0);
    }
    let is_file = |word: &&Word| {
        super::paths::name(&word.text).contains('.')
            && looks_like_path(super::paths::name(&word.text))
            && word.text != "."
            && !word.text.contains('*')
    };
    words.into_iter().filter(is_file).collect()
}

/// Lines that the program itself cuts out.
fn own_range(segment: &Segment) -> Option<(i64, i64)> {
    match segment.program.as_str() {
        "sed" => sed_range(segment),
        "head" => head_lines(segment).map(|lines| (1, lines)),
        "tail" => tail_from(segment).map(|from| (from, i64::MAX)),
        "awk" | "gawk" => segment.arguments.iter().find_map(|word| awk_range(&word.text)),
        _ => None,
    }
}

/// What a filter behind the reader does to its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piped {
    Range((i64, i64)),
    Filtered,
    Unknown,
}

fn piped_range(command: &Command, index: usize, own: Option<(i64, i64)>) -> Option<Piped> {
    let reader = &command.segments[index];
    let mut found = own.map(Piped::Range);
    let mut any = false;
    let behind = command.segments[index + 1..]
        .iter()
        .filter(|one| one.pipeline == reader.pipeline && one.pipe_position > reader.pipe_position);
    for filter in behind {
        let lines = match filter.program.as_str() {
            "sed" => sed_range(filter),
            "head" => head_lines(filter).map(|lines| (1, lines)),
            "tail" => tail_from(filter).map(|from| (from, i64::MAX)),
            "awk" => filter.arguments.iter().find_map(|word| awk_range(&word.text)),
            "cat" | "nl" | "less" | "more" => continue,
            _ => return Some(Piped::Filtered),
        };
        any = true;
        found = Some(match (found, lines) {
            (None, Some(lines)) => Piped::Range(lines),
            // `tail -n +20 | head -30`, `head -60 | tail -n +20`: lines of lines.
            (Some(Piped::Range((first, last))), Some((from, to))) => {
                let end = if to == i64::MAX { last } else { last.min(first.saturating_add(to - 1)) };
                Piped::Range((first + from - 1, end))
            }
            _ => Piped::Unknown,
        });
    }
    match found.filter(|_| any) {
        Some(Piped::Range((_, i64::MAX))) => Some(Piped::Unknown),
        found => found,
    }
}

/// `-n '10,20p'`, `10,20p;20q`, `5p`, `1,+30p`.
fn sed_range(segment: &Segment) -> Option<(i64, i64)> {
    let quiet = segment.arguments.iter().any(|word| {
        word.text == "-n" || word.text == "--quiet" || word.text.starts_with("-n") && word.text.len() <= 3
    });
    let script = segment.arguments.iter().find(|word| !word.text.starts_with('-'))?.text.trim();
    let first = script.split(';').next()?.trim();
    let range = first.strip_suffix('p').filter(|_| quiet)?;
    let (from, to) = range.split_once(',').unwrap_or((range, range));
    let from: i64 = from.trim().parse().ok()?;
    let to = match to.trim().strip_prefix('+') {
        Some(more) => from + more.parse::<i64>().ok()?,
        None => to.trim().parse().ok()?,
    };
    (from > 0 && to >= from).then_some((from, to))
}

/// `head -50`, `head -n 50`, `head` alone.
fn head_lines(segment: &Segment) -> Option<i64> {
    let mut words = segment.arguments.iter().map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        let number = match word {
            "-n" | "--lines" => words.next(),
            "-c" | "--bytes" => return None,
            word => word
                .strip_prefix("--lines=")
                .or_else(|| word.strip_prefix("-n"))
                .or_else(|| word.strip_prefix('-')),
        };
        if let Some(number) = number {
            return number.parse().ok().filter(|lines: &i64| *lines > 0);
        }
    }
    Some(10)
}

/// `tail -n +20`, `tail +20`.
fn tail_from(segment: &Segment) -> Option<i64> {
    let words: Vec<&str> = segment.arguments.iter().map(|word| word.text.as_str()).collect();
    let number = words.iter().find_map(|word| word.strip_prefix("-n+").or_else(|| word.strip_prefix('+')));
    number?.parse().ok()
}

/// `NR>=10 && NR<=20`, `NR==10,NR==20`.
fn awk_range(script: &str) -> Option<(i64, i64)> {
    if !script.contains("NR") {
        return None;
    }
    let mut numbers = script.split("NR").skip(1).filter_map(|part| {
        let operator_end = part.find(|c: char| c.is_ascii_digit())?;
        let operator = part[..operator_end].trim();
        let digits = part[operator_end..]
            .find(|c: char| !c.is_ascii_digit())
            .map_or(&part[operator_end..], |end| &part[operator_end..operator_end + end]);
        let number: i64 = digits.parse().ok()?;
        Some(match operator {
            ">" => number + 1,
            "<" => number - 1,
            _ => number,
        })
    });
    let range = (numbers.next()?, numbers.next()?);
    (range.0 > 0 && range.1 >= range.0).then_some(range)
}

/// File and lines that a view of an editor shows: SWE-agent's window or numbered lines.
pub(super) fn window(text: &str) -> (Option<&str>, Option<(i64, i64)>) {
    match window_header(text) {
        Some((path, total, at)) => (Some(path), window_lines(&text[at..], total)),
        None => (None, numbered_lines(text)),
    }
}

/// The file whose window an editor shows, if one does.
pub(super) fn window_file(text: &str) -> Option<&str> {
    window_header(text).map(|(path, _, _)| path)
}

/// The window that the editor shows, with its header and without the words below it that an edit was made.
pub(super) fn window_text(text: &str) -> Option<&str> {
    const UPDATED: &str = "\nFile updated. ";
    let (_, _, header_end) = window_header(text)?;
    let start = text[..header_end].rfind('\n').map_or(0, |newline| newline + 1);
    let shown = &text[start..];
    Some(memmem::rfind(shown.as_bytes(), UPDATED.as_bytes()).map_or(shown, |end| &shown[..end]).trim_end())
}

/// `[File: /x/y.py (300 lines total)]`, at the beginning or below the errors of a refused edit.
fn window_header(text: &str) -> Option<(&str, i64, usize)> {
    let head = text.get(..text.floor_char_boundary(6_000)).unwrap_or(text);
    let at = head.find("[File: ")?;
    let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let line = &text[at + "[File: ".len()..line_end];
    let (path, rest) = line.rsplit_once(" (")?;
    let total = rest.split_whitespace().next()?.parse().ok()?;
    Some((path, total, line_end))
}

/// `(12 more lines above)`, `(30 more lines below)`; some versions say `lines above` without `more`.
fn window_lines(text: &str, total: i64) -> Option<(i64, i64)> {
    let hidden = |line: &str, side: &str| {
        let inner = line.trim().strip_prefix('(')?.strip_suffix(')')?;
        inner
            .ends_with(side)
            .then(|| inner.split_whitespace().next().and_then(|number| number.parse::<i64>().ok()))
            .flatten()
    };
    let above = text.lines().take(3).find_map(|line| hidden(line, "lines above")).unwrap_or(0);
    let below = text.lines().rev().take(8).find_map(|line| hidden(line, "lines below")).unwrap_or(0);
    (total - below > above).then_some((above + 1, total - below))
}

/// First and last number of `cat -n` lines.
fn numbered_lines(text: &str) -> Option<(i64, i64)> {
    let number = |line: &str| {
        let (number, _) = line.split_once('\t')?;
        number.trim().parse::<i64>().ok()
    };
    let first = text.lines().take(6).find_map(number)?;
    let last = text.lines().rev().take(8).find_map(number)?;
    (first > 0 && last >= first).then_some((first, last))
}
