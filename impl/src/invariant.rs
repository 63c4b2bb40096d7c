//! The invariants, written once. The model gathers [`Evidence`] from its states, a test of a real service gathers it
//! from the store, the supplier and the clients; both are judged by [`Evidence::broken`].

use std::fmt;

use serde::{Deserialize, Serialize};

/// Declares the invariants: name, short title, the whole sentence, and when the evidence breaks it.
macro_rules! invariants {
    ($($name:ident, $title:literal, $sentence:literal, |$evidence:ident| $broken:expr;)+) => {
        /// An invariant of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Invariant { $(#[doc = $sentence] $name,)+ }

        impl Invariant {
            /// Every invariant, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its id, such as `V1`.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

            /// What it says, in a few words.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)+ }
            }

            /// What it says, in a sentence.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)+ }
            }
        }

        impl Evidence {
            /// The invariants that this evidence breaks.
            pub fn broken(&self) -> Broken {
                let mut broken = Broken::default();
                $({
                    let $evidence = self;
                    if $broken { broken = broken.with(Invariant::$name); }
                })+
                broken
            }
        }
    };
}

invariants! {
    V1, "at most one effect", "An intent takes effect at most once.",
        |seen| seen.effects > 1;
    V2, "one result", "Every answer of success for an intent names the same result.",
        |seen| seen.results_named > 1;
    V3, "no other payload", "A payload that differs from the one its key is bound to never reaches the handler, and never gets its answer.",
        |seen| seen.other_payload_admitted;
    V4, "one terminal record", "A key never gets two terminal records within its retention.",
        |seen| seen.terminal_twice;
    V5, "no other owner", "No owner ever sees another owner's result.",
        |seen| seen.other_owner_shown;
    V6, "only the holder completes", "Only the holder of a reservation completes it.",
        |seen| seen.completed_by_another;
    V7, "nothing unresolved is deleted", "A record whose outcome is not resolved is never deleted.",
        |seen| seen.unresolved_deleted;
    V8, "no false failure", "A client never reports that an intent failed which took effect.",
        |seen| seen.reported_no_effect && seen.effects > 0;
    V9, "nothing after the deadline", "A client sends nothing by itself after the deadline of the intent.",
        |seen| seen.sent_after_deadline;
    V10, "no dead end", "From everywhere an intent can still become completed, rejected, or unknown and visible.",
        |seen| seen.stuck;
    V11, "nothing after a replacement", "An intent that its user replaced takes no effect once the replacement was sent.",
        |seen| seen.effect_after_replacement;
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// What was seen of one intent, by somebody who sees everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// How often it took effect, counted where the effect happens.
    pub effects: u8,
    /// How many different results its answers of success named.
    pub results_named: u8,
    /// Another payload got past the comparison.
    pub other_payload_admitted: bool,
    /// A second terminal record was written while the first was to be kept.
    pub terminal_twice: bool,
    /// Another owner was answered with its result.
    pub other_owner_shown: bool,
    /// A worker that did not hold the reservation completed it.
    pub completed_by_another: bool,
    /// A record whose outcome was open was deleted.
    pub unresolved_deleted: bool,
    /// The client told its user that it did not, and will not, take effect.
    pub reported_no_effect: bool,
    /// The client sent something by itself after the deadline.
    pub sent_after_deadline: bool,
    /// Nothing more can happen, and the record is still in progress, or is an error that says nothing of the effect.
    pub stuck: bool,
    /// It took effect after its replacement was sent.
    pub effect_after_replacement: bool,
}

/// A set of invariants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Broken(u16);

impl Broken {
    /// The set with `invariant` in it.
    #[must_use]
    pub const fn with(self, invariant: Invariant) -> Self {
        Self(self.0 | 1 << invariant as u16)
    }

    /// The members of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The members of either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The members that `other` does not have.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether `invariant` is in it.
    pub const fn has(self, invariant: Invariant) -> bool {
        self.0 & (1 << invariant as u16) != 0
    }

    /// Whether there is none in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its members, in order.
    pub fn iter(self) -> impl Iterator<Item = Invariant> {
        Invariant::ALL.iter().copied().filter(move |invariant| self.has(*invariant))
    }
}
