//! The examples of a rule's page, checked.

use voxlint_engine::check;
use voxlint_model::{
    Diagnostic, Document, Facts, Family, Inputs, Rule, Severity, Stored, Wildcard,
};
use voxlint_syntax::{Format, Node};

use crate::{DocumentKind, PlanInputs, plan, plan_agent};

/// An example of a page, and what the rule of the page finds in it.
pub(super) struct PageExample<'p> {
    /// The format, as the page names it: `json`.
    pub(super) language: &'static str,
    /// The verdict that the page gives it.
    pub(super) verdict: &'p str,
    pub(super) text: &'p str,
    /// The kind that the example was checked as.
    pub(super) kind: DocumentKind,
    /// The findings of the rule.
    pub(super) found: Vec<Diagnostic>,
    /// Whether the rule is also undecided: the service may reject what the rule advises against.
    pub(super) is_undecided: bool,
}

/// The examples of a rule's page that can be checked, in the order of the page. Those of the rules about suppressions are
/// configurations, and have no findings here.
pub(super) fn of<'p>(rule: &Rule, page: &'p str) -> Vec<PageExample<'p>> {
    if rule.family() == Family::Fleet {
        return of_several(rule, page);
    }
    let mut examples = Vec::new();
    let mut related = Related::default();
    for block in blocks(page) {
        if related.take(&block) {
            continue;
        }
        let Related { stored, facts, variables } = std::mem::take(&mut related);
        let Some((language, format)) = format_of(block.language) else { continue };
        let mut inputs = Inputs::new(Document::parse_as(block.text, format))
            .stored(stored.map(|text| Stored::new(Document::parse(text))))
            .facts(facts.map(|text| Facts::new(Document::parse(text))))
            .optional_rules(true);
        if let Some(variables) = variables {
            inputs = inputs.variables(names(variables));
        }
        let mut report = check(&inputs);
        report.diagnostics.retain(|found| found.rule.id == rule.id);
        examples.push(PageExample {
            language,
            verdict: block.info,
            text: block.text,
            kind: report.kind,
            found: report.diagnostics,
            is_undecided: report.undecided.iter().any(|entry| entry.rule.id == rule.id),
        });
    }
    examples
}

/// The examples of a rule across documents. The documents that come before an example belong to its plan.
fn of_several<'p>(rule: &Rule, page: &'p str) -> Vec<PageExample<'p>> {
    let mut examples = Vec::new();
    let mut related = Related::default();
    let mut agents = Vec::new();
    for block in blocks(page) {
        if related.take(&block) {
            continue;
        }
        let Some((language, format)) = format_of(block.language) else { continue };
        let Related { stored, facts, .. } = std::mem::take(&mut related);
        let inputs = Inputs::new(Document::parse_as(block.text, format))
            .kind(DocumentKind::Update)
            .stored(stored.map(|text| Stored::new(Document::parse(text))))
            .facts(facts.map(|text| Facts::new(Document::parse(text))));
        let letter = ('a'..='z').nth(agents.len()).unwrap_or('z');
        agents.push(plan_agent(&PlanInputs::new(format!("{letter}.json"), inputs)));
        if block.info == "beside" {
            continue;
        }
        let agents = plan(std::mem::take(&mut agents)).agents;
        let is_undecided =
            agents.iter().flat_map(|agent| &agent.undecided).any(|entry| entry.rule.id == rule.id);
        let found = agents.into_iter().flat_map(|agent| agent.findings);
        let found = found.map(|finding| finding.diagnostic);
        examples.push(PageExample {
            language,
            verdict: block.info,
            text: block.text,
            kind: DocumentKind::Update,
            found: found.filter(|found| found.rule.id == rule.id).collect(),
            is_undecided,
        });
    }
    examples
}

/// The default severities of a rule's findings, the most severe first.
///
/// They are those of the findings in the examples of the rule's page.
///
/// ```
/// use voxlint::{Severity, docs, rules};
///
/// let rule = rules::find("functions-dropped").expect("a rule");
/// assert_eq!(docs::levels(rule), [Severity::Warning, Severity::Info]);
/// ```
pub fn levels(rule: &Rule) -> Vec<Severity> {
    let page = rule.page();
    let found = of(rule, &page).into_iter().flat_map(|example| example.found);
    let shown = found.map(|found| found.severity);
    let mut levels: Vec<Severity> = shown.chain(rule.internal.unshown.iter().copied()).collect();
    levels.sort_unstable_by(|a, b| b.cmp(a));
    levels.dedup();
    if levels.is_empty() {
        // House rules and rules about suppressions give advice only.
        levels.push(rule.advice);
    }
    levels
}

/// The inputs that belong to the next example.
#[derive(Default)]
struct Related<'p> {
    stored: Option<&'p str>,
    facts: Option<&'p str>,
    variables: Option<&'p str>,
}

impl<'p> Related<'p> {
    /// Keeps a block that is an input; whether it is one.
    fn take(&mut self, block: &Block<'p>) -> bool {
        let input = match block.info {
            "stored" => &mut self.stored,
            "facts" => &mut self.facts,
            "variables" => &mut self.variables,
            _ => return false,
        };
        *input = Some(block.text);
        true
    }
}

/// A block of a page: an example, or an input of one.
struct Block<'p> {
    language: &'p str,
    /// The verdict of the example, or which input it is.
    info: &'p str,
    text: &'p str,
}

fn blocks(page: &str) -> impl Iterator<Item = Block<'_>> {
    // Every other part between the fences is a block.
    page.split("```").skip(1).step_by(2).filter_map(|block| {
        let (head, text) = block.split_once('\n')?;
        let (language, info) = head.split_once(',')?;
        Some(Block { language, info, text })
    })
}

/// The format of an example, by the name that a page gives to it.
fn format_of(language: &str) -> Option<(&'static str, Format)> {
    Some(match language {
        "json" => ("json", Format::Json),
        #[cfg(feature = "yaml")]
        "yaml" => ("yaml", Format::Yaml),
        #[cfg(feature = "toml")]
        "toml" => ("toml", Format::Toml),
        _ => return None,
    })
}

/// The names of a list of variables.
fn names(list: &str) -> Vec<Wildcard> {
    let list = Document::parse(list);
    let names = list.tree().root().into_iter().flat_map(Node::elements);
    names.filter_map(Node::as_str).map(|name| Wildcard::new(name.into_owned())).collect()
}
