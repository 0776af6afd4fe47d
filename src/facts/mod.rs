//! What one trajectory did, computed once, without judgement: commands, files read and edited, edits with
//! effect, test runs with outcome, network attempts, keys of actions and observations. Tags, behaviours and audit
//! read it and parse nothing again.

mod code_edits;
mod code_languages;
mod code_paths;
mod code_requests;
mod code_writes;
mod editor_edits;
mod edits;
mod effects;
mod envelope;
mod evidence;
mod fact;
mod failures;
mod files;
mod git;
mod inline;
mod key;
mod later;
mod looks;
mod masking;
mod network;
mod network_hosts;
mod network_programs;
mod network_results;
mod patches;
mod paths;
mod polls;
mod programs;
pub mod project;
mod reads;
mod roles;
mod root;
mod scaffold;
mod scope;
mod shell_edits;
mod source;
mod survival;
mod targets;
mod test_runs;
mod tracebacks;
mod walk;

pub use fact::{
    CallFact, Context, EditEvidence, EditFact, EditKind, EditReason, EditTarget, ExecutionKind,
    ExplorationKind, Facts, HostKind, NetworkFact, NetworkResult, NotRunReason, Place, ReadFact, Role,
    SegmentFact, SetupKind, TestCounts, TestEvidence, TestKind, TestOutcome, TestRunFact,
};
pub use walk::compute;
