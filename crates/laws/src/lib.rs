//! Internal to voxlint: laws, properties that hold for every input, even for random bytes.
//!
//! Each law is a function that panics if the law does not hold. The fuzz targets in `fuzz/` call these functions, and the tests
//! of this crate call them with the inputs that fuzzing has found.
//!
//! [`SEPARATOR`] separates the texts of an input. The first byte of the input selects how they are read.

#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a function panics if its law does not hold"
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

/// A property that holds for every input.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// The name of its fuzz target.
    pub name: &'static str,
    /// The property, in words.
    pub claim: &'static str,
    /// Panics if the law does not hold for an input.
    pub hold: fn(&[u8]),
}

/// Every law, in the order of the pipeline.
pub const LAWS: [Law; 14] = [
    Law {
        name: "json",
        claim: "JSON is accepted if and only if serde_json accepts it, with the same values; the tree of any text is sound",
        hold: json,
    },
    Law {
        name: "jsonc",
        claim: "valid JSON is valid JSONC with the same values; the tree of any text is sound",
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
        claim: "a document has the same values and the same findings in JSON, JSONC, YAML and TOML",
        hold: formats,
    },
    Law {
        name: "templates",
        claim: "every node and every error of a template is inside its text, and a template without errors can be rendered",
        hold: templates,
    },
    Law {
        name: "checks",
        claim: "checking any document twice, with any related inputs, gives the same report, with spans inside the texts",
        hold: checks,
    },
    Law {
        name: "reports",
        claim: "every report can be written in every format, JSON formats are valid JSON, and no output controls a terminal",
        hold: reports,
    },
    Law {
        name: "configurations",
        claim: "any configuration is loaded or has errors inside its text, and a check with it terminates",
        hold: configurations,
    },
    Law {
        name: "fixes",
        claim: "the edits of fixes produce the fixed text, and fixing is idempotent",
        hold: fixes,
    },
    Law {
        name: "predictions",
        claim: "any document has a prediction and a difference, and all JSON in them is valid",
        hold: predictions,
    },
    Law {
        name: "plans",
        claim: "any two documents have a plan, and their order does not matter",
        hold: plans,
    },
    Law {
        name: "schemas",
        claim: "the exported JSON Schemas and a check reject the same values, as far as a schema can express the rules",
        hold: schemas,
    },
    Law {
        name: "editors",
        claim: "answers to an editor about any position in any text are inside the text",
        hold: editors,
    },
];
