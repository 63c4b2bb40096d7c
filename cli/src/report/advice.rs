//! The remedies under the letters by which a report calls them.

use idempotency::invariant::Invariant;
use idempotency_model::review::{Remedy, Review, Verdict};

/// The remedies of a review. Those to take together come first.
pub(super) struct Advice<'a> {
    review: &'a Review,
    /// Places in [`Review::remedies`].
    order: Vec<usize>,
    /// How many of them are to be taken together.
    taken: usize,
}

impl<'a> Advice<'a> {
    pub(super) fn of(review: &'a Review) -> Self {
        let mut order = review.mending.as_ref().map_or_else(Vec::new, |it| it.remedies.clone());
        let taken = order.len();
        let others = (0..review.remedies.len()).filter(|at| !order.contains(at));
        let others: Vec<_> = others.collect();
        order.extend(others);
        Self { review, order, taken }
    }

    /// Those to take together.
    pub(super) fn taken(&self) -> Vec<(String, &'a Remedy)> {
        (0..self.taken).map(|at| self.at(at)).collect()
    }

    /// Those that mend something too.
    pub(super) fn others(&self) -> Vec<(String, &'a Remedy)> {
        (self.taken..self.order.len()).map(|at| self.at(at)).collect()
    }

    fn at(&self, at: usize) -> (String, &'a Remedy) {
        (letter(at), &self.review.remedies[self.order[at]])
    }

    /// What mends an invariant: `Mended by A, or by D.`
    pub(super) fn on(&self, invariant: Invariant) -> String {
        let mends = |at: &usize| self.at(*at).1.mends.contains(&invariant);
        let letters: Vec<_> = (0..self.order.len()).filter(mends).map(letter).collect();
        if letters.is_empty() {
            return match self.review.mending {
                Some(_) => "No change that was tried mends it.".into(),
                None => "Changes that mend it were not looked for.".into(),
            };
        }
        format!("Mended by {}.", letters.join(", or by "))
    }

    /// What is true of the contract with all that is to be taken.
    pub(super) fn together(&self) -> String {
        let Some(mending) = &self.review.mending else {
            return "Changes that mend it were not looked for.".into();
        };
        let with = if self.taken == 1 { "With it" } else { "With all of them" };
        let mut text = match mending.together {
            _ if self.taken == 0 => return "No change that was tried mends any of it.".into(),
            None => "Together they are no contract, since some contradict one another: make those that matter most, and \
                     review again."
                .to_owned(),
            Some(Verdict::Holds) => format!("{with} the contract holds: that was searched."),
            Some(Verdict::Unknown) => {
                format!("{with} nothing is broken, and something stays unknown: that was searched.")
            }
            Some(Verdict::Violated) => {
                let verb = if mending.broken.len() == 1 { "is" } else { "are" };
                format!("{with} {} {verb} still broken: that was searched.", super::ids(&mending.broken))
            }
        };
        if !mending.left.is_empty() {
            text += &format!(" For {} nothing was found that goes with this.", super::ids(&mending.left));
        }
        text
    }
}

/// `A` to `Z`, then `AA`, `AB` and so on.
fn letter(at: usize) -> String {
    let last = char::from(b'A' + (at % 26) as u8);
    if at < 26 { last.to_string() } else { letter(at / 26 - 1) + &last.to_string() }
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn letters_do_not_end() {
        assert_eq!([0, 25, 26, 53].map(letter), ["A", "Z", "AA", "BB"]);
    }
}
