//! `docs/contract.md` and `docs/contract.schema.json` say what the code does.
//!
//! Both are generated. After a change to a field, its comment or its default:
//!
//! ```text
//! UPDATE_DOCS=1 cargo test -p idempotency-conformance --test contract_docs
//! ```

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs};

use idempotency::contract::{Contract, Period, fields, reference, rules, sections};
use proptest::prelude::*;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn schema() -> String {
    format!("{:#}\n", Contract::schema())
}

/// Compares a committed file with what is generated, or rewrites it.
fn same(name: &str, generated: &str) {
    let path = docs().join(name);
    if env::var_os("UPDATE_DOCS").is_some() {
        return fs::write(&path, generated).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let differs =
        committed.lines().zip(generated.lines()).position(|(committed, generated)| committed != generated);
    let line = differs.unwrap_or(committed.lines().count().min(generated.lines().count())) + 1;
    assert!(
        committed == generated,
        "docs/{name} is stale from line {line}: set UPDATE_DOCS=1 and run this test"
    );
}

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    same("contract.schema.json", &schema());
}

#[test]
fn the_committed_reference_is_the_one_of_the_types() {
    same("contract.md", &reference());
}

#[test]
fn the_reference_names_every_section_field_word_and_contradiction() {
    let text = reference();
    for section in sections() {
        assert!(text.contains(&format!("\n## [{}]\n", section.name)), "{}", section.name);
        assert!(!section.about.is_empty(), "[{}] says nothing of itself", section.name);
    }
    for field in fields() {
        assert!(text.contains(&format!("\n### `{}`\n", field.path)), "{}", field.path);
        assert!(!field.about.is_empty(), "`{}` says nothing of itself", field.path);
    }
    for rule in rules() {
        assert!(text.contains(&format!("\n| `{}` |", rule.id)), "{}", rule.id);
    }
}

#[test]
fn every_example_in_the_reference_is_a_contract() {
    let text = reference();
    let examples: Vec<_> =
        text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 2, "the reference has lost its examples");
    for example in examples {
        Contract::parse(example).unwrap_or_else(|errors| panic!("{errors}\n{example}"));
    }
}

#[test]
fn every_error_has_a_line_in_the_reference() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../impl/src/contract");
    let id = regex::Regex::new(r#"Fault::new\(\s*"([a-z0-9-]+)""#).unwrap();
    let mut ids = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let code = fs::read_to_string(&path).unwrap();
            ids.extend(id.captures_iter(&code).map(|found| found[1].to_owned()));
        }
    }
    assert!(ids.len() > 12, "{ids:?}");
    let text = reference();
    let (_, mistakes) = text.split_once("\n## Mistakes\n").unwrap();
    let (mistakes, _) = mistakes.split_once("\n### Nothing to review\n").unwrap();
    let lines: BTreeSet<_> =
        mistakes.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(lines, ids.iter().map(String::as_str).collect());
}

#[test]
fn a_schema_that_a_file_names_is_there() {
    let mut files = vec![docs().join("contract.md"), docs().join("../README.md")];
    files.extend(fs::read_dir(docs().join("contracts")).unwrap().map(|entry| entry.unwrap().path()));
    let mut seen = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for path in text.lines().filter_map(|line| line.strip_prefix("#:schema ")) {
            let schema = file.parent().unwrap().join(path);
            assert!(schema.is_file(), "{}: there is no {path} beside it", file.display());
            seen += 1;
        }
        let is_contract = file.extension().is_some_and(|extension| extension == "toml");
        assert!(!is_contract || text.starts_with("#:schema "), "{} names no schema", file.display());
    }
    assert!(seen > 2, "{seen} files name a schema");
}

#[test]
fn the_units_of_the_reference_are_those_that_are_read() {
    let text = reference();
    let (_, units) = text.split_once("| unit | also written |\n|---|---|\n").unwrap();
    let rows: Vec<_> = units.lines().take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 6);
    for row in rows {
        let names: Vec<_> = row.split('`').skip(1).step_by(2).collect();
        let lengths: BTreeSet<Period> =
            names.iter().map(|name| format!("3 {name}").parse().unwrap()).collect();
        assert_eq!(lengths.len(), 1, "{row}");
    }
}

#[test]
fn every_contract_in_the_docs_is_read() {
    let mut seen = 0;
    for entry in fs::read_dir(docs().join("contracts")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        Contract::parse(&text).unwrap_or_else(|errors| panic!("{}:\n{errors}", path.display()));
        seen += 1;
    }
    assert!(seen >= 2, "docs/contracts has lost its contracts");
}

#[test]
fn the_schema_is_of_its_draft_and_names_no_address_of_its_own() {
    let schema = Contract::schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["title"], "Contract");
    assert!(schema.get("$id").is_none());
    assert!(!schema.to_string().contains("\"null\""), "TOML has no null");
    assert!(!schema.to_string().contains(":null"), "TOML has no null");
}

#[test]
fn the_schema_has_a_default_for_every_field_that_does_not_derive_it() {
    let derived =
        ["key.horizon", "supplier.call-again-for", "store.durable", "store.failover", "routes.cancel-within"];
    let without: Vec<_> =
        fields().filter(|field| field.default.is_none()).map(|field| field.path.as_str()).collect();
    assert_eq!(without, derived);
    for path in derived {
        assert!(Contract::default().get(path).is_some(), "{path} has a value all the same");
    }
}

/// What an editor takes for a length of time.
static PATTERN: LazyLock<regex::Regex> = LazyLock::new(|| {
    let schema = Contract::schema();
    regex::Regex::new(schema["$defs"]["Period"]["pattern"].as_str().unwrap()).unwrap()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn an_editor_and_the_parser_agree_on_what_a_length_of_time_is(
        text in " ?([0-9]{0,3}(\\.[0-9]{0,2})? ?(ms|s|m|h|d|w|M|sec|minutes|day|year)? ?){0,3}",
    ) {
        let editor = PATTERN.is_match(&text);
        match text.parse::<Period>() {
            Ok(period) => {
                prop_assert!(editor, "an editor would refuse {:?}", text);
                prop_assert_eq!(period.to_string().parse(), Ok(period));
            }
            // An editor cannot do sums.
            Err(error) => prop_assert!(!editor || error.contains("finer than") || error.contains("longer than"), "an editor would accept: {}", error),
        }
    }
}
