//! Ten typical mistakes, as their author sees them. `INSTA_UPDATE=always cargo test` rewrites the texts: read them.

use idempotency::contract::{Contract, LARGEST_FILE};

use super::render;

fn shown(text: &str) -> String {
    let errors = Contract::parse(text).expect_err("the contract has a mistake");
    render("contract.toml", text, &errors, false)
}

macro_rules! mistakes {
    ($($name:ident: $text:expr;)+) => {
        $(#[test]
        fn $name() {
            let text = $text;
            insta::with_settings!({ description => text, omit_expression => true }, {
                insta::assert_snapshot!(shown(text));
            });
        })+
    };
}

mistakes! {
    a_field_misspelt: "[retention]\ncompletted = \"24h\"\n";
    a_section_misspelt: "[retension]\ncompleted = \"24h\"\n";
    a_field_in_the_wrong_section: "[client]\ndeadline = \"60s\"\nlease = \"30s\"\n";
    a_word_that_is_none: "[reservation]\ntake-over = \"stage\"\n";
    a_word_without_quotes: "[retention]\nunresolved = never\ncompleted = 24h\n";
    a_time_without_a_unit: "[client]\ndeadline = 45\ntimeout = \"10\"\n";
    a_status_out_of_range: "[fingerprint]\ncovers = [\"amount\", \"amount\"]\nstatus = 200\n";
    a_name_twice: "[key]\nrequired = true\n\n[effect]\nkind = \"none\"\n\n[key]\nrequired = false\n";
    a_section_not_closed: "# Orders\n[client\nattempts = 4\n";
    a_contradiction_between_two_lines: "[reservation]\nlease = \"10s\"\nheartbeat = \"15s\"\n";
    a_contradiction_with_a_default: "[supplier]\ntakes-key = true\nremembers = \"24h\"\n";
    a_source_of_no_field: "[sources]\n\"retention.complete\" = \"https://example.com/keys\"\nkey.made = \"guess: usual\"\n";
    a_number_as_in_another_language: "[client]\ndeadline = \"1,5h\"\ntimeout = \"1_000s\"\nbackoff-from = \"1e3s\"\n[key]\nlongest = 064\n";
    a_colon_in_place_of_the_equals_sign: "[operation]\nname : \"a\"\n";
    a_source_without_quotes: "[sources]\nkey.longst = \"guess: usual\"\n";
    many_mistakes_at_once: "\
[operation]
name = \"\"
does = 7

[key]
longest = \"64 bytes\"
scope = \"owner\"

[between]
longest-delay = \"unlimitd\"
repeats = -1
";
}

#[test]
fn bytes_that_are_no_text() {
    let bytes = b"[operation]\nname = \"caf\xe9\"\n";
    let errors = Contract::parse_bytes(bytes).unwrap_err();
    insta::assert_snapshot!(render("contract.toml", &String::from_utf8_lossy(bytes), &errors, false));
}

#[test]
fn a_file_that_is_too_large() {
    let text = "#".repeat(LARGEST_FILE + 1);
    let errors = Contract::parse(&text).unwrap_err();
    insta::assert_snapshot!(render("contract.toml", "", &errors, false));
}

#[test]
fn more_mistakes_than_are_listed() {
    let text: String = (0..1000).map(|n| format!("field-{n} = 0\n")).collect();
    let shown = shown(&text);
    assert!(
        shown.ends_with("contract.toml: 1000 errors; the first 50 are shown\n"),
        "{}",
        &shown[shown.len() - 200..]
    );
}

#[test]
fn in_colour_the_words_are_the_same() {
    let text = "[retention]\ncompletted = \"24h\"\n";
    let coloured = render("contract.toml", text, &Contract::parse(text).unwrap_err(), true);
    assert!(coloured.contains("\u{1b}["));
    let mut plain = String::new();
    for (index, part) in coloured.split('\u{1b}').enumerate() {
        let end = if index == 0 { 0 } else { part.find('m').map_or(0, |end| end + 1) };
        plain.push_str(&part[end..]);
    }
    assert_eq!(plain, shown(text));
}

#[test]
fn a_file_cannot_steer_the_terminal() {
    let text = "\"a\\u001b[31m\" = 1\n[key]\n\"\u{202e}b\" = 2\nmade = \"\\u001b]0;x\\u0007\"\n";
    let shown = shown(text);
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
}
