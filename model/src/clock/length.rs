//! How a time is written.

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A moment, in milliseconds after the first attempt: `0 s`, `2.0 s`, `2 min 5 s`, `24 h 0 min`.
pub fn moment(millis: u64) -> String {
    match millis {
        0 => "0 s".into(),
        _ if millis < MINUTE && millis.is_multiple_of(100) => {
            format!("{}.{} s", millis / SECOND, millis % SECOND / 100)
        }
        _ if millis < MINUTE => format!("{}.{:03} s", millis / SECOND, millis % SECOND),
        _ if millis < HOUR => format!("{} min {} s", millis / MINUTE, millis % MINUTE / SECOND),
        _ if millis < 4 * DAY => format!("{} h {} min", millis / HOUR, millis % HOUR / MINUTE),
        _ => format!("{} d {} h", millis / DAY, millis % DAY / HOUR),
    }
}

/// A length of time, in milliseconds, without parts that are nought: `2 s`, `1 min 30 s`, `24 h`.
pub fn length(millis: u64) -> String {
    let units = [(DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (SECOND, "s"), (1, "ms")];
    // A day or two reads better in hours.
    let units = if millis < 4 * DAY { &units[1..] } else { &units[..] };
    let mut left = millis;
    let mut parts = Vec::new();
    for (unit, name) in units {
        if left >= *unit {
            parts.push(format!("{} {name}", left / unit));
            left %= unit;
        }
    }
    if parts.is_empty() { "0 s".into() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::{length, moment};

    #[test]
    fn moments_are_short_and_lengths_exact() {
        let moments = [0, 2_000, 3_100, 3_001, 125_000, 86_400_000, 30 * 86_400_000].map(moment);
        assert_eq!(moments, ["0 s", "2.0 s", "3.1 s", "3.001 s", "2 min 5 s", "24 h 0 min", "30 d 0 h"]);
        let lengths = [0, 2_000, 2_500, 90_000, 86_400_000, 30 * 86_400_000].map(length);
        assert_eq!(lengths, ["0 s", "2 s", "2 s 500 ms", "1 min 30 s", "24 h", "30 d"]);
    }
}
