// The compiled module. Its errors become errors of this package.
"use strict";

const { resolve, toNamespacedPath } = require("node:path");

const { UsageError } = require("./error.js");
const { fileOfPlatform } = require("./platform.js");

function load() {
  const file = resolve(fileOfPlatform("voxlint.node", "VOXLINT_MODULE", "module"));
  const loaded = { exports: {} };
  try {
    // Like `require`, but for a file with any extension.
    process.dlopen(loaded, toNamespacedPath(file));
  } catch (error) {
    // The original message says if the C library or the processor does not fit.
    throw new Error(`the module of voxlint cannot be loaded: ${error.message}`, { cause: error });
  }
  return loaded.exports;
}

const native = load();

/** Runs a function of the module. If it throws, an argument cannot be used. */
function run(work) {
  try {
    return work();
  } catch (error) {
    throw misuse(error);
  }
}

/** Converts an error to the type that this package throws. */
function misuse(error) {
  const isOwn = error instanceof TypeError || error instanceof RangeError || error instanceof UsageError;
  return isOwn ? error : new UsageError(error.message);
}

module.exports = { native, run, misuse };
