// The module and the command line agree on every fixture: findings, verdicts, positions, statuses and undecided rules.
import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { test } from "node:test";

import { Context, Project, check, checkMany, checkManyAsync, diff, plan, predict } from "voxlint";

import { FIXTURES, asWritten, folder, program } from "./support.mjs";

const EXTENSIONS = new Set([".json", ".jsonc", ".yaml", ".yml", ".toml", ".ndjson", ".jsonl", ".hbs", ".handlebars"]);

/** Every document below a folder. What belongs to another document is not one of its own. */
const documentsIn = (path) =>
  readdirSync(path, { recursive: true })
    .filter((name) => EXTENSIONS.has(extname(name)) && !/\.(stored|facts)\.json$|(^|\/)voxlint\.toml$|\.[a-z_]+\.hbs$/.test(name))
    .sort();

/** A copy of the fixtures in which a document has the stored configuration beside it, and nothing else is configured. */
function copied(t) {
  const root = folder(t, {});
  for (const name of ["agents", "rules", "realistic", "suppression", "foreign", "fleet"]) {
    cpSync(join(FIXTURES, name), join(root, name), { recursive: true, filter: (path) => !path.endsWith("voxlint.toml") });
  }
  writeFileSync(join(root, "voxlint.toml"), `root = true\n[[documents]]\nfiles = "**"\nstored = "{stem}.stored.json"\n`);
  return root;
}

/** The file beside a document that has its stored configuration or its facts. */
function beside(root, path, role) {
  const name = `${path.slice(0, -extname(path).length)}.${role}.json`;
  return existsSync(join(root, name)) ? name : undefined;
}

/** What a document is checked with, and the paths that the command line shows for it. */
function contextOf(root, path) {
  const [stored, facts] = [beside(root, path, "stored"), beside(root, path, "facts")];
  return {
    paths: { "<stored>": stored, "<facts>": facts },
    options: {
      ...(stored && { stored: readFileSync(join(root, stored)) }),
      ...(facts && { facts: readFileSync(join(root, facts)) }),
    },
  };
}

/** A result with the paths of files in the place of the names of texts. */
const renamed = (result, paths) =>
  JSON.parse(JSON.stringify(asWritten(result), (name, value) => (name === "path" ? (paths[value] ?? value) : value)));

test("every fixture is checked as the command line does", (t) => {
  const root = copied(t);
  const documents = documentsIn(root);
  assert.ok(documents.length > 1000, `${documents.length} documents`);
  const whole = JSON.parse(program(root, "check", "--format", "json", "--exit-zero", ...documents));
  const [files, failures] = [new Map(), new Map()];
  for (const file of whole.files) files.set(file.path, file);
  for (const failure of whole.failures) failures.set(failure.path, failure.message);
  let compared = 0;
  for (const path of documents) {
    const { paths, options } = contextOf(root, path);
    let wanted = [files.get(path), failures.get(path)];
    if (paths["<facts>"] !== undefined) {
      const alone = JSON.parse(program(root, "check", path, "--facts", paths["<facts>"], "--format", "json", "--exit-zero"));
      wanted = [alone.files[0], alone.failures[0]?.message];
    }
    const report = renamed(check(readFileSync(join(root, path)), { ...options, path }), paths);
    assert.deepEqual([report.files[0], report.failures[0]?.message], wanted, path);
    compared += wanted[0]?.diagnostics.length ?? 0;
  }
  assert.ok(compared > 1000, `${compared} findings`);
});

/** Runs something in a folder, so that paths are shown as in a program that is run there. */
function inside(path, work) {
  const before = process.cwd();
  process.chdir(path);
  try {
    return work();
  } finally {
    process.chdir(before);
  }
}

test("a project has the findings of the command line for a folder", (t) => {
  for (const root of [copied(t), join(FIXTURES, "team"), join(FIXTURES, "guide")]) {
    const wanted = JSON.parse(program(root, "check", "--format", "json", "--exit-zero"));
    assert.deepEqual(asWritten(inside(root, () => new Project(".").check())), wanted, root);
  }
});

