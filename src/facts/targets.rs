//! Target class of an edited file (`definitions.md` §3.1): test, scratch, docs, config, outside, source, by the first
//! that fits.

use super::fact::EditTarget;
use super::paths::{is_within, name, stem_and_extension};
use crate::model::TaskKind;

/// What is known of the file beside its path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    /// This trajectory made it.
    pub created_here: bool,
    /// It lies in a folder that this trajectory made.
    pub own_folder: bool,
    /// It was made and deleted again here.
    pub deleted_here: bool,
    /// The root of the repository is known, so that an absolute path lies beyond it.
    pub root_known: bool,
    /// Product paths that look like tests.
    pub source_paths: &'a [String],
    /// Kind of task.
    pub task: TaskKind,
}

/// The class of a path that is relative to the root, or absolute beyond it.
pub(super) fn class(path: &str, known: Known) -> EditTarget {
    let at_root = !path.contains('/');
    let beyond = path.starts_with(['/', '~']) || path.starts_with("../");
    if known.source_paths.iter().any(|prefix| path.starts_with(prefix.as_str())) && !known.deleted_here {
        return EditTarget::Source;
    }
    if looks_like_test(path) && !(known.created_here && (at_root || beyond)) {
        return EditTarget::Test;
    }
    if known.created_here && is_scratch(path, at_root, beyond, known) {
        return EditTarget::Scratch;
    }
    if is_docs(path) {
        return EditTarget::Docs;
    }
    if is_config(path) {
        return EditTarget::Config;
    }
    if beyond && known.root_known { EditTarget::Outside } else { EditTarget::Source }
}

fn is_scratch(path: &str, at_root: bool, beyond: bool, known: Known) -> bool {
    // A terminal task without a repository delivers files wherever they lie.
    let delivers_anywhere = known.task == TaskKind::Terminal && !known.root_known;
    let away = (beyond && known.root_known) || (at_root && !delivers_anywhere) || is_within(path, "/tmp");
    let left_over =
        ["patch", "diff", "orig", "rej", "bak"].contains(&stem_and_extension(path).1) || path.ends_with('~');
    let in_reproduction = known.own_folder && path.split('/').next().is_some_and(is_reproduction);
    known.deleted_here || away || left_over || in_reproduction || is_reproduction(name(path))
}

/// Whether a name says that the file is a reproduction or a scratch script.
pub(super) fn is_reproduction(file_name: &str) -> bool {
    const PREFIXES: [&str; 6] = ["repro", "debug", "check", "verify", "demo", "scratch"];
    let lower = file_name.trim_start_matches(['_', '.']).to_ascii_lowercase();
    PREFIXES.iter().any(|prefix| lower.starts_with(prefix))
}

/// Whether a path is a test's by its folder or name.
pub(super) fn looks_like_test(path: &str) -> bool {
    const FOLDERS: [&str; 6] = ["tests", "test", "__tests__", "spec", "testdata", "test-data"];
    let mut parts = path.split('/').rev();
    let file = parts.next().unwrap_or(path);
    parts.any(|part| FOLDERS.contains(&part)) || is_test_name(file)
}

fn is_test_name(file: &str) -> bool {
    if file == "conftest.py" {
        return true;
    }
    let (stem, extension) = stem_and_extension(file);
    match extension {
        "py" => stem.starts_with("test_") || stem.ends_with("_test") || stem == "tests" || stem == "test",
        "go" | "rb" | "exs" | "cc" | "cpp" | "c" | "dart" => {
            stem.ends_with("_test") || stem.ends_with("_spec") || stem.starts_with("test_")
        }
        "java" | "kt" | "scala" | "cs" | "groovy" | "swift" | "php" => {
            stem.ends_with("Test")
                || stem.ends_with("Tests")
                || stem.ends_with("TestCase")
                || stem.ends_with("Spec")
        }
        "js" | "ts" | "jsx" | "tsx" | "mjs" | "cjs" | "mts" | "vue" => {
            stem.ends_with(".test")
                || stem.ends_with(".spec")
                || stem.ends_with("_test")
                || stem.ends_with("-test")
        }
        _ => false,
    }
}

fn is_docs(path: &str) -> bool {
    let file = name(path);
    let upper = file.to_ascii_uppercase();
    let (_, extension) = stem_and_extension(file);
    ["md", "rst", "adoc", "mdx"].contains(&extension)
        || path.split('/').rev().skip(1).any(|part| part == "docs" || part == "doc")
        || ["CHANGELOG", "CHANGES", "LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "README"]
            .iter()
            .any(|known| {
                upper == *known || upper.strip_prefix(known).is_some_and(|rest| rest.starts_with('.'))
            })
}

fn is_config(path: &str) -> bool {
    const EXTENSIONS: [&str; 16] = [
        "toml",
        "cfg",
        "ini",
        "yml",
        "yaml",
        "lock",
        "gradle",
        "cmake",
        "mk",
        "properties",
        "conf",
        "sln",
        "csproj",
        "gemspec",
        "bazel",
        "in",
    ];
    const NAMES: [&str; 29] = [
        "Dockerfile",
        "Makefile",
        "makefile",
        "GNUmakefile",
        "CMakeLists.txt",
        "pom.xml",
        "build.xml",
        "package.json",
        "package-lock.json",
        "tsconfig.json",
        "setup.py",
        "requirements.txt",
        "Pipfile",
        "Gemfile",
        "Rakefile",
        "go.mod",
        "go.sum",
        "Jenkinsfile",
        "gradlew",
        "mvnw",
        "configure",
        "configure.ac",
        "Vagrantfile",
        "BUILD",
        "WORKSPACE",
        "Procfile",
        "composer.json",
        "build.gradle.kts",
        "settings.gradle.kts",
    ];
    let file = name(path);
    let (stem, extension) = stem_and_extension(file);
    let hidden = file.starts_with('.') && file.len() > 1 && !file[1..].contains('.');
    EXTENSIONS.contains(&extension)
        || NAMES.contains(&file)
        || file.starts_with("Dockerfile.")
        || hidden
        || path.split('/').any(|part| part == ".github" || part == ".circleci" || part == ".ci")
        || stem.starts_with("requirements") && extension == "txt"
        || file.starts_with(".eslintrc")
        || file.starts_with("jest.config")
        || file.starts_with("webpack.config")
        || file.starts_with("babel.config")
}
