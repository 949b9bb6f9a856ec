//! What YAML says, and where YAML and JSON differ.

use crate::common::yaml::{faults, json, read, written};
use voxlint_syntax::{Format, Kind, Node, Span, SyntaxErrorKind as Fault, parse};

#[test]
fn scalars_follow_the_core_schema() {
    assert_eq!(
        json("[~, null, true, False, on, yes, y, 012, 0o12, 0xC, +1, .5, 1., 1e3, -0]"),
        r#"[null,null,true,false,"on","yes","y",12,10,12,1,0.5,1.0,1e3,-0]"#
    );
    assert_eq!(
        json("[1_000, 1:30, 2001-01-01, '1', \"true\", '', x]"),
        r#"["1_000","1:30","2001-01-01","1","true","","x"]"#
    );
    assert_eq!(json("a:\nb: ''\nc: |\nd: ~\n"), r#"{"a":null,"b":"","c":"","d":null}"#);
}

#[test]
fn scalars_with_and_without_quotes_are_distinguished() {
    let text = "number: +14155550100\nquoted: '+14155550100'\non: on\nblock: |\n  on\nempty:\n";
    let parsed = read(text);
    let root = parsed.documents[0].root().unwrap();
    let plain: Vec<_> = root
        .members()
        .map(|one| (one.value.is_plain(), one.value.kind(), one.value.source()))
        .collect();
    assert_eq!(
        plain,
        [
            (true, Kind::Number, "+14155550100"),
            (false, Kind::String, "'+14155550100'"),
            (true, Kind::String, "on"),
            (false, Kind::String, "|\n  on"),
            (false, Kind::Null, ""),
        ]
    );
    assert!(root.members().all(|one| one.key.is_plain()));
    // Nothing in JSON is, so that a rule need not ask for the format.
    let json = parse(r#"{"on": [1, true, "on", null]}"#, Format::Json);
    assert!(json.documents[0].nodes().all(|node| !node.is_plain()));
}

#[test]
fn a_value_that_is_not_there_is_null_where_it_would_stand() {
    let text = "a:\nb :   # later\nc:\n  -\n  -   # later\n  - x\n? d\n";
    let parsed = read(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let nulls: Vec<_> = parsed.documents[0]
        .nodes()
        .filter(|node| node.kind() == Kind::Null)
        .map(|node| &text[..node.span().start as usize])
        .collect();
    assert_eq!(
        nulls,
        [
            "a:",
            "a:\nb :",
            "a:\nb :   # later\nc:\n  -",
            "a:\nb :   # later\nc:\n  -\n  -",
            text.trim_end()
        ]
    );
}

#[test]
fn spans_are_those_of_the_file() {
    let text = "\u{feff}# क\r\nagent:\r\n  prompt: >-  # folded\r\n    Hello,\r\n    {{name}}\r\n\r\n  tags: [ de, 'en' ]\r\n";
    let parsed = read(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let root = parsed.documents[0].root().unwrap();
    assert_eq!(root.opening().slice(text), "agent");
    let agent = root.get("agent").unwrap();
    assert_eq!(agent.opening().slice(text), "prompt");
    let prompt = agent.get("prompt").unwrap();
    assert_eq!(prompt.source(), ">-  # folded\r\n    Hello,\r\n    {{name}}");
    let said = prompt.text().unwrap();
    assert_eq!(said.as_str(), "Hello, {{name}}");
    assert_eq!(said.to_source(7..15).slice(text), "{{name}}");
    assert_eq!(said.to_source(6..7).slice(text), "\r\n");
    let tags = agent.get("tags").unwrap();
    assert_eq!((tags.source(), tags.opening().slice(text)), ("[ de, 'en' ]", "["));
    assert_eq!(agent.source(), &text[agent.span().start as usize..text.len() - 2]);
}

#[test]
fn a_line_break_that_the_file_lacks_is_spelled_by_nothing() {
    let text = "a: |\n  b";
    let parsed = read(text);
    let root = parsed.documents[0].root().unwrap();
    let said = root.get("a").unwrap().text().unwrap();
    assert_eq!(said.as_str(), "b\n");
    assert_eq!(said.to_source(1..2), Span::at(8));
    assert_eq!(said.to_source(0..2), Span::new(7, 8));
    assert_eq!(said.to_source(2..2), Span::at(8));
}

#[test]
fn documents_come_one_after_the_other() {
    let text = "a: 1\n---\n---\n# nothing\n--- ~\n---\n- 2\n...\n";
    let parsed = read(text);
    let said: Vec<_> =
        parsed.documents.iter().map(|tree| tree.root().map_or_else(String::new, written)).collect();
    assert_eq!(said, [r#"{"a":1}"#, "", "", "null", "[2]"]);
    let kinds: Vec<_> = parsed.errors.iter().map(|error| (error.kind, error.span)).collect();
    assert_eq!(kinds, [(Fault::Empty, Span::at(8)), (Fault::Empty, Span::at(12))]);
    for text in ["", "# nothing\n", "\u{feff}", "---", "---\n...\n", " \n\n"] {
        let parsed = read(text);
        assert_eq!(parsed.documents.len(), 1, "{text:?}");
        assert!(parsed.documents[0].root().is_none(), "{text:?}");
        assert_eq!(parsed.errors.len(), 1, "{text:?}");
        assert_eq!(parsed.errors[0].kind, Fault::Empty, "{text:?}");
    }
}

#[test]
fn an_alias_is_the_value_again() {
    let text = "a: &x {b: [1], c: &z 'it''s'}\nd: *z\ne: *x\n*z : 1\nf: &n 7\n&k g: *k\nh: *n\n";
    let parsed = read(text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let root = parsed.documents[0].root().unwrap();
    assert_eq!(
        written(root),
        r#"{"a":{"b":[1],"c":"it's"},"d":"it's","e":{"b":[1],"c":"it's"},"it's":1,"f":7,"g":"g","h":7}"#
    );
    let again = root.get("e").unwrap();
    let first = root.get("a").unwrap();
    assert_eq!(again.span(), first.span());
    let quote = |node: Node<'_>| node.get("c").unwrap().text().unwrap().to_source(2..3);
    assert_eq!(quote(again), quote(first));
    // The span of a member with an alias is that of its key.
    let member = root.members().find(|one| one.is_named("e")).unwrap();
    assert_eq!(member.span().slice(text), "e");
    let tree = &parsed.documents[0];
    assert_eq!(tree.pointers().pointer(tree, again.get("b").unwrap().id()), "/e/b");
}

#[test]
fn an_alias_of_nothing_or_of_itself_is_a_fault() {
    let text = "a: &x {b: *x}\nc: *later\nd: &later 1\n";
    assert_eq!(faults(text), [(Fault::UnknownAlias, "*x"), (Fault::UnknownAlias, "*later")]);
    assert_eq!(json(text), r#"{"a":{"b":?},"c":?,"d":1}"#);
    let errors = read(text).errors;
    assert_eq!(errors[0].message(text), "`*x` refers to a value that contains it");
    assert_eq!(errors[1].message(text), "`*later` has no anchor: there is no `&later` before it");
    // Anchors are of their document.
    assert_eq!(faults("a: &x 1\n---\nb: *x\n"), [(Fault::UnknownAlias, "*x")]);
}

#[test]
fn merging_adds_what_is_not_said_already() {
    let base = "base: &b {x: 1, y: 2}\nmore: &m {y: 3, z: 4}\n";
    let merged = |text: &str| {
        let text = format!("{base}{text}");
        let parsed = read(&text);
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        written(parsed.documents[0].root().unwrap().get("c").unwrap())
    };
    assert_eq!(merged("c:\n  <<: *b\n  y: 9\n"), r#"{"y":9,"x":1}"#);
    assert_eq!(merged("c:\n  y: 9\n  <<: *b\n"), r#"{"y":9,"x":1}"#);
    assert_eq!(merged("c: {<<: [*m, *b]}\n"), r#"{"y":3,"z":4,"x":1}"#);
    assert_eq!(merged("c: {<<: {q: 1}, <<: *b}\n"), r#"{"q":1,"x":1,"y":2}"#);
    // Merged into what is merged.
    assert_eq!(merged("d: &d {<<: *b, w: 0}\nc: {<<: *d}\n"), r#"{"w":0,"x":1,"y":2}"#);
    assert_eq!(merged("c: {<<: {<<: {<<: *b}, y: 5}}\n"), r#"{"y":5,"x":1}"#);
    // In quotes it is a name as any other.
    assert_eq!(merged("c: {'<<': 1}\n"), r#"{"<<":1}"#);
    // Names that are repeated stay visible where they are, and the last counts where they are merged.
    assert_eq!(json("a: &a {x: 1, x: 2}\nb: {<<: *a}"), r#"{"a":{"x":1,"x":2},"b":{"x":2}}"#);

    for wrong in ["1", "[*b, 1]", "*n", "text"] {
        let text = format!("{base}n: &n 1\nc: {{<<: {wrong}, q: 1}}\n");
        let parsed = read(&text);
        assert_eq!(parsed.errors.len(), 1, "{wrong}");
        assert_eq!(parsed.errors[0].kind, Fault::MergeNotObject, "{wrong}");
        assert!(parsed.documents[0].root().unwrap().get("c").unwrap().is_incomplete());
    }
    let text = "a: {<<: *b, c: 1}";
    assert_eq!(faults(text), [(Fault::UnknownAlias, "*b")]);
    assert!(read(text).documents[0].root().unwrap().get("a").unwrap().is_incomplete());
}

#[test]
fn tags_are_checked_against_their_values() {
    assert_eq!(
        json(
            "[!!str 1, !!int '1', !!float 1, !!null '', !!bool \"true\", ! 1, !!str , !!map {}, !!seq []]"
        ),
        r#"["1",1,1,null,true,"1","",{},[]]"#
    );
    assert_eq!(faults("[!!str 1, !!int '1', !!float 1, !!null '', ! 1, !!map {}, !!seq []]"), []);
    for (text, tag) in [
        ("!!int x", "!!int"),
        ("!!int 1.5", "!!int"),
        ("!!bool yes", "!!bool"),
        ("!!map x", "!!map"),
        ("!!seq {}", "!!seq"),
        ("!!str []", "!!str"),
    ] {
        assert_eq!(faults(text), [(Fault::TagMismatch, tag)], "{text}");
    }
    for tag in ["!mine", "!!binary", "!!timestamp", "!<tag:example.com,2000:x>"] {
        let text = format!("a: {tag} x");
        assert_eq!(faults(&text), [(Fault::UnknownTag, tag)]);
        let parsed = read(&text);
        let value = parsed.documents[0].root().unwrap().get("a").unwrap();
        assert!(value.is_faulty() && value.as_str().as_deref() == Some("x"));
    }
    // The core tags by another spelling.
    assert_eq!(json("%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1\n"), r#"{"a":"1"}"#);
}

#[test]
fn names_are_text() {
    let text = "1: a\ntrue: b\n[c]: d\n? {e: f}\n: g\n: h\n~: i\n'': j\n";
    assert_eq!(
        faults(text),
        [
            (Fault::NameNotText, "[c]"),
            (Fault::NameNotText, "{e: f}"),
            (Fault::NameNotText, ""),
            (Fault::NameNotText, "~"),
        ]
    );
    let parsed = read(text);
    let root = parsed.documents[0].root().unwrap();
    assert!(root.is_incomplete());
    let names: Vec<_> =
        root.members().map(|one| (one.name().into_owned(), one.key.is_faulty())).collect();
    let expected = [("1", false), ("true", false), ("[c]", true), ("{e: f}", true)];
    assert_eq!(names[..4], expected.map(|(name, faulty)| (name.to_owned(), faulty)));
    assert_eq!(root.members().count(), 7);

    let text = "prompt: {{name}}\n";
    let error = &read(text).errors[0];
    assert_eq!(error.message(text), "text that begins with `{{` needs quotes in YAML");
    assert_eq!(error.help(text).as_deref(), Some("write `\"{{name}}\"`"));
}

#[test]
fn numbers_that_json_lacks_are_faults() {
    let text = "[.inf, -.INF, .nan, 0xffffffffffffffffffffffffffffffffff]";
    assert_eq!(faults(text).len(), 4);
    assert!(faults(text).iter().all(|(kind, _)| *kind == Fault::NotFinite));
    assert_eq!(json(text), "[?,?,?,?]");
}
