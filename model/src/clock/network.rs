//! A simple temporal network (Dechter, Meiri and Pearl 1991): moments, and bounds on the differences of two of them.
//! The earliest solution is the longest way from the origin, by the algorithm of Bellman and Ford.

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment(usize);

impl Moment {
    /// The moment from which all are counted. None is earlier.
    pub(super) const ORIGIN: Self = Self(0);
}

/// `to` is at least `least` milliseconds after `from`, because of `why`.
#[derive(Clone, Copy, Debug)]
struct Bound {
    from: usize,
    to: usize,
    least: i64,
    why: &'static str,
}

/// Moments and bounds.
#[derive(Clone, Debug)]
pub(super) struct Network {
    moments: usize,
    bounds: Vec<Bound>,
}

impl Network {
    pub(super) fn new() -> Self {
        Self { moments: 1, bounds: Vec::new() }
    }

    /// A new moment, not before the origin.
    pub(super) fn moment(&mut self) -> Moment {
        let moment = Moment(self.moments);
        self.moments += 1;
        self.at_least(Moment::ORIGIN, moment, 0, "nothing is before the first attempt");
        moment
    }

    /// `to` is `least` or more after `from`.
    pub(super) fn at_least(&mut self, from: Moment, to: Moment, least: u64, why: &'static str) {
        self.bounds.push(Bound { from: from.0, to: to.0, least: signed(least), why });
    }

    /// `to` is `most` or less after `from`.
    pub(super) fn at_most(&mut self, from: Moment, to: Moment, most: u64, why: &'static str) {
        self.bounds.push(Bound { from: to.0, to: from.0, least: -signed(most), why });
    }

    /// `to` is so long after `from`.
    pub(super) fn exactly(&mut self, from: Moment, to: Moment, length: u64, why: &'static str) {
        self.at_least(from, to, length, why);
        self.at_most(from, to, length, why);
    }

    /// The earliest time of every moment, or the reasons of bounds that contradict one another.
    pub(super) fn solve(&self) -> Result<Solution, Vec<&'static str>> {
        let mut times = vec![0_i64; self.moments];
        let mut raised: Vec<Option<usize>> = vec![None; self.moments];
        for round in 0..=self.moments {
            let mut last = None;
            for (index, bound) in self.bounds.iter().enumerate() {
                let least = times[bound.from].saturating_add(bound.least);
                if times[bound.to] < least {
                    times[bound.to] = least;
                    raised[bound.to] = Some(index);
                    last = Some(bound.to);
                }
            }
            match last {
                None => return Ok(Solution { times }),
                Some(at) if round == self.moments => return Err(self.cycle(&raised, at)),
                Some(_) => {}
            }
        }
        Ok(Solution { times })
    }

    /// The reasons along a cycle that would have to be raised for ever. `at` was raised in the last round, so a walk
    /// back from it ends in one.
    fn cycle(&self, raised: &[Option<usize>], mut at: usize) -> Vec<&'static str> {
        let back = |at: usize| raised[at].map(|index| self.bounds[index]);
        for _ in 0..self.moments {
            at = back(at).map_or(at, |bound| bound.from);
        }
        let (first, mut reasons) = (at, Vec::new());
        while let Some(bound) = back(at) {
            if !reasons.contains(&bound.why) {
                reasons.push(bound.why);
            }
            at = bound.from;
            if at == first {
                break;
            }
        }
        reasons.reverse();
        reasons
    }
}

/// The times of the moments, in milliseconds.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    times: Vec<i64>,
}

impl Solution {
    pub(super) fn at(&self, moment: Moment) -> u64 {
        // No moment is before the origin, and the origin is never raised in a solution.
        u64::try_from(self.times[moment.0]).unwrap_or(0)
    }
}

fn signed(millis: u64) -> i64 {
    i64::try_from(millis).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_is_the_earliest() {
        let mut network = Network::new();
        let [a, b, c] = [network.moment(), network.moment(), network.moment()];
        network.at_least(a, b, 5, "b after a");
        network.exactly(b, c, 3, "c with b");
        network.at_least(Moment::ORIGIN, c, 20, "c late");
        let solution = network.solve().unwrap();
        assert_eq!([a, b, c].map(|moment| solution.at(moment)), [0, 17, 20]);
    }

    #[test]
    fn a_contradiction_names_its_bounds_and_no_others() {
        let mut network = Network::new();
        let [a, b, c] = [network.moment(), network.moment(), network.moment()];
        network.at_least(a, b, 10, "long");
        network.at_most(Moment::ORIGIN, b, 9, "short");
        network.at_least(a, c, 1, "unconcerned");
        let mut reasons = network.solve().unwrap_err();
        reasons.sort_unstable();
        assert_eq!(reasons, ["long", "nothing is before the first attempt", "short"]);
    }
}
