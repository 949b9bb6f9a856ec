//! The descriptions and corrections of errors: a snapshot for each kind in snapshots/template.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::common::{
    generator::{Random, template},
    stored,
};
use voxlint_template::{
    Correction, Description, TemplateError, TemplateErrorKind, TemplateSpan, UnintendedCall,
    further_errors, parse,
};

const EXAMPLES: &[&str] = &[
    // Braces.
    "Hi {{name",
    "Hi {{ name",
    "Hi {{name, how are you",
    "Hi {{name and {{company}}!",
    "{{",
    "Hi {{",
    "Hi {{name}!",
    "Hi {{name}, welcome to {{company}}!",
    "Hi {{name} }!",
    "Hi {{{name}!",
    "Hi {{{name}}!",
    "{\"name\": {{name}}}",
    "{\"a\":{\"b\":{{x}}}}",
    "Hi {{name}}}!",
    "Hi {{name}}}}!",
    "Hi {{{name}}}}!",
    "Hi {{{{name}}!",
    "Hi {{{{name}}}!",
    "Hi {{{{name}}}}!",
    "{{{{name}}}} {{x",
    "{{{{raw}}}} {{keep}} {{{{/raw}}",
    "{{#if {{vip}} }}x{{/if}}",
    "{{#if {{vip}}}}x{{/if}}",
    "{{ {{name}} }}",
    "{{ {name} }}",
    "{{helper {\"a\":1}}}",
    "{{\"k\":\"v\"}}",
    "{{ \"a\": {\"b\": 1} }}",
    "{{\"k\": \"v\", \"n\": 1}}",
    "never say {{}}",
    "variables look like {{ }}",
    "{{#}}x{{/if}}",
    "{{#if x}}y{{/}}",
    // Comments, raw text.
    "{{!-- greeting }} Hi {{name}}",
    "{{! greeting",
    "{{!",
    "a\u{0}b {{name}}",
    // Blocks.
    "{{#if vip}}Thank you",
    "{{#if vip}}Thank you{{endif}}",
    "{{#each items}}{{name}}",
    "{{^known}}Who is it?",
    "{{#> layout}}body",
    "Hi{{/if}}",
    "{{if vip}}Thank you{{/if}}",
    "{{#if vip}}Thank you{{/unless}}",
    "{{#if vip}}Thank you{{/IF}}",
    "{{#each items}}{{name}}{{/items}}",
    "{{#if a}}{{#each b}}{{/if}}{{/each}}",
    "{{#if a}}x{{/endif}}",
    "{{#if vip}}Thank you{{/if vip}}",
    "Hi {{else}} there",
    "{{^}}",
    "{{else if x}}",
    "{{else.x}}",
    "{{else-if x}}",
    "{{#if a}}1{{else}}2{{else}}3{{/if}}",
    "{{#if a}}1{{else}}2{{else if b}}3{{/if}}",
    "{{#name}}a{{^name}}b{{/name}}",
    "{{#> layout}}a{{else}}b{{/layout}}",
    "{{^known}}a{{else if b}}c{{/known}}",
    "{{#if a}}1{{#else}}2{{/if}}",
    "{{#if a}}1{{#else if b}}2{{/if}}",
    "{{#if a}}1{{#elseif b}}2{{/if}}",
    "{{#*inline \"a\"}}1{{else}}2{{/inline}}",
    // Signs and tildes.
    "{{#if x}}y{{ /if }}",
    "{{ #if x }}y{{/if}}",
    "{{ > footer }}",
    "{{ & x }}",
    "{{ ^x}}y{{/x}}",
    "{{ ! note }}",
    "{{ ~name~ }}",
    "{{{~raw~}}}",
    "{{{{~raw~}}}}",
    // Other languages.
    "{{x | default: \"y\"}}",
    "{{x|upcase}}",
    "{{ name | join(\", \") }}",
    "{{{x | safe}}}",
    "{{x || \"y\"}}",
    "{{a == b}}",
    "{{#if a == b}}x{{/if}}",
    "{{#if a === b}}x{{/if}}",
    "{{#if a != b}}x{{/if}}",
    "{{#if a > b}}x{{/if}}",
    "{{#if a >= b}}x{{/if}}",
    "{{#if a && b}}x{{/if}}",
    "{{#if !a}}x{{/if}}",
    "{{a + b}}",
    "{{\"yes\" if x == 1 else \"no\"}}",
    "{{items[0]}}",
    "{{items[0].name}}",
    "{{customer[\"first name\"]}}",
    "{{foo[bar]}}",
    "{{$json[\"x\"]}}",
    "{{items.0}}",
    "{{./1}}",
    "{{@1}}",
    "{{a.true}}",
    "{{a.null}}",
    "{{a.\"b\"}}",
    "{{f()}}",
    "{{customer.name()}}",
    "{{helper(arg)}}",
    "{{helper(a, b)}}",
    "{{#if eq(a, b)}}x{{/if}}",
    "{{(f x)}}",
    "{{#if ((eq a b))}}x{{/if}}",
    "{{#if (eq a b}}x{{/if}}",
    "{{f a)}}",
    "{{f ()}}",
    // Arguments and paths.
    "{{name=1}}",
    "{{name = \"Ann\"}}",
    "{{helper key=val arg}}",
    "{{helper key=val \"arg\"}}",
    "{{f key=}}",
    "{{f a.b=1}}",
    "{{f \"key\"=1}}",
    "{{.name}}",
    "{{ .Name }}",
    "{{#if .x}}y{{/if}}",
    "{{a/}}",
    "{{a//b}}",
    "{{@}}",
    "{{x.this}}",
    "{{a.this.b}}",
    "{{a/../b}}",
    // Prose and punctuation.
    "{{customer name, if known}}",
    "{{ask for the name; be polite}}",
    "{{name, x}}",
    "{{name,}}",
    "{{f \"a\", \"b\"}}",
    "{{#if (eq a, b)}}x{{/if}}",
    "{{customer's}}",
    "{{customer's name}}",
    "{{f “a, b”}}",
    "{{f \"a”}}",
    "{{%name%}}",
    "{{% if x %}}",
    "{{current_time_<TIMEZONE>}}",
    "{{<name>}}",
    "{{f \\\"x\\\"}}",
    "{{f \"a}}",
    "{{f \"a b}}",
    "{{f \"a}} and \"b\" {{x}}",
    "{{[first name}}",
    "{{b.[c}} d ] e",
    "{{f 'don't'}}",
    "{{say \"he said \"hi\"\"}}",
    "{{say \"hi}} and \"",
    "{{Ask for the caller's name}}",
    "{{x => y}}",
    "{{= name }}",
    "{{#if a}}x{{/if",
    "{{#if a}}x{/if}}",
    "{{ name }}}.",
    "{{{{raw}}}}x{{{{/other}}}}",
    "{{name!}}",
    "{{name;}}",
    "{{name@domain}}",
    "{{=<% %>=}}",
    "{{a#b}}",
    "{{#a/b#}}",
    "{{f k=1 true}}",
    // Block parameters, partials.
    "{{#each items as|item|}}x{{/each}}",
    "{{x as |y|}}",
    "{{> p as |y|}}",
    "{{#each x as ||}}y{{/each}}",
    "{{#each x as |a, b|}}y{{/each}}",
    "{{#each x as |a}}y{{/each}}",
    "{{#each x as |a.b|}}y{{/each}}",
    "{{#each x as |[first name]|}}y{{/each}}",
    "{{#each x as |a| b}}y{{/each}}",
    "{{> card name age}}",
    "{{#> card name age}}x{{/card}}",
    "{{> p {{x}} }}",
    "{{f as |x|}}",
    "{{#if x.}}}}{{/if}}",
    "{{~#if (a) | b~}}x{{/if}}",
    "{{f @}}",
    "{{& *}}",
    "{{#if x}}{{/ /}}{{/if}}",
    "{{#f (a = 1) }}{{/f}}",
    // Described by their surroundings.
    "{{\"a\": {{\"b\": 1}}}}",
    "{{\"name\": \"{{name}}\", \"x\": 1}}",
    "{{\n intent: \"x\",\n n: 1\n}}",
    "{{name%}",
    "{{{x}",
    "{{{x",
    "{{#if a || b}}x{{/if}}",
    "{{price / 2}}",
    "{{$5.00}}",
    "{{100%}}",
    "{{#if a}}1{{/else}}2{{/if}}",
    "{{#if a}}{{#each b}}x{{/IF}}",
    "{{if vip}}Hello{{else}}Bye{{/if}}",
    "{{if vip}}Hello{{else}}Bye{{endif}}",
    "{{#each xs}}{{if x}}1{{/if}}{{/each}}",
    "{{items[i]}}",
    "{{items[-1]}}",
    "{{default name 'don't know'}}",
    "{{helper 'a}} It's {{x}}",
    "{{#each xs, i}}x{{/each}}",
    "{{#each xs |x|}}y{{/each}}",
    "Never read out \"{{\" to the caller.",
    "double braces ({{) are used",
    "The tokens {{, }} are forbidden",
    "{{a`b}}",
    "{{lookup(a, b)}}",
    "{{#if x a=1 b}}y{{/if}}",
    "{{{{raw}}}}x{{/raw}}",
    "{{{{raw}}}}x{{{{/raw}}}",
    "{{// note}}",
    "{{/* note */}}",
    "{{#if a}}x{{/#if}}",
    "{{#if a}}x{{\\if}}",
    "{{\\if}}",
    "{{!-- todo -->",
    "{{!-- todo -- }} x",
    "{{!-- todo --} {{x}}",
    "{{#if not(vip)}}x{{/if}}",
    "{{a && b}}",
    // From real prompts.
    "{{ !vip }}",
    "{{ !vip}}Hello{{/vip}}",
    "{{ ! note to self }}",
    "{{ // note }}",
    "{{ /* note */ }}",
    "{{ /* note */ name }}",
    "{{//name}}",
    "{{#if a}}x{{// note}}{{/if}}",
    "{{#if a}}x{{/* note */}}{{/if}}",
    "{{#17.output#}}",
    "{{#output#}}",
    "{{KNOWLEDGE\\_BASE}}",
    "{{first\\_name\\_here}}",
    "{{{{obra maestra}}}}",
    "Hi {{{{first name}}}}, bye",
    "{{ name.upper() }}",
    "{{customer.name.slice(0, 3)}}",
    "{{#if name.includes(\"x\")}}x{{/if}}",
    "{{ a ~ b }}",
    "{{first_name ~ \" \" ~ last_name}}",
    "{{invoke a b=1 ...}}",
    "{{Dispatch <br/> Order}}",
    "{{name <b>}}",
    "C:\\lib\\{{#if a}}x{{/if}}",
    "\\{{#if a}}x{{else}}y",
    "{{#each xs}}\\{{#if a}}x{{/if}}{{/each}}",
    "{{!-- greeting }} Hi {{name}}, call --> now",
    "{{!-- {{name}} --> now",
];

