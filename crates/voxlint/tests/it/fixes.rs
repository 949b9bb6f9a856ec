//! The laws of fixes, over all fixtures and generated documents in every format:
//!
//! - the edits of a fixed document are those between its first and its last text, and nothing else differs;
//! - fixing twice is fixing once;
//! - each fix that a report offers changes values only at the pointers that it states, and adds no error and no possible
//!   rejection of any rule at any pointer, unless a syntax error had hidden it, or a possible rejection takes the place of an error;
//! - after safe fixes, every value has the same text, whatever its type, but for white space, invisible spaces, and repeated and
//!   empty keywords and list items; every template renders to the same text but for invisible spaces; and an update
//!   without errors and possible rejections gets the same answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::support::format_of;
use voxlint::fixes::{Fixed, MAX_ROUNDS, fix};
use voxlint::syntax::edit::apply;
use voxlint::syntax::{Format, Kind, Node, parse};
use voxlint::{
    Cancellation, Diagnostic, Document, DocumentKind, Facts, Family, Fix, Inputs, Origin,
    RenderedText, Report, Safety, Severity, Source, Stored, TextEdit, VerdictKind, check, predict,
    render, rules,
};
use voxlint_model::cancellation::checkpoint;
use voxlint_testing::generated_inputs::{GeneratedInputs, Random};
use voxlint_testing::writers::WRITERS;
use voxlint_testing::{case_files, cases, files_below};

/// Every fixture that is a document, with what is beside it.
pub(crate) fn fixtures() -> Vec<(String, Inputs)> {
    let related = |path: &std::path::Path, extension: &str| {
        fs::read(path.with_extension(extension))
            .ok()
            .map(|bytes| Document::parse(Source::from_bytes(bytes)))
    };
    let mut paths: Vec<_> = case_files().into_iter().map(|case| case.path).collect();
    for folder in ["fixtures/agents", "fixtures/realistic", "fixtures/team"] {
        for extension in ["json", "yaml", "toml", "jsonc"] {
            paths.extend(files_below(folder, extension));
        }
    }
    paths
        .into_iter()
        .map(|path| {
            let source = Source::from_bytes(fs::read(&path).expect("a fixture"));
            let inputs = Inputs::new(Document::parse_as(source, format_of(&path)))
                .stored(related(&path, "stored.json").map(Stored::new))
                .facts(related(&path, "facts.json").map(Facts::new))
                .optional_rules(true);
            (path.display().to_string(), inputs)
        })
        .collect()
}

