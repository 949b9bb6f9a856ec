//! Recognises the kind of document that a text contains.
//!
//! A document that is skipped by mistake passes unchecked, and checking the file of another tool gives false alarms. So every
//! field name at the top level has a weight:
//!
//! * **Characteristic names** count for an update. A name that only this service uses (`reminder_message_interval`) has the
//!   weight `OWN`, `version_number` and `prompt_text`, which other records rarely have, `CHARACTERISTIC`, a name that
//!   agents of other services have as well (`voice_id`) `SHARED`, and one that all sorts of records have (`is_published`)
//!   `WEAK`. A name that is one edit away from a field counts as the field, because a linter has to find misspelled names.
//! * **Common names** (`title`, `description`, `timezone`) have no weight.
//! * **Neutral names** have none either: fields of the service's answers (`id`, `created_at`), and, beside a name that other
//!   services do not share, names that are further from a field.
//! * **Unknown names** count against an update, each with the weight `UNKNOWN`.
//! * **Foreign names**, which only other services and tools have at the top level (`response_engine`, `apiVersion`), count
//!   against it with the weight `FOREIGN` each. Beside one of them shared and weak names do not count, because such services
//!   have them as well.
//!
//! A document is an update if the weight for it is greater than the weight against it. So one characteristic name is enough, a
//! few unknown names beside it are mistakes to report, and many of them, or names of another service, rule it out.
//! `version_number` beside another name that is at least characteristic makes an update whatever the number of unknown names:
//! then only foreign names count against it. An update inside up to three wrappers (`{"update": {…}}`) is weighed in the same
//! way: it needs a name that is at least characteristic, a value of the right type, and no foreign name beside the wrapper.
//!
//! Answers of the service (agents, version summaries, error bodies, lists of API keys) are recognised by their fields, and the
//! same weights tell them from the answers of other services. All this only matters where neither the file nor its kind has
//! been named.

mod api_key_list;
mod field_names;
mod outcome;
mod responses;
mod score;
mod web_page;
mod wrappers;

use voxlint_schema::{DocumentKind, api_keys, settings};
use voxlint_syntax::{Format, Kind, Node, Tree};

use self::api_key_list::is_key_list;
use self::field_names::FieldNames;
use self::responses::{
    error_veto, has_agent_fields, has_summary_fields, is_agent, is_error_body, is_facts, is_stored,
    is_summary,
};
use self::score::{EMPTY, Score, recognise_update};
use self::web_page::is_web_page;

pub use field_names::COMMON_NAMES;
pub use outcome::{Recognition, Unrecognised};
pub use score::{MostlyUnknown, mostly_unknown};
pub use wrappers::{Wrappers, is_wrapped_in};

const NOT_AN_OBJECT: &str = "not an object";

/// `mentions_settings` tells whether a text with errors mentions settings.
pub(crate) fn recognition(
    tree: &Tree,
    format: Format,
    mentions_settings: impl FnOnce() -> bool,
) -> Recognition {
    if format == Format::Text {
        return if is_web_page(tree.text()) {
            let why = "a web page template";
            Recognition::Unrecognised(Unrecognised::resembling(DocumentKind::Template, why))
        } else {
            Recognition::Document(DocumentKind::Template)
        };
    }
    let found = match tree.root() {
        Some(root) => of_value(root),
        None => Err(Unrecognised::nothing(EMPTY)),
    };
    match found {
        Ok(kind) => Recognition::Document(kind),
        Err(_) if is_unreadable(tree) && mentions_settings() => {
            Recognition::Document(DocumentKind::Update)
        }
        Err(why) => Recognition::Unrecognised(why),
    }
}

fn of_value(root: Node<'_>) -> Result<DocumentKind, Unrecognised> {
    match root.kind() {
        Kind::Object => of_object(root),
        Kind::Array => of_array(root),
        _ => Err(Unrecognised::nothing(NOT_AN_OBJECT)),
    }
}

/// Recognises several documents in an array, which are a mistake that is worth reporting. One of many items may look like a
/// document by chance, so at least half of them have to.
fn of_array(root: Node<'_>) -> Result<DocumentKind, Unrecognised> {
    let mut first = None;
    let mut why = None;
    let (mut documents, mut others) = (0_usize, 0_usize);
    for element in root.elements().filter(|element| element.kind() == Kind::Object) {
        match of_object(element) {
            Ok(kind) => {
                first.get_or_insert(kind);
                documents += 1;
            }
            Err(reason) => {
                why.get_or_insert(reason);
                others += 1;
            }
        }
    }
    match first {
        Some(kind) if documents >= others => Ok(kind),
        Some(kind) => {
            Err(Unrecognised::resembling(kind, "most entries of the array are something else"))
        }
        None => Err(why.unwrap_or(Unrecognised::nothing(NOT_AN_OBJECT))),
    }
}

fn of_object(root: Node<'_>) -> Result<DocumentKind, Unrecognised> {
    let names = FieldNames::of(root);
    if is_error_body(root, &names) {
        error_veto(root).map_or(Ok(DocumentKind::Error), Err)
    } else if names.has(api_keys::data.row) && is_key_list(root) {
        Ok(DocumentKind::ApiKeys)
    } else if is_stored(root, &names) {
        Ok(DocumentKind::Stored)
    } else if is_facts(root, &names) {
        Ok(DocumentKind::Facts)
    } else if has_agent_fields(&names) && is_agent(root) {
        Score::of_agent(root).verdict(DocumentKind::Agent)
    } else if has_summary_fields(&names) && is_summary(root) {
        Score::of_update(root).verdict(DocumentKind::Version)
    } else {
        recognise_update(root)
    }
}

/// Whether no fields could be read.
fn is_unreadable(tree: &Tree) -> bool {
    tree.root().is_none_or(|root| root.kind() != Kind::Array && root.members().next().is_none())
}

/// Whether a text gives a value to a setting that no other kind of file has.
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
