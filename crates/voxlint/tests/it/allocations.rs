//! A clean document allocates nothing per field. Allocations are counted, never timed.

use std::fmt::Write as _;

use voxlint::syntax::Format;
use voxlint::{Document, Inputs, Source, check};

/// What the vectors that hold the tree of a longer document may add, because they grow.
const GROWTH: u64 = 40;

/// A document that repeats a field.
struct Repeated {
    what: &'static str,
    prefix: &'static str,
    /// The field, with `§` for its number.
    field: &'static str,
    suffix: &'static str,
    /// The allocations that each repetition causes. The aim is that there are none.
    allowed: u64,
}

const DOCUMENTS: [Repeated; 6] = [
    Repeated {
        what: "functions",
        prefix: r#"{"version_number": 3, "agent_functions": ["#,
        field: r#"{"displayName": "Find §", "type": "custom", "description": "Finds §.", "config": {"url": "https://example.test/§"}},"#,
        suffix: r#"{"displayName": "Find", "type": "custom", "description": "Finds it.", "config": {}}]}"#,
        allowed: 14,
    },
    Repeated {
        what: "analyses",
        prefix: r#"{"version_number": 3, "post_call_analysis": ["#,
        field: r#"{"field_name": "result_§", "field_type": "STRING", "field_description": "What they want."},"#,
        suffix: r#"{"field_name": "last", "field_type": "NUMBER", "field_description": "How often they called."}]}"#,
        allowed: 10,
    },
    Repeated {
        what: "free-form fields",
        prefix: r#"{"version_number": 3, "json_output_instructions": {"#,
        field: r#""name_§": [true, null, -12.5e3, {"inner": "text with \u00e9 and \"quotes\""}],"#,
        suffix: r#""last": 1}}"#,
        allowed: 5,
    },
    Repeated {
        what: "defaults of variables",
        prefix: r#"{"version_number": 3, "prompt_text": "Hello {{name_0}}.", "default_dynamic_variables": {"#,
        field: r#""name_§": "Jordan","#,
        suffix: r#""last": ""}}"#,
        allowed: 3,
    },
    Repeated {
        what: "ids",
        prefix: r#"{"version_number": 3, "knowledge_base_ids": ["#,
        field: r#""kb_000000000000000000000§","#,
        suffix: r#""kb_1"]}"#,
        allowed: 0,
    },
    Repeated {
        what: "lines of a prompt",
        prefix: r#"{"version_number": 3, "prompt_text": ""#,
        field: r"§. Ask one question at a time – and wait.\n",
        suffix: r#"Goodbye."}"#,
        allowed: 0,
    },
];

/// The allocations of reading and checking a text.
fn allocations(text: &str) -> u64 {
    let counted = allocation_counter::measure(|| {
        let document = Document::parse_as(Source::from_bytes(text.as_bytes()), Format::Json);
        let report = check(&Inputs::new(document));
        assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    });
    counted.count_total
}

#[test]
fn a_clean_document_allocates_nothing_per_field() {
    let mut faults = String::new();
    for Repeated { what, prefix, field, suffix, allowed } in DOCUMENTS {
        let text = |count: u64| {
            let fields: String =
                (0..count).map(|number| field.replace('§', &number.to_string())).collect();
            format!("{prefix}{fields}{suffix}")
        };
        // What is built once and kept is not counted.
        allocations(&text(1));
        let (few, many) = (allocations(&text(20)), allocations(&text(200)));
        if many > few + allowed * 180 + GROWTH {
            let _ = writeln!(faults, "{what}: {few} allocations for 20, {many} for 200");
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
