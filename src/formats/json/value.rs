//! Values of any shape: each takes what a writer may have put there, and says what it was not, so that one odd value
//! never loses its record.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Whether a value had the shape that was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It had.
    Right,
    /// It was something else.
    Wrong(&'static str),
}

/// What takes the fields of an object.
pub trait Object<'de> {
    /// Takes the value of a key, or skips it; exactly one value must be read from `map`.
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error>;
}

/// What takes the elements of a list.
pub trait Element<'de> {
    /// Takes the next element; false where there is none.
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error>;
}

/// Skips a value without building it.
pub fn skip<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(|_| ())
}

/// Reads an object into its taker; another value is skipped.
pub struct Fields<'s, T>(pub &'s mut T);

/// Reads a list into its taker; another value is skipped.
pub struct Items<'s, T>(pub &'s mut T);

impl<'de, T: Object<'de>> DeserializeSeed<'de> for Fields<'_, T> {
    type Value = Shape;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Shape, D::Error> {
        deserializer.deserialize_any(Shaped { object: Some(self.0), list: None::<&mut Nothing> })
    }
}

impl<'de, T: Element<'de>> DeserializeSeed<'de> for Items<'_, T> {
    type Value = Shape;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Shape, D::Error> {
        deserializer.deserialize_any(Shaped { object: None::<&mut Nothing>, list: Some(self.0) })
    }
}

/// Takes neither objects nor lists.
struct Nothing;

impl<'de> Object<'de> for Nothing {
    fn field<A: MapAccess<'de>>(&mut self, _: &str, map: &mut A) -> Result<(), A::Error> {
        skip(map)
    }
}

impl<'de> Element<'de> for Nothing {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        list.next_element::<IgnoredAny>().map(|element| element.is_some())
    }
}

struct Shaped<'s, O, L> {
    object: Option<&'s mut O>,
    list: Option<&'s mut L>,
}

impl<'de, O: Object<'de>, L: Element<'de>> Visitor<'de> for Shaped<'_, O, L> {
    type Value = Shape;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shape, A::Error> {
        let Some(object) = self.object else {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Shape::Wrong("an object"));
        };
        while let Some(Key(key)) = map.next_key()? {
            object.field(&key, &mut map)?;
        }
        Ok(Shape::Right)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Shape, A::Error> {
        let Some(taker) = self.list else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Shape::Wrong("a list"));
        };
        while taker.element(&mut list)? {}
        Ok(Shape::Right)
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<Shape, E> {
        Ok(Shape::Wrong("a string"))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Shape, E> {
        Ok(Shape::Wrong("true or false"))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Shape, E> {
        Ok(Shape::Wrong("a number"))
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Shape, E> {
        Ok(Shape::Wrong("a number"))
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Shape, E> {
        Ok(Shape::Wrong("a number"))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Shape, E> {
        Ok(Shape::Wrong("null"))
    }
}

/// A key, borrowed where it holds no escape.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Key<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a key")
            }

            fn visit_borrowed_str<E: de::Error>(self, key: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(key)))
            }

            fn visit_str<E: de::Error>(self, key: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(key.to_owned())))
            }
        }
        deserializer.deserialize_str(Keys)
    }
}

/// A text, or what stands in its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Text<'a> {
    /// The key is absent.
    #[default]
    Absent,
    /// The value is null.
    Null,
    /// A string.
    Is(Cow<'a, str>),
    /// Something else.
    Odd(&'static str),
}

impl<'a> Text<'a> {
    /// The string, where it is one.
    pub fn get(&self) -> Option<&str> {
        match self {
            Text::Is(text) => Some(text),
            _ => None,
        }
    }

    /// The string, where it is one and not blank.
    pub fn filled(&self) -> Option<&str> {
        self.get().filter(|text| !text.trim().is_empty())
    }

    /// The string, empty where it is none.
    pub fn or_empty(self) -> Cow<'a, str> {
        match self {
            Text::Is(text) => text,
            _ => Cow::Borrowed(""),
        }
    }

    /// What stands in the text's place, where that is neither a string nor null.
    pub fn odd(&self) -> Option<&'static str> {
        match self {
            Text::Odd(what) => Some(what),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor { parts: false })
    }
}

