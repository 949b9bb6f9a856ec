//! Comments that ask to leave findings alone, in the formats that have comments.

use std::collections::HashMap;

use voxlint::syntax::Span;
use voxlint::{
    Diagnostic, Document, Inputs, Origin, Report, RuleRef, Suppressed, SuppressedBy,
    SuppressionComment, VerdictKind, nearest, rules,
};

use crate::config_file::is_meant;
use crate::diagnostic::{diagnostic, quote};
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
    /// use voxlint::{Document, Inputs, check};
    /// use voxlint_config::{Configuration, Date};
    ///
    /// let text = "version_number: 3\nkb_max_chunks: 12 # voxlint-ignore out-of-range: raised for us\n";
    /// let document = Document::parse_as(text, Format::Yaml);
    /// let inputs = Inputs::new(document);
    /// let mut report = check(&inputs);
    ///
    /// let configuration = Configuration::built_in();
    /// let settings = configuration.for_file("agents/en.yaml");
    /// settings.suppress_by_comments(&mut report, &inputs, Date::new(2027, 1, 31)?);
    /// assert!(report.diagnostics.is_empty());
    /// assert_eq!(report.suppressed.len(), 1);
    /// # Ok::<(), voxlint_config::DateError>(())
    /// ```
    pub fn suppress_by_comments(&self, report: &mut Report, inputs: &Inputs, today: Date) {
        self.suppress_by(inputs.document(), Origin::Document, report, today);
        for (text, at) in inputs.text_files().iter().zip(0..) {
            self.suppress_by(text.document(), Origin::Text(at), report, today);
        }
    }

    fn suppress_by(&self, document: &Document, origin: Origin, report: &mut Report, today: Date) {
        let directives = document.suppression_comments();
        if directives.is_empty() {
            return;
        }
        let mut found = Vec::new();
        let mut findings = Findings::of(std::mem::take(&mut report.diagnostics), origin, report);
        for directive in &directives {
            found.extend(self.follow(directive, &mut findings, report, today));
        }
        findings.give_back(report);
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
        directive: &SuppressionComment,
        findings: &mut Findings,
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
            let was_there = findings.hide(directive, name, report);
            // What could not be decided, or is not looked for here, may be what the comment is for.
            let is_of_use = was_there
                || report.undecided.iter().any(|it| is_meant(name, &it.rule))
                || rules.iter().any(|rule| self.is_off(rule));
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

/// The findings of a report in the order of the places where comments look for them.
struct Findings {
    /// The findings; `None` for those that a comment has hidden.
    shown: Vec<Option<Diagnostic>>,
    /// The findings that comments of one document may be about.
    places: Vec<FindingPosition>,
    /// How many of them stand in the document itself. They come first, in the order of the text; the others stand in what
    /// only comments for the whole file are about.
    here: usize,
    /// For each name and the characters that it was about: whether there was a finding. Whoever repeats a comment
    /// finds the same.
    looked_for: HashMap<(String, Option<Span>), bool>,
}

/// Where a finding stands.
struct FindingPosition {
    start: u32,
    rule: RuleRef,
    /// Which of the shown findings it is; `None` if it was hidden before.
    shown: Option<usize>,
}

impl Findings {
    fn of(diagnostics: Vec<Diagnostic>, origin: Origin, report: &Report) -> Self {
        let position = |it: &Diagnostic, shown: Option<usize>| FindingPosition {
            start: it.span.start,
            rule: it.rule.clone(),
            shown,
        };
        let shown = diagnostics.iter().enumerate().map(|(index, it)| (it, Some(index)));
        let hidden = report.suppressed.iter().map(|it| (&it.diagnostic, None));
        let mut places = Vec::new();
        let mut elsewhere = Vec::new();
        for (found, index) in shown.chain(hidden) {
            if found.origin == origin {
                places.push(position(found, index));
            } else if origin == Origin::Document
                && matches!(found.origin, Origin::Stored | Origin::Facts)
            {
                // What the document does to what is stored may be shown there.
                elsewhere.push(position(found, index));
            }
        }
        // Stable: findings at the same place keep their order.
        places.sort_by_key(|position| position.start);
        let here = places.len();
        places.extend(elsewhere);
        let shown = diagnostics.into_iter().map(Some).collect();
        Self { shown, places, here, looked_for: HashMap::new() }
    }

    /// Hides the findings of the rules called `name` where a comment is about them; says whether there are any, hidden now or
    /// before.
    fn hide(&mut self, directive: &SuppressionComment, name: &str, report: &mut Report) -> bool {
        let covers = (!directive.is_of_file).then_some(directive.covers);
        let key = (name.to_owned(), covers);
        if let Some(was_there) = self.looked_for.get(&key) {
            return *was_there;
        }
        let places = match covers {
            None => 0..self.places.len(),
            Some(Span { start, end }) => {
                let here = self.places.get(..self.here).unwrap_or_default();
                let first = here.partition_point(|position| position.start < start);
                first..here.partition_point(|position| position.start < end).max(first)
            }
        };
        let mut meant = Vec::new();
        let mut was_there = false;
        for position in self.places.get(places).unwrap_or_default() {
            if is_meant(name, &position.rule) {
                was_there = true;
                meant.extend(position.shown);
            }
        }
        meant.sort_unstable();
        for index in meant {
            if let Some(diagnostic) = self.shown.get_mut(index).and_then(Option::take) {
                let by = SuppressedBy::Comment(directive.reason.clone());
                report.suppressed.push(Suppressed { diagnostic, by });
            }
        }
        self.looked_for.insert(key, was_there);
        was_there
    }

    fn give_back(self, report: &mut Report) {
        report.diagnostics = self.shown.into_iter().flatten().collect();
    }
}

/// What keeps a comment from being followed at all.
fn malformed(directive: &SuppressionComment) -> Option<Diagnostic> {
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