/// Generated documents with mistakes in their text and their values, in a format.
fn generated(format: Format, write: impl Fn(Node<'_>) -> Option<String>) -> Vec<(String, Inputs)> {
    let mut all = Vec::new();
    for seed in 0..cases(28, 80) {
        let mut random = Random::new(seed);
        let [text, stored, _] = GeneratedInputs::any(&mut random).texts();
        // What a format cannot express is left out.
        let mut written = |share, most| {
            let parsed = parse(with_slips(&text, &mut random, share, most), Format::Json);
            parsed.documents[0].root().and_then(&write)
        };
        // Texts with a slip everywhere take the longest.
        let many = if seed % (24 / cases(1, 3)) == 0 { written(90, usize::MAX) } else { None };
        let Some(text) = many.or_else(|| written(30, FEW)) else { continue };
        let stored = (!stored.is_empty()).then(|| Stored::new(Document::parse(stored)));
        let inputs = Inputs::new(Document::parse_as(text, format)).stored(stored);
        all.push((format!("{format} {seed}"), inputs.optional_rules(true)));
    }
    all
}

/// The rules that find the slips in every format, and offer fixes for them.
const SLIPS_EVERYWHERE: &[&str] = &[
    "boosted-keyword-listed-twice",
    "keyword-spacing",
    "knowledge-base-listed-twice",
    "text-outer-whitespace",
    "unknown-field",
    "unknown-time-zone",
    "wrong-type",
];

/// The others. A writer may spell a text so that no fix of its characters fits, or not have the value.
const SLIPS_OF_JSON: &[&str] =
    &["invisible-character", "mustache-spacing", "template-syntax-error", "unknown-value"];

/// The number of mistakes that every format can express, the first ones below.
const FEW: usize = 10;

/// A document with some of the mistakes that have fixes: this share of the first `most` of them. With most of them, there are more
/// than are proven one by one.
fn with_slips(text: &str, random: &mut Random, share: usize, most: usize) -> String {
    const SLIPS: &[&str] = &[
        r#""title": " Front desk ""#,
        r#""titel": "Front desk""#,
        r#""end_call_on_silence_sec": "20""#,
        r#""is_published": "false""#,
        r#""boosted_keywords": "rate ,card,, card""#,
        r#""welcome_message": "Hi {{ name }},\u200b it is {{name}}.""#,
        r#""prompt_text": "Say \ufeffhello to {{name}""#,
        r#""knowledge_base_ids": ["kb_a", "kb_b", "kb_a"]"#,
        r#""pipeline_type": "cascaded""#,
        r#""timezone": "asia/kolkata""#,
        r#""voicemail_message": "Type \\\u200b{{name}}, {\u200b{name}} or {{\u200bname}}.""#,
        r#""call_end_text": "Bye\u200b {{name}} {\ufeff{name}}.""#,
        r#""end_call_on_silence_second": "20""#,
        r#""call_record": true"#,
        r#""outbound_numbers": ["+91 12345 67890", "+91 12345 67890"]"#,
        r#""fallback_stt_enabled": "true""#,
        r#""stt_fallback_transcriber_idd": "tr_b""#,
        r#""PromptText": "stub""#,
        r#""backchannel_keywords": "yes , okay\nright,, yes""#,
        r#""post_call_analysis": [{"field_nam": "a", "field_type": "string", "field_description": "A\u200bb"},
            {"field_name": "b", "field_type": "String", "field_descripton": "b"}]"#,
        r#""postcall_analysis": []"#,
    ];
    let mut text = text.trim_end().trim_end_matches('}').trim_end().to_owned();
    for slip in SLIPS.iter().take(most) {
        let name = slip.split(':').next().unwrap_or_default();
        if random.percent(share) && !text.contains(name) {
            text = format!("{}{}\n  {slip}", text, if text.ends_with('{') { "" } else { "," });
        }
    }
    text + "\n}"
}

/// The errors and possible rejections.
pub(crate) fn serious(report: &Report) -> impl Iterator<Item = &Diagnostic> {
    report
        .diagnostics
        .iter()
        .filter(|it| it.verdict != VerdictKind::Advice || it.severity == Severity::Error)
}

/// A pointer without indices.
pub(crate) fn general(pointer: &str) -> String {
    let step =
        |step: &str| if step.parse::<u32>().is_ok() { "*".to_owned() } else { step.to_owned() };
    pointer.split('/').map(step).collect::<Vec<_>>().join("/")
}

/// Whether a pointer leads to a value or into it.
fn is_within(pointer: &str, value: &str) -> bool {
    pointer.strip_prefix(value).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The errors and possible rejections after a fix that were not there before: more of a rule at a pointer. Those about the value
/// of a member that the fix renames are where the member is now.
fn new_errors<'r>(before: &Report, after: &'r Report, fix: &Fix) -> Vec<&'r Diagnostic> {
    let mut known: BTreeMap<(String, String), u32> = BTreeMap::new();
    for found in serious(before) {
        let field = match fix.changes.as_slice() {
            [old, new] if is_within(&found.field, old) && !after_has(after, old) => {
                found.field.replacen(old, new, 1)
            }
            _ => found.field.clone(),
        };
        *known.entry((found.rule.id.to_string(), general(&field))).or_default() += found.count;
    }
    let mut new = Vec::new();
    let (errors, others): (Vec<_>, Vec<_>) =
        serious(after).partition(|it| it.severity == Severity::Error);
    for found in errors.into_iter().chain(others) {
        match known.get_mut(&(found.rule.id.to_string(), general(&found.field))) {
            Some(known) if *known >= found.count => *known -= found.count,
            _ => new.push(found),
        }
    }
    new
}

