//! Words that live as long as the program. Tags and behaviours name themselves by constants; the codes of user rules come
//! from files, are few, and are kept once each, so that both are the same type.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The word as one that lives on: equal words give the same one.
pub fn kept(word: &str) -> &'static str {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept.get(word) {
        return found;
    }
    let word: &'static str = Box::leak(word.to_owned().into_boxed_str());
    kept.insert(word);
    word
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn equal_words_are_kept_once() {
        assert!(std::ptr::eq(kept("ruff_check"), kept(&["ruff", "_check"].concat())));
        assert_eq!(kept("a"), "a");
    }
}
