//! What fields and values are called elsewhere: looks names up in the table of [`voxlint_schema::other_names`].

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use voxlint_schema::other_names::{ABBREVIATIONS, FIELDS, VALUES};
use voxlint_schema::{Row, Shape, Table};

use crate::meant_number::unit;
use crate::suggest::name_words;

/// The length of a name, in bytes, up to which it is looked up.
const MAX_NAME: usize = 64;

/// A field under another name.
#[derive(Clone, Copy, Debug)]
pub struct Renamed {
    /// The setting of the service.
    pub row: &'static Row,
    /// Whether a value under the other name has the same type, unit and meaning.
    pub is_same: bool,
    /// The place among the other names of the field. The first ones are the most likely.
    pub rank: usize,
}

/// The field of a table that other services or people call by this name: a name of the list of other names, or the words of
/// the field in another order.
pub fn field_called(name: &str, table: &'static Table) -> Option<Renamed> {
    // An unknown field of an item must not read the names of all other fields.
    static NAMES: [OnceLock<HashMap<String, Renamed>>; FIELDS.len()] =
        [const { OnceLock::new() }; FIELDS.len()];
    if let Some(row) = table.row(name) {
        return Some(Renamed { row, is_same: true, rank: 0 });
    }
    let words = Words::of(name)?;
    let at = FIELDS.iter().position(|(of, _)| std::ptr::eq(*of, table))?;
    let names = NAMES.get(at)?.get_or_init(|| names_of(at));
    let find = |key: &str| names.get(key).copied();
    if let Some(found) = words.keys().iter().find_map(|key| find(key)) {
        return Some(found);
    }
    let (rest, unit) = words.without_unit()?;
    let found = rest.keys().iter().find_map(|key| find(key))?;
    let Shape::Number(number) = found.row.shape else { return None };
    Some(Renamed { is_same: found.is_same && number.unit == Some(unit), ..found })
}

/// The allowed value that other services or people call by this name.
pub fn value_called(name: &str, choices: &[&'static str]) -> Option<&'static str> {
    static NAMES: LazyLock<HashMap<String, Vec<&'static str>>> = LazyLock::new(|| {
        let mut all: HashMap<String, Vec<&'static str>> = HashMap::new();
        for (value, names) in VALUES {
            for name in names.split_whitespace().chain([*value]) {
                for key in Words::of(name).iter().flat_map(Words::keys) {
                    all.entry(key).or_default().push(value);
                }
            }
        }
        all
    });
    let keys = Words::of(name)?.keys();
    let values = keys.iter().filter_map(|key| NAMES.get(key)).flatten();
    values.copied().find(|value| choices.contains(value))
}

/// The fields of a table by their own and other names. The first field with a name counts.
fn names_of(at: usize) -> HashMap<String, Renamed> {
    let mut all = HashMap::new();
    let mut add = |name: &str, renamed: Renamed| {
        let Some(words) = Words::of(name) else { return };
        let rest = words.without_unit().map(|(rest, _)| rest);
        for key in [Some(words), rest].into_iter().flatten().flat_map(|words| words.keys()) {
            all.entry(key).or_insert(renamed);
        }
    };
    let Some((table, fields)) = FIELDS.get(at) else { return all };
    for row in table.rows {
        add(row.name, Renamed { row, is_same: true, rank: 0 });
    }
    for names in *fields {
        let Some(row) = table.row(names.field) else { continue };
        let same = names.same.split_whitespace().map(|name| (name, true));
        let akin = names.akin.split_whitespace().map(|name| (name, false));
        for (rank, (name, is_same)) in same.chain(akin).enumerate() {
            add(name, Renamed { row, is_same, rank });
        }
    }
    all
}

/// The words of a name, in their usual spelling.
struct Words(Vec<String>);

impl Words {
    fn of(name: &str) -> Option<Self> {
        if name.len() > MAX_NAME {
            return None;
        }
        let words = name_words(name);
        let words = words.iter().flat_map(|word| {
            let known = ABBREVIATIONS.iter().find(|(short, _)| short == word);
            known.map_or(word.as_str(), |(_, long)| long).split('_').map(str::to_owned)
        });
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then_some(Self(words))
    }

    /// What tells the words from others: in any order, or without anything between them.
    fn keys(&self) -> [String; 2] {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        [sorted.join(" "), self.0.concat()]
    }

