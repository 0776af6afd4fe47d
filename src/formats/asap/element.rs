//! One tag of a completion log with its attributes and what it holds. The text is a model's: nothing in it is escaped, and
//! an element ends at the closing tag behind which the protocol goes on.

/// Closing tags that are tried before the first of them is taken: a hostile text must not cost its square.
const TRIED: usize = 50;

/// An element.
#[derive(Debug, PartialEq)]
pub struct Element<'t> {
    /// Name of the tag.
    pub name: &'t str,
    /// Attributes, in order.
    pub attributes: Vec<(&'t str, &'t str)>,
    /// What stands between the tags.
    pub inner: &'t str,
    /// Bytes from the opening tag to behind the closing one.
    pub length: usize,
    /// The closing tag is there.
    pub is_closed: bool,
}

impl<'t> Element<'t> {
    /// The element at the beginning of a text, of a name that is asked for; `goes_on` says whether a text can follow it.
    pub fn at(
        text: &'t str,
        is_name: impl Fn(&str) -> bool,
        goes_on: impl Fn(&str) -> bool,
    ) -> Option<Element<'t>> {
        let rest = text.strip_prefix('<')?;
        let end = rest.find(|character: char| !(character.is_alphanumeric() || "_-".contains(character)));
        let name = rest.get(..end?)?;
        if name.is_empty() || !is_name(name) {
            return None;
        }
        let (attributes, behind) = attributes(rest.get(name.len()..)?)?;
        let open = text.len() - behind.len();
        if text.get(..open).is_some_and(|tag| tag.ends_with("/>")) {
            return Some(Element { name, attributes, inner: "", length: open, is_closed: true });
        }
        let close = format!("</{name}>");
        let mut places = behind.match_indices(&close).map(|(place, _)| place).take(TRIED);
        let first = places.next();
        let fits =
            |place: &usize| goes_on(behind.get(place + close.len()..).unwrap_or_default().trim_start());
        let found = first.filter(fits).or_else(|| places.find(fits)).or(first);
        let (inner, length, is_closed) = match found {
            Some(place) => (behind.get(..place).unwrap_or_default(), open + place + close.len(), true),
            None => (behind, text.len(), false),
        };
        Some(Element { name, attributes, inner, length, is_closed })
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'t str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Elements that make up all it holds; none where it holds text.
    pub fn children(&self) -> Vec<Element<'t>> {
        let mut children = Vec::new();
        let mut rest = self.inner.trim();
        while !rest.is_empty() {
            let follows = |text: &str| text.is_empty() || text.starts_with('<');
            let Some(child) = Element::at(rest, |_| true, follows) else { return Vec::new() };
            if !child.is_closed {
                return Vec::new();
            }
            rest = rest.get(child.length..).unwrap_or_default().trim_start();
            children.push(child);
        }
        children
    }
}

/// ` a="1" b='2'>`: attributes, and what stands behind the tag; `None` where the tag does not end.
fn attributes(text: &str) -> Option<(Vec<(&str, &str)>, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix("/>").or_else(|| rest.strip_prefix('>')) {
            return Some((found, behind));
        }
        let end = rest.find(|character: char| !(character.is_alphanumeric() || "_-".contains(character)))?;
        let name = rest.get(..end).filter(|name| !name.is_empty())?;
        rest = rest.get(end..)?.trim_start();
        let Some(value) = rest.strip_prefix('=') else {
            found.push((name, ""));
            continue;
        };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, behind) = value.get(1..)?.split_once(quote)?;
        found.push((name, value));
        rest = behind;
    }
}
