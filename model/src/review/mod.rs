//! The review: one contract under every scenario, judged by every invariant.

mod answers;
mod candidate;
mod judge;
mod masked;
mod mending;
mod remedy;
mod unproven;

use idempotency::contract::Parsed;
use idempotency::invariant::{Broken, Invariant};
use serde::{Serialize, Serializer};
use toml::Value;

pub use answers::{Answer, Outcome, Shown};
pub use judge::{Judged, Verdict};
pub use masked::Masked;
pub use mending::Mending;
pub use remedy::{Change, Remedy, Tight};
pub use unproven::Unproven;

use crate::scenario::Scenario;
use crate::search::Bounds;

/// The version of [`Review`]'s JSON form. It grows when a field is taken away or changes its meaning.
pub const VERSION: u32 = 1;

/// What is reviewed, and how far.
#[derive(Clone, Debug)]
pub struct Options {
    /// The scenarios.
    pub scenarios: Vec<Scenario>,
    /// The invariants.
    pub invariants: Vec<Invariant>,
    /// How far each search may go.
    pub bounds: Bounds,
    /// Whether changes that mend are looked for.
    pub remedies: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            scenarios: Scenario::all(),
            invariants: Invariant::ALL.to_vec(),
            bounds: Bounds::default(),
            remedies: true,
        }
    }
}

impl Options {
    fn judged(&self) -> Broken {
        self.invariants.iter().fold(Broken::default(), |set, invariant| set.with(*invariant))
    }
}

/// What the review is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// It searches a scenario: the how manyth of how many.
    Scenario(&'a str, usize, usize),
    /// It tries what another value of this field would mend.
    Remedy(&'a str),
    /// It looks for the guard that hides a weakness.
    Masked(&'a str),
}

/// A field that the file left out, and what it was taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Assumption {
    /// The field's path.
    pub field: String,
    /// Its value, as it would be written. In JSON it has its type: a number is a number.
    #[serde(serialize_with = "typed")]
    pub value: String,
}

/// The value that a text of the contract file stands for. A word that stands for a figure that is not there is a text.
fn typed<S: Serializer>(value: &str, to: S) -> Result<S::Ok, S::Error> {
    value.parse::<Value>().unwrap_or_else(|_| Value::String(value.into())).serialize(to)
}

/// The contract, as the report names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The file, as it was given.
    pub file: String,
    /// The operation's name.
    pub operation: String,
    /// What it does.
    pub does: String,
}

/// What a review found.
#[derive(Clone, Debug, Serialize)]
pub struct Review {
    /// The version of this form.
    pub version: u32,
    /// The contract.
    pub contract: Named,
    /// Violated, if anything is; else unknown, if anything is; else holds.
    pub verdict: Verdict,
    /// The scenarios that were searched, with their bounds.
    pub scenarios: Vec<Scenario>,
    /// One row for each scenario and invariant.
    pub results: Vec<Judged>,
    /// What to change, for each broken invariant.
    pub remedies: Vec<Remedy>,
    /// Which of the remedies to take together; none where nothing is broken, or where no remedies were looked for.
    pub mending: Option<Mending>,
    /// Weaknesses that do no harm here, and the guard that is why; looked for where the contract holds.
    pub masked: Vec<Masked>,
    /// The five questions that an engineer who did not build it must be able to answer.
    pub questions: Vec<Answer>,
    /// The four outcomes that must be shown for one key.
    pub outcomes: Vec<Outcome>,
    /// What was assumed.
    pub assumed: Vec<Assumption>,
    /// What the review does not show.
    pub unproven: Vec<Unproven>,
}

impl Review {
    /// The rows of `invariant`.
    pub fn of(&self, invariant: Invariant) -> impl Iterator<Item = &Judged> {
        self.results.iter().filter(move |row| row.invariant == invariant)
    }

    /// The row with the shortest story of `invariant`.
    pub fn shortest(&self, invariant: Invariant) -> Option<&Judged> {
        self.of(invariant)
            .filter(|row| row.story.is_some())
            .min_by_key(|row| row.story.as_ref().map_or(usize::MAX, |story| story.steps.len()))
    }

    /// Whether some row holds and shows the good thing that its invariant is about. A review in which none does holds for
    /// want of anything happening.
    pub fn shows_anything(&self) -> bool {
        self.results.iter().any(|row| row.verdict == Verdict::Holds && row.shown)
    }

    /// The invariants of which some row has this verdict.
    pub fn with_verdict(&self, verdict: Verdict) -> Vec<Invariant> {
        let has = |invariant: &Invariant| self.of(*invariant).any(|row| row.verdict == verdict);
        Invariant::ALL.iter().copied().filter(has).collect()
    }
}

/// The good case of an invariant, as the end of a sentence: the thing without which it would hold for want of anything
/// happening.
pub fn good_case(invariant: Invariant) -> &'static str {
    judge::converse(invariant).1
}

/// Reviews a contract. `file` is what the report calls it; `progress` is told of each part as it begins.
pub fn review(
    file: &str,
    parsed: &Parsed,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Review {
    let contract = &parsed.contract;
    let runs = judge::run(contract, options, progress);
    let results = judge::rows(contract, options, &runs);
    let verdict = results.iter().map(|row| row.verdict).max().unwrap_or(Verdict::Unknown);
    let mut remedies = Vec::new();
    let mut masked = Vec::new();
    let mut mending = None;
    if options.remedies {
        remedies = remedy::find(parsed, options, &runs, progress);
        let violated = results.iter().filter(|row| row.verdict == Verdict::Violated);
        let broken = violated.fold(Broken::default(), |set, row| set.with(row.invariant));
        if !broken.is_empty() {
            mending = Some(mending::find(parsed, options, broken, &remedies, progress));
        }
        // What hides a weakness is of interest once nothing is broken in the open.
        if verdict == Verdict::Holds {
            masked = masked::find(parsed, options, &runs, progress);
        }
    }
    let assumed = parsed
        .assumed
        .iter()
        .filter(|field| field.applies)
        .map(|field| Assumption { field: field.path.clone(), value: field.value.clone() })
        .collect();
    Review {
        version: VERSION,
        contract: Named {
            file: file.into(),
            operation: contract.operation.name.clone(),
            does: contract.operation.does.clone(),
        },
        verdict,
        scenarios: options.scenarios.iter().map(|it| it.under(contract)).collect(),
        questions: answers::questions(contract),
        outcomes: answers::outcomes(contract, &runs, &results),
        unproven: unproven::list(parsed, options, &results),
        results,
        remedies,
        mending,
        masked,
        assumed,
    }
}
