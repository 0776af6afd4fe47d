//! The types of facts. They hold what the tables `segments`, `reads`, `edits`, `test_runs` and `network` of the
//! store hold (`interface.md`), before any rule judged them.

use crate::model::{Benchmark, CallKind, Operation, PatchState};
use crate::shell::Segment;

/// What a rule may know beyond the log.
#[derive(Clone, Debug)]
pub struct Context {
    /// The benchmark.
    pub benchmark: Benchmark,
    /// Prefixes of paths that are `source` although they look like tests (`django/test/`).
    pub source_paths: Vec<String>,
    /// The task's repository as `owner/name`, where the instance says it: what `code_host_upstream` and the
    /// project's own package are measured against. Without it an id `owner__name-N` or a root `/owner__name` tells.
    pub repository: Option<String>,
}

/// Kind of exploration (`definitions.md` §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum ExplorationKind {
    Read,
    Search,
    History,
    Review,
    Env,
    Web,
    Task,
}

impl ExplorationKind {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            ExplorationKind::Read => "read",
            ExplorationKind::Search => "search",
            ExplorationKind::History => "history",
            ExplorationKind::Review => "review",
            ExplorationKind::Env => "env",
            ExplorationKind::Web => "web",
            ExplorationKind::Task => "task",
        }
    }
}

/// Kind of execution (`definitions.md` §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum ExecutionKind {
    Build,
    Run,
    Service,
}

impl ExecutionKind {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            ExecutionKind::Build => "build",
            ExecutionKind::Run => "run",
            ExecutionKind::Service => "service",
        }
    }
}

/// Kind of setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SetupKind {
    /// Packages are installed or removed.
    Install,
    /// A virtual environment, a tool version.
    Environment,
    /// Permissions and owners.
    Permission,
    /// Any other configuration of the machine.
    Configure,
}

impl SetupKind {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            SetupKind::Install => "install",
            SetupKind::Environment => "environment",
            SetupKind::Permission => "permission",
            SetupKind::Configure => "configure",
        }
    }
}

/// What a segment or a structured tool is for. Its edits, test runs and network attempts stand in their own lists
/// with the same place, and may be several; the role is what is left, and what a tag family reads first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Reads or searches and changes nothing.
    Exploration(ExplorationKind),
    /// Runs code that is none of the other.
    Execution(ExecutionKind),
    /// Installs or configures the environment.
    Setup(SetupKind),
    /// Changes files: `Facts::edits` has them.
    Editing,
    /// Learns whether behaviour is right: `Facts::test_runs` has it.
    Testing,
    /// Compiles and tests, or runs one's own program: execution of this kind and a row of `Facts::test_runs`.
    TestingBy(ExecutionKind),
    /// Hands the work in.
    Submission,
    /// Leaves without handing in.
    Exit,
    /// Thinks, or keeps a list of things to do.
    Planning,
    /// Starts a sub-agent.
    Delegation,
    /// Hands a role's work over to another role of the same run.
    HandOver,
    /// Ends a role, not the run.
    EndRole,
    /// A pure filter behind a pipe.
    Filter,
    /// Bears no tag (`cd`, `sleep`, `mkdir`, `git add` …); a network command may be one.
    Neutral,
    /// No command at all: prose that the shell was given, a name that no program bears.
    Unknown,
}

/// Where in a trajectory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Turn, over all origins.
    pub turn: usize,
    /// Call within the turn.
    pub call: usize,
    /// Segment within the call; `None` for a structured tool.
    pub segment: Option<usize>,
}