/// The first error of a faulty template, described.
fn error(text: &str) -> (TemplateError, Description) {
    let error = parse(text).error.unwrap_or_else(|| panic!("{text:?} is valid"));
    let description = error.describe(text);
    (error, description)
}

fn corrected(text: &str, correction: &Correction) -> String {
    let mut corrected = text.to_owned();
    corrected.replace_range(correction.span.range(), &correction.text);
    corrected
}

#[test]
fn a_sign_in_the_name_of_a_time_variable_asks_for_brackets() {
    for (tag, corrected) in [
        ("{{current_time_Etc/GMT+5}}", "{{[current_time_Etc/GMT+5]}}"),
        ("{{ current_date_UTC+5:30 }}", "{{ [current_date_UTC+5:30] }}"),
        ("{{{current_time_+05:30}}}", "{{{[current_time_+05:30]}}}"),
        ("{{~current_weekday_GMT@home~}}", "{{~[current_weekday_GMT@home]~}}"),
        ("{{current_time_(UTC)}}", "{{[current_time_(UTC)]}}"),
        ("{{#if current_time_Etc/GMT+5}}x{{/if}}", "{{#if [current_time_Etc/GMT+5]}}"),
    ] {
        let description = parse(tag).error.expect(tag).describe(tag);
        assert_eq!(description.help, format!("put the name in brackets: `{corrected}`"));
        assert_eq!(description.correction.map(|it| it.text).as_deref(), Some(corrected), "{tag}");
    }
    // Sums are still sums.
    for tag in ["{{current_time_left+5}}", "{{current_balance+Fee}}", "{{price+5}}"] {
        let description = parse(tag).error.expect(tag).describe(tag);
        assert!(description.message.starts_with("the operator"), "{tag}");
    }
}

