//! Memory for the bytes of files, used again for the next file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::mem;

/// The memory for a file of usual size.
const USUAL: usize = 64 << 10;

/// More memory than this is not kept for the next file.
const MAX_KEPT: usize = 1 << 20;

/// The bytes of a file or of a part of it. The memory behind them is initialized once, and not for each file.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    memory: Vec<u8>,
    length: usize,
}

impl Buffer {
    /// The bytes that were read.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.memory.get(..self.length).unwrap_or_default()
    }

    /// The bytes that were read. Those of a large file are moved out, so that nothing has to copy them.
    pub(crate) fn take(&mut self) -> Cow<'_, [u8]> {
        if self.memory.len() <= MAX_KEPT {
            return Cow::Borrowed(self.bytes());
        }
        let mut memory = mem::take(&mut self.memory);
        memory.truncate(mem::take(&mut self.length));
        Cow::Owned(memory)
    }

    /// Forgets the bytes, and gives memory back that files of usual size do not need.
    pub(crate) fn clear(&mut self) {
        self.length = 0;
        if self.memory.len() > MAX_KEPT {
            self.memory = Vec::new();
        }
    }

    /// Removes the first `count` bytes.
    pub(crate) fn remove(&mut self, count: usize) {
        let count = count.min(self.length);
        self.memory.copy_within(count..self.length, 0);
        self.length -= count;
    }

    /// Keeps the bytes for which a condition holds.
    pub(crate) fn retain(&mut self, condition: impl Fn(&u8) -> bool) {
        self.memory.truncate(self.length);
        self.memory.retain(condition);
        self.length = self.memory.len();
    }

    /// Adds bytes.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        let end = self.length + bytes.len();
        if let Some(room) = self.memory.get_mut(self.length..end) {
            room.copy_from_slice(bytes);
            self.length = end;
        }
    }

    /// Reads at most `most` more bytes. Returns how many were read: none only at the end of the input.
    pub(crate) fn read(&mut self, input: &mut impl Read, most: usize) -> io::Result<usize> {
        self.make_room(most);
        let room = self.memory.get_mut(self.length..self.length + most).unwrap_or_default();
        let count = loop {
            match input.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.length += count;
        Ok(count)
    }

    /// Reads a whole file in the place of the bytes before.
    pub(crate) fn read_file(&mut self, mut file: File) -> io::Result<()> {
        self.clear();
        while self.length < USUAL {
            if self.read(&mut file, USUAL - self.length)? == 0 {
                return Ok(());
            }
        }
        let mut memory = Vec::new();
        memory.extend_from_slice(self.bytes());
        read_rest(file, &mut memory)?;
        *self = memory.into();
        Ok(())
    }

    fn make_room(&mut self, count: usize) {
        let needed = self.length + count;
        if self.memory.len() < needed {
            // Exactly: a vector that doubles would take twice the longest line.
            self.memory.reserve_exact(needed - self.memory.len());
            self.memory.resize(needed, 0);
        }
    }
}

/// Reads a file to its end, behind the bytes that were read of it before. A file that is too large is not read: no offset can be
/// 4 GiB or more. A device may be endless, so its size counts while it is read.
pub(crate) fn read_rest(file: File, memory: &mut Vec<u8>) -> io::Result<()> {
    const MAX: u64 = u32::MAX as u64;
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, "the file is 4 GiB or larger");
    let size = file.metadata().map_or(0, |it| it.len());
    if size > MAX {
        return Err(too_large());
    }
    // Exactly as far as the file needs, without being filled with zeros first.
    let expected = (size as usize).max(2 * USUAL);
    memory.reserve_exact(expected.saturating_sub(memory.len()));
    file.take(MAX + 1 - memory.len() as u64).read_to_end(memory)?;
    if memory.len() as u64 > MAX { Err(too_large()) } else { Ok(()) }
}

impl From<Vec<u8>> for Buffer {
    fn from(memory: Vec<u8>) -> Self {
        Self { length: memory.len(), memory }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_of_any_size_are_read_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut buffer = Buffer::default();
        for size in [3, 0, USUAL - 1, USUAL, USUAL + 1, 2, 3 * MAX_KEPT, 1] {
            let bytes: Vec<u8> = (0..size).map(|number| (number % 251) as u8).collect();
            fs::write(&path, &bytes).unwrap();
            buffer.read_file(File::open(&path).unwrap()).unwrap();
            assert!(buffer.bytes() == bytes, "{size}");
        }
        assert!(buffer.memory.len() <= MAX_KEPT);
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = File::create_new(folder.path().join("file")).unwrap();
        // Without blocks on the disk.
        file.set_len(1 << 32).unwrap();
        let mut buffer = Buffer::default();
        let error = buffer.read_file(File::open(folder.path().join("file")).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "the file is 4 GiB or larger");
        assert!(buffer.memory.len() <= USUAL);
    }

    #[test]
    fn bytes_are_added_and_removed() {
        let mut buffer = Buffer::default();
        buffer.extend(b"abc");
        assert_eq!(buffer.read(&mut &b"defgh"[..], 3).unwrap(), 3);
        buffer.remove(2);
        assert_eq!(buffer.bytes(), b"cdef");
        buffer.retain(|byte| *byte != b'd');
        assert_eq!(buffer.bytes(), b"cef");
        assert_eq!(buffer.read(&mut &b""[..], 3).unwrap(), 0);
    }
}
