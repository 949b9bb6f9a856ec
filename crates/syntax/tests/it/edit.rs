//! Every change parses to exactly the old values with that change, and everything else in the file stays as it was.

mod documents;

use std::borrow::Cow;

use documents::Writer;
use voxlint_syntax::edit::{Editor, NewValue, apply};
use voxlint_syntax::{Format, Kind, Node, parse};
use voxlint_testing::cases;
use voxlint_testing::generated_inputs::Random;

/// A value as a document says it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Literal(String),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    fn of(node: Node<'_>) -> Self {
        match node.kind() {
            Kind::Object => Self::Object(
                node.members()
                    .map(|member| (member.name().into_owned(), Self::of(member.value)))
                    .collect(),
            ),
            Kind::Array => Self::List(node.elements().map(Self::of).collect()),
            Kind::String | Kind::Key => {
                Self::Text(node.as_str().map(Cow::into_owned).unwrap_or_default())
            }
            Kind::Null => Self::Literal("null".to_owned()),
            _ => Self::Literal(node.source().to_owned()),
        }
    }

    fn get(&mut self, path: &[usize]) -> &mut Self {
        let Some((first, rest)) = path.split_first() else { return self };
        match self {
            Self::List(items) => items[*first].get(rest),
            Self::Object(members) => members[*first].1.get(rest),
            _ => panic!("no value inside a scalar"),
        }
    }

    /// The order of names says nothing, and differs where TOML puts a table.
    fn sorted(mut self) -> Self {
        match &mut self {
            Self::Object(members) => {
                for (_, value) in members.iter_mut() {
                    *value = value.clone().sorted();
                }
                members.sort_by(|a, b| a.0.cmp(&b.0));
            }
            Self::List(items) => {
                for item in items.iter_mut() {
                    *item = item.clone().sorted();
                }
            }
            _ => {}
        }
        self
    }
}

/// The nodes of a document with the numbers that lead to them.
fn nodes<'a>(node: Node<'a>, path: &[usize], all: &mut Vec<(Node<'a>, Vec<usize>)>) {
    all.push((node, path.to_vec()));
    let values = node.elements().chain(node.members().map(|member| member.value));
    for (at, value) in values.enumerate() {
        nodes(value, &[path, &[at]].concat(), all);
    }
}

const TEXTS: &[&str] = &[
    "",
    "a",
    "two words",
    "it's",
    "say \"x\"",
    "a: b",
    "a #b",
    "[x]",
    "{{name}}",
    "tab\there",
    "line\nbreak",
    "\\",
    "true",
    "12",
    "ünïcode 😀",
    " outer ",
    "- a",
    "null",
    "+14155550100",
    "end:",
    "\u{85}x",
    "'",
    "''",
    "a\n\nb\n",
    "a,b",
];
const NAMES: &[&str] = &["fresh", "two words", "a.b", "on", "it's", "q\"q", "12", "ключ"];
const LITERALS: &[&str] = &["900", "true", "-0.5", "false", "1e3"];

/// What a change did, and the values that it must give.
struct Change {
    what: String,
    edits: Option<Vec<voxlint_syntax::TextEdit>>,
    expected: Value,
    keeps_comments: bool,
}

/// A change of one node and of the values, which are equal at first.
fn change<'a>(
    editor: &Editor<'a>,
    root: Node<'a>,
    (node, path): &(Node<'a>, Vec<usize>),
    random: &mut Random,
) -> Change {
    let mut expected = Value::of(root);
    let is_scalar = !matches!(node.kind(), Kind::Object | Kind::Array);
    let (text, name) = (random.pick(TEXTS), random.pick(NAMES));
    let literal = random.pick(LITERALS);
    let (new, new_value) = if random.percent(50) {
        (NewValue::Text(text), Value::Text(text.to_owned()))
    } else {
        (NewValue::Literal(literal), Value::Literal(literal.to_owned()))
    };
    let (what, edits) = match random.below(5) {
        0 if node.kind() == Kind::String => {
            let old = node.as_str().unwrap_or_default().into_owned();
            let ends: Vec<usize> =
                old.char_indices().map(|(at, _)| at).chain([old.len()]).collect();
            let (a, b) = (ends[random.below(ends.len())], ends[random.below(ends.len())]);
            let range = a.min(b)..a.max(b);
            let whole = format!("{}{text}{}", &old[..range.start], &old[range.end..]);
            *expected.get(path) = Value::Text(whole);
            let what = format!("part {range:?} of {old:?} with {text:?}");
            (what, editor.replace_part(*node, range, text))
        }
        1 if is_scalar => {
            *expected.get(path) = new_value;
            (format!("{new:?} for {:?}", node.source()), editor.replace(*node, new))
        }
        2 if node.name().is_some() => {
            let (last, parent) = path.split_last().unwrap();
            let Value::Object(members) = expected.get(parent) else { panic!("a name outside") };
            name.clone_into(&mut members[*last].0);
            let key = node.name().unwrap();
            let what = format!("name {name:?} for {:?}", key.source());
            (what, editor.replace(key, NewValue::Text(name)))
        }
        3 if node.kind() == Kind::Object => {
            let Value::Object(members) = expected.get(path) else { panic!("not an object") };
            members.push((name.to_owned(), new_value));
            (format!("member {name:?} {new:?}"), editor.insert(*node, name, new))
        }
        _ => return removal(editor, *node, path, expected, random),
    };
    Change { what, edits, expected, keeps_comments: true }
}

