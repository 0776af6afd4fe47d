//! Text of logs and studies on its way into a file or onto a screen: each destination has its own escape, and a control
//! or bidirectional character is always made visible, so that nothing reorders, hides or blinks. It never drops a
//! character.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write as _};

/// Longest stem of a file that is made of an id; most file systems end at 255 bytes.
const LONGEST_STEM: usize = 120;

/// Characters that act instead of being seen: controls, bidirectional marks, zero-width and line separators.
fn acts(sign: char) -> bool {
    sign.is_control()
        || matches!(sign,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text with every character that acts written as `\u{…}`; a line break or tab becomes a blank.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for sign in text.chars() {
        match sign {
            '\n' | '\r' | '\t' => out.push(' '),
            _ if acts(sign) => {
                let _ = write!(out, "{}", sign.escape_unicode());
            }
            _ => out.push(sign),
        }
    }
    Cow::Owned(out)
}

/// Text inside HTML, be it between tags or in a quoted attribute.
pub struct Html<'a>(pub &'a str);

impl Display for Html<'_> {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        for sign in visible(self.0).chars() {
            match sign {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                _ => out.write_char(sign)?,
            }
        }
        Ok(())
    }
}

/// Text inside a line or a table cell of GitHub's Markdown.
pub struct Markdown<'a>(pub &'a str);

impl Display for Markdown<'_> {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        let text = visible(self.0);
        let signs: Vec<char> = text.chars().collect();
        for (place, &sign) in signs.iter().enumerate() {
            let next = signs.get(place + 1).copied();
            match sign {
                '&' => out.write_str("&amp;")?,
                // `p <0.001` stays readable: a tag, a comment or an address starts with one of these.
                '<' if next.is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(next)) => {
                    out.write_str("&lt;")?;
                }
                '>' => out.write_str("&gt;")?,
                '|' | '`' | '\\' | '*' | '~' | '$' => write!(out, "\\{sign}")?,
                '_' if !is_inside_word(&signs, place) => out.write_str("\\_")?,
                // An interval stays readable; a link and its definition do not come to be.
                ']' if matches!(next, Some('(' | '[' | ':')) => out.write_str("\\]")?,
                _ => out.write_char(sign)?,
            }
        }
        Ok(())
    }
}

/// Text inside a paragraph, a cell or a caption of LaTeX: every sign that is a command, an argument or a ligature there
/// prints as itself. What the T1 encoding of pdfLaTeX has no glyph for is written as its code point.
pub struct Latex<'a>(pub &'a str);

impl Display for Latex<'_> {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        for sign in visible(self.0).chars() {
            match sign {
                '\\' => out.write_str("\\textbackslash{}")?,
                '{' | '}' | '$' | '&' | '#' | '_' | '%' => write!(out, "\\{sign}")?,
                '~' => out.write_str("\\textasciitilde{}")?,
                '^' => out.write_str("\\textasciicircum{}")?,
                '<' => out.write_str("\\textless{}")?,
                '>' => out.write_str("\\textgreater{}")?,
                '|' => out.write_str("\\textbar{}")?,
                '"' => out.write_str("\\textquotedbl{}")?,
                '\'' => out.write_str("\\textquotesingle{}")?,
                '`' => out.write_str("\\textasciigrave{}")?,
                // Two of these become another sign (`--`, `,,`), and a bracket at the begin of a row an argument of `\\`.
                '-' | ',' | '[' | ']' | '*' => write!(out, "{{{sign}}}")?,
                // T1 lacks Ħ, ħ, ĸ, Ŀ, ŀ, ŉ, Ŧ and ŧ.
                ' '..='~'
                | 'À'..='Ö'
                | 'Ø'..='ö'
                | 'ø'..='ĥ'
                | 'Ĩ'..='ķ'
                | 'Ĺ'..='ľ'
                | 'Ł'..='ň'
                | 'Ŋ'..='ť'
                | 'Ũ'..='ž' => out.write_char(sign)?,
                _ => match LATEX_SIGNS.iter().find(|(known, _)| *known == sign) {
                    Some((_, command)) => out.write_str(command)?,
                    None => write!(out, "\\texttt{{U+{:04X}}}", u32::from(sign))?,
                },
            }
        }
        Ok(())
    }
}

/// Signs that our own tables print, and those that names of models and arms have.
const LATEX_SIGNS: [(char, &str); 27] = [
    ('\u{a0}', "~"),
    ('§', "\\S{}"),
    ('°', "\\textdegree{}"),
    ('±', "$\\pm$"),
    ('²', "\\textsuperscript{2}"),
    ('³', "\\textsuperscript{3}"),
    ('µ', "\\textmu{}"),
    ('·', "\\textperiodcentered{}"),
    ('×', "$\\times$"),
    ('÷', "$\\div$"),
    ('Δ', "$\\Delta$"),
    ('α', "$\\alpha$"),
    ('κ', "$\\kappa$"),
    ('ρ', "$\\rho$"),
    ('τ', "$\\tau$"),
    ('–', "\\textendash{}"),
    ('—', "\\textemdash{}"),
    ('†', "\\textdagger{}"),
    ('‡', "\\textdaggerdbl{}"),
    ('•', "\\textbullet{}"),
    ('…', "\\dots{}"),
    ('→', "$\\rightarrow$"),
    ('−', "$-$"),
    ('∞', "$\\infty$"),
    ('≈', "$\\approx$"),
    ('≤', "$\\leq$"),
    ('≥', "$\\geq$"),
];

/// An underscore between letters and digits marks no emphasis (`django__django`).
fn is_inside_word(signs: &[char], place: usize) -> bool {
    let word = |sign: &char| sign.is_alphanumeric();
    let before = signs[..place].iter().rev().find(|sign| **sign != '_');
    let after = signs[place..].iter().find(|sign| **sign != '_');
    before.is_some_and(word) && after.is_some_and(word)
}

/// An id as the stem of a file or of an anchor: what is no letter, digit, `.`, `-` or `_` becomes `_`, and an id that
/// had to change bears a digest, so that two ids never share a name.
pub fn file_name(id: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '_');
    let mut stem: String = id.chars().map(|sign| if is_plain(sign) { sign } else { '_' }).collect();
    let unchanged = stem == id && stem.len() <= LONGEST_STEM && !stem.starts_with('.') && !stem.is_empty();
    if unchanged {
        return stem;
    }
    stem.truncate(LONGEST_STEM);
    format!("{}-{}", stem.trim_start_matches('.'), &blake3::hash(id.as_bytes()).to_hex()[..8])
}
