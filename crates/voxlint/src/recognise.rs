//! Which kind of document is this, if any of ours?
//!
//! A linter that passes over a document gives a false green, and one that takes a stranger's file for a document gives
//! false alarms. So two names of 2.3 make an update, and near-misses count: a misspelt name is what we are here for. Names
//! that every other kind of file has do not count by themselves, and neither do a few familiar names in a crowd of strange
//! ones.

use voxlint_schema::{DocumentKind, Row, Table, agent, api_keys, error, settings};
use voxlint_syntax::{Kind, Node};

use crate::document::Document;

/// Names that all sorts of files have: none of them says that a file is ours.
const GENERIC: [&str; 3] = ["title", "description", "timezone"];

/// Where strange names outnumber ours by this much, the file is somebody else's.
const CROWD: usize = 3;

pub(crate) fn kind(document: &Document<'_>) -> Option<DocumentKind> {
    let root = document.tree.root();
    root.and_then(of_value).or_else(|| of_broken_text(document))
}

fn of_value(root: Node<'_>) -> Option<DocumentKind> {
    match root.kind() {
        Kind::Object => of_object(root),
        // Documents in an array are no document, and somebody should be told so.
        Kind::Array => root.elements().find_map(of_object),
        _ => None,
    }
}

fn of_object(root: Node<'_>) -> Option<DocumentKind> {
    let has = |name: &str| root.get(name).is_some();
    if is_error_body(root) {
        Some(DocumentKind::Error)
    } else if is_key_list(root) {
        Some(DocumentKind::ApiKeys)
    } else if is_agent(root) {
        Some(DocumentKind::Agent)
    } else if has("agent_id")
        && has("version_number")
        && only_of(root, &agent::version_summary::TABLE)
    {
        Some(DocumentKind::Version)
    } else if is_update(root) {
        Some(DocumentKind::Update)
    } else {
        None
    }
}

/// All three members, or the status of a refusal beside one of the others.
fn is_error_body(root: Node<'_>) -> bool {
    let [status, message, phrase] =
        ["statusCode", "message", "error"].map(|name| find(root, &error::TABLE, name));
    let refuses = status.and_then(Node::decimal).is_some_and(|status| status >= 400);
    status.is_some()
        && ((message.is_some() && phrase.is_some())
            || (refuses && (message.is_some() || phrase.is_some())))
}

/// A page of a list whose entries look like API keys.
fn is_key_list(root: Node<'_>) -> bool {
    let (Some(data), Some(meta)) = (root.get("data"), root.get("meta")) else { return false };
    let paged =
        meta.members().filter(|member| api_keys::meta::TABLE.row(&member.name()).is_some()).count()
            >= 2;
    let is_key = |entry: Node<'_>| {
        let has_text =
            |name: &str| entry.get(name).is_some_and(|value| value.kind() == Kind::String);
        has_text("id")
            && (entry.get("last_used_at").is_some()
                || entry.get("is_expired").is_some()
                || entry.members().all(|member| is_of_a_key(&member.name())))
    };
    paged && data.elements().any(is_key)
}

fn is_of_a_key(name: &str) -> bool {
    api_keys::entry::TABLE.row(name).is_some()
        || crate::secrets::is_secret_name(name)
        || name == "key"
}

/// The type of an agent beside something else that only an agent has, and nothing that only settings have: an update that
/// sends back an agent is an update all the same.
fn is_agent(root: Node<'_>) -> bool {
    let has = |name| find(root, &agent::TABLE, name).is_some();
    let others = ["id", "versions", "current_version", "current_version_number"]
        .into_iter()
        .filter(|name| has(name));
    let count = others.count();
    ((has("agent_type") && count >= 1) || (has("versions") && count >= 3))
        && only_of(root, &agent::TABLE)
}

/// No member that only the settings of a version have.
fn only_of(root: Node<'_>, table: &Table) -> bool {
    root.members().all(|member| {
        let name = member.name();
        settings::TABLE.row(&name).is_none() || table.row(&name).is_some()
    })
}

/// The value of a member of that name, or of a near-miss of it.
fn find<'a>(root: Node<'a>, table: &Table, name: &str) -> Option<Node<'a>> {
    root.get(name).or_else(|| {
        let near = |member: &voxlint_syntax::Member<'_>| {
            let written = member.name();
            table.row(&written).is_none() && is_near_miss(&written, name)
        };
        root.members().find(near).map(|member| member.value)
    })
}

/// Two different fields of 2.3, spelled right or nearly so, of which one is not generic; or a version number.
fn is_update(root: Node<'_>) -> bool {
    let mut seen: Vec<&Row> = Vec::new();
    let mut strange = 0;
    for member in root.members() {
        match setting(&member.name()) {
            Some(row) if !seen.iter().any(|known| std::ptr::eq(*known, row)) => seen.push(row),
            Some(_) => {}
            None => strange += 1,
        }
    }
    let telling = seen.iter().filter(|row| !GENERIC.contains(&row.name)).count();
    let is_crowd = strange > CROWD * seen.len();
    let numbered = root.get("version_number");
    let is_release =
        numbered.and_then(Node::as_str).is_some_and(|number| is_release_number(&number));
    if is_release && telling == 1 {
        // The version of a package, not of an agent.
        return false;
    }
    let cut_short = root.is_incomplete() && telling >= 1;
    (!is_crowd && ((telling >= 1 && seen.len() >= 2) || cut_short)) || numbered.is_some()
}

/// `1.4.0`, as packages number their versions.
fn is_release_number(text: &str) -> bool {
    let parts = text.split('.');
    parts.clone().count() == 3
        && parts.into_iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn setting(name: &str) -> Option<&'static Row> {
    let table = &settings::TABLE;
    table.row(name).or_else(|| table.rows.iter().copied().find(|row| is_near_miss(name, row.name)))
}

/// Whether a name is the other with one slip of the pen, or in another style of writing: `verison_number`,
/// `versionNumber`. Stricter than did-you-mean: `session_number` and `invoice_id` are words of their own.
fn is_near_miss(name: &str, of: &str) -> bool {
    let flat = |text: &str| -> String {
        text.chars()
            .filter(|c| !matches!(c, '_' | '-' | ' '))
            .flat_map(char::to_lowercase)
            .collect()
    };
    if name.len().abs_diff(of.len()) > 3 {
        return false;
    }
    let (written, meant) = (flat(name), flat(of));
    if written == meant {
        return true;
    }
    meant.len() >= 8
        && written.chars().next() == meant.chars().next()
        && strsim::osa_distance(&written, &meant) <= 1
}

/// A text so broken that its members cannot be told, and that still names our fields.
fn of_broken_text(document: &Document<'_>) -> Option<DocumentKind> {
    let unreadable = match document.tree.root() {
        None => true,
        Some(root) => root.kind() != Kind::Array && root.members().next().is_none(),
    };
    let speaks = !document.errors.is_empty()
        && unreadable
        && (document.mentions_settings || mentions_settings(document.text()));
    speaks.then_some(DocumentKind::Update)
}

/// Whether a text gives a value to a field that no other kind of file would have.
pub(crate) fn mentions_settings(text: &str) -> bool {
    settings::TABLE.rows.iter().filter(|row| row.name.contains('_')).any(|row| {
        text.match_indices(row.name).any(|(at, name)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + name.len()..).unwrap_or_default();
            let after = after.trim_start_matches(['"', '\'', ' ', '\t']);
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                && after.starts_with([':', '='])
        })
    })
}
