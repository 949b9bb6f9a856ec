//! Fixes files that are read as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use voxlint::fixes::{Fixed, NotApplied, solved};
use voxlint::{
    Diagnostic, Document, DocumentKind, Family, Inputs, Origin, Report, Safety, Trace, VerdictKind,
    secrets,
};
use voxlint_config::{DocumentScope, check_document, fix_document};

use super::group::{Group, Member};
use super::key::{Key, key_of};
use super::scope::Blocked;
use super::state::{FileState, FileText, Version};
use super::{FileChange, FixedFile, Fixer, GroupFixes, Outcome, Reasons, write_failure};
use crate::document_related::DocumentRelated;
use crate::input::InputFile;
use crate::linter::{FileContext, guarded};
use crate::paths::absolute_path;
use crate::stdin_format::suggest_stdin_format;

/// How often the files of a group are fixed again after one of them has changed.
const MAX_PASSES: usize = 10;

/// How many documents are checked for changes that others have made, for each document of a group. A change of a text that all of
/// them share takes one check of each, so this is about how many such changes a group can make: with more of them, as when
/// many documents each want another change that the others reject, what is shared stays as it is. Without a limit, the time would
/// grow with the square of the number of documents.
const CHECKS_PER_DOCUMENT: usize = 32;

/// A group while it is fixed.
struct GroupRun<'g, 'i> {
    group: &'g Group<'i>,
    /// The members that a file concerns, by their indexes.
    users: BTreeMap<&'g Key, Vec<usize>>,
    state: FileState,
    /// The texts that documents of the group use: they are not documents of their own.
    used: BTreeSet<PathBuf>,
    /// The faults of members with the present texts, as far as they are known.
    faults: BTreeMap<usize, Vec<Faults>>,
    /// How many documents may still be checked for the changes of others.
    checks_left: usize,
    /// Why fixes of a file were not applied.
    reasons: Reasons,
}

/// The documents of a file, with everything that they are checked with.
struct LoadedFile<'f> {
    file: FileContext<'f>,
    related: DocumentRelated,
    /// The keys of the texts, in the order of `related`.
    texts: Vec<Key>,
    documents: Vec<(Document, DocumentKind)>,
    is_one: bool,
    /// The files that decide something about the document.
    used: Vec<PathBuf>,
}

/// How often each rule finds something at a field. Where a fix may need a review, what the rules about the whole configuration say
/// counts too: that a variable is unknown is another fault if it is another variable.
type Faults = BTreeMap<(String, String, String), u32>;

