//! The files that a document is checked against: what the service has stored, and what is known of the workspace.

use std::io;
use std::path::Path;

use voxlint::{Document, Facts, Inputs, Origin, Report, Source, Stored};
use voxlint_report::{Checked, Failure, Format, Partner, Run, render, write_findings};

use crate::args::{ColorArgument, PartnerOptions};
use crate::files::{Input, Reading};
use crate::terminal::style_of_stderr;

/// Whatever of them was given and could be read, as bytes.
pub(crate) struct PartnerFiles {
    stored: Option<PartnerFile>,
    facts: Option<PartnerFile>,
}

struct PartnerFile {
    input: Input,
    bytes: Vec<u8>,
}

impl PartnerFile {
    fn source(&self) -> (&Input, Source<'_>) {
        (&self.input, Source::from_bytes(&self.bytes))
    }
}

impl PartnerFiles {
    /// Reads the files that the command line names.
    pub(crate) fn read(
        options: &PartnerOptions,
        reading: Reading<'_>,
        failures: &mut Vec<Failure>,
    ) -> Self {
        let mut read = |path: &Path| {
            let input = Reading { stdin_filename: None, ..reading }.named(path);
            match input.read() {
                Ok(bytes) => Some(PartnerFile { input, bytes }),
                Err(failure) => {
                    failures.push(failure);
                    None
                }
            }
        };
        Self {
            stored: options.stored.as_deref().and_then(&mut read),
            facts: options.facts.as_deref().and_then(&mut read),
        }
    }

    /// The files as text, with their paths.
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources {
            stored: self.stored.as_ref().map(PartnerFile::source),
            facts: self.facts.as_ref().map(PartnerFile::source),
        }
    }
}

/// The texts of the partner files.
pub(crate) struct Sources<'a> {
    stored: Option<(&'a Input, Source<'a>)>,
    facts: Option<(&'a Input, Source<'a>)>,
}

/// The partner files, parsed.
pub(crate) struct Partners<'a> {
    stored: Option<(Partner<'a>, Document<'a>)>,
    facts: Option<(Partner<'a>, Document<'a>)>,
    agent_id: Option<&'a str>,
}

impl<'a> Partners<'a> {
    /// Parses the partner files. What cannot be understood is shown and left out: to check against half of it would give
    /// answers that nobody asked for.
    pub(crate) fn parse(
        sources: &'a Sources<'_>,
        options: &'a PartnerOptions,
        color: ColorArgument,
        failures: &mut Vec<Failure>,
    ) -> Self {
        let mut parse = |given: &'a Option<(&'_ Input, Source<'_>)>| {
            let (input, source) = given.as_ref()?;
            let document = input.document(source).map_err(|failure| failures.push(failure)).ok()?;
            Some((Partner { path: &input.shown, text: source.text() }, document))
        };
        let mut partners = Self {
            stored: parse(&sources.stored),
            facts: parse(&sources.facts),
            agent_id: options.agent_id.as_deref(),
        };
        let mut is_refused = |partner: &Partner<'_>, what: &str, faults: &Report| {
            if faults.diagnostics.is_empty() {
                return false;
            }
            failures.push(refuse(partner, what, faults, color));
            true
        };
        partners.stored.take_if(|(partner, document)| {
            is_refused(partner, "the stored state", &Stored::new(document).faults())
        });
        partners.facts.take_if(|(partner, document)| {
            is_refused(partner, "workspace facts", &Facts::new(document).faults())
        });
        let another = partners.stored.as_ref().and_then(|(_, held)| {
            let held = Stored::new(held);
            match (held.kind(), partners.agent_id) {
                (None, _) => {
                    Some("it holds neither an agent nor the settings of a version".to_owned())
                }
                (Some(_), Some(given)) => held.is_of_another(given),
                (Some(_), None) => None,
            }
        });
        if let Some(message) = another
            && let Some((partner, _)) = partners.stored.take()
        {
            let message = format!("cannot be used as the stored state: {message}");
            failures.push(Failure { path: partner.path.to_owned(), message });
        }
        partners
    }

    /// Everything that is known of a document.
    pub(crate) fn inputs<'d>(&'d self, document: &'d Document<'d>) -> Inputs<'d> {
        let mut inputs = Inputs::new(document);
        inputs.stored = self.stored.as_ref().map(|(_, held)| Stored::new(held));
        inputs.facts = self.facts.as_ref().map(|(_, facts)| Facts::new(facts));
        inputs.agent_id = self.agent_id;
        inputs
    }

    /// The partner files, with what they are to a document that is checked against them.
    pub(crate) fn list(&self) -> Vec<(Origin, Partner<'_>)> {
        let stored = self.stored.iter().map(|(partner, _)| (Origin::Stored, *partner));
        let facts = self.facts.iter().map(|(partner, _)| (Origin::Facts, *partner));
        stored.chain(facts).collect()
    }
}

/// Shows on standard error what was found in a document that is not the one under check.
pub(crate) fn show(checked: &Checked<'_>, color: ColorArgument) {
    let rendered = render(Format::Full, &style_of_stderr(color), checked);
    let summary = voxlint_report::Summary::default();
    // There is nobody to tell if that fails.
    let _ = write_findings(
        &mut io::stderr(),
        Format::Full,
        &Run::default(),
        [rendered],
        &[],
        &[],
        &summary,
    );
}

/// Shows what keeps a document from being used, and sums it up as a failure.
pub(crate) fn refuse(
    partner: &Partner<'_>,
    what: &str,
    faults: &Report,
    color: ColorArgument,
) -> Failure {
    show(&Checked::new(partner.path, partner.text, faults), color);
    Failure {
        path: partner.path.to_owned(),
        message: format!("cannot be used as {what}: {}", first(partner, faults)),
    }
}

/// The first fault in one line.
fn first(partner: &Partner<'_>, faults: &Report) -> String {
    let lines = voxlint::syntax::LineIndex::new(partner.text);
    let Some(fault) = faults.diagnostics.first() else { return String::new() };
    let at = lines.position(partner.text, fault.span.start);
    let more = match faults.diagnostics.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    format!("{}:{}: {}{more}", at.line, at.column, fault.message)
}
