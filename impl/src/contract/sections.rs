//! The fields of a contract, section by section. `docs/contract.md` and the JSON Schema are made from these
//! comments and defaults: a field's first paragraph says what it is, the second what follows from it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::period::{Never, Period, PeriodOr, Unlimited};
use super::words::*;

/// A contract that makes a retry of one operation safe, or does not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Contract {
    /// What the operation is.
    pub operation: Operation,
    /// The idempotency key, which names one intent.
    pub key: Key,
    /// Which payload is the same one.
    pub fingerprint: Fingerprint,
    /// Who may run the effect, and for how long.
    pub reservation: Reservation,
    /// What is kept of each class of outcome, for a replay.
    pub answers: Answers,
    /// How long records are kept.
    pub retention: Retention,
    /// The effect: what must happen at most once.
    pub effect: Effect,
    /// The supplier of an external effect.
    pub supplier: Supplier,
    /// The client.
    pub client: Client,
    /// What stands between client and server.
    pub between: Between,
    /// The server's processes.
    pub servers: Servers,
    /// The store of the records.
    pub store: Store,
    /// Routes beside the operation itself.
    pub routes: Routes,
    /// Where each fact comes from: a field's path, and its public source, or `guess: ` and the reason.
    pub sources: BTreeMap<String, String>,
}

/// What the operation is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Operation {
    /// The operation's name in the report, such as a method and a route.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The domain action in words. A method's name alone proves nothing about it.
    pub does: String,
    /// In how many regions the operation is admitted.
    ///
    /// With more than one, the store and the scope must span them all: a retry may enter elsewhere.
    #[schemars(range(min = 1, max = 100))]
    pub regions: u8,
}

impl Default for Operation {
    fn default() -> Self {
        Self { name: "the operation".into(), does: String::new(), regions: 1 }
    }
}

/// The idempotency key, which names one intent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Key {
    /// Whether a request without a key is refused.
    ///
    /// Where it is not, a request without one has no protection at all.
    pub required: bool,
    /// Whether the key travels in a header or in the body.
    pub place: KeyPlace,
    /// The name of the header or of the body's field.
    #[schemars(length(min = 1))]
    pub name: String,
    /// How a key in a header is written.
    pub syntax: KeySyntax,
    /// The longest key that is accepted, in bytes. A longer one is refused, never cut.
    #[schemars(range(min = 1, max = 65535))]
    pub longest: u16,
    /// The status for a key that is required and missing.
    #[schemars(range(min = 400, max = 499))]
    pub missing: u16,
    /// The status for a key that is malformed or too long.
    #[schemars(range(min = 400, max = 499))]
    pub malformed: u16,
    /// The status for a request that carries the key twice.
    #[schemars(range(min = 400, max = 499))]
    pub repeated: u16,
    /// When the client makes the key.
    ///
    /// A key made anew for every attempt turns a repeat into a new command.
    pub made: KeyMade,
    /// How long the client keeps it.
    ///
    /// A key that is lost by a reload cannot be sent again, and the user's next click is a new command.
    pub kept: KeyKept,
    /// Within what a key is unique.
    ///
    /// Too wide: one owner is shown another's result. Too narrow: a duplicate passes.
    #[schemars(extend("uniqueItems" = true))]
    pub scope: Vec<ScopePart>,
    /// Whether the key carries its time.
    ///
    /// With it the server refuses a stale key without a record, and a finite retention holds under unbounded delay.
    pub time: KeyTime,
    /// The age at which a key that carries its time is refused. Without a figure: the retention less twice the clock difference.
    pub horizon: Option<Period>,
}

impl Default for Key {
    fn default() -> Self {
        Self {
            required: true,
            place: KeyPlace::Header,
            name: "Idempotency-Key".into(),
            syntax: KeySyntax::Structured,
            longest: 255,
            missing: 400,
            malformed: 400,
            repeated: 400,
            made: KeyMade::PerIntent,
            kept: KeyKept::Reload,
            scope: vec![ScopePart::Owner, ScopePart::Operation],
            time: KeyTime::None,
            horizon: None,
        }
    }
}

/// Which payload is the same one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Fingerprint {
    /// The significant fields: `["body"]` for all of them, `[]` for no fingerprint.
    ///
    /// Without a fingerprint another payload passes under the same key.
    #[schemars(inner(length(min = 1)), extend("uniqueItems" = true))]
    pub covers: Vec<String>,
    /// How the significant part is made canonical before it is hashed with SHA-256.
    pub canonical: Canonical,
    /// The version of this rule. A record made under another version is compared by that version.
    #[schemars(range(min = 1, max = 65535))]
    pub version: u16,
    /// What the same key with another fingerprint gets.
    pub on_mismatch: OnMismatch,
    /// The status of that conflict.
    #[schemars(range(min = 400, max = 499))]
    pub status: u16,
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self {
            covers: vec!["body".into()],
            canonical: Canonical::Jcs,
            version: 1,
            on_mismatch: OnMismatch::Conflict,
            status: 422,
        }
    }
}

