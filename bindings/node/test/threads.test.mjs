// Other threads: the event loop keeps running, and workers load their own modules.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import { Context, Project, check, checkAsync, checkManyAsync, diffAsync, explainAsync, planAsync, predictAsync } from "voxlint";

import { BAD, FIXTURES } from "./support.mjs";

/** A document that takes a while. */
const LONG = JSON.stringify({
  version_number: 3,
  dynamic_variables: Object.fromEntries(Array.from({ length: 2000 }, (_, number) => [`name_${number}`, "x"])),
  prompt_text: Array.from({ length: 4000 }, (_, number) => `Say {{#if name_${number}}}{{name_${number}}}{{else}}nothing{{/if}}. `).join(""),
});
const STORED = '{ "version": { "version_number": 3 }, "complete": true }';

const asynchronous = {
  checkAsync: () => checkAsync(LONG),
  predictAsync: () => predictAsync(LONG),
  diffAsync: () => diffAsync(STORED, LONG),
  planAsync: () => planAsync([{ path: "a", document: LONG, stored: STORED }]),
  "Project.checkAsync": () => new Project(FIXTURES).checkAsync("agents"),
};

/** Calls with a context that cannot be used. */
const parsing = {
  "Context.create": () => Context.create({ facts: "[" }),
  withStoredAsync: () => new Context().withStoredAsync("{"),
  checkAsync: () => checkAsync(BAD, { facts: "[" }),
  predictAsync: () => predictAsync(BAD, { config: "[" }),
  diffAsync: () => diffAsync("{", "{}"),
  planAsync: () => planAsync([{ path: "a", document: BAD, stored: "{" }]),
  "planAsync with a context": () => planAsync([{ path: "a", document: BAD, stored: "{", context: new Context() }]),
  checkManyAsync: () => checkManyAsync([BAD], { facts: "[" }).next(),
  explainAsync: () => explainAsync("out-of-range", { config: "[" }),
};

test("contexts are parsed on other threads", async () => {
  // While those are busy, it cannot be known yet that the contexts are wrong.
  const others = Array.from({ length: 64 }, () => checkAsync(LONG));
  const settled = [];
  const calls = Object.entries(parsing).map(async ([name, start]) => {
    await assert.rejects(start(), { name: "UsageError" }, name);
    settled.push(name);
  });
  await setImmediate();
  assert.deepEqual(settled, []);
  await Promise.all([...others, ...calls]);
});

test("a context that was created later is the same", async () => {
  const options = { stored: STORED, facts: { llms: ["llm_large"] }, config: '[rules]\nunknown-field = "off"\n', agentId: "7c1" };
  const update = '{ "version_number": 3, "llm_id": "llm_lrage", "titel": "Desk" }';
  const [context, wanted] = [await Context.create(options), new Context(options)];
  assert.ok(context instanceof Context);
  assert.ok(!wanted.check(update).clean);
  assert.deepEqual(context.check(update), wanted.check(update));
  const stored = { version: { version_number: 3, reminder_message_interval: 20 }, complete: true };
  assert.deepEqual((await context.withStoredAsync(stored)).check(BAD), wanted.withStored(stored).check(BAD));
  assert.deepEqual((await context.withStoredAsync(null)).check(BAD), wanted.withStored().check(BAD));
  assert.deepEqual((await Context.create()).check(update), check(update));

  await assert.rejects(Context.create({ stored: "{" }), { name: "UsageError", message: /<stored>/ });
  await assert.rejects(Context.create({ agent_id: "7c1" }), { name: "TypeError" });
  await assert.rejects(context.withStoredAsync("{"), { name: "UsageError", message: /<stored>/ });
  assert.throws(() => context.withStored("{"), { name: "UsageError", message: /<stored>/ });
});

test("a context that cannot be used is an error even without documents", async () => {
  let isClosed = false;
  const source = {
    [Symbol.iterator]: () => source,
    next: () => ({ done: true }),
    return: () => {
      isClosed = true;
      return {};
    },
  };
  const reports = checkManyAsync(source, { facts: "[" });
  await assert.rejects(reports.next(), { name: "UsageError", message: /<facts>/ });
  assert.ok(isClosed);
});

for (const [name, start] of Object.entries(asynchronous)) {
  test(`${name} does not block the event loop`, async () => {
    let isDone = false;
    const promise = start().finally(() => (isDone = true));
    assert.ok(promise instanceof Promise);
    // If it were checked on this thread, the event loop would be blocked until then.
    let turns = 0;
    while (!isDone) {
      await setImmediate();
      turns++;
    }
    assert.ok(turns > 1, `${turns} turns`);
    await promise;
  });
}

test("each of many promises has its own result", async () => {
  const context = new Context();
  const documents = Array.from({ length: 300 }, (_, number) => `{ "version_number": 3, "title": "${number}", "kb_max_chunks": ${number % 20} }`);
  const reports = await Promise.all(documents.map((document) => context.checkAsync(document)));
  reports.forEach((report, at) => assert.deepEqual(report, check(documents[at])));
});

test("changes to a buffer during a check have no effect", async () => {
  const buffer = Buffer.from(BAD);
  const promise = checkAsync(buffer);
  buffer.fill(0x20);
  assert.deepEqual(await promise, check(BAD));

  const [facts, document] = [Buffer.from('{ "llms": ["llm_large"] }'), Buffer.from('{ "version_number": 3, "llm_id": "llm_lrage" }')];
  const wanted = check(document, { facts });
  assert.ok(!wanted.clean);
  const later = checkAsync(document, { facts });
  facts.fill(0x20);
  document.fill(0x20);
  assert.deepEqual(await later, wanted);
});

test("workers check documents", async () => {
  const program = `
    const { parentPort } = require("node:worker_threads");
    const { Context, checkAsync } = require("voxlint");
    parentPort.on("message", async (document) => {
      const context = new Context();
      parentPort.postMessage([context.check(document), await checkAsync(document)]);
      parentPort.close();
    });`;
  const wanted = check(BAD);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const worker = new Worker(program, { eval: true });
      // The last message and the end may be told at once.
      const end = new Promise((resolve) => worker.on("exit", resolve));
      worker.postMessage(BAD);
      const results = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
      assert.deepEqual(results, [wanted, wanted]);
      await end;
    }),
  );
  assert.deepEqual(check(BAD), wanted);
});

test("a worker may be terminated during a check", async () => {
  for (let round = 0; round < 5; round++) {
    const worker = new Worker(
      `const { checkAsync } = require("voxlint");
       const { parentPort, workerData } = require("node:worker_threads");
       for (let at = 0; at < 20; at++) checkAsync(workerData);
       parentPort.postMessage("started");`,
      { eval: true, workerData: LONG },
    );
    await new Promise((resolve) => worker.on("message", resolve));
    await worker.terminate();
  }
  assert.equal(check(BAD).summary.errors, 1);
});
