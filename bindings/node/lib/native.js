// The compiled module, with errors of this package.
"use strict";

const { resolve, toNamespacedPath } = require("node:path");

const { UsageError } = require("./error.js");
const { fileOfPlatform } = require("./platform.js");

function load() {
  const file = resolve(fileOfPlatform("voxlint.node", "VOXLINT_MODULE", "module"));
  const loaded = { exports: {} };
  try {
    // Like `require`, for a file with any extension.
    process.dlopen(loaded, toNamespacedPath(file));
  } catch (error) {
    // A wrong C library or another processor is in the original message.
    throw new Error(`the module of voxlint cannot be loaded: ${error.message}`, { cause: error });
  }
  return loaded.exports;
}

const native = load();

/** Runs a function of the module. What it throws is wrong use. */
function run(work) {
  try {
    return work();
  } catch (error) {
    throw misuse(error);
  }
}

/** The same error as this package throws it. */
function misuse(error) {
  const isOwn = error instanceof TypeError || error instanceof RangeError || error instanceof UsageError;
  return isOwn ? error : new UsageError(error.message);
}

module.exports = { native, run, misuse };
