//! Chats rendered by a template (`formats-other.md` §11): role marks part the text. The template's own structure says which
//! marks are marks: a segment ends at an end mark behind which another segment or nothing follows, so that role marks
//! within an observation part nothing.
//!
//! Never here: what a segment's text means.

use super::dialogue::{self, CallResult, Response, Said};
use super::json::lenient::content;
use super::messages::Role;
use super::text_calls::{self, json_calls, made};
use super::{Evidence, Format, Read, Sniff, json};
use crate::model::{Problem, TaskKind, Termination, Trajectory, Weight};
use serde_json::Value;

/// Chats rendered by a template.
pub const FORMAT: Format = Format {
    name: "rendered-chat",
    written_by: "programs that save what a model was given: ChatML, Llama 3 and 4, Gemma, Granite, Phi, Zephyr, GLM, Mistral, Vicuna, Harmony",
    files: "*.txt",
    lacks: &[
        "instance, model, outcome, exit status, times, tokens",
        "calls, where the template has no place for them",
        "thoughts of earlier turns, where the template drops them",
    ],
    evidence: Evidence::Logs,
    task_kind: Some(TaskKind::Chat),
    is_rows: false,
    sniff: Sniff::Text(is_chat),
    read: |input| read(input.bytes()),
};

/// A template whose segments are `open ROLE close TEXT end`.
struct Frame {
    open: &'static str,
    close: &'static str,
    ends: &'static [&'static str],
    /// Every segment has an end; else only those of roles that show one.
    is_strict: bool,
}

const FRAMES: [Frame; 8] = [
    Frame { open: "<|im_start|>", close: "<|im_sep|>", ends: &["<|im_end|>"], is_strict: true },
    Frame { open: "<|im_start|>", close: "\n", ends: &["<|im_end|>"], is_strict: true },
    Frame {
        open: "<|start_header_id|>",
        close: "<|end_header_id|>",
        ends: &["<|eot_id|>", "<|eom_id|>"],
        is_strict: true,
    },
    Frame {
        open: "<|header_start|>",
        close: "<|header_end|>",
        ends: &["<|eot|>", "<|eom|>"],
        is_strict: true,
    },
    Frame { open: "<start_of_turn>", close: "\n", ends: &["<end_of_turn>"], is_strict: true },
    Frame {
        open: "<|start_of_role|>",
        close: "<|end_of_role|>",
        ends: &["<|end_of_text|>"],
        is_strict: true,
    },
    Frame {
        open: "<|start|>",
        close: "<|message|>",
        ends: &["<|end|>", "<|return|>", "<|call|>"],
        is_strict: true,
    },
    Frame { open: "<|", close: "|>", ends: &["<|end|>", "</s>", "<|endoftext|>"], is_strict: false },
];

/// Marks that begin or end a text and part nothing.
const FILLERS: [&str; 9] = [
    "<s>",
    "</s>",
    "<bos>",
    "<eos>",
    "<|begin_of_text|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "[gMASK]",
    "<sop>",
];

/// Longest header: a role, a recipient and a channel.
const HEADER: usize = 200;

/// Whether a text is a chat by more than a mark at its beginning: a log may quote one.
fn is_chat(text: &str) -> bool {
    let Some(template) = Template::of(text) else { return false };
    // The segments of a window that holds a long prompt may not reach to the first response.
    let is_window = text.len() + 4 > super::TEXT_WINDOW;
    let segments = template.segments(text);
    let has = |of_model: bool| segments.iter().any(|segment| (segment.role == Role::Model) == of_model);
    let is_asked_and_answered = (has(true) && has(false)) || is_window;
    is_asked_and_answered && template.is_marked(text)
}

/// How a text was rendered.
enum Template {
    Framed(&'static Frame),
    /// `[INST] … [/INST] … </s>`.
    Inst,
    /// `USER: … ASSISTANT: …</s>`.
    Named,
}

/// What stands between two marks.
#[derive(Debug, PartialEq)]
struct Segment<'t> {
    role: Role,
    /// Channel and recipient, where the template has them.
    header: &'t str,
    text: &'t str,
    is_closed: bool,
}

