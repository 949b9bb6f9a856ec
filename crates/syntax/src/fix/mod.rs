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
    fn of(Proposal { title, edits }: Proposal, error: &SyntaxError) -> Self {
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
    let errors = parsed.errors.iter().take(MAX_ERRORS);
    let proposals =
        errors.filter_map(|error| Some(SyntaxFix::of(propose(&broken, error)?, error))).collect();
    Prover::new(text, format, parsed, max_errors).prove(proposals)
}

fn propose(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    proposal::shared(broken, error).or_else(|| match broken.format {
        Format::Json | Format::Jsonc => json::propose(broken, error),
        Format::Text => None,
        #[cfg(feature = "toml")]
        Format::Toml => crate::toml::propose(broken, error),
        #[cfg(feature = "yaml")]
        Format::Yaml => crate::yaml::propose(broken, error),
    })
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

    /// The fixes that are proven: all together, or one by one.
    fn prove(mut self, mut fixes: Vec<SyntaxFix>) -> Vec<SyntaxFix> {
        if !self.is_proven(&fixes) {
            fixes.retain(|fix| self.left >= self.cost && self.is_proven(std::slice::from_ref(fix)));
        }
        fixes
    }

    /// Whether the text with these fixes has the names and values that were read before, without their errors and without new ones.
    fn is_proven(&mut self, fixes: &[SyntaxFix]) -> bool {
        let errors: Vec<&SyntaxError> = fixes.iter().map(|fix| &fix.error).collect();
        let is_alone =
            |error: &&SyntaxError| certainty::is_alone(self.text, error, self.before.errors());
        if !errors.iter().all(is_alone) {
            return false;
        }
        let mut edits: Vec<TextEdit> = fixes.iter().flat_map(|fix| fix.edits.clone()).collect();
        edits.sort_by_key(|edit| edit.span);
        self.left = self.left.saturating_sub(self.cost);
        let Some(edited) = places::edited(self.text, &edits) else { return false };
        let after = parse_up_to(&edited.into(), self.format, self.max_errors);
        let now = Reading::of(&after);
        let has_tab = errors.iter().any(|error| error.kind == SyntaxErrorKind::TabIndentation);
        self.before.allows(&now, &errors)
            && (!has_tab || certainty::has_short_texts(&after.documents))
            && self.before.is_kept_by(&now, &edits)
    }
}