test("many documents have the same reports as each document alone", async () => {
  const root = join(FIXTURES, "rules");
  const texts = documentsIn(root).map((path) => readFileSync(join(root, path), "utf8"));
  const wanted = texts.map((text) => check(text));
  assert.ok(wanted.length > 500);
  assert.deepEqual([...checkMany(texts, { threads: 3 })], wanted);
  const reports = [];
  for await (const report of checkManyAsync(texts, { threads: 3 })) reports.push(report);
  assert.deepEqual(reports, wanted);
});

/** The cases of the rules with a stored configuration, of which some have facts. */
const stored = (root) => documentsIn(root).filter((path) => beside(root, path, "stored") && path.endsWith(".json"));

/** The result of the command line, or that it gave none. */
function written(root, ...args) {
  try {
    return JSON.parse(program(root, ...args, "--format", "json"));
  } catch {
    return "refused";
  }
}

function given(work) {
  try {
    return work();
  } catch (error) {
    if (error.name === "UsageError") return "refused";
    throw error;
  }
}

test("predictions, differences and plans are those of the command line", (t) => {
  const root = join(copied(t), "rules");
  const cases = stored(root);
  assert.ok(cases.length > 100, `${cases.length} cases`);
  const counts = { predicted: 0, compared: 0, planned: 0 };
  // Each is a run of the program, so one case in four is enough.
  for (const path of cases.filter((_, at) => at % 4 === 0)) {
    const { paths, options } = contextOf(root, path);
    const [text, context] = [readFileSync(join(root, path)), new Context(options)];
    const files = [...(paths["<facts>"] ? ["--facts", paths["<facts>"]] : [])];

    const prediction = written(root, "predict", path, "--stored", paths["<stored>"], ...files);
    assert.deepEqual(given(() => renamed(context.predict(text, { path }), paths)), prediction, path);
    counts.predicted += prediction !== "refused";

    const wanted = written(root, "diff", paths["<stored>"], path, ...files);
    const difference = given(() => {
      const { update, ...shown } = diff(options.stored, text, { path, ...(options.facts && { facts: options.facts }) });
      return asWritten({ ...shown, update });
    });
    if (wanted !== "refused" && difference !== "refused") {
      const name = `the update from ${paths["<stored>"]} to ${path}`;
      const names = { ...paths, [`the update from <stored> to ${path}`]: name };
      assert.deepEqual(renamed(difference, names), wanted, path);
      counts.compared++;
    } else {
      assert.deepEqual(difference, wanted, path);
    }

    if (files.length > 0 || prediction === "refused") continue;
    const planned = written(root, "plan", path);
    if (planned === "refused" || planned.agents.length !== 1) continue;
    const own = asWritten(plan([{ path, document: text, ...options }]));
    assert.deepEqual(
      own.agents.map(({ outcome, statuses, changes }) => [outcome, statuses, changes]),
      planned.agents.map(({ outcome, statuses, changes }) => [outcome, statuses, changes]),
      path,
    );
    counts.planned++;
  }
  assert.ok(counts.predicted > 30 && counts.compared > 30 && counts.planned > 10, JSON.stringify(counts));
});

test("predictions, differences and plans of a project are those of the command line", () => {
  for (const name of ["fleet", "team"]) {
    const root = join(FIXTURES, name);
    const plans = inside(root, () => new Project(".").plan());
    assert.deepEqual(asWritten(plans), JSON.parse(program(root, "plan", "--format", "json")));
    const paths = documentsIn(join(root, "agents")).map((path) => `agents/${path}`);
    assert.ok(paths.length > 0);
    for (const path of paths) {
      const project = inside(root, () => new Project("."));
      const prediction = written(root, "predict", path);
      assert.deepEqual(inside(root, () => given(() => asWritten(project.predict(path)))), prediction, path);
    }
  }
});
