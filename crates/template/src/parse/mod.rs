//! Text to tokens to a syntax tree, rule for rule as the reference implementation reads it.

pub(crate) mod block_name;
pub(crate) mod lexer;
pub(crate) mod node;
pub(crate) mod parser;
pub(crate) mod scan;
pub(crate) mod span;
pub(crate) mod token;
pub(crate) mod tree;

mod expression;
mod statement;
