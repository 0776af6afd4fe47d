//! What one trajectory did, computed once, without judgement: commands, files read and edited, edits with
//! effect, test runs with outcome, network attempts, keys of actions and observations. Tags, behaviours and audit
//! read it and parse nothing again.

mod fact;

pub use fact::{
    CallFact, Context, EditEvidence, EditFact, EditKind, EditReason, EditTarget, Facts, HostKind,
    NetworkFact, NetworkResult, NotRunReason, Place, ReadFact, SegmentFact, TestCounts, TestEvidence,
    TestKind, TestOutcome, TestRunFact,
};
