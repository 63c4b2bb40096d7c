//! The `idem` command.

mod args;
mod bounds;
mod error;
mod exit;
mod explore;
mod output;
mod progress;
mod refusal;
mod report;
mod review;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Args, Command};
use exit::Exit;

fn main() -> ExitCode {
    // A panic is our fault, and never an answer about the contract.
    let ran = std::panic::catch_unwind(|| match Args::parse().command {
        Command::Review(args) => review::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Schema => output::write(&format!("{:#}\n", idempotency::contract::Contract::schema())),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "idem", &mut script);
            output::write(&String::from_utf8_lossy(&script))
        }
    });
    ran.unwrap_or(Exit::Internal).into()
}
