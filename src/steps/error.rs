//! What stops a step: the user must act. Odd data never does; it is a `Problem`.

/// Why a step could not be done.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// A source cannot be walked or read.
    #[error(transparent)]
    Source(#[from] crate::sources::SourceError),
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    /// A template of identity is wrong.
    #[error(transparent)]
    Template(#[from] crate::outcomes::TemplateError),
    /// A pattern of logs is wrong.
    #[error("cannot use the pattern `{pattern}` of arm `{arm}`: {why}")]
    Pattern {
        /// Arm.
        arm: String,
        /// Pattern.
        pattern: String,
        /// Why.
        why: String,
    },
    /// An arm without a log, a stub, a prediction or an outcome.
    #[error(
        "nothing was found for arm `{arm}` in {looked_in}: no log, prediction or outcome; see `ethogram list formats`"
    )]
    EmptyArm {
        /// Arm.
        arm: String,
        /// Where was looked.
        looked_in: String,
    },
    /// Logs come by other user rules than those that the store was tagged by.
    #[error(
        "the store was tagged by {stored}, and {given} are given: name the same with --rules, or bring the store to them \
         first with `ethogram tag STORE --rules FILE.toml`"
    )]
    OtherRules {
        /// Codes in the store.
        stored: String,
        /// Codes given.
        given: String,
    },
    /// Two scored runs under one key.
    #[error(
        "arm `{arm}` has two scored runs under one key, and keeping either would be best-of-n: {list}; give a path \
         template with {{run}}, or choose --duplicates first|last|as-runs"
    )]
    Conflicts {
        /// Arm.
        arm: String,
        /// Instances, runs and files.
        list: String,
    },
    /// A table of the study whose head, or whose text, is not understood.
    #[error("cannot use `{}`: {what}", path.display())]
    StudyTable {
        /// The file.
        path: std::path::PathBuf,
        /// Why.
        what: String,
    },
    /// A paired test of arms of which only totals are known.
    #[error(
        "only totals are known of `{base}` and `{trained}`: a paired test needs verdicts by instance; the report compares \
         totals in T9"
    )]
    Totals {
        /// Base arm.
        base: String,
        /// Trained arm.
        trained: String,
    },
    /// Two arms whose instances are known by session ids only.
    #[error(
        "`{base}` and `{trained}` are arms of session logs: their ids say nothing of the task, so that they cannot be paired; \
         give each arm a path template with {{instance_id}}"
    )]
    Sessions {
        /// Base arm.
        base: String,
        /// Trained arm.
        trained: String,
    },
    /// An arm that a comparison names is not in the store.
    #[error("the store has no arm `{arm}`; it has {known}")]
    UnknownArm {
        /// The arm.
        arm: String,
        /// The arms that it has.
        known: String,
    },
    /// Nothing in the store answers the name.
    #[error(
        "the store has no trajectory or instance `{id}`; see `ethogram query STORE 'SELECT trajectory_id FROM trajectories'`"
    )]
    UnknownTrajectory {
        /// What was asked for.
        id: String,
    },
    /// A report file cannot be written.
    #[error(transparent)]
    Report(#[from] crate::report::ReportError),
    /// The pool of threads could not be made.
    #[error("cannot start {threads} threads: {why}")]
    Threads {
        /// Number.
        threads: usize,
        /// Why.
        why: String,
    },
}
