use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use voxlint_template::{Node, NodeKind, UnintendedCall};

use crate::quote::quote;
use crate::rule::rule;
use crate::suggest::nearest;
use crate::value::TemplateValue;
use crate::verdict::{Finding, Verdict, Verdicts};
use crate::{secrets, variables};

rule! {
    /// A template calls a helper or a partial that is not built into Handlebars.
    ///
    /// The text is valid and is accepted. But a name with something after it, as in `{{first name}}`, calls a helper of that
    /// name, and `{{> card}}` needs a partial. The service's description mentions no helpers of its own, so only those of
    /// Handlebars itself can be relied on (`if`, `unless`, `each`, `with`, `lookup`, `log`, and `inline`). Any other may make
    /// the template fail in the middle of a call.
    ///
    /// A helper that a document calls several times is reported once, at its first use.
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

/// The built-in decorator: it makes a partial inside a template.
const INLINE: &str = "inline";

/// What a tag wants that is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Helper,
    Partial,
    Decorator,
}

fn check(template: &TemplateValue<'_>) -> Verdicts {
    if template.parsed.error.is_some() {
        // A template that is refused is never filled in.
        return Verdict::Holds.into();
    }
    let text: &str = &template.text;
    let nodes = || template.parsed.tree.nodes();
    let mut own: Option<HashSet<String>> = None;
    // The words show what is wrong, which may be somebody's key. Covering it moves no offset.
    let mut covered = None;
    let mut variables = Variables::of(template);
    let mut verdicts = Verdicts::none();
    for node in nodes() {
        for call in calls(node, text) {
            let name = name_of(call.head, text);
            let own = own.get_or_insert_with(|| {
                nodes().filter_map(|node| inline_partial(node, text)).collect()
            });
            if call.wanted == Wanted::Partial && own.contains(&name) {
                continue;
            }
            let covered = covered.get_or_insert_with(|| secrets::mask_text(&template.text));
            verdicts.add(found(template, &call, &name, covered, &mut variables).advice());
        }
    }
    verdicts
}

fn found<'t>(
    template: &'t TemplateValue<'t>,
    call: &Call<'_>,
    name: &str,
    covered: &str,
    variables: &mut Variables<'t>,
) -> Finding {
    let (what, help) = match call.wanted {
        Wanted::Helper => {
            ("helper", "work it out before the call, and use one variable for the result")
        }
        Wanted::Partial => ("partial", "write its text here instead"),
        Wanted::Decorator => ("decorator", "leave it out"),
    };
    let message = format!("{} is not a built-in Handlebars {what}", quote(name));
    let unintended =
        UnintendedCall::detect(call.tag, covered).filter(|_| call.wanted == Wanted::Helper);
    let Some(unintended) = unintended else {
        return Finding::new(
            template.place(call.head.span()),
            format!("{}{message}", template.prefix()),
        )
        .about_value(template.value.place())
        .help(help)
        .once_for(format!("{what} {name}"));
    };
    let help = match &unintended.joined_name {
        Some(name) => variables.help(unintended.span.of(&template.text), name),
        None => None,
    };
    let message = unintended.message.unwrap_or(message);
    Finding::new(template.place(unintended.span), format!("{}{message}", template.prefix()))
        .about_value(template.value.place())
        .label(unintended.label)
        .help(help.unwrap_or(unintended.help))
        .once_for(format!("unintended call {}", unintended.span.of(&template.text)))
}

/// For how many different names with spaces of one template a variable is looked up.
const LOOKED_UP: usize = 50;

/// The variables that a name with spaces may mean. They are gathered once for all the calls of a template.
struct Variables<'t> {
    template: &'t TemplateValue<'t>,
    /// The names that the template itself uses, each once, in the order of the text.
    used: OnceCell<Vec<Cow<'t, str>>>,
    /// The help for each name that has been looked up.
    helps: HashMap<&'t str, Option<String>>,
}

impl<'t> Variables<'t> {
    fn of(template: &'t TemplateValue<'t>) -> Self {
        Self { template, used: OnceCell::new(), helps: HashMap::new() }
    }

    /// The help for a name with spaces that is near a known variable, or near one of the same template.
    fn help(&mut self, words: &'t str, joined: &str) -> Option<String> {
        if let Some(help) = self.helps.get(words) {
            return help.clone();
        }
        if self.helps.len() >= LOOKED_UP {
            return None;
        }
        let help = self.look_up(words, joined);
        self.helps.insert(words, help.clone());
        help
    }

    fn look_up(&self, words: &str, joined: &str) -> Option<String> {
        let known = self.template.known;
        if known.names(words) {
            let name = quote(&format!("{{{{[{words}]}}}}"));
            return Some(format!("put a name with spaces in brackets: write {name}"));
        }
        let near = known.nearest(joined).or_else(|| {
            let near = nearest(joined, self.used().iter().map(|name| &**name))?;
            (!words.split_whitespace().any(|word| word == near)).then_some(near)
        })?;
        Some(format!("did you mean {}?", quote(&format!("{{{{{near}}}}}"))))
    }

    fn used(&self) -> &[Cow<'t, str>] {
        self.used.get_or_init(|| {
            let mut seen = HashSet::new();
            let uses = variables::uses(&self.template.text, &self.template.parsed.tree);
            let names = uses.into_iter().map(|it| it.name);
            names.filter(|name| seen.insert(name.clone())).collect()
        })
    }
}

/// A tag that wants something which Handlebars does not have.
struct Call<'t> {
    wanted: Wanted,
    tag: Node<'t>,
    head: Node<'t>,
}

/// The tags of a statement that want something which Handlebars does not have, or which the template has to make itself.
fn calls<'t>(node: Node<'t>, text: &str) -> Vec<Call<'t>> {
    let is_strange = |head: &Node<'_>| !variables::HELPERS.contains(&head.span().of(text));
    let called = |tag: Node<'t>| {
        let has_arguments = tag.params().next().is_some() || tag.hash_arguments().next().is_some();
        let is_call =
            has_arguments || matches!(tag.kind(), NodeKind::SubExpression | NodeKind::RawBlock);
        let head = tag.head().filter(|head| is_call && is_strange(head));
        head.map(|head| Call { wanted: Wanted::Helper, tag, head })
    };
    match node.kind() {
        NodeKind::Mustache | NodeKind::SubExpression | NodeKind::RawBlock => {
            called(node).into_iter().collect()
        }
        NodeKind::Block | NodeKind::InverseBlock => {
            node.branches().filter_map(|branch| called(branch.tag)).collect()
        }
        // A block of a partial says itself what stands there without the partial.
        NodeKind::Partial => {
            let head = node.head();
            head.map(|head| Call { wanted: Wanted::Partial, tag: node, head }).into_iter().collect()
        }
        NodeKind::Decorator | NodeKind::DecoratorBlock => {
            let head = node.head().filter(|head| head.span().of(text) != INLINE);
            head.map(|head| Call { wanted: Wanted::Decorator, tag: node, head })
                .into_iter()
                .collect()
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
