//! Contracts that are broken in one place, with the story that each is known for.

use idempotency::contract::Contract;
use idempotency::invariant::Invariant::{self, *};

use crate::common::{demo, edited, orders};

/// A contract with an edit that breaks it.
pub(crate) struct Variant {
    /// From which contract it is made: the demo request, or the order.
    pub(crate) of: Base,
    /// What is changed in it.
    pub(crate) edits: &'static str,
    /// The scenario and the invariant for which it is known.
    pub(crate) known: (&'static str, Invariant),
    /// The faults without which that story does not go.
    pub(crate) faults: &'static [&'static str],
}

/// A contract that is not broken.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    /// The demo request: a local effect.
    Demo,
    /// The order: a call to a supplier that takes our key.
    Orders,
    /// The order, with a supplier that takes none.
    OrdersWithoutKey,
}

impl Variant {
    pub(crate) fn contract(&self) -> Contract {
        let base = match self.of {
            Base::Demo => demo(),
            Base::Orders => orders(),
            Base::OrdersWithoutKey => orders_without_key(),
        };
        edited(&base, self.edits)
    }
}

/// The contract of the order without what it says of a supplier's key.
pub(crate) fn orders_without_key() -> Contract {
    let text = include_str!("../../../docs/contracts/orders.toml");
    let (before, rest) = text.split_once("[supplier]").expect("the order has a supplier");
    let (_, after) = rest.split_once("\n[").expect("a section follows");
    let text = format!("{before}[supplier]\nlongest-delay = '60s'\n\n[{after}");
    Contract::parse(&text).expect("it is valid").contract
}

/// The contracts of the documents, by name.
pub(crate) fn published() -> impl Iterator<Item = (String, Contract)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/contracts");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("there are contracts")
        .map(|file| file.expect("a file").path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "toml"));
    files.sort();
    files.into_iter().map(|file| {
        let text = std::fs::read_to_string(&file).expect("it can be read");
        let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        (name, Contract::parse(&text).expect("it is valid").contract)
    })
}

/// Every variant.
pub(crate) static ALL: &[Variant] = &[
    broken(Base::Demo, "key.made = 'per-attempt'", ("lost-answer", V1), &["timeout", "lost-answer"]),
    broken(Base::Demo, "fingerprint.covers = []", ("payload", V3), &["other-payload"]),
    broken(Base::Demo, "key.scope = ['operation']", ("owner", V5), &["other-owner"]),
    broken(Base::Demo, "retention.completed = '1m'", ("retention", V1), &["retention", "late-delivery"]),
    broken(Base::Demo, "between.longest-delay = 'unlimited'", ("retention", V1), &["retention"]),
    broken(Base::Demo, "reservation.completion = 'unfenced'", ("pause", V1), &["pause"]),
    broken(Base::Demo, "effect.kind = 'two-transactions'", ("crash", V1), &["crash"]),
    broken(Base::Demo, "retention.unresolved = '10m'", ("store", V7), &["age"]),
    broken(Base::Demo, "reservation.take-over = 'never'", ("crash", V10), &["crash"]),
    broken(Base::Demo, "store.failover = 'may-forget'", ("store", V1), &["failover"]),
    broken(Base::Demo, "client.on-timeout = 'fail'", ("lost-answer", V8), &["timeout"]),
    broken(Base::Demo, "client.on-not-found = 'fail'", ("lost-answer", V8), &["ask", "late-delivery"]),
    broken(Base::Demo, "routes.cancel-within = '48h'", ("cancel", V8), &["cancel", "retention"]),
    broken(Base::Demo, "answers.rejection = 'release'", ("rejection", V8), &["rejection", "late-delivery"]),
    broken(Base::Demo, "client.on-edit = 'send'", ("edit", V11), &["edit"]),
    broken(
        Base::Demo,
        "reservation = { atomic = false, completion = 'unfenced' }",
        ("concurrent", V1),
        &["timeout"],
    ),
    broken(Base::Demo, "client.late-resend = '48h'", ("retention", V1), &["retention", "click"]),
    broken(Base::Demo, "client.after-deadline = 'keep-sending'", ("lost-answer", V9), &["deadline"]),
    broken(
        Base::Demo,
        "key = { time = 'uuidv7', horizon = '48h' }\nbetween.longest-delay = 'unlimited'",
        ("retention", V1),
        &["retention"],
    ),
    broken(Base::Orders, "reservation.atomic = false", ("concurrent", V1), &[]),
    broken(Base::OrdersWithoutKey, "reservation.take-over = 'run-again'", ("crash", V1), &["crash"]),
    broken(
        Base::OrdersWithoutKey,
        "supplier = { can-be-asked = true, settles = '0s' }",
        ("crash", V1),
        &["crash", "late-call"],
    ),
    broken(Base::Orders, "supplier.remembers = '30m'", ("supplier", V1), &["forget"]),
    broken(Base::Orders, "reservation.mark = 'unfenced'", ("pause", V1), &["pause"]),
    broken(Base::Orders, "answers.error = 'replay'", ("error", V8), &["error"]),
    broken(Base::Orders, "answers.error = 'replay-indeterminate'", ("error", V10), &["error"]),
    broken(
        Base::Orders,
        "answers.error = 'replay-indeterminate'",
        ("everything", V7),
        &["error", "retention"],
    ),
    broken(Base::Orders, "answers.error = 'release'", ("error", V1), &["error"]),
    broken(
        Base::Demo,
        "operation.regions = 2\nstore.spans-regions = false\nclient.attempts = 1",
        ("rotation", V1),
        &["click"],
    ),
    broken(Base::Demo, "key.scope = ['credential', 'operation']", ("rotation", V1), &[]),
    broken(Base::Demo, "store = { kind = 'memory' }\nservers.processes = 2", ("concurrent", V1), &[]),
    broken(Base::Orders, "reservation.hang-up = 'release'", ("error", V1), &["hang-up"]),
];

const fn broken(
    of: Base,
    edits: &'static str,
    known: (&'static str, Invariant),
    faults: &'static [&'static str],
) -> Variant {
    Variant { of, edits, known, faults }
}
