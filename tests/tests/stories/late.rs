//! Whatever comes late in a story says what lets it, and requests are counted as the client sends them.

use idempotency_model::story::{Actor, Fate, Step, Story};

use super::stories;
use super::told::all_stories;

#[test]
fn a_worker_that_acts_late_says_what_lets_it() {
    let mut late = 0;
    for (case, story) in stories() {
        let run = case.contract.effect.longest.millis();
        for (at, step) in story.steps.iter().enumerate().filter(|(_, step)| is_own(step)) {
            let worker = step.actor;
            let earlier = &story.steps[..at];
            let last = earlier.iter().rfind(|one| concerns(one, worker)).map_or(0, |one| one.at_ms);
            let begun = |one: &&Step| one.to == Some(worker) || one.actor == worker && one.name == "recover";
            let since = earlier.iter().rfind(begun).map_or(0, |one| one.at_ms);
            let says = |words: &str| step.text.starts_with("After ") && step.text.contains(words);
            let name = || format!("{}, step {}: {}", case.name(), step.index, step.text);
            assert_eq!(step.at_ms > last, step.text.starts_with("After "), "{}", name());
            late += usize::from(step.at_ms > last);
            let passed = step.at_ms - since;
            assert!(!says("of its run") || passed <= run, "{}", name());
            assert!(!says("After a pause") || passed > run, "{}", name());
            let lost = |one: &Step| one.name == "lease-ends" && !one.text.contains("still at work");
            assert!(!says("After its pause") || earlier.iter().any(lost), "{}", name());
        }
    }
    assert!(late > 20, "{late} steps are late");
}

/// Whether a worker takes this step by itself, in work that it has begun.
fn is_own(step: &Step) -> bool {
    let worker = matches!(step.actor, Actor::ServerA | Actor::ServerB);
    let begun = step.name != "recover" && !step.name.starts_with("deliver-");
    worker && begun && !step.text.contains("it was idle")
}

fn concerns(step: &Step, worker: Actor) -> bool {
    step.to == Some(worker) || step.actor == worker && !step.name.starts_with("deliver-")
}

#[test]
fn a_message_that_arrives_late_says_since_when() {
    all_stories(|_, story| {
        let late = |step: &&Step| {
            // A probe is sent when it comes: nobody knows when else.
            let probe = step.name == "deliver-probe";
            step.messages.iter().any(|one| one.fate == Fate::Arrives && one.sent_ms < step.at_ms && !probe)
        };
        let silent = story
            .steps
            .iter()
            .filter(|step| step.name != "gateway" && late(step) != step.text.contains("under way since"));
        silent.map(|step| format!("step {}: {}", step.index, step.text)).collect()
    });
}

#[test]
fn requests_are_counted_as_the_client_sends_them() {
    let mut left_out = 0;
    all_stories(|_, story| {
        let sent = requests(story);
        left_out += usize::from(story.steps.iter().any(|step| step.text.contains("in vain")));
        let gapless = sent.iter().copied().eq(1..=sent.len() as u64);
        if gapless { Vec::new() } else { vec![format!("the requests sent are {sent:?}")] }
    });
    assert!(left_out > 1, "{left_out} stories leave requests out");
}

/// The numbers of the requests that a story says were sent, in order.
fn requests(story: &Story) -> Vec<u64> {
    let texts = std::iter::once(&story.beginning).chain(story.steps.iter().map(|step| &step.text));
    let mut sent = Vec::new();
    for text in texts {
        for part in text.split("sends request").skip(1) {
            let words: Vec<_> = part.split([' ', ',', '.']).collect();
            let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
            let first = number(1).expect("a request has a number");
            sent.extend(first..=if words[0] == "s" { number(3).expect("a last one") } else { first });
        }
    }
    sent
}
