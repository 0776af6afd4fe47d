//! Markdown that reads well on a terminal too: paragraphs of bounded width, fenced text, tables.

/// Width of a paragraph.
const WIDTH: usize = 110;

/// A paragraph, broken into lines, with its closing newline.
pub fn paragraph(text: &str) -> String {
    filled(text, "", "")
}

/// A list, one item a line or more.
pub fn list<T: AsRef<str>>(items: &[T]) -> String {
    items.iter().map(|item| filled(item.as_ref(), "- ", "  ")).collect()
}

fn filled(text: &str, first: &str, next: &str) -> String {
    let mut out = String::from(first);
    let mut column = first.chars().count();
    for (place, word) in words(text).into_iter().enumerate() {
        let length = word.chars().count();
        if place > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(next);
            column = next.chars().count();
        } else if place > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(&word);
        column += length;
    }
    out.push('\n');
    out
}

/// Words of a text; what stands between backticks is one word, so that its blanks stay as they are.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split(' ') {
        match found.last_mut().filter(|last| last.matches('`').count() % 2 == 1) {
            Some(open) => {
                open.push(' ');
                open.push_str(part);
            }
            None if part.is_empty() => {}
            None => found.push(part.to_owned()),
        }
    }
    found
}

/// Text as it is, but for blanks at the ends of lines, between fences.
pub fn fenced(language: &str, text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    format!("```{language}\n{}\n```\n", lines.join("\n"))
}

/// A table; empty without rows.
pub fn table<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let line =
        |cells: &[String; N]| format!("| {} |\n", cells.each_ref().map(|cell| in_cell(cell)).join(" | "));
    let body: String = rows.iter().map(line).collect();
    format!("{}|{}\n{body}", line(&head.map(str::to_owned)), "---|".repeat(N))
}

/// A bar would end the cell, and `<id>` outside of code would be taken for a tag.
fn in_cell(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let escaped: Vec<String> = parts
        .map(|(place, part)| if place % 2 == 0 { part.replace('<', "\\<") } else { part.to_owned() })
        .collect();
    escaped.join("`").replace('|', "\\|")
}

/// Lines without the blanks that all of them begin with.
pub fn dedented(text: &str) -> String {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = lines().map(|line| line.len() - line.trim_start().len()).min().unwrap_or_default();
    lines().map(|line| line.get(indent..).unwrap_or(line).trim_end()).collect::<Vec<_>>().join("\n")
}

/// The same text with a capital and a full stop.
pub fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return String::new() };
    let rest = characters.as_str();
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    // A name (`autonomous_edit`, L2) stays as it is.
    let is_name =
        text.split_whitespace().next().is_some_and(|word| word.contains(['_', '/', '`', '(', '.', ':']));
    if is_name { format!("{text}{stop}") } else { format!("{}{rest}{stop}", first.to_uppercase()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_break_between_words() {
        let text = paragraph(&"word ".repeat(60));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH && !line.ends_with(' ')));
        assert_eq!(text.split_whitespace().count(), 60);
    }

    #[test]
    fn code_keeps_its_blanks() {
        assert_eq!(paragraph("a  b `c  d` e"), "a b `c  d` e\n");
    }

    #[test]
    fn a_bar_in_a_cell_is_escaped() {
        let text = table(["a"], &[["x | y".to_owned()]]);
        assert_eq!(text, "| a |\n|---|\n| x \\| y |\n");
        assert_eq!(in_cell("<id>.patch, `<id>`"), "\\<id>.patch, `<id>`");
    }

    #[test]
    fn indents_go_and_inner_ones_stay() {
        assert_eq!(dedented("\n    run a\n      + run b\n\n"), "run a\n  + run b");
    }
}
