//! Progress, on the standard error, and only where a person watches it.

use std::time::Duration;

use idempotency_model::review::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line that says what the review is doing. It appears only when that takes long.
pub(crate) struct Line(ProgressBar);

impl Line {
    /// A line that says nothing yet. On anything but a terminal it never does.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Says what the review is doing.
    pub(crate) fn tell(&self, progress: Progress<'_>) {
        self.0.set_message(match progress {
            Progress::Scenario(name, at, count) => format!("searching {name} ({at} of {count})"),
            Progress::Remedy(field) => format!("looking for a change that mends: {field}"),
            Progress::Masked(field) => format!("looking for what hides {field}"),
        });
    }

    /// Takes the line away.
    pub(crate) fn end(self) {
        self.0.finish_and_clear();
    }
}
