use std::io::{self, Write as _};

use voxlint::json_schema;

use super::after_writing;
use crate::Outcome;
use crate::args::SchemaOptions;
use crate::terminal::complain;

pub(crate) fn run(options: &SchemaOptions) -> Outcome {
    let Some(schema) = json_schema(options.kind) else {
        let what = options.kind.noun_phrase();
        complain(&format!("{what} is a text and no JSON, and has no JSON Schema"));
        return Outcome::Failed;
    };
    after_writing(io::stdout().lock().write_all(schema.as_bytes()), Outcome::Clean)
}
