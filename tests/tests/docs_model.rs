//! `docs/contracts/README.md`, and the tables of `docs/model.md`, say what the checker finds.
//!
//! Both are generated. After a change to the model or to a contract:
//!
//! ```text
//! UPDATE_DOCS=1 cargo test -p idempotency-conformance --test docs_model
//! ```

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use common::{demo, orders};
use idempotency::contract::{Contract, reference};
use idempotency::invariant::Invariant;
use idempotency_model::fault::Fault;
use idempotency_model::review::{Change, Options, Review, Verdict, review};
use idempotency_model::scenario::{Other, Scenario};
use idempotency_model::search::{Bounds, Goal, search};
use idempotency_model::setup::Setup;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// Compares a committed file with what is generated, or rewrites it.
fn same(name: &str, generated: &str) {
    let path = docs().join(name);
    if env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(&path, generated).expect("the documents can be written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let line = committed.lines().zip(generated.lines()).take_while(|(old, new)| old == new).count() + 1;
    assert!(
        committed == generated,
        "docs/{name} is stale from line {line}: set UPDATE_DOCS=1 and run this test"
    );
}

/// Every contract of the documents: its name, its text, and what it says.
fn contracts() -> Vec<(String, String)> {
    let folder = fs::read_dir(docs().join("contracts")).expect("there are contracts");
    let mut contracts: Vec<_> = folder
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a contract can be read"))
        })
        .collect();
    contracts.sort();
    contracts
}

const FOLLOWS: &str = "# What follows for its user:\n";

/// The comment at the end of a contract that says what follows for its user.
fn follows(text: &str) -> Option<String> {
    let (_, end) = text.split_once(FOLLOWS)?;
    let lines: Vec<_> = end.lines().map(|line| line.trim_start_matches('#').trim()).collect();
    Some(lines.join("\n").trim().to_owned())
}

/// Whether nothing but a guess stands behind the value of a field.
fn is_guess(contract: &Contract, field: &str) -> bool {
    contract.sources.get(field).is_none_or(|source| source.starts_with("guess:"))
}

/// Whether some remedy of an invariant changes guesses alone: what is documented does not break it.
fn rests_on_guesses(contract: &Contract, review: &Review, invariant: Invariant) -> bool {
    let mut remedies = review.remedies.iter().filter(|remedy| remedy.mends.contains(&invariant));
    remedies.any(|remedy| remedy.changes.iter().all(|change| is_guess(contract, &change.field)))
}

fn mark(is_marked: bool) -> &'static str {
    if is_marked { "*" } else { "" }
}

/// The invariants that are broken: each with a link, its mark, and the steps of its shortest story.
fn broken(contract: &Contract, review: &Review) -> String {
    let one = |invariant: &Invariant| {
        let story = review.shortest(*invariant).and_then(|row| row.story.as_ref()).expect("a story");
        let mark = mark(rests_on_guesses(contract, review, *invariant));
        format!("[{invariant}]{mark} ({})", story.length)
    };
    let broken: Vec<_> = review.with_verdict(Verdict::Violated).iter().map(one).collect();
    listed(broken)
}

/// The invariants of which some row is unknown while none is broken.
fn unknown(review: &Review) -> String {
    let broken = review.with_verdict(Verdict::Violated);
    let unknown = review.with_verdict(Verdict::Unknown);
    let open = unknown.iter().filter(|invariant| !broken.contains(invariant));
    listed(open.map(|invariant| format!("[{invariant}]")).collect())
}

fn listed(cells: Vec<String>) -> String {
    if cells.is_empty() { "none".into() } else { cells.join(", ") }
}

/// What mends a contract, as a list.
fn mended(contract: &Contract, review: &Review) -> String {
    let mut lines = String::new();
    let links = |invariants: &[Invariant]| {
        invariants.iter().map(|invariant| format!("[{invariant}]")).collect::<Vec<_>>().join(", ")
    };
    for remedy in &review.remedies {
        let change = |change: &Change| {
            format!("`{} = {}`{}", change.field, change.to, mark(is_guess(contract, &change.field)))
        };
        let changes: Vec<_> = remedy.changes.iter().map(change).collect();
        lines += &format!("- {}: {}\n", links(&remedy.mends), changes.join(", "));
    }
    let is_mended = |invariant: &Invariant| review.remedies.iter().any(|it| it.mends.contains(invariant));
    for invariant in review.with_verdict(Verdict::Violated).iter().filter(|invariant| !is_mended(invariant)) {
        lines += &format!("- [{invariant}]: nothing that was tried\n");
    }
    lines
}

