//! The variables of all templates of a configuration.

use std::collections::HashMap;

use voxlint_schema::{Row, named, settings};
use voxlint_syntax::{Node, NodeId};
use voxlint_template::{ParsedTemplate, TemplateSpan};

use super::scope::{TemplateVariables, VariableRole};
use crate::place::Place;
use crate::verdict::{ProposedEdit, ProposedFix, Replacement};
use crate::{Origin, Safety};

/// The settings that are templates.
pub const TEMPLATES: [&Row; 3] =
    [settings::prompt_text.row, settings::welcome_message.row, settings::voicemail_message.row];

/// The variables that the templates of a configuration use, each with its uses. They are collected where the templates are
/// checked, so that each is parsed once.
#[derive(Debug, Default)]
pub struct VariableFlow {
    variables: Vec<FlowVariable>,
    /// The index of each variable, once there are many.
    indices: HashMap<Box<str>, usize>,
    /// Where there may be uses that are not known.
    gaps: Vec<Gap>,
}

/// A place where a template may use variables that are not known.
#[derive(Debug)]
pub struct Gap {
    /// The template.
    pub template: Place,
    /// The error, or what reads all variables.
    pub span: TemplateSpan,
    /// Why nothing may provide a value.
    pub cause: GapCause,
}

/// Why a template may use variables that are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GapCause {
    /// The template has a syntax error, and what follows it is not read.
    Error,
    /// The template reads all variables at once, as `{{#each this}}` and partials do.
    ReadsAll,
}

named! {
    GapCause, "why a template may use variables that are not known":
    Error = "error",
    ReadsAll = "reads-all",
}

impl GapCause {
    /// The cause as a clause: "the template has an error".
    pub const fn description(self) -> &'static str {
        match self {
            Self::Error => "the template has an error",
            Self::ReadsAll => "the template reads all variables at once",
        }
    }
}

/// A variable and its uses.
#[derive(Debug)]
pub struct FlowVariable {
    /// The name.
    pub name: Box<str>,
    /// Where it is used, in the order of the texts.
    pub uses: Vec<FlowUse>,
}

/// A use of a variable in one of the templates.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is another property of the use")]
pub struct FlowUse {
    /// The setting with the template.
    pub row: &'static Row,
    /// The template.
    pub template: Place,
    /// The name.
    pub span: TemplateSpan,
    /// The path that begins with the name, if it is longer than that: `customer.name`.
    pub path: Option<(TemplateSpan, Box<str>)>,
    /// What it means there.
    pub role: VariableRole,
    /// Whether a field of its value is read: `{{customer.name}}`, `{{#with customer}}{{name}}{{/with}}`.
    pub reads_fields: bool,
    /// Whether it is only rendered if the variable has a value.
    pub is_guarded: bool,
    /// Whether the name is certainly read from the variables of the call.
    pub is_certain: bool,
    /// Whether it is part of what a syntax error is about, which is reported as such.
    pub is_in_error: bool,
}

impl FlowUse {
    /// Where the use is, in the order of the text.
    pub fn position(&self) -> (Origin, Option<NodeId>, u32) {
        (self.template.origin, self.template.node, self.span.start)
    }

    /// The characters of a part of the template.
    pub fn place_of(&self, span: TemplateSpan) -> Place {
        self.template.clone().decoded(span.start as usize..span.end as usize)
    }

    /// The place of the name.
    pub fn place(&self) -> Place {
        self.place_of(self.span)
    }

    /// Whether the tag renders the variable itself with HTML escaping, as `{{name}}` does and `{{{name}}}` and `{{&name}}` do not.
    /// `text` is that of the template.
    pub fn is_html_escaped(&self, text: &str) -> bool {
        let path = self.whole_path();
        let before = text.get(..path.start as usize).unwrap_or_default().trim_end();
        let opener = before.strip_suffix('~').unwrap_or(before);
        self.role == VariableRole::Text
            && path.end == self.span.end
            && opener.ends_with("{{")
            && !opener.ends_with("{{{")
    }

    /// The path that begins with the name: the name itself, `customer.name`, `this.name`.
    pub fn whole_path(&self) -> TemplateSpan {
        self.path.as_ref().map_or(self.span, |(path, _)| *path)
    }

    /// Whether the caller hears nothing, instead of a gap, if the variable has no value.
    pub const fn allows_for_absence(&self) -> bool {
        self.is_guarded || self.role.is_test()
    }
}

impl FlowVariable {
    /// The first of the variable's uses in the text. Findings about all of them are merged into the one about it.
    pub fn first_own_use(&self) -> Option<&FlowUse> {
        self.own_uses().min_by_key(|used| used.position())
    }