fn after_has(after: &Report, pointer: &str) -> bool {
    after.diagnostics.iter().any(|found| is_within(&found.field, pointer))
}

/// Every scalar by its pointer, as text.
fn values(document: &Document, all: &mut BTreeMap<String, String>) {
    fn add(node: Node<'_>, pointer: &str, all: &mut BTreeMap<String, String>) {
        match node.kind() {
            Kind::Object => {
                all.insert(pointer.to_owned(), "{".to_owned());
                for member in node.members() {
                    let step = voxlint::pointer::escape_token(&member.name()).into_owned();
                    add(member.value, &format!("{pointer}/{step}"), all);
                }
            }
            Kind::Array => {
                all.insert(pointer.to_owned(), "[".to_owned());
                for (at, item) in node.elements().enumerate() {
                    add(item, &format!("{pointer}/{at}"), all);
                }
            }
            _ => {
                let text = node.as_str().map_or_else(|| node.source().to_owned(), Into::into);
                all.insert(pointer.to_owned(), text);
            }
        }
    }
    if let Some(root) = document.tree().root() {
        add(root, "", all);
    }
}

/// The pointers to the values that a syntax error kept from being read: a word that is not a value, a text with a broken part,
/// and the braces of a template that YAML reads as objects.
fn unread_values(document: &Document) -> Vec<String> {
    let tree = document.tree();
    let pointers = tree.pointers();
    let is_unread = |node: &Node<'_>| match node.kind() {
        Kind::Invalid => true,
        Kind::Object => node.source().starts_with("{{"),
        _ => node.kind() == Kind::String && node.is_faulty(),
    };
    let nodes = tree.root().into_iter().flat_map(|root| std::iter::once(root).chain(root.inside()));
    nodes.filter(is_unread).map(|node| pointers.pointer(tree, node.id())).collect()
}

/// The values without what is only spelling: each list of keywords or items as the distinct ones in their order. `unread` are
/// pointers to values that do not count, and neither does a list with one of them: a later item may repeat it.
fn meaning(document: &Document, unread: &[String]) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    values(document, &mut all);
    let list_of = |value: &str| -> Option<String> {
        let (list, at) = value.rsplit_once('/')?;
        at.parse::<u32>().is_ok().then(|| list.to_owned())
    };
    let unread: Vec<String> =
        unread.iter().map(|value| list_of(value).unwrap_or_else(|| value.clone())).collect();
    all.retain(|pointer, _| !unread.iter().any(|value| is_within(pointer, value)));
    let mut meaning: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (pointer, text) in all {
        let is_keywords = pointer.ends_with("keywords");
        let general = pointer.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_item = general.ends_with('/') && general.len() < pointer.len();
        let pointer = if is_item { general.to_owned() } else { pointer };
        let parts: Vec<&str> = if is_keywords { text.split(',').collect() } else { vec![&*text] };
        let entry = meaning.entry(pointer).or_default();
        for part in parts {
            let bare: String = part
                .chars()
                .filter(|c| !c.is_whitespace() && !matches!(c, '\u{200b}' | '\u{feff}'))
                .collect();
            let is_surplus = entry.contains(&bare) || (is_keywords && bare.is_empty());
            if !is_surplus {
                entry.push(bare);
            }
        }
    }
    meaning
}

/// What callers hear, without invisible spaces.
fn heard(inputs: &Inputs) -> Vec<(&'static str, String)> {
    let rendered = render(inputs, None).map(|rendered| rendered.templates).unwrap_or_default();
    rendered
        .into_iter()
        .filter_map(|template| match template.outcome {
            RenderedText::Rendered { marked, .. } => {
                Some((template.field, marked.replace(['\u{200b}', '\u{feff}'], "")))
            }
            _ => None,
        })
        .collect()
}

