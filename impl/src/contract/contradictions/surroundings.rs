//! What stands around: routes, processes, the store; and times that are none.

use super::super::{Period, StoreKind};
use super::{Rule, alone, clash, idle, when};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "cancel-within-without-cancel-route",
        about: "How long a cancel is answered has no meaning where no cancel is.",
        check: |facts| {
            let unanswered = facts.gives("routes.cancel-within") && !facts.contract.routes.cancel;
            let help = "write `cancel = true` if there is such a route, or remove the time";
            when(unanswered, idle("routes.cancel-within", "routes.cancel", help))
        },
    },
    Rule {
        id: "fewer-processes-than-regions",
        about: "A region that admits the operation has at least one process that serves it.",
        check: |facts| {
            let contract = facts.contract;
            let fewer = facts.gives("servers.processes")
                && contract.servers.processes < u16::from(contract.operation.regions);
            let help = "write at least one process for each region";
            when(
                fewer,
                clash(
                    "servers.processes",
                    "leaves a region without a process, with",
                    "operation.regions",
                    help,
                ),
            )
        },
    },
    Rule {
        id: "durable-memory",
        about: "The memory of a process does not survive its crash.",
        check: |facts| {
            let store = &facts.contract.store;
            let durable = store.kind == StoreKind::Memory && store.durable == Some(true);
            let help = "write the store that it is, `kind = \"other\"` say, or remove the line";
            when(
                durable,
                clash("store.durable", "is more than a process can promise with", "store.kind", help),
            )
        },
    },
    Rule {
        id: "no-time-at-all",
        about: "Nothing is done in no time: no answer arrives, and every key is too old.",
        check: |facts| {
            let contract = facts.contract;
            let times = [
                ("key.horizon", contract.key.horizon),
                ("reservation.heartbeat", contract.reservation.heartbeat.period()),
                ("client.deadline", Some(contract.client.deadline)),
                ("client.timeout", Some(contract.client.timeout)),
                ("between.timeout", Some(contract.between.timeout)),
            ];
            let none = times.into_iter().filter(|&(_, time)| time == Some(Period::ZERO));
            none.map(|(path, _)| alone(path, "is no time at all", "write a longer time")).collect()
        },
    },
];
