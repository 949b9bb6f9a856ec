//! Handlebars templates, read as npm handlebars 4.7 reads them.
//!
//! [`parse`] answers with a syntax tree and, where the reference refuses the template, with the first fault: its
//! class, its place, and words for somebody who writes prompts. "Refuses" is the verdict of the reference's `parse`
//! followed by its `precompile`; tests/reference.rs holds it against the reference itself.
//!
//! ```
//! use voxlint_template::{NodeKind, parse};
//!
//! let text = "Hi {{customer.first_name}}!";
//! let parsed = parse(text);
//! assert!(parsed.fault.is_none());
//! let mustache = parsed.tree.statements().find(|node| node.kind() == NodeKind::Mustache).unwrap();
//! let path = mustache.head().unwrap();
//! let names: Vec<_> = path.children().map(|segment| segment.value(text)).collect();
//! assert_eq!(names, ["customer", "first_name"]);
//! ```
//!
//! All offsets are bytes of the template's text, which is the decoded string and not the file that holds it.
#![forbid(unsafe_code)]

mod block;
mod correct;
mod diagnose;
mod expression;
mod fault;
mod help;
mod invalid;
mod kind;
mod lexer;
mod message;
mod misplaced;
mod names;
mod node;
mod parser;
mod repair;
mod scan;
mod span;
mod text;
mod token;
mod tree;

#[cfg(test)]
mod cost;

pub use correct::Correction;
pub use fault::{Fault, FaultKind, Refusal};
pub use node::{Branch, Escaping, Node, SegmentKind, Strip};
pub use parser::{Parsed, parse};
pub use span::Span;
pub use tree::{NodeKind, Tree};

/// The nesting beyond which the reference may fail although the template is valid: it recurses, and at Node's
/// ordinary stack size `precompile` ends in a `RangeError`.
///
/// With Node 20 the deepest blocks that pass are about 1,350, `else` chains about 1,850; deep sub-expressions pass
/// further. The exact figure moves with Node's version, its stack size and the frames already on the
/// stack, so a caller should say that such a template is possibly refused.
pub const NESTING_LIMIT: u32 = 1_300;
