//! From what several files say of one run to its verdict (`definitions.md` §1, contradictions; §7, scored;
//! `interface.md`, a per-instance report beats a summary, a summary beats a list of winners).

use super::outcome_file::Rank;
use crate::model::{UnscoredReason, Verdict};

/// Who speaks of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The file of this index.
    File(usize),
    /// The log of this index itself.
    Log(usize),
}

/// One word on a run.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Weight of the speaker.
    pub rank: Rank,
    /// Folders that it shares with the log.
    pub depth: usize,
    /// Who says it.
    pub speaker: Speaker,
    /// What it says, reward already held against the arm's threshold.
    pub verdict: Verdict,
}

/// What came of the candidates.
#[derive(Clone, Debug)]
pub enum Choice {
    /// This one.
    One(Candidate),
    /// These say opposite things and weigh the same; one alone where a file contradicts itself.
    Contradiction(Vec<Candidate>),
    /// No file speaks.
    Silence,
}

/// Chooses among candidates.
pub fn choose(candidates: &[Candidate]) -> Choice {
    // "Incomplete" only says that this grading left the run out; any other word weighs more.
    let speaking = candidates.iter().filter(|said| !is_incomplete(&said.verdict));
    let Some(rank) = speaking.clone().map(|said| said.rank).max() else {
        return deepest(candidates.iter()).cloned().map_or(Choice::Silence, Choice::One);
    };
    let of_rank: Vec<&Candidate> = speaking.filter(|said| said.rank == rank).collect();
    let is_verdict = |said: &&&Candidate| said.verdict.scored || is_contradiction(&said.verdict);
    let verdicts: Vec<&Candidate> = of_rank.iter().filter(is_verdict).copied().collect();
    if verdicts.is_empty() {
        return deepest(of_rank.into_iter()).cloned().map_or(Choice::Silence, Choice::One);
    }
    let depth = verdicts.iter().map(|said| said.depth).max().unwrap_or_default();
    let nearest: Vec<&Candidate> = verdicts.into_iter().filter(|said| said.depth == depth).collect();
    let agreed = nearest.windows(2).all(|pair| pair[0].verdict.resolved == pair[1].verdict.resolved)
        && nearest.iter().all(|said| said.verdict.scored);
    match nearest.first() {
        Some(first) if agreed => Choice::One((*first).clone()),
        _ => Choice::Contradiction(nearest.into_iter().cloned().collect()),
    }
}

/// The deepest candidate, the first of equals.
fn deepest<'a>(candidates: impl Iterator<Item = &'a Candidate>) -> Option<&'a Candidate> {
    candidates.fold(None, |best, said| match best {
        Some(best) if best.depth >= said.depth => Some(best),
        _ => Some(said),
    })
}

/// True where the verdict only says that the run was left out.
pub fn is_incomplete(verdict: &Verdict) -> bool {
    matches!(verdict.unscored_reason, Some(UnscoredReason::Incomplete | UnscoredReason::NotListed))
}

fn is_contradiction(verdict: &Verdict) -> bool {
    verdict.unscored_reason == Some(UnscoredReason::Contradiction)
}

/// Holds the reward of a scored verdict against the threshold. A verdict beside an opposite reward is a
/// contradiction; between 0 and the threshold the grader's own word counts.
pub fn with_threshold(verdict: &Verdict, resolved_at: f64) -> Verdict {
    let Some(reward) = verdict.reward.filter(|_| verdict.scored) else {
        return verdict.clone();
    };
    let reached = reward >= resolved_at - 1e-9;
    match verdict.resolved {
        None => Verdict { resolved: Some(reached), ..verdict.clone() },
        Some(false) if reached => contradiction(verdict),
        Some(true) if reward <= 0.0 => contradiction(verdict),
        Some(_) => verdict.clone(),
    }
}

fn contradiction(verdict: &Verdict) -> Verdict {
    Verdict { reward: verdict.reward, ..Verdict::unscored(UnscoredReason::Contradiction) }
}
