//! The house keeps its shape: layers, first lines, sizes, and nothing that lies about unregistered.

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

/// What only some modules may touch (ARCHITECTURE.md, invariants): the words, and who may write them.
const RESERVED: &[(&[&str], &[&str])] = &[
    (&["std::fs", "std::process"], &["sources", "store", "report", "steps", "cli", "main"]),
    (&["std::env::", "SystemTime", "Instant::now", "current_dir"], &["cli"]),
    (&["println!(", "print!(", "io::stdout", "io::stderr"], &["cli"]),
    (&["use polars", "use arrow", "use parquet", "polars::", "arrow::", "parquet::"], &["store"]),
    (&["use rayon", "rayon::"], &["steps"]),
    (&["use plotters", "plotters::", "use resvg", "resvg::"], &["charts"]),
    (&["use clap", "clap::", "use toml", "toml::"], &["cli"]),
];

/// Lines of a file that use what is reserved for other modules; tests in the file may.
fn trespasses(file: &str, text: &str) -> Vec<String> {
    let module = file.trim_start_matches("src/").split(['/', '.']).next().unwrap();
    let code = text.lines().enumerate().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    let code = code.map(|(number, line)| (number, line.split("//").next().unwrap_or_default()));
    code.flat_map(|(number, line)| {
        let reserved = RESERVED.iter().filter(|(words, owners)| {
            !owners.contains(&module) && words.iter().any(|word| line.contains(word))
        });
        reserved.map(move |(_, owners)| {
            format!("{file}:{}: only {} may: {}", number + 1, owners.join(", "), line.trim())
        })
    })
    .collect()
}

