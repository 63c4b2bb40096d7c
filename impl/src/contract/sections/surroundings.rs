//! Whom a service has around it: its supplier, its client, what stands between, its processes, store and routes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::period::{Never, Period, PeriodOr, Unlimited};
use super::super::words::*;

/// The supplier of an external effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Supplier {
    /// Whether it takes a key of ours and answers a repeat with the first result.
    pub takes_key: bool,
    /// From what that key is made.
    pub key: SupplierKey,
    /// How long it remembers a key, counted from the first call. A repeat does not make it longer.
    pub remembers: PeriodOr<Unlimited>,
    /// How long after the mark the server may call again with the same key. Without a figure: as long as the supplier
    /// remembers, less the handler's longest run, the longest pause and the longest call delay. `never`: a call whose
    /// outcome is not known is not repeated.
    ///
    /// Only a take-over by stage that finds a mark looks at it. One that runs the handler again calls at any time.
    pub call_again_for: Option<PeriodOr<Never>>,
    /// Whether it can be asked by our business id.
    pub can_be_asked: bool,
    /// The time after the mark at which "not found" means that the call will never take effect.
    ///
    /// It has to cover the window for calling again, if there is one, and after it the handler's longest run, the longest
    /// pause and the longest call delay. `never`: "not found" proves nothing.
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
    /// How long the client waits for the answer to one attempt, counted from when it sends it.
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
    /// How often a proxy may repeat a request by itself: so many of its timeouts later a copy may arrive.
    ///
    /// One copy is always searched, in some scenarios, though there should be none: no client can rule it out.
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
