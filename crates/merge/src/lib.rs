//! Internal to voxlint: three-way merges of settings, setting by setting and item by item, written into documents with the smallest
//! edits.
//!
//! `values.rs` merges three values and says how the second one has to change; `text.rs` does so for texts. `write.rs` writes such
//! changes into a document or its text files. Both know no service. `adopt.rs` brings what was changed in the service home with
//! them, and proves each setting that it has written. `branches.rs` merges the files of two branches, and proves that as well.

#![forbid(unsafe_code)]

mod adopt;
mod branches;
mod text;
mod values;
mod write;

pub use adopt::{AdoptInputs, AdoptOptions, Adoption, Entry, EntryKind, adopt, is_adopted};
pub use branches::{FileLayout, MergedFile, merge_files};
pub use values::{Action, Change, Conflict, Merge, MergeOptions, Prefer, Step, merge};
pub use voxlint_model::equality::Side;
pub use write::write;
