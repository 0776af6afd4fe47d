//! What a format is recognised by: keys and first elements of a JSON value (`formats-swe.md` §0). The value is read only as
//! far as it takes to tell; long parts are skipped.

use super::json::{self, Element, Fields, Items, Object, Raw, Shape, Text, skip};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

/// Elements of a list that are looked at.
const LOOK: usize = 8;

/// The beginning of a file, as far as it tells what the file is.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The value is a list; its first elements.
    pub list: Option<ListHead>,
    /// Top-level keys, in order, as far as they were read.
    pub keys: Vec<String>,
    /// The list `trajectory`.
    pub trajectory: Option<ListHead>,
    /// The list `messages`.
    pub messages: Option<ListHead>,
    /// The list `history`.
    pub history: Option<ListHead>,
    /// The string `trajectory_format`.
    pub trajectory_format: Option<String>,
    /// The string `info.mini_version`.
    pub mini_version: Option<String>,
    /// `steps` is a number.
    pub steps_is_number: bool,
}

/// First elements of a list.
#[derive(Clone, Debug, Default)]
pub struct ListHead {
    /// It has no element.
    pub is_empty: bool,
    /// Keys of the first elements that are objects, without repetition.
    pub keys: Vec<String>,
}

impl ListHead {
    /// One of the first elements has this key.
    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }
}

impl Head {
    /// The top level has this key.
    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    /// Looks at a file; `None` where it does not begin as a JSON list or object.
    pub fn of(bytes: &[u8]) -> Option<Head> {
        let bytes = json::without_mark(bytes);
        if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
            return None;
        }
        // What stands before the first broken byte nearly always tells.
        let text = json::valid_start(bytes);
        let (head, is_sure) = look(text);
        if is_sure {
            return Some(head);
        }
        match json::repaired(text) {
            Some(repaired) => Some(look(&repaired).0),
            None => Some(head),
        }
    }
}

/// Looks at a text, and whether a fault that is no end of it kept from seeing more.
fn look(text: &str) -> (Head, bool) {
    let mut looker = Looker::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let result = if text.trim_start().starts_with('[') {
        let mut list = ListLooker { stops: true, ..ListLooker::default() };
        let result = Items(&mut list).deserialize(&mut deserializer);
        looker.head.list = Some(list.head);
        looker.is_told |= list.is_told;
        result
    } else {
        Fields(&mut looker).deserialize(&mut deserializer)
    };
    let is_sure = looker.is_told || result.map_or_else(|fault| fault.is_eof(), |_| true);
    (looker.head, is_sure)
}

#[derive(Default)]
struct Looker {
    head: Head,
    /// Enough was seen: the reading was stopped on purpose.
    is_told: bool,
}

impl Looker {
    fn stop<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.is_told = true;
        Err(E::custom("enough was seen"))
    }
}

impl<'de> Object<'de> for Looker {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if !self.head.has(key) {
            self.head.keys.push(key.to_owned());
        }
        match key {
            "trajectory" => {
                let (list, result) = self.list(map, true);
                self.head.trajectory = list;
                // A list of steps beats every other key (two files of CodeR have `messages` beside it).
                if self.head.trajectory.is_some() { self.stop() } else { result }
            }
            "messages" => {
                // A version of mini-swe-agent says all: the long list that follows need not be skipped.
                let stops = self.head.mini_version.is_some() || self.head.trajectory_format.is_some();
                let (list, result) = self.list(map, stops);
                self.head.messages = list;
                result
            }
            "history" => {
                let (list, result) = self.list(map, false);
                self.head.history = list;
                result
            }
            "trajectory_format" => {
                self.head.trajectory_format = map.next_value::<Text>()?.get().map(str::to_owned);
                Ok(())
            }
            "info" => map.next_value_seed(Fields(&mut InfoLooker(&mut self.head))).map(|_| ()),
            "steps" => {
                self.head.steps_is_number = map.next_value::<Raw>()?.whole().is_some();
                Ok(())
            }
            _ => skip(map),
        }
    }
}

impl Looker {
    /// Looks at a list; what was seen of one that is cut off counts too.
    fn list<'de, A: MapAccess<'de>>(
        &mut self,
        map: &mut A,
        stops: bool,
    ) -> (Option<ListHead>, Result<(), A::Error>) {
        let mut list = ListLooker { stops, ..ListLooker::default() };
        let shape = map.next_value_seed(Items(&mut list));
        self.is_told |= list.is_told;
        let is_list = matches!(shape, Ok(Shape::Right)) || list.is_told || !list.head.keys.is_empty();
        (is_list.then_some(list.head), shape.map(|_| ()))
    }
}

struct InfoLooker<'h>(&'h mut Head);

impl<'de> Object<'de> for InfoLooker<'_> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if key != "mini_version" {
            return skip(map);
        }
        self.0.mini_version = map.next_value::<Text>()?.get().map(str::to_owned);
        Ok(())
    }
}

#[derive(Default)]
struct ListLooker {
    head: ListHead,
    seen: usize,
    /// Stop after the first elements.
    stops: bool,
    is_told: bool,
}

impl<'de> Element<'de> for ListLooker {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        if self.seen == LOOK {
            if self.stops {
                self.is_told = true;
                return Err(serde::de::Error::custom("enough was seen"));
            }
            return Ok(list.next_element::<serde::de::IgnoredAny>()?.is_some());
        }
        let mut keys = KeyLooker(&mut self.head.keys);
        let found = list.next_element_seed(Fields(&mut keys))?.is_some();
        self.head.is_empty = !found && self.seen == 0;
        self.seen += usize::from(found);
        Ok(found)
    }
}

struct KeyLooker<'h>(&'h mut Vec<String>);

impl<'de> Object<'de> for KeyLooker<'_> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if !self.0.iter().any(|known| known == key) {
            self.0.push(key.to_owned());
        }
        skip(map)
    }
}
