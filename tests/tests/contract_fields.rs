//! Every field of a contract, damaged in every way, one at a time: the error stands on the right line, and says what
//! was meant.

use idempotency::contract::{Contract, ContractError, Field, Kind, Section, fields, sections};
use serde_json::Value;

/// A file with one line in one section, and other lines around it.
fn file(section: &str, line: &str) -> String {
    format!("# A contract.\n\n[{section}]\n# The line:\n{line}\n")
}

/// Where that line stands.
const LINE: usize = 5;

fn errors(text: &str) -> Vec<ContractError> {
    match Contract::parse(text) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.errors().to_vec(),
    }
}

/// The one error of a file, which stands at this line and column.
fn only_error(text: &str, line: usize, column: usize) -> ContractError {
    let mut errors = errors(text);
    assert_eq!(errors.len(), 1, "{errors:?}\n{text}");
    let error = errors.remove(0);
    let place = error.place.clone().unwrap();
    assert_eq!((place.line, place.column), (line, column), "{error}\n{text}");
    error
}

fn home(field: &Field) -> &str {
    field.path.split_once('.').unwrap().0
}

/// Every slip of one letter, and the usual ways to write a name otherwise.
fn slips(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let join = |letters: &[char]| letters.iter().collect::<String>();
    let mut slips = vec![name.to_uppercase(), name.replace('-', "_"), format!("{name}s"), format!("x{name}")];
    for at in 0..letters.len() {
        let mut without = letters.clone();
        without.remove(at);
        let mut doubled = letters.clone();
        doubled.insert(at, letters[at]);
        let mut other = letters.clone();
        other[at] = 'x';
        slips.extend([join(&without), join(&doubled), join(&other)]);
        if at + 1 < letters.len() {
            let mut swapped = letters.clone();
            swapped.swap(at, at + 1);
            slips.push(join(&swapped));
        }
    }
    slips.retain(|slip| slip != name && !slip.is_empty());
    slips
}

/// Whether a slip is a word with one letter put in.
fn has_one_more(slip: &str, word: &str) -> bool {
    slip.char_indices().any(|(at, letter)| {
        slip[..at] == word[..at.min(word.len())]
            && slip[at + letter.len_utf8()..] == word[at.min(word.len())..]
    })
}

fn names(section: &Section) -> Vec<&str> {
    section.fields.iter().map(|field| field.name.as_str()).collect()
}

#[test]
fn a_misspelt_field_is_suggested() {
    for section in sections() {
        for field in &section.fields {
            for slip in slips(&field.name).iter().filter(|slip| !names(section).contains(&slip.as_str())) {
                let error = only_error(&file(&section.name, &format!("{slip} = 1")), LINE, 1);
                assert_eq!(error.id, "unknown-field");
                let meant = format!("did you mean `{}`?", field.name);
                assert_eq!(error.help.as_deref(), Some(meant.as_str()), "`{slip}` in [{}]", section.name);
            }
        }
    }
}

#[test]
fn a_misspelt_section_is_suggested() {
    for section in sections() {
        for slip in slips(&section.name) {
            let error = only_error(&file(&slip, "name = 1"), 3, 2);
            assert_eq!(error.id, "unknown-section");
            let meant = format!("did you mean `{}`?", section.name);
            assert_eq!(error.help.as_deref(), Some(meant.as_str()), "[{slip}]");
        }
    }
}

#[test]
fn a_misspelt_word_is_suggested_and_every_word_is_listed() {
    for field in fields() {
        let (choices, open, close) = match &field.kind {
            Kind::Word(choices) => (choices, "\"", "\""),
            Kind::List { of, .. } => match &**of {
                Kind::Word(choices) => (choices, "[\"", "\"]"),
                _ => continue,
            },
            _ => continue,
        };
        for choice in choices {
            let is_a_word = |slip: &String| choices.iter().any(|choice| choice.word == *slip);
            // Another word with one letter more is as near: `ufenced` is `fenced` or `unfenced`.
            let is_other = |slip: &String| {
                choices.iter().any(|other| other != choice && has_one_more(slip, &other.word))
            };
            let slips = slips(&choice.word).into_iter().filter(|slip| !is_a_word(slip) && !is_other(slip));
            for slip in slips {
                let line = format!("{} = {open}{slip}{close}", field.name);
                let column = line.find('"').unwrap() + 1;
                let error = only_error(&file(home(field), &line), LINE, column);
                assert_eq!(error.id, "wrong-word");
                let help = error.help.unwrap();
                let meant = format!("did you mean `{}`?", choice.word);
                assert!(help.starts_with(&meant), "{line}: {help}");
                assert!(
                    choices.iter().all(|choice| help.contains(&format!("`{}`", choice.word))),
                    "{line}: {help}"
                );
            }
        }
    }
}