fn answers(inputs: &Inputs) -> Option<Vec<u16>> {
    let prediction = predict(inputs)?;
    Some(prediction.answers.iter().map(|answer| answer.status).collect())
}

/// The bytes outside the edits are the same in both texts, in the same order.
fn only_edits_differ(before: &str, after: &str, edits: &[TextEdit]) -> bool {
    let (mut at, mut now) = (0, 0);
    for edit in edits {
        let kept = &before[at..edit.span.start as usize];
        if !after[now..].starts_with(kept) || !after[now + kept.len()..].starts_with(&edit.text) {
            return false;
        }
        now += kept.len() + edit.text.len();
        at = edit.span.end as usize;
    }
    before[at..] == after[now..]
}

/// The inputs with one fix.
fn with_fix(inputs: &Inputs, fix: &Fix) -> Option<Inputs> {
    let document = inputs.document();
    if fix.origin != Origin::Document {
        return None;
    }
    let text = String::from_utf8(apply(document.text(), &fix.edits)?).ok()?;
    let edited = Document::parse_as(text, document.format());
    let (kind, fresh) = (inputs.checked_as(), inputs.clone());
    Some(fresh.with_document(edited).kind(kind))
}

fn each_fix_keeps_its_promise(label: &str, inputs: &Inputs, counts: &mut BTreeSet<String>) {
    let report = check(inputs);
    let has_errors = inputs.document().has_errors();
    for found in &report.diagnostics {
        for fix in &found.fixes {
            let Some(after) = with_fix(inputs, fix) else { continue };
            counts.insert(found.rule.id.to_string());
            let label = format!("{label}: {} of {}\n{:?}", fix.title, found.rule.id, fix.edits);
            let now = check(&after);
            // A syntax error hides what is wrong with the values, and a wrong name hides what is less than an error there.
            let (mut old, mut new) = (BTreeMap::new(), BTreeMap::new());
            values(inputs.document(), &mut old);
            values(after.document(), &mut new);
            let unread = unread_values(inputs.document());
            let is_read = |pointer: &String| !unread.iter().any(|value| is_within(pointer, value));
            let is_same = |pointer: &String| old.get(pointer) == new.get(pointer);
            let corrects_text = fix.changes.is_empty()
                && has_errors
                && old.keys().chain(new.keys()).filter(|it| is_read(it)).all(is_same);
            let was_hidden = |new: &Diagnostic| {
                let is_renamed = |name: &String| is_within(&new.field, name);
                (corrects_text && new.rule.family() != Family::Document)
                    || (new.severity < Severity::Error
                        && (fix.changes.get(1).is_some_and(is_renamed)
                            || (found.severity == Severity::Error && new.field == found.field)))
            };
            let worse = new_errors(&report, &now, fix);
            assert!(worse.iter().all(|new| was_hidden(new)), "{label}: {worse:#?}");
            if fix.changes.is_empty() {
                assert_eq!(found.rule.family(), Family::Document, "{label}");
                continue;
            }
            let is_stated = |pointer: &str| {
                fix.changes.iter().any(|stated| {
                    let list = stated.rsplit_once('/').filter(|(_, at)| at.parse::<u32>().is_ok());
                    let list = list.map_or(stated.as_str(), |(list, _)| list);
                    pointer == stated || pointer.starts_with(&format!("{list}/"))
                })
            };
            for pointer in old.keys().chain(new.keys()) {
                assert!(is_same(pointer) || is_stated(pointer), "{label}: {pointer} changed");
            }
        }
    }
}

/// What a report counts as fixable is what fixing the document fixes.
fn count_is_right(label: &str, inputs: &Inputs, safety: Safety, fixed: &Fixed) {
    let report = check(inputs);
    let found = report.diagnostics.iter();
    let (fixable, others): (Vec<_>, Vec<_>) = found.partition(|found| found.fix(safety).is_some());
    let (fixable, others): (u32, u32) =
        (fixable.len() as u32, others.iter().map(|found| found.count).sum());
    // A finding without a fix of its own may be gone with another one.
    let expected = fixable..=fixable + others;
    assert!(expected.contains(&fixed.solved), "{label} {safety}: {} of {expected:?}", fixed.solved);
}

