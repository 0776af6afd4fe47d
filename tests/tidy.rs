//! The house keeps its shape: layers, first lines, registration, sizes.

use std::fs;
use std::path::{Path, PathBuf};

/// Layers from the lowest; modules of one layer do not import each other (ARCHITECTURE.md).
const LAYERS: &[&[&str]] = &[
    &["model"],
    &["shell", "sources", "stats", "data"],
    &["formats", "outcomes", "runners"],
    &["facts"],
    &["tags"],
    &["behaviours"],
    &["store", "number"],
    &["measure"],
    &["charts"],
    &["report"],
    &["steps"],
    &["cli"],
];

/// Files over 600 lines without their tests, each with its reason.
const LONG_FILES: &[(&str, &str)] = &[];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files_below(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    files_below(&root().join("src"), "rs", &mut found);
    found
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The violations of one file: imports that point up or sideways.
fn violations(file: &str, text: &str) -> Vec<String> {
    let module = file.trim_start_matches("src/").split(['/', '.']).next().unwrap();
    let Some(own) = layer(module) else { return Vec::new() };
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            let target = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
            let Some(other) = layer(target) else { continue };
            if target != module && other >= own {
                found.push(format!("{file}:{}: {module} imports {target}", number + 1));
            }
        }
    }
    found
}

#[test]
fn imports_point_to_lower_layers() {
    let found: Vec<String> = sources().iter().flat_map(|(file, text)| violations(file, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_planted_violation_is_caught() {
    assert_eq!(violations("src/model/key.rs", "use crate::cli::x;").len(), 1);
    assert_eq!(violations("src/formats/a.rs", "use crate::outcomes::x;").len(), 1);
    assert!(violations("src/formats/a.rs", "use crate::model::x; // crate::cli").is_empty());
}

#[test]
fn every_folder_of_src_has_a_layer() {
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(
            matches!(module, "lib" | "main") || layer(module).is_some(),
            "src/{name} stands in no layer; add it to LAYERS and to ARCHITECTURE.md"
        );
    }
}

#[test]
fn every_file_says_what_it_owns() {
    for (file, text) in sources() {
        assert!(text.starts_with("//! "), "{file}: the first line must say what the file owns");
    }
}

#[test]
fn no_file_is_long_without_a_reason() {
    for (file, text) in sources() {
        let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
        let excused = LONG_FILES.iter().any(|(name, reason)| *name == file && !reason.is_empty());
        assert!(lines <= 600 || excused, "{file}: {lines} lines; two reasons to change in one file?");
    }
}

/// Each file of a folder of families is declared by its `mod.rs`, and the file's constant stands in the list there.
#[test]
fn every_file_of_a_family_is_registered() {
    for folder in ["formats", "outcomes", "runners", "tags", "behaviours", "measure", "charts"] {
        let list = fs::read_to_string(root().join(format!("src/{folder}/mod.rs"))).unwrap();
        for (file, text) in sources() {
            let Some(name) =
                file.strip_prefix(&format!("src/{folder}/")).and_then(|name| name.strip_suffix(".rs"))
            else {
                continue;
            };
            if name == "mod" || name.contains('/') {
                continue;
            }
            assert!(list.contains(&format!("mod {name};")), "{file} is not declared in src/{folder}/mod.rs");
            for kind in ["FORMAT", "SHAPE", "RUNNER", "FAMILY", "TABLE", "CHART"] {
                if text.contains(&format!("pub const {kind}: ")) {
                    assert!(
                        list.contains(&format!("{name}::{kind}")),
                        "{file}: its {kind} is not in the list of src/{folder}/mod.rs"
                    );
                }
            }
        }
    }
}

#[test]
fn no_path_of_a_machine_and_no_registry_host() {
    // Written in pieces, so that this file does not name what it forbids.
    let hosts =
        [["pypi", ".org"], ["python", "hosted.org"], ["npmjs", ".com"], ["npmjs", ".org"], ["crates", ".io"]];
    let mut found = Vec::new();
    for folder in ["src", "tests", "docs", "schemas", "queries", "reports", "fixtures"] {
        for extension in
            ["rs", "md", "sql", "json", "csv", "toml", "py", "txt", "traj", "turns", "rows", "html"]
        {
            files_below(&root().join(folder), extension, &mut found);
        }
    }
    for path in found {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for host in &hosts {
            assert!(!text.contains(&host.concat()), "{} names a registry's host in full", path.display());
        }
        let machine = root().parent().unwrap().to_string_lossy().into_owned() + "/";
        assert!(
            machine == "/" || !text.contains(&machine),
            "{} holds a path of this machine",
            path.display()
        );
    }
}