fn removal<'a>(
    editor: &Editor<'a>,
    node: Node<'a>,
    path: &[usize],
    mut expected: Value,
    random: &mut Random,
) -> Change {
    let children: Vec<Node<'_>> =
        node.elements().chain(node.members().map(|member| member.value)).collect();
    let often = random.pick(&[20, 50, 100]);
    let mut removed: Vec<usize> = (0..children.len()).filter(|_| random.percent(often)).collect();
    if removed.is_empty() && !children.is_empty() {
        removed.push(random.below(children.len()));
    }
    let chosen: Vec<Node<'_>> = removed.iter().map(|at| children[*at]).collect();
    let mut at = 0..;
    let mut keep = || !removed.contains(&at.next().unwrap());
    match expected.get(path) {
        Value::List(items) => items.retain(|_| keep()),
        Value::Object(members) => members.retain(|_| keep()),
        _ => {}
    }
    let what = format!("without {removed:?} of {} at {path:?}", children.len());
    let edits = (!chosen.is_empty()).then(|| editor.remove(&chosen)).flatten();
    Change { what, edits, expected, keeps_comments: false }
}

fn holds(format: Format, styles: u64) {
    let (mut made, mut rejected, mut asked) = ([0_u32; 2], Vec::new(), 0);
    for seed in 0..cases(1_500, 20_000) {
        let mut random = Random::new(seed * 31 + styles);
        let text = Writer::new(format, &mut random).document();
        let parsed = parse(text.as_str(), format);
        assert!(
            parsed.errors.iter().all(|error| {
                matches!(error.kind, voxlint_syntax::SyntaxErrorKind::ByteOrderMark)
            }),
            "seed {seed}: {:?}\n{text}",
            parsed.errors
        );
        let tree = &parsed.documents[0];
        let Some(root) = tree.root() else { continue };
        let mut all = Vec::new();
        nodes(root, &[], &mut all);
        let editor = Editor::new(tree, format);
        for _ in 0..4 {
            let Change { what, edits, expected, keeps_comments } =
                change(&editor, root, &all[random.below(all.len())], &mut random);
            asked += 1;
            let Some(edits) = edits else {
                rejected.push(what);
                continue;
            };
            made[usize::from(keeps_comments)] += 1;
            let label = || format!("{format} seed {seed}: {what}\n{edits:#?}\n{text}");
            let edited = apply(&text, &edits).unwrap_or_else(|| panic!("{}", label()));
            let edited = String::from_utf8(edited).unwrap();
            let again = parse(edited.as_str(), format);
            assert_eq!(
                again.errors.len(),
                parsed.errors.len(),
                "{}\n{edited}\n{:?}",
                label(),
                again.errors
            );
            let value = again.documents[0].root().map(Value::of).map(Value::sorted);
            assert_eq!(value, Some(expected.sorted()), "{}\n{edited}", label());
            keeps_the_file(&text, &edited, keeps_comments).unwrap_or_else(|why| {
                panic!("{why}: {}\n{edited}", label());
            });
        }
    }
    println!("{format}: {made:?} of {asked}");
    let possible = rejected.iter().filter(|what| !what.starts_with("without []")).count();
    assert!(made[0] > asked / 20 && made[1] > asked / 4, "{format}: {made:?} of {asked}");
    assert!(possible < asked as usize / 3, "{format}: {possible} of {asked} are rejected");
}

