import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { inspect } from "node:util";

import voxlint, { Context, check, checkAsync, diff, explain, explainAsync, plan, planAsync, predict, predictAsync, diffAsync, version } from "voxlint";

import { BAD, GOOD } from "./support.mjs";

const rules = (report) => report.files.flatMap((file) => file.diagnostics.map((finding) => finding.rule));

test("a document has findings in the format of the command line", () => {
  const report = check(BAD, { path: "agents/en.json" });
  assert.equal(report.schema, 1);
  assert.deepEqual(report.tool, { name: "voxlint", version });
  assert.equal(report.files.length, 1);
  const [file] = report.files;
  assert.equal(file.path, "agents/en.json");
  assert.equal(file.kind, "update");
  const [finding] = file.diagnostics;
  assert.equal(finding.rule, "out-of-range");
  assert.equal(finding.verdict, "reject");
  assert.equal(finding.status, 400);
  assert.equal(finding.field, "/kb_max_chunks");
  assert.equal(BAD.slice(finding.span.start, finding.span.end), "12");
  assert.deepEqual(finding.span.utf16, { start: finding.span.start, end: finding.span.end });
  assert.equal(report.summary.errors, 1);
  assert.deepEqual(report.failures, []);
});

test("a clean document has no findings", () => {
  const report = check(GOOD);
  assert.deepEqual(rules(report), []);
  assert.equal(report.summary.documents, 1);
  assert.ok(report.summary.undecided > 0, "nothing is known of the stored configuration");
});

test("strings, bytes and values are the same document", () => {
  const value = { version_number: 3, kb_max_chunks: 12 };
  const text = JSON.stringify(value);
  const wanted = check(text);
  assert.deepEqual(rules(wanted), ["out-of-range"]);
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array([0, ...bytes, 0]);
  for (const document of [value, Buffer.from(text), bytes, bytes.buffer, padded.subarray(1, -1)]) {
    assert.deepEqual(check(document), wanted);
  }
  class Update {
    toJSON() {
      return value;
    }
  }
  assert.deepEqual(check(new Update()), wanted);
});

test("every format is read", () => {
  const documents = {
    json: BAD,
    jsonc: '{ "version_number": 3, /* more */ "kb_max_chunks": 12, }',
    yaml: "version_number: 3\nkb_max_chunks: 12\n",
    toml: "version_number = 3\nkb_max_chunks = 12\n",
    ndjson: `${GOOD}\n${BAD}\n`,
  };
  for (const [format, text] of Object.entries(documents)) {
    assert.deepEqual(rules(check(text, { format })), ["out-of-range"], format);
    assert.deepEqual(rules(check(text, { path: `en.${format}` })), ["out-of-range"], `by the extension: ${format}`);
  }
  assert.deepEqual(rules(check("Hello {{name}.", { format: "hbs" })), ["template-syntax-error"]);
  const [finding] = check(documents.ndjson, { format: "ndjson" }).files[0].diagnostics;
  assert.equal(finding.record, 1);
  assert.equal(documents.ndjson.slice(finding.span.utf16.start, finding.span.utf16.end), "12");
});

test("a value is JSON, whatever its path is", async () => {
  const value = { version_number: 3, prompt_text: "Hello {{name}.", kb_max_chunks: 12 };
  const stored = { version: { version_number: 3 }, complete: true };
  const context = new Context({ stored });
  for (const path of ["a.json", "a.jsonc", "a.yaml", "a.toml", "a.ndjson", "a.hbs"]) {
    const named = (result) => JSON.parse(JSON.stringify(result).replaceAll(path, "a.json"));
    const wanted = check(JSON.stringify(value), { path: "a.json" });
    assert.equal(wanted.files[0].path, "a.json");
    assert.deepEqual(rules(wanted).sort(), ["out-of-range", "template-syntax-error"]);
    for (const options of [{ path }, { path, format: "json" }]) {
      assert.deepEqual(named(check(value, options)), named(wanted));
      assert.deepEqual(named(await checkAsync(value, options)), named(wanted));
      assert.deepEqual(named(predict(value, options)), named(predict(JSON.stringify(value), { path: "a.json" })));
      assert.deepEqual(named(await predictAsync(value, options)), named(predict(value, { path: "a.json" })));
      assert.equal(context.diff(value, options).body, context.diff(JSON.stringify(value)).body);
      assert.equal((await context.diffAsync(value, options)).body, context.diff(value).body);
      const entry = { ...options, document: value, stored };
      assert.deepEqual(named(plan([entry])), named(plan([{ ...entry, path: "a.json", format: "json" }])));
    }
  }
  // Its path is still compared with the patterns of the configuration.
  const config = '[[overrides]]\nfiles = "*.hbs"\n[overrides.rules]\nout-of-range = "off"\n';
  assert.deepEqual(rules(check(value, { path: "a.hbs", config })), ["template-syntax-error"]);
});

