//! Internal to voxlint: what an editor asks about a place in a document: what it means, what can be written there, where it is used.
//!
//! The crate is pure: it reads no files and knows no protocol. Places are byte offsets in the text of a [`File`].

#![forbid(unsafe_code)]

mod completion;
mod configuration;
pub mod cursor;
mod definition;
mod describe;
mod file;
mod hover;
mod knowledge;
mod mustache;
mod names;
mod pace;
mod rule_names;
mod slot;
mod suppress;
mod symbols;
mod templates;
mod tokens;

pub use completion::{
    Completion, CompletionKind, CompletionOptions, complete, complete_configuration,
};
pub use configuration::{NewSuppression, add_known_variable, add_suppression};
pub use definition::id_in_facts;
pub use file::File;
pub use hover::{Hover, hover, hover_configuration};
pub use names::{Name, NamePlace, PlaceRole, RenameError, name_at, occurrences, rename};
pub use pace::{Pace, paces};
pub use suppress::suppress;
pub use symbols::{Symbol, SymbolKind, symbols};
pub use tokens::{Token, TokenKind, tokens};