/// Comments, line breaks, the byte order mark and the final line break stay.
fn keeps_the_file(text: &str, edited: &str, keeps_comments: bool) -> Result<(), String> {
    if text.starts_with('\u{feff}') != edited.starts_with('\u{feff}') {
        return Err("the byte order mark".to_owned());
    }
    let is_document = |text: &str| text.trim().len() > 4;
    if text.ends_with('\n') != edited.ends_with('\n') && is_document(edited) {
        return Err("the final line break".to_owned());
    }
    let bare = |text: &str| text.replace("\r\n", "").contains('\n');
    if text.contains("\r\n") && !bare(text) && bare(edited) {
        return Err("the line breaks".to_owned());
    }
    let comments = |text: &str| text.matches("comment ").count();
    if keeps_comments && comments(text) != comments(edited) {
        return Err("the comments".to_owned());
    }
    Ok(())
}

#[test]
fn changes_of_json_say_what_they_should() {
    holds(Format::Json, 1);
}

#[test]
fn changes_of_json_with_comments_say_what_they_should() {
    holds(Format::Jsonc, 2);
}

#[test]
fn changes_of_yaml_say_what_they_should() {
    holds(Format::Yaml, 3);
}

#[test]
fn changes_of_toml_say_what_they_should() {
    holds(Format::Toml, 4);
}

/// The text after a change of the value at a path of names.
fn edited(
    format: Format,
    text: &str,
    path: &str,
    edit: impl for<'a> Fn(&Editor<'a>, Node<'a>) -> Option<Vec<voxlint_syntax::TextEdit>>,
) -> String {
    let parsed = parse(text, format);
    let tree = &parsed.documents[0];
    let mut node = tree.root().expect("a value");
    for step in path.split('/').filter(|step| !step.is_empty()) {
        node = match step.parse() {
            Ok(at) => node.elements().nth(at).expect("an item"),
            Err(_) => node.get(step).expect("a member"),
        };
    }
    let edits = edit(&Editor::new(tree, format), node);
    edits.map_or("rejected".to_owned(), |edits| {
        String::from_utf8(apply(text, &edits).expect("fitting edits")).expect("UTF-8")
    })
}

#[test]
fn a_removed_member_takes_its_line_and_its_comment() {
    let remove = |format, text: &str, path: &str| {
        edited(format, text, path, |editor, node| editor.remove(&[node]))
    };
    let jsonc = "{\n  // one\n  \"a\": 1, // first\n  \"b\": 2 // last\n}\n";
    assert_eq!(remove(Format::Jsonc, jsonc, "a"), "{\n  // one\n  \"b\": 2 // last\n}\n");
    assert_eq!(remove(Format::Jsonc, jsonc, "b"), "{\n  // one\n  \"a\": 1 // first\n}\n");
    assert_eq!(remove(Format::Json, "{\"a\": 1, \"b\": 2}", "b"), "{\"a\": 1}");
    assert_eq!(remove(Format::Json, "{\"a\": 1, \"b\": 2}", "a"), "{\"b\": 2}");
    assert_eq!(remove(Format::Json, "{\n  \"a\": 1\n}", "a"), "{}");
    let yaml = "# top\na: 1 # first\nb:\n  - x\n  - y # last\nc: |\n  text\n";
    assert_eq!(remove(Format::Yaml, yaml, "a"), "# top\nb:\n  - x\n  - y # last\nc: |\n  text\n");
    assert_eq!(remove(Format::Yaml, yaml, "b/1"), "# top\na: 1 # first\nb:\n  - x\nc: |\n  text\n");
    assert_eq!(remove(Format::Yaml, yaml, "c"), "# top\na: 1 # first\nb:\n  - x\n  - y # last\n");
    assert_eq!(remove(Format::Yaml, "a:\n  b: 1\n", "a/b"), "a: {}\n");
    assert_eq!(remove(Format::Yaml, "a:\n- 1\n", "a/0"), "a: []\n");
    assert_eq!(remove(Format::Yaml, "- a: 1\n  b: 2\n", "0/a"), "- b: 2\n");
    assert_eq!(remove(Format::Yaml, "a: &x 1\nb: *x\n", "a"), "rejected");
    assert_eq!(remove(Format::Toml, "a = 1 # one\nb = 2\n", "a"), "b = 2\n");
    assert_eq!(remove(Format::Toml, "a.b = 1\n", "a/b"), "rejected");
    assert_eq!(
        remove(Format::Toml, "a = 1\n\n[t]\nx = 1\n\n[u]\ny = 2\n", "t"),
        "a = 1\n\n[u]\ny = 2\n"
    );
}

