//! What a reader in a terminal sees, whatever the contract and however wide the window is.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use idempotency::contract::Contract;
use idempotency_model::review::{Options, Review, Verdict, review};

use super::{Look, write};

/// A review of every contract in docs/contracts.
static REVIEWS: LazyLock<Vec<Review>> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/contracts");
    let contracts = fs::read_dir(folder).expect("the contracts").map(|entry| entry.expect("a file").path());
    let contracts: Vec<_> =
        contracts.filter(|path| path.extension().is_some_and(|it| it == "toml")).collect();
    assert!(contracts.len() > 10, "{contracts:?}");
    let one = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a contract");
        let parsed = Contract::parse(&text).expect("it is one");
        let name = path.file_name().expect("a name").to_string_lossy();
        review(&name, &parsed, &Options::default(), &mut |_| {})
    };
    let (first, second) = contracts.split_at(contracts.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| second.iter().map(one).collect::<Vec<_>>());
        let mut all: Vec<_> = first.iter().map(one).collect();
        all.extend(other.join().expect("the other half is reviewed"));
        all
    })
});

/// Every report, with the look that it has.
fn reports() -> impl Iterator<Item = (&'static Review, Look, String)> {
    let looks = [60, 80, 100]
        .into_iter()
        .flat_map(|width| [true, false].map(|ascii| Look { color: false, ascii, width }));
    looks.flat_map(|look| {
        REVIEWS.iter().map(move |review| (review, look, write(review, look).expect("it can be written")))
    })
}

/// One test, so that the contracts are reviewed once.
#[test]
fn the_published_contracts_are_told_so_that_they_can_be_read() {
    no_line_is_too_wide_and_none_ends_in_a_space();
    what_is_broken_and_what_to_change_stands_at_the_top();
    no_story_is_told_twice();
    the_changes_together_mend_every_published_contract();
}

fn no_line_is_too_wide_and_none_ends_in_a_space() {
    for (review, look, text) in reports() {
        assert!(text.lines().count() > 50, "{text}");
        for line in text.lines() {
            let fits = line.chars().count() <= look.width && line.trim_end() == line;
            assert!(fits, "{}, {look:?}: {line:?}", review.contract.file);
        }
    }
}

fn what_is_broken_and_what_to_change_stands_at_the_top() {
    for (review, look, text) in reports().filter(|(_, look, _)| look.width >= 80) {
        let top: Vec<_> = text.lines().take(25).collect();
        let top = top.join("\n");
        let file = &review.contract.file;
        for invariant in review.with_verdict(Verdict::Violated) {
            assert!(top.contains(&format!("{invariant} {}", invariant.title())), "{file}, {look:?}:\n{top}");
        }
        let mending = review.mending.iter().flat_map(|it| &it.remedies).map(|at| &review.remedies[*at]);
        for change in mending.flat_map(|remedy| &remedy.changes) {
            let words = format!("{} = {} (now {})", change.field, change.to, change.from);
            let words = words.split(' ').collect::<Vec<_>>();
            let flat = top.split_whitespace().map(|word| word.trim_end_matches(';')).collect::<Vec<_>>();
            assert!(flat.windows(words.len()).any(|it| it == words), "{file}, {look:?}: {words:?}\n{top}");
            let value = format!("{} = {}", change.field, change.to);
            let whole = value.chars().count() > 40 || top.contains(&value);
            assert!(whole, "{file}, {look:?}: a line is broken in {value}\n{top}");
        }
    }
}

fn the_changes_together_mend_every_published_contract() {
    for review in REVIEWS.iter().filter(|review| review.verdict == Verdict::Violated) {
        let mending = review.mending.as_ref().expect("changes were looked for");
        let file = &review.contract.file;
        assert_eq!(mending.together, Some(Verdict::Holds), "{file}: {:?} {:?}", mending.left, mending.broken);
    }
}

fn no_story_is_told_twice() {
    let mut pointed = 0;
    for (review, _, text) in reports() {
        let mut beginnings: Vec<&str> = Vec::new();
        for part in text.split(" is broken: ").skip(1) {
            let part = part.split("  Mended by").next().unwrap_or_default();
            pointed += usize::from(part.contains("The shortest story is") || part.contains("it goes on"));
            let steps = part.split_once("\n\n").map_or("", |(_, steps)| steps);
            let list = steps.split("\n\n").next().unwrap_or_default();
            assert!(!beginnings.contains(&list), "{}: told twice:\n{list}", review.contract.file);
            beginnings.push(list);
        }
    }
    assert!(pointed > 0, "no story is that of another");
}
