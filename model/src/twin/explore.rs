//! Stateright's Explorer on the twin: a web page to walk through its states by hand.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};

use idempotency::invariant::Invariant;
use stateright::actor::{ActorModel, ActorModelAction, ActorModelState, Id};
use stateright::{Checker, Model, Path, Property};

use super::actor::{Alarm, Part, Place};
use super::words::Post;
use super::{Twin, without_net};

/// The Explorer, ready to be served at an address of this machine.
pub struct Explorer {
    model: Shown,
    address: SocketAddr,
}

impl Explorer {
    /// The Explorer of `twin` at `address`, with `invariant` as its property. Port 0 takes a free one.
    ///
    /// # Errors
    ///
    /// The address is not one of this machine alone, since the page asks nobody who they are; or it is in use.
    pub fn new(twin: &Twin, invariant: Invariant, address: SocketAddr) -> io::Result<Self> {
        if !address.ip().is_loopback() {
            let message = format!("{address} is open to others: the Explorer is served on loopback only");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        // stateright panics where it cannot listen, and does not tell which port it got: try first.
        let address = TcpListener::bind(address)?.local_addr()?;
        Ok(Self { model: Shown(twin.model(invariant)), address })
    }

    /// Where it will be.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves it until the process ends.
    pub fn serve(self) {
        // It checks what it is asked to check; the result is of no use afterwards.
        let _ = self.model.checker().serve(self.address).is_done();
    }
}

impl fmt::Debug for Explorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explorer").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The same model with other words. Only what is shown differs.
struct Shown(ActorModel<Part, Invariant>);

/// A state that reads as lines, always the same ones for the same state: the page compares them as text.
#[derive(Clone, PartialEq, Hash)]
struct ShownState(ActorModelState<Part>);

impl fmt::Debug for ShownState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.0.actor_states {
            writeln!(f, "{part:?}")?;
        }
        let mut posts: Vec<_> = self.0.network.iter_all().map(|envelope| *envelope.msg).collect();
        posts.sort_unstable();
        for post in posts {
            writeln!(f, "under way {post:?} ─► {}", Place::to(post.0))?;
        }
        for broken in without_net(&self.0).broken(false).iter() {
            writeln!(f, "broken    {broken}: {}", broken.sentence())?;
        }
        Ok(())
    }
}

impl Model for Shown {
    type State = ShownState;
    type Action = ActorModelAction<Post, Alarm, ()>;

    fn init_states(&self) -> Vec<ShownState> {
        self.0.init_states().into_iter().map(ShownState).collect()
    }

    fn actions(&self, state: &ShownState, actions: &mut Vec<Self::Action>) {
        self.0.actions(&state.0, actions);
    }

    fn next_state(&self, state: &ShownState, action: Self::Action) -> Option<ShownState> {
        self.0.next_state(&state.0, action).map(ShownState)
    }

    fn format_action(&self, action: &Self::Action) -> String {
        let place = |id: &Id| Place::ALL[usize::from(*id)];
        match action {
            ActorModelAction::Deliver { src, dst, msg } => {
                format!("{} ─► {}: {msg:?}", place(src), place(dst))
            }
            ActorModelAction::Timeout(_, alarm) => format!("{alarm:?}"),
            other => format!("{other:?}"),
        }
    }

    fn as_svg(&self, path: Path<ShownState, Self::Action>) -> Option<String> {
        let (states, actions): (Vec<_>, Vec<_>) = path.into_vec().into_iter().unzip();
        let start = states.into_iter().next()?.0;
        let actions: Vec<_> = actions.into_iter().flatten().collect();
        self.0.as_svg(Path::from_actions(&self.0, start, &actions)?)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(self.0.cfg.id(), |model: &Self, state: &ShownState| {
            super::holds(&model.0, &state.0)
        })]
    }
}