#[test]
fn a_block_scalar_loses_its_last_line_break_by_its_header() {
    let strip = |text: &str| {
        edited(Format::Yaml, text, "t", |editor, node| {
            let text = node.as_str()?;
            editor.replace_part(node, text.trim_end().len()..text.len(), "")
        })
    };
    assert_eq!(strip("t: |\n  Front desk\nn: 1\n"), "t: |-\n  Front desk\nn: 1\n");
    assert_eq!(strip("t: > # a\r\n  Front\r\n  desk\r\n"), "t: >- # a\r\n  Front\r\n  desk\r\n");
    assert_eq!(strip("t: |+\n  Desk\n\nn: 1\n"), "t: |-\n  Desk\n\nn: 1\n");
    assert_eq!(strip("t: |2\n   Desk \t\nn: 1\n"), "t: |-2\n   Desk\nn: 1\n");
    assert_eq!(strip("t: |-\n  Desk  \nn: 1\n"), "t: |-\n  Desk\nn: 1\n");
    assert_eq!(strip("t: &a |\n  Desk\nn: 1\n"), "t: &a |-\n  Desk\nn: 1\n");
    assert_eq!(strip("t: &a |\n  Desk\nn: *a\n"), "rejected");
}

#[test]
fn a_new_member_looks_like_its_neighbours() {
    let insert = |format, text: &str, path: &str| {
        edited(format, text, path, |editor, node| editor.insert(node, "new", NewValue::Text("x")))
    };
    assert_eq!(
        insert(Format::Jsonc, "{\r\n\t\"a\": 1 // one\r\n}\r\n", ""),
        "{\r\n\t\"a\": 1, // one\r\n\t\"new\": \"x\"\r\n}\r\n"
    );
    assert_eq!(insert(Format::Json, "{\"a\":1}", ""), "{\"a\":1,\"new\":\"x\"}");
    assert_eq!(insert(Format::Yaml, "a: 'y' # one", ""), "a: 'y' # one\nnew: 'x'");
    assert_eq!(
        insert(Format::Yaml, "- \"a\": b\n  \"c\":\n    d: 1\n- 2\n", "0"),
        "- \"a\": b\n  \"c\":\n    d: 1\n  \"new\": x\n- 2\n"
    );
    assert_eq!(insert(Format::Toml, "[t] # t\n[u]\n", "t"), "[t] # t\nnew = \"x\"\n[u]\n");
    assert_eq!(insert(Format::Toml, "a = 'b'\n\n[t]\n", ""), "a = 'b'\nnew = 'x'\n\n[t]\n");
}

#[test]
fn a_table_that_is_written_once_is_renamed() {
    let rename = |text: &str, path: &str| {
        edited(Format::Toml, text, path, |editor, node| {
            editor.replace(node.name()?, NewValue::Text("new"))
        })
    };
    assert_eq!(rename("[\"a\"] # c\nx = 1\ny = 2\n", "a"), "[\"new\"] # c\nx = 1\ny = 2\n");
    assert_eq!(rename("[[l]]\nx = 1\n", "l"), "[[new]]\nx = 1\n");
    assert_eq!(rename("a.b = 1\n", "a"), "new.b = 1\n");
    for text in ["[a.b]\nx = 1\n\n[a.c]\ny = 2\n", "a.b = 1\na.c = 2\n", "[[a]]\n[[a]]\n"] {
        assert_eq!(rename(text, "a"), "rejected", "{text}");
    }
}

#[test]
fn what_aliases_refer_to_is_not_changed() {
    let text = "a: &x\n  k: one\nb: *x\nc: two\n";
    let change = |path: &str| {
        edited(Format::Yaml, text, path, |editor, node| editor.replace(node, NewValue::Text("new")))
    };
    assert_eq!(change("a/k"), "rejected");
    assert_eq!(change("b/k"), "rejected");
    assert_eq!(change("c"), "a: &x\n  k: one\nb: *x\nc: new\n");
}

