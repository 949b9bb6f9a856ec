//! Suppression comments, in the formats that have comments.

use std::collections::{BTreeMap, HashMap};

use voxlint::Rule;
use voxlint::rules::ids::SYNTAX_ERROR;
use voxlint::rules::{EXPIRED_SUPPRESSION, MALFORMED_SUPPRESSION, UNUSED_SUPPRESSION};
use voxlint::suggest::nearest;
use voxlint::syntax::{Format, Span};
use voxlint::{
    Diagnostic, Document, Inputs, Origin, Report, RuleRef, Suppressed, SuppressedBy,
    SuppressionComment, VerdictKind, rules,
};

use crate::config_file::names_rule;
use crate::diagnostic::{diagnostic, quote};
use crate::parse_file::NOT_CHECKED;
use crate::rule_names::LIST_RULES;
use crate::settings::is_for_plans;
use crate::{Date, FileSettings, Level};

/// How a suppression comment relates to the text before a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentState {
    /// It was there.
    Former,
    /// It is new, names one rule and gives a reason.
    NewWithReason,
    /// It is new, and names several rules, a group or no rule, or gives no reason.
    NewAndVague,
}

/// The suppression comments of a document, compared with those of its text before a change.
pub fn compare_comments(
    document: &Document,
    before: &str,
) -> Vec<(SuppressionComment, CommentState)> {
    let comments = document.suppression_comments();
    let mut former: HashMap<String, u32> = HashMap::new();
    if !comments.is_empty() && !before.is_empty() {
        let before = Document::parse_as(before, document.format());
        for comment in before.suppression_comments() {
            *former.entry(identity(&comment, &before)).or_default() += 1;
        }
    }
    let mut state = |comment: &SuppressionComment| {
        if let Some(count) = former.get_mut(&identity(comment, document)).filter(|it| **it > 0) {
            *count -= 1;
            return CommentState::Former;
        }
        match &*comment.rules {
            [(name, _)]
                if !comment.reason.is_empty() && rules::group_names().all(|it| it != name) =>
            {
                CommentState::NewWithReason
            }
            _ => CommentState::NewAndVague,
        }
    };
    let states: Vec<CommentState> = comments.iter().map(&mut state).collect();
    comments.into_iter().zip(states).collect()
}

/// What tells a comment from others: its words, and the field that it covers. The value may change.
fn identity(comment: &SuppressionComment, document: &Document) -> String {
    let words = comment.span.slice(document.text()).trim();
    if comment.is_of_file || document.format() == Format::Text {
        return words.to_owned();
    }
    let field = comment.covers.slice(document.text()).split([':', '=']).next();
    format!("{words}\n{}", field.unwrap_or_default().trim())
}