#[test]
fn each_kind_has_its_description() {
    let mut by_kind: BTreeMap<TemplateErrorKind, String> = BTreeMap::new();
    for text in EXAMPLES {
        let (error, description) = error(text);
        let shown = by_kind.entry(error.kind).or_default();
        writeln!(shown, "{}", frame(text, &error, &description)).expect("strings grow");
    }
    for (kind, shown) in by_kind {
        let name = format!("{kind:?}");
        let upper = |(at, letter): (usize, char)| (at > 0 && letter.is_uppercase()).then_some('-');
        let name: String = name
            .char_indices()
            .flat_map(|at| upper(at).into_iter().chain(at.1.to_lowercase()))
            .collect();
        voxlint_testing::assert_snapshot("template", &name, shown.trim_end());
    }
}

/// Carets under a span, and a label.
fn underline(text: &str, span: TemplateSpan, sign: &str, label: &str) -> String {
    let lead = text[..span.start as usize].chars().count();
    let width = span.of(text).chars().count().max(1);
    format!("{}{} {label}", " ".repeat(lead), sign.repeat(width))
}

/// The text with carets under the error, and the description below it.
fn frame(text: &str, error: &TemplateError, description: &Description) -> String {
    let mut frame = text.replace('\0', "␀").replace('\n', "␊");
    write!(frame, "\n{}", underline(text, error.span, "^", description.label))
        .expect("strings grow");
    if let Some((span, label)) = error.related {
        write!(frame, "\n{}", underline(text, span, "-", label)).expect("strings grow");
    }
    write!(frame, "\n  {}\n  help: {}\n", description.message, description.help)
        .expect("strings grow");
    frame
}