fn fixing_holds(label: &str, inputs: &Inputs, safety: Safety) -> Fixed {
    let fixed = fix(inputs, safety, &mut |report, _| report);
    let (before, after) = (inputs.document().text(), fixed.inputs.document().text());
    let label = format!("{label} {safety}\n{before}\n--- {:#?}\n{after}", fixed.applied);
    let edited = apply(before, &fixed.edits).unwrap_or_else(|| panic!("{label}"));
    assert_eq!(String::from_utf8(edited).as_deref(), Ok(after), "{label}");
    assert!(only_edits_differ(before, after, &fixed.edits), "{label}");
    assert!(fixed.rounds < MAX_ROUNDS, "{label}");
    assert_eq!(fixed.rounds == 0, fixed.applied.is_empty(), "{label}");
    let again = fix(&fixed.inputs, safety, &mut |report, _| report);
    assert!(again.edits.is_empty() && again.applied.is_empty(), "{label}\n{:#?}", again.applied);
    assert_eq!(again.report, fixed.report, "{label}");
    fixed
}

fn safe_fixes_keep_the_meaning(label: &str, inputs: &Inputs, fixed: &Fixed) {
    let label = format!("{label}\n{:#?}\n{}", fixed.applied, fixed.inputs.document().text());
    // The document after the correction of a syntax error is the one that was read in spite of it.
    let (before, after) = (inputs.document(), fixed.inputs.document());
    let unread = unread_values(before);
    assert!(unread.is_empty() || before.has_errors(), "{label}: {unread:?}");
    assert_eq!(meaning(before, &unread), meaning(after, &unread), "{label}");
    if !inputs.document().has_errors() {
        assert_eq!(heard(inputs), heard(&fixed.inputs), "{label}");
    }
    let report = check(inputs);
    if serious(&report).next().is_none() && report.unread.is_empty() {
        assert_eq!(answers(inputs), answers(&fixed.inputs), "{label}");
    }
}

fn all_laws_hold(all: &[(String, Inputs)]) -> BTreeSet<String> {
    let mut rules = BTreeSet::new();
    for (label, inputs) in all {
        each_fix_keeps_its_promise(label, inputs, &mut rules);
        let safe = fixing_holds(label, inputs, Safety::Safe);
        safe_fixes_keep_the_meaning(label, inputs, &safe);
        count_is_right(label, inputs, Safety::Safe, &safe);
        let all = fixing_holds(label, inputs, Safety::Unsafe);
        count_is_right(label, inputs, Safety::Unsafe, &all);
    }
    rules
}

#[test]
fn fixes_of_fixtures_keep_their_promises() {
    let rules = all_laws_hold(&fixtures());
    let declared = rules::all().filter(|rule| rule.fix.is_some());
    let declared: BTreeSet<String> = declared.map(|rule| rule.id.to_string()).collect();
    assert_eq!(rules, declared);
}