impl FileSettings<'_> {
    /// Hides the findings that comments in the document and in its text files suppress. Adds findings about comments that are
    /// unused, have expired or are malformed. Levels must have been applied before.
    pub(crate) fn suppress_by_comments(
        &self,
        report: &mut Report,
        inputs: &Inputs,
        today: Date,
        before: Option<&[(Origin, String)]>,
    ) {
        let texts = inputs.text_files().iter().zip(0..);
        let texts = texts.map(|(text, at)| (text.document(), Origin::Text(at)));
        for (document, origin) in [(inputs.document(), Origin::Document)].into_iter().chain(texts) {
            let mut comments = document.suppression_comments();
            if let Some(before) = before {
                let before = before.iter().find(|(it, _)| *it == origin);
                let all = compare_comments(document, before.map_or("", |(_, text)| text));
                comments = all
                    .into_iter()
                    .filter(|(_, state)| *state != CommentState::NewAndVague)
                    .map(|(comment, _)| comment)
                    .collect();
            }
            if comments.is_empty() {
                continue;
            }
            let secrets = voxlint::secrets::spans(inputs, origin);
            let masked = comments.into_iter().map(|it| it.masked(document.text(), &secrets));
            let comments: Vec<SuppressionComment> = masked.collect();
            self.suppress_by(&comments, document, origin, report, today);
        }
    }

    fn suppress_by(
        &self,
        comments: &[SuppressionComment],
        document: &Document,
        origin: Origin,
        report: &mut Report,
        today: Date,
    ) {
        let mut added = Vec::new();
        let mut findings = Findings::new(std::mem::take(&mut report.diagnostics), origin, report);
        for comment in comments {
            if let Some(malformed) = self.malformed(comment, document.format()) {
                added.push(malformed);
                continue;
            }
            added.extend(self.apply_comment(comment, &mut findings, report, today));
        }
        report.diagnostics = findings.into_shown();
        for mut finding in added {
            finding.origin = origin;
            let level = self.level(&finding.rule).map(|level| level.value);
            if level != Some(Level::Off) {
                finding.severity = level.and_then(Level::severity).unwrap_or(finding.severity);
                report.diagnostics.push(finding);
            }
        }
        report.diagnostics.sort_by(|a, b| {
            (a.origin, a.span, &a.rule.id, &a.field).cmp(&(b.origin, b.span, &b.rule.id, &b.field))
        });
    }

    /// Hides the findings that a comment suppresses, and returns the faults of the comment.
    fn apply_comment(
        &self,
        comment: &SuppressionComment,
        findings: &mut Findings,
        report: &mut Report,
        today: Date,
    ) -> Vec<Diagnostic> {
        if let Some((day, span)) = &comment.until {
            let fault = match day.parse::<Date>() {
                Ok(day) if day >= today => None,
                Ok(day) => {
                    let message = format!("the suppression expired after {day}");
                    let help = "fix the finding and remove the comment, or write a later date";
                    Some(finding(EXPIRED_SUPPRESSION, *span, message, help))
                }
                Err(error) => {
                    let message = format!("{} is not a valid date: {error}", quote(day));
                    let help = "write the last day that it applies, as in `until 2027-01-31`";
                    Some(finding(MALFORMED_SUPPRESSION, *span, message, help))
                }
            };
            if let Some(fault) = fault {
                return vec![fault];
            }
        }
        let mut faults = Vec::new();
        for (name, span) in &comment.rules {
            let rules: Vec<RuleRef> = self.configuration.rules_named(name).collect();
            if rules.is_empty() {
                faults.push(self.unknown_rule(name, *span));
                continue;
            }
            if let Some(fault) = self.not_suppressible(name, *span) {
                faults.push(fault);
                continue;
            }
            let was_found = findings.hide(comment, name, report);
            // The comment may be needed for a rule that is undecided or off in this file, or that compares documents.
            let is_across = |rule: &RuleRef| is_for_plans(rule) && *rule.id == **name;
            let is_used = was_found
                || report.undecided.iter().any(|it| names_rule(name, &it.rule))
                || rules.iter().any(|rule| self.is_off(rule) || is_across(rule));
            if !is_used {
                let message = format!("the comment suppresses no finding of {}", quote(name));
                let is_one = comment.rules.len() == 1;
                let help =
                    if is_one { "remove the comment" } else { "remove this rule from the comment" };
                faults.push(finding(UNUSED_SUPPRESSION, *span, message, help));
            }
        }
        faults
    }

    /// The fault that keeps a comment from being applied at all.
    fn malformed(&self, comment: &SuppressionComment, format: Format) -> Option<Diagnostic> {
        let message = if comment.is_misspelled {
            "only `voxlint-ignore` and `voxlint-ignore-file` are supported"
        } else if matches!(&comment.until, Some((day, _)) if day.is_empty()) {
            "the date after `until` is missing"
        } else if comment.rules.is_empty() {
            "the comment does not name a rule"
        } else if comment.reason.is_empty() {
            "the comment does not give a reason"
        } else {
            return None;
        };
        let is_mark = |it: char| !it.is_ascii_alphanumeric();
        let names = comment.rules.iter().map(|(name, _)| name.trim_matches(is_mark));
        let is_known = |name: &&str| self.configuration.rules_named(name).next().is_some();
        let names: Vec<&str> = names.filter(is_known).collect();
        let names = if names.is_empty() { "RULE".to_owned() } else { names.join(" ") };
        let keyword = if comment.is_of_file { "voxlint-ignore-file" } else { "voxlint-ignore" };
        let form = format!("{keyword} {names}: reason");
        let help = if format == Format::Text {
            format!("write `{{{{! {form} }}}}`")
        } else {
            format!("write `{form}`")
        };
        Some(finding(MALFORMED_SUPPRESSION, comment.span, message.to_owned(), &help))
    }

    /// The fault of a comment that names a rule or group that comments do not suppress.
    fn not_suppressible(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let is_group = || rules::group_names().any(|group| group == name);
        let (message, help) = if name == SYNTAX_ERROR {
            (format!("`{SYNTAX_ERROR}` cannot be suppressed: {NOT_CHECKED}"), "fix the document")
        } else if is_group() && !self.configuration.group_comments().is_some_and(|it| it.value) {
            let message = format!("{} is a group, so the comment suppresses nothing", quote(name));
            (message, "name each rule; `group_comments = true` in `voxlint.toml` allows groups")
        } else {
            return None;
        };
        Some(finding(MALFORMED_SUPPRESSION, span, message, help))
    }

    fn unknown_rule(&self, name: &str, span: Span) -> Diagnostic {
        let rules: Vec<RuleRef> = self.configuration.rules().collect();
        let names = rules.iter().map(|rule| &*rule.id).chain(rules::group_names());
        let help = nearest(name, names).map(|near| format!("did you mean `{near}`?"));
        let message = format!("there is no rule {}", quote(name));
        finding(MALFORMED_SUPPRESSION, span, message, help.as_deref().unwrap_or(LIST_RULES))
    }
}

