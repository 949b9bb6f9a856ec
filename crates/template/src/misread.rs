//! Valid tags that call a helper, although their author hardly meant a call.

use crate::{
    correct::is_path, json, message::excerpt, node::Node, scan::Bytes, span::Span, tree::NodeKind,
};

/// A valid tag that Handlebars reads as the call of a helper, where the author probably meant something else.
///
/// ```
/// use voxlint_template::{Misread, parse};
///
/// let text = "Your code is {{zip code}}";
/// let parsed = parse(text);
/// let misread = parsed.tree.nodes().find_map(|node| Misread::of(node, text)).unwrap();
/// assert_eq!(misread.help, "a variable's name has no spaces: write `{{zip_code}}`");
/// assert_eq!(misread.name.as_deref(), Some("zip_code"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The characters to show.
    pub span: Span,
    /// What is wrong, in one line: lower case, no full stop. `None` where it is no more than an unknown helper.
    pub message: Option<String>,
    /// A few words for the characters.
    pub label: &'static str,
    /// What to write instead.
    pub help: String,
    /// The words of a name with spaces, joined as the name of one variable.
    pub name: Option<String>,
}

/// The most words that are read as the name of one variable; more are prose.
const WORDS: usize = 4;

/// Names that other template languages and tools give to comparisons.
const COMPARISONS: [&str; 22] = [
    "and",
    "eq",
    "equal",
    "equals",
    "gt",
    "gte",
    "ifeq",
    "ifEquals",
    "is",
    "isnt",
    "lt",
    "lte",
    "ne",
    "neq",
    "not",
    "notEqual",
    "notEquals",
    "or",
    "unlessEq",
    "contains",
    "includes",
    "compare",
];

/// The helpers of Handlebars itself.
const BUILT_IN: [&str; 6] = ["if", "unless", "each", "with", "lookup", "log"];

/// Helpers that other template libraries provide: who writes one of them means a call.
const CALLED: [&str; 28] = [
    "add",
    "capitalize",
    "concat",
    "currency",
    "date",
    "default",
    "divide",
    "format",
    "formatDate",
    "formatNumber",
    "includes",
    "join",
    "json",
    "length",
    "lower",
    "lowercase",
    "multiply",
    "now",
    "pluralize",
    "replace",
    "round",
    "split",
    "subtract",
    "substring",
    "trim",
    "upper",
    "uppercase",
    "urlEncode",
];

impl Misread {
    /// What the author of a tag with arguments, or of a sub-expression, probably meant.
    pub fn of(tag: Node<'_>, text: &str) -> Option<Self> {
        let takes_arguments = matches!(
            tag.kind(),
            NodeKind::Mustache | NodeKind::SubExpression | NodeKind::Opening | NodeKind::Else
        );
        let has_arguments = takes_arguments && tag.params().next().is_some();
        let is_built_in = |head: &Node<'_>| BUILT_IN.contains(&head.span().of(text));
        let head = tag.head().filter(|head| has_arguments && !is_built_in(head))?;
        let arguments: Vec<Node<'_>> = tag.params().collect();
        let is_mustache = tag.kind() == NodeKind::Mustache;
        let words = Words { text, tag, head, arguments: &arguments };
        if is_mustache {
            let found = words.json().or_else(|| words.dash()).or_else(|| words.dots());
            if found.is_some() {
                return found;
            }
        }
        let found = words.operator().or_else(|| words.else_if()).or_else(|| words.comparison());
        found.or_else(|| words.name().filter(|_| is_mustache))
    }

    fn new(span: Span, message: &str, label: &'static str, help: &str) -> Self {
        let (message, help) = (Some(message.to_owned()), help.to_owned());
        Self { span, message, label, help, name: None }
    }
}

/// A tag in its parts.
struct Words<'a> {
    text: &'a str,
    tag: Node<'a>,
    head: Node<'a>,
    arguments: &'a [Node<'a>],
}