    /// The words before a unit, and the unit as the tables name it.
    fn without_unit(&self) -> Option<(Self, &'static str)> {
        let (last, rest) = self.0.split_last()?;
        let unit = unit(last).filter(|_| !rest.is_empty())?;
        Some((Self(rest.to_vec()), unit.name()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use voxlint_schema::other_names::OF_OTHER_AGENTS;
    use voxlint_schema::{DocumentKind, settings};

    use super::*;

    /// The list of other names of a table, with the field each belongs to.
    fn names_of(
        fields: &'static [voxlint_schema::other_names::OtherNames],
    ) -> impl Iterator<Item = (&'static str, &'static str)> {
        fields.iter().flat_map(|names| {
            names
                .same
                .split_whitespace()
                .chain(names.akin.split_whitespace())
                .map(|name| (name, names.field))
        })
    }

    #[test]
    fn every_other_name_of_a_field_leads_to_that_field_and_hides_no_field() {
        for (table, fields) in FIELDS {
            for (name, field) in names_of(fields) {
                assert!(table.row(field).is_some(), "{field} is not a field");
                assert!(table.row(name).is_none(), "{name} is a field");
                let found = field_called(name, table).map(|found| found.row.name);
                assert_eq!(found, Some(field), "{name}");
            }
            for row in table.rows {
                let found = field_called(row.name, table).map(|found| found.row.name);
                assert_eq!(found, Some(row.name));
            }
            let named: HashSet<&str> = fields.iter().map(|names| names.field).collect();
            assert_eq!(named.len(), fields.len(), "a field is listed twice");
        }
    }

    #[test]
    fn every_other_name_of_a_value_leads_to_that_value() {
        let choices: Vec<&[&str]> = FIELDS
            .iter()
            .map(|(table, _)| *table)
            .chain([DocumentKind::Agent.table()])
            .flat_map(|table| table.rows)
            .filter_map(|row| match row.shape {
                Shape::Text(text) if !text.choices.is_empty() => Some(text.choices),
                _ => None,
            })
            .collect();
        for (value, names) in VALUES {
            let allowed = choices.iter().find(|choices| choices.contains(value));
            let allowed = allowed.unwrap_or_else(|| panic!("{value} is not an allowed value"));
            for name in names.split_whitespace() {
                assert!(!allowed.contains(&name), "{name} is an allowed value");
                assert_eq!(value_called(name, allowed), Some(*value), "{name}");
            }
        }
        for value in choices.concat() {
            assert!(VALUES.iter().any(|(known, _)| *known == value), "{value} has no other names");
        }
    }

    #[test]
    fn a_name_may_be_written_in_any_case_order_or_abbreviation() {
        for (name, meant) in [
            ("firstMessage", "welcome_message"),
            ("first-message", "welcome_message"),
            ("FirstMessage", "welcome_message"),
            ("firstmessage", "welcome_message"),
            ("message_welcome", "welcome_message"),
            ("welcomeMsg", "welcome_message"),
            ("silenceTimeoutSeconds", "end_call_on_silence_sec"),
            ("silence_timeout_ms", "end_call_on_silence_sec"),
            ("prompt", "prompt_text"),
            ("voice", "voice_id"),
            ("pipeline", "pipeline_type"),
            ("functionsAgent", "agent_functions"),
            ("desc", "description"),
        ] {
            let found = field_called(name, &settings::TABLE).map(|found| found.row.name);
            assert_eq!(found, Some(meant), "{name}");
        }
        let choices = ["end_call", "call_transfer", "custom"];
        for (name, meant) in [
            ("transfer_call", "call_transfer"),
            ("transferCall", "call_transfer"),
            ("endCall", "end_call"),
            ("hangup", "end_call"),
            ("Hang up", "end_call"),
        ] {
            assert_eq!(value_called(name, &choices), Some(meant), "{name}");
        }
    }

    #[test]
    fn a_name_with_another_unit_is_not_the_same_field() {
        let is_same = |name| field_called(name, &settings::TABLE).map(|found| found.is_same);
        assert_eq!(is_same("silenceTimeoutSeconds"), Some(true));
        assert_eq!(is_same("end_call_on_silence_ms"), Some(false));
        assert_eq!(is_same("max_call_duration_minutes"), Some(false));
        assert_eq!(is_same("max_call_duration"), Some(true));
    }

    #[test]
    fn other_words_lead_nowhere() {
        for name in ["", "_", "metadata", "session_number", "invoice_id", "title_text", "größe"] {
            assert!(field_called(name, &settings::TABLE).is_none(), "{name}");
        }
    }

    #[test]
    fn names_of_other_agents_are_not_fields() {
        for name in OF_OTHER_AGENTS {
            assert!(settings::TABLE.row(name).is_none(), "{name}");
        }
    }
}
