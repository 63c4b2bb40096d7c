//! The changes that are worth a try.

use idempotency::contract::{Contract, Kind, Parsed, fields};
use toml::Value;

use super::Options;
use super::judge::search_timed;
use crate::limits::{Figure, figures};
use crate::scenario::LARGEST;
use crate::search::Goal;
use crate::setup::Setup;

/// Why a value is worth a try. The order is that in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    /// It is the safe default.
    Default,
    /// It is the figure at which a limit is just kept.
    Figure,
    /// It is another word that may stand there.
    Word,
}

/// One value to try.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) sort: Sort,
    /// Whether it is what stands there by default.
    pub(super) is_default: bool,
    pub(super) field: &'static str,
    pub(super) value: Value,
    /// The value on the wrong side of a figure.
    pub(super) beyond: Option<Value>,
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
    "key.required",
];

/// Every single value that is worth a try: first the safe defaults, then the figures, then every other word.
pub(super) fn candidates(contract: &Contract) -> Vec<Candidate> {
    let safe = Contract::default();
    let mut candidates = Vec::new();
    for field in fields().filter(|field| !GIVEN.iter().any(|given| field.path.starts_with(given))) {
        let now = contract.get(&field.path);
        let default = safe.get(&field.path);
        let mut add = |text: &str| {
            if now.as_deref() == Some(text) || gives_up(contract, &field.path, text) {
                return;
            }
            let Ok(value) = text.parse::<Value>() else { return };
            let is_default = default.as_deref() == Some(text);
            // Of a length of time the figure that is just enough is better advice than none at all.
            let is_period = matches!(field.kind, Kind::Period { .. });
            let sort = if is_default && !is_period { Sort::Default } else { Sort::Word };
            candidates.push(Candidate { sort, is_default, field: &field.path, value, beyond: None });
        };
        match &field.kind {
            Kind::Flag => ["true", "false"].into_iter().for_each(add),
            Kind::Word(choices) => choices.iter().for_each(|choice| add(&format!("\"{}\"", choice.word))),
            Kind::List { .. } => default.iter().for_each(|default| add(default)),
            Kind::Period { or: Some(word) } => add(&format!("\"{word}\"")),
            Kind::Number { .. } | Kind::Text { .. } | Kind::Period { or: None } => {}
        }
    }
    candidates.extend(figures(contract).into_iter().map(|Figure { field, value, beyond }| Candidate {
        sort: Sort::Figure,
        is_default: false,
        field,
        value: Value::String(value.to_string()),
        beyond: beyond.map(|beyond| Value::String(beyond.to_string())),
    }));
    candidates.sort_by_key(|candidate| candidate.sort);
    candidates
}

/// Whether a value takes something away rather than mend it: a route that is closed; a key that binds nothing; an effect that is moved, though a
/// call to a supplier does not become a row of ours by writing so.
fn gives_up(contract: &Contract, path: &str, text: &str) -> bool {
    match path {
        "routes.status" | "routes.cancel" => text == "false",
        "key.made" => text != "\"per-intent\"",
        "effect.kind" => contract.is_external() || text == "\"external\"" || text == "\"none\"",
        _ => false,
    }
}

impl Candidate {
    /// This contract with the value in it; `None` if it would be refused.
    pub(super) fn applied(&self, parsed: &Parsed) -> Option<Contract> {
        parsed.with(self.field, self.value.clone()).ok()
    }

    /// Whether this value breaks a contract that is sound without it: such a change is no advice.
    pub(super) fn weakens(&self, options: &Options) -> bool {
        if self.sort != Sort::Word {
            return false;
        }
        let local = Contract::default();
        let external = local
            .with_all([("effect.kind", Value::from("external")), ("supplier.takes-key", Value::from(true))]);
        let changed = [Ok(local), external].into_iter().flatten();
        let changed: Vec<_> =
            changed.filter_map(|sound| sound.with(self.field, self.value.clone()).ok()).collect();
        let goal = Goal { stop_at_first: true, ..Goal::all() };
        let breaks = |contract: &Contract, scenario| {
            !search_timed(contract, &Setup::new(contract, scenario), goal, options).broken.is_empty()
        };
        let mut small = options.scenarios.iter().filter(|scenario| scenario.name != LARGEST);
        changed.is_empty() || small.any(|scenario| changed.iter().any(|contract| breaks(contract, scenario)))
    }
}