#[test]
fn a_corrected_template_has_no_error_at_that_place() {
    let mut random = Random::new(7);
    let cases = voxlint_testing::cases(3_000, 20_000);
    let generated: Vec<_> = (0..cases).map(|_| template(&mut random)).collect();
    let mut corrected_count = 0;
    for text in EXAMPLES.iter().copied().chain(generated.iter().map(String::as_str)) {
        let Some(error) = parse(text).error else { continue };
        let Some(correction) = error.describe(text).correction else { continue };
        corrected_count += 1;
        let corrected = corrected(text, &correction);
        let corrected_end = correction.span.start + correction.text.len() as u32;
        if let Some(next) = parse(&corrected).error {
            let is_elsewhere =
                next.span.start > corrected_end || next.span.end <= correction.span.start;
            assert!(is_elsewhere, "{text:?} became {corrected:?}: {next:?}");
        }
    }
    assert!(corrected_count > 200, "only {corrected_count} corrections");
}

/// Templates and their correction, if there is one.
const CORRECTED: &[(&str, Option<&str>)] = &[
    // Doubled JSON.
    ("{{\"a\": {{\"b\": 1}}}}", None),
    ("{{\"name\": \"{{name}}\", \"x\": 1}}", None),
    ("{{\"name\": {{name}}, \"x\": {{x}}}}", None),
    ("{{\n intent: \"x\",\n n: 1\n}}", None),
    ("{{example: {a}}}", None),
    // Braces.
    ("{{name%}", None),
    ("{{x}}}}}", Some("{{x}}")),
    ("{\"a\": {\"b\": {{x}}}}!", Some("{\"a\": {\"b\": {{x}} }}!")),
    ("{\"a\": {{x}}}}}", None),
    ("{\"a\": {{x} }", Some("{\"a\": {{x}} }")),
    ("{{{~x~}}}", None),
    ("{{{x}", Some("{{{x}}}")),
    ("{{{x", Some("{{{x}}}")),
    ("{{{x | safe}}}", None),
    ("{{ name }!", Some("{{ name }}!")),
    ("{{ {{name}} }}", Some("{{ name }}")),
    ("{{#if {vip}}}x{{/if}}", None),
    // Operators and filters.
    ("{{#if a || b}}x{{/if}}", None),
    ("{{a || b}}", None),
    ("{{x || \"default\"}}", None),
    ("{{ name | upcase }}", None),
    ("{{~name | upcase~}}", None),
    ("{{\"text\" | upcase}}", None),
    ("{{#if x | y}}x{{/if}}", None),
    ("{{price / 2}}", None),
    ("{{$5.00}}", None),
    ("{{1.5.2}}", None),
    ("{{100%}}", None),
    // Blocks.
    ("{{#if a}}x{{/unless}}", Some("{{#if a}}x{{/if}}")),
    ("{{#if a}}x{{~/endif~}}", Some("{{#if a}}x{{~/if~}}")),
    ("{{#if a}}{{#each b}}x{{/if}}{{/each}}", None),
    ("{{#if a}}{{#each b}}x{{/IF}}", None),
    ("{{#if a}}1{{/else}}2{{/if}}", Some("{{#if a}}1{{else}}2{{/if}}")),
    ("{{#if a}}1{{else}}2{{/else}}3{{/if}}", None),
    ("{{if vip}}Hello{{else}}Bye{{/if}}", None),
    ("{{#each xs}}{{if x}}1{{/if}}{{/each}}", None),
    // Indexes.
    ("{{items[0].name}}", Some("{{items.[0].name}}")),
    ("{{a['b c'][1]}}", Some("{{a.[b c].[1]}}")),
    ("{{items[i]}}", None),
    ("{{items[0:2]}}", None),
    ("{{items[b.c]}}", None),
    ("{{items[-1]}}", None),
    ("{{items[\"it's\"]}}", None),
    ("{{a.1.5}}", None),
    // Strings.
    ("{{default name 'don't know'}}", None),
    ("{{helper 'a}} It's {{x}}", None),
    // Calls and paths.
    ("{{f()}}", None),
    ("{{a.b(c).d}}", None),
    ("{{name.toUpperCase()}}", None),
    ("{{helper(a, b)}}", None),
    ("{{lookup(a, b)}}", None),
    ("{{./.a}}", None),
    ("{{a//b}}", None),
    ("{{#each xs, i}}x{{/each}}", None),
    ("{{#each xs |x|}}y{{/each}}", None),
    ("{{#each xs |x, i|}}y{{/each}}", None),
    ("{{for x in y}}1{{/for}}", None),
    ("{{ > footer }}", None),
    ("Hi {{name", Some("Hi {{name}}")),
    ("Hi {{name, how are you", Some("Hi {{name}}, how are you")),
    ("Hi {{name{{x}}", None),
    ("Hi {{first name and {{x}}", None),
    ("{{{{raw}}}}x{{/raw}}", None),
    ("{{name'}}", None),
    // Comments and closing tags.
    ("{{// note}}", None),
    ("{{/* note */}}", None),
    ("{{#if a}}x{{/#if}}", None),
    ("{{#if a}}x{{\\if}}", None),
    ("{{\\if}}", None),
    ("{{!-- todo -->", Some("{{!-- todo --}}")),
    ("{{!-- todo --} {{x}}", Some("{{!-- todo --}} {{x}}")),
    ("{{!-- todo -->}} {{x}}", Some("{{!-- todo --}} {{x}}")),
    (
        "{{!-- greeting }} Hi {{name}}, call --> now",
        Some("{{!-- greeting --}} Hi {{name}}, call --> now"),
    ),
    ("{{!-- {{name}} --> now", None),
    ("{{ ! note to self }}", None),
    ("{{ !vip }}", None),
    ("{{//name}}", None),
    ("{{ /* note */ name }}", None),
    // Other syntax.
    ("{{#17.output#}}", None),
    ("{{#output#}}", Some("{{output}}")),
    ("{{KNOWLEDGE\\_BASE}}", Some("{{KNOWLEDGE_BASE}}")),
    ("{{{{obra maestra}}}}", None),
    ("{{ a ~ b }}", None),
    ("{{first_name ~ \" \" ~ last_name}}", None),
    ("{{ name.upper() }}", None),
    ("C:\\lib\\{{#if a}}x{{/if}}", None),
    // Braces in sentences.
    ("double braces ({{) are used", None),
    ("The tokens {{, }} are forbidden", None),
];

