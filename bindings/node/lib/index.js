// The interface of voxlint for JavaScript. `index.d.ts` describes it.
"use strict";

const os = require("node:os");

const arg = require("./arguments.js");
const { InternalError, UsageError } = require("./error.js");
const { native, own, run } = require("./native.js");
const results = require("./results.js");

/** How many documents are checked at the same time by default. */
const cores = () => os.availableParallelism?.() ?? os.cpus().length;

const TEXT = ["format", "path"];
const DIFF = [...TEXT, "complete"];
const DOCUMENT = ["format", "kind", "path"];
const CONTEXT = ["stored", "facts", "config", "agentId"];

/** The options of a document, if there are any. */
function reading(options) {
  if (options === undefined) return undefined;
  return {
    format: arg.optionalString("format", options.format),
    kind: arg.optionalString("kind", options.kind),
    path: arg.optionalString("path", options.path),
  };
}

/** A context that is parsed when it is first used. */
function newContext(options) {
  const stored = arg.optionalText("stored", options?.stored);
  const facts = arg.optionalText("facts", options?.facts);
  const config = arg.optionalString("config", options?.config);
  const agentId = arg.optionalString("agentId", options?.agentId);
  return run(() => new native.Context(stored, facts, config, agentId));
}

/** Runs a function that returns a promise. An exception rejects the promise. */
async function start(work, result = (value) => value) {
  try {
    return result(await work());
  } catch (error) {
    throw own(error);
  }
}

/** Marks contexts that are created from native ones. */
const NATIVE = Symbol("native");

/** The native context of a context. */
let nativeOf;

class Context {
  #native;

  static {
    nativeOf = (context) => context.#native;
  }