impl Words<'_> {
    fn source(&self, node: Node<'_>) -> &str {
        node.span().of(self.text)
    }

    /// From the head to the last argument.
    fn content(&self) -> Span {
        let end = self.arguments.last().map_or(self.head, |last| *last).span().end;
        Span { start: self.head.span().start, end }
    }

    /// `{{ "a": 1 }}`.
    fn json(&self) -> Option<Misread> {
        let start = self.tag.span().start;
        let open = Span { start, end: start + 2 };
        let begins = json::begins(Bytes(self.text.as_bytes()), open.end as usize);
        begins.then(|| {
            Misread::new(
                open,
                "JSON in double braces is read as a mustache",
                "read as the beginning of a mustache",
                "use single braces for JSON; write `\\{{` for two braces that are meant as text",
            )
        })
    }

    /// `{{-- note --}}`, `{{- x -}}`.
    fn dash(&self) -> Option<Misread> {
        let is_dashes = |node: &Node<'_>| {
            let it = self.source(*node);
            !it.is_empty() && it.bytes().all(|byte| byte == b'-')
        };
        let last = *self.arguments.last()?;
        if is_dashes(&self.head) && self.source(self.head).len() > 1 {
            let note = Span { start: self.head.span().end, end: self.content().end };
            let note = note.of(self.text).trim_end_matches('-').trim();
            return Some(Misread::new(
                self.head.span(),
                &format!(
                    "{} does not begin a comment in Handlebars",
                    excerpt(self.source(self.head))
                ),
                "not a comment",
                &format!("a comment begins with `!`: {}", excerpt(&format!("{{{{! {note} }}}}"))),
            ));
        }
        let sign = if is_dashes(&self.head) {
            self.head
        } else if is_dashes(&last) {
            last
        } else {
            return None;
        };
        let names = [self.head].into_iter().chain(self.arguments.iter().copied());
        let names: Vec<_> = names.filter(|node| !is_dashes(node)).collect();
        let help = match names[..] {
            [name] => {
                format!("leave the `-` out: {}", excerpt(&format!("{{{{{}}}}}", self.source(name))))
            }
            _ => "leave the `-` out".to_owned(),
        };
        Some(Misread::new(
            sign.span(),
            "`-` does not remove white space in Handlebars",
            "read as a name",
            &help,
        ))
    }

    /// `{{...}}`, which is `..` with the argument `.`.
    fn dots(&self) -> Option<Misread> {
        let dots = self.content();
        let is_dots = dots.of(self.text).bytes().all(|byte| byte == b'.');
        is_dots.then(|| {
            Misread::new(
                dots,
                &format!("{} is prose, not the name of a variable", excerpt(dots.of(self.text))),
                "not a name",
                "write out what the dots stand for, or put the sentence outside the braces",
            )
        })
    }

    /// `{{x ?? "y"}}`, `{{a ? b : c}}`, `{{a - b}}`: signs that Handlebars reads as names.
    fn operator(&self) -> Option<Misread> {
        let is_operator = |node: &&Node<'_>| {
            let it = self.source(**node);
            node.kind() == NodeKind::Path && matches!(it, "??" | "?" | "?:" | ":" | "-" | "$")
        };
        let sign = *self.arguments.iter().find(is_operator)?;
        let it = self.source(sign);
        let help = match (it, self.arguments) {
            ("?", [_, yes, colon, no]) if self.source(*colon) == ":" => {
                let (yes, no) = (self.rendered(*yes)?, self.rendered(*no)?);
                let condition = self.source(self.head);
                let block = format!("{{{{#if {condition}}}}}{yes}{{{{else}}}}{no}{{{{/if}}}}");
                format!("write a block: `{}`", block.chars().take(80).collect::<String>())
            }
            ("??" | "?:", _) => {
                "write the name alone, and set its default in `default_dynamic_variables`"
                    .to_owned()
            }
            _ => "work it out before the call, and use one variable for the result".to_owned(),
        };
        let message = format!("{} is an operator; Handlebars has none", excerpt(it));
        Some(Misread::new(sign.span(), &message, "no operators", &help))
    }

    /// How a value is written outside a mustache.
    fn rendered(&self, value: Node<'_>) -> Option<String> {
        let it = self.source(value);
        if value.kind() == NodeKind::String {
            let content = value.value(self.text);
            let is_plain =
                !content.contains(['{', '}', '`']) && !content.contains(char::is_control);
            return is_plain.then(|| content.into_owned());
        }
        Some(format!("{{{{{it}}}}}"))
    }

    /// `{{elseif x}}`.
    fn else_if(&self) -> Option<Misread> {
        let it = self.source(self.head);
        let is_tag = matches!(self.tag.kind(), NodeKind::Mustache | NodeKind::Opening);
        if !is_tag || !matches!(it, "elseif" | "elsif" | "elif" | "elseIf") {
            return None;
        }
        let condition = Span { start: self.head.span().end, end: self.content().end };
        let condition = condition.of(self.text).trim();
        Some(Misread::new(
            self.head.span(),
            &format!("{} is not a Handlebars tag", excerpt(it)),
            "read as the name of a helper",
            &format!("write {}", excerpt(&format!("{{{{else if {condition}}}}}"))),
        ))
    }

    /// `{{#if (eq a "b")}}`.
    fn comparison(&self) -> Option<Misread> {
        let it = self.source(self.head);
        if !COMPARISONS.contains(&it) {
            return None;
        }
        let help = match self.arguments {
            [name] if it == "not" && is_path(self.source(*name)) => {
                let opener = excerpt(&format!("{{{{#unless {}}}}}", self.source(*name)));
                format!("write {opener} and close it with `{{{{/unless}}}}`")
            }
            _ => "work it out before the call, and use one variable, as in `{{#if is_vip}}`"
                .to_owned(),
        };
        Some(Misread::new(
            self.head.span(),
            &format!("{} is a comparison; Handlebars has none", excerpt(it)),
            "not a built-in helper",
            &help,
        ))
    }

    /// `{{customer zip}}`: a name with spaces, or a sentence.
    fn name(&self) -> Option<Misread> {
        let is_word = |node: &Node<'_>| {
            let it = self.source(*node);
            let is_letter =
                |character: char| character.is_alphanumeric() || "_'-".contains(character);
            !it.is_empty() && it.chars().all(is_letter) && node.kind() != NodeKind::String
        };
        let mut words = vec![self.source(self.head)];
        words.extend(self.arguments.iter().map(|argument| self.source(*argument)));
        let are_words = is_word(&self.head) && self.arguments.iter().all(is_word);
        let is_call = self.tag.pairs().next().is_some() || CALLED.contains(&self.source(self.head));
        if words.len() < 2 || !are_words || is_call {
            return None;
        }
        let span = self.content();
        if words.len() > WORDS {
            let message =
                format!("{} is prose, not the name of a variable", excerpt(span.of(self.text)));
            let help =
                "name one variable, as in `{{customer_name}}`, and put the rest outside the braces";
            return Some(Misread::new(span, &message, "not a name", help));
        }
        let name = words.join("_");
        let variable = excerpt(&format!("{{{{{name}}}}}"));
        Some(Misread {
            span,
            message: None,
            label: "read as a helper and its arguments",
            help: format!("a variable's name has no spaces: write {variable}"),
            name: Some(name),
        })
    }
}