#[test]
fn a_correction_has_the_intended_meaning() {
    for (text, expected) in CORRECTED {
        let (error, description) = error(text);
        let corrected = description.correction.map(|correction| corrected(text, &correction));
        assert_eq!(corrected.as_deref(), *expected, "{text:?}: {error:?}");
    }
}

/// The count of each character of a text that is neither punctuation nor white space.
fn content(text: &str) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    let is_mark = |it: &char| {
        (it.is_ascii_punctuation() && *it != '_')
            || it.is_whitespace()
            || "“”„‘’\u{feff}".contains(*it)
    };
    for character in text.chars().filter(|it| !is_mark(it)) {
        *counts.entry(character).or_default() += 1;
    }
    counts
}

#[test]
fn a_correction_keeps_all_content() {
    let mut random = Random::new(11);
    let generated: Vec<_> =
        (0..voxlint_testing::cases(4_500, 100_000)).map(|_| template(&mut random)).collect();
    let stored = stored();
    let stored = stored.iter().map(|verdict| verdict.template.as_str());
    let mut corrected_count = 0;
    let examples = EXAMPLES.iter().chain(CORRECTED.iter().map(|(text, _)| text)).copied();
    for text in examples.chain(generated.iter().map(String::as_str)).chain(stored) {
        let Some(error) = parse(text).error else { continue };
        let Some(correction) = error.describe(text).correction else { continue };
        corrected_count += 1;
        let corrected = corrected(text, &correction);
        let Correction { span, text: new, .. } = correction;
        let (before, after) = (content(span.of(text)), content(&new));
        // The name in a closing tag only repeats that of its block.
        let is_closing = span.of(text).trim_start_matches(['{', '~']).starts_with('/');
        for (character, count) in before.iter().filter(|_| !is_closing) {
            let kept = after.get(character).copied().unwrap_or_default();
            assert!(kept >= *count, "{text:?} became {corrected:?} without {character:?}");
        }
        // Comments stay comments. Nothing else becomes one.
        match error.kind {
            TemplateErrorKind::UnclosedComment => {
                let end = span.start as usize + new.len() - 2;
                let comment = &corrected[error.span.start as usize..end];
                assert!(!comment.contains("}}"), "{text:?} is partly silent: {corrected:?}");
            }
            _ => assert!(!new.contains("{{!"), "{text:?} became the comment {corrected:?}"),
        }
    }
    assert!(corrected_count > 200, "only {corrected_count} corrections");
}

