//! Fixes of syntax errors.
//!
//! A fix is first proposed from the error and the text around it: `proposal.rs` has what formats share, and each format has
//! its own beside its messages (`json/fix.rs`, `toml/fix.rs`, `yaml/fix.rs`). Then the edited text is parsed, and `proof.rs`
//! compares the two. So a fix that does not do what it promises is never offered.

mod certainty;
pub(crate) mod places;
mod proof;
pub(crate) mod proposal;

use crate::edit::TextEdit;
use crate::{
    Format, MAX_ERRORS, Parsed, SharedText, SyntaxError, SyntaxErrorKind, json, parse, parse_up_to,
};
use proof::Reading;
use proposal::{Broken, Proposal};

/// The maximum number of bytes that are parsed to prove the fixes of one text, so that a large text with many errors does not
/// take long. It is enough to prove a hundred fixes in a text of 80 kB one by one. In a larger text they are proven together.
const MAX_PARSED_BYTES: usize = 8 << 20;

/// The maximum number of errors in a text that has fixes.
const MAX_READ_ERRORS: usize = 1_000;

/// The correction of a syntax error. The corrected text has the names and values, in their order, that the parser has read despite
/// the error, so brackets that are missing and quotes that may belong elsewhere have none.
///
/// ```
/// use voxlint_syntax::edit::apply;
/// use voxlint_syntax::{Format, syntax_fixes};
///
/// let text = "{ \"on\": True }";
/// let fix = &syntax_fixes(text, Format::Json)[0];
/// assert_eq!(fix.title(text), "write `true`");
/// assert_eq!(apply(text, &fix.edits).as_deref(), Some(&b"{ \"on\": true }"[..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFix {
    /// The error that it corrects.
    pub error: SyntaxError,
    /// The edits, sorted and without overlaps.
    pub edits: Vec<TextEdit>,
    title: Option<&'static str>,
}

impl SyntaxFix {
    fn of(proposal: &Proposal, error: &SyntaxError) -> Self {
        let Proposal { title, edits, .. } = proposal.clone();
        Self { error: error.clone(), edits, title }
    }

    /// What the fix does, as an instruction. It says the same as the [help](SyntaxError::help) of the error. `text` is the text
    /// with the error, or a copy of the same length in which secrets are masked.
    pub fn title(&self, text: &str) -> String {
        match self.title {
            Some(title) => title.to_owned(),
            None => self.error.help(text).unwrap_or_else(|| "correct the syntax".to_owned()),
        }
    }
}

/// The fixes of the syntax errors of a text, in the order of the errors. An error that can be corrected in several ways has
/// none.
///
/// Each fix is proven: in the text with its edits, the error is gone, there is no new one, and the names, the values and their order are
/// as the parser has read them. Time is bounded: in a text with many errors, fixes may be proven together or not offered. What
/// another error makes doubtful has a fix when that one is corrected.
///
/// ```
/// use voxlint_syntax::{Format, syntax_fixes};
///
/// assert!(syntax_fixes("{ \"title\": }", Format::Json).is_empty());
/// assert_eq!(syntax_fixes("{ \"title\": \"Claims\", }", Format::Json).len(), 1);
/// ```
pub fn syntax_fixes(text: impl Into<SharedText>, format: Format) -> Vec<SyntaxFix> {
    let text = text.into();
    let listed = parse(text.clone(), format);
    if !is_cut(&listed) {
        return fixes(&text, format, &listed, MAX_ERRORS);
    }
    // After the limit of errors the parser no longer looks ahead, so that nothing can be proven. The next errors are read for
    // the proofs, but fixed when they are listed.
    let max_errors = max_read_errors(text.len());
    let parsed = parse_up_to(&text, format, max_errors);
    if is_cut(&parsed) {
        return Vec::new();
    }
    let mut fixes = fixes(&text, format, &parsed, max_errors);
    fixes.retain_mut(|fix| {
        let is_it =
            |error: &&SyntaxError| (error.kind, error.span) == (fix.error.kind, fix.error.span);
        let error = listed.errors.iter().find(is_it).cloned();
        error.map(|error| fix.error = error).is_some()
    });
    fixes
}

/// Whether a text has more errors than the parser has listed.
fn is_cut(parsed: &Parsed) -> bool {
    parsed.errors.iter().any(|error| error.kind == SyntaxErrorKind::TooManyErrors)
}

/// The number of errors up to which a text of this length has fixes.
fn max_read_errors(length: usize) -> usize {
    let passes = MAX_PARSED_BYTES / length.max(1);
    passes.saturating_mul(MAX_ERRORS).clamp(MAX_ERRORS, MAX_READ_ERRORS)
}

