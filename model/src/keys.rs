//! An exact set of keys of 48 bits, in between five and six bytes each.
//!
//! A key is first mixed by a bijection. The highest bits of what comes out choose a bucket, and only the others are
//! kept in it: which bucket they lie in says the rest, so nothing is lost. A bucket is a chain of lines of memory, each
//! searched at once, and the set grows line by line: it is never copied, and never has more than about a quarter of
//! slack.

/// How many bits a key has.
pub(crate) const KEY_BITS: u32 = 48;
const MASK: u64 = (1 << KEY_BITS) - 1;

/// The first numbers of buckets, as a power of two: with these, 32 bits are left of a key.
const BUCKET_BITS: u32 = KEY_BITS - 32;

/// How many keys there may be for each bucket before there are twice as many buckets: three lines.
const LOAD: usize = 3 * LINE;

/// How many keys lie in one line, which ends with a link.
const LINE: usize = 15;

/// A vector that grows without being copied, and without the slack of doubling.
#[derive(Debug)]
pub(crate) struct Chunks<T> {
    chunks: Vec<Vec<T>>,
}

/// How many values a chunk holds.
const CHUNK: usize = 1 << 10;

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T: Copy> Chunks<T> {
    pub(crate) fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    pub(crate) fn push(&mut self, value: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(value),
            _ => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(value);
                self.chunks.push(chunk);
            }
        }
    }

    pub(crate) fn at(&self, index: usize) -> T {
        self.chunks[index / CHUNK][index % CHUNK]
    }

    fn at_mut(&mut self, index: usize) -> &mut T {
        &mut self.chunks[index / CHUNK][index % CHUNK]
    }
}

/// As many keys as a line of the processor's cache holds, and a link to the next line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line {
    /// A place that is still free repeats the first key, so that all places can be compared without asking.
    keys: [u32; LINE],
    /// The head of the rest of the chain.
    next: Head,
}

/// The number of a line and how many of its places are taken, in the lowest four bits; none are if there is no line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Head(u32);

impl Head {
    fn new(line: usize, taken: usize) -> Self {
        // Sixty-four times this number is more memory than there is.
        assert!(line < 1 << 28, "too many lines");
        Self((line as u32) << 4 | taken as u32)
    }

    fn line(self) -> usize {
        (self.0 >> 4) as usize
    }

    fn taken(self) -> usize {
        (self.0 & 15) as usize
    }
}

impl Chunks<Line> {
    fn line(&self, head: Head) -> &Line {
        &self.chunks[head.line() / CHUNK][head.line() % CHUNK]
    }
}

/// The set.
#[derive(Debug)]
pub(crate) struct Keys {
    heads: Vec<Head>,
    lines: Chunks<Line>,
    /// Lines that came free when buckets were split.
    free: Vec<usize>,
    len: usize,
    bits: u32,
}

impl Default for Keys {
    fn default() -> Self {
        let heads = vec![Head::default(); 1 << BUCKET_BITS];
        Self { heads, lines: Chunks::default(), free: Vec::new(), len: 0, bits: BUCKET_BITS }
    }
}

impl Keys {
    fn place(&self, key: u64) -> (usize, u32) {
        let mixed = mix(key);
        ((mixed >> (KEY_BITS - self.bits)) as usize, mixed as u32)
    }

    /// Has the processor fetch what [`Self::add`] will look at first, without waiting for it.
    pub(crate) fn fetch(&self, key: u64) {
        let head = self.heads[self.place(key).0];
        if head.taken() != 0 {
            let next = self.lines.line(head).next;
            if next.taken() != 0 {
                std::hint::black_box(self.lines.line(next).next);
            }
        }
    }

    /// Adds a key; says whether it is new.
    pub(crate) fn add(&mut self, key: u64) -> bool {
        let (bucket, kept) = self.place(key);
        let mut head = self.heads[bucket];
        while head.taken() != 0 {
            let line = self.lines.line(head);
            // Without a way out in the middle, the places are compared several at a time.
            if line.keys.iter().fold(false, |found, other| found | (*other == kept)) {
                return false;
            }
            head = line.next;
        }
        self.push(bucket, kept);
        self.len += 1;
        if self.len > LOAD << self.bits {
            self.split();
        }
        true
    }

