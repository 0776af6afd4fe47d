//! The kind of task that a format suggests where nothing else tells it (`interface.md`, Benchmark). Formats that are used for
//! every kind of task suggest none.

use crate::model::TaskKind;

/// Formats by the kind of their tasks.
const KINDS: &[(TaskKind, &[&str])] = &[
    (
        TaskKind::Terminal,
        &[
            "atif",
            "harbor-traces",
            "terminal-bench-commands",
            "terminus-episodes",
            "terminus-snapshots",
            "trial-record",
        ],
    ),
    (TaskKind::Search, &["browsecomp-plus"]),
    (
        TaskKind::Chat,
        &[
            "chat",
            "chat-rows",
            "claude-code-session",
            "claude-stream-json",
            "cline-history",
            "codex-exec-json",
            "codex-rollout",
            "copilot-events",
            "gemini-chat",
            "goose-session",
            "goose-stream-json",
            "opencode-run",
            "opencode-storage",
            "pi-session",
            "rendered-chat",
            "tau-bench",
            "tau2",
        ],
    ),
];

/// The kind that a format suggests.
pub fn task_kind(format: &str) -> Option<TaskKind> {
    KINDS.iter().find(|(_, names)| names.contains(&format)).map(|(kind, _)| *kind)
}
