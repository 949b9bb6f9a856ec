//! Plans in every form, with hostile texts and many agents.

use crate::readers::{html_elements, plan_comment};
use crate::support::{seed, steers};
use proptest::prelude::*;
use voxlint::{Document, Inputs, Plan, PlanInputs, Stored, plan, plan_agent};
use voxlint_report::{
    FailedFile, PlanFormat, PlanReport, PlannedDocument, RenderOptions, SkippedFile, write_plan,
};
use voxlint_testing::texts::lines;

/// The most characters of a comment on GitHub.
const LIMIT: usize = 65_536;

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[ -~]{0,12}",
        6 => proptest::sample::select(lines(include_str!("../words/plan-trouble.txt"))).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => (60..300_usize).prop_map(|count| "x".repeat(count)),
    ];
    proptest::collection::vec(piece, 1..14).prop_map(|pieces| pieces.concat())
}

/// An agent whose draft differs from the document in a title, a prompt and a function.
fn agent(name: &str, old: &str, new: &str) -> voxlint::AgentPlan {
    let text = |text: &str| serde_json::to_string(text).unwrap();
    let settings = |words: &str, id: &str| {
        format!(
            r#""version_number": 3, "title": {0}, "prompt_text": {1}, "inbound_phone_number_id": {2},
               "agent_functions": [{{ "displayName": {0}, "type": "end_call", "description": {0}, "config": {{}} }}]"#,
            text(words),
            text(&format!("{words}\n{words} {id}, and a line that stays.\n")),
            text(&format!("pn_{words}")),
        )
    };
    let stored = format!(
        r#"{{ "agent": {{ "id": {0}, "agent_type": "Single_Prompt_Agent", "versions": [{{ "version_number": 3, "is_published": false }}] }},
              "version": {{ {1}, "is_published": false }}, "complete": true }}"#,
        text(&format!("ag_{old}")),
        settings(old, "a"),
    );
    let base = Stored::new(Document::parse(stored.replace("a line that stays", "the base")));
    let document = format!("{{ {}, \"is_published\": true }}", settings(new, "b"));
    let inputs = Inputs::new(Document::parse(document));
    plan_agent(
        &PlanInputs::new(name, inputs.stored(Stored::new(Document::parse(stored)))).base(base),
    )
}

fn written(format: PlanFormat, report: &PlanReport<'_>, options: &RenderOptions) -> String {
    let mut out = Vec::new();
    write_plan(&mut out, format, report, options).unwrap();
    String::from_utf8(out).unwrap()
}

/// The plan of two documents that claim the same number, one of which has its text, with failed and skipped files. `check`
/// gets each form, and how many bodies are sent.
fn forms(name: &str, old: &str, new: &str, check: impl Fn(PlanFormat, &str, usize)) {
    let name = if name.is_empty() { "a" } else { name };
    let other = format!("{name}2");
    let whole: Plan = plan(vec![agent(name, old, new), agent(&other, new, new)]);
    let text = format!("{{ \"x\": \"{}\" }}", old.replace(['"', '\\'], ""));
    let documents =
        [PlannedDocument { name, path: name, text: &text, position: None, related_files: &[] }];
    let skipped = [SkippedFile { path: name.to_owned(), why: old.to_owned() }];
    let failed = [FailedFile { path: name.to_owned(), message: new.to_owned() }];
    let report = PlanReport {
        documents: &documents,
        skipped: &skipped,
        failed: &failed,
        ..PlanReport::new(&whole)
    };
    for format in PlanFormat::ALL {
        for width in [20, 80] {
            let options = RenderOptions { width, ..RenderOptions::default() };
            check(format, &written(format, &report, &options), whole.order.len());
        }
    }
}

