// Runs the examples of docs/node.md, each of which is followed by its output. UPDATE_PAGES=1 writes the output into the page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { FIXTURES, folder } from "./support.mjs";

const PAGE = process.env.VOXLINT_GUIDE;
const EXAMPLE = /```js(?: (\w+))?\n(.*?)```\n\n```text\n(.*?)```\n/gs;

let page = readFileSync(PAGE, "utf8");
const examples = [...page.matchAll(EXAMPLE)];

test("the page has examples", () => {
  assert.ok(examples.length > 5);
  assert.equal(page.match(/^```js/gm).length, examples.length, "each is followed by its output");
});

for (const [at, [whole, fixture, program, wanted]] of examples.entries()) {
  test(`example ${at + 1} prints what the page says`, (t) => {
    const root = folder(t, {});
    if (fixture) cpSync(join(FIXTURES, "guide", fixture), root, { recursive: true });
    // Next to the package, so that the example finds it.
    const file = join(import.meta.dirname, `example-${at}.${program.includes("require(") ? "cjs" : "mjs"}`);
    writeFileSync(file, program);
    t.after(() => rmSync(file));
    const printed = execFileSync(process.execPath, [file], { cwd: root, encoding: "utf8" });
    if (process.env.UPDATE_PAGES) {
      page = page.replace(whole, () => whole.replace(`\`\`\`text\n${wanted}\`\`\``, () => `\`\`\`text\n${printed}\`\`\``));
      writeFileSync(PAGE, page);
    } else {
      assert.equal(printed, wanted);
    }
  });
}

test("the example for TypeScript is among the files that are compiled", () => {
  const [, example] = page.match(/```ts\n(.*?)```/s);
  assert.equal(readFileSync(join(import.meta.dirname, "guide.mts"), "utf8"), `${example}\nexport { marked };\n`);
});
