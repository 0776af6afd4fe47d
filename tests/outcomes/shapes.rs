//! Every shape of outcome file: recognised by exactly one shape, read, printed, compared. The goldens were checked
//! by hand against formats-swe.md §7.

use std::fmt::Write as _;
use std::path::PathBuf;

use ethogram::model::Verdict;
use ethogram::outcomes::{ClaimedRun, Head, OUTCOMES, OutcomeFile, Trial, recognise};

use super::folder::files_below;
use crate::support;

fn fixtures() -> PathBuf {
    support::repository().join("fixtures/outcomes")
}

/// All that a file says, a line each.
fn print(file: &OutcomeFile) -> String {
    let mut text = format!("== {} ({}, {:?}", file.path, file.shape, file.rank);
    text.push_str(if file.others_failed { ", others failed)\n" } else { ")\n" });
    for claim in &file.claims {
        write!(text, "claim {}", claim.instance_id).unwrap();
        match &claim.run {
            Some(ClaimedRun::Number(run)) => write!(text, " run {run}").unwrap(),
            Some(ClaimedRun::Named(run)) => write!(text, " run {run}").unwrap(),
            None => {}
        }
        if let Some(arm) = &claim.arm {
            write!(text, " arm {arm}").unwrap();
        }
        writeln!(text, ": {}{}", words(&claim.verdict), if claim.creates_run { "" } else { ", no run" })
            .unwrap();
        for test in &claim.verdict.tests {
            writeln!(text, "  test {} {} {}", test.group, test.status.as_str(), test.name).unwrap();
        }
    }
    for made in &file.predictions {
        let model = made.model.as_deref().unwrap_or("-");
        let patch = made.patch.map_or("nothing".to_owned(), |patch| patch.to_hex()[..8].to_owned());
        writeln!(text, "prediction {} by {model}: {patch}", made.instance_id).unwrap();
    }
    for trial in &file.trials {
        text.push_str(&print_trial(trial));
    }
    for problem in &file.problems {
        assert_eq!(problem.file, file.path);
        writeln!(text, "problem {} [{}] {}", problem.weight.as_str(), problem.place, problem.what).unwrap();
    }
    text
}

/// A trial, with all that is known of it.
fn print_trial(trial: &Trial) -> String {
    let mut text = format!(
        "trial {} [{}] {} ({}) by {:?}: {}",
        trial.folder,
        trial.name,
        trial.instance_id,
        trial.instance_source.as_str(),
        trial.told_by,
        words(&trial.verdict)
    );
    let number = |value: &Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
    let word = |value: &Option<String>| value.as_deref().unwrap_or("-").to_owned();
    write!(text, "\n  job {} run {} of {}", word(&trial.job), number(&trial.run), number(&trial.attempts))
        .unwrap();
    write!(text, ", {} with {}, id {}", word(&trial.scaffold), word(&trial.model), word(&trial.id)).unwrap();
    let times = [&trial.started_at, &trial.agent_ended_at, &trial.ended_at].map(number);
    write!(text, "\n  from {} agent to {} to {}", times[0], times[1], times[2]).unwrap();
    write!(text, ", end {} = {}", word(&trial.raw_status), trial.termination.as_str()).unwrap();
    let cost = trial.cost_usd.map_or("-".to_owned(), |cost| cost.to_string());
    let (read, written) = (number(&trial.tokens_in), number(&trial.tokens_out));
    writeln!(text, ", tokens {read} and {written}, cost {cost}").unwrap();
    for test in &trial.verdict.tests {
        writeln!(text, "  test {} {} {}", test.group, test.status.as_str(), test.name).unwrap();
    }
    text
}

fn words(verdict: &Verdict) -> String {
    let mut text = match (verdict.scored, verdict.resolved, &verdict.unscored_reason, verdict.failed_reason) {
        (true, Some(resolved), None, None) => resolved.to_string(),
        (true, None, None, None) => "by reward".to_owned(),
        (true, Some(false), None, Some(reason)) => format!("false:{}", reason.as_str()),
        (false, None, Some(reason), None) => format!("unscored:{}", reason.as_str()),
        _ => panic!("no such verdict: {verdict:?}"),
    };
    if let Some(reward) = verdict.reward {
        write!(text, " reward {reward}").unwrap();
    }
    if let Some(applied) = verdict.applied {
        write!(text, " applied {applied}").unwrap();
    }
    if let Some(counts) = verdict.counts {
        let [a, b, c, d] = [counts.f2p_passed, counts.f2p_total, counts.p2p_passed, counts.p2p_total];
        write!(text, " F2P {a}/{b} P2P {c}/{d}").unwrap();
    }
    text
}

