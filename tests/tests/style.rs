//! What holds for the text of this repository, checked as any other property is.
//!
//! In a packaged crate, where there is no repository, the same holds for the files of the package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Nobody reads a longer file from top to bottom.
const MAX_LINES: usize = 600;
/// At most one Rust file in ten reaches this length.
const LONG: usize = 400;
/// At most half of the Rust files reach this length.
const MIDDLING: usize = 150;

/// Each crate, and those of this workspace on which it may depend. The arrows run one way: what is published for use
/// in a service knows nothing of what checks it.
const ARROWS: &[(&str, &[&str])] = &[
    ("idempotency", &[]),
    ("idempotency-model", &["idempotency"]),
    ("idempotency-conformance", &["idempotency", "idempotency-model"]),
    ("idempotency-cli", &["idempotency", "idempotency-model", "idempotency-conformance"]),
];

#[test]
fn no_file_is_too_long() {
    let long = |f: &&File| f.is_code() && f.lines() > MAX_LINES;
    let faults = files().iter().filter(long).map(|f| format!("{}: {} lines", f.name, f.lines())).collect();
    none(faults, &format!("a file has at most {MAX_LINES} lines: split it by what its parts are about"));
}

#[test]
fn most_files_are_short() {
    let files = files();
    let rust: Vec<_> = files.iter().filter(|f| f.name.ends_with(".rs")).collect();
    let reaching = |lines| {
        let mut names: Vec<_> = rust.iter().filter(|f| f.lines() >= lines).map(|f| f.name.clone()).collect();
        names.sort();
        names
    };
    let (long, middling) = (reaching(LONG), reaching(MIDDLING));
    let allowed = rust.len().div_ceil(10);
    if long.len() > allowed {
        none(long, &format!("at most {allowed} Rust files (one in ten) may have {LONG} lines or more"));
    }
    let allowed = rust.len() / 2;
    if middling.len() > allowed {
        none(
            middling,
            &format!("at most {allowed} Rust files (one in two) may have {MIDDLING} lines or more"),
        );
    }
}

#[test]
fn nothing_is_left_unfinished() {
    // In halves, so that this file is not found by itself.
    let leftovers = [concat!("to", "do!"), concat!("unimple", "mented!"), concat!("#[ig", "nore")];
    let faults = matches(|f| f.name.ends_with(".rs"), &leftovers);
    none(faults, "finish it, or leave it out: a test that is not run proves nothing");
}

#[test]
fn no_path_of_one_machine() {
    let anywhere = [concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/")];
    let mut faults = matches(|_| true, &anywhere);
    faults.extend(matches(|f| !f.is_code(), &[concat!("/t", "mp/")]));
    none(faults, "a path that exists on one machine only: make it relative, or a placeholder");
}

#[test]
fn dependencies_run_one_way() {
    let mut faults = Vec::new();
    for (name, manifest) in manifests() {
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            faults.push(format!("{name}: has no row in ARROWS"));
            continue;
        };
        let known = ARROWS.iter().map(|(to, _)| *to);
        for to in known.filter(|to| depends_on(&manifest, to) && !allowed.contains(to)) {
            faults.push(format!("{name} depends on {to}"));
        }
    }
    none(faults, "a crate depends only on those that ARROWS names for it");
}

#[test]
fn every_crate_takes_the_common_lints_and_its_licences() {
    let mut faults = Vec::new();
    for file in files().iter().filter(|f| f.is_manifest() && f.text.contains("[package]")) {
        let has = |key: &str, word: &str| {
            table(&file.text).get(key).and_then(|v| v.get(word)).and_then(toml::Value::as_bool) == Some(true)
        };
        // Cargo writes the inherited values out when it packages a crate.
        if in_repository() && !has("lints", "workspace") {
            faults.push(format!("{}: no `lints.workspace = true`", file.name));
        }
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let beside = fs::read(root().join(&file.name).with_file_name(licence));
            let top = fs::read(root().join(licence)).expect("the top has both licences");
            if beside.ok().as_ref() != Some(&top) {
                faults.push(format!("{}: no {licence} beside it, or another text", file.name));
            }
        }
    }
    none(
        faults,
        "each crate is published alone: link the licences of the top into it, and take the common lints",
    );
}

#[test]
fn every_exception_gives_its_reason() {
    let mut faults = Vec::new();
    for file in files().iter().filter(|f| f.name.ends_with(".rs")) {
        for (line, attribute) in attributes(&file.text) {
            let excepts = ["allow(", "expect("].iter().any(|word| attribute.contains(word));
            if excepts && !attribute.contains("reason = ") {
                faults.push(format!("{}:{line}: {attribute}", file.name));
            }
        }
    }
    none(faults, "an exception from a lint says why: `reason = \"...\"`");
}

#[test]
fn every_lint_gives_its_reason() {
    let mut faults = Vec::new();
    for file in files().iter().filter(|f| f.is_manifest()) {
        let (mut in_lints, mut explained) = (false, false);
        for (line, text) in file.text.lines().enumerate() {
            match text.trim_start().chars().next() {
                Some('[') => (in_lints, explained) = (text.starts_with("[workspace.lints."), false),
                Some('#') => explained = true,
                None => explained = false,
                Some(_) if in_lints && !explained => {
                    faults.push(format!("{}:{}: {text}", file.name, line + 1));
                }
                Some(_) => {}
            }
        }
    }
    none(faults, "a lint, or a block of lints, has a comment above it that says why");
}