proptest! {
    // The same cases every time; PROPTEST_RNG_SEED tries others, and VOXLINT_CASES more.
    #![proptest_config(ProptestConfig {
        cases: voxlint_testing::cases(60, 600) as u32, failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default()
    })]

    #[test]
    fn no_text_breaks_a_form_of_a_plan(name in hostile(), old in hostile(), new in hostile()) {
        forms(&name, &old, &new, |format, output, sent| {
            let steering = output.chars().find(|c| !matches!(c, '\n' | '\t') && steers(*c));
            assert!(steering.is_none(), "{format}: {steering:?} in {output}");
            for line in output.split('\n') {
                assert!(!line.trim_start().starts_with("::"), "{format}: {line}");
                assert!(!line.contains("##[") && !line.contains("##vso["), "{format}: {line}");
            }
            match format {
                PlanFormat::Html => assert!(html_elements(output).len() > 20),
                PlanFormat::Markdown => {
                    assert!(output.chars().count() <= LIMIT);
                    let comment = plan_comment(output);
                    assert_eq!(comment.details, 2 + usize::from(sent > 1), "{output}");
                    assert_eq!(comment.rows, 2, "{output}");
                }
                PlanFormat::Json => {
                    let plan: serde_json::Value = serde_json::from_str(output).unwrap();
                    assert_eq!(plan["agents"].as_array().unwrap().len(), 2);
                }
                PlanFormat::Full => {}
            }
        });
    }
}

#[test]
fn a_comment_fits_and_leaves_out_the_least_dangerous_agents_first() {
    let stored = |title: &str, words: &str| {
        let stored = format!(
            r#"{{ "agent": {{ "id": "ag", "agent_type": "Single_Prompt_Agent", "versions": [{{ "version_number": 3, "is_published": false }}] }},
                  "version": {{ "version_number": 3, "is_published": false, "title": "{title}", "prompt_text": "{words}" }}, "complete": true }}"#
        );
        Stored::new(Document::parse(stored))
    };
    let lines = "a line of a prompt that is as long as those of people\\n".repeat(60);
    for count in [1, 20, 900] {
        let agents = (0..count).map(|index| {
            // The last agents by name are the dangerous ones.
            let publishes = index >= count - count / 10;
            let document = format!(
                r#"{{ "version_number": 3, "is_published": {publishes}, "title": "new", "prompt_text": "{}" }}"#,
                lines.replace("line", "row")
            );
            let inputs = Inputs::new(Document::parse(document)).stored(stored("old", &lines));
            plan_agent(&PlanInputs::new(format!("agents/{index:04}.json"), inputs))
        });
        let plan = plan(agents.collect());
        let output =
            written(PlanFormat::Markdown, &PlanReport::new(&plan), &RenderOptions::default());
        assert!(output.chars().count() <= LIMIT, "{count}: {}", output.chars().count());
        let comment = plan_comment(&output);
        let summaries: Vec<&str> =
            output.lines().filter(|line| line.starts_with("<summary>")).collect();
        assert_eq!(summaries.len(), comment.details);
        // The order to send is folded as well.
        let summaries = summaries.get(usize::from(count > 1)..).unwrap_or_default();
        let dangerous = summaries.iter().filter(|line| line.contains("dangerous")).count();
        let is_sorted = summaries.iter().skip(dangerous).all(|line| !line.contains("dangerous"));
        assert!(is_sorted, "{summaries:?}");
        match count {
            1 => assert!(!output.contains("not shown") && comment.diffs == 1, "{output}"),
            20 => assert!(output.contains("not shown with the changed words"), "{output}"),
            _ => {
                assert!(output.contains("agents not shown in detail"), "{output}");
                assert!(output.contains("agents not shown in the table"), "{output}");
                assert!(summaries[0].contains("agents/0810.json"), "{summaries:?}");
            }
        }
    }
}

#[test]
fn a_finding_without_its_document_has_no_excerpt_but_is_shown() {
    let plan = plan(vec![agent("a.json", "one", "same"), agent("b.json", "two", "same")]);
    assert!(plan.agents.iter().any(|agent| !agent.findings.is_empty()));
    let report = PlanReport::new(&plan);
    for format in PlanFormat::ALL {
        let output = written(format, &report, &RenderOptions::default());
        assert!(output.contains("phone-number-claimed-twice"), "{format}: {output}");
        assert!(!output.contains("╭─") && !output.contains(":1:1"), "{format}: {output}");
    }
}

