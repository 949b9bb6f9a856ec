use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use voxlint_model::suggest::nearest;
use voxlint_model::variables::TemplateVariables;
use voxlint_template::{BUILT_IN_HELPERS, NodeKind, TemplateNode, TemplateSpan, UnintendedCall};

use crate::prelude::*;

rule! {
    /// A template calls a helper or a partial that is not built into Handlebars.
    ///
    /// The template is valid, so the service accepts it. But a name with something after it, as in `{{first name}}`, calls a
    /// helper of that name, and `{{> card}}` needs a partial. The service's description mentions no helpers of its own. Only
    /// those of Handlebars are sure to exist: `if`, `unless`, `each`, `with`, `lookup`, `log` and `inline`. Any other may make
    /// the template fail during a call.
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
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "first_name": "there" },
    ///   "welcome_message": "Hello {{first name}}!"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "{{#if vip}}{{first_name}}{{else}}{{lookup names 0}}{{/if}} {{[last name]}}"
    /// }
    /// ```
    "unknown-helper": Template {
        group: Suspicious,
        basis: Read("It does not mention helpers and partials, so only those of Handlebars itself are known."),
        section: "4.1 rule 6",
        fix: Unsafe("Writes a known variable in place of a name with spaces, if exactly one known name is near. A known name that has spaces \
                     itself is put in brackets."),
        needs: [Template, Opener],
    }
}

/// The built-in decorator, which defines a partial inside a template.
const INLINE: &str = "inline";

/// What a tag uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Callee {
    Helper,
    Partial,
    Decorator,
}

fn check(template: &TemplateValue<'_>) -> Verdicts {
    if template.parsed.error.is_some() {
        // `template-syntax-error` reports it.
        return Verdict::Holds.into();
    }
    let text: &str = template.text;
    let nodes = || template.parsed.tree.nodes();
    let mut inline_partials: Option<HashSet<String>> = None;
    // Messages quote the text, which may contain a secret. Masking keeps all offsets.
    let mut variables = VariableSuggestions::of(template);
    let mut verdicts = Verdicts::none();
    // Most nodes are texts, or parts of tags that only render a variable.
    let may_call = |node: &TemplateNode<'_>| {
        !matches!(node.kind(), NodeKind::Text | NodeKind::Path | NodeKind::Segment)
            && node.only_path().is_none()
    };
    for node in nodes().filter(may_call) {
        for call in calls(node, text) {
            let name = name_of(call.head, text);
            let inline_partials = inline_partials.get_or_insert_with(|| {
                nodes().filter_map(|node| inline_partial(node, text)).collect()
            });
            if call.callee == Callee::Partial && inline_partials.contains(&name) {
                continue;
            }
            verdicts.add(finding(template, &call, &name, &mut variables).advice());
        }
    }
    verdicts
}

fn finding<'t>(
    template: &'t TemplateValue<'t>,
    call: &Call<'_>,
    name: &str,
    variables: &mut VariableSuggestions<'t>,
) -> Finding {
    let (what, help) = match call.callee {
        Callee::Helper => {
            ("helper", "compute the value before the phone call and use one variable for it")
        }
        Callee::Partial => ("partial", "replace the tag with the text of the partial"),
        Callee::Decorator => ("decorator", "remove it"),
    };
    let message = format!("{} is not a built-in Handlebars {what}", quote(name));
    let unintended =
        UnintendedCall::detect(call.tag, template.text).filter(|_| call.callee == Callee::Helper);
    let Some(unintended) = unintended else {
        return Finding::new(
            template.place(call.head.span()),
            format!("{}{message}", template.prefix()),
        )
        .about_value(template.value.place())
        .help(help)
        .once_for(format!("{what} {name}"));
    };
    let (help, fix) = match &unintended.joined_name {
        Some(name) => variables.suggestion(unintended.span.of(template.text), name),
        None => (None, None),
    };
    let message = unintended.message.unwrap_or(message);
    let finding =
        Finding::new(template.place(unintended.span), format!("{}{message}", template.prefix()))
            .about_value(template.value.place())
            .label(unintended.label)
            .help(help.unwrap_or(unintended.help))
            .once_for(format!("unintended call {}", unintended.span.of(template.text)));
    finding.fix(fix)
}

/// The number of names with spaces in one template for which a similar variable is looked up.
const MAX_SUGGESTIONS: usize = 50;

