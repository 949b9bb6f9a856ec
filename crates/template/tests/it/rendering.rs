//! Compares what templates render to with the reference: npm handlebars, run in node by tests/render.js.
//!
//! `VOXLINT_RENDERINGS` is the number of generated templates per seed, `VOXLINT_SEEDS` the seeds (`1,2,3`). The rest is as in
//! reference.rs. `VOXLINT_RENDERINGS_TO` is a file to write the cases to, for comparisons with other implementations.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    path::Path,
    process::{Command, Stdio},
    thread,
};

use serde_json::{Value as Json, json};
use voxlint_template::{
    BUILT_IN_HELPERS, NodeKind, Object, RenderError, RenderLimits, Value, certain_render_errors,
    parse, render,
};
use voxlint_testing::files_below;

use crate::{
    common::{
        contexts::{context, rendered_template},
        generator::{Random, template},
        hard::{HARD, RENDERED},
    },
    reference::{MISSING, oracle},
};

#[test]
fn renderings_equal_those_of_the_reference() {
    let Some(oracle) = oracle() else {
        assert!(env::var_os("VOXLINT_REQUIRE_REFERENCE").is_none(), "{MISSING}");
        voxlint_testing::skip(MISSING);
        return;
    };
    let count = |name| env::var(name).ok().and_then(|count| count.parse().ok());
    let cases: usize = count("VOXLINT_RENDERINGS").unwrap_or(1_000);
    let seeds = env::var("VOXLINT_SEEDS").unwrap_or_else(|_| "1".to_owned());
    let mut different = Vec::new();
    let mut random = Random::new(7);
    let mut by_hand = Vec::new();
    for (templates, contexts) in [(&HARD, 1), (&RENDERED, 20)] {
        for template in templates.iter() {
            by_hand.extend(
                (0..contexts)
                    .map(|_| json!({ "template": template, "context": context(&mut random) })),
            );
        }
    }
    compare("by hand", &oracle, &by_hand, &mut different);
    compare("fixtures", &oracle, &fixtures(), &mut different);
    for seed in seeds.split(',').filter_map(|seed| seed.trim().parse::<u64>().ok()) {
        let mut random = Random::new(seed);
        let generated = (0..cases).map(|at| {
            // Most random tokens are not valid templates, so there are fewer of them.
            let template =
                if at % 8 == 0 { template(&mut random) } else { rendered_template(&mut random) };
            json!({ "template": template, "context": context(&mut random) })
        });
        compare(
            &format!("generated, seed {seed}"),
            &oracle,
            &generated.collect::<Vec<_>>(),
            &mut different,
        );
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
}

#[test]
fn hostile_templates_end_soon() {
    let numbers: Vec<Json> = (0..1_000).map(Json::from).collect();
    let context = json!({ "xs": numbers, "text": "x".repeat(100_000) });
    for (template, error) in [
        (
            "{{#each xs}}{{#each ../xs}}{{#each ../../xs}}{{/each}}{{/each}}{{/each}}".to_owned(),
            "steps",
        ),
        ("{{#each xs}}{{../text}}{{/each}}".to_owned(), "bytes"),
        ("{{#each xs}}{{#if (lookup ../text @index)}}{{/if}}{{/each}}".to_owned(), "steps"),
        ("{{#*inline \"p\"}}{{> p}}{{/inline}}{{> p}}".to_owned(), "not rendered"),
        ("{{#if xs}}{{#> p}}x{{/p}}{{/if}}".to_owned(), "not rendered"),
        (format!("{}{}", "{{#if xs}}".repeat(1_000), "{{/if}}".repeat(1_000)), "nested too deep"),
        (
            format!("{{{{#if {}xs{}}}}}{{{{/if}}}}", "(a ".repeat(500), ")".repeat(500)),
            "nested too deep",
        ),
    ] {
        let parsed = parse(&template);
        assert!(parsed.error.is_none(), "{template:.80}");
        let rendered = render(&template, &parsed, &value(&context), RenderLimits::default());
        let found = rendered.unwrap_err();
        assert!(found.is_limit() && found.to_string().contains(error), "{template:.80}: {found}");
    }
}

#[test]
fn an_error_says_what_to_write() {
    let context = json!({ "name": "Ada", "o": { "toString": 1 } });
    for (template, span, message) in [
        ("Hi {{first name}}", "first", "`first` is not a built-in Handlebars helper"),
        ("{{> footer}}", "footer", "the partial `footer` is not defined"),
        ("{{#if name}}{{* note}}{{/if}}", "note", "`note` is not a built-in Handlebars decorator"),
        ("{{name x}}", "name", "`name` is a variable, not a helper"),
        ("a {{#if}}{{/if}}", "if", "`if` needs exactly one argument"),
        ("{{if name}}", "if", "`if` works only as a block"),
        ("{{#each}}{{/each}}", "each", "`each` needs a list"),
        ("{{lookup name}}", "lookup", "`lookup` needs exactly two arguments"),
        ("{{#if name as |n|}}{{n}}{{/if}}", "n", "the block does not set the block parameter `n`"),
        ("{{o}}", "o", "this object has a field `toString` and cannot become text"),
    ] {
        let rendered =
            render(template, &parse(template), &value(&context), RenderLimits::default());
        let error = rendered.unwrap_err();
        assert_eq!((error.span.of(template), &*error.to_string()), (span, message), "{template}");
        assert!(!error.help().is_empty() && !error.is_limit());
    }
}

/// Calls of built-in helpers with any number of arguments, as blocks and without one, in every place for a call.
fn calls_of_helpers() -> Vec<String> {
    let arguments = [
        "",
        " a",
        " a b",
        " not a",
        " a as b",
        " a 0 1",
        " \"\"",
        " a as |x|",
        " a b=1",
        " \"\" a",
    ];
    let helpers = BUILT_IN_HELPERS.iter().copied().chain(["[if]", "\"each\"", "this.if", "if.x"]);
    let calls = helpers.flat_map(|helper| arguments.map(|it| (helper, it)));
    calls
        .flat_map(|(helper, it)| {
            let plain = it.split(" as |").next().unwrap_or_default();
            [
                format!("{{{{#{helper}{it}}}}}{{{{x}}}}{{{{else}}}}{{{{x}}}}{{{{/{helper}}}}}"),
                format!("{{{{^{helper}{it}}}}}{{{{x}}}}{{{{/{helper}}}}}"),
                format!("{{{{#if q}}}}{{{{else {helper}{it}}}}}{{{{x}}}}{{{{/if}}}}"),
                format!("{{{{{helper}{plain}}}}}"),
                format!("{{{{#if ({helper}{plain})}}}}{{{{/if}}}}"),
                format!("{{{{#each a as |{helper}|}}}}{{{{{helper}{plain}}}}}{{{{/each}}}}"),
            ]
        })
        .collect()
}

/// Whether the check reports the place of an error as a helper, partial or decorator that Handlebars does not have.
fn is_unknown(text: &str, error: &RenderError) -> bool {
    parse(text).tree.nodes().filter(|node| node.head().is_some()).any(|tag| {
        let is_head = tag.head().is_some_and(|head| head.span() == error.span);
        let has_arguments = tag.params().chain(tag.hash_arguments()).next().is_some();
        let is_call = has_arguments || tag.kind() == NodeKind::SubExpression;
        let is_built_in = BUILT_IN_HELPERS.contains(&error.span.of(text));
        let is_other = matches!(
            tag.kind(),
            NodeKind::Partial | NodeKind::Decorator | NodeKind::DecoratorBlock
        );
        // The name of a partial is looked up before the block around it has set its parameters.
        let is_inline_name = tag.kind() == NodeKind::DecoratorBlock
            && tag.params().any(|name| name.span().contains(error.span));
        is_inline_name || is_head && (is_other || is_call && !is_built_in)
    })
}

#[test]
fn whatever_cannot_be_rendered_with_any_variables_is_known_without_them() {
    let mut random = Random::new(11);
    let generated =
        (0..voxlint_testing::cases(5_000, 20_000)).map(|_| rendered_template(&mut random));
    let generated = generated.collect::<Vec<_>>();
    let by_hand = RENDERED.iter().chain(HARD.iter()).map(|it| (*it).to_owned());
    let contexts: Vec<Value> = [
        json!({}),
        json!({ "a": "text", "xs": [1], "o": { "a": 1 }, "t": true, "n": 1, "b": "b", "c": 1 }),
        json!({ "a": [1, 2], "xs": [{ "a": 1 }], "o": [1], "t": 1, "n": "n", "b": [3], "f": true }),
        json!({ "a": { "x": 1 }, "b": { "c": [1] }, "xs": { "k": 1 }, "o": "o", "t": {}, "name": "x" }),
    ]
    .iter()
    .map(value)
    .collect();
    let mut failed = 0;
    for text in by_hand.chain(calls_of_helpers()).chain(generated) {
        let parsed = parse(&text);
        if parsed.error.is_some() {
            continue;
        }
        let certain = certain_render_errors(&text, &parsed);
        let results: Vec<_> = contexts
            .iter()
            .map(|context| render(&text, &parsed, context, RenderLimits::default()))
            .collect();
        let errors = results.iter().filter_map(|it| it.as_ref().err());
        // One place that fails for every variable, and not a different one for each.
        let is_everywhere = |error: &RenderError| {
            results.iter().all(|it| it.as_ref().is_err_and(|other| other.span == error.span))
        };
        for error in errors.filter(|it| !it.is_limit() && is_everywhere(it)) {
            let is_known = certain.iter().any(|it| it.span.start == error.span.start);
            assert!(is_known || is_unknown(&text, error), "{text}: {error}");
            failed += 1;
        }
    }
    assert!(failed > 100, "{failed}");
}

#[test]
fn what_is_known_to_fail_without_variables_fails_for_some() {
    for text in calls_of_helpers() {
        let parsed = parse(&text);
        let certain = certain_render_errors(&text, &parsed);
        if parsed.error.is_some() || certain.is_empty() {
            continue;
        }
        let contexts = [
            json!({}),
            json!({ "a": [1] }),
            json!({ "a": true }),
            json!({ "a": "x", "if": [1], "x": {} }),
        ];
        let fails = contexts.iter().any(|context| {
            render(&text, &parsed, &value(context), RenderLimits::default()).is_err()
        });
        assert!(fails, "{text}: {certain:?}");
    }
}

/// The templates of all fixtures with their default variables.
fn fixtures() -> Vec<Json> {
    let mut cases = Vec::new();
    for path in files_below("fixtures", "json") {
        let Ok(text) = fs::read_to_string(path) else { continue };
        let Ok(document) = serde_json::from_str::<Json>(&text) else { continue };
        for field in ["prompt_text", "welcome_message", "voicemail_message"] {
            if let Some(template) = document[field].as_str().filter(|text| text.contains("{{")) {
                let variables = &document["default_dynamic_variables"];
                let context = if variables.is_object() { variables.clone() } else { json!({}) };
                cases.push(json!({ "template": template, "context": context }));
            }
        }
    }
    assert!(cases.len() > 50, "{}", cases.len());
    cases
}

fn compare(what: &str, oracle: &Path, cases: &[Json], different: &mut Vec<String>) {
    let before = different.len();
    let [mut texts, mut errors, mut rejected, mut limited] = [0; 4];
    for (case, theirs) in cases.iter().zip(rendered(oracle, cases)) {
        let template = case["template"].as_str().unwrap();
        let parsed = parse(template);
        if parsed.error.is_some() || theirs["type"] == "RangeError" || !template.contains("{{") {
            rejected += 1;
            continue;
        }
        let ours = render(template, &parsed, &value(&case["context"]), RenderLimits::default());
        if ours.as_ref().is_err_and(RenderError::is_limit) {
            limited += 1;
            continue;
        }
        let agree = match (&ours, theirs["text"].as_str()) {
            (Ok(ours), Some(text)) => ours.text == text,
            (Err(error), None) => is_same_error(&error.to_string(), &theirs),
            _ => false,
        };
        if theirs["text"].is_string() {
            texts += 1;
        } else {
            errors += 1;
        }
        if !agree && different.len() < 100 {
            let ours = ours.map(|rendering| rendering.text);
            different.push(format!("{case}\n  theirs: {theirs}\n  ours: {ours:?}"));
        }
    }
    println!(
        "{what}: {} templates, {texts} rendered, {errors} failed, {rejected} not templates, {limited} over limits; {} differ",
        cases.len(),
        different.len() - before
    );
}

/// Whether an error is that of the reference. Where the reference calls a value or reads from nothing, any
/// error of ours will do.
fn is_same_error(ours: &str, theirs: &Json) -> bool {
    let message = theirs["error"].as_str().unwrap();
    let name = ours.split('`').nth(1).unwrap_or_default();
    let expected = if ours.ends_with("built-in Handlebars helper") {
        format!("Missing helper: \"{name}\"")
    } else if ours.ends_with("is not defined") {
        format!("The partial {name} could not be found")
    } else if ours.ends_with("built-in Handlebars decorator") {
        format!("Missing decorator: \"{name}\"")
    } else if ours.ends_with("needs exactly one argument") {
        format!("#{name} requires exactly one argument")
    } else if ours == "`each` needs a list" {
        "Must pass iterator to #each".to_owned()
    } else {
        return theirs["type"] == "TypeError";
    };
    message == expected
}

/// The reference's results, in order.
fn rendered(oracle: &Path, cases: &[Json]) -> Vec<Json> {
    if let Some(path) = env::var_os("VOXLINT_RENDERINGS_TO") {
        let mut file = fs::File::options().create(true).append(true).open(path).unwrap();
        for case in cases {
            writeln!(file, "{case}").unwrap();
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render.js");
    let mut child = Command::new("node")
        .arg(script)
        .arg(oracle)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node has just answered");
    let mut input = BufWriter::new(child.stdin.take().expect("the input is a pipe"));
    let lines: Vec<String> = cases.iter().map(Json::to_string).collect();
    let writer = thread::spawn(move || {
        for line in lines {
            writeln!(input, "{line}").expect("node reads to the end");
        }
    });
    let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
    let results: Vec<Json> = output
        .lines()
        .map(|line| serde_json::from_str(&line.expect("node writes UTF-8")).expect("JSON"))
        .collect();
    writer.join().expect("everything was written");
    assert!(child.wait().expect("node ends").success(), "the reference failed");
    assert_eq!(results.len(), cases.len());
    results
}

pub(crate) fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Boolean(*value),
        Json::Number(number) => Value::Number(number.as_f64().unwrap()),
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => Value::List(items.iter().map(value).collect()),
        Json::Object(fields) => {
            let fields = fields.iter().map(|(name, field)| (name.as_str().into(), value(field)));
            Object::new(fields).into()
        }
    }
}
