//! A rendered template.

use super::{
    error::{RenderError, RenderLimits},
    machine::Machine,
    program::Program,
    value::Value,
};
use crate::{parse::span::TemplateSpan, parsed::ParsedTemplate};

/// A template that was filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendering {
    /// The text that the reference renders. A variable that is missing or null leaves nothing in it.
    pub text: String,
    /// The variables that are missing or null, in the order of the text. One in a loop occurs several times.
    pub missing: Vec<Missing>,
    /// The tags that HTML escaping changed, in the order of the text.
    pub escaped: Vec<TemplateSpan>,
}

/// A tag whose variable has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The variable as the template writes it, such as `customer.name`, or a call such as `lookup orders 0`.
    pub name: String,
    /// The variable, or the call with its arguments.
    pub span: TemplateSpan,
    /// Where its value would be in [`Rendering::text`].
    pub at: usize,
}

/// Renders a template as npm handlebars 4.7 does, with its built-in helpers and without partials.
///
/// `variables` is the object of the variables. A template with an error renders nothing.
///
/// ```
/// use voxlint_template::{Object, RenderLimits, Value, parse, render};
///
/// let text = "Hi {{name}}{{#if vip}}, welcome back{{/if}}! It is {{day}}.";
/// let variables = Object::new([("name".into(), Value::from("Ada & Bo")), ("vip".into(), Value::Boolean(true))]);
/// let rendering = render(text, &parse(text), &variables.into(), RenderLimits::default()).unwrap();
/// assert_eq!(rendering.text, "Hi Ada &amp; Bo, welcome back! It is .");
/// assert_eq!(rendering.missing[0].name, "day");
/// assert_eq!(rendering.with_marks(), "Hi Ada &amp; Bo, welcome back! It is ⟨day⟩.");
/// ```
///
/// # Errors
///
/// If the reference fails on the template and these variables, or the limits do not suffice. Templates that define partials are
/// over every limit.
pub fn render(
    text: &str,
    template: &ParsedTemplate,
    variables: &Value,
    limits: RenderLimits,
) -> Result<Rendering, RenderError> {
    if template.error.is_some() {
        return Ok(Rendering::default());
    }
    if template.depth as usize > limits.depth {
        return Err(RenderError::too_deep(limits));
    }
    Machine::new(limits).run(&Program::to_render(text, template), variables)
}

impl Rendering {
    /// The text with the names of missing variables in angle brackets: `⟨name⟩`.
    pub fn with_marks(&self) -> String {
        let mut marked = String::with_capacity(self.text.len());
        let mut done = 0;
        for missing in &self.missing {
            marked.push_str(self.text.get(done..missing.at).unwrap_or_default());
            marked.push('⟨');
            marked.push_str(&missing.name);
            marked.push('⟩');
            done = missing.at;
        }
        marked.push_str(self.text.get(done..).unwrap_or_default());
        marked
    }

    pub(super) fn of(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Adds what follows.
    pub(super) fn append(&mut self, next: Self) {
        let end = self.text.len();
        self.missing.extend(next.missing.into_iter().map(|it| Missing { at: end + it.at, ..it }));
        self.escaped.extend(next.escaped);
        self.text.push_str(&next.text);
    }
}

/// What `{{name}}` renders in place of a character of the value; `None` if it renders the character itself.
///
/// ```
/// use voxlint_template::html_escape;
///
/// assert_eq!(html_escape('&'), Some("&amp;"));
/// assert_eq!(html_escape('a'), None);
/// ```
pub const fn html_escape(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#x27;"),
        '`' => Some("&#x60;"),
        '=' => Some("&#x3D;"),
        _ => None,
    }
}
