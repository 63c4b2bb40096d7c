//! The worlds that a search has seen, exactly, in about twelve bytes each.
//!
//! Many worlds are made of few parts: there are thousands of sites, of nets and of what else a world has, where there
//! are millions of worlds. So each part is kept once, and a world is the three numbers of its parts, which are one key
//! of 48 bits. Nothing is left out of a key: two worlds with the same key are the same world.

use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;

use crate::client::Client;
use crate::keys::{Chunks, KEY_BITS, Keys};
use crate::message::Net;
use crate::site::Site;
use crate::supplier::Supplier;
use crate::world::World;

/// The bits of a key that are the number of the rest, of the site, and of the net, the last ones lowest. In the raw
/// spaces of the contracts in `docs/contracts` no table is nearly full.
const BITS: [u32; 3] = [14, 16, 18];
const _: () = assert!(BITS[0] + BITS[1] + BITS[2] == KEY_BITS);

/// A table of parts is full, so that the world cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// What of a world is neither its site nor its net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Rest {
    client: Client,
    supplier: Supplier,
    flaws: u8,
}

impl Rest {
    fn of(world: &World) -> Self {
        Self { client: world.client, supplier: world.supplier, flaws: world.flaws }
    }
}

/// Different values of one kind, each with its number.
struct Parts<T> {
    values: Vec<T>,
    table: HashTable<u32>,
    room: usize,
}

impl<T: Copy + Eq + Hash> Parts<T> {
    fn new(bits: u32) -> Self {
        Self { values: Vec::new(), table: HashTable::new(), room: 1 << bits }
    }

    /// The number of `value`, which is kept if it is new.
    fn number(&mut self, value: T) -> Result<u32, Full> {
        let Self { values, table, room } = self;
        let hasher = BuildHasherDefault::<FxHasher>::default();
        let same = |number: &u32| values[*number as usize] == value;
        let hash = |number: &u32| hasher.hash_one(values[*number as usize]);
        match table.entry(hasher.hash_one(value), same, hash) {
            Entry::Occupied(entry) => Ok(*entry.get()),
            Entry::Vacant(_) if values.len() == *room => Err(Full),
            Entry::Vacant(entry) => {
                let number = values.len() as u32;
                entry.insert(number);
                values.push(value);
                Ok(number)
            }
        }
    }
}

/// Who is whose parent, in two bits for each state.
///
/// A search in breadth first takes the states in the order in which it found them, so parents never go back. Written
/// down is a one for each child, and a zero whenever the parent becomes the next state: the parent of a child is the
/// number of zeros before its one.
#[derive(Default)]
struct Parents {
    words: Vec<u64>,
    /// How many ones lie before each group of words.
    ones: Vec<u32>,
    bits: usize,
    children: usize,
}

/// So few words that they are counted as fast as they are read.
const GROUP: usize = 8;

impl Parents {
    /// Adds the next child.
    fn push(&mut self, parent: usize) {
        while self.bits - self.children < parent {
            self.write(false);
        }
        debug_assert_eq!(self.bits - self.children, parent, "parents never go back");
        self.write(true);
        self.children += 1;
    }

    fn write(&mut self, bit: bool) {
        if self.bits.is_multiple_of(64 * GROUP) {
            self.ones.push(self.children as u32);
        }
        if self.bits.is_multiple_of(64) {
            self.words.push(0);
        }
        self.words[self.bits / 64] |= u64::from(bit) << (self.bits % 64);
        self.bits += 1;
    }

    /// The parent of `child`.
    fn of(&self, child: usize) -> usize {
        let group = self.ones.partition_point(|ones| *ones as usize <= child) - 1;
        let mut ones = child - self.ones[group] as usize;
        let mut at = group * GROUP;
        while let count = self.words[at].count_ones() as usize
            && count <= ones
        {
            ones -= count;
            at += 1;
        }
        let mut word = self.words[at];
        for _ in 0..ones {
            word &= word - 1;
        }
        at * 64 + word.trailing_zeros() as usize - child
    }
}

