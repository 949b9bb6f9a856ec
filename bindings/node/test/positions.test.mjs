// Positions in texts, in UTF-16 units.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Context, Project, check, diff, plan, predict } from "voxlint";

import { folder, places } from "./support.mjs";

const spans = (report) => report.files.flatMap((file) => [...places(file.path, file.diagnostics)]);

/** The findings of a document, and the characters that each of them marks. */
function marked(text, options) {
  const report = check(text, options);
  const findings = report.files.flatMap((file) => file.diagnostics);
  return findings.map(({ rule, span }) => [rule, text.slice(span.utf16.start, span.utf16.end)]);
}

test("positions are offsets in the string, whatever precedes them", () => {
  const before = ["", "a", "é", "है", "🎧", "👩‍👩‍👧", "\u{10FFFF}", "e\u0301"];
  for (const title of before) {
    for (const newline of ["\n", "\r\n", "\r"]) {
      for (const mark of ["", "\uFEFF"]) {
        const lines = ["{", `  "title": "${title}",`, '  "version_number": 3,', '  "kb_max_chunks": 12', "}"];
        const text = mark + lines.join(newline);
        const mistakes = [...(mark === "" ? [] : [["byte-order-mark", mark]]), ["out-of-range", "12"]];
        assert.deepEqual(marked(text), mistakes, JSON.stringify(text));
        const finding = check(text).files[0].diagnostics.at(-1);
        const bytes = Buffer.from(text);
        assert.equal(bytes.toString("utf8", finding.span.start, finding.span.end), "12");
        assert.deepEqual(finding.span.from, { line: 4, column: 20 });
      }
    }
  }
});

test("positions in YAML, TOML and lines are offsets in the string", () => {
  assert.deepEqual(marked("title: 🎧\nkb_max_chunks: 12\nversion_number: 3\n", { format: "yaml" }), [["out-of-range", "12"]]);
  assert.deepEqual(marked('title = "🎧"\nkb_max_chunks = 12\nversion_number = 3\n', { format: "toml" }), [["out-of-range", "12"]]);
  const lines = '{ "version_number": 3, "title": "🎧" }\r\n\r\n{ "version_number": 3, "title": "🎧", "kb_max_chunks": 12 }\r\n';
  assert.deepEqual(marked(lines, { format: "ndjson" }), [["out-of-range", "12"]]);
  const stream = "title: 🎧\nversion_number: 3\n---\ntitle: 🎧\nversion_number: 3\nkb_max_chunks: 12\n";
  assert.deepEqual(marked(stream, { format: "yaml" }), [["out-of-range", "12"]]);
});

test("an unpaired surrogate is one unit", () => {
  const text = '{ "title": "\uD83C", "version_number": 3, "kb_max_chunks": 12 }';
  assert.ok(marked(text).some(([rule, what]) => rule === "out-of-range" && what === "12"));
});

test("bytes in other encodings have positions", () => {
  const text = '{ "title": "🎧", "version_number": 3, "kb_max_chunks": 12 }';
  const [finding] = check(Buffer.from(text)).files[0].diagnostics;
  assert.equal(text.slice(finding.span.utf16.start, finding.span.utf16.end), "12");
  const broken = Buffer.concat([Buffer.from('{ "title": "'), Buffer.from([0xff]), Buffer.from('", "kb_max_chunks": 12, "version_number": 3 }')]);
  const range = check(broken).files[0].diagnostics.find((it) => it.rule === "out-of-range");
  assert.equal(broken.toString("latin1").slice(range.span.utf16.start, range.span.utf16.end), "12");
});

test("edits of fixes have offsets in the string", () => {
  const text = '{ "title": "🎧", "version_number": 3, "kb_max_chunks": "3" }';
  const [finding] = check(text).files[0].diagnostics;
  const [fix] = finding.fixes;
  assert.equal(fix.safety, "safe");
  const fixed = fix.edits.reduceRight((it, edit) => it.slice(0, edit.utf16.start) + edit.text + it.slice(edit.utf16.end), text);
  assert.equal(fixed, '{ "title": "🎧", "version_number": 3, "kb_max_chunks": 3 }');
});

test("positions in the stored configuration are offsets in its text", () => {
  const stored = '{ "version": { "title": "🎧🎧", "version_number": 3, "reminder_message_interval": 20 }, "complete": true }';
  const update = '{ "title": "é", "version_number": 3, "end_call_on_silence_sec": 15 }';
  const texts = { "<stored>": stored, "<text>": update };
  const report = check(update, { stored });
  let isStored = false;
  for (const [path, place] of spans(report)) {
    isStored ||= path === "<stored>";
    const bytes = Buffer.from(texts[path]);
    const { start, end } = place.utf16;
    assert.equal(texts[path].slice(start, end), bytes.toString("utf8", place.start, place.end));
  }
  assert.ok(isStored, "the interval is stored");
});

test("positions in a prediction, a difference and a plan are offsets in their texts", () => {
  const stored = '{ "version": { "title": "🎧", "version_number": 3 }, "complete": true }';
  const desired = '{ "title": "🎧🎧", "version_number": 3, "kb_max_chunks": 12 }';
  const [predicted] = predict(desired).diagnostics;
  assert.equal(desired.slice(predicted.span.utf16.start, predicted.span.utf16.end), "12");
  const { body, diagnostics } = diff(stored, desired);
  assert.match(body, /🎧🎧/);
  assert.equal(body.slice(diagnostics[0].span.utf16.start, diagnostics[0].span.utf16.end), "12");

  const agent = (id) => ({ id, agent_type: "Single_Prompt_Agent" });
  const claim = (title) => `{ "title": "${title}", "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_desk" }`;
  const documents = { a: claim("🎧"), b: claim("é") };
  const planned = plan([
    { path: "a", document: documents.a, stored: agent("a") },
    { path: "b", document: documents.b, stored: agent("b") },
  ]);
  let count = 0;
  for (const { name, findings } of planned.agents) {
    for (const [path, place] of places(name, findings)) {
      const { start, end } = place.utf16;
      assert.equal(documents[path].slice(start, end), Buffer.from(documents[path]).toString("utf8", place.start, place.end));
      count++;
    }
  }
  assert.ok(count > 0, "both claim one number");
});

test("positions in files are offsets in their texts", (t) => {
  const text = '{ "title": "🎧", "version_number": 3, "kb_max_chunks": 12 }';
  const root = folder(t, { "agents/en.json": text, "agents/lines.ndjson": `${text}\n${text}\n` });
  const report = new Project(root).check("agents/en.json");
  const [finding] = report.files[0].diagnostics;
  assert.equal(text.slice(finding.span.utf16.start, finding.span.utf16.end), "12");
  // The whole text of such a file is not kept.
  const lines = new Project(root).check("agents/lines.ndjson");
  for (const { span } of lines.files[0].diagnostics) {
    assert.ok(span.utf16 === null || span.utf16.end - span.utf16.start === 2);
  }
});

test("positions in an object are offsets in its JSON", () => {
  const value = { title: "🎧", version_number: 3, kb_max_chunks: 12 };
  const [finding] = new Context().check(value).files[0].diagnostics;
  assert.equal(JSON.stringify(value).slice(finding.span.utf16.start, finding.span.utf16.end), "12");
});
