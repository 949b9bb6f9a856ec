//! What the inputs say beyond the document: ids, names of variables.

use std::collections::BTreeSet;

use voxlint::schema::{Catalogue, facts};
use voxlint::syntax::{Kind, Node};
use voxlint::{Inputs, SERVICE_VARIABLES, TemplateVariable, VariableSource, template_variables};

/// An id of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownId {
    pub(crate) id: String,
    /// What the facts say about it, such as its provider.
    pub(crate) about: Option<String>,
}

/// The ids of a catalogue that the facts list, in their order.
pub(crate) fn ids(inputs: &Inputs, catalogue: Catalogue) -> Vec<KnownId> {
    let Some(root) = inputs.known_facts().and_then(|facts| facts.document().tree().root()) else {
        return Vec::new();
    };
    let mut ids: Vec<KnownId> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |id: String, about: Option<String>| {
        if seen.insert(id.clone()) {
            ids.push(KnownId { id, about });
        }
    };
    if catalogue == Catalogue::VoiceModels {
        let voices = root.get(facts::voices.row.name);
        for voice in voices.into_iter().flat_map(Node::members) {
            let models = voice.value.get(facts::voice::models.row.name);
            for model in models.into_iter().flat_map(Node::elements) {
                if let Some(id) = model.as_str() {
                    add(id.into_owned(), Some(format!("of the voice {}", voice.name())));
                }
            }
        }
        return ids;
    }
    let Some(list) = catalogue.fact().and_then(|row| root.get(row.name)) else { return ids };
    let transcribers = root.get(facts::transcribers.row.name);
    match list.kind() {
        Kind::Object => {
            for entry in list.members() {
                add(entry.name().into_owned(), about(entry.value));
            }
        }
        _ => {
            for item in list.elements() {
                if let Some(id) = item.as_str() {
                    let entry = transcribers
                        .filter(|_| catalogue == Catalogue::FallbackTranscribers)
                        .and_then(|all| all.get(&id));
                    add(id.into_owned(), entry.and_then(about));
                }
            }
        }
    }
    ids
}

/// What the facts say about an entry with an id.
fn about(entry: Node<'_>) -> Option<String> {
    if let Some(name) = entry.as_str() {
        return Some(name.into_owned());
    }
    let text = |name: &str| entry.get(name).and_then(|value| Some(value.as_str()?.into_owned()));
    let name = text("name").or_else(|| text("title"));
    let provider = text("provider").map(|provider| format!("provider {provider}"));
    let parts: Vec<String> = name.into_iter().chain(provider).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The variables that a template can use, sorted by name.
pub(crate) fn variables(inputs: &Inputs) -> Vec<(String, Option<VariableSource>)> {
    let used = template_variables(inputs).into_iter().flat_map(|table| table.variables);
    let mut all: Vec<(String, Option<VariableSource>)> =
        used.map(|TemplateVariable { name, source, .. }| (name, source)).collect();
    let listed = inputs.known_variables().unwrap_or_default().iter();
    let listed = listed.filter(|name| name.is_literal()).map(|name| name.as_str().to_owned());
    all.extend(listed.map(|name| (name, Some(VariableSource::Listed))));
    let service = SERVICE_VARIABLES.into_iter().map(str::to_owned);
    all.extend(service.map(|name| (name, Some(VariableSource::Service))));
    // A name that something provides comes before the same name without a source.
    all.sort_by_key(|(name, source)| (name.clone(), source.is_none()));
    all.dedup_by(|next, first| next.0 == first.0);
    all
}
