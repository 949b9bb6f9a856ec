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
    /// How deep blocks, partials and subexpressions may be nested.
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
    /// `{{> x}}` in the partial `x`, in no other block.
    EndlessPartial { name: String },
    /// An object that has a field `toString` was to become text.
    NotText,
    /// A partial alone in an indented line renders a value that is not text.
    IndentedValue,
    /// More nested blocks, partials and subexpressions than this renderer enters.
    TooDeep { limit: usize },
    /// More text than this renderer writes.
    TooLong { limit: usize },
    /// More work than this renderer does.
    TooManySteps { limit: usize },
    /// The rest depends on a value that is open.
    Open(Question),
}

impl RenderError {
    pub(super) fn too_deep(limits: RenderLimits) -> Self {
        Self {
            kind: RenderErrorKind::TooDeep { limit: limits.depth },
            span: TemplateSpan::default(),
            help: None,
        }
    }

    /// Whether there is too much of the template, so that a part of it might be rendered.
    pub(super) fn is_exhausted(&self) -> bool {
        matches!(self.kind, RenderErrorKind::TooLong { .. } | RenderErrorKind::TooManySteps { .. })
    }

    /// Whether the template and its values exceed the limits of this renderer, not those of the reference.
    pub fn is_limit(&self) -> bool {
        matches!(
            self.kind,
            RenderErrorKind::TooDeep { .. }
                | RenderErrorKind::TooLong { .. }
                | RenderErrorKind::TooManySteps { .. }
        )
    }

    /// How to fix it, as an instruction.
    pub fn help(&self) -> String {
        if let Some(help) = &self.help {
            return help.clone();
        }
        match &self.kind {
            RenderErrorKind::MissingHelper { .. } => {
                "Handlebars has only the helpers `if`, `unless`, `each`, `with`, `lookup` and `log`; write a variable as \
                 one name without spaces, as in `{{first_name}}`"
                    .to_owned()
            }
            RenderErrorKind::MissingPartial { .. } => {
                "write the text here: the service does not mention partials".to_owned()
            }
            RenderErrorKind::MissingDecorator { .. } => "remove this tag".to_owned(),
            RenderErrorKind::NotAHelper { name } => {
                format!("write only the name: `{{{{{name}}}}}`")
            }
            RenderErrorKind::OneArgument { helper } => {
                format!("write one condition, as in `{{{{#{helper} is_vip}}}}`")
            }
            RenderErrorKind::NothingToIterate | RenderErrorKind::EachArguments => {
                "write one list, as in `{{#each orders}}`".to_owned()
            }
            RenderErrorKind::NotABlock { helper } => {
                format!("write a block: `{{{{#{helper} …}}}}…{{{{/{helper}}}}}`")
            }
            RenderErrorKind::LookupArguments => {
                "write an object or list and a name, as in `{{lookup prices plan}}`".to_owned()
            }
            RenderErrorKind::NoBlockParam { .. } => {
                "only `each` and `with` set block parameters: remove `as |…|`".to_owned()
            }
            RenderErrorKind::EndlessPartial { .. } => {
                "remove this tag, or put it into a block such as `{{#each items}}`".to_owned()
            }
            RenderErrorKind::NotText => {
                "write one of its fields, as in `{{customer.name}}`".to_owned()
            }
            RenderErrorKind::IndentedValue => "remove the spaces before the tag".to_owned(),
            RenderErrorKind::TooDeep { .. }
            | RenderErrorKind::TooLong { .. }
            | RenderErrorKind::TooManySteps { .. }
            | RenderErrorKind::Open(_) => {
                "give shorter lists, or nest fewer blocks".to_owned()
            }
        }
    }
}

impl fmt::Display for RenderErrorKind {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingHelper { name } => {
                write!(to, "`{name}` is not a built-in Handlebars helper")
            }
            Self::MissingPartial { name } => write!(to, "the partial `{name}` is not defined"),
            Self::MissingDecorator { name } => {
                write!(to, "`{name}` is not a built-in Handlebars decorator")
            }
            Self::NotAHelper { name } => write!(to, "`{name}` is a variable, not a helper"),
            Self::OneArgument { helper } => write!(to, "`{helper}` needs exactly one argument"),
            Self::NothingToIterate => write!(to, "`each` needs a list"),
            Self::EachArguments => write!(to, "`each` takes only one list"),
            Self::NotABlock { helper } => write!(to, "`{helper}` works only as a block"),
            Self::LookupArguments => write!(to, "`lookup` needs exactly two arguments"),
            Self::NoBlockParam { name } => {
                write!(to, "the block does not set the block parameter `{name}`")
            }
            Self::EndlessPartial { name } => {
                write!(to, "the partial `{name}` calls itself without end")
            }
            Self::NotText => {
                write!(to, "this object has a field `toString` and cannot become text")
            }
            Self::IndentedValue => write!(to, "this indented partial is not text"),
            Self::TooDeep { limit } => {
                write!(to, "nested too deep to render: the limit is {limit}")
            }
            Self::TooLong { limit } => {
                write!(to, "too long to render: the limit is {limit} bytes")
            }
            Self::TooManySteps { limit } => {
                write!(to, "too much work to render: the limit is {limit} steps")
            }
            Self::Open(_) => write!(to, "depends on a variable without a value"),
        }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(to)
    }
}

impl std::error::Error for RenderError {}
