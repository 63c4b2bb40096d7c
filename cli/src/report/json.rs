//! JSON.

use idempotency_model::review::Review;

/// The review as JSON. Its form is versioned: see [`idempotency_model::review::VERSION`].
pub(crate) fn write(review: &Review) -> Result<String, String> {
    serde_json::to_string_pretty(review).map(|json| json + "\n").map_err(|error| error.to_string())
}
