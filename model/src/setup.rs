//! One contract under one scenario, in the form in which the actors read it.

use idempotency::contract::{
    AfterDeadline, Contract, EffectKind, GiveUp, HangUp, KeyMade, OnEdit, OnError, OnMismatch, OnRejection,
    Reaction, Reads, ScopePart, SupplierKey,
};
use idempotency::contract::{Failover, Fence};
use idempotency::protocol::Rules;

use crate::apart::Apart;
use crate::fault::{Budget, Fault};
use crate::limits::{Late, Limits};
use crate::moment;
use crate::scenario::{Other, Scenario};

/// What the client does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientRules {
    /// On no answer, or half an answer.
    pub on_timeout: Reaction,
    /// On an error of the server.
    pub on_error: Reaction,
    /// On an error of a gateway.
    pub on_gateway_error: Reaction,
    /// On "in progress".
    pub on_in_flight: Reaction,
    /// On "not found" of the status route.
    pub on_not_found: Reaction,
    /// When attempts or deadline end.
    pub at_deadline: GiveUp,
    /// After the deadline, where an attempt may still leave then.
    pub after_deadline: AfterDeadline,
    /// On an edit.
    pub on_edit: OnEdit,
    /// Whether the same intent may be sent again after the deadline.
    pub resends_late: bool,
    /// Whether there is a status route.
    pub status: bool,
    /// Whether there is a cancel route.
    pub cancel: bool,
}

/// One contract under one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The protocol's rules, with figures that stand for "before" and "after" (see `moment.rs`).
    pub rules: Rules,
    /// What the contract's numbers allow.
    pub limits: Limits,
    /// The client's rules.
    pub client: ClientRules,
    /// How many attempts the model makes.
    pub attempts: u8,
    /// How often each fault may happen.
    pub budget: Budget,
    /// What keeps a retry apart from the first attempt.
    pub apart: Apart,
    /// What keeps the second click apart from it, or the first one after a reload.
    pub click_apart: Apart,
    /// In which slot of the store the key of a delivery lies, by delivery.
    pub slots: [u8; 5],
    /// Whether requests have no key at all.
    pub keyless: bool,
    /// The probe with the same key, if the scenario has one.
    pub other: Option<Other>,
    /// Whether that probe falls into the same scope.
    pub other_shares_scope: bool,
    /// Where the effect happens.
    pub effect: EffectKind,
    /// Whether the reservation is atomic.
    pub atomic: bool,
    /// Whether completion is fenced.
    pub completion_fenced: bool,
    /// Whether a process looks for ended leases.
    pub recoverer: bool,
    /// What a hang-up does.
    pub hang_up: HangUp,
    /// Whether one process serves all, so that a crash ends every worker.
    pub one_process: bool,
    /// Whether records survive a crash.
    pub durable: bool,
    /// Whether the supplier takes our key.
    pub takes_key: bool,
    /// Whether that key is the intent's.
    pub supplier_key: SupplierKey,
}

