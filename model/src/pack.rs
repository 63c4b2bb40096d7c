//! A world in five words. A search keeps millions of worlds, and compares them word by word.

use crate::client::{Client, Phase, Told};
use crate::fault::Left;
use crate::message::{CAPACITY, Delivery, Net};
use crate::server::{Stand, Work};
use crate::site::Site;
use crate::store::{Slot, Tag};
use crate::supplier::Supplier;
use crate::world::World;

/// A packed world.
pub(crate) type Packed = [u64; 5];

const PHASES: [Phase; 5] = [Phase::Waiting, Phase::Asking, Phase::Cancelling, Phase::Editing, Phase::Ended];
const TOLD: [Told; 7] =
    [Told::Nothing, Told::Done, Told::Rejected, Told::Failed, Told::Unknown, Told::Cancelled, Told::Replaced];
const STANDS: [Stand; 8] = [
    Stand::Idle,
    Stand::Reserving,
    Stand::Reserved,
    Stand::InTransaction,
    Stand::Marked,
    Stand::Called,
    Stand::Asking,
    Stand::Finishing,
];
const TAGS: [Tag; 7] =
    [Tag::Absent, Tag::Gone, Tag::Reserved, Tag::Called, Tag::Completed, Tag::Unknown, Tag::Cancelled];

/// Writes fields of so many bits, the first one lowest, and reads them back in the same order.
#[derive(Default)]
struct Bits {
    word: u64,
    at: u32,
}

impl Bits {
    fn put(&mut self, bits: u32, value: u64) {
        // A field that does not fit would make two worlds one, and a search that misses the difference "holds".
        assert!(value < 1 << bits && self.at + bits <= 64, "a field of a world does not fit its bits");
        self.word |= value << self.at;
        self.at += bits;
    }

    fn get(&mut self, bits: u32) -> u64 {
        let value = self.word >> self.at & ((1 << bits) - 1);
        self.at += bits;
        value
    }

    fn byte(&mut self, bits: u32) -> u8 {
        self.get(bits) as u8
    }

    fn flag(&mut self) -> bool {
        self.get(1) == 1
    }
}

impl World {
    pub(crate) fn pack(&self) -> Packed {
        let Self { client, site, supplier, net, flaws } = self;
        let mut first = Bits::default();
        first.put(3, client.phase as u64);
        first.put(3, client.told as u64);
        first.put(3, client.awaits.0.into());
        first.put(2, client.attempts.into());
        first.put(1, client.deadline_over.into());
        first.put(16, client.left.bits().into());
        for work in &site.works {
            first.put(3, work.stand as u64);
            first.put(3, work.token.into());
            first.put(3, work.delivery.into());
            first.put(1, work.slot.into());
            first.put(3, work.detail.into());
            first.put(1, work.settled.into());
        }
        first.put(7, (*flaws).into());
        let mut second = Bits::default();
        for slot in &site.slots {
            second.put(3, slot.tag as u64);
            second.put(3, slot.owner.into());
            second.put(4, slot.detail.into());
            for flag in [
                slot.lease_ended,
                slot.window_over,
                slot.settled,
                slot.asked,
                slot.terminal_written,
                slot.past,
                slot.aged,
            ] {
                second.put(1, flag.into());
            }
        }
        second.put(3, site.last_token.into());
        second.put(2, site.effects.into());
        second.put(22, site.left.bits().into());
        let mut third = Bits::default();
        third.put(2, supplier.effects.into());
        third.put(8, supplier.remembered.into());
        third.put(8, supplier.closed.into());
        third.put(16, supplier.results.into());
        third.put(2, supplier.left.bits().into());
        third.put(4, site.named.into());
        // Twelve codes of twelve bits: two in what is left of the third word, five in each of the other two.
        let codes = net.codes();
        let mut words = [third, Bits::default(), Bits::default()];
        for (at, code) in codes.iter().enumerate() {
            words[word_of(at)].put(12, (*code).into());
        }
        let [third, fourth, fifth] = words;
        [first.word, second.word, third.word, fourth.word, fifth.word]
    }

