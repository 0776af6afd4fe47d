//! What SWE-agent wrote, as far as it is needed: steps, `info`, the first prompt, a few settings. Everything else is skipped
//! undecoded: `query`, `messages` and `history` are three quarters of a file.

use crate::formats::json::{Content, Element, Fields, Items, Object, Raw, Shape, Text, skip};
use crate::formats::{Level, UnknownKeys};
use crate::model::{Problem, Weight};
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess};
use std::borrow::Cow;

/// A file.
#[derive(Default)]
pub struct Document<'a> {
    /// Steps that are objects, in order.
    pub steps: Vec<Step<'a>>,
    /// Elements of `trajectory`, those of a wrong shape too.
    pub steps_seen: usize,
    /// `trajectory` is a list.
    pub saw_steps: bool,
    pub info: Info,
    pub config: Config,
    pub prompt: Prompt,
    pub problems: Vec<Problem>,
    pub unknown_keys: UnknownKeys,
    seen: Vec<&'static str>,
}

/// A step.
#[derive(Default)]
pub struct Step<'a> {
    /// Its number among all elements.
    pub number: usize,
    pub action: Text<'a>,
    pub observation: Text<'a>,
    pub response: Text<'a>,
    pub thought: Text<'a>,
    pub state: State<'a>,
    /// Seconds.
    pub execution_time: Option<f64>,
    pub has_query: bool,
    pub has_messages: bool,
}

/// The state of the shell after a step.
#[derive(Default)]
pub struct State<'a> {
    /// It says something.
    pub is_filled: bool,
    pub working_dir: Option<Cow<'a, str>>,
    pub open_file: Option<Cow<'a, str>>,
    /// The diff of the work tree, undecoded.
    pub diff: Option<Raw<'a>>,
}

/// `info`.
#[derive(Default)]
pub struct Info {
    pub exit_status: Option<String>,
    pub submission: Option<String>,
    pub version: Option<String>,
    pub api_calls: Option<i64>,
    pub cost: Option<f64>,
    pub tokens_sent: Option<i64>,
    pub tokens_received: Option<i64>,
    unknown_keys: UnknownKeys,
}

/// Settings that `replay_config` holds.
#[derive(Default)]
pub struct Config {
    pub model: Option<String>,
    pub repository: Option<String>,
}

/// System prompt and task of the first prompt.
#[derive(Default)]
pub struct Prompt {
    pub system: Option<String>,
    pub task: Option<String>,
}

impl<'a> Document<'a> {
    /// Reads a text; what stands before a fault is kept.
    pub fn decode(&mut self, text: &'a str) -> serde_json::Result<()> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let result = Fields(self).deserialize(&mut deserializer).and_then(|_| deserializer.end());
        let unknown = std::mem::take(&mut self.info.unknown_keys);
        self.unknown_keys.0.extend(unknown.0);
        result
    }

    /// Of a key that stands twice the last value counts, as in Python.
    fn note_repetition(&mut self, key: &str) {
        let known =
            ["trajectory", "info", "history", "replay_config"].into_iter().find(|known| *known == key);
        let Some(known) = known else { return };
        if self.seen.contains(&known) {
            let what = format!("the key `{known}` stands twice: the last one counts");
            self.problems.push(Problem::new(Weight::Repaired, "", what));
        }
        self.seen.push(known);
    }

    fn set_config(&mut self, raw: Raw<'_>) {
        // 1.x writes the settings as a string that holds JSON; files made by hand as an object.
        let shape = match raw.text() {
            Some(text) => match serde_json::from_str::<Raw>(&text) {
                Ok(inner) => inner.fields(&mut ConfigFields(&mut self.config)),
                Err(_) => Shape::Wrong("no JSON"),
            },
            None => raw.fields(&mut ConfigFields(&mut self.config)),
        };
        if shape == Shape::Wrong("no JSON") {
            self.problems.push(Problem::new(Weight::Note, "", "`replay_config` is no JSON: model not known"));
        }
    }
}

