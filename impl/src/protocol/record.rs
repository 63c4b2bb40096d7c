//! What is stored for one key in its scope.

/// A moment, in milliseconds of the store's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

impl Time {
    /// The moment `millis` later; a sum that would overflow is the last moment.
    pub const fn plus(self, millis: u64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// The milliseconds that have passed since `earlier`; none if it lies ahead.
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A fencing token: it names one holder of one reservation, and a later holder has a greater one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(pub u64);

/// How far an owner has come. It decides what another may do after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Nothing has been sent outside: the handler may run again.
    Reserved,
    /// The external call may have left.
    Called {
        /// The token under which the call was marked; the key for the supplier is made from it.
        mark: Token,
        /// When it was marked.
        at: Time,
    },
}

/// The state of a record. The absence of a record is a state too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State<A> {
    /// Somebody holds the reservation, or held it when its process ended.
    InProgress {
        /// Who holds it.
        owner: Token,
        /// Until when without a heartbeat.
        lease_until: Time,
        /// How far the owner has come.
        stage: Stage,
    },
    /// The outcome is final and is replayed.
    Completed {
        /// What a replay answers.
        answer: A,
        /// When it was completed.
        at: Time,
    },
    /// The effect may have happened and nobody can tell yet. A person, or the supplier, resolves it.
    Unknown {
        /// When that was stored.
        at: Time,
    },
    /// The intent was cancelled before it took effect: a late delivery meets this tombstone.
    Cancelled {
        /// When it was cancelled.
        at: Time,
    },
}

/// One record: the fingerprint to which the key is bound, and the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record<F, A> {
    /// The fingerprint of the payload of the first delivery; `None` in the tombstone of a key that never had one.
    pub fingerprint: Option<F>,
    /// The state.
    pub state: State<A>,
}

impl<F, A> Record<F, A> {
    /// Whether the outcome is settled: completed, or cancelled.
    pub fn is_terminal(&self) -> bool {
        matches!(self.state, State::Completed { .. } | State::Cancelled { .. })
    }

    /// Whether `token` holds the reservation. A lease that ended does not matter until another has taken over.
    pub fn is_held_by(&self, token: Token) -> bool {
        matches!(self.state, State::InProgress { owner, .. } if owner == token)
    }
}
