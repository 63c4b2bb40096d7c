//! What travels between the actors, and the net in which it is under way.
//!
//! A message that is lost is a message that is never delivered, so there is no step that loses one.

use serde::Serialize;

/// One delivery of a request, as the client names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Delivery(pub u8);

impl Delivery {
    /// Nobody's: the recoverer works without a request.
    pub const NONE: Self = Self(0);
    /// The first attempt.
    pub const FIRST: Self = Self(1);
    /// The user's second click, or the first one after a reload.
    pub const CLICK: Self = Self(4);
    /// A request of somebody else, or for something else, with the same key.
    pub const OTHER: Self = Self(5);
    /// A question to the status route.
    pub const STATUS: Self = Self(6);
    /// A cancel by key.
    pub const CANCEL: Self = Self(7);

    /// Whether it may run the operation.
    pub fn is_attempt(self) -> bool {
        (Self::FIRST..=Self::CLICK).contains(&self)
    }
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[repr(u8)]
pub enum Class {
    /// Success, naming the first result.
    Success1 = 1,
    /// Success, naming a second result.
    Success2,
    /// Success, naming a third result.
    Success3,
    /// Rejected before any effect.
    Rejected,
    /// An error that was stored as the final answer, and is taken for a failure.
    Failed,
    /// In progress.
    InFlight,
    /// The key is bound to another payload.
    Conflict,
    /// An error that says nothing of the effect; it may have been stored.
    Error,
    /// Nobody can tell yet.
    Unknown,
    /// The status route has no record.
    NotFound,
    /// The intent was cancelled.
    Cancelled,
    /// The intent is too old to tell.
    TooOld,
    /// The key is too old.
    Stale,
}

impl Class {
    const ALL: [Self; 13] = [
        Self::Success1,
        Self::Success2,
        Self::Success3,
        Self::Rejected,
        Self::Failed,
        Self::InFlight,
        Self::Conflict,
        Self::Error,
        Self::Unknown,
        Self::NotFound,
        Self::Cancelled,
        Self::TooOld,
        Self::Stale,
    ];

    /// Success that names result `number`, counted from one; beyond the third, the third.
    pub fn success(number: u8) -> Self {
        Self::of(number.clamp(1, 3))
    }

    /// The number of the result that it names.
    pub fn result(self) -> Option<u8> {
        (self <= Self::Success3).then_some(self as u8)
    }

    /// The class with this code.
    pub(crate) fn of(code: u8) -> Self {
        Self::ALL[usize::from(code) - 1]
    }
}

/// One message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Message {
    /// Client to server.
    Request {
        /// Which delivery.
        delivery: Delivery,
        /// In which slot of the store its key lies.
        slot: u8,
    },
    /// Server to client.
    Answer {
        /// To which delivery.
        delivery: Delivery,
        /// What it says.
        class: Class,
    },
    /// Server to supplier: do it.
    Call {
        /// The token of the worker that waits.
        token: u8,
        /// The mark from which the supplier's key is made.
        mark: u8,
        /// The slot of the intent's key, from which it may be made instead.
        slot: u8,
    },
    /// Server to supplier: do you know it?
    Lookup {
        /// The token of the worker that waits.
        token: u8,
        /// The mark of the call that is asked about.
        mark: u8,
        /// The slot of the intent's key.
        slot: u8,
        /// Whether the settle time was over when it was sent.
        settled: bool,
    },
    /// Supplier to server.
    Reply {
        /// The token of the worker that waits.
        token: u8,
        /// The number of the result; none if it knows nothing.
        result: u8,
    },
}

impl Message {
    /// A code of twelve bits, never zero.
    pub(crate) fn code(self) -> u16 {
        let pack = |kind: u16, a: u8, b: u8, c: u8| {
            debug_assert!(a < 8 && b < 16 && c < 4);
            kind << 9 | u16::from(a) << 6 | u16::from(b) << 2 | u16::from(c)
        };
        match self {
            Self::Request { delivery, slot } => pack(1, delivery.0, slot, 0),
            Self::Answer { delivery, class } => pack(2, delivery.0, class as u8, 0),
            Self::Call { token, mark, slot } => pack(3, token, mark, slot),
            Self::Lookup { token, mark, slot, settled } => {
                pack(4, token, mark, slot << 1 | u8::from(settled))
            }
            Self::Reply { token, result } => pack(5, token, 0, result),
        }
    }

    /// The message of a code that [`Message::code`] gave.
    pub(crate) fn of(code: u16) -> Self {
        let [a, b, c] = [(code >> 6 & 7) as u8, (code >> 2 & 15) as u8, (code & 3) as u8];
        match code >> 9 {
            1 => Self::Request { delivery: Delivery(a), slot: b },
            2 => Self::Answer { delivery: Delivery(a), class: Class::of(b) },
            3 => Self::Call { token: a, mark: b, slot: c },
            4 => Self::Lookup { token: a, mark: b, slot: c >> 1, settled: c & 1 == 1 },
            _ => Self::Reply { token: a, result: c },
        }
    }
}

/// How many messages can be under way at one time.
pub(crate) const CAPACITY: usize = 12;

