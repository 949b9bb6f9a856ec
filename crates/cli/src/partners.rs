//! The files that a document is checked against: what the service has stored, and what is known of the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::Path;

use voxlint::{DiffInputs, Document, Facts, Inputs, Origin, Report, Source, Stored};
use voxlint_config::FileSettings;
use voxlint_report::{
    CheckedDocument, FailedFile, OutputFormat, RelatedFile, RunInfo, RunOutcome, render,
    write_findings,
};

use crate::args::{ColorArgument, ContextOptions};
use crate::files::{Input, Reading};
use crate::paths::is_there;
use crate::project::Project;
use crate::terminal::style_of_stderr;

/// Whatever of them was given and could be read, as bytes.
pub(crate) struct PartnerFiles {
    stored: Option<PartnerFile>,
    facts: Option<PartnerFile>,
    /// The facts that configurations name, by their path, and where they do.
    configured: BTreeMap<String, (PartnerFile, Option<String>)>,
}

/// A related file, as bytes.
pub(crate) struct PartnerFile {
    input: Input,
    bytes: Vec<u8>,
}

/// A failure with the line of a configuration that led to it.
fn led_to_by(named_at: Option<&str>, failure: FailedFile) -> FailedFile {
    let Some(place) = named_at else { return failure };
    FailedFile { message: format!("{} ({place} names it)", failure.message), ..failure }
}

impl PartnerFile {
    fn read(input: Input) -> Result<Self, FailedFile> {
        let bytes = input.read()?;
        Ok(Self { input, bytes })
    }

    /// What the service holds for a document, as the configuration says where; `None` where there is no such file.
    pub(crate) fn stored(
        settings: Option<&FileSettings<'_>>,
        project: &Project,
    ) -> Result<Option<Self>, FailedFile> {
        let Some(path) = settings.and_then(FileSettings::stored).map(|stored| stored.value) else {
            return Ok(None);
        };
        let input = configured(&path, project);
        match is_there(Path::new(&path)) {
            Ok(true) => Self::read(input).map(Some),
            Ok(false) => Ok(None),
            Err(message) => Err(input.failure(message)),
        }
    }

    /// The file as text, with what it is called.
    pub(crate) fn source(&self) -> (&Input, Source) {
        (&self.input, Source::from_bytes(&self.bytes))
    }
}

fn configured(path: &str, project: &Project) -> Input {
    let mut input = Reading { stdin_filename: None, jsonc: false }.named(Path::new(path));
    input.shown = project.shown(path);
    input
}

impl PartnerFiles {
    /// Reads the files that the command line names, and the facts that configurations do where it names none.
    pub(crate) fn read(
        options: &ContextOptions,
        reading: Reading<'_>,
        mut all_facts: BTreeSet<String>,
        project: &Project,
        failures: &mut Vec<FailedFile>,
    ) -> Self {
        let mut read =
            |input: Input| PartnerFile::read(input).map_err(|failure| failures.push(failure)).ok();
        let named = |path: &Path| Reading { stdin_filename: None, ..reading }.named(path);
        let stored = options.stored.as_deref().and_then(|path| read(named(path)));
        let facts = options.workspace.facts.as_deref().and_then(|path| read(named(path)));
        if options.workspace.facts.is_some() {
            all_facts.clear();
        }
        let configured = all_facts.into_iter().filter_map(|path| {
            let named_at = project.names_facts(&path);
            let input = configured(&path, project);
            if let Err(message) = is_there(Path::new(&path)) {
                // Waiting for a named pipe could take forever.
                failures.push(led_to_by(named_at.as_deref(), input.failure(message)));
                return None;
            }
            let file = PartnerFile::read(input);
            let file = file.map_err(|it| failures.push(led_to_by(named_at.as_deref(), it))).ok()?;
            Some((path, (file, named_at)))
        });
        Self { stored, facts, configured: configured.collect() }
    }

    /// The files as text, with their paths.
    pub(crate) fn sources(&self) -> Sources<'_> {
        let configured = self
            .configured
            .iter()
            .map(|(path, (file, named_at))| (path.as_str(), (file.source(), named_at.as_deref())));
        Sources {
            stored: self.stored.as_ref().map(PartnerFile::source),
            facts: self.facts.as_ref().map(PartnerFile::source),
            configured: configured.collect(),
        }
    }
}

