//! Reductions: worlds that differ only in what can make no difference are one.
//!
//! Each is a bisimulation that keeps the evidence: whatever can still happen in the one can happen in the other, with
//! the same flaws and events.

use crate::message::Message;
use crate::server::Stand;
use crate::setup::Setup;
use crate::world::World;

/// The representative of all worlds that are like `world`.
pub(crate) fn canonical(_setup: &Setup, mut world: World) -> World {
    drop_dead_messages(&mut world);
    world
        .site
        .works
        .sort_unstable_by_key(|work| (work.stand as u8, work.token, work.delivery, work.slot, work.detail));
    world
}

/// A message that nobody will ever receive: an answer to a connection that is closed, a reply to a worker that is gone.
fn drop_dead_messages(world: &mut World) {
    let (client, works) = (world.client, world.site.works);
    world.net.retain(|message| match message {
        Message::Answer { delivery, .. } => client.may_wait_for(delivery),
        Message::Reply { token, .. } => works.iter().any(|work| {
            work.token == token && matches!(work.stand, Stand::Marked | Stand::Called | Stand::Asking)
        }),
        _ => true,
    });
}