#[test]
fn an_anchor_that_nothing_refers_to_stays() {
    let text = "a: &x one\nb: &y\n  k: 1\nc: [&z two]\n";
    let change = |path: &str| {
        edited(Format::Yaml, text, path, |editor, node| editor.replace(node, NewValue::Text("new")))
    };
    assert_eq!(change("a"), text.replace("one", "new"));
    assert_eq!(change("c/0"), text.replace("two", "new"));
    assert_eq!(change("b/k"), text.replace("k: 1", "k: \"new\""));
}

#[test]
fn what_an_alias_shares_is_changed_nowhere() {
    let text = "a: &x\n  - one\n  - two\nb: *x\nc: [1, 2]\n<<: *x\n";
    let remove =
        |path: &str| edited(Format::Yaml, text, path, |editor, node| editor.remove(&[node]));
    // The items belong to both lists.
    assert_eq!(remove("a/1"), "rejected");
    assert_eq!(remove("b/1"), "rejected");
    // The name of an alias may go, but not the anchor.
    assert_eq!(remove("a"), "rejected");
    assert_eq!(remove("c/1"), text.replace("[1, 2]", "[1]"));
    let shared = "base: &x\n  k: one\nb:\n  <<: *x\n  l: two\n";
    let insert = |path: &str| {
        edited(Format::Yaml, shared, path, |editor, node| {
            editor.insert(node, "new", NewValue::Literal("1"))
        })
    };
    assert_eq!(insert("base"), "rejected", "the other object would get it too");
    let rename = |path: &str| {
        edited(Format::Yaml, shared, path, |editor, node| {
            editor.replace(node.name()?, NewValue::Text("new"))
        })
    };
    assert_eq!(rename("base/k"), "rejected", "the other object would get it too");
    assert_eq!(rename("b/l"), shared.replace("l: two", "new: two"));
}

#[test]
fn a_list_is_replaced_as_a_whole() {
    let replace = |format, text: &str, path: &str| {
        edited(format, text, path, |editor, node| editor.replace(node, NewValue::Text("a, b")))
    };
    assert_eq!(replace(Format::Json, "{\"k\": [\n1\n]}", "k"), "{\"k\": \"a, b\"}");
    assert_eq!(replace(Format::Jsonc, "{\"k\": [1, // one\n2]}", "k"), "rejected");
    assert_eq!(replace(Format::Jsonc, "{\"k\": [\"//\"]} // c", "k"), "{\"k\": \"a, b\"} // c");
    assert_eq!(replace(Format::Toml, "k = [\n 1,\n] # c\n", "k"), "k = \"a, b\" # c\n");
    assert_eq!(replace(Format::Toml, "k = [\n 1, # c\n]\n", "k"), "rejected");
    assert_eq!(replace(Format::Toml, "[[k]]\na = 1\n", "k"), "rejected");
    let yaml = "k:\n  - a\n  - 'b # b' # c\nl: 1\n";
    assert_eq!(replace(Format::Yaml, yaml, "k"), "k: \"a, b\" # c\nl: 1\n");
    assert_eq!(replace(Format::Yaml, "k:\n- a\n- b\n", "k"), "k: \"a, b\"\n");
    assert_eq!(replace(Format::Yaml, "k:\n- a # c\n- b\n", "k"), "rejected");
    assert_eq!(replace(Format::Yaml, "k: # c\n- a\n- b\n", "k"), "rejected");
    assert_eq!(replace(Format::Yaml, "k: &x\n- a\nl: *x\n", "k"), "rejected");
    assert_eq!(replace(Format::Yaml, "k: [a,\n b] # c\n", "k"), "k: \"a, b\" # c\n");
}

