//! What is wrong with a contract file, drawn over its lines.

#[cfg(test)]
mod tests;

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use idempotency::contract::{ContractError, ContractErrors};

/// The errors of a contract file as text for a terminal, with ANSI colours if `color`.
///
/// `source` is the text that was read; where it was no UTF-8, a lossy reading of it will do.
pub(crate) fn render(file_name: &str, source: &str, errors: &ContractErrors, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for error in errors.errors() {
        text.push_str(&renderer.render(&[group(file_name, source, error)]));
        text.push_str("\n\n");
    }
    let count = errors.errors().len() + errors.left_out();
    let listed = match errors.left_out() {
        0 => String::new(),
        _ => format!("; the first {} are shown", errors.errors().len()),
    };
    let noun = if count == 1 { "error" } else { "errors" };
    let file_name = annotate_snippets::normalize_untrusted_str(file_name);
    text.push_str(&format!("{file_name}: {count} {noun}{listed}\n"));
    text
}

fn group<'a>(file_name: &'a str, source: &'a str, error: &'a ContractError) -> Group<'a> {
    let mut group = Group::with_title(Level::ERROR.primary_title(&error.message).id(error.id));
    if let Some(place) = &error.place {
        let primary = AnnotationKind::Primary.span(within(source, &place.span));
        let context = error.related.iter().map(|(place, label)| {
            AnnotationKind::Context.span(within(source, &place.span)).label(label.as_str())
        });
        group =
            group.element(Snippet::source(source).path(file_name).annotation(primary).annotations(context));
    }
    match &error.help {
        Some(help) => group.element(Level::HELP.message(help)),
        None => group,
    }
}

/// The nearest span that a source has: a lossy reading is not as long as the bytes were.
fn within(source: &str, span: &Range<usize>) -> Range<usize> {
    let start = source.floor_char_boundary(span.start);
    start..source.ceil_char_boundary(span.end).max(start)
}
