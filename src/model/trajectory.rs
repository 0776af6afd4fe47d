//! One run's log as data: trajectory, turns, calls, observations (`definitions.md` §1, §2). A format makes it;
//! afterwards nobody changes it.

use super::benchmark::TaskKind;
use super::outcome::Verdict;
use super::termination::Termination;

/// Who wrote a turn (`definitions.md` §2). Only `Model` enters a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The system under study.
    Model,
    /// Copied from a reference trajectory.
    Prefix,
    /// A replayed demonstration.
    Demo,
    /// Of an earlier session, carried into a resumed or forked one.
    Copied,
    /// A branch that was rewound.
    Abandoned,
}

impl Origin {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Origin::Model => "model",
            Origin::Prefix => "prefix",
            Origin::Demo => "demo",
            Origin::Copied => "copied",
            Origin::Abandoned => "abandoned",
        }
    }
}

/// Quality of a call or turn (`definitions.md` §2). The order is the order of levels: the lowest call is the turn's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// L0: the harness could not take an action out of the response.
    Unparsable,
    /// L1: an action was taken out, the tool rejected its form.
    Parsable,
    /// L2: the tool took the action.
    Valid,
    /// The response needs no action.
    None,
}

impl Quality {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Quality::Unparsable => "unparsable",
            Quality::Parsable => "parsable",
            Quality::Valid => "valid",
            Quality::None => "none",
        }
    }
}

/// What kind of thing a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallKind {
    /// A shell command line; scaffold commands typed into it (SWE-agent's `edit`, `open`) included.
    Shell,
    /// A structured tool; `Call::operation` says what it does.
    Tool,
}

impl CallKind {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            CallKind::Shell => "shell",
            CallKind::Tool => "tool",
        }
    }
}

/// What a tool does, in words common to all scaffolds. Formats with structured tools set it on the call; for
/// scaffold commands typed into a shell line `facts` makes the same from the parsed segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Shows a file or folder, or a part of it (lines from 1, inclusive).
    View {
        /// File or folder; `None` where the tool goes on in the open file.
        path: Option<String>,
        /// First and last line.
        lines: Option<(i64, i64)>,
    },
    /// Searches names or text.
    Search {
        /// Where.
        path: Option<String>,
        /// For what.
        pattern: Option<String>,
    },
    /// Writes a new file, or a whole file.
    Create {
        /// The file.
        path: String,
        /// Its text.
        text: Option<String>,
    },
    /// Replaces text or lines.
    Replace {
        /// The file; `None` where the tool edits the open file.
        path: Option<String>,
        /// Old text, where the tool takes one.
        old: Option<String>,
        /// New text.
        new: Option<String>,
    },
    /// Inserts text.
    Insert {
        /// The file; `None` where the tool edits the open file.
        path: Option<String>,
        /// New text.
        new: Option<String>,
    },
    /// Takes back the last edit.
    Undo {
        /// The file.
        path: Option<String>,
    },
    /// Deletes a file.
    Delete {
        /// The file.
        path: String,
    },
    /// Hands in.
    Submit,
    /// Forfeits, or leaves without handing in.
    Exit,
    /// Thinks or keeps a list of things to do.
    Plan,
    /// Starts a sub-agent.
    Delegate,
    /// Hands a role's work over to another role of the same run (`plan` of CodeR): planning and delegation.
    HandOver,
    /// Ends a role, not the run.
    EndRole,
    /// Searches or fetches beyond this machine.
    Web {
        /// Address or query.
        target: Option<String>,
    },
    /// A known tool that bears no tag (scrolling aside).
    Neutral,
}

/// The commands that a scaffold adds to its shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CommandSet {
    /// A plain shell.
    Plain,
    /// SWE-agent: `open`, `goto`, `scroll_down`, `edit … end_of_edit`, `create`, `search_dir`, `find_file`,
    /// `str_replace_editor …`, `submit` and their kin.
    SweAgent,
}

/// What is known of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObservationState {
    /// Whole, as far as the log tells.
    Full,
    /// Cut by the scaffold or by our own cap.
    Cut,
    /// Not in the log.
    Missing,
    /// One observation for several calls.
    Shared,
}

impl ObservationState {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            ObservationState::Full => "full",
            ObservationState::Cut => "cut",
            ObservationState::Missing => "missing",
            ObservationState::Shared => "shared",
        }
    }
}

