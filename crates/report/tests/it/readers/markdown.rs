//! The summary of a job, as GitHub's Markdown shows it.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The visible parts of a page.
#[derive(Debug, Default)]
pub struct Page {
    /// The cells of the table, row by row, without the header.
    pub rows: Vec<Vec<String>>,
    /// The headings and paragraphs.
    pub texts: Vec<String>,
    pub links: Vec<String>,
}

/// Reads a page of headings, paragraphs, lists and tables. The only HTML in it is `<code>`.
pub(super) fn read(output: &str) -> Page {
    let mut page = Page::default();
    let mut text = String::new();
    let mut row = Vec::new();
    for event in Parser::new_ext(output, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(piece) => text.push_str(&piece),
            Event::InlineHtml(tag) => {
                assert!(matches!(tag.as_ref(), "<code>" | "</code>"), "{tag}");
            }
            Event::Start(Tag::Link { dest_url, .. }) => page.links.push(dest_url.to_string()),
            Event::Start(
                Tag::Table(_)
                | Tag::TableHead
                | Tag::TableRow
                | Tag::TableCell
                | Tag::Paragraph
                | Tag::Heading { .. }
                | Tag::List(_)
                | Tag::Item,
            )
            | Event::End(TagEnd::Table | TagEnd::List(_) | TagEnd::Link) => {}
            Event::End(TagEnd::TableCell) => row.push(std::mem::take(&mut text)),
            Event::End(TagEnd::TableHead) => row.clear(),
            Event::End(TagEnd::TableRow) => page.rows.push(std::mem::take(&mut row)),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => {
                page.texts.push(std::mem::take(&mut text));
            }
            other => panic!("{other:?} in {output}"),
        }
    }
    page
}
