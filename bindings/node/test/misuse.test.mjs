// Arguments that cannot be used throw, or reject the promise. Nothing else does.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Context, Project, UsageError, check, checkAsync, checkMany, checkManyAsync, diff, diffAsync, explain, plan, planAsync, predict, predictAsync } from "voxlint";

import { GOOD, folder } from "./support.mjs";

const STORED = '{ "version": { "version_number": 3 }, "complete": true }';

const circular = {};
circular.self = circular;

const isType = (message) => ({ name: "TypeError", message });
const isOwn = (message) => ({ name: "UsageError", code: "ERR_VOXLINT_USAGE", message });

const wrong = [
  ["no document", () => [undefined], isType("`document` must be a string, a Uint8Array or an object, not undefined")],
  ["null", () => [null], isType("`document` must be a string, a Uint8Array or an object, not null")],
  ["a number", () => [3], isType("`document` must be a string, a Uint8Array or an object, not a number")],
  ["a promise", () => [Promise.resolve(GOOD)], isType(/not an instance of Promise/)],
  ["wide characters", () => [new Uint16Array(2)], isType(/not an instance of Uint16Array/)],
  ["a circle", () => [circular], isType(/^`document` cannot be written as JSON: /)],
  ["a large integer", () => [{ version_number: 3n }], isType(/^`document` cannot be written as JSON: /)],
  ["a value without JSON", () => [{ toJSON: () => undefined }], isType(/can be written as JSON/)],
  ["options that are not an object", () => [GOOD, "json"], isType("`options` must be an object, not a string")],
  ["an unknown option", () => [GOOD, { agent_id: "7c1" }], isType(/^there is no option `agent_id`; allowed: format, (kind, )?path, stored, facts, config, agentId$/)],
  ["an option of the wrong type", () => [GOOD, { path: 3 }], isType("`path` must be a string, not a number")],
  ["a configuration that is not a text", () => [GOOD, { config: {} }], isType("`config` must be a string, not an object")],
  ["a stored configuration of the wrong type", () => [GOOD, { stored: 3 }], isType(/^`stored` must be/)],
  ["an unknown format", () => [GOOD, { format: "xml" }], isOwn(/^`xml` is not a format; allowed: json/)],
  ["an unknown kind", () => [GOOD, { kind: "updates" }], isOwn(/`updates`.*allowed: update/), "only for checks"],
  ["a stored configuration that is not JSON", () => [GOOD, { stored: "{" }], isOwn(/<stored>/)],
  ["facts that are not JSON", () => [GOOD, { facts: "[" }], isOwn(/<facts>/)],
  ["a wrong configuration", () => [GOOD, { config: '[rules]\nout-of-rage = "off"\n' }], isOwn(/out-of-rage/)],
  ["a configuration that names files", () => [GOOD, { config: 'extends = "../voxlint.toml"\n' }], isOwn(/use a project/)],
];

for (const [what, args, error, forChecks] of wrong) {
  test(`wrong use: ${what}`, async () => {
    assert.throws(() => check(...args()), error);
    if (!forChecks) assert.throws(() => predict(...args()), error);
    await assert.rejects(checkAsync(...args()), error);
    if (!forChecks) await assert.rejects(predictAsync(...args()), error);
  });
}

test("only a check has a kind", async () => {
  const isNone = isType(/^there is no option `kind`; allowed: format, path/);
  const context = new Context({ stored: STORED });
  const options = { kind: "update" };
  for (const call of [
    () => predict(GOOD, options),
    () => context.predict(GOOD, options),
    () => diff(STORED, GOOD, options),
    () => context.diff(GOOD, options),
    () => plan([{ path: "a", document: GOOD, ...options }]),
  ]) {
    assert.throws(call, isNone);
  }
  for (const promise of [predictAsync(GOOD, options), context.diffAsync(GOOD, options), planAsync([{ path: "a", document: GOOD, ...options }])]) {
    await assert.rejects(promise, isNone);
  }
});

test("a value has no other format than JSON", async () => {
  for (const format of ["jsonc", "yaml", "toml", "ndjson", "hbs", "xml"]) {
    const isJson = isType(`\`document\` is a value, which is read as JSON, so \`format\` cannot be \`${format}\`: give a text in that format instead`);
    assert.throws(() => check({}, { format }), isJson);
    assert.throws(() => predict({}, { format }), isJson);
    await assert.rejects(checkAsync({}, { format }), isJson);
    assert.throws(() => diff(STORED, {}, { format }), isType(/^`desired` is a value/));
    assert.throws(() => plan([{ path: "a", document: {}, format }]), isType(/^`documents\[0\].document` is a value/));
  }
  assert.throws(() => check({}, { kind: "template" }), isType("`document` is a value, but a template is a text: give a string"));
});

