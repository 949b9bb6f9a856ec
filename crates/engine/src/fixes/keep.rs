//! Keeps the fixes of a report that are proven.

use super::batch::{Batch, Candidate, affordable_proofs};
use super::guarded::demote;
use super::prove::Before;
use super::renames::drop_ambiguous;
use voxlint_model::{Inputs, Report};

/// The minimum number of proofs, however long the document is: one for safe fixes, and one for them together with the others.
const MIN_PROOFS: usize = 2;

/// The number of fixes up to which each is proven alone. More are proven together first, because a check for each of a hundred
/// takes long.
const MAX_ALONE: usize = 8;

/// Keeps the fixes of a report that are proven: each alone, or, if there are many, in a set of fixes whose edits do not touch
/// each other. A safe fix is proven together with safe ones only, and an unsafe one with those that are applied with it. What is
/// not proven then is dropped. A report without fixes costs nothing.
pub(crate) fn keep_proven(inputs: &Inputs, report: &mut Report) {
    drop_ambiguous(inputs, report);
    demote(inputs, report);
    if report.diagnostics.iter().any(|finding| !finding.fixes.is_empty()) {
        keep_proven_by(affordable_proofs(inputs, MIN_PROOFS), inputs, report);
    }
}

/// Keeps the fixes that are proven by at most so many proofs, at least one.
fn keep_proven_by(proofs: usize, inputs: &Inputs, report: &mut Report) {
    let before = Before::new(inputs, report);
    let findings = report.diagnostics.iter();
    let all: Vec<Candidate<'_>> =
        findings.flat_map(|finding| finding.fixes.iter().map(move |fix| (finding, fix))).collect();
    let mut is_proven = vec![false; all.len()];
    if all.len() <= proofs.min(MAX_ALONE) {
        is_proven = all.iter().map(|fix| before.holds(std::slice::from_ref(fix))).collect();
    } else {
        let mut holds = |fixes: &[Candidate<'_>]| before.holds(fixes);
        let mut batch = Batch::new(&all, proofs, &mut holds);
        loop {
            let set = batch.next_set();
            if set.is_empty() {
                break;
            }
            for at in set {
                is_proven.get_mut(at).into_iter().for_each(|it| *it = true);
            }
        }
    }
    let mut is_proven = is_proven.into_iter();
    for finding in &mut report.diagnostics {
        finding.fixes.retain(|_| is_proven.next() == Some(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use crate::fixes::batch::apart;
    use crate::fixes::fix;
    use crate::{UndecidedScope, run};
    use voxlint_model::{Diagnostic, Document, Fix, Origin, Safety, Stored, VerdictKind};
    use voxlint_rules::{CONFIG, of};
    use voxlint_syntax::TextEdit;
    use voxlint_syntax::{Format, Span};

    /// An update with this many values in quotes, of which every third has a fault that its fix would reveal.
    fn update(count: usize, with_hidden: bool) -> Inputs {
        let items = (0..count).map(|at| {
            let value = if with_hidden && at % 3 == 2 { "STRIN" } else { "STRING" };
            format!(
                r#"{{"field_name": "f_{at}", "field_typ": "{value}", "field_description": "It."}}"#
            )
        });
        let items: Vec<String> = items.collect();
        let text =
            format!(r#"{{"version_number": 3, "post_call_analysis": [{}]}}"#, items.join(",\n"));
        Inputs::new(Document::parse(text))
    }

    fn offered(proofs: usize, inputs: &Inputs) -> usize {
        let mut report = run(inputs, UndecidedScope::Touched);
        keep_proven_by(proofs, inputs, &mut report);
        report.diagnostics.iter().map(|finding| finding.fixes.len()).sum()
    }

    #[test]
    fn more_fixes_than_proofs_are_proven_together() {
        let inputs = update(12, false);
        for proofs in [1, 5, 11, 12, 100] {
            assert_eq!(offered(proofs, &inputs), 12, "{proofs} proofs");
        }
    }

    #[test]
    fn fixes_that_are_not_proven_together_are_proven_in_halves() {
        let inputs = update(12, true);
        assert_eq!(offered(100, &inputs), 8);
        // They are divided until the proofs are used up.
        assert!((1..8).contains(&offered(10, &inputs)), "{}", offered(10, &inputs));
        assert_eq!(offered(1, &inputs), 0);
    }

    /// An update in which a switch in quotes is an error as a switch, unless a member that is spelled wrong is renamed too.
    /// There are so many other fixes.
    fn switch_that_needs_a_rename(others: usize) -> Inputs {
        let items = (0..others).map(|at| {
            format!(
                r#"{{"field_name": "f{at}", "field_type": "String", "field_description": "It."}}"#
            )
        });
        let items: Vec<String> = items.collect();
        let items = items.join(", ");
        let text = format!(
            r#"{{"version_number": 3, "transcriber_id": "tr_a", "fallback_stt_enabled": "true", "stt_fallback_transcriber_idd": "tr_b", "post_call_analysis": [{items}]}}"#
        );
        let agent = r#"{"id": "ag_1", "agent_type": "Single_Prompt_Agent", "current_version_number": 3, "versions": []}"#;
        let version = r#"{"version_number": 3, "is_published": false, "title": "x", "transcriber_id": "tr_a", "fallback_stt_enabled": false}"#;
        let stored = format!(r#"{{"agent": {agent}, "version": {version}, "complete": true}}"#);
        Inputs::new(Document::parse(text)).stored(Stored::new(Document::parse(stored)))
    }

    #[test]
    fn a_safe_fix_holds_without_fixes_that_need_a_review() {
        for others in [1, 6, 7, 30] {
            let inputs = switch_that_needs_a_rename(others);
            let report = check(&inputs);
            let offered = report.diagnostics.iter().flat_map(|it| &it.fixes);
            let (safe, others): (Vec<&Fix>, Vec<_>) =
                offered.partition(|fix| fix.safety == Safety::Safe);
            assert!(safe.is_empty(), "{others:?}: {safe:?}");
            assert!(!others.is_empty());
            let fixed = fix(&inputs, Safety::Safe, &mut |report, _| report);
            assert!(fixed.applied.is_empty() && fixed.edits.is_empty());
            // With the rename, it is safe in the next round.
            let fixed = fix(&inputs, Safety::Unsafe, &mut |report, _| report);
            assert!(fixed.applied.iter().any(|it| it.field == "/fallback_stt_enabled"));
            let is_error = |it: &Diagnostic| it.severity == voxlint_model::Severity::Error;
            assert!(!fixed.report.diagnostics.iter().any(is_error), "{:#?}", fixed.report);
        }
    }

    /// The caller may leave out the fix that another one needs.
    #[test]
    fn a_single_fix_is_proven_again_before_it_is_applied() {
        let inputs = switch_that_needs_a_rename(7);
        let fixed = fix(&inputs, Safety::Unsafe, &mut |mut report, _| {
            report.diagnostics.retain(|it| it.field == "/fallback_stt_enabled");
            report
        });
        assert!(fixed.applied.is_empty(), "{:#?}", fixed.applied);
    }

    /// As many checks as sets of fixes: one for the safe ones, and one for them with the others.
    #[test]
    fn many_fixes_of_both_kinds_are_proven_with_two_checks() {
        let text = update(100, false).document.text().replacen(
            "\"version_number\": 3",
            "\"version_number\": 3, \"kb_max_chunks\": \"3\", \"end_call_on_silence_sec\": \"20\"",
            1,
        );
        let inputs = Inputs::new(Document::parse(text));
        assert_eq!([offered(1, &inputs), offered(2, &inputs)], [2, 102]);
    }

    #[test]
    fn members_are_not_renamed_to_one_name() {
        for (text, count) in [
            (r#"{"version_number": 3, "prompt_txt": "full prompt", "PromptText": "stub"}"#, 0),
            (r#"{"version_number": 3, "prompt_txt": "full prompt", "titel": "stub"}"#, 2),
        ] {
            let inputs = Inputs::new(Document::parse(text));
            let report = check(&inputs);
            let offered: usize = report.diagnostics.iter().map(|it| it.fixes.len()).sum();
            assert_eq!(offered, count, "{text}");
            let fixed = fix(&inputs, Safety::Unsafe, &mut |report, _| report);
            assert_eq!(fixed.applied.len(), count, "{text}");
        }
    }

    /// Also if they are offered: that two fields have one name is new, wherever it is.
    #[test]
    fn two_fields_of_one_name_are_not_what_a_rename_reveals() {
        let text = r#"{"version_number": 3, "prompt_txt": "full prompt", "PromptText": "stub"}"#;
        let inputs = Inputs::new(Document::parse(text));
        let report = run(&inputs, UndecidedScope::Touched);
        let all: Vec<(&Diagnostic, &Fix)> = report
            .diagnostics
            .iter()
            .flat_map(|found| found.fixes.iter().map(move |fix| (found, fix)))
            .collect();
        assert_eq!(all.len(), 2);
        let before = Before::new(&inputs, &report);
        assert!(all.iter().all(|fix| before.holds(&[*fix])) && !before.holds(&all));
    }

    /// Only the correction of a syntax error may give a value that could not be read.
    #[test]
    fn only_the_correction_of_a_syntax_error_changes_what_was_not_read() {
        let text = r#"{"version_number": 3, "titel": "x", "is_published": Tru}"#;
        let inputs = Inputs::new(Document::parse(text)).kind(voxlint_schema::DocumentKind::Update);
        let report = check(&inputs);
        let known = report.diagnostics.iter().find(|it| it.rule.id == "unknown-field").unwrap();
        let [name, word] = ["\"titel\"", "Tru}"].map(|part| text.find(part).unwrap() as u32);
        let holds = |edits: Vec<TextEdit>| {
            let (_, mut fix) = finding(&inputs, edits, &["/titel", "/title"]);
            fix.safety = Safety::Unsafe;
            Before::new(&inputs, &report).holds(&[(known, &fix)])
        };
        let rename = TextEdit::new(Span::new(name, name + 7), "\"title\"");
        assert!(holds(vec![rename.clone()]));
        let value = TextEdit::new(Span::new(word, word + 3), "true");
        assert!(!holds(vec![rename, value]), "a value that it does not state");
    }

    #[test]
    fn all_of_many_mistakes_in_one_text_are_fixed_together() {
        let prompt = "Hi {{name} ".repeat(130);
        let text = format!("{{\"version_number\": 3, \"prompt_text\": \"{prompt}\"}}");
        let inputs = Inputs::new(Document::parse(text));
        let fixed = fix(&inputs, Safety::Unsafe, &mut |it, _| it);
        assert_eq!((fixed.applied.len(), fixed.rounds), (130, 1));
        assert!(fixed.is_complete);
        // A check reports only the first of them.
        assert_eq!((check(&inputs).diagnostics.len(), fixed.solved), (1, 1));
        assert!(
            fixed
                .report
                .diagnostics
                .iter()
                .all(|found| found.severity < voxlint_model::Severity::Error)
        );
    }

    /// In each format, and whether the list is written in brackets or not.
    #[test]
    fn thousands_of_items_that_are_listed_twice_are_removed_in_one_round() {
        let items = |item: &dyn Fn(usize) -> String| -> Vec<String> {
            (0..3_000).map(|at| item(at / 2)).collect()
        };
        let ids = items(&|at| format!("\"kb_{at}\""));
        let ids = ids.join(", ");
        let block: String = items(&|at| format!("  - kb_{at}\n")).concat();
        for (text, format) in [
            (format!("{{\"version_number\": 3, \"knowledge_base_ids\": [{ids}]}}"), Format::Json),
            (
                format!("{{\"version_number\": 3,\n\"knowledge_base_ids\": [{ids}]}} // x\n"),
                Format::Jsonc,
            ),
            (format!("version_number: 3\nknowledge_base_ids: [{ids}]\n"), Format::Yaml),
            (format!("version_number: 3\nknowledge_base_ids:\n{block}"), Format::Yaml),
            (format!("version_number = 3\nknowledge_base_ids = [{ids}]\n"), Format::Toml),
        ] {
            let document = Document::parse_as(text.as_str(), format);
            let fixed = fix(&Inputs::new(document), Safety::Unsafe, &mut |report, _| report);
            assert_eq!((fixed.applied.len(), fixed.rounds), (1_500, 1), "{format:?}");
            assert!(fixed.is_complete && fixed.solved >= 1_500);
        }
    }

    /// What a mistake means is only certain when those before it are corrected.
    #[test]
    fn mistakes_after_one_that_stays_are_not_fixed() {
        let text =
            "{\"version_number\": 3, \"prompt_text\": \"Hi {{name} {{a} {{else}} {{b} {{c}\"}";
        let inputs = Inputs::new(Document::parse(text));
        let fixed = fix(&inputs, Safety::Unsafe, &mut |it, _| it);
        assert_eq!(fixed.applied.len(), 2);
        let [left] = fixed.report.diagnostics.as_slice() else { panic!("{:?}", fixed.report) };
        assert!(left.message.contains("`{{else}}` is outside any block"), "{}", left.message);
        // Nor after one that the caller has accepted.
        let accepted = text.find("{{a}").unwrap() as u32;
        let fixed = fix(&inputs, Safety::Unsafe, &mut |mut report, inputs| {
            let here = inputs.document().text().find("{{a}").unwrap() as u32 + 3;
            report.diagnostics.retain(|found| found.span.start != here);
            report
        });
        assert_eq!(fixed.edits.len(), 1);
        assert!(fixed.edits[0].span.end < accepted, "{:?}", fixed.edits);
    }

    #[test]
    fn what_is_offered_is_applied_also_beside_equal_items() {
        for count in [2, 20, 40] {
            let items = ["\"kb_a\", \"kb_b\""].repeat(count).join(", ");
            let text = format!("{{\"version_number\": 3, \"knowledge_base_ids\": [{items}]}}");
            let inputs = Inputs::new(Document::parse(text));
            let report = check(&inputs);
            assert!(report.diagnostics.iter().all(|found| found.fixes.len() == 1), "{count}");
            let fixed = fix(&inputs, Safety::Safe, &mut |report, _| report);
            assert_eq!(fixed.applied.len(), report.diagnostics.len(), "{count}");
            assert!(fixed.report.diagnostics.is_empty(), "{count}");
        }
    }

    #[test]
    fn rounds_apply_what_is_proven() {
        let inputs = update(12, true);
        let fixed = fix(&inputs, Safety::Unsafe, &mut |report, _| report);
        assert_eq!((fixed.rounds, fixed.applied.len()), (1, 8));
        assert_eq!(fixed.edits.len(), 8);
    }

    fn finding(inputs: &Inputs, edits: Vec<TextEdit>, changes: &[&str]) -> (Diagnostic, Fix) {
        let rule = of(CONFIG).find(|rule| rule.id == "knowledge-base-listed-twice").unwrap();
        let span = edits[0].span;
        let mut finding = Diagnostic::new(rule, VerdictKind::Advice, span, "twice");
        let mut fix = Fix::new("remove it", Safety::Safe, Origin::Document, edits);
        fix.changes = changes.iter().map(|change| (*change).to_owned()).collect();
        finding.fixes = vec![fix.clone()];
        assert!(inputs.document().text().len() >= span.end as usize);
        (finding, fix)
    }

    #[test]
    fn touching_edits_wait_for_the_next_round() {
        let inputs = Inputs::new(Document::parse("{ \"version_number\": 3 }"));
        let fixes: Vec<_> = [(2, 4), (4, 6), (7, 8), (3, 3), (9, 9)]
            .map(|(start, end)| {
                finding(&inputs, vec![TextEdit::new(Span::new(start, end), "x")], &[])
            })
            .into_iter()
            .collect();
        let all: Vec<(&Diagnostic, &Fix)> =
            fixes.iter().map(|(finding, fix)| (finding, fix)).collect();
        let chosen = apart(&all, &[], 0..all.len());
        assert_eq!(chosen, [0, 2, 4]);
        assert_eq!(apart(&all, &[1], [0, 2, 3].into_iter()), [2, 3]);
    }

    /// Each of two equal items may go, but not both.
    #[test]
    fn fixes_that_are_not_proven_together_are_divided() {
        let text = r#"{"version_number": 3, "knowledge_base_ids": ["kb_a", "kb_a"]}"#;
        let inputs = Inputs::new(Document::parse(text));
        let report = check(&inputs);
        let place = |part: &str| {
            let at = text.find(part).unwrap() as u32;
            Span::new(at, at + part.len() as u32)
        };
        let (first, second) = (place("\"kb_a\", "), place(", \"kb_a\"]"));
        let second = Span::new(second.start + 1, second.end - 1);
        let first = Span::new(first.start, first.end - 2);
        let [mut one, mut other] = [(first, "0"), (second, "1")].map(|(span, at)| {
            let edits = vec![TextEdit::new(span, "\"kb_b\"")];
            finding(&inputs, edits, &[&format!("/knowledge_base_ids/{at}")])
        });
        for (_, fix) in [&mut one, &mut other] {
            fix.safety = Safety::Unsafe;
        }
        let known: Vec<&Diagnostic> = report.diagnostics.iter().collect();
        let [known] = known.as_slice() else { panic!("{known:?}") };
        let before = Before::new(&inputs, &report);
        let (one, other) = ((*known, &one.1), (*known, &other.1));
        assert!(before.holds(&[one]) && before.holds(&[other]));
        assert!(!before.holds(&[one, other]), "both are `kb_b` then");
        let all = [one, other];
        let mut holds = |fixes: &[Candidate<'_>]| before.holds(fixes);
        let proven = Batch::new(&all, 8, &mut holds).next_set();
        let after = before.after(&[all[proven[0]]]).unwrap();
        assert_eq!(proven.len(), 1);
        assert!(check(&after).diagnostics.is_empty());
    }

    /// The title of the only fix of a document's finding about a name, if it is offered.
    fn renaming(text: &str) -> Option<String> {
        let report = check(&Inputs::new(Document::parse(text)));
        let mut found = report.diagnostics.iter().filter(|found| found.rule.id == "unknown-field");
        let fix = found.next().unwrap().fixes.first().map(|fix| fix.title.clone());
        assert!(found.next().is_none(), "{text}");
        fix
    }

    #[test]
    fn a_name_is_not_corrected_if_its_value_is_an_error_then() {
        let rename = Some("rename to `kb_max_chunks`".to_owned());
        assert_eq!(renaming(r#"{"version_number": 3, "kb_max_chunk": 3}"#), rename);
        assert_eq!(renaming(r#"{"version_number": 3, "kb_max_chunk": 99}"#), None);
        assert_eq!(renaming(r#"{"version_number": 3, "kb_max_chunk": "3"}"#), None);
        assert_eq!(renaming(r#"{"version_number": 3, "promt_text": "Hi {{name}"}"#), None);
    }

    #[test]
    fn what_is_less_than_an_error_may_come_to_light_below_a_corrected_name() {
        let text = r#"{"version_number": 3, "responsivenes": 3}"#;
        assert_eq!(renaming(text).as_deref(), Some("rename to `responsiveness`"));
        let fixed = fix(&Inputs::new(Document::parse(text)), Safety::Unsafe, &mut |it, _| it);
        let [left] = fixed.report.diagnostics.as_slice() else { panic!("{:?}", fixed.report) };
        assert_eq!((&*left.rule.id, &*left.field), ("out-of-range", "/responsiveness"));
        assert_eq!((left.verdict, fixed.solved), (VerdictKind::Possible, 1));
        // Elsewhere it is new: the other field had a value that did not contradict it.
        let text = r#"{"version_number": 3, "reminder_message_interval": 20, "end_call_on_silence_se": 21}"#;
        assert_eq!(renaming(text), None);
    }

    #[test]
    fn what_was_wrong_below_a_wrong_name_is_not_new() {
        let text = r#"{"version_number": 3, "promt_text": "Use sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c."}"#;
        assert_eq!(renaming(text).as_deref(), Some("rename to `prompt_text`"));
        let fixed = fix(&Inputs::new(Document::parse(text)), Safety::Unsafe, &mut |it, _| it);
        let [left] = fixed.report.diagnostics.as_slice() else { panic!("{:?}", fixed.report) };
        assert_eq!((&*left.rule.id, &*left.field), ("secret-in-document", "/prompt_text"));
        assert_eq!((left.severity, fixed.solved), (voxlint_model::Severity::Error, 1));
        // Inside of the value, too.
        let text = r#"{"version_number": 3, "default_dynamic_variable": {"a": "x", "a": "y"}}"#;
        assert_eq!(renaming(text).as_deref(), Some("rename to `default_dynamic_variables`"));
    }

    #[test]
    fn a_fix_that_leaves_an_empty_document_is_not_proven() {
        let holds = |text: &str, removed: &str| {
            let inputs =
                Inputs::new(Document::parse(text)).kind(voxlint_schema::DocumentKind::Update);
            let report = check(&inputs);
            let known = report.diagnostics.iter().find(|it| it.rule.id == "unknown-field").unwrap();
            let start = text.find(removed).unwrap() as u32;
            let edit = TextEdit::new(Span::new(start, start + removed.len() as u32), "");
            let (_, mut fix) = finding(&inputs, vec![edit], &["/titel"]);
            fix.safety = Safety::Unsafe;
            Before::new(&inputs, &report).holds(&[(known, &fix)])
        };
        let member = r#""titel": "Front desk""#;
        assert!(holds(&format!(r#"{{"version_number": 3, {member}}}"#), &format!(", {member}")));
        assert!(!holds(&format!("{{{member}}}"), member));
    }

    #[test]
    fn a_safe_fix_that_changes_a_value_is_not_proven() {
        let text = r#"{"version_number": 3, "title": " Front desk"}"#;
        let inputs = Inputs::new(Document::parse(text)).optional_rules(true);
        let report = check(&inputs);
        let before = Before::new(&inputs, &report);
        let [known] = report.diagnostics.as_slice() else { panic!("{report:?}") };
        let value = Span::new(31, 44);
        let with = |safety, new: &str, changes: &[&str]| {
            let (_, mut fix) = finding(&inputs, vec![TextEdit::new(value, new)], changes);
            fix.safety = safety;
            before.holds(&[(known, &fix)])
        };
        assert!(with(Safety::Safe, "\"Front desk\"", &["/title"]));
        assert!(!with(Safety::Safe, "\"Back desk\"", &["/title"]), "another text");
        assert!(with(Safety::Unsafe, "\"Back desk\"", &["/title"]));
        assert!(!with(Safety::Unsafe, "\"Back desk\"", &["/name"]), "not where it says");
        assert!(!with(Safety::Unsafe, "\" Back desk\"", &["/title"]), "the finding stays");
        assert!(!with(Safety::Unsafe, "7", &["/title"]), "a new error");
        assert!(!with(Safety::Unsafe, "\"Back desk", &["/title"]), "a new syntax error");
    }

    #[test]
    fn each_document_of_a_file_is_fixed_in_place() {
        let text = "titel: a\nversion_number: 3\n---\nversion_number: 3\ntitel: b # b\n";
        let documents = Document::parse_all(text, Format::Yaml);
        let edits: Vec<TextEdit> = documents
            .into_iter()
            .flat_map(|document| {
                fix(&Inputs::new(document), Safety::Unsafe, &mut |report, _| report).edits
            })
            .collect();
        let fixed = voxlint_syntax::edit::apply(text, &edits).unwrap();
        assert_eq!(String::from_utf8(fixed).unwrap(), text.replace("titel", "title"));
    }
}
