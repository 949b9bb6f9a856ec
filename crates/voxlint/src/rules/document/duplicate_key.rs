use std::borrow::Cow;
use std::collections::HashMap;

use voxlint_syntax::{Kind, Node};

use crate::document::Document;
use crate::place::Place;
use crate::quote::quote;
use crate::rule::rule;
use crate::verdict::{Condition, Finding, Verdict, Verdicts};
use crate::{DocumentKind, Origin};

rule! {
    /// An object has two fields with the same name.
    ///
    /// The JSON standard leaves the result open. Most readers silently keep the last value, so the first never takes
    /// effect; some reject the text. voxlint checks the last one.
    ///
    /// ```json,possible
    /// { "version_number": 3, "title": "Front desk", "title": "Night desk" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk", "version_title": "Night desk" }
    /// ```
    "duplicate-key": Document {
        group: Correctness,
        basis: Inferred("JSON does not specify the effect of a second field with the same name."),
        section: "1",
        status: 400,
        properties: [HidesValues],
    }
}

/// The number of fields up to which comparing each with each is faster than hashing.
const MAX_COMPARED: usize = 12;

fn check(document: &Document, _kind: DocumentKind) -> Verdicts {
    let mut verdicts = Verdicts::none();
    if document.tree().has_distinct_names() {
        return verdicts;
    }
    let objects = document.tree().nodes().filter(|node| node.kind() == Kind::Object);
    for object in objects.filter(|object| !object.has_distinct_names()) {
        if object.members().nth(MAX_COMPARED).is_some() {
            look_up_each(object, &mut verdicts);
        } else {
            compare_each(object, &mut verdicts);
        }
    }
    verdicts
}

fn compare_each(object: Node<'_>, verdicts: &mut Verdicts) {
    for (index, member) in object.members().enumerate().skip(1) {
        let name = member.name();
        if let Some(first) = object.members().take(index).find(|earlier| earlier.is_named(&name)) {
            verdicts.add(verdict(&name, first.key, member.key));
        }
    }
}

fn look_up_each(object: Node<'_>, verdicts: &mut Verdicts) {
    let mut first_of: HashMap<Cow<'_, str>, Node<'_>> = HashMap::new();
    for member in object.members() {
        let name = member.name();
        match first_of.get(&name) {
            Some(first) => verdicts.add(verdict(&name, *first, member.key)),
            None => {
                first_of.insert(name, member.key);
            }
        }
    }
}

fn verdict(name: &str, first: Node<'_>, again: Node<'_>) -> Verdict {
    Finding::new(
        Place::of(Origin::Document, again),
        format!("the field {} is set more than once", quote(name)),
    )
    .label("set again")
    .also(Place::of(Origin::Document, first), "first set here")
    .help("keep only one: most readers use the last and silently drop the others")
    .possible(Condition::reading("JSON readers treat repeated fields differently"))
}
