//! The functions of an agent: where they are listed and mentioned, and their new names.

use std::borrow::Cow;

use voxlint::schema::Role;
use voxlint::schema::settings::{agent_function, agent_functions};
use voxlint::syntax::{Kind, Node};
use voxlint::{Inputs, Origin, variable_names};
use voxlint_model::heard::{MAX_NAME, is_in_accepted_name, mentions};
use voxlint_model::suggest::is_respelling;

use super::place::{PlaceRole, is_editable};
use super::rename_error::RenameError;
use super::written::{self, Edits, Found};
use crate::cursor::Step;
use crate::slot::{Slot, What};

/// The functions of the effective configuration.
#[derive(Debug)]
pub(crate) struct Functions<'a> {
    /// The input with the list.
    pub(crate) origin: Origin,
    list: Node<'a>,
}

impl<'a> Functions<'a> {
    /// The functions, if they are known.
    pub(crate) fn of(inputs: &'a Inputs) -> Option<Self> {
        let (list, origin) = inputs.effective_value(agent_functions.row)?;
        Some(Self { origin, list })
    }

    /// The entries with their names.
    pub(crate) fn named(&self) -> impl Iterator<Item = (Cow<'a, str>, Node<'a>)> {
        let named = |entry: Node<'a>| Some((display_name(entry)?.as_str()?, entry));
        self.list.elements().filter_map(named)
    }
}

fn display_name(entry: Node<'_>) -> Option<Node<'_>> {
    entry.get(agent_function::displayName.row.name).filter(|it| it.kind() == Kind::String)
}

/// The places of all functions, in the order of the texts: their names in the list, and where texts mention them. None if the
/// functions are not known.
pub(super) fn all(inputs: &Inputs) -> Vec<Found> {
    let Some(functions) = Functions::of(inputs) else { return Vec::new() };
    let names: Vec<Cow<'_, str>> = functions.named().map(|(name, _)| name).collect();
    let entries = functions.list.elements().filter_map(display_name);
    let entry = |node: Node<'_>| {
        let name = node.as_str()?.into_owned();
        let range = 0..name.len();
        let (node, span) = (node.id(), node.span());
        let (origin, role) = (functions.origin, PlaceRole::Definition);
        Some(Found { name, origin, node, range, span, closing: None, is_in_tag: false, role })
    };
    let mut all: Vec<Found> = entries.filter_map(entry).collect();
    for (origin, node) in texts(inputs) {
        let Some(text) = node.text() else { continue };
        let found = mentions(text.as_str(), names.iter().map(AsRef::as_ref));
        all.extend(found.into_iter().filter_map(|mention| {
            let role = if mention.is_certain { PlaceRole::Use } else { PlaceRole::Possible };
            Some(Found {
                name: text.as_str().get(mention.range.clone())?.to_owned(),
                origin,
                node: node.id(),
                span: text.to_source(mention.range.clone()),
                range: mention.range,
                closing: None,
                is_in_tag: false,
                role,
            })
        }));
    }
    all.sort_by_key(|found| (found.origin, found.span, found.node));
    all
}

/// The texts that may mention functions: the templates, and what else the document tells the language model.
fn texts(inputs: &Inputs) -> Vec<(Origin, Node<'_>)> {
    let node = |(origin, id)| Some((origin, inputs.document_of(origin)?.tree().node(id)?));
    let mut texts: Vec<_> = variable_names(inputs).templates.into_iter().filter_map(node).collect();
    let kind = inputs.checked_as();
    if let Some(root) = inputs.document().tree().root().filter(|_| kind.has_settings()) {
        add_instructions(Slot::root(kind), root, &mut texts);
    }
    texts
}

fn add_instructions<'a>(slot: Slot, node: Node<'a>, texts: &mut Vec<(Origin, Node<'a>)>) {
    match slot.what {
        What::Text(text) if text.role == Role::Instruction && node.kind() == Kind::String => {
            texts.push((Origin::Document, node));
        }
        _ => {
            let fields = node.members().map(|it| (Step::Name(it.name().into_owned()), it.value));
            let items = node.elements().enumerate().map(|(at, item)| (Step::Item(at), item));
            for (step, value) in fields.chain(items) {
                if let Some(slot) = slot.below(&step) {
                    add_instructions(slot, value, texts);
                }
            }
        }
    }
}

/// The edits that rename a function: in its entry, where a text calls it, and where it is in code marks.
pub(super) fn rename(inputs: &Inputs, name: &str, to: &str) -> Result<Edits, RenameError> {
    let functions = Functions::of(inputs).ok_or_else(|| {
        let why = "it is not known which functions the agent has; provide its stored configuration";
        RenameError::new(why).at(Origin::Document, None)
    })?;
    let names = all(inputs);
    let is_own = |found: &&Found| found.name == name && found.role != PlaceRole::Possible;
    let own: Vec<&Found> = names.iter().filter(is_own).collect();
    if !own.iter().any(|found| found.role == PlaceRole::Definition) {
        let unknown = RenameError::new(format!("the agent has no function `{name}`"));
        return Err(RenameError { is_unknown: true, ..unknown });
    }
    written::check_syntax(inputs)?;
    if let Some(found) = own.iter().find(|found| !is_editable(found.origin)) {
        return Err(RenameError::stored().at(found.origin, found.span));
    }
    if name == to {
        return Ok(Edits::new());
    }
    if to.is_empty() || to.len() > MAX_NAME || !to.chars().all(is_in_accepted_name) {
        return Err(RenameError::new(format!(
            "interfaces of language models reject `{to}` as the name of a function; use at most 64 ASCII letters, digits, `_` and `-`"
        )));
    }
    let mut others = functions.named().filter(|(other, _)| other != name);
    if others.any(|(other, _)| is_respelling(&other, to)) {
        return Err(RenameError::new(format!(
            "another function is called `{to}`, perhaps in another spelling; choose another name"
        )));
    }
    let edits = written::edits(inputs, own, to)?;
    written::renamed(inputs, &edits, all, [name, to])?;
    Ok(edits)
}