#[test]
fn fixes_of_generated_documents_keep_their_promises() {
    for (name, format, writer) in WRITERS {
        let rules = all_laws_hold(&generated(format, writer));
        let missing: Vec<_> = SLIPS_EVERYWHERE.iter().filter(|it| !rules.contains(**it)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
    let rules = all_laws_hold(&generated(Format::Json, |root| Some(root.source().to_owned())));
    let slips = SLIPS_EVERYWHERE.iter().chain(SLIPS_OF_JSON);
    let missing: Vec<_> = slips.filter(|it| !rules.contains(**it)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn fixes_of_broken_texts_keep_their_promises() {
    const BREAKS: &[(&str, &str)] = &[
        (": true", ": True"),
        (": null", ": None"),
        (",\n", "\n"),
        ("\n}", ",\n}"),
        ("{", "{ // the first"),
        ("\"", "“"),
        (":", " ="),
        ("}", ""),
    ];
    let mut broken = Vec::new();
    for (seed, (label, inputs)) in
        (0..).zip(generated(Format::Json, |root| Some(root.source().to_owned())))
    {
        let mut random = Random::new(seed);
        let mut text = inputs.document().text().to_owned();
        for _ in 0..=random.below(3) {
            let (from, to) = random.pick(BREAKS);
            let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
            if !places.is_empty() {
                let at = places[random.below(places.len())];
                text.replace_range(at..at + from.len(), to);
            }
        }
        broken.push((label, inputs.with_document(Document::parse(text))));
    }
    let rules = all_laws_hold(&broken);
    assert!(rules.contains("syntax-error"), "{rules:?}");
}

/// A report lists a hundred syntax errors, and each round fixes those of its report.
#[test]
fn more_syntax_errors_than_a_report_lists_are_fixed_in_rounds() {
    let items = |item: &str, between: &str| vec![item; 250].join(between);
    let update =
        |list: String| format!("{{\"version_number\": 3, \"knowledge_base_ids\": [\n{list}]}}\n");
    let texts = [
        (Format::Json, update(items("\"kb_a\"", "\n")), 249),
        (Format::Json, update(items("{\"a\": 1,}", ",\n")), 250),
        (Format::Toml, format!("version_number = 3\n{}\n", items("[[a]]\nb = 'x',", "\n")), 250),
    ];
    for (format, text, mistakes) in texts {
        let inputs = Inputs::new(Document::parse_as(text.as_str(), format));
        let errors = |inputs: &Inputs| -> u32 {
            let report = check(inputs);
            let found = report.diagnostics.iter();
            found.filter(|found| found.rule.id == "syntax-error").map(|found| found.count).sum()
        };
        assert_eq!(errors(&inputs), mistakes, "{text}");
        let fixed = fixing_holds("many mistakes", &inputs, Safety::Safe);
        assert_eq!(errors(&fixed.inputs), 0, "{text}");
        assert!(fixed.rounds >= 3, "{}", fixed.rounds);
    }
}

#[test]
fn a_line_of_a_document_over_several_lines_has_no_fixes() {
    let part_of_document = [
        "{",
        "  \"version_number\": \"4\",",
        "  \"title\": \"x\"",
        "}",
        "  \"post_call_analysis\": [",
        "    {\"field_name\": \"a\"},",
        "  ]",
        "  \"x\",",
        "{\"post_call_analysis\": [1}",
    ];
    let fixes = |source: Source| {
        let document = Document::parse(source);
        assert!(document.has_errors(), "{}", document.text());
        let inputs = Inputs::new(document).kind(DocumentKind::Update);
        check(&inputs).diagnostics.iter().map(|it| it.fixes.len()).sum::<usize>()
    };
    for line in part_of_document {
        assert_eq!(fixes(Source::line(line.as_bytes())), 0, "{line}");
    }
    // In a file of their own, some have.
    assert!(part_of_document.iter().any(|line| fixes(Source::from(line.to_owned())) > 0));
    assert_eq!(fixes(Source::line(b"{\"version_number\": 4, \"title\": \"x\",}")), 1);
}

#[test]
fn work_that_is_cancelled_ends_before_its_next_step_and_later_work_is_done() {
    let text = "{\"version_number\": 3, \"knowledge_base_ids\": [\"kb_1\", \"kb_1\"]}";
    let inputs = Inputs::new(Document::parse(text));
    let cancellation = Cancellation::default();
    let mut reports = 0;
    let result = cancellation.run(|| {
        fix(&inputs, Safety::Unsafe, &mut |report, _| {
            reports += 1;
            cancellation.cancel();
            report
        })
    });
    assert!(result.is_none());
    assert_eq!(reports, 1);
    assert!(Cancellation::current().is_none());
    assert_eq!(Cancellation::default().run(checkpoint), Some(()));
}
