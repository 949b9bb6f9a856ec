//! The position of a document in its file.

/// The position of a document in a file with several documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocumentPosition {
    /// The number of the document in its file, counted from 0.
    pub index: u64,
    /// The line of the file on which the document begins, counted from 1.
    pub line: u64,
    /// How many bytes of the file come before the text; 0 if it is the text of the whole file.
    pub bytes_before: u64,
    /// How many lines of the file come before the text.
    pub lines_before: u64,
}
