//! Golden readers: each fixture is claimed by exactly one format, read, printed as turn lines and compared.

use super::{problems, read};
use crate::support::{folders, golden, repository};
use ethogram::formats::{self, FORMATS, Head};
use ethogram::model::turn_lines;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Every fixture: format, folder, log.
fn fixtures() -> Vec<(String, PathBuf, PathBuf)> {
    let mut found = Vec::new();
    for format in folders(&repository().join("fixtures/formats")) {
        let name = format.file_name().unwrap().to_str().unwrap().to_owned();
        for case in folders(&format) {
            let log = std::fs::read_dir(&case).unwrap().map(|entry| entry.unwrap().path());
            let mut logs: Vec<PathBuf> = log
                .filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with("want."))
                .collect();
            assert_eq!(logs.len(), 1, "{}: one log a case", case.display());
            found.push((name.clone(), case, logs.remove(0)));
        }
    }
    found
}

#[test]
fn exactly_one_format_claims_each_fixture() {
    for (name, _, log) in fixtures() {
        let head = Head::of(&std::fs::read(&log).unwrap()).expect("JSON");
        let claims = FORMATS.iter().filter(|format| (format.sniff)(&head)).map(|format| format.name);
        assert_eq!(claims.collect::<Vec<_>>(), [name], "{}", log.display());
    }
}

#[test]
fn every_format_has_a_fixture_and_a_page_that_says_where_it_came_from() {
    let names: BTreeSet<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert!(FORMATS.is_sorted_by_key(|format| format.name));
    let found: BTreeSet<String> = fixtures().into_iter().map(|(name, _, _)| name).collect();
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), names);
    for name in names {
        let page = repository().join("fixtures/formats").join(name).join("README.md");
        let text =
            std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        for (_, case, _) in fixtures().iter().filter(|(format, _, _)| format == name) {
            let case = case.file_name().unwrap().to_str().unwrap();
            assert!(text.contains(&format!("`{case}`")), "{}: says nothing of `{case}`", page.display());
        }
    }
}

#[test]
fn fixtures_are_read_as_their_goldens_say() {
    for (_, case, log) in fixtures() {
        let read = read(&std::fs::read(&log).unwrap());
        let turns: String = read
            .trajectories
            .iter()
            .map(|run| format!("# {}\n{}", run.format, turn_lines::print(run, None)))
            .collect();
        golden(&case.join("want.turns"), &turns);
        let mut lines = problems(&read);
        let unknown = read.unknown_keys.0.iter();
        lines.extend(
            unknown.map(|((level, key), count)| format!("unknown key {} {key}: {count}", level.as_str())),
        );
        lines.extend(read.masked.iter().map(|(kind, count)| format!("masked {kind}: {count}")));
        golden(
            &case.join("want.problems"),
            &lines.iter().map(|line| format!("{line}\n")).collect::<String>(),
        );
    }
}

#[test]
fn turn_lines_of_fixtures_give_their_turns_back() {
    for (_, case, log) in fixtures() {
        let [run] = read(&std::fs::read(&log).unwrap()).trajectories.try_into().unwrap();
        let text = turn_lines::print(&run, None);
        let back = turn_lines::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
        assert_eq!(turn_lines::print(&back.trajectory, None), text, "{}", case.display());
        assert_eq!(
            without_arguments(back.trajectory.turns),
            without_arguments(run.turns),
            "{}",
            case.display()
        );
    }
}

/// The raw arguments of a structured call are not among what turn lines hold.
fn without_arguments(mut turns: Vec<ethogram::model::Turn>) -> Vec<ethogram::model::Turn> {
    for call in turns.iter_mut().flat_map(|turn| &mut turn.calls) {
        if call.operation.is_some() {
            call.input.clear();
        }
    }
    turns
}

/// Whatever a log is cut to, reading neither panics nor loses the turns that stand before the cut whole.
#[test]
fn every_truncation_of_every_fixture_is_read() {
    for (_, case, log) in fixtures() {
        let bytes = std::fs::read(&log).unwrap();
        let mut most = 0;
        for end in (0..bytes.len()).step_by(step(&bytes)) {
            let Some(format) = formats::recognise(&bytes[..end]) else { continue };
            let read = formats::read(format, &bytes[..end]);
            let turns: usize = read.trajectories.iter().map(|run| run.turns.len()).sum();
            assert!(turns + 1 >= most, "{}: {turns} turns at byte {end}, {most} before", case.display());
            most = most.max(turns);
            let is_told = read.problems.iter().any(|problem| problem.what.contains("ends in the middle"));
            assert!(
                is_told || is_whole(&bytes[..end]),
                "{}: silent at byte {end}: {:?}",
                case.display(),
                problems(&read)
            );
        }
    }
}

fn step(bytes: &[u8]) -> usize {
    (bytes.len() / 150).max(1) | 1
}

fn is_whole(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde_json::Value>(bytes).is_ok()
}

#[test]
fn fixtures_are_small_and_name_no_machine() {
    for (_, case, log) in fixtures() {
        let size = std::fs::metadata(&log).unwrap().len();
        assert!(size <= 40 << 10, "{}: {size} bytes", case.display());
        assert!(!is_binary(&log), "{}", log.display());
    }
}

fn is_binary(path: &Path) -> bool {
    std::fs::read(path).unwrap().contains(&0)
}