test("the kind decides what a document is", () => {
  const agent = { id: "7c1", agent_type: "Single_Prompt_Agent" };
  assert.equal(check(agent).files[0].kind, "agent");
  assert.equal(check(agent, { kind: "update" }).files[0].kind, "update");
});

test("stored values, facts, configurations and agent ids are used", () => {
  const update = { version_number: 3, end_call_on_silence_sec: 15 };
  const stored = { version: { version_number: 3, reminder_message_interval: 20 }, complete: true };
  assert.deepEqual(rules(check(update)), []);
  const found = check(update, { stored });
  assert.ok(found.summary.errors > 0);
  assert.deepEqual(check(update, { stored: JSON.stringify(stored) }), found);
  assert.deepEqual(check(update, { stored: Buffer.from(JSON.stringify(stored)) }), found);

  const [before, after] = [check(BAD), check(BAD, { config: '[rules]\nout-of-range = "off"\n' })];
  assert.deepEqual([before.summary.errors, after.summary.errors], [1, 0]);
  const house = '[[house_rules]]\nid = "no-clinic"\nfield = "/title"\nmust_match = "Northside"\nmessage = "name the clinic"\nlevel = "error"\n';
  assert.deepEqual(rules(check({ version_number: 3, title: "Desk" }, { config: house })), ["no-clinic"]);
  assert.throws(() => check(GOOD, { stored: { id: "7c1", agent_type: "Single_Prompt_Agent" }, agentId: "8d2" }), { name: "UsageError" });
});

test("a context is parsed once and gives the same results", () => {
  const stored = { version: { version_number: 3, reminder_message_interval: 20 }, complete: true };
  const config = '[rules]\nunknown-field = "off"\n';
  const context = new Context({ stored, config });
  const update = '{ "version_number": 3, "end_call_on_silence_sec": 15 }';
  assert.deepEqual(context.check(update), check(update, { stored, config }));
  assert.deepEqual(context.predict(update), predict(update, { stored, config }));
  assert.deepEqual(context.diff('{ "title": "Desk" }', { complete: true }), diff(stored, '{ "title": "Desk" }', { complete: true, config }));
  const without = context.withStored();
  assert.deepEqual(without.check(update), check(update, { config }));
  assert.deepEqual(without.withStored(stored).check(update), context.check(update));
});

test("the answers to an update are predicted", async () => {
  const prediction = predict(BAD, { path: "en.json" });
  assert.deepEqual(prediction.statuses, [400]);
  assert.equal(prediction.may_be_accepted, false);
  const [answer] = prediction.answers;
  assert.equal(answer.phrase, "Bad Request");
  assert.equal(answer.reasons[0].rule, "out-of-range");
  assert.deepEqual(prediction.diagnostics[0].span.utf16, { start: 40, end: 42 });
  assert.deepEqual(await predictAsync(BAD, { path: "en.json" }), prediction);
});

test("a difference has the body to send, digit for digit", async () => {
  const stored = '{ "version": { "version_number": 3, "title": "Desk" }, "complete": true }';
  const desired = '{ "version_number": 3, "title": "Desk", "interruption_sensitivity": 0.50000000000000000001 }';
  const difference = diff(stored, desired);
  assert.match(difference.body, /0\.50000000000000000001/);
  assert.equal(difference.update.interruption_sensitivity, 0.5);
  assert.deepEqual(difference.changes.map((change) => [change.field, change.kind]), [["/interruption_sensitivity", "set"]]);
  assert.deepEqual(Object.keys(difference).filter((name) => ["body", "update"].includes(name)), []);
  const same = await diffAsync(stored, desired);
  assert.deepEqual(same, difference);
  assert.equal(same.body, difference.body);
  const none = diff(stored, '{ "version_number": 3, "title": "Desk" }');
  assert.deepEqual([none.update, none.body], [null, null]);
});

