//! For a terminal, with or without colours and charts.

use std::fmt::Write;
use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};
use idempotency::invariant::Invariant;
use idempotency_model::review::{Masked, Review, Shown, Verdict};
use textwrap::Options as Wrap;

/// The widest that a report gets, in columns.
const WIDEST: usize = 100;

/// How a report looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Whether it has colours. The output takes them out again where they are not wanted.
    color: bool,
    /// Whether its charts and marks are ASCII.
    ascii: bool,
    /// How wide it may be.
    width: usize,
}

impl Look {
    /// Without colours, in ASCII.
    pub(crate) const PLAIN: Self = Self { color: false, ascii: true, width: WIDEST };

    /// What the standard output can show.
    pub(crate) fn of_stdout() -> Self {
        let color = std::io::stdout().is_terminal();
        Self { color, ascii: false, width: textwrap::termwidth().clamp(60, WIDEST) }
    }

    fn paint(self, style: Style, text: impl std::fmt::Display) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    fn verdict(self, verdict: Verdict) -> String {
        let color = match verdict {
            Verdict::Holds => AnsiColor::Green,
            Verdict::Unknown => AnsiColor::Yellow,
            Verdict::Violated => AnsiColor::Red,
        };
        self.paint(color.on_default().bold(), verdict.word())
    }

    fn head(self, text: impl std::fmt::Display) -> String {
        self.paint(Style::new().bold(), text)
    }

    /// Wraps a paragraph; its later lines stand further in.
    fn wrap(self, indent: &str, text: &str) -> String {
        let further = format!("{indent}  ");
        textwrap::fill(text, Wrap::new(self.width).initial_indent(indent).subsequent_indent(&further))
    }
}

/// The review as text.
pub(crate) fn write(review: &Review, look: Look) -> Result<String, String> {
    let mut out = String::new();
    text(&mut out, review, look).map_err(|error| error.to_string())?;
    Ok(out)
}

fn text(out: &mut String, review: &Review, look: Look) -> std::fmt::Result {
    let does =
        if review.contract.does.is_empty() { String::new() } else { format!(" ({})", review.contract.does) };
    writeln!(out, "{}{does}: {}", look.head(&review.contract.operation), look.verdict(review.verdict))?;
    writeln!(out, "{}\n", review.contract.file)?;
    table(out, review, look)?;
    writeln!(out, "\n{}", look.head("Bounds: what was searched, and no more"))?;
    for scenario in &review.scenarios {
        let faults: Vec<_> =
            scenario.budget.iter().map(|(fault, times)| format!("{} {times}", fault.name())).collect();
        let faults = if faults.is_empty() { "no other fault".into() } else { faults.join(", ") };
        let text = format!("{}: attempts {}; {faults}", scenario.name, scenario.attempts);
        writeln!(out, "{}", look.wrap("  ", &text))?;
    }
    for invariant in review.with_verdict(Verdict::Violated) {
        broken(out, review, invariant, look)?;
    }
    if !review.masked.is_empty() {
        writeln!(out, "\n{}", look.head("Masked: weak, and harmless only because of another guard"))?;
        for it in &review.masked {
            writeln!(out, "{}", look.wrap("  ", &masked(it)))?;
        }
    }
    writeln!(out, "\n{}", look.head("Five questions"))?;
    for it in &review.questions {
        writeln!(out, "  {}\n{}", it.question, look.wrap("    ", &it.answer))?;
    }
    writeln!(out, "\n{}", look.head("Four outcomes for one key"))?;
    for it in &review.outcomes {
        let color = if it.shown == Shown::Shown { AnsiColor::Green } else { AnsiColor::Red };
        let shown = look.paint(color.on_default(), format_args!("{:9}", super::shown(it.shown)));
        let text = format!("{}: {}. The client gets {}.", it.outcome, it.demands, it.answer);
        writeln!(out, "  {shown} {}", look.wrap("", &text).replace('\n', "\n          "))?;
    }
    writeln!(out, "\n{}", look.head("Assumed, since the file does not say it"))?;
    for it in &review.assumed {
        writeln!(out, "  {} = {}", it.field, it.value)?;
    }
    writeln!(out, "\n{}", look.head("Unproven: automatic retry rests on it and nothing here shows it"))?;
    for it in &review.unproven {
        writeln!(out, "{}", look.wrap("  ", &format!("{}: {}", it.what, it.why)))?;
    }
    if review.verdict != Verdict::Holds {
        let advice = "Until this contract holds, leave automatic retry of this operation switched off.";
        writeln!(out, "\n{}", look.head(advice))?;
    }
    Ok(())
}

