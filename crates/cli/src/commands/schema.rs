//! `voxlint schema`: prints the JSON Schema of a kind of document, or of what the commands write.

use std::borrow::Cow;
use std::io::{self, Write as _};

use voxlint::docs::json_schema;
use voxlint_report::{plan_schema, report_schema};

use super::after_writing;
use crate::args::{SchemaKind, SchemaOptions};
use crate::exit::Exit;
use crate::terminal::print_error;

pub(crate) fn run(options: &SchemaOptions) -> Exit {
    let schema = match options.kind {
        SchemaKind::Adopt => Cow::Borrowed(super::adopt::SCHEMA),
        SchemaKind::Plan => Cow::Borrowed(plan_schema()),
        SchemaKind::Record => Cow::Borrowed(super::learn::RECORD_SCHEMA),
        SchemaKind::Report => Cow::Borrowed(report_schema()),
        SchemaKind::Document(kind) => {
            let Some(schema) = json_schema(kind) else {
                let what = kind.noun_phrase();
                print_error(&format!("{what} is not JSON, so it has no JSON Schema"));
                return Exit::Failed;
            };
            Cow::Owned(schema)
        }
    };
    after_writing(io::stdout().lock().write_all(schema.as_bytes()), Exit::Clean)
}