impl<'de> Object<'de> for Document<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        self.note_repetition(key);
        match key {
            "trajectory" => {
                self.steps.clear();
                self.steps_seen = 0;
                // Set first: a file that is cut in here is read up to the cut.
                self.saw_steps = true;
                let shape = map.next_value_seed(Items(&mut Steps(self)))?;
                self.saw_steps = shape == Shape::Right;
                Ok(())
            }
            "info" => {
                self.info = Info::default();
                map.next_value_seed(Fields(&mut self.info)).map(|_| ())
            }
            "history" => map.next_value_seed(Items(&mut Messages::new(&mut self.prompt))).map(|_| ()),
            "replay_config" => {
                let raw = map.next_value::<Raw>()?;
                self.set_config(raw);
                Ok(())
            }
            // The chosen attempt of a retrying agent is copied to the top: `attempts` would count it twice.
            "environment" | "messages" | "attempts" | "model_stats" => skip(map),
            _ => {
                self.unknown_keys.count(Level::Top, key);
                skip(map)
            }
        }
    }
}

struct Steps<'s, 'a>(&'s mut Document<'a>);

impl<'de> Element<'de> for Steps<'_, 'de> {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let document = &mut *self.0;
        let mut step = Step { number: document.steps_seen, ..Step::default() };
        let prompt = (document.steps_seen == 0).then_some(&mut document.prompt);
        let mut fields = StepFields { step: &mut step, prompt, unknown_keys: &mut document.unknown_keys };
        match list.next_element_seed(Fields(&mut fields))? {
            None => return Ok(false),
            Some(Shape::Right) => document.steps.push(step),
            Some(Shape::Wrong(what)) => {
                let place = format!("turn {}", document.steps_seen);
                let what = format!("the step is {what}, no object: it is left out");
                document.problems.push(Problem::new(Weight::Refused, place, what));
            }
        }
        document.steps_seen += 1;
        Ok(true)
    }
}

struct StepFields<'s, 'a> {
    step: &'s mut Step<'a>,
    /// Only the first prompt is looked at.
    prompt: Option<&'s mut Prompt>,
    unknown_keys: &'s mut UnknownKeys,
}

impl<'de> Object<'de> for StepFields<'_, 'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let step = &mut *self.step;
        match key {
            "action" => step.action = map.next_value()?,
            "observation" => step.observation = map.next_value::<Content>()?.0,
            "response" => step.response = map.next_value::<Content>()?.0,
            "thought" => step.thought = map.next_value()?,
            "state" => step.state = State::of(map.next_value()?),
            "execution_time" => step.execution_time = Some(map.next_value::<Raw>()?.number().unwrap_or(0.0)),
            "query" | "messages" => {
                step.has_query |= key == "query";
                step.has_messages |= key == "messages";
                return match self.prompt.as_deref_mut() {
                    Some(prompt) => map.next_value_seed(Items(&mut Messages::new(prompt))).map(|_| ()),
                    None => skip(map),
                };
            }
            "extra_info" => return skip(map),
            _ => {
                self.unknown_keys.count(Level::Step, key);
                return skip(map);
            }
        }
        Ok(())
    }
}

impl<'a> State<'a> {
    /// 0.x writes a string that holds JSON, 1.x an object.
    fn of(raw: Raw<'a>) -> State<'a> {
        let mut state = State::default();
        if let Shape::Right = raw.fields(&mut state) {
            return state;
        }
        let Some(text) = raw.text() else { return state };
        let mut inner = State::default();
        if let Ok(raw) = serde_json::from_str::<Raw>(&text) {
            raw.fields(&mut inner);
        }
        state.is_filled = inner.is_filled;
        state.working_dir = inner.working_dir.map(|text| Cow::Owned(text.into_owned()));
        state.open_file = inner.open_file.map(|text| Cow::Owned(text.into_owned()));
        state
    }
}

impl<'de> Object<'de> for State<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        self.is_filled = true;
        let known = |text: Text<'de>| match text {
            Text::Is(text) if !text.is_empty() && text != "n/a" => Some(text),
            _ => None,
        };
        match key {
            "working_dir" => self.working_dir = known(map.next_value()?),
            "open_file" => self.open_file = known(map.next_value()?),
            "diff" => self.diff = Some(map.next_value()?),
            _ => return skip(map),
        }
        Ok(())
    }
}

