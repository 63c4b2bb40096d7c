//! What every story has, whatever it tells.

use std::collections::BTreeSet;

use idempotency::contract::{KeyKept, KeyMade};
use idempotency::invariant::Invariant;
use idempotency_model::search::{Bounds, Goal, search};
use idempotency_model::setup::Setup;
use idempotency_model::story::{Arrow, Fate, Story};
use serde_json::Value;

use super::{CASES, stories};
use crate::common::{demo, edited, scenario};

/// Fails with every complaint about every story.
pub(crate) fn all_stories(mut complaints: impl FnMut(&super::Case, &Story) -> Vec<String>) {
    let wrong: Vec<_> = stories()
        .flat_map(|(case, story)| {
            let of_this = complaints(case, story).into_iter();
            of_this.map(|one| format!("{}: {one}", case.name())).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn unless(holds: bool, complaint: impl FnOnce() -> String) -> Option<String> {
    (!holds).then(complaint)
}

fn arrows(story: &Story) -> impl Iterator<Item = &Arrow> {
    story.sent_first.iter().chain(story.steps.iter().flat_map(|step| &step.messages))
}

#[test]
fn every_variant_is_told_by_the_story_that_it_is_known_for() {
    for variant in super::variants::ALL {
        let known = CASES.iter().find(|case| std::ptr::eq(case.variant, variant) && case.is_known());
        let known = known.unwrap_or_else(|| panic!("{:?} with {} is not broken", variant.of, variant.edits));
        let Ok(story) = &known.story else { continue };
        for fault in variant.faults {
            assert!(story.faults.contains(fault), "{}: no {fault} in {:?}", known.name(), story.faults);
        }
    }
}

#[test]
fn a_story_follows_its_path() {
    all_stories(|case, story| {
        let (steps, path) = (&story.steps, &case.path.steps);
        let last = path.last().map_or(0, |(_, world)| world.effects());
        let names: BTreeSet<_> = steps.iter().map(|step| step.name).collect();
        let kebab = |name: &&str| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
        [
            unless(steps.len() == path.len() && story.length == path.len(), || "another length".into()),
            unless(steps.iter().map(|step| step.index).eq(1..=path.len()), || "numbers are missing".into()),
            unless(steps.is_sorted_by_key(|step| step.at_ms), || "time goes back".into()),
            unless(steps.is_sorted_by_key(|step| step.effects), || "an effect is undone".into()),
            unless(steps.last().is_some_and(|step| step.effects == last), || "effects are lost".into()),
            unless(names.iter().all(kebab), || format!("names: {names:?}")),
            unless(story.invariant == case.invariant.id(), || "another invariant".into()),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
}

#[test]
fn every_sentence_is_whole() {
    all_stories(|case, story| {
        let says = [case.invariant.id(), case.invariant.title()].iter().all(|it| story.ending.contains(it));
        let ending = unless(says, || "the ending does not say what is broken".into());
        unwhole(story).into_iter().chain(ending).collect()
    });
}

/// Sentences that are not whole.
pub(crate) fn unwhole(story: &Story) -> Vec<String> {
    let wrong = |text: &str| {
        let text = text.replace(&story.operation, "the operation");
        let begins = text.chars().next().is_some_and(char::is_uppercase);
        let holes = ["{", "}", "  ", " ,", "..", "request 0", "attempt 0", "result 0", "order 0", " .", "_"];
        let hole = holes.into_iter().find(|hole| text.contains(hole));
        (!begins || !text.ends_with('.') || hole.is_some()).then(|| format!("{text:?} ({hole:?})"))
    };
    let texts = story.steps.iter().map(|step| step.text.as_str());
    let texts = texts.chain([story.beginning.as_str(), story.ending.as_str()]);
    let unlabelled = story.steps.iter().filter(|step| step.label.is_empty());
    let unlabelled = unlabelled.map(|step| format!("step {} has no label", step.index));
    texts.filter_map(wrong).chain(unlabelled).collect()
}

/// A key is another one only where the client makes another.
#[test]
fn a_key_is_called_another_where_it_is_one() {
    all_stories(|case, story| {
        let key = &case.variant.contract().key;
        let makes = key.made == KeyMade::PerAttempt || key.kept == KeyKept::Answer;
        let another = ["another key", "the first key", "the second key"];
        let told = story.steps.iter().find(|step| another.iter().any(|it| step.text.contains(it)));
        told.filter(|_| !makes).map(|step| format!("{:?}", step.text)).into_iter().collect()
    });
}

#[test]
fn every_message_is_in_the_chart_and_in_the_diagram() {
    all_stories(|_, story| undrawn(story));
}

/// Messages that are missing in a drawing, and what else is wrong with it.
pub(crate) fn undrawn(story: &Story) -> Vec<String> {
    let drawn = arrows(story).count();
    let (chart, ascii, diagram) = (story.chart(100, false), story.chart(100, true), story.mermaid());
    let heads = |heads: &[char]| chart.chars().filter(|letter| heads.contains(letter)).count();
    let lines =
        |what: &[&str]| diagram.lines().filter(|line| what.iter().any(|what| line.contains(what))).count();
    let lost = arrows(story).filter(|arrow| arrow.fate == Fate::Lost).count();
    let wide = |line: &str| line.chars().count() > 100;
    let missing = arrows(story).filter(|arrow| !diagram.contains(&arrow.label));
    [
        unless(sent(story) == drawn, || format!("{} messages, {drawn} of them told", sent(story))),
        unless(heads(&['►', '◄', '✗', '…']) == drawn, || format!("in the chart:\n{chart}")),
        unless(heads(&['✗']) == lost, || format!("lost ones in the chart:\n{chart}")),
        unless(lines(&["->>", "-x", "-)"]) == drawn, || format!("in the diagram:\n{diagram}")),
        unless(lines(&["-x"]) == lost, || format!("lost ones in the diagram:\n{diagram}")),
        unless(ascii.is_ascii(), || format!("not in ASCII:\n{ascii}")),
        unless(!chart.lines().chain(ascii.lines()).any(wide), || format!("too wide:\n{chart}")),
        unless(story.chart(20, false) == story.plain(20), || "no list where there is no room".into()),
    ]
    .into_iter()
    .flatten()
    .chain(missing.map(|arrow| format!("{:?} is not in the diagram", arrow.label)))
    .collect()
}

/// How many messages were sent, as the nets of the states say it: what is new in a net, and what arrived from it.
fn sent(story: &Story) -> usize {
    let trace = story.itf();
    let states = trace["states"].as_array().expect("a trace has states");
    let under_way = |state: &Value| state["net"].as_array().map_or(0, Vec::len);
    let arrives = story.steps.iter().filter(|step| step.name.starts_with("deliver-")).count();
    let gateways = story.steps.iter().filter(|step| step.name == "gateway").count();
    // The probe of a scenario is under way from the start. If it never comes, nothing is told of it.
    let is_probe = |message: &&Value| message["value"]["delivery"]["#bigint"] == "5";
    let last = states.last().expect("a trace has a state");
    let probes = last["net"].as_array().map_or(0, |net| net.iter().filter(is_probe).count());
    under_way(last) + arrives + gateways - probes
}

#[test]
fn a_story_is_a_trace_of_states_too() {
    all_stories(|_, story| {
        let trace = story.itf();
        let states = trace["states"].as_array().cloned().unwrap_or_default();
        let vars: Vec<_> = trace["vars"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let whole = |(index, state): (usize, &Value)| {
            vars.iter().all(|var| state.get(var).is_some()) && state["#meta"]["index"] == index
        };
        let bare = |state: &Value| {
            let mut state = state.clone();
            state.as_object_mut().map(|fields| fields.remove("#meta"));
            has_number(&state)
        };
        [
            unless(trace["#meta"]["format"] == "ITF", || "no format".into()),
            unless(states.len() == story.length + 1, || format!("{} states", states.len())),
            unless(states.iter().enumerate().all(whole), || "a state lacks a variable".into()),
            unless(!states.iter().any(bare), || "a number is not a #bigint".into()),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
}

fn has_number(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::Array(list) => list.iter().any(has_number),
        Value::Object(fields) => fields.values().any(has_number),
        _ => false,
    }
}

#[test]
fn a_story_is_data_too() {
    all_stories(|_, story| {
        let data = serde_json::to_value(story).expect("a story is plain data");
        let steps = data["steps"].as_array().map_or(0, Vec::len);
        let fields = ["invariant", "scenario", "faults", "participants", "beginning", "ending"];
        let missing = fields.iter().filter(|field| data.get(field).is_none_or(Value::is_null));
        let mut complaints: Vec<_> = missing.map(|field| format!("no {field}")).collect();
        complaints.extend(unless(steps == story.length, || "steps are missing".into()));
        complaints.extend(unless(data.get("worlds").is_none(), || "the worlds are in it".into()));
        complaints
    });
}

#[test]
fn one_process_has_two_workers_and_not_two_servers() {
    let single = edited(&demo(), "effect.kind = 'two-transactions'\nservers.processes = 1");
    let (scenario, bounds) = (scenario("pause"), Bounds::default());
    let setup = Setup::new(&single, &scenario);
    let found = search(&setup, Goal::all(), bounds);
    let path = found.path(Invariant::V1).expect("the contract breaks it");
    let story = Story::tell(&single, &setup, &scenario, Invariant::V1, path).expect("the story has times");
    let plain = story.plain(100);
    let named = plain.replace("`servers.longest-pause`", "");
    assert!(named.contains("orker A") && named.contains("orker B") && !named.contains("erver"), "{plain}");
}
