//! Fixes files with one document per line, of which only the changed lines are kept in memory.
//!
//! The file is read twice: once to fix its lines, and then to copy what lies between the changes. A digest of each reading tells
//! whether it was the same file.

use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use voxlint::syntax::edit::apply;
use voxlint::{Document, DocumentKind, Origin, Source, secrets};
use voxlint_config::{DocumentScope, FileBaseline, fix_document};

use super::key::key_of;
use super::target::changed;
use super::{FileChange, FixedFile, Fixer, Outcome, write_failure};
use crate::Failure;
use crate::input::InputFile;
use crate::line_reader::{Batch, Line, LineReader};
use crate::lint_files::{LinesKind, kind_of_other_lines};
use crate::linter::{FileContext, guarded};
use crate::parallel;

/// A line that was fixed.
struct FixedLine<T> {
    /// The offset in the file of its first byte, and its length before the fixes.
    offset: u64,
    length: u64,
    /// The line after the fixes, without the line break.
    text: Vec<u8>,
    problems: u32,
    is_complete: bool,
    shown: Option<T>,
}

/// What was done with the lines of a file.
struct Totals {
    problems: u32,
    is_complete: bool,
}

impl<T: Send> Fixer<'_, T> {
    /// Fixes a file with one document per line. `collect` takes what is shown of its changes, in the order of the lines.
    /// Also returns whether no line has more fixes than one run applies.
    pub(super) fn fix_lines(
        &self,
        input: &InputFile,
        collect: &mut dyn FnMut(T),
    ) -> (FixedFile<T>, bool) {
        let mut totals = Totals { problems: 0, is_complete: true };
        let outcome = self.try_fix_lines(input, &mut totals, collect);
        let outcome = outcome.unwrap_or_else(|outcome| outcome);
        let Totals { problems, is_complete } = totals;
        let shown = input.shown.to_string();
        (FixedFile { key: key_of(input), shown, problems, outcome }, is_complete)
    }

    fn try_fix_lines(
        &self,
        input: &InputFile,
        totals: &mut Totals,
        collect: &mut dyn FnMut(T),
    ) -> Result<Outcome<T>, Outcome<T>> {
        // What cannot be read is a failure of the check.
        let Some(file) = self.linter.context(input) else { return Ok(Outcome::Unchanged) };
        let Ok(LinesKind::Checked { others }) = kind_of_other_lines(&self.linter, &file) else {
            return Ok(Outcome::Unchanged);
        };
        if self.linter.non_utf8_path_failure(&file, false).is_some() {
            return Ok(Outcome::Unchanged);
        }
        let (mut fixed, mut failure) = (Vec::new(), None);
        let digest = self.each_line(&file, others, &mut |line| match line {
            Ok(line) => fixed.push(line),
            Err(why) => failure = failure.take().or(Some(why)),
        });
        totals.problems = fixed.iter().map(|line: &FixedLine<T>| line.problems).sum();
        totals.is_complete = fixed.iter().all(|line| line.is_complete);
        match (digest, failure) {
            (_, Some(why)) => Ok(Outcome::Failed(why)),
            (Ok(digest), None) if totals.problems > 0 => {
                self.write_lines(input, fixed, digest, collect)
            }
            // A file that cannot be read to its end is a failure of the check.
            _ => Ok(Outcome::Unchanged),
        }
    }

    /// Replaces the file by one with the fixed lines, and hands on what is shown of them.
    fn write_lines(
        &self,
        input: &InputFile,
        mut fixed: Vec<FixedLine<T>>,
        digest: u64,
        collect: &mut dyn FnMut(T),
    ) -> Result<Outcome<T>, Outcome<T>> {
        let shown = &*input.shown;
        let mut to = self.begin(shown, input.path.as_deref())?;
        fixed.iter_mut().filter_map(|line| line.shown.take()).for_each(collect);
        if let Some(writer) = to.writer() {
            let bytes = input.open(self.linter.file_system()).map_err(Outcome::Failed)?;
            let copied = copy_with(bytes, &fixed, writer);
            let copied = copied.map_err(|error| Outcome::Failed(write_failure(shown, &error)))?;
            if copied != digest {
                return Err(Outcome::Failed(changed(shown)));
            }
        }
        Ok(self.end(shown, to, |now| Ok(copy_with::<T>(now, &[], &mut io::sink())? == digest)))
    }

    /// Fixes each line, and hands on those that change, in their order. Returns the digest of what was read.
    fn each_line(
        &self,
        file: &FileContext<'_>,
        others: Option<DocumentKind>,
        take: &mut dyn FnMut(Result<FixedLine<T>, Failure>),
    ) -> Result<u64, Failure> {
        let input = file.input;
        let digest = Arc::new(Mutex::new(DefaultHasher::new()));
        let bytes = input.open(self.linter.file_system())?;
        let mut lines = LineReader::new(Digested { input: bytes, digest: Arc::clone(&digest) });
        let mut failure = None;
        let mut next = || {
            let read = lines.next_batch().map_err(|error| input.io_failure(&error));
            read.unwrap_or_else(|why| {
                failure = Some(why);
                None
            })
        };
        let mut baseline = self.linter.baseline(input);
        if baseline.is_some() {
            while let Some(batch) = next() {
                for line in &batch.lines {
                    let fixed = guarded(input, || {
                        self.fix_line(file, others, (&batch, line), &mut baseline)
                    });
                    fixed.transpose().into_iter().for_each(&mut *take);
                }
            }
        } else {
            let work = |batch: Batch| -> Vec<_> {
                let fix = |line| {
                    guarded(input, || self.fix_line(file, others, (&batch, line), &mut None))
                };
                batch.lines.iter().filter_map(|line| fix(line).transpose()).collect()
            };
            parallel::stream(next, work, |fixed| fixed.into_iter().flatten().for_each(&mut *take));
        }
        match failure {
            Some(failure) => Err(failure),
            None => Ok(digest.lock().unwrap_or_else(PoisonError::into_inner).finish()),
        }
    }

    /// Fixes a line; `None` if nothing changes.
    fn fix_line(
        &self,
        file: &FileContext<'_>,
        others: Option<DocumentKind>,
        (batch, line): (&Batch, &Line),
        baseline: &mut Option<FileBaseline<'_>>,
    ) -> Option<FixedLine<T>> {
        let bytes = batch.bytes(line);
        let document = Document::parse(Source::line(bytes));
        let kind = file.settings.kind_of(&document.recognition()).or(others)?;
        let scope = self.linter.scope(file, &file.related, &document, true);
        let inputs = file.related.inputs(document).kind(kind);
        let fixed = fix_document(
            inputs.clone(),
            &file.settings,
            self.options.safety,
            DocumentScope { baseline: baseline.as_mut(), ..scope },
            &|report| self.options.leave_hidden(report),
            &mut |_| true,
        );
        let text = apply(bytes, &fixed.edits).filter(|text| text != bytes)?;
        if text.contains(&b'\n') {
            // It would be another document.
            return None;
        }
        let shown = (!self.options.write).then(|| {
            let line_break = batch.line_break(line);
            let change = FileChange {
                path: &file.input.shown,
                is_line: true,
                lines_before: line.lines_before,
                before: &(String::from_utf8_lossy(bytes) + line_break),
                after: &(String::from_utf8_lossy(&text) + line_break),
                secrets_before: &secrets::spans(&inputs, Origin::Document),
                secrets_after: &secrets::spans(&fixed.inputs, Origin::Document),
            };
            (self.show)(&change)
        });
        let length = bytes.len() as u64;
        let (problems, is_complete) = (fixed.solved, fixed.is_complete);
        Some(FixedLine { offset: line.offset, length, text, problems, is_complete, shown })
    }
}

