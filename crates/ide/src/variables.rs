//! Template variables: where they are used and defined, and their new names.

mod new_name;
mod place;
mod rename_error;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use voxlint::schema::settings;
use voxlint::schema::settings::default_dynamic_variables::agent_transfer_destinations;
use voxlint::syntax::edit::{Editor, NewValue};
use voxlint::syntax::{DecodedText, Node, NodeId, Span};
use voxlint::{
    Inputs, NameScope, Origin, SERVICE_VARIABLES, TextEdit, VariableName, VariableNames, Wildcard,
    template_names, template_variables, variable_names,
};
use voxlint_template::{NodeKind, parse};

use self::new_name::Form;
use self::place::is_editable;
pub use self::place::{PlaceRole, VariablePlace};
pub use self::rename_error::RenameError;
use crate::File;
use crate::templates::TEMPLATES;

/// The template variable at an offset, and its name there: a use in a template, or the name of a default. Names of helpers, block
/// parameters and parts of values are not variables.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{File, variable_at};
///
/// let text = r#"{ "version_number": 3, "welcome_message": "Hello {{#if name}}{{name}}{{/if}}" }"#;
/// let inputs = Inputs::new(Document::parse(text));
/// let at = |word: &str| variable_at(File::new(&inputs), text.find(word).unwrap() as u32 + 1);
/// assert_eq!(at("name}}{{").map(|(name, _)| name).as_deref(), Some("name"));
/// assert_eq!(at("if"), None);
/// ```
pub fn variable_at(file: File<'_>, offset: u32) -> Option<(String, Span)> {
    let names = variable_names(file.inputs);
    let touches = |span: Span| span.start <= offset && offset <= span.end;
    let is_near = |found: &&VariableName| {
        let closing = found.closing.as_ref().is_some_and(|(_, span)| touches(*span));
        let is_variable = found.scope != Some(NameScope::Value);
        found.origin == file.origin && is_variable && (touches(found.span) || closing)
    };
    let mut texts = Texts::of(file.inputs);
    let found = names.names.iter().find(is_near)?;
    let places = texts.places(found);
    let place = places.into_iter().find(|place| touches(place.outer))?;
    Some((found.name.clone(), place.span))
}

/// All places of a template variable, over all texts of the inputs, each once and in order: also the defaults that are stored, and
/// uses in stored templates that the document leaves unchanged.
pub fn occurrences(inputs: &Inputs, name: &str) -> Vec<VariablePlace> {
    let mut texts = Texts::of(inputs);
    let mut places: Vec<VariablePlace> = Vec::new();
    for found in variable_names(inputs).names {
        if found.name != name || found.scope == Some(NameScope::Value) {
            continue;
        }
        let span = texts.places(&found).first().map_or(found.span, |place| place.span);
        let place = VariablePlace { origin: found.origin, span, role: role(&found) };
        // Aliases of YAML have the same text.
        if places.last() != Some(&place) {
            places.push(place);
        }
    }
    places
}

const fn role(found: &VariableName) -> PlaceRole {
    if found.scope.is_none() { PlaceRole::Definition } else { PlaceRole::Use }
}

/// The edits that rename a template variable in the document and in its text files: in its uses, in the closing tags of its
/// sections, and in its default. They are in the order of the texts. The stored configuration and the facts are never edited, nor
/// are helpers, block parameters and names inside values that are called the same.
///
/// Every template reads the same variables as before, with the new name.
///
/// # Errors
///
/// If the new name cannot be used, or a place cannot be changed with certainty. The error says why.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{RenameError, rename};
///
/// let text = r#"{ "version_number": 3, "welcome_message": "Hello {{name}}", "default_dynamic_variables": { "name": "you" } }"#;
/// let inputs = Inputs::new(Document::parse(text));
/// assert_eq!(rename(&inputs, "name", "first_name")?.len(), 2);
/// let error = rename(&inputs, "name", "agent_name").unwrap_err();
/// assert_eq!(error.to_string(), "the service provides `agent_name` itself; choose another name");
/// # Ok::<(), RenameError>(())
/// ```
pub fn rename(
    inputs: &Inputs,
    name: &str,
    to: &str,
) -> Result<Vec<(Origin, TextEdit)>, RenameError> {
    let names = variable_names(inputs);
    let own: Vec<&VariableName> = names.names.iter().filter(|found| found.name == name).collect();
    check_old_name(inputs, &names, &own, name)?;
    if name == to {
        return Ok(Vec::new());
    }
    check_new_name(inputs, &names, name, to)?;
    let edits = edits(inputs, &own, to)?;
    check_meaning(inputs, &names, &edits, name, to)?;
    let origins = edits.into_iter();
    Ok(origins.flat_map(|(origin, edits)| edits.into_iter().map(move |it| (origin, it))).collect())
}

