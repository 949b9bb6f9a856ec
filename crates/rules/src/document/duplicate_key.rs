use std::borrow::Cow;
use std::collections::HashMap;

use voxlint_syntax::RepeatedMerge;

use crate::prelude::*;

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
    /// A second merge key (`<<`) in one mapping of YAML is reported as well: some readers merge both, and others reject the file. One
    /// merge key with a list does the same everywhere.
    ///
    /// ```yaml,advice
    /// version_number: 3
    /// default_dynamic_variables:
    ///   hours: &hours { opens: "8:00" }
    ///   address: &address { street: Mill Road }
    ///   <<: *hours
    ///   <<: *address
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
        fix: Unsafe("Writes one merge key with a list."),
        readings: [REPEATED_FIELDS],
        properties: [HidesValues, Writing],
    }
}

fn check(document: &Document, _kind: DocumentKind) -> Verdicts {
    let mut verdicts: Verdicts = document
        .tree()
        .repeated_merges()
        .iter()
        .map(|merge| merged_twice(document, merge))
        .collect();
    if document.tree().has_distinct_names() {
        return verdicts;
    }
    let objects = document.tree().nodes().filter(|node| node.kind() == Kind::Object);
    for object in objects.filter(|object| !object.has_distinct_names()) {
        add_repeated(object, &mut verdicts);
    }
    verdicts
}

fn add_repeated(object: Node<'_>, verdicts: &mut Verdicts) {
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

/// A second `<<` in one mapping.
fn merged_twice(document: &Document, merge: &RepeatedMerge) -> Verdict {
    let text = |start: u32, end: u32| document.text().get(start as usize..end as usize);
    let sources = |span: Span| {
        let source = text(span.start, span.end)?;
        let inside = source.strip_prefix('[').and_then(|source| source.strip_suffix(']'));
        let inside = inside.unwrap_or(source).trim();
        let is_alias = |one: &str| {
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
            one.trim()
                .strip_prefix('*')
                .is_some_and(|name| !name.is_empty() && name.chars().all(is_name))
        };
        inside.split(',').all(is_alias).then_some(inside)
    };
    let list = sources(merge.first_source).zip(sources(merge.source));
    let finding = Finding::new(Place::bytes(merge.again), "`<<` is set more than once")
        .label("set again")
        .also(Place::bytes(merge.first), "first set here");
    let Some((first, again)) = list else {
        return finding.help("use one `<<` with a list: `<<: [*first, *second]`").advice();
    };
    if first == again {
        return finding.help("remove one of them").advice();
    }
    let list = format!("[{first}, {again}]");
    let finding = finding.help(format!("use one `<<`: {}", quote(&format!("<<: {list}"))));
    let between = text(merge.first_source.end, merge.again.start).unwrap_or("?");
    let is_adjacent = between.chars().all(|c| c == ',' || c.is_whitespace());
    if !is_adjacent {
        return finding.advice();
    }
    let whole = Span::new(merge.first_source.start, merge.source.end);
    finding
        .fix(ProposedFix::replace(
            "write one list",
            Safety::Unsafe,
            Place::bytes(whole),
            Replacement::Literal(list),
        ))
        .advice()
}

fn verdict(name: &str, first: Node<'_>, again: Node<'_>) -> Verdict {
    Finding::new(
        Place::of(Origin::Document, again),
        format!("the field {} is set more than once", quote(name)),
    )
    .label("set again")
    .also(Place::of(Origin::Document, first), "first set here")
    .help("keep only one: most readers use the last and silently drop the others")
    .possible(Condition::first(&readings::REPEATED_FIELDS))
}
