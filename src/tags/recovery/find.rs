//! What recovers from each failing event. Every list is walked by binary search: hostile logs have thousands of events.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::events::Failing;
use super::fates::Fates;
use super::programs::{Program, same_file};
use super::{COMMAND_WINDOW, EDIT_WINDOW, FORMAT_WINDOW, R1, R2, R3, R4, R5};
use crate::facts::{EditFact, EditKind, Place, TestOutcome, TestRunFact};
use crate::model::{Quality, Tag};
use crate::tags::failing::{is_source_edit, segments};
use crate::tags::source::at;
use crate::tags::turns::Turns;
use crate::tags::{Event, EventKind, Fate};

/// A turn that recovers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Recovery {
    /// Turn.
    pub turn: usize,
    /// The command that recovers; `None` for R1, which a whole turn is.
    pub place: Option<(Place, (usize, usize))>,
    /// Code.
    pub tag: Tag,
}

/// The events with what came of them, and the recoveries, each once.
pub(super) fn recoveries(turns: &Turns, failing: Vec<Failing>) -> (Vec<Event>, Vec<Recovery>) {
    if failing.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let search = Search::new(turns, &failing);
    let fates = Fates::new(turns);
    let mut found: BTreeMap<(usize, Option<Place>, &'static str), Recovery> = BTreeMap::new();
    let mut events = Vec::with_capacity(failing.len());
    for mut failing in failing {
        for recovery in search.of(&failing) {
            let code = recovery.tag.code.unwrap_or_default();
            note(&mut failing.event, recovery.turn, code);
            found.entry((recovery.turn, recovery.place.map(|(place, _)| place), code)).or_insert(recovery);
        }
        failing.event.fate = match failing.event.code {
            Some(_) => Fate::Recovered,
            None => fates.of(&failing),
        };
        events.push(failing.event);
    }
    (events, found.into_values().collect())
}

/// A test event may be re-edited (R4) and fixed (R5); the other kinds have one recovery.
fn note(event: &mut Event, turn: usize, code: &'static str) {
    if code == "R5" {
        event.fixed_turn = Some(turn);
    }
    if event.code.is_none() {
        event.code = Some(code);
        event.recovered_turn = Some(turn);
    }
}

/// Everything of one trajectory among which recoveries are looked for, in order of place.
struct Search<'t, 'a> {
    turns: &'t Turns<'a>,
    /// Effective edits that are no reverts, of model turns, by file.
    edits: HashMap<&'a str, Vec<&'a EditFact>>,
    /// The same of source files.
    source_edits: Vec<&'a EditFact>,
    /// Passing test runs of model turns, by command.
    passes: HashMap<u64, Vec<&'a TestRunFact>>,
    /// Calls that raise an event, by turn and call; for a test event see `succeeds`.
    failed_calls: HashSet<(usize, usize)>,
    /// Model turns, by number, in which a command's recovery may lie: nobody asks for successes elsewhere.
    awaited: Vec<bool>,
    successes: OnceCell<Successes<'a>>,
}

/// Programs that succeeded, by name and goal.
type Successes<'a> = HashMap<(&'a str, Option<&'a str>), Vec<Success<'a>>>;

/// A program that succeeded.
struct Success<'a> {
    place: Place,
    span: (usize, usize),
    program: Program<'a>,
}

impl<'t, 'a> Search<'t, 'a> {
    fn new(turns: &'t Turns<'a>, failing: &[Failing]) -> Search<'t, 'a> {
        let facts = turns.facts;
        let effective = || {
            facts.edits.iter().filter(|edit| {
                edit.effective == Some(true)
                    && edit.kind != EditKind::Revert
                    && turns.is_model(edit.place.turn)
            })
        };
        let mut edits: HashMap<&str, Vec<&EditFact>> = HashMap::new();
        for edit in effective() {
            edits.entry(edit.path.as_deref().unwrap_or_default()).or_default().push(edit);
        }
        edits.remove("");
        let mut passes: HashMap<u64, Vec<&TestRunFact>> = HashMap::new();
        for run in facts.test_runs.iter().filter(|run| run.outcome == TestOutcome::Pass) {
            if turns.is_model(run.place.turn) {
                passes.entry(run.command_key).or_default().push(run);
            }
        }
        let failed = failing.iter().filter(|failing| failing.event.kind != EventKind::Test);
        let mut awaited = vec![false; turns.model_turns().len()];
        for failing in failing.iter().filter(|failing| failing.program.is_some()) {
            let window = failing.model_turn..=failing.model_turn + COMMAND_WINDOW;
            window.for_each(|turn| awaited.get_mut(turn).into_iter().for_each(|awaited| *awaited = true));
        }
        Search {
            turns,
            awaited,
            edits,
            source_edits: effective().filter(|edit| is_source_edit(edit)).collect(),
            passes,
            failed_calls: failed.map(|failing| (failing.place.turn, failing.place.call)).collect(),
            successes: OnceCell::new(),
        }
    }

    fn of(&self, failing: &Failing) -> Vec<Recovery> {
        match failing.event.kind {
            EventKind::Format => self.valid_turn(failing).into_iter().collect(),
            EventKind::Tool | EventKind::Command => self.same_program(failing).into_iter().collect(),
            EventKind::Edit => self.same_file(failing).into_iter().collect(),
            EventKind::Test => {
                [self.further_edit(failing), self.same_test(failing)].into_iter().flatten().collect()
            }
        }
    }

