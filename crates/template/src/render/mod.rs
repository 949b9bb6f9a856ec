//! Rendering: a syntax tree and variables to text, as npm handlebars 4.7 renders it.
//!
//! [`program`] turns the syntax tree into the programs that the reference compiles, [`whitespace`] removes the white space
//! of `~` and standalone tags, and [`machine`] runs the programs. [`certain`] finds the errors that do not depend on the
//! variables. What the reference leaves to JavaScript is in [`value`]
//! and [`number`].
//!
//! Templates that define partials, or give them a block, are checked and not rendered.

mod certain;
mod error;
mod helpers;
mod machine;
mod number;
mod open;
mod output;
mod paths;
mod program;
mod rendering;
mod value;
mod whitespace;

pub use certain::certain_render_errors;
pub use error::{RenderError, RenderLimits};
pub use open::{Assumption, Condition};
pub use output::{Missing, Rendering, html_escape};
pub use paths::{MAX_PATHS, OpenTemplate, TemplatePath, TemplatePaths, paths};
pub use rendering::render;
pub use value::{Object, Open, Value};
