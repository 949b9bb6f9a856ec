//! Template variables: where they are used and defined, and their new names.

use voxlint::schema::settings;
use voxlint::schema::settings::default_dynamic_variables::agent_transfer_destinations;
use voxlint::syntax::Node;
use voxlint::{
    GapCause, Inputs, NameScope, Origin, SERVICE_VARIABLES, VariableName, VariableNames, Wildcard,
    template_variables, variable_names,
};

use super::new_name;
use super::place::{PlaceRole, is_editable};
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
    if mention(&after, to).is_some() || !variable_names(&after).gaps.is_empty() {
        return Err(RenameError::changes_meaning(name, to));
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
        return Err(RenameError::setting(name));
    }
    if variable().next().is_none() {
        let unknown = RenameError::new(format!("there is no template variable `{name}`"));
        return Err(RenameError { is_unknown: true, ..unknown });
    }
    if SERVICE_VARIABLES.contains(&name) {
        return Err(RenameError::of_service(name));
    }
    written::check_syntax(inputs)?;
    if let Some(gap) = names.gaps.first() {
        let why = match gap.cause {
            GapCause::Error => "a template has a syntax error that may hide uses; fix it first",
            _ => {
                "a template reads all variables at once, so some uses are not known; rename it by hand"
            }
        };
        return Err(RenameError::new(why).at(gap.origin, gap.span));
    }
    if let Some(found) = variable().find(|found| found.scope == Some(NameScope::Unclear)) {
        let why = "inside a section it depends on the section's value whether a name is the variable; write `{{#if …}}` there";
        return Err(RenameError::new(why).at(found.origin, found.span));
    }
    let is_default = |found: &VariableName| found.scope.is_none();
    let has_default = variable().any(|it| is_default(it) && it.origin == Origin::Document);
    let is_fixed =
        |found: &VariableName| !(is_editable(found.origin) || (is_default(found) && has_default));
    if let Some(found) = variable().find(|found| is_fixed(found)) {
        return Err(RenameError::stored().at(found.origin, found.span));
    }
    match mention(inputs, name) {
        Some(setting) => Err(RenameError::new(format!(
            "`{setting}` also mentions `{name}`, and it is not known whether the service fills it in there; rename it by hand"
        ))),
        None => Ok(()),
    }
}

/// A setting that is not a template and has the variable in a mustache, or as a word if no template uses it.
fn mention(inputs: &Inputs, name: &str) -> Option<String> {
    let has_it = |text: &str| text.contains("{{") && text.contains(name);
    let is_other = |setting: &str| {
        setting != settings::default_dynamic_variables.row.name
            && !TEMPLATES.iter().any(|row| setting == row.name)
    };
    let root = inputs.document().tree().root();
    let mut members = root.into_iter().flat_map(Node::members).filter(|it| is_other(&it.name()));
    let found = members.find(|member| {
        let mut texts = [member.value].into_iter().chain(member.value.inside());
        texts.any(|text| text.as_str().is_some_and(|text| has_it(&text)))
    });
    found.map(|member| member.name().into_owned()).or_else(|| {
        let variables = template_variables(inputs)?.variables;
        variables.into_iter().find(|it| it.name == name)?.mentions.into_iter().next()
    })
}

fn check_new_name(
    inputs: &Inputs,
    names: &VariableNames,
    name: &str,
    to: &str,
) -> Result<(), RenameError> {
    if to == agent_transfer_destinations.row.name {
        return Err(RenameError::setting(to));
    }
    if SERVICE_VARIABLES.contains(&to) {
        return Err(RenameError::of_service(to));
    }
    if !new_name::is_usable(to) {
        return Err(RenameError::not_a_variable(to));
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
    if is_taken {
        return Err(RenameError::new(format!(
            "`{to}` is already used with another meaning; choose another name"
        )));
    }
    let listed = inputs.known_variables().unwrap_or_default();
    let is_listed = |name: &str| listed.iter().any(|known: &Wildcard| known.matches(name));
    if is_listed(name) && !is_listed(to) {
        return Err(RenameError::new(format!(
            "calls provide `{name}`, as `voxlint.toml` says; add `{to}` to its `variables` first"
        )));
    }
    Ok(())
}
