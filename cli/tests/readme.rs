//! The example in the README is what the command prints.
//!
//! ```text
//! UPDATE_DOCS=1 cargo test -p idempotency-cli --test readme
//! ```

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const CONTRACT: &str = "<!-- contract: run by cli/tests/readme.rs -->\n```toml\n";
const OUTPUT: &str = "<!-- output: compared by cli/tests/readme.rs -->\n```text\n";

/// The text between `begin` and the end of its block, and where it stands.
fn block<'a>(text: &'a str, begin: &str) -> (usize, &'a str) {
    let at = text.find(begin).expect("the README has the block") + begin.len();
    let length = text[at..].find("```").expect("the block ends");
    (at, &text[at..at + length])
}

#[test]
fn the_example_of_the_readme_is_what_the_command_prints() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = fs::read_to_string(&readme).expect("the README");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("contract.toml"), block(&text, CONTRACT).1).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_idem"))
        .args(["review", "contract.toml", "--format", "plain"])
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("text");
    let from = printed.find("V1 is broken").expect("V1 is broken");
    let to = printed.find("V2 is broken").expect("V2 is broken");
    let example = format!("{}\n", printed[from..to].trim_end());
    let (at, committed) = block(&text, OUTPUT);
    if env::var_os("UPDATE_DOCS").is_some() {
        let updated = format!("{}{example}{}", &text[..at], &text[at + committed.len()..]);
        return fs::write(readme, updated).expect("the README can be written");
    }
    assert_eq!(committed, example, "set UPDATE_DOCS=1 and run this test");
}
