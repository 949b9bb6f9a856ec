//! The paths of templates: what they show can be rendered, and whatever can be rendered is shown.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value as Json, json};
use voxlint_template::{
    Assumption, Condition, Missing, Object, OpenTemplate, RenderLimits, Rendering, TemplatePath,
    TemplatePaths, parse, paths, render,
};
use voxlint_testing::files_below;

use crate::{
    common::{
        contexts::rendered_template,
        generator::Random,
        hard::{HARD, RENDERED},
    },
    rendering::value,
};

fn paths_of(text: &str, defaults: &Json) -> Option<TemplatePaths> {
    let template = parse(text);
    let defaults = object(defaults);
    let open = OpenTemplate { text, template: &template, defaults };
    if template.error.is_some() { None } else { paths(&[open], Object::default()).ok() }
}

fn object(fields: &Json) -> Object {
    Object::new(
        fields.as_object().unwrap().iter().map(|(name, it)| (name.as_str().into(), value(it))),
    )
}

/// Each path with its conditions and its text.
fn shown(text: &str, defaults: &Json) -> Vec<String> {
    let found = paths_of(text, defaults).unwrap();
    assert_eq!(found.left_out, Some(0));
    let in_words = |list: &Vec<Condition>| {
        let words = list.iter().map(|it| {
            let sign = match it.assumption {
                Assumption::Missing => "-",
                Assumption::Set => "+",
                Assumption::OneItem => "1",
            };
            format!("{sign}{}", it.path.join("."))
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let paths = found.paths.iter().map(|path| {
        let lists: Vec<String> = path.conditions.iter().map(in_words).collect();
        format!("{}: {}", lists.join(" or "), path.renderings[0].with_marks())
    });
    paths.collect()
}

#[test]
fn each_text_is_shown_with_the_conditions_that_give_it() {
    let none = json!({});
    for (text, expected) in [
        ("Hi {{name}}", &[": Hi ⟨name⟩"][..]),
        ("{{#if a}}x{{/if}}{{#if a}}y{{/if}}", &["+a: xy", "-a: "]),
        ("{{#if a}}x{{else if b}}y{{else}}z{{/if}}", &["+a: x", "-a +b: y", "-a -b: z"]),
        ("{{#if a}}x{{else if b}}x{{/if}}", &["+a or -a +b: x", "-a -b: "]),
        ("{{#if a}}x{{else}}x{{/if}}", &[": x"]),
        ("{{#if a}}x{{/if}}{{#if b}}{{/if}}", &["+a: x", "-a: "]),
        ("{{#unless a}}x{{^}}{{a}}{{/unless}}", &["+a: ⟨a⟩", "-a: x"]),
        ("{{^a}}x{{/a}}{{#a}}y{{/a}}", &["+a: y", "-a: x"]),
        (
            "{{#with c}}Hi {{name}}{{#if vip}}!{{/if}}{{/with}}",
            &["+c +c.vip: Hi ⟨name⟩!", "+c -c.vip: Hi ⟨name⟩", "-c: "],
        ),
        (
            "{{#if c.vip}}x{{/if}}{{#with c}}{{#if vip}}y{{/if}}z{{/with}}",
            &["+c.vip: xyz", "-c.vip +c: z", "-c.vip -c: "],
        ),
        ("{{#each xs}}[{{this}}]{{else}}none{{/each}}", &["1xs: [⟨xs.0⟩]", "-xs: none"]),
        (
            "{{#if xs.length}}You have {{#each xs}}{{name}}{{/each}}{{/if}}",
            &["1xs: You have ⟨name⟩", "-xs: "],
        ),
        (
            "{{#each xs}}{{#if vip}}{{../day}}{{/if}}{{/each}}",
            &["1xs +xs.0.vip: ⟨../day⟩", "1xs -xs.0.vip or -xs: "],
        ),
        ("a\n{{#if a}}\nx\n{{/if}}\nb", &["+a: a\nx\nb", "-a: a\nb"]),
        ("a {{~#if a~}} x {{~/if}} b", &["+a: ax b", "-a: a b"]),
        ("{{!-- {{#if a}} --}}\\{{#if b}}", &[": {{#if b}}"]),
        ("{{lookup xs i}}", &[": ⟨lookup xs i⟩"]),
    ] {
        assert_eq!(shown(text, &none), expected, "{text}");
    }
}

#[test]
fn defaults_are_what_is_heard_where_they_count() {
    let defaults = json!({ "name": "Ada", "empty": "", "zero": 0, "xs": ["tea", "milk"], "yes": true, "c": { "name": "Bo" } });
    for (text, expected) in [
        ("Hi {{name}}", &[": Hi Ada"][..]),
        ("{{#if name}}Hi {{name}}{{else}}Hi{{name}}{{/if}}", &["+name: Hi Ada", "-name: Hi⟨name⟩"]),
        ("{{#if empty}}{{empty}}{{else}}[{{empty}}]{{/if}}", &["+empty: ⟨empty⟩", "-empty: []"]),
        ("{{zero}}{{#if zero}}{{zero}}{{/if}}", &["+zero: ⟨zero⟩⟨zero⟩", "-zero: 0"]),
        ("{{#each xs}}{{this}} {{/each}}", &["+xs: tea milk ", "-xs: "]),
        ("{{#yes}}{{name}}{{/yes}}", &["+yes: Ada", "-yes: "]),
        (
            "{{#with c}}{{name}}{{#if vip}}!{{/if}}{{/with}}",
            &["+c +c.vip: Bo!", "+c -c.vip: Bo", "-c: "],
        ),
    ] {
        assert_eq!(shown(text, &defaults), expected, "{text}");
    }
}

#[test]
fn of_too_many_texts_the_most_different_are_shown() {
    let branch = |at| format!("{{{{#if v{at}}}}}{at} {{{{/if}}}}");
    let text = (0..20).map(branch).collect::<Vec<_>>().concat();
    let found = paths_of(&text, &json!({})).unwrap();
    assert_eq!((found.paths.len(), found.left_out), (64, None));
    let missing = found.paths.iter().map(|path| {
        let all = path.conditions[0].iter();
        all.filter(|it| it.assumption == Assumption::Missing).count()
    });
    let missing: Vec<usize> = missing.collect();
    assert_eq!(missing[..2], [0, 20], "all set, and all missing");
    for exceptions in [1, 19] {
        let count = missing[2..42].iter().filter(|it| **it == exceptions).count();
        assert_eq!(count, 20, "{missing:?}");
    }
}

/// Variables that fulfil conditions. What is set is text, unless a field of it is set. What is only known to have a value is
/// `set`.
fn variables(conditions: &[Condition], set: &mut dyn FnMut(String) -> Json) -> Json {
    let mut variables = json!({});
    let mut ordered: Vec<&Condition> = conditions.iter().collect();
    ordered.sort_by_key(|it| it.path.len());
    for Condition { path, assumption } in ordered {
        if *assumption == Assumption::Missing {
            continue;
        }
        let mut place = &mut variables;
        for name in path {
            if let Json::Array(items) = place {
                place = &mut items[0];
                continue;
            }
            if !place.is_object() {
                *place = json!({});
            }
            place = place.as_object_mut().unwrap().entry(&**name).or_insert(Json::Null);
        }
        let name = path.join(".");
        match assumption {
            Assumption::OneItem => *place = json!([set(format!("{name}.0"))]),
            _ if place.is_array() || place.is_object() => {}
            _ => *place = set(name),
        }
    }
    variables
}

/// The text with its marks. The length of a mark is itself one: as a number it is that of the mark.
fn heard(rendering: &Rendering) -> String {
    let marked = rendering.with_marks();
    let mut parts = marked.split(".length⟩");
    let mut heard = parts.next().unwrap().to_owned();
    for part in parts {
        let mark = heard.split_off(heard.rfind('⟨').unwrap());
        write!(heard, "{}{part}", mark.encode_utf16().count() + 1).unwrap();
    }
    heard
}

/// Holds if each path of a template is what rendering gives with variables that fulfil its conditions. Returns their number.
fn each_path_can_be_rendered(text: &str) -> usize {
    let Some(found) = paths_of(text, &json!({})) else { return 0 };
    let parsed = parse(text);
    let mut count = 0;
    // A text that is printed has characters, which a number reads.
    let reads_character = |it: &Missing| it.name.contains(|c: char| c.is_ascii_digit());
    let has_none = |it: &Condition| {
        it.assumption == Assumption::Missing && it.path.last().is_some_and(|it| **it == *"0")
    };
    let of = |path: &TemplatePath| {
        path.renderings[0].missing.iter().any(reads_character)
            || path.conditions.iter().flatten().any(has_none)
    };
    for path in found.paths.iter().filter(|path| !of(path)) {
        for conditions in &path.conditions {
            // A text has a length and characters, and an object is printed otherwise.
            let mut random = Random::new(3);
            let ways = |name: String, way| match way {
                0 => json!(format!("⟨{name}⟩")),
                1 => json!({}),
                _ => json!({ "length": format!("⟨{name}.length⟩") }),
            };
            let mut rendered = (0..100).map(|trial| {
                let mut way = || if trial < 3 { trial } else { random.below(3) };
                let variables = variables(conditions, &mut |name| ways(name, way()));
                render(text, &parsed, &value(&variables), RenderLimits::default())
            });
            let is_it = |it: Result<Rendering, _>| {
                it.is_ok_and(|it| heard(&it) == heard(&path.renderings[0]))
            };
            assert!(rendered.any(is_it), "{text:?}\n{conditions:?}\n{:?}", path.renderings[0]);
            count += 1;
        }
    }
    count
}

/// The templates of all fixtures.
fn fixtures() -> Vec<String> {
    let mut templates = Vec::new();
    for path in files_below("fixtures", "json") {
        let Ok(text) = std::fs::read(path) else { continue };
        let Ok(document) = serde_json::from_slice::<Json>(&text) else { continue };
        let fields = ["prompt_text", "welcome_message", "voicemail_message"];
        let texts = fields.iter().filter_map(|field| document[field].as_str());
        templates.extend(texts.filter(|text| text.contains("{{")).map(str::to_owned));
    }
    assert!(templates.len() > 50, "{}", templates.len());
    templates
}

#[test]
fn every_path_that_is_shown_is_rendered_for_some_variables() {
    let mut random = Random::new(5);
    let wild = (0..4_000).map(|_| rendered_template(&mut random)).collect::<Vec<_>>();
    let tame = (0..1_000).map(|_| template(&mut random)).collect::<Vec<_>>();
    let by_hand = RENDERED.iter().chain(HARD.iter()).map(|it| (*it).to_owned());
    let all = by_hand.chain(fixtures()).chain(wild).chain(tame);
    // An object with a field `toString` cannot become text.
    let all = all.filter(|text| !text.contains("toString"));
    let count: usize = all.map(|text| each_path_can_be_rendered(&text)).sum();
    assert!(count > 10_000, "{count}");
}

/// A template about texts `a` to `d`, an object `o` with the fields `x` and `y`, a list of texts `l` and a list of objects `m`.
fn template(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(4) {
        statement(random, 2, &mut text);
    }
    text
}

fn statement(random: &mut Random, depth: usize, to: &mut String) {
    let name = random.pick(&["a", "b", "c", "d", "o.x", "o.y", "this.a", "@root.b"]);
    let tag = |to: &mut String, random: &mut Random, inner: &str| {
        let [open, close] = [0, 1].map(|_| if random.one_in(8) { "~" } else { "" });
        write!(to, "{{{{{open}{inner}{close}}}}}").unwrap();
    };
    let body = |random: &mut Random, to: &mut String| {
        for _ in 0..random.below(3) {
            statement(random, depth - 1, to);
        }
        to.push_str(random.pick(&["", " x", "\ny\n", "z "]));
    };
    match random.below(if depth == 0 { 4 } else { 11 }) {
        0 | 1 => to.push_str(random.pick(&["hello ", "\n", " and\n", "  ", "."])),
        2 | 3 => tag(to, random, name),
        4..=6 => {
            let tests = ["a", "b", "c", "d", "o", "o.x", "l", "l.length", "m"];
            let helper = random.pick(&["if", "unless"]);
            let test = random.pick(&tests);
            tag(to, random, &format!("#{helper} {test}"));
            body(random, to);
            for _ in 0..random.below(3) {
                let test = random.pick(&tests);
                tag(to, random, &format!("else if {test}"));
                body(random, to);
            }
            if random.one_in(2) {
                tag(to, random, "else");
                body(random, to);
            }
            tag(to, random, &format!("/{helper}"));
        }
        7 => {
            let name = random.pick(&["a", "b", "c"]);
            tag(to, random, &format!("^{name}"));
            body(random, to);
            if random.one_in(2) {
                tag(to, random, "else");
                to.push_str(" {{this}}{{../d}}\n");
            }
            tag(to, random, &format!("/{name}"));
        }
        8 => {
            tag(to, random, "#with o");
            to.push_str("\n {{x}}{{#if y}}y{{../a}}{{/if}}");
            if random.one_in(2) {
                tag(to, random, "else");
                body(random, to);
            }
            tag(to, random, "/with");
        }
        9 => {
            tag(to, random, "#each l");
            to.push_str("{{@index}}{{this}}{{#if ../a}}{{../a}}{{/if}}");
            tag(to, random, "else");
            body(random, to);
            tag(to, random, "/each");
        }
        _ => {
            tag(to, random, "#each m as |it|");
            to.push_str("{{k}}{{#if it.v}}{{it.v}}{{else}}no{{/if}}\n");
            tag(to, random, "/each");
        }
    }
}

/// Variables that a call may give, each with its own mark as its value.
fn call(random: &mut Random) -> Json {
    let mut call = json!({});
    for name in ["a", "b", "c", "d"] {
        if random.one_in(2) {
            call[name] = json!(format!("⟨{name}⟩"));
        }
    }
    let fields = |random: &mut Random, path: &str, names: [&str; 2]| {
        let mut object = json!({});
        for name in names {
            if random.one_in(2) {
                object[name] = json!(format!("⟨{path}.{name}⟩"));
            }
        }
        object
    };
    if random.one_in(2) {
        call["o"] = fields(random, "o", ["x", "y"]);
    }
    match random.below(3) {
        0 => call["l"] = json!(["⟨l.0⟩"]),
        1 => call["l"] = json!([]),
        _ => {}
    }
    if random.one_in(2) {
        call["m"] = json!([fields(random, "m.0", ["k", "v"])]);
    }
    call
}

/// The text with each mark as the last name in it: a missing variable is marked as the template writes it.
fn last_names(marked: &str) -> String {
    let mut text = String::new();
    for (at, part) in marked.split('⟨').enumerate() {
        match part.split_once('⟩') {
            Some((name, rest)) if at > 0 => {
                let last = name.rsplit(['.', '/']).next().unwrap();
                write!(text, "⟨{last}⟩{rest}").unwrap();
            }
            _ => text.push_str(part),
        }
    }
    text
}

#[test]
fn no_call_hears_a_text_that_is_not_shown() {
    let mut random = Random::new(9);
    let (templates, calls) = (voxlint_testing::cases(100, 300), voxlint_testing::cases(300, 1_000));
    let mut complete = 0;
    for _ in 0..templates {
        let text = template(&mut random);
        let mut defaults = json!({});
        for name in ["a", "b", "c", "d"].into_iter().filter(|_| random.one_in(3)) {
            defaults[name] = json!(format!("⟨{name}⟩"));
        }
        let found = paths_of(&text, &defaults).unwrap();
        let shown = found.paths.iter().map(|path| last_names(&path.renderings[0].with_marks()));
        let shown: BTreeSet<String> = shown.collect();
        if found.left_out != Some(0) {
            continue;
        }
        complete += 1;
        let parsed = parse(&text);
        for _ in 0..calls {
            let call = call(&mut random);
            let rendered = render(&text, &parsed, &value(&call), RenderLimits::default()).unwrap();
            let heard = last_names(&rendered.with_marks());
            assert!(shown.contains(&heard), "{text:?}\n{call}\n{heard:?}\n{shown:#?}");
        }
    }
    assert!(complete * 6 > templates * 5, "{complete}");
}

#[test]
fn no_call_hears_a_text_of_a_fixture_that_is_not_shown() {
    let mut random = Random::new(11);
    let mut with_branches = 0;
    for text in fixtures() {
        let Some(found) = paths_of(&text, &json!({})) else { continue };
        let conditions = found.paths.iter().flat_map(|path| path.conditions.iter().flatten());
        let set = conditions.filter(|it| it.assumption != Assumption::Missing);
        let set: Vec<&Condition> = set.collect();
        if found.left_out != Some(0) || set.is_empty() {
            continue;
        }
        with_branches += 1;
        let shown = found.paths.iter().map(|path| last_names(&heard(&path.renderings[0])));
        let shown: BTreeSet<String> = shown.collect();
        let parsed = parse(&text);
        for _ in 0..1_000 {
            let some = set.iter().filter(|_| random.one_in(2)).map(|it| (*it).clone());
            let some: Vec<Condition> = some.collect();
            let call = variables(&some, &mut |name| json!(format!("⟨{name}⟩")));
            let rendered = render(&text, &parsed, &value(&call), RenderLimits::default()).unwrap();
            let heard = last_names(&heard(&rendered));
            assert!(shown.contains(&heard), "{text:?}\n{call}\n{heard:?}\n{shown:#?}");
        }
    }
    assert!(with_branches > 20, "{with_branches}");
}
