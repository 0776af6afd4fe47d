//! Why a run ended (`definitions.md` §6, termination). The raw status is kept beside it; an unknown status is
//! `Unknown` and is listed, never guessed.

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Termination {
    /// The model handed in.
    Submitted,
    /// A plain final message ended a run whose scaffold ends so.
    Finished,
    /// Limit of steps or calls.
    StepLimit,
    /// Limit of cost.
    CostLimit,
    /// Context window full.
    ContextLimit,
    /// Limit of time.
    TimeLimit,
    /// A limit that the log does not name.
    Limit,
    /// Too many malformed responses.
    FormatErrors,
    /// The harness stopped a loop.
    LoopStopped,
    /// A plain message where the scaffold has a means to submit, or the model forfeited.
    GaveUp,
    /// The environment broke.
    EnvironmentError,
    /// The model's service failed.
    ModelError,
    /// A person or the harness cancelled.
    Cancelled,
    /// The log ends without an end.
    Incomplete,
    /// A status of no known meaning.
    Unknown,
}

/// Class of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndClass {
    /// The run ended by itself.
    Submitted,
    /// A limit cut it off.
    Limit,
    /// The agent failed.
    AgentFailure,
    /// Something beyond the agent failed.
    Infrastructure,
    /// Not known.
    Unknown,
}

impl Termination {
    /// All values, in the order of the definition.
    pub const ALL: [Termination; 15] = [
        Termination::Submitted,
        Termination::Finished,
        Termination::StepLimit,
        Termination::CostLimit,
        Termination::ContextLimit,
        Termination::TimeLimit,
        Termination::Limit,
        Termination::FormatErrors,
        Termination::LoopStopped,
        Termination::GaveUp,
        Termination::EnvironmentError,
        Termination::ModelError,
        Termination::Cancelled,
        Termination::Incomplete,
        Termination::Unknown,
    ];

    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Termination::Submitted => "submitted",
            Termination::Finished => "finished",
            Termination::StepLimit => "step_limit",
            Termination::CostLimit => "cost_limit",
            Termination::ContextLimit => "context_limit",
            Termination::TimeLimit => "time_limit",
            Termination::Limit => "limit",
            Termination::FormatErrors => "format_errors",
            Termination::LoopStopped => "loop_stopped",
            Termination::GaveUp => "gave_up",
            Termination::EnvironmentError => "environment_error",
            Termination::ModelError => "model_error",
            Termination::Cancelled => "cancelled",
            Termination::Incomplete => "incomplete",
            Termination::Unknown => "unknown",
        }
    }

    /// The value of a word; `None` for a word that is none.
    pub fn parse(word: &str) -> Option<Termination> {
        Termination::ALL.into_iter().find(|value| value.as_str() == word)
    }

    /// What it says of a run.
    pub const fn meaning(self) -> &'static str {
        match self {
            Termination::Submitted => "the model handed in by the scaffold's own means",
            Termination::Finished => "a plain final message ended a run whose scaffold ends so",
            Termination::StepLimit => "the limit of steps or calls",
            Termination::CostLimit => "the limit of cost",
            Termination::ContextLimit => "the context window was full",
            Termination::TimeLimit => "the limit of time",
            Termination::Limit => "a limit, and the log does not say which one",
            Termination::FormatErrors => "too many malformed responses",
            Termination::LoopStopped => "the harness stopped a loop",
            Termination::GaveUp => {
                "a plain message where the scaffold has a means to submit, or the model forfeited"
            }
            Termination::EnvironmentError => "the environment broke",
            Termination::ModelError => "the model's service failed",
            Termination::Cancelled => "a person or the harness cancelled it",
            Termination::Incomplete => "the log ends without an end",
            Termination::Unknown => "a status of no known meaning",
        }
    }

    /// The class of the end.
    pub const fn class(self) -> EndClass {
        match self {
            Termination::Submitted | Termination::Finished => EndClass::Submitted,
            Termination::StepLimit
            | Termination::CostLimit
            | Termination::ContextLimit
            | Termination::TimeLimit
            | Termination::Limit => EndClass::Limit,
            Termination::FormatErrors | Termination::LoopStopped | Termination::GaveUp => {
                EndClass::AgentFailure
            }
            Termination::EnvironmentError | Termination::ModelError | Termination::Cancelled => {
                EndClass::Infrastructure
            }
            Termination::Incomplete | Termination::Unknown => EndClass::Unknown,
        }
    }
}

impl EndClass {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndClass::Submitted => "submitted",
            EndClass::Limit => "limit",
            EndClass::AgentFailure => "agent_failure",
            EndClass::Infrastructure => "infrastructure",
            EndClass::Unknown => "unknown",
        }
    }
}
