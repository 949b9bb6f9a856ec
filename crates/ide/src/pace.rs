//! How many seconds it takes to say a greeting.

use voxlint::schema::settings;
use voxlint::{RenderedText, counted, render_paths};

use crate::File;

/// The words that a voice says in a minute.
const WORDS_PER_MINUTE: u32 = 150;

/// How many seconds it takes to say a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Where the text ends.
    pub at: u32,
    /// The seconds, or the least and the most ones if that depends on the call.
    pub seconds: String,
    /// How they are computed.
    pub about: String,
}

/// How many seconds it takes to say the greetings of an open text, each with the branches of its template. Languages that do not write
/// spaces between words have no answer.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{File, paces};
///
/// let text = r#"{ "version_number": 3, "welcome_message": "Good evening{{#if name}}, {{name}}{{/if}}. How can I help?" }"#;
/// let paces = paces(File::new(&Inputs::new(Document::parse(text))));
/// assert_eq!((paces[0].seconds.as_str(), paces[0].about.as_str()), ("2.4 to 2.8 s", "6 to 7 words, at 150 words per minute"));
/// ```
pub fn paces(file: File<'_>) -> Vec<Pace> {
    let rendered = render_paths(file.inputs, None).map(|it| it.templates).unwrap_or_default();
    let pace = |field: &str, outcome: &RenderedText| {
        let RenderedText::Paths { paths, left_out } = outcome else { return None };
        let (node, _) = file
            .inputs
            .effective_value(settings::TABLE.row(field)?)
            .filter(|(_, origin)| *origin == file.origin)?;
        let words = paths.iter().map(|path| path.speech.as_ref()?.words);
        let words: Vec<usize> = words.collect::<Option<_>>()?;
        let (least, most) = (*words.iter().min()?, *words.iter().max()?);
        let seconds = |words: usize| {
            let tenths =
                f64::from(u32::try_from(words).ok()?) * 600.0 / f64::from(WORDS_PER_MINUTE);
            Some((tenths.round() / 10.0).to_string())
        };
        let range = |first: String, last: String| {
            if least == most { last } else { format!("{first} to {last}") }
        };
        let words = range(least.to_string(), counted(most as u64, "word"));
        let cut = match left_out {
            Some(0) => String::new(),
            _ => format!(" of its first {}", counted(paths.len() as u64, "text")),
        };
        Some(Pace {
            at: node.span().start + node.source().trim_end().len() as u32,
            seconds: format!("{} s", range(seconds(least)?, seconds(most)?)),
            about: format!("{words}{cut}, at {WORDS_PER_MINUTE} words per minute"),
        })
    };
    rendered.iter().filter_map(|template| pace(template.field, &template.outcome)).collect()
}