    /// R1. Before an unsaved refusal lies no turn of its own: its window begins with the turn that follows it.
    fn valid_turn(&self, failing: &Failing) -> Option<Recovery> {
        let is_unsaved = failing.event.turn.is_none();
        if is_unsaved && failing.event.before_turn.is_none() {
            return None;
        }
        let from = failing.model_turn + usize::from(!is_unsaved);
        let following = self.turns.model_turns().iter().skip(from).take(FORMAT_WINDOW);
        let valid = |turn: &&usize| {
            self.turns.trajectory.turns.get(**turn).is_some_and(|turn| turn.quality() == Quality::Valid)
        };
        following.copied().find(|turn| valid(&turn)).map(|turn| Recovery { turn, place: None, tag: R1 })
    }

    /// R2.
    fn same_program(&self, failing: &Failing) -> Option<Recovery> {
        let program = failing.program.as_ref()?;
        let successes = self.successes.get_or_init(|| self.find_successes()).get(&program.key())?;
        let from = successes.partition_point(|success| success.place <= failing.place);
        let in_window = successes[from..]
            .iter()
            .take_while(|success| self.is_within(success.place, failing, COMMAND_WINDOW));
        let recovered = in_window.into_iter().find(|success| {
            success.program.has_other_arguments(program)
                || self.script_mended(program, failing.place, success.place)
        })?;
        Some(Recovery { turn: recovered.place.turn, place: Some((recovered.place, recovered.span)), tag: R2 })
    }

    fn script_mended(&self, program: &Program, from: Place, to: Place) -> bool {
        let Some(script) = program.script else { return false };
        let edits = &self.turns.facts.edits;
        let first = edits.partition_point(|edit| edit.place <= from);
        edits[first..].iter().take_while(|edit| edit.place < to).any(|edit| {
            edit.effective == Some(true) && edit.path.as_deref().is_some_and(|path| same_file(path, script))
        })
    }

    /// R3.
    fn same_file(&self, failing: &Failing) -> Option<Recovery> {
        let edits = self.edits.get(failing.event.path.as_deref()?)?;
        let edit = after(edits, failing.place)?;
        let is_near = self.is_within(edit.place, failing, EDIT_WINDOW);
        is_near.then_some(Recovery { turn: edit.place.turn, place: Some((edit.place, edit.span)), tag: R3 })
    }

    /// R4.
    fn further_edit(&self, failing: &Failing) -> Option<Recovery> {
        let edit = after(&self.source_edits, failing.place).filter(|_| failing.event.after_source_edit)?;
        Some(Recovery { turn: edit.place.turn, place: Some((edit.place, edit.span)), tag: R4 })
    }

    /// R5.
    fn same_test(&self, failing: &Failing) -> Option<Recovery> {
        let run = self.turns.facts.test_runs.get(failing.test_run?)?;
        let edit = after(&self.source_edits, failing.place)?;
        let passes = self.passes.get(&run.command_key)?;
        // A script that patches and then tests does both at one place: it edits first.
        let pass = passes.get(passes.partition_point(|pass| pass.place < edit.place))?;
        Some(Recovery { turn: pass.place.turn, place: Some((pass.place, pass.span)), tag: R5 })
    }

    fn is_within(&self, place: Place, failing: &Failing, window: usize) -> bool {
        self.turns.model_turn(place.turn).is_some_and(|turn| turn <= failing.model_turn + window)
    }

    /// Programs of model turns that succeeded: no event of its call but a test verdict, a test that ran.
    fn find_successes(&self) -> Successes<'a> {
        let mut successes = Successes::new();
        for call in self.turns.calls() {
            let is_awaited = self.turns.model_turn(call.turn).is_some_and(|turn| self.awaited[turn]);
            let failed = || self.failed_calls.contains(&(call.turn, call.call));
            if !is_awaited || failed() || self.turns.quality(call) != Quality::Valid {
                continue;
            }
            let whole = Place { turn: call.turn, call: call.call, segment: None };
            let mut push = |place, span, program: Program<'a>| {
                successes.entry(program.key()).or_default().push(Success { place, span, program });
            };
            let tool = Program::of_tool(self.turns, call);
            // A scaffold command typed into the shell is the tool and the segment: the segment knows its arguments.
            let is_typed = segments(self.turns, call).first().is_some_and(|first| first.program == tool.name);
            if call.failed == Some(false) && !is_typed {
                push(whole, (0, 0), tool);
            }
            for segment in segments(self.turns, call).iter().filter(|segment| segment.ran != Some(false)) {
                let is_success = match at(&self.turns.facts.test_runs, segment.place, |run| run.place).first()
                {
                    Some(run) => !matches!(run.outcome, TestOutcome::NotRun | TestOutcome::Error),
                    None => call.failed == Some(false),
                };
                if let Some(program) = Program::of_segment(segment).filter(|_| is_success) {
                    push(segment.place, segment.span, program);
                }
            }
        }
        successes
    }
}

/// The first edit after a place.
fn after<'a>(edits: &[&'a EditFact], place: Place) -> Option<&'a EditFact> {
    edits.get(edits.partition_point(|edit| edit.place <= place)).copied()
}
