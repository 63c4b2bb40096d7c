//! Damaged contract files: whatever is done to a file, it is read or its errors stand inside it.

use std::path::Path;
use std::{fs, sync::LazyLock};

use idempotency::contract::{Contract, ContractErrors, LARGEST_FILE, Parsed, fields, sections};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The contracts to damage: those of the docs, and every field at its default.
static CONTRACTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/contracts");
    let mut contracts = vec![Contract::default().to_toml()];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            contracts.push(fs::read_to_string(path).unwrap());
        }
    }
    contracts.sort();
    contracts
});

/// Checks what every answer has to keep, whatever the file.
fn check(bytes: &[u8], answer: &Result<Parsed, ContractErrors>) -> Result<(), TestCaseError> {
    let text = String::from_utf8_lossy(bytes);
    let errors = match answer {
        Ok(parsed) => {
            let known = parsed.assumed.len()
                + parsed.given.keys().filter(|path| !path.starts_with("sources.")).count();
            prop_assert_eq!(known, fields().count(), "every field is given or assumed");
            return Ok(());
        }
        Err(errors) => errors,
    };
    prop_assert!(!errors.errors().is_empty());
    let mut last = 0;
    for error in errors.errors() {
        let place = error.place.as_ref().expect("an error of a file has a place");
        let line = text.split('\n').nth(place.line - 1);
        let Some(line) = line else {
            return Err(TestCaseError::fail(format!("{error}: there is no such line")));
        };
        let width = line.chars().count();
        prop_assert!((1..=width + 1).contains(&place.column), "{}: the line has {} characters", error, width);
        prop_assert!(place.span.start >= last && place.span.start <= place.span.end, "{}", error);
        prop_assert!(place.span.end <= text.len(), "{}", error);
        last = place.span.start;
        let told = error.to_string();
        prop_assert!(!told.chars().any(char::is_control), "{:?}", told);
        prop_assert!(error.message.chars().count() < 600, "{}", error.message);
    }
    Ok(())
}

fn read(bytes: &[u8]) -> Result<(), TestCaseError> {
    check(bytes, &Contract::parse_bytes(bytes))
}

/// One way to damage a file. Places are fractions of the file, so that a smaller file fails the same way.
#[derive(Clone, Debug)]
enum Damage {
    Cut(Index),
    Remove(Index, usize),
    Insert(Index, Vec<u8>),
    InsertText(Index, String),
    RepeatLine(Index),
    SwapLines(Index, Index),
    Value(Index, String),
    Name(Index, String),
}

const SCRAPS: &[&str] = &[
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "=",
    ".",
    ",",
    "#",
    "\n",
    "\r",
    "\r\n",
    "\u{feff}",
    "\0",
    "\\u0000",
    "[key]\n",
    "[key.made]\n",
    "key = 1\n",
    "key.made.x = 1\n",
    "= 1\n",
    "a = [\n",
    "\"\"\" \n",
    "[sources]\n\"key.made\" = \"\"\n",
    "é",
    "日本",
    "🦀",
];

const VALUES: &[&str] = &[
    "\"\"",
    "\"text\"",
    "'text'",
    "\"never\"",
    "\"unlimited\"",
    "\"30s\"",
    "\"0s\"",
    "\"1 month\"",
    "0",
    "-1",
    "1",
    "409",
    "70000",
    "99999999999999999999999999999999999999999",
    "0x1f",
    "1.5",
    "1e999",
    "nan",
    "true",
    "false",
    "2020-06-01",
    "[]",
    "[1]",
    "[\"body\"]",
    "[\"owner\", \"owner\"]",
    "[[[]]]",
    "{}",
    "{ a = { b = 1 } }",
    "never",
    "30s",
    "",
    "\"\\q\"",
    "\"open",
    "\"18446744073709551615s 1000ms\"",
];

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<Index>;
    let name = || {
        fields().map(|field| field.name.clone()).chain(sections().iter().map(|section| section.name.clone()))
    };
    prop_oneof![
        place().prop_map(Damage::Cut),
        (place(), 1..40_usize).prop_map(|(at, length)| Damage::Remove(at, length)),
        (place(), prop::collection::vec(any::<u8>(), 1..8)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (place(), select(SCRAPS)).prop_map(|(at, scrap)| Damage::InsertText(at, scrap.into())),
        (place(), ".{1,8}").prop_map(|(at, text)| Damage::InsertText(at, text)),
        place().prop_map(Damage::RepeatLine),
        (place(), place()).prop_map(|(one, other)| Damage::SwapLines(one, other)),
        (place(), select(VALUES)).prop_map(|(at, value)| Damage::Value(at, value.into())),
        (place(), select(name().collect::<Vec<_>>())).prop_map(|(at, name)| Damage::Name(at, name)),
    ]
}

