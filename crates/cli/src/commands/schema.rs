//! `voxlint schema`: prints the JSON Schema of a kind of document.

use std::io::{self, Write as _};

use voxlint::docs::json_schema;

use super::after_writing;
use crate::Exit;
use crate::args::SchemaOptions;
use crate::terminal::print_error;

pub(crate) fn run(options: &SchemaOptions) -> Exit {
    let Some(schema) = json_schema(options.kind) else {
        let what = options.kind.noun_phrase();
        print_error(&format!("{what} is not JSON, so it has no JSON Schema"));
        return Exit::Failed;
    };
    after_writing(io::stdout().lock().write_all(schema.as_bytes()), Exit::Clean)
}
