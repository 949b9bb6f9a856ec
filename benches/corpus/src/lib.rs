//! Documents to measure with, made from a seed.
//!
//! A document is an update of an agent of about 13 KB: a long prompt with template expressions, defaults for its variables,
//! functions and analyses. Of all documents, 12 % write characters outside ASCII as `\u` escapes, and 10 % have a mistake.
//! A document depends only on the seed and its number, so a larger corpus begins with the smaller one.

#![forbid(unsafe_code)]

mod document;
mod mistakes;
mod prose;
pub mod random;
pub mod rounds;
mod value;
mod write;

use random::Random;
use value::Object;
use write::JsonStyle;

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON with one field per line.
    Json,
    /// JSON in one line, as exports have it.
    Line,
    Yaml,
    Toml,
}

impl Format {
    /// The extension of files in the format.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Line => "ndjson",
            Self::Yaml => "yaml",
            Self::Toml => "toml",
        }
    }
}

/// Documents that depend only on the seed.
#[derive(Clone, Copy, Debug)]
pub struct Corpus {
    /// Another seed gives other documents.
    pub seed: u64,
    /// The share of documents with a mistake.
    pub mistakes_percent: usize,
}

impl Corpus {
    /// Documents of which one in ten has a mistake.
    pub fn new(seed: u64) -> Self {
        Self { seed, mistakes_percent: 10 }
    }

    /// Documents without mistakes.
    pub fn clean(seed: u64) -> Self {
        Self { seed, mistakes_percent: 0 }
    }

    /// The text of a document.
    pub fn text(&self, number: usize, format: Format) -> String {
        let (mut layout, plan) = self.plan(number, format);
        let mut document = document::agent(&mut Random::new(!self.seed, number as u64));
        if plan.mistake == Some(Mistake::Value) {
            mistakes::plant(&mut layout, &mut document);
        }
        let mut text = render(&document, format, plan.escaped);
        if plan.mistake == Some(Mistake::Syntax) {
            mistakes::break_syntax(&mut layout, &mut text);
            if format == Format::Line {
                text = text.replace('\n', "");
                text.push('\n');
            }
        }
        text
    }

    /// How a document is written. These numbers are not those that make the document, so a document with a mistake differs
    /// from the clean one in nothing else.
    fn plan(&self, number: usize, format: Format) -> (Random, Plan) {
        let mut random = Random::new(self.seed, number as u64);
        let escaped = random.percent(12);
        let has_mistake = random.percent(self.mistakes_percent);
        let of_syntax = random.percent(6) && matches!(format, Format::Json | Format::Line);
        let mistake = if of_syntax { Mistake::Syntax } else { Mistake::Value };
        (random, Plan { escaped, mistake: has_mistake.then_some(mistake) })
    }

    /// The texts of the first documents.
    pub fn texts(&self, count: usize, format: Format) -> Vec<String> {
        (0..count).map(|number| self.text(number, format)).collect()
    }

    /// The texts of the first documents that every parser can read to the end.
    pub fn valid_texts(&self, count: usize, format: Format) -> Vec<String> {
        (0..)
            .filter(|number| self.plan(*number, format).1.mistake != Some(Mistake::Syntax))
            .take(count)
            .map(|number| self.text(number, format))
            .collect()
    }

    /// A prompt of about this many bytes, with template expressions.
    pub fn prompt(&self, bytes: usize) -> String {
        prose::prompt(&mut Random::new(self.seed, 0), bytes, &mut Vec::new())
    }

    /// A document with this many mistakes, each in an object of its own.
    pub fn faulty_text(&self, number: usize, mistakes: usize, format: Format) -> String {
        let mut document = document::agent(&mut Random::new(!self.seed, number as u64));
        mistakes::plant_many(&mut document, mistakes);
        render(&document, format, false)
    }

    /// One document of about this size, without mistakes: a long prompt and very many functions.
    pub fn huge(&self, bytes: usize, format: Format) -> String {
        let mut random = Random::new(!self.seed, 0);
        // A function takes about 1.1 KB with indentation.
        let functions = bytes.saturating_sub(bytes / 10) / 1_130 + 1;
        render(&document::sized(&mut random, bytes / 10, functions), format, false)
    }

    /// The path of a document in a folder: 128 teams share the files.
    pub fn path(&self, number: usize, format: Format) -> String {
        format!("team-{:03}/agent-{number:06}.{}", number % 128, format.extension())
    }
}

/// How a document is written.
struct Plan {
    escaped: bool,
    mistake: Option<Mistake>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mistake {
    Value,
    Syntax,
}

fn render(document: &Object, format: Format, escaped: bool) -> String {
    match format {
        Format::Json => write::json(document, JsonStyle { pretty: true, escaped }),
        Format::Line => write::json(document, JsonStyle { pretty: false, escaped }),
        Format::Yaml => write::yaml(document),
        Format::Toml => write::toml(document),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_depend_on_seed_and_number_only() {
        let corpus = Corpus::new(7);
        assert_eq!(corpus.texts(5, Format::Json)[4], corpus.text(4, Format::Json));
        assert_ne!(corpus.text(4, Format::Json), Corpus::new(8).text(4, Format::Json));
    }

    #[test]
    fn sizes_are_as_described() {
        let corpus = Corpus::new(1);
        let bytes: usize = corpus.texts(200, Format::Json).iter().map(String::len).sum();
        assert!((12_000..14_000).contains(&(bytes / 200)), "{}", bytes / 200);
        let huge = corpus.huge(3_000_000, Format::Json).len();
        assert!((2_500_000..3_500_000).contains(&huge), "{huge}");
    }
}