/// Whether every template reads the same variables after the edits, with the new name.
fn check_meaning(
    inputs: &Inputs,
    names: &VariableNames,
    edits: &BTreeMap<Origin, Vec<TextEdit>>,
    name: &str,
    to: &str,
) -> Result<(), RenameError> {
    let changes = || RenameError::ChangesMeaning { name: name.to_owned(), to: to.to_owned() };
    let mut after = inputs.clone();
    for (origin, edits) in edits {
        after = after.with_edits(*origin, edits).ok_or_else(changes)?;
    }
    let renamed = variable_names(&after);
    let is_same = names.names.len() == renamed.names.len()
        && renamed.gaps.is_empty()
        && names.names.iter().zip(&renamed.names).all(|(old, new)| {
            let is_renamed =
                old.name == name && old.scope != Some(NameScope::Value) && is_editable(old.origin);
            let expected = if is_renamed { to } else { &old.name };
            (old.origin, old.node, old.scope) == (new.origin, new.node, new.scope)
                && new.name == expected
        });
    // A default that no template uses may get mentions.
    let table = template_variables(&after);
    let variable = table.iter().flat_map(|table| &table.variables).find(|it| it.name == to);
    if !is_same || variable.is_some_and(|variable| !variable.mentions.is_empty()) {
        return Err(changes());
    }
    Ok(())
}

/// Whether all places of a variable are known and can be edited.
fn check_old_name(
    inputs: &Inputs,
    names: &VariableNames,
    own: &[&VariableName],
    name: &str,
) -> Result<(), RenameError> {
    let variable = || own.iter().filter(|found| found.scope != Some(NameScope::Value));
    if name == agent_transfer_destinations.row.name {
        return Err(RenameError::Setting(name.to_owned()));
    }
    if variable().next().is_none() {
        return Err(RenameError::Unknown(name.to_owned()));
    }
    if SERVICE_VARIABLES.contains(&name) {
        return Err(RenameError::OfService(name.to_owned()));
    }
    let texts = inputs.text_files().iter().zip(0..);
    let texts = texts.map(|(text, at)| (Origin::Text(at), text.document()));
    for (origin, document) in [(Origin::Document, inputs.document())].into_iter().chain(texts) {
        if document.has_errors() {
            return Err(RenameError::SyntaxError(origin));
        }
    }
    if let Some(gap) = names.gaps.first() {
        return Err(RenameError::Gap { origin: gap.origin, span: gap.span, cause: gap.cause });
    }
    let place = |found: &VariableName| VariablePlace {
        origin: found.origin,
        span: found.span,
        role: role(found),
    };
    if let Some(found) = variable().find(|found| found.scope == Some(NameScope::Unclear)) {
        return Err(RenameError::Unclear(place(found)));
    }
    let is_default = |found: &VariableName| found.scope.is_none();
    let has_default = variable().any(|it| is_default(it) && it.origin == Origin::Document);
    let is_fixed =
        |found: &VariableName| !(is_editable(found.origin) || (is_default(found) && has_default));
    if let Some(found) = variable().find(|found| is_fixed(found)) {
        return Err(RenameError::Stored(place(found)));
    }
    match mustache_elsewhere(inputs, name).or_else(|| mention(inputs, name)) {
        Some(setting) => Err(RenameError::Mentioned { name: name.to_owned(), setting }),
        None => Ok(()),
    }
}

