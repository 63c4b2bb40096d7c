//! The word that was meant.

/// The candidate that `word` was most likely meant to be, if any is near enough: one slip in three letters. Candidates are
/// in lower case, with hyphens.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = plain(word);
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= slips(&word, candidate) || is_part(&word, candidate))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// How many slips lie between a word and a candidate: letters too many, missing, wrong or swapped.
pub(super) fn distance(word: &str, candidate: &str) -> usize {
    strsim::damerau_levenshtein(&plain(word), candidate)
}

fn slips(word: &str, candidate: &str) -> usize {
    (word.chars().count().max(candidate.chars().count()) / 3).max(1)
}

/// Whether a word is the beginning of a candidate, or one of its parts: `stage` of `by-stage`.
fn is_part(word: &str, candidate: &str) -> bool {
    word.len() >= 3 && (candidate.starts_with(word) || candidate.split('-').any(|part| part == word))
}

/// Case, underscores and spaces are no slips. Cut where it is far longer than any word of a contract.
fn plain(word: &str) -> String {
    word.trim()
        .chars()
        .take(64)
        .flat_map(char::to_lowercase)
        .map(|c| if c == '_' || c == ' ' { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_wins_and_a_far_one_is_none() {
        let words = ["retention", "reservation", "routes"];
        assert_eq!(closest("retension", words), Some("retention"));
        assert_eq!(closest("Reservation_", words), Some("reservation"));
        assert_eq!(closest("ret", words), Some("retention"));
        assert_eq!(closest("stage", ["never", "by-stage"]), Some("by-stage"));
        assert_eq!(closest("supplier", words), None);
    }
}
