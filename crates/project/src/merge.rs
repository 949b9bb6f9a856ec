//! Merges what two branches have made of a file, for git.

use std::fs;
use std::path::Path;

use voxlint_merge::{FileLayout, MergedFile, merge_files};

use crate::input::layout_of_merge;
use crate::{Failure, describe_io_error, write_atomically};

/// Merges the versions of a file of the common ancestor, of our branch and of theirs, and writes the result in the place of ours.
/// `path` is that of the file in the repository, whose extension tells its format. As in git, a binary file is a conflict, and stays.
///
/// # Errors
///
/// If a version cannot be read, or the result cannot be written.
pub fn merge_versions(
    versions: [&Path; 3],
    path: &Path,
    marker_size: usize,
) -> Result<MergedFile, Failure> {
    let read = |version: &Path| {
        let bytes = fs::read(version);
        bytes.map_err(|error| Failure::new(version.to_string_lossy(), describe_io_error(&error)))
    };
    let [base, ours, theirs] = versions;
    let (old, own, other) = (read(base)?, read(ours)?, read(theirs)?);
    let all = [&old, &own, &other];
    if all.iter().any(|bytes| bytes.contains(&0)) {
        return Ok(MergedFile { text: String::new(), conflicts: 1, names: Vec::new() });
    }
    let (merged, bytes) = match all.map(|bytes| std::str::from_utf8(bytes)) {
        [Ok(base), Ok(ours), Ok(theirs)] => {
            let merged = merge_files([base, ours, theirs], layout_of_merge(path), marker_size);
            let bytes = merged.text.clone().into_bytes();
            (merged, bytes)
        }
        // In another encoding, of which only line breaks are known, each byte is a character.
        _ => {
            let [base, ours, theirs] =
                all.map(|bytes| bytes.iter().copied().map(char::from).collect::<String>());
            let merged = merge_files([&base, &ours, &theirs], FileLayout::Lines, marker_size);
            let bytes = merged.text.chars().map(|byte| byte as u8).collect();
            (merged, bytes)
        }
    };
    if bytes != own {
        let written = write_atomically(ours, &bytes);
        written.map_err(|error| Failure::new(ours.to_string_lossy(), describe_io_error(&error)))?;
    }
    Ok(merged)
}
