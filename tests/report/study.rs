//! Studies made by hand: runs with a verdict, an end, tags and a few behaviours become the frames that measures read.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ethogram::measure::{Answer, ArmInfo, Frames, Question, answer};
use ethogram::model::series::Role;
use ethogram::report::{ArmInputs, Inputs, Unclaimed};
use ethogram::store::{ColumnType, Contents, Frame, FrameColumn, Input, Noted, StoreError, Value};

/// One run.
#[derive(Clone, Debug)]
pub struct Run {
    pub arm: String,
    pub instance: String,
    pub run: i64,
    /// `None` = unscored.
    pub resolved: Option<bool>,
    pub has_log: bool,
    pub own_end: bool,
    /// Kind of its task: `chat` has no funnel.
    pub task: &'static str,
    pub tags: Vec<&'static str>,
    /// Behaviour, kind, numerator, denominator.
    pub behaviours: Vec<(&'static str, &'static str, i64, i64)>,
    /// What the grader counts: F2P passed, all; P2P passed, all.
    pub tests: Option<[i64; 4]>,
    /// Model turns, where the study speaks of lengths.
    pub turns: Option<i64>,
    /// Training step of a rollout.
    pub train_step: Option<i64>,
}

impl Run {
    pub fn new(arm: &str, instance: &str, resolved: Option<bool>) -> Run {
        Run {
            arm: arm.to_owned(),
            instance: instance.to_owned(),
            run: 0,
            resolved,
            has_log: true,
            own_end: true,
            task: "repo",
            tags: vec!["exploration", "exploration", "editing", "testing", "submission"],
            behaviours: Vec::new(),
            tests: None,
            turns: None,
            train_step: None,
        }
    }
}

/// A study with everything that a report needs.
pub struct Study {
    pub question: Question,
    pub answer: Answer,
    pub inputs: Inputs,
}

impl Study {
    pub fn report(&self) -> ethogram::report::Report<'_> {
        ethogram::report::Report { question: &self.question, answer: &self.answer, inputs: &self.inputs }
    }

    pub fn verdict(&self) -> String {
        ethogram::report::verdicts(&self.question, &self.answer)[0].text()
    }
}

pub fn question(name: &str, arms: &[(&str, Role)], pairs: &[(&str, &str)]) -> Question {
    Question {
        study: name.to_owned(),
        arms: arms
            .iter()
            .map(|(name, role)| ArmInfo {
                name: (*name).to_owned(),
                role: *role,
                scaffolds: vec!["swe-agent-0".to_owned()],
                formats: vec!["swe-agent-0.x".to_owned()],
            })
            .collect(),
        pairs: pairs.iter().map(|(base, trained)| ((*base).to_owned(), (*trained).to_owned())).collect(),
        primary: Vec::new(),
        expect_runs: None,
        seed: 7,
        decimals: None,
        duplicates: "two scored runs under one key are refused".to_owned(),
        by: Vec::new(),
        transfer: None,
    }
}

const BENCHMARK: &str = "swe-bench-java";

/// Rows under columns.
pub fn frame(columns: &[&str], rows: Vec<Vec<Value>>) -> Frame {
    let kind = |place: usize| match rows.iter().find_map(|row: &Vec<Value>| match &row[place] {
        Value::Text(_) => Some(ColumnType::Text),
        Value::Int(_) => Some(ColumnType::Int),
        _ => None,
    }) {
        Some(kind) => kind,
        None => ColumnType::Int,
    };
    let columns = columns
        .iter()
        .enumerate()
        .map(|(place, name)| FrameColumn { name: (*name).to_owned(), kind: kind(place) })
        .collect();
    Frame { columns, rows }
}

/// A text.
pub fn text(words: &str) -> Value {
    Value::Text(words.into())
}

/// Measures the runs, by the real measures.
pub fn study(question: Question, runs: &[Run]) -> Study {
    study_with(question, runs, Vec::new())
}