impl<T: Send> Fixer<'_, T> {
    /// Fixes the files of a group, and writes or shows those that have changed.
    pub(super) fn fix_group(&self, group: &Group<'_>) -> GroupFixes<T> {
        let mut run = GroupRun {
            group,
            users: group.users(),
            state: FileState::default(),
            used: BTreeSet::new(),
            faults: BTreeMap::new(),
            checks_left: CHECKS_PER_DOCUMENT * group.members.len(),
            reasons: Reasons::new(),
        };
        let mut failures = Vec::new();
        for pass in 0..MAX_PASSES {
            let mut has_changed = false;
            for (index, member) in group.members.iter().enumerate() {
                if run.is_part(member) {
                    continue;
                }
                let fixed = guarded(member.input, || self.fix_member(&mut run, index, pass == 0));
                match fixed {
                    Ok(changed) => {
                        has_changed |= changed;
                        if changed && pass + 1 == MAX_PASSES {
                            let keys = member.keys.iter().cloned();
                            run.reasons.extend(keys.map(|key| (key, NotApplied::RunAgain)));
                        }
                    }
                    Err(failure) => {
                        run.state.end_trial();
                        if !failures.contains(&failure) {
                            failures.push(failure);
                        }
                    }
                }
            }
            if !has_changed {
                break;
            }
        }
        let mut files = Vec::new();
        for (key, file) in run.state.changed() {
            let outcome = self.finish(&mut run, &key, &file);
            if matches!(outcome, Outcome::Failed(_) | Outcome::Kept(..)) {
                run.state.take_back(&key);
            }
            files.push(FixedFile { key, shown: file.shown.to_string(), problems: 0, outcome });
        }
        files.sort_by(|a, b| a.shown.cmp(&b.shown));
        let mut is_done =
            |file: &&mut FixedFile<T>| matches!(file.outcome, Outcome::Written | Outcome::Shown(_));
        if let Some(file) = files.iter_mut().find(&mut is_done) {
            // All are counted together, because a change of one file may solve a problem in another one.
            file.problems = self.solved(&mut run);
        }
        GroupFixes { files, failures, reasons: run.reasons }
    }

    /// How many findings the documents of a group had before the fixes that they do not have now.
    fn solved(&self, run: &mut GroupRun<'_, '_>) -> u32 {
        let changed: Vec<Key> = run.state.changed().into_iter().map(|(key, _)| key).collect();
        let concerned: BTreeSet<usize> = changed.iter().flat_map(|key| run.users_of(key)).collect();
        let members = concerned.into_iter().filter_map(|index| run.group.members.get(index));
        // Several paths may lead to one file.
        let mut seen = BTreeSet::new();
        let members: Vec<&Member<'_>> = members
            .filter(|member| !run.is_part(member) && seen.insert(key_of(member.input)))
            .collect();
        let state = &mut run.state;
        let mut count = 0;
        for member in members {
            let mut findings = |version| {
                let loaded = self.load(member.input, state, version)?;
                let reports = self.reports(&loaded).into_iter();
                let findings: Vec<Diagnostic> =
                    reports.flat_map(|report| report.diagnostics).collect();
                Some((findings, loaded.texts))
            };
            let Some((before, _)) = findings(Version::First) else { continue };
            let Some((after, texts)) = findings(Version::Present) else { continue };
            let own = key_of(member.input);
            count += solved(&before, &after, |origin, span| match origin {
                Origin::Document => state.origin(&own, span),
                Origin::Text(index) => {
                    texts.get(usize::from(index)).map_or(span, |key| state.origin(key, span))
                }
                _ => span,
            });
        }
        count
    }

    /// The findings of the documents of a file, as a check reports them.
    fn reports(&self, loaded: &LoadedFile<'_>) -> Vec<Report> {
        let mut baseline = self.linter.baseline(loaded.file.input);
        let documents = loaded.documents.iter();
        let reports = documents.map(|(document, kind)| {
            let inputs = loaded.inputs(document, *kind).without_fixes();
            let scope = self.scope(loaded, document);
            let scope = DocumentScope { baseline: baseline.as_mut(), ..scope };
            check_document(inputs, &loaded.file.settings, scope, &mut Trace::off()).report
        });
        reports.collect()
    }

    /// Fixes the documents of a file. Returns whether something has changed.
    fn fix_member(&self, run: &mut GroupRun<'_, '_>, index: usize, is_first_pass: bool) -> bool {
        let group = run.group;
        let Some(member) = group.members.get(index) else { return false };
        let Some(mut loaded) = self.load(member.input, &mut run.state, Version::Present) else {
            return false;
        };
        run.used.extend(loaded.used.drain(..));
        if is_first_pass {
            run.checks_left += CHECKS_PER_DOCUMENT * loaded.documents.len().saturating_sub(1);
        }
        let own = key_of(member.input);
        let blocked = self.scope.blocked(&own, &loaded.texts);
        run.note_blocked(&blocked, &own, &loaded.texts);
        let leave_out = |report: &mut Report| {
            for finding in &mut report.diagnostics {
                finding.fixes.retain(|fix| !blocked.has(fix));
            }
            self.options.leave_hidden(report);
        };
        let mut baseline = self.linter.baseline(member.input);
        let mut has_changed = false;
        for at in 0..loaded.documents.len() {
            let Some((document, kind)) = loaded.documents.get(at) else { break };
            let scope = self.scope(&loaded, document);
            let fixed = fix_document(
                loaded.inputs(document, *kind),
                &loaded.file.settings,
                self.options.safety,
                DocumentScope { baseline: baseline.as_mut(), ..scope },
                &leave_out,
                &mut |after| self.accepts(run, index, &loaded, after),
            );
            if fixed.applied.is_empty() || run.apply(&own, &loaded.texts, &fixed).is_none() {
                continue;
            }
            has_changed = true;
            // The other documents of the file have moved.
            match self.load(member.input, &mut run.state, Version::Present) {
                Some(reloaded) => loaded = reloaded,
                None => break,
            }
        }
        has_changed
    }

    fn scope<'b, 'c>(&self, loaded: &LoadedFile<'_>, document: &Document) -> DocumentScope<'b, 'c> {
        self.linter.scope(&loaded.file, &loaded.related, document, !loaded.is_one)
    }

    /// Whether no other document of the group gets a fault if the inputs of one are changed.
    fn accepts(
        &self,
        run: &mut GroupRun<'_, '_>,
        index: usize,
        loaded: &LoadedFile<'_>,
        after: &Inputs,
    ) -> bool {
        let Some(member) = run.group.members.get(index) else { return false };
        let own = key_of(member.input);
        let texts = after.text_files().iter().map(|text| text.document().text());
        let texts =
            [(&own, after.document().text())].into_iter().chain(loaded.texts.iter().zip(texts));
        let changed = run.state.try_texts(texts);
        let concerned: BTreeSet<usize> = changed.iter().flat_map(|key| run.users_of(key)).collect();
        // One after the other: after the first that rejects the change, the others need not be looked at.
        let is_accepted = concerned.into_iter().all(|at| {
            let Some(other) = run.group.members.get(at) else { return false };
            // A document may have one text twice, which is fixed for both.
            let is_own = at == index;
            if is_own && loaded.has_own_texts() {
                return true;
            }
            // Its own fixes may leave advice.
            let known = run.faults.remove(&at).filter(|_| !is_own);
            let before = known.or_else(|| self.faults(other, run, Version::Present, !is_own));
            let Some(before) = before else { return false };
            let after = self.faults(other, run, Version::Trial, !is_own);
            let is_accepted = after.is_some_and(|after| adds_nothing(&before, &after));
            if !is_own {
                run.faults.insert(at, before);
            }
            is_accepted
        });
        run.state.end_trial();
        if !is_accepted {
            for key in changed.into_iter().filter(|key| *key != own) {
                run.reasons.entry(key).or_insert(NotApplied::SharedText);
            }
        }
        is_accepted
    }

    /// The faults of each document of a file; `None` if no more documents may be checked.
    fn faults(
        &self,
        member: &Member<'_>,
        run: &mut GroupRun<'_, '_>,
        version: Version,
        with_advice: bool,
    ) -> Option<Vec<Faults>> {
        let Some(loaded) = self.load(member.input, &mut run.state, version) else {
            return Some(Vec::new());
        };
        run.checks_left = run.checks_left.checked_sub(loaded.documents.len())?;
        let faults = |(document, kind): &(Document, DocumentKind)| {
            let mut faults = Faults::new();
            let report = voxlint::check(
                &loaded.file.settings.inputs(loaded.inputs(document, *kind).without_fixes()),
            );
            let counts = |it: &Diagnostic| with_advice || it.verdict != VerdictKind::Advice;
            for found in report.diagnostics.into_iter().filter(counts) {
                let has_message =
                    self.options.safety == Safety::Unsafe && found.rule.family() == Family::Config;
                let message = if has_message { found.message } else { String::new() };
                let key = (found.rule.id.to_string(), found.field, message);
                *faults.entry(key).or_default() += found.count;
            }
            faults
        };
        Some(loaded.documents.iter().map(faults).collect())
    }

    /// Reads a file and the texts of its document, as far as they have not been read. `None` if nothing of it is checked.
    fn load<'f>(
        &'f self,
        input: &'f InputFile,
        state: &mut FileState,
        version: Version,
    ) -> Option<LoadedFile<'f>> {
        let linter = &self.linter;
        let file = linter.context(input)?;
        let read = || input.read(linter.file_system()).ok();
        let bytes = state.read(&key_of(input), version, &input.shown, read)?;
        if input.is_unnamed_stdin()
            && suggest_stdin_format(&String::from_utf8_lossy(&bytes)).is_some()
        {
            // It is read in the wrong format.
            return None;
        }
        let documents = input.documents(bytes);
        let is_one = documents.len() == 1;
        let kinds = linter.kinds(&file, &documents).ok()?;
        if linter.non_utf8_path_failure(&file, is_one).is_some() {
            return None;
        }
        let (mut related, mut used) = (file.related.clone(), Vec::new());
        let mut texts = Vec::new();
        if let ([document], [Some(kind)]) = (&*documents, &*kinds) {
            let of_one = linter.related_of_one(&file, document, *kind).ok()?;
            // Without the stored configuration, the fixes would be proven for another check.
            if of_one.failure.is_some() {
                return None;
            }
            (related, used) = (of_one.related, of_one.used);
            for (_, text) in &mut related.texts {
                texts.push(state.replace_text(text, version)?);
            }
        }
        let documents = documents.into_iter().zip(kinds);
        let documents = documents.filter_map(|(document, kind)| Some((document, kind?))).collect();
        Some(LoadedFile { file, related, texts, documents, is_one, used })
    }

    /// Writes or shows a file that has changed.
    fn finish(&self, run: &mut GroupRun<'_, '_>, key: &Key, file: &FileText) -> Outcome<T> {
        let shown = &*file.shown;
        // The path that was given may be a link, unlike the key.
        let mut users = run.users_of(key).filter_map(|at| run.group.members.get(at));
        let named = users.find(|member| member.keys.first() == Some(key));
        let named = named.and_then(|member| member.input.path.as_deref()).or(key.as_deref());
        let mut sink = match self.begin(shown, named) {
            Ok(sink) => sink,
            Err(outcome) => return outcome,
        };
        let Some(writer) = sink.writer() else { return self.shown(run, key, file) };
        if let Err(error) = writer.write_all(&file.now) {
            return Outcome::Failed(write_failure(shown, &error));
        }
        self.end(shown, sink, |now| {
            let mut bytes = Vec::with_capacity(file.before.len() + 1);
            now.read_to_end(&mut bytes)?;
            Ok(bytes == *file.before)
        })
    }

    fn shown(&self, run: &mut GroupRun<'_, '_>, key: &Key, file: &FileText) -> Outcome<T> {
        let change = FileChange {
            path: &file.shown,
            is_line: false,
            lines_before: 0,
            before: &String::from_utf8_lossy(&file.before),
            after: &String::from_utf8_lossy(&file.now),
            secrets_before: &self.secrets(run, key, Version::First),
            secrets_after: &self.secrets(run, key, Version::Present),
        };
        Outcome::Shown(vec![(self.show)(&change)])
    }

    /// The places of secrets in a file, as any of its documents has them.
    fn secrets(
        &self,
        run: &mut GroupRun<'_, '_>,
        key: &Key,
        version: Version,
    ) -> Vec<voxlint::syntax::Span> {
        let mut secrets = Vec::new();
        let users: Vec<usize> = run.users_of(key).collect();
        for member in users.into_iter().filter_map(|at| run.group.members.get(at)) {
            let Some(loaded) = self.load(member.input, &mut run.state, version) else { continue };
            let is_own = member.keys.first() == Some(key);
            let texts = loaded.texts.iter().zip(0..).filter(|(text, _)| *text == key);
            let origins = texts.map(|(_, index)| Origin::Text(index));
            let origins: Vec<Origin> = origins.chain(is_own.then_some(Origin::Document)).collect();
            for (document, kind) in &loaded.documents {
                let inputs = loaded.inputs(document, *kind);
                secrets.extend(origins.iter().flat_map(|origin| secrets::spans(&inputs, *origin)));
            }
        }
        secrets
    }
}

