//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use idempotency::invariant::Invariant;

use crate::bounds::Bound;

/// Reviews the contract that makes a retry safe.
#[derive(Debug, Parser)]
#[command(name = "idem", version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search every scenario for a broken invariant, and say what to change.
    Review(ReviewArgs),
    /// Open stateright's Explorer on one scenario, as actors.
    Explore(ExploreArgs),
    /// Print the JSON Schema of contract files, for editors.
    Schema,
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

const EXITS: &str = "\
Exit codes:
  0   it holds
  1   something is broken
  2   the file or the command line is wrong: an empty file, an unknown invariant
  3   unknown: a search was cut short, or stories were found and none has times that the contract allows
  4   nothing was run: no scenario has the name that was given
  70  internal error, such as a report that cannot be written

On 2 for the file, and on 4, the formats json, junit and sarif write a document with the errors.";

/// What is reviewed, and how it is told.
#[derive(Debug, clap::Args)]
#[command(after_help = EXITS)]
pub(crate) struct ReviewArgs {
    /// The contract file; `-` reads the standard input.
    pub(crate) file: PathBuf,
    /// How the report is written.
    #[arg(long, value_enum, default_value_t = Format::Pretty)]
    pub(crate) format: Format,
    /// Only this scenario; may be given several times. `*` stands for anything. A name that no scenario has ends the
    /// command with 4.
    #[arg(long, value_name = "NAME")]
    pub(crate) scenario: Vec<String>,
    /// Only this invariant, V1 to V11; may be given several times. Another id ends the command with 2.
    #[arg(long, value_name = "ID", value_parser = invariant, ignore_case = true)]
    pub(crate) invariant: Vec<Invariant>,
    /// Bounds of each search: `states=1000000`, `time=30s`, `attempts=2`, or a fault and how often it may happen, such
    /// as `crash=2`; with commas between, each of them once.
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    pub(crate) bounds: Vec<Bound>,
    /// Do not look for changes that mend.
    #[arg(long)]
    pub(crate) no_remedies: bool,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a terminal: colours if it has them, and charts.
    Pretty,
    /// The same in ASCII.
    Plain,
    /// JSON, with a version.
    Json,
    /// Markdown with Mermaid, for a pull request.
    Markdown,
    /// JUnit XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
}

/// What the Explorer is opened on.
#[derive(Debug, clap::Args)]
pub(crate) struct ExploreArgs {
    /// The contract file; `-` reads the standard input.
    pub(crate) file: PathBuf,
    /// The scenario.
    #[arg(long, value_name = "NAME", default_value = "concurrent")]
    pub(crate) scenario: String,
    /// The invariant that is checked.
    #[arg(long, value_name = "ID", value_parser = invariant, default_value = "V1")]
    pub(crate) invariant: Invariant,
    /// The port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 3000)]
    pub(crate) port: u16,
}

fn invariant(text: &str) -> Result<Invariant, String> {
    let named = Invariant::ALL.iter().find(|it| it.id().eq_ignore_ascii_case(text));
    named.copied().ok_or_else(|| {
        let ids: Vec<_> = Invariant::ALL.iter().map(|it| it.id()).collect();
        format!("there is no such invariant; there are {}", ids.join(", "))
    })
}