/// A value of every type, with a word for it.
const VALUES: [(&str, &str); 8] = [
    ("text", "\"§\""),
    ("number", "12"),
    ("decimal", "1.5"),
    ("flag", "true"),
    ("date", "2020-06-01"),
    ("list", "[\"§\"]"),
    ("list of numbers", "[12]"),
    ("table", "{ a = 1 }"),
];

#[test]
fn a_value_of_another_type_is_refused_where_it_stands() {
    for field in fields() {
        for (value_type, value) in VALUES {
            let text = file(home(field), &format!("{} = {value}", field.name));
            let in_list = value_type == "list of numbers" && matches!(field.kind, Kind::List { .. });
            let column = field.name.len() + 4 + usize::from(in_list);
            let expected = match (&field.kind, value_type) {
                (Kind::Flag, "flag") | (Kind::Text { .. }, "text") => continue,
                (Kind::Number { min, max }, "number") if (*min..=*max).contains(&12) => continue,
                (Kind::Number { .. }, "number") => "out-of-range",
                (Kind::Word(_), "text") => "wrong-word",
                (Kind::Period { .. }, "text") => "bad-period",
                (Kind::List { of, .. }, "list") => match **of {
                    Kind::Text { .. } => continue,
                    _ => {
                        assert_eq!(only_error(&text, LINE, column + 1).id, "wrong-word");
                        continue;
                    }
                },
                _ => "wrong-type",
            };
            // Answers.marker, key.name: a text of one odd letter is no header's name, but it is a text.
            let error = only_error(&text, LINE, column);
            assert_eq!(error.id, expected, "{text}");
            assert_eq!(error.path, field.path);
            assert!(error.help.is_some(), "{text}");
        }
    }
}

#[test]
fn what_a_wrong_type_is_told_to_write_is_right() {
    for field in fields() {
        let others = [
            "\"true\"",
            "\"no\"",
            "\"12\"",
            "\"64 bytes\"",
            "\"owner\"",
            "\"a, b\"",
            "0",
            "1e400",
            "-1.5",
            "nan",
            "false",
            "[false]",
            "[12]",
            "[\"30s\"]",
            "[\"\"]",
            "[[]]",
            "1979-05-27T07:32:00Z",
        ];
        for value in VALUES.into_iter().map(|(_, value)| value).chain(others) {
            let found = errors(&file(home(field), &format!("{} = {value}", field.name)));
            let [ContractError { id: "wrong-type", path, help: Some(help), .. }] = &found[..] else {
                continue;
            };
            assert_eq!(*path, field.path);
            let advice = help.split('`').nth(1).unwrap();
            let line = match (advice.contains(" = "), &field.kind) {
                (true, _) => advice.to_owned(),
                // An entry of a list, or a word.
                (false, Kind::List { .. }) => format!("{} = [\"{}\"]", field.name, advice.trim_matches('"')),
                (false, _) => format!("{} = \"{advice}\"", field.name),
            };
            if let Err(errors) = Contract::parse(&file(home(field), &line)) {
                let only_contradicts = errors.errors().iter().all(is_contradiction);
                assert!(only_contradicts, "told to write `{line}`: {errors}");
            }
        }
    }
}

