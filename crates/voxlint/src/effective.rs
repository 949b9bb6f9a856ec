//! The configuration that the service would judge: the document laid over what the service has stored.

use voxlint_schema::{DocumentKind, Field, Null, Row, Shape, settings};
use voxlint_syntax::{Kind, Node, Tree};

use crate::place::Place;
use crate::value::{Missing, Read, Value, fits};
use crate::{Document, Origin};

/// The effective configuration, as far as it is known. Rules that compare fields see nothing else.
#[derive(Debug)]
pub(crate) struct Effective<'a> {
    document: Settings<'a>,
    /// Whether a member that the document omits is unset, not unknown.
    document_complete: bool,
    stored: Option<Settings<'a>>,
    /// Whether a member that the stored settings omit is unset, not unknown.
    stored_complete: bool,
    /// What is known of the workspace.
    facts: Option<Node<'a>>,
    /// The rows that were asked for, by index, so that a test can hold rules to what they declare.
    #[cfg(test)]
    asked: std::cell::RefCell<std::collections::BTreeSet<usize>>,
}

/// The members of one settings object, by row.
#[derive(Debug)]
pub(crate) struct Settings<'a> {
    origin: Origin,
    /// The last member of each name: that one counts.
    members: Vec<Option<Node<'a>>>,
    /// Whether a fault in the text may have swallowed members.
    incomplete: bool,
}

impl<'a> Settings<'a> {
    pub(crate) fn of(tree: &'a Tree<'_>, origin: Origin) -> Self {
        let mut members = vec![None; settings::TABLE.rows.len()];
        let root = tree.root();
        for member in root.into_iter().flat_map(Node::members) {
            if let Some(row) = settings::TABLE.row(&member.name())
                && let Some(slot) = members.get_mut(row.index)
            {
                *slot = Some(member.value);
            }
        }
        let incomplete =
            root.is_none_or(|root| root.kind() != Kind::Object || root.is_incomplete());
        Self { origin, members, incomplete }
    }

    fn member(&self, row: &Row) -> Option<Node<'a>> {
        self.members.get(row.index).copied().flatten()
    }

    /// Whether the object has the member, whatever its value.
    pub(crate) fn has(&self, row: &Row) -> bool {
        self.member(row).is_some()
    }

    /// What the object says of a row; `None` when it says nothing.
    fn says(&self, row: &Row) -> Option<Value<Node<'a>>> {
        let node = self.member(row)?;
        let place = Place::of(self.origin, node);
        Some(match node.kind() {
            Kind::Null if row.null == Null::Clears || self.origin == Origin::Stored => {
                Value::Absent(Some(place))
            }
            _ if !fits(row.shape, node) || node.is_faulty() || !is_choice(row.shape, node) => {
                Value::Unknown(Missing::Faulty)
            }
            _ => Value::Known(node, place),
        })
    }
}

impl<'a> Effective<'a> {
    pub(crate) fn new(
        kind: DocumentKind,
        document: Settings<'a>,
        stored: Option<(&'a Document<'_>, bool)>,
        facts: Option<&'a Document<'_>>,
    ) -> Self {
        let (stored, stored_complete) = match stored {
            Some((stored, complete)) => {
                (Some(Settings::of(&stored.tree, Origin::Stored)), complete)
            }
            None => (None, false),
        };
        let mut effective = Self {
            document,
            document_complete: kind == DocumentKind::Settings,
            stored,
            stored_complete,
            facts: facts.and_then(|facts| facts.tree.root()),
            #[cfg(test)]
            asked: std::cell::RefCell::default(),
        };
        if !effective.stored_is_the_same_version() {
            effective.stored = None;
        }
        effective
    }

    /// Whether the stored settings are those of the version that the document names. Settings without a number are
    /// taken at their word.
    fn stored_is_the_same_version(&self) -> bool {
        let number = |settings: &Settings<'a>| {
            settings.member(settings::version_number.row).and_then(Node::decimal)
        };
        match (number(&self.document), self.stored.as_ref().and_then(number)) {
            (Some(named), Some(stored)) => named == stored,
            (None, Some(_)) => self.document_complete,
            (_, None) => true,
        }
    }

    /// What is known of a field.
    pub(crate) fn get<T: Read>(&self, field: &Field<T>) -> Value<T::Value<'a>> {
        match self.node(field.row) {
            Value::Known(node, place) => match T::read(node) {
                Some(value) => Value::Known(value, place),
                None => Value::Unknown(Missing::Faulty),
            },
            Value::Absent(place) => Value::Absent(place),
            Value::Unknown(missing) => Value::Unknown(missing),
        }
    }

    /// What is known of a row, as a node of whichever document says it.
    pub(crate) fn node(&self, row: &Row) -> Value<Node<'a>> {
        #[cfg(test)]
        self.asked.borrow_mut().insert(row.index);
        if let Some(said) = self.document.says(row) {
            return said;
        }
        if self.document.incomplete {
            // A member may have been lost to a fault in the text, so what is stored need not be what counts.
            return Value::Unknown(Missing::Lost);
        }
        if self.document_complete {
            return Value::Absent(None);
        }
        match &self.stored {
            Some(stored) => match stored.says(row) {
                Some(said) => said,
                None if self.stored_complete && !stored.incomplete => Value::Absent(None),
                None => Value::Unknown(Missing::NotGiven),
            },
            None => Value::Unknown(Missing::NotGiven),
        }
    }

    /// What the document under check says of a field, whatever is stored: some settings work only in the same request.
    pub(crate) fn written<T: Read>(&self, field: &Field<T>) -> Value<T::Value<'a>> {
        if self.document.has(field.row) {
            return self.get(field);
        }
        #[cfg(test)]
        self.asked.borrow_mut().insert(field.row.index);
        if self.document.incomplete { Value::Unknown(Missing::Lost) } else { Value::Absent(None) }
    }

    /// Whether the workspace has a feature, if the facts tell.
    pub(crate) fn feature(&self, name: &str) -> Option<bool> {
        self.facts?.get("features")?.get(name)?.as_bool()
    }

    /// Whether the document is an update, which leaves things out, and not the whole settings.
    pub(crate) fn is_update(&self) -> bool {
        !self.document_complete
    }

    /// Whether the document under check has a member for the row.
    pub(crate) fn is_in_document(&self, row: &Row) -> bool {
        self.document.has(row)
    }
}

