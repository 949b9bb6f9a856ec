//! Valid tags that call a helper by mistake.

use super::{
    json,
    prose::{NOT_A_NAME, ONE_NAME},
    tag_text::{
        BUILT_IN_HELPERS, COMPUTE_CONDITION, COMPUTE_VALUE, SET_DEFAULT, excerpt, is_path,
        mustache, use_unless,
    },
};
use crate::parse::{node::TemplateNode, scan::Bytes, span::TemplateSpan, tree::NodeKind};

/// A valid tag that Handlebars reads as a call of a helper, although its author probably meant something else.
///
/// ```
/// use voxlint_template::{UnintendedCall, parse};
///
/// let text = "Your code is {{zip code}}";
/// let parsed = parse(text);
/// let call = parsed.tree.nodes().find_map(|node| UnintendedCall::detect(node, text)).unwrap();
/// assert_eq!(call.help, "a variable's name cannot contain spaces: write `{{zip_code}}`");
/// assert_eq!(call.joined_name.as_deref(), Some("zip_code"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnintendedCall {
    /// The characters to mark.
    pub span: TemplateSpan,
    /// What is wrong, in one line that starts in lower case and has no full stop. `None` if the only problem is that the
    /// helper is unknown.
    pub message: Option<String>,
    /// A few words for the marked characters.
    pub label: &'static str,
    /// How to fix it, in one line.
    pub help: String,
    /// For a name with spaces, its words joined to the name of one variable.
    pub joined_name: Option<String>,
}

/// The maximum number of words that are read as the name of one variable. More are prose.
const WORDS: usize = 4;

/// Names of comparison helpers in other template languages and tools.
#[rustfmt::skip]
const COMPARISONS: &[&str] = &[
    "and", "eq", "equal", "equals", "gt", "gte", "ifeq", "ifEquals", "is", "isnt", "lt", "lte",
    "ne", "neq", "not", "notEqual", "notEquals", "or", "unlessEq", "contains", "includes",
    "compare",
];

/// Common helpers of other template libraries, which are called on purpose.
#[rustfmt::skip]
const INTENDED: &[&str] = &[
    "add", "capitalize", "concat", "currency", "date", "default", "divide", "format", "formatDate",
    "formatNumber", "includes", "join", "json", "length", "lower", "lowercase", "multiply", "now",
    "pluralize", "replace", "round", "split", "subtract", "substring", "trim", "upper",
    "uppercase", "urlEncode",
];

impl UnintendedCall {
    /// Finds out what the author of a tag with arguments, or of a subexpression, probably meant.
    pub fn detect(tag: TemplateNode<'_>, text: &str) -> Option<Self> {
        let takes_arguments = matches!(
            tag.kind(),
            NodeKind::Mustache | NodeKind::SubExpression | NodeKind::Opening | NodeKind::Else
        );
        let has_arguments = takes_arguments && tag.params().next().is_some();
        let is_built_in =
            |head: &TemplateNode<'_>| BUILT_IN_HELPERS.contains(&head.span().of(text));
        let head = tag.head().filter(|head| has_arguments && !is_built_in(head))?;
        let arguments: Vec<TemplateNode<'_>> = tag.params().collect();
        let is_mustache = tag.kind() == NodeKind::Mustache;
        let call = HelperCall { text, tag, head, arguments: &arguments };
        if is_mustache {
            let found = call.json().or_else(|| call.dashes()).or_else(|| call.full_stop());
            if found.is_some() {
                return found;
            }
        }
        let found = call.operator().or_else(|| call.else_if()).or_else(|| call.comparison());
        found.or_else(|| call.name_with_spaces().filter(|_| is_mustache))
    }

    fn new(
        span: TemplateSpan,
        message: impl Into<String>,
        label: &'static str,
        help: impl Into<String>,
    ) -> Self {
        let (message, help) = (Some(message.into()), help.into());
        Self { span, message, label, help, joined_name: None }
    }
}

/// A call in its parts.
struct HelperCall<'a> {
    text: &'a str,
    tag: TemplateNode<'a>,
    head: TemplateNode<'a>,
    arguments: &'a [TemplateNode<'a>],
}