#[test]
fn what_a_value_is_told_to_be_follows_from_what_was_written() {
    for (section, line, advice) in [
        ("key", "required = \"no\"", "write `required = false`"),
        ("key", "required = \"Off\"", "write `required = false`"),
        ("key", "required = 1", "write `required = true`"),
        ("key", "required = \"perhaps\"", "write `required = true` or `required = false`"),
        ("key", "required = no", "write `required = false`"),
        ("client", "attempts = 1.5", "write a whole number from 1 to 1000, such as `attempts = 2`"),
        ("client", "attempts = \"3 times\"", "write a whole number from 1 to 1000, such as `attempts = 3`"),
        ("client", "attempts = [5]", "write a whole number from 1 to 1000, such as `attempts = 5`"),
        ("client", "attempts = five", "write a whole number from 1 to 1000, such as `attempts = 4`"),
        ("client", "attempts = 0", "write a whole number from 1 to 1000, such as `attempts = 1`"),
        ("client", "attempts = 2000", "write a whole number from 1 to 1000, such as `attempts = 1000`"),
        ("fingerprint", "status = 200", "write a whole number from 400 to 499, such as `status = 422`"),
        ("fingerprint", "status = \"409\"", "write a whole number from 400 to 499, such as `status = 409`"),
        ("key", "name = 7", "write `name = \"7\"`"),
        ("key", "name = [\"X-Key\"]", "write `name = \"X-Key\"`"),
        ("operation", "does = {}", "write it such as `does = \"…\"`"),
        (
            "client",
            "deadline = 45",
            "write its unit too, in quotes: `deadline = \"45s\"`, if it is in seconds",
        ),
        (
            "client",
            "deadline = 1.5",
            "write its unit too, in quotes: `deadline = \"1.5s\"`, if it is in seconds",
        ),
        (
            "client",
            "deadline = \"45\"",
            "did you mean `\"45s\"`? The units are `ms`, `s`, `m`, `h`, `d`, `w`",
        ),
        (
            "client",
            "deadline = \"45S\"",
            "did you mean `\"45s\"`? The units are `ms`, `s`, `m`, `h`, `d`, `w`",
        ),
        ("client", "deadline = 45S", "did you mean `\"45s\"`? The units are `ms`, `s`, `m`, `h`, `d`, `w`"),
        ("client", "deadline = 45s", "write `\"45s\"`"),
        ("client", "deadline = [\"45s\"]", "write `deadline = \"45s\"`"),
        ("client", "deadline = true", "write it such as `deadline = \"60s\"`"),
        ("retention", "unresolved = false", "write `unresolved = \"never\"`"),
        ("retention", "unresolved = \"Never\"", "did you mean `\"never\"`?"),
        (
            "retention",
            "unresolved = \"1 month\"",
            "did you mean `\"30d\"`? The units are `ms`, `s`, `m`, `h`, `d`, `w`; or write `\"never\"`",
        ),
        (
            "reservation",
            "mark = false",
            "write `mark = \"never\"`; the words are `fenced`, `unfenced`, `never`",
        ),
        ("reservation", "mark = true", "write one of `fenced`, `unfenced`, `never`, in quotes"),
        (
            "reservation",
            "mark = \"FENCED\"",
            "did you mean `fenced`? The words are `fenced`, `unfenced`, `never`",
        ),
        (
            "reservation",
            "mark = [\"Fenced\"]",
            "write `mark = \"fenced\"`; the words are `fenced`, `unfenced`, `never`",
        ),
        ("key", "scope = \"owner + Operation\"", "write `scope = [\"owner\", \"operation\"]`"),
        ("key", "scope = \"everybody\"", "write it such as `scope = [\"owner\", \"operation\"]`"),
        ("fingerprint", "covers = \"amount, currency\"", "write `covers = [\"amount\", \"currency\"]`"),
        ("fingerprint", "covers = false", "write `covers = []`"),
        ("fingerprint", "covers = [\"amount\", 12]", "write `\"12\"` as an entry of the list"),
    ] {
        let found = errors(&file(section, line));
        let [error] = &found[..] else { panic!("{line}: {found:?}") };
        assert_eq!(error.help.as_deref(), Some(advice), "{line}");
    }
}

fn is_contradiction(error: &ContractError) -> bool {
    idempotency::contract::rules().any(|rule| rule.id == error.id)
}

/// Every range that the schema states, read from the schema and not through the code under test.
fn ranges() -> Vec<(String, String, i128, i128)> {
    let schema = Contract::schema();
    let mut ranges = Vec::new();
    for (section, of) in schema["properties"].as_object().unwrap() {
        let of = of["$ref"].as_str().map_or(of, |target| schema.pointer(&target[1..]).unwrap());
        let Some(fields) = of.get("properties").and_then(Value::as_object) else { continue };
        for (field, of) in fields.iter().filter(|(_, of)| of["type"] == "integer") {
            let end =
                |name: &str| i128::from(of[name].as_i64().unwrap_or_else(|| panic!("{field} has no {name}")));
            ranges.push((section.clone(), field.clone(), end("minimum"), end("maximum")));
        }
    }
    ranges
}

