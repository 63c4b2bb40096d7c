//! A story as a trace of states in the Informal Trace Format of Apalache (its ADR 015), for whatever reads that.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Story;
use crate::message::Net;
use crate::world::World;

/// The variables of a state, in order.
const VARS: [&str; 8] = ["action", "at", "client", "workers", "store", "supplier", "net", "effects"];

impl Story {
    /// The states of the story, one more than it has steps: what led to each, its time in milliseconds, and the state of
    /// every actor and of the net. Every number is a `#bigint`, and every message a variant, with a tag and a value.
    pub fn itf(&self) -> Value {
        let steps =
            std::iter::once(("start", 0)).chain(self.steps.iter().map(|step| (step.name, step.at_ms)));
        let state =
            |(index, (world, (name, at))): (usize, (&World, (&str, u64)))| state(index, world, name, at);
        json!({
            "#meta": {
                "format": "ITF",
                "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
                "description": format!("{} in scenario {}: {}", self.invariant, self.scenario, self.ending),
            },
            "vars": VARS,
            "states": self.worlds.iter().zip(steps).enumerate().map(state).collect::<Vec<_>>(),
        })
    }
}

fn state(index: usize, world: &World, name: &str, at: u64) -> Value {
    let site = &world.site;
    let values = [
        json!(name),
        json!(at),
        value(&world.client),
        value(&site.works),
        value(&site.slots),
        value(&world.supplier),
        net(&world.net),
        json!(world.effects()),
    ];
    let mut state = Map::new();
    state.insert("#meta".into(), json!({ "index": index }));
    state.extend(VARS.iter().map(|var| (*var).to_owned()).zip(values.into_iter().map(numbers)));
    Value::Object(state)
}

/// The messages under way, each as often as there are copies.
fn net(net: &Net) -> Value {
    let variant = |message: Value| match message {
        Value::Object(fields) => {
            let one = fields.into_iter().next();
            one.map_or(Value::Null, |(tag, value)| json!({ "tag": tag, "value": value }))
        }
        other => other,
    };
    Value::Array(net.copies().map(|message| variant(value(&message))).collect())
}

fn value(part: &impl Serialize) -> Value {
    // The parts of a world are plain: numbers, words, and lists and records of them.
    serde_json::to_value(part).unwrap_or(Value::Null)
}

/// Writes every number as ITF does.
fn numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => json!({ "#bigint": number.to_string() }),
        Value::Array(list) => Value::Array(list.into_iter().map(numbers).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, numbers(value))).collect())
        }
        other => other,
    }
}
