//! Words of a verdict in a script's print: its own failure and success words, comparisons with a stated expectation,
//! exceptions that it caught and printed.
//!
//! Source definitions.md §4 and the labelled turns: `0 failed` and `failed as expected` without its message are none, a bare True or a value
//!        beside an expectation is none, `pass` in an address or a literal is none. `Issue not reproduced` is a success.

use std::sync::LazyLock;

use regex::Regex;

use crate::data::pattern::ascii;

use super::exception::in_task;

/// What the lines of a print say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// A failure word, an expectation that does not hold, or an exception of which the task speaks.
    pub failure: bool,
    /// A success word, or an expectation that holds.
    pub success: bool,
}

/// A line without any of these says nothing.
static CANDIDATE: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"(?i-u:fail|bug|pass|succe|\bok|_ok\b|expect|correctly|works? |error|exception|rai?sed|caught|crash|reproduc)",
        r"|[✓✔✅🎉✗✘❌]",
    ))
});
static FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    ascii(r"(?i-u:\b(?:fail|failed|failures?|bug)\b)|\b(?:[A-Z]+_)+(?:FAIL|FAILED|FAILURE)\b|[✗✘❌]")
});
static SUCCESS: LazyLock<Regex> = LazyLock::new(|| {
    ascii(
        r"(?i-u:\b(?:pass|passed|passes|success|successful|successfully|succeeded|ok|okay|as expected|expected \w*(?:error|exception)|works? (?:correctly|fine|properly|now)|correctly|(?:not|no longer|cannot|n't) (?:be |been |being )?reproduc(?:ed?|es|ible)|unable to reproduce)\b)|\b(?:[A-Z]+_)+(?:OK|PASS|PASSED|SUCCESS)\b|[✓✔✅🎉]",
    )
});

