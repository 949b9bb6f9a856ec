import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { strFromU8, unzipSync } from "fflate";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

test("the package has the bundle, the page and the licenses, and nothing else", () => {
  execFileSync(process.execPath, ["scripts/package.mjs"], { stdio: ["ignore", "ignore", "inherit"] });
  const files = unzipSync(readFileSync(`voxlint-${version}.vsix`));
  assert.deepEqual(Object.keys(files).sort(), [
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE-APACHE",
    "extension/LICENSE-MIT",
    "extension/dist/extension.js",
    "extension/dist/licenses.txt",
    "extension/package.json",
    "extension/readme.md",
  ]);
  const text = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  assert.deepEqual(JSON.parse(text("extension/package.json")), JSON.parse(readFileSync("package.json", "utf8")));
  for (const name of ["vscode-languageclient", "vscode-jsonrpc", "semver"]) {
    assert.match(text("extension/dist/licenses.txt"), new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
  }
  // Only VS Code and Node.js are loaded when it runs.
  const loaded = [...text("extension/dist/extension.js").matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name ?? "");
  const own = new Set(["vscode", ...process.getBuiltinModule("module").builtinModules]);
  const others = loaded.filter((name) => !own.has(name.replace(/^node:/, "")));
  assert.deepEqual(others, []);
});