/// Two documents without stored configurations: whether they are for the same agent is not known.
#[test]
fn undecided_rules_are_shown_and_counted_in_every_form() {
    let document =
        r#"{ "version_number": 3, "inbound_phone_number_id": "pn_desk", "is_published": true }"#;
    let agents = ["a.json", "b.json"]
        .map(|name| plan_agent(&PlanInputs::new(name, Inputs::new(Document::parse(document)))));
    let plan = plan(agents.into());
    let undecided: Vec<_> = plan.agents.iter().flat_map(|agent| &agent.undecided).collect();
    assert!(!undecided.is_empty());
    let report = PlanReport::new(&plan);
    for format in PlanFormat::ALL {
        let output = written(format, &report, &RenderOptions::default());
        for entry in &undecided {
            assert!(output.contains(&*entry.rule.id), "{format}: {} in {output}", entry.rule.id);
        }
        let count = undecided.len();
        let counted = match format {
            PlanFormat::Json => format!("\"undecided\": {count}"),
            _ => voxlint::counted(count as u64, "check") + " undecided",
        };
        assert!(output.contains(&counted), "{format}: {counted} in {output}");
    }
}

/// An agent with these settings in its draft, which the document and perhaps the service have changed.
fn edited(name: &str, base: &str, stored: &str, document: &str) -> voxlint::AgentPlan {
    let state = |settings: &str| {
        let text = format!(
            r#"{{ "agent": {{ "id": "ag_{name}", "agent_type": "Single_Prompt_Agent", "versions": [{{ "version_number": 3, "is_published": false }}] }},
                  "version": {{ "version_number": 3, "is_published": false, {settings} }}, "complete": true }}"#
        );
        Stored::new(Document::parse(text))
    };
    let document = Document::parse(format!(r#"{{ "version_number": 3, {document} }}"#));
    let inputs = Inputs::new(document).stored(state(stored));
    plan_agent(&PlanInputs::new(name, inputs).base(state(base)))
}

/// By name they would be in the opposite order.
#[test]
fn dangerous_agents_are_in_the_order_of_their_danger() {
    let same = r#""title": "Desk", "prompt_text": "Be brief.""#;
    let publishes = edited("a", same, same, r#""title": "Front desk", "is_published": true"#);
    let empties = edited("b", same, same, r#""prompt_text": "", "is_published": true"#);
    let conflict = edited(
        "c",
        same,
        r#""title": "Lobby", "prompt_text": "Be brief.""#,
        r#""title": "Front desk""#,
    );
    let plan = plan(vec![publishes, empties, conflict]);
    assert!(plan.agents.iter().all(voxlint::AgentPlan::has_danger));
    for format in PlanFormat::ALL.into_iter().filter(|format| *format != PlanFormat::Json) {
        let output = written(format, &PlanReport::new(&plan), &RenderOptions::default());
        let (before, after) = match format {
            PlanFormat::Html => ("\">", "</h3>"),
            PlanFormat::Markdown => ("<summary><code>", "</code>"),
            _ => (": ", " (ag_"),
        };
        let places = ["c", "b", "a"].map(|name| output.find(&format!("{before}{name}{after}")));
        assert!(places.iter().all(Option::is_some), "{format}: {output}");
        assert!(places.is_sorted(), "{format}: {output}");
    }
}

/// The table of a page has the columns of the one in a comment, and a narrow page hides none of the numbers.
#[test]
fn the_table_of_a_page_counts_what_was_changed_in_the_service() {
    let agent =
        edited("a", r#""title": "Desk""#, r#""title": "Lobby""#, r#""title": "Front desk""#);
    let plan = plan(vec![agent]);
    let page = written(PlanFormat::Html, &PlanReport::new(&plan), &RenderOptions::default());
    assert!(page.contains(">Changed in the service</th>"), "{page}");
    let cell = r#"<td role="cell" class="number c-bad">1<span class="unit"> changed in the service</span></td>"#;
    assert!(page.contains(cell), "{page}");
    assert!(
        page.contains(r#"<td role="cell" class="number">1<span class="unit"> changed</span></td>"#),
        "{page}"
    );
    assert!(!page.contains("class=\"number wide"), "{page}");
}

/// No reviewer has to open another form to see what is sent first.
#[test]
fn a_comment_has_the_order_to_send() {
    let same = r#""title": "Desk""#;
    let order = |count: usize| {
        let agents = (0..count).map(|index| {
            edited(&format!("agents/{index:04}"), same, same, r#""title": "Front desk""#)
        });
        let plan = plan(agents.collect());
        written(PlanFormat::Markdown, &PlanReport::new(&plan), &RenderOptions::default())
    };
    let list = "<details>\n<summary>Order to send: 2 agents</summary>\n\n1. <code>agents/0000</code>\n2. <code>agents/0001</code>\n\n</details>\n";
    assert!(order(2).contains(list), "{}", order(2));
    assert!(!order(1).contains("Order to send"), "{}", order(1));
    let many = order(900);
    assert!(many.contains(" more agents\n\n</details>"), "{many}");
    assert!(many.chars().count() <= LIMIT);
}

fn form(format: PlanFormat, agents: Vec<voxlint::AgentPlan>) -> String {
    written(format, &PlanReport::new(&plan(agents)), &RenderOptions::default())
}

/// The number of dangerous changes in the table is that of the marks in the details, whatever has changed where.
#[test]
fn a_conflict_has_one_mark_and_the_table_counts_the_marks() {
    let states = ["\"Desk\"", "\"Bar\"", "\"Spa\""];
    let phones = ["\"pn_a\"", "\"pn_b\"", "\"\""];
    let mut marked = 0;
    for (at, base) in states.iter().enumerate() {
        for stored in states {
            for (desired, phone) in states.iter().zip(phones.iter().cycle().skip(at)) {
                let state = |title: &str, phone: &str| {
                    format!(r#""title": {title}, "inbound_phone_number_id": {phone}"#)
                };
                let base = state(base, phones[0]);
                let agents = || {
                    vec![edited("a.json", &base, &state(stored, phones[0]), &state(desired, phone))]
                };
                let comment = form(PlanFormat::Markdown, agents());
                let Some(row) = comment.lines().find(|line| line.starts_with("| <code>a.json"))
                else {
                    continue;
                };
                let count = row.split('|').nth(4).unwrap().trim().trim_matches('*');
                let marks = comment.matches("- **dangerous**: ").count();
                assert_eq!(count.parse().unwrap_or(0), marks, "{comment}");
                let text = form(PlanFormat::Full, agents());
                let in_text = text.lines().filter(|line| line.starts_with("  ! ")).count();
                let is_refused = text.starts_with("refused");
                assert!(is_refused || in_text == marks, "{text}");
                marked += marks;
            }
        }
    }
    assert!(marked > 20, "{marked}");
}

#[test]
fn an_inserted_function_is_an_insertion_and_not_a_rename_of_the_next_one() {
    let function = |name: &str, about: &str| {
        format!(
            r#"{{ "displayName": "{name}", "type": "end_call", "description": "{about}", "config": {{}} }}"#
        )
    };
    let state = |functions: &[String]| format!(r#""agent_functions": [{}]"#, functions.join(", "));
    let old = state(&[function("end", "At the end of the call")]);
    let new = state(&[
        function("stop", "At a rude word"),
        function("end", "At the very end of the call"),
    ]);
    for format in [PlanFormat::Full, PlanFormat::Markdown] {
        let shown = form(format, vec![edited("a.json", &old, &old, &new)]);
        let of_name = |name: &str| {
            shown.lines().find(|line| line.contains("displayName") && line.contains(name))
        };
        assert!(of_name("stop").unwrap().trim_start().starts_with('+'), "{shown}");
        assert!(of_name("end").is_none_or(|line| !line.contains("[-")), "{shown}");
        assert!(!shown.contains("[-end-]") && !shown.contains("-  \"displayName\""), "{shown}");
    }
}

/// Of each changed text, either the sentence quotes both values or the changed words are shown.
#[test]
fn a_changed_text_of_any_length_shows_what_changes() {
    for length in 1..90 {
        let filler = "x".repeat(length);
        let state = |word: &str| format!(r#""title": "{word} {filler}""#);
        let [old, new] = ["Alpha", "Omega"].map(state);
        let shown = form(PlanFormat::Full, vec![edited("a.json", &old, &old, &new)]);
        assert!(shown.contains("Alpha") && shown.contains("Omega"), "{shown}");
    }
}

#[test]
fn a_page_has_no_tile_for_what_does_not_occur() {
    let [old, new] = ["Desk", "Bar"].map(|title| format!(r#""title": "{title}""#));
    let page = form(PlanFormat::Html, vec![edited("a.json", &old, &old, &new)]);
    assert!(
        !page.contains("without a stored configuration") && !page.contains("to publish"),
        "{page}"
    );
}