#[test]
fn every_range_of_the_schema_is_enforced() {
    let ranges = ranges();
    let declared = fields().filter(|field| matches!(field.kind, Kind::Number { .. })).count();
    assert_eq!(ranges.len(), declared);
    assert!(declared > 10);
    for (section, field, min, max) in ranges {
        let with = |value: i128| file(&section, &format!("{field} = {value}"));
        for inside in [min, max] {
            assert_eq!(errors(&with(inside)), [], "{section}.{field} = {inside}");
        }
        for outside in
            [min - 1, max + 1, -1, i128::from(i64::MIN), i128::from(i64::MAX), i128::MIN, i128::MAX]
        {
            let error = only_error(&with(outside), LINE, field.len() + 4);
            assert_eq!(error.id, "out-of-range");
            assert!(error.help.unwrap().contains(&format!("from {min} to {max}")));
        }
        let huge = file(&section, &format!("{field} = {}", "9".repeat(100)));
        assert_eq!(only_error(&huge, LINE, field.len() + 4).id, "out-of-range");
    }
}

#[test]
fn every_list_and_name_of_the_schema_keeps_its_rule() {
    let mut unique_lists = 0;
    for field in fields() {
        let line = |value: &str| file(home(field), &format!("{} = {value}", field.name));
        match &field.kind {
            Kind::Text { may_be_empty: false } => {
                for empty in ["\"\"", "\"  \""] {
                    assert_eq!(only_error(&line(empty), LINE, field.name.len() + 4).id, "empty");
                }
            }
            Kind::List { unique: true, of } => {
                unique_lists += 1;
                let entry = if matches!(**of, Kind::Word(_)) { "owner" } else { "amount" };
                let text = line(&format!("[\"{entry}\", \"{entry}\"]"));
                let error = only_error(&text, LINE, field.name.len() + 4 + entry.len() + 5);
                assert_eq!(error.id, "twice");
                assert_eq!(error.related.unwrap().0.column, field.name.len() + 5);
            }
            _ => {}
        }
    }
    assert_eq!(unique_lists, 2);
    let text = file("fingerprint", "covers = [\"amount\", \"\"]");
    assert_eq!(only_error(&text, LINE, 21).id, "empty");
}

#[test]
fn a_field_in_a_wrong_section_is_sent_home() {
    for field in fields() {
        let holders: Vec<_> =
            sections().iter().filter(|section| section.field(&field.name).is_some()).collect();
        let homes =
            holders.iter().map(|section| format!("[{}]", section.name)).collect::<Vec<_>>().join(" or ");
        let belongs = format!("`{}` belongs to {homes}", field.name);
        if sections().iter().all(|section| section.name != field.name) {
            let top = only_error(&format!("{} = 1\n", field.name), 1, 1);
            assert_eq!(top.help.as_deref(), Some(belongs.as_str()));
        }
        let strangers =
            sections().iter().filter(|section| !section.is_open() && section.field(&field.name).is_none());
        for section in strangers {
            let near = names(section).iter().any(|name| slips(name).contains(&field.name));
            let error = only_error(&file(&section.name, &format!("{} = 1", field.name)), LINE, 1);
            assert!(near || error.help.as_deref() == Some(belongs.as_str()), "{error} in [{}]", section.name);
        }
    }
}

#[test]
fn a_source_names_a_field_and_says_something() {
    let line = "\"key.made\" = ";
    for field in fields() {
        assert_eq!(errors(&file("sources", &format!("\"{}\" = \"guess: usual\"", field.path))), []);
    }
    for (value, id) in [("\"\"", "empty"), ("\" \"", "empty"), ("1", "wrong-type"), ("[\"x\"]", "wrong-type")]
    {
        let error = only_error(&file("sources", &format!("{line}{value}")), LINE, line.len() + 1);
        assert_eq!((error.id, error.path.as_str()), (id, "sources.key.made"));
    }
    for (name, meant) in [("key.mode", "key.made"), ("client.deadlines", "client.deadline")] {
        let error = only_error(&file("sources", &format!("\"{name}\" = \"guess: usual\"")), LINE, 1);
        assert_eq!(error.id, "unknown-field");
        assert_eq!(error.help.unwrap(), format!("did you mean `{meant}`?"));
    }
    let error = only_error(&file("sources", "key.made = \"guess: usual\""), LINE, 1);
    assert!(error.message.ends_with("stands in quotes"), "{error}");
}
