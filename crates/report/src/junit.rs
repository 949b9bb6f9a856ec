//! Test results as `JUnit` writes them: a suite a file, and a test a finding.
//!
//! What fails a test is shown from the body of its element, so everything is said there. Errors and warnings are failures;
//! an info is a test that passes and says something; what is hidden is skipped, and so is what is undecided where it is asked
//! for; a clean file is one test that
//! passes, because no tests at all are an error to some readers.

use std::collections::BTreeMap;
use std::io;

use quick_xml::Writer;
use voxlint::{Severity, SuppressedBy};

use crate::RunInfo;
use crate::annotation::Annotation;
use crate::located::{Document, Finding};
use crate::opens::Opens;
use crate::run::Ending;
use crate::writer::Sink;
use crate::xml;

#[derive(Default)]
pub(crate) struct Junit {
    suites: Vec<Suite>,
}

/// The tests of one file.
#[derive(Default)]
struct Suite {
    path: String,
    cases: Vec<Case>,
    opens: Opens,
}

struct Case {
    name: String,
    outcome: Outcome,
}

enum Outcome {
    Passed(Option<String>),
    Failed { kind: &'static str, message: String, body: String },
    Error(String),
    Skipped(String),
}

impl Sink for Junit {
    fn take(
        &mut self,
        _: &mut dyn io::Write,
        run: &RunInfo<'_>,
        document: Document,
        is_further: bool,
    ) -> io::Result<()> {
        if !is_further || self.suites.is_empty() {
            let path = run.in_repository(&document.path);
            self.suites.push(Suite { path, ..Suite::default() });
        }
        if let Some(suite) = self.suites.last_mut() {
            if document.lists_undecided {
                suite.opens.add(&document);
            }
            let found = document.diagnostics.iter().map(|finding| case(run, &document, finding));
            suite.cases.extend(found);
            let hidden = document.hidden.iter();
            suite
                .cases
                .extend(hidden.map(|(finding, by)| hidden_case(run, &document, finding, by)));
        }
        Ok(())
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        ending: &Ending<'_>,
    ) -> io::Result<()> {
        for suite in &mut self.suites {
            suite.close();
        }
        for failure in ending.failures {
            let path = run.in_repository(&failure.path);
            let outcome = Outcome::Error(format!("{path}: {}", failure.message));
            let cases = vec![Case { name: format!("{path} was not checked"), outcome }];
            self.suites.push(Suite { path, cases, ..Suite::default() });
        }
        if self.suites.is_empty() {
            let cases =
                vec![Case { name: "no documents".to_owned(), outcome: Outcome::Passed(None) }];
            self.suites.push(Suite { path: "voxlint".to_owned(), cases, ..Suite::default() });
        }
        let mut seen = BTreeMap::new();
        for suite in &mut self.suites {
            suite.tell_apart(&mut seen);
        }
        write(out, &self.suites)
    }
}

fn case(run: &RunInfo<'_>, document: &Document, finding: &Finding) -> Case {
    let annotation = Annotation::of(document, finding);
    let path = run.in_repository(annotation.path);
    let kind = annotation.word;
    let line = annotation.from.line;
    let column = annotation.from.column;
    let id = &annotation.rule.id;
    let mut body = format!("{path}:{line}:{column}: {kind}[{id}] {}", annotation.advice());
    if let Some(note) = &finding.note {
        body.push_str("\nnote: ");
        body.push_str(note);
    }
    let outcome = match annotation.severity {
        Severity::Info => Outcome::Passed(Some(body)),
        Severity::Error | Severity::Warning => {
            Outcome::Failed { kind, message: annotation.message.into_owned(), body }
        }
    };
    Case { name: format!("{id} {path}#{}", annotation.field), outcome }
}

fn hidden_case(
    run: &RunInfo<'_>,
    document: &Document,
    finding: &Finding,
    by: &SuppressedBy,
) -> Case {
    let why = match by {
        SuppressedBy::Configuration(reason) => format!("suppressed in the configuration: {reason}"),
        SuppressedBy::Comment(reason) => format!("suppressed in a comment: {reason}"),
        SuppressedBy::Baseline => "in the baseline".to_owned(),
    };
    let why = format!("{why}: {}", finding.message);
    Case { outcome: Outcome::Skipped(why), ..case(run, document, finding) }
}

impl Suite {
    /// Adds what is known at the end of the file.
    fn close(&mut self) {
        if !self.cases.iter().any(|case| case.outcome.fails()) {
            let passed = Case { name: self.path.clone(), outcome: Outcome::Passed(None) };
            self.cases.insert(0, passed);
        }
        for (open, times) in self.opens.iter() {
            let times = match times.count {
                1 => String::new(),
                count => format!(" ({count} documents)"),
            };
            let outcome = Outcome::Skipped(format!("undecided{times}: {}", open.why));
            self.cases.push(Case { name: format!("{} {}", open.rule.id, self.path), outcome });
        }
    }

