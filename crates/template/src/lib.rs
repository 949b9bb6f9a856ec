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
mod json;
mod kind;
mod lexer;
mod message;
mod misplaced;
mod misread;
mod names;
mod node;
mod parser;
mod repair;
mod scan;
mod sound;
mod span;
mod text;
mod token;
mod tree;
mod unopened;

#[cfg(test)]
mod cost;

pub use correct::Correction;
pub use fault::{Fault, FaultKind, Refusal};
pub use misread::Misread;
pub use node::{Branch, Escaping, Node, SegmentKind, Strip};
pub use parser::{Parsed, parse};
pub use span::Span;
pub use tree::{NodeKind, Tree};

/// The nesting beyond which the reference may fail although the template is valid: it recurses, and at Node's
/// ordinary stack size its `precompile` ends in a `RangeError`.
///
/// Measured with Node 20, as [`Parsed::depth`] counts: the first to fail are sub-expressions as named arguments, from
/// about 1,170 on, then partial blocks (1,200), blocks (1,350), other sub-expressions (1,360) and `else` chains
/// (1,850). The figures move with Node's version, its stack size and the frames already on the stack, so a caller
/// should say that such a template is possibly refused, and no more.
pub const NESTING_LIMIT: u32 = 1_150;
