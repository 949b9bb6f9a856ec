use std::collections::{BTreeMap, HashSet};

use voxlint_template::{Node, NodeKind, Span};

use crate::quote::quote;
use crate::rule::rule;
use crate::value::TemplateValue;
use crate::variables;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// A template calls a helper or a partial that Handlebars does not bring along.
    ///
    /// The text is valid, and is accepted. But a name with something behind it, as in `{{first name}}`, calls a helper of that
    /// name, and `{{> card}}` wants a partial: nothing in the service's description says that it has any but those of
    /// Handlebars itself (`if`, `unless`, `each`, `with`, `lookup`, `log`, and `inline`), so filling the template in may
    /// fail in the middle of a call.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Hello {{first name}}!" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "{{> opening_hours}}" }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "{{#if vip}}{{first_name}}{{else}}{{lookup names 0}}{{/if}} {{[last name]}}"
    /// }
    /// ```
    "unknown-helper": Template {
        section: "4.1 rule 6",
    }
}

/// The decorator that Handlebars brings along: it makes a partial inside a template.
const INLINE: &str = "inline";

/// What a tag wants that is not there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Want {
    Helper,
    Partial,
    Decorator,
}

fn check(template: &TemplateValue<'_>) -> Verdicts {
    if template.parsed.fault.is_some() {
        // A template that is refused is never filled in.
        return Verdict::Holds.into();
    }
    let text: &str = &template.text;
    let nodes = || template.parsed.tree.nodes();
    let own = nodes().filter_map(|node| inline_partial(node, text));
    let own: HashSet<String> = own.collect();
    // A name that is called again and again is one mistake.
    let mut wanted: BTreeMap<(Want, String), Vec<Span>> = BTreeMap::new();
    for node in nodes() {
        for (want, head) in wants(node, text) {
            let name = name_of(head, text);
            if want != Want::Partial || !own.contains(&name) {
                wanted.entry((want, name)).or_default().push(head.span());
            }
        }
    }
    wanted.into_iter().map(|((want, name), places)| found(template, want, &name, &places)).collect()
}

fn found(template: &TemplateValue<'_>, want: Want, name: &str, places: &[Span]) -> Verdict {
    let (what, help) = match want {
        Want::Helper => (
            "helper",
            "write a variable alone in its braces, and a name with blanks in brackets: `{{[first name]}}`",
        ),
        Want::Partial => ("partial", "write its text where it is wanted"),
        Want::Decorator => ("decorator", "leave it out"),
    };
    let (first, further) =
        places.split_first().map_or((Span::default(), places), |(it, more)| (*it, more));
    let message = format!(
        "{} calls the {what} {}, which Handlebars does not bring along",
        template.value.name(),
        quote(name)
    );
    let mut finding =
        Finding::new(template.place(first), message).about_value(template.value.place()).help(help);
    for place in further {
        finding = finding.also(template.place(*place), "called again");
    }
    finding.advice()
}

/// The heads of the tags of a statement that want something which Handlebars does not have, or which the template has to make
/// itself.
fn wants<'t>(node: Node<'t>, text: &str) -> Vec<(Want, Node<'t>)> {
    let is_strange = |head: &Node<'_>| !variables::HELPERS.contains(&head.span().of(text));
    let called = |tag: Node<'t>| {
        let has_arguments = tag.params().next().is_some() || tag.pairs().next().is_some();
        let is_call =
            has_arguments || matches!(tag.kind(), NodeKind::SubExpression | NodeKind::RawBlock);
        tag.head().filter(|head| is_call && is_strange(head)).map(|head| (Want::Helper, head))
    };
    match node.kind() {
        NodeKind::Mustache | NodeKind::SubExpression | NodeKind::RawBlock => {
            called(node).into_iter().collect()
        }
        NodeKind::Block | NodeKind::InverseBlock => {
            node.branches().filter_map(|branch| called(branch.tag)).collect()
        }
        // A block of a partial says itself what stands there without the partial.
        NodeKind::Partial => node.head().map(|head| (Want::Partial, head)).into_iter().collect(),
        NodeKind::Decorator | NodeKind::DecoratorBlock => {
            let head = node.head().filter(|head| head.span().of(text) != INLINE);
            head.map(|head| (Want::Decorator, head)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The name of the partial that a template makes itself: `card` of `{{#*inline "card"}} … {{/inline}}`.
fn inline_partial(node: Node<'_>, text: &str) -> Option<String> {
    let is_inline = node.kind() == NodeKind::DecoratorBlock
        && node.head().is_some_and(|head| head.span().of(text) == INLINE);
    node.params().next().filter(|_| is_inline).map(|name| name_of(name, text))
}

fn name_of(node: Node<'_>, text: &str) -> String {
    node.value(text).into_owned()
}
