import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MINIMUM_VERSION, isAtLeast } from "../src/program.js";

interface Manifest {
  version: string;
  license: string;
  capabilities: { untrustedWorkspaces: { supported: unknown; restrictedConfigurations: string[] } };
  contributes: {
    configuration: { properties: Record<string, { scope: string }> };
    commands: { command: string }[];
    menus: Record<string, { command: string }[]>;
  };
  dependencies?: object;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const source = ["commands", "extension", "settings"].map((name) => readFileSync(`src/${name}.ts`, "utf8")).join("\n");
const readme = readFileSync("README.md", "utf8");

test("every command is registered and described", () => {
  const ids = manifest.contributes.commands.map(({ command }) => command);
  for (const id of ids) assert.ok(source.includes(`register("${id}"`), id);
  assert.equal(source.split('register("').length - 1, ids.length);
  for (const { command } of Object.values(manifest.contributes.menus).flat()) assert.ok(ids.includes(command), command);
});

test("every setting is used and described", () => {
  for (const setting of Object.keys(manifest.contributes.configuration.properties)) {
    const key = setting.replace(/^voxlint\./, "");
    // The library reads the trace setting by itself.
    assert.ok(key === "trace.server" || source.includes(`"${key}"`), setting);
    assert.ok(readme.includes(`\`${setting}\``), `${setting} is missing in README.md`);
  }
});

test("a workspace that is not trusted cannot name a program", () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  assert.deepEqual(restrictedConfigurations, ["voxlint.path"]);
});

test("the extension has the version of the program that it needs", () => {
  assert.ok(isAtLeast(manifest.version, MINIMUM_VERSION));
});

test("nothing is sent anywhere", () => {
  assert.doesNotMatch(source, /telemetry|https?:|fetch\(|openExternal/i);
  assert.equal(manifest.dependencies, undefined, "everything is in the bundle");
});
