//! The steps between a check and its report, in their one order.

use voxlint::{Diagnostic, Inputs, Origin, Report};

use crate::{Date, FileBaseline, FileSettings, SuppressionUsage};

/// Whether findings can be hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SuppressionMode {
    /// Comments, suppressions and the baseline hide findings.
    #[default]
    Apply,
    /// Only levels apply. Every finding is reported.
    Ignore,
}

/// Applies everything that a team has decided to the findings in one document.
///
/// The order is always the same: the levels of rules, suppression comments, the suppressions of the configuration, the
/// baseline. Each step sees only the findings that the steps before it have left. Rules that are `off` are removed; all
/// other findings stay in the report, hidden ones with the reason. Nothing hides or lowers a syntax error, because what cannot
/// be read is not checked.
///
/// ```
/// use voxlint::{Document, Inputs, check};
/// use voxlint_config::{Configuration, Date, ReportFilter};
///
/// let text = "
///     [[suppressions]]
///     files = '*.json'
///     rules = 'out-of-range'
///     reason = 'the limit will be raised'
/// ";
/// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
/// let settings = configuration.for_file("en.json");
///
/// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#));
/// let mut report = check(&inputs);
/// ReportFilter::new(&settings, Date::new(2027, 1, 31)?).apply(&mut report, &inputs);
/// assert!(report.diagnostics.is_empty());
/// assert_eq!(report.suppressed.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a filter changes a report only when it is applied"]
pub struct ReportFilter<'a, 'b> {
    settings: &'a FileSettings<'a>,
    today: Date,
    mode: SuppressionMode,
    shared_texts: &'a [usize],
    baseline: Option<&'a mut FileBaseline<'b>>,
    one_of_several: bool,
    before: Option<&'a [(Origin, String)]>,
}

/// What [`ReportFilter::apply`] found out about the settings.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FilterOutcome {
    /// The suppressions that were used, for [`Configuration::check_suppressions`](crate::Configuration::check_suppressions).
    pub usage: SuppressionUsage,
}

impl<'a, 'b> ReportFilter<'a, 'b> {
    /// A filter for a document of a file with these settings. `today` decides which suppressions have expired.
    pub fn new(settings: &'a FileSettings<'a>, today: Date) -> Self {
        let mode = SuppressionMode::default();
        Self {
            settings,
            today,
            mode,
            shared_texts: &[],
            baseline: None,
            one_of_several: false,
            before: None,
        }
    }

    /// Whether findings can be hidden.
    pub fn mode(self, mode: SuppressionMode) -> Self {
        Self { mode, ..self }
    }

    /// The text files that belong to several documents, by their indexes in the [`Inputs`]. A comment in one of them may be
    /// meant for another document, so it is not reported as unused.
    pub fn shared_texts(self, shared_texts: &'a [usize]) -> Self {
        Self { shared_texts, ..self }
    }

    /// The part of a baseline that is about the file. The documents of a file must be filtered in the order of its text.
    pub fn baseline(self, baseline: Option<&'a mut FileBaseline<'b>>) -> Self {
        Self { baseline, ..self }
    }

    /// Whether the file has several documents, so that a baseline needs to name this one.
    pub fn one_of_several(self, one_of_several: bool) -> Self {
        Self { one_of_several, ..self }
    }

    /// The document and its text files before a change. A comment that the change brings counts only if it names
    /// one rule and gives a reason.
    pub fn before(self, before: Option<&'a [(Origin, String)]>) -> Self {
        Self { before, ..self }
    }

    /// Applies the levels and hides findings.
    pub fn apply(self, report: &mut Report, inputs: &Inputs) -> FilterOutcome {
        let Self { settings, today, mode, shared_texts, baseline, one_of_several, before } = self;
        settings.apply_levels(report);
        let mut usage = SuppressionUsage::default();
        if mode == SuppressionMode::Apply {
            settings.suppress_by_comments(report, inputs, today, before);
            report.diagnostics.retain(|found| !is_for_another_document(found, shared_texts));
            usage = settings.suppress(report, today);
            if let Some(baseline) = baseline {
                baseline.hide(report, inputs, one_of_several);
            }
        }
        FilterOutcome { usage }
    }
}

/// Whether a comment may be unused here only because it is meant for another document of the same text file.
fn is_for_another_document(found: &Diagnostic, shared_texts: &[usize]) -> bool {
    let Origin::Text(index) = found.origin else { return false };
    found.rule.reports_unused_suppressions() && shared_texts.contains(&usize::from(index))
}
