use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

/// A text that documents and their trees share: a clone is the same text. The text of a `String` is kept where it is, because a
/// copy of a large document would double the memory it needs.
///
/// ```
/// use voxlint_syntax::SharedText;
///
/// let text = String::from("{}");
/// let address = text.as_ptr();
/// let shared = SharedText::from(text);
/// assert_eq!(shared.clone().as_ptr(), address);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SharedText(Arc<String>);

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self(Arc::new(text))
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Cow<'_, str>> for SharedText {
    fn from(text: Cow<'_, str>) -> Self {
        text.into_owned().into()
    }
}
