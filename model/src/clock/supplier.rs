//! What the contract says of the times of the supplier.

use super::network::Moment;
use super::plan::Plan;
use crate::message::Message;
use crate::trace::arriving;
use crate::world::Action;

impl Plan<'_> {
    pub(super) fn supplier(&mut self) {
        let trace = self.trace;
        let delay = self.contract.supplier.longest_delay.millis();
        // When the supplier first got a key that it remembers.
        let mut first: [Option<Moment>; 8] = [None; 8];
        for (index, step) in trace.steps.iter().enumerate() {
            let at = self.steps[index];
            match arriving(step.action) {
                Some(Message::Call { .. }) => {
                    if let Some(received) = step.received {
                        let sent = self.left(&trace.sendings[received]);
                        self.network.at_most(sent, at, delay, "supplier.longest-delay");
                    }
                    let new = step.after.supplier.remembered & !step.before.supplier.remembered;
                    for (id, first) in first.iter_mut().enumerate() {
                        if new >> id & 1 != 0 {
                            *first = Some(at);
                        }
                    }
                }
                _ if step.action == Action::SupplierForgets => self.forgets(index, first),
                _ => {}
            }
        }
    }

    /// The supplier forgets a key that is called with again only after its memory; of the others nothing is seen.
    fn forgets(&mut self, index: usize, first: [Option<Moment>; 8]) {
        let Some(memory) = self.contract.supplier.remembers.period() else { return };
        let at = self.steps[index];
        let later: Vec<_> = self.trace.steps[index..]
            .iter()
            .filter_map(|step| match arriving(step.action) {
                Some(Message::Call { mark, slot, .. }) => Some(self.setup.supplier_id(mark, slot)),
                _ => None,
            })
            .collect();
        let again =
            first.iter().enumerate().filter(|(id, _)| later.iter().any(|one| usize::from(*one) == *id));
        for moment in again.filter_map(|(_, first)| *first) {
            self.network.at_least(moment, at, memory.millis(), "supplier.remembers");
        }
    }
}