    fn push(&mut self, bucket: usize, kept: u32) {
        let head = self.heads[bucket];
        let taken = head.taken();
        self.heads[bucket] = if (1..LINE).contains(&taken) {
            self.lines.at_mut(head.line()).keys[taken] = kept;
            Head::new(head.line(), taken + 1)
        } else {
            let line = Line { keys: [kept; LINE], next: head };
            let at = if let Some(at) = self.free.pop() {
                *self.lines.at_mut(at) = line;
                at
            } else {
                self.lines.push(line);
                self.lines.len() - 1
            };
            Head::new(at, 1)
        };
    }

    /// Makes two buckets of each. The bit that tells them apart is the highest one that did not choose a bucket yet,
    /// and is still kept with the key.
    fn split(&mut self) {
        let heads = std::mem::take(&mut self.heads);
        self.bits += 1;
        self.heads = vec![Head::default(); 1 << self.bits];
        let mut all = Vec::new();
        for (bucket, mut head) in heads.into_iter().enumerate() {
            while head.taken() != 0 {
                let line = self.lines.at(head.line());
                all.extend_from_slice(&line.keys[..head.taken()]);
                self.free.push(head.line());
                head = line.next;
            }
            for kept in all.drain(..) {
                let half = kept >> (KEY_BITS - self.bits) & 1;
                self.push(2 * bucket + half as usize, kept);
            }
        }
    }
}

/// Odd, so that multiplying by them can be undone.
const FACTORS: [u64; 2] = [0x9e37_79b9_7f4b, 0xbf58_476d_1ce5];

/// A bijection of the keys after which the highest bits depend on all bits: neighbours are many among the keys, and must
/// not meet in one bucket.
fn mix(key: u64) -> u64 {
    debug_assert!(key <= MASK);
    FACTORS.iter().fold(key, |key, factor| {
        let key = key ^ key >> (KEY_BITS / 2);
        key.wrapping_mul(*factor) & MASK
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// What [`mix`] did, undone.
    fn unmix(mixed: u64) -> u64 {
        FACTORS.iter().rev().fold(mixed, |key, factor| {
            // Newton's iteration: each step doubles the number of bits that are right, from three on.
            let inverse = (0..5).fold(*factor, |inverse, _| {
                inverse.wrapping_mul(2_u64.wrapping_sub(factor.wrapping_mul(inverse)))
            });
            let key = key.wrapping_mul(inverse) & MASK;
            key ^ key >> (KEY_BITS / 2)
        })
    }

    /// Keys that are neighbours, keys far apart, and each of them several times.
    fn some() -> impl Iterator<Item = u64> {
        (0..200_000_u64).flat_map(|at| {
            let far = at.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16;
            [at, at << 17, at << 31 & MASK, far, far >> 29, at / 2]
        })
    }

    #[test]
    fn mixing_can_be_undone() {
        for key in some().chain([MASK]) {
            assert!(mix(key) <= MASK);
            assert_eq!(unmix(mix(key)), key);
        }
    }

    #[test]
    fn the_set_is_exact_while_its_buckets_are_split() {
        let (mut keys, mut plain) = (Keys::default(), HashSet::new());
        for (at, key) in some().enumerate() {
            assert_eq!(keys.add(key), plain.insert(key), "key {key}");
            if at % 300_000 == 299_999 {
                keys.split();
            }
        }
        assert_eq!(keys.len, plain.len());
        assert!(plain.iter().all(|key| !keys.add(*key)));
        assert_eq!(keys.bits, BUCKET_BITS + 4);
    }

    #[test]
    fn keys_that_only_the_bucket_tells_apart_are_two() {
        // What is kept of them is equal.
        let [one, other] = [5, 5 | 1 << 40].map(unmix);
        let mut keys = Keys::default();
        assert!(keys.add(one));
        assert!(keys.add(other));
        keys.split();
        assert!(!keys.add(one));
        assert!(!keys.add(other));
    }

    #[test]
    fn the_buckets_are_split_when_they_are_full() {
        let mut keys = Keys::default();
        let enough = (LOAD << BUCKET_BITS) as u64;
        for key in 0..enough {
            keys.add(key);
        }
        assert_eq!(keys.bits, BUCKET_BITS);
        assert!(keys.add(enough));
        assert_eq!(keys.bits, BUCKET_BITS + 1);
        let longest = keys.heads.iter().map(|head| {
            let (mut head, mut count) = (*head, 0);
            while head.taken() != 0 {
                count += head.taken();
                head = keys.lines.at(head.line()).next;
            }
            count
        });
        assert!(longest.max().is_some_and(|longest| longest < 2 * LOAD), "the keys are spread");
    }
}
