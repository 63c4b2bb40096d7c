//! Guards overlap: a weakness may do no harm because another guard stands behind it. A contract that holds only
//! thanks to that has one guard left, and its reader should know which.

use idempotency::contract::{Contract, Kind, Parsed, field};
use idempotency::invariant::Invariant;
use serde::Serialize;
use toml::Value;

use super::judge::{Run, search_timed};
use super::{Options, Progress};
use crate::scenario::{LARGEST, Scenario};
use crate::search::Goal;
use crate::setup::Setup;

/// The guards of the server's side, the fences first. A weakness is one of them, and so is what hides it.
const GUARDS: &[&str] = &[
    "reservation.completion",
    "reservation.mark",
    "reservation.atomic",
    "reservation.take-over",
    "reservation.hang-up",
    "answers.error",
    "answers.rejection",
    "answers.success",
    "fingerprint.on-mismatch",
];

/// A weakness that does no harm, and the guard that is why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Masked {
    /// The field that is weaker than its safe default.
    pub field: String,
    /// What stands there.
    pub value: String,
    /// The guard behind it.
    pub by: String,
    /// What stands there.
    pub by_value: String,
    /// What would have to stand there for the weakness to show.
    pub without: String,
    /// The invariant that would break.
    pub invariant: Invariant,
    /// In this scenario, in which either of the two alone is enough.
    pub scenario: &'static str,
}

/// The weaknesses that hold only because of another guard: with both off an invariant breaks in a scenario in which it
/// holds with either one on.
pub(super) fn find(
    parsed: &Parsed,
    options: &Options,
    runs: &[Run],
    progress: &mut dyn FnMut(Progress<'_>),
) -> Vec<Masked> {
    let contract = &parsed.contract;
    let safe = Contract::default();
    let scenarios: Vec<_> =
        runs.iter().map(|run| &run.scenario).filter(|scenario| scenario.name != LARGEST).collect();
    let mut masked = Vec::new();
    for weak in GUARDS.iter().filter_map(|path| field(path)) {
        let (now, default) = (contract.get(&weak.path), safe.get(&weak.path));
        let (Some(now), Some(default)) = (now, default) else { continue };
        if now == default {
            continue;
        }
        let Some(mended) = changed(parsed, &[(&weak.path, &default)]) else { continue };
        progress(Progress::Masked(&weak.path));
        if !is_harmless(contract, &mended, &scenarios, options) {
            continue;
        }
        let found = guards(contract).filter(|(guard, _)| *guard != weak.path).find_map(|(guard, off)| {
            let weaker = changed(parsed, &[(guard, &off)])?;
            let other = changed(parsed, &[(guard, &off), (&weak.path, &default)])?;
            scenarios.iter().find_map(|scenario| {
                let invariant = first_new(contract, &weaker, &[&mended, &other], scenario, options)?;
                Some(Masked {
                    field: weak.path.clone(),
                    value: now.clone(),
                    by: guard.into(),
                    by_value: contract.get(guard).unwrap_or_default(),
                    without: off.clone(),
                    invariant,
                    scenario: scenario.name,
                })
            })
        });
        masked.extend(found);
    }
    masked
}

/// Every guard with every word that would switch it off.
fn guards(contract: &Contract) -> impl Iterator<Item = (&'static str, String)> {
    GUARDS.iter().filter_map(|path| field(path)).flat_map(|guard| {
        let now = contract.get(&guard.path).unwrap_or_default();
        let words: Vec<String> = match &guard.kind {
            Kind::Flag => vec!["true".into(), "false".into()],
            Kind::Word(choices) => choices.iter().map(|choice| format!("\"{}\"", choice.word)).collect(),
            _ => Vec::new(),
        };
        words.into_iter().filter(move |word| *word != now).map(|word| (guard.path.as_str(), word))
    })
}

fn changed(parsed: &Parsed, changes: &[(&str, &str)]) -> Option<Contract> {
    let parse = |(path, text): &(&str, &str)| Some((path.to_string(), text.parse::<Value>().ok()?));
    let changes: Option<Vec<_>> = changes.iter().map(parse).collect();
    let changes = changes?;
    parsed.with_all(changes.iter().map(|(path, value)| (path.as_str(), value.clone()))).ok()
}

/// Whether mending the weakness changes nothing: what is broken without it was broken with it.
fn is_harmless(contract: &Contract, mended: &Contract, scenarios: &[&Scenario], options: &Options) -> bool {
    scenarios.iter().all(|scenario| {
        let [now, then] = [contract, mended].map(|it| Breaks::of(it, scenario, options));
        now.whole && then.whole && now.broken == then.broken
    })
}

/// What a contract breaks under one scenario.
struct Breaks {
    broken: Vec<Invariant>,
    /// Whether what is not in it is known to hold: the search was not cut short, and no story was without times.
    whole: bool,
}

impl Breaks {
    fn of(contract: &Contract, scenario: &Scenario, options: &Options) -> Self {
        let goal = Goal { invariants: options.judged(), ..Goal::all() };
        let found = search_timed(contract, &Setup::new(contract, scenario), goal, options);
        let whole = found.cut_short.is_none() && found.refused.is_empty();
        let mut broken: Vec<_> = found.broken.into_iter().map(|(invariant, _)| invariant).collect();
        broken.sort_unstable();
        Self { broken, whole }
    }
}

/// An invariant that `weaker` breaks under `scenario`, and that neither `contract` nor any of `others` breaks there.
fn first_new(
    contract: &Contract,
    weaker: &Contract,
    others: &[&Contract],
    scenario: &Scenario,
    options: &Options,
) -> Option<Invariant> {
    let by_weaker = Breaks::of(weaker, scenario, options).broken;
    if by_weaker.is_empty() {
        return None;
    }
    let by_others: Vec<_> =
        others.iter().copied().chain([contract]).map(|it| Breaks::of(it, scenario, options)).collect();
    let holds = |invariant: &Invariant| by_others.iter().all(|it| it.whole && !it.broken.contains(invariant));
    by_weaker.into_iter().find(holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that is cut short before the guard is seen to be needed must not be taken for one that found it
    /// sound.
    #[test]
    fn a_mask_is_named_only_where_the_other_searches_were_whole() {
        let parse = |text: &str| Contract::parse(text).expect("a contract").contract;
        let contract = parse("[reservation]\natomic = false\n");
        let weaker = parse("[reservation]\natomic = false\ncompletion = \"unfenced\"\n");
        let scenario = Scenario::all().into_iter().find(|it| it.name == "concurrent").expect("a scenario");
        let new_within = |states: usize| {
            let mut options = Options::default();
            options.bounds.states = states;
            first_new(&contract, &weaker, &[], &scenario, &options)
        };
        let whole = {
            let goal = Goal { invariants: Options::default().judged(), ..Goal::all() };
            search_timed(&contract, &Setup::new(&contract, &scenario), goal, &Options::default()).states
        };
        assert_eq!(new_within(whole), Some(Invariant::V1));
        assert_eq!(new_within(whole - 1), None);
    }
}
