//! Tag families: their examples, the long cases of `fixtures/tags`, the shared cases and labels.

mod cases;
mod events;
mod examples;
mod fixtures;
mod labels;
mod large;
mod random;

use ethogram::facts::{self, Facts};
use ethogram::model::Trajectory;
use ethogram::tags::{self, Tagged};

use crate::support::context;

/// Facts and tags of one trajectory.
fn tagged(trajectory: &Trajectory) -> (Facts, Tagged) {
    let context = context();
    let facts = facts::compute(trajectory, &context);
    let tagged = tags::apply_all(&context, trajectory, &facts);
    (facts, tagged)
}
