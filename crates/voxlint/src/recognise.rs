//! Which kind of document is this, if any of ours?
//!
//! A linter that passes over a document gives a false green, and one that takes a stranger's file for a document gives
//! false alarms. So two names of 2.3 make an update, and near-misses count: a misspelt name is what we are here for.

use voxlint_schema::{DocumentKind, Row, Table, agent, api_keys, error, settings};
use voxlint_syntax::{Kind, Node};

use crate::document::Document;
use crate::{secrets, suggest};

/// Names that every other kind of file has, too.
const GENERIC: [&str; 4] = ["title", "description", "timezone", "is_published"];

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
    if is_error_body(root) {
        Some(DocumentKind::Error)
    } else if is_key_list(root) {
        Some(DocumentKind::ApiKeys)
    } else if names_an_agent(root) && is_agent(root) {
        Some(DocumentKind::Agent)
    } else if has("agent_id") && has("version_number") && is_summary(root) {
        Some(DocumentKind::Version)
    } else if names_a_version(root) || has_two_settings(root) {
        Some(DocumentKind::Update)
    } else {
        None
    }
}

/// A status with its words. What else answers with a `statusCode` has a body or headers beside it, as in a mock or in the
/// answer of a function, or speaks of success.
fn is_error_body(root: Node<'_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    let Some(status) = root.get(error::statusCode.row.name) else { return false };
    let is_success = status.decimal().is_some_and(|status| status < 400);
    let is_worded = has("message") && has("error");
    (is_worded || (!is_success && (has("message") || has("error"))))
        && !["body", "headers", "isBase64Encoded"].into_iter().any(has)
        && Names::of(root, &error::TABLE).are_mostly_known()
}

/// A page of a list, whose entries look like API keys.
fn is_key_list(root: Node<'_>) -> bool {
    let (Some(data), Some(meta)) = (root.get("data"), root.get("meta")) else { return false };
    let numbers = Names::of(meta, &api_keys::meta::TABLE);
    if data.kind() != Kind::Array || numbers.known == 0 {
        return false;
    }
    if data.elements().any(is_surely_a_key) {
        return true;
    }
    // Entries with no more than an id, a name and a date could be anything, unless all else is as it is described.
    let is_as_described = numbers == Names { known: 3, strange: 0 }
        && Names::of(root, &api_keys::TABLE) == Names { known: 2, strange: 0 };
    is_as_described && data.elements().all(may_be_a_key)
}

/// An entry that tells when the key was used or whether it has expired, or that shows a secret beside what a key has.
fn is_surely_a_key(entry: Node<'_>) -> bool {
    let mut names = Names::of(entry, &api_keys::entry::TABLE);
    let secrets = entry.members().filter(|member| speaks_of_a_secret(&member.name())).count();
    names.strange -= secrets;
    let has = |name: &str| entry.get(name).is_some();
    if has("last_used_at") || has("is_expired") {
        names.known + secrets > names.strange
    } else {
        secrets > 0 && names.known > 0 && names.strange == 0
    }
}

fn may_be_a_key(entry: Node<'_>) -> bool {
    let is_text = |name: &str| entry.get(name).is_some_and(|value| value.kind() == Kind::String);
    is_text("id")
        && is_text("name")
        && is_text("created_at")
        && Names::of(entry, &api_keys::entry::TABLE).strange == 0
}

fn speaks_of_a_secret(name: &str) -> bool {
    secrets::is_secret_name(name) || name.eq_ignore_ascii_case("key")
}

/// How many members of an object a table names, and how many it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Names {
    known: usize,
    strange: usize,
}

impl Names {
    fn of(object: Node<'_>, table: &Table) -> Self {
        let known = object.members().filter(|member| table.row(&member.name()).is_some()).count();
        Self { known, strange: object.members().count() - known }
    }

    fn are_mostly_known(self) -> bool {
        self.known >= self.strange
    }
}

/// The type of an agent or the number of its version, beside another member that only agents have.
fn names_an_agent(root: Node<'_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    let lists_versions = has("versions") || has("current_version");
    (has("agent_type") && (has("id") || lists_versions || has("current_version_number")))
        || (has("current_version_number") && lists_versions)
}

/// The number of a version. Elsewhere the name stands for a release, such as 1.2.0.
fn names_a_version(root: Node<'_>) -> bool {
    root.get(settings::version_number.row.name).is_some_and(|number| !is_release(number))
}

fn is_release(number: Node<'_>) -> bool {
    number.as_str().is_some_and(|text| text.matches('.').count() > 1)
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
        if std::ptr::eq(row, settings::version_number.row) && is_release(member.value) {
            continue;
        }
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
