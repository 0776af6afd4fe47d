//! The strict check (`atif.md` §3): every rule that a file breaks, by rule and step. Local paths of media are not looked up:
//! only bytes are known here.

use crate::formats::json::lenient::{list, text};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A rule that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Number of the rule, 0 to 11.
    pub rule: u8,
    /// Step, from 1 by its place; `None` where the rule is one of the whole file.
    pub step: Option<usize>,
    /// What breaks it.
    pub what: String,
}

const ROOT: [&str; 10] = [
    "schema_version",
    "session_id",
    "trajectory_id",
    "agent",
    "steps",
    "notes",
    "final_metrics",
    "continued_trajectory_ref",
    "extra",
    "subagent_trajectories",
];
const AGENT: [&str; 5] = ["name", "version", "model_name", "tool_definitions", "extra"];
const STEP: [&str; 13] = [
    "step_id",
    "timestamp",
    "source",
    "model_name",
    "reasoning_effort",
    "message",
    "reasoning_content",
    "tool_calls",
    "observation",
    "metrics",
    "is_copied_context",
    "llm_call_count",
    "extra",
];
const CALL: [&str; 4] = ["tool_call_id", "function_name", "arguments", "extra"];
const RESULT: [&str; 4] = ["source_call_id", "content", "subagent_trajectory_ref", "extra"];
const REFERENCE: [&str; 4] = ["trajectory_id", "session_id", "trajectory_path", "extra"];
const METRICS: [&str; 8] = [
    "prompt_tokens",
    "completion_tokens",
    "cached_tokens",
    "cost_usd",
    "prompt_token_ids",
    "completion_token_ids",
    "logprobs",
    "extra",
];
const TOTALS: [&str; 6] = [
    "total_prompt_tokens",
    "total_completion_tokens",
    "total_cached_tokens",
    "total_cost_usd",
    "total_steps",
    "extra",
];
const PART: [&str; 3] = ["type", "text", "source"];
const MEDIA: [&str; 3] = ["media_type", "path", "duration_sec"];
/// Fields that a step of another than the agent must not have.
const OF_AGENT: [&str; 5] = ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// All rules that a file breaks, in the order of the file.
pub fn violations(bytes: &[u8]) -> Vec<Violation> {
    let mut check = Check { found: Vec::new(), step: None };
    match serde_json::from_slice::<Value>(bytes) {
        Ok(root) => check.root(&root),
        Err(fault) => check.breaks(0, format!("no valid JSON: {fault}")),
    }
    check.found
}

struct Check {
    found: Vec<Violation>,
    step: Option<usize>,
}

impl Check {
    fn breaks(&mut self, rule: u8, what: impl Into<String>) {
        self.found.push(Violation { rule, step: self.step, what: what.into() });
    }

