//! Renders the templates of a configuration: what callers would hear.

use std::rc::Rc;

use voxlint_engine::check;
use voxlint_engine::resolve::Resolver;
use voxlint_model::masking::Mask;
use voxlint_model::place::Place;
use voxlint_model::value::Value;
use voxlint_model::variables::flow::TEMPLATES;
use voxlint_model::wildcard::Wildcard;
use voxlint_model::{Diagnostic, Document, Family, Inputs, Origin, Report, Severity, VerdictKind};
use voxlint_model::{SERVICE_VARIABLES, masking, masking::Masking};
use voxlint_rules::{TEMPLATE_RENDERING_ERROR, UNKNOWN_HELPER};
use voxlint_schema::{DocumentKind, Row, settings, template};
use voxlint_syntax::{Node, Span};
use voxlint_template::{
    Assumption, Object, OpenTemplate, RenderError, RenderLimits, Rendering, TemplatePath,
    TemplatePaths, Value as Variable,
};

use crate::paths::{
    PathCondition, Speech, conditions, fields_of, in_words, is_spoken, object_of, of_service,
    with_given,
};

/// The templates of a configuration, filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderedTemplates {
    /// The templates, in the order of the settings.
    pub templates: Vec<RenderedTemplate>,
    /// Why templates could not be rendered.
    pub report: Report,
}

/// A template that was filled in, or why it was not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderedTemplate {
    /// The name of the field.
    pub field: &'static str,
    /// What became of it.
    pub outcome: RenderedText,
}

/// What became of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderedText {
    /// It was filled in. Secrets are masked.
    Rendered {
        /// The text that the reference implementation of Handlebars renders. Variables without a value leave nothing.
        text: String,
        /// The same text with variables without a value as `⟨name⟩`.
        marked: String,
        /// The variables that are missing or null, in the order of the text.
        missing: Vec<RenderedTag>,
        /// The tags whose text HTML escaping changed, such as `&` to `&amp;`.
        escaped: Vec<RenderedTag>,
    },
    /// The texts that it can become. Only [`render_paths`] has them.
    Paths {
        /// The texts and when they are heard, in the order of the template: with a variable before without it.
        paths: Vec<RenderedPath>,
        /// How many more there are. `None` if they are too many to count, or if some cannot be followed.
        left_out: Option<usize>,
    },
    /// It has an error, which is in the report.
    Failed,
    /// The configuration does not have it.
    Unset,
    /// Neither the document nor the stored configuration tells it.
    Unknown,
}

impl RenderedText {
    /// The name of the outcome in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Rendered { .. } | Self::Paths { .. } => "rendered",
            Self::Failed => "failed",
            Self::Unset => "unset",
            Self::Unknown => "unknown",
        }
    }
}

/// A text that a template can become.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderedPath {
    /// When: if all conditions of one of the lists are met. An empty list always is.
    pub conditions: Vec<Vec<PathCondition>>,
    /// The text, which is [`RenderedText::Rendered`]. In it, a variable that has a value but no default is `⟨name⟩`.
    pub rendering: RenderedText,
    /// How it is spoken. `None` for a prompt, which is not.
    pub speech: Option<Speech>,
}

impl RenderedPath {
    /// The text with variables without a value as `⟨name⟩`.
    pub fn marked(&self) -> &str {
        if let RenderedText::Rendered { marked, .. } = &self.rendering { marked } else { "" }
    }

    /// The conditions in words: "with `vip` and without `name`, or without `vip`", or "always".
    pub fn in_words(&self) -> String {
        in_words(&self.conditions)
    }
}

/// A tag of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderedTag {
    /// The variable as the template writes it. Secrets are masked.
    pub name: String,
    /// The input that `span` points into.
    pub origin: Origin,
    /// The variable, as bytes of the file.
    pub span: Span,
}

/// Renders the templates of the effective configuration with its default variables, and `variables` on top of them. `None` if
/// documents of this kind have no templates.
///
/// Templates are rendered as npm handlebars 4.7 does.
///
/// ```
/// use voxlint::{Document, Inputs, RenderedText, render};
///
/// let text = r#"{ "version_number": 3, "welcome_message": "Hello {{name}}, it is {{day}}.",
///     "default_dynamic_variables": { "name": "Ada" } }"#;
/// let rendered = render(&Inputs::new(Document::parse(text)), None).expect("an update has templates");
/// let RenderedText::Rendered { text, marked, .. } = &rendered.templates[1].outcome else { panic!() };
/// assert_eq!(text, "Hello Ada, it is .");
/// assert_eq!(marked, "Hello Ada, it is ⟨day⟩.");
/// ```
pub fn render(inputs: &Inputs, variables: Option<&Document>) -> Option<RenderedTemplates> {
    rendered(inputs, variables, false)
}

