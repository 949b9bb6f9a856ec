//! What holds for every input, whatever its bytes: one function for each law.
//!
//! The fuzz targets in `fuzz/` call these functions, and so do the tests of this crate, on the inputs that fuzzing has found.
//! A function panics if its law does not hold.
//!
//! An input of several texts separates them by [`SEPARATOR`]. Its first byte says how they are read.

#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a law that does not hold panics"
)]

mod check;
mod configuration;
mod editor;
mod fixes;
mod formats;
mod readers;
pub mod schema;
pub mod seeds;
mod templates;
mod texts;

pub use check::{checks, plans, predictions, reports};
pub use configuration::configurations;
pub use editor::editors;
pub use fixes::fixes;
pub use formats::formats;
pub use readers::{json, jsonc, toml, yaml};
pub use schema::schemas;
pub use templates::templates;
pub use texts::SEPARATOR;

/// A law that every input obeys.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// The name of its fuzz target.
    pub name: &'static str,
    /// What holds.
    pub claim: &'static str,
    /// Panics if the law does not hold for an input.
    pub hold: fn(&[u8]),
}

/// Every law, in the order of the pipeline.
pub const LAWS: [Law; 14] = [
    Law {
        name: "json",
        claim: "JSON is accepted exactly if serde_json accepts it, with the same values; the tree of any text is sound",
        hold: json,
    },
    Law {
        name: "jsonc",
        claim: "JSON is JSONC with the same values; the tree of any text is sound",
        hold: jsonc,
    },
    Law {
        name: "yaml",
        claim: "a YAML document has the same values when it is written as JSON; the tree of any text is sound",
        hold: yaml,
    },
    Law {
        name: "toml",
        claim: "a TOML document has the same values when it is written as JSON; the tree of any text is sound",
        hold: toml,
    },
    Law {
        name: "formats",
        claim: "a document has the same values in JSON, JSONC, YAML and TOML, and the same findings",
        hold: formats,
    },
    Law {
        name: "templates",
        claim: "every node and every error of a template is inside its text, and a template without errors can be rendered",
        hold: templates,
    },
    Law {
        name: "checks",
        claim: "a check of any document with any related inputs gives the same report twice, with places inside its texts",
        hold: checks,
    },
    Law {
        name: "reports",
        claim: "every format shows every report, JSON formats are JSON, and nothing controls a terminal",
        hold: reports,
    },
    Law {
        name: "configurations",
        claim: "any configuration is loaded or has faults with places, and a check with it ends",
        hold: configurations,
    },
    Law {
        name: "fixes",
        claim: "the edits of fixes make the fixed text, and fixing twice is fixing once",
        hold: fixes,
    },
    Law {
        name: "predictions",
        claim: "any document has a prediction and a difference, and their JSON bodies are JSON",
        hold: predictions,
    },
    Law { name: "plans", claim: "any two documents have a plan in every form", hold: plans },
    Law {
        name: "schemas",
        claim: "the exported JSON Schemas reject what a check rejects, as far as they can express it",
        hold: schemas,
    },
    Law {
        name: "editors",
        claim: "answers to an editor about any place of any text are inside the text",
        hold: editors,
    },
];
