//! The proof of a rename: the texts differ in the names only, and the templates read the same variables.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use voxlint::syntax::NodeId;
use voxlint::{
    Inputs, NameScope, Origin, TextEdit, VariableNames, template_variables, variable_names,
};

use super::{RenameError, is_editable};
use crate::same_tree::{is_same_tree, spelled};

/// Whether the edits rename a variable and change nothing else.
pub(super) fn check(
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
    for origin in edits.keys() {
        let expected = expected_texts(inputs, names, *origin, name, to);
        let is_same = match (inputs.document_of(*origin), after.document_of(*origin)) {
            (Some(old), Some(new)) => !new.has_errors() && is_same_tree(old, new, &expected),
            _ => false,
        };
        if !is_same {
            return Err(changes());
        }
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

/// The texts that change, as they are to be.
fn expected_texts(
    inputs: &Inputs,
    names: &VariableNames,
    origin: Origin,
    name: &str,
    to: &str,
) -> HashMap<NodeId, String> {
    let mut places: HashMap<NodeId, Vec<Range<usize>>> = HashMap::new();
    for found in names.names.iter().filter(|found| found.origin == origin && found.name == name) {
        if found.scope != Some(NameScope::Value) {
            let all = places.entry(found.node).or_default();
            all.push(found.range.clone());
            all.extend(found.closing.iter().map(|(range, _)| range.clone()));
        }
    }
    let tree = inputs.document_of(origin).map(voxlint::Document::tree);
    let texts = places.into_iter().filter_map(|(id, mut ranges)| {
        let text = tree?.node(id)?.as_str()?;
        ranges.sort_by_key(|range| range.start);
        Some((id, spelled(&text, &ranges, name, to)))
    });
    texts.collect()
}
