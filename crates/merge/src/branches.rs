//! Merges what two branches have made of a file.

use std::collections::BTreeSet;

use voxlint_model::equality::{are_same, fields};
use voxlint_model::masking::{DocumentSecrets, Mask};
use voxlint_model::{Document, Inputs};
use voxlint_schema::DocumentKind;
use voxlint_schema::settings::TABLE;
use voxlint_syntax::{Format, Kind, Node, Span};

use crate::text::{lines, meet, merge_paragraphs, merge_parts, touch, with_markers};
use crate::values::{MergeOptions, Prefer, merge_settings};
use crate::write::write;

/// How a file is merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileLayout {
    /// It is a document in a format, or a text whose paragraphs are merged.
    Whole(Format),
    /// Each line is a document in JSON.
    Records,
    /// Nothing is known about its contents.
    Lines,
}

/// What a merge has made of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedFile {
    /// The new contents, with markers around each conflict.
    pub text: String,
    /// How many conflicts there are.
    pub conflicts: usize,
    /// The names of the values that both branches have changed, as far as the file is read as a document, with secrets masked.
    pub names: Vec<String>,
}

/// Merges a file: the texts are those of the common ancestor, of our branch and of theirs. A document is merged setting by setting
/// and item by item, which is proven. Whatever else a file is, its lines are merged, as git would do.
///
/// ```
/// use voxlint::syntax::Format;
/// use voxlint_merge::{FileLayout, merge_files};
///
/// let layout = FileLayout::Whole(Format::Json);
/// let base = r#"{ "version_number": 3, "title": "Desk", "timezone": "UTC" }"#;
/// let [ours, theirs] = [base.replace("Desk", "Front desk"), base.replace("UTC", "CET")];
/// let merged = merge_files([base, &ours, &theirs], layout, 7);
/// assert_eq!(merged.text, r#"{ "version_number": 3, "title": "Front desk", "timezone": "CET" }"#);
///
/// let merged = merge_files([base, &ours, &base.replace("Desk", "Night desk")], layout, 7);
/// assert_eq!((merged.conflicts, &*merged.names), (1, &["title".to_owned()][..]));
/// ```
pub fn merge_files(texts: [&str; 3], layout: FileLayout, marker_size: usize) -> MergedFile {
    let mut names = Vec::new();
    let [ours, theirs] = match layout {
        FileLayout::Whole(Format::Text) => decided(|side| merge_paragraphs(texts, side).0),
        FileLayout::Whole(format) => {
            // JSON may have comments, too.
            let format = if format == Format::Json { Format::Jsonc } else { format };
            let merged = merge_documents(texts, format);
            let (merged, found) = merged.unwrap_or_else(|| (merge_lines(texts), Vec::new()));
            names = found;
            merged
        }
        FileLayout::Records => merge_records(texts),
        FileLayout::Lines => merge_lines(texts),
    };
    let (text, conflicts) = with_markers(&ours, &theirs, marker_size);
    MergedFile { text, conflicts, names }
}

/// A merge with our side, and with theirs, where both differ.
fn decided(merged: impl Fn(bool) -> String) -> [String; 2] {
    [false, true].map(merged)
}

/// Merges lines as git does.
fn merge_lines(texts: [&str; 3]) -> [String; 2] {
    let all = texts.map(lines);
    decided(|prefers_theirs| {
        merge_parts([&all[0], &all[1], &all[2]], touch, |[_, ours, theirs]| {
            if prefers_theirs { theirs } else { ours }.concat()
        })
    })
}

/// Merges lines one by one where all texts have as many. `both` is given those that both sides have changed.
fn merge_each_line(
    texts: [&str; 3],
    prefers_theirs: bool,
    both: impl Fn([&str; 3]) -> Option<String>,
) -> String {
    let all = texts.map(lines);
    merge_parts([&all[0], &all[1], &all[2]], meet, |[base, ours, theirs]| {
        let preferred = if prefers_theirs { theirs } else { ours };
        if base.len() != ours.len() || base.len() != theirs.len() {
            return preferred.concat();
        }
        let sides = base.iter().zip(ours).zip(theirs.iter().zip(preferred));
        let merged = sides.map(|((base, ours), (theirs, preferred))| {
            if base == ours || ours == theirs {
                (*theirs).to_owned()
            } else if base == theirs {
                (*ours).to_owned()
            } else {
                both([base, ours, theirs]).unwrap_or_else(|| (*preferred).to_owned())
            }
        });
        merged.collect()
    })
}

/// Merges documents, each on its line.
fn merge_records(texts: [&str; 3]) -> [String; 2] {
    decided(|prefers_theirs| {
        merge_each_line(texts, prefers_theirs, |records| {
            let bodies = records.map(|line| line.trim_end_matches(['\r', '\n']));
            let merged = are_of_one_agent(bodies).then(|| merge_documents(bodies, Format::Json));
            let ([ours, theirs], _) = merged.flatten()?;
            let merged = if prefers_theirs { theirs } else { ours };
            Some(merged + records[1].strip_prefix(bodies[1])?)
        })
    })
}