/// A setting that is not a template and has the variable in a mustache.
fn mustache_elsewhere(inputs: &Inputs, name: &str) -> Option<String> {
    // Whether the service fills in a variable there is not known, but its author thinks so.
    let root = inputs.document().tree().root();
    for member in root.into_iter().flat_map(Node::members) {
        let setting = member.name();
        let is_searched = setting != settings::default_dynamic_variables.row.name
            && !TEMPLATES.iter().any(|row| setting == row.name);
        let texts = [member.value].into_iter().chain(member.value.inside());
        let mut texts = texts.filter(|_| is_searched).filter_map(Node::as_str);
        let reads = |text: &str| {
            let names = template_names(text, &parse(text));
            names.iter().any(|found| found.name == name && found.scope != NameScope::Value)
        };
        if texts.any(|text| text.contains("{{") && reads(&text)) {
            return Some(setting.into_owned());
        }
    }
    None
}

/// A setting that has the name of a default as a word, if no template uses the default.
fn mention(inputs: &Inputs, name: &str) -> Option<String> {
    let table = template_variables(inputs)?;
    let variable = table.variables.into_iter().find(|variable| variable.name == name)?;
    variable.mentions.into_iter().next()
}

fn check_new_name(
    inputs: &Inputs,
    names: &VariableNames,
    name: &str,
    to: &str,
) -> Result<(), RenameError> {
    if to == agent_transfer_destinations.row.name {
        return Err(RenameError::Setting(to.to_owned()));
    }
    if SERVICE_VARIABLES.contains(&to) {
        return Err(RenameError::OfService(to.to_owned()));
    }
    if !new_name::is_usable(to) {
        return Err(RenameError::NotAName(to.to_owned()));
    }
    let is_own_default = |found: &VariableName| {
        found.name == name && found.scope.is_none() && found.origin == Origin::Document
    };
    let has_default = names.names.iter().any(is_own_default);
    // The defaults of the document replace the stored ones.
    let is_replaced = |found: &VariableName| {
        has_default && found.scope.is_none() && found.origin == Origin::Stored
    };
    let is_other = |found: &VariableName| {
        found.name == to && found.scope != Some(NameScope::Value) && !is_replaced(found)
    };
    let is_taken = names.names.iter().any(is_other);
    if is_taken || calls_helper(inputs, names, to) || mustache_elsewhere(inputs, to).is_some() {
        return Err(RenameError::Taken(to.to_owned()));
    }
    let listed = inputs.known_variables().unwrap_or_default();
    let is_listed = |name: &str| listed.iter().any(|known: &Wildcard| known.matches(name));
    if is_listed(name) && !is_listed(to) {
        return Err(RenameError::NotListed { name: name.to_owned(), to: to.to_owned() });
    }
    Ok(())
}

/// Whether a template calls a helper of this name.
fn calls_helper(inputs: &Inputs, names: &VariableNames, name: &str) -> bool {
    names.templates.iter().any(|(origin, id)| {
        let document = inputs.document_of(*origin);
        let text = document.and_then(|it| it.tree().node(*id)).and_then(Node::as_str);
        let Some(text) = text.filter(|text| text.contains("{{") && text.contains(name)) else {
            return false;
        };
        parse(&text).tree.nodes().any(|tag| {
            let is_tag = matches!(
                tag.kind(),
                NodeKind::Mustache | NodeKind::SubExpression | NodeKind::Opening | NodeKind::Else
            );
            let is_call = is_tag
                && (tag.kind() == NodeKind::SubExpression
                    || tag.params().next().is_some()
                    || tag.hash_arguments().next().is_some());
            is_call && tag.head().is_some_and(|head| head.span().of(&text) == name)
        })
    })
}

