//! How a length of time is written: `24h`, `2m 30s`, `500ms`.

use std::fmt;

use super::Period;
use super::suggest::closest;

/// The units, from the longest: the one that is printed first, then the others that are understood, and the
/// milliseconds. No months and no years: they have no fixed length.
const UNITS: [(&[&str], u64); 6] = [
    (&["w", "week", "weeks"], 7 * 24 * 60 * 60 * 1000),
    (&["d", "day", "days"], 24 * 60 * 60 * 1000),
    (&["h", "hour", "hours"], 60 * 60 * 1000),
    (&["m", "min", "mins", "minute", "minutes"], 60 * 1000),
    (&["s", "sec", "secs", "second", "seconds"], 1000),
    (&["ms", "msec", "millis"], 1),
];

/// The same as [`parse`] for an editor, which takes it from the schema.
pub(super) fn pattern() -> String {
    let units = UNITS.iter().flat_map(|(names, _)| names.iter()).copied().collect::<Vec<_>>().join("|");
    format!("^\\s*([0-9]+(\\.[0-9]+)?\\s*({units})\\s*)+$")
}

/// Why a text is no length of time, and what to write instead.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoPeriod {
    pub(super) why: &'static str,
    pub(super) help: &'static str,
}

const NO_LENGTH: NoPeriod = NoPeriod {
    why: "is not a length of time",
    help: "write a number with a unit, such as \"30s\" or \"24h\"",
};
const NO_UNIT: NoPeriod =
    NoPeriod { why: "has no unit of time", help: "write one: ms, s, m, h, d or w, such as \"30s\"" };
const UNKNOWN_UNIT: NoPeriod = NoPeriod { why: "has an unknown unit", ..NO_UNIT };
const NO_FIXED_LENGTH: NoPeriod = NoPeriod {
    why: "is in months or years, which have no fixed length",
    help: "write days, such as \"30d\"",
};
const TOO_FINE: NoPeriod = NoPeriod { why: "is finer than a millisecond", help: "write whole milliseconds" };
const TOO_LONG: NoPeriod = NoPeriod { why: "is longer than a hundred years", help: "write a shorter time" };

const COMMA: NoPeriod = NoPeriod {
    why: "has a comma in its number",
    help: "write a point before a fraction, and nothing between thousands, such as \"1.5h\" or \"1000s\"",
};
const UNDERSCORE: NoPeriod =
    NoPeriod { why: "has an underscore in its number", help: "write its digits alone, such as \"1000s\"" };
const EXPONENT: NoPeriod =
    NoPeriod { why: "has an exponent in its number", help: "write it out, such as \"1000s\"" };

/// The spellings of each unit, from the longest: first the one that is printed.
pub(super) fn spellings() -> impl Iterator<Item = &'static [&'static str]> {
    UNITS.iter().map(|(names, _)| *names)
}

/// The units as they are printed, from the shortest.
pub(super) fn units() -> impl Iterator<Item = &'static str> {
    spellings().map(|names| names[0]).collect::<Vec<_>>().into_iter().rev()
}

/// The length that was most likely meant by a text that is none, as it should be written: a number without a unit is in
/// seconds, a unit is written small, a month has thirty days.
pub(super) fn meant(text: &str) -> Option<String> {
    let mut rest = text.trim();
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (number, after) = numeral(rest);
        let number = plain(number)?;
        let (unit, after) = split(after.trim_start(), char::is_alphabetic);
        let unit = unit.to_lowercase();
        let days = |of: u64| number.parse::<u64>().ok()?.checked_mul(of).map(|days| format!("{days}d"));
        parts.push(match unit.as_str() {
            "" if parts.is_empty() && after.is_empty() && !number.is_empty() => format!("{number}s"),
            "" => return None,
            "hr" | "hrs" => format!("{number}h"),
            "mo" | "month" | "months" => days(30)?,
            "y" | "yr" | "year" | "years" => days(365)?,
            unit => {
                // Letters alone tell nothing: a slip of a unit has three letters or more.
                let slip = |name: &&str| unit.len() >= 3 && closest(unit, [*name]).is_some();
                let exact = UNITS.iter().find(|(names, _)| names.contains(&unit));
                let near = || UNITS.iter().find(|(names, _)| names.iter().any(slip));
                let (names, _) = exact.or_else(near)?;
                format!("{number}{}", names[0])
            }
        });
        rest = after.trim_start();
    }
    let meant = parts.join(" ");
    parse(&meant).is_ok().then_some(meant)
}