/// Suggestions for names with spaces, from the variables of the template and the known ones.
struct VariableSuggestions<'t> {
    template: &'t TemplateValue<'t>,
    /// The variables that the template uses, without repetitions.
    used: OnceCell<Vec<Cow<'t, str>>>,
    /// The help for each name that was looked up.
    helps: HashMap<&'t str, Option<String>>,
}

impl<'t> VariableSuggestions<'t> {
    fn of(template: &'t TemplateValue<'t>) -> Self {
        Self { template, used: OnceCell::new(), helps: HashMap::new() }
    }

    /// The help for a name with spaces, if there is a similar variable, and at its first use in the template a fix for all of
    /// its uses there. `joined` is the name with underscores.
    fn suggestion(
        &mut self,
        words: &'t str,
        joined: &str,
    ) -> (Option<String>, Option<ProposedFix>) {
        if let Some(help) = self.helps.get(words) {
            return (help.clone(), None);
        }
        if self.helps.len() >= MAX_SUGGESTIONS {
            return (None, None);
        }
        let help = self.look_up(words, joined);
        self.helps.insert(words, help.clone());
        (help, self.fix(words, joined))
    }

    /// Writes a known variable in place of a name with spaces.
    fn fix(&self, words: &str, joined: &str) -> Option<ProposedFix> {
        let Self { template, .. } = self;
        let is_plain = |name: &&str| name.chars().all(|it| it.is_alphanumeric() || it == '_');
        let new = if template.known.names(words) {
            format!("[{words}]")
        } else {
            template.known.only_nearest(joined).filter(is_plain)?.to_owned()
        };
        let tags = template.parsed.tree.nodes().filter(|node| node.kind() == NodeKind::Mustache);
        let edits = tags.filter_map(|tag| {
            let end = tag.params().last()?.span().end;
            let name = TemplateSpan { start: tag.head()?.span().start, end };
            (name.of(template.text) == words && tag.hash_arguments().next().is_none()).then(|| {
                ProposedEdit::Replace {
                    at: template.place(name),
                    replacement: Replacement::Part(new.clone()),
                }
            })
        });
        let title = format!("write {}", quote(&format!("{{{{{new}}}}}")));
        Some(ProposedFix::new(title, Safety::Unsafe, edits.collect()))
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
            let variables = TemplateVariables::of(self.template.text, &self.template.parsed.tree);
            let names = variables.uses.into_iter().filter(|it| it.is_certain).map(|it| it.name);
            names.filter(|name| seen.insert(name.clone())).collect()
        })
    }
}

/// A use of something that Handlebars does not provide.
struct Call<'t> {
    callee: Callee,
    tag: TemplateNode<'t>,
    head: TemplateNode<'t>,
}

/// The uses in one statement of helpers, partials and decorators that Handlebars does not provide.
fn calls<'t>(node: TemplateNode<'t>, text: &str) -> Vec<Call<'t>> {
    let is_unknown = |head: &TemplateNode<'_>| !BUILT_IN_HELPERS.contains(&head.span().of(text));
    let called = |tag: TemplateNode<'t>| {
        let has_arguments = tag.params().next().is_some() || tag.hash_arguments().next().is_some();
        let is_call =
            has_arguments || matches!(tag.kind(), NodeKind::SubExpression | NodeKind::RawBlock);
        let head = tag.head().filter(|head| is_call && is_unknown(head));
        head.map(|head| Call { callee: Callee::Helper, tag, head })
    };
    match node.kind() {
        NodeKind::Mustache | NodeKind::SubExpression | NodeKind::RawBlock => {
            called(node).into_iter().collect()
        }
        NodeKind::Block | NodeKind::InverseBlock => {
            node.branches().filter_map(|branch| called(branch.tag)).collect()
        }
        // The block form of a partial contains its own fallback.
        NodeKind::Partial => {
            let head = node.head();
            head.map(|head| Call { callee: Callee::Partial, tag: node, head }).into_iter().collect()
        }
        NodeKind::Decorator | NodeKind::DecoratorBlock => {
            let head = node.head().filter(|head| head.span().of(text) != INLINE);
            head.map(|head| Call { callee: Callee::Decorator, tag: node, head })
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The name of the partial that a template defines itself: `card` of `{{#*inline "card"}} … {{/inline}}`.
fn inline_partial(node: TemplateNode<'_>, text: &str) -> Option<String> {
    let is_inline = node.kind() == NodeKind::DecoratorBlock
        && node.head().is_some_and(|head| head.span().of(text) == INLINE);
    node.params().next().filter(|_| is_inline).map(|name| name_of(name, text))
}

fn name_of(node: TemplateNode<'_>, text: &str) -> String {
    node.value(text).into_owned()
}