#[test]
fn descriptions_are_well_formed() {
    for verdict in stored() {
        let text = verdict.template.as_str();
        let Some(error) = parse(text).error else { continue };
        let Description { message, label, help, correction, .. } = error.describe(text);
        for line in [&*message, label, &*help] {
            assert!(!line.is_empty() && !line.ends_with('.'), "{text:?}: {line}");
            let is_upper = line.starts_with(char::is_uppercase);
            assert!(!is_upper || line.starts_with("JSON") || line == "U+0000", "{line}");
            assert!(!line.contains(char::is_control), "{text:?}: {line:?}");
            assert!(line.chars().count() <= 200, "{text:?}: {line}");
        }
        assert!(!error.span.is_empty() || text.is_empty(), "{text:?}: {error:?} covers nothing");
        let related = error.related.map(|(span, _)| span);
        for span in [error.span, error.tag].into_iter().chain(related) {
            assert!(text.get(span.range()).is_some(), "{text:?}: {error:?}");
        }
        if let Some(correction) = correction {
            assert_ne!(correction.span.of(text), correction.text);
        }
    }
}

#[test]
fn excerpts_are_short_and_visible() {
    let text = format!("{{{{#if {}}}}}", "\u{7}long ".repeat(1_000));
    let (_, Description { message, .. }) = error(&text);
    assert!(message.chars().count() < 120, "{message}");
    assert!(message.contains("\\u{7}"), "{message}");
}

