//! Comments that ask to leave findings alone, in the formats that have comments.

use voxlint::syntax::Span;
use voxlint::{
    Diagnostic, Directive, Document, Hidden, HiddenBy, Inputs, Origin, Report, RuleRef,
    VerdictKind, nearest, rules,
};

use crate::file::is_meant;
use crate::mistake::{diagnostic, quote};
use crate::{Date, FileSettings, Level};

/// How such a comment is written.
const FORM: &str = "write `voxlint-ignore RULE: why`";

impl FileSettings<'_> {
    /// Hides what comments in the document and in the files of its texts ask to leave alone, and adds findings about the
    /// comments themselves: those that hide nothing, have expired, or cannot be followed. Wants what
    /// [`apply_levels`](Self::apply_levels) left.
    ///
    /// ```
    /// use voxlint::syntax::Format;
    /// use voxlint::{Document, Inputs, Source, check};
    /// use voxlint_config::{Configuration, Date};
    ///
    /// let text = "version_number: 3\nkb_max_chunks: 12 # voxlint-ignore out-of-range: raised for us\n";
    /// let source = Source::from(text);
    /// let document = Document::parse_as(&source, Format::Yaml);
    /// let inputs = Inputs::new(&document);
    /// let mut report = check(&inputs);
    ///
    /// let configuration = Configuration::built_in();
    /// let settings = configuration.for_file("agents/en.yaml");
    /// settings.suppress_by_comments(&mut report, &inputs, Date::new(2027, 1, 31)?);
    /// assert!(report.diagnostics.is_empty());
    /// assert_eq!(report.hidden.len(), 1);
    /// # Ok::<(), voxlint_config::DateError>(())
    /// ```
    pub fn suppress_by_comments(&self, report: &mut Report, inputs: &Inputs<'_>, today: Date) {
        self.suppress_by(inputs.document, Origin::Document, report, today);
        for (text, at) in inputs.texts.iter().zip(0..) {
            self.suppress_by(text.document, Origin::Text(at), report, today);
        }
    }

    fn suppress_by(
        &self,
        document: &Document<'_>,
        origin: Origin,
        report: &mut Report,
        today: Date,
    ) {
        let directives = document.directives();
        if directives.is_empty() {
            return;
        }
        let mut found = Vec::new();
        for directive in &directives {
            found.extend(self.follow(directive, origin, report, today));
        }
        for mut finding in found {
            finding.origin = origin;
            let level = self.level(&finding.rule).map(|level| level.value);
            match level.map(Level::severity) {
                Some(None) => {}
                Some(Some(severity)) => {
                    finding.severity = severity;
                    report.diagnostics.push(finding);
                }
                None => report.diagnostics.push(finding),
            }
        }
        report.diagnostics.sort_by(|a, b| {
            (a.origin, a.span, &a.rule.id, &a.field).cmp(&(b.origin, b.span, &b.rule.id, &b.field))
        });
    }

    /// Hides what a comment is about, and says what is wrong with the comment.
    fn follow(
        &self,
        directive: &Directive,
        origin: Origin,
        report: &mut Report,
        today: Date,
    ) -> Vec<Diagnostic> {
        if let Some(malformed) = malformed(directive) {
            return vec![malformed];
        }
        let mut found = Vec::new();
        let last_day = directive.until.as_ref().and_then(|(day, span)| match day.parse::<Date>() {
            Ok(day) => Some((day, *span)),
            Err(error) => {
                found.extend(self::found(
                    "malformed-suppression",
                    *span,
                    format!("{} is not a valid date: {error}", quote(day)),
                    "write the last day that it applies, as in `until 2027-01-31`".to_owned(),
                ));
                None
            }
        });
        if !found.is_empty() {
            return found;
        }
        if let Some((day, span)) = last_day.filter(|(day, _)| *day < today) {
            let message = format!("the suppression has expired: {day} was its last day");
            let help = "settle what it has hidden and remove the comment, or write a later day";
            return self::found("expired-suppression", span, message, help.to_owned())
                .into_iter()
                .collect();
        }
        for (name, span) in &directive.rules {
            let rules: Vec<RuleRef> = self.configuration.rules_called(name).collect();
            if rules.is_empty() {
                found.extend(self.unknown(name, *span));
                continue;
            }
            let is_about =
                |it: &Diagnostic| is_meant(name, &it.rule) && covers(directive, origin, it);
            for diagnostic in std::mem::take(&mut report.diagnostics) {
                if is_about(&diagnostic) {
                    let by = HiddenBy::Comment(directive.reason.clone());
                    report.hidden.push(Hidden { diagnostic, by });
                } else {
                    report.diagnostics.push(diagnostic);
                }
            }
            // What could not be decided, or is not looked for here, may be what the comment is for; and what another comment
            // has hidden before is hidden by this one, too.
            let is_of_use = report.undecided.iter().any(|it| is_meant(name, &it.rule))
                || rules.iter().any(|rule| self.is_off(rule))
                || report.hidden.iter().any(|it| is_about(&it.diagnostic));
            if !is_of_use {
                let message = format!("no finding of {} is hidden by the comment", quote(name));
                let help = if directive.rules.len() > 1 {
                    "remove the name"
                } else {
                    "remove the comment"
                };
                found.extend(self::found("unused-suppression", *span, message, help.to_owned()));
            }
        }
        found
    }

    fn unknown(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let ids: Vec<RuleRef> = self.configuration.rules().collect();
        let ids = ids.iter().map(|rule| &*rule.id).chain(rules::GROUPS);
        let help = match nearest(name, ids) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`voxlint rules` lists them".to_owned(),
        };
        found("malformed-suppression", span, format!("there is no rule {}", quote(name)), help)
    }
}

/// Whether a finding stands where a comment is about. What the document does to what is stored may be shown there.
fn covers(directive: &Directive, origin: Origin, found: &Diagnostic) -> bool {
    let Span { start, end } = directive.covers;
    let is_partner = matches!(found.origin, Origin::Stored | Origin::Facts);
    if directive.is_of_file {
        found.origin == origin || (origin == Origin::Document && is_partner)
    } else {
        found.origin == origin && (start..end).contains(&found.span.start)
    }
}

/// What keeps a comment from being followed at all.
fn malformed(directive: &Directive) -> Option<Diagnostic> {
    let message = if directive.is_misspelt {
        "there are `voxlint-ignore` and `voxlint-ignore-file`, and nothing else"
    } else if matches!(&directive.until, Some((day, _)) if day.is_empty()) {
        "the comment does not say until when"
    } else if directive.rules.is_empty() {
        "the comment names no rule to leave alone"
    } else if directive.reason.is_empty() {
        "the comment gives no reason"
    } else {
        return None;
    };
    found("malformed-suppression", directive.span, message.to_owned(), FORM.to_owned())
}

fn found(rule: &str, span: Span, message: String, help: String) -> Option<Diagnostic> {
    let rule = RuleRef::from(rules::find(rule)?);
    let told = diagnostic(rule, VerdictKind::Advice, String::new(), span, message);
    Some(Diagnostic { help: Some(help), ..told })
}