fn apply(bytes: Vec<u8>, damage: &Damage) -> Vec<u8> {
    let at = |place: &Index| place.index(bytes.len() + 1);
    let spliced = |from: usize, to: usize, new: &[u8]| [&bytes[..from], new, &bytes[to..]].concat();
    match damage {
        Damage::Cut(place) => bytes[..at(place)].to_vec(),
        Damage::Remove(place, length) => spliced(at(place), (at(place) + length).min(bytes.len()), &[]),
        Damage::Insert(place, new) => spliced(at(place), at(place), new),
        Damage::InsertText(place, new) => spliced(at(place), at(place), new.as_bytes()),
        Damage::RepeatLine(place) => in_lines(&bytes, |lines| {
            let at = place.index(lines.len());
            lines.insert(at, lines[at].clone());
        }),
        Damage::SwapLines(one, other) => in_lines(&bytes, |lines| {
            let count = lines.len();
            lines.swap(one.index(count), other.index(count));
        }),
        Damage::Value(place, value) => in_sides(&bytes, place, |name, _| format!("{name}= {value}")),
        Damage::Name(place, name) => in_sides(&bytes, place, |_, value| format!("{name} ={value}")),
    }
}

fn in_lines(bytes: &[u8], change: impl FnOnce(&mut Vec<String>)) -> Vec<u8> {
    let mut lines: Vec<String> = String::from_utf8_lossy(bytes).split('\n').map(str::to_owned).collect();
    change(&mut lines);
    lines.join("\n").into_bytes()
}

/// Changes one line that has a name and a value.
fn in_sides(bytes: &[u8], place: &Index, change: impl FnOnce(&str, &str) -> String) -> Vec<u8> {
    in_lines(bytes, |lines| {
        let mut with_sides: Vec<&mut String> = lines.iter_mut().filter(|line| line.contains('=')).collect();
        if with_sides.is_empty() {
            return;
        }
        let count = with_sides.len();
        let line = &mut *with_sides[place.index(count)];
        let (name, value) = line.split_once('=').unwrap();
        *line = change(name, value);
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_damaged_contract_is_read_or_its_errors_stand_inside_it(
        which in any::<Index>(),
        damages in prop::collection::vec(damage(), 1..5),
    ) {
        let contract = CONTRACTS[which.index(CONTRACTS.len())].clone().into_bytes();
        read(&damages.iter().fold(contract, apply))?;
    }

    #[test]
    fn any_bytes_are_refused_in_peace(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read(&bytes)?;
    }

    #[test]
    fn any_heap_of_scraps_is_refused_in_peace(
        scraps in prop::collection::vec(select([SCRAPS, VALUES].concat()), 0..40),
    ) {
        read(scraps.concat().as_bytes())?;
    }
}

#[test]
fn a_contract_cut_anywhere_is_read_or_its_error_stands_inside() {
    for contract in CONTRACTS.iter() {
        // Every byte of a short one; a long one has nothing in it that they have not.
        for end in (0..=contract.len()).step_by(contract.len() / 2000 + 1) {
            read(&contract.as_bytes()[..end]).unwrap_or_else(|error| panic!("cut at {end}: {error}"));
        }
    }
}

#[test]
fn a_line_that_stands_twice_is_found_with_its_first() {
    for contract in CONTRACTS.iter() {
        let lines: Vec<&str> = contract.lines().collect();
        for (index, line) in
            lines.iter().enumerate().filter(|(_, line)| line.contains('=') && !line.starts_with('#'))
        {
            let mut twice = lines.clone();
            twice.insert(index, line);
            let text = twice.join("\n");
            let errors = Contract::parse(&text).unwrap_err();
            let [error] = errors.errors() else { panic!("{errors}") };
            assert_eq!((error.id, error.place.as_ref().unwrap().line), ("duplicate", index + 2), "{error}");
        }
    }
}

#[test]
fn a_file_of_a_megabyte_is_answered() {
    let heaps = [
        "a = 1\n",
        "[key]\n",
        "\"",
        "[",
        "{",
        "= ",
        "key.made = 1\n",
        "[a.b.c]\n",
        "x",
        "\n",
        "\u{1b}",
        "a.",
        "[[a]]\n",
        "é = 2\n",
        "'''\n",
    ];
    let distinct: String = (0..70_000).map(|n| format!("field-{n} = 1\n")).take(60_000).collect();
    for heap in heaps.into_iter().chain([distinct.as_str()]) {
        let text = heap.repeat((1 << 20) / heap.len());
        read(text.as_bytes()).unwrap_or_else(|error| panic!("{heap:?}: {error}"));
    }
}

#[test]
fn a_file_that_is_too_large_is_told_its_limit_and_no_size() {
    let large = "#".repeat(LARGEST_FILE + 1);
    let cut = [&b"\xff"[..], large.as_bytes()].concat();
    for answer in
        [Contract::parse(&large), Contract::parse_bytes(large.as_bytes()), Contract::parse_bytes(&cut)]
    {
        let errors = answer.unwrap_err();
        let [error] = errors.errors() else { panic!("{errors}") };
        assert_eq!((error.id, error.message.as_str()), ("too-large", "the file has more than 1 MiB"));
    }
    assert!(Contract::parse(&large[1..]).is_ok());
}
