//! Steps become turns (`formats-swe.md` §1, §2): every step but a made-up last one.

use super::document::{State, Step};
use crate::formats::{observation, quality};
use crate::model::quality_reason::{EMPTY_ACTION, NO_ACTION, REFUSED};
use crate::model::{Call, CallKind, CommandSet, ObservationState, Problem, Quality, Turn, Weight};

/// How the text begins that SWE-agent writes as the response of a step that it makes up.
const MADE_UP: [&str; 3] = ["Exit due to", "Exiting due to", "Exited"];

/// A last step without a response behind it. An empty response alone proves nothing: models that call tools leave it empty.
pub fn is_made_up(step: &Step<'_>) -> bool {
    let response = step.response.get().unwrap_or_default();
    let action = step.action.get().unwrap_or_default().trim();
    MADE_UP.iter().any(|text| response.starts_with(text))
        && (action.is_empty() || action.starts_with("exit_"))
}

/// The folder that the first prompt of 0.x names, before any step told one: `(Current directory: /r)`.
pub fn prompt_cwd(task: Option<&str>) -> Option<String> {
    let (_, rest) = task?.rsplit_once("(Current directory: ")?;
    let (folder, _) = rest.split_once(')')?;
    Some(folder.to_owned())
}

/// The turns of the first `kept` steps.
pub fn turns(
    steps: Vec<Step<'_>>,
    kept: usize,
    saves_refusals: bool,
    first_cwd: Option<String>,
    problems: &mut Vec<Problem>,
) -> Vec<Turn> {
    let mut place = Place { cwd: first_cwd, ..Place::default() };
    let mut turns = Vec::with_capacity(kept);
    for step in steps.into_iter().take(kept) {
        note_odd_fields(&step, problems);
        turns.push(turn(step, saves_refusals, &mut place));
    }
    turns
}

/// Where the shell stands between two steps.
#[derive(Default)]
struct Place<'a> {
    cwd: Option<String>,
    open_file: Option<String>,
    diff: Option<&'a str>,
    digest: Option<blake3::Hash>,
}

impl<'a> Place<'a> {
    fn follow(&mut self, state: State<'a>) {
        if !state.is_filled {
            return;
        }
        if let Some(cwd) = state.working_dir {
            self.cwd = Some(cwd.into_owned());
        }
        self.open_file = state.open_file.map(|file| file.into_owned());
        if let Some(diff) = state.diff {
            // Most steps change nothing: equal text needs no decoding.
            if self.diff != Some(diff.get()) {
                self.diff = Some(diff.get());
                self.digest = diff.text().map(|text| blake3::hash(text.as_bytes()));
            }
        }
    }
}

fn turn<'a>(step: Step<'a>, saves_refusals: bool, place: &mut Place<'a>) -> Turn {
    // 1.x saves a refused response as a step that never ran: no state, no time, nothing seen.
    let never_ran = !step.state.is_filled && step.execution_time.unwrap_or(0.0) == 0.0;
    let is_refused = saves_refusals && never_ran && step.observation.filled().is_none();
    // A model that calls tools may write no prose; then the thought is empty too, except in logs made from others.
    let said = if step.response.filled().is_some() { step.response } else { step.thought };
    let mut turn = Turn::new(said.or_empty().into_owned());
    turn.accepted = !is_refused;
    // 0.x logs the state that its step began with, 1.x the one that it left behind.
    let (before, after) = if saves_refusals { (None, Some(step.state)) } else { (Some(step.state), None) };
    if let Some(state) = before {
        place.follow(state);
    }
    if step.action.filled().is_none() {
        turn.quality_without_call = Quality::Unparsable;
        turn.quality_reason = Some(if is_refused { NO_ACTION } else { EMPTY_ACTION });
    } else {
        let mut call = call(step.action.or_empty().into_owned(), place);
        if is_refused {
            call.quality = Quality::Parsable;
            call.quality_reason = Some(REFUSED);
        } else {
            see(&mut call, step.observation.or_empty());
            call.duration_ms = step.execution_time.map(|seconds| (seconds * 1000.0).round() as i64);
        }
        turn.calls.push(call);
    }
    if let Some(state) = after {
        place.follow(state);
    }
    turn.diff_after = place.digest;
    turn
}

fn call(input: String, place: &Place<'_>) -> Call {
    let mut call = Call::new(CommandSet::SweAgent.tool(&input), CallKind::Shell, input);
    call.cwd.clone_from(&place.cwd);
    call.open_file.clone_from(&place.open_file);
    call
}

fn see(call: &mut Call, text: std::borrow::Cow<'_, str>) {
    let start = text.trim_start();
    call.timed_out = start.starts_with("EXECUTION TIMED OUT")
        || start.starts_with("The command '") && start.contains("was cancelled because it took more than");
    // What the editor of 1.x leaves out of a long file.
    let is_cut = memchr::memmem::find(text.as_bytes(), b"<response clipped><NOTE>").is_some();
    let state = if is_cut { ObservationState::Cut } else { ObservationState::Full };
    observation::set(call, text, state);
    quality::judge(call, CommandSet::SweAgent);
}

/// Names texts that are none; the turn stands.
fn note_odd_fields(step: &Step<'_>, problems: &mut Vec<Problem>) {
    let fields = [("action", &step.action), ("observation", &step.observation), ("response", &step.response)];
    for (name, text) in fields {
        if let Some(odd) = text.odd() {
            let what = format!("`{name}` is {odd}, no string: taken as empty");
            problems.push(Problem::new(Weight::Repaired, format!("turn {}", step.number), what));
        }
    }
}