/// Failure words that speak of none: counted as zero, expected, denied, mended, or a heading.
static NO_FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"(?i)\b(?:0|no|zero|none|without|not|never|didn't|doesn't|don't|won't)\s+(?:\w+\s+){0,2}(?:fail|failed|failures?|bugs?)\b",
        r"|\b(?:fail|failed|failures?|bugs?)(?:\s+\w+)?\s*[:=]\s*(?:0\b|\[\]|(?:none|false|no)\s*(?:[,;.!)]|$))",
        r"|\bfail(?:ed|ure)?,? (?:\w+ )?\(?as expected|\bexpected(?:ly)? (?:to )?fail|\bexpected failure|\bcorrectly fail|\bfailed (?:correctly|properly)",
        r"|\bfail(?:ed|ure)? \(expected\)|\b(?:should|would|will|must|might|may|could|can|if|when|used to|previously|originally|before)\b[^:]*\b(?:fail|failed|bug)\b",
        r"|\bpass(?:ed)?\s*(?:/|or|vs)\s*fail",
        r"|\bbug\b[^.!\n]*(?:\bnot|\bno longer|\bcannot|n't) (?:be |been )?(?:reproduc|present|there\b|occur|happen)",
        r"|\bbug\b[^.!\n]*\b(?:fixed|resolved|gone|solved|report|reproduction|test|case)\b|\bfix(?:ed|es|ing)?\b[^.!\n]*\bbug\b|\bbug ?#?\d+|\bbug-?fix",
        r"|\b(?:test|testing|reproduc\w+|demonstrat\w+|check|checking|verify|verifying|simulat\w+|investigat\w+)\b[^.!\n]*\bbug\b",
    ))
});
/// Success words that speak of none: a step of the set-up or an edit of the script's own went well.
static NO_SUCCESS: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"(?i)\b(?:0|no|zero|none|not|never|didn't|doesn't|isn't|cannot|without)\s+(?:[\w-]+\s+){0,2}(?:pass|passed|success|successful|ok|okay|correctly|as expected|work|works)\b",
        r"|\b(?:should|would|will|must|might|may|could|if|whether|expected to|want)\b[^:]*\b(?:pass|passes|succeed|work|works|correctly|ok|reproduced)\b",
        r"|\b(?:passed|passes|success|successful)\s*[:=]\s*(?:0\b|none\b|\[\]|false\b|no\b)",
        r"|\b(?:created|saved|installed|written|wrote|generated|loaded|set ?up|configured|initiali[sz]ed|connected|patched|applied|replaced|updated|modified|inserted|copied|removed)",
        r"\b[^.\n]*\bsuccessfully\b|\bbuild succeeded\b",
        r"|\bsuccessfully (?:created|saved|installed|written|wrote|generated|loaded|set ?up|configured|initiali[sz]ed|connected|patched|applied|replaced|updated|modified|inserted|copied|removed)\b",
        r"|^\s*Applying \S+\.\.\.|\b[1-5]\d\d OK\b|\bpassed (?:to|as|in|by|through|into|from|an?|the)\b|\bunexpected(?:ly)?\b",
    ))
});
/// Words of success that approve of what is broken: a failure that was expected, an issue that was reproduced. Another word of
/// the line, or a mark, may still be one (`SUCCESS: correctly failed`, `✓ fails as expected`).
static BROKEN: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"(?i)\bfail(?:ed|s|ing|ure)?,? (?:\w+ )?\(?(?:as expected|correctly|properly)\b|\bcorrectly fail\w*",
        r"|(?:[✓✔✅🎉]\s*)?\bsuccess(?:ful|fully)?\b\W{0,3}(?:\w+ ){0,3}reproduc(?:ed|es|ing|tion)\b",
        r"|[✓✔✅🎉]\s*(?:\w+ ){0,3}reproduc(?:ed|es|tion)\b(?:\W{1,3}success(?:ful|fully)?\b)?",
        r"|\breproduc(?:ed|tion)\b (?:\w+ ){0,3}success(?:ful|fully)?\b",
    ))
});
/// `escapeseq failed as expected: Invalid filter`: a failure of which nothing is said but that it was awaited is the symptom that
/// a reproduction shows. Beside any word of success it is a step of a test that went as planned.
static SHOWN_FAILURE: LazyLock<Regex> =
    LazyLock::new(|| ascii(r"(?i)\bfail(?:ed|s),? (?:\w+ )?as expected(?: \([^)\n]*\))?: *\S"));
/// `Caught expected error: MESSAGE`: where the task complains of that message, it is the symptom that is shown.
static AWAITED: LazyLock<Regex> = LazyLock::new(|| {
    ascii(
        r"(?i)\b(?:caught|got|raised|hit)\b[^:\n]{0,40}\bexpected\b[^:\n]{0,40}: *(?P<message>\S[^\n]*)|\((?:as )?expected\): *(?P<other>\S[^\n]*)",
    )
});
/// What takes such a phrase back: the issue is not reproduced, or what is reproduced is fixed.
static TAKEN_BACK: LazyLock<Regex> =
    LazyLock::new(|| ascii(r"(?i)\b(?:not|no longer|cannot|never|fix\w*|expected|correct)\b|n't\b"));
