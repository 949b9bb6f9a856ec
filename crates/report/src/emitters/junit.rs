//! Test results in `JUnit`'s format: one suite per file and one test per finding.
//!
//! Readers show the body of a failure, so it contains everything. Errors and warnings are failures; an info is a passing test
//! with output; suppressed findings and undecided rules are skipped tests. A clean file is one passing test, because some
//! readers reject a report without tests.

use std::collections::BTreeMap;
use std::{io, mem};

use askama::Template;
use voxlint::{Severity, SuppressedBy};

use super::xml;
use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::located::{LocatedDocument, LocatedFinding};
use crate::run::{RunInfo, RunOutcome};
use crate::undecided::UndecidedRules;

#[derive(Default, Template)]
#[template(path = "junit.xml", escape = "none")]
pub(crate) struct JunitEmitter {
    suites: Vec<TestSuite>,
}

/// The tests of one file.
#[derive(Default)]
struct TestSuite {
    path: String,
    /// Whether the path is that of a file.
    is_file: bool,
    cases: Vec<TestCase>,
    undecided: UndecidedRules,
}

struct TestCase {
    name: String,
    outcome: TestOutcome,
}

enum TestOutcome {
    Passed(Option<String>),
    Failed { kind: &'static str, message: String, body: String },
    Error(String),
    Skipped(String),
}

impl Emitter for JunitEmitter {
    fn add(
        &mut self,
        out: &mut Output<'_>,
        mut document: LocatedDocument,
        is_further: bool,
    ) -> io::Result<()> {
        let run = out.run;

        if !is_further || self.suites.is_empty() {
            let path = run.in_repository(&document.path);
            self.suites.push(TestSuite { path, is_file: true, ..TestSuite::default() });
        }
        if let Some(suite) = self.suites.last_mut() {
            let (line, undecided) = (document.start().line, mem::take(&mut document.undecided));
            suite.undecided.add(undecided, line);
            let found = document.diagnostics.iter().map(|finding| case(run, &document, finding));
            suite.cases.extend(found);
            let suppressed = document.suppressed.iter();
            suite.cases.extend(
                suppressed.map(|(finding, by)| suppressed_case(run, &document, finding, by)),
            );
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        let run = out.run;
        for suite in &mut self.suites {
            suite.close();
        }
        for failure in outcome.failed {
            let path = run.in_repository(&failure.path);
            let outcome = TestOutcome::Error(format!("{path}: {}", failure.message));
            let cases = vec![TestCase { name: format!("{path} was not checked"), outcome }];
            self.suites.push(TestSuite { path, is_file: true, cases, ..TestSuite::default() });
        }
        if self.suites.is_empty() {
            let cases = vec![TestCase {
                name: "no documents".to_owned(),
                outcome: TestOutcome::Passed(None),
            }];
            self.suites.push(TestSuite {
                path: "voxlint".to_owned(),
                cases,
                ..TestSuite::default()
            });
        }
        let mut seen = BTreeMap::new();
        for suite in &mut self.suites {
            suite.number_duplicates(&mut seen);
        }
        xml::write_document(out.stream, self)
    }
}

impl JunitEmitter {
    fn tests(&self) -> usize {
        self.suites.iter().map(|suite| suite.cases.len()).sum()
    }

    fn count(&self, what: fn(&TestOutcome) -> bool) -> usize {
        self.suites.iter().map(|suite| suite.count(what)).sum()
    }
}

fn case(run: &RunInfo<'_>, document: &LocatedDocument, finding: &LocatedFinding) -> TestCase {
    let annotation = Annotation::of_finding(document, finding);
    let path = run.in_repository(annotation.path);
    let kind = annotation.word();
    let line = annotation.from.line;
    let column = annotation.from.column;
    let id = &annotation.rule.id;
    let answer = finding.answer.as_ref().map(|answer| format!("{answer}: ")).unwrap_or_default();
    let mut body =
        format!("{path}:{line}:{column}: {kind}[{id}] {answer}{}", annotation.message_and_help());
    if let Some(note) = &finding.short_note {
        body.push_str("\nnote: ");
        body.push_str(note);
    }
    let outcome = match annotation.severity {
        Severity::Info => TestOutcome::Passed(Some(body)),
        Severity::Error | Severity::Warning => {
            TestOutcome::Failed { kind, message: annotation.message.into_owned(), body }
        }
    };
    TestCase { name: format!("{id} {path}#{}", annotation.field), outcome }
}

fn suppressed_case(
    run: &RunInfo<'_>,
    document: &LocatedDocument,
    finding: &LocatedFinding,
    by: &SuppressedBy,
) -> TestCase {
    let why = match by {
        SuppressedBy::Configuration(reason) => format!("suppressed in the configuration: {reason}"),
        SuppressedBy::Comment(reason) => format!("suppressed in a comment: {reason}"),
        SuppressedBy::Baseline => "in the baseline".to_owned(),
    };
    let why = format!("{why}: {}", finding.message);
    TestCase { outcome: TestOutcome::Skipped(why), ..case(run, document, finding) }
}

impl TestSuite {
    /// Adds the tests that are known at the end of the file.
    fn close(&mut self) {
        if !self.cases.iter().any(|case| case.outcome.is_failure()) {
            let passed = TestCase { name: self.path.clone(), outcome: TestOutcome::Passed(None) };
            self.cases.insert(0, passed);
        }
        for (undecided, occurrences) in self.undecided.iter() {
            let documents = match occurrences.count {
                1 => String::new(),
                count => format!(" ({count} documents)"),
            };
            let outcome = TestOutcome::Skipped(format!("undecided{documents}: {}", undecided.why));
            self.cases
                .push(TestCase { name: format!("{} {}", undecided.rule.id, self.path), outcome });
        }
    }

    /// Gives every test of the run a unique name, because readers merge tests with the same name. `seen` counts the names.
    fn number_duplicates(&mut self, seen: &mut BTreeMap<(String, String), u32>) {
        let path = xml::allowed(&self.path);
        for case in &mut self.cases {
            let name = (path.clone(), xml::allowed(&case.name));
            let mut count = seen.get(&name).copied().unwrap_or(0) + 1;
            let mut unique = name.clone();
            while count > 1 {
                unique.1 = format!("{} ({count})", name.1);
                if !seen.contains_key(&unique) {
                    break;
                }
                count += 1;
            }
            case.name.clone_from(&unique.1);
            seen.insert(name, count);
            seen.entry(unique).or_insert(1);
        }
    }

    fn count(&self, what: fn(&TestOutcome) -> bool) -> usize {
        self.cases.iter().filter(|case| what(&case.outcome)).count()
    }
}

impl TestOutcome {
    const fn is_failure(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }

    const fn is_error(&self) -> bool {
        matches!(self, Self::Error(_))
    }

    const fn is_skipped(&self) -> bool {
        matches!(self, Self::Skipped(_))
    }
}
