//! The reservation, and who looks after it.

use super::super::{InFlight, TakeOver};
use super::{Rule, clash, idle, when};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "wait-without-waiting",
        about: "A duplicate that is refused at once does not wait.",
        check: |facts| {
            let refused =
                facts.gives("reservation.wait") && facts.contract.reservation.in_flight == InFlight::Refuse;
            let help = "write `in-flight = \"wait\"`, or remove the wait";
            when(refused, idle("reservation.wait", "reservation.in-flight", help))
        },
    },
    Rule {
        id: "heartbeat-over-lease",
        about: "A heartbeat keeps a lease only if it comes before the lease ends.",
        check: |facts| {
            let reservation = &facts.contract.reservation;
            let over = reservation.heartbeat.period().is_some_and(|heartbeat| heartbeat >= reservation.lease)
                && facts.gives_any(&["reservation.heartbeat", "reservation.lease"]);
            let help = "write a heartbeat of a third of the lease or less, a longer lease, or `heartbeat = \"never\"`";
            when(over, clash("reservation.heartbeat", "is not shorter than", "reservation.lease", help))
        },
    },
    Rule {
        id: "mark-without-external",
        about: "The mark stands before a call to a supplier. Where none is called, it is never set.",
        check: |facts| {
            let unset = facts.gives("reservation.mark") && !facts.contract.is_external();
            let help = "write `kind = \"external\"` if a supplier is called, or remove the mark";
            when(unset, idle("reservation.mark", "effect.kind", help))
        },
    },
    Rule {
        id: "recoverer-without-take-over",
        about: "A process that looks for ended leases can do nothing where nobody may take over.",
        check: |facts| {
            let reservation = &facts.contract.reservation;
            let helpless = reservation.recoverer
                && facts.gives("reservation.recoverer")
                && reservation.take_over == TakeOver::Never;
            let help = "write `take-over = \"by-stage\"`, or `recoverer = false`";
            when(
                helpless,
                clash(
                    "reservation.recoverer",
                    "finds leases that nobody may take over, with",
                    "reservation.take-over",
                    help,
                ),
            )
        },
    },
];
