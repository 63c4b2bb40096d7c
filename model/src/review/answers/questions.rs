//! The five questions that an engineer who did not build it must be able to answer.

use idempotency::contract::{
    AfterDeadline, Canonical, Contract, EffectKind, Fence, GiveUp, InFlight, KeyKept, KeyMade, KeyPlace,
    Mark, OnEdit, OnError, OnMismatch, OnRejection, OnSuccess, Reaction, ScopePart, TakeOver,
};

use super::{Answer, joined};

/// The five questions, answered from the contract.
pub(in crate::review) fn questions(contract: &Contract) -> Vec<Answer> {
    let answer = |question, answer| Answer { question, answer };
    vec![
        answer("Which scope binds the attempts?", scope(contract)),
        answer("Which payload is the same?", payload(contract)),
        answer("Who owns the effect?", owner(contract)),
        answer("What does a replay get?", replay(contract)),
        answer("What is to be done when the outcome is unknown?", unknown(contract)),
    ]
}

fn scope(contract: &Contract) -> String {
    let part = |part: &ScopePart| match part {
        ScopePart::Owner => "the owner",
        ScopePart::Credential => "the credential",
        ScopePart::Operation => "the operation",
        ScopePart::Region => "the region",
    };
    let key = &contract.key;
    let place = match key.place {
        KeyPlace::Header => format!("the header `{}`", key.name),
        KeyPlace::Body => format!("the body's field `{}`", key.name),
    };
    let mut answer = match key.made {
        KeyMade::Never => {
            return "None: requests have no key, and every delivery is a command of its own.".into();
        }
        KeyMade::PerAttempt => {
            format!(
                "None: the key in {place} is made anew for every attempt, and every delivery is a new command."
            )
        }
        KeyMade::PerIntent => {
            let within: Vec<_> = key.scope.iter().map(part).collect();
            let within = if within.is_empty() {
                "the same for everybody".into()
            } else {
                format!("unique within {}", joined(&within))
            };
            format!("The key in {place}, made once for an intent and {within}.")
        }
    };
    if key.kept == KeyKept::Answer && key.made == KeyMade::PerIntent {
        answer += " A reload loses it, and the user's next click is a new command.";
    }
    if !key.required {
        answer += " A request without one is accepted, and nothing binds it.";
    }
    answer
}

fn payload(contract: &Contract) -> String {
    let print = &contract.fingerprint;
    if contract.key.made == KeyMade::Never {
        return "Payloads are not compared: without a key there is nothing to compare with.".into();
    }
    let is_once = contract.key.made == KeyMade::PerAttempt;
    let own = "The payloads of an intent's attempts are not compared: no two of them have the same key.";
    if print.covers.is_empty() {
        let any = "Any: no fingerprint is kept, and another payload passes under the same key.";
        return if is_once { format!("{own} Nor are others: no fingerprint is kept.") } else { any.into() };
    }
    let mismatch = match (print.on_mismatch, contract.answers.success) {
        (OnMismatch::Conflict, _) => format!("gets {} before the handler", print.status),
        (OnMismatch::Replay, OnSuccess::Replay) => "gets the first one's answer".into(),
        (OnMismatch::Replay, OnSuccess::Release) => "passes, as if it were the same".into(),
    };
    if is_once {
        return format!(
            "{own} Another request that happens to have the key of an attempt, with another payload, {mismatch}."
        );
    }
    let form = match print.canonical {
        Canonical::Bytes => "compared byte by byte",
        Canonical::Jcs => "in the canonical form of RFC 8785",
    };
    let (covers, not) = if print.covers == ["body"] {
        ("in its whole body".into(), "Path")
    } else {
        let fields: Vec<_> = print.covers.iter().map(|field| format!("`{field}`")).collect();
        (format!("in {}", joined(&fields)), "Other fields, path")
    };
    let operation = if contract.key.scope.contains(&ScopePart::Operation) {
        "; the operation does, by the scope"
    } else {
        ""
    };
    format!(
        "One that is equal {covers}, {form}. {not}, query and headers do not count{operation}. The same key with another \
         payload {mismatch}."
    )
}

