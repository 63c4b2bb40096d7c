//! What a step changed, in words.

use super::actor::Actor;
use super::client::word;
use super::words::Words;
use crate::client::{Client, Phase};
use crate::server::{Stand, Work};
use crate::trace::Moved;

impl Words<'_> {
    /// What changed, one phrase each: `the key: no record -> reserved by server A`.
    pub(super) fn changes(&self, step: &Moved) -> Vec<String> {
        let (before, after) = (&step.before, &step.after);
        let mut changes = Vec::new();
        let mut change = |what: &str, was: String, is: String| {
            if was != is {
                changes.push(format!("{what}: {was} -> {is}"));
            }
        };
        change("client", self.client(before.client), self.client(after.client));
        change("user is told", word(before.client.told).into(), word(after.client.told).into());
        for (at, (was, is)) in before.site.works.iter().zip(&after.site.works).enumerate() {
            change(self.name(Actor::server(at)), work(*was).into(), work(*is).into());
        }
        for slot in 0..2_u8 {
            let [was, is] = [before, after].map(|world| world.site.slots[usize::from(slot)]);
            change(self.key(slot), self.slot(was), self.slot(is));
            if was.is_in_progress() && is.is_in_progress() {
                let flags = |over: bool| if over { "over" } else { "runs" }.to_owned();
                change("window for calling again", flags(was.window_over), flags(is.window_over));
                change("settle time", flags(was.settled), flags(is.settled));
            }
        }
        let keys = |remembered: u8| format!("{} of our keys", remembered.count_ones());
        change("supplier remembers", keys(before.supplier.remembered), keys(after.supplier.remembered));
        change("effects", before.effects().to_string(), after.effects().to_string());
        changes
    }

    fn client(&self, client: Client) -> String {
        match client.phase {
            Phase::Ended => "ended".into(),
            Phase::Waiting => format!("waits for the answer to {}", self.delivery(client.awaits)),
            Phase::Asking => "waits for the status route".into(),
            Phase::Cancelling | Phase::Editing => "waits for the cancel".into(),
        }
    }
}

fn work(work: Work) -> &'static str {
    match work.stand {
        Stand::Idle => "idle",
        Stand::Reserving => "about to reserve",
        Stand::Reserved => "reserved",
        Stand::InTransaction => "in its transaction",
        Stand::Marked => "about to call",
        Stand::Called => "waits for the supplier",
        Stand::Asking => "waits for the supplier's answer",
        Stand::Finishing => "about to store the result",
    }
}
