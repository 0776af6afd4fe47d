//! Golden readers: each fixture is claimed by exactly one format, read, printed as turn lines and compared.

use super::problems;
use crate::support::{folders, golden, repository};
use ethogram::formats::{self, FORMATS, Input, Part, Read, Sniff};
use ethogram::model::{Trajectory, Weight, turn_lines};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A fixture: a log, or a folder `input` whose files make one trajectory.
pub struct Fixture {
    format: String,
    pub case: PathBuf,
    /// The log, or the folder.
    log: PathBuf,
    /// Files below the folder with their bytes; one with an empty path for a log.
    parts: Vec<(String, Vec<u8>)>,
}

impl Fixture {
    pub fn read(&self) -> Read {
        let parts: Vec<Part> = self.parts.iter().map(|(path, bytes)| Part { path, bytes }).collect();
        let format = formats::named(&self.format).expect("a folder is named after its format");
        formats::read(format, &Input { parts: &parts, lines_before: 0 })
    }

    fn is_folder(&self) -> bool {
        self.log.is_dir()
    }
}

/// Every fixture.
pub fn fixtures() -> Vec<Fixture> {
    let mut found = Vec::new();
    for format in folders(&repository().join("fixtures/formats")) {
        let name = format.file_name().unwrap().to_str().unwrap().to_owned();
        for case in folders(&format) {
            let log = std::fs::read_dir(&case).unwrap().map(|entry| entry.unwrap().path());
            let mut logs: Vec<PathBuf> = log
                .filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with("want."))
                .collect();
            assert_eq!(logs.len(), 1, "{}: one log or folder a case", case.display());
            let log = logs.remove(0);
            let mut parts = Vec::new();
            if log.is_dir() {
                below(&log, "", &mut parts);
                parts.sort();
            } else {
                parts.push((String::new(), std::fs::read(&log).unwrap()));
            }
            found.push(Fixture { format: name.clone(), case, log, parts });
        }
    }
    found
}

fn below(folder: &Path, path: &str, parts: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = if path.is_empty() { name } else { format!("{path}/{name}") };
        if entry.path().is_dir() {
            below(&entry.path(), &path, parts);
        } else {
            parts.push((path, std::fs::read(entry.path()).unwrap()));
        }
    }
}

#[test]
fn exactly_one_format_claims_each_fixture() {
    for fixture in fixtures() {
        if fixture.is_folder() {
            // The folder's name stands in for the path of a run; some formats ask for the folder above it, too.
            for (path, _) in &fixture.parts {
                let roots = ["run", "llm_completions/run"];
                let found = roots.iter().find_map(|root| {
                    let path = format!("{root}/{path}");
                    let (format, found) = formats::recognise_folder(&path)?;
                    Some((format.name, found == *root))
                });
                assert_eq!(found, Some((fixture.format.as_str(), true)), "{path}");
            }
            continue;
        }
        let claims = formats::claims(&fixture.parts[0].1);
        let claims: Vec<&str> = claims.iter().map(|format| format.name).collect();
        assert_eq!(claims, [fixture.format.as_str()], "{}", fixture.log.display());
    }
}

#[test]
fn every_format_has_a_fixture_and_a_page_that_says_where_it_came_from() {
    let of_files = FORMATS.iter().filter(|format| !matches!(format.sniff, Sniff::Never));
    let names: BTreeSet<&str> = of_files.map(|format| format.name).collect();
    assert!(FORMATS.is_sorted_by_key(|format| format.name));
    let found: BTreeSet<String> = fixtures().into_iter().map(|fixture| fixture.format).collect();
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), names);
    for name in names {
        let page = repository().join("fixtures/formats").join(name).join("README.md");
        let text =
            std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        for fixture in fixtures().iter().filter(|fixture| fixture.format == name) {
            let case = fixture.case.file_name().unwrap().to_str().unwrap();
            assert!(text.contains(&format!("`{case}`")), "{}: says nothing of `{case}`", page.display());
        }
    }
}

#[test]
fn fixtures_are_read_as_their_goldens_say() {
    for fixture in fixtures() {
        let (read, case) = (fixture.read(), &fixture.case);
        let turns: String = read.trajectories.iter().map(printed).collect();
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

/// A trajectory as its golden has it: what identifies it, why it ended, and its turns.
fn printed(run: &Trajectory) -> String {
    let mut head = format!("# {}", run.format);
    let place = (!run.place.is_empty()).then(|| run.place.clone());
    for (name, value) in [
        ("place", place),
        ("instance", run.instance_id.clone()),
        ("run", run.run.map(|run| run.to_string())),
        ("session", run.session_id.clone()),
        ("parent", run.parent.as_ref().map(|parent| format!("{parent:?}"))),
        (
            "verdict",
            run.verdict.as_ref().map(|verdict| format!("{:?}/{:?}", verdict.resolved, verdict.reward)),
        ),
    ] {
        if let Some(value) = value {
            head.push_str(&format!(" {name}={value}"));
        }
    }
    format!("{head}\n{}", turn_lines::print(run, None))
}

#[test]
fn turn_lines_of_fixtures_give_their_turns_back() {
    for (case, run) in fixtures().into_iter().flat_map(|fixture| {
        let case = fixture.case.clone();
        fixture.read().trajectories.into_iter().map(move |run| (case.clone(), run))
    }) {
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
    for fixture in fixtures().into_iter().filter(|fixture| !fixture.is_folder()) {
        let (bytes, case) = (&fixture.parts[0].1, &fixture.case);
        let mut most = 0;
        for end in (0..bytes.len()).step_by(step(bytes)) {
            let Some(format) = formats::recognise(&bytes[..end]) else { continue };
            let read = formats::read_file(format, &bytes[..end]);
            let turns: usize = read.trajectories.iter().map(|run| run.turns.len()).sum();
            assert!(turns + 1 >= most, "{}: {turns} turns at byte {end}, {most} before", case.display());
            most = most.max(turns);
            let is_told = read.problems.iter().any(|problem| problem.weight == Weight::Refused);
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
    // JSON Lines that end with a whole line are whole, whatever stands in the lines before.
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let is_line =
        |line: Option<&[u8]>| line.is_some_and(|line| line.starts_with(b"{") && line.ends_with(b"}"));
    if is_line(lines.next()) && lines.next().is_some_and(|line| line.is_empty() || line.starts_with(b"{")) {
        let last = bytes.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        return last.is_empty() || serde_json::from_slice::<serde::de::IgnoredAny>(last).is_ok();
    }
    // Text that is no JSON has no end of its own; `['` begins none.
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<serde_json::Value>();
    !bytes.trim_ascii_start().starts_with(b"{") && !bytes.trim_ascii_start().starts_with(b"[")
        || bytes.trim_ascii_start().starts_with(b"['")
        || values.all(|value| value.is_ok())
}

#[test]
fn fixtures_are_small_and_name_no_machine() {
    for fixture in fixtures() {
        let size: usize = fixture.parts.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(size <= 40 << 10, "{}: {size} bytes", fixture.case.display());
        for (_, bytes) in &fixture.parts {
            // Packed logs (ZIP) are the format itself.
            assert!(!bytes.contains(&0) || bytes.starts_with(b"PK"), "{}", fixture.log.display());
        }
    }
}
