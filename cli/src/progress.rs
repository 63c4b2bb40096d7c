//! Progress, on the standard error, and only where a person watches it.

use std::cell::Cell;
use std::time::Duration;

use idempotency_model::review::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line that says what the review is doing. It appears only when that takes long.
pub(crate) struct Line {
    bar: ProgressBar,
    /// How many changes were tried.
    tried: Cell<u32>,
}

impl Line {
    /// A line that says nothing yet. On anything but a terminal it never does.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, tried: Cell::new(0) }
    }

    /// Says what the review is doing.
    pub(crate) fn tell(&self, progress: Progress<'_>) {
        self.bar.set_message(match progress {
            Progress::Scenario(name, at, count) => format!("searching: {name}, {at} of {count}"),
            // Which field is of no interest: most of them mend nothing.
            Progress::Remedy(_) => {
                self.tried.set(self.tried.get() + 1);
                format!("looking for changes: {} tried", self.tried.get())
            }
            Progress::Masked(_) => "looking for what hides a weakness".into(),
        });
    }

    /// Takes the line away.
    pub(crate) fn end(self) {
        self.bar.finish_and_clear();
    }
}