/// One action of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Tool as the scaffold names it (`bash`, `edit`, `str_replace_editor`).
    pub tool: String,
    /// Kind.
    pub kind: CallKind,
    /// The input as text: the command line, or the arguments as the log has them.
    pub input: String,
    /// What it does, for structured tools.
    pub operation: Option<Operation>,
    /// Quality of this call.
    pub quality: Quality,
    /// Why the quality is not L2.
    pub quality_reason: Option<&'static str>,
    /// Working directory before the call, where the log says it.
    pub cwd: Option<String>,
    /// Open file before the call, where the scaffold keeps one.
    pub open_file: Option<String>,
    /// Exit code, where logged.
    pub exit_code: Option<i64>,
    /// The scaffold's own word that the call failed.
    pub is_error: Option<bool>,
    /// The call was stopped by a time limit of the scaffold.
    pub timed_out: bool,
    /// What came back, without the scaffold's wrapping.
    pub observation: Option<String>,
    /// What is known of it.
    pub observation_state: ObservationState,
    /// Duration.
    pub duration_ms: Option<i64>,
}

impl Call {
    /// A call whose observation is not known yet.
    pub fn new(tool: impl Into<String>, kind: CallKind, input: impl Into<String>) -> Call {
        Call {
            tool: tool.into(),
            kind,
            input: input.into(),
            operation: None,
            quality: Quality::Valid,
            quality_reason: None,
            cwd: None,
            open_file: None,
            exit_code: None,
            is_error: None,
            timed_out: false,
            observation: None,
            observation_state: ObservationState::Missing,
            duration_ms: None,
        }
    }
}

/// One model response with what it did and what came back.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Who wrote it.
    pub origin: Origin,
    /// The scaffold took the response (false: it refused it and asked again).
    pub accepted: bool,
    /// The response's text.
    pub text: String,
    /// Hidden reasoning, where logged apart.
    pub reasoning: Option<String>,
    /// Actions in order; none for a response without an action.
    pub calls: Vec<Call>,
    /// Quality of a turn without calls (`Unparsable` or `None`); of a turn with calls it is the lowest of its calls.
    pub quality_without_call: Quality,
    /// Why a turn without calls is L0.
    pub quality_reason: Option<&'static str>,
    /// Prompt tokens.
    pub tokens_in: Option<i64>,
    /// Completion tokens.
    pub tokens_out: Option<i64>,
    /// Time of the response, UTC milliseconds.
    pub logged_at: Option<i64>,
    /// The diff of the work tree after the turn, where the scaffold logs it (SWE-agent 1.x `state.diff`), as its
    /// digest: enough to tell that something changed.
    pub diff_after: Option<blake3::Hash>,
}

impl Turn {
    /// A turn of the model without calls.
    pub fn new(text: impl Into<String>) -> Turn {
        Turn {
            origin: Origin::Model,
            accepted: true,
            text: text.into(),
            reasoning: None,
            calls: Vec::new(),
            quality_without_call: Quality::None,
            quality_reason: None,
            tokens_in: None,
            tokens_out: None,
            logged_at: None,
            diff_after: None,
        }
    }

    /// The lowest quality of its calls (`definitions.md` §2).
    pub fn quality(&self) -> Quality {
        self.calls.iter().map(|call| call.quality).min().unwrap_or(self.quality_without_call)
    }

    /// Why the quality is not L2.
    pub fn quality_reason(&self) -> Option<&'static str> {
        match self.calls.iter().min_by_key(|call| call.quality) {
            Some(call) => call.quality_reason,
            None => self.quality_reason,
        }
    }
}

/// Refusals that the log proves without keeping the response (`definitions.md` §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Index of the turn before which it lies; `None` where the log only counts it.
    pub before_turn: Option<usize>,
}

/// What is known of the patch that the log hands in (`definitions.md` §5, `empty_patch`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatchState {
    /// A patch.
    Nonempty,
    /// The format hands in patches and this run's is absent, null, blank or an error text.
    Empty,
    /// No file of it was edited by a model turn of this log.
    Foreign,
    /// The format has no place for one, or the run was killed before its end.
    Missing,
}

impl PatchState {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            PatchState::Nonempty => "nonempty",
            PatchState::Empty => "empty",
            PatchState::Foreign => "foreign",
            PatchState::Missing => "missing",
        }
    }
}

/// Whose sub-agent a trajectory is (`definitions.md` §2, sub-agents).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    /// Index of the parent among the trajectories of the same file.
    pub ordinal: Option<usize>,
    /// Session id of the parent, where it lies in another file.
    pub session_id: Option<String>,
    /// The parent's turn that started it, where that is known.
    pub turn: Option<usize>,
}

