//! Names that are written in several places: where they are, and how they are renamed.

mod functions;
mod new_name;
mod place;
mod rename_error;
mod variables;
mod written;

use voxlint::syntax::Span;
use voxlint::{Inputs, Origin, TextEdit};

pub(crate) use self::functions::Functions;
pub use self::place::{Name, NamePlace, PlaceRole};
pub use self::rename_error::RenameError;
use self::written::Found;
use crate::File;

/// The template variable or function at an offset, and its name there: a use in a template, the name of a default, the
/// `displayName` of a function, or a mention of one in a prompt. Names of helpers, block parameters and parts of values are not
/// variables, and a plain word is not a mention.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{File, name_at};
///
/// let text = r#"{ "version_number": 3, "prompt_text": "Greet {{#if name}}{{name}}{{/if}}, then call `book_slot`.",
///     "agent_functions": [{ "displayName": "book_slot" }] }"#;
/// let inputs = Inputs::new(Document::parse(text));
/// let at = |word: &str| name_at(File::new(&inputs), text.find(word).unwrap() as u32 + 1).map(|(name, _)| name);
/// assert_eq!(at("name}}{{").unwrap().as_str(), "name");
/// assert_eq!(at("book_slot`").unwrap().as_str(), "book_slot");
/// assert_eq!(at("if"), None);
/// ```
pub fn name_at(file: File<'_>, offset: u32) -> Option<(Name, Span)> {
    let File { inputs, origin } = file;
    let at = |all: Vec<Found>| written::at(inputs, &all, origin, offset);
    let variable = at(variables::all(inputs)).map(|(name, span)| (Name::Variable(name), span));
    let certain = || functions::all(inputs).into_iter().filter(|it| it.role != PlaceRole::Possible);
    variable.or_else(|| at(certain().collect()).map(|(name, span)| (Name::Function(name), span)))
}

/// All places of a name, over all texts of the inputs, each once and in order: also the defaults and functions that are stored,
/// and uses in stored texts that the document leaves unchanged.
pub fn occurrences(inputs: &Inputs, name: &Name) -> Vec<NamePlace> {
    let all = match name {
        Name::Variable(_) => variables::all(inputs),
        Name::Function(_) => functions::all(inputs),
    };
    written::places(inputs, all.into_iter().filter(|found| found.name == name.as_str()))
}

/// The edits that rename a template variable or a function in the document and in its text files: in its uses, in the closing tags
/// of its sections, in its default, in its `displayName`, and where a text calls it or has it in code marks. They are in the
/// order of the texts. The stored configuration and the facts are never edited, nor are helpers, block parameters, names inside
/// values and plain words that are called the same.
///
/// Every text reads the same variables and calls the same functions as before, with the new name.
///
/// # Errors
///
/// If the new name cannot be used, or a place cannot be changed with certainty. The error says why.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{Name, RenameError, rename};
///
/// let text = r#"{ "version_number": 3, "welcome_message": "Hello {{name}}", "default_dynamic_variables": { "name": "you" } }"#;
/// let inputs = Inputs::new(Document::parse(text));
/// let name = Name::Variable("name".to_owned());
/// assert_eq!(rename(&inputs, &name, "first_name")?.len(), 2);
/// let error = rename(&inputs, &name, "agent_name").unwrap_err();
/// assert_eq!(error.to_string(), "the service provides `agent_name` itself; choose another name");
/// # Ok::<(), RenameError>(())
/// ```
pub fn rename(
    inputs: &Inputs,
    name: &Name,
    to: &str,
) -> Result<Vec<(Origin, TextEdit)>, RenameError> {
    let edits = match name {
        Name::Variable(name) => variables::rename(inputs, name, to)?,
        Name::Function(name) => functions::rename(inputs, name, to)?,
    };
    let origins = edits.into_iter();
    Ok(origins.flat_map(|(origin, edits)| edits.into_iter().map(move |it| (origin, it))).collect())
}