/// The other tests here pass on an empty list: this one says that it is not empty, and that each kind is found.
#[test]
fn the_files_are_found() {
    let files = files();
    assert!(files.iter().any(|f| f.name.ends_with("tests/style.rs")), "{:?}", names(&files));
    assert!(files.iter().any(File::is_manifest), "{:?}", names(&files));
    if in_repository() {
        assert!(files.iter().any(|f| f.name == "test" && f.is_code()), "{:?}", names(&files));
        assert_eq!(manifests().len(), ARROWS.len(), "a crate is missing, or has no row in ARROWS");
    }
}

#[test]
fn the_walk_finds_what_git_lists() {
    let Some(listed) = listed() else { return };
    let walked = walk(&root());
    let there = listed.into_iter().filter(|path| path.symlink_metadata().is_ok());
    let missing: Vec<_> = there.filter(|path| !walked.contains(path)).collect();
    assert!(missing.is_empty(), "git lists these, the walk does not find them: {missing:?}");
}

#[test]
fn attributes_are_read_to_their_end() {
    let text =
        "#[test]\nfn f() {}\n#![allow(\n    dead_code, // [not the end]\n)]\nlet a = b[0].expect(\"c\");";
    let found = attributes(text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[1], (3, "#![allow(\n    dead_code, // [not the end]\n)]"));
}

/// A text file, named from the top with `/` between the parts.
struct File {
    name: String,
    text: String,
}

impl File {
    /// By its name, or a script by its first line.
    fn is_code(&self) -> bool {
        [".rs", ".pml", ".sh"].iter().any(|ending| self.name.ends_with(ending))
            || self.text.starts_with("#!/")
    }

    fn is_manifest(&self) -> bool {
        self.name == "Cargo.toml" || self.name.ends_with("/Cargo.toml")
    }

    fn lines(&self) -> usize {
        self.text.lines().count()
    }
}

/// Fails with every fault, not with the first one.
#[track_caller]
fn none(faults: Vec<String>, rule: &str) {
    assert!(faults.is_empty(), "{rule}\n  {}", faults.join("\n  "));
}

/// Every place where a chosen file holds one of the words. A path counts where it begins, not inside a longer one.
fn matches(choose: impl Fn(&File) -> bool, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files().iter().filter(|f| choose(f)) {
        for (line, text) in file.text.lines().enumerate() {
            let begins = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if words.iter().any(|word| text.match_indices(word).any(|(at, _)| begins(at))) {
                found.push(format!("{}:{}: {}", file.name, line + 1, text.trim()));
            }
        }
    }
    found
}

/// Every attribute that begins a line, with the number of that line.
fn attributes(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let rest = text[start..].trim_start();
        if line.trim_start().starts_with("#[") || line.trim_start().starts_with("#![") {
            let mut depth = 0;
            let end = rest.find(|c| {
                depth += i32::from(c == '[') - i32::from(c == ']');
                c == ']' && depth == 0
            });
            found.extend(end.map(|end| (number + 1, &rest[..=end])));
        }
        start += line.len();
    }
    found
}

/// The name and the content of each crate's manifest.
fn manifests() -> Vec<(String, toml::Table)> {
    let tables = files().into_iter().filter(File::is_manifest).map(|f| table(&f.text));
    tables
        .filter_map(|t| {
            let name = t.get("package")?.get("name")?.as_str()?.to_owned();
            Some((name, t))
        })
        .collect()
}

fn table(text: &str) -> toml::Table {
    text.parse().expect("a manifest that Cargo has read")
}

/// Whether a manifest names the crate in any of its dependency tables, under its own name or another.
fn depends_on(manifest: &toml::Table, name: &str) -> bool {
    manifest.iter().any(|(key, value)| {
        let Some(inner) = value.as_table() else { return false };
        if key.ends_with("dependencies") {
            let renamed = |v: &toml::Value| v.get("package").and_then(toml::Value::as_str) == Some(name);
            inner.iter().any(|(key, v)| key == name || renamed(v))
        } else {
            // `target.'cfg(unix)'.dependencies`, and no other table nests dependencies in a crate.
            depends_on(inner, name)
        }
    })
}

fn in_repository() -> bool {
    root() != Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The top of the repository; of the package, where the crate stands alone.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    match own.parent() {
        Some(above) if above.join("Cargo.toml").is_file() => above.to_owned(),
        _ => own.to_owned(),
    }
}

/// Every text file that is, or would be, committed. Links are left out: what they point to is listed itself.
fn files() -> Vec<File> {
    let root = root();
    let paths = listed().unwrap_or_else(|| walk(&root));
    let plain = paths.into_iter().filter(|p| p.symlink_metadata().is_ok_and(|m| m.is_file()));
    plain
        .filter_map(|path| {
            let text = String::from_utf8(fs::read(&path).ok()?).ok()?;
            let parts = path.strip_prefix(&root).expect("below the top").iter();
            let name = parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
            Some(File { name, text })
        })
        .collect()
}

/// What Git lists; nothing where there is no Git, or no repository.
fn listed() -> Option<Vec<PathBuf>> {
    let root = root();
    // A package may have been unpacked inside another repository, which says nothing of it.
    if !root.join(".git").exists() {
        return None;
    }
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").arg("-C").arg(&root).args(list).output().ok()?;
    let names = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| names.split_terminator('\0').map(|name| root.join(name)).collect())
}

/// Every file below, without what Git and Cargo keep there.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // What another test removes meanwhile is not a fault.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let skipped = [".git", "target"].iter().any(|name| path.ends_with(name));
        if path.is_dir() && !path.is_symlink() && !skipped {
            found.extend(walk(&path));
        } else if !path.is_dir() {
            found.push(path);
        }
    }
    found
}

fn names(files: &[File]) -> Vec<&str> {
    files.iter().map(|f| f.name.as_str()).collect()
}
