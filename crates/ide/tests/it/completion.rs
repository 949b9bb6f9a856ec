use voxlint::syntax::Format;
use voxlint_ide::{Completion, CompletionOptions, File, complete, complete_configuration};

use crate::support::{inputs, places, unmarked};

/// The maximum number of completions of one place that the snapshot shows.
const SHOWN: usize = 6;

fn line(completion: &Completion) -> String {
    let Completion { label, kind, detail, edit, additional, is_snippet, sort, filter, .. } =
        completion;
    let detail = detail.as_deref().unwrap_or("-");
    let mark = if *is_snippet { " snippet" } else { "" };
    let more: Vec<String> =
        additional.iter().map(|edit| format!(" +{:?}@{}", edit.text, edit.span.start)).collect();
    let filter = filter.as_deref().map(|filter| format!(" filter {filter}")).unwrap_or_default();
    format!(
        "{sort:3} {label} ({kind:?}, {detail}): {}..{}{mark} {:?}{}{filter}\n",
        edit.span.start,
        edit.span.end,
        edit.text,
        more.concat()
    )
}

fn shown(marked: &str, list: &[Completion]) -> String {
    let mut text = format!("=== {} ({} completions)\n", marked.replace('\n', "⏎"), list.len());
    let is_near = |it: &&Completion| {
        let (text, offset) = unmarked(marked);
        let typed = text.get(it.edit.span.start as usize..offset as usize).unwrap_or_default();
        let filter = it.filter.as_deref().unwrap_or(&it.label);
        filter.starts_with(typed.trim_end())
    };
    for completion in list.iter().filter(is_near).take(SHOWN) {
        text.push_str(&line(completion));
    }
    text.push('\n');
    text
}

fn list_at(format: Format, marked: &str, snippets: bool) -> Vec<Completion> {
    let (text, offset) = unmarked(marked);
    let inputs = inputs(&text, format);
    complete(File::new(&inputs), offset, CompletionOptions { snippets })
}

#[test]
fn completions_fit_their_place() {
    for snippets in [false, true] {
        let shown: Vec<String> = places(include_str!("../places/completion.txt"))
            .iter()
            .map(|(format, marked)| shown(marked, &list_at(*format, marked, snippets)))
            .collect();
        let name = if snippets { "completions-snippets" } else { "completions-plain" };
        voxlint_testing::assert_snapshot("ide", name, &shown.concat());
    }
}

#[test]
fn completions_of_the_configuration_fit_their_place() {
    let places = [
        "‸",
        "[‸]",
        "[ru‸",
        "[rules]\nunknown-f‸\n",
        "[rules]\nunknown-field = \"‸\"\n",
        "[rules]\nunknown-field = { ‸ }\n",
        "[readings]\nempty-‸\n",
        "[readings.‸\n",
        "[readings]\nempty-ids = \"‸\"\n",
        "[readings]\nempty-ids = { value = \"‸\" }\n",
        "[readings]\nempty-ids = { ‸ }\n",
        "[rules.‸]\n",
        "[[documents]]\nkind = ‸\n",
        "[[documents]]\n‸\n",
        "[[documents]]\ntext_files = { ‸ }\n",
        "[[suppressions]]\nrules = \"out-‸\"\n",
        "[[suppressions]]\nrules = [\"out-of-range\", ‸]\n",
        "[[suppressions]]\npointer = \"/kb‸\"\n",
        "[[house_rules]]\nlevel = \"‸\"\n",
        "[[overrides]]\nfiles = \"x\"\nrules = { ‸ }\n",
    ];
    let list = places.map(|marked| {
        let (text, offset) = unmarked(marked);
        let list = complete_configuration(&text, offset, CompletionOptions { snippets: false });
        assert!(!list.is_empty(), "{marked}");
        shown(marked, &list)
    });
    voxlint_testing::assert_snapshot("ide", "completions-configuration", &list.concat());
}

#[test]
fn a_document_of_answers_has_no_completions() {
    let text = r#"{ "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent",  }"#;
    let inputs = voxlint::Inputs::new(voxlint::Document::parse(text));
    let inputs = inputs.kind(voxlint::DocumentKind::Agent);
    assert!(complete(File::new(&inputs), 62, CompletionOptions::default()).is_empty());
}

#[test]
fn rules_about_syntax_come_last_in_a_suppression() {
    let (text, offset) = unmarked("kb_max_chunks: 12 # voxlint-ignore ‸\n");
    let inputs = inputs(&text, Format::Yaml);
    let list = complete(File::new(&inputs), offset, CompletionOptions::default());
    let is_syntax: Vec<bool> = list
        .iter()
        .map(|it| voxlint::rules::find(&it.label).is_some_and(voxlint::Rule::is_syntax))
        .collect();
    assert!(is_syntax.contains(&true) && is_syntax.contains(&false));
    assert!(is_syntax.is_sorted(), "{is_syntax:?}");
}
