#!/usr/bin/env node
// Runs the program in the package for this platform, or the one at the path in VOXLINT_BINARY, and exits with its exit code.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { fileOfPlatform } = require("../lib/platform.js");

/** The exit code of a failed run. */
const FAILED = 2;

function fail(message) {
  console.error(`voxlint: ${message}`);
  process.exit(FAILED);
}

function binary() {
  const file = `bin/voxlint${process.platform === "win32" ? ".exe" : ""}`;
  try {
    return fileOfPlatform(file, "VOXLINT_BINARY", "program");
  } catch (error) {
    return fail(error.message);
  }
}

const program = binary();
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// Signals are passed on to the program, which decides how to handle them.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => fail(`${program} cannot be started: ${error.message}`));
child.on("exit", (status, signal) => {
  if (signal) {
    // The exit code that shells use, for signals that do not end this process.
    process.exitCode = 128 + constants.signals[signal];
    if (["SIGPIPE", "SIGUSR1"].includes(signal)) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exitCode = status;
  }
});