/// Whether a text is one of the values that its row allows.
fn is_choice(shape: Shape, node: Node<'_>) -> bool {
    match shape {
        Shape::Text(text) if !text.choices.is_empty() => {
            node.as_str().is_some_and(|value| text.choices.contains(&value.as_ref()))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rule::Check;
    use crate::{Source, rules};

    /// Documents with every combination of a few values for the fields that rules compare.
    fn documents(reads: &[&'static Row]) -> Vec<String> {
        const VALUES: [&str; 12] = [
            "",
            "null",
            "true",
            "false",
            "\"tr_a\"",
            "\"\"",
            "20",
            "26",
            "4000",
            "\"Speech_To_Speech\"",
            "\"Cascaded\"",
            "[]",
        ];
        let mut documents = vec![String::new()];
        for row in reads {
            let with = |before: &String, value: &&str| match *value {
                "" => before.clone(),
                value => format!("{before}, \"{}\": {value}", row.name),
            };
            documents = documents
                .iter()
                .flat_map(|before| VALUES.iter().map(move |value| with(before, value)))
                .collect();
        }
        documents
            .into_iter()
            .map(|members| format!("{{ \"version_number\": 3{members} }}"))
            .collect()
    }

    fn what_is_known<T: Read>(text: &str, field: &Field<T>) -> &'static str {
        let source = Source::from(text);
        let document = Document::parse(&source);
        let settings = Settings::of(&document.tree, Origin::Document);
        match Effective::new(DocumentKind::Update, settings, None, None).get(field) {
            Value::Known(..) => "known",
            Value::Absent(_) => "absent",
            Value::Unknown(Missing::NotGiven) => "not given",
            Value::Unknown(Missing::Faulty) => "faulty",
            Value::Unknown(Missing::Lost) => "lost",
        }
    }

    #[test]
    fn a_value_that_breaks_its_row_is_not_known() {
        use voxlint_schema::settings::{
            fallback_stt_enabled, pipeline_type, title, transcriber_id,
        };

        assert_eq!(what_is_known(r#"{ "transcriber_id": "tr_a" }"#, &transcriber_id), "known");
        assert_eq!(what_is_known(r#"{ "transcriber_id": null }"#, &transcriber_id), "absent");
        assert_eq!(what_is_known("{}", &transcriber_id), "not given");
        assert_eq!(what_is_known(r#"{ "title": null }"#, &title), "faulty");
        assert_eq!(
            what_is_known(r#"{ "fallback_stt_enabled": 1 }"#, &fallback_stt_enabled),
            "faulty"
        );
        assert_eq!(what_is_known(r#"{ "pipeline_type": "cascaded" }"#, &pipeline_type), "faulty");
        assert_eq!(what_is_known(r#"{ "title": "a\q" }"#, &title), "faulty");
    }

    #[test]
    fn what_a_fault_may_have_swallowed_is_lost() {
        use voxlint_schema::settings::title;

        assert_eq!(what_is_known(r#"{ "version_number": 3, "#, &title), "lost");
        assert_eq!(what_is_known("[]", &title), "lost");
        assert_eq!(what_is_known("", &title), "lost");
    }

    #[test]
    fn declared_inputs_are_exact() {
        for rule in rules::CONFIG {
            let Check::Config(check) = rule.check else { continue };
            let declared: BTreeSet<usize> = rule.reads.iter().map(|row| row.index).collect();
            let mut asked = BTreeSet::new();
            for text in documents(rule.reads) {
                let source = Source::from(text.as_str());
                let document = Document::parse(&source);
                let settings = Settings::of(&document.tree, Origin::Document);
                let effective = Effective::new(DocumentKind::Update, settings, None, None);
                let _ = check(&effective);
                asked.append(&mut effective.asked.borrow_mut());
            }
            assert_eq!(asked, declared, "{} reads other rows than it declares", rule.id);
        }
    }
}