impl Template {
    /// The template of a text that begins with one of its marks.
    fn of(text: &str) -> Option<Template> {
        let start = skip_fillers(text);
        if let Some(frame) = FRAMES.iter().find(|frame| frame.header(start).is_some()) {
            return Some(Template::Framed(frame));
        }
        let starts = |marks: &[&str]| marks.iter().any(|mark| start.starts_with(mark));
        if starts(&["[INST]", "[SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]"]) && start.contains("[/INST]") {
            return Some(Template::Inst);
        }
        if starts(&["USER:", "SYSTEM:", "A chat between"])
            && let (Some(user), Some(model)) = (start.find("USER:"), start.find("ASSISTANT:"))
            && user < model
        {
            return Some(Template::Named);
        }
        None
    }

    /// Templates of plain words and brackets also write the marks of the model's vocabulary, or begin with a sentence of their
    /// own.
    fn is_marked(&self, text: &str) -> bool {
        let begins = |mark: &str| text.trim_start().starts_with(mark);
        match self {
            Template::Framed(_) => true,
            Template::Inst | Template::Named => {
                begins("<s>") || begins("A chat between") || text.contains("</s>")
            }
        }
    }

    fn segments<'t>(&self, text: &'t str) -> Vec<Segment<'t>> {
        let start = skip_fillers(text);
        match self {
            Template::Framed(frame) => frame.segments(start),
            Template::Inst => inst(start),
            Template::Named => named(start),
        }
    }
}

/// Most fillers in a row: a text of nothing else must not cost its square.
const FILLERS_IN_A_ROW: usize = 8;

/// The text behind blanks and fillers.
fn skip_fillers(text: &str) -> &str {
    let mut text = text.trim_start();
    for _ in 0..FILLERS_IN_A_ROW {
        let Some(rest) = FILLERS.iter().find_map(|filler| text.strip_prefix(filler)) else { break };
        text = rest.trim_start();
    }
    text
}

impl Frame {
    /// The header at the beginning of a text: role, header, and the length of all of it.
    fn header<'t>(&self, text: &'t str) -> Option<(Role, &'t str, usize)> {
        let inner = text.strip_prefix(self.open)?;
        let window = inner.get(..floor(inner, HEADER)).unwrap_or(inner);
        let end = window.find(self.close)?;
        let header = inner.get(..end).filter(|header| !header.contains('\n'))?;
        let word =
            header.split(|character: char| !(character.is_alphanumeric() || "_.-".contains(character)));
        let word = word.into_iter().next().unwrap_or_default();
        // Harmony calls the author of a result by the tool's name.
        let role = match Role::of(word) {
            Some(role) => role,
            None if word.starts_with("functions.") || header.contains("to=assistant") => Role::Result,
            None => return None,
        };
        if self.open == "<|" && header != word {
            return None;
        }
        Some((role, header, self.open.len() + end + self.close.len()))
    }

    /// A response of this template is gone on with in the text: an end mark, and another header.
    fn goes_on(&self, text: &str) -> bool {
        let Some((end, mark)) = self.ends.iter().filter_map(|mark| Some((text.find(mark)?, mark))).min()
        else {
            return false;
        };
        let rest = skip_fillers(text.get(end + mark.len()..).unwrap_or_default());
        self.is_strict && self.header(rest).is_some()
    }

    fn segments<'t>(&self, text: &'t str) -> Vec<Segment<'t>> {
        let mut ends: Vec<(usize, usize)> = Vec::new();
        for end in self.ends {
            ends.extend(text.match_indices(end).map(|(place, _)| (place, end.len())));
        }
        ends.sort_unstable();
        // An end counts where another segment or nothing follows.
        ends.retain(|(place, length)| {
            let rest = skip_fillers(text.get(place + length..).unwrap_or_default());
            rest.is_empty() || self.header(rest).is_some()
        });
        let is_header = |place: &usize| text.get(*place..).is_some_and(|rest| self.header(rest).is_some());
        let starts: Vec<usize> = if self.is_strict {
            Vec::new()
        } else {
            text.match_indices(self.open).map(|(place, _)| place).filter(is_header).collect()
        };
        let mut segments = Vec::new();
        // Whether segments of a role have an end mark, as the first of them tells.
        let mut has_end: Vec<(Role, bool)> = Vec::new();
        let mut place = 0;
        while let Some((role, header, length)) = text.get(place..).and_then(|rest| self.header(rest)) {
            let body = place + length;
            let next = starts.get(starts.partition_point(|start| *start < body)).copied();
            let known = has_end.iter().find(|(known, _)| *known == role).map(|(_, has_end)| *has_end);
            let has_end = known.unwrap_or_else(|| {
                let shown = next.is_none_or(|next| !self.lacks_end(text, next));
                has_end.push((role, shown));
                shown
            });
            let end = if has_end {
                ends.get(ends.partition_point(|(end, _)| *end < body)).copied()
            } else {
                next.map(|next| (next, 0))
            };
            let (until, length) = end.unwrap_or((text.len(), 0));
            let is_closed = end.is_some() || !has_end;
            segments.push(Segment {
                role,
                header,
                text: text.get(body..until).unwrap_or_default(),
                is_closed,
            });
            let after = text.get(until + length..).unwrap_or_default();
            place = text.len() - skip_fillers(after).len();
        }
        segments
    }

    /// No end mark stands right before this place.
    fn lacks_end(&self, text: &str, place: usize) -> bool {
        let before = text.get(..place).unwrap_or_default().trim_end();
        !self.ends.iter().any(|end| before.ends_with(end))
    }
}

