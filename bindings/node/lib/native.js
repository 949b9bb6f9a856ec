// The compiled module. Its errors become errors of this package.
"use strict";

const { resolve, toNamespacedPath } = require("node:path");

const { InternalError, UsageError } = require("./error.js");
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

/** Runs a function of the module, and throws its errors as those of this package. */
function run(work) {
  try {
    return work();
  } catch (error) {
    throw own(error);
  }
}

/** What the module throws has the name of a status of Node-API: wrong use has one of its own, and anything else is a bug. */
function own(error) {
  if (!(error instanceof Error) || !/^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(error.code)) return error;
  return error.code === "InvalidArg" ? new UsageError(error.message) : new InternalError(error);
}

module.exports = { native, run, own };