test("a log does not show the secrets of a difference", async () => {
  const secret = "Bearer not-A-real-secret-2";
  const stored = { version: { version_number: 3 }, complete: true };
  const headers = { "x-auth": secret };
  const desired = { version_number: 3, agent_functions: [{ displayName: "Look up", type: "custom", config: { headers } }] };
  const difference = diff(stored, desired);
  assert.deepEqual(difference.update.agent_functions[0].config.headers, headers);
  assert.ok(Object.isFrozen(difference.update.agent_functions[0].config.headers));
  assert.ok(difference.body.includes(secret));
  for (const result of [difference, await diffAsync(stored, desired)]) {
    for (const shown of [inspect(result, { depth: Infinity }), JSON.stringify(result), String(result), JSON.stringify({ ...result })]) {
      assert.ok(shown.length > 0 && !shown.includes("not-A-real-secret"), shown);
    }
  }
});

test("a report says whether it is ok and clean", async () => {
  const state = (report) => [report.ok, report.clean];
  assert.deepEqual(state(check(GOOD)), [true, true]);
  assert.deepEqual(state(check(BAD)), [false, false]);
  assert.deepEqual(state(await checkAsync(BAD)), [false, false]);
  const warning = check(BAD, { config: '[rules]\nout-of-range = "warning"\n' });
  assert.equal(warning.summary.warnings, 1);
  assert.deepEqual(state(warning), [true, false]);
  // Nothing was found in what was read, which is not everything.
  const unread = check("", { format: "ndjson" });
  assert.deepEqual([unread.summary.errors, unread.failures.length], [0, 1]);
  assert.deepEqual(state(unread), [false, false]);
  assert.ok(!JSON.stringify(warning).includes('"clean"'), "the JSON is that of the command line");
});

test("documents are planned", async () => {
  const stored = { agent: { id: "7c1", agent_type: "Single_Prompt_Agent", versions: [{ version_number: 3 }] }, version: { version_number: 3, title: "Desk" }, complete: true };
  const entries = [
    { path: "new", document: { version_number: 3, title: "Front desk" }, stored },
    { path: "same", document: { version_number: 3, title: "Desk" }, stored: { ...stored, agent: { id: "8d2", agent_type: "Single_Prompt_Agent", versions: [{ version_number: 3 }] } } },
  ];
  const planned = plan(entries);
  const outcomes = Object.fromEntries(planned.agents.map((agent) => [agent.name, agent.outcome]));
  assert.equal(outcomes.same, "no-change");
  assert.notEqual(outcomes.new, "no-change");
  assert.deepEqual(Object.keys(planned.bodies), ["new"]);
  assert.deepEqual(JSON.parse(planned.bodies.new), { version_number: 3, title: "Front desk" });
  assert.ok(!Object.keys(planned).includes("bodies"));
  assert.deepEqual(await planAsync(entries), planned);

  const context = new Context({ agentId: "7c1" });
  const again = plan([{ path: "new", document: entries[0].document, stored, context, base: stored }]);
  assert.equal(again.agents[0].agent_id, "7c1");
  assert.equal(again.summary.drifted, 0);
});

test("the page of a rule is in Markdown", async () => {
  const page = explain("out-of-range");
  assert.match(page, /^# out-of-range/);
  assert.equal(await explainAsync("out-of-range"), page);
  const config = '[[house_rules]]\nid = "no-clinic"\nfield = "/title"\nmust_match = "Northside"\nmessage = "name the clinic"\nlevel = "error"\n';
  assert.match(explain("no-clinic", { config }), /no-clinic/);
  assert.throws(() => explain("out-of-rage"), { name: "UsageError", message: /did you mean `out-of-range`\?/ });
});

test("results are frozen plain objects", async () => {
  const stored = '{ "version": { "version_number": 3 }, "complete": true }';
  const results = [
    check(BAD),
    check(GOOD),
    await checkAsync(BAD),
    predict(BAD),
    diff(stored, BAD),
    plan([{ path: "a", document: BAD, stored }]),
  ];
  const look = (value) => {
    if (value === null || typeof value !== "object") return;
    assert.ok(Object.isFrozen(value));
    assert.ok([Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)));
    Object.values(value).forEach(look);
  };
  results.forEach(look);
  assert.throws(() => {
    results[0].summary.errors = 0;
  }, TypeError);
  assert.deepEqual(structuredClone(results[0]), results[0]);
});

test("CommonJS and ESM are the same module", () => {
  const required = createRequire(import.meta.url)("voxlint");
  assert.equal(required, voxlint);
  assert.equal(required.Context, Context);
  assert.deepEqual(Object.keys(required).sort(), Object.keys(voxlint).sort());
});

test("the version is that of the package", () => {
  assert.equal(version, createRequire(import.meta.url)("voxlint/package.json").version);
});