/// The same with frames of other queries.
pub fn study_with(question: Question, runs: &[Run], others: Vec<(&'static str, Frame)>) -> Study {
    let frames = frames(&question, runs, others);
    let inputs = inputs(&question, runs, &frames);
    let answer = answer(&question, &frames).unwrap();
    Study { question, answer, inputs }
}

fn frames(question: &Question, runs: &[Run], others: Vec<(&str, Frame)>) -> Frames {
    let run = |name: &str| match name {
        "t01" => outcomes(runs),
        "t04" => behaviours(runs),
        "t14" => ends(runs),
        "funnel" => funnel(runs),
        "head" => head(runs),
        "positions" => positions(runs),
        "ethogram" => ribbons(runs),
        "graded" => graded(runs),
        "lengths" => lengths(runs),
        "instance_pairs" => instance_pairs(question, runs),
        // What these made-up runs say nothing of.
        _ => others
            .iter()
            .find(|(other, _)| *other == name)
            .map(|(_, frame)| frame.clone())
            .unwrap_or_default(),
    };
    Frames::collect(|name| Ok::<_, StoreError>(run(name))).unwrap()
}

/// Scored runs of which a study says what their tests did or in which step they were drawn.
fn graded(runs: &[Run]) -> Frame {
    let whole = |value: Option<i64>| value.map_or(Value::Null, Value::Int);
    let row = |run: &Run| {
        let resolved = run.resolved.filter(|_| run.tests.is_some() || run.train_step.is_some())?;
        let mut row = vec![text(&run.arm), text(BENCHMARK), text(&run.instance), whole(run.train_step)];
        row.extend([Value::Int(i64::from(resolved)), Value::Null, Value::Null]);
        row.extend((0..4).map(|place| whole(run.tests.map(|tests| tests[place]))));
        row.push(Value::Int(1));
        Some(row)
    };
    let columns = [
        "arm",
        "benchmark",
        "instance_id",
        "train_step",
        "resolved",
        "reward",
        "failed_reason",
        "f2p_passed",
        "f2p_total",
        "p2p_passed",
        "p2p_total",
        "n",
    ];
    frame(&columns, runs.iter().filter_map(row).collect())
}

/// Runs of which a study says how long they are.
fn lengths(runs: &[Run]) -> Frame {
    let row = |run: &Run| {
        let names = [text(&run.arm), text(BENCHMARK), text(&run.instance)];
        let cut = Value::Int(i64::from(!run.own_end));
        Some(names.into_iter().chain([Value::Null, Value::Int(run.turns?), cut, Value::Int(1)]).collect())
    };
    frame(
        &["arm", "benchmark", "instance_id", "steps", "model_turns", "cut", "n"],
        runs.iter().filter_map(row).collect(),
    )
}

fn counted<K: Ord>(keys: impl Iterator<Item = K>) -> BTreeMap<K, i64> {
    let mut found = BTreeMap::new();
    for key in keys {
        *found.entry(key).or_default() += 1;
    }
    found
}

/// Runs, logs, scored, resolved of an instance; resolved and scored with a log.
type Outcomes = BTreeMap<(String, String), [i64; 6]>;

fn by_instance(runs: &[Run]) -> Outcomes {
    let mut found = Outcomes::new();
    for run in runs {
        let entry = found.entry((run.arm.clone(), run.instance.clone())).or_default();
        let scored = i64::from(run.resolved.is_some());
        let resolved = i64::from(run.resolved == Some(true));
        let log = i64::from(run.has_log);
        for (place, value) in [1, log, scored, resolved, resolved * log, scored * log].into_iter().enumerate()
        {
            entry[place] += value;
        }
    }
    found
}

fn outcomes(runs: &[Run]) -> Frame {
    let rows = by_instance(runs)
        .into_iter()
        .map(|((arm, instance), counts)| {
            let mut row = vec![text(&arm), text(BENCHMARK), text(&instance)];
            row.extend(counts.map(Value::Int));
            row
        })
        .collect();
    frame(
        &[
            "arm",
            "benchmark",
            "instance_id",
            "runs",
            "logs",
            "scored_runs",
            "resolved_runs",
            "resolved_with_log",
            "scored_with_log",
        ],
        rows,
    )
}

fn behaviours(runs: &[Run]) -> Frame {
    let keys = runs.iter().filter(|run| run.has_log).flat_map(|run| {
        run.behaviours
            .iter()
            .map(|(code, kind, num, den)| (run.arm.clone(), run.instance.clone(), *code, *kind, *num, *den))
    });
    let rows = counted(keys)
        .into_iter()
        .map(|((arm, instance, code, kind, num, den), n)| {
            vec![
                text(&arm),
                text(BENCHMARK),
                text(&instance),
                text(code),
                text(kind),
                Value::Int(num),
                Value::Int(den),
                Value::Int(n),
            ]
        })
        .collect();
    frame(&["arm", "benchmark", "instance_id", "behaviour", "kind", "num", "den", "runs_here"], rows)
}

fn ends(runs: &[Run]) -> Frame {
    let keys =
        runs.iter().filter(|run| run.has_log).map(|run| (run.arm.clone(), run.instance.clone(), run.own_end));
    let rows = counted(keys)
        .into_iter()
        .map(|((arm, instance, own), n)| {
            let (class, end, unasked) =
                if own { ("submitted", "submitted", 0) } else { ("limit", "cost_limit", 1) };
            vec![
                text(&arm),
                text(BENCHMARK),
                text(&instance),
                text(class),
                text(end),
                Value::Int(unasked),
                Value::Int(n),
            ]
        })
        .collect();
    frame(&["arm", "benchmark", "instance_id", "end_class", "termination", "auto_submitted", "n"], rows)
}

fn funnel(runs: &[Run]) -> Frame {
    let keys = runs.iter().filter(|run| run.has_log && run.task != "chat").filter_map(|run| {
        let resolved = run.resolved?;
        let tests = run.tags.contains(&"testing");
        let lacks = if resolved || tests { "none" } else { "edited_source" };
        Some((run.arm.clone(), run.instance.clone(), run.task, lacks, resolved, run.own_end))
    });
    let rows = counted(keys)
        .into_iter()
        .map(|((arm, instance, task, lacks, resolved, own), n)| {
            vec![
                text(&arm),
                text(BENCHMARK),
                text(&instance),
                text(task),
                text(lacks),
                Value::Int(i64::from(resolved)),
                Value::Int(i64::from(own)),
                Value::Int(n),
            ]
        })
        .collect();
    frame(&["arm", "benchmark", "instance_id", "kind", "lacks_stage", "resolved", "own_end", "n"], rows)
}

fn head(runs: &[Run]) -> Frame {
    let keys = runs.iter().map(|run| {
        let reason = if run.resolved.is_some() { "-" } else { "not_listed" };
        (run.arm.clone(), run.has_log, run.resolved.is_some(), reason)
    });
    let rows = counted(keys)
        .into_iter()
        .map(|((arm, log, scored, reason), n)| {
            vec![
                text(&arm),
                text(BENCHMARK),
                Value::Int(i64::from(log)),
                Value::Int(i64::from(scored)),
                text(reason),
                Value::Int(n),
            ]
        })
        .collect();
    frame(&["arm", "benchmark", "has_log", "scored", "reason", "n"], rows)
}

fn positions(runs: &[Run]) -> Frame {
    let keys = runs.iter().filter(|run| run.has_log).flat_map(|run| {
        run.tags.iter().enumerate().map(|(turn, tag)| {
            let bin = (20 * (2 * turn + 1) / (2 * run.tags.len())) as i64;
            (run.arm.clone(), bin, *tag)
        })
    });
    let rows = counted(keys)
        .into_iter()
        .map(|((arm, bin, tag), n)| {
            vec![text(&arm), text(BENCHMARK), Value::Int(bin), text(tag), Value::Int(n)]
        })
        .collect();
    frame(&["arm", "benchmark", "bin", "primary_tag", "turns_with"], rows)
}

fn ribbons(runs: &[Run]) -> Frame {
    let mut rows = Vec::new();
    for run in runs.iter().filter(|run| run.has_log) {
        for (turn, tag) in run.tags.iter().enumerate() {
            rows.push(vec![
                text(&run.arm),
                text(BENCHMARK),
                text(&run.instance),
                Value::Int(run.run),
                Value::Int(turn as i64),
                text(tag),
            ]);
        }
    }
    frame(&["arm", "benchmark", "instance_id", "run", "model_turn", "primary_tag"], rows)
}

fn instance_pairs(question: &Question, runs: &[Run]) -> Frame {
    let counts = by_instance(runs);
    let mut rows = Vec::new();
    for (base, trained) in &question.pairs {
        let mut instances: Vec<&String> = counts
            .keys()
            .filter(|(arm, _)| arm == base || arm == trained)
            .map(|(_, instance)| instance)
            .collect();
        instances.sort();
        instances.dedup();
        for instance in instances {
            let of = |arm: &String| counts.get(&(arm.clone(), instance.clone())).copied().unwrap_or_default();
            let (b, t) = (of(base), of(trained));
            let state = match (b[0], t[0], b[2] > 0, t[2] > 0) {
                (0, _, _, _) => "trained_only",
                (_, 0, _, _) => "base_only",
                (_, _, true, true) => "both_scored",
                (_, _, false, false) => "both_unscored",
                _ => "one_unscored",
            };
            let mut row = vec![text(base), text(trained), text(BENCHMARK), text(instance), text(state)];
            row.extend([b[0], b[2], b[3], t[0], t[2], t[3]].map(Value::Int));
            rows.push(row);
        }
    }
    frame(
        &[
            "base_arm",
            "trained_arm",
            "benchmark",
            "instance_id",
            "state",
            "base_runs",
            "base_scored",
            "base_resolved",
            "trained_runs",
            "trained_scored",
            "trained_resolved",
        ],
        rows,
    )
}

fn inputs(question: &Question, runs: &[Run], frames: &Frames) -> Inputs {
    let files = runs
        .iter()
        .filter(|run| run.has_log)
        .map(|run| Input {
            path: format!("runs/{}/{}.traj", run.arm, run.instance),
            arm: run.arm.clone(),
            read_as: "swe-agent-0".to_owned(),
            bytes: 1024,
            modified_ms: Some(1),
            digest: "00112233445566778899aabbccddeeff".to_owned(),
            trajectories: vec!["t".to_owned()],
            parts: Vec::new(),
        })
        .collect();
    Inputs {
        study_file: Some("name = \"x\"\n".to_owned()),
        arms: question
            .arms
            .iter()
            .map(|arm| ArmInputs {
                name: arm.name.clone(),
                logs: vec![format!("runs/{}", arm.name)],
                outcomes: vec![format!("runs/{}/results.json", arm.name)],
                looked_in: vec![format!("runs/{}", arm.name)],
            })
            .collect(),
        contents: Contents {
            inputs: files,
            rules: [("editing".to_owned(), 1), ("testing".to_owned(), 2)].into(),
            settings: BTreeMap::new(),
            problems: vec![Noted {
                arm: question.arms[0].name.clone(),
                file: "runs/a/broken.traj".to_owned(),
                place: "byte 12".to_owned(),
                what: "the file ends in the middle of a record".to_owned(),
                weight: "refused".to_owned(),
            }],
        },
        unclaimed: vec![Unclaimed {
            arm: question.arms[0].name.clone(),
            extension: "patch".to_owned(),
            files: 3,
        }],
        trajectories: frame(
            &["arm", "benchmark", "part", "n"],
            vec![vec![text(&question.arms[0].name), text(BENCHMARK), text("superseded"), Value::Int(1)]],
        ),
        instance_pairs: frames.get("instance_pairs").unwrap().clone(),
        engine_version: "0.1.0".to_owned(),
    }
}

/// Numbers that look random and are the same everywhere.
pub struct Draws(pub u64);

impl Draws {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

const SHARES: [(&str, u64, u64); 12] = [
    ("explored", 100, 94),
    ("autonomous_edit", 90, 88),
    ("any_edit", 97, 93),
    ("own_test_written", 40, 22),
    ("active_testing", 54, 13),
    ("test_after_edit", 38, 11),
    ("explicit_submission", 18, 67),
    ("abnormal_end", 82, 33),
    ("empty_patch", 8, 8),
    ("loop", 5, 18),
    ("repetitive_loop", 1, 16),
    ("network_attempt", 1, 2),
];

const TAGS: [&str; 7] = ["exploration", "editing", "testing", "execution", "setup", "submission", "untagged"];

/// A run of an arm with behaviours drawn from its shares.
pub fn drawn(arm: &str, trained: bool, instance: &str, resolved: Option<bool>, draws: &mut Draws) -> Run {
    let mut run = Run::new(arm, instance, resolved);
    for (code, base, after) in SHARES {
        let share = if trained { after } else { base };
        run.behaviours.push((code, "share", i64::from(draws.below(100) < share), 1));
    }
    let length = 6 + draws.below(if trained { 18 } else { 34 }) as i64;
    let parsable = (0..length).filter(|_| draws.below(100) < if trained { 96 } else { 88 }).count() as i64;
    run.behaviours.push(("parsable_turns", "rate", parsable, length));
    run.behaviours.push(("model_turns", "size", length, 1));
    run.tags = (0..length).map(|_| TAGS[draws.below(if trained { 6 } else { 7 }) as usize]).collect();
    run.own_end = run.behaviours.iter().any(|(code, _, num, _)| *code == "explicit_submission" && *num == 1);
    run
}

/// gpt-4o against deepseek-chat-v2 as the corpus has them: 3 both, 3 only gpt-4o, 6 only deepseek, 72 neither, 5
/// unscored, 2 without a gpt-4o log; behaviours are drawn.
pub fn java() -> &'static Study {
    static JAVA: LazyLock<Study> = LazyLock::new(|| {
        let runs = java_runs("gpt-4o-2024-05-13", "deepseek-chat-v2", "fasterxml__jackson-databind");
        of_pair("java-91", "gpt-4o-2024-05-13", "deepseek-chat-v2", &runs)
    });
    &JAVA
}

/// The same under other names, without what takes long to test.
pub fn named_java(base: &str, trained: &str, prefix: &str, name: &str) -> Study {
    let mut runs = java_runs(base, trained, prefix);
    for run in &mut runs {
        run.behaviours.retain(|behaviour| behaviour.1 == "share");
    }
    of_pair(name, base, trained, &runs)
}

fn of_pair(name: &str, base: &str, trained: &str, runs: &[Run]) -> Study {
    study(question(name, &[(base, Role::Base), (trained, Role::Trained)], &[(base, trained)]), runs)
}

fn java_runs(base: &str, trained: &str, prefix: &str) -> Vec<Run> {
    let mut draws = Draws(11);
    let mut runs = Vec::new();
    let cells = [
        (3, Some(true), Some(true)),
        (3, Some(true), Some(false)),
        (6, Some(false), Some(true)),
        (72, Some(false), Some(false)),
        (5, None, Some(false)),
    ];
    let mut number = 1000;
    for (count, before, after) in cells {
        for _ in 0..count {
            number += 7;
            let instance = format!("{prefix}-{number}");
            runs.push(drawn(base, false, &instance, before, &mut draws));
            runs.push(drawn(trained, true, &instance, after, &mut draws));
        }
    }
    for number in [1, 2] {
        runs.push(drawn(trained, true, &format!("{prefix}-{number}"), Some(false), &mut draws));
    }
    runs
}

/// One base arm against two trained ones, on the same instances.
pub fn two_pairs() -> Study {
    let (mut draws, mut runs) = (Draws(3), Vec::new());
    for place in 0..30 {
        let id = format!("i{place}");
        for (arm, trained) in [("base", false), ("sft", true), ("rl", true)] {
            let resolved = draws.below(10) < if trained { 6 } else { 3 };
            runs.push(drawn(arm, trained, &id, Some(resolved), &mut draws));
        }
    }
    for run in &mut runs {
        run.behaviours.retain(|behaviour| behaviour.1 == "share");
    }
    let arms = [("base", Role::Base), ("sft", Role::Trained), ("rl", Role::Trained)];
    study(question("two", &arms, &[("base", "sft"), ("base", "rl")]), &runs)
}

/// One arm without a verdict.
pub fn batch() -> Study {
    let mut draws = Draws(2);
    let runs: Vec<Run> =
        (0..12).map(|place| drawn("only", false, &format!("i{place}"), None, &mut draws)).collect();
    study(question("batch", &[("only", Role::Other)], &[]), &runs)
}

/// As many instances as given, one run each, without what takes long to test.
pub fn many(instances: usize) -> Study {
    let (question, mut runs) = drawn_runs(instances, 1);
    for run in &mut runs {
        run.task = "chat";
        run.behaviours.retain(|behaviour| behaviour.1 == "share");
    }
    study(question, &runs)
}

/// `instances` × `runs` of two arms; every number is drawn.
pub fn repeats(instances: usize, runs_each: i64) -> Study {
    let (question, runs) = drawn_runs(instances, runs_each);
    study(question, &runs)
}

fn drawn_runs(instances: usize, runs_each: i64) -> (Question, Vec<Run>) {
    let mut draws = Draws(5);
    let mut runs = Vec::new();
    for instance in 0..instances {
        let id = format!("sympy__sympy-{instance:05}");
        let hardness = draws.below(100);
        for run in 0..runs_each {
            for (arm, trained, bonus) in [("base", false, 0), ("rl", true, 16)] {
                let solved = draws.below(100) + bonus > hardness + 20;
                let mut found = drawn(arm, trained, &id, Some(solved), &mut draws);
                found.run = run;
                runs.push(found);
            }
        }
    }
    (question("rl-transfer", &[("base", Role::Base), ("rl", Role::Trained)], &[("base", "rl")]), runs)
}