    /// The object, with its unknown keys counted; null equals absent.
    fn object<'v>(
        &mut self,
        value: Option<&'v Value>,
        name: &str,
        known: &[&str],
    ) -> Option<&'v Map<String, Value>> {
        match value? {
            Value::Null => None,
            Value::Object(object) => {
                for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
                    self.breaks(1, format!("unknown key `{key}` in {name}"));
                }
                Some(object)
            }
            _ => {
                self.breaks(0, format!("{name} is no object"));
                None
            }
        }
    }

    /// The elements of a list; null equals absent.
    fn elements<'v>(&mut self, value: Option<&'v Value>, name: &str) -> &'v [Value] {
        match value {
            None | Some(Value::Null) => &[],
            Some(Value::Array(elements)) => elements,
            Some(_) => {
                self.breaks(0, format!("{name} is no list"));
                &[]
            }
        }
    }

    fn root(&mut self, value: &Value) {
        self.step = None;
        if self.object(Some(value), "the root", &ROOT).is_none() {
            if value.is_null() {
                self.breaks(0, "the root is no object");
            }
            return;
        }
        let version = text(value, "schema_version").unwrap_or_default();
        let minor = version.strip_prefix("ATIF-v1.").and_then(|minor| minor.parse::<u8>().ok());
        if minor.is_none_or(|minor| minor > 8 || version.len() != "ATIF-v1.0".len()) {
            self.breaks(2, format!("`{version}` is no version from ATIF-v1.0 to ATIF-v1.8"));
        }
        // Optional from 1.7 on.
        if value.get("session_id").is_none_or(Value::is_null) && minor.is_some_and(|minor| minor < 7) {
            self.breaks(0, "`session_id` is missing");
        }
        self.agent(value.get("agent"));
        self.totals(value);
        match value.get("steps") {
            Some(Value::Array(steps)) => self.steps(steps),
            _ => self.breaks(0, "`steps` is no list"),
        }
        self.subagents(value);
    }

    fn agent(&mut self, value: Option<&Value>) {
        self.object(value, "`agent`", &AGENT);
        let is_text = |key: &str| value.and_then(|agent| agent.get(key)).is_some_and(Value::is_string);
        if !is_text("name") || !is_text("version") {
            self.breaks(0, "`agent` lacks its name or version");
        }
    }

    fn totals(&mut self, root: &Value) {
        self.object(root.get("final_metrics"), "`final_metrics`", &TOTALS);
        let total = root.get("final_metrics").and_then(|totals| totals.get("total_steps"));
        let Some(total) = total.filter(|total| !total.is_null()) else { return };
        let steps = list(root, "steps").len();
        let has_notes = text(root, "notes").is_some_and(|notes| !notes.is_empty());
        if total.as_u64() != Some(steps as u64) && !has_notes {
            self.breaks(
                11,
                format!("`total_steps` is {total}, there are {steps}, and `notes` does not say why"),
            );
        }
    }

    fn steps(&mut self, steps: &[Value]) {
        if steps.is_empty() {
            self.breaks(11, "`steps` is empty");
        }
        for (place, step) in steps.iter().enumerate() {
            self.step = Some(place + 1);
            self.step(step, place + 1);
        }
        self.step = None;
    }

    fn step(&mut self, step: &Value, number: usize) {
        if self.object(Some(step), "the step", &STEP).is_none() {
            return;
        }
        if step.get("step_id").and_then(Value::as_u64) != Some(number as u64) {
            self.breaks(3, format!("`step_id` is not {number}"));
        }
        let source = text(step, "source").unwrap_or_default();
        let has_message = matches!(step.get("message"), Some(Value::String(_) | Value::Array(_)));
        if !matches!(source, "system" | "user" | "agent") || !has_message {
            self.breaks(0, "`source` or `message` is missing or of another kind");
        }
        if let Some(time) = step.get("timestamp").filter(|time| !time.is_null())
            && !time.as_str().is_some_and(is_iso)
        {
            self.breaks(4, format!("`timestamp` {time} is no ISO 8601"));
        }
        let has = |key: &str| step.get(key).is_some_and(|value| !value.is_null());
        if source != "agent" {
            for key in OF_AGENT.iter().filter(|key| has(key)) {
                self.breaks(5, format!("`{key}` on a step that is not the agent's"));
            }
        } else if step.get("llm_call_count").and_then(Value::as_u64) == Some(0) {
            for key in ["metrics", "reasoning_content"].iter().filter(|key| has(key)) {
                self.breaks(8, format!("`{key}` though `llm_call_count` is 0"));
            }
        }
        self.object(step.get("metrics"), "`metrics`", &METRICS);
        self.parts(step.get("message"));
        let ids = self.calls(step);
        self.observation(step.get("observation"), &ids);
    }

    /// Checks the calls; gives their ids.
    fn calls<'v>(&mut self, step: &'v Value) -> BTreeSet<&'v str> {
        let mut ids = BTreeSet::new();
        for call in self.elements(step.get("tool_calls"), "`tool_calls`") {
            if self.object(Some(call), "a tool call", &CALL).is_none() {
                continue;
            }
            if !call.get("arguments").is_some_and(Value::is_object) {
                self.breaks(7, "`arguments` is no object");
            }
            let (id, name) = (text(call, "tool_call_id"), text(call, "function_name"));
            if id.is_none() || name.is_none() {
                self.breaks(0, "a tool call lacks its id or name");
            }
            ids.extend(id);
        }
        ids
    }

    fn observation(&mut self, observation: Option<&Value>, ids: &BTreeSet<&str>) {
        let Some(observation) = observation.filter(|value| !value.is_null()) else { return };
        if self.object(Some(observation), "`observation`", &["results"]).is_none() {
            return;
        }
        if !observation.get("results").is_some_and(Value::is_array) {
            self.breaks(0, "`results` of an observation is no list");
        }
        for result in list(observation, "results") {
            if self.object(Some(result), "a result", &RESULT).is_none() {
                continue;
            }
            if let Some(id) = result.get("source_call_id").filter(|id| !id.is_null())
                && !id.as_str().is_some_and(|id| ids.contains(id))
            {
                self.breaks(6, format!("`source_call_id` {id} names no call of this step"));
            }
            self.parts(result.get("content"));
            for reference in self.elements(result.get("subagent_trajectory_ref"), "`subagent_trajectory_ref`")
            {
                self.object(Some(reference), "a reference", &REFERENCE);
                if text(reference, "trajectory_id").is_none() && text(reference, "trajectory_path").is_none()
                {
                    self.breaks(9, "a reference names neither `trajectory_id` nor `trajectory_path`");
                }
            }
        }
    }

    /// The parts of a content that is a list.
    fn parts(&mut self, content: Option<&Value>) {
        let Some(Value::Array(parts)) = content else { return };
        for part in parts {
            if self.object(Some(part), "a part", &PART).is_none() {
                continue;
            }
            let has = |key: &str| part.get(key).is_some_and(|value| !value.is_null());
            let is_right = match text(part, "type") {
                Some("text") => has("text") && !has("source"),
                Some(kind @ ("image" | "audio")) => {
                    has("source") && !has("text") && is_media(kind, part.get("source"))
                }
                _ => false,
            };
            self.object(part.get("source"), "the source of a part", &MEDIA);
            if !is_right {
                self.breaks(10, "a part is neither a text nor a picture or sound with its source");
            }
        }
    }

    fn subagents(&mut self, root: &Value) {
        let mut known = BTreeSet::new();
        for child in self.elements(root.get("subagent_trajectories"), "`subagent_trajectories`") {
            self.step = None;
            match text(child, "trajectory_id") {
                None => self.breaks(9, "an embedded sub-agent has no `trajectory_id`"),
                Some(id) if !known.insert(id) => {
                    self.breaks(9, format!("`trajectory_id` {id} of a sub-agent is not unique"));
                }
                Some(_) => {}
            }
            self.root(child);
        }
    }
}

