//! The example in the README is what the command prints.
//!
//! ```text
//! UPDATE_DOCS=1 cargo test -p idempotency-cli --test readme
//! ```

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const CONTRACT: &str = "<!-- contract: run by cli/tests/readme.rs -->\n```toml\n";
const SUMMARY: &str = "<!-- summary: compared by cli/tests/readme.rs -->\n```text\n";
const STORY: &str = "<!-- story: compared by cli/tests/readme.rs -->\n```text\n";

/// The text between `begin` and the end of its block, and where it stands.
fn block<'a>(text: &'a str, begin: &str) -> (usize, &'a str) {
    let at = text.find(begin).expect("the README has the block") + begin.len();
    let length = text[at..].find("```").expect("the block ends");
    (at, &text[at..at + length])
}

#[test]
fn the_example_of_the_readme_is_what_the_command_prints() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let mut text = fs::read_to_string(&readme).expect("the README");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("contract.toml"), block(&text, CONTRACT).1).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_idem"))
        .args(["review", "contract.toml", "--format", "plain"])
        .current_dir(folder.path())
        .env_remove("COLUMNS")
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("text");
    let part = |from: &str, to: &str| {
        let from = printed.find(from).expect("it begins");
        let to = printed[from..].find(to).expect("it ends") + from;
        format!("{}\n", printed[from..to].trim_end())
    };
    let parts =
        [(SUMMARY, part("violated", "\n\n  scenario")), (STORY, part("V1 is broken", "V2 is broken"))];
    for (begin, example) in parts {
        let (at, committed) = block(&text, begin);
        if env::var_os("UPDATE_DOCS").is_none() {
            assert_eq!(committed, example, "set UPDATE_DOCS=1 and run this test");
        }
        text = format!("{}{example}{}", &text[..at], &text[at + committed.len()..]);
    }
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(readme, text).expect("the README can be written");
    }
}
