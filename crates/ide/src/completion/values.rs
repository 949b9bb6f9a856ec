//! Values of fields, and items of lists.

use voxlint::schema::configuration::{self, reading};
use voxlint::schema::{Null, Role, Row, Shape, TextFormat, settings};
use voxlint::syntax::{Kind, Node};

use super::fields::{Initial, is_configuration};
use super::spelling;
use super::{Completion, CompletionKind, List, Request, commas, rule_ids};
use crate::cursor::{Commas, Key, Quote, Step, Style, Value};
use crate::describe;
use crate::knowledge;
use crate::slot::{self, Slot, What};

/// A value that can be written.
struct Offer {
    label: String,
    /// As it is written without quotes, if it is not a text.
    literal: Option<&'static str>,
    kind: CompletionKind,
    detail: Option<String>,
    documentation: Option<String>,
}

impl Offer {
    fn new(label: &str, kind: CompletionKind) -> Self {
        Self { label: label.to_owned(), literal: None, kind, detail: None, documentation: None }
    }

    fn literal(literal: &'static str) -> Self {
        Self { literal: Some(literal), ..Self::new(literal, CompletionKind::Value) }
    }
}

impl Request<'_> {
    /// The values that can be written at a place.
    pub(super) fn values(&self, slot: Slot, path: &[Step], value: &Value, list: &mut List) {
        // Editors replace nothing that spans lines.
        let spans_lines = value.word.slice(self.text).contains('\n');
        if value.quote == Quote::Block || value.style == Style::Text || spans_lines {
            return;
        }
        if let (Some(column), Some(_)) = (value.column, slot.table()) {
            // An object can begin here with its first key.
            let key = Key {
                word: value.word,
                name: value.word.slice(self.text).to_owned(),
                has_value: false,
                others: Vec::new(),
                style: Style::YamlBlock(column),
                commas: Commas::default(),
            };
            let from = list.0.len();
            self.fields(slot, path, &key, list);
            if value.needs_space {
                for completion in list.0.iter_mut().skip(from) {
                    completion.edit.text.insert(0, ' ');
                }
            }
        }
        self.containers(slot, path, value, list);
        for offer in self.offers(slot, path) {
            if value.others.contains(&offer.label) && matches!(path.last(), Some(Step::Item(_))) {
                continue;
            }
            if offer.literal == Some("null")
                && matches!(value.style, Style::TomlTable | Style::TomlInline)
            {
                continue;
            }
            self.offer(offer, value, list);
        }
    }

    /// A new list or object.
    fn containers(&self, slot: Slot, path: &[Step], value: &Value, list: &mut List) {
        let Some(row) = slot.row.filter(|_| !matches!(path.last(), Some(Step::Item(_)))) else {
            return;
        };
        let is_field = matches!(path.last(), Some(Step::Name(name)) if name == row.name);
        let label = match row.shape {
            _ if !is_field => return,
            Shape::List(_) => "[]",
            Shape::Map(_) | Shape::Entries(_) | Shape::EntriesOrFirst(_) => "{}",
            _ => return,
        };
        let space = if value.needs_space { " " } else { "" };
        let (additional, after) = commas(value.commas);
        let Initial { plain, snippet } = self.initial(row, value.style);
        if let (Some(column), Some(item)) = (value.column, snippet.trim_start().strip_prefix("- "))
        {
            // The place is that of the first item.
            let outer = column.saturating_sub(2);
            let text = self.initial(row, Style::YamlBlock(outer)).snippet.trim_start().to_owned();
            if self.options.snippets && !item.is_empty() {
                list.push(Completion {
                    detail: Some("an item".to_owned()),
                    is_snippet: true,
                    ..Completion::plain("-", CompletionKind::Value, value.word, &text)
                });
            }
            return;
        }
        if value.column.is_some() || value.quote != Quote::None {
            return;
        }
        let is_snippet = self.options.snippets;
        let text = if is_snippet { snippet } else { plain };
        list.push(Completion {
            detail: Some(row.type_name()),
            additional,
            is_snippet,
            ..Completion::plain(
                label,
                CompletionKind::Value,
                value.word,
                &format!("{space}{text}{after}"),
            )
        });
    }

    fn offer(&self, offer: Offer, value: &Value, list: &mut List) {
        let (additional, after) = commas(value.commas);
        let written = match offer.literal {
            Some(literal) => literal.to_owned(),
            None => spelling::text(&offer.label, value.style, value.quote),
        };
        let is_quoted = value.quote != Quote::None;
        let space = if value.needs_space && !is_quoted { " " } else { "" };
        let text = format!("{space}{written}{after}");
        let completion = Completion {
            detail: offer.detail,
            documentation: offer.documentation,
            additional,
            ..Completion::plain(&offer.label, offer.kind, value.word, &text)
        };
        list.push(completion.behind_quote(value.word.slice(self.text)));
    }

    /// The values that the tables and the inputs know for a place.
    fn offers(&self, slot: Slot, path: &[Step]) -> Vec<Offer> {
        let mut offers = Vec::new();
        match slot.what {
            What::Text(text) => {
                let choices = text.choices.iter();
                offers.extend(choices.map(|it| Offer::new(it, CompletionKind::Value)));
                if let Role::Id(catalogue) = text.role {
                    let ids = self.inputs.map(|inputs| knowledge::ids(inputs, catalogue));
                    offers.extend(ids.unwrap_or_default().into_iter().map(|known| Offer {
                        detail: known.about,
                        documentation: Some(format!(
                            "In the {} of the workspace.",
                            catalogue.name()
                        )),
                        ..Offer::new(&known.id, CompletionKind::Id)
                    }));
                }
                if text.format == TextFormat::TimeZone {
                    let zones = voxlint::time_zones();
                    offers.extend(zones.map(|zone| Offer::new(zone, CompletionKind::Value)));
                }
                if self.names_a_pointer(slot) {
                    offers.extend(settings::TABLE.rows.iter().map(|row| Offer {
                        detail: Some(row.type_name()),
                        documentation: Some(describe::field(row)),
                        ..Offer::new(&format!("/{}", row.name), CompletionKind::Value)
                    }));
                }
            }
            What::TableOrFirst(_) if slot::reading(path).is_some() => {}
            What::Flag => offers.extend(["true", "false"].map(Offer::literal)),
            What::TableOrFirst(table) => {
                if let Some(Shape::Text(text)) = table.rows.first().map(|row| row.shape) {
                    let choices = text.choices.iter();
                    offers.extend(choices.map(|it| Offer::new(it, CompletionKind::Value)));
                }
            }
            What::TextOrTexts if self.names_rules(slot) => {
                offers.extend(rule_ids(false).into_iter().map(|(id, detail, about)| Offer {
                    detail: Some(detail),
                    documentation: Some(about),
                    ..Offer::new(&id, CompletionKind::Rule)
                }));
            }
            _ => {}
        }
        let is_reading = |row: &Row| {
            [configuration::readings.row.name, reading::value.row.name].contains(&row.name)
        };
        if let Some(reading) = slot::reading(path).filter(|_| slot.row.is_some_and(is_reading)) {
            offers.extend(reading.values.iter().map(|value| Offer {
                documentation: Some(value.meaning.to_owned()),
                ..Offer::new(value.name, CompletionKind::Value)
            }));
        }
        let is_item = matches!(path.last(), Some(Step::Item(_)));
        if !is_item && slot.row.is_some_and(|row| row.null == Null::Clears) {
            offers.push(Offer {
                detail: Some("clears the value".to_owned()),
                ..Offer::literal("null")
            });
        }
        if let Some(stored) = self.stored(slot, path) {
            let position = offers.iter().position(|offer| offer.label == stored);
            let stored_offer = match position {
                Some(at) => offers.remove(at),
                None => Offer::new(&stored, CompletionKind::Value),
            };
            let detail = match &stored_offer.detail {
                Some(detail) => format!("stored; {detail}"),
                None => "stored".to_owned(),
            };
            // The stored value comes last: an update that repeats it changes nothing.
            offers.push(Offer { detail: Some(detail), ..stored_offer });
        }
        offers
    }

    /// The stored value of a setting that is an id or one of the allowed values.
    fn stored(&self, slot: Slot, path: &[Step]) -> Option<String> {
        let inputs = self.inputs.filter(|_| self.kind.has_settings())?;
        let (What::Text(text), [Step::Name(_)]) = (slot.what, path) else { return None };
        let is_short = matches!(text.role, Role::Id(_))
            || !text.choices.is_empty()
            || text.format == TextFormat::TimeZone;
        let node: Node<'_> = inputs.stored_value(slot.row.filter(|_| is_short)?)?;
        let stored = node.as_str().filter(|_| node.kind() == Kind::String)?;
        let is_allowed = text.choices.is_empty() || text.choices.contains(&&*stored);
        (is_allowed && !stored.is_empty() && stored.len() < 200).then(|| stored.into_owned())
    }

    /// Whether a place of `voxlint.toml` is for the names of rules.
    fn names_rules(&self, slot: Slot) -> bool {
        is_configuration(self.kind) && slot.row.is_some_and(|row| row.name == "rules")
    }

    /// Whether a place of `voxlint.toml` is for a JSON Pointer.
    fn names_a_pointer(&self, slot: Slot) -> bool {
        is_configuration(self.kind)
            && slot.row.is_some_and(|row| matches!(row.name, "pointer" | "field"))
    }
}