/// `expected 5, got 7` and `got 7, expected 5`.
static COMPARED: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"(?i)\bexpected:?\s+(?P<want>[^\n]{1,200}?)\s*(?:[,;]|\bbut\b)\s*",
        r"(?:but )?(?:got|received|actual(?:ly)?(?: got)?|found)(?::\s*|\s+)(?P<got>.+?)\)?\.?\s*$",
        r"|\bgot:?\s+(?P<got2>[^\n]{1,200}?)\s*[,;(]\s*(?:but )?expected:?\s+(?P<want2>.+?)\)?\.?\s*$",
    ))
});
/// `Output matches expected.`, `Output does NOT match expected.`: a comparison of which only the result is told.
static MATCHED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?P<not>(?:does|do|did)(?: not|n't) )?match(?:es|ed)? (?:the |what was )?expected(?: \w+)?[.!:]?\s*$",
    )
    .expect("valid pattern")
});
/// An exception's class with its message, a class that was raised or caught, or `Error: message`. A class that a
/// sentence only speaks of (`ValidationError instances are equal`) is none.
static PRINTED: LazyLock<Regex> = LazyLock::new(|| {
    ascii(concat!(
        r"\b([A-Z]\w*(?:Error|Exception))(?:: |\b[^\n]*\b(?:raised|occurred|encountered|caught|thrown)\b)",
        r"|(?i:\b(?:raised|raises|caught|threw|got|exception|error)\b)[^\n]*?\b([A-Z]\w*(?:Error|Exception))\b",
        r"|(?i:\b(?:errors?|exception|raised|caught|crash(?:ed)?)\b)",
    ))
});
static DENIED: LazyLock<Regex> = LazyLock::new(|| {
    ascii(r"(?i)\b(?:no|not|without|never|expected|correctly|should|handled|avoid\w*|fixed)\b|n't\b")
});
/// Words of a verdict inside the code of a script.
static IN_CODE: LazyLock<Regex> = LazyLock::new(|| {
    ascii(
        r#"(?i)["'`][^"'`\n]*\b(?:fail|failed|failure|bug|pass|passed|success|successful|ok)\b|["'`][^"'`\n]*[✓✔✅✗✘❌]"#,
    )
});
/// Without one of these no literal holds such a word.
static MAY_BE_IN_CODE: LazyLock<Regex> =
    LazyLock::new(|| ascii("(?i-u:fail|bug|pass|success|ok)|[✓✔✅✗✘❌]"));

/// Reads a print. Where the script's text is known, a word counts only where it stands there too: a library's
/// `OK` or `failed` is not the script's own.
pub fn read(text: &str, script: Option<&str>, task: &str) -> Words {
    let mut words = Words::default();
    let mut shows_failure = false;
    let mut from = 0;
    // Most lines hold no word that could matter: one search over the text finds those that do. A failure decides.
    while let Some(found) = CANDIDATE.find_at(text, from).filter(|_| !words.failure) {
        let line = line_around(text, found.start());
        from = text[found.start()..].find('\n').map_or(text.len(), |newline| found.start() + newline);
        if is_foreign(line) {
            continue;
        }
        let awaited = awaits_task_message(line, task);
        let success = !awaited && succeeds(line, script);
        words.success |= success;
        shows_failure |= awaited || SHOWN_FAILURE.is_match(line) && is_own("as expected", script);
        words.failure |= fails(line, script) || !success && prints_task_exception(line, task);
        match compares(line).or_else(|| matches_expected(line, script)) {
            Some(true) => words.success = true,
            Some(false) => words.failure = true,
            None => {}
        }
    }
    words.failure |= shows_failure && !words.success;
    words
}

fn line_around(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    &text[start..end]
}

/// Whether code prints words of a verdict.
pub fn prints_verdict(script: &str) -> bool {
    MAY_BE_IN_CODE.is_match(script) && IN_CODE.is_match(script)
}

/// Warnings of libraries and frames of tracebacks are nobody's verdict.
fn is_foreign(line: &str) -> bool {
    line.is_empty()
        || line.contains("Warning: ")
        || line.trim_start().starts_with("File \"")
        || line.starts_with("Traceback (")
}

fn fails(line: &str, script: Option<&str>) -> bool {
    FAILURE
        .find_iter(line)
        .any(|word| stands_free(line, word.start(), word.end()) && is_own(word.as_str(), script))
        && !NO_FAILURE.is_match(line)
}

