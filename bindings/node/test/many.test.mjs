// Many documents: order, bounded memory, and sources that are slow, fail or are not read to their end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";

import { Context, check, checkMany, checkManyAsync } from "voxlint";

const update = (number) => `{ "version_number": 3, "title": "${number}", "kb_max_chunks": ${number % 20} }`;
const numbers = Array.from({ length: 500 }, (_, number) => number);

const all = async (reports) => {
  const list = [];
  for await (const report of reports) list.push(report);
  return list;
};

/** An iterator without `return`, which counts what is read. */
function counted(documents) {
  const source = { read: 0, closed: false };
  source.documents = (function* () {
    try {
      for (const document of documents) {
        source.read++;
        yield document;
      }
    } finally {
      source.closed = true;
    }
  })();
  return source;
}

for (const threads of [undefined, 1, 2, 7]) {
  test(`reports come in the order of the documents, with ${threads ?? "as many as there are cores"} threads`, async () => {
    const wanted = numbers.map((number) => check(update(number)));
    const documents = () => numbers.map(update);
    assert.deepEqual([...checkMany(documents(), { threads })], wanted);
    assert.deepEqual(await all(checkManyAsync(documents(), { threads })), wanted);
    const promises = numbers.map(async (number) => update(number));
    assert.deepEqual(await all(checkManyAsync(promises, { threads })), wanted);
    async function* slow() {
      for (const number of numbers) {
        if (number % 100 === 0) await setTimeout(1);
        yield update(number);
      }
    }
    assert.deepEqual(await all(checkManyAsync(slow(), { threads })), wanted);
  });
}

test("a context and options apply to all documents", async () => {
  const context = new Context({ config: '[rules]\nout-of-range = "off"\n' });
  const documents = ["version_number: 3\nkb_max_chunks: 12\n", "version_number: 3\nkb_max_chunks: 13\n"];
  for (const report of context.checkMany(documents, { format: "yaml", threads: 2 })) assert.equal(report.summary.errors, 0);
  for await (const report of context.checkManyAsync(documents, { format: "yaml" })) assert.equal(report.summary.errors, 0);
  for (const report of checkMany(documents, { format: "yaml" })) assert.equal(report.summary.errors, 1);
});

test("values among texts with a path are JSON", async () => {
  // The texts are YAML, in which the first would be valid as well.
  const documents = numbers.flatMap((number) => [`version_number: 3\ntitle: "${number}"\n`, { version_number: 3, title: String(number), kb_max_chunks: 12 }]);
  const wanted = documents.map((document) => check(document, { path: "a.yaml" }));
  assert.deepEqual(wanted.map((report) => report.summary.errors), numbers.flatMap(() => [0, 1]));
  for (const threads of [1, 2]) {
    assert.deepEqual([...checkMany(documents, { path: "a.yaml", threads })], wanted);
    assert.deepEqual(await all(checkManyAsync(documents, { path: "a.yaml", threads })), wanted);
  }
  const isType = { name: "TypeError", message: /^`documents\[1\]` is a value, which is read as JSON, so `format` cannot be `yaml`/ };
  assert.throws(() => [...checkMany(documents, { format: "yaml" })], isType);
  await assert.rejects(all(checkManyAsync(documents, { format: "yaml" })), isType);
});

test("without documents there are no reports", async () => {
  assert.deepEqual([...checkMany([])], []);
  assert.deepEqual(await all(checkManyAsync([])), []);
  assert.deepEqual(await all(checkManyAsync((async function* () {})())), []);
});

test("documents are read only when there is room for them", async () => {
  const source = counted(Array.from({ length: 100_000 }, () => update(3)));
  const reports = checkMany(source.documents, { threads: 2 });
  assert.equal(source.read, 0);
  reports.next();
  assert.ok(source.read < 1000, `${source.read} were read for one report`);
  reports.return();
  assert.ok(source.closed);

  const other = counted(Array.from({ length: 100_000 }, () => update(3)));
  const threads = 3;
  const later = checkManyAsync(other.documents, { threads });
  assert.equal(other.read, 0);
  for (let taken = 1; taken <= 200; taken++) {
    await later.next();
    await setImmediate();
    assert.ok(other.read <= taken + 16 * threads, `${other.read} were read for ${taken} reports`);
  }
  await later.return();
  assert.ok(other.closed);
});

test("a report does not wait for the next document", async () => {
  // The source gives a document only after the report of the one before.
  let answer;
  async function* conversation() {
    for (const number of [1, 2, 3]) {
      const answered = new Promise((resolve) => (answer = resolve));
      yield update(number);
      await answered;
    }
  }
  let count = 0;
  for await (const report of checkManyAsync(conversation(), { threads: 4 })) {
    assert.equal(report.summary.documents, 1);
    count++;
    answer();
  }
  assert.equal(count, 3);
});

test("a failing source ends the reports after those of the earlier documents", async () => {
  function* broken() {
    yield update(1);
    yield update(2);
    throw new Error("the disk is gone");
  }
  for (const source of [broken, () => [update(1), update(2), 3, update(4)]]) {
    const error = source === broken ? /the disk is gone/ : /^TypeError: `documents\[2\]` must be/;
    let count = 0;
    assert.throws(() => {
      for (const _ of checkMany(source(), { threads: 4 })) count++;
    }, error);
    assert.equal(count, 2);
    count = 0;
    await assert.rejects(async () => {
      for await (const _ of checkManyAsync(source(), { threads: 4 })) count++;
    }, error);
    assert.equal(count, 2);
  }
});

test("a source is closed when a document has the wrong type", async () => {
  const source = counted([update(1), 3, update(2)]);
  await assert.rejects(all(checkManyAsync(source.documents)), TypeError);
  assert.ok(source.closed);
  const other = counted([update(1), 3, update(2)]);
  assert.throws(() => [...checkMany(other.documents)], TypeError);
  assert.ok(other.closed);
});

test("a caller may stop at any time", async () => {
  for (const threads of [1, 2, 4]) {
    for (const stop of [0, 1, 7]) {
      const source = counted(numbers.map(update));
      let count = 0;
      for await (const _ of checkManyAsync(source.documents, { threads })) if (count++ === stop) break;
      assert.ok(source.closed);
    }
  }
});

test("a caller may stop while the source is silent", async () => {
  // Nothing settles the second promise, so a generator would not close either.
  const silent = new Promise(() => {});
  async function* source() {
    yield update(1);
    await silent;
  }
  let count = 0;
  for await (const _ of checkManyAsync(source(), { threads: 2 })) {
    await setImmediate();
    if (++count === 1) break;
  }
  assert.equal(count, 1);

  // A source that can be closed at once is closed, and what it says then is nobody's error.
  let closed = 0;
  const documents = [update(1)];
  const stream = {
    [Symbol.asyncIterator]: () => stream,
    next: () => (documents.length > 0 ? Promise.resolve({ value: documents.pop() }) : silent),
    return: () => {
      closed++;
      return Promise.reject(new Error("it was closed"));
    },
  };
  for await (const _ of checkManyAsync(stream)) {
    await setImmediate();
    break;
  }
  assert.equal(closed, 1);
  await setImmediate();
});