/// The last place at or before `at` where a character begins.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// `[INST]` and its kin: what stands between an opening and its closing mark is not the model's, the rest is.
fn inst(text: &str) -> Vec<Segment<'_>> {
    const OPENINGS: [(&str, &str, Role); 4] = [
        ("[INST]", "[/INST]", Role::User),
        ("[TOOL_RESULTS]", "[/TOOL_RESULTS]", Role::Result),
        ("[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", Role::System),
        ("[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", Role::System),
    ];
    let opening = |text: &str| OPENINGS.iter().find(|(open, ..)| text.starts_with(open));
    let mut segments = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let Some((open, close, role)) = opening(rest) else {
            // A response ends where `</s>` is followed by another part or by nothing.
            let end = rest.match_indices("</s>").map(|(place, _)| place).find(|place| {
                let after = skip_fillers(rest.get(place + 4..).unwrap_or_default());
                after.is_empty() || opening(after).is_some()
            });
            let until = end.unwrap_or(rest.len());
            let text = rest.get(..until).unwrap_or_default();
            segments.push(Segment { role: Role::Model, header: "", text, is_closed: end.is_some() });
            rest = skip_fillers(rest.get(until..).unwrap_or_default());
            continue;
        };
        let inner = rest.get(open.len()..).unwrap_or_default();
        let end = inner.find(close);
        let until = end.unwrap_or(inner.len());
        let mut text = inner.get(..until).unwrap_or_default();
        if *role == Role::User
            && let Some((system, user)) = text.split_once("<</SYS>>")
        {
            let system = system.trim_start().trim_start_matches("<<SYS>>");
            segments.push(Segment { role: Role::System, header: "", text: system, is_closed: true });
            text = user;
        }
        segments.push(Segment { role: *role, header: "", text, is_closed: end.is_some() });
        rest = inner.get(until..).and_then(|rest| rest.strip_prefix(close)).unwrap_or_default().trim_start();
    }
    segments
}

/// `USER:` and `ASSISTANT:` in turn; a response ends at `</s>`, or where no `</s>` is written before the next `USER:`.
fn named(text: &str) -> Vec<Segment<'_>> {
    let has_ends = text.contains("</s>");
    let mut segments = Vec::new();
    let (before, mut rest) = text.split_once("USER:").unwrap_or((text, ""));
    let before = before.trim().trim_start_matches("SYSTEM:");
    if !before.is_empty() {
        segments.push(Segment { role: Role::System, header: "", text: before, is_closed: true });
    }
    while !rest.is_empty() {
        let Some((user, after)) = rest.split_once("ASSISTANT:") else {
            segments.push(Segment { role: Role::User, header: "", text: rest, is_closed: false });
            break;
        };
        segments.push(Segment { role: Role::User, header: "", text: user, is_closed: true });
        let end = if has_ends {
            after.match_indices("</s>").map(|(place, _)| place).find(|place| {
                let rest = skip_fillers(after.get(place + 4..).unwrap_or_default());
                rest.is_empty() || rest.starts_with("USER:")
            })
        } else {
            after
                .match_indices("USER:")
                .map(|(place, _)| place)
                .find(|place| after.get(..*place).is_some_and(|before| before.ends_with(['\n', ' '])))
        };
        let until = end.unwrap_or(after.len());
        let text = after.get(..until).unwrap_or_default();
        segments.push(Segment { role: Role::Model, header: "", text, is_closed: end.is_some() || !has_ends });
        rest = skip_fillers(after.get(until..).unwrap_or_default());
        rest = rest.strip_prefix("USER:").unwrap_or(rest);
    }
    segments
}