/// Valid templates that call a helper by mistake.
const UNINTENDED: &[&str] = &[
    "Your code is {{customer zip}}",
    "{{first  name}} {{last-name here}}",
    "{{the name of the caller if it is known}}",
    "{{-- note to self --}}",
    "{{- name }}",
    "{{- name -}}",
    "{{name -}}",
    "{{...}}",
    "{{x ?? \"y\"}}",
    "{{a ? b : c}}",
    "{{vip ? \"Welcome back\" : \"Hello\"}}",
    "{{a - b}}",
    "{{#if (eq a \"b\")}}x{{/if}}",
    "{{#if (not vip)}}x{{/if}}",
    "{{#eq a \"b\"}}x{{/eq}}",
    "{{#if a}}1{{elseif b}}2{{/if}}",
    "{{#if a}}1{{elsif b}}2{{/if}}",
    "{{ \"a\": 1 }}",
    "{{name: \"x\"}}",
];

#[test]
fn unintended_calls_are_described() {
    let mut shown = String::new();
    for text in UNINTENDED {
        let parsed = parse(text);
        assert!(parsed.error.is_none(), "{text:?} is valid");
        let call = parsed.tree.nodes().find_map(|node| UnintendedCall::detect(node, text));
        let call = call.unwrap_or_else(|| panic!("{text:?} is an unintended call"));
        writeln!(shown, "{text}\n{}", underline(text, call.span, "^", call.label))
            .expect("strings grow");
        if let Some(message) = &call.message {
            writeln!(shown, "  {message}").expect("strings grow");
        }
        writeln!(shown, "  help: {}\n", call.help).expect("strings grow");
    }
    voxlint_testing::assert_snapshot("template", "unintended-call", shown.trim_end());
}

#[test]
fn intended_calls_are_not_reported() {
    for text in [
        "{{lookup names 0}}",
        "{{#if vip}}x{{else if regular}}y{{/if}}",
        "{{formatDate date style=\"short\"}}",
        "{{customer.first_name}}",
        "{{[first name]}}",
        "{{upper (join first last)}}",
        "{{upper name}}",
    ] {
        let parsed = parse(text);
        let call = parsed.tree.nodes().find_map(|node| UnintendedCall::detect(node, text));
        assert_eq!(call, None, "{text}");
    }
}

