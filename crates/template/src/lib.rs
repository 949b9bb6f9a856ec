//! Internal to voxlint: a parser for Handlebars templates that accepts exactly what npm handlebars 4.7 accepts.
//!
//! [`parse`] returns a syntax tree and, if the reference rejects the template, the first error: its kind, its span, and a
//! [description](TemplateError::describe) for people who write prompts. The verdict is that of the reference's `parse`
//! followed by its `precompile`; `tests/it/reference.rs` compares the two.
//!
//! ```
//! use voxlint_template::{NodeKind, parse};
//!
//! let text = "Hi {{customer.first_name}}!";
//! let parsed = parse(text);
//! assert!(parsed.error.is_none());
//! let mustache = parsed.tree.statements().find(|node| node.kind() == NodeKind::Mustache).unwrap();
//! let path = mustache.head().unwrap();
//! let names: Vec<_> = path.children().map(|segment| segment.value(text)).collect();
//! assert_eq!(names, ["customer", "first_name"]);
//! ```
//!
//! [`render`] fills a template in, as the reference does.
//!
//! All offsets are bytes of the template's text: the decoded string, not the file that contains it.
#![forbid(unsafe_code)]

mod mistakes;
mod parse;
mod parsed;
mod render;

pub use mistakes::description::{Correction, Description};
pub use mistakes::error::{Stage, TemplateError, TemplateErrorKind};
pub use mistakes::further::{FurtherError, further_errors};
pub use mistakes::tag_text::BUILT_IN_HELPERS;
pub use mistakes::unintended_call::UnintendedCall;
pub use parse::node::{Branch, SegmentKind, TemplateNode};
pub use parse::span::TemplateSpan;
pub use parse::tree::{NodeKind, TemplateTree};
pub use parsed::{ParsedTemplate, parse};
pub use render::{
    Assumption, Condition, MAX_PATHS, Missing, Object, Open, OpenTemplate, RenderError,
    RenderLimits, Rendering, TemplatePath, TemplatePaths, Value, certain_render_errors,
    html_escape, paths, render,
};

/// The nesting depth beyond which the reference may fail on a valid template: it recurses, and at Node's default stack
/// size its `precompile` ends in a `RangeError`.
///
/// Measured with Node 20, as [`ParsedTemplate::depth`] counts: subexpressions as hash arguments fail from about 1,170 on,
/// then partial blocks (1,200), blocks (1,350), other subexpressions (1,360) and `else` chains (1,850). The figures depend on
/// Node's version, its stack size and the frames on the stack, so such a template only may be rejected.
pub const NESTING_LIMIT: u32 = 1_150;
