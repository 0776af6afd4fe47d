//! A benchmark row: what is known of a benchmark by its name (`interface.md`, Benchmark).

/// Kind of task, which decides the funnel (`definitions.md` §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskKind {
    /// A repository is mended.
    Repo,
    /// A terminal task.
    Terminal,
    /// A question answered by searching.
    Search,
    /// A conversation or a session.
    Chat,
}

impl TaskKind {
    /// All kinds.
    pub const ALL: [TaskKind; 4] = [TaskKind::Repo, TaskKind::Terminal, TaskKind::Search, TaskKind::Chat];

    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            TaskKind::Repo => "repo",
            TaskKind::Terminal => "terminal",
            TaskKind::Search => "search",
            TaskKind::Chat => "chat",
        }
    }

    /// The value of a word; `None` for a word that is none.
    pub fn parse(word: &str) -> Option<TaskKind> {
        TaskKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// One benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Benchmark {
    /// Its name, `unnamed` where none fits.
    pub name: String,
    /// Version, where its name has one.
    pub version: Option<String>,
    /// Family: only one member of a family enters a pooled test.
    pub family: String,
    /// Kind of task.
    pub kind: TaskKind,
    /// Pattern (regular expression) that all its instance ids match.
    pub id_pattern: Option<String>,
    /// Number of instances.
    pub n: Option<i64>,
    /// Day of release, UTC milliseconds, where it is known.
    pub released: Option<i64>,
    /// Harness in which agents run on it: that of its leaderboard, unless a study says otherwise.
    pub harness: Option<String>,
    /// Groups of its tests by name (`FAIL_TO_PASS`, `PASS_TO_PASS`); empty where they are not known.
    pub test_groups: Vec<String>,
    /// Network policy by name; `none` where nothing is said.
    pub policy: String,
}
