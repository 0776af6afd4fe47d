//! Files read, with their lines.

use super::{check, compute};
use ethogram::facts::Facts;

fn reads(facts: &Facts) -> Vec<String> {
    let line = |read: &ethogram::facts::ReadFact| {
        let lines = read.lines.map_or("?".to_owned(), |(first, last)| format!("{first}-{last}"));
        let how = if read.by_search { " searched" } else { "" };
        let review = if read.review { " review" } else { "" };
        format!("{} {} {lines}{how}{review}", read.place.turn, read.path)
    };
    facts.reads.iter().map(line).collect()
}

#[test]
fn a_shell_cuts_lines_out() {
    let facts = compute(
        r"
@ root /testbed
run cat src/a.py -> 0: one\ntwo\nthree
run sed -n '10,20p' src/a.py -> 0: x
run nl -ba src/a.py | sed -n '5,9p' -> 0: x
run head -n 30 src/a.py | tail -n +20 -> 0: x
run cat /testbed/src/a.py | head -50 -> 0: x
run tail -n +100 src/a.py | head -20 -> 0: x
run awk 'NR>=3 && NR<=7' src/a.py -> 0: x
run cat src/a.py | grep x -> 0: x
run grep -n x src/a.py src -> 0: x
run cat none.py -> 1: cat: none.py: No such file or directory
run cd src && cat b.py c.py -> 0: x
",
    );
    check(
        reads(&facts),
        &[
            "0 src/a.py 1-3",
            "1 src/a.py 10-20",
            "2 src/a.py 5-9",
            "3 src/a.py 20-30",
            "4 src/a.py 1-50",
            "5 src/a.py 100-119",
            "6 src/a.py 3-7",
            "7 src/a.py ? searched",
            "8 src/a.py ? searched",
            "10 src/b.py ?",
            "10 src/c.py ?",
        ],
    );
}

#[test]
fn a_window_says_what_it_shows() {
    let facts = compute(
        r#"
@ commands swe-agent
@ no-exit-codes
[cwd=/r] run open src/a.py 50 -> ?: [File: /r/src/a.py (300 lines total)]\n(49 more lines above)\n50:x\n149:y\n(151 more lines below)
run scroll_down -> ?: [File: /r/src/a.py (300 lines total)]\n(147 more lines above)\n148:x\n247:y\n(53 more lines below)
run search_file foo -> ?: Found 1 matches
run str_replace_editor view /r/src/b.py --view_range 3 5 -> ?: Here's the result of running `cat -n` on /r/src/b.py:\n     3\ta\n     4\tb\n     5\tc
run str_replace_editor view /r -> ?: Here's the files and directories up to 2 levels deep in /r, excluding hidden items:\n/r/src
run open none.py -> ?: File none.py not found
"#,
    );
    check(reads(&facts), &["0 src/a.py 50-149", "1 src/a.py 148-247", "3 src/b.py 3-5"]);
    assert_eq!(facts.segments.len(), 6);
}
