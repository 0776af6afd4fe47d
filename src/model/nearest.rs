//! The nearest known name of one that is not known, for messages.

/// `; did you mean …?`, or nothing where no name is known.
pub fn nearest_hint(name: &str, known: &[&str]) -> String {
    match known.iter().min_by_key(|candidate| edit_distance(name, candidate)) {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => String::new(),
    }
}

/// Levenshtein distance.
pub fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = i;
        let mut last = i + 1;
        for (j, b) in right.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or_default();
            let value = (diagonal + usize::from(a != *b)).min(last + 1).min(above + 1);
            diagonal = above;
            if let Some(slot) = row.get_mut(j) {
                *slot = last;
            }
            last = value;
        }
        if let Some(slot) = row.last_mut() {
            *slot = last;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_levenshtein() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("logs", "log"), 1);
    }

    #[test]
    fn the_nearest_name_is_named() {
        assert_eq!(nearest_hint("progam", &["path", "program"]), "; did you mean `program`?");
        assert_eq!(nearest_hint("x", &[]), "");
    }
}
