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

/// The visible parts of the comment about a plan.
#[derive(Debug, Default)]
pub struct PlanComment {
    /// The rows of the table, without the header.
    pub rows: usize,
    /// The folded blocks.
    pub details: usize,
    /// The blocks of code.
    pub diffs: usize,
}

/// Reads a comment. It panics on links, images, mentions and on any HTML that is not the comment's own.
pub(super) fn read_comment(output: &str) -> PlanComment {
    let mut comment = PlanComment::default();
    let mut open = 0;
    let mut is_code = false;
    let mut last = String::new();
    for event in Parser::new_ext(output, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Html(html) => {
                for line in html.lines() {
                    match line {
                        "<details>" => open += 1,
                        "</details>" => open -= 1,
                        _ => assert_own(line),
                    }
                    comment.details += usize::from(line == "<details>");
                }
                assert!(open == 0 || open == 1, "{output}");
            }
            Event::InlineHtml(tag) => {
                let own = ["<code>", "</code>", "<strong>", "</strong>", "<!-- -->"];
                assert!(own.contains(&tag.as_ref()), "{tag} in {output}");
                is_code = tag.as_ref() == "<code>" || (is_code && tag.as_ref() != "</code>");
                last.clear();
            }
            Event::Text(text) => {
                // A name after the sign is a mention, unless they are in two nodes or in code.
                last.push_str(&text);
                let follows = |sign| {
                    last.split(sign).skip(1).any(|rest| rest.starts_with(char::is_alphanumeric))
                };
                assert!(is_code || !(follows('@') || follows('#')), "{last:?} in {output}");
            }
            Event::Start(Tag::CodeBlock(_)) => {
                comment.diffs += 1;
                is_code = true;
            }
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::End(TagEnd::TableRow) => comment.rows += 1,
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::BlockQuote(_))
            | Event::Rule => {
                panic!("{event:?} in {output}")
            }
            _ => last.clear(),
        }
    }
    assert_eq!(open, 0, "{output}");
    comment
}

/// A line of HTML that is only `<summary>` with code and escaped text.
fn assert_own(line: &str) {
    let mut rest = line.to_owned();
    for tag in ["<summary>", "</summary>", "<code>", "</code>", "<strong>", "</strong>"] {
        rest = rest.replace(tag, "");
    }
    assert!(!rest.contains(['<', '>']), "{line}");
}
