//! `init`: what it writes is a study file that `study` takes.

use std::fs;

use super::first_study;
use crate::support::ethogram;

#[test]
fn a_study_file_is_begun_and_taken() {
    let folder = first_study();
    let ran = ethogram(folder.path(), &["init", "base", "rl", "--out", "begun.toml"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let text = fs::read_to_string(folder.path().join("begun.toml")).unwrap();
    for line in [
        "name = \"base, rl\"",
        "name = \"base\"",
        "logs = [\"base\"]",
        "# logs: ",
        "# outcome files: ",
        "# role = \"base\"          # or \"trained\": without roles nothing is compared",
    ] {
        assert!(text.contains(line), "`{line}` is not in\n{text}");
    }
    // Roles are the user's to say.
    let mut roles = ["role = \"base\"  ", "role = \"trained\"  "].into_iter();
    let said: String = text
        .lines()
        .map(|line| match line.strip_prefix("# role = ") {
            Some(_) => format!("{}\n", roles.next().unwrap()),
            None => format!("{line}\n"),
        })
        .collect();
    fs::write(folder.path().join("begun.toml"), said).unwrap();
    let ran = ethogram(folder.path(), &["study", "begun.toml", "--out", "out"]);
    assert!(ran.code <= 1, "{}", ran.stderr);
    assert!(folder.path().join("out/report/index.html").exists());
}

#[test]
fn a_single_folder_gives_an_arm_for_each_of_its_folders() {
    let folder = first_study();
    let ran = ethogram(folder.path(), &["init", "--out", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("[[arm]]").count(), 2, "{}", ran.stdout);
    // Folders of runs are no arms.
    let ran = ethogram(folder.path(), &["init", "base", "--out", "-"]);
    assert_eq!(ran.stdout.matches("[[arm]]").count(), 1, "{}", ran.stdout);
}

#[test]
fn nothing_is_overwritten_and_nothing_found_is_said() {
    let folder = first_study();
    fs::write(folder.path().join("study.toml"), "mine").unwrap();
    let ran = ethogram(folder.path(), &["init", "base"]);
    assert_eq!(ran.code, 2);
    assert_eq!(fs::read_to_string(folder.path().join("study.toml")).unwrap(), "mine");
    fs::create_dir(folder.path().join("empty")).unwrap();
    let ran = ethogram(folder.path(), &["init", "empty", "--out", "-"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, ""));
}
