import assert from "node:assert/strict";
import { test } from "node:test";
import { readResult, readRules } from "../src/results.js";
import { DOCUMENTS, serverSettings } from "../src/settings.js";

const surroundings = { platform: "linux", env: {}, home: "/home/ada", folders: [{ name: "a", path: "/a" }] } as const;

test("an answer of the server is read with defaults", () => {
  const answer = { name: "prediction-en.txt", language: "plaintext", text: "200 OK", notes: ["one", 2] };
  assert.deepEqual(readResult(answer), { ...answer, notes: ["one"] });
  assert.deepEqual(readResult({ text: "" }), { name: "voxlint.txt", language: "plaintext", text: "", notes: [] });
  for (const other of [null, undefined, "text", 7, { text: 7 }, []]) assert.equal(readResult(other), undefined);
});

test("rules are read from the output of the program", () => {
  const output = '{"rules": [{"id": "out-of-range", "summary": "A number is out of range."}, {"id": 7}, {"id": "a"}]}';
  assert.deepEqual(readRules(output), [
    { id: "out-of-range", summary: "A number is out of range." },
    { id: "a", summary: "" },
  ]);
  for (const other of ["", "null", "{", '{"rules": 7}']) assert.deepEqual(readRules(other), []);
});

test("settings of any type are taken, and paths are expanded", () => {
  const read = (all: Record<string, unknown>) => serverSettings((key) => all[key], surroundings);
  const none = { configuration: null, undecided: false, workspaceDiagnostics: false };
  assert.deepEqual(read({}), none);
  assert.deepEqual(read({ showUndecided: "yes", configuration: 7, workspaceDiagnostics: 1 }), none);
  assert.deepEqual(read({ showUndecided: true, configuration: "${workspaceFolder}/x.toml", workspaceDiagnostics: true }), {
    configuration: "/a/x.toml",
    undecided: true,
    workspaceDiagnostics: true,
  });
  // Relative paths are left to the server.
  assert.equal(read({ configuration: "ci/voxlint.toml" }).configuration, "ci/voxlint.toml");
  assert.equal(read({ configuration: "${env:NONE}/x" }).configuration, null);
});

test("documents are selected by language and by name", () => {
  for (const language of ["json", "jsonc", "yaml", "toml", "handlebars"]) {
    for (const scheme of ["file", "untitled"]) {
      assert.ok(DOCUMENTS.some((filter) => filter.scheme === scheme && filter.language === language), `${scheme} ${language}`);
    }
  }
  // VS Code has no language of its own for TOML.
  assert.ok(DOCUMENTS.some(({ pattern }) => pattern?.includes("toml")));
});
