//! Template variables: where they are used and defined, and their new names.

use voxlint::schema::settings;
use voxlint::schema::settings::default_dynamic_variables::agent_transfer_destinations;
use voxlint::syntax::Node;
use voxlint::{
    Inputs, NameScope, Origin, SERVICE_VARIABLES, VariableName, VariableNames, Wildcard,
    template_names, template_variables, variable_names,
};
use voxlint_template::{NodeKind, parse};

use super::new_name;
use super::place::{Name, NamePlace, PlaceRole, is_editable};
use super::rename_error::RenameError;
use super::written::{self, Edits, Found};
use crate::templates::TEMPLATES;

/// The names of template variables, in the order of the texts. Names of helpers, block parameters and parts of values are not
/// among them.
pub(super) fn all(inputs: &Inputs) -> Vec<Found> {
    variable_names(inputs).names.into_iter().filter_map(found).collect()
}

/// The name of a variable as one that is written somewhere.
fn found(found: VariableName) -> Option<Found> {
    let is_variable = found.scope != Some(NameScope::Value);
    is_variable.then(|| Found {
        role: role(&found),
        name: found.name,
        origin: found.origin,
        node: found.node,
        range: found.range,
        span: found.span,
        closing: found.closing,
        is_in_tag: found.scope.is_some(),
    })
}

const fn role(found: &VariableName) -> PlaceRole {
    if found.scope.is_none() { PlaceRole::Definition } else { PlaceRole::Use }
}

/// The edits that rename a template variable: in its uses, in the closing tags of its sections, and in its default.
pub(super) fn rename(inputs: &Inputs, name: &str, to: &str) -> Result<Edits, RenameError> {
    let names = variable_names(inputs);
    let own: Vec<&VariableName> = names.names.iter().filter(|found| found.name == name).collect();
    check_old_name(inputs, &names, &own, name)?;
    if name == to {
        return Ok(Edits::new());
    }
    check_new_name(inputs, &names, name, to)?;
    let own: Vec<Found> = own.into_iter().cloned().filter_map(found).collect();
    let edits = written::edits(inputs, &own, to)?;
    let after = written::renamed(inputs, &edits, all, [name, to])?;
    // A default that no template uses may get mentions.
    let table = template_variables(&after);
    let variable = table.iter().flat_map(|table| &table.variables).find(|it| it.name == to);
    let is_mentioned = variable.is_some_and(|variable| !variable.mentions.is_empty());
    if is_mentioned || !variable_names(&after).gaps.is_empty() {
        return Err(RenameError::ChangesMeaning { name: name.to_owned(), to: to.to_owned() });
    }
    Ok(edits)
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
        return Err(RenameError::Unknown(Name::Variable(name.to_owned())));
    }
    if SERVICE_VARIABLES.contains(&name) {
        return Err(RenameError::OfService(name.to_owned()));
    }
    written::check_syntax(inputs)?;
    if let Some(gap) = names.gaps.first() {
        return Err(RenameError::Gap { origin: gap.origin, span: gap.span, cause: gap.cause });
    }
    let place = |found: &VariableName| NamePlace {
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
        return Err(RenameError::NotAName(Name::Variable(to.to_owned())));
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
        return Err(RenameError::Taken(Name::Variable(to.to_owned())));
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