impl<'de> Object<'de> for Info {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let owned = |text: Text<'de>| text.get().map(str::to_owned);
        match key {
            "exit_status" => self.exit_status = owned(map.next_value()?),
            "submission" => self.submission = owned(map.next_value()?),
            "swe_agent_version" => self.version = owned(map.next_value()?),
            "model_stats" => return map.next_value_seed(Fields(&mut Stats(self))).map(|_| ()),
            "swe_agent_hash" | "swe_rex_version" | "swe_rex_hash" | "edited_files30" | "edited_files50"
            | "edited_files70" | "best_attempt_idx" | "rloop_model_stats" | "review" | "summarizer" => {
                return skip(map);
            }
            _ => {
                self.unknown_keys.count(Level::Info, key);
                return skip(map);
            }
        }
        Ok(())
    }
}

struct Stats<'s>(&'s mut Info);

impl<'de> Object<'de> for Stats<'_> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let raw = map.next_value::<Raw>()?;
        match key {
            // `total_cost` beside it grows over the whole process and is not this run's.
            "instance_cost" => self.0.cost = raw.number(),
            "api_calls" => self.0.api_calls = raw.whole(),
            "tokens_sent" => self.0.tokens_sent = raw.whole(),
            "tokens_received" => self.0.tokens_received = raw.whole(),
            _ => {}
        }
        Ok(())
    }
}

/// Looks for `agent.model.name` and `env.repo.repo_name`.
struct ConfigFields<'s>(&'s mut Config);

impl<'de> Object<'de> for ConfigFields<'_> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "agent" | "env" => map.next_value_seed(Fields(&mut ConfigFields(self.0))).map(|_| ()),
            "model" => {
                let mut name = Named { key: "name", value: None };
                map.next_value_seed(Fields(&mut name))?;
                self.0.model = name.value.or(self.0.model.take());
                Ok(())
            }
            "repo" => {
                let mut name = Named { key: "repo_name", value: None };
                map.next_value_seed(Fields(&mut name))?;
                self.0.repository = name.value.or(self.0.repository.take());
                Ok(())
            }
            _ => skip(map),
        }
    }
}

struct Named {
    key: &'static str,
    value: Option<String>,
}

impl<'de> Object<'de> for Named {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if key != self.key {
            return skip(map);
        }
        self.value = map.next_value::<Text>()?.filled().map(str::to_owned);
        Ok(())
    }
}

/// Looks for the first system message and the first user message that is no demonstration; skips what follows.
struct Messages<'s> {
    prompt: &'s mut Prompt,
    seen: usize,
}

/// The task stands among the first messages: system, demonstration, task.
const FIRST_MESSAGES: usize = 4;

impl<'s> Messages<'s> {
    fn new(prompt: &'s mut Prompt) -> Self {
        Messages { prompt, seen: 0 }
    }
}

impl<'de> Element<'de> for Messages<'_> {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let is_found = self.prompt.system.is_some() && self.prompt.task.is_some();
        if self.seen == FIRST_MESSAGES || is_found {
            return Ok(list.next_element::<IgnoredAny>()?.is_some());
        }
        let mut message = Message::default();
        if list.next_element_seed(Fields(&mut message))?.is_none() {
            return Ok(false);
        }
        self.seen += 1;
        match message.role.get() {
            Some("system") if self.prompt.system.is_none() => {
                self.prompt.system = message.content.0.get().map(str::to_owned);
            }
            Some("user") if self.prompt.task.is_none() && !message.is_demo => {
                self.prompt.task = message.content.0.get().map(str::to_owned);
            }
            _ => {}
        }
        Ok(true)
    }
}

#[derive(Default)]
struct Message<'a> {
    role: Text<'a>,
    content: Content<'a>,
    is_demo: bool,
}

impl<'de> Object<'de> for Message<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "role" => self.role = map.next_value()?,
            "content" => self.content = map.next_value()?,
            "is_demo" => self.is_demo = map.next_value::<Raw>()?.get() == "true",
            "message_type" => self.is_demo |= map.next_value::<Text>()?.get() == Some("demonstration"),
            _ => return skip(map),
        }
        Ok(())
    }
}