#[test]
fn a_table_of_an_array_is_removed_with_what_is_inside() {
    let remove = |text: &str, path: &str| {
        edited(Format::Toml, text, path, |editor, node| editor.remove(&[node]))
    };
    let text =
        "[[a]]\nx = 1\n\n# two\n[[a]]\nx = 2\n[a.b]\ny = 3 # c\n\n# three\n[[a]]\nx = 4\n[d]\n";
    assert_eq!(remove(text, "a/1"), "[[a]]\nx = 1\n\n# two\n\n# three\n[[a]]\nx = 4\n[d]\n");
    assert_eq!(remove(text, "a/2"), text.replace("[[a]]\nx = 4\n", ""));
    assert_eq!(remove("[[a]]\nx = 1\n", "a/0"), "rejected", "no empty list would be left");
    let scattered = "[[a]]\n[[a]]\nx = 1\n[c]\n[a.b]\n";
    assert_eq!(remove(scattered, "a/1"), "rejected");
    assert_eq!(remove(scattered, "a/0"), "[[a]]\nx = 1\n[c]\n[a.b]\n");
    assert_eq!(
        remove("[[a]]\n[[a.b]]\n[[a.b]]\n[[a]]\n[[a.b]]\n", "a/0/b/1"),
        "[[a]]\n[[a.b]]\n[[a]]\n[[a.b]]\n"
    );
    assert_eq!(remove("[[a]]\r\nx = 1\r\n[[a]]\nx = 1", "a/1"), "[[a]]\r\nx = 1");
}

/// Whether the removal of a value takes a comment with it.
#[test]
fn a_removal_says_whether_it_takes_a_comment() {
    let remove = |format, text: &str, path: &str| {
        let taken = std::cell::Cell::new(None);
        let left = edited(format, text, path, |editor, node| {
            let edits = editor.remove(&[node])?;
            taken.set(Some(editor.removes_comment(&edits)));
            Some(edits)
        });
        (left, taken.get())
    };
    let jsonc = "{\n  // above\n  \"a\": \"//\", // beside\n  \"b\": [1, 2] /* after */\n}\n";
    let (left, taken) = remove(Format::Jsonc, jsonc, "a");
    assert!(left.contains("// above") && !left.contains("// beside") && taken == Some(true));
    assert_eq!(remove(Format::Jsonc, jsonc, "b/1").1, Some(false));
    assert_eq!(remove(Format::Json, "{\"a\": \"//\", \"b\": 1}", "a").1, Some(false));
    let yaml = "# above\na: '#1' # beside\nb: '#2'\nc:\n  # inside\n  d: 1\n";
    let (left, taken) = remove(Format::Yaml, yaml, "a");
    assert!(left.contains("# above") && !left.contains("# beside") && taken == Some(true));
    assert_eq!(remove(Format::Yaml, yaml, "b").1, Some(false));
    assert_eq!(remove(Format::Yaml, yaml, "c").1, Some(true));
    // An empty object would have to be written where the comment is.
    assert_eq!(remove(Format::Yaml, yaml, "c/d").0, "rejected");
    assert_eq!(remove(Format::Yaml, "a:\n- 1 # one\n", "a/0"), ("a: []\n".to_owned(), Some(true)));
    assert_eq!(remove(Format::Yaml, "a: {b: '#', c: 1} # c\n", "a/b").1, Some(false));
    let toml = "# above\na = '#1' # beside\nb = '#2'\n[c]\n# inside\nd = 1\n";
    let (left, taken) = remove(Format::Toml, toml, "a");
    assert!(left.contains("# above") && !left.contains("# beside") && taken == Some(true));
    assert_eq!(remove(Format::Toml, toml, "b").1, Some(false));
    assert_eq!(remove(Format::Toml, toml, "c").1, Some(true));
    assert_eq!(remove(Format::Toml, "a = [\n  1, # one\n  2,\n]\n", "a/0").1, Some(true));
    assert_eq!(remove(Format::Toml, "a = [\n  1, # one\n  2,\n]\n", "a/1").1, Some(false));
}

#[test]
fn each_line_keeps_its_own_end() {
    let part = |format, text: &str| {
        edited(format, text, "k", |editor, node| {
            let at = node.as_str()?.find('X')?;
            editor.replace_part(node, at..at + 1, "new")
        })
    };
    for text in
        ["k: |\r\n  one\n  X two\r\n  three\nl: 1\r\n", "k: \"one\r\n  X\n  two\"\r\nl: 1\n"]
    {
        assert_eq!(part(Format::Yaml, text), text.replace('X', "new"));
    }
    let toml = "k = \"\"\"\r\none\nX two\r\n\"\"\"\nl = 1\r\n";
    assert_eq!(part(Format::Toml, toml), toml.replace('X', "new"));
    let json = "{\r\n\"k\": \"X\",\n\"l\": 1\r\n}\n";
    assert_eq!(part(Format::Json, json), json.replace('X', "new"));
    let remove =
        |format, text: &str| edited(format, text, "k", |editor, node| editor.remove(&[node]));
    assert_eq!(remove(Format::Json, json), "{\r\n\"l\": 1\r\n}\n");
    assert_eq!(remove(Format::Yaml, "a: 1\r\nk: 1\nb: 2\r\nc: 3\n"), "a: 1\r\nb: 2\r\nc: 3\n");
    assert_eq!(remove(Format::Toml, "a = 1\nk = 1\r\nb = 2\nc = 3\r\n"), "a = 1\nb = 2\nc = 3\r\n");
}

