//! Claude Code (`formats-other.md` §6): session files, and the events of `claude -p --output-format stream-json`, by
//! themselves or printed into the log of another program.

mod branches;
mod end;
mod responses;
mod result;
mod session;
mod stream;

use super::json::{self, lenient};
use super::{Evidence, Format, Sketch, Sniff};
use crate::model::TaskKind;

/// Its name in the tables of statuses.
const SCAFFOLD: &str = "claude-code";

/// Session files.
pub const SESSION: Format = Format {
    name: "claude-code-session",
    written_by: "Claude Code, all versions that keep sessions as JSON Lines",
    files: "~/.claude/projects/FOLDER/SESSION.jsonl, agent-ID.jsonl; exports as {\"loglines\": […]}",
    lacks: &[
        "instance, run, outcome",
        "an end",
        "exit codes of commands that succeed, and all of older versions",
    ],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Values(is_session),
    read: session::read,
};

/// Events of print mode.
pub const STREAM: Format = Format {
    name: "claude-stream-json",
    written_by: "claude -p --output-format stream-json (--verbose), and programs that log what it prints",
    files: "*.jsonl, *.txt, *.log",
    lacks: &[
        "instance, run, outcome",
        "the prompt",
        "times, where the log around has none",
        "tokens of single responses",
    ],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Text(is_stream),
    read: stream::read,
};

/// Records without a message that only sessions hold.
const NOTES: &[&str] = &[
    "agent-name",
    "agent-setting",
    "ai-title",
    "custom-title",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "queue-operation",
    "tag",
    "worktree-state",
];

fn is_session(values: &[Sketch]) -> bool {
    let is_export = values.iter().any(|value| {
        value.first("loglines").is_some_and(|line| {
            is_role(line.text("type")) && line.get("message").is_some_and(Sketch::is_object)
        })
    });
    is_export || values.iter().any(is_session_line)
}

fn is_role(kind: Option<&str>) -> bool {
    matches!(kind, Some("user" | "assistant"))
}

fn is_session_line(value: &Sketch) -> bool {
    let has_text = |key| value.text(key).is_some();
    match value.text("type") {
        // Events of print mode bear these keys.
        _ if value.has("session_id") || value.has("parent_tool_use_id") => false,
        kind @ Some("user" | "assistant") => {
            has_text("uuid") && value.get("message").and_then(|message| message.text("role")) == kind
        }
        Some("system" | "progress" | "attachment") => has_text("uuid") && has_text("sessionId"),
        Some("summary") => has_text("summary") && has_text("leafUuid"),
        Some("file-history-snapshot") => {
            has_text("messageId") && value.get("snapshot").is_some_and(Sketch::is_object)
        }
        Some(kind) => NOTES.contains(&kind) && has_text("sessionId"),
        None => false,
    }
}

fn is_stream(text: &str) -> bool {
    // Cheap first: this is asked of every text that nobody else claims.
    if !text.contains("\"session_id\"") {
        return false;
    }
    let mut is_stream = false;
    json::events(text.as_bytes(), 0, &mut Vec::new(), |event, _| {
        let kind = lenient::text(&event.value, "type");
        let has_session = lenient::text(&event.value, "session_id").is_some();
        let is_start = kind == Some("system") && lenient::text(&event.value, "subtype") == Some("init");
        // Print mode without events, or a run that failed before its first one.
        let is_result = kind == Some("result") && lenient::whole(&event.value, "num_turns").is_some();
        let is_message = is_role(kind)
            && event.value.get("parent_tool_use_id").is_some()
            && lenient::at(&event.value, &["message", "role"]).is_some();
        is_stream |= has_session && (is_start || is_message || is_result);
    });
    is_stream
}
