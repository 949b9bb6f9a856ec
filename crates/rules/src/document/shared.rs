//! What several rules about the text of a document use.

use voxlint_model::marks::Mark;
use voxlint_model::masking;
use voxlint_model::quote::list;
use voxlint_model::text::unusual::may_have_control;
use voxlint_model::text_traits::may_skip;
use voxlint_syntax::{Format, SyntaxError, SyntaxErrorKind, SyntaxFix};

use crate::prelude::*;
use crate::value::allowed_numbers;

/// The findings of a rule about unusual characters in a document that is sent.
pub(super) fn in_unusual_texts_of_sent(
    document: &Document,
    kind: DocumentKind,
    finding: UnusualText,
) -> Verdicts {
    if kind.is_sent() {
        in_unusual_texts(document, Origin::Document, finding)
    } else {
        Verdicts::none()
    }
}

/// The findings of a rule about unusual characters in the texts of one of the inputs. Names of fields are not included: other
/// rules report names that no table lists. Nor are texts of a fixed format, which have rules of their own.
pub(super) fn in_unusual_texts(
    document: &Document,
    origin: Origin,
    finding: UnusualText,
) -> Verdicts {
    // JSON and TOML do not allow control characters in a string, and YAML hardly any.
    let has_control =
        |node: Node<'_>| document.format() == Format::Text && may_have_control(node.source());
    let mut verdicts = Verdicts::none();
    let marks = document.marks();
    if may_skip() && !marks.has_unusual() && document.format() != Format::Text {
        return verdicts;
    }
    for node in document.tree().nodes().filter(|node| node.kind() == Kind::String) {
        if node.is_faulty()
            || !(marks.may_be_in(Mark::Unusual, node) || has_control(node))
            || has_fixed_format(node)
        {
            continue;
        }
        if let Some(finding) =
            node.as_str().and_then(|text| finding(node, &text, &Place::of(origin, node)))
        {
            verdicts.add(finding.advice());
        }
    }
    verdicts
}

/// Whether a text has the name of a setting of which the format or the values are described.
pub(super) fn has_fixed_format(node: Node<'_>) -> bool {
    let name = node.name().and_then(Node::as_str).unwrap_or_default();
    let tables = [&settings::TABLE, &settings::default_dynamic_variables::TABLE];
    tables.iter().filter_map(|table| table.row(&name)).any(|row| match row.shape {
        Shape::Text(text) => {
            text.format != TextFormat::Any || text.terms.is_some() || !text.choices.is_empty()
        }
        _ => false,
    })
}

/// The help for the first fault of a file that is valid as JSONC. Only JSON may be sent to the service.
pub(super) fn valid_as_jsonc(first: &SyntaxError) -> String {
    let it = if first.more == 0 { "it" } else { "them" };
    format!(
        "remove {it}, or check the file as JSONC (extension `.jsonc` or `--jsonc`) and convert it to JSON before sending it"
    )
}

/// A finding for each syntax error of these kinds.
pub(super) fn findings(
    document: &Document,
    kind: DocumentKind,
    wanted: impl Fn(SyntaxErrorKind) -> bool,
) -> impl Iterator<Item = Finding> {
    let mut masked = None;
    let mut is_fine_as_jsonc = false;
    if document.errors().first().is_some_and(|first| wanted(first.kind)) {
        is_fine_as_jsonc = document.is_fine_as_jsonc();
    }
    document.errors().iter().filter(move |error| wanted(error.kind)).map(move |error| {
        // Messages quote the text, which may contain a secret. A control character or an escape is not masked, because its
        // name would be wrong.
        let is_harmless = matches!(
            error.kind,
            SyntaxErrorKind::ControlCharacter | SyntaxErrorKind::InvalidEscape
        );
        let shown = if is_harmless {
            document.text()
        } else {
            masked.get_or_insert_with(|| masking::masked_document(document, kind))
        };
        let mut finding = finding(shown, error);
        finding.fix = document.syntax_fix(error).map(|fix| proposed(fix, shown));
        if let Some(help) = instead_of_quotes(document, error) {
            finding.help = Some(help);
            finding.fix = None;
        }
        // Once is enough for all errors of a file.
        if std::mem::take(&mut is_fine_as_jsonc) {
            finding.help = Some(valid_as_jsonc(error));
        }
        finding
    })
}

/// The help for a word in place of a setting that it cannot be, not even in quotes.
pub(super) fn instead_of_quotes(document: &Document, error: &SyntaxError) -> Option<String> {
    if !matches!(error.kind, SyntaxErrorKind::NotALiteral | SyntaxErrorKind::TomlValue) {
        return None;
    }
    let node = document.tree().leaf_at(error.span.start)?;
    let name = node.name()?.as_str()?;
    let is_setting = document.tree().root()?.get(&name) == Some(node);
    let row = settings::TABLE.row(&name).filter(|_| is_setting)?;
    let help = error.help(document.text())?;
    let word = error.span.slice(document.text()).trim();
    let is_quotes = help.ends_with("in double quotes");
    let is_flag = matches!(&*help, "write `true`" | "write `false`");
    match row.shape {
        Shape::Flag if is_quotes => Some("use true or false".to_owned()),
        Shape::Number(shape) if is_quotes || is_flag => Some(allowed_numbers(&shape)),
        Shape::Text(text)
            if (is_quotes || is_flag)
                && !text.choices.is_empty()
                && !text.choices.contains(&word) =>
        {
            let choices = list(text.choices.iter().copied());
            Some(format!("use one of {choices}, in double quotes"))
        }
        _ => None,
    }
}

/// A fix of a syntax error. `shown` is the text of its title.
pub(super) fn proposed(fix: &SyntaxFix, shown: &str) -> ProposedFix {
    let edits = fix.edits.iter().map(|edit| ProposedEdit::Replace {
        at: Place::bytes(edit.span),
        replacement: Replacement::Literal(edit.text.clone()),
    });
    ProposedFix::new(fix.title(shown), Safety::Safe, edits.collect())
}

pub(super) fn finding(text: &str, error: &SyntaxError) -> Finding {
    let mut finding =
        Finding::new(Place::bytes(error.span), error.message(text)).of_root().label(error.label());
    if let Some(help) = error.help(text) {
        finding = finding.help(help);
    }
    if let (Some(related), Some(label)) = (error.related, error.related_label()) {
        finding = finding.also(Place::bytes(related), label);
    }
    if error.kind == SyntaxErrorKind::TooManyErrors {
        finding.count = error.more.saturating_add(1);
    }
    finding
}

/// What a rule finds in a text with unusual characters: the node, its decoded text and where it is.
type UnusualText = fn(Node<'_>, &str, &Place) -> Option<Finding>;
