//! What is wrong with a file that was read, or could not be.

use std::io;

/// The beginning of the file that git has in the place of one that Git LFS keeps elsewhere.
pub(crate) const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// Checks that a file has its own contents.
///
/// # Errors
///
/// If it only points to them.
pub fn check_contents(bytes: &[u8]) -> io::Result<()> {
    if bytes.starts_with(LFS_POINTER) {
        let message = "a pointer of Git LFS and not the file itself: run `git lfs pull`";
        return Err(io::Error::other(message));
    }
    Ok(())
}

/// What went wrong, without the error number of the operating system.
pub fn describe_io_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::IsADirectory => "this is a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotADirectory => {
            "a part of the path is a file and not a directory".to_owned()
        }
        io::ErrorKind::InvalidData => "is not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}
