//! `inspect` over all real logs of the other formats against what an independent reader says of them
//! (`corpus/EXPECTED-other.tsv`): format, instance, run, turns, outcome. Slow: run before a release.
//!
//! `KINDS` maps the table's names of formats to ours and says what of a row is compared; `DIFFERENT` names the rows that a
//! definition makes differ.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::support::{ethogram, shared};

/// What of a row is held against its object, beside turns and instance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// No more.
    Log,
    /// The outcome by its reward, or by a word.
    Outcome,
    /// Outcome, and the run as a number from 0.
    Run,
    /// The run as `…/epochN`, from 1.
    Epoch,
    /// Nothing: a summary, whose verdicts the tests of outcome files hold.
    Summary,
}

/// The table's names of formats, ours, and what is compared.
const KINDS: [(&str, &[&str], Held); 27] = [
    ("atif", &["atif"], Held::Log),
    ("browsecomp-plus-eval", &[], Held::Summary),
    ("browsecomp-plus-run", &["browsecomp-plus"], Held::Log),
    ("chat-snapshots-terminus2", &["terminus-snapshots"], Held::Log),
    ("claude-code-session", &["claude-code-session"], Held::Log),
    ("claude-stream-json", &["claude-stream-json"], Held::Log),
    ("codex-exec-json", &["codex-exec-json"], Held::Log),
    ("codex-rollout", &["codex-rollout"], Held::Log),
    ("gemini-chat", &["gemini-chat"], Held::Log),
    ("harbor-job", &[], Held::Summary),
    ("harbor-traces-export", &["harbor-traces"], Held::Log),
    ("harbor-trial", &["trial-record"], Held::Outcome),
    ("harbor-trial+atif", &["atif"], Held::Outcome),
    ("inspect", &["inspect", "inspect-json"], Held::Epoch),
    ("nemo-gym-rollout", &["nemo-gym"], Held::Run),
    ("openhands-events-export", &["openhands-0-events"], Held::Log),
    ("openhands-output-events", &["openhands-output"], Held::Log),
    ("openhands-output-pairs", &["openhands-output"], Held::Log),
    ("openhands-v1-events", &["openhands-1-events", "openhands-1-conversation"], Held::Log),
    ("openhands-v1-llm-log", &["openhands-completion"], Held::Log),
    ("pi-session", &["pi-session"], Held::Log),
    ("rendered-chat", &["rendered-chat"], Held::Log),
    ("tau-bench", &["tau-bench"], Held::Run),
    ("tau2-simulation", &["tau2"], Held::Log),
    ("tb-commands", &["terminal-bench-commands"], Held::Log),
    ("tb-run-results", &[], Held::Summary),
    ("tb-trial-results", &["trial-record", "terminal-bench-commands"], Held::Outcome),
];

/// Rows that a definition makes differ: the end of the file, the table's turns, ours, why.
const DIFFERENT: [(&str, i64, i64, &str); 6] = [
    ("sample-project/agent-test-hash-123.jsonl", 0, 1, SUB_AGENT),
    ("sample-project/agent-test-hash-456.jsonl", 0, 1, SUB_AGENT),
    ("inspect_scout/agent-atest01.jsonl", 0, 2, SUB_AGENT),
    ("agent-transcripts/branching.input.jsonl", 3, 2, "a rewound branch is `abandoned` (definitions.md §2)"),
    (
        "pi-mono/before-compaction.jsonl",
        471,
        0,
        "a forked session: all turns lie before the fork, `copied` (§2)",
    ),
    ("message_grouping/codex_session.jsonl", 2, 4, "what follows a result is a response of its own (§2)"),
];

/// The table counts the turns of main sessions; a sub-agent is a trajectory with turns of its own.
const SUB_AGENT: &str = "a sub-agent's own file (§2, sub-agents)";

/// A row of the table, as far as it is compared.
#[derive(Clone, Debug)]
struct Row {
    file: String,
    place: Option<String>,
    kind: usize,
    instance: String,
    run: String,
    turns: Option<i64>,
    outcome: String,
}

impl Row {
    fn of(fields: &[&str]) -> Row {
        let field = |index: usize| fields.get(index).copied().unwrap_or_default();
        let kind = KINDS.iter().position(|(name, _, _)| *name == field(2));
        let (file, place) = match field(1).split_once('!') {
            Some((file, member)) => (file, Some(format!("member {member}"))),
            None => (field(1), None),
        };
        let line = field(10).split_whitespace().find_map(|word| word.strip_prefix("line="));
        Row {
            file: file.trim_end_matches('/').to_owned(),
            place: place.or_else(|| line.map(|line| format!("line {line}"))),
            kind: kind.unwrap_or_else(|| panic!("`{}` is no kind of the table", field(2))),
            instance: field(3).to_owned(),
            run: field(4).to_owned(),
            turns: field(7).parse().ok(),
            outcome: field(9).to_owned(),
        }
    }

