use crate::prelude::*;

rule! {
    /// A value without quotes means one thing in YAML 1.2 and another to older readers, or to people.
    ///
    /// voxlint reads YAML 1.2, where `on` and `yes` are text, `012` is twelve and `1:30` is text. YAML 1.1, which many tools
    /// still use, reads them as true, as ten and as ninety, and dates as dates. And `+14155552600` is a number in both,
    /// without its `+`. With quotes a value is always the text that it looks like. A value that has the wrong type for its
    /// field is reported by `wrong-type` only.
    ///
    /// ```yaml,advice
    /// version_number: 3
    /// title: on
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "on" }
    /// ```
    "yaml-ambiguous-value": Document {
        group: Correctness,
        basis: Inferred("The service never sees YAML, and YAML readers differ."),
        section: "1",
        status: 400 or 404,
        fix: Unsafe("Puts the text in quotes, so that every reader reads the text that this document means in YAML 1.2. Numbers are left alone."),
        properties: [YieldsToWrongType],
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    if !document.format().is_yaml() {
        return Verdicts::none();
    }
    let mut verdicts = Verdicts::none();
    for node in document.tree().nodes().filter(|node| node.is_plain()) {
        check_value(node, kind, &mut verdicts);
    }
    verdicts
}

fn check_value(node: Node<'_>, kind: DocumentKind, verdicts: &mut Verdicts) {
    let source = node.source();
    let what = match node.kind() {
        Kind::String | Kind::Key if is_flag(source) => "true or false",
        Kind::String if is_grouped(source) => "a number",
        Kind::String if is_sexagesimal(source) => "a number of seconds or minutes",
        Kind::String if is_date(source) => "a date",
        Kind::Number if is_octal(source) => "an octal number",
        Kind::Number if source.starts_with('+') => {
            let finding = Finding::new(
                Place::of(Origin::Document, node),
                format!("YAML reads {} as a number and drops the `+`", quote(source)),
            )
            .help("put it in quotes if it is a phone number or other text");
            verdicts.add(finding.advice());
            return;
        }
        _ => return,
    };
    let finding = Finding::new(
        Place::of(Origin::Document, node),
        format!("YAML 1.1 reads {} as {what}", quote(source)),
    )
    .help(match node.kind() {
        Kind::Number => "remove the leading zero, or put it in quotes if it is text",
        _ if is_flag(source) => "put it in quotes if it is text, or write true or false",
        _ => "put it in quotes",
    });
    let quoted = node.as_str().filter(|_| node.kind() != Kind::Number).map(|text| {
        ProposedFix::replace(
            "put it in quotes",
            Safety::Unsafe,
            Place::of(Origin::Document, node),
            Replacement::Text(text.into_owned()),
        )
    });
    verdicts.add(finding.fix(quoted).advice());
    if kind.is_sent() && node.kind() != Kind::Key {
        verdicts.add(Verdict::Undecidable(
            "the value that is sent depends on whether the reader of the file follows YAML 1.1 or YAML 1.2"
                .into(),
        ));
    }
}

fn is_flag(text: &str) -> bool {
    ["y", "n", "yes", "no", "on", "off"].iter().any(|flag| text.eq_ignore_ascii_case(flag))
}

/// `012`, which is ten in octal.
fn is_octal(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|it| it.is_ascii_digit())
}

/// `1_000`.
fn is_grouped(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    digits.contains('_')
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|it| it.is_ascii_digit() || it == b'_')
}

/// `1:30`.
fn is_sexagesimal(text: &str) -> bool {
    let parts: Vec<&str> = text.trim_start_matches(['+', '-']).split(':').collect();
    parts.len() > 1
        && parts
            .iter()
            .all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|it| it.is_ascii_digit()))
}

/// `2026-03-02`, with or without a time.
fn is_date(text: &str) -> bool {
    let date = text.split(['T', 't', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = date.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    matches!(lengths.as_slice(), [4, 1..=2, 1..=2])
        && parts.iter().all(|part| part.bytes().all(|it| it.is_ascii_digit()))
}