/// The ids of invariants that a text names.
fn named(text: &str) -> BTreeSet<String> {
    let id = regex::Regex::new(r"\bV[0-9]+\b").expect("a pattern");
    id.find_iter(text).map(|id| id.as_str().to_owned()).collect()
}

fn ids(invariants: &[Invariant]) -> BTreeSet<String> {
    invariants.iter().map(ToString::to_string).collect()
}

const HEAD: &str = "\
# Contracts

Two contracts of our own, and what public designs document, each read literally and searched under every scenario. A
verdict is about the text as it was read, its guesses included, and not about the product: a silence had to be filled,
and every guess says so in the file's `[sources]`. In brackets: the steps of the shortest story.

An asterisk marks a guess, and an invariant that was mended by changing guesses alone: with other guesses nothing that
is documented breaks it. Without one, no change of guesses alone was found to mend it.

An invariant that is unknown was neither shown to hold nor to break. Stories that break it were found, but none of those
that were tried has times that the contract allows; the report of that contract says which of its numbers stand in the
way. It is not safe to rest on it.

Run one: `cargo run --release -- review docs/contracts/stripe-v1.toml`. This page is generated by
`tests/tests/docs_model.rs`.

| contract | verdict | broken | unknown | facts | guesses |
|---|---|---|---|--:|--:|
";

#[test]
fn the_page_of_contracts_says_what_the_checker_finds() {
    let mut page = HEAD.to_owned();
    let mut follow = String::new();
    for (name, text) in contracts() {
        let parsed = Contract::parse(&text).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        let contract = &parsed.contract;
        let review = review(&name, &parsed, &Options::default(), &mut |_| {});
        assert_ne!(review.verdict, Verdict::Unknown, "{name} is decided");
        let cut = review.results.iter().filter_map(|row| row.reason.as_ref());
        let cut: Vec<_> = cut.filter(|reason| !reason.starts_with("stories were found")).collect();
        assert!(cut.is_empty(), "{name}: the page says of what is unknown that stories were found: {cut:?}");
        let guesses = contract.sources.keys().filter(|field| is_guess(contract, field)).count();
        let facts = contract.sources.len() - guesses;
        page += &format!(
            "| [{name}]({name}.toml) | {} | {} | {} | {facts} | {guesses} |\n",
            review.verdict.word(),
            broken(contract, &review),
            unknown(&review),
        );
        let Some(words) = follows(&text) else {
            assert_eq!(review.verdict, Verdict::Holds, "{name} says what follows for its user");
            continue;
        };
        let violated = ids(&review.with_verdict(Verdict::Violated));
        assert_eq!(named(&words), violated, "{name}: what follows for its user, and what is broken");
        follow += &format!(
            "\n### {name}\n\n{words}\n\nWhat mends it, each line as a whole:\n\n{}",
            mended(contract, &review)
        );
    }
    page += &format!("\n## What follows for their users\n{follow}\n");
    for invariant in Invariant::ALL {
        page += &format!("[{invariant}]: ../model.md#{}\n", invariant.id().to_lowercase());
    }
    same("contracts/README.md", &page);
}

#[test]
fn the_example_of_the_reference_is_reviewed_as_it_says() {
    const BEGIN: &str = "<!-- example: reviewed by tests/tests/docs_model.rs -->\n```toml\n";
    let page = reference();
    let (_, rest) = page.split_once(BEGIN).expect("the reference has the example");
    let (example, after) = rest.split_once("```\n").expect("the example ends");
    let said = after.trim_start().split("\n\n").next().expect("a paragraph after it");
    let parsed = Contract::parse(example).unwrap_or_else(|errors| panic!("{errors}"));
    let review = review("example", &parsed, &Options::default(), &mut |_| {});
    let violated = review.with_verdict(Verdict::Violated);
    let (found, rest) = said.split_once(". ").expect("a sentence of what is found");
    assert_eq!(named(found), ids(&violated), "{found}");
    let (guessed, proved): (Vec<_>, Vec<_>) = violated
        .iter()
        .copied()
        .partition(|invariant| rests_on_guesses(&parsed.contract, &review, *invariant));
    let (guesses, rest) = rest.split_once(" rest on guesses").expect("which of them rest on guesses");
    assert_eq!((named(guesses), named(rest)), (ids(&guessed), ids(&proved)), "{said}");
    for path in parsed.given.keys().filter(|path| !path.starts_with("sources.")) {
        let is_own = path.starts_with("operation.");
        assert!(is_own || parsed.contract.sources.contains_key(path), "`{path}` has no source");
    }
}

