//! L5: the same lines of a file read again and again, though nothing changed them.

use std::collections::{HashMap, VecDeque};

use super::{Circle, READING_WINDOW, READINGS};
use crate::facts::Place;
use crate::tags::turns::Turns;

/// Lines that one turn showed of one file, as ranges that neither touch nor overlap.
struct Shown {
    model_turn: usize,
    place: Place,
    ranges: Vec<(i64, i64)>,
}

#[derive(Default)]
struct File {
    shown: VecDeque<Shown>,
    /// The loop that is going on, and where.
    circle: Vec<(usize, Option<Place>)>,
}

/// All of them. Readings and edits are walked together in order of place.
pub(super) fn find(turns: &Turns) -> Vec<Circle> {
    let facts = turns.facts;
    let mut edits = facts.edits.iter().filter(|edit| edit.effective != Some(false)).peekable();
    let mut files: HashMap<&str, File> = HashMap::new();
    let mut circles = Vec::new();
    for read in facts.reads.iter().filter(|read| !read.by_search) {
        while let Some(edit) = edits.next_if(|edit| edit.place < read.place) {
            match edit.path.as_deref() {
                Some(path) => files.remove(path).into_iter().for_each(|file| close(file, &mut circles)),
                // It may have changed any file.
                None => close_all(&mut files, &mut circles),
            }
        }
        let (Some(model_turn), Some(lines)) = (turns.model_turn(read.place.turn), read.lines) else {
            continue;
        };
        let file = files.entry(read.path.as_str()).or_default();
        take(file, model_turn, read.place, lines, &mut circles);
    }
    close_all(&mut files, &mut circles);
    circles
}

fn take(file: &mut File, model_turn: usize, place: Place, lines: (i64, i64), circles: &mut Vec<Circle>) {
    while file.shown.front().is_some_and(|shown| shown.model_turn + READING_WINDOW < model_turn) {
        file.shown.pop_front();
    }
    let earlier =
        file.shown.iter().filter(|shown| shown.model_turn < model_turn && covers(&shown.ranges, lines));
    let earlier: Vec<Place> = earlier.map(|shown| shown.place).collect();
    if earlier.len() + 1 >= READINGS {
        extend(file, &earlier, place, circles);
    }
    match file.shown.back_mut() {
        Some(last) if last.model_turn == model_turn => add(&mut last.ranges, lines),
        _ => file.shown.push_back(Shown { model_turn, place, ranges: vec![lines] }),
    }
}

/// The loop goes on where it shares a reading with the one before, else a new one begins.
fn extend(file: &mut File, earlier: &[Place], place: Place, circles: &mut Vec<Circle>) {
    let goes_on = file.circle.last().is_some_and(|(last, _)| earlier.iter().any(|place| place.turn <= *last));
    if !goes_on {
        finish(&mut file.circle, circles);
    }
    for place in earlier.iter().chain([&place]) {
        if let Err(at) = file.circle.binary_search_by_key(&place.turn, |(turn, _)| *turn) {
            file.circle.insert(at, (place.turn, Some(*place)));
        }
    }
}

fn finish(circle: &mut Vec<(usize, Option<Place>)>, circles: &mut Vec<Circle>) {
    let members = std::mem::take(circle);
    if !members.is_empty() {
        circles.push(Circle::of("L5", members));
    }
}

fn close(mut file: File, circles: &mut Vec<Circle>) {
    finish(&mut file.circle, circles);
}

fn close_all(files: &mut HashMap<&str, File>, circles: &mut Vec<Circle>) {
    let mut open: Vec<File> = files.drain().map(|(_, file)| file).collect();
    open.drain(..).for_each(|file| close(file, circles));
}

/// One range holds all these lines.
fn covers(ranges: &[(i64, i64)], (first, last): (i64, i64)) -> bool {
    let after = ranges.partition_point(|(from, _)| *from <= first);
    after.checked_sub(1).is_some_and(|index| ranges[index].1 >= last)
}

/// Adds lines to what a turn showed; neighbours become one range.
fn add(ranges: &mut Vec<(i64, i64)>, (first, last): (i64, i64)) {
    let from = ranges.partition_point(|(_, end)| end.saturating_add(1) < first);
    let to = from + ranges[from..].partition_point(|(start, _)| *start <= last.saturating_add(1));
    let first = ranges[from..to].first().map_or(first, |range| range.0.min(first));
    let last = ranges[from..to].last().map_or(last, |range| range.1.max(last));
    ranges.splice(from..to, [(first, last)]);
}