test("mistakes in a document are in its report", async () => {
  for (const document of ["", "{", "null", "[1]", "\0", "{}{}", "\uFEFF", Buffer.from([0xff, 0xfe, 0xff]), "[".repeat(100_000)]) {
    const report = check(document);
    assert.ok(report.summary.errors + report.failures.length > 0, JSON.stringify(String(document).slice(0, 20)));
    assert.deepEqual(await checkAsync(document), report);
  }
});

test("only updates can be predicted", async () => {
  const isNoUpdate = isOwn(/looks like .*, but `predict` needs an update/);
  const agent = { id: "7c1", agent_type: "Single_Prompt_Agent" };
  assert.throws(() => predict(agent), isNoUpdate);
  await assert.rejects(predictAsync(agent), isNoUpdate);
  assert.throws(() => predict(`${GOOD}\n${GOOD}\n`, { format: "ndjson" }), isOwn(/contains 2 documents, but only one is allowed/));
});

test("a difference needs both configurations", async () => {
  assert.throws(() => diff(undefined, GOOD), isType(/^`stored` must be/));
  assert.throws(() => diff(STORED), isType(/^`desired` must be/));
  assert.throws(() => new Context().diff(GOOD), isOwn(/needs the stored configuration/));
  assert.throws(() => diff(STORED, GOOD, { stored: STORED }), isType(/no option `stored`/));
  assert.throws(() => diff(STORED, GOOD, { complete: 1 }), isType("`complete` must be a boolean, not a number"));
  await assert.rejects(diffAsync("{", GOOD), isOwn(/<stored>/));
  await assert.rejects(new Context().diffAsync(GOOD), isOwn(/needs the stored configuration/));
});

test("a plan needs names", async () => {
  assert.throws(() => plan(GOOD), isType(/^`documents` must be an iterable/));
  assert.throws(() => plan([GOOD]), isType("`documents[0]` must be an object with `document` and `path`, not a string"));
  assert.throws(() => plan([{ document: GOOD }]), isType("`documents[0].path` must be a string, not undefined"));
  assert.throws(() => plan([{ path: "a" }]), isType(/^`documents\[0\].document` must be/));
  assert.throws(() => plan([{ path: "a", document: GOOD, context: {} }]), isType("`documents[0].context` must be a Context, not an object"));
  assert.throws(() => plan([{ path: "a", document: GOOD, context: new Context(), facts: {} }]), isType(/has `context`, so `facts` cannot be given/));
  const twice = [{ path: "a", document: GOOD }, { path: "a", document: GOOD }];
  assert.throws(() => plan(twice), isOwn(/two documents have this name/));
  await assert.rejects(planAsync(twice), isOwn(/two documents have this name/));
});

test("the number of threads is limited", () => {
  for (const threads of [0, -1, 1.5, NaN, 100_000, "2"]) {
    assert.throws(() => checkMany([], { threads }), { name: "RangeError", message: /^`threads` must be a whole number from 1 to 1024/ });
    assert.throws(() => checkManyAsync([], { threads }), { name: "RangeError" });
  }
  assert.throws(() => check(GOOD, { threads: 2 }), isType(/no option `threads`/));
});

test("many documents are not one", () => {
  assert.throws(() => checkMany(GOOD), isType("`documents` must be an iterable of documents, not a string"));
  assert.throws(() => checkMany({}), isType(/not an object/));
  assert.throws(() => checkManyAsync(GOOD), isType(/not a string/));
  assert.throws(() => checkMany([], { format: "xml" }), isOwn(/not a format/));
  assert.throws(() => checkManyAsync([], { format: "xml" }), isOwn(/not a format/));
});

test("a project needs a folder", async (t) => {
  assert.throws(() => new Project(), isType("`path` must be a string, not undefined"));
  assert.throws(() => new Project("/nowhere/at/all"), isOwn(/no such file or directory/));
  const project = new Project(folder(t, { "agent.json": '{ "id": "7c1", "agent_type": "Single_Prompt_Agent" }' }));
  assert.throws(() => project.check(3), isType(/^`paths` must be/));
  assert.throws(() => project.check(["a", 3]), isType("`paths[1]` must be a string, not a number"));
  assert.throws(() => project.predict("agent.json"), isOwn(/needs an update/));
  await assert.rejects(project.predictAsync("agent.json"), isOwn(/needs an update/));
  await assert.rejects(project.checkTextAsync("en.json"), isType(/^`text` must be/));
});

test("classes need `new`", () => {
  assert.throws(() => Context(), TypeError);
  assert.throws(() => Context.prototype.check.call({}, GOOD), TypeError);
});

test("a rule has an id", () => {
  assert.throws(() => explain(3), isType("`rule` must be a string, not a number"));
  assert.throws(() => explain("nothing"), (error) => error instanceof UsageError && error instanceof Error && /there is no rule/.test(error.message));
});
