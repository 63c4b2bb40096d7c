//! Bounds on the command line.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::time::Duration;

use idempotency::contract::Period;
use idempotency_model::fault::Fault;
use idempotency_model::review::Options;

/// The most states that a search may keep: their numbers have 32 bits, and memory ends much earlier.
const MOST_STATES: usize = 1_000_000_000;

/// One bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    States(usize),
    Time(Duration),
    Attempts(u8),
    Fault(Fault, u8),
}

impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) =
            text.split_once('=').ok_or("write a name, `=` and a value, such as `states=1000000`")?;
        let (name, value) = (name.trim(), value.trim());
        let number = |least: usize, most: usize| {
            let number = value.parse::<usize>().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("`{name}` takes a whole number from {least} to {most}"))
        };
        match name {
            "states" => Ok(Self::States(number(1, MOST_STATES)?)),
            "time" => {
                let period = value.parse::<Period>()?;
                if period == Period::ZERO {
                    return Err("`time` takes a length of time that is longer than none".into());
                }
                Ok(Self::Time(Duration::from_millis(period.millis())))
            }
            "attempts" => Ok(Self::Attempts(number(1, 3)? as u8)),
            fault => match Fault::ALL.iter().find(|known| known.name() == fault) {
                Some(known) => Ok(Self::Fault(*known, number(0, 3)? as u8)),
                None => {
                    let names: Vec<_> = Fault::ALL.iter().map(|known| known.name()).collect();
                    Err(format!(
                        "there is no bound `{fault}`; there are states, time, attempts, {}",
                        names.join(", ")
                    ))
                }
            },
        }
    }
}

impl Bound {
    /// How it is called on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::States(_) => "states",
            Self::Time(_) => "time",
            Self::Attempts(_) => "attempts",
            Self::Fault(fault, _) => fault.name(),
        }
    }

    /// The name that stands twice, if one does: which of the two is meant is not known.
    pub(crate) fn twice(bounds: &[Self]) -> Option<&'static str> {
        let mut seen = BTreeSet::new();
        bounds.iter().map(|bound| bound.name()).find(|name| !seen.insert(*name))
    }

    /// Puts the bound into the options. A fault is bounded in the scenarios that have it.
    pub(crate) fn apply(self, options: &mut Options) {
        match self {
            Self::States(states) => options.bounds.states = states,
            Self::Time(time) => options.bounds.time = Some(time),
            Self::Attempts(attempts) => options.scenarios.iter_mut().for_each(|it| it.attempts = attempts),
            Self::Fault(fault, times) => {
                options.scenarios.iter_mut().for_each(|it| it.budget.limit(fault, times))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_a_bound() {
        for fault in Fault::ALL {
            assert_eq!(format!("{}=2", fault.name()).parse(), Ok(Bound::Fault(fault, 2)));
        }
    }

    #[test]
    fn spaces_around_a_bound_mean_nothing() {
        assert_eq!(" crash = 1 ".parse(), Ok(Bound::Fault(Fault::Crash, 1)));
        assert_eq!(" time=30s".parse(), Ok(Bound::Time(Duration::from_secs(30))));
    }

    #[test]
    fn a_bound_stands_once() {
        let parse = |text: &str| text.split(',').map(|it| it.parse().expect(it)).collect::<Vec<Bound>>();
        assert_eq!(Bound::twice(&parse("crash=1,time=1s,crash=1")), Some("crash"));
        assert_eq!(Bound::twice(&parse("crash=1,time=1s,pause=1")), None);
    }

    #[test]
    fn a_bound_that_is_none_says_what_there_is() {
        for wrong in [
            "crash",
            "crash=4",
            "crash=-1",
            "crash=",
            "states=0",
            "time=0s",
            "time=5",
            "attempts=4",
            "crsh=1",
            "=",
            "",
        ] {
            let error = wrong.parse::<Bound>().expect_err(wrong);
            assert!(!error.is_empty(), "{wrong}");
        }
    }
}
