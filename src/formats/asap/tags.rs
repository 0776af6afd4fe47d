//! Names of the sections and tags of a completion log. The paper fixes none beyond `## Thinking`, `<bash>`, `<observation>`
//! and `<submit/>`: they are settings (`docs/asap-logs.md`).

/// Names of sections and tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tags {
    /// Line that begins a step.
    pub thinking: String,
    /// What came back.
    pub observation: String,
    /// What the harness says in place of carrying an action out.
    pub hint: String,
    /// Reference prefix.
    pub prefix: String,
    /// Why the run ended.
    pub end: String,
    /// Hands in.
    pub submit: String,
    /// Tags of actions, with the tool that each is.
    pub actions: Vec<(String, String)>,
}

/// Tags of actions beside that of handing in, by the tool that each is.
const ACTIONS: [(&str, &str); 14] = [
    ("bash", "bash"),
    ("shell", "bash"),
    ("python", "python"),
    ("edit", "edit"),
    ("str_replace", "str_replace"),
    ("replace", "replace"),
    ("create", "create"),
    ("write", "write"),
    ("insert", "insert"),
    ("undo_edit", "undo_edit"),
    ("view", "view"),
    ("open", "open"),
    ("search", "search"),
    ("find_file", "find_file"),
];

impl Default for Tags {
    fn default() -> Tags {
        let named = |name: &str| name.to_owned();
        Tags {
            thinking: named("## Thinking"),
            observation: named("observation"),
            hint: named("hint"),
            prefix: named("prefix"),
            end: named("end"),
            submit: named("submit"),
            actions: ACTIONS.iter().map(|(tag, tool)| (named(tag), named(tool))).collect(),
        }
    }
}

impl Tags {
    /// The tool that a tag stands for; `None` for a tag that is no action.
    pub fn tool(&self, tag: &str) -> Option<&str> {
        if tag == self.submit {
            return Some("submit");
        }
        self.actions.iter().find(|(known, _)| known == tag).map(|(_, tool)| tool.as_str())
    }
}
