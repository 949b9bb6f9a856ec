use voxlint::syntax::edit::apply;
use voxlint::syntax::{Format, Member, Node};
use voxlint::{Document, Inputs, Report, check};
use voxlint_ide::{
    Completion, CompletionKind, CompletionOptions, File, complete, complete_configuration, hover,
    hover_configuration,
};

use crate::support::{MARK, fixtures, inputs, places, unmarked};

/// The text with a completion.
fn applied(text: &str, completion: &Completion) -> String {
    let mut edits = completion.additional.clone();
    edits.push(completion.edit.clone());
    edits.sort_by_key(|edit| edit.span);
    let bytes = apply(text, &edits).expect("edits that fit");
    String::from_utf8(bytes).expect("UTF-8")
}

/// The findings that no completion may cause.
fn faults(report: &Report) -> Vec<String> {
    const RULES: [&str; 5] =
        ["unknown-field", "unknown-value", "wrong-type", "duplicate-key", "syntax-error"];
    let is_fault = |id: &str| RULES.contains(&id);
    let found = report.diagnostics.iter().filter(|found| is_fault(&found.rule.id));
    found.map(|found| format!("{} {}: {}", found.rule.id, found.field, found.message)).collect()
}

/// Whatever is chosen as it is, the document can be read and the new field or value is one that the service knows.
#[test]
fn what_is_completed_is_allowed() {
    for (format, marked) in places(include_str!("../places/laws.txt")) {
        let (text, offset) = unmarked(&marked);
        let known = inputs(&text, format);
        let list = complete(File::new(&known), offset, CompletionOptions { snippets: false });
        assert!(!list.is_empty() || marked.contains("\"\"‸"), "{marked}");
        let step = (list.len() / 80).max(1);
        for completion in list.iter().step_by(step) {
            let new = applied(&text, completion);
            let after = inputs(&new, format);
            assert!(!after.document().has_errors(), "{format} {marked}: {new}");
            assert_eq!(faults(&check(&after)), [""; 0], "{format} {marked}: {new}");
        }
    }
}

/// What a snippet writes if nothing is filled in.
fn expanded(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\\' => text.extend(rest.next()),
            '$' if rest.next_if_eq(&'{').is_some() => {
                while rest.next_if(char::is_ascii_digit).is_some() {}
                let is_choice = rest.next() == Some('|');
                let mut is_first = true;
                while let Some(inside) = rest.next() {
                    match inside {
                        '\\' => text.extend(rest.next().filter(|_| is_first)),
                        '}' if !is_choice => break,
                        '|' if is_choice && rest.next_if_eq(&'}').is_some() => break,
                        ',' if is_choice => is_first = false,
                        _ => text.extend(Some(inside).filter(|_| is_first)),
                    }
                }
            }
            '$' => while rest.next_if(char::is_ascii_digit).is_some() {},
            _ => text.push(next),
        }
    }
    text
}

/// A snippet can be read before its places are filled in.
#[test]
fn snippets_can_be_read() {
    assert_eq!(expanded("a\\} ${1|b,c|} ${2:d}$0 \\$"), "a} b d $");
    // Here a list can only begin with a dash, which editors without snippets have no use for.
    let more = [
        (Format::Yaml, "version_number: 7\nknowledge_base_ids:\n  ‸\n".to_owned()),
        (Format::Yaml, "version_number: 7\npost_call_analysis:\n    ‸\ntitle: x\n".to_owned()),
    ];
    for (format, marked) in places(include_str!("../places/laws.txt")).into_iter().chain(more) {
        let (text, offset) = unmarked(&marked);
        let known = inputs(&text, format);
        let list = complete(File::new(&known), offset, CompletionOptions { snippets: true });
        assert!(list.iter().any(|it| it.is_snippet) || !marked.ends_with(":\n  ‸\n"), "{marked}");
        for mut completion in list.into_iter().filter(|it| it.is_snippet) {
            completion.edit.text = expanded(&completion.edit.text);
            let new = applied(&text, &completion);
            let after = inputs(&new, format);
            assert!(!after.document().has_errors(), "{format} {marked}: {new}");
            let found = faults(&check(&after));
            assert!(!found.iter().any(|it| it.starts_with("unknown")), "{format} {marked}: {new}");
        }
    }
}

