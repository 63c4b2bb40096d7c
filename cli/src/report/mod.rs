//! The forms of a report. Each is made of the same [`idempotency_model::review::Review`].

pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod pretty;
pub(crate) mod sarif;

use idempotency_model::review::{Change, Remedy, Shown};

/// A change in words.
fn change(change: &Change) -> String {
    format!("{} = {} (now {})", change.field, change.to, change.from)
}

/// A remedy in words.
fn remedy(remedy: &Remedy) -> String {
    let changes: Vec<_> = remedy.changes.iter().map(change).collect();
    let tight = if remedy.tight { "; a second beyond it is not enough" } else { "" };
    format!("{}{tight}", changes.join(" and "))
}

/// What it mends, in words.
fn mends(remedy: &Remedy) -> String {
    let ids: Vec<_> = remedy.mends.iter().map(|invariant| invariant.id()).collect();
    ids.join(", ")
}

/// An outcome's state in words.
fn shown(shown: Shown) -> &'static str {
    match shown {
        Shown::Shown => "shown",
        Shown::Broken => "broken",
        Shown::NotShown => "not shown",
    }
}