impl HelperCall<'_> {
    fn source(&self, node: TemplateNode<'_>) -> &str {
        node.span().of(self.text)
    }

    /// From the head to the last positional argument.
    fn content(&self) -> TemplateSpan {
        let end = self.arguments.last().map_or(self.head, |last| *last).span().end;
        TemplateSpan { start: self.head.span().start, end }
    }

    /// `{{ "a": 1 }}`.
    fn json(&self) -> Option<UnintendedCall> {
        let start = self.tag.span().start;
        let open = TemplateSpan { start, end: start + 2 };
        json::begins(Bytes(self.text.as_bytes()), open.end as usize).then(|| {
            UnintendedCall::new(
                open,
                "JSON in double braces is read as a mustache",
                "read as the start of a mustache",
                "use single braces for JSON, or write `\\{{` for two literal braces",
            )
        })
    }

    /// `{{- x -}}`.
    fn dashes(&self) -> Option<UnintendedCall> {
        let is_dash = |node: &TemplateNode<'_>| self.source(*node) == "-";
        let last = *self.arguments.last()?;
        let dash = [self.head, last].into_iter().find(is_dash)?;
        let names = [self.head].into_iter().chain(self.arguments.iter().copied());
        let names: Vec<_> = names.filter(|node| !is_dash(node)).collect();
        let help = match names[..] {
            [name] => format!("remove the `-`: {}", excerpt(&mustache(self.source(name)))),
            _ => "remove the `-`".to_owned(),
        };
        let message = "`-` does not strip white space in Handlebars";
        Some(UnintendedCall::new(dash.span(), message, "read as a name", help))
    }

    /// `{{name.}}`, which is `name` with the argument `.`.
    fn full_stop(&self) -> Option<UnintendedCall> {
        let [stop] = self.arguments else { return None };
        let is_behind = stop.span().start == self.head.span().end;
        let is_stop = is_behind && self.source(*stop) == "." && self.source(self.head) != "..";
        is_stop.then(|| {
            let variable = mustache(self.source(self.head));
            let message = "a name cannot end with a full stop";
            let help = format!("move it behind the braces: {}", excerpt(&format!("{variable}.")));
            UnintendedCall::new(stop.span(), message, "read as an argument", help)
        })
    }

    /// `{{x ?? "y"}}`, `{{a ? b : c}}`, `{{a - b}}`: signs that Handlebars reads as names.
    fn operator(&self) -> Option<UnintendedCall> {
        let is_operator = |node: &&TemplateNode<'_>| {
            let source = self.source(**node);
            node.kind() == NodeKind::Path && matches!(source, "??" | "?" | "?:" | ":" | "-" | "$")
        };
        let operator = *self.arguments.iter().find(is_operator)?;
        let source = self.source(operator);
        let help = match source {
            "??" | "?:" => SET_DEFAULT,
            "?" => "write a block, as in `{{#if vip}}yes{{else}}no{{/if}}`",
            _ => COMPUTE_VALUE,
        };
        let message = format!("the operator {} is not supported in Handlebars", excerpt(source));
        Some(UnintendedCall::new(operator.span(), message, "not supported", help))
    }

    /// `{{elseif x}}`.
    fn else_if(&self) -> Option<UnintendedCall> {
        let source = self.source(self.head);
        let is_tag = matches!(self.tag.kind(), NodeKind::Mustache | NodeKind::Opening);
        if !is_tag || !matches!(source, "elseif" | "elsif" | "elif" | "elseIf") {
            return None;
        }
        let condition = TemplateSpan { start: self.head.span().end, end: self.content().end };
        let condition = condition.of(self.text).trim();
        Some(UnintendedCall::new(
            self.head.span(),
            format!("{} is not a Handlebars tag", excerpt(source)),
            "read as the name of a helper",
            format!("write {}", excerpt(&mustache(&format!("else if {condition}")))),
        ))
    }

    /// `{{#if (eq a "b")}}`.
    fn comparison(&self) -> Option<UnintendedCall> {
        let source = self.source(self.head);
        if !COMPARISONS.contains(&source) {
            return None;
        }
        let help = match self.arguments {
            [name] if source == "not" && is_path(self.source(*name)) => {
                use_unless(self.source(*name))
            }
            _ => COMPUTE_CONDITION.to_owned(),
        };
        Some(UnintendedCall::new(
            self.head.span(),
            format!("the comparison {} is not supported in Handlebars", excerpt(source)),
            "not a built-in helper",
            help,
        ))
    }

    /// `{{customer zip}}`: a name with spaces, or a sentence.
    fn name_with_spaces(&self) -> Option<UnintendedCall> {
        let is_word = |node: &TemplateNode<'_>| {
            let source = self.source(*node);
            let is_letter =
                |character: char| character.is_alphanumeric() || "_'-".contains(character);
            !source.is_empty() && source.chars().all(is_letter) && node.kind() != NodeKind::String
        };
        let mut words = vec![self.source(self.head)];
        words.extend(self.arguments.iter().map(|argument| self.source(*argument)));
        let are_words = is_word(&self.head) && self.arguments.iter().all(is_word);
        let is_intended = self.tag.hash_arguments().next().is_some()
            || INTENDED.contains(&self.source(self.head));
        if words.len() < 2 || !are_words || is_intended {
            return None;
        }
        let span = self.content();
        if words.len() > WORDS {
            let message =
                format!("{} is prose, not a variable's name", excerpt(span.of(self.text)));
            return Some(UnintendedCall::new(span, message, NOT_A_NAME, ONE_NAME));
        }
        let name = words.join("_");
        let variable = excerpt(&mustache(&name));
        Some(UnintendedCall {
            span,
            message: None,
            label: "read as a helper and its arguments",
            help: format!("a variable's name cannot contain spaces: write {variable}"),
            joined_name: Some(name),
        })
    }
}