/// The edits of each text, in its order.
fn edits(
    inputs: &Inputs,
    own: &[&VariableName],
    to: &str,
) -> Result<BTreeMap<Origin, Vec<TextEdit>>, RenameError> {
    let mut texts = Texts::of(inputs);
    let mut edits: BTreeMap<Origin, Vec<TextEdit>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for found in own {
        let is_renamed = found.scope != Some(NameScope::Value) && is_editable(found.origin);
        if !is_renamed {
            continue;
        }
        for place in texts.places(found) {
            if !seen.insert((found.origin, place.span)) {
                continue;
            }
            let at = VariablePlace { origin: found.origin, span: place.span, role: role(found) };
            if !place.is_exact {
                return Err(RenameError::Spelling(at));
            }
            if !place.form.can_write(to) {
                return Err(RenameError::NotAName(to.to_owned()));
            }
            let is_plain = place.form == Form::Key && place.outer == place.span;
            let format = inputs.document_of(found.origin).map(voxlint::Document::format);
            if is_plain && format.is_some_and(|format| new_name::needs_quotes(to, format)) {
                return Err(RenameError::Spelling(at));
            }
            let all = edits.entry(found.origin).or_default();
            if is_table(inputs, found) {
                all.extend(header_edits(inputs, found, to).ok_or(RenameError::Spelling(at))?);
            } else {
                all.push(TextEdit::new(place.span, to));
            }
        }
    }
    for edits in edits.values_mut() {
        edits.sort_by_key(|edit| edit.span);
        edits.dedup();
    }
    Ok(edits)
}

/// Whether a name is that of a default that is a table of TOML, so that several headers may have it.
fn is_table(inputs: &Inputs, found: &VariableName) -> bool {
    let document = inputs.document_of(found.origin).filter(|it| it.format().is_toml());
    let value = document.and_then(|it| it.tree().nodes().nth(found.node.index() + 1));
    found.scope.is_none() && value.is_some_and(Node::is_block)
}

/// The edits that rename a table of TOML, in the quotes that it has.
fn header_edits(inputs: &Inputs, found: &VariableName, to: &str) -> Option<Vec<TextEdit>> {
    let document = inputs.document_of(found.origin)?;
    let editor = Editor::new(document.tree(), document.format());
    let key = document.tree().node(found.node)?;
    // The old name can be restored.
    let keeps_quotes = |edit: &TextEdit| {
        let old = edit.span.slice(document.text());
        match old.chars().next().filter(|first| matches!(first, '"' | '\'')) {
            Some(quote) => edit.text == format!("{quote}{to}{quote}"),
            None => edit.text == to,
        }
    };
    editor.replace(key, NewValue::Text(to)).filter(|edits| edits.iter().all(keeps_quotes))
}

/// A name as it is written.
pub(crate) struct Written {
    /// The name with its brackets or quotes.
    outer: Span,
    /// The name.
    span: Span,
    /// Whether the bytes of the file are those of the name.
    is_exact: bool,
    form: Form,
}

/// The texts that names are in. Names in one text follow each other, so the last one is kept.
struct Texts<'a> {
    inputs: &'a Inputs,
    last: Option<((Origin, NodeId), DecodedText<'a>)>,
}

impl<'a> Texts<'a> {
    const fn of(inputs: &'a Inputs) -> Self {
        Self { inputs, last: None }
    }

    /// A name and its closing tag.
    fn places(&mut self, found: &VariableName) -> Vec<Written> {
        let at = (found.origin, found.node);
        if self.last.as_ref().is_none_or(|(last, _)| *last != at) {
            let document = self.inputs.document_of(found.origin);
            let node = document.and_then(|document| document.tree().node(found.node));
            self.last = node.and_then(|node| Some((at, node.text()?)));
        }
        let source = self.inputs.document_of(found.origin).map_or("", |it| it.text());
        let Some((_, text)) = &self.last else { return Vec::new() };
        let is_key = found.scope.is_none();
        let own = (found.range.clone(), found.span);
        let all = [own].into_iter().chain(found.closing.clone());
        let written = |(range, outer): (Range<usize>, Span)| {
            let written = text.as_str().get(range.clone()).unwrap_or_default();
            let form = if is_key { Form::Key } else { Form::of(written) };
            let inner = match form {
                Form::Bracketed | Form::Quoted => {
                    range.start + 1..range.end.saturating_sub(1).max(range.start + 1)
                }
                Form::Bare | Form::Key => range,
            };
            let span = text.to_source(inner.clone());
            let is_exact = text.as_str().get(inner) == Some(span.slice(source))
                && span.slice(source) == found.name;
            Written { outer, span, is_exact, form }
        };
        all.map(written).collect()
    }
}
