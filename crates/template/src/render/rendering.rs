//! Renders a template.

use super::{
    error::{RenderError, RenderLimits},
    machine::Machine,
    output::Rendering,
    program::Program,
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
    Machine::new(limits).run(&compile(text, template), variables)
}

/// The program of a template, without the white space that tags remove.
pub(super) fn compile<'t>(text: &'t str, template: &'t ParsedTemplate) -> Program<'t> {
    let mut program = Program::of(text, template);
    whitespace::remove(&mut program);
    program
}
