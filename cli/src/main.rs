//! The `idem` command.

#[cfg_attr(not(test), expect(dead_code, reason = "the commands that read a file are not there yet"))]
mod error;

fn main() {}
