//! The world's side of `model/peer/bench.sh`: prints one line of figures for each search, tab by tab.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use idempotency::contract::Contract;
use idempotency_model::fault::{Budget, Fault};
use idempotency_model::peer;
use idempotency_model::scenario::Scenario;
use idempotency_model::search::{Bounds, Found, Goal, search};
use idempotency_model::setup::Setup;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as WordError;

const USAGE: &str = "\
bench defines CONTRACT [BOUND...]   the bounds of `everything` as arguments for spin
bench raw CONTRACT [BOUND...]       search it: states, transitions, seconds
bench reduced CONTRACT [BOUND...]   the same in the reduced space
bench review CONTRACT...            every scenario of every contract, reduced: file, states, transitions, seconds
A bound is `attempts=2`, or a fault and how often it happens, such as `error=0`.";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [task, contract, rest @ ..] = arguments.as_slice() else { return Err(USAGE.into()) };
    match task.as_str() {
        "defines" => println!("{}", peer::defines(&everything(contract, rest)?)?.join(" ")),
        "raw" | "reduced" => {
            let setup = everything(contract, rest)?;
            let begun = Instant::now();
            let found = whole(&setup, task == "reduced")?;
            println!("{}\t{}\t{:.3}", found.states, found.transitions, begun.elapsed().as_secs_f64());
        }
        "review" => {
            for contract in &arguments[1..] {
                review(contract)?;
            }
        }
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

fn read(contract: &str) -> Result<Contract, Box<dyn Error>> {
    let text = std::fs::read_to_string(contract).map_err(|error| format!("{contract}: {error}"))?;
    Ok(toml::from_str(&text).map_err(|error| format!("{contract}: {error}"))?)
}

/// The scenario `everything`, with other bounds where they are given.
fn everything(contract: &str, bounds: &[String]) -> Result<Setup, Box<dyn Error>> {
    let found = Scenario::all().into_iter().find(|scenario| scenario.name == "everything");
    let mut scenario = found.ok_or("there is no scenario `everything`")?;
    for bound in bounds {
        let (name, times) = bound.split_once('=').ok_or(USAGE)?;
        let times = times.parse()?;
        if name == "attempts" {
            scenario.attempts = times;
            continue;
        }
        let word: serde::de::value::StrDeserializer<'_, WordError> = name.into_deserializer();
        let fault = Fault::deserialize(word)?;
        let others = scenario.budget.iter().filter(|(other, _)| *other != fault);
        let budget: Vec<_> = others.chain([(fault, times)]).collect();
        scenario.budget = Budget::new(&budget);
    }
    Ok(Setup::new(&read(contract)?, &scenario))
}

fn whole(setup: &Setup, reduce: bool) -> Result<Found, String> {
    let found = search(setup, Goal { reduce, ..Goal::all() }, Bounds::default());
    match found.cut_short {
        Some(why) => Err(format!("the search was cut short: {why:?}")),
        None => Ok(found),
    }
}

fn review(contract: &str) -> Result<(), Box<dyn Error>> {
    let text = read(contract)?;
    let begun = Instant::now();
    let (mut states, mut transitions) = (0, 0);
    for scenario in Scenario::all() {
        let found = search(&Setup::new(&text, &scenario), Goal::all(), Bounds::default());
        states += found.states;
        transitions += found.transitions;
    }
    let name = Path::new(contract).file_stem().map_or(contract.into(), |stem| stem.to_string_lossy());
    println!("{name}\t{states}\t{transitions}\t{:.3}", begun.elapsed().as_secs_f64());
    Ok(())
}
