//! The world's side of `model/peer/bench.sh`: one line of figures for each search, with tabs between.
#![allow(clippy::print_stdout, reason = "the lines are what it is run for")]

use std::error::Error;
use std::time::Instant;

use idempotency::contract::Contract;
use idempotency_model::fault::{Budget, Fault};
use idempotency_model::peer;
use idempotency_model::scenario::{LARGEST, Scenario};
use idempotency_model::search::{Bounds, Found, Goal, search};
use idempotency_model::setup::Setup;

const USAGE: &str = "\
bench defines CONTRACT [BOUND...]   the bounds of the largest scenario, as arguments for spin
bench raw CONTRACT [BOUND...]       search it: name, states, transitions, seconds
bench reduced CONTRACT [BOUND...]   the same in the reduced space
A bound is `attempts=2`, or a fault and how often it may happen, such as `error=0`.";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, contract, bounds @ ..] = arguments.as_slice() else { return Err(USAGE.into()) };
    let contract = read(contract)?;
    match task.as_str() {
        "defines" => println!("{}", peer::defines(&Setup::new(&contract, &largest(bounds)?))?.join(" ")),
        "raw" | "reduced" => {
            measure(&contract, &largest(bounds)?, task == "reduced")?.print(task);
        }
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

fn read(file: &str) -> Result<Contract, Box<dyn Error>> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    Ok(Contract::parse(&text).map_err(|error| format!("{file}: {error:?}"))?.contract)
}

/// The largest scenario, with other bounds where they are given.
fn largest(bounds: &[String]) -> Result<Scenario, Box<dyn Error>> {
    let found = Scenario::all().into_iter().find(|scenario| scenario.name == LARGEST);
    let mut scenario = found.ok_or("there is no largest scenario")?;
    for bound in bounds {
        let (name, times) = bound.split_once('=').ok_or(USAGE)?;
        let times = times.parse()?;
        if name == "attempts" {
            scenario.attempts = times;
            continue;
        }
        let named = Fault::ALL.into_iter().find(|fault| fault.name() == name);
        let fault = named.ok_or_else(|| format!("there is no fault `{name}`"))?;
        let others = scenario.budget.iter().filter(|(other, _)| *other != fault);
        let budget: Vec<_> = others.chain([(fault, times)]).collect();
        scenario.budget = Budget::new(&budget);
    }
    Ok(scenario)
}

struct Figures {
    states: usize,
    transitions: usize,
    seconds: f64,
}

impl Figures {
    fn print(&self, name: &str) {
        println!("{name}\t{}\t{}\t{:.3}", self.states, self.transitions, self.seconds);
    }
}

fn measure(contract: &Contract, scenario: &Scenario, reduce: bool) -> Result<Figures, String> {
    let setup = Setup::new(contract, scenario);
    let begun = Instant::now();
    let found = search(&setup, Goal { reduce, ..Goal::all() }, Bounds::default());
    if let Some(why) = found.cut_short {
        return Err(format!("the search of {} was cut short: {why:?}", scenario.name));
    }
    let Found { states, transitions, .. } = found;
    Ok(Figures { states, transitions, seconds: begun.elapsed().as_secs_f64() })
}
