//! The faults, each with a budget: how often it may happen in one run.

use serde::{Deserialize, Serialize};

/// A fault, or a choice of a person or of the world, that a run may have only so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    // Of the client and of what stands before the server.
    /// The user clicks a second time.
    Click,
    /// The page is reloaded and the user sends again.
    Reload,
    /// The status route is asked.
    Ask,
    /// The user cancels.
    Cancel,
    /// The user edits the payload.
    Edit,
    /// An answer arrives in part only.
    HalfAnswer,
    /// A proxy repeats a request.
    Repeat,
    /// A gateway answers 503 or 504 while the server may run on.
    Gateway,
    // Of the servers and of the store.
    /// A process is killed where it stands.
    Crash,
    /// A process pauses for longer than its lease.
    Pause,
    /// The connection is cut, and the handler is told.
    HangUp,
    /// A handler ends with an error after which nobody knows whether the effect happened.
    Error,
    /// A handler's check refuses, by the state it sees.
    Rejection,
    /// The retention of a terminal record ends.
    Retention,
    /// The window for calling the supplier again ends.
    Window,
    /// The store fails over and forgets.
    Failover,
    /// The store evicts a record.
    Eviction,
    /// An unresolved record reaches the age at which the contract deletes it.
    Age,
    /// A read sees an older state.
    StaleRead,
    // Of the supplier.
    /// The supplier forgets our keys.
    Forget,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 20] = [
        Self::Click,
        Self::Reload,
        Self::Ask,
        Self::Cancel,
        Self::Edit,
        Self::HalfAnswer,
        Self::Repeat,
        Self::Gateway,
        Self::Crash,
        Self::Pause,
        Self::HangUp,
        Self::Error,
        Self::Rejection,
        Self::Retention,
        Self::Window,
        Self::Failover,
        Self::Eviction,
        Self::Age,
        Self::StaleRead,
        Self::Forget,
    ];

    /// Its name, in kebab case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::Reload => "reload",
            Self::Ask => "ask",
            Self::Cancel => "cancel",
            Self::Edit => "edit",
            Self::HalfAnswer => "half-answer",
            Self::Repeat => "repeat",
            Self::Gateway => "gateway",
            Self::Crash => "crash",
            Self::Pause => "pause",
            Self::HangUp => "hang-up",
            Self::Error => "error",
            Self::Rejection => "rejection",
            Self::Retention => "retention",
            Self::Window => "window",
            Self::Failover => "failover",
            Self::Eviction => "eviction",
            Self::Age => "age",
            Self::StaleRead => "stale-read",
            Self::Forget => "forget",
        }
    }

    /// Where its budget lies in the words of its actor.
    fn shift(self) -> u32 {
        let first = match Side::of(self) {
            Side::Client => Self::Click,
            Side::Site => Self::Crash,
            Side::Supplier => Self::Forget,
        };
        2 * (self as u32 - first as u32)
    }
}

/// Which actor has the budget of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Client,
    Site,
    Supplier,
}

impl Side {
    pub(crate) fn of(fault: Fault) -> Self {
        match fault {
            _ if fault <= Fault::Gateway => Self::Client,
            Fault::Forget => Self::Supplier,
            _ => Self::Site,
        }
    }
}

/// How often each fault of one actor may still happen: two bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Left(u32);

impl Left {
    /// The budgets of `side` in `budget`.
    pub(crate) fn new(budget: &Budget, side: Side) -> Self {
        let of_side = budget.0.iter().filter(|(fault, _)| Side::of(*fault) == side);
        Self(of_side.fold(0, |left, (fault, times)| left | u32::from(*times) << fault.shift()))
    }

    /// Whether `fault` may still happen.
    pub fn has(self, fault: Fault) -> bool {
        self.0 >> fault.shift() & 3 != 0
    }

    /// Takes one from the budget of `fault`; `false` if there is none.
    #[must_use]
    pub fn take(&mut self, fault: Fault) -> bool {
        let had = self.has(fault);
        if had {
            self.0 -= 1 << fault.shift();
        }
        had
    }

    /// Gives one back to the budget of `fault`, from which it was taken.
    pub(crate) fn give_back(&mut self, fault: Fault) {
        self.0 += 1 << fault.shift();
    }

    /// No more of `fault`.
    pub(crate) fn drop(&mut self, fault: Fault) {
        self.0 &= !(3 << fault.shift());
    }
}

/// The budgets of a scenario: each fault at most three times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Budget(Vec<(Fault, u8)>);

impl Budget {
    /// These faults, so often each; more than three is three.
    pub fn new(faults: &[(Fault, u8)]) -> Self {
        Self(faults.iter().map(|(fault, times)| (*fault, (*times).min(3))).collect())
    }

    /// The faults that it has, with how often.
    pub fn iter(&self) -> impl Iterator<Item = (Fault, u8)> + '_ {
        self.0.iter().copied()
    }

    /// Lets `fault` happen so often, where it may happen at all; more than three times is three.
    pub fn limit(&mut self, fault: Fault, times: u8) {
        self.0.iter_mut().filter(|(found, _)| *found == fault).for_each(|(_, left)| *left = times.min(3));
    }

    /// Leaves `fault` out.
    pub(crate) fn remove(&mut self, fault: Fault) {
        self.0.retain(|(found, _)| *found != fault);
    }

    /// How often `fault` may happen.
    pub fn of(&self, fault: Fault) -> u8 {
        self.0.iter().find(|(found, _)| *found == fault).map_or(0, |(_, times)| *times)
    }
}