/// One simple command, or one structured tool call (segment `None`).
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentFact {
    /// Where.
    pub place: Place,
    /// Program after wrappers are seen through (`pytest` for `python -m pytest`).
    pub program: String,
    /// Subcommand (`git log`, `pip install`).
    pub subcommand: Option<String>,
    /// The parsed segment: arguments, redirections, heredoc, inline code, wrappers, spans.
    pub parsed: Segment,
    /// The scaffold command that it is (SWE-agent's `edit`, `open` …).
    pub operation: Option<Operation>,
    /// What it is for.
    pub role: Role,
    /// Whether it ran, where the observation shows it; `None` = not known, taken as ran.
    pub ran: Option<bool>,
    /// Bytes of evidence in the call's input.
    pub span: (usize, usize),
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFact {
    /// Turn.
    pub turn: usize,
    /// Call within the turn.
    pub call: usize,
    /// Kind.
    pub kind: CallKind,
    /// Its segments: a range of `Facts::segments`; empty for a structured tool.
    pub segments: std::ops::Range<usize>,
    /// What a structured tool does.
    pub operation: Option<Operation>,
    /// What a structured tool is for; a shell call's segments have roles of their own.
    pub role: Option<Role>,
    /// Key of the normalised action (`definitions.md` §6, the same action).
    pub action_key: u64,
    /// Key of the masked observation; `None` where it is missing, or where no other call of the trajectory has the
    /// same action, so that there is nothing to compare it with.
    pub observation_key: Option<u64>,
    /// Exit code, or what the observation shows in its place.
    pub exit_code: Option<i64>,
    /// The observation shows an error: exit code not 0 or an error text (test verdicts and empty searches are
    /// told apart by the rules). `None` = not known.
    pub failed: Option<bool>,
    /// Waiting for a process (`sleep`, an empty key press, the same status command with a changing result).
    pub is_poll: bool,
}

/// Kind of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum EditKind {
    Create,
    Replace,
    Insert,
    Append,
    Overwrite,
    Delete,
    Move,
    Revert,
}

impl EditKind {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            EditKind::Create => "create",
            EditKind::Replace => "replace",
            EditKind::Insert => "insert",
            EditKind::Append => "append",
            EditKind::Overwrite => "overwrite",
            EditKind::Delete => "delete",
            EditKind::Move => "move",
            EditKind::Revert => "revert",
        }
    }
}

/// Target class of an edit (`definitions.md` §3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum EditTarget {
    Test,
    Scratch,
    Docs,
    Config,
    Outside,
    Source,
}

impl EditTarget {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            EditTarget::Test => "test",
            EditTarget::Scratch => "scratch",
            EditTarget::Docs => "docs",
            EditTarget::Config => "config",
            EditTarget::Outside => "outside",
            EditTarget::Source => "source",
        }
    }
}

/// What shows whether an edit took effect (`definitions.md` §3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum EditEvidence {
    Shown,
    Stated,
    Exit,
    Silent,
    /// Nothing shows it: effective is unknown.
    None,
}

impl EditEvidence {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            EditEvidence::Shown => "shown",
            EditEvidence::Stated => "stated",
            EditEvidence::Exit => "exit",
            EditEvidence::Silent => "silent",
            EditEvidence::None => "none",
        }
    }
}

/// Why an edit had no effect, or a part of it only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum EditReason {
    NoMatch,
    Ambiguous,
    SyntaxReverted,
    NoChange,
    NoFile,
    Permission,
    Malformed,
    Skipped,
    Partial,
    Other,
}

impl EditReason {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            EditReason::NoMatch => "no_match",
            EditReason::Ambiguous => "ambiguous",
            EditReason::SyntaxReverted => "syntax_reverted",
            EditReason::NoChange => "no_change",
            EditReason::NoFile => "no_file",
            EditReason::Permission => "permission",
            EditReason::Malformed => "malformed",
            EditReason::Skipped => "skipped",
            EditReason::Partial => "partial",
            EditReason::Other => "other",
        }
    }
}

/// One file that one command or tool changed, or tried to.
#[derive(Clone, Debug, PartialEq)]
pub struct EditFact {
    /// Where.
    pub place: Place,
    /// The file, as a path from the repository's root where that is known; `None` where the command does not say.
    pub path: Option<String>,
    /// Kind.
    pub kind: EditKind,
    /// Target class; `None` where the path is unknown.
    pub target: Option<EditTarget>,
    /// Took effect; `None` = unknown.
    pub effective: Option<bool>,
    /// What shows it.
    pub evidence: EditEvidence,
    /// Why not, or why in part.
    pub reason: Option<EditReason>,
    /// Its file is in the final patch, and one of its added lines where these are known; without a patch: false
    /// where a later edit reverted or deleted it. `None` = unknown.
    pub survives: Option<bool>,
    /// A later effective edit took the file back to what it was, or deleted it.
    pub reverted_later: bool,
    /// Key of the edit's text (kind, path, old and new), to tell the same edit again.
    pub text_key: u64,
    /// The edit writes no text (an empty file).
    pub is_empty: bool,
    /// Bytes of evidence in the call's input.
    pub span: (usize, usize),
}

