//! What a host is by its name (`hosts.csv`; `shortcuts.md` §5). A registry and its mirrors match alike, by a label of
//! the name; addresses and private names are told by `facts`, and no name is ever looked up.

use std::sync::LazyLock;

use super::csv;

/// Class of a public host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostClass {
    /// Packages of a language or a system.
    PackageRegistry,
    /// Repositories of source code.
    CodeHost,
    /// Copies and archives of source code or of the web.
    Mirror,
    /// Data sets and models.
    DataHost,
    /// Web search.
    Search,
    /// Documentation.
    Docs,
}

impl HostClass {
    fn parse(word: &str) -> Option<HostClass> {
        Some(match word {
            "package_registry" => HostClass::PackageRegistry,
            "code_host" => HostClass::CodeHost,
            "mirror" => HostClass::Mirror,
            "data_host" => HostClass::DataHost,
            "search" => HostClass::Search,
            "docs" => HostClass::Docs,
            _ => return None,
        })
    }
}

/// How a row fits a host.
enum Fit {
    /// One label of the host is this.
    Label(String),
    /// Two neighbouring labels are these.
    Labels(String),
    /// The host is this, or ends in it behind a dot.
    Suffix(String),
    /// The first label is this.
    Prefix(String),
    /// The host is this label under any ending, with or without `www`.
    Site(String),
}

static ROWS: LazyLock<Vec<(Fit, HostClass)>> = LazyLock::new(|| {
    let records = csv::records(include_str!("hosts.csv"));
    records.iter().skip(1).filter_map(|record| row(record)).collect()
});

fn row(record: &[String]) -> Option<(Fit, HostClass)> {
    let [how, what, class] = record else { return None };
    let what = what.clone();
    let fit = match how.as_str() {
        "label" => Fit::Label(what),
        "labels" => Fit::Labels(what),
        "suffix" => Fit::Suffix(what),
        "prefix" => Fit::Prefix(what),
        "site" => Fit::Site(what),
        _ => return None,
    };
    Some((fit, HostClass::parse(class)?))
}

/// The class of a host name, by the first row that fits; `None` for any other host.
pub fn class(host: &str) -> Option<HostClass> {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let labels: Vec<&str> = host.split('.').collect();
    ROWS.iter().find(|(fit, _)| fit.holds(&host, &labels)).map(|(_, class)| *class)
}

/// Rows that are read, for the test of the table.
pub fn rows() -> usize {
    ROWS.len()
}

impl Fit {
    fn holds(&self, host: &str, labels: &[&str]) -> bool {
        match self {
            Fit::Label(label) => labels.contains(&label.as_str()),
            Fit::Labels(pair) => pair
                .split_once('.')
                .is_some_and(|(first, second)| labels.windows(2).any(|two| two == [first, second])),
            Fit::Suffix(suffix) => {
                host.strip_suffix(suffix.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
            Fit::Prefix(first) => labels.len() > 2 && labels[0] == first,
            Fit::Site(name) => {
                let rest = labels.strip_prefix(&["www"]).unwrap_or(labels);
                rest.len() > 1 && rest[0] == name
            }
        }
    }
}
