//! What the library says becomes what the protocol says.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lsp_types::{
    CodeDescription, CompletionItem, CompletionItemKind, CompletionTextEdit, Diagnostic,
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, DocumentChanges,
    DocumentSymbol, Documentation, Hover, HoverContents, InsertTextFormat, InsertTextMode,
    Location, MarkupContent, MarkupKind, NumberOrString, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, Range, SemanticToken, SemanticTokenType,
    SymbolInformation, SymbolKind, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use voxlint::readings::to_settle;
use voxlint::syntax::Span;
use voxlint::{RuleRef, Severity};
use voxlint_ide as ide;

use crate::analysis::TextPlace;
use crate::client::Client;

/// The name of the program in lists of diagnostics.
pub(crate) const SOURCE: &str = "voxlint";

/// A position.
pub(crate) const fn position((line, character): (u32, u32)) -> Position {
    Position { line, character }
}

/// The range of some characters.
pub(crate) fn range(place: &TextPlace, span: Span) -> Range {
    let (start, end) = place.ends(span);
    Range { start: position(start), end: position(end) }
}

/// The place of some characters.
pub(crate) fn location(place: &TextPlace, span: Span) -> Location {
    Location { uri: place.uri.clone(), range: range(place, span) }
}

/// How a client shows a severity.
pub(crate) const fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
    }
}

/// A finding. The status that the service would answer comes first, and help and notes follow, each in lines of their own.
pub(crate) fn diagnostic(
    found: &voxlint::Diagnostic,
    range: Range,
    related: Vec<DiagnosticRelatedInformation>,
    page: Option<&str>,
    client: &Client,
) -> Diagnostic {
    let answer = found.answer().map(|answer| format!("{answer}: ")).unwrap_or_default();
    let mut message = format!("{answer}{}", found.message);
    let is_settled = !found.settled_by.is_empty();
    let settle = if is_settled { String::new() } else { to_settle(&found.assumes) };
    let note = found.short_note().map(|note| format!("{note}{settle}"));
    for (name, text) in [("help", found.help.as_deref()), ("note", note.as_deref())] {
        if let Some(text) = text {
            message.extend(["\n", name, ": ", text]);
        }
    }
    Diagnostic {
        range,
        severity: Some(severity(found.severity)),
        code: Some(NumberOrString::String(found.rule.id.to_string())),
        code_description: code_description(page, client),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (client.shows_related && !related.is_empty()).then_some(related),
        tags: tags(&found.rule).filter(|_| client.takes_tags),
        data: None,
    }
}

/// The page of a rule.
pub(crate) fn code_description(page: Option<&str>, client: &Client) -> Option<CodeDescription> {
    let page = page.filter(|_| client.takes_code_description)?;
    Some(CodeDescription { href: page.parse::<Uri>().ok()? })
}

/// What can be removed without a change is shown as unnecessary.
fn tags(rule: &RuleRef) -> Option<Vec<DiagnosticTag>> {
    let is_unnecessary = rule.id.ends_with("-without-effect") || rule.reports_unused_suppressions();
    is_unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY])
}

