//! The bridge to `model/peer/everything.pml`, where the protocol is written once more in Promela: the bounds to give it,
//! and a refusal of whatever it does not say.

use idempotency::contract::{
    AfterDeadline, EffectKind, Fence, GiveUp, Mark, OnError, OnSuccess, Reaction, SupplierKey, TakeOver,
};

use crate::fault::Fault;
use crate::limits::Late;
use crate::setup::Setup;

/// The faults that the Promela knows, by the name of the bound there.
const FAULTS: [(Fault, &str); 6] = [
    (Fault::Crash, "CRASH"),
    (Fault::Pause, "PAUSE"),
    (Fault::Repeat, "REPEAT"),
    (Fault::Retention, "RETENTION"),
    (Fault::Error, "ERROR"),
    (Fault::Gateway, "GATEWAY"),
];

/// The bounds of `setup` as arguments for `spin`, such as `-DATTEMPTS=3`.
///
/// # Errors
/// What the Promela does not say, if `setup` needs any of it: equal counts would then mean nothing.
pub fn defines(setup: &Setup) -> Result<Vec<String>, String> {
    let missing = missing(setup);
    if !missing.is_empty() {
        return Err(format!("everything.pml does not say: {}", missing.join("; ")));
    }
    let mut defines = vec![format!("-DATTEMPTS={}", setup.attempts)];
    defines.extend(FAULTS.iter().map(|(fault, name)| format!("-D{name}={}", setup.budget.of(*fault))));
    Ok(defines)
}

/// What `setup` needs and the Promela does not say. Each line stands for one of the simplifications in its header.
fn missing(setup: &Setup) -> Vec<String> {
    let Setup { rules, limits, client, .. } = setup;
    let retries = [client.on_timeout, client.on_error, client.on_gateway_error, client.on_in_flight];
    let said = [
        (setup.slots == [0; 5] && !setup.keyless && setup.other.is_none(), "more than one key, or none"),
        (limits.late.iter().all(|late| *late == Late::Cannot), "a delivery after the retention"),
        (!limits.work_outlives_record, "work that outlives the record"),
        (retries.iter().all(|reaction| *reaction == Reaction::Retry), "a client that does not retry"),
        (client.at_deadline == GiveUp::Unknown, "a client that fails at its deadline"),
        (client.after_deadline == AfterDeadline::Stop, "attempts after the deadline"),
        (setup.effect == EffectKind::External, "an effect of our own"),
        (setup.atomic, "a reservation that is not atomic"),
        (setup.completion_fenced && rules.completion == Fence::Fenced, "a completion without a fence"),
        (rules.mark == Mark::Fenced, "a mark without a fence, or none"),
        (rules.take_over == TakeOver::ByStage, "a take-over that is not by stage"),
        (setup.recoverer, "records that nobody recovers"),
        (rules.success == OnSuccess::Replay, "a success that is released"),
        (rules.error == OnError::Unknown, "an error that is replayed or released"),
        (!setup.one_process && setup.durable, "a crash of everything at once"),
        (
            setup.takes_key && setup.supplier_key == SupplierKey::FromMark,
            "a key that is not made from the mark",
        ),
        (rules.supplier.call_again_for.is_some(), "a supplier that is not called again"),
        (rules.supplier.settles.is_none(), "a supplier that is asked"),
    ];
    let unknown = |fault: &Fault| FAULTS.iter().all(|(known, _)| known != fault);
    let faults = setup.budget.iter().filter(|(fault, times)| *times > 0 && unknown(fault));
    let said = said.iter().filter(|(holds, _)| !holds).map(|(_, what)| (*what).to_owned());
    said.chain(faults.map(|(fault, _)| format!("the fault {}", fault.name()))).collect()
}