/// The same for all places of realistic documents.
#[test]
fn what_is_completed_in_the_fixtures_is_allowed() {
    let mut count = 0;
    let most = voxlint_testing::cases(60, 6_000) as usize;
    for (path, format, text) in fixtures() {
        if !path.contains("fixtures/realistic/clean") && !path.contains("fixtures/team/agents") {
            continue;
        }
        let before = Inputs::new(Document::parse_as(text.as_str(), format));
        let is_sound = !before.document().has_errors() && text.len() < 6_000;
        if !is_sound || !before.checked_as().has_settings() || !faults(&check(&before)).is_empty() {
            continue;
        }
        let step = (text.len() / most).max(1);
        for offset in (0..text.len()).step_by(step) {
            let list = complete(File::new(&before), offset as u32, CompletionOptions::default());
            let step = (list.len() / 40).max(1);
            // The value of a renamed field may be one for the old name only.
            let of_document = |it: &&Completion| {
                !matches!(it.kind, CompletionKind::Variable | CompletionKind::Helper)
                    && (it.kind != CompletionKind::Field || it.edit.text.contains([':', '=']))
            };
            for completion in list.iter().filter(of_document).step_by(step) {
                let new = applied(&text, completion);
                let after = before.clone().with_document(Document::parse_as(new.as_str(), format));
                let shown = || format!("{path} at {offset}: {completion:?}");
                assert!(!after.document().has_errors(), "{}", shown());
                assert_eq!(faults(&check(&after)), [""; 0], "{}", shown());
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count}");
}

/// Every key and value that is completed in `voxlint.toml` can be read.
#[test]
fn what_is_completed_in_the_configuration_can_be_read() {
    let places = [
        "‸",
        "root = ‸\n",
        "[rules]\n‸\n",
        "[rules]\nunknown-field = ‸\n",
        "[readings]\n‸\n",
        "[readings]\nempty-ids = ‸\n",
        "[rules]\nunknown-field = { ‸ }\n",
        "[[documents]]\nfiles = \"x\"\n‸\n",
        "[[documents]]\nfiles = \"x\"\nkind = ‸\n",
        "[[documents]]\nfiles = \"x\"\ntext_files = { ‸ }\n",
        "[[suppressions]]\nrules = [‸]\n",
        "[‸]\n",
        "[[‸]]\n",
        "[[‸",
    ];
    for marked in places {
        let (text, offset) = unmarked(marked);
        for completion in complete_configuration(&text, offset, CompletionOptions::default()) {
            let new = applied(&text, &completion);
            let document = Document::parse_as(new.as_str(), Format::Toml);
            assert!(!document.has_errors(), "{marked}: {new}");
            let inputs = Inputs::new(document).kind(voxlint::DocumentKind::Configuration);
            assert_eq!(faults(&check(&inputs)), [""; 0], "{marked}: {new}");
        }
    }
}

/// No place of a half-written text panics, and every edit and span fits it.
#[test]
fn every_place_has_answers_that_fit() {
    let most = voxlint_testing::cases(6, 20) as usize;
    for (path, format, text) in fixtures() {
        let step = (text.len() / most).max(1);
        for end in (0..=text.len()).step_by(step).filter(|end| text.is_char_boundary(*end)) {
            let prefix = text.get(..end).expect("a prefix");
            let inputs = Inputs::new(Document::parse_as(prefix, format));
            let file = File::new(&inputs);
            for offset in [end as u32, (end / 2) as u32] {
                let found = hover(file, offset);
                if let Some(found) = found {
                    assert!(fits(prefix, found.span), "{path}[..{end}] {offset}: {found:?}");
                }
                for it in complete(file, offset, CompletionOptions { snippets: true }) {
                    // What editors require of the part that is replaced.
                    let replaced = it.edit.span;
                    let is_around = replaced.start <= offset && offset <= replaced.end;
                    let is_one_line = !replaced.slice(prefix).contains('\n');
                    let at = voxlint::syntax::Span::at(offset);
                    assert!(is_one_line && (is_around || !fits(prefix, at)), "{path}: {it:?}");
                    let edits = it.additional.iter().chain([&it.edit]);
                    for edit in edits {
                        assert!(fits(prefix, edit.span), "{path}[..{end}] {offset}: {it:?}");
                    }
                }
            }
            if format == Format::Toml {
                hover_configuration(prefix, end as u32);
                complete_configuration(prefix, end as u32, CompletionOptions::default());
            }
        }
    }
    assert!(!fits("a", voxlint::syntax::Span::new(0, 2)) && MARK.len_utf8() > 1);
}

fn fits(text: &str, span: voxlint::syntax::Span) -> bool {
    text.get(span.start as usize..span.end as usize).is_some()
}

/// Whether a YAML merge key brings a field from the value of another one.
fn is_merged(root: Node<'_>, member: &Member<'_>) -> bool {
    root.members().any(|other| other.value.span().contains(member.key.span()))
}

/// Every field that the tables know has a hover with its meaning.
#[test]
fn every_known_field_has_a_hover() {
    let mut count = 0;
    for (path, format, text) in fixtures() {
        let inputs = Inputs::new(Document::parse_as(text.as_str(), format));
        let kind = inputs.checked_as();
        let Some(root) = inputs.document().tree().root() else { continue };
        if inputs.document().has_errors() || text.len() > 20_000 {
            continue;
        }
        for member in root.members() {
            let Some(row) = kind.table().row(&member.name()) else { continue };
            if is_merged(root, &member) {
                continue;
            }
            let found = hover(File::new(&inputs), member.key.span().start);
            let found = found.unwrap_or_else(|| panic!("{path}: {}", member.name()));
            assert!(found.markdown.contains(&row.description()), "{path}: {found:?}");
            assert!(found.span.contains(member.key.span()), "{path}: {found:?}");
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

/// Whatever key of a document is cut short, alone or with everything after it, the completions have its name.
#[test]
fn a_key_that_is_cut_short_is_offered() {
    let mut count = 0;
    let most = voxlint_testing::cases(12, 40) as usize;
    for (path, format, text) in fixtures() {
        let document = Document::parse_as(text.as_str(), format);
        let kind = Inputs::new(document.clone()).checked_as();
        let is_sound = !document.has_errors() && kind.has_settings();
        if !is_sound || path.contains("fixtures/rules") && text.contains("{ \"update\"") {
            continue;
        }
        let tree = document.tree();
        let Some(root) = tree.root() else { continue };
        let known = |name: &str| kind.table().row(name).is_some();
        let members: Vec<_> = root
            .members()
            .filter(|member| known(&member.name()) && !is_merged(root, member))
            .collect();
        let step = (members.len() / most).max(1);
        for member in members.iter().step_by(step) {
            let name = member.name();
            let key = member.key.span();
            let source = key.slice(&text);
            let is_written = source.trim_matches(['"', '\'']) == name;
            let is_header = text.get(..key.start as usize).is_some_and(|it| it.ends_with('['));
            // Of a value that is used in several places, and of a table, the key is somewhere else.
            let is_first = member.value.span().start >= key.end;
            if !is_written || is_header || !is_first {
                continue;
            }
            let cut = key.start as usize + source.len() - name.len() + 1;
            let cut = if source.len() == name.len() { key.start as usize + 2 } else { cut };
            let head = text.get(..cut).expect("a cut inside the name");
            let line = text.get(cut..).and_then(|rest| rest.find('\n')).unwrap_or(text.len() - cut);
            let tail = text.get(cut + line..).unwrap_or_default();
            // The rest of a value over several lines would be the rest of a text of its own.
            let is_one_line = member.value.span().end as usize <= cut + line;
            for rest in ["", tail].into_iter().take(1 + usize::from(is_one_line)) {
                let half = format!("{head}{rest}");
                let inputs = Inputs::new(Document::parse_as(half.as_str(), format)).kind(kind);
                let list = complete(File::new(&inputs), cut as u32, CompletionOptions::default());
                let found = list.iter().any(|completion| *completion.label == *name);
                let twin = name.contains("analysis")
                    || root.members().filter(|it| it.is_named(&name)).count() > 1;
                assert!(found || twin, "{path}: {name} at {cut} of {half}");
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}
