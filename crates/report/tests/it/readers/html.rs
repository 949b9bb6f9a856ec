//! A page, as a browser parses it.

use html5gum::{Token, Tokenizer};

/// The elements of a page. Anything else, above all a script, makes a test fail.
const ALLOWED: [&str; 45] = [
    "a", "article", "body", "caption", "code", "dd", "del", "details", "div", "dl", "dt", "footer",
    "h1", "h2", "h3", "h4", "head", "header", "html", "ins", "li", "main", "meta", "ol", "p",
    "pre", "section", "span", "style", "summary", "table", "tbody", "td", "th", "thead", "title",
    "tr", "ul", "strong", "nav", "em", "small", "b", "i", "hr",
];

/// The attributes of a page. None of them runs or loads anything, except that a link leads to a part of the page or to the
/// documentation.
const ATTRIBUTES: [&str; 14] = [
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "charset",
    "class",
    "content",
    "href",
    "http-equiv",
    "id",
    "lang",
    "name",
    "open",
    "role",
    "scope",
];

/// One element with the text in it.
#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub class: String,
    pub text: String,
    /// The classes of the elements around it.
    pub inside: Vec<String>,
}

/// Every element of a page, in the order of the text. It panics on anything that could run, load or break out of the page.
pub fn elements(output: &str) -> Vec<Element> {
    assert!(output.starts_with("<!doctype html>\n"));
    let mut all: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for token in Tokenizer::new(output) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let name = text(&tag.name);
                assert!(ALLOWED.contains(&&*name), "<{name}> in {output}");
                let mut class = String::new();
                for (key, value) in &tag.attributes {
                    let (key, value) = (text(key), text(value));
                    assert!(ATTRIBUTES.contains(&&*key) || key == "tabindex", "{key} in {output}");
                    if key == "href" {
                        assert!(value.starts_with('#') || value.starts_with("https://"), "{value}");
                    }
                    if key == "class" {
                        class = value;
                    }
                }
                let inside = open.iter().map(|at| all[*at].class.clone()).collect();
                all.push(Element { name: name.clone(), class, text: String::new(), inside });
                if name != "meta" && name != "hr" {
                    open.push(all.len() - 1);
                }
            }
            Token::EndTag(tag) => {
                let last = open.pop().expect("an open element");
                assert_eq!(all[last].name, text(&tag.name), "{output}");
            }
            Token::String(piece) => {
                for at in &open {
                    all[*at].text.push_str(&text(&piece));
                }
            }
            Token::Doctype(_) => {}
            Token::Comment(comment) => panic!("a comment: {comment:?}"),
            // A noncharacter is an error of the input that changes nothing.
            Token::Error(error) if error.value == html5gum::Error::NoncharacterInInputStream => {}
            Token::Error(error) => panic!("{error:?} in {output}"),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

/// The headings of the findings.
pub fn findings(output: &str) -> Vec<Element> {
    let is_heading =
        |it: &Element| it.name == "h4" && it.inside.last().is_some_and(|class| class == "finding");
    elements(output).into_iter().filter(is_heading).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