fn table(out: &mut String, review: &Review, look: Look) -> std::fmt::Result {
    let judged: Vec<_> =
        Invariant::ALL.iter().filter(|invariant| review.of(**invariant).next().is_some()).collect();
    let wide = review.results.iter().map(|row| row.scenario.len()).max().unwrap_or(0).max("scenario".len());
    write!(out, "  {:wide$}  {:>8} ", "scenario", "states")?;
    for invariant in &judged {
        write!(out, " {:>3}", invariant.id())?;
    }
    writeln!(out)?;
    let mut states = 0;
    for rows in review.results.chunks(judged.len().max(1)) {
        write!(out, "  {:wide$}  {:>8} ", rows[0].scenario, rows[0].states)?;
        states += rows[0].states;
        for row in rows {
            write!(out, " {}", mark(row.verdict, row.shown, look))?;
        }
        writeln!(out)?;
    }
    let (holds, broken, empty) = if look.ascii { ("ok", "X", "-") } else { ("✓", "✗", "·") };
    writeln!(
        out,
        "  {states} states. {holds} holds; {empty} holds, and its good case does not occur in this scenario; \
         {broken} broken; ? unknown."
    )
}

fn mark(verdict: Verdict, shown: bool, look: Look) -> String {
    let (sign, color) = match (verdict, shown, look.ascii) {
        (Verdict::Holds, true, false) => ("✓", AnsiColor::Green),
        (Verdict::Holds, true, true) => ("ok", AnsiColor::Green),
        (Verdict::Holds, false, false) => ("·", AnsiColor::Green),
        (Verdict::Holds, false, true) => ("-", AnsiColor::Green),
        (Verdict::Unknown, ..) => ("?", AnsiColor::Yellow),
        (Verdict::Violated, _, false) => ("✗", AnsiColor::Red),
        (Verdict::Violated, _, true) => ("X", AnsiColor::Red),
    };
    look.paint(color.on_default(), format_args!("{sign:>3}"))
}

fn broken(out: &mut String, review: &Review, invariant: Invariant, look: Look) -> std::fmt::Result {
    let Some((row, story)) = review.shortest(invariant).and_then(|row| Some((row, row.story.as_ref()?)))
    else {
        return Ok(());
    };
    let red = AnsiColor::Red.on_default().bold();
    writeln!(out, "\n{}", look.paint(red, format_args!("{invariant} is broken: {}", invariant.title())))?;
    let others: Vec<_> =
        review.of(invariant).filter(|it| it.story.is_some() && it.scenario != row.scenario).collect();
    let also = match others.len() {
        0 => String::new(),
        1 => format!(" It breaks in {} too.", others[0].scenario),
        many => format!(" It breaks in {many} more scenarios."),
    };
    let about = format!(
        "{} The shortest story has {} steps, in {}.{also}",
        invariant.sentence(),
        story.length,
        row.scenario
    );
    writeln!(out, "{}\n", look.wrap("  ", &about))?;
    for line in story.plain().lines() {
        writeln!(out, "  {line}")?;
    }
    writeln!(out)?;
    for line in story.chart(look.width - 2, look.ascii).lines() {
        writeln!(out, "  {}", line.trim_end())?;
    }
    writeln!(out)?;
    let mut any = false;
    for remedy in review.remedies.iter().filter(|remedy| remedy.mends.contains(&invariant)) {
        let lead = if any { "or change" } else { "To change" };
        any = true;
        let text = format!("{lead}: {}. Checked; it mends {}.", super::remedy(remedy), super::mends(remedy));
        writeln!(out, "{}", look.wrap("  ", &text))?;
    }
    if !any {
        writeln!(out, "  No change that was tried mends it.")?;
    }
    Ok(())
}

/// A mask in words.
pub(super) fn masked(it: &Masked) -> String {
    format!(
        "{} = {} does no harm, because {} = {}. With {} there, {} breaks in `{}`.",
        it.field, it.value, it.by, it.by_value, it.without, it.invariant, it.scenario
    )
}