#[test]
fn io_clock_and_engines_stay_where_they_belong() {
    let found: Vec<String> = sources().iter().flat_map(|(file, text)| trespasses(file, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert_eq!(trespasses("src/facts/a.rs", "let t = std::fs::read(path);").len(), 1);
    assert_eq!(trespasses("src/measure/a.rs", "use polars::prelude::*;").len(), 1);
    assert!(trespasses("src/store/a.rs", "use polars::prelude::*; // std::env::var").is_empty());
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

/// A file that no `mod` line names is not compiled, and nobody notices.
#[test]
fn every_file_is_declared_by_its_parent() {
    for folder in ["src", "tests"] {
        let mut files = Vec::new();
        files_below(&root().join(folder), "rs", &mut files);
        for file in files {
            let stem = file.file_stem().unwrap().to_str().unwrap();
            let above = file.parent().unwrap();
            let is_root = above == root().join(folder) && matches!(stem, "lib" | "main");
            if is_root {
                continue;
            }
            let (name, folder) = match stem {
                "mod" => (above.file_name().unwrap().to_str().unwrap(), above.parent().unwrap()),
                stem => (stem, above),
            };
            let declared = parents(folder).iter().any(|text| {
                text.lines().any(|line| {
                    let line = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
                    line == format!("mod {name};")
                })
            });
            assert!(declared, "{} is declared by no file", file.display());
        }
    }
}

/// The files that may declare the modules of a folder: its `mod.rs`, the file of its name, the root of the crate.
fn parents(folder: &Path) -> Vec<String> {
    let mut files = vec![folder.join("mod.rs"), folder.with_extension("rs")];
    files.extend([folder.join("lib.rs"), folder.join("main.rs")]);
    files.into_iter().filter_map(|file| fs::read_to_string(file).ok()).collect()
}

/// The constants of a kind that files below a folder make.
fn constants(folder: &str, kind: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (file, text) in sources() {
        if !file.starts_with(&format!("src/{folder}/")) {
            continue;
        }
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("pub const ") else { continue };
            if let Some((name, _)) = rest.split_once(&format!(": {kind} =")) {
                found.push((file.clone(), name.to_owned()));
            }
        }
    }
    found
}

/// What a file of a family makes stands in the list of its folder, or nobody ever runs it.
#[test]
fn everything_of_a_family_is_in_its_list() {
    for (folder, kind) in [
        ("behaviours", "Behaviour"),
        ("charts", "Chart"),
        ("formats", "Format"),
        ("measure", "TableFamily"),
        ("outcomes", "OutcomeShape"),
        ("runners", "Runner"),
        ("tags", "Family"),
    ] {
        let list = fs::read_to_string(root().join(format!("src/{folder}/mod.rs"))).unwrap();
        let found = constants(folder, kind);
        assert!(!found.is_empty(), "src/{folder} makes no {kind}");
        for (file, name) in found {
            let below = file.strip_prefix(&format!("src/{folder}/")).unwrap();
            let module = below.split('/').next().unwrap().trim_end_matches(".rs");
            let entry = format!("{module}::{name}");
            let is_listed =
                list.lines().any(|line| line.trim().trim_start_matches('&').trim_end_matches(',') == entry);
            assert!(is_listed, "{file}: {name} is not in the list of src/{folder}/mod.rs");
        }
    }
}

#[test]
fn lists_stand_one_entry_a_line_and_sorted() {
    for (folder, list) in [("charts", "CHARTS"), ("runners", "RUNNERS"), ("tags", "FAMILIES")] {
        let text = fs::read_to_string(root().join(format!("src/{folder}/mod.rs"))).unwrap();
        let start = text.find(&format!("pub const {list}: ")).unwrap();
        let entries: Vec<&str> =
            text[start..].lines().skip(1).map(str::trim).take_while(|line| *line != "];").collect();
        assert!(entries.is_sorted(), "{list} of src/{folder}/mod.rs is not sorted");
    }
}

/// Names of the files of a folder with an extension, without it, sorted.
fn stems(folder: &str, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut found: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{folder} holds no .{extension}");
    found
}

/// Names of the folders of a folder, sorted.
fn folders_of(folder: &str) -> Vec<String> {
    let found = crate::support::folders(&root().join(folder));
    found.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_query_and_schema_is_compiled_in() {
    let store: String = sources()
        .into_iter()
        .filter(|(file, _)| file.starts_with("src/store/"))
        .map(|(_, text)| text)
        .collect();
    for (folder, extension) in [("queries", "sql"), ("queries/views", "sql"), ("schemas", "json")] {
        for stem in stems(folder, extension) {
            let path = format!("include_str!(\"../../{folder}/{stem}.{extension}\")");
            assert!(store.contains(&path), "{folder}/{stem}.{extension} is compiled into nothing");
        }
    }
}

#[test]
fn every_query_has_golden_rows_and_a_reader() {
    let queries = stems("queries", "sql");
    assert_eq!(folders_of("fixtures/queries"), queries, "fixtures/queries against queries");
    let above: Vec<String> = sources()
        .into_iter()
        .filter(|(file, _)| {
            ["src/measure/", "src/steps/", "src/cli/"].iter().any(|layer| file.starts_with(layer))
        })
        .map(|(_, text)| text)
        .collect();
    for query in queries {
        let named = format!("\"{query}\"");
        assert!(above.iter().any(|text| text.contains(&named)), "queries/{query}.sql is read by nobody");
    }
}

/// Fixtures of a thing that is not registered any more prove nothing.
#[test]
fn every_fixture_belongs_to_something() {
    assert_eq!(
        folders_of("fixtures"),
        ["charts", "formats", "labels", "outcomes", "queries", "stats", "studies", "tags"],
        "a folder of fixtures that no test reads?"
    );
    let mut formats: Vec<&str> = ethogram::formats::FORMATS
        .iter()
        .filter(|format| !matches!(format.sniff, ethogram::formats::Sniff::Never))
        .map(|format| format.name)
        .collect();
    formats.sort_unstable();
    assert_eq!(folders_of("fixtures/formats"), formats);
    for format in formats {
        let readme = root().join("fixtures/formats").join(format).join("README.md");
        assert!(readme.exists(), "{} must say where its logs come from", readme.display());
    }
    let shapes: Vec<&str> = ethogram::outcomes::OUTCOMES.iter().map(|shape| shape.name).collect();
    for folder in folders_of("fixtures/outcomes") {
        let shape = folder.trim_end_matches(".want");
        assert!(shape == "none" || shapes.contains(&shape), "fixtures/outcomes/{folder} is of no shape");
    }
    for shape in shapes {
        assert!(root().join("fixtures/outcomes").join(shape).is_dir(), "{shape} has no fixture");
    }
    for study in folders_of("fixtures/studies") {
        let file = root().join("fixtures/studies").join(&study).join("study.toml");
        assert!(file.exists(), "fixtures/studies/{study} has no study.toml");
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
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Cargo.toml", "deny.toml"]
    {
        found.push(root().join(name));
    }
    let machine = crate::support::machine_path();
    for path in found {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for host in &hosts {
            assert!(!text.contains(&host.concat()), "{} names a registry's host in full", path.display());
        }
        if let Some(machine) = &machine {
            assert!(!text.contains(machine), "{} holds a path of this machine", path.display());
        }
    }
}