/// The texts of the related files.
pub(crate) struct Sources<'a> {
    stored: Option<(&'a Input, Source)>,
    facts: Option<(&'a Input, Source)>,
    /// Each with where it is named.
    configured: BTreeMap<&'a str, ((&'a Input, Source), Option<&'a str>)>,
}

/// A related file, parsed.
pub(crate) type Parsed<'a> = (RelatedFile<'a>, Document);

/// The related files, parsed.
pub(crate) struct Partners<'a> {
    stored: Option<Parsed<'a>>,
    facts: Option<Parsed<'a>>,
    configured: BTreeMap<&'a str, Parsed<'a>>,
    agent_id: Option<&'a str>,
}

impl<'a> Partners<'a> {
    /// Parses the related files. What cannot be understood is shown and left out: to check against half of it would give
    /// answers that nobody asked for.
    pub(crate) fn parse(
        sources: &'a Sources<'_>,
        options: &'a ContextOptions,
        color: ColorArgument,
        failures: &mut Vec<FailedFile>,
    ) -> Self {
        let agent_id = options.workspace.agent_id.as_deref();
        let mut usable = |given: &'a (&'_ Input, Source), role: Role<'_>, named_at| {
            let (input, source) = given;
            let failure = match parse(input, source, role) {
                Ok(parsed) => return Some(parsed),
                Err(Unusable::Faulty(partner, faults)) => {
                    let checked = CheckedDocument::new(partner.path, partner.text, &faults);
                    refuse(&checked, role.name(), color)
                }
                Err(Unusable::Failed(failure)) => failure,
            };
            failures.push(led_to_by(named_at, failure));
            None
        };
        Self {
            stored: sources.stored.as_ref().and_then(|it| usable(it, Role::Stored(agent_id), None)),
            facts: sources.facts.as_ref().and_then(|it| usable(it, Role::Facts, None)),
            configured: sources
                .configured
                .iter()
                .filter_map(|(path, (given, named_at))| {
                    Some((*path, usable(given, Role::Facts, *named_at)?))
                })
                .collect(),
            agent_id,
        }
    }

    /// Whether the command line says what is stored.
    pub(crate) fn has_stored(&self) -> bool {
        self.stored.is_some()
    }

    /// The agent that a document is for.
    pub(crate) fn agent_id<'s>(&'s self, settings: Option<&FileSettings<'s>>) -> Option<&'s str> {
        let stated = || settings.and_then(FileSettings::agent_id).map(|stated| &*stated.value);
        self.agent_id.or_else(stated)
    }

    fn facts(&self, settings: Option<&FileSettings<'_>>) -> Option<&Parsed<'a>> {
        self.facts.as_ref().or_else(|| {
            let facts = settings.and_then(FileSettings::facts)?;
            self.configured.get(facts.value.as_str())
        })
    }

    /// Everything that is known of a document, beside what is `held` for it alone.
    pub(crate) fn inputs<'d>(
        &'d self,
        document: &Document,
        settings: Option<&FileSettings<'d>>,
        held: Option<&'d Parsed<'d>>,
    ) -> Inputs {
        let stored = self.stored.as_ref().or(held).map(|(_, it)| Stored::new(it.clone()));
        let facts = self.facts(settings).map(|(_, it)| Facts::new(it.clone()));
        let mut inputs = Inputs::new(document.clone()).stored(stored).facts(facts);
        if let Some(id) = self.agent_id(settings) {
            inputs = inputs.agent_id(id);
        }
        if let Some(stated) = settings.and_then(FileSettings::agent_type) {
            inputs = inputs.agent_type(&*stated.value);
        }
        inputs
    }

    /// The two states of a difference; `None` without a stored one.
    pub(crate) fn diff_inputs(
        &self,
        document: &Document,
        settings: Option<&FileSettings<'_>>,
    ) -> Option<DiffInputs> {
        let (_, stored) = self.stored.as_ref()?;
        let facts = self.facts(settings).map(|(_, it)| Facts::new(it.clone()));
        let old = Stored::new(stored.clone());
        let mut inputs = DiffInputs::new(old, document.clone()).facts(facts);
        if let Some(id) = self.agent_id.or_else(|| Some(&*settings?.agent_id()?.value)) {
            inputs = inputs.agent_id(id);
        }
        Some(inputs)
    }

    /// The related files of a document, with what they are to it.
    pub(crate) fn list<'d>(
        &'d self,
        settings: Option<&FileSettings<'d>>,
        held: Option<&'d Parsed<'d>>,
    ) -> Vec<(Origin, RelatedFile<'d>)> {
        let stored = self.stored.as_ref().or(held).map(|(partner, _)| (Origin::Stored, *partner));
        let facts = self.facts(settings).map(|(partner, _)| (Origin::Facts, *partner));
        stored.into_iter().chain(facts).collect()
    }
}

