//! A rendered template.

use super::{
    error::{RenderError, RenderLimits},
    machine::Machine,
    output::Rendering,
    program,
    value::Value,
    whitespace,
};
use crate::parsed::ParsedTemplate;

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
/// If the reference fails on the template and these variables, or the limits do not suffice.
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
    let (mut program, has_block_params) = program::compile(text, &template.tree);
    whitespace::remove(&mut program);
    Machine::new(limits, has_block_params).run(&program, variables)
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
}