/// The fixes of the first errors of a text, each on its own. `parsed` lists at most `max_errors`.
fn fixes(text: &SharedText, format: Format, parsed: &Parsed, max_errors: usize) -> Vec<SyntaxFix> {
    if parsed.errors.is_empty() {
        return Vec::new();
    }
    let broken = Broken::new(text, format, parsed, max_errors);
    let proposals: Vec<Proposals> = parsed
        .errors
        .iter()
        .take(MAX_ERRORS)
        .map(|error| Proposals { error, all: propose(&broken, error) })
        .filter(|proposals| !proposals.all.is_empty())
        .collect();
    Prover::new(text, format, parsed, max_errors).prove(&proposals)
}

/// The proposals for an error, the best first.
fn propose(broken: &Broken<'_>, error: &SyntaxError) -> Vec<Proposal> {
    if let Some(shared) = proposal::shared(broken, error) {
        return vec![shared];
    }
    match broken.format {
        Format::Json | Format::Jsonc => json::propose(broken, error).into_iter().collect(),
        Format::Text => Vec::new(),
        #[cfg(feature = "toml")]
        Format::Toml => crate::toml::propose(broken, error).into_iter().collect(),
        #[cfg(feature = "yaml")]
        Format::Yaml => crate::yaml::propose(broken, error),
    }
}

/// The proposals for an error, the best first.
struct Proposals<'p> {
    error: &'p SyntaxError,
    all: Vec<Proposal>,
}

struct Prover<'p> {
    text: &'p str,
    format: Format,
    max_errors: usize,
    before: Reading<'p>,
    /// The number of bytes that may still be parsed.
    left: usize,
    /// The number of bytes that one parse reads.
    cost: usize,
}

impl<'p> Prover<'p> {
    fn new(text: &'p str, format: Format, parsed: &'p Parsed, max_errors: usize) -> Self {
        // The YAML library starts again after each error, and the other parsers may look ahead at each.
        let passes = if format.is_yaml() { parsed.errors.len() } else { max_errors / MAX_ERRORS };
        let cost = text.len().saturating_mul(passes).max(1);
        // One proof is always made.
        let left = MAX_PARSED_BYTES.max(text.len());
        Self { text, format, max_errors, before: Reading::of(parsed), left, cost }
    }

    fn prove(mut self, proposals: &[Proposals<'_>]) -> Vec<SyntaxFix> {
        let count: usize = proposals.iter().map(|one| one.all.len()).sum();
        if count.saturating_mul(self.cost) <= self.left {
            return proposals.iter().filter_map(|one| self.first_proven(one)).collect();
        }
        let mut proven = Vec::new();
        let mut pending = vec![proposals];
        // Fixes that cannot be proven together are divided into halves.
        while let Some(some) = pending.pop() {
            if self.cost > self.left {
                break;
            }
            match some {
                [] => {}
                [one] => proven.extend(self.first_proven(one)),
                _ => {
                    if let Some(fixes) = self.together(some) {
                        proven.extend(fixes);
                    } else {
                        let (first, second) = some.split_at(some.len() / 2);
                        pending.extend([second, first]);
                    }
                }
            }
        }
        proven
    }

    /// The first of the proposals that is proven.
    fn first_proven(&mut self, proposals: &Proposals<'_>) -> Option<SyntaxFix> {
        let Proposals { error, all } = proposals;
        let is_proven = |proposal: &&Proposal| {
            self.is_proven(std::slice::from_ref(error), &proposal.edits, proposal.excludes)
        };
        all.iter().find(is_proven).map(|proposal| SyntaxFix::of(proposal, error))
    }

    /// The first proposal for each error, if all of them are proven together.
    fn together(&mut self, proposals: &[Proposals<'_>]) -> Option<Vec<SyntaxFix>> {
        let mut edits = Vec::new();
        let mut errors = Vec::new();
        let mut fixes = Vec::new();
        for Proposals { error, all } in proposals {
            let first = all.first().filter(|first| first.excludes.is_none())?;
            edits.extend(first.edits.iter().cloned());
            errors.push((*error).clone());
            fixes.push(SyntaxFix::of(first, error));
        }
        edits.sort_by_key(|edit| edit.span);
        self.is_proven(&errors, &edits, None).then_some(fixes)
    }

    /// Whether the edited text has the names and values that were read before, without these errors and without new ones.
    fn is_proven(
        &mut self,
        errors: &[SyntaxError],
        edits: &[TextEdit],
        excludes: Option<SyntaxErrorKind>,
    ) -> bool {
        let is_alone = |error| certainty::is_alone(self.text, error, self.before.errors());
        if !errors.iter().all(is_alone) {
            return false;
        }
        self.left = self.left.saturating_sub(self.cost);
        let Some(edited) = places::edited(self.text, edits) else { return false };
        let after = parse_up_to(&edited.into(), self.format, self.max_errors);
        let now = Reading::of(&after);
        let is_excluded = |error: &SyntaxError| Some(error.kind) == excludes;
        let is_tab = |error: &SyntaxError| error.kind == SyntaxErrorKind::TabIndentation;
        self.before.allows(&now, errors)
            && !after.errors.iter().any(is_excluded)
            && (!errors.iter().any(is_tab) || certainty::has_short_texts(&after.documents))
            && self.before.is_kept_by(&now, edits)
    }
}