fn owner(contract: &Contract) -> String {
    let reservation = &contract.reservation;
    let kind = contract.effect.kind;
    if kind == EffectKind::None {
        return "Nobody: the operation is a read.".into();
    }
    if contract.key.made == KeyMade::Never {
        return "Nobody: without a key nothing is reserved, and every delivery runs the handler.".into();
    }
    if kind == EffectKind::OneTransaction {
        return "The transaction that inserts the key: reservation, effect and result commit together."
            .into();
    }
    let fenced = reservation.completion == Fence::Fenced;
    let marked = reservation.mark != Mark::Never;
    let external = kind == EffectKind::External;
    let whose = match kind {
        EffectKind::FencedTransaction if fenced => {
            "effect and result commit together, if it still holds the reservation"
        }
        EffectKind::FencedTransaction => {
            "effect and result commit together, even if it has lost the reservation by then"
        }
        EffectKind::TwoTransactions => "effect and result are two transactions",
        _ if marked => "the effect is a call to the supplier, marked in the record before it leaves",
        _ => "the effect is a call to the supplier, and no mark says whether it left",
    };
    let lease = match reservation.heartbeat.period() {
        Some(_) => format!("after {} without a heartbeat", reservation.lease),
        None => format!("after {}", reservation.lease),
    };
    let after = match reservation.take_over {
        TakeOver::Never => "nobody takes over from it".into(),
        TakeOver::ByStage if external && marked => format!(
            "{lease} another takes over, which runs the handler again if no call was marked, and else finds out what \
             became of the call"
        ),
        TakeOver::ByStage | TakeOver::RunAgain => {
            format!("{lease} another takes over and runs the handler again")
        }
    };
    let finds = match (reservation.take_over, reservation.recoverer) {
        (TakeOver::Never, _) => "",
        (_, true) => " A process looks for such records by itself.",
        (_, false) => " Only a retry of the client finds such a record.",
    };
    format!("The holder of the reservation: {whose}; {after}.{finds}")
}

fn replay(contract: &Contract) -> String {
    let key = &contract.key;
    match key.made {
        KeyMade::Never => return "There is none: every delivery is a command of its own.".into(),
        KeyMade::PerAttempt => {
            return "There is none: a repeat has another key, and is a command of its own.".into();
        }
        KeyMade::PerIntent => {}
    }
    let answers = &contract.answers;
    let success = match answers.success {
        OnSuccess::Replay => "After a success it gets the stored answer",
        OnSuccess::Release => "Of a success nothing is kept, and it runs again",
    };
    let rejection = match answers.rejection {
        OnRejection::Replay => "after a rejection it gets that",
        OnRejection::Release => "after a rejection it runs again",
        OnRejection::ReleaseIfPayloadAlone => {
            "after a rejection it gets that, and runs again if the payload alone decided it"
        }
    };
    let error = match answers.error {
        OnError::Unknown => "after an ambiguous error it is told \"unknown\"",
        OnError::Replay => "after an ambiguous error it gets that as the final answer",
        OnError::ReplayIndeterminate => "after an ambiguous error it gets that again",
        OnError::Release => "after an ambiguous error it runs again",
    };
    let status = contract.reservation.status;
    let flight = match contract.reservation.in_flight {
        InFlight::Refuse => format!("while the first is in progress it gets {status}"),
        InFlight::Wait => {
            format!(
                "while the first is in progress it waits {}, then gets {status}",
                contract.reservation.wait
            )
        }
    };
    let marker = match answers.marker.as_str() {
        "" => "No header marks a replay.".into(),
        marker => format!("The header `{marker}` marks a replay."),
    };
    let kept = match (contract.retention.completed.period(), contract.horizon()) {
        (None, _) => "Records are kept for ever.".into(),
        (Some(kept), Some(horizon)) => {
            format!("Records are kept for {kept}, and a key older than {horizon} is refused.")
        }
        (Some(kept), None) => {
            format!("Records are kept for {kept}; after that the same key is a new command.")
        }
    };
    format!("{success}; {rejection}; {error}; {flight}. {marker} {kept}")
}