    /// Resolved, where the row says it in a way that is the same everywhere.
    fn resolved(&self) -> Option<bool> {
        let word = self.outcome.strip_prefix("reward=").unwrap_or(&self.outcome);
        match word {
            "True" => Some(true),
            "False" => Some(false),
            number => number.parse::<f64>().ok().map(|reward| reward >= 1.0),
        }
    }

    /// Where an object is not what the row says.
    fn differences(&self, object: &Value) -> Option<String> {
        let (_, ours, held) = KINDS[self.kind];
        let format = object["format"].as_str().unwrap();
        if !ours.contains(&format) {
            return Some(format!("format {format}"));
        }
        let different = DIFFERENT.iter().find(|(end, _, _, _)| self.file.ends_with(end));
        let turns = match different {
            Some((_, table, ours, _)) => {
                assert_eq!(self.turns, Some(*table), "the table says otherwise of {}", self.file);
                Some(*ours)
            }
            None => self.turns,
        };
        if turns.is_some() && object["turns"].as_i64() != turns {
            return Some(format!("turns {:?}, not {turns:?}", object["turns"]));
        }
        if !self.instance.is_empty() && object["instance_id"].as_str() != Some(&self.instance) {
            return Some(format!("instance {}, not {}", object["instance_id"], self.instance));
        }
        let run: Option<i64> = match held {
            Held::Run => self.run.parse().ok(),
            Held::Epoch => {
                self.run.rsplit("epoch").next().and_then(|epoch| epoch.parse().ok()).map(|n: i64| n - 1)
            }
            _ => None,
        };
        if run.is_some() && object["run"].as_i64() != run {
            return Some(format!("run {}, not {run:?}", object["run"]));
        }
        let is_compared = matches!(held, Held::Run | Held::Outcome);
        let resolved = self.resolved().filter(|_| is_compared);
        if resolved.is_some() && object["outcome"]["resolved"].as_bool() != resolved {
            return Some(format!("outcome {}, not {resolved:?}", object["outcome"]));
        }
        None
    }
}

#[test]
#[ignore = "slow: inspects a hundred and eighty megabytes of real logs"]
fn inspect_agrees_with_the_independent_reader_on_other_formats() {
    let Some(corpus) = shared("corpus") else { return };
    let table = std::fs::read_to_string(corpus.join("EXPECTED-other.tsv")).unwrap();
    let mut by_archive: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for fields in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        by_archive.entry(fields[0]).or_default().push(Row::of(&fields));
    }
    let mut found = Vec::new();
    let mut agreed: BTreeMap<&str, usize> = BTreeMap::new();
    for (archive, rows) in by_archive {
        let objects = objects(&corpus, archive);
        for row in rows.iter().filter(|row| KINDS[row.kind].2 != Held::Summary) {
            match best(row, &objects) {
                None => *agreed.entry(KINDS[row.kind].0).or_default() += 1,
                Some(difference) => found.push(format!("{archive} {}: {difference}", row.file)),
            }
        }
    }
    println!("{agreed:?}");
    assert!(found.is_empty(), "{} differ:\n{}", found.len(), found.join("\n"));
    assert_eq!(agreed.values().sum::<usize>(), 6016 - 830 - 6 - 54);
}

/// Objects by file below their archive; a trial is found by its folder too.
fn objects(corpus: &Path, archive: &str) -> BTreeMap<String, Vec<Value>> {
    let ran = ethogram(corpus, &["inspect", archive]);
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for object in ran.objects() {
        let file = object["file"].as_str().unwrap()[archive.len() + 1..].to_owned();
        if object["format"] == "terminal-bench-commands" {
            let folder = file.trim_end_matches("/commands.txt");
            found.entry(format!("{folder}/results.json")).or_default().push(object.clone());
        }
        found.entry(file).or_default().push(object);
    }
    found
}

/// What speaks against the object of a row that fits it best; several rows may stand in one file.
fn best(row: &Row, objects: &BTreeMap<String, Vec<Value>>) -> Option<String> {
    // The table cuts paths at 200 characters.
    let of_file: Vec<&Value> = match objects.get(&row.file) {
        Some(found) => found.iter().collect(),
        None if row.file.len() >= 190 => objects
            .iter()
            .filter(|(file, _)| file.starts_with(&row.file))
            .flat_map(|(_, found)| found)
            .collect(),
        None => Vec::new(),
    };
    let is_at =
        |object: &&&Value| row.place.as_deref().is_none_or(|place| object["place"].as_str() == Some(place));
    let mut against: Vec<Option<String>> =
        of_file.iter().filter(is_at).map(|object| row.differences(object)).collect();
    against.sort();
    against.into_iter().next().unwrap_or_else(|| Some("no object".to_owned()))
}