fn succeeds(line: &str, script: Option<&str>) -> bool {
    let broken: Vec<regex::Match> = BROKEN
        .find_iter(line)
        .filter(|phrase| {
            !phrase.as_str().to_ascii_lowercase().contains("reproduc") || !TAKEN_BACK.is_match(line)
        })
        .collect();
    let is_of_failure =
        |word: regex::Match| broken.iter().any(|phrase| phrase.range().contains(&word.start()));
    SUCCESS.find_iter(line).any(|word| {
        !is_of_failure(word)
            && stands_free(line, word.start(), word.end())
            && is_verdict_word(line, word.as_str(), word.end())
            && is_own(word.as_str(), script)
    }) && !NO_SUCCESS.is_match(line)
}

/// Not inside an address, a path, a literal or a call: `http://:pass@host`, `'pass'`, `fail()`, `a/fail.py`.
fn stands_free(line: &str, start: usize, end: usize) -> bool {
    let before = line[..start].chars().next_back();
    let mut behind = line[end..].chars();
    let after = behind.next();
    let joins = |c: char| matches!(c, '/' | '\\' | '@' | '\'' | '"' | '=' | '_' | '`' | '$');
    let is_member = after == Some('.') && behind.next().is_some_and(char::is_alphanumeric);
    let in_address = before == Some(':') && line[..start].contains("//");
    let joined_before = in_address || before.is_some_and(|c| joins(c) || matches!(c, '.' | '-'));
    let joined_after = is_member || after.is_some_and(|c| joins(c) || c == '(');
    !(joined_before || joined_after)
}

/// A lower-case `pass` or `ok` counts only as the end of a statement.
fn is_verdict_word(line: &str, word: &str, end: usize) -> bool {
    let rest = line[end..].trim_start();
    !matches!(word, "pass" | "ok") || rest.is_empty() || rest.starts_with(['!', ')', ':', '.', ',', '('])
}

fn is_own(word: &str, script: Option<&str>) -> bool {
    script.is_none_or(|script| script.contains(word) || !word.is_ascii())
}

/// An exception printed by whoever caught it, of which the task speaks.
fn prints_task_exception(line: &str, task: &str) -> bool {
    // A message may deny something itself (`can't subtract …`): only what stands before it counts.
    let (head, message) = line.split_once(": ").unwrap_or((line, ""));
    if task.is_empty() || !PRINTED.is_match(line) || DENIED.is_match(head) {
        return false;
    }
    let inner = message.split_once(": ").map_or("", |(_, message)| message);
    in_task("", message, task)
        || in_task("", inner, task)
        || PRINTED
            .captures_iter(line)
            .filter_map(|found| found.get(1))
            .any(|class| in_task(class.as_str(), "", task))
}

/// An exception that was awaited, with a message of which the task speaks.
fn awaits_task_message(line: &str, task: &str) -> bool {
    let Some(found) = AWAITED.captures(line) else { return false };
    let message = found.name("message").or_else(|| found.name("other")).map_or("", |part| part.as_str());
    let inner = message.split_once(": ").map_or("", |(_, inner)| inner);
    in_task("", message, task) || in_task("", inner, task)
}

/// Whether a comparison with a stated expectation holds; `None` where the line makes none.
fn compares(line: &str) -> Option<bool> {
    let found = COMPARED.captures(line)?;
    let side = |one: &str, other: &str| {
        found.name(one).or_else(|| found.name(other)).map(|part| plain_value(part.as_str()))
    };
    Some(side("want", "want2")? == side("got", "got2")?)
}

/// Whether the line tells that what was expected came out; only the script's own words count.
fn matches_expected(line: &str, script: Option<&str>) -> Option<bool> {
    let found = MATCHED.captures(line)?;
    let whole = found.get(0)?.as_str().trim_end();
    let is_asked = line.trim_end().ends_with('?');
    (!is_asked && is_own(whole, script)).then(|| found.name("not").is_none())
}

fn plain_value(text: &str) -> &str {
    text.trim().trim_matches(['\'', '"', '`', '.', ',', ' '])
}
