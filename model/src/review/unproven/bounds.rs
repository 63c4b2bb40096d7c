//! Where a contract goes further than the search: nothing was seen of what lies beyond.

use idempotency::contract::{Contract, Reaction};
use idempotency::invariant::Invariant;

use super::Unproven;
use crate::fault::Fault;
use crate::review::Options;
use crate::review::answers::joined;
use crate::scenario::Scenario;
use crate::site::WORKERS;

/// How many regions the model tells apart: a retry enters in the same one or in another.
const REGIONS: u8 = 2;

/// What the numbers of `contract` allow beyond what was searched, and what was left out of the search.
pub(super) fn beyond(contract: &Contract, options: &Options) -> Vec<Unproven> {
    let mut list = Vec::new();
    let mut add = |what: String, why: String| list.push(Unproven { what, why });
    let client = &contract.client;
    let reactions = [
        client.on_timeout,
        client.on_error,
        client.on_gateway_error,
        client.on_in_flight,
        client.on_not_found,
    ];
    let attempts = |it: &Scenario| u16::from(it.attempts);
    let fewest = options.scenarios.iter().map(attempts).min().unwrap_or(0);
    if reactions.contains(&Reaction::Retry) && client.attempts > fewest {
        let why = format!("no more were searched than {}", searched(&options.scenarios));
        add(format!("`client.attempts = {}`", client.attempts), why);
    }
    let processes = contract.servers.processes;
    if usize::from(processes) > WORKERS {
        let why = format!("only {WORKERS} requests at a time were searched, each in a process of its own");
        add(format!("`servers.processes = {processes}`"), why);
    }
    let regions = contract.operation.regions;
    if regions > REGIONS {
        add(format!("`operation.regions = {regions}`"), format!("only {REGIONS} of them were searched"));
    }
    let repeats = contract.between.repeats;
    let most = options.scenarios.iter().map(|it| it.budget.of(Fault::Repeat)).max().unwrap_or(0);
    if repeats > most {
        let why = match most {
            0 => "none was searched".into(),
            _ => format!("in no run does a proxy repeat more than {most} of the requests"),
        };
        add(format!("`between.repeats = {repeats}`"), why);
    }
    let all: Vec<_> = Scenario::all().iter().map(|it| it.under(contract)).collect();
    for (it, whole) in options.scenarios.iter().filter_map(|it| Some((it, named(&all, it.name)?))) {
        let fewer = |(fault, times): (Fault, u8)| {
            let left = it.budget.of(fault);
            (left < times).then(|| format!("{}={left}, not {times}", fault.name()))
        };
        let mut lowered: Vec<_> = whole.budget.iter().filter_map(fewer).collect();
        if it.attempts < whole.attempts {
            lowered.insert(0, format!("attempts={}, not {}", it.attempts, whole.attempts));
        }
        if !lowered.is_empty() {
            let what = format!("`{}`, in which the bounds were lowered", it.name);
            add(what, format!("it was searched with {}", joined(&lowered)));
        }
    }
    let not_run: Vec<_> = all.iter().filter(|it| named(&options.scenarios, it.name).is_none()).collect();
    if !not_run.is_empty() {
        let names: Vec<_> = not_run.iter().map(|it| format!("`{}`", it.name)).collect();
        add(joined(&names), "not run".into());
    }
    let not_judged: Vec<_> =
        Invariant::ALL.iter().filter(|it| !options.invariants.contains(it)).map(|it| it.id()).collect();
    if !not_judged.is_empty() {
        add(joined(&not_judged), "not judged".into());
    }
    list
}

fn named<'a>(scenarios: &'a [Scenario], name: &str) -> Option<&'a Scenario> {
    scenarios.iter().find(|it| it.name == name)
}

/// How many attempts were searched, and where: ``3 in `lost-answer`, and 2 elsewhere``.
fn searched(scenarios: &[Scenario]) -> String {
    let most = scenarios.iter().map(|it| it.attempts).max().unwrap_or(0);
    let fewest = scenarios.iter().map(|it| it.attempts).min().unwrap_or(0);
    if most == fewest {
        return most.to_string();
    }
    let names: Vec<_> =
        scenarios.iter().filter(|it| it.attempts == most).map(|it| format!("`{}`", it.name)).collect();
    format!("{most} in {}, and {fewest} elsewhere", joined(&names))
}
