//! Paths: a path that a command names becomes a path from the repository's root where that is known, so that one
//! file has one name in the whole trajectory.
//!
//! Never looks at a disk: `..` and `.` are taken away by spelling alone.

/// Where paths are read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base<'a> {
    /// Repository root, absolute.
    pub root: Option<&'a str>,
    /// Working directory: absolute, or from an unknown start (then empty at that start).
    pub cwd: &'a str,
}

impl Base<'_> {
    /// The one name of a file; `None` for a text that names none.
    pub fn file(self, typed: &str) -> Option<String> {
        let whole = self.absolute(typed)?;
        Some(from_root(&whole, self.root))
    }

    /// The path without `.` and `..`, absolute where the working directory is.
    pub fn absolute(self, typed: &str) -> Option<String> {
        let typed = typed.trim();
        if typed.is_empty() || typed == "-" || typed.contains(['\n', '\0']) {
            return None;
        }
        let home = typed == "~" || typed.starts_with("~/");
        if typed.starts_with('/') || home {
            return Some(plain(typed));
        }
        Some(plain(&format!("{}/{typed}", self.cwd)).trim_start_matches("./").to_owned())
            .map(|path| if self.cwd.is_empty() { path.trim_start_matches('/').to_owned() } else { path })
            .map(|path| if path.is_empty() { ".".to_owned() } else { path })
    }
}

/// A path relative to the root: `.` for the root itself, absolute paths beyond it as they are.
pub(super) fn from_root(path: &str, root: Option<&str>) -> String {
    let Some(root) = root else { return path.to_owned() };
    match path.strip_prefix(root) {
        Some("" | "/") => ".".to_owned(),
        Some(rest) if root == "/" => rest.to_owned(),
        Some(rest) if rest.starts_with('/') => rest[1..].to_owned(),
        _ => path.to_owned(),
    }
}

/// Takes `.`, `..`, double and closing slashes away.
pub(super) fn plain(path: &str) -> String {
    if !path.ends_with('/') && !path.contains("//") && !path.contains("./") && !path.contains("/.") {
        return path.to_owned();
    }
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if absolute { format!("/{joined}") } else { joined }
}

/// The last part of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name without its last extension, and the extension.
pub(super) fn stem_and_extension(path: &str) -> (&str, &str) {
    match name(path).rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension),
        _ => (name(path), ""),
    }
}

/// Whether a path lies in a folder, or is it.
pub(super) fn is_within(path: &str, folder: &str) -> bool {
    match path.strip_prefix(folder) {
        Some(rest) => rest.is_empty() || rest.starts_with('/'),
        None => folder == "." && !path.starts_with(['/', '~']),
    }
}

/// Whether a text looks like a path rather than a word: it has a slash or an extension.
pub(super) fn looks_like_path(text: &str) -> bool {
    let extension = text.rsplit_once('.').map_or("", |(_, extension)| extension);
    let has_extension = !extension.is_empty()
        && extension.len() <= 8
        && extension.bytes().all(|b| b.is_ascii_alphanumeric())
        && extension.bytes().any(|b| b.is_ascii_alphabetic());
    text.contains('/') || has_extension || text == "."
}

/// Whether a shell would expand it into several names.
pub(super) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// Whether a name fits a glob of `*` and `?` (others stand for themselves).
pub(super) fn glob_fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, t));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == text[t] || pattern[p] == '?' && text[t] != '/') {
            p += 1;
            t += 1;
        } else if let Some((at, from)) = star {
            if text[from] == '/' {
                return false;
            }
            star = Some((at, from + 1));
            p = at + 1;
            t = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}