#[test]
fn every_fact_of_a_public_contract_has_a_source_and_every_guess_is_marked() {
    let mut public = 0;
    for (name, text) in contracts() {
        let parsed = Contract::parse(&text).expect("a contract");
        if parsed.contract.sources.is_empty() {
            assert!(["demo-requests", "orders"].contains(&name.as_str()), "{name} has no sources");
            continue;
        }
        public += 1;
        let own = ["operation.name", "operation.does"];
        for path in
            parsed.given.keys().filter(|path| !path.starts_with("sources.") && !own.contains(&path.as_str()))
        {
            let source = parsed.contract.sources.get(path);
            let source = source.unwrap_or_else(|| panic!("{name}: `{path}` has no source"));
            let is_guess = source.strip_prefix("guess: ").is_some_and(|why| !why.is_empty());
            assert!(is_guess || source.starts_with("https://"), "{name}: `{path}`: {source}");
        }
        for path in parsed.contract.sources.keys() {
            assert!(parsed.given.contains_key(path), "{name}: `{path}` has a source and is not set");
        }
    }
    assert!(public >= 12, "{public} public contracts");
}

/// The table of scenarios, with the states of both contracts of our own.
fn scenarios() -> String {
    let mut table = String::from(
        "| scenario | what happens | attempts | faults | demo-requests: states | demo-requests: reduced | orders: states | orders: reduced |\n\
         |---|---|--:|---|--:|--:|--:|--:|\n",
    );
    for scenario in Scenario::all() {
        let mut faults: Vec<_> = scenario
            .under(&demo())
            .budget
            .iter()
            .map(|(fault, times)| format!("{} {times}", fault.name()))
            .collect();
        match scenario.other {
            Some(Other::Payload) => faults.push("another payload".into()),
            Some(Other::Owner) => faults.push("another owner".into()),
            None => {}
        }
        if scenario.rotates {
            faults.push("rotated credential".into());
        }
        if scenario.crosses_regions {
            faults.push("another region".into());
        }
        let states = |contract: &Contract, reduce| {
            let found =
                search(&Setup::new(contract, &scenario), Goal { reduce, ..Goal::all() }, Bounds::default());
            assert_eq!(found.cut_short, None, "{}", scenario.name);
            found.states
        };
        table += &format!(
            "| `{}` | {} | {} | {} | {} | {} | {} | {} |\n",
            scenario.name,
            scenario.about,
            scenario.attempts,
            faults.join(", "),
            states(&demo(), false),
            states(&demo(), true),
            states(&orders(), false),
            states(&orders(), true),
        );
    }
    table
}

#[test]
fn the_page_of_the_model_has_the_scenarios_and_their_counts() {
    const BEGIN: &str = "<!-- scenarios: generated by tests/tests/docs_model.rs -->\n";
    const END: &str = "<!-- end of scenarios -->\n";
    let page = fs::read_to_string(docs().join("model.md")).expect("docs/model.md");
    let (before, rest) = page.split_once(BEGIN).expect("the place of the table");
    let (_, after) = rest.split_once(END).expect("the end of the table");
    same("model.md", &format!("{before}{BEGIN}{}{END}{after}", scenarios()));
}

#[test]
fn the_page_of_the_model_names_every_fault_and_every_invariant() {
    let page = fs::read_to_string(docs().join("model.md")).expect("docs/model.md");
    for fault in Fault::ALL {
        assert!(page.contains(&format!("| `{}` |", fault.name())), "{}", fault.name());
    }
    for invariant in Invariant::ALL {
        let anchor = invariant.id().to_lowercase();
        let row = format!("| <a id=\"{anchor}\"></a>{invariant} | {} |", invariant.sentence());
        assert!(page.contains(&row), "{row}");
    }
}