/// The worlds seen so far, numbered in the order in which they were found.
pub(crate) struct Seen {
    rests: Parts<Rest>,
    sites: Parts<Site>,
    nets: Parts<Net>,
    keys: Keys,
    /// The key of each world: its lowest 32 bits, and the others.
    low: Chunks<u32>,
    high: Chunks<u16>,
    parents: Parents,
    /// The world that was opened last, and the numbers of its parts. The worlds after it differ from it in few parts.
    opened: (World, [u32; 3]),
    /// Keys that are not yet looked for.
    noted: Vec<u64>,
}

impl Seen {
    /// A search begins at `start`, which is its own parent.
    pub(crate) fn new(start: &World) -> Self {
        let [rests, sites, nets] = BITS;
        let mut seen = Self {
            rests: Parts::new(rests),
            sites: Parts::new(sites),
            nets: Parts::new(nets),
            keys: Keys::default(),
            low: Chunks::default(),
            high: Chunks::default(),
            parents: Parents::default(),
            opened: (*start, [0; 3]),
            noted: Vec::new(),
        };
        let parts =
            [seen.rests.number(Rest::of(start)), seen.sites.number(start.site), seen.nets.number(start.net)];
        debug_assert_eq!(parts, [Ok(0); 3], "the first of each");
        seen.noted.push(0);
        seen.keep(0);
        seen
    }

    /// How many worlds there are.
    pub(crate) fn len(&self) -> usize {
        self.low.len()
    }

    /// Takes note of a world, to be kept by the next [`Self::keep`].
    pub(crate) fn note(&mut self, world: &World) -> Result<(), Full> {
        let (opened, [mut rest, mut site, mut net]) = self.opened;
        if world.net != opened.net {
            net = self.nets.number(world.net)?;
        }
        if world.site != opened.site {
            site = self.sites.number(world.site)?;
        }
        if Rest::of(world) != Rest::of(&opened) {
            rest = self.rests.number(Rest::of(world))?;
        }
        self.noted.push((u64::from(rest) << BITS[1] | u64::from(site)) << BITS[2] | u64::from(net));
        Ok(())
    }

    /// Keeps the worlds noted since the last time that are new. They were all found from `parent`.
    pub(crate) fn keep(&mut self, parent: usize) {
        // Most of the time of a search goes by while it waits for memory, so it waits for all of them at once.
        self.noted.iter().for_each(|key| self.keys.fetch(*key));
        for key in self.noted.drain(..) {
            if self.keys.add(key) {
                self.low.push(key as u32);
                self.high.push((key >> 32) as u16);
                self.parents.push(parent);
            }
        }
    }

    fn parts(&self, index: usize) -> [u32; 3] {
        let key = u64::from(self.high.at(index)) << 32 | u64::from(self.low.at(index));
        let part = |shift: u32, bits: u32| (key >> shift & ((1 << bits) - 1)) as u32;
        [part(BITS[1] + BITS[2], BITS[0]), part(BITS[2], BITS[1]), part(0, BITS[2])]
    }

    /// The world at `index`.
    pub(crate) fn world(&self, index: usize) -> World {
        let [rest, site, net] = self.parts(index);
        let Rest { client, supplier, flaws } = self.rests.values[rest as usize];
        let (site, net) = (self.sites.values[site as usize], self.nets.values[net as usize]);
        World { client, site, supplier, net, flaws }
    }

    /// The world at `index`. What is noted until the next one is opened is best a world that comes after it.
    pub(crate) fn open(&mut self, index: usize) -> World {
        self.opened = (self.world(index), self.parts(index));
        self.opened.0
    }

    /// The index of the world from which the one at `index` was found first.
    pub(crate) fn parent(&self, index: usize) -> usize {
        self.parents.of(index)
    }
}

#[cfg(test)]
mod tests;
