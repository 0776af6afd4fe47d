//! Neutral outcomes, `outcomes.jsonl` and `outcomes.csv` (`interface.md`): `arm, instance_id, run, resolved,
//! reward, unscored_reason, f2p_passed, f2p_total, p2p_passed, p2p_total`, for graders that write no known shape.
//! Needed are `instance_id` and one of `resolved`, `reward`, `unscored_reason`.
//!
//! Traps  rows of rollouts hold `instance_id` and `resolved` too: a row with text, messages or a patch is no
//!        neutral outcome; a reward alone is no verdict until the arm's threshold is known.

use serde_json::{Map, Value};

use super::outcome_file::{Claim, ClaimedRun, OutcomeFile, Rank};
use super::{Head, OutcomeShape, lenient_json};
use crate::data::csv;
use crate::model::outcome::TestCounts;
use crate::model::{Problem, UnscoredReason, Verdict, Weight};

/// One row a line, as JSON.
pub const JSONL: OutcomeShape = OutcomeShape {
    name: "outcomes-jsonl",
    about: "outcomes.jsonl: neutral rows of instance_id, run, resolved, reward, unscored_reason, test counts",
    sniff: sniff_jsonl,
    read: read_jsonl,
};

/// One row a line, as CSV with a header.
pub const CSV: OutcomeShape = OutcomeShape {
    name: "outcomes-csv",
    about: "outcomes.csv: neutral rows of instance_id, run, resolved, reward, unscored_reason, test counts",
    sniff: sniff_csv,
    read: read_csv,
};

/// Columns of which one must be there.
const VERDICT_COLUMNS: [&str; 3] = ["resolved", "reward", "unscored_reason"];
/// Keys that only rows of rollouts, predictions and stubs have.
const ROLLOUT_KEYS: [&str; 7] =
    ["model_patch", "patch", "traj_id", "exit_status", "steps", "response", "prompt"];

fn sniff_jsonl(head: &Head) -> bool {
    let json = &head.json;
    let lines = json.is_lines || head.name().contains(".jsonl");
    lines
        && json.has("instance_id")
        && VERDICT_COLUMNS.iter().any(|key| json.has(key))
        && json
            .entries
            .iter()
            .all(|entry| !matches!(entry.value, b'{' | b'[') && !ROLLOUT_KEYS.contains(&entry.key))
}

fn sniff_csv(head: &Head) -> bool {
    let line = head.first_line().trim_start_matches('\u{feff}');
    let columns: Vec<&str> = line.split(',').map(|column| column.trim().trim_matches('"')).collect();
    columns.contains(&"instance_id") && VERDICT_COLUMNS.iter().any(|key| columns.contains(key))
}

fn read_jsonl(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, JSONL.name, Rank::PerInstance);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let claim = match lenient_json::value(line) {
            Ok((Value::Object(row), _)) => claim(&row),
            Ok(_) => Err("not a JSON object".to_owned()),
            Err(error) => Err(format!("not a JSON object ({error})")),
        };
        add(&mut file, number + 1, claim);
    }
    file
}

fn read_csv(path: &str, bytes: &[u8]) -> OutcomeFile {
    let mut file = OutcomeFile::new(path, CSV.name, Rank::PerInstance);
    let text = String::from_utf8_lossy(bytes);
    let records = csv::records(text.trim_start_matches('\u{feff}'));
    let Some((header, rows)) = records.split_first() else {
        return file;
    };
    for (number, row) in rows.iter().enumerate() {
        // An empty verdict column is a verdict that was not given, any other empty field is absent.
        let fields = header.iter().zip(row);
        let fields =
            fields.filter(|(key, value)| !value.trim().is_empty() || VERDICT_COLUMNS.contains(&key.trim()));
        let row = fields.map(|(key, value)| (key.trim().to_owned(), scalar(value.trim()))).collect();
        add(&mut file, number + 2, claim(&row));
    }
    file
}

fn add(file: &mut OutcomeFile, line: usize, claim: Result<Claim, String>) {
    match claim {
        Ok(claim) => file.claims.push(claim),
        Err(why) => file.problem(Problem::new(
            Weight::Refused,
            format!("line {line}"),
            format!("{why}: this verdict is lost"),
        )),
    }
}