/// Renders the templates of the effective configuration in each way in which a call may render them: with each variable that
/// decides about a branch, and without it. `None` if documents of this kind have no templates.
///
/// A variable has its default, unless a call gives it another value or none. One without a default is shown as `⟨name⟩`. Those
/// that the service provides always have a value, and those that the configuration lists have one where no branch depends on it.
/// `variables` are those whose values are certain.
///
/// ```
/// use voxlint::{Document, Inputs, RenderedText, render_paths};
///
/// let text = r#"{ "version_number": 3, "welcome_message": "Hello{{#if name}}, {{name}}{{/if}}. It is {{day}}." }"#;
/// let rendered = render_paths(&Inputs::new(Document::parse(text)), None).expect("an update has templates");
/// let RenderedText::Paths { paths, left_out: Some(0) } = &rendered.templates[1].outcome else { panic!() };
/// let heard: Vec<_> = paths.iter().map(|path| (path.in_words(), path.marked())).collect();
/// assert_eq!(heard[0], ("with `name`".to_owned(), "Hello, ⟨name⟩. It is ⟨day⟩."));
/// assert_eq!(heard[1], ("without `name`".to_owned(), "Hello. It is ⟨day⟩."));
/// assert_eq!(paths[0].speech.as_ref().and_then(|speech| speech.words), Some(4));
/// ```
pub fn render_paths(inputs: &Inputs, variables: Option<&Document>) -> Option<RenderedTemplates> {
    rendered(inputs, variables, true)
}

fn rendered(
    inputs: &Inputs,
    variables: Option<&Document>,
    is_open: bool,
) -> Option<RenderedTemplates> {
    let kind = inputs.checked_as();
    let is_template = kind == DocumentKind::Template;
    if !is_template && !kind.has_settings() {
        return None;
    }
    let config = inputs.effective(kind);
    let row = &settings::default_dynamic_variables;
    let (stored, effective) = (config.stored(row), config.get(row));
    let defaults = [stored.known(), effective.known()].into_iter().flatten();
    let defaults = defaults.map(|(object, _)| *object);
    let given = variables.and_then(|document| document.tree().root());
    let values = if is_open {
        // What the service provides always has a value. A default tells what it may be.
        let known = fields_of(defaults.clone()).filter(|(name, value)| {
            SERVICE_VARIABLES.contains(&&**name)
                && matches!(value, Variable::Text(text) if !text.is_empty())
        });
        let given = Object::new(of_service().chain(known).chain(fields_of(given)));
        Values::Open { defaults: object_of(defaults), given }
    } else {
        Values::Known(object_of(defaults.chain(given)).into())
    };
    let mut renderer = Renderer {
        values: values.into(),
        resolver: Resolver::new(kind, inputs),
        checked: check(inputs).diagnostics,
        failures: Vec::new(),
        listed: inputs.known_variables().unwrap_or_default(),
        mask: masking::secrets_of(inputs, variables),
    };
    let templates = if is_template {
        let root = inputs.document.tree().root()?;
        let place = Place::of(Origin::Document, root);
        vec![renderer.template(template::template.row, Value::Known(root, place))]
    } else {
        TEMPLATES.iter().map(|row| renderer.template(row, config.node(row))).collect()
    };
    let mut report = Report::new(kind, renderer.failures);
    Masking::new(inputs, &report).apply(&mut report);
    Some(RenderedTemplates { templates, report })
}

/// The values that templates are filled in with.
enum Values {
    Known(Variable),
    /// A call may give others than the defaults.
    Open {
        defaults: Object,
        given: Object,
    },
}

struct Renderer<'a> {
    values: Rc<Values>,
    resolver: Resolver<'a>,
    /// The findings of a check, which explain syntax errors.
    checked: Vec<Diagnostic>,
    failures: Vec<Diagnostic>,
    /// The variables that the configuration lists: calls give them.
    listed: &'a [Wildcard],
    mask: Mask,
}

