//! The smallest change of the contract after which a broken invariant holds, found by trying.

use std::collections::HashMap;

use idempotency::contract::{Contract, Kind, Parsed, fields};
use idempotency::invariant::{Broken, Invariant};
use serde::Serialize;
use toml::Value;

use super::judge::Run;
use super::{Options, Progress};
use crate::limits::{Figure, figures};
use crate::scenario::Scenario;
use crate::search::{Goal, search};
use crate::setup::Setup;

/// How many remedies are named for one invariant.
const MOST: usize = 3;

/// Another value for one field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Change {
    /// The field's path.
    pub field: String,
    /// What stands there now, or is assumed.
    pub from: String,
    /// What should stand there.
    pub to: String,
}

/// A change, or a pair of changes, after which an invariant holds in every scenario that was run, and no other
/// invariant is broken that held before. Each was checked by a whole search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// The invariant that it mends.
    pub invariant: Invariant,
    /// What to change: one field, or two.
    pub changes: Vec<Change>,
    /// Whether the figure in it is the smallest, or the largest, that is enough: one second less, or more, was tried
    /// and is not.
    pub tight: bool,
}

/// One value to try.
#[derive(Clone, Debug)]
struct Candidate {
    field: &'static str,
    value: Value,
    /// The value on the wrong side of a figure.
    beyond: Option<Value>,
}

/// Fields that say how the world is: they are not changed by writing something else. And those with which a contract
/// would rather be given up than mended.
const GIVEN: &[&str] = &[
    "operation.",
    "between.",
    "servers.",
    "sources.",
    "effect.longest",
    "supplier.takes-key",
    "supplier.can-be-asked",
    "supplier.remembers",
    "supplier.longest-delay",
    "client.attempts",
    "client.deadline",
    "store.kind",
    "key.required",
    "routes.status",
    "routes.cancel",
];

/// Whether a field is a decision of the contract's author.
pub(super) fn is_decision(path: &str) -> bool {
    path == "routes.cancel-within" || !GIVEN.iter().any(|given| path.starts_with(given))
}

/// Every single value that is worth a try: first the safe defaults, then the figures, then every other word.
fn candidates(contract: &Contract) -> Vec<Candidate> {
    let safe = Contract::default();
    let mut defaults = Vec::new();
    let mut words = Vec::new();
    for field in fields().filter(|field| is_decision(&field.path)) {
        let now = contract.get(&field.path);
        let default = safe.get(&field.path);
        let mut add = |text: String| {
            if now.as_deref() == Some(&text) || !keeps_the_operation(contract, &field.path, &text) {
                return;
            }
            let Ok(value) = text.parse::<Value>() else { return };
            let candidate = Candidate { field: &field.path, value, beyond: None };
            if default.as_deref() == Some(&text) { defaults.push(candidate) } else { words.push(candidate) }
        };
        match &field.kind {
            Kind::Flag => ["true", "false"].iter().for_each(|flag| add((*flag).into())),
            Kind::Word(choices) => choices.iter().for_each(|choice| add(format!("\"{}\"", choice.word))),
            Kind::List { .. } => add(default.clone().unwrap_or_default()),
            Kind::Period { or: Some(word) } => add(format!("\"{word}\"")),
            Kind::Number { .. } | Kind::Text { .. } | Kind::Period { or: None } => {}
        }
    }
    let figures = figures(contract).into_iter().map(|Figure { field, value, beyond }| Candidate {
        field,
        value: Value::String(value.to_string()),
        beyond: beyond.map(|beyond| Value::String(beyond.to_string())),
    });
    defaults.into_iter().chain(figures).chain(words).collect()
}

/// Whether the effect stays where it is: a call to a supplier does not become a row of ours by writing so.
fn keeps_the_operation(contract: &Contract, path: &str, text: &str) -> bool {
    path != "effect.kind" || !(contract.is_external() || text == "\"external\"" || text == "\"none\"")
}

/// What is broken, by contract: many invariants try the same changes.
struct Tried<'a> {
    parsed: &'a Parsed,
    scenarios: Vec<&'a Scenario>,
    options: &'a Options,
    held: Broken,
    known: HashMap<Vec<(usize, bool)>, Option<Broken>>,
}