/// The media type fits the kind; names that programs use beside the registered ones are as good.
fn is_media(kind: &str, source: Option<&Value>) -> bool {
    let Some(source) = source.filter(|source| text(source, "path").is_some()) else { return false };
    let media = text(source, "media_type").unwrap_or_default();
    match kind {
        "image" => IMAGES.contains(&media),
        _ => media.starts_with("audio/"),
    }
}

/// ISO 8601 as Python's `fromisoformat` takes it, `Z` allowed: `2025-06-01T12:00:00.5+02:00`, and shorter forms.
fn is_iso(text: &str) -> bool {
    let digits =
        |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(date) = text.get(..10) else { return false };
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    if !(digits(year, 4) && digits(month, 2) && digits(day, 2))
        || crate::formats::json::lenient::iso(date).is_none()
    {
        return false;
    }
    let rest = text.get(10..).unwrap_or_default();
    if rest.is_empty() {
        return true;
    }
    let Some(clock) = rest.strip_prefix(['T', 't', ' ']) else { return false };
    let clock = clock.strip_suffix(['Z', 'z']).map_or_else(
        || clock.rfind(['+', '-']).map_or((clock, ""), |place| clock.split_at(place)),
        |clock| (clock, ""),
    );
    let (time, zone) = clock;
    is_clock(time, true) && (zone.is_empty() || zone.get(1..).is_some_and(|zone| is_clock(zone, false)))
}

/// `HH:MM[:SS[.ffffff]]`.
fn is_clock(text: &str, may_have_fraction: bool) -> bool {
    let (text, fraction) = match text.split_once(['.', ',']) {
        Some((text, fraction)) => (text, Some(fraction)),
        None => (text, None),
    };
    let is_fraction = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !fraction.is_none_or(|digits| may_have_fraction && is_fraction(digits)) {
        return false;
    }
    let limits = [24, 60, 60];
    let parts: Vec<&str> = text.split(':').collect();
    (1..=3).contains(&parts.len())
        && parts
            .iter()
            .zip(limits)
            .all(|(part, limit)| part.len() == 2 && part.parse::<u8>().is_ok_and(|number| number < limit))
}
