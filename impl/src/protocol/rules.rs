//! The part of a contract that the protocol decides by, in figures.

use crate::contract::{Contract, Fence, Mark, OnError, OnMismatch, OnRejection, OnSuccess, Period, TakeOver};

/// What the supplier can do for a call whose outcome we do not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// How long after the mark the same key may be sent again, in milliseconds; `None`: never.
    pub call_again_for: Option<u64>,
    /// Whether it can be asked by our business id.
    pub can_be_asked: bool,
    /// The time after the mark at which "not found" is conclusive, in milliseconds; `None`: it never is.
    pub settles: Option<u64>,
}

/// The rules of one contract. Every length of time is in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether fingerprints are compared at all.
    pub compares: bool,
    /// What a mismatch gets.
    pub on_mismatch: OnMismatch,
    /// The age at which a key that carries its time is refused.
    pub horizon: Option<u64>,
    /// How long a reservation lasts without a heartbeat.
    pub lease: u64,
    /// Whether completion demands the owner's token.
    pub completion: Fence,
    /// Whether and how the stage is stored before the external call.
    pub mark: Mark,
    /// Who may take over.
    pub take_over: TakeOver,
    /// What is kept of a success.
    pub success: OnSuccess,
    /// What is kept of a rejection.
    pub rejection: OnRejection,
    /// What is kept of an ambiguous error.
    pub error: OnError,
    /// How long a terminal record is kept; `None`: for ever.
    pub retention: Option<u64>,
    /// The age at which an unresolved record is deleted; `None`: never.
    pub unresolved: Option<u64>,
    /// Until what age of its intent a cancel is answered; `None`: at any age.
    pub cancel_within: Option<u64>,
    /// What the supplier can do.
    pub supplier: Memory,
}

impl Rules {
    /// The rules of `contract`, with the figures that it leaves to be derived.
    pub fn of(contract: &Contract) -> Self {
        let Contract { fingerprint, reservation, answers, retention, supplier, .. } = contract;
        Self {
            compares: !fingerprint.covers.is_empty(),
            on_mismatch: fingerprint.on_mismatch,
            horizon: contract.horizon().map(Period::millis),
            lease: reservation.lease.millis(),
            completion: reservation.completion,
            mark: reservation.mark,
            take_over: reservation.take_over,
            success: answers.success,
            rejection: answers.rejection,
            error: answers.error,
            retention: retention.completed.period().map(Period::millis),
            unresolved: retention.unresolved.period().map(Period::millis),
            cancel_within: contract.cancel_within().map(Period::millis),
            supplier: Memory {
                call_again_for: contract.call_again_for().map(Period::millis),
                can_be_asked: supplier.can_be_asked,
                settles: if supplier.can_be_asked {
                    supplier.settles.period().map(Period::millis)
                } else {
                    None
                },
            },
        }
    }
}