#[test]
fn every_shape_reads_its_fixtures() {
    for shape in OUTCOMES {
        let folder = fixtures().join(shape.name);
        let mut text = String::new();
        for path in files_below(&folder) {
            let bytes = std::fs::read(folder.join(&path)).unwrap();
            let claims = OUTCOMES.iter().filter(|other| (other.sniff)(&Head::of(&path, &bytes)));
            let claims: Vec<&str> = claims.map(|other| other.name).collect();
            assert_eq!(claims, [shape.name], "{}/{path}", shape.name);
            text.push_str(&print(&(shape.read)(&path, &bytes)));
        }
        assert!(!text.is_empty(), "{} has no fixture", shape.name);
        support::golden(&fixtures().join(format!("{}.want", shape.name)), &text);
    }
}

#[test]
fn nothing_else_is_an_outcome_file() {
    let folder = fixtures().join("none");
    for path in files_below(&folder) {
        let bytes = std::fs::read(folder.join(&path)).unwrap();
        assert_eq!(recognise(&path, &bytes).map(|shape| shape.name), None, "{path}");
    }
}

#[test]
fn the_name_of_a_file_does_not_matter() {
    for (path, renamed) in [
        ("harness-summary/acme__large-7b.run1.json", "x.json"),
        ("preds/preds.json", "results.json"),
        ("report/run_evaluation/r1/acme__large-7b/acme__widget-1/report.json", "a/outcome"),
        ("runs-table/scored/per_run_results.json", "y"),
        ("winners/results/results.json", "z.txt"),
        ("older-results/results.json", "z.txt"),
        ("eval-results/eval_results.json", "z.txt"),
        ("harbor-trial/jobs/J/slow-sort__AAAAAA2/result.json", "z.txt"),
        ("harbor-job/old/result.json", "z.txt"),
        ("harbor-table/result.json", "z.txt"),
        ("terminal-bench-run/R2/results.json", "z.txt"),
        ("terminal-bench-trial/R1/blank/blank.1-of-1.R1/results.json", "z.txt"),
        ("outcomes-csv/outcomes.csv", "z.txt"),
        ("outcomes-jsonl/outcomes.jsonl", "z.txt"),
    ] {
        let bytes = std::fs::read(fixtures().join(path)).unwrap();
        let by_name = recognise(path, &bytes).map(|shape| shape.name);
        assert_eq!(recognise(renamed, &bytes).map(|shape| shape.name), by_name, "{path}");
    }
}

#[test]
fn shapes_stand_in_order_of_their_names() {
    let names: Vec<&str> = OUTCOMES.iter().map(|shape| shape.name).collect();
    assert!(names.is_sorted(), "{names:?}");
}

/// Whatever is cut off, nothing panics, and a file that is cut never says more than the whole one.
#[test]
fn every_truncation_is_survived() {
    for shape in OUTCOMES {
        let folder = fixtures().join(shape.name);
        for path in files_below(&folder) {
            let bytes = std::fs::read(folder.join(&path)).unwrap();
            let whole = (shape.read)(&path, &bytes);
            for end in 0..bytes.len() {
                recognise(&path, &bytes[..end]);
                let cut = (shape.read)(&path, &bytes[..end]);
                assert!(cut.claims.len() <= whole.claims.len(), "{path} cut at {end}");
                assert!(cut.trials.len() <= whole.trials.len(), "{path} cut at {end}");
            }
        }
    }
}

#[test]
fn a_hostile_head_ends_soon() {
    for text in [
        "{".repeat(100_000),
        "[".repeat(100_000),
        "{\"a\":".repeat(50_000),
        format!("{{\"{}", "\\".repeat(99_999)),
    ] {
        assert!(recognise("x.json", text.as_bytes()).is_none());
    }
}