    /// A fix that replaces the variable in every use, in the input that has the first one. Findings carry it at the first use.
    pub fn renamed(
        &self,
        title: String,
        new: &str,
        part: impl Fn(&FlowUse) -> Option<TemplateSpan>,
    ) -> Option<ProposedFix> {
        let first = self.first_own_use()?;
        let mut uses: Vec<(&FlowUse, TemplateSpan)> = self
            .own_uses()
            .filter(|used| used.template.origin == first.template.origin)
            .filter_map(|used| Some((used, part(used)?)))
            .collect();
        uses.sort_by_key(|(used, span)| (used.template.node, span.start));
        let edits = uses.into_iter().map(|(used, span)| ProposedEdit::Replace {
            at: used.place_of(span),
            replacement: Replacement::Part(new.to_owned()),
        });
        Some(ProposedFix::new(title, Safety::Unsafe, edits.collect()))
    }

    /// The uses that the author of the document can change and that certainly read the variable.
    pub fn own_uses(&self) -> impl Iterator<Item = &FlowUse> + Clone {
        self.uses.iter().filter(|used| used.is_certain && used.template.is_in_document())
    }
}

impl VariableFlow {
    /// Adds the variables of a template.
    pub fn add(
        &mut self,
        row: &'static Row,
        template: &Place,
        text: &str,
        parsed: &ParsedTemplate,
    ) {
        let variables = TemplateVariables::of(text, &parsed.tree);
        let error = parsed.error.as_ref().map(|error| (error.span, GapCause::Error));
        let reads_all = variables.reads_all.map(|span| (span, GapCause::ReadsAll));
        let gaps = error.into_iter().chain(reads_all);
        self.gaps.extend(gaps.map(|(span, cause)| Gap { template: template.clone(), span, cause }));
        let is_in_error =
            |span| parsed.error.as_ref().is_some_and(|error| error.span.contains(span));
        for used in variables.uses {
            let is_in_error = is_in_error(used.span);
            let at = self.index_of(&used.name);
            let path = (used.path != used.span).then(|| (used.path, used.path.of(text).into()));
            let rest = text.get(used.span.end as usize..used.path.end as usize);
            let reads_fields = variables.with_fields.contains(&used.path)
                || rest.is_some_and(|rest| rest.starts_with('.') && rest != ".length");
            if let Some(variable) = self.variables.get_mut(at) {
                variable.uses.push(FlowUse {
                    row,
                    template: template.clone(),
                    span: used.span,
                    path,
                    role: used.role,
                    reads_fields,
                    is_guarded: used.is_guarded,
                    is_certain: used.is_certain && !is_in_error,
                    is_in_error,
                });
            }
        }
    }

    /// The index of a variable, which is added if it is new.
    fn index_of(&mut self, name: &str) -> usize {
        if let Some(at) = self.indices.get(name) {
            return *at;
        }
        let at = self.variables.len();
        self.indices.insert(name.into(), at);
        self.variables.push(FlowVariable { name: name.into(), uses: Vec::with_capacity(1) });
        at
    }

    /// Adds the variables of a template that has not been parsed.
    pub fn parse(&mut self, row: &'static Row, node: Node<'_>, template: &Place) {
        let text = node.as_str().filter(|text| text.contains("{{") && !node.is_faulty());
        if let Some(text) = text {
            self.add(row, template, &text, &voxlint_template::parse(&text));
        }
    }

    /// The variables in the order of their first uses.
    pub fn variables(&self) -> &[FlowVariable] {
        &self.variables
    }

    /// The uses of a variable; `None` if no template uses it.
    pub fn variable(&self, name: &str) -> Option<&FlowVariable> {
        self.variables.get(*self.indices.get(name)?)
    }

    /// Whether all uses are known.
    pub const fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Where there may be uses that are not known, and why.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }
}

#[cfg(test)]
mod tests {
    use voxlint_syntax::Span;

    use super::*;

    #[test]
    fn tags_that_escape_are_known() {
        for (text, expected) in [
            ("{{a}}", true),
            ("{{ a }}", true),
            ("{{~ a ~}}", true),
            ("{{this.a}} ", true),
            ("{{@root.a}}", true),
            ("{{\"a\"}}", true),
            ("{{[a]}}", true),
            ("\\\\{{a}}", true),
            ("{{{a}}}", false),
            ("{{~{ a }~}}", false),
            ("{{&a}}", false),
            ("{{~& a}}", false),
            ("{{a.length}}", false),
            ("{{#if a}}x{{/if}}", false),
            ("{{lookup a 0}}", false),
        ] {
            let mut flow = VariableFlow::default();
            let place = Place::bytes(Span::default());
            flow.add(settings::prompt_text.row, &place, text, &voxlint_template::parse(text));
            let variable = flow.variable("a").expect("a variable");
            let found = variable.uses.iter().any(|used| used.is_html_escaped(text));
            assert_eq!(found, expected, "{text}");
        }
    }
}