/// The log of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// Name of the format (`FORMATS`).
    pub format: &'static str,
    /// Place in its file: empty where the file is one trajectory, else `record N`, `member NAME`.
    pub place: String,
    /// Scaffold (`swe-agent`, `mini-swe-agent`).
    pub scaffold: String,
    /// Version of the scaffold.
    pub scaffold_version: Option<String>,
    /// Commands that the scaffold adds to its shell.
    pub commands: CommandSet,
    /// Model, where the log says it.
    pub model: Option<String>,
    /// Instance id, where the log says it.
    pub instance_id: Option<String>,
    /// The set of instances that the log says its own is of (Inspect's task): ids are unique only within it.
    pub collection: Option<String>,
    /// Run number from 0, where the log says it.
    pub run: Option<i64>,
    /// Session id, where the log has one.
    pub session_id: Option<String>,
    /// The rows of its file are samples of a design, so that runs without a number may be ranked.
    pub is_sample: bool,
    /// Set for a sub-agent: it is no run of its own.
    pub parent: Option<Parent>,
    /// Kind of its task: what the log says of it, until its reading is settled; then what was settled.
    pub task_kind: Option<TaskKind>,
    /// What the log itself says of its outcome.
    pub verdict: Option<Verdict>,
    /// Steps as the scaffold counts them, made-up ones included.
    pub steps: Option<i64>,
    /// Calls of the model as the scaffold counts them.
    pub api_calls: Option<i64>,
    /// False for a stub or a record without turns.
    pub has_log: bool,
    /// False where the log has no response boundaries: the number of turns is then unknown.
    pub has_turn_boundaries: bool,
    /// System prompt.
    pub system: Option<String>,
    /// Task text.
    pub task: Option<String>,
    /// Turns of all origins, in order.
    pub turns: Vec<Turn>,
    /// Refusals without a response.
    pub refusals: Vec<Refusal>,
    /// Results in the log that answer no call of it, or one that has its result.
    pub lost_results: usize,
    /// Of `steps`, those that a file repeats of the one before; where both are joined they count once.
    pub copied_steps: i64,
    /// Calls that stand in the text of responses behind the last that is searched for.
    pub lost_calls: usize,
    /// Why the run ended. `foreign` patches are settled by `facts`.
    pub termination: Termination,
    /// The harness took the diff without being asked.
    pub auto_submitted: bool,
    /// The end was an action of the model's own, by the scaffold's means (index of the turn that handed in).
    pub submitting_turn: Option<usize>,
    /// Whether the scaffold has a submission action at all.
    pub can_submit: bool,
    /// Raw exit status; `None` where the log has no such key.
    pub raw_exit_status: Option<String>,
    /// The patch that the log hands in.
    pub patch: Option<String>,
    /// What is known of it from the log's fields alone.
    pub patch_state: PatchState,
    /// Prompt tokens of the run.
    pub tokens_in: Option<i64>,
    /// Completion tokens of the run.
    pub tokens_out: Option<i64>,
    /// Cost of this run in US dollars.
    pub cost_usd: Option<f64>,
    /// Start, UTC milliseconds.
    pub started_at: Option<i64>,
    /// End, UTC milliseconds.
    pub ended_at: Option<i64>,
    /// Training step, where logged.
    pub train_step: Option<i64>,
    /// Repository root by the log's config.
    pub repository_root: Option<String>,
    /// True where exit codes are logged by the format.
    pub logs_exit_codes: bool,
}

impl Trajectory {
    /// A trajectory with nothing in it yet.
    pub fn new(format: &'static str, scaffold: &str) -> Trajectory {
        Trajectory {
            format,
            place: String::new(),
            scaffold: scaffold.to_owned(),
            scaffold_version: None,
            commands: CommandSet::Plain,
            model: None,
            instance_id: None,
            collection: None,
            run: None,
            session_id: None,
            is_sample: false,
            parent: None,
            task_kind: None,
            verdict: None,
            steps: None,
            api_calls: None,
            has_log: true,
            has_turn_boundaries: true,
            system: None,
            task: None,
            turns: Vec::new(),
            refusals: Vec::new(),
            lost_results: 0,
            copied_steps: 0,
            lost_calls: 0,
            termination: Termination::Unknown,
            auto_submitted: false,
            submitting_turn: None,
            can_submit: true,
            raw_exit_status: None,
            patch: None,
            patch_state: PatchState::Missing,
            tokens_in: None,
            tokens_out: None,
            cost_usd: None,
            started_at: None,
            ended_at: None,
            train_step: None,
            repository_root: None,
            logs_exit_codes: false,
        }
    }

    /// Turns of the model, with their index over all origins.
    pub fn model_turns(&self) -> impl Iterator<Item = (usize, &Turn)> {
        self.turns.iter().enumerate().filter(|(_, turn)| turn.origin == Origin::Model)
    }

    /// Number of turns that `inspect` prints: origins model, prefix and demo.
    pub fn shown_turns(&self) -> usize {
        self.turns
            .iter()
            .filter(|turn| matches!(turn.origin, Origin::Model | Origin::Prefix | Origin::Demo))
            .count()
    }
}
