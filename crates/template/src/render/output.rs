//! A rendered template.

use crate::parse::span::TemplateSpan;

/// A template that was filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendering {
    /// The text that the reference renders. A variable that is missing or null leaves nothing in it.
    pub text: String,
    /// The variables that are missing or null, in the order of the text. One in a loop occurs several times.
    pub missing: Vec<Missing>,
    /// The tags that HTML escaping changed, in the order of the text.
    pub escaped: Vec<TemplateSpan>,
}

/// A tag whose variable has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The variable as the template writes it, such as `customer.name`, or a call such as `lookup orders 0`.
    pub name: String,
    /// The variable, or the call with its arguments.
    pub span: TemplateSpan,
    /// Where its value would be in [`Rendering::text`].
    pub at: usize,
}

impl Rendering {
    /// The text with the names of missing variables in angle brackets: `⟨name⟩`.
    pub fn with_marks(&self) -> String {
        let mut marked = String::with_capacity(self.text.len());
        let mut done = 0;
        for missing in &self.missing {
            marked.push_str(self.text.get(done..missing.at).unwrap_or_default());
            marked.push('⟨');
            marked.push_str(&missing.name);
            marked.push('⟩');
            done = missing.at;
        }
        marked.push_str(self.text.get(done..).unwrap_or_default());
        marked
    }

    pub(super) fn of(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Adds what follows.
    pub(super) fn append(&mut self, next: Self) {
        let end = self.text.len();
        self.missing.extend(next.missing.into_iter().map(|it| Missing { at: end + it.at, ..it }));
        self.escaped.extend(next.escaped);
        self.text.push_str(&next.text);
    }
}

/// What `{{name}}` renders in place of a character of the value; `None` if it renders the character itself.
///
/// ```
/// use voxlint_template::html_escape;
///
/// assert_eq!(html_escape('&'), Some("&amp;"));
/// assert_eq!(html_escape('a'), None);
/// ```
pub const fn html_escape(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#x27;"),
        '`' => Some("&#x60;"),
        '=' => Some("&#x3D;"),
        _ => None,
    }
}
