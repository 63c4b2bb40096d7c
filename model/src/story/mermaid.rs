//! A story as a sequence diagram in Mermaid.

use super::{Actor, Arrow, Fate, Story};

impl Story {
    /// The story as the source of a Mermaid `sequenceDiagram`: an arrow for each message, with a cross where it is lost,
    /// and a note for what each step does.
    pub fn mermaid(&self) -> String {
        let mut lines = vec!["sequenceDiagram".to_owned()];
        let mut line = |text: String| lines.push(format!("    {text}"));
        for one in &self.participants {
            line(format!("participant {} as {}", one.actor.id(), escape(&one.name)));
        }
        for arrow in &self.sent_first {
            line(self::arrow(arrow, 0));
        }
        for step in &self.steps {
            let (came, left): (Vec<_>, Vec<_>) =
                step.messages.iter().partition(|one| one.fate == Fate::Arrives);
            came.into_iter().for_each(|one| line(arrow(one, step.at_ms)));
            let over = step.to.unwrap_or(step.actor).id();
            line(format!("Note over {over}: {}: {}", step.at, escape(&step.label)));
            left.into_iter().for_each(|one| line(arrow(one, step.at_ms)));
        }
        if let (Some(first), Some(last)) = (self.participants.first(), self.participants.last()) {
            let over = if first == last {
                first.actor.id().to_owned()
            } else {
                format!("{},{}", first.actor.id(), last.actor.id())
            };
            line(format!("Note over {over}: {}", escape(&self.ending)));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

fn arrow(arrow: &Arrow, now: u64) -> String {
    // A reply is dashed.
    let reply = arrow.to == Actor::Client || arrow.from == Actor::Supplier;
    let line = match (arrow.fate, reply) {
        (Fate::Arrives, false) => "->>",
        (Fate::Arrives, true) => "-->>",
        (Fate::Lost, false) => "-x",
        (Fate::Lost, true) => "--x",
        (Fate::UnderWay, false) => "-)",
        (Fate::UnderWay, true) => "--)",
    };
    format!("{}{line}{}: {}", arrow.from.id(), arrow.to.id(), escape(&arrow.words(now)))
}

/// Writes what Mermaid would read as its own: `;` ends a statement, `#` begins a character's code, `%%` a comment, and
/// `<` a tag.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '#' | ';' | '%' | '<' | '>' | '"' | '&' | '{' | '}' | '`' => {
                escaped.push_str(&format!("#{};", u32::from(letter)));
            }
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_mermaid_reads_as_its_own_is_written_by_its_code() {
        assert_eq!(escape("a; b #1 %% <i>"), "a#59; b #35;1 #37;#37; #60;i#62;");
    }
}
