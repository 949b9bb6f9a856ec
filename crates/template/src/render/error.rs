//! What keeps a template from being rendered.

use std::fmt;

use super::value::Question;
use crate::parse::span::TemplateSpan;

/// How much a rendering may cost.
#[derive(Clone, Copy, Debug)]
pub struct RenderLimits {
    /// The length of the text in bytes.
    pub length: usize,
    /// The number of statements, arguments and loop rounds, and of characters that are converted on the way.
    pub steps: usize,
    /// How deep blocks and subexpressions may be nested.
    pub depth: usize,
}

impl Default for RenderLimits {
    fn default() -> Self {
        Self { length: 1 << 20, steps: 4 << 20, depth: 100 }
    }
}

/// Why a valid template cannot be rendered, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderError {
    pub(super) kind: RenderErrorKind,
    /// The call, path or name that fails.
    pub span: TemplateSpan,
    /// A better help than that of the kind.
    pub(super) help: Option<String>,
}

/// Why a valid template cannot be rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RenderErrorKind {
    /// `{{first name}}`: a helper that Handlebars does not have.
    MissingHelper { name: String },
    /// `{{> footer}}`: a partial that the template does not define.
    MissingPartial { name: String },
    /// `{{* note}}`: a decorator that Handlebars does not have.
    MissingDecorator { name: String },
    /// `{{name x}}`, where the variable `name` has a value.
    NotAHelper { name: String },
    /// `{{#if}}` or `{{#if a b}}`.
    OneArgument { helper: &'static str },
    /// `{{#each}}` without a list.
    NothingToIterate,
    /// `{{if x}}`: the helper works only as a block.
    NotABlock { helper: &'static str },
    /// `{{lookup list}}` or `{{lookup list 0 1}}`.
    LookupArguments,
    /// `{{#each list name}}`: more than the list.
    EachArguments,
    /// A block parameter of a block that sets none, as in `{{#if x as |y|}}{{y}}{{/if}}`.
    NoBlockParam { name: String },
    /// An object that has a field `toString` was to become text.
    NotText,
    /// The template defines a partial, or gives one a block.
    Partial,
    /// More nested blocks and subexpressions than this renderer enters.
    TooDeep { limit: usize },
    /// More text than this renderer writes.
    TooLong { limit: usize },
    /// More work than this renderer does.
    TooManySteps { limit: usize },
    /// The rest depends on a value that is open.
    Open(Question),
}

impl RenderError {
    pub(super) fn new(kind: RenderErrorKind, span: TemplateSpan) -> Self {
        Self { kind, span, help: None }
    }

    pub(super) fn too_deep(limits: RenderLimits) -> Self {
        Self::new(RenderErrorKind::TooDeep { limit: limits.depth }, TemplateSpan::default())
    }

    /// Whether there is too much of the template, so that a part of it might be rendered.
    pub(super) fn is_exhausted(&self) -> bool {
        matches!(self.kind, RenderErrorKind::TooLong { .. } | RenderErrorKind::TooManySteps { .. })
    }

    /// Whether the template and its values exceed the limits of this renderer, not those of the reference.
    pub fn is_limit(&self) -> bool {
        let is_other =
            matches!(self.kind, RenderErrorKind::TooDeep { .. } | RenderErrorKind::Partial);
        is_other || self.is_exhausted()
    }

    /// How to fix it, as an instruction.
    pub fn help(&self) -> String {
        self.help.clone().unwrap_or_else(|| self.kind.message_and_help().1)
    }
}

impl RenderErrorKind {
    fn message_and_help(&self) -> (String, String) {
        let (message, help) = match self {
            Self::MissingHelper { name } => (
                format!("`{name}` is not a built-in Handlebars helper"),
                "Handlebars has only the helpers `if`, `unless`, `each`, `with`, `lookup` and `log`; write a variable as one \
                 name without spaces, as in `{{first_name}}`",
            ),
            Self::MissingPartial { name } => (
                format!("the partial `{name}` is not defined"),
                "write the text here: the service does not mention partials",
            ),
            Self::MissingDecorator { name } => {
                (format!("`{name}` is not a built-in Handlebars decorator"), "remove this tag")
            }
            Self::NotAHelper { name } => {
                let help = format!("write only the name: `{{{{{name}}}}}`");
                return (format!("`{name}` is a variable, not a helper"), help);
            }
            Self::OneArgument { helper } => {
                let help = format!("write one condition, as in `{{{{#{helper} is_vip}}}}`");
                return (format!("`{helper}` needs exactly one argument"), help);
            }
            Self::NotABlock { helper } => {
                let help = format!("write a block: `{{{{#{helper} …}}}}…{{{{/{helper}}}}}`");
                return (format!("`{helper}` works only as a block"), help);
            }
            Self::NothingToIterate => ("`each` needs a list".to_owned(), ONE_LIST),
            Self::EachArguments => ("`each` takes only one list".to_owned(), ONE_LIST),
            Self::LookupArguments => (
                "`lookup` needs exactly two arguments".to_owned(),
                "write an object or list and a name, as in `{{lookup prices plan}}`",
            ),
            Self::NoBlockParam { name } => (
                format!("the block does not set the block parameter `{name}`"),
                "only `each` and `with` set block parameters: remove `as |…|`",
            ),
            Self::NotText => (
                "this object has a field `toString` and cannot become text".to_owned(),
                "write one of its fields, as in `{{customer.name}}`",
            ),
            Self::Partial => (
                "templates with partials of their own are not rendered".to_owned(),
                "write the text here: the service does not mention partials",
            ),
            Self::TooDeep { limit } => {
                (format!("nested too deep to render: the limit is {limit}"), GIVE_LESS)
            }
            Self::TooLong { limit } => {
                (format!("too long to render: the limit is {limit} bytes"), GIVE_LESS)
            }
            Self::TooManySteps { limit } => {
                (format!("too much work to render: the limit is {limit} steps"), GIVE_LESS)
            }
            Self::Open(_) => ("depends on a variable without a value".to_owned(), GIVE_LESS),
        };
        (message, help.to_owned())
    }
}

const ONE_LIST: &str = "write one list, as in `{{#each orders}}`";
const GIVE_LESS: &str = "give shorter lists, or nest fewer blocks";

impl fmt::Display for RenderError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.kind.message_and_help().0)
    }
}

impl std::error::Error for RenderError {}
