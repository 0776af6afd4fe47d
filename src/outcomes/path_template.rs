//! Path templates of a study: `runs/base/run_{run}/{instance_id}/*` reads identity out of a path
//! (`interface.md`, study file). Knows nothing of files on disk.

use regex::Regex;

/// Extensions that a `.*` behind an id may stand for; without this an id with dots would be cut at its first dot.
const EXTENSIONS: &str = r"(?:\.(?:traj|json|jsonl|pred|patch|log|txt|yaml|yml|eval|cast|gz|zst))+";

/// A template that was read.
#[derive(Clone, Debug)]
pub struct PathTemplate {
    text: String,
    pattern: Regex,
}

/// What a template found in a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathIdentity {
    /// `{arm}`.
    pub arm: Option<String>,
    /// `{instance_id}`.
    pub instance_id: Option<String>,
    /// `{run}`, as written.
    pub run: Option<i64>,
}

/// A template that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A placeholder that there is not.
    #[error(
        "path template `{template}`: `{{{placeholder}}}` is no placeholder; there are {{arm}}, {{instance_id}} and {{run}}"
    )]
    Unknown {
        /// The template.
        template: String,
        /// The placeholder.
        placeholder: String,
    },
    /// A placeholder that stands twice.
    #[error("path template `{template}`: `{{{placeholder}}}` stands twice; use * for the second")]
    Twice {
        /// The template.
        template: String,
        /// The placeholder.
        placeholder: String,
    },
    /// A brace without its partner.
    #[error("path template `{template}`: a brace is not closed")]
    Unclosed {
        /// The template.
        template: String,
    },
}

impl PathTemplate {
    /// Reads a template: `{arm}`, `{instance_id}`, `{run}`, `*` and `?` within a folder, `**` over folders.
    pub fn parse(template: &str) -> Result<PathTemplate, TemplateError> {
        let text = template.trim_start_matches("./").to_owned();
        let mut pattern = String::from("^");
        let mut rest = text.as_str();
        let mut seen: Vec<&str> = Vec::new();
        while let Some(first) = rest.chars().next() {
            let (piece, taken) = match first {
                '{' => {
                    let (name, taken) = placeholder(&text, rest)?;
                    if seen.contains(&name) {
                        return Err(TemplateError::Twice {
                            template: text.clone(),
                            placeholder: name.to_owned(),
                        });
                    }
                    seen.push(name);
                    placeholder_pattern(name, &rest[taken..])
                        .map(|(piece, further)| (piece, taken + further))
                        .ok_or_else(|| TemplateError::Unknown {
                            template: text.clone(),
                            placeholder: name.to_owned(),
                        })?
                }
                _ => plain_pattern(rest, first),
            };
            pattern.push_str(&piece);
            rest = &rest[taken..];
        }
        pattern.push('$');
        let pattern = Regex::new(&pattern).expect("every piece is escaped or a pattern of this file");
        Ok(PathTemplate { text, pattern })
    }

    /// Identity in a path, `None` where the path does not fit.
    pub fn find(&self, path: &str) -> Option<PathIdentity> {
        let found = self.pattern.captures(path.trim_start_matches("./"))?;
        let text = |name: &str| found.name(name).map(|part| part.as_str().to_owned());
        Some(PathIdentity {
            arm: text("arm"),
            instance_id: text("instance_id"),
            run: found.name("run").and_then(|part| part.as_str().parse().ok()),
        })
    }

    /// The template as a glob that finds its files: placeholders become `*`.
    pub fn glob(&self) -> String {
        ["{arm}", "{instance_id}", "{run}"]
            .iter()
            .fold(self.text.clone(), |glob, name| glob.replace(name, "*"))
    }
}

/// Name of the placeholder at the start of `rest`, and the bytes that it takes.
fn placeholder<'a>(template: &str, rest: &'a str) -> Result<(&'a str, usize), TemplateError> {
    let end = rest.find('}').ok_or_else(|| TemplateError::Unclosed { template: template.to_owned() })?;
    Ok((&rest[1..end], end + 1))
}

/// Pattern of a placeholder, and how many bytes behind it the pattern covers too.
fn placeholder_pattern(name: &str, behind: &str) -> Option<(String, usize)> {
    match name {
        "run" => Some(("(?<run>[0-9]{1,9})".to_owned(), 0)),
        "arm" => Some(("(?<arm>[^/]+?)".to_owned(), 0)),
        "instance_id" if behind == ".*" => {
            Some((format!(r"(?<instance_id>[^/]+?)(?:{EXTENSIONS}|\.[^/.]*)"), ".*".len()))
        }
        "instance_id" => Some(("(?<instance_id>[^/]+?)".to_owned(), 0)),
        _ => None,
    }
}

/// Pattern of a wildcard or a letter, and the bytes that it takes.
fn plain_pattern(rest: &str, first: char) -> (String, usize) {
    if rest.starts_with("**/") {
        return ("(?:[^/]+/)*".to_owned(), "**/".len());
    }
    if rest.starts_with("**") {
        return (".*".to_owned(), "**".len());
    }
    let piece = match first {
        '*' => "[^/]*".to_owned(),
        '?' => "[^/]".to_owned(),
        letter => regex::escape(letter.encode_utf8(&mut [0; 4])),
    };
    (piece, first.len_utf8())
}