/// One file that was shown, or searched in.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadFact {
    /// Where.
    pub place: Place,
    /// The file.
    pub path: String,
    /// First and last line, where the command or the observation tells.
    pub lines: Option<(i64, i64)>,
    /// Reading a file that this trajectory effectively edited before.
    pub review: bool,
    /// Found by a search rather than shown.
    pub by_search: bool,
}

/// Kind of a test run (`definitions.md` §3, testing).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum TestKind {
    Suite,
    Targeted,
    Repro,
    Inline,
}

impl TestKind {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            TestKind::Suite => "suite",
            TestKind::Targeted => "targeted",
            TestKind::Repro => "repro",
            TestKind::Inline => "inline",
        }
    }
}

pub use crate::runners::{NotRunReason, TestCounts, TestEvidence, TestOutcome};

/// One test run.
#[derive(Clone, Debug, PartialEq)]
pub struct TestRunFact {
    /// Where.
    pub place: Place,
    /// Kind.
    pub kind: TestKind,
    /// Runner by name (`pytest`); `None` for a script or inline code.
    pub runner: Option<&'static str>,
    /// What came out.
    pub outcome: TestOutcome,
    /// Why it did not run.
    pub reason: Option<NotRunReason>,
    /// What shows it.
    pub evidence: TestEvidence,
    /// Counts, where the runner says them.
    pub counts: TestCounts,
    /// The file of the last traceback frame or compiler message of an `error`, where one is shown.
    pub error_file: Option<String>,
    /// Key of the normalised command: the same test command again (`definitions.md` §4).
    pub command_key: u64,
    /// Key of the result, for L7: the outcome, and the masked text where the same command failed more than once.
    pub result_key: u64,
    /// The command or script asserts or prints a verdict of its own.
    pub asserts: bool,
    /// Bytes of evidence in the call's input.
    pub span: (usize, usize),
}

/// Kind of host by label (`shortcuts.md` §5), in the order that decides among several hosts of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum HostKind {
    CodeHostUpstream,
    Mirror,
    Search,
    DataHost,
    CodeHostOther,
    Other,
    Docs,
    PackageRegistry,
    Unknown,
    Private,
    Loopback,
}

impl HostKind {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            HostKind::CodeHostUpstream => "code_host_upstream",
            HostKind::Mirror => "mirror",
            HostKind::Search => "search",
            HostKind::DataHost => "data_host",
            HostKind::CodeHostOther => "code_host_other",
            HostKind::Other => "other",
            HostKind::Docs => "docs",
            HostKind::PackageRegistry => "package_registry",
            HostKind::Unknown => "unknown",
            HostKind::Private => "private",
            HostKind::Loopback => "loopback",
        }
    }
}

/// What came of a network command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum NetworkResult {
    Ok,
    Dns,
    Refused,
    Timeout,
    HttpError,
    NotRun,
    Unknown,
}

impl NetworkResult {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            NetworkResult::Ok => "ok",
            NetworkResult::Dns => "dns",
            NetworkResult::Refused => "refused",
            NetworkResult::Timeout => "timeout",
            NetworkResult::HttpError => "http_error",
            NetworkResult::NotRun => "not_run",
            NetworkResult::Unknown => "unknown",
        }
    }
}

/// One network command: an attempt where a host beyond this machine is addressed.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFact {
    /// Where.
    pub place: Place,
    /// A host beyond this machine was tried (false: loopback, or nothing left the machine).
    pub attempt: bool,
    /// The host, where the command names one.
    pub host: Option<String>,
    /// Its kind.
    pub host_kind: HostKind,
    /// What came of it.
    pub result: NetworkResult,
    /// The command names a host or address (false: implied, such as a package install).
    pub explicit: bool,
    /// Bytes of evidence in the call's input.
    pub span: (usize, usize),
}

/// Everything of one trajectory, each list in order of place.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Calls.
    pub calls: Vec<CallFact>,
    /// Segments of shell calls.
    pub segments: Vec<SegmentFact>,
    /// Files read.
    pub reads: Vec<ReadFact>,
    /// Files edited.
    pub edits: Vec<EditFact>,
    /// Test runs.
    pub test_runs: Vec<TestRunFact>,
    /// Network commands.
    pub network: Vec<NetworkFact>,
    /// Files that this trajectory created, in order.
    pub created: Vec<String>,
    /// Repository root, where it could be told (`definitions.md` §3.1).
    pub repository_root: Option<String>,
    /// State of the handed-in patch, `foreign` settled: no file of it was edited by a model turn of this log.
    pub patch_state: PatchState,
}
