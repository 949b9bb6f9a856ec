// The installed package, and its messages if a part of it is missing.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { folder } from "./support.mjs";

const installed = dirname(createRequire(import.meta.url).resolve("voxlint/package.json"));
const about = createRequire(import.meta.url)("voxlint/package.json");
const [platform] = readdirSync(join(installed, "../@voxlint"));
const PROGRAM = 'console.log(require("voxlint").check("{}").summary.documents)';

/** Runs a program beside a copy of the package. */
function run(root, variables = {}) {
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", PROGRAM], { cwd: root, encoding: "utf8", env: { ...process.env, ...variables } });
  return stdout + stderr;
}

test("nothing is run when the package is installed, and it can be published", () => {
  for (const name of ["", `../@voxlint/${platform}/`]) {
    const { scripts, publishConfig } = createRequire(import.meta.url)(join(installed, name, "package.json"));
    assert.equal(scripts, undefined);
    assert.deepEqual(publishConfig, { access: "public" });
  }
  assert.equal(about.optionalDependencies[`@voxlint/${platform}`], about.version);
});

test("messages name the missing part and what to do", (t) => {
  const root = folder(t, {});
  const modules = join(root, "node_modules");
  cpSync(installed, join(modules, "voxlint"), { recursive: true });
  cpSync(join(installed, "../@voxlint"), join(modules, "@voxlint"), { recursive: true });
  assert.equal(run(root), "1\n");

  const module = join(modules, "@voxlint", platform, "voxlint.node");
  cpSync(module, join(root, "other.so"));
  assert.equal(run(root, { VOXLINT_MODULE: "other.so" }), "1\n");
  assert.match(run(root, { VOXLINT_MODULE: "/nowhere" }), /Error: the module of voxlint cannot be loaded: .*\/nowhere/);

  rmSync(module);
  assert.match(run(root), new RegExp(`the package @voxlint/${platform} contains no module; set VOXLINT_MODULE to one`));
  // The program does not need the module.
  execFileSync(process.execPath, [join(modules, "voxlint/bin/voxlint.js"), "--version"]);

  rmSync(join(modules, "@voxlint"), { recursive: true });
  assert.match(run(root), new RegExp(`the package @voxlint/${platform} is not installed: install voxlint again`));
});

test("the settings of the program that loads the module stay as they are", () => {
  // Without the file of Node.js, only its report knows which C library it uses.
  const program = `
    process.execPath = "/nowhere";
    const before = [true, false].map((setting) => {
      process.report.excludeNetwork = setting;
      for (const name in require.cache) delete require.cache[name];
      return require("voxlint").check("{}").summary.documents && process.report.excludeNetwork;
    });
    console.log(before);`;
  assert.equal(execFileSync(process.execPath, ["-e", program], { cwd: import.meta.dirname, encoding: "utf8" }), "[ true, false ]\n");
});