    /// Gives every test a name of its own in the run, because readers take tests of one name for one. `seen` counts the
    /// names.
    fn tell_apart(&mut self, seen: &mut BTreeMap<(String, String), u32>) {
        let path = xml::allowed(&self.path).into_owned();
        for case in &mut self.cases {
            let name = (path.clone(), xml::allowed(&case.name).into_owned());
            let mut count = seen.get(&name).copied().unwrap_or(0) + 1;
            let mut own = name.clone();
            while count > 1 {
                own.1 = format!("{} ({count})", name.1);
                if !seen.contains_key(&own) {
                    break;
                }
                count += 1;
            }
            case.name.clone_from(&own.1);
            seen.insert(name, count);
            seen.entry(own).or_insert(1);
        }
    }

    fn count(&self, what: fn(&Outcome) -> bool) -> usize {
        self.cases.iter().filter(|case| what(&case.outcome)).count()
    }
}

impl Outcome {
    const fn fails(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }

    const fn is_error(&self) -> bool {
        matches!(self, Self::Error(_))
    }

    const fn is_skipped(&self) -> bool {
        matches!(self, Self::Skipped(_))
    }
}

fn write(out: &mut dyn io::Write, suites: &[Suite]) -> io::Result<()> {
    let mut writer = xml::begin(out)?;
    let sum = |what: fn(&Suite) -> usize| suites.iter().map(what).sum::<usize>().to_string();
    writer
        .create_element("testsuites")
        .with_attribute(("name", "voxlint"))
        .with_attribute(("tests", sum(|suite| suite.cases.len()).as_str()))
        .with_attribute(("failures", sum(|suite| suite.count(Outcome::fails)).as_str()))
        .with_attribute(("errors", sum(|suite| suite.count(Outcome::is_error)).as_str()))
        .write_inner_content(|writer| {
            suites.iter().try_for_each(|suite| write_suite(writer, suite))
        })?;
    out.write_all(b"\n")
}

fn write_suite(writer: &mut Writer<&mut dyn io::Write>, suite: &Suite) -> io::Result<()> {
    let path = xml::allowed(&suite.path);
    let count = |what| suite.count(what).to_string();
    writer
        .create_element("testsuite")
        .with_attribute(("name", path.as_ref()))
        .with_attribute(("tests", suite.cases.len().to_string().as_str()))
        .with_attribute(("failures", count(Outcome::fails).as_str()))
        .with_attribute(("errors", count(Outcome::is_error).as_str()))
        .with_attribute(("skipped", count(Outcome::is_skipped).as_str()))
        .write_inner_content(|writer| {
            suite.cases.iter().try_for_each(|case| write_case(writer, &path, case))
        })?;
    Ok(())
}

fn write_case(writer: &mut Writer<&mut dyn io::Write>, path: &str, case: &Case) -> io::Result<()> {
    let element = writer
        .create_element("testcase")
        .with_attribute(("name", case.name.as_str()))
        .with_attribute(("classname", path));
    match &case.outcome {
        Outcome::Passed(None) => element.write_empty()?,
        Outcome::Passed(Some(words)) => element.write_inner_content(|writer| {
            writer.create_element("system-out").write_text_content(xml::content(words))?;
            Ok(())
        })?,
        Outcome::Failed { kind, message, body } => element.write_inner_content(|writer| {
            writer
                .create_element("failure")
                .with_attribute(("type", *kind))
                .with_attribute(("message", xml::allowed(message).as_ref()))
                .write_text_content(xml::content(body))?;
            Ok(())
        })?,
        Outcome::Error(words) => element.write_inner_content(|writer| {
            writer
                .create_element("error")
                .with_attribute(("message", xml::allowed(words).as_ref()))
                .write_text_content(xml::content(words))?;
            Ok(())
        })?,
        Outcome::Skipped(why) => element.write_inner_content(|writer| {
            let message = xml::allowed(why);
            writer
                .create_element("skipped")
                .with_attribute(("message", message.as_ref()))
                .write_empty()?;
            Ok(())
        })?,
    };
    Ok(())
}