/// The errors of a template after the first one, each as it is found when the text is corrected and parsed anew.
fn errors_in_turn(text: &str) -> Vec<(TemplateSpan, Description)> {
    let mut corrected = text.to_owned();
    let mut errors = Vec::new();
    while let Some(error) = parse(&corrected).error {
        let description = error.describe(&corrected);
        let Some(Correction { span, text, .. }) = description.correction.clone() else { break };
        errors.push((error.span, description));
        corrected.replace_range(span.range(), &text);
        assert!(errors.len() < 1_000, "{corrected:?}");
    }
    errors.split_off(errors.len().min(1))
}

#[test]
fn further_errors_are_those_of_the_corrected_text() {
    let mut random = Random::new(3);
    let mut count = 0;
    for _ in 0..voxlint_testing::cases(4_500, 100_000) {
        let pieces = 1 + random.below(6);
        let pieces = (0..pieces).map(|_| match random.below(3) {
            0 => (*random.pick(EXAMPLES)).to_owned(),
            1 => format!("{{{{#if a}}}} {} {{{{/if}}}}", random.pick(EXAMPLES)),
            _ => template(&mut random),
        });
        let text = pieces.collect::<Vec<_>>().join(" ");
        // A bracket or quote that a correction adds may close one before it that ends with an escaped one.
        if ["\\]", "\\\"", "\\'"].iter().any(|escaped| text.contains(escaped)) {
            continue;
        }
        let in_turn = errors_in_turn(&text);
        let further = further_errors(&text);
        let mut added = 0;
        if let Some(first) = parse(&text).error {
            let correction = first.describe(&text).correction;
            added = correction
                .map_or(0, |it| i64::from(it.text.len() as u32) - i64::from(it.span.len()));
        }
        assert!(further.len() <= in_turn.len(), "{text:?}");
        for (found, (span, description)) in further.iter().zip(&in_turn) {
            let moved = |at: u32| i64::from(at) + added;
            let now = (moved(found.span.start), moved(found.span.end));
            assert_eq!(now, (i64::from(span.start), i64::from(span.end)), "{text:?}");
            assert_eq!(found.description.message, description.message, "{text:?}");
            assert_eq!(found.description.help, description.help, "{text:?}");
            let [one, other] = [&found.description, description].map(|it| it.correction.as_ref());
            let (one, other) = (one.unwrap(), other.unwrap());
            assert_eq!(one.text, other.text, "{text:?}");
            assert_eq!(moved(one.span.start), i64::from(other.span.start), "{text:?}");
            added += i64::from(one.text.len() as u32) - i64::from(one.span.len());
            count += 1;
        }
    }
    assert!(count > 80, "{count}");
}

/// Also in a block: its closing tag is correct.
#[test]
fn all_of_many_errors_are_found() {
    let tags = "Hi {{name}, it is {{time}.\n".repeat(5_000);
    for text in [tags.clone(), format!("{{{{#if a}}}}\n{tags}{{{{else}}}}{tags}{{{{/if}}}}")] {
        let further = further_errors(&text);
        assert_eq!(further.len(), text.matches("{name}").count() * 2 - 1);
    }
}

/// What ends far away is not an error, after one that is.
#[test]
fn an_error_does_not_hide_what_ends_far_after_it() {
    let long = "It is long. ".repeat(5_000);
    for far in [
        format!("{{{{!-- {long} --}}}}"),
        format!("{{{{{{{{raw}}}}}}}}{long}{{{{{{{{/raw}}}}}}}}"),
        format!("{{{{#if a}}}}{long}{{{{/if}}}}"),
        format!("{{{{a \"{long}\"}}}}"),
        format!("{{{{[{long}]}}}}"),
    ] {
        let further = further_errors(&format!("{{{{name}} {far} {{{{name}} {{{{time}} {far}"));
        let found =
            further.iter().map(|it| it.description.correction.as_ref().unwrap().text.as_str());
        assert_eq!(found.collect::<Vec<_>>(), ["{{name}}", "{{time}}"], "{}", &far[..10]);
    }
}
