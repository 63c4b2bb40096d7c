//! A path, taken again step by step: which message each step received, which it sent, and what happened in it.

use crate::message::{Delivery, Event, Message, Net};
use crate::setup::Setup;
use crate::world::{Action, World};

/// A path with its messages followed from sending to arrival.
pub(crate) struct Trace {
    pub(crate) start: World,
    pub(crate) steps: Vec<Moved>,
    pub(crate) sendings: Vec<Sending>,
}

/// One step.
pub(crate) struct Moved {
    pub(crate) action: Action,
    pub(crate) before: World,
    pub(crate) after: World,
    /// Bits of [`Event`].
    pub(crate) events: u32,
    /// Which of the trace's sendings arrived in it.
    pub(crate) received: Option<usize>,
    /// Which of them left in it.
    pub(crate) sent: Vec<usize>,
}

impl Moved {
    pub(crate) fn has(&self, event: Event) -> bool {
        self.events >> event as u32 & 1 != 0
    }
}

/// One copy of a message on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sending {
    pub(crate) message: Message,
    /// In which step it was sent; none: at the start.
    pub(crate) sent: Option<usize>,
    /// In which step it arrived, if it did.
    pub(crate) arrived: Option<usize>,
}

impl Trace {
    /// Takes `actions` from the start of `setup`; `None` if one of them cannot happen where it stands.
    pub(crate) fn new(setup: &Setup, actions: impl IntoIterator<Item = Action>) -> Option<Self> {
        let start = World::start(setup);
        let leave = |message, sent| Sending { message, sent, arrived: None };
        let mut sendings: Vec<_> =
            beyond(start.net, Net::default()).into_iter().map(|message| leave(message, None)).collect();
        let mut steps: Vec<Moved> = Vec::new();
        let mut before = start;
        for (index, action) in actions.into_iter().enumerate() {
            let (after, noted) = before.after(setup, action)?;
            let mut rest = before.net;
            if let Some(message) = arriving(action) {
                let _ = rest.take(message);
            }
            let first = sendings.len();
            sendings.extend(beyond(after.net, rest).into_iter().map(|message| leave(message, Some(index))));
            let sent = (first..sendings.len()).collect();
            steps.push(Moved { action, before, after, events: noted.events, received: None, sent });
            before = after;
        }
        let mut trace = Self { start, steps, sendings };
        trace.pair();
        Some(trace)
    }

    /// Gives every arrival its sending. Copies are alike; an arrival takes the youngest one that is left, from the last
    /// arrival backwards, so that none is under way longer than it has to be.
    fn pair(&mut self) {
        for (index, step) in self.steps.iter_mut().enumerate().rev() {
            let Some(message) = arriving(step.action) else { continue };
            let fits = |one: &Sending| {
                one.message == message && one.arrived.is_none() && one.sent.is_none_or(|sent| sent < index)
            };
            step.received = self.sendings.iter().rposition(fits);
            if let Some(at) = step.received {
                self.sendings[at].arrived = Some(index);
            }
        }
    }

    /// The world at the end.
    pub(crate) fn end(&self) -> World {
        self.steps.last().map_or(self.start, |step| step.after)
    }

    /// The step in which the client itself first sent `delivery`; `None` if that was the start, or never.
    pub(crate) fn sent_in(&self, delivery: Delivery) -> Option<usize> {
        let first = self
            .sendings
            .iter()
            .find(|one| matches!(one.message, Message::Request { delivery: found, .. } if found == delivery));
        first.and_then(|one| one.sent)
    }
}

/// The message that an action takes from the net.
pub(crate) fn arriving(action: Action) -> Option<Message> {
    match action {
        Action::Deliver(message) | Action::DeliverStaleRead(message) | Action::DeliverHalf(message) => {
            Some(message)
        }
        _ => None,
    }
}

/// The messages of `net` that are not in `rest`, each as often as it is more.
fn beyond(net: Net, mut rest: Net) -> Vec<Message> {
    net.copies().filter(|message| !rest.take(*message)).collect()
}