/// In each style: what holds is read back together, and what does not hold with the others is as if it was alone.
#[test]
fn parts_that_are_read_together_give_the_edits_of_each_alone() {
    let line = "one X two Y three Z";
    let styles = [
        (Format::Json, format!("{{\"k\": \"{line}\"}}")),
        (Format::Toml, format!("k = '{line}'\n")),
        (Format::Toml, format!("k = \"\"\"\n{line}\n\"\"\"\n")),
        (Format::Yaml, format!("k: {line}\n")),
        (Format::Yaml, format!("k: '{line}'\n")),
        (Format::Yaml, format!("k: |\n  {line}\n  {line}\n")),
        (Format::Yaml, format!("k: >\n  {line}\n  {line}\n")),
    ];
    for (format, text) in styles {
        for new in ["new", "it's", "a: b #c", "\u{7}", ""] {
            let parsed = parse(text.as_str(), format);
            let node = parsed.documents[0].root().unwrap().get("k").unwrap();
            let old = node.as_str().unwrap().into_owned();
            let at = |letter: char| old.find(letter).unwrap();
            let parts: Vec<_> = [('X', "new"), ('Y', new), ('Z', "new")]
                .map(|(letter, new)| (at(letter)..at(letter) + 1, new))
                .into();
            let together = Editor::new(&parsed.documents[0], format);
            together.read_parts(node, &parts);
            for (range, new) in &parts {
                let alone = Editor::new(&parsed.documents[0], format);
                let alone = alone.replace_part(node, range.clone(), new);
                assert_eq!(
                    together.replace_part(node, range.clone(), new),
                    alone,
                    "{text:?} {new:?}"
                );
                // Another text at the same place is read by itself.
                let other = Editor::new(&parsed.documents[0], format);
                let other = other.replace_part(node, range.clone(), "other");
                assert_eq!(together.replace_part(node, range.clone(), "other"), other, "{text:?}");
            }
        }
    }
}

#[test]
fn what_only_looks_like_an_anchor_hinders_no_change() {
    let text = "a: Q&A, **bold**\nb: 1\nc: [x & y, z]\n";
    let remove =
        |path: &str| edited(Format::Yaml, text, path, |editor, node| editor.remove(&[node]));
    assert_eq!(remove("b"), text.replace("b: 1\n", ""));
    assert_eq!(remove("c/1"), text.replace(", z", ""));
    let anchored = "a: &x # one\n  k: 1\nb:\n  <<: *x\n  k: 2\n";
    let insert = |path: &str| {
        edited(Format::Yaml, anchored, path, |editor, node| {
            editor.insert(node, "new", NewValue::Literal("1"))
        })
    };
    assert_eq!(insert("a"), "rejected");
}

/// So a file with mixed line ends says the same as one without.
#[test]
fn every_line_end_is_the_same_line_break() {
    let texts = [
        (Format::Json, "{\r\n\"k\": [\n\"a\",\r\n\"b\"]\n}"),
        (Format::Yaml, "k: |\r\n  a\n  b\r\n  c\n"),
        (Format::Yaml, "k: \"a\r\n  b\n  c\"\r\n"),
        (Format::Yaml, "k: a\r\n  b\n  c\r\n"),
        (Format::Toml, "k = \"\"\"\r\na\nb\r\nc\"\"\"\n"),
        (Format::Toml, "k = '''\na\r\nb\nc'''\r\n"),
    ];
    for (format, text) in texts {
        let value = |text: &str| {
            let parsed = parse(text, format);
            assert!(parsed.errors.is_empty(), "{format}: {text:?}");
            Value::of(parsed.documents[0].root().expect("a value"))
        };
        assert_eq!(value(text), value(&text.replace("\r\n", "\n")), "{format}: {text:?}");
    }
}
