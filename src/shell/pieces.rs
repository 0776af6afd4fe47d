//! A line that no shell can read, one part of its `&&` after the other: an open quote in one part hides no other.
//!
//! Only for lines of which the shell itself said so; what the parts would have done, none of them did.

use super::{Command, Options, parse};

/// Parts that are looked at, and the longest line: hostile text stays linear.
const MAX_PIECES: usize = 16;
const LONGEST: usize = 1 << 16;

/// Segments of every part, with their bytes in the whole text; `None` where there is but one part.
pub fn pieces(text: &str, options: &Options) -> Option<Command> {
    let parts = text.match_indices(" && ").count() + 1;
    if !(2..=MAX_PIECES).contains(&parts) || text.len() > LONGEST {
        return None;
    }
    let mut whole = Command { segments: Vec::new(), complete: false };
    let mut start = 0;
    for part in text.split(" && ") {
        // Blanks before the part leave every byte at its place.
        let placed = format!("{:start$}{part}", "");
        start += part.len() + " && ".len();
        let base = whole.segments.len();
        let pipelines = whole.segments.iter().map(|segment| segment.pipeline + 1).max().unwrap_or_default();
        whole.segments.extend(parse(&placed, options).segments.into_iter().map(|mut segment| {
            segment.parent = segment.parent.map(|parent| parent + base);
            segment.pipeline += pipelines;
            segment
        }));
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::{Options, pieces};

    #[test]
    fn an_open_quote_hides_no_other_part() {
        let text = "perl -0 -pe 's/a/we can't/' -i a.py && sed -i \"s/b/c/\" b.py && ls | head";
        let whole = pieces(text, &Options::default()).unwrap();
        let sed = whole.segments.iter().find(|segment| segment.program == "sed").unwrap();
        assert_eq!(&text[sed.span.clone()], "sed -i \"s/b/c/\" b.py");
        let last = whole.segments.last().unwrap();
        assert_eq!((last.program.as_str(), &text[last.span.clone()]), ("head", "head"));
        assert!(!whole.complete);
        assert_eq!(pieces("sed -i 's/a/it's/' a.py", &Options::default()), None);
    }
}