impl Tried<'_> {
    /// Whether `invariant` holds after these changes, and nothing breaks that held.
    fn mends(&mut self, invariant: Invariant, candidates: &[Candidate], chosen: &[usize]) -> bool {
        let wanted = Broken::default().with(invariant).or(self.held);
        let key: Vec<_> = chosen.iter().map(|at| (*at, false)).collect();
        if let Some(known) = self.known.get(&key) {
            return known.is_some_and(|broken| broken.and(wanted).is_empty());
        }
        let changes: Vec<_> = chosen.iter().map(|at| (candidates[*at].field, candidates[*at].value.clone())).collect();
        let Ok(contract) = self.parsed.with_all(changes) else {
            self.known.insert(key, None);
            return false;
        };
        let broken = self.broken(&contract, wanted);
        if broken.is_empty() {
            self.known.insert(key, Some(broken));
        }
        broken.is_empty()
    }

    /// Which of `wanted` are broken by `contract`: the first that is found, or none. A search that was cut short
    /// counts as broken: it mends nothing that we know of.
    fn broken(&self, contract: &Contract, wanted: Broken) -> Broken {
        let goal = Goal { invariants: wanted, stop_at_first: true, reduce: true };
        for scenario in &self.scenarios {
            let found = search(&Setup::new(contract, scenario), goal, self.options.bounds);
            if !found.broken.is_empty() || found.cut_short.is_some() {
                return found.broken.iter().fold(wanted, |_, (invariant, _)| Broken::default().with(*invariant));
            }
        }
        Broken::default()
    }
}

/// Remedies for every broken invariant.
pub(super) fn find(
    parsed: &Parsed,
    options: &Options,
    runs: &[Run],
    progress: &mut dyn FnMut(Progress<'_>),
) -> Vec<Remedy> {
    let broken = runs.iter().flat_map(|run| &run.found.broken).fold(Broken::default(), |set, (it, _)| set.with(*it));
    if broken.is_empty() {
        return Vec::new();
    }
    let candidates = candidates(&parsed.contract);
    let mut remedies = Vec::new();
    for invariant in broken.iter() {
        progress(Progress::Remedy(invariant));
        // Where it breaks comes first, and the small spaces before the large ones: most changes fail soon.
        let mut order: Vec<_> = runs.iter().collect();
        order.sort_by_key(|run| (run.found.path(invariant).is_none(), run.found.states));
        let mut tried = Tried {
            parsed,
            scenarios: order.iter().map(|run| &run.scenario).collect(),
            options,
            held: options.judged().without(broken),
            known: HashMap::new(),
        };
        let singles: Vec<_> = (0..candidates.len())
            .filter(|at| tried.mends(invariant, &candidates, &[*at]))
            .take(MOST)
            .map(|at| vec![at])
            .collect();
        let found = if singles.is_empty() { pair(&mut tried, invariant, &candidates) } else { singles };
        for chosen in found {
            remedies.push(told(&tried, invariant, &candidates, &chosen));
        }
    }
    remedies
}

/// The first pair of changes that mends, of two different fields.
fn pair(tried: &mut Tried<'_>, invariant: Invariant, candidates: &[Candidate]) -> Vec<Vec<usize>> {
    for second in 1..candidates.len() {
        for first in 0..second {
            if candidates[first].field != candidates[second].field
                && tried.mends(invariant, candidates, &[first, second])
            {
                return vec![vec![first, second]];
            }
        }
    }
    Vec::new()
}

fn told(tried: &Tried<'_>, invariant: Invariant, candidates: &[Candidate], chosen: &[usize]) -> Remedy {
    let contract = &tried.parsed.contract;
    let change = |at: &usize| Change {
        field: candidates[*at].field.into(),
        from: contract.get(candidates[*at].field).unwrap_or_default(),
        to: candidates[*at].value.to_string(),
    };
    let beyond = match chosen {
        [only] => candidates[*only].beyond.clone().map(|beyond| (candidates[*only].field, beyond)),
        _ => None,
    };
    let wanted = Broken::default().with(invariant);
    let tight = beyond
        .and_then(|change| tried.parsed.with_all([change]).ok())
        .is_some_and(|contract| !tried.broken(&contract, wanted).is_empty());
    Remedy { invariant, changes: chosen.iter().map(change).collect(), tight }
}