/// A text that decoders stripped of its marks: role words stand on lines of their own. A result in tags ends at its tag.
fn stripped(text: &str) -> Vec<Segment<'_>> {
    let mut heads: Vec<(usize, usize, Role)> = Vec::new();
    let mut place = 0;
    let mut before = "";
    for line in text.split_inclusive('\n') {
        let role = match line.trim_end() {
            "system" => Some(Role::System),
            "user" => Some(Role::User),
            "tool" => Some(Role::Result),
            "assistant" => Some(Role::Model),
            _ => None,
        };
        let last = heads.last().copied();
        // Responses are asked for after what is no response, and the other way about.
        let fits = match (last, role) {
            (_, None) => false,
            (None, Some(role)) => place == 0 && role != Role::Model,
            (Some((_, _, Role::Model)), Some(role)) => matches!(role, Role::User | Role::Result),
            (Some((_, body, _)), Some(Role::Model)) => {
                let opens = text
                    .get(body..place)
                    .is_some_and(|said| said.trim_start().starts_with("<tool_response>"));
                !opens || before.trim_end().ends_with("</tool_response>")
            }
            (Some((_, _, last)), Some(role)) => last == Role::System && role == Role::User,
        };
        if let (true, Some(role)) = (fits, role) {
            heads.push((place, place + line.len(), role));
        }
        if !line.trim().is_empty() {
            before = line;
        }
        place += line.len();
    }
    let ends = heads.iter().skip(1).map(|(start, ..)| *start).chain([text.len()]);
    let segment = |((_, body, role), end): (&(usize, usize, Role), usize)| {
        let text = text.get(*body..end).unwrap_or_default();
        // A role word with nothing behind it asks for a response.
        Segment { role: *role, header: "", text, is_closed: !text.trim().is_empty() }
    };
    heads.iter().zip(ends).map(segment).collect()
}

/// A prompt and what followed it.
#[derive(Debug)]
pub struct Continued {
    /// What the prompt says.
    pub before: Vec<Said>,
    /// What the model and its environment said then.
    pub after: Vec<Said>,
}

/// What a rendered prompt and the text after it say. Where neither holds a mark, the text after it is one response.
pub fn continued(prompt: &str, completion: &str) -> Continued {
    let text = format!("{prompt}{completion}");
    if Template::of(&text).is_none()
        && let Some(frame) = FRAMES.iter().find(|frame| frame.goes_on(completion))
    {
        // The prompt is kept elsewhere: its last mark is put back, so that the first response begins where it does.
        let close = if completion.starts_with("<|channel|>") { "" } else { frame.close };
        let head = format!("{}assistant{close}", frame.open);
        return continued(&head, completion);
    }
    let segments = match Template::of(&text) {
        Some(template) => template.segments(&text),
        None => stripped(&text),
    };
    if segments.is_empty() {
        let response = Response { text: completion.trim().to_owned(), ..Response::default() };
        let before = Some(prompt.trim()).filter(|prompt| !prompt.is_empty());
        return Continued {
            before: before.map(|prompt| Said::User(prompt.to_owned())).into_iter().collect(),
            after: vec![Said::Response(response)],
        };
    }
    // A segment that ends behind the prompt is not the prompt's, though its mark may stand there.
    let is_given = |segment: &&Segment<'_>| {
        let start = segment.text.as_ptr() as usize - text.as_ptr() as usize;
        start < prompt.trim_end().len() && start + segment.text.len() <= prompt.len()
    };
    let count = segments.iter().take_while(is_given).count();
    let (before, after) = segments.split_at(count);
    Continued { before: said_by(before), after: said_by(after) }
}