impl Renderer<'_> {
    fn template(&mut self, row: &'static Row, value: Value<Node<'_>>) -> RenderedTemplate {
        let outcome = match value {
            Value::Known(node, place) => self.text(row, node, &place),
            Value::Absent(_) => RenderedText::Unset,
            Value::Unknown(_) => RenderedText::Unknown,
        };
        RenderedTemplate { field: row.name, outcome }
    }

    fn text(&mut self, row: &Row, node: Node<'_>, place: &Place) -> RenderedText {
        let Some(text) = node.as_str() else { return RenderedText::Unknown };
        let parsed = voxlint_template::parse(&text);
        let field = self.resolver.effective_pointer(place);
        if parsed.error.is_some() {
            let is_reason = |found: &Diagnostic| {
                found.rule.family() == Family::Template && found.field == field
            };
            self.failures.extend(self.checked.extract_if(.., |found| is_reason(found)));
            return RenderedText::Failed;
        }
        let outcome = match &*Rc::clone(&self.values) {
            Values::Known(variables) => {
                let limits = RenderLimits::default();
                let rendering = voxlint_template::render(&text, &parsed, variables, limits);
                rendering.map(|rendering| self.rendered(&text, place, &rendering))
            }
            Values::Open { defaults, given } => {
                let open =
                    OpenTemplate { text: &text, template: &parsed, defaults: defaults.clone() };
                let found = voxlint_template::paths(&[open], given.clone());
                let found = found.map_err(|(_, error)| error);
                found.map(|found| self.paths(is_spoken(row), &text, place, &found))
            }
        };
        outcome.unwrap_or_else(|error| {
            self.fail(place, field, &error);
            RenderedText::Failed
        })
    }

    fn paths(
        &mut self,
        is_spoken: bool,
        text: &str,
        place: &Place,
        found: &TemplatePaths,
    ) -> RenderedText {
        let path = |path: &TemplatePath| {
            let is_missing = |name: &str| {
                let mut all = path.conditions.iter().flatten();
                all.any(|it| {
                    it.assumption == Assumption::Missing
                        && it.path.first().is_some_and(|first| **first == *name)
                })
            };
            let is_given =
                |name: &str| self.listed.iter().any(|it| it.matches(name)) && !is_missing(name);
            let rendering = with_given(path.renderings.first()?.clone(), is_given);
            Some(RenderedPath {
                conditions: conditions(path, &self.mask),
                speech: is_spoken.then(|| Speech::of(&rendering, &self.mask)),
                rendering: self.rendered(text, place, &rendering),
            })
        };
        let paths = found.paths.iter().filter_map(path).collect();
        RenderedText::Paths { paths, left_out: found.left_out }
    }

    fn rendered(&mut self, text: &str, place: &Place, rendering: &Rendering) -> RenderedText {
        let mask = &self.mask;
        let masked = |text: &str| mask.value(text);
        let mut tag = |name: &str, span: voxlint_template::TemplateSpan| RenderedTag {
            name: masked(name),
            origin: place.origin,
            span: self.resolver.span(&place.clone().decoded(span.range())),
        };
        let missing = rendering.missing.iter().map(|it| tag(&it.name, it.span)).collect();
        let escaped = rendering.escaped.iter().map(|span| tag(span.of(text), *span)).collect();
        RenderedText::Rendered {
            text: masked(&rendering.text),
            marked: masked(&rendering.with_marks()),
            missing,
            escaped,
        }
    }

    /// Reports why rendering fails, in the words of the check if it has found the same.
    fn fail(&mut self, place: &Place, field: String, error: &RenderError) {
        let span = self.resolver.span(&place.clone().decoded(error.span.range()));
        let is_it = |found: &&Diagnostic| {
            [&UNKNOWN_HELPER.id, &TEMPLATE_RENDERING_ERROR.id].contains(&&found.rule.id)
                && found.origin == place.origin
                && found.span.start <= span.start
                && span.end <= found.span.end
        };
        if let Some(found) = self.checked.iter().find(is_it) {
            let mut failure = found.clone();
            failure.severity = Severity::Error;
            self.failures.push(failure);
            return;
        }
        let message = error.to_string();
        let mut found =
            Diagnostic::new(TEMPLATE_RENDERING_ERROR, VerdictKind::Advice, span, message);
        found.field = field;
        found.origin = place.origin;
        found.label = Some("cannot be rendered".into());
        found.help = Some(error.help());
        found.severity = Severity::Error;
        self.failures.push(found);
    }
}