/// Who may run the effect, and for how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reservation {
    /// Whether two processes can never both get the right to run one effect.
    ///
    /// A reservation that reads first and writes afterwards is not atomic: both see an absent key.
    pub atomic: bool,
    /// What a duplicate gets while the first is in progress.
    pub in_flight: InFlight,
    /// How long a duplicate waits for the result, where it waits.
    pub wait: Period,
    /// The status that says "in progress".
    #[schemars(range(min = 400, max = 599))]
    pub status: u16,
    /// How long a reservation lasts without a heartbeat.
    ///
    /// Shorter than a handler's run or a pause: its owner loses it while it still works, and only fencing protects.
    pub lease: Period,
    /// The pause between two heartbeats of a running handler.
    pub heartbeat: PeriodOr<Never>,
    /// Whether completion demands the owner's token.
    pub completion: Fence,
    /// Whether the stage is stored before the external call leaves, and how.
    pub mark: Mark,
    /// Who may take over a reservation whose lease ended.
    ///
    /// Nobody: a crash leaves the record in progress for ever. Run-again: a crash after the call calls twice.
    pub take_over: TakeOver,
    /// Whether a process looks for ended leases by itself. If not, only a retry of the client finds them.
    pub recoverer: bool,
    /// What becomes of a handler when its client hangs up.
    pub hang_up: HangUp,
}

impl Default for Reservation {
    fn default() -> Self {
        Self {
            atomic: true,
            in_flight: InFlight::Refuse,
            wait: Period::secs(5),
            status: 409,
            lease: Period::secs(30),
            heartbeat: PeriodOr::secs(10),
            completion: Fence::Fenced,
            mark: Mark::Fenced,
            take_over: TakeOver::ByStage,
            recoverer: true,
            hang_up: HangUp::Finish,
        }
    }
}

/// What is kept of each class of outcome, for a replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Answers {
    /// What is kept of a success.
    pub success: OnSuccess,
    /// What is kept of a rejection.
    ///
    /// A rejection that depends on state and is released can still turn into an effect, when a late delivery passes the check.
    pub rejection: OnRejection,
    /// What is kept of an error after which nobody knows whether the effect happened.
    pub error: OnError,
    /// The header that marks a replay; empty for none.
    pub marker: String,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            success: OnSuccess::Replay,
            rejection: OnRejection::Replay,
            error: OnError::Unknown,
            marker: "Idempotent-Replayed".into(),
        }
    }
}

/// How long records are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Retention {
    /// How long a terminal record is kept.
    ///
    /// It has to cover the client's retries, the delays between, and a late resend; or keys carry their time.
    pub completed: PeriodOr<Unlimited>,
    /// After what age a record in progress, or `unknown`, is deleted. `never`: it is resolved first.
    pub unresolved: PeriodOr<Never>,
}

impl Default for Retention {
    fn default() -> Self {
        Self { completed: PeriodOr::secs(24 * 60 * 60), unresolved: PeriodOr::WORD }
    }
}

/// The effect: what must happen at most once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Effect {
    /// Where the effect happens, and which transaction commits it.
    pub kind: EffectKind,
    /// The longest run of a handler that is neither paused nor crashed.
    pub longest: Period,
}

impl Default for Effect {
    fn default() -> Self {
        Self { kind: EffectKind::FencedTransaction, longest: Period::secs(20) }
    }
}

/// The supplier of an external effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Supplier {
    /// Whether it takes a key of ours and answers a repeat with the first result.
    pub takes_key: bool,
    /// From what that key is made.
    pub key: SupplierKey,
    /// How long it remembers a key, counted from the first call.
    pub remembers: PeriodOr<Unlimited>,
    /// How long after the mark the server may call again with the same key. Without a figure: as long as the supplier
    /// remembers, less the handler's longest run, the longest pause and the longest call delay. `never`: a call whose
    /// outcome is not known is not repeated.
    pub call_again_for: Option<PeriodOr<Never>>,
    /// Whether it can be asked by our business id.
    pub can_be_asked: bool,
    /// The time after the mark at which "not found" means that the call will never take effect.
    ///
    /// It has to cover the handler's longest run, the longest pause and the longest call delay. `never`: "not found" proves nothing.
    pub settles: PeriodOr<Never>,
    /// The longest time that a call to the supplier may be on its way.
    pub longest_delay: Period,
}

impl Default for Supplier {
    fn default() -> Self {
        Self {
            takes_key: false,
            key: SupplierKey::FromMark,
            remembers: PeriodOr::secs(24 * 60 * 60),
            call_again_for: None,
            can_be_asked: false,
            settles: PeriodOr::WORD,
            longest_delay: Period::secs(60),
        }
    }
}