/// Copies a file with the new text of some lines. Returns the digest of what was read.
fn copy_with<T>(from: impl Read, fixed: &[FixedLine<T>], to: &mut dyn Write) -> io::Result<u64> {
    let digest = Arc::new(Mutex::new(DefaultHasher::new()));
    let mut from = BufReader::new(Digested { input: from, digest: Arc::clone(&digest) });
    let mut at = 0;
    for line in fixed {
        io::copy(&mut (&mut from).take(line.offset.saturating_sub(at)), to)?;
        to.write_all(&line.text)?;
        io::copy(&mut (&mut from).take(line.length), &mut io::sink())?;
        at = line.offset + line.length;
    }
    io::copy(&mut from, to)?;
    let digest = digest.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(digest.finish())
}

/// Computes a digest of what is read. It is for accidents, not for attacks.
struct Digested<R> {
    input: R,
    digest: Arc<Mutex<DefaultHasher>>,
}

impl<R: Read> Read for Digested<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        let mut digest = self.digest.lock().unwrap_or_else(PoisonError::into_inner);
        digest.write(into.get(..count).unwrap_or_default());
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_does_not_depend_on_the_pieces_that_are_read() {
        let bytes = vec![7; 100_000];
        let mut slow =
            bytes.chunks(999).fold(Box::new(io::empty()) as Box<dyn Read>, |before, piece| {
                Box::new(before.chain(piece))
            });
        let digest_of = |from: &mut dyn Read| copy_with::<()>(from, &[], &mut io::sink());
        assert_eq!(digest_of(&mut slow).unwrap(), digest_of(&mut &*bytes).unwrap());
        assert_ne!(digest_of(&mut &bytes[1..]).unwrap(), digest_of(&mut &*bytes).unwrap());
    }
}
