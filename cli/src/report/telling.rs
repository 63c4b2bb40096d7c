//! Which stories a report tells. One whose steps were told before is not told again.

use idempotency::invariant::Invariant;
use idempotency_model::review::{Review, Verdict};
use idempotency_model::story::Story;

/// The story of one broken invariant.
pub(super) struct Telling<'a> {
    pub(super) invariant: Invariant,
    pub(super) story: &'a Story,
    pub(super) how: How,
    /// In how many more scenarios the invariant breaks, and one of them.
    pub(super) others: (usize, &'a str),
}

/// How a story is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// From the beginning.
    Whole,
    /// It is the story of another invariant, which was told.
    Same(Invariant),
    /// It is the beginning of one that was told.
    Within(Invariant),
    /// It goes on where the story of another invariant ended, which was told and has so many steps.
    After(Invariant, usize),
}

impl How {
    /// How many steps of a story with so many were told before.
    pub(super) fn told(self, length: usize) -> usize {
        match self {
            Self::Whole => 0,
            Self::Same(_) | Self::Within(_) => length,
            Self::After(_, steps) => steps,
        }
    }
}

impl Telling<'_> {
    /// What the reader is told of the story before it: where it stands, and where else the invariant breaks.
    pub(super) fn about(&self) -> String {
        let Self { story, invariant, .. } = self;
        let steps = if story.length == 1 { "step" } else { "steps" };
        let which = match self.how {
            How::Whole => {
                format!("The shortest story has {} {steps}, in `{}`.", story.length, story.scenario)
            }
            How::Same(of) => {
                format!("The shortest story is that of {of}, with its {} {steps}.", story.length)
            }
            How::Within(of) => {
                format!("The shortest story is the first {} {steps} of that of {of}.", story.length)
            }
            How::After(of, told) => format!(
                "The shortest story has {} {steps}, in `{}`: it goes on after the {told} of that of {of}.",
                story.length, story.scenario
            ),
        };
        let also = match self.others {
            (0, _) => String::new(),
            (1, scenario) => format!(" {invariant} breaks in `{scenario}` too."),
            (many, _) => format!(" {invariant} breaks in {many} more scenarios."),
        };
        format!("{} {which}{also}", invariant.sentence())
    }
}

/// The stories of a review, one for each broken invariant: a shortest one, and of those one that was told before.
pub(super) fn tellings(review: &Review) -> Vec<Telling<'_>> {
    let mut told: Vec<Telling<'_>> = Vec::new();
    for invariant in review.with_verdict(Verdict::Violated) {
        let stories = || review.of(invariant).filter_map(|row| row.story.as_ref());
        let Some(shortest) = stories().map(|story| story.length).min() else { continue };
        let ways = stories().filter(|story| story.length == shortest).map(|story| (story, how(story, &told)));
        let Some((story, how)) = ways.min_by_key(|(story, how)| story.length - how.told(story.length)) else {
            continue;
        };
        let others: Vec<_> =
            stories().filter(|it| it.scenario != story.scenario).map(|it| it.scenario).collect();
        let others = (others.len(), others.first().copied().unwrap_or_default());
        told.push(Telling { invariant, story, how, others });
    }
    told
}

fn how(story: &Story, told: &[Telling<'_>]) -> How {
    let shared = |it: &Telling<'_>| (it.invariant, it.story.length, story.shares(it.story));
    let best = told.iter().map(shared).max_by_key(|(_, length, steps)| (*steps, std::cmp::Reverse(*length)));
    match best {
        Some((of, length, steps)) if steps == story.length && steps == length => How::Same(of),
        Some((of, _, steps)) if steps == story.length => How::Within(of),
        Some((of, _, steps)) if steps > 0 => How::After(of, steps),
        _ => How::Whole,
    }
}
