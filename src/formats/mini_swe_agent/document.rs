//! `info`, its settings and the list of messages.

use super::message::{Message, Messages};
use crate::formats::json::{Fields, Items, Object, Raw, Shape, Text, skip};
use crate::formats::{Level, UnknownKeys};
use crate::model::{Problem, Weight};
use serde::de::{DeserializeSeed, MapAccess};

/// A file.
#[derive(Default)]
pub struct Document<'a> {
    pub info: Info,
    pub config: Config,
    pub messages: Vec<Message<'a>>,
    pub instance_id: Option<String>,
    pub problems: Vec<Problem>,
    pub unknown_keys: UnknownKeys,
    seen: Vec<&'static str>,
}

/// `info`.
#[derive(Default)]
pub struct Info {
    pub exit_status: Option<String>,
    pub submission: Option<String>,
    pub version: Option<String>,
    pub api_calls: Option<i64>,
    pub cost: Option<f64>,
}

/// Settings: of the agent, the model and the environment; each may be a mere name in files of others.
#[derive(Default)]
pub struct Config {
    pub model: Option<String>,
    pub cwd: Option<String>,
    pub step_limit: Option<f64>,
    pub cost_limit: Option<f64>,
    pub action_pattern: Option<String>,
}

impl<'a> Document<'a> {
    /// Reads a text; what stands before a fault is kept.
    pub fn decode(&mut self, text: &'a str) -> serde_json::Result<()> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        Fields(self).deserialize(&mut deserializer).and_then(|_| deserializer.end())
    }

    fn note_repetition(&mut self, key: &str) {
        let Some(known) = ["info", "messages"].into_iter().find(|known| *known == key) else { return };
        if self.seen.contains(&known) {
            let what = format!("the key `{known}` stands twice: the last one counts");
            self.problems.push(Problem::new(Weight::Repaired, "", what));
        }
        self.seen.push(known);
    }
}

impl<'de> Object<'de> for Document<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        self.note_repetition(key);
        match key {
            "info" => {
                self.info = Info::default();
                let mut fields = InfoFields {
                    info: &mut self.info,
                    config: &mut self.config,
                    unknown_keys: &mut self.unknown_keys,
                };
                map.next_value_seed(Fields(&mut fields)).map(|_| ())
            }
            "messages" => {
                self.messages.clear();
                let mut messages = Messages {
                    out: &mut self.messages,
                    problems: &mut self.problems,
                    unknown_keys: &mut self.unknown_keys,
                    seen: 0,
                };
                let shape = map.next_value_seed(Items(&mut messages))?;
                if let Shape::Wrong(what) = shape {
                    let what = format!("`messages` is {what}, no list: no turn can be read");
                    self.problems.push(Problem::new(Weight::Refused, "", what));
                }
                Ok(())
            }
            "instance_id" => {
                self.instance_id = map.next_value::<Text>()?.filled().map(str::to_owned);
                Ok(())
            }
            "trajectory_format" => skip(map),
            _ => {
                self.unknown_keys.count(Level::Top, key);
                skip(map)
            }
        }
    }
}

struct InfoFields<'s> {
    info: &'s mut Info,
    config: &'s mut Config,
    unknown_keys: &'s mut UnknownKeys,
}

impl<'de> Object<'de> for InfoFields<'_> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let owned = |text: Text<'de>| text.get().map(str::to_owned);
        match key {
            "exit_status" => self.info.exit_status = owned(map.next_value()?),
            "submission" => self.info.submission = owned(map.next_value()?),
            "mini_version" => self.info.version = owned(map.next_value()?),
            "model_stats" => return map.next_value_seed(Fields(&mut Stats(self.info))).map(|_| ()),
            "config" => return map.next_value_seed(Fields(&mut ConfigFields(self.config))).map(|_| ()),
            "traceback" => return skip(map),
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
            "instance_cost" => self.0.cost = raw.number(),
            "api_calls" => self.0.api_calls = raw.whole(),
            _ => {}
        }
        Ok(())
    }
}

struct ConfigFields<'s>(&'s mut Config);

impl<'de> Object<'de> for ConfigFields<'_> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "model" => {
                let raw = map.next_value::<Raw>()?;
                raw.fields(&mut PartFields(self.0));
                if let Some(name) = raw.text() {
                    self.0.model = Some(name.into_owned());
                }
                Ok(())
            }
            "agent" | "environment" => {
                map.next_value::<Raw>()?.fields(&mut PartFields(self.0));
                Ok(())
            }
            _ => skip(map),
        }
    }
}

/// Settings of one part; their names do not collide.
struct PartFields<'s>(&'s mut Config);

impl<'de> Object<'de> for PartFields<'_> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let filled = |text: Text<'de>| text.filled().map(str::to_owned);
        match key {
            "model_name" => self.0.model = filled(map.next_value()?),
            "cwd" => self.0.cwd = filled(map.next_value()?),
            "action_regex" => self.0.action_pattern = filled(map.next_value()?),
            "step_limit" => self.0.step_limit = limit(map.next_value()?),
            "cost_limit" => self.0.cost_limit = limit(map.next_value()?),
            _ => return skip(map),
        }
        Ok(())
    }
}

/// A limit; 0 means none.
fn limit(raw: Raw<'_>) -> Option<f64> {
    raw.number().filter(|limit| *limit > 0.0)
}
