import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { expand, find, identify, isAtLeast, locate, type Surroundings } from "../src/program.js";

const folder = mkdtempSync(join(tmpdir(), "voxlint-program-"));
after(() => {
  rmSync(folder, { recursive: true });
});

const surroundings: Surroundings = {
  platform: "linux",
  env: { TOOLS: "/opt/tools" },
  home: "/home/ada",
  folders: [
    { name: "agents", path: "/home/ana/agents" },
    { name: "shop", path: "/home/ana/shop" },
  ],
};

/** A program that prints a version and may have a server. */
function program(name: string, script: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test("variables of a path are replaced", () => {
  const path = (value: string) => expand(value, surroundings);
  assert.deepEqual(path("~/bin/voxlint"), { path: "/home/ada/bin/voxlint" });
  assert.deepEqual(path("~"), { path: "/home/ada" });
  assert.deepEqual(path("${userHome}/bin"), { path: "/home/ada/bin" });
  assert.deepEqual(path("${workspaceFolder}/bin"), { path: "/home/ana/agents/bin" });
  assert.deepEqual(path("${workspaceFolder:shop}/bin"), { path: "/home/ana/shop/bin" });
  assert.deepEqual(path("${env:TOOLS}/voxlint"), { path: "/opt/tools/voxlint" });
  // Only at the beginning, and only alone.
  assert.deepEqual(path("/a/~/b"), { path: "/a/~/b" });
  assert.deepEqual(path("~grace/voxlint"), { path: "~grace/voxlint" });
});

test("a variable without a value is named", () => {
  for (const variable of ["${env:MISSING}", "${workspaceFolder:none}", "${file}", "${}", "${userHome:x}"]) {
    assert.deepEqual(expand(`${variable}/voxlint`, surroundings), { unknown: variable });
  }
  assert.deepEqual(expand("${workspaceFolder}/a", { ...surroundings, folders: [] }), { unknown: "${workspaceFolder}" });
});

test("a replacement is not expanded again", () => {
  const strange = { ...surroundings, home: "/home/${env:TOOLS}$&" };
  assert.deepEqual(expand("${userHome}/a", strange), { path: "/home/${env:TOOLS}$&/a" });
});

test("the setting comes before the PATH", async () => {
  const stated = program("stated/voxlint", "exit 0");
  const onPath = program("on-path/voxlint", "exit 0");
  const env = { PATH: [join(folder, "none"), join(folder, "on-path")].join(delimiter) };
  assert.deepEqual(await locate(stated, { ...surroundings, env }), { path: stated });
  assert.deepEqual(await locate("  ", { ...surroundings, env }), { path: onPath });
});

test("a relative entry of the PATH is left out", async () => {
  const here = process.cwd();
  program("relative/voxlint", "exit 0");
  process.chdir(join(folder, "relative"));
  try {
    for (const path of [".", "", "../relative"]) {
      const found = await locate("", { ...surroundings, env: { PATH: path } });
      assert.equal("path" in found, false, path);
    }
  } finally {
    process.chdir(here);
  }
});

test("folders and files that cannot be run are not programs", async () => {
  mkdirSync(join(folder, "as-folder/voxlint"), { recursive: true });
  mkdirSync(join(folder, "as-text"));
  writeFileSync(join(folder, "as-text/voxlint"), "");
  const env = { PATH: [join(folder, "as-folder"), join(folder, "as-text")].join(delimiter) };
  const found = await locate("", { ...surroundings, env });
  assert.deepEqual(found, {
    kind: "not-found",
    message: "`voxlint` is not on the PATH. Install voxlint, or set `voxlint.path`.",
  });
});

test("a wrong setting is named, with what to do", async () => {
  const message = async (setting: string) => {
    const found = await locate(setting, surroundings);
    assert.ok("kind" in found && found.kind === "bad-setting", setting);
    return found.message;
  };
  assert.equal(await message("/nowhere/voxlint"), "The setting `voxlint.path` is `/nowhere/voxlint`, which is not a program.");
  assert.match(await message("bin/voxlint"), /is not absolute. Begin it with `\$\{workspaceFolder\}` or `~`\.$/);
  assert.match(await message("${env:NONE}/voxlint"), /^`\$\{env:NONE\}` in the setting/);
});

test("only a voxlint with a server is used", async () => {
  const good = program("good", 'case "$1" in --version) echo "voxlint 0.1.0" ;; server) exit 0 ;; *) exit 2 ;; esac');
  assert.deepEqual(await identify(good), { kind: "found", path: good, version: "0.1.0" });
  const later = program("later", 'case "$1" in --version) echo "voxlint 12.0.0-rc.1" ;; server) exit 0 ;; esac');
  assert.deepEqual(await identify(later), { kind: "found", path: later, version: "12.0.0-rc.1" });

  const missing = async (name: string, script: string) => {
    const found = await find(program(name, script), surroundings);
    assert.ok(found.kind !== "found", name);
    return [found.kind, found.message] as const;
  };
  const [kind, message] = await missing("old", 'echo "voxlint 0.0.9"');
  assert.equal(kind, "too-old");
  assert.match(message, /is voxlint 0\.0\.9, which has no language server\. Install 0\.1\.0 or later\.$/);
  const without = await missing("without", 'case "$1" in --version) echo "voxlint 0.1.0" ;; *) exit 2 ;; esac');
  assert.equal(without[0], "too-old");
  assert.equal((await missing("other", 'echo "eslint 9.0.0"'))[0], "bad-setting");
  assert.equal((await missing("failing", 'echo "voxlint 0.1.0"; exit 1'))[0], "bad-setting");
});

test("versions are compared by numbers", () => {
  assert.ok(isAtLeast("0.10.0", "0.9.9"));
  assert.ok(isAtLeast("0.1.0-dev", "0.1.0"));
  assert.ok(isAtLeast("1.0.0", "0.1.0"));
  assert.ok(!isAtLeast("0.0.99", "0.1.0"));
});