/// What a related file is to a document.
#[derive(Clone, Copy)]
pub(crate) enum Role<'a> {
    /// What the service holds, for the agent of that id.
    Stored(Option<&'a str>),
    Facts,
}

impl Role<'_> {
    fn name(self) -> &'static str {
        match self {
            Self::Stored(_) => "the stored state",
            Self::Facts => "workspace facts",
        }
    }
}

/// Why a related file cannot be used.
pub(crate) enum Unusable<'a> {
    Faulty(RelatedFile<'a>, Box<Report>),
    Failed(FailedFile),
}

impl Unusable<'_> {
    /// In one line.
    pub(crate) fn failure(self, role: Role<'_>) -> FailedFile {
        match self {
            Self::Faulty(partner, faults) => sum_up(&partner, role.name(), &faults),
            Self::Failed(failure) => failure,
        }
    }
}

/// Parses a related file, if it can be used.
pub(crate) fn parse<'a>(
    input: &'a Input,
    source: &'a Source,
    role: Role<'_>,
) -> Result<Parsed<'a>, Unusable<'a>> {
    let document = input.document(source).map_err(Unusable::Failed)?;
    let partner = RelatedFile { path: &input.shown, text: source.text() };
    let faults = match role {
        Role::Stored(_) => Stored::new(document.clone()).faults(),
        Role::Facts => Facts::new(document.clone()).faults(),
    };
    if !faults.diagnostics.is_empty() {
        return Err(Unusable::Faulty(partner, Box::new(faults)));
    }
    if let Role::Stored(agent_id) = role {
        let held = Stored::new(document.clone());
        let objection = match (held.kind(), agent_id) {
            (None, _) => {
                Some("it contains neither an agent nor the settings of a version".to_owned())
            }
            (Some(_), Some(given)) => held.agent_mismatch(given),
            (Some(_), None) => None,
        };
        if let Some(objection) = objection {
            let message = format!("cannot be used as the stored state: {objection}");
            return Err(Unusable::Failed(input.failure(message)));
        }
    }
    Ok((partner, document))
}

/// Shows on standard error what was found in a document that is not the one under check.
pub(crate) fn show(checked: &CheckedDocument<'_>, color: ColorArgument) {
    let rendered = render(OutputFormat::Full, &style_of_stderr(color), checked);
    // There is nobody to tell if that fails.
    let _ = write_findings(
        &mut io::stderr(),
        OutputFormat::Full,
        &RunInfo::default(),
        [rendered],
        &RunOutcome::default(),
    );
}

/// Shows what keeps a document from being used, and sums it up as a failure.
pub(crate) fn refuse(
    checked: &CheckedDocument<'_>,
    what: &str,
    color: ColorArgument,
) -> FailedFile {
    show(checked, color);
    // Whatever is said next stands apart from the frames.
    let _ = writeln!(io::stderr());
    let partner = RelatedFile { path: checked.path, text: checked.text };
    sum_up(&partner, what, checked.report)
}

fn sum_up(partner: &RelatedFile<'_>, what: &str, faults: &Report) -> FailedFile {
    FailedFile {
        path: partner.path.to_owned(),
        message: format!("cannot be used as {what}: {}", first(partner, faults)),
    }
}

/// The first fault in one line.
fn first(partner: &RelatedFile<'_>, faults: &Report) -> String {
    let lines = voxlint::syntax::LineIndex::new(partner.text);
    let Some(fault) = faults.diagnostics.first() else { return String::new() };
    let at = lines.position(partner.text, fault.span.start);
    let more = match faults.diagnostics.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    format!("{}:{}: {}{more}", at.line, at.column, fault.message)
}
