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
    let all = [read(base)?, read(ours)?, read(theirs)?];
    if all.iter().any(|bytes| bytes.contains(&0)) {
        return Ok(MergedFile { text: String::new(), conflicts: 1, names: Vec::new() });
    }
    // In another encoding, of which only line breaks are known, each byte is a character.
    let is_utf8 = all.iter().all(|bytes| std::str::from_utf8(bytes).is_ok());
    let layout = if is_utf8 { layout_of_merge(path) } else { FileLayout::Lines };
    let [base, own, other] = all.each_ref().map(|bytes| match std::str::from_utf8(bytes) {
        Ok(text) if is_utf8 => text.to_owned(),
        _ => bytes.iter().copied().map(char::from).collect(),
    });
    let merged = merge_files([&base, &own, &other], layout, marker_size);
    let bytes: Vec<u8> = if is_utf8 {
        merged.text.clone().into_bytes()
    } else {
        merged.text.chars().map(|byte| byte as u8).collect()
    };
    if merged.text != own {
        let written = write_atomically(ours, &bytes);
        written.map_err(|error| Failure::new(ours.to_string_lossy(), describe_io_error(&error)))?;
    }
    Ok(merged)
}
