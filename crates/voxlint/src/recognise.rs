//! Which kind of document is this, if any of ours?
//!
//! A linter that passes over a document gives a false green, and one that takes a stranger's file for a document gives
//! false alarms. So two names of 2.3 make an update, and near-misses count: a misspelt name is what we are here for.

use voxlint_schema::{DocumentKind, Row, agent, api_keys, settings};
use voxlint_syntax::{Kind, Node};

use crate::document::Document;
use crate::suggest;

/// Names that every other kind of file has, too.
const GENERIC: [&str; 2] = ["title", "description"];

pub(crate) fn kind(document: &Document<'_>) -> Option<DocumentKind> {
    let root = document.tree.root();
    root.and_then(of_value).or_else(|| of_broken_text(document))
}

fn of_value(root: Node<'_>) -> Option<DocumentKind> {
    match root.kind() {
        Kind::Object => of_object(root),
        // Documents in an array are no document, and somebody should be told so.
        Kind::Array => {
            root.elements().find_map(|element| of_object(element).filter(|kind| kind.is_sent()))
        }
        _ => None,
    }
}

fn of_object(root: Node<'_>) -> Option<DocumentKind> {
    let has = |name: &str| root.get(name).is_some();
    if has("statusCode") && (has("message") || has("error")) {
        Some(DocumentKind::Error)
    } else if is_key_list(root) {
        Some(DocumentKind::ApiKeys)
    } else if has("agent_type")
        && (has("id") || has("versions") || has("current_version"))
        && is_agent(root)
    {
        Some(DocumentKind::Agent)
    } else if has("agent_id") && has("version_number") && is_summary(root) {
        Some(DocumentKind::Version)
    } else if has("version_number") || has_two_settings(root) {
        Some(DocumentKind::Update)
    } else {
        None
    }
}

/// A list of something with page numbers, whose entries look like API keys.
fn is_key_list(root: Node<'_>) -> bool {
    let (Some(data), Some(meta)) = (root.get("data"), root.get("meta")) else { return false };
    if data.kind() != Kind::Array
        || !meta.members().any(|member| api_keys::meta::TABLE.row(&member.name()).is_some())
    {
        return false;
    }
    match data.elements().next() {
        None => true,
        Some(entry) => {
            entry.get("last_used_at").is_some()
                || entry.get("is_expired").is_some()
                || entry.members().all(|member| {
                    let name = member.name();
                    api_keys::entry::TABLE.row(&name).is_some()
                        || matches!(&*name, "secret" | "key" | "token")
                })
        }
    }
}

/// No member that only the settings of a version have: an update that sends back an agent is an update all the same.
fn is_agent(root: Node<'_>) -> bool {
    root.members().all(|member| {
        let name = member.name();
        settings::TABLE.row(&name).is_none() || agent::TABLE.row(&name).is_some()
    })
}

/// No member that only the settings of a version have.
fn is_summary(root: Node<'_>) -> bool {
    root.members().all(|member| {
        let name = member.name();
        settings::TABLE.row(&name).is_none() || agent::version_summary::TABLE.row(&name).is_some()
    })
}

/// Two different fields of 2.3, spelled right or nearly so, that are not both generic.
fn has_two_settings(root: Node<'_>) -> bool {
    let mut first: Option<&Row> = None;
    for member in root.members() {
        let Some(row) = setting(&member.name()) else { continue };
        match first {
            None => first = Some(row),
            Some(other) if std::ptr::eq(other, row) => {}
            Some(other) if GENERIC.contains(&other.name) && GENERIC.contains(&row.name) => {}
            Some(_) => return true,
        }
    }
    false
}

fn setting(name: &str) -> Option<&'static Row> {
    let rows = &settings::TABLE;
    rows.row(name).or_else(|| {
        suggest::nearest(name, rows.rows.iter().map(|row| row.name)).and_then(|near| rows.row(near))
    })
}

/// A text so broken that its members cannot be told, and that still speaks of our fields.
fn of_broken_text(document: &Document<'_>) -> Option<DocumentKind> {
    if document.errors.is_empty() {
        return None;
    }
    let speaks = document.mentions_settings || mentions_settings(document.text());
    speaks.then_some(DocumentKind::Update)
}

/// Whether a text holds the name of a field that no other kind of file would have.
pub(crate) fn mentions_settings(text: &str) -> bool {
    settings::TABLE.rows.iter().any(|row| row.name.contains('_') && text.contains(row.name))
}
