//! What of a baseline is still there.

use std::collections::BTreeSet;

use voxlint_config::{Entry, Looked};

use crate::ground::Ground;
use crate::project::{BaselineFile, is_in};

/// The entries of the baselines that match nothing any more, as far as a run has looked.
pub(crate) fn stale<'g>(
    ground: &'g Ground,
    found: &[(usize, Entry)],
    looked: &Looked,
) -> impl Iterator<Item = (&'g BaselineFile, &'g Entry)> {
    let found: BTreeSet<(&str, &Entry)> = found
        .iter()
        .filter_map(|(number, entry)| Some((&*ground.baselines.get(*number)?.path, entry)))
        .collect();
    let mut told = BTreeSet::new();
    let mut gone = Vec::new();
    for file in &ground.baselines {
        // Several configurations may share one.
        if !told.insert(&file.path) {
            continue;
        }
        for entry in file.baseline.iter().flat_map(|baseline| baseline.entries()) {
            let path = file.document(entry);
            let was_looked_at = looked.files.contains(&path)
                || looked.folders.iter().any(|folder| is_in(folder, &path));
            if was_looked_at && !found.contains(&(&*file.path, entry)) {
                gone.push((file, entry));
            }
        }
    }
    gone.into_iter()
}
