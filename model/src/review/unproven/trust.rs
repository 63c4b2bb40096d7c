//! What a contract says of the world, and which of it a verdict rests on.
//!
//! A number counts in a search only through the comparisons of [`Limits`]. So something rests on it exactly if one of
//! them would come out otherwise with a number that is as bad as can be.

use idempotency::contract::{Contract, EffectKind, Failover, KeyMade, Period, PeriodOr, StoreKind};

use crate::limits::Limits;

/// Something that nothing in a contract can enforce.
struct Trusted {
    field: &'static str,
    how: &'static str,
    /// Sets it to the worst that there is.
    spoil: fn(&mut Contract),
}

const NUMBERS: &[Trusted] = &[
    Trusted {
        field: "between.longest-delay",
        how: "measure it, or have stale keys refused",
        spoil: |it| it.between.longest_delay = PeriodOr::WORD,
    },
    Trusted {
        field: "effect.longest",
        how: "measure it, or stop a handler that runs longer",
        spoil: |it| it.effect.longest = Period::LONGEST,
    },
    Trusted {
        field: "servers.longest-pause",
        how: "measure it: runtime, machine and network together",
        spoil: |it| it.servers.longest_pause = Period::LONGEST,
    },
    Trusted {
        field: "servers.clock-skew",
        how: "watch the clocks",
        spoil: |it| it.servers.clock_skew = Period::LONGEST,
    },
    Trusted {
        field: "supplier.remembers",
        how: "the supplier's word; test it against the supplier",
        spoil: |it| it.supplier.remembers = PeriodOr::of(Period::ZERO),
    },
    Trusted {
        field: "supplier.longest-delay",
        how: "measure it at the supplier's side",
        spoil: |it| it.supplier.longest_delay = Period::LONGEST,
    },
];

/// The fields of `contract` that its verdict rests on and that are taken on trust, each with what would show it.
pub(super) fn on_trust(contract: &Contract) -> Vec<(&'static str, &'static str)> {
    let fixed = fixed(contract);
    // Where keys carry their time, the clocks are what is left once a delivery comes later than it should.
    let mut late = fixed.clone();
    late.between.longest_delay = PeriodOr::WORD;
    let rests = |it: &&Trusted| {
        [&fixed, &late].into_iter().any(|contract| {
            let mut spoilt = contract.clone();
            (it.spoil)(&mut spoilt);
            asked(contract) != asked(&spoilt)
        })
    };
    let mut trusted: Vec<_> = NUMBERS.iter().filter(rests).map(|it| (it.field, it.how)).collect();
    let store = &contract.store;
    // The memory of a process has no standby, and a store that may forget is taken to do so.
    if contract.key.made != KeyMade::Never
        && store.kind != StoreKind::Memory
        && store.failover() == Failover::KeepsAcknowledged
    {
        trusted.push(("store.failover", "kill the primary under load and look for acknowledged records"));
    }
    trusted
}

/// The contract with the figures that it leaves to be derived: a service keeps to them though the world is worse.
fn fixed(contract: &Contract) -> Contract {
    let mut fixed = contract.clone();
    fixed.key.horizon = contract.horizon();
    fixed.supplier.call_again_for = Some(contract.call_again_for().map_or(PeriodOr::WORD, PeriodOr::of));
    fixed
}

/// The limits of which a search of this contract may ask. Without a key there is no record that could end, and within
/// one transaction none is ever in progress.
fn asked(contract: &Contract) -> Limits {
    let mut limits = Limits::of(contract);
    let keyless = contract.key.made == KeyMade::Never;
    if keyless {
        let never = Limits::of(&Contract::default());
        limits = Limits { supplier_may_forget: limits.supplier_may_forget, ..never };
    }
    if keyless || contract.effect.kind == EffectKind::OneTransaction {
        limits.lease_may_end_alive = false;
        limits.work_outlives_record = false;
        limits.work_outlives_age = false;
    }
    limits
}
