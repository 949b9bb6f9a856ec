// Finds the program and the module in the package for this platform.
"use strict";

const { closeSync, openSync, readSync } = require("node:fs");
const { optionalDependencies } = require("../package.json");

/** Whether Node.js uses musl. The beginning of its executable names the loader, which is fast to read. */
function usesMusl() {
  const start = Buffer.alloc(4096);
  try {
    const file = openSync(process.execPath, "r");
    readSync(file, start);
    closeSync(file);
  } catch {
    // The diagnostic report below also says it, but takes longer to create.
  }
  if (start.includes("/ld-musl-")) return true;
  if (start.includes("/ld-linux")) return false;
  // With its network interfaces, the report may take seconds. The setting belongs to the program that loads this package.
  const { excludeNetwork } = process.report;
  process.report.excludeNetwork = true;
  try {
    return !process.report.getReport().header.glibcVersionRuntime;
  } finally {
    process.report.excludeNetwork = excludeNetwork;
  }
}

/** The platform in the name of a package: `linux-x64-glibc`. */
function platform() {
  const name = `${process.platform}-${process.arch}`;
  return process.platform === "linux" ? `${name}-${usesMusl() ? "musl" : "glibc"}` : name;
}

/** The path of a file in the package for this platform, or the one that the environment variable names. `what` says what the file is. */
function fileOfPlatform(file, variable, what) {
  if (process.env[variable]) return process.env[variable];
  const name = `@voxlint/${platform()}`;
  if (!(name in optionalDependencies)) {
    throw new Error(`there is no package for ${platform()}; set ${variable} to a ${what} built for it`);
  }
  const installed = (path) => {
    try {
      return require.resolve(`${name}/${path}`);
    } catch {
      return undefined;
    }
  };
  const found = installed(file);
  if (found !== undefined) return found;
  if (installed("package.json") !== undefined) throw new Error(`the package ${name} contains no ${what}; set ${variable} to one`);
  throw new Error(`the package ${name} is not installed: install voxlint again, with optional dependencies and on this platform`);
}

module.exports = { fileOfPlatform };