/// The messages under way, as a multiset: sorted, so that equal nets are equal values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Net {
    codes: [u16; CAPACITY],
}

impl Net {
    /// Adds a message. Gives `false`, and adds nothing, if the net is full: the search then stops as cut short.
    #[must_use]
    pub fn add(&mut self, message: Message) -> bool {
        if self.codes[CAPACITY - 1] != 0 {
            return false;
        }
        let code = message.code();
        let mut at = CAPACITY - 1;
        while at > 0 && self.codes[at - 1] < code {
            self.codes[at] = self.codes[at - 1];
            at -= 1;
        }
        self.codes[at] = code;
        true
    }

    /// Takes one copy of a message out; `false` if there is none.
    #[must_use]
    pub fn take(&mut self, message: Message) -> bool {
        let code = message.code();
        let Some(at) = self.codes.iter().position(|found| *found == code) else { return false };
        self.codes.copy_within(at + 1.., at);
        self.codes[CAPACITY - 1] = 0;
        true
    }

    /// The messages under way, each as often as there are copies.
    pub(crate) fn copies(&self) -> impl Iterator<Item = Message> + '_ {
        self.codes.iter().copied().take_while(|code| *code != 0).map(Message::of)
    }

    /// The different messages under way.
    pub fn iter(&self) -> impl Iterator<Item = Message> + '_ {
        let codes = &self.codes;
        (0..CAPACITY)
            .take_while(|at| codes[*at] != 0)
            .filter(|at| *at == 0 || codes[*at] != codes[*at - 1])
            .map(|at| Message::of(codes[at]))
    }

    /// Puts another message in the place of each.
    pub(crate) fn map(&mut self, change: impl Fn(Message) -> Message) {
        for code in self.codes.iter_mut().take_while(|code| **code != 0) {
            *code = change(Message::of(*code)).code();
        }
        self.codes.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Keeps only the messages for which `keep` holds.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(Message) -> bool) {
        let mut to = 0;
        for at in 0..CAPACITY {
            let code = self.codes[at];
            if code == 0 {
                break;
            }
            if keep(Message::of(code)) {
                self.codes[to] = code;
                to += 1;
            }
        }
        self.codes[to..].fill(0);
    }
}

/// What a step of an actor gives beside its own new state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Out {
    messages: [u16; 2],
    /// What the step broke, as bits of [`Flaw`].
    pub flaws: u8,
    /// What happened, as bits of [`Event`].
    pub events: u32,
    /// A bound of the model itself was hit.
    pub overflow: bool,
}

impl Out {
    /// Sends a message.
    pub fn send(&mut self, message: Message) {
        let free = usize::from(self.messages[0] != 0);
        debug_assert!(self.messages[free] == 0, "a step sends at most two messages");
        self.messages[free] = message.code();
    }

    /// What was sent.
    pub fn sent(&self) -> impl Iterator<Item = Message> {
        self.messages.into_iter().filter(|code| *code != 0).map(Message::of)
    }

    /// Notes a flaw.
    pub fn flaw(&mut self, flaw: Flaw) {
        self.flaws |= 1 << flaw as u8;
    }

    /// Notes an event.
    pub fn event(&mut self, event: Event) {
        self.events |= 1 << event as u32;
    }
}

/// A wrong that a step does, and that no later state would show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// See [`idempotency::invariant::Evidence::other_payload_admitted`].
    OtherPayloadAdmitted,
    /// See [`idempotency::invariant::Evidence::terminal_twice`].
    TerminalTwice,
    /// See [`idempotency::invariant::Evidence::other_owner_shown`].
    OtherOwnerShown,
    /// See [`idempotency::invariant::Evidence::completed_by_another`].
    CompletedByAnother,
    /// See [`idempotency::invariant::Evidence::unresolved_deleted`].
    UnresolvedDeleted,
    /// See [`idempotency::invariant::Evidence::sent_after_deadline`].
    SentAfterDeadline,
    /// See [`idempotency::invariant::Evidence::effect_after_replacement`].
    EffectAfterReplacement,
}

/// Something good, or at least telling, that a run can show. A pass in which the event of an invariant never happened
/// proves nothing: it would be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The effect happened.
    Effect,
    /// A client was told of success.
    Success,
    /// A stored answer was replayed.
    Replay,
    /// Another payload got a conflict.
    Conflict,
    /// A duplicate was told "in progress".
    InFlight,
    /// Another owner's request with the same key was kept apart.
    KeptApart,
    /// A worker that had lost its reservation was refused.
    Fenced,
    /// A reservation was taken over.
    TakenOver,
    /// A record became unknown and visible.
    Unknown,
    /// A rejection reached the client.
    Rejection,
    /// A client told its user that the outcome is unknown.
    ToldUnknown,
    /// The deadline passed.
    Deadline,
    /// A terminal record was purged.
    Purged,
    /// A replacement was sent.
    Replaced,
    /// A late delivery met a tombstone.
    Tombstone,
    /// A stale key was refused.
    StaleRefused,
    /// The supplier answered a repeat with the first result.
    SupplierReplay,
    /// A completion was written by the holder.
    Completed,
}