/// The milliseconds of a length of time: numbers, each with its unit.
pub(super) fn parse(text: &str) -> Result<u64, NoPeriod> {
    let mut rest = text.trim();
    let mut sum = 0_u64;
    if rest.is_empty() {
        return Err(NO_LENGTH);
    }
    while !rest.is_empty() {
        let (number, after) = numeral(rest);
        let (unit, after) = split(after.trim_start(), char::is_alphabetic);
        sum = sum.saturating_add(length(number, unit)?);
        rest = after.trim_start();
    }
    if sum > Period::LONGEST.millis() { Err(TOO_LONG) } else { Ok(sum) }
}

/// The milliseconds of one number with its unit.
fn length(number: &str, unit: &str) -> Result<u64, NoPeriod> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return Err(match number {
            number if number.contains(',') => COMMA,
            number if number.contains('_') => UNDERSCORE,
            number if number.contains(['e', 'E']) => EXPONENT,
            _ => NO_LENGTH,
        });
    }
    let Some(&(_, millis)) = UNITS.iter().find(|(names, _)| names.contains(&unit)) else {
        return Err(match unit {
            "" => NO_UNIT,
            "month" | "months" | "y" | "yr" | "year" | "years" => NO_FIXED_LENGTH,
            "us" | "µs" | "μs" | "ns" => TOO_FINE,
            _ => UNKNOWN_UNIT,
        });
    };
    let whole = whole.parse::<u64>().ok().and_then(|whole| whole.checked_mul(millis)).unwrap_or(u64::MAX);
    // Nine digits after the point are more than any unit here can use.
    let part = part.trim_end_matches('0');
    if part.len() > 9 {
        return Err(TOO_FINE);
    }
    let scale = 10_u64.pow(part.len() as u32);
    let fraction = part.parse::<u64>().unwrap_or(0) * millis;
    if !fraction.is_multiple_of(scale) {
        return Err(TOO_FINE);
    }
    Ok(whole.saturating_add(fraction / scale))
}

/// Prints a length as a reader would write it: `90s`, `24h` and `30d` rather than `1m 30s`, `1d` and `4w 2d`.
pub(super) fn write(f: &mut fmt::Formatter<'_>, millis: u64) -> fmt::Result {
    let [_, (_, day), (_, hour), (_, minute), (_, second), _] = UNITS;
    for (at_most, unit, name) in [(2 * minute - 1, second, 's'), (2 * day - 1, hour, 'h')] {
        if millis <= at_most && millis.is_multiple_of(unit) {
            return write!(f, "{}{name}", millis / unit);
        }
    }
    let mut left = millis;
    let mut space = "";
    for &(names, unit) in &UNITS[1..] {
        if left >= unit {
            write!(f, "{space}{}{}", left / unit, names[0])?;
            left %= unit;
            space = " ";
        }
    }
    Ok(())
}

/// The number at the start of a text, and what follows it. It may be written as in other languages: `1,5`, `1_000`,
/// `1e3`. No length has such a number; its error says so.
fn numeral(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = 0;
    while let Some(byte) = bytes.get(end) {
        let is_after_digit = end > 0 && digit(end - 1);
        end += match byte {
            b'0'..=b'9' | b'.' => 1,
            b',' | b'_' if is_after_digit && digit(end + 1) => 1,
            b'e' | b'E' if is_after_digit && digit(end + 1) => 1,
            b'e' | b'E'
                if is_after_digit && matches!(bytes.get(end + 1), Some(b'+' | b'-')) && digit(end + 2) =>
            {
                2
            }
            _ => break,
        };
    }
    text.split_at(end)
}

