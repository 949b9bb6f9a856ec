//! Which kind of document is this, if any of ours?
//!
//! A linter that passes over a document gives a false green, and one that takes a stranger's file for a document gives
//! false alarms. So two names of 2.3 make an update, and near-misses count: a misspelt name is what we are here for. Names
//! that every other kind of file has do not count by themselves, and neither do a few familiar names in a crowd of strange
//! ones.

use voxlint_schema::{DocumentKind, Row, Table, agent, api_keys, error, facts, settings, stored};
use voxlint_syntax::{Format, Kind, Node};

use crate::document::Document;
use crate::secrets;
use crate::value::fits;

/// Names that all sorts of files have: none of them says that a file is ours.
const GENERIC: [&str; 4] = ["title", "description", "timezone", "is_published"];

/// The two of them that say nothing even when nothing stands beside them.
const COMMONEST: [&str; 2] = ["title", "description"];

/// Where strange names outnumber ours by this much, the file is somebody else's.
const CROWD: usize = 3;

pub(crate) fn kind(document: &Document<'_>) -> Option<DocumentKind> {
    let root = document.tree.root();
    let kind = root.and_then(of_value).or_else(|| of_broken_text(document));
    kind.filter(|kind| *kind != DocumentKind::Update || is_told_apart(document))
}

/// Settings of all sorts are kept in YAML and TOML, so that there two telling names are wanted, or a version number.
fn is_told_apart(document: &Document<'_>) -> bool {
    let Some(root) = document.tree.root() else { return true };
    if matches!(document.format(), Format::Json | Format::Jsonc) || root.kind() != Kind::Object {
        return true;
    }
    let rows = root.members().filter_map(|member| setting(&member.name()));
    let telling = rows.filter(|row| !GENERIC.contains(&row.name)).count();
    telling >= 2 || root.is_incomplete() || root.get("version_number").is_some()
}

/// Whether a template is a page of a web site, and not a prompt: it begins with a tag that only pages begin with.
pub(crate) fn is_page(text: &str) -> bool {
    const TAGS: [&str; 12] = [
        "!doctype", "html", "head", "body", "div", "section", "main", "nav", "ul", "table", "form",
        "span",
    ];
    let text = text.trim_start();
    let Some(tag) = text.strip_prefix('<') else { return false };
    let end = tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '!').unwrap_or(tag.len());
    let name = tag.get(..end).unwrap_or_default();
    TAGS.iter().any(|known| name.eq_ignore_ascii_case(known))
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
    } else if is_stored(root) {
        Some(DocumentKind::Stored)
    } else if is_facts(root) {
        Some(DocumentKind::Facts)
    } else if names_an_agent(root) && is_agent(root) {
        Some(DocumentKind::Agent)
    } else if has("agent_id") && has("version_number") && is_summary(root) {
        Some(DocumentKind::Version)
    } else if is_update(root) {
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
        && (has_all_of_an_error(root) || Names::of(root, &error::TABLE).are_mostly_known())
}

/// All three members, each of its type: whatever else is beside them.
fn has_all_of_an_error(root: Node<'_>) -> bool {
    error::TABLE
        .rows
        .iter()
        .all(|row| root.get(row.name).is_some_and(|value| fits(row.shape, value)))
}

/// A list whose entries are surely API keys, or the page of a list whose entries may be keys and are nothing else.
fn is_key_list(root: Node<'_>) -> bool {
    let Some(data) = root.get("data").filter(|data| data.kind() == Kind::Array) else {
        return false;
    };
    if data.elements().any(is_surely_a_key) {
        return true;
    }
    let Some(meta) = root.get("meta") else { return false };
    let numbers = Names::of(meta, &api_keys::meta::TABLE);
    // An empty page could be of any list, unless all else is as it is described.
    let is_as_described = numbers == Names { known: 3, strange: 0 }
        && Names::of(root, &api_keys::TABLE) == Names { known: 2, strange: 0 };
    let is_empty = data.elements().next().is_none();
    (is_as_described || (numbers.known > 0 && !is_empty)) && data.elements().all(may_be_a_key)
}

/// An entry that tells when the key was used or whether it has expired, or that shows a secret beside what a key has.
fn is_surely_a_key(entry: Node<'_>) -> bool {
    let mut names = Names::of(entry, &api_keys::entry::TABLE);
    let secrets = entry.members().filter(|member| speaks_of_a_secret(&member.name())).count();
    names.strange -= secrets;
    let has = |name: &str| entry.get(name).is_some();
    let id = entry.get("id").and_then(Node::as_str);
    // The ids of other lists are often numbers, and those of keys never are.
    let is_numbered = entry.get("id").is_none_or(|id| id.kind() == Kind::Number);
    if has("last_used_at") || has("is_expired") {
        !is_numbered && names.known + secrets > names.strange
    } else {
        (secrets > 0 && names.known > 0 || id.is_some_and(|id| id.contains(':') && has("name")))
            && names.strange == 0
    }
}

/// A text as the id, and nothing that keys do not have.
fn may_be_a_key(entry: Node<'_>) -> bool {
    let names = Names::of(entry, &api_keys::entry::TABLE);
    let is_text = entry.get("id").is_some_and(|id| id.kind() == Kind::String);
    is_text && names.known >= 2 && names.strange == 0
}

fn speaks_of_a_secret(name: &str) -> bool {
    secrets::is_secret_of_a_key(name)
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

/// An agent and a version side by side and nothing else, one of which is surely ours.
fn is_stored(root: Node<'_>) -> bool {
    let names = Names::of(root, &stored::TABLE);
    let part = |row: &Row| root.get(row.name).filter(|part| part.kind() == Kind::Object);
    names.strange == 0
        && (part(stored::agent.row).is_some_and(|agent| names_an_agent(agent) && is_agent(agent))
            || part(stored::version.row).is_some_and(is_update))
}

/// Nothing but facts of a workspace, one of which no other kind of file would have.
fn is_facts(root: Node<'_>) -> bool {
    let telling = [
        facts::fallback_transcribers.row,
        facts::boosted_keyword_providers.row,
        facts::response_eagerness_provider.row,
        facts::transcribers.row,
        facts::knowledge_bases.row,
        facts::phone_numbers.row,
    ];
    let names = Names::of(root, &facts::TABLE);
    let caching = facts::features::prompt_caching.row.name;
    let tells_of_caching =
        root.get(facts::features.row.name).is_some_and(|features| features.get(caching).is_some());
    names.strange == 0
        && ((names.known >= 2 && telling.into_iter().any(|row| root.get(row.name).is_some()))
            || tells_of_caching)
}

/// The type of an agent or the number of its version, beside another member that only agents have.
fn names_an_agent(root: Node<'_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    let lists_versions = has("versions") || has("current_version");
    (has("agent_type") && (has("id") || lists_versions || has("current_version_number")))
        || (has("current_version_number") && lists_versions)
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
    if numbered.is_some_and(is_release) && telling == 1 {
        // The version of a package, not of an agent.
        return false;
    }
    let cut_short = root.is_incomplete() && telling >= 1;
    // Common names, and nothing else beside them: that could be a small update, unless they are the commonest two.
    let is_small =
        seen.len() >= 2 && strange == 0 && seen.iter().any(|row| !COMMONEST.contains(&row.name));
    (!is_crowd && ((telling >= 1 && seen.len() >= 2) || cut_short || is_small))
        || numbered.is_some()
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
    meant.len() >= 5
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
        && (document.mentions_settings
            || mentions_settings(document.stretch.slice(document.text())));
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