fn unknown(contract: &Contract) -> String {
    let sentences = [client(contract), user(contract), server(contract), supplier(contract)];
    sentences.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What the client does by itself.
fn client(contract: &Contract) -> String {
    let client = &contract.client;
    let on = [
        ("no answer", client.on_timeout),
        ("an error of the server", client.on_error),
        ("a gateway's error", client.on_gateway_error),
        ("\"in progress\"", client.on_in_flight),
    ];
    let mut reactions: Vec<Reaction> = Vec::new();
    for (_, reaction) in on {
        if !reactions.contains(&reaction) {
            reactions.push(reaction);
        }
    }
    let does = |(at, found): (usize, &Reaction)| {
        let events: Vec<_> = on.iter().filter(|(_, it)| it == found).map(|(event, _)| *event).collect();
        let who = if at == 0 { "the client" } else { "it" };
        format!("on {} {who} {}", joined(&events), self::does(contract, *found))
    };
    let does: Vec<_> = reactions.iter().enumerate().map(does).collect();
    let told = match client.at_deadline {
        GiveUp::Unknown => "the outcome is unknown",
        GiveUp::Fail => "it failed",
    };
    let mut end = String::new();
    if reactions.contains(&Reaction::Retry) {
        end = format!(" When attempts or deadline end, it tells its user that {told}");
        end += match client.after_deadline {
            AfterDeadline::Stop => ".",
            AfterDeadline::KeepSending => ", and goes on sending.",
        };
    }
    if client.late_resend.millis() > 0 {
        end += &format!(
            " Until {} after the first attempt the same intent may be sent again.",
            client.late_resend
        );
    }
    format!("O{}.{end}", &does.join("; ")[1..])
}

/// What a client does, as the end of a sentence of which it is the subject.
pub(super) fn does(contract: &Contract, reaction: Reaction) -> String {
    let client = &contract.client;
    let key = match contract.key.made {
        KeyMade::PerIntent => "with the same key",
        KeyMade::PerAttempt => "under another key",
        KeyMade::Never => "without a key",
    };
    match reaction {
        Reaction::Retry if client.attempts == 1 => "has no attempt left, and gives up".into(),
        Reaction::Retry => {
            format!(
                "sends the request again {key}, up to {} in all within {}",
                client.attempts, client.deadline
            )
        }
        Reaction::Fail => "tells its user that it failed".into(),
        Reaction::Ask => "asks the status route".into(),
        Reaction::Unknown => "tells its user that the outcome is unknown".into(),
    }
}

/// What can be asked and cancelled, and what an edit does.
fn user(contract: &Contract) -> String {
    let (client, routes) = (&contract.client, &contract.routes);
    if contract.key.made == KeyMade::Never {
        return "Without a key there is nothing to ask for, and nothing to cancel by.".into();
    }
    let mut answer = match (routes.status, routes.cancel) {
        (true, _) => format!(
            "The status route can be asked; on \"not found\", which proves nothing, the client {}.",
            does(contract, client.on_not_found)
        ),
        (false, true) => "There is no status route.".into(),
        (false, false) => "There is no status route, and no cancel by key.".into(),
    };
    if routes.cancel {
        answer += match contract.cancel_within() {
            Some(within) => format!(" A cancel by key is answered within {within} of the first attempt."),
            None => " A cancel by key is always answered.".into(),
        }
        .as_str();
    } else if routes.status {
        answer += " There is no cancel by key.";
    }
    answer += match client.on_edit {
        OnEdit::CancelFirst if routes.cancel => {
            " An edited payload is sent once the cancel of the first intent is conclusive."
        }
        OnEdit::CancelFirst => "",
        OnEdit::Send => " An edited payload is sent at once, while the first intent may still take effect.",
    };
    answer
}

fn server(contract: &Contract) -> String {
    if contract.key.made == KeyMade::Never {
        return "The server keeps no record of it.".into();
    }
    match contract.answers.error {
        OnError::Unknown => "The server keeps the record as `unknown` until it is resolved.".into(),
        OnError::Replay => "The server stores an ambiguous error as if it were the outcome.".into(),
        OnError::ReplayIndeterminate => {
            "The server stores an ambiguous error and gives it to every repeat: nothing resolves it.".into()
        }
        OnError::Release => {
            "After an ambiguous error the server frees the key as if nothing had happened.".into()
        }
    }
}

fn supplier(contract: &Contract) -> String {
    let reservation = &contract.reservation;
    let settles = reservation.take_over == TakeOver::ByStage && reservation.mark != Mark::Never;
    if !contract.is_external() || !settles || contract.key.made == KeyMade::Never {
        return String::new();
    }
    let again =
        contract.call_again_for().map(|window| format!("calls again with the same key within {window}"));
    let ask = contract.supplier.can_be_asked.then(|| "asks the supplier by our business id".to_owned());
    let ways: Vec<_> = again.into_iter().chain(ask).chain(["leaves it to a person".to_owned()]).collect();
    format!("After a crash whoever takes over {}.", ways.join(", else "))
}