/// A CSV field as the JSON scalar that it shows. Ids that look like numbers stay text by their column.
fn scalar(text: &str) -> Value {
    match text.to_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "" | "null" | "none" | "nan" => Value::Null,
        _ => Value::String(text.to_owned()),
    }
}

/// The claim of one row, or why there is none.
fn claim(row: &Map<String, Value>) -> Result<Claim, String> {
    let instance_id = text(row, "instance_id").ok_or("no instance_id")?;
    let run = match row.get("run") {
        None | Some(Value::Null) => None,
        Some(value) => Some(integer(value).map(ClaimedRun::Number).ok_or("run is no whole number")?),
    };
    Ok(Claim { instance_id, run, arm: text(row, "arm"), verdict: verdict(row)?, creates_run: true })
}

fn verdict(row: &Map<String, Value>) -> Result<Verdict, String> {
    let reason = text(row, "unscored_reason").map(|word| unscored_reason(&word));
    let resolved = match row.get("resolved") {
        None | Some(Value::Null) => None,
        Some(value) => Some(boolean(value).ok_or("resolved is neither true nor false")?),
    };
    let reward = match row.get("reward") {
        None | Some(Value::Null) => None,
        Some(value) => Some(number(value).ok_or("reward is no finite number")?),
    };
    let bare = match (reason, resolved, reward) {
        (Some(reason), ..) => Verdict::unscored(reason),
        (None, None, None) if VERDICT_COLUMNS.iter().any(|key| row.contains_key(*key)) => {
            Verdict::unscored(UnscoredReason::Null)
        }
        (None, None, None) => return Err("none of resolved, reward, unscored_reason".to_owned()),
        (None, resolved, _) => Verdict { resolved, ..Verdict::scored(false) },
    };
    Ok(Verdict { reward, counts: counts(row), ..bare })
}

/// The four counts, where the row has them all.
fn counts(row: &Map<String, Value>) -> Option<TestCounts> {
    let count = |key: &str| row.get(key).and_then(integer).filter(|count| *count >= 0);
    let counts = TestCounts {
        f2p_passed: count("f2p_passed")?,
        f2p_total: count("f2p_total")?,
        p2p_passed: count("p2p_passed").or_else(|| count("p2p_total").is_none().then_some(0))?,
        p2p_total: count("p2p_total").unwrap_or(0),
    };
    counts.sound()
}

/// A text that says something; a number is an id too (`17`).
fn text(row: &Map<String, Value>, key: &str) -> Option<String> {
    match row.get(key)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(word) if word.trim().eq_ignore_ascii_case("true") => Some(true),
        Value::String(word) if word.trim().eq_ignore_ascii_case("false") => Some(false),
        other => match number(other)? {
            1.0 => Some(true),
            0.0 => Some(false),
            _ => None,
        },
    }
}

fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// A whole number; tables with gaps write 1 as 1.0.
fn integer(value: &Value) -> Option<i64> {
    let whole = match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let rounded = || number(value).filter(|number| number.fract() == 0.0 && number.abs() < 9e15);
    whole.or_else(|| rounded().map(|number| number as i64))
}

/// The reason of a word in the vocabulary, else the word itself as a raw exception name.
fn unscored_reason(word: &str) -> UnscoredReason {
    let known = [
        UnscoredReason::Incomplete,
        UnscoredReason::NoOutcomeFile,
        UnscoredReason::NotListed,
        UnscoredReason::NoReport,
        UnscoredReason::Error,
        UnscoredReason::NoLogs,
        UnscoredReason::TestTimeout,
        UnscoredReason::Contradiction,
        UnscoredReason::MaskSample,
        UnscoredReason::SampleError,
        UnscoredReason::JudgeUnknown,
        UnscoredReason::Null,
    ];
    let found = known.into_iter().find(|reason| reason.as_str() == word);
    found.unwrap_or_else(|| UnscoredReason::Other(word.to_owned()))
}
