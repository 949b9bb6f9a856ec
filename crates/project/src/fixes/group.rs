//! Groups of files that are fixed together, because a change of one concerns the others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::key::{Key, is_context, is_readable_twice, key_of, real_path};
use crate::file_set::FileSet;
use crate::file_status::FileRole;
use crate::input::InputFile;
use crate::linter::{Linter, Renderer};
use crate::related::related_paths;

/// Files with documents that share a file, or one file alone.
pub(super) struct Group<'i> {
    /// The files, in the order of the run: those with documents, then texts that may belong to them.
    pub(super) members: Vec<Member<'i>>,
}

/// A file to fix.
pub(super) struct Member<'i> {
    pub(super) input: &'i InputFile,
    /// Whether it is the text of a field, which is only fixed on its own if no document uses it.
    pub(super) is_text: bool,
    /// The files that its documents consist of: its own, and those of their texts.
    pub(super) keys: Vec<Key>,
}

impl Group<'_> {
    /// The members that each file concerns, by their indexes.
    pub(super) fn users(&self) -> BTreeMap<&Key, Vec<usize>> {
        let mut users: BTreeMap<&Key, Vec<usize>> = BTreeMap::new();
        for (index, member) in self.members.iter().enumerate() {
            for key in &member.keys {
                let users = users.entry(key).or_default();
                if users.last() != Some(&index) {
                    users.push(index);
                }
            }
        }
        users
    }
}

/// Sorts the files of a run into groups. Files with one document per line have no texts, and are left out.
pub(super) fn groups<'i, R: Renderer>(
    linter: &Linter<'_, R>,
    files: &'i FileSet,
) -> Vec<Group<'i>> {
    let context = context(linter, files);
    let unsaved = linter.file_system();
    let inputs = files.inputs.iter().map(|input| (input, false));
    let texts = files.related.iter().filter(|(_, role)| *role == FileRole::Text);
    let texts = texts.map(|(input, _)| (input, true));
    let mut members = Vec::new();
    for (input, is_text) in inputs.chain(texts) {
        let own = key_of(input);
        if input.has_document_per_line()
            || !is_readable_twice(input, unsaved)
            || context.contains(&own)
        {
            continue;
        }
        let mut keys = vec![own];
        for (path, role) in related(linter, input) {
            if role == FileRole::Text && (path.is_file() || unsaved.has_overlay(&path)) {
                keys.push(Some(real_path(&path)));
            }
        }
        members.push(Member { input, is_text, keys });
    }
    join(members)
}

/// Joins the members with a file in common.
fn join(members: Vec<Member<'_>>) -> Vec<Group<'_>> {
    // The group of each member is that of the first one it is linked to.
    let mut links: Vec<usize> = (0..members.len()).collect();
    let mut first: BTreeMap<&Key, usize> = BTreeMap::new();
    for (index, member) in members.iter().enumerate() {
        for key in &member.keys {
            let other = *first.entry(key).or_insert(index);
            let (a, b) = (root(&mut links, other), root(&mut links, index));
            if let Some(link) = links.get_mut(a.max(b)) {
                *link = a.min(b);
            }
        }
    }
    let roots: Vec<usize> = (0..members.len()).map(|index| root(&mut links, index)).collect();
    let mut groups: BTreeMap<usize, Group<'_>> = BTreeMap::new();
    for (root, member) in roots.into_iter().zip(members) {
        groups.entry(root).or_insert_with(|| Group { members: Vec::new() }).members.push(member);
    }
    groups.into_values().collect()
}

/// The first member that one is linked to. Each link on the way is shortened, so that chains stay short.
fn root(links: &mut [usize], mut index: usize) -> usize {
    while let Some(next) = links.get(index).copied().filter(|next| *next != index) {
        let further = links.get(next).copied().unwrap_or(next);
        if let Some(link) = links.get_mut(index) {
            *link = further;
        }
        index = further;
    }
    index
}

/// The files that are only read to check others. A stored configuration is what the service holds, and a fix of it would be
/// a lie.
pub(super) fn context<R: Renderer>(linter: &Linter<'_, R>, files: &FileSet) -> BTreeSet<Key> {
    let named = linter.options.related.paths().map(PathBuf::clone);
    let others = files.related.iter().filter(|(_, role)| is_context(*role));
    let others = others.filter_map(|(input, _)| input.path.clone());
    let related = files.inputs.iter().flat_map(|input| related(linter, input));
    let related = related.filter(|(_, role)| is_context(*role)).map(|(path, _)| path);
    let baselines = files.baselines.iter().map(|file| PathBuf::from(&file.path));
    named.chain(others).chain(related).chain(baselines).map(|path| Some(real_path(&path))).collect()
}

fn related<R: Renderer>(linter: &Linter<'_, R>, input: &InputFile) -> Vec<(PathBuf, FileRole)> {
    related_paths(input, linter.options, linter.configurations())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::input::ReadOptions;

    #[test]
    fn files_with_a_file_in_common_are_in_one_group() {
        let input = ReadOptions::default().input(Path::new("a.json"));
        let member = |names: &[&str]| Member {
            input: &input,
            is_text: false,
            keys: names.iter().map(|name| Some(PathBuf::from(name))).collect(),
        };
        let members = vec![
            member(&["a", "t"]),
            member(&["b"]),
            member(&["c", "u"]),
            member(&["d", "u", "t"]),
        ];
        let groups: Vec<Vec<Option<String>>> = join(members)
            .into_iter()
            .map(|group| {
                let name =
                    |member: Member<'_>| member.keys[0].as_ref()?.to_str().map(str::to_owned);
                group.members.into_iter().map(name).collect()
            })
            .collect();
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(groups, [vec![name("a"), name("c"), name("d")], vec![name("b")]]);
    }
}
