//! Whole real logs against what an independent reader says of them (`corpus/EXPECTED-swe.tsv`). Slow: run before a release, or
//! after a change of a reader.

use crate::support::shared;
use ethogram::formats;
use ethogram::model::{EndClass, PatchState, Problem, Trajectory, Weight};
use ethogram::sources::{Limits, Member, members, walk};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// The independent reader's name of each format.
const NAMES: [(&str, &str); 9] = [
    ("message-list", "message-list"),
    ("mini-swe-agent-1", "mini-1"),
    ("mini-swe-agent-1-no-messages", "mini-1-no-messages"),
    ("mini-swe-agent-2", "mini-2"),
    ("stub", "stub"),
    ("swe-agent-0.x", "swe-agent-0.x"),
    ("swe-agent-1.0", "swe-agent-1.0"),
    ("swe-agent-1.1", "swe-agent-1.1"),
    ("swe-agent-demonstration", "swe-agent-history"),
];

#[test]
#[ignore = "slow: unpacks and reads a gigabyte of real logs"]
fn every_log_of_the_swe_family_is_read_as_expected() {
    let Some(corpus) = shared("corpus") else { return };
    let table = std::fs::read_to_string(corpus.join("EXPECTED-swe.tsv")).unwrap();
    let mut by_archive: BTreeMap<&str, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for row in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        by_archive.entry(row[0]).or_default().insert(row[1], row[2..].to_vec());
    }
    let mut differences = Vec::new();
    let mut read = 0;
    for (archive, rows) in &by_archive {
        let mut rows = rows.clone();
        let packed = walk(&corpus.join(format!("{archive}.tar.zst"))).unwrap().files.remove(0);
        let problems = members(&packed, &Limits::default(), |Member { path, bytes, .. }| {
            if let Some(want) = rows.remove(path.as_str()) {
                read += 1;
                let difference = difference(&path, &bytes, &want);
                differences.extend(difference.map(|what| format!("{archive} {path}: {what}")));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(problems.unwrap(), [], "{archive}");
        differences.extend(rows.keys().map(|file| format!("{archive} {file}: not in the archive")));
    }
    assert!(differences.is_empty(), "{} of {read} differ:\n{}", differences.len(), differences.join("\n"));
    assert_eq!(read, 2235);
}

/// `EXPECTED-swe-more.tsv`: calls, actions, refused responses and refusals without one, made-up steps, cost.
#[test]
#[ignore = "slow: unpacks and reads a gigabyte of real logs"]
fn counts_of_every_log_are_those_of_the_independent_reader() {
    let Some(corpus) = shared("corpus") else { return };
    let table = std::fs::read_to_string(corpus.join("EXPECTED-swe-more.tsv")).unwrap();
    let head: Vec<&str> = table.lines().next().unwrap().split('\t').collect();
    let column = |name: &str| head.iter().position(|known| *known == name).unwrap();
    let columns = ["api_calls", "actions", "rejected", "unsaved", "synthetic", "cost"].map(column);
    let mut want: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for row in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let values = columns.iter().map(|column| row[*column].to_owned()).collect();
        want.insert((row[0].to_owned(), row[1].to_owned()), values);
    }
    let archives: BTreeSet<String> = want.keys().map(|(archive, _)| archive.clone()).collect();
    let mut differences = Vec::new();
    for archive in archives {
        let packed = walk(&corpus.join(format!("{archive}.tar.zst"))).unwrap().files.remove(0);
        let problems = members(&packed, &Limits::default(), |Member { path, bytes, .. }| {
            let Some(want) = want.remove(&(archive.clone(), path.clone())) else {
                return ControlFlow::Continue(());
            };
            let format = formats::recognise(&bytes).unwrap();
            let got = more(&formats::read_file(format, &bytes).trajectories[0]);
            if got != want {
                differences.push(format!("{archive} {path}: want {want:?}, got {got:?}"));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(problems.unwrap(), [], "{archive}");
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
    assert!(want.is_empty(), "{want:?}");
}

fn more(run: &Trajectory) -> Vec<String> {
    let placed = run.refusals.iter().filter(|refusal| refusal.before_turn.is_some()).count();
    let made_up = match run.scaffold.as_str() {
        "swe-agent" => run.steps.unwrap_or_default() - run.turns.len() as i64,
        _ => 0,
    };
    let is_list = run.format == "message-list";
    // The independent reader counts as actions what it looked for: nothing in lists.
    let calls = if is_list { 0 } else { run.turns.iter().map(|turn| turn.calls.len()).sum::<usize>() };
    vec![
        run.api_calls.map_or(String::new(), |calls| calls.to_string()),
        calls.to_string(),
        run.turns.iter().filter(|turn| !turn.accepted).count().to_string(),
        placed.to_string(),
        made_up.to_string(),
        run.cost_usd.map_or(String::new(), |cost| cost.to_string()),
    ]
}

/// What the page of the corpus says of an archive, counted from what we read.
#[derive(Debug, Default, PartialEq)]
struct Totals {
    steps: i64,
    turns: usize,
    /// Turns whose response the scaffold refused.
    rejected: usize,
    /// Refusals whose message alone is in the log.
    placed: usize,
    /// Refusals that are only counted.
    counted: usize,
    api_calls: i64,
    patches: usize,
    /// Runs that a limit ended: those with a made-up last step.
    cut_off: usize,
}

const TOTALS: [(&str, Totals); 10] = [
    ("swebench-java/deepseek-chat-v2", totals(1304, 1275, [0, 0, 0], 1304, 84, 29)),
    ("swebench-java/deepseek-coder-v2", totals(1558, 1537, [0, 0, 2], 1560, 85, 21)),
    ("swebench-java/doubao-pro-128k", totals(3568, 3493, [0, 0, 16], 3584, 69, 75)),
    ("swebench-java/gpt-4o-2024-05-13", totals(1293, 1224, [0, 0, 0], 1293, 82, 69)),
    ("swebench-java/gpt-4o-mini-2024-07-18", totals(1791, 1756, [0, 0, 2], 1793, 81, 35)),
    ("swebench-lite/coder", totals(7983, 7956, [0, 0, 8], 8120, 261, 27)),
    ("swebench-verified/claude-4-sonnet", totals(2239, 2238, [44, 0, 0], 2238, 64, 1)),
    ("swebench-verified/gemini-3-pro", totals(20163, 20163, [684, 0, 0], 20163, 499, 0)),
    ("swebench-verified/gpt-5-mini", totals(1954, 897, [0, 1057, 0], 1954, 38, 0)),
    ("swebench-verified/sweagent-lm-32b", totals(8626, 8590, [4, 0, 0], 8615, 314, 36)),
];

const fn totals(
    steps: i64,
    turns: usize,
    [rejected, placed, counted]: [usize; 3],
    api_calls: i64,
    patches: usize,
    cut_off: usize,
) -> Totals {
    Totals { steps, turns, rejected, placed, counted, api_calls, patches, cut_off }
}

#[test]
#[ignore = "slow: unpacks and reads a gigabyte of real logs"]
fn totals_of_the_arms_are_those_of_the_corpus_page() {
    let Some(corpus) = shared("corpus") else { return };
    for (archive, want) in TOTALS {
        let packed = walk(&corpus.join(format!("{archive}.tar.zst"))).unwrap().files.remove(0);
        let mut got = Totals::default();
        let problems = members(&packed, &Limits::default(), |Member { bytes, .. }| {
            if let Some(format) = formats::recognise(&bytes) {
                formats::read_file(format, &bytes).trajectories.iter().for_each(|run| got.add(run));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(problems.unwrap(), [], "{archive}");
        assert_eq!(got, want, "{archive}");
    }
}

impl Totals {
    fn add(&mut self, run: &Trajectory) {
        self.steps += run.steps.unwrap_or_default();
        self.turns += run.turns.len();
        self.rejected += run.turns.iter().filter(|turn| !turn.accepted).count();
        self.placed += run.refusals.iter().filter(|refusal| refusal.before_turn.is_some()).count();
        self.counted += run.refusals.iter().filter(|refusal| refusal.before_turn.is_none()).count();
        self.api_calls += run.api_calls.unwrap_or_default();
        self.patches += usize::from(run.patch_state == PatchState::Nonempty);
        self.cut_off += usize::from(run.termination.class() == EndClass::Limit);
    }
}

fn difference(file: &str, bytes: &[u8], want: &[&str]) -> Option<String> {
    let Some(format) = formats::recognise(bytes) else { return Some("no format claims it".to_owned()) };
    let read = formats::read_file(format, bytes);
    let refused: Vec<&Problem> =
        read.problems.iter().filter(|problem| problem.weight > Weight::Note).collect();
    if !refused.is_empty() {
        return Some(format!("{refused:?}"));
    }
    if !read.unknown_keys.0.is_empty() {
        return Some(format!("unknown keys {:?}", read.unknown_keys.0));
    }
    let [run] = read.trajectories.as_slice() else {
        return Some(format!("{} trajectories", read.trajectories.len()));
    };
    let got = row(format.name, file, run);
    let want = [want[0], want[1], want[2], want[3], want[4], want[6]].map(str::to_owned);
    (got != want).then(|| format!("want {want:?}, got {got:?}"))
}

fn row(format: &str, file: &str, run: &Trajectory) -> [String; 6] {
    let name = NAMES.iter().find(|(ours, _)| *ours == format).unwrap().1;
    let stem = || formats::instance_of(file).unwrap().0;
    [
        name.to_owned(),
        run.instance_id.clone().unwrap_or_else(stem),
        run.steps.unwrap_or_default().to_string(),
        run.shown_turns().to_string(),
        run.raw_exit_status.clone().unwrap_or_else(|| "<missing>".to_owned()),
        u8::from(run.patch_state == PatchState::Nonempty).to_string(),
    ]
}
