//! The client, and the routes that it uses.

use super::super::{OnEdit, Period, Reaction};
use super::{Rule, clash, when};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "timeout-over-deadline",
        about: "One attempt cannot wait longer than the whole intent.",
        check: |facts| {
            let client = &facts.contract.client;
            let over = facts.gives("client.timeout") && client.timeout > client.deadline;
            let help = "write a shorter timeout, or a longer deadline";
            when(over, clash("client.timeout", "is longer than", "client.deadline", help))
        },
    },
    Rule {
        id: "backoff-order",
        about: "The shortest pause before a retry cannot be longer than the longest.",
        check: |facts| {
            let client = &facts.contract.client;
            let turned = client.backoff_from > client.backoff_to;
            let help = "write a shorter `backoff-from`, or a longer `backoff-to`";
            when(turned, clash("client.backoff-from", "is longer than", "client.backoff-to", help))
        },
    },
    Rule {
        id: "late-resend-inside-deadline",
        about: "A late resend comes after the deadline. Both are counted from the first attempt.",
        check: |facts| {
            let client = &facts.contract.client;
            let inside = client.late_resend > Period::ZERO && client.late_resend < client.deadline;
            let help = "write a time that is longer than the deadline, or `0s` for no late resend";
            when(inside, clash("client.late-resend", "is shorter than", "client.deadline", help))
        },
    },
    Rule {
        id: "ask-without-status-route",
        about: "A client cannot ask a status route that is not there.",
        check: |facts| {
            if facts.contract.routes.status {
                return Vec::new();
            }
            let client = &facts.contract.client;
            let reactions = [
                ("client.on-timeout", client.on_timeout),
                ("client.on-error", client.on_error),
                ("client.on-gateway-error", client.on_gateway_error),
                ("client.on-in-flight", client.on_in_flight),
                ("client.on-not-found", client.on_not_found),
            ];
            let help = "write `status = true` if there is such a route, or \"unknown\"";
            let asks = reactions.into_iter().filter(|&(_, reaction)| reaction == Reaction::Ask);
            asks.map(|(path, _)| clash(path, "has no route to ask, with", "routes.status", help)).collect()
        },
    },
    Rule {
        id: "cancel-first-without-cancel-route",
        about: "A client cannot cancel an intent by its key where no route does that.",
        check: |facts| {
            let cancels =
                facts.gives("client.on-edit") && facts.contract.client.on_edit == OnEdit::CancelFirst;
            let help = "write `cancel = true` if there is such a route, or `on-edit = \"send\"`";
            when(
                cancels && !facts.contract.routes.cancel,
                clash("client.on-edit", "has no route to cancel by, with", "routes.cancel", help),
            )
        },
    },
];
