//! What a service promises: the key, the payload, the reservation, what is kept, and the effect.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::period::{Never, Period, PeriodOr, Unlimited};
use super::super::words::*;

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
    /// The age at which a key that carries its time is refused. Without a figure: the retention less the clock difference.
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
    ///
    /// With which status a service says "unknown" has no field: whatever it is, the client does what `client.on-error` says.
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
