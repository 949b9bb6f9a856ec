//! How large the files may be that documents are checked with. Documents themselves may have up to 4 GiB.

use std::cell::Cell;
use std::io::{self, Read};

const MEBIBYTE: u64 = 1 << 20;

/// The largest size of a baseline, in bytes: about 470,000 findings in folders with usual names, because one needs about 140 bytes.
pub(crate) const MAX_BASELINE: u64 = 64 * MEBIBYTE;

/// How many bytes may be read for one purpose.
#[derive(Debug)]
pub(crate) struct SizeLimit {
    /// What may have at most this size, with the number of the verb.
    what: &'static str,
    limit: u64,
    /// The bytes that are left. Only a configuration is read from several files.
    left: Cell<u64>,
}

impl SizeLimit {
    /// A `voxlint.toml` with all files that it extends. Reading it needs about 60 times its size, and the usual one has a few
    /// kilobytes.
    pub(crate) const fn configuration() -> Self {
        Self::new("a configuration with all files that it extends", MEBIBYTE)
    }

    pub(crate) const fn baseline() -> Self {
        Self::new("a baseline", MAX_BASELINE)
    }

    /// A stored configuration, workspace facts, or the text of a field: thousands of times the size of the usual one. Every
    /// document of a run may have its own.
    pub(crate) const fn related() -> Self {
        Self::new("a file that a document is checked with", 64 * MEBIBYTE)
    }

    /// The `plan.json` of a saved plan: changed texts are in it twice. Reading it needs about 16 times its size.
    pub(crate) const fn plan() -> Self {
        Self::new("a saved plan", 128 * MEBIBYTE)
    }

    /// A file that is not checked, and only read to see what it is.
    pub(crate) const fn glimpse() -> Self {
        Self::new("a file that is not checked", MEBIBYTE)
    }

    /// A `.gitignore`. Many patterns need a hundred times their size.
    pub(crate) const fn ignore_file() -> Self {
        Self::new("a `.gitignore`", MEBIBYTE)
    }

    const fn new(what: &'static str, limit: u64) -> Self {
        Self { what, limit, left: Cell::new(limit) }
    }

    /// Checks the size of a file before it is read.
    ///
    /// # Errors
    ///
    /// If it is too large.
    pub(crate) fn check(&self, size: u64) -> io::Result<()> {
        if size > self.left.get() { Err(self.error(Some(size))) } else { Ok(()) }
    }

    /// Reads to the end. The size of a pipe or a device is not known before.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is too large.
    pub(crate) fn read(&self, input: impl Read) -> io::Result<Vec<u8>> {
        let left = self.left.get();
        let mut bytes = Vec::new();
        input.take(left + 1).read_to_end(&mut bytes)?;
        let rest = left.checked_sub(bytes.len() as u64).ok_or_else(|| self.error(None))?;
        self.left.set(rest);
        Ok(bytes)
    }

    fn error(&self, size: Option<u64>) -> io::Error {
        let Self { what, limit, .. } = self;
        let size =
            size.map_or_else(|| "is too large".to_owned(), |size| format!("has {size} bytes"));
        let most = limit / MEBIBYTE;
        let message = format!("the file {size}, and {what} may have at most {most} MiB");
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_configuration_are_counted_together() {
        let limit = SizeLimit::configuration();
        let text = vec![b'#'; 600 << 10];
        assert_eq!(limit.read(&text[..]).unwrap().len(), text.len());
        let said = limit.check(text.len() as u64).unwrap_err().to_string();
        assert_eq!(
            said,
            "the file has 614400 bytes, and a configuration with all files that it extends may have at most 1 MiB"
        );
        let said = limit.read(&text[..]).unwrap_err().to_string();
        assert!(said.starts_with("the file is too large, and a configuration"), "{said}");
        assert_eq!(limit.read(&text[..424 << 10]).unwrap().len(), 424 << 10);
        assert!(limit.check(1).is_err() && limit.check(0).is_ok());
    }

    #[test]
    fn an_endless_input_is_not_read_to_its_end() {
        let error = SizeLimit::baseline().read(io::repeat(b' ')).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}