  constructor(options) {
    if (options?.[NATIVE] !== undefined) {
      this.#native = options[NATIVE];
      return;
    }
    this.#native = newContext(arg.options(options, CONTEXT));
    run(() => this.#native.parse());
  }

  static async create(options) {
    const context = unparsed(arg.options(options, CONTEXT));
    await start(() => context.#native.parseAsync());
    return context;
  }

  withStored(stored) {
    const text = arg.optionalText("stored", stored);
    const context = new Context({ [NATIVE]: run(() => this.#native.withStored(text)) });
    run(() => context.#native.parse());
    return context;
  }

  async withStoredAsync(stored) {
    const text = arg.optionalText("stored", stored);
    const context = new Context({ [NATIVE]: run(() => this.#native.withStored(text)) });
    await start(() => context.#native.parseAsync());
    return context;
  }

  check(document, options) {
    const [text, how] = arg.document("document", document, reading(arg.options(options, DOCUMENT)));
    return run(() => results.report(this.#native.check(text, how)));
  }

  checkAsync(document, options) {
    return start(() => {
      const [text, how] = arg.document("document", document, reading(arg.options(options, DOCUMENT)));
      return this.#native.checkAsync(text, how);
    }, results.report);
  }

  predict(document, options) {
    const [text, how] = arg.document("document", document, reading(arg.options(options, TEXT)));
    return run(() => results.prediction(this.#native.predict(text, how)));
  }

  predictAsync(document, options) {
    return start(() => {
      const [text, how] = arg.document("document", document, reading(arg.options(options, TEXT)));
      return this.#native.predictAsync(text, how);
    }, results.prediction);
  }

  diff(desired, options) {
    const given = arg.options(options, DIFF);
    const [text, how] = arg.document("desired", desired, reading(given));
    const complete = arg.boolean("complete", given?.complete);
    return run(() => results.difference(this.#native.diff(text, how, complete)));
  }

  diffAsync(desired, options) {
    return start(() => {
      const given = arg.options(options, DIFF);
      const [text, how] = arg.document("desired", desired, reading(given));
      return this.#native.diffAsync(text, how, arg.boolean("complete", given?.complete));
    }, results.difference);
  }

  checkMany(documents, options) {
    if (typeof documents?.[Symbol.iterator] !== "function" || typeof documents === "string") {
      throw arg.wrong("documents", "an iterable of documents", documents);
    }
    const given = arg.options(options, [...DOCUMENT, "threads"]);
    const threads = arg.threads(given?.threads, cores());
    const how = reading(given);
    const batch = (how) => run(() => new native.Batch(this.#native, how, threads));
    return inOrder(documents, how, batch(how), batch);
  }

  checkManyAsync(documents, options) {
    const iterator = documents?.[Symbol.asyncIterator] ?? documents?.[Symbol.iterator];
    if (typeof iterator !== "function" || typeof documents === "string") {
      throw arg.wrong("documents", "an iterable or asynchronous iterable of documents", documents);
    }
    const given = arg.options(options, [...DOCUMENT, "threads"]);
    const threads = arg.threads(given?.threads, cores());
    const how = reading(given);
    // Invalid options throw here and not at the first result.
    run(() => native.Context.checkReading(how));
    return inOrderAsync(iterator.call(documents), how, threads, this.#native);
  }

  explain(rule) {
    const id = arg.string("rule", rule);
    return run(() => this.#native.explain(id));
  }

  explainAsync(rule) {
    return start(() => this.#native.explainAsync(arg.string("rule", rule)));
  }
}

/** A context that is parsed when it is first used, by the thread that uses it. */
const unparsed = (options) => new Context({ [NATIVE]: newContext(options) });

/**
 * The reports of documents, in order. Threads of the module check them while the next ones are read. If reading a document fails, the reports
 * of the earlier documents come before the error.
 */
function* inOrder(documents, how, first, batchOf) {
  // A value is JSON, although texts with the same path may be something else. The threads of a batch start with its first document.
  const batches = new Map([[how?.format, first]]);
  /** The batch of each document whose report has not been taken. */
  const waiting = [];
  const next = () => run(() => results.report(waiting.shift().next()));
  let count = 0;
  let failure;
  try {
    for (const document of documents) {
      const [text, own] = arg.document(`documents[${count++}]`, document, how);
      if (!batches.has(own?.format)) batches.set(own?.format, batchOf(own));
      const batch = batches.get(own?.format);
      while (waiting.length > 0 && !batch.hasRoom) yield next();
      run(() => batch.add(text));
      waiting.push(batch);
      while (waiting.length > 0 && waiting[0].isReady) yield next();
    }
  } catch (error) {
    failure = { error };
  }
  while (waiting.length > 0) yield next();
  if (failure !== undefined) throw failure.error;
}

/** The first documents of some that are read alike, at most so many. */
function takeAlike(documents, most) {
  const format = documents[0][1]?.format;
  let count = 1;
  while (count < most && documents[count][1]?.format === format) count++;
  return documents.splice(0, count);
}

/** How many documents may be in memory for each thread. */
const MOST_PER_THREAD = 16;

/**
 * The reports of documents, in order, without blocking. Each thread gets all documents that arrived while it was busy. A fast source therefore
 * takes few turns of the event loop, and a document from a slow source is checked at once. If reading a document fails, the reports of the
 * earlier documents come before the error.
 */
async function* inOrderAsync(iterator, how, threads, context) {
  const [arrived, groups] = [[], []];
  let [count, taken, running] = [0, 0, 0];
  let [isReading, isOver] = [false, false];
  let failure;
  let wake = () => {};

  async function read() {
    isReading = true;
    try {
      const { done, value } = await iterator.next();
      if (done) isOver = true;
      else {
        const document = await value;
        try {
          arrived.push(arg.document(`documents[${count}]`, document, how));
          count++;
        } catch (error) {
          await close();
          throw error;
        }
      }
    } catch (error) {
      failure = { error };
      isOver = true;
    }
    isReading = false;
    wake();
  }

  const close = async () => {
    await iterator.return?.();
  };

  async function start() {
    running++;
    const group = {};
    groups.push(group);
    try {
      const alike = takeAlike(arrived, Math.ceil(arrived.length / threads));
      group.outcomes = await context.checkAllAsync(alike.map(([text]) => text), alike[0][1]);
    } catch (error) {
      group.error = own(error);
    }
    running--;
    wake();
  }

  try {
    // A context that cannot be used is an error even without documents.
    await context.parseAsync().catch((error) => {
      throw own(error);
    });
    while (!isOver || arrived.length > 0 || groups.length > 0) {
      if (!isOver && !isReading && count - taken < threads * MOST_PER_THREAD) read();
      while (running < threads && arrived.length > 0) start();
      const [{ outcomes, error } = {}] = groups;
      if (error !== undefined) throw error;
      if (outcomes === undefined) {
        await new Promise((resolve) => (wake = resolve));
        continue;
      }
      groups.shift();
      for (const outcome of outcomes) {
        taken++;
        yield run(() => results.report(outcome));
      }
    }
    if (failure !== undefined) throw failure.error;
  } finally {
    if (!isOver) {
      const closed = close();
      // A source that is asked for a document may close only after it has given one, which may never be.
      if (!isReading) await closed;
      else closed.catch(() => {});
    }
  }
}

/** The context of calls without options for it. The first such call creates it. */
let plain;

/** Runs a method of a context that is created from the options of the call. */
function once(options, own, call, create = (given) => new Context(given)) {
  const given = arg.options(options, [...own, ...CONTEXT]);
  if (given === undefined) return call((plain ??= new Context()), undefined);
  const [forContext, forDocument] = [{}, {}];
  let isPlain = true;
  for (const name in given) {
    if (given[name] === undefined || given[name] === null) continue;
    if (CONTEXT.includes(name)) {
      forContext[name] = given[name];
      isPlain = false;
    } else {
      forDocument[name] = given[name];
    }
  }
  return call(isPlain ? (plain ??= new Context()) : create(forContext), forDocument);
}

/** The same for calls that do not block: the context is parsed by the thread that uses it. */
const onceLater = (options, own, call) => once(options, own, call, unparsed);

const MANY = [...DOCUMENT, "threads"];

const check = (document, options) => once(options, DOCUMENT, (context, own) => context.check(document, own));

const checkAsync = async (document, options) => onceLater(options, DOCUMENT, (context, own) => context.checkAsync(document, own));

const predict = (document, options) => once(options, TEXT, (context, own) => context.predict(document, own));

const predictAsync = async (document, options) => onceLater(options, TEXT, (context, own) => context.predictAsync(document, own));

const checkMany = (documents, options) => once(options, MANY, (context, own) => context.checkMany(documents, own));

const checkManyAsync = (documents, options) => onceLater(options, MANY, (context, own) => context.checkManyAsync(documents, own));

const explain = (rule, options) => once(options, [], (context) => context.explain(rule));

const explainAsync = async (rule, options) => onceLater(options, [], (context) => context.explainAsync(rule));

/** The options of `diff`: the stored configuration is an argument. */
function diffOptions(stored, options) {
  const given = arg.options(options, [...DIFF, "facts", "config", "agentId"]);
  return { ...given, stored: arg.text("stored", stored) };
}

const diff = (stored, desired, options) =>
  once(diffOptions(stored, options), DIFF, (context, own) => context.diff(desired, own));

const diffAsync = async (stored, desired, options) =>
  onceLater(diffOptions(stored, options), DIFF, (context, own) => context.diffAsync(desired, own));

const ENTRY = ["document", "base", "context"];

/** The documents of a plan, converted for the module. */
function entriesOf(documents) {
  if (typeof documents?.[Symbol.iterator] !== "function" || typeof documents === "string") {
    throw arg.wrong("documents", "an iterable of objects with `document` and `path`", documents);
  }
  const entries = run(() => new native.PlanEntries());
  let count = 0;
  for (const given of documents) {
    const name = `documents[${count++}]`;
    if (given === null || typeof given !== "object") throw arg.wrong(name, "an object with `document` and `path`", given);
    arg.string(`${name}.path`, given.path);
    const base = arg.optionalText(`${name}.base`, given.base);
    const { document: _, base: __, context: shared, ...options } = given;
    arg.options(options, [...TEXT, ...CONTEXT]);
    const [text, how] = arg.document(`${name}.document`, given.document, reading(options));
    if (shared !== undefined && !(shared instanceof Context)) throw arg.wrong(`${name}.context`, "a Context", shared);
    const own = { ...options };
    if (shared !== undefined) {
      for (const field of ["facts", "config", "agentId"]) {
        if (own[field] !== undefined) throw new TypeError(`\`${name}\` has \`context\`, so \`${field}\` cannot be given: it is a part of the context`);
      }
    }
    // Contexts are parsed by the thread that plans.
    let context = nativeOf(shared ?? onceLater(own, [...ENTRY, ...TEXT], (it) => it));
    if (shared !== undefined && own.stored !== undefined) {
      const stored = arg.optionalText("stored", own.stored);
      context = run(() => context.withStored(stored));
    }
    run(() => entries.add(text, how, context, base));
  }
  return entries;
}

function plan(documents) {
  const entries = entriesOf(documents);
  return run(() => results.plan(entries.plan()));
}

async function planAsync(documents) {
  const entries = entriesOf(documents);
  return start(() => entries.planAsync(), results.plan);
}

const PROJECT = ["stored", "facts", "config", "agentId"];

class Project {
  #native;

  constructor(path, options) {
    const given = arg.options(options, PROJECT);
    const root = arg.path("path", path);
    const files = PROJECT.map((name) => (name === "agentId" ? arg.optionalString : arg.optionalPath)(name, given?.[name]));
    this.#native = run(() => new native.Project(root, ...files));
  }

  check(paths) {
    const files = arg.paths(paths);
    return run(() => results.report(this.#native.check(files)));
  }

  checkAsync(paths) {
    return start(() => this.#native.checkAsync(arg.paths(paths)), results.report);
  }

  checkText(path, text) {
    const [file, unsaved] = [arg.string("path", path), arg.string("text", text)];
    return run(() => results.report(this.#native.checkText(file, unsaved)));
  }

  checkTextAsync(path, text) {
    return start(() => this.#native.checkTextAsync(arg.string("path", path), arg.string("text", text)), results.report);
  }

  predict(path) {
    const file = arg.string("path", path);
    return run(() => results.prediction(this.#native.predict(file)));
  }

  predictAsync(path) {
    return start(() => this.#native.predictAsync(arg.string("path", path)), results.prediction);
  }

  diff(path, options) {
    const file = arg.string("path", path);
    const complete = arg.boolean("complete", arg.options(options, ["complete"])?.complete);
    return run(() => results.difference(this.#native.diff(file, complete)));
  }

  diffAsync(path, options) {
    return start(() => {
      const file = arg.string("path", path);
      return this.#native.diffAsync(file, arg.boolean("complete", arg.options(options, ["complete"])?.complete));
    }, results.difference);
  }

  plan(paths, options) {
    const files = arg.paths(paths);
    const base = arg.optionalString("base", arg.options(options, ["base"])?.base);
    return run(() => results.plan(this.#native.plan(files, base)));
  }

  planAsync(paths, options) {
    return start(() => {
      const files = arg.paths(paths);
      return this.#native.planAsync(files, arg.optionalString("base", arg.options(options, ["base"])?.base));
    }, results.plan);
  }
}

module.exports = {
  Context,
  InternalError,
  Project,
  UsageError,
  check,
  checkAsync,
  checkMany,
  checkManyAsync,
  diff,
  diffAsync,
  explain,
  explainAsync,
  plan,
  planAsync,
  predict,
  predictAsync,
  version: native.VERSION,
};
