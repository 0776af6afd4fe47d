//! The first keys of a JSON text, without decoding anything: enough to recognise an outcome file. Reads a bounded
//! window, stops at the keys of logs, never fails on broken text.

use memchr::memchr2;

/// Bytes that are looked at. Summaries of 2,294 instances begin with lists of some 90 kB.
pub const HEAD_BYTES: usize = 256 * 1024;
/// Keys that are kept at the top and one level below.
const MAX_ENTRIES: usize = 48;
const MAX_INNER: usize = 12;
/// Keys that only logs have at their top: the scan ends there, so that a log of megabytes costs nothing.
const LOG_KEYS: [&str; 5] = ["trajectory", "history", "messages", "info", "trajectory_format"];

/// One key at the top of a JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The key, escapes left as they are.
    pub key: &'a str,
    /// First byte of the value: `{`, `[`, `"`, `t`, `f`, `n`, `-` or a digit.
    pub value: u8,
    /// Keys of the value with the first byte of theirs, where it is an object.
    pub inner: Vec<(&'a str, u8)>,
    /// The same of its first element, where it is a list of objects. Lists of trials fill the window, so that nothing that
    /// comes after them is seen.
    pub element: Vec<(&'a str, u8)>,
}

/// The head of a JSON text: keys of its object, or of the first object of its list or lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonHead<'a> {
    /// Keys in order.
    pub entries: Vec<Entry<'a>>,
    /// The text is a list.
    pub is_list: bool,
    /// Another object follows: JSON lines.
    pub is_lines: bool,
    /// A key of a log was met: no outcome file.
    pub is_log: bool,
}

impl<'a> JsonHead<'a> {
    /// Scans the first bytes of a text.
    pub fn scan(bytes: &'a [u8]) -> JsonHead<'a> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut scanner = Scanner { bytes: &bytes[..bytes.len().min(HEAD_BYTES)], at: 0 };
        let mut head = JsonHead::default();
        if scanner.take(b'[') {
            head.is_list = true;
        }
        if scanner.take(b'{') && scanner.object(&mut head).is_some() && !head.is_list {
            head.is_lines = scanner.peek() == Some(b'{');
        }
        head
    }

    /// First byte of the value under a key.
    pub fn value(&self, key: &str) -> Option<u8> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.value)
    }

    /// True where the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// True where the key holds a list whose first element is an object with these keys.
    pub fn has_list_of(&self, key: &str, keys: &[&str]) -> bool {
        let entry = self.entries.iter().find(|entry| entry.key == key);
        entry.is_some_and(|entry| keys.iter().all(|key| entry.element.iter().any(|(name, _)| name == key)))
    }

    /// True where the key holds a list.
    pub fn has_list(&self, key: &str) -> bool {
        self.value(key) == Some(b'[')
    }
}

/// A position in the window; every step returns `None` where the text ends or is broken.
struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Reads an object whose `{` was taken. Entries that were complete stay, whatever comes after.
    fn object(&mut self, head: &mut JsonHead<'a>) -> Option<()> {
        loop {
            if self.take(b'}') {
                return Some(());
            }
            let key = self.key()?;
            // Rows of an evaluation keep the keys of their log, without the log.
            if LOG_KEYS.contains(&key) && self.peek()? != b'n' {
                head.is_log = true;
                return None;
            }
            if head.entries.len() == MAX_ENTRIES {
                return None;
            }
            head.entries.push(Entry { key, value: self.peek()?, inner: Vec::new(), element: Vec::new() });
            let entry = head.entries.last_mut().expect("an entry was pushed");
            if entry.value == b'[' {
                self.first_element(&mut entry.element);
            }
            self.value(&mut entry.inner)?;
            self.take(b',');
        }
    }

    /// Keys of the first element of a list of objects. The position stays where it is.
    fn first_element(&self, keys: &mut Vec<(&'a str, u8)>) {
        let mut ahead = Scanner { bytes: self.bytes, at: self.at };
        if ahead.take(b'[') && ahead.peek() == Some(b'{') {
            // Keys that stand before a cut are kept.
            let _ = ahead.value(keys);
        }
    }

    /// Skips a value, and keeps the keys of it where it is an object.
    fn value(&mut self, inner: &mut Vec<(&'a str, u8)>) -> Option<()> {
        if self.peek()? != b'{' {
            return self.skip();
        }
        self.at += 1;
        loop {
            if self.take(b'}') {
                return Some(());
            }
            let key = self.key()?;
            let first = self.peek()?;
            if inner.len() < MAX_INNER {
                inner.push((key, first));
            }
            self.skip()?;
            self.take(b',');
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Option<&'a str> {
        let key = self.string()?;
        self.take(b':').then_some(key)
    }

    /// A string without its quotes.
    fn string(&mut self) -> Option<&'a str> {
        if !self.take(b'"') {
            return None;
        }
        let start = self.at;
        loop {
            let stop = self.at + memchr2(b'"', b'\\', self.bytes.get(self.at..)?)?;
            if self.bytes[stop] == b'"' {
                self.at = stop + 1;
                return std::str::from_utf8(&self.bytes[start..stop]).ok();
            }
            self.at = stop + 2;
        }
    }

    /// Skips one value of any kind, by counting brackets outside strings.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
            // A bare word (`true`, `12`) goes on until something else begins.
            let ends = matches!(
                self.bytes.get(self.at),
                None | Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t')
            );
            let closed = matches!(self.bytes.get(self.at.wrapping_sub(1)), Some(b'"' | b'}' | b']'));
            if depth == 0 && (ends || closed) {
                return Some(());
            }
        }
    }

    /// The next byte that is no blank space.
    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }
}
