//! L1, L2, L3: actions again, by their keys. Waiting for a process is no loop.

use super::steps::Step;
use super::{ALTERNATION_ROUNDS, Circle, REPEATS};
use crate::facts::Place;

/// All three.
pub(super) fn find(steps: &[Step]) -> Vec<Circle> {
    let mut circles: Vec<Circle> = runs(steps, 1, same_result)
        .filter(|run| run.len() >= REPEATS)
        .map(|run| circle("L1", run, 1))
        .collect();
    for period in [2, 3] {
        let rounds = runs(steps, period, same_result)
            .filter(|run| run.len() >= period * ALTERNATION_ROUNDS && alternates(&run[..period]));
        circles.extend(rounds.map(|run| circle("L2", run, period)));
    }
    let errors = runs(steps, 1, same_action_failing)
        .filter(|run| run.len() >= REPEATS && run.windows(2).any(|pair| !same_result(&pair[0], &pair[1])));
    circles.extend(errors.map(|run| circle("L3", run, 1)));
    circles
}

fn same_result(one: &Step, other: &Step) -> bool {
    one.action == other.action
        && one.observation.is_some()
        && one.observation == other.observation
        && !one.poll
        && !other.poll
}

fn same_action_failing(one: &Step, other: &Step) -> bool {
    one.action == other.action && one.failed && other.failed && !one.poll && !other.poll
}

/// A round of one and the same action is a repetition, no alternation.
fn alternates(round: &[Step]) -> bool {
    round.iter().any(|step| step.action != round[0].action)
}

/// The longest stretches in which every step equals the one `period` steps before.
fn runs(steps: &[Step], period: usize, same: impl Fn(&Step, &Step) -> bool) -> impl Iterator<Item = &[Step]> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while from + period < steps.len() {
            let mut to = from + period;
            while to < steps.len() && same(&steps[to - period], &steps[to]) {
                to += 1;
            }
            let run = &steps[from..to];
            from = to - period + 1;
            if run.len() > period {
                return Some(run);
            }
        }
        None
    })
}

fn circle(code: &'static str, run: &[Step], period: usize) -> Circle {
    let place = |turn| Place { turn, call: 0, segment: None };
    let members = run.iter().map(|step| (step.turn, Some(place(step.turn)))).collect();
    Circle { rounds: run.len() / period, ..Circle::of(code, members) }
}
