//! Writing to the two outputs.

use std::fmt::Display;
use std::io::{ErrorKind, Write};

use crate::exit::Exit;

/// Writes `text` to the standard output. A reader that went away, such as `head`, is no error.
pub(crate) fn write(text: &str) -> Exit {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Exit::Holds,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Holds,
        Err(error) => complain(format_args!("cannot write the report: {error}"), Exit::Internal),
    }
}

/// Writes `text` to the standard error, as it is, and gives `exit` back.
pub(crate) fn note(text: &str, exit: Exit) -> Exit {
    // If nobody reads it, there is nobody to tell.
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
    exit
}

/// Says on the standard error what is wrong, and gives `exit` back.
pub(crate) fn complain(what: impl Display, exit: Exit) -> Exit {
    note(&format!("idem: {what}\n"), exit)
}