/// A number as a length has it. `None` where that is not certain: `1,000` may be a thousand or one.
fn plain(number: &str) -> Option<String> {
    let number = number.replace('_', "");
    let number = match number.split_once(',') {
        Some((_, part)) if part.len() == 3 || part.contains([',', '.']) => return None,
        Some((whole, part)) => format!("{whole}.{part}"),
        None => number,
    };
    if !number.contains(['e', 'E']) {
        return Some(number);
    }
    // Beyond a float's whole numbers it would be another number.
    let value: f64 = number.parse().ok()?;
    (value.fract() == 0.0 && value < 1e15).then(|| format!("{value:.0}"))
}

/// The first characters that satisfy `of`, and what follows them.
fn split(text: &str, of: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !of(c)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> u64 {
        parse(text).unwrap_or_else(|error| panic!("`{text}` {}", error.why))
    }

    #[test]
    fn lengths_are_sums_of_numbers_with_units() {
        assert_eq!(read("24h"), 86_400_000);
        assert_eq!(read("1.5h"), 5_400_000);
        assert_eq!(read(" 2m 30s "), 150_000);
        assert_eq!(read("2m30s"), 150_000);
        assert_eq!(read("1 day 1 min"), 86_460_000);
        assert_eq!(read("0s"), 0);
        assert_eq!(read("1.250s"), 1250);
    }

    #[test]
    fn what_is_no_length_says_why() {
        for (texts, why) in [
            (&["", "s", "-1s", "1..5s", "1.s", "1s, 2s", "never"][..], NO_LENGTH),
            (&["5", "1 30s"], NO_UNIT),
            (&["3 parsecs", "30S", "30M"], UNKNOWN_UNIT),
            (&["1month", "101y"], NO_FIXED_LENGTH),
            (&["0.5ms", "0.00000000001d", "1us", "500 ns"], TOO_FINE),
            (&["1,5h", "1,000s", "1,5", "2h 1,5m"], COMMA),
            (&["1_000s", "1_0"], UNDERSCORE),
            (&["1e3s", "1E3", "1.5e+3s", "1e-3s"], EXPONENT),
            (&["36501d", "18446744073709551615s 1000ms", "99999999999999999999999999h"], TOO_LONG),
        ] {
            for text in texts {
                assert_eq!(parse(text).expect_err(text).why, why.why, "{text:?}");
            }
        }
    }

    #[test]
    fn what_was_meant_follows_from_what_was_written() {
        for (text, length) in [
            ("30", "30s"),
            ("30S", "30s"),
            ("5M", "5m"),
            ("2 Hours", "2h"),
            ("2 hrs 30 MIN", "2h 30m"),
            ("10 secnds", "10s"),
            ("1 month", "30d"),
            ("2years", "730d"),
            ("1,5h", "1.5h"),
            ("1,5", "1.5s"),
            ("1_000s", "1000s"),
            ("1e3s", "1000s"),
            ("1.5E+3 ms", "1500ms"),
        ] {
            assert_eq!(meant(text).as_deref(), Some(length), "{text}");
        }
        for text in [
            "",
            "s",
            "-1s",
            "1 30s",
            "1s 30",
            "3 parsecs",
            "1us",
            "soon",
            "300y",
            "1.5 months",
            "1..5",
            "1,000s",
            "1,2,3s",
            "1e-3s",
            "1e99s",
        ] {
            assert_eq!(meant(text), None, "{text}");
        }
    }

    #[test]
    fn a_length_prints_as_a_reader_would_write_it() {
        for text in [
            "0s", "500ms", "1s 500ms", "60s", "90s", "2m", "2m 30s", "5m", "1h", "23h 54m", "24h", "36h",
            "2d", "30d", "365d",
        ] {
            assert_eq!(text.parse::<Period>().unwrap().to_string(), text);
        }
        assert_eq!("4w 2d".parse::<Period>().unwrap().to_string(), "30d");
    }

    #[test]
    fn every_length_is_read_back_as_it_was() {
        for millis in
            (0..100_000).chain((0..2_000_000_000).step_by(999_983)).chain([Period::LONGEST.millis()])
        {
            assert_eq!(read(&Period::from_millis(millis).to_string()), millis);
        }
    }
}
