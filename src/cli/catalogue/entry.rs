//! One entry of the catalogue: what `list` prints in a line, and `explain` and the pages in full.

/// One thing that has a name in the code.
pub struct Entry {
    /// What it is (`tag family`).
    pub kind: &'static str,
    /// Its name, as `list` prints it.
    pub name: String,
    /// Further names under which `explain` finds it (`L1` for `loop/L1`).
    pub aliases: Vec<String>,
    /// What it is, in a line.
    pub line: String,
    /// Everything there is to say, in Markdown.
    pub body: String,
}

impl Entry {
    /// All names that find it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }

    /// What `explain` prints.
    pub fn explanation(&self) -> String {
        format!("{} ({})\n\n{}", self.name, self.kind, self.body)
    }

    /// Its section of a page.
    pub fn section(&self) -> String {
        format!("## {}\n\n{}", self.name, self.body)
    }
}

/// A page: title, what it holds, a section an entry.
pub fn page(title: &str, about: &str, entries: &[Entry]) -> String {
    let sections: Vec<String> = entries.iter().map(Entry::section).collect();
    format!("# {title}\n\n{GENERATED}\n\n{about}\n{}", sections.join("\n"))
}

/// First words of every generated page.
pub const GENERATED: &str = "<!-- Rendered from the code by `UPDATE=1 cargo test docs::`; do not edit. -->";
