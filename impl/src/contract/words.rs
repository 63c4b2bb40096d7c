//! The choices of a contract, one word each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares a choice: its words are the variants in kebab case, and the first line of each says what it means.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// Every word of this choice.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];
        }
    };
}

choice! {
    /// Where the key travels.
    KeyPlace {
        /// In a request header.
        Header,
        /// In a field of the request body.
        Body,
    }
}

choice! {
    /// How a key in a header is written.
    KeySyntax {
        /// As a structured-field String (RFC 9651), in quotes, as the IETF draft demands.
        Structured,
        /// As a bare token; a quoted string is accepted as well.
        Lenient,
    }
}

choice! {
    /// When the client makes a key.
    KeyMade {
        /// Once for an intent, before its first attempt.
        PerIntent,
        /// Anew for every attempt: the server cannot tell a repeat from a new command.
        PerAttempt,
        /// Not at all.
        Never,
    }
}

choice! {
    /// How long the client keeps the key of an intent.
    KeyKept {
        /// In memory until it has an answer: a reload loses it.
        Answer,
        /// In durable storage until a terminal answer: it survives a reload.
        Reload,
    }
}

choice! {
    /// A part of the scope in which a key is unique.
    ScopePart {
        /// The principal on whose behalf the request is made, stable when a credential is rotated.
        Owner,
        /// The credential that signed the request: it changes when it is rotated.
        Credential,
        /// The operation, such as method and route.
        Operation,
        /// The region that took the request.
        Region,
    }
}

choice! {
    /// Whether a key says when it was made.
    KeyTime {
        /// It does not.
        None,
        /// It is a UUIDv7 (RFC 9562): its first 48 bits are its time, and the server refuses stale keys.
        Uuidv7,
    }
}

choice! {
    /// How the significant part of a payload is made canonical before it is hashed.
    Canonical {
        /// The bytes as they came: another order of fields is another payload.
        Bytes,
        /// JSON in the canonical form of RFC 8785.
        Jcs,
    }
}

choice! {
    /// What the same key with another fingerprint gets.
    OnMismatch {
        /// A conflict, before the handler.
        Conflict,
        /// The first payload's stored answer, as if it were the same command.
        Replay,
    }
}

choice! {
    /// What a duplicate gets while the first is in progress.
    InFlight {
        /// An answer that says "in progress", at once.
        Refuse,
        /// The result, if it is there within `reservation.wait`; else "in progress".
        Wait,
    }
}

choice! {
    /// Whether a write to the record demands the owner's token.
    Fence {
        /// It is a compare-and-set on the token: a worker that lost its reservation changes nothing.
        Fenced,
        /// It is a plain write: a late worker overwrites.
        Unfenced,
    }
}

choice! {
    /// Whether the stage is stored before the external call leaves.
    Mark {
        /// Yes, as a compare-and-set on the token.
        Fenced,
        /// Yes, as a plain write: a worker that woke up late calls all the same.
        Unfenced,
        /// No: after a crash nobody knows whether the call left.
        Never,
    }
}

choice! {
    /// Who may take over a reservation whose lease ended.
    TakeOver {
        /// Nobody: the record stays as it is.
        Never,
        /// Anyone, by the stage: `reserved` runs again, `called` is settled by what the supplier can do.
        ByStage,
        /// Anyone, and the handler runs again whatever the stage.
        RunAgain,
    }
}

choice! {
    /// What becomes of a handler when its client hangs up.
    HangUp {
        /// It finishes and stores its result.
        Finish,
        /// It is cancelled where it stands; its reservation stays until the lease ends.
        Cancel,
        /// It is cancelled where it stands and its reservation is released.
        Release,
    }
}

choice! {
    /// What is kept of a success.
    OnSuccess {
        /// The answer, for a replay.
        Replay,
        /// Nothing: the reservation is released.
        Release,
    }
}

choice! {
    /// What is kept of a rejection, that is, of an answer given before any effect.
    OnRejection {
        /// The answer, for a replay: the key is bound to it.
        Replay,
        /// Nothing: the key is free again.
        Release,
        /// Nothing if the payload alone decides; a rejection that depends on state is kept.
        ReleaseIfPayloadAlone,
    }
}

choice! {
    /// What is kept of an error after which nobody knows whether the effect happened.
    OnError {
        /// The record becomes `unknown`, visible to a person, and is not run again.
        Unknown,
        /// The error, as the final answer: a client takes every repeat's answer for a failure.
        Replay,
        /// The error, as an answer that says nothing of the effect: a client does what `client.on-error` says.
        ReplayIndeterminate,
        /// Nothing: the key is free again.
        Release,
    }
}

choice! {
    /// Where the effect happens, and which transaction commits it.
    EffectKind {
        /// There is none: the operation is a read.
        None,
        /// Reservation, effect and result commit in one transaction of the store.
        OneTransaction,
        /// The reservation commits first; effect and result commit together, if the owner still holds it.
        FencedTransaction,
        /// Effect and result are two transactions.
        TwoTransactions,
        /// The effect is a call to a supplier; the local writes and the result commit together after it.
        External,
    }
}

choice! {
    /// From what the key is made that the supplier gets.
    SupplierKey {
        /// Made with the mark and stored there: whoever takes over uses it, a new reservation after a release has a new one.
        FromMark,
        /// Derived from scope and idempotency key: the same for every reservation of the intent.
        FromIntent,
    }
}

choice! {
    /// What the client does after an attempt that did not bring a terminal answer.
    Reaction {
        /// Sends the next attempt, if the budget allows.
        Retry,
        /// Tells its user that the operation failed.
        Fail,
        /// Asks the status route, if there is one; else says "unknown".
        Ask,
        /// Tells its user that the outcome is unknown.
        Unknown,
    }
}

choice! {
    /// What the client tells its user when it gives up without an answer.
    GiveUp {
        /// That the outcome is unknown.
        Unknown,
        /// That the operation failed.
        Fail,
    }
}

choice! {
    /// What the client does after its deadline.
    AfterDeadline {
        /// Nothing more is sent.
        Stop,
        /// It goes on sending.
        KeepSending,
    }
}

choice! {
    /// What the client does when its user edits the payload after an unknown outcome.
    OnEdit {
        /// It cancels the first intent by its key, and sends the new one when that is conclusive.
        CancelFirst,
        /// It sends the new intent at once.
        Send,
    }
}

choice! {
    /// What a failover does to writes that were acknowledged.
    Failover {
        /// They are kept: the standby had them.
        KeepsAcknowledged,
        /// They may be forgotten: the standby was behind.
        MayForget,
    }
}

choice! {
    /// What a read may see.
    Reads {
        /// The latest committed write.
        Latest,
        /// An older state, from a replica.
        MayBeStale,
    }
}

choice! {
    /// A store whose promises are known.
    StoreKind {
        /// The memory of one process: a crash empties it.
        Memory,
        /// SQLite on a local disk.
        Sqlite,
        /// PostgreSQL; what a failover keeps depends on its replication.
        Postgres,
        /// Redis or Valkey: replication is asynchronous.
        Redis,
        /// etcd: a write is acknowledged by a majority.
        Etcd,
        /// Any other: say in the other fields what it promises.
        Other,
    }
}
