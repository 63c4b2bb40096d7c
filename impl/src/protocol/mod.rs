//! The protocol of an idempotency key, as functions of values: no clock, no randomness, no input or output. Times and
//! tokens come in as arguments. The model and every store decide by these functions.
//!
//! ```text
//!                    admit                       mark (external effect only)
//!   absent ──────────────────────► in progress ─────────────────────► in progress
//!     ▲  ▲                          reserved                            called
//!     │  │                           │  │  │                            │  │  │
//!     │  └──── finish: released ─────┘  │  └── recover: run again       │  │  └── recover: call again, or ask
//!     │                                 │                               │  │
//!     │ expires                         └─ finish ─► completed ◄─ finish┘  └─ finish, recover ─► unknown
//!     └────────────────────────────────────────────────┘                                           │
//!   absent ── cancel ─► cancelled (a tombstone)             completed, or cancelled ◄── resolve ───┘
//! ```
//!
//! One file for each kind of decision: [`admit`] what a delivery gets, [`finish`] and [`mark`] what an owner may write,
//! [`recover`] what becomes of a reservation whose owner is gone, [`cancel`] and [`status`] what may be asked from
//! outside, [`expires`] what may be deleted.

mod admit;
mod ask;
mod own;
mod purge;
mod record;
mod recover;
mod rules;

pub use admit::{Admission, Request, admit, reserve, reserve_blindly};
pub use ask::{CancelAnswer, StatusAnswer, cancel, status};
pub use own::{Kept, Lost, Outcome, finish, heartbeat, mark, release};
pub use purge::{Resolution, expires, resolve};
pub use record::{Record, Stage, State, Time, Token};
pub use recover::{AfterAsking, Finding, Recovery, after_asking, recover, take_over};
pub use rules::{Memory, Rules};
