//! Names and values from a file, fit for a message.

/// The most characters of a file that a message repeats.
const MOST: usize = 60;

/// A name or a value, cut where it is long, with control characters made visible: a terminal would obey them.
pub(super) fn short(text: &str) -> String {
    let mut short = String::new();
    for (count, c) in text.chars().enumerate() {
        match c {
            _ if count == MOST => {
                short.push('…');
                break;
            }
            c if c.is_control() => short.extend(c.escape_default()),
            c => short.push(c),
        }
    }
    short
}

/// A text as TOML writes it, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let mut cut: String = text.chars().take(MOST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    short(&toml::Value::String(cut).to_string().replace('\n', "\\n"))
}

/// Names in backticks, with commas between.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_repeats_no_control_character_and_no_long_text() {
        assert_eq!(short("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(short(&"é".repeat(1000)).chars().count(), MOST + 1);
        assert!(!quoted("a\u{1b}\nb\u{9b}").chars().any(char::is_control));
    }
}
