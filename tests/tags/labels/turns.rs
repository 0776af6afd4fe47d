//! `dev.jsonl`: single turns.

use std::collections::{BTreeMap, BTreeSet};

use ethogram::facts::{EditFact, Facts, TestOutcome, TestRunFact};
use ethogram::model::{TagName, Trajectory};
use ethogram::tags::Tagged;
use serde_json::Value;

use super::archives;
use crate::tags::tagged;

/// Tags that labels know.
const TAGS: [TagName; 9] = [
    TagName::Exploration,
    TagName::Editing,
    TagName::Testing,
    TagName::Execution,
    TagName::Setup,
    TagName::Submission,
    TagName::Network,
    TagName::Planning,
    TagName::Delegation,
];

#[derive(Default)]
struct Counts {
    hits: usize,
    surplus: usize,
    missed: usize,
}

impl Counts {
    fn add(&mut self, want: bool, got: bool) {
        match (want, got) {
            (true, true) => self.hits += 1,
            (false, true) => self.surplus += 1,
            (true, false) => self.missed += 1,
            (false, false) => {}
        }
    }

    fn f1(&self) -> f64 {
        2.0 * self.hits as f64 / (2 * self.hits + self.surplus + self.missed).max(1) as f64
    }
}

/// Right and all, of something that is either right or wrong.
#[derive(Default)]
struct Share(usize, usize);

impl Share {
    fn add(&mut self, right: bool) {
        self.0 += usize::from(right);
        self.1 += 1;
    }

    fn value(&self) -> f64 {
        self.0 as f64 / self.1.max(1) as f64
    }
}

#[derive(Default)]
struct Report {
    tags: BTreeMap<&'static str, Counts>,
    shares: BTreeMap<&'static str, Share>,
    apart: Vec<String>,
}

impl Report {
    fn share(
        &mut self,
        name: &'static str,
        want: impl std::fmt::Debug,
        got: impl std::fmt::Debug,
        right: bool,
        item: &str,
    ) {
        self.shares.entry(name).or_default().add(right);
        if !right {
            self.apart.push(format!("{name:<20} {item}\n    want {want:?}\n    got  {got:?}"));
        }
    }
}

fn words(value: &Value) -> BTreeSet<String> {
    value.as_array().into_iter().flatten().filter_map(|word| Some(word.as_str()?.to_owned())).collect()
}

fn compare(label: &Value, trajectory: &Trajectory, facts: &Facts, tagged: &Tagged, report: &mut Report) {
    let item = label["item"].as_str().unwrap();
    let turn: usize = item.rsplit(':').next().unwrap().parse().unwrap();
    let want = words(&label["tags"]);
    let rows = || tagged.rows.iter().filter(|row| row.turn == turn);
    let got: BTreeSet<String> = rows()
        .filter(|row| TAGS.contains(&row.tag.name))
        .map(|row| row.tag.name.as_str().to_owned())
        .collect();
    for name in TAGS.map(TagName::as_str) {
        report.tags.entry(name).or_default().add(want.contains(name), got.contains(name));
    }
    let hard = label["hard"].as_str().unwrap_or_default();
    let named = format!("{item} [{hard}]");
    report.share("tags", &want, &got, want == got, &named);
    if want.contains("exploration") && got.contains("exploration") {
        let want = words(&label["exploration_kind"]);
        let kinds = rows().filter(|row| row.tag.name == TagName::Exploration).filter_map(|row| row.tag.kind);
        let got: BTreeSet<String> = kinds.map(str::to_owned).collect();
        report.share("exploration kind", &want, &got, want == got, &named);
    }
    if want.contains("execution") && got.contains("execution") && label["execution_kind"].is_string() {
        let want = label["execution_kind"].as_str().unwrap();
        let kinds: BTreeSet<&str> =
            rows().filter(|row| row.tag.name == TagName::Execution).filter_map(|row| row.tag.kind).collect();
        report.share("execution kind", want, &kinds, kinds.contains(want), &named);
    }
    edits(label, facts.edits.iter().filter(|edit| edit.place.turn == turn).collect(), report, &named);
    tests(label, facts.test_runs.iter().filter(|run| run.place.turn == turn).collect(), report, &named);
    network(label, facts, turn, report, &named);
    if let Some(want) = label["quality"].as_str() {
        let got = trajectory.turns[turn].quality().as_str();
        report.share("quality", want, got, want == got, &named);
    }
}

fn edits(label: &Value, got: Vec<&EditFact>, report: &mut Report, item: &str) {
    for want in label["edit"].as_array().into_iter().flatten() {
        let path = want["path"].as_str().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let same = |edit: &&&EditFact| {
            edit.path.as_deref().is_some_and(|path| path.rsplit('/').next() == Some(name))
        };
        // A reader names the file; where the rules know none, the only edit is it.
        let found = got.iter().find(same).or(got.first().filter(|_| got.len() == 1));
        let Some(found) = found else {
            report.share("edit found", want, &got, false, item);
            continue;
        };
        let effective = match found.effective {
            Some(true) => "true",
            Some(false) => "false",
            None => "unknown",
        };
        let wanted = match &want["effective"] {
            Value::Bool(true) => "true",
            Value::Bool(false) => "false",
            _ => "unknown",
        };
        report.share("edit effective", want, (effective, found.reason), wanted == effective, item);
        let kind = want["kind"].as_str().unwrap_or_default();
        report.share("edit kind", kind, found.kind.as_str(), kind == found.kind.as_str(), item);
        let target = want["target"].as_str().unwrap_or_default();
        let got = found.target.map_or("nowhere", |target| target.as_str());
        report.share("edit target", (target, path), (got, &found.path), target == got, item);
    }
}

