//! `voxlint merge`: merges what two branches have made of a file, as a merge driver of git.

use voxlint::counted;
use voxlint_project::merge_versions;

use crate::args::MergeOptions;
use crate::exit::Exit;
use crate::terminal::{print_error, print_failures};

pub(crate) fn run(options: &MergeOptions) -> Exit {
    let versions = [&*options.base, &*options.ours, &*options.theirs];
    match merge_versions(versions, &options.path, options.marker_size.into()) {
        Err(failure) => {
            print_failures([&failure]);
            Exit::NotMerged
        }
        Ok(merged) if merged.conflicts == 0 => Exit::Clean,
        Ok(merged) => {
            let count = counted(merged.conflicts as u64, "conflict");
            let names: Vec<String> = merged.names.iter().map(|name| format!("`{name}`")).collect();
            let names =
                if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
            print_error(&format!("{}: {count} left{names}", options.path.display()));
            Exit::Findings
        }
    }
}
