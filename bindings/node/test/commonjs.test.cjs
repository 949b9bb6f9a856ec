"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const voxlint = require("voxlint");

test("the package can be required", () => {
  const report = voxlint.check('{ "version_number": 3, "kb_max_chunks": 12 }');
  assert.equal(report.summary.errors, 1);
});

test("`import` has the same names as `require`", async () => {
  const imported = await import("voxlint");
  assert.deepEqual(Object.keys(imported).sort(), [...Object.keys(voxlint), "default"].sort());
  for (const name of Object.keys(voxlint)) assert.equal(imported[name], voxlint[name], name);
});
