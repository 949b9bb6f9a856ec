use crate::{Format, Kind, Node, Span, Tree};

/// The comments of a text, which its trees leave out.
///
/// ```
/// # #[cfg(feature = "yaml")] {
/// use voxlint_syntax::{Format, Trivia, parse};
///
/// let text = "title: 'No # here' # first\ntext: | # second\n  # also text\n";
/// let trivia = Trivia::of(&parse(text, Format::Yaml).documents, Format::Yaml);
/// let comments: Vec<_> = trivia.comments().iter().map(|comment| comment.slice(text)).collect();
/// assert_eq!(comments, ["# first", "# second"]);
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Trivia {
    comments: Vec<Span>,
}

impl Trivia {
    /// Finds the comments between the names and values of all documents of a text. JSON has no comments, and neither has a text.
    pub fn of(documents: &[Tree], format: Format) -> Self {
        let Some(text) = documents.first().map(Tree::text) else { return Self::default() };
        if !matches!(format, Format::Jsonc) && !format.is_yaml() && !format.is_toml() {
            return Self::default();
        }
        let is_scalar = |node: &Node<'_>| !matches!(node.kind(), Kind::Object | Kind::Array);
        let scalars = documents.iter().flat_map(Tree::nodes).filter(is_scalar);
        // Aliases, and tables that are defined in several places, are not in the order of the text.
        let mut scalars: Vec<Span> = scalars.map(|node| contents(node, format)).collect();
        scalars.sort_unstable();
        let mut comments = Vec::new();
        let mut at = 0;
        for scalar in scalars.into_iter().chain([Span::of(text.len(), text.len())]) {
            while let Some(comment) = first_comment(text, Span::new(at, scalar.start), format) {
                comments.push(comment);
                at = comment.end;
            }
            at = at.max(scalar.end);
        }
        Self { comments }
    }

    /// These comments, in the order of their text.
    pub const fn of_comments(comments: Vec<Span>) -> Self {
        Self { comments }
    }

    /// The comments in the order of the text, each with its signs and without its line break.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// The comment that has an offset inside it or at its end.
    pub fn around(&self, offset: u32) -> Option<Span> {
        let after = self.comments.partition_point(|comment| comment.start <= offset);
        let comment = self.comments.get(after.checked_sub(1)?).copied()?;
        (offset <= comment.end).then_some(comment)
    }

    /// Whether a part of the text has a comment, or a part of one.
    pub fn is_in(&self, span: Span) -> bool {
        self.inside(span).next().is_some()
    }

    fn inside(&self, span: Span) -> impl Iterator<Item = Span> {
        let first = self.comments.partition_point(|comment| comment.end <= span.start);
        let rest = self.comments.get(first..).unwrap_or_default();
        rest.iter().copied().take_while(move |comment| comment.start < span.end)
    }

    /// A part of the text with as many spaces in place of its comments.
    pub(crate) fn without_comments(&self, text: &str, span: Span) -> String {
        let mut said = String::with_capacity(span.len() as usize);
        let mut at = span.start;
        for comment in self.inside(span) {
            let (start, end) = (comment.start.max(at), comment.end.min(span.end));
            said.push_str(Span::new(at, start).slice(text));
            said.extend(std::iter::repeat_n(' ', (end - start) as usize));
            at = end;
        }
        said.push_str(Span::new(at, span.end).slice(text));
        said
    }
}

/// The characters of a scalar without the header of a block scalar, which may be followed by a comment.
fn contents(scalar: Node<'_>, format: Format) -> Span {
    let (source, span) = (scalar.source(), scalar.span());
    if !format.is_yaml() || !source.starts_with(['|', '>']) {
        return span;
    }
    let header = source.find(['\n', '\r']).unwrap_or(source.len());
    Span::new(span.start + header as u32, span.end)
}

/// The first comment that begins between two scalars.
fn first_comment(text: &str, gap: Span, format: Format) -> Option<Span> {
    let between = gap.slice(text);
    let begins = |at: &usize| {
        let (before, rest) = between.split_at_checked(*at).unwrap_or_default();
        match format {
            Format::Jsonc => rest.starts_with("//") || rest.starts_with("/*"),
            // The name of an anchor, and a tag, may have the sign.
            _ if format.is_yaml() => before.chars().next_back().is_none_or(|before| {
                before.is_whitespace() || matches!(before, '\u{feff}' | ',' | '[' | ']' | '{' | '}')
            }),
            _ => true,
        }
    };
    let sign = if format == Format::Jsonc { b'/' } else { b'#' };
    let start = gap.start as usize + memchr::memchr_iter(sign, between.as_bytes()).find(begins)?;
    let rest = text.get(start..)?;
    let end = match rest.strip_prefix("/*") {
        Some(inner) => inner.find("*/").map(|at| "/*".len() + at + "*/".len()),
        None => rest.find(['\n', '\r']),
    };
    Some(Span::of(start, start + end.unwrap_or(rest.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn comments(text: &str, format: Format) -> Vec<&str> {
        let trivia = Trivia::of(&parse(text, format).documents, format);
        trivia.comments().iter().map(|comment| comment.slice(text)).collect()
    }

    #[test]
    fn comments_are_what_no_scalar_has() {
        let jsonc = "// a\n{ /* b\n */ \"c//\": \"/*\", // d\r\n\"e\": 1 /* f */ /* g";
        assert_eq!(
            comments(jsonc, Format::Jsonc),
            ["// a", "/* b\n */", "// d", "/* f */", "/* g"]
        );
        assert_eq!(comments("{} // a", Format::Json), [""; 0]);
        let toml = "# a\nb = '#' # c\n[d] # e\n[b.f]#g\nh = [ # i\n1]";
        assert_eq!(comments(toml, Format::Toml), ["# a", "# c", "# e", "#g", "# i"]);
        let yaml =
            "a: &b#c !d#e 'f # g' # h\ni: | # j\n  # k\nl: [ # m\n &s#t n]\n---\no: p#q\n# r";
        assert_eq!(comments(yaml, Format::Yaml), ["# h", "# j", "# m", "# r"]);
    }

    #[test]
    fn a_comment_is_found_by_its_place() {
        let trivia = Trivia::of_comments(vec![Span::new(2, 4), Span::new(6, 8)]);
        let around: Vec<bool> = (0..10).map(|at| trivia.around(at).is_some()).collect();
        assert_eq!(around.iter().filter(|it| **it).count(), 6);
        assert!(trivia.is_in(Span::new(3, 4)) && !trivia.is_in(Span::new(4, 6)));
        assert_eq!(trivia.without_comments("0123456789", Span::new(1, 7)), "1  45 ");
    }
}