/// The client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Client {
    /// One deadline for every attempt and every pause of an intent, counted from its first attempt.
    pub deadline: Period,
    /// How many attempts there are at the most.
    #[schemars(range(min = 1, max = 1000))]
    pub attempts: u16,
    /// How long the client waits for the answer to one attempt.
    pub timeout: Period,
    /// The shortest pause before a retry.
    pub backoff_from: Period,
    /// The longest pause before a retry.
    pub backoff_to: Period,
    /// What it does when no answer came: a timeout, a cut connection, or half an answer.
    pub on_timeout: Reaction,
    /// What it does on a 5xx of the server, or an answer that says "unknown".
    pub on_error: Reaction,
    /// What it does on a 503 or 504 of a gateway: it says nothing of what the server did.
    pub on_gateway_error: Reaction,
    /// What it does on "in progress".
    pub on_in_flight: Reaction,
    /// What it does when the status route knows nothing of the intent.
    ///
    /// "Not found" is not "it did not happen": the first delivery may still be on its way.
    pub on_not_found: Reaction,
    /// What it tells its user when attempts or deadline end without an answer.
    pub at_deadline: GiveUp,
    /// What it does after the deadline.
    pub after_deadline: AfterDeadline,
    /// Until when after the first attempt the user, or a resumed client, may send the same intent again. `0s`: not
    /// after the deadline.
    pub late_resend: Period,
    /// What it does when its user edits the payload after an unknown outcome.
    pub on_edit: OnEdit,
}

impl Default for Client {
    fn default() -> Self {
        Self {
            deadline: Period::secs(60),
            attempts: 4,
            timeout: Period::secs(10),
            backoff_from: Period::secs(1),
            backoff_to: Period::secs(8),
            on_timeout: Reaction::Retry,
            on_error: Reaction::Retry,
            on_gateway_error: Reaction::Retry,
            on_in_flight: Reaction::Retry,
            on_not_found: Reaction::Unknown,
            at_deadline: GiveUp::Unknown,
            after_deadline: AfterDeadline::Stop,
            late_resend: Period::ZERO,
            on_edit: OnEdit::CancelFirst,
        }
    }
}

/// What stands between client and server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Between {
    /// How long a proxy waits for the server before it answers 503 or 504 by itself.
    pub timeout: Period,
    /// How often a proxy repeats a request by itself.
    #[schemars(range(min = 0, max = 100))]
    pub repeats: u8,
    /// The longest time that a delivery may be on its way.
    ///
    /// `unlimited`: no finite retention is safe, unless stale keys are refused.
    pub longest_delay: PeriodOr<Unlimited>,
}

impl Default for Between {
    fn default() -> Self {
        Self { timeout: Period::secs(30), repeats: 0, longest_delay: PeriodOr::secs(120) }
    }
}

/// The server's processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Servers {
    /// How many processes serve the operation.
    #[schemars(range(min = 1, max = 65535))]
    pub processes: u16,
    /// The longest time that a process may stand still: a pause of its runtime, its machine, or its network.
    pub longest_pause: Period,
    /// The largest difference between two clocks.
    ///
    /// It bears on keys that carry their time. Every other period is taken to run on one clock, that of the store.
    pub clock_skew: Period,
}

impl Default for Servers {
    fn default() -> Self {
        Self { processes: 2, longest_pause: Period::secs(300), clock_skew: Period::secs(5) }
    }
}

/// The store of the records. Its kind says what it promises; another field overrides that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Store {
    /// A store whose promises are known.
    pub kind: StoreKind,
    /// Whether a record survives a crash of the server's process. By kind: not for `memory`.
    pub durable: Option<bool>,
    /// What a failover does to writes that were acknowledged. By kind: `redis` may forget.
    pub failover: Option<Failover>,
    /// What a read may see.
    pub reads: Reads,
    /// Whether the store may drop any record to make room.
    pub evicts: bool,
    /// Whether all regions share one store. SQLite, on a local disk, never spans them.
    pub spans_regions: bool,
}

impl Default for Store {
    fn default() -> Self {
        Self {
            kind: StoreKind::Postgres,
            durable: None,
            failover: None,
            reads: Reads::Latest,
            evicts: false,
            spans_regions: true,
        }
    }
}

impl Store {
    /// Whether a record survives a crash of the server's process.
    pub fn is_durable(&self) -> bool {
        self.durable.unwrap_or(self.kind != StoreKind::Memory)
    }

    /// What a failover does to writes that were acknowledged.
    pub fn failover(&self) -> Failover {
        self.failover.unwrap_or(match self.kind {
            StoreKind::Redis => Failover::MayForget,
            _ => Failover::KeepsAcknowledged,
        })
    }
}

/// Routes beside the operation itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Routes {
    /// Whether a status route says what became of an intent.
    pub status: bool,
    /// Whether an intent can be cancelled by its key: that leaves a tombstone which a late delivery meets.
    pub cancel: bool,
    /// How long after the first attempt a cancel is answered; later it gets "too old to tell". Without a figure: the
    /// retention of terminal records.
    pub cancel_within: Option<Period>,
}

impl Default for Routes {
    fn default() -> Self {
        Self { status: true, cancel: true, cancel_within: None }
    }
}
