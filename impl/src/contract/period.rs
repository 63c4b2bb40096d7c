//! Lengths of time, written with units: `24h`, `2m 30s`, `500ms`.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::period_text;
use super::show::short;

/// A length of time in whole milliseconds, at most a hundred years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    millis: u64,
}

impl Period {
    /// The longest period that a contract can name: a hundred years. Sums of periods then never overflow.
    pub const LONGEST: Self = Self::secs(100 * 365 * 24 * 60 * 60);

    /// No time at all.
    pub const ZERO: Self = Self { millis: 0 };

    /// A period of `secs` seconds.
    pub const fn secs(secs: u64) -> Self {
        Self { millis: secs * 1000 }
    }

    /// A period of `millis` milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self { millis }
    }

    /// The period in milliseconds.
    pub const fn millis(self) -> u64 {
        self.millis
    }
}

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match period_text::parse(text) {
            Ok(millis) => Ok(Self::from_millis(millis)),
            Err(error) => Err(format!("`{}` {}; {}", short(text), error.why, error.help)),
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        period_text::write(f, self.millis)
    }
}

impl Serialize for Period {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Period {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Period {
    fn schema_name() -> Cow<'static, str> {
        "Period".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A length of time with its unit, at most a hundred years.",
            "pattern": period_text::pattern(),
            "examples": ["500ms", "30s", "2m 30s", "24h", "30d"],
        })
    }
}

/// The word that stands in place of a period.
pub trait Word: 'static {
    /// The word, as it is written in a contract.
    const WORD: &'static str;
}

/// `unlimited`: there is no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unlimited {}

/// `never`: it does not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Never {}

impl Word for Unlimited {
    const WORD: &'static str = "unlimited";
}

impl Word for Never {
    const WORD: &'static str = "never";
}

/// A period, or the word `W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PeriodOr<W> {
    period: Option<Period>,
    word: PhantomData<W>,
}

impl<W: Word> PeriodOr<W> {
    /// The word.
    pub const WORD: Self = Self { period: None, word: PhantomData };

    /// A period of `secs` seconds.
    pub const fn secs(secs: u64) -> Self {
        Self::of(Period::secs(secs))
    }

    /// This period.
    pub const fn of(period: Period) -> Self {
        Self { period: Some(period), word: PhantomData }
    }

    /// The period, or `None` where the word stands.
    pub const fn period(self) -> Option<Period> {
        self.period
    }
}

impl<W: Word> fmt::Display for PeriodOr<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.period {
            Some(period) => period.fmt(f),
            None => f.write_str(W::WORD),
        }
    }
}

impl<W: Word> Serialize for PeriodOr<W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, W: Word> Deserialize<'de> for PeriodOr<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        if text == W::WORD {
            return Ok(Self::WORD);
        }
        text.parse().map(Self::of).map_err(D::Error::custom)
    }
}

impl<W: Word> JsonSchema for PeriodOr<W> {
    fn schema_name() -> Cow<'static, str> {
        format!("PeriodOr_{}", W::WORD).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": format!("A length of time with its unit, or `{}`.", W::WORD),
            "anyOf": [
                { "type": "string", "const": W::WORD },
                { "type": "string", "pattern": period_text::pattern() },
            ],
        })
    }
}