/// The findings of a report by their rules and positions in one document, so that comments find theirs quickly.
struct Findings {
    /// The findings; `None` for those that a comment has hidden.
    shown: Vec<Option<Diagnostic>>,
    /// The findings that comments of the document can suppress, by the names of their rules and groups.
    by_name: BTreeMap<String, NamedFindings>,
    /// Whether a rule name had a finding in a span, so that a repeated comment gets the same answer.
    searched: HashMap<(String, Option<Span>), bool>,
}

/// The findings of a rule or group: the index of each in [`Findings::shown`], or `None` if it was hidden before.
#[derive(Default)]
struct NamedFindings {
    /// The findings in the document itself with their starts, in the order of the text.
    in_document: Vec<(u32, Option<usize>)>,
    /// The other findings. Only comments for the whole file apply to them.
    elsewhere: Vec<Option<usize>>,
}

impl Findings {
    fn new(diagnostics: Vec<Diagnostic>, origin: Origin, report: &Report) -> Self {
        let mut by_name: BTreeMap<String, NamedFindings> = BTreeMap::new();
        let shown = diagnostics.iter().enumerate().map(|(index, it)| (it, Some(index)));
        let hidden = report.suppressed.iter().map(|it| (&it.diagnostic, None));
        for (found, index) in shown.chain(hidden).filter(|(it, _)| !it.rule.is_syntax()) {
            // What stands for findings that are not listed is at no line of its own.
            let is_in_document = found.origin == origin && found.count == 1;
            // A fault of the document can be shown in its related files.
            let is_elsewhere = origin == Origin::Document
                && matches!(found.origin, Origin::Document | Origin::Stored | Origin::Facts);
            if !is_in_document && !is_elsewhere {
                continue;
            }
            for name in found.rule.names() {
                if !by_name.contains_key(name) {
                    by_name.insert(name.to_owned(), NamedFindings::default());
                }
                let Some(named) = by_name.get_mut(name) else { continue };
                if is_in_document {
                    named.in_document.push((found.span.start, index));
                } else {
                    named.elsewhere.push(index);
                }
            }
        }
        for named in by_name.values_mut() {
            named.in_document.sort_by_key(|(start, _)| *start);
        }
        let shown = diagnostics.into_iter().map(Some).collect();
        Self { shown, by_name, searched: HashMap::new() }
    }

    /// Hides the findings of the rule or group `name` that a comment covers. Returns whether there are any, hidden now or
    /// before.
    fn hide(&mut self, comment: &SuppressionComment, name: &str, report: &mut Report) -> bool {
        let covers = (!comment.is_of_file).then_some(comment.covers);
        let key = (name.to_owned(), covers);
        if let Some(was_found) = self.searched.get(&key) {
            return *was_found;
        }
        let mut covered: Vec<Option<usize>> = Vec::new();
        if let Some(NamedFindings { in_document, elsewhere }) = self.by_name.get(name) {
            let range = covers.map_or(0..in_document.len(), |Span { start, end }| {
                let first = in_document.partition_point(|(at, _)| *at < start);
                first..in_document.partition_point(|(at, _)| *at < end).max(first)
            });
            covered.extend(in_document.get(range).unwrap_or_default().iter().map(|(_, it)| *it));
            if comment.is_of_file {
                covered.extend(elsewhere);
            }
        }
        let was_found = !covered.is_empty();
        let mut indexes: Vec<usize> = covered.into_iter().flatten().collect();
        indexes.sort_unstable();
        for index in indexes {
            if let Some(diagnostic) = self.shown.get_mut(index).and_then(Option::take) {
                let by = SuppressedBy::Comment(comment.reason.clone());
                report.suppressed.push(Suppressed::new(diagnostic, by));
            }
        }
        self.searched.insert(key, was_found);
        was_found
    }

    fn into_shown(self) -> Vec<Diagnostic> {
        self.shown.into_iter().flatten().collect()
    }
}

fn finding(rule: &'static Rule, span: Span, message: String, help: &str) -> Diagnostic {
    let mut found = diagnostic(rule.into(), VerdictKind::Advice, String::new(), span, message);
    found.help = Some(help.to_owned());
    found
}
