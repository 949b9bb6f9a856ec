//! Checkstyle's XML: errors by file, each with its position.

use std::collections::BTreeMap;
use std::io;

use askama::Template;

use super::xml;
use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::located::LocatedDocument;
use crate::run::RunOutcome;
use crate::source_map::FilePosition;

#[derive(Default, Template)]
#[template(path = "checkstyle.xml", escape = "none")]
pub(crate) struct CheckstyleEmitter {
    files: BTreeMap<String, Vec<CheckstyleError>>,
}

struct CheckstyleError {
    position: FilePosition,
    severity: &'static str,
    message: String,
    rule: String,
}

impl Emitter for CheckstyleEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        for annotation in Annotation::all(&document) {
            let path = out.run.in_repository(annotation.path);
            self.files.entry(path).or_default().push(CheckstyleError {
                position: annotation.from,
                severity: annotation.severity.name(),
                message: annotation.message.into_owned(),
                rule: annotation.rule.id.to_string(),
            });
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, _: &RunOutcome<'_>) -> io::Result<()> {
        xml::write_document(out.stream, self)
    }
}