    pub(crate) fn unpack(packed: &Packed) -> Self {
        let [mut first, mut second, mut third, fourth, fifth] = packed.map(|word| Bits { word, at: 0 });
        let client = Client {
            phase: PHASES[first.get(3) as usize],
            told: TOLD[first.get(3) as usize],
            awaits: Delivery(first.byte(3)),
            attempts: first.byte(2),
            deadline_over: first.flag(),
            left: Left::of_bits(first.get(16) as u32),
        };
        let works = std::array::from_fn(|_| Work {
            stand: STANDS[first.get(3) as usize],
            token: first.byte(3),
            delivery: first.byte(3),
            slot: first.byte(1),
            detail: first.byte(3),
            settled: first.flag(),
        });
        let flaws = first.byte(7);
        let slots = std::array::from_fn(|_| Slot {
            tag: TAGS[second.get(3) as usize],
            owner: second.byte(3),
            detail: second.byte(4),
            lease_ended: second.flag(),
            window_over: second.flag(),
            settled: second.flag(),
            asked: second.flag(),
            terminal_written: second.flag(),
            past: second.flag(),
            aged: second.flag(),
        });
        let mut site = Site {
            works,
            slots,
            last_token: second.byte(3),
            effects: second.byte(2),
            named: 0,
            left: Left::of_bits(second.get(22) as u32),
        };
        let supplier = Supplier {
            effects: third.byte(2),
            remembered: third.byte(8),
            closed: third.byte(8),
            results: third.get(16) as u16,
            left: Left::of_bits(third.get(2) as u32),
        };
        site.named = third.byte(4);
        let mut words = [third, fourth, fifth];
        let mut codes = [0; CAPACITY];
        for (at, code) in codes.iter_mut().enumerate() {
            *code = words[word_of(at)].get(12) as u16;
        }
        Self { client, site, supplier, net: Net::of(codes), flaws }
    }
}

/// In which of the last three words the code at this place lies.
fn word_of(at: usize) -> usize {
    match at {
        0 | 1 => 0,
        2..=6 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use idempotency::contract::Contract;

    use super::*;
    use crate::scenario::Scenario;
    use crate::setup::Setup;
    use crate::world::Scratch;

    /// Every world within reach of `contract` survives packing, under every scenario but the largest.
    fn survive(contract: &Contract) {
        for scenario in Scenario::all().into_iter().filter(|scenario| scenario.name != "everything") {
            let setup = Setup::new(contract, &scenario);
            let mut seen = HashSet::from([World::start(&setup)]);
            let mut open = vec![World::start(&setup)];
            let (mut scratch, mut actions) = (Scratch::default(), Vec::new());
            while let Some(world) = open.pop() {
                assert_eq!(World::unpack(&world.pack()), world, "in {}", scenario.name);
                world.candidates(&setup, &mut scratch, &mut actions);
                for action in actions.drain(..) {
                    if let Some((next, _)) = world.after(&setup, action)
                        && seen.insert(next)
                    {
                        open.push(next);
                    }
                }
            }
        }
    }

    fn read(text: &str) -> Contract {
        Contract::parse(text).expect("a contract").contract
    }

    #[test]
    fn worlds_of_a_local_effect_survive_packing() {
        survive(&Contract::default());
    }

    #[test]
    fn worlds_of_an_external_effect_survive_packing() {
        survive(&read(
            "[effect]\nkind = \"external\"\n[supplier]\ntakes-key = true\ncall-again-for = \"24h\"\n",
        ));
    }

    #[test]
    fn worlds_of_a_supplier_that_is_asked_survive_packing() {
        survive(&read("[effect]\nkind = \"external\"\n[supplier]\ncan-be-asked = true\nsettles = \"1h\"\n"));
    }

    #[test]
    fn worlds_without_guards_survive_packing() {
        survive(&read(
            "[key]\nscope = [\"operation\"]\n[reservation]\natomic = false\ncompletion = \"unfenced\"\n\
             hang-up = \"release\"\n[answers]\nerror = \"release\"\nrejection = \"release\"\n\
             [store]\nkind = \"redis\"\nevicts = true\nreads = \"may-be-stale\"\n[retention]\ncompleted = \"1s\"\n\
             unresolved = \"1h\"\n[client]\nafter-deadline = \"keep-sending\"\non-edit = \"send\"\n",
        ));
    }
}