fn rank(outcome: TestOutcome) -> usize {
    let order =
        [TestOutcome::Fail, TestOutcome::Error, TestOutcome::NotRun, TestOutcome::Unknown, TestOutcome::Pass];
    order.iter().position(|other| *other == outcome).unwrap()
}

fn worst<'a>(runs: &[&'a TestRunFact]) -> Option<&'a TestRunFact> {
    runs.iter().copied().min_by_key(|run| rank(run.outcome))
}

fn tests(label: &Value, got: Vec<&TestRunFact>, report: &mut Report, item: &str) {
    let wanted: Vec<&Value> = label["test"].as_array().into_iter().flatten().collect();
    let (Some(found), false) = (worst(&got), wanted.is_empty()) else { return };
    let words = ["fail", "error", "not_run", "unknown", "pass"];
    let outcome = |want: &&&Value| words.iter().position(|word| want["outcome"].as_str() == Some(word));
    let want = wanted.iter().min_by_key(outcome).unwrap();
    let coarse = |word: &str| if word == "error" { "fail" } else { word }.to_owned();
    let (word, found_word) = (want["outcome"].as_str().unwrap(), found.outcome.as_str());
    let shown = (found.kind.as_str(), found_word, found.reason, found.evidence, found.counts);
    report.share("test outcome", want, shown, coarse(word) == coarse(found_word), item);
    report.share("fail or error", word, found_word, word == found_word, item);
    let never = found_word == "pass" && matches!(word, "fail" | "error");
    report.share("no false pass", want, shown, !never, item);
    if let Some(reason) = want["reason"].as_str().filter(|_| word == "not_run" && found_word == "not_run") {
        let got = found.reason.map(|reason| reason.as_str());
        report.share("not_run reason", reason, got, Some(reason) == got, item);
    }
    let kind = want["kind"].as_str().unwrap_or_default();
    let kinds: BTreeSet<&str> = got.iter().map(|run| run.kind.as_str()).collect();
    report.share("test kind", kind, &kinds, kinds.contains(kind), item);
}

fn network(label: &Value, facts: &Facts, turn: usize, report: &mut Report, item: &str) {
    let Some(want) = label["network_kind"].as_str() else { return };
    let attempts = facts.network.iter().filter(|fact| fact.place.turn == turn && fact.attempt);
    // Of several hosts of one turn the first in order of kinds decides.
    let Some(found) = attempts.min_by_key(|fact| fact.host_kind) else { return };
    report.share(
        "network kind",
        want,
        (found.host_kind.as_str(), &found.host),
        want == found.host_kind.as_str(),
        item,
    );
    if let Some(result) = label["network_result"].as_str() {
        report.share("network result", result, found.result.as_str(), result == found.result.as_str(), item);
    }
}

#[test]
#[ignore = "slow: reads labelled logs out of their archives"]
fn labelled_turns() {
    let Some(labels) = archives::labels("dev.jsonl") else { return };
    let mut report = Report::default();
    archives::read(&labels, |_, labels, trajectory| {
        let (facts, tagged) = tagged(trajectory);
        for label in labels {
            compare(label, trajectory, &facts, &tagged, &mut report);
        }
    });
    report.apart.sort();
    println!("{}", report.apart.join("\n"));
    for (name, counts) in &report.tags {
        let Counts { hits, surplus, missed } = counts;
        println!(
            "{name:<14} hits {hits:>4}  surplus {surplus:>3}  missed {missed:>3}  F1 {:.3}",
            counts.f1()
        );
    }
    for (name, share) in &report.shares {
        println!("{name:<18} {:>4} of {:>4}  {:.3}", share.0, share.1, share.value());
    }
    for (name, floor) in FLOORS {
        let got = report.tags.get(name).map(Counts::f1).or(report.shares.get(name).map(Share::value));
        assert!(got.is_some_and(|got| got >= *floor), "{name}: {got:?} is below {floor}");
    }
}

/// What must hold: a change that loses a kind of turn is seen here.
const FLOORS: &[(&str, f64)] = &[
    ("exploration", 0.985),
    ("editing", 0.985),
    ("submission", 0.985),
    ("testing", 0.975),
    ("execution", 0.95),
    ("setup", 0.95),
    ("network", 0.95),
    ("planning", 0.95),
    ("delegation", 0.95),
    ("edit effective", 0.95),
    ("quality", 0.97),
    ("test outcome", 0.95),
    ("no false pass", 1.0),
];