impl Setup {
    /// `contract` under `scenario`. Faults that the contract rules out have no budget.
    pub fn new(contract: &Contract, scenario: &Scenario) -> Self {
        let Contract { key, client, reservation, store, routes, supplier, servers, .. } = contract;
        let scope = |part| key.scope.contains(&part);
        let apart = Apart::of_retry(contract, scenario);
        let click_apart = Apart::of_click(contract, scenario);
        let limits = Limits::of(contract);
        let mut setup = Self {
            rules: moment::rules(contract),
            limits,
            client: ClientRules {
                on_timeout: client.on_timeout,
                on_error: client.on_error,
                on_gateway_error: client.on_gateway_error,
                on_in_flight: client.on_in_flight,
                on_not_found: client.on_not_found,
                at_deadline: client.at_deadline,
                after_deadline: if limits.attempts_outlast_deadline {
                    client.after_deadline
                } else {
                    AfterDeadline::Stop
                },
                on_edit: client.on_edit,
                resends_late: client.late_resend > client.deadline,
                // Whoever has no key has nothing to ask by, or to cancel by.
                status: routes.status && key.made != KeyMade::Never,
                cancel: routes.cancel && key.made != KeyMade::Never,
            },
            attempts: scenario.attempts.min(u8::try_from(client.attempts).unwrap_or(u8::MAX)),
            budget: Budget::default(),
            apart,
            click_apart,
            slots: [0, 0, apart.slot(), apart.slot(), click_apart.slot()],
            keyless: key.made == KeyMade::Never,
            other: scenario.other,
            other_shares_scope: match scenario.other {
                Some(Other::Owner) => !scope(ScopePart::Owner) && !scope(ScopePart::Credential),
                Some(Other::Payload) | None => true,
            },
            effect: contract.effect.kind,
            atomic: reservation.atomic,
            completion_fenced: reservation.completion == Fence::Fenced,
            recoverer: reservation.recoverer,
            hang_up: reservation.hang_up,
            one_process: servers.processes == 1,
            durable: store.is_durable(),
            takes_key: supplier.takes_key,
            supplier_key: supplier.key,
        };
        let possible = |fault: Fault| match fault {
            Fault::Failover => store.failover() == Failover::MayForget,
            Fault::Eviction => store.evicts,
            Fault::StaleRead => store.reads == Reads::MayBeStale,
            Fault::Age => contract.retention.unresolved.period().is_some(),
            Fault::Retention => contract.retention.completed.period().is_some(),
            Fault::HangUp => reservation.hang_up != HangUp::Finish,
            Fault::Pause => setup.limits.lease_may_end_alive,
            Fault::Forget => setup.limits.supplier_may_forget,
            Fault::Window => contract.is_external() && supplier.takes_key,
            _ => true,
        };
        let scenario = scenario.under(contract);
        let budget: Vec<_> = scenario.budget.iter().filter(|(fault, _)| possible(*fault)).collect();
        setup.budget = Budget::new(&budget);
        setup.forget_what_does_not_matter();
        setup
    }

    /// Sets whatever no run of this setup ever asks for to one value: setups that behave alike are equal.
    fn forget_what_does_not_matter(&mut self) {
        let has = |fault| self.budget.of(fault) > 0;
        if !has(Fault::Edit) {
            self.client.on_edit = OnEdit::CancelFirst;
            self.client.cancel &= has(Fault::Cancel);
        }
        if !has(Fault::Error) {
            self.rules.error = OnError::Unknown;
        }
        if !has(Fault::Rejection) {
            self.rules.rejection = OnRejection::Replay;
        }
        if !has(Fault::HangUp) {
            self.hang_up = HangUp::Finish;
        }
        if !has(Fault::Age) {
            self.rules.unresolved = None;
            self.limits.work_outlives_age = false;
            self.limits.late_aged = [Late::Cannot; 5];
        }
        if !has(Fault::Cancel) && !has(Fault::Edit) {
            self.rules.cancel_within = None;
            self.limits.cancel_outlives_record = false;
        }
        if self.other != Some(Other::Payload) {
            self.rules.on_mismatch = OnMismatch::Conflict;
            self.rules.compares = true;
        }
    }

    /// Whether the effect is a call to a supplier.
    pub fn is_external(&self) -> bool {
        self.effect == EffectKind::External
    }

    /// Whether it makes a difference under which mark the intent's key first came to the supplier: of those calls none
    /// comes after the supplier's memory, though a later reservation's may.
    pub(crate) fn first_mark_counts(&self) -> bool {
        self.supplier_key == SupplierKey::FromIntent
            && self.limits.window_within_memory
            && self.budget.of(Fault::Forget) > 0
    }

    /// Whether scope and key of a later delivery are not those of the first, so that what is made of them differs.
    pub(crate) fn intent_has_two_names(&self) -> bool {
        self.apart.is_another_name() || self.click_apart.is_another_name()
    }

    /// Under what the supplier files a call that was marked with `mark`, for the key in `slot`.
    pub(crate) fn supplier_id(&self, mark: u8, slot: u8) -> u8 {
        match self.supplier_key {
            SupplierKey::FromMark => mark,
            SupplierKey::FromIntent if self.intent_has_two_names() => slot,
            SupplierKey::FromIntent => 0,
        }
    }
}
