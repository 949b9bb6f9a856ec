#!/usr/bin/env node
// Runs the program in the package for this platform, or the one that VOXLINT_BINARY names, and exits with its exit code.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { optionalDependencies } = require("../package.json");

/** The exit code of a failed run. */
const FAILED = 2;

/** The platform in the name of a package: `linux-x64-glibc`. */
function platform() {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return name;
  process.report.excludeNetwork = true;
  const { header } = process.report.getReport();
  return `${name}-${header.glibcVersionRuntime ? "glibc" : "musl"}`;
}

function fail(message) {
  console.error(`voxlint: ${message}`);
  process.exit(FAILED);
}

function binary() {
  if (process.env.VOXLINT_BINARY) return process.env.VOXLINT_BINARY;
  const name = `@voxlint/${platform()}`;
  if (!(name in optionalDependencies)) {
    fail(`there is no package for ${platform()}; set VOXLINT_BINARY to a program built for it`);
  }
  try {
    return require.resolve(`${name}/bin/voxlint${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    return fail(`the package ${name} is not installed: install voxlint again, with optional dependencies and on this platform`);
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
