//! The name that was meant.

/// The name that `word` was most likely meant to be, if any is near enough: one slip in three letters.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let slips = |name: &str| strsim::damerau_levenshtein(&word, name);
    let near = |name: &&str| {
        slips(name) <= (word.chars().count().max(name.len()) / 3).max(1)
            || word.len() >= 3 && (name.starts_with(&word) || name.split('-').any(|part| part == word))
    };
    names.into_iter().filter(near).min_by_key(|name| slips(name))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_found_and_a_far_one_is_none() {
        let names = ["lost-answer", "crash", "pause"];
        assert_eq!(nearest("puase", names), Some("pause"));
        assert_eq!(nearest("answer", names), Some("lost-answer"));
        assert_eq!(nearest("CRASH", names), Some("crash"));
        assert_eq!(nearest("nothing-like-this", names), None);
    }
}