/// A text that may come as a string or as a list of parts (`[{"type": "text", "text": "…"}]`), whose texts are joined by
/// line breaks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content<'a>(pub Text<'a>);

impl<'de> Deserialize<'de> for Content<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor { parts: true }).map(Content)
    }
}

struct TextVisitor {
    /// A list of parts is a text too.
    parts: bool,
}

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text::Is(Cow::Borrowed(text)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text::Is(Cow::Owned(text.to_owned())))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Text<'de>, E> {
        Ok(Text::Null)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Text<'de>, E> {
        Ok(Text::Odd("true or false"))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Text<'de>, E> {
        Ok(Text::Odd("a number"))
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Text<'de>, E> {
        Ok(Text::Odd("a number"))
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Text<'de>, E> {
        Ok(Text::Odd("a number"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text::Odd("an object"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Text<'de>, A::Error> {
        if !self.parts {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Text::Odd("a list"));
        }
        let mut parts = Parts::default();
        while parts.element(&mut list)? {}
        Ok(Text::Is(Cow::Owned(parts.text)))
    }
}

/// Texts of a list of parts, joined.
#[derive(Default)]
struct Parts {
    text: String,
    any: bool,
}

impl Parts {
    fn push(&mut self, text: &str) {
        if self.any {
            self.text.push('\n');
        }
        self.any = true;
        self.text.push_str(text);
    }
}

impl<'de> Element<'de> for Parts {
    fn element<A: SeqAccess<'de>>(&mut self, list: &mut A) -> Result<bool, A::Error> {
        let Some(part) = list.next_element::<&RawValue>()? else { return Ok(false) };
        match part.get().as_bytes().first() {
            Some(b'"') => {
                if let Ok(text) = serde_json::from_str::<String>(part.get()) {
                    self.push(&text);
                }
            }
            Some(b'{') => {
                if let Ok(Part { text: Some(text) }) = serde_json::from_str::<Part>(part.get()) {
                    self.push(&text);
                }
            }
            _ => {}
        }
        Ok(true)
    }
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
}

/// A small value as it stands in the text, to be read as what is hoped for.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(transparent)]
pub struct Raw<'a>(#[serde(borrow)] pub &'a RawValue);

impl<'a> Raw<'a> {
    /// The text of the value.
    pub fn get(self) -> &'a str {
        self.0.get()
    }

    /// A finite number, in quotes or not: some writers quote them.
    pub fn number(self) -> Option<f64> {
        let digits = self.get().trim_matches('"').trim();
        digits.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// A whole number, in quotes or not.
    pub fn whole(self) -> Option<i64> {
        let digits = self.get().trim_matches('"').trim();
        let from_float = || self.number().filter(|number| number.fract() == 0.0 && number.abs() < 9e15);
        digits.parse().ok().or_else(|| from_float().map(|number| number as i64))
    }

    /// A point in time in UTC milliseconds, from Unix seconds.
    pub fn time(self) -> Option<i64> {
        // Before 2001 or after 2286 it is no time of a run, but a counter or a placeholder.
        let seconds = self.number().filter(|seconds| (1e9..1e10).contains(seconds))?;
        Some((seconds * 1000.0).round() as i64)
    }

    /// A text, where it is a string.
    pub fn text(self) -> Option<Cow<'a, str>> {
        match serde_json::from_str(self.get()) {
            Ok(Text::Is(text)) => Some(text),
            _ => None,
        }
    }

    /// Reads it as an object into its taker; what was taken before a fault stays.
    pub fn fields<T: Object<'a>>(self, taker: &mut T) -> Shape {
        let mut deserializer = serde_json::Deserializer::from_str(self.get());
        Fields(taker).deserialize(&mut deserializer).unwrap_or(Shape::Wrong("no JSON"))
    }

    /// Reads it as a list into its taker.
    pub fn items<T: Element<'a>>(self, taker: &mut T) -> Shape {
        let mut deserializer = serde_json::Deserializer::from_str(self.get());
        Items(taker).deserialize(&mut deserializer).unwrap_or(Shape::Wrong("no JSON"))
    }
}
