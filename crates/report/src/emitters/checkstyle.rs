//! Checkstyle's XML: errors by file, each with its position.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use super::xml;
use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::located::LocatedDocument;
use crate::run::RunOutcome;
use crate::source_map::FilePosition;

#[derive(Default)]
pub(crate) struct CheckstyleEmitter {
    files: BTreeMap<String, Vec<CheckstyleError>>,
}

struct CheckstyleError {
    position: FilePosition,
    severity: &'static str,
    message: String,
    source: String,
}

impl Emitter for CheckstyleEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let run = out.run;

        for annotation in Annotation::all(&document) {
            let entry = CheckstyleError {
                position: annotation.from,
                severity: annotation.severity.name(),
                message: xml::allowed(&annotation.message).into_owned(),
                source: xml::allowed(&format!("voxlint.{}", annotation.rule.id)).into_owned(),
            };
            let path = run.in_repository(annotation.path);
            self.files.entry(xml::allowed(&path).into_owned()).or_default().push(entry);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, _: &RunOutcome<'_>) -> io::Result<()> {
        let mut writer = xml::begin(out)?;
        let checkstyle = writer.create_element("checkstyle").with_attribute(("version", "4.3"));
        checkstyle.write_inner_content(|writer| {
            for (path, entries) in &self.files {
                let file = writer.create_element("file").with_attribute(("name", path.as_str()));
                file.write_inner_content(|writer| {
                    for entry in entries {
                        let FilePosition { line, column, .. } = entry.position;
                        writer
                            .create_element("error")
                            .with_attribute(("line", line.to_string().as_str()))
                            .with_attribute(("column", column.to_string().as_str()))
                            .with_attribute(("severity", entry.severity))
                            .with_attribute(("message", entry.message.as_str()))
                            .with_attribute(("source", entry.source.as_str()))
                            .write_empty()?;
                    }
                    Ok(())
                })?;
            }
            Ok(())
        })?;
        out.write_all(b"\n")
    }
}
