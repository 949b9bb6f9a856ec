//! Tells templates of web pages from prompts.

/// Whether a template is a web page and not a prompt: it begins with a tag of a page, closes one, or has an attribute that
/// only pages have.
pub(super) fn is_web_page(text: &str) -> bool {
    const FIRST: [&str; 12] = [
        "!doctype", "html", "head", "body", "div", "section", "main", "nav", "ul", "table", "form",
        "span",
    ];
    // Prompts often use tags such as `section`, `style` or `summary` for their parts.
    const CLOSED: [&str; 34] = [
        "a", "article", "aside", "body", "button", "canvas", "div", "dl", "fieldset", "figure",
        "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "html", "iframe", "li",
        "nav", "ol", "p", "script", "select", "span", "svg", "table", "td", "tr", "ul", "video",
    ];
    const ATTRIBUTES: [&str; 5] = ["class", "href", "style", "src", "viewbox"];
    let tag_of = |rest: &str| -> String {
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '!';
        rest.chars().take_while(|c| !is_end(*c)).take(16).collect::<String>().to_ascii_lowercase()
    };
    if let Some(rest) = text.trim_start().strip_prefix('<')
        && FIRST.contains(&tag_of(rest).as_str())
    {
        return true;
    }
    text.match_indices('<').any(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        if let Some(closed) = rest.strip_prefix('/') {
            return CLOSED.contains(&tag_of(closed).as_str());
        }
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return false;
        }
        let end = rest.find(['>', '<']).unwrap_or(rest.len());
        let tag = rest.get(..end).unwrap_or_default();
        let has_attribute = |name: &str| {
            name.rsplit(|c: char| c.is_whitespace())
                .next()
                .is_some_and(|name| ATTRIBUTES.iter().any(|known| name.eq_ignore_ascii_case(known)))
        };
        tag.match_indices('=').any(|(at, _)| has_attribute(tag.get(..at).unwrap_or_default()))
    })
}
