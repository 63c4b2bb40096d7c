//! A file that is broken as TOML: what is still told of the rest, and what is not.

use idempotency::contract::Contract;

/// The ids of the errors of a file, each with its line.
fn errors(text: &str) -> Vec<(&'static str, usize)> {
    match Contract::parse(text) {
        Ok(_) => Vec::new(),
        Err(errors) => {
            errors.errors().iter().map(|error| (error.id, error.place.as_ref().unwrap().line)).collect()
        }
    }
}

#[test]
fn a_value_without_quotes_hides_no_other_error() {
    for value in ["never", "nope", "True", "2020-13-45", "12:99:00"] {
        let text = format!("[key]\nmade = {value}\nkept = true\n[client]\ndeadlin = \"5s\"\n");
        assert_eq!(errors(&text), [("syntax", 2), ("wrong-type", 3), ("unknown-field", 5)], "{value}");
    }
}

#[test]
fn a_value_without_quotes_is_blamed_once() {
    for value in ["never", "30s", "True", "info", "nope", "2020-13-45", "“24h”", "1_"] {
        let text = format!("[retention]\ncompleted = {value}\n[fingerprint]\ncovers = {value}\n");
        assert_eq!(errors(&text), [("syntax", 2), ("syntax", 4)], "{value}");
        assert_eq!(errors(&format!("retention = {value}\n")), [("syntax", 1)], "{value}");
    }
}

#[test]
fn what_stands_before_a_broken_line_is_checked() {
    let text = "[client]\ndeadlin = \"5s\"\n[retention\ncompleted = \"1h\"\n";
    assert_eq!(errors(text), [("unknown-field", 2), ("syntax", 3)]);
}

#[test]
fn what_stands_after_a_broken_line_is_not_blamed() {
    // The parser takes the last two lines for fields of [client].
    let text = "[client]\nattempts = 3\n[retention\ncompleted = \"1h\"\nunresolved = \"never\"\n";
    assert_eq!(errors(text), [("syntax", 3)]);
    let text = "[fingerprint]\ncovers = [\"amount\",\nstatus = 200\n";
    assert!(errors(text).iter().all(|(id, _)| *id == "syntax"), "{:?}", errors(text));
}

#[test]
fn a_name_that_stands_twice_hides_no_other_error() {
    let text = "[key]\nmade = \"neve\"\nmade = \"never\"\n[key]\nkep = \"answer\"\n";
    assert_eq!(errors(text), [("wrong-word", 2), ("duplicate", 3), ("duplicate", 4), ("unknown-field", 5)]);
}

#[test]
fn every_way_to_write_a_section_is_understood() {
    for text in [
        "[key]\nrequired = false\n",
        "key.required = false\n",
        "key = { required = false }\n",
        "\"key\".'required' = false\n",
        "\u{feff}[key]\r\nrequired = false\r\n",
        "  [ key ]  # a comment\n\trequired=false # another\n",
    ] {
        let parsed = Contract::parse(text).unwrap_or_else(|errors| panic!("{text:?}: {errors}"));
        assert!(!parsed.contract.key.required);
        let place = &parsed.given["key.required"];
        assert_eq!(&text[place.span.clone()], "false");
    }
}

#[test]
fn a_section_that_is_none_says_so() {
    for text in ["[[key]]\nmade = \"never\"\n", "key = 1\n", "key = []\n", "[client.deadline]\nx = 1\n"] {
        assert_eq!(errors(text), [("wrong-type", 1)], "{text}");
    }
}