/// Whether lines are versions of one document: most of its fields are the same in all of them.
fn are_of_one_agent(lines: [&str; 3]) -> bool {
    let documents = lines.map(|line| read(line, Format::Json));
    let [Some(base), Some(ours), Some(theirs)] = &documents else { return false };
    let [base, ours, theirs] = [base, ours, theirs].map(|it| it.tree().root().map(fields));
    let base = base.unwrap_or_default();
    [ours, theirs].into_iter().flatten().all(|side| {
        let same =
            base.iter().filter(|(name, value)| are_same(side.get(*name).copied(), Some(**value)));
        same.count() * 2 >= base.len()
    })
}

/// Merges a document, once with our side where both differ and once with theirs, and lists where they do. `None` if it is not read
/// as a document of an agent.
fn merge_documents(texts: [&str; 3], format: Format) -> Option<([String; 2], Vec<String>)> {
    let [old, ours, theirs] = texts;
    let base = read(old, format);
    if base.is_none() && !old.trim().is_empty() {
        return None;
    }
    let (own, other) = (read(ours, format)?, read(theirs, format)?);
    if !is_agent(&own) && !is_agent(&other) {
        return None;
    }
    let roots = [base.as_ref(), Some(&own), Some(&other)].map(|it| it?.tree().root());
    let merge = |prefer| merge_settings(roots, MergeOptions { prefer, removes: true });
    let [our_value, their_value] = [Prefer::Ours, Prefer::Theirs].map(|prefer| {
        Document::parse(merge(Some(prefer)).value.map(|it| it.pretty()).unwrap_or_default())
    });
    let mut mask = Mask::default();
    for document in [&own, &other] {
        DocumentSecrets::of(document, DocumentKind::Update).collect(&mut mask);
    }
    let names = merge(None).conflicts.into_iter().map(|it| mask.sentence(&it.names.join("/")));
    let names = names.collect();
    // What is written beside the values comes with the lines of both sides, as far as they have changed different ones.
    let [our_lines, their_lines] = decided(|side| merge_each_line(texts, side, |_| None));
    let first = [&*our_lines, ours].into_iter().find_map(|text| written(text, format, &our_value));
    let merged = first.and_then(|first| {
        let texts = [&*first, &their_lines, theirs];
        let second = texts.into_iter().find_map(|text| written(text, format, &their_value))?;
        Some([first, second])
    });
    if let Some(merged) = merged.filter(|merged| keeps_comments(texts, merged, format)) {
        return Some((merged, names));
    }
    let [first, second] = merge_lines(texts);
    let is_merged = first == second;
    Some((if is_merged { [ours, theirs].map(str::to_owned) } else { [first, second] }, names))
}

/// The only document of a text, if it is read without errors and no field is there twice.
fn read(text: &str, format: Format) -> Option<Document> {
    let mut documents = Document::parse_all(text, format);
    let document = documents.pop()?;
    let is_repeated = |node: Node<'_>| {
        node.kind() == Kind::Object && fields(node).len() != node.members().count()
    };
    let is_read = documents.is_empty()
        && !document.has_errors()
        && document.unread().is_empty()
        && document.tree().root()?.kind() == Kind::Object
        && !document.tree().nodes().any(is_repeated);
    is_read.then_some(document)
}

/// Whether a document is one of an agent, or says nothing but settings.
fn is_agent(document: &Document) -> bool {
    let mut members = document.tree().root().into_iter().flat_map(Node::members);
    document.recognise().is_some() || members.all(|it| TABLE.row(&it.name()).is_some())
}

/// A document with the smallest edits that give it a value, which is proven.
fn written(text: &str, format: Format, value: &Document) -> Option<String> {
    let document = read(text, format)?;
    let (is, wanted) = (document.tree().root(), value.tree().root());
    let options = MergeOptions { removes: true, ..MergeOptions::default() };
    let changes = merge_settings([is, is, wanted], options).changes;
    let after = write(&Inputs::new(document.clone()), &changes)?;
    let text = after.document().text();
    are_same(read(text, format)?.tree().root(), wanted).then(|| text.to_owned())
}

/// Whether each comment that a side has written is in a merge.
fn keeps_comments([base, ours, theirs]: [&str; 3], merged: &[String; 2], format: Format) -> bool {
    let [base, ours, theirs] = [base, ours, theirs].map(|text| comments(text, format));
    let [first, second] = [0, 1].map(|at| merged.get(at).map(|text| comments(text, format)));
    let kept: BTreeSet<String> = first.into_iter().chain(second).flatten().collect();
    ours.union(&theirs).all(|comment| base.contains(comment) || kept.contains(comment))
}

/// What a document has outside of its names and values: comments, and anchors of YAML.
fn comments(text: &str, format: Format) -> BTreeSet<String> {
    let Some(document) = read(text, format) else { return BTreeSet::new() };
    let is_scalar = |node: &Node<'_>| !matches!(node.kind(), Kind::Object | Kind::Array);
    let mut scalars: Vec<Span> =
        document.tree().nodes().filter(is_scalar).map(Node::span).collect();
    scalars.sort_unstable();
    let (mut found, mut from) = (BTreeSet::new(), 0);
    for span in scalars.into_iter().chain([Span::at(text.len() as u32)]) {
        let gap = text.get(from as usize..span.start as usize).unwrap_or_default();
        let words = gap.lines().map(|line| line.trim_matches(|sign: char| !sign.is_alphanumeric()));
        found.extend(words.filter(|words| !words.is_empty()).map(str::to_owned));
        from = from.max(span.end);
    }
    found
}
