//! Two thousand commands put together at random, each with what a runner printed, broken at random: nothing that a log can
//! hold stops the facts, the tags or the clock, and every span lies within its text.

use std::time::Instant;

use ethogram::model::{Call, CallKind, Field, ObservationState, Trajectory, Turn};
use ethogram::runners::RUNNERS;

use super::tagged;

/// Commands and outputs.
const INPUTS: usize = 2_000;

/// What commands are put together from, beside those of the runners' examples.
const PIECES: [&str; 44] = [
    " && ",
    " || ",
    "; ",
    " | ",
    " & ",
    "\n",
    "(",
    ")",
    "{ ",
    "; }",
    "$(",
    "`",
    "\"",
    "'",
    "\\",
    "<<'EOF'\n",
    "\nEOF\n",
    "<<-A\n",
    " > out.txt",
    " 2>&1",
    " >> \"a b\"",
    "if true; then ",
    "; fi",
    "for x in a b; do ",
    "; done",
    "case $x in ",
    ";; esac",
    "sudo ",
    "env A=b ",
    "timeout 5 ",
    "bash -c '",
    "xargs ",
    "find . -name '*.py' -exec ",
    " \\;",
    "python3 -c \"import os; open('a','w').write('x')\"",
    "sed -i 's/a/b/' f.py",
    "git checkout -- f",
    "curl -s http://x.y",
    "cat > a.py",
    "echo ",
    "\u{202e}",
    "\0",
    "é漢😀",
    "<<<",
];

/// Numbers that look random and are the same for ever.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

fn command(numbers: &mut Numbers, examples: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for _ in 0..1 + numbers.below(12) {
        if numbers.below(3) == 0 {
            text.push_str(examples[numbers.below(examples.len())].0);
        } else {
            text.push_str(PIECES[numbers.below(PIECES.len())]);
        }
    }
    text
}

/// Lines of one or two outputs: some missing, some twice, some cut, a number changed.
fn output(numbers: &mut Numbers, examples: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for _ in 0..1 + numbers.below(2) {
        for line in examples[numbers.below(examples.len())].1.lines() {
            match numbers.below(8) {
                0 => {}
                1 => text.push_str(&format!("{line}\n{line}\n")),
                2 => text.extend(line.chars().take(numbers.below(line.len() + 1))),
                3 => text.push_str(&format!("{}\n", line.replace(['1', '2', '3'], "99999999999999999999"))),
                _ => text.push_str(&format!("{line}\n")),
            }
        }
    }
    text
}

#[test]
fn random_commands_and_outputs_are_survived() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let examples: Vec<(&str, &str)> = RUNNERS
        .iter()
        .flat_map(|runner| runner.examples)
        .map(|example| (example.command, example.output))
        .collect();
    let begun = Instant::now();
    let (mut tags, mut test_runs) = (0, 0);
    for _ in 0..INPUTS / 20 {
        let mut trajectory = Trajectory::new("turn-lines", "turn-lines");
        for _ in 0..20 {
            let mut turn = Turn::new("");
            let mut call = Call::new("bash", CallKind::Shell, command(&mut numbers, &examples));
            call.observation = Some(output(&mut numbers, &examples));
            call.observation_state = ObservationState::Full;
            call.exit_code = [None, Some(0), Some(1), Some(-9)][numbers.below(4)];
            turn.calls.push(call);
            trajectory.turns.push(turn);
        }
        let (facts, found) = tagged(&trajectory);
        test_runs += facts.test_runs.len();
        tags += found.rows.len();
        for row in &found.rows {
            let Some(((from, to), call)) = row.span.zip(row.call) else { continue };
            let call = &trajectory.turns[row.turn].calls[call];
            let text = match row.field {
                Field::Input => call.input.as_str(),
                Field::Observation => call.observation.as_deref().unwrap_or_default(),
                _ => continue,
            };
            assert!(text.get(from..to).is_some(), "{from}..{to} of {text:?}");
        }
    }
    println!("{INPUTS} commands and outputs: {tags} tags, {test_runs} test runs, {:?}", begun.elapsed());
    assert!(tags > INPUTS && test_runs > INPUTS / 10, "{tags} tags, {test_runs} test runs");
}