/// What a rendered text says; `None` where it begins with no mark of a known template.
fn said(text: &str) -> Option<Vec<Said>> {
    Some(said_by(&Template::of(text)?.segments(text)))
}

fn said_by(segments: &[Segment<'_>]) -> Vec<Said> {
    let has_results = segments.iter().any(|segment| segment.role == Role::Result);
    let mut said = Vec::new();
    let last = segments.len().saturating_sub(1);
    for (place, segment) in segments.iter().enumerate() {
        let text = segment.text.trim();
        match segment.role {
            Role::System => said.push(Said::System(text.to_owned())),
            Role::User => said.push(Said::User(text.to_owned())),
            Role::Result => said.extend(results(text)),
            // The prompt for a response that was never written is no response.
            Role::Model if text.is_empty() && !segment.is_closed && place == last => {}
            Role::Model => said.push(Said::Response(response(segment, text, has_results))),
        }
    }
    said
}

fn response(segment: &Segment<'_>, text: &str, has_results: bool) -> Response {
    let mut response = Response { is_cut: !segment.is_closed, ..Response::default() };
    let Some((author, channel)) = segment.header.split_once("<|channel|>") else {
        // Llama's templates write a call as bare JSON.
        if has_results
            && text.starts_with('{')
            && let Some(calls) = json_calls(text)
        {
            response.calls = calls.into_iter().map(|call| (call, None)).collect();
        }
        response.text = text.to_owned();
        return response;
    };
    response.joins = true;
    let recipient = [author, channel].into_iter().find_map(|part| part.split_once("to=")).map(|(_, to)| to);
    let recipient = recipient.and_then(|to| to.split(|end: char| end.is_whitespace() || end == '<').next());
    if let Some(name) = recipient.filter(|name| !name.is_empty()) {
        let name = name.strip_prefix("functions.").unwrap_or(name);
        response.calls.push((made(name, Some(&Value::String(text.to_owned()))), None));
    } else if channel.starts_with("analysis") {
        response.reasoning = Some(text.to_owned());
    } else {
        response.text = text.to_owned();
    }
    response
}

/// Results: Mistral's are JSON, with one or several contents.
fn results(text: &str) -> Vec<Said> {
    let one = |text: Option<String>| Said::Result(CallResult { text, ..CallResult::default() });
    if let Some((_, text)) = text.split_once("[TOOL_CONTENT]") {
        return vec![one(Some(text.to_owned()))];
    }
    if text.starts_with(['{', '['])
        && let Ok(value) = serde_json::from_str::<Value>(text)
    {
        let values = match &value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        if !values.is_empty() && values.iter().all(|value| value.get("content").is_some()) {
            return values.iter().map(|value| one(content(value.get("content")))).collect();
        }
    }
    text_calls::results(text).into_iter().map(|part| one(Some(part.to_owned()))).collect()
}

fn read(bytes: &[u8]) -> Read {
    let mut read = Read::default();
    let text = match std::str::from_utf8(json::without_mark(bytes)) {
        Ok(text) => std::borrow::Cow::Borrowed(text),
        Err(fault) => {
            let place = format!("byte {}", fault.valid_up_to());
            let what = "bytes that are no UTF-8 were replaced";
            read.problems.push(Problem::new(Weight::Repaired, place, what));
            String::from_utf8_lossy(bytes)
        }
    };
    let Some(said) = said(&text) else { return read };
    let mut run = Trajectory::new(FORMAT.name, "chat");
    run.can_submit = false;
    let is_cut = matches!(said.last(), Some(Said::Response(response)) if response.is_cut);
    dialogue::fill(&mut run, said);
    dialogue::end(&mut run);
    run.steps = Some(run.turns.len() as i64);
    if is_cut {
        run.termination = Termination::Incomplete;
        read.problems.push(Problem::new(
            Weight::Note,
            "",
            "the last response has no end mark: it was cut off",
        ));
    }
    let is_empty = |turn: &&crate::model::Turn| turn.calls.is_empty() && turn.text.is_empty();
    let empty = run.turns.iter().filter(is_empty).count();
    if empty > 0 {
        let what = format!("{empty} responses are empty: the template drops calls");
        read.problems.push(Problem::new(Weight::Note, "", what));
    }
    read.trajectories.push(run);
    read
}
