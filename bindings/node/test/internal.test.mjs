// A bug of voxlint fails one call, and neither ends the process nor looks like wrong use.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { Context, InternalError, UsageError, check, checkAsync } from "voxlint";

import { BAD } from "./support.mjs";

const require = createRequire(import.meta.url);
// The functions that panic are not a part of the interface.
const { native, own, run } = require(join(dirname(require.resolve("voxlint/package.json")), "lib/native.js"));

function isInternal(error) {
  assert.ok(error instanceof InternalError && error instanceof Error && !(error instanceof UsageError));
  assert.equal(error.name, "InternalError");
  assert.equal(error.code, "ERR_VOXLINT_INTERNAL");
  assert.equal(error.message, "internal error: this is a bug of voxlint (a panic for the tests); please report it");
  return true;
}

test("a panic is an error of its own", () => {
  assert.throws(() => run(() => native.Context.panicForTests()), isInternal);
  assert.equal(check(BAD).summary.errors, 1);
});

test("a panic on another thread rejects the promise", async () => {
  const panic = () =>
    native.Context.panicForTestsAsync().catch((error) => {
      throw own(error);
    });
  await Promise.all(Array.from({ length: 20 }, () => assert.rejects(panic(), isInternal)));
  assert.equal((await checkAsync(BAD)).summary.errors, 1);
});

test("wrong use and errors of the caller are not bugs", async () => {
  assert.throws(() => check(BAD, { format: "xml" }), UsageError);
  await assert.rejects(checkAsync(BAD, { stored: "{" }), UsageError);
  class Missing extends Error {
    code = "ENOENT";
  }
  const options = {
    get path() {
      throw new Missing("it is mine");
    },
  };
  assert.throws(() => new Context().check(BAD, options), Missing);
  await assert.rejects(new Context().checkAsync(BAD, options), Missing);
});