impl GroupRun<'_, '_> {
    /// Applies the fixes of a document to its file and its texts.
    fn apply(&mut self, own: &Key, texts: &[Key], fixed: &Fixed) -> Option<()> {
        let of_texts = fixed.text_edits.iter();
        let of_texts =
            of_texts.filter_map(|(at, edits)| Some((texts.get(usize::from(*at))?, edits)));
        let mut done = BTreeSet::new();
        for (key, edits) in [(own, &fixed.edits)].into_iter().chain(of_texts) {
            if !done.insert(key) {
                continue;
            }
            self.state.edit(key, edits)?;
            for user in self.users_of(key) {
                self.faults.remove(&user);
            }
        }
        Some(())
    }

    /// Notes what the run was not asked to change.
    fn note_blocked(&mut self, blocked: &Blocked, own: &Key, texts: &[Key]) {
        if blocked.document {
            self.reasons.insert(own.clone(), NotApplied::NotNamed);
        }
        for (index, from) in &blocked.texts {
            let Some(key) = texts.get(usize::from(*index)) else { continue };
            let reason = match from {
                Safety::Safe => NotApplied::NotNamed,
                Safety::Unsafe => NotApplied::UncheckedDocuments,
            };
            self.reasons.insert(key.clone(), reason);
        }
    }

    /// Whether a member is only part of a document of the group.
    fn is_part(&self, member: &Member<'_>) -> bool {
        let path = member.input.path.as_deref().map(absolute_path);
        member.is_text && path.is_some_and(|path| self.used.contains(&path))
    }

    /// The indexes of the members that a file concerns.
    fn users_of(&self, key: &Key) -> impl Iterator<Item = usize> + use<> {
        self.users.get(key).cloned().unwrap_or_default().into_iter()
    }
}

impl LoadedFile<'_> {
    /// Whether each text is in a file of its own.
    fn has_own_texts(&self) -> bool {
        self.texts.iter().collect::<BTreeSet<_>>().len() == self.texts.len()
    }

    fn inputs(&self, document: &Document, kind: DocumentKind) -> Inputs {
        self.related.inputs(document.clone()).kind(kind)
    }
}

/// Whether no document has a fault that it did not have before.
fn adds_nothing(before: &[Faults], after: &[Faults]) -> bool {
    let has = |faults: &Faults, key| faults.get(key).copied().unwrap_or(0);
    before.len() == after.len()
        && before
            .iter()
            .zip(after)
            .all(|(before, after)| after.iter().all(|(key, count)| *count <= has(before, key)))
}