/// A problem that is not a finding: something that keeps a text from being checked.
pub(crate) fn failure(message: String, range: Range) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::ERROR),
        source: Some(SOURCE.to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// An undecided check.
pub(crate) fn undecided(
    undecided: &voxlint::Undecided,
    range: Range,
    page: Option<&str>,
    client: &Client,
) -> Diagnostic {
    let (condition, why) = (undecided.condition(), undecided.why());
    let settle = to_settle(&undecided.assumes);
    Diagnostic {
        range,
        severity: Some(DiagnosticSeverity::HINT),
        code: Some(NumberOrString::String(undecided.rule.id.to_string())),
        code_description: code_description(page, client),
        source: Some(SOURCE.to_owned()),
        message: format!("undecided: {condition}\nnote: {why}{settle}"),
        ..Diagnostic::default()
    }
}

/// A change of a text. What it keeps of a line break is written again, because a range cannot begin or end inside one.
fn text_edit(place: &TextPlace, edit: &voxlint::TextEdit) -> TextEdit {
    let range = range(place, edit.span);
    let before = if place.text.is_in_line_break(edit.span.start) { "\r" } else { "" };
    let after = if place.text.is_in_line_break(edit.span.end) { "\n" } else { "" };
    TextEdit { range, new_text: [before, &*edit.text, after].concat() }
}

/// Changes of texts.
pub(crate) fn workspace_edit(
    edits: impl IntoIterator<Item = (TextPlace, Vec<voxlint::TextEdit>)>,
    client: &Client,
) -> WorkspaceEdit {
    let mut files: BTreeMap<Uri, (Option<i32>, Vec<TextEdit>)> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for (place, edits) in edits {
        let (_, all) = files.entry(place.uri.clone()).or_insert((place.version, Vec::new()));
        for edit in edits {
            let edit = text_edit(&place, &edit);
            // A place may be reached from several documents.
            let Range { start, end } = edit.range;
            let at = (start.line, start.character, end.line, end.character);
            if known.insert((place.uri.clone(), at, edit.new_text.clone())) {
                all.push(edit);
            }
        }
    }
    if !client.takes_versioned_edits {
        let changes: HashMap<Uri, Vec<TextEdit>> =
            files.into_iter().map(|(uri, (_, edits))| (uri, edits)).collect();
        return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let files = files.into_iter().map(|(uri, (version, edits))| TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    let document_changes = Some(DocumentChanges::Edits(files.collect()));
    WorkspaceEdit { document_changes, ..WorkspaceEdit::default() }
}

/// Text in Markdown, or as it is.
fn markup(markdown: String, takes_markdown: bool) -> MarkupContent {
    let kind = if takes_markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    MarkupContent { kind, value: markdown }
}

/// What is shown beside a place.
pub(crate) fn hover(hover: ide::Hover, place: &TextPlace, client: &Client) -> Hover {
    Hover {
        range: Some(range(place, hover.span)),
        contents: HoverContents::Markup(markup(hover.markdown, client.takes_markdown)),
    }
}

/// Something that can be written.
pub(crate) fn completion(
    item: ide::Completion,
    place: &TextPlace,
    client: &Client,
) -> CompletionItem {
    let kind = match item.kind {
        ide::CompletionKind::Field => CompletionItemKind::FIELD,
        ide::CompletionKind::Value => CompletionItemKind::ENUM_MEMBER,
        ide::CompletionKind::Id => CompletionItemKind::REFERENCE,
        ide::CompletionKind::Variable => CompletionItemKind::VARIABLE,
        ide::CompletionKind::Helper => CompletionItemKind::KEYWORD,
        ide::CompletionKind::Rule => CompletionItemKind::CONSTANT,
        ide::CompletionKind::Function => CompletionItemKind::FUNCTION,
    };
    let format =
        if item.is_snippet { InsertTextFormat::SNIPPET } else { InsertTextFormat::PLAIN_TEXT };
    let change = |edit: &voxlint::TextEdit| text_edit(place, edit);
    let edit = change(&item.edit);
    let additional: Vec<TextEdit> = item.additional.iter().map(change).collect();
    CompletionItem {
        label: item.label,
        kind: Some(kind),
        detail: item.detail,
        documentation: item
            .documentation
            .map(|text| Documentation::MarkupContent(markup(text, client.completes_in_markdown))),
        sort_text: Some(format!("{:05}", item.sort)),
        filter_text: item.filter,
        insert_text_format: Some(format),
        text_edit: Some(CompletionTextEdit::Edit(edit)),
        additional_text_edits: (!additional.is_empty()).then_some(additional),
        // The text has its own indentation.
        insert_text_mode: Some(InsertTextMode::AS_IS),
        ..CompletionItem::default()
    }
}

fn symbol_kind(kind: ide::SymbolKind) -> SymbolKind {
    match kind {
        ide::SymbolKind::Object => SymbolKind::OBJECT,
        ide::SymbolKind::List => SymbolKind::ARRAY,
        ide::SymbolKind::Text | ide::SymbolKind::Heading => SymbolKind::STRING,
        ide::SymbolKind::Number => SymbolKind::NUMBER,
        ide::SymbolKind::Flag => SymbolKind::BOOLEAN,
        ide::SymbolKind::Function => SymbolKind::FUNCTION,
        ide::SymbolKind::Variable => SymbolKind::VARIABLE,
        ide::SymbolKind::Null => SymbolKind::NULL,
    }
}

/// A name that a client can show: some reject an empty one.
fn symbol_name(name: String) -> String {
    if name.trim().is_empty() { "(unnamed)".to_owned() } else { name }
}

/// A part of the outline.
#[expect(deprecated, reason = "the type has a field that is deprecated")]
pub(crate) fn symbol(symbol: ide::Symbol, place: &TextPlace) -> DocumentSymbol {
    let children = symbol.children.into_iter().map(|child| self::symbol(child, place));
    DocumentSymbol {
        name: symbol_name(symbol.name),
        detail: symbol.detail,
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: range(place, symbol.span.cover(symbol.selection)),
        selection_range: range(place, symbol.selection),
        children: Some(children.collect()),
    }
}

/// The outline as a list, for clients that have no trees.
#[expect(deprecated, reason = "the type has a field that is deprecated")]
pub(crate) fn flat_symbols(
    symbols: Vec<ide::Symbol>,
    container: Option<&str>,
    place: &TextPlace,
    into: &mut Vec<SymbolInformation>,
) {
    for symbol in symbols {
        let name = symbol_name(symbol.name);
        into.push(SymbolInformation {
            name: name.clone(),
            kind: symbol_kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: location(place, symbol.span),
            container_name: container.map(str::to_owned),
        });
        flat_symbols(symbol.children, Some(&name), place, into);
    }
}

/// The kinds of tokens, in the order of their numbers.
pub(crate) const TOKEN_TYPES: [SemanticTokenType; 10] = [
    SemanticTokenType::MACRO,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::COMMENT,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::PROPERTY,
];

fn token_type(kind: ide::TokenKind) -> u32 {
    let name = match kind {
        ide::TokenKind::Delimiter => SemanticTokenType::MACRO,
        ide::TokenKind::Keyword => SemanticTokenType::KEYWORD,
        ide::TokenKind::Function => SemanticTokenType::FUNCTION,
        ide::TokenKind::Property => SemanticTokenType::PROPERTY,
        ide::TokenKind::Variable => SemanticTokenType::VARIABLE,
        ide::TokenKind::Parameter => SemanticTokenType::PARAMETER,
        ide::TokenKind::String => SemanticTokenType::STRING,
        ide::TokenKind::Number => SemanticTokenType::NUMBER,
        ide::TokenKind::Comment => SemanticTokenType::COMMENT,
        ide::TokenKind::Operator => SemanticTokenType::OPERATOR,
    };
    TOKEN_TYPES.iter().position(|known| *known == name).unwrap_or_default() as u32
}

/// Tokens, each relative to the one before.
pub(crate) fn semantic_tokens(
    tokens: impl IntoIterator<Item = (ide::Token, TextPlace)>,
) -> Vec<SemanticToken> {
    let (mut line, mut column) = (0, 0);
    let mut all = Vec::new();
    for (token, place) in tokens {
        let (start, end) = place.ends(token.span);
        // A token on several lines, or before the last one, cannot be expressed.
        if start.0 != end.0 || end.1 <= start.1 || start < (line, column) {
            continue;
        }
        let delta_line = start.0 - line;
        all.push(SemanticToken {
            delta_line,
            delta_start: if delta_line == 0 { start.1 - column } else { start.1 },
            length: end.1 - start.1,
            token_type: token_type(token.kind),
            token_modifiers_bitset: 0,
        });
        (line, column) = start;
    }
    all
}
