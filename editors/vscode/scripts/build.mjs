// Bundles the extension into `dist`, and with `--tests` also the tests into `out/test`.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const common = { absWorkingDir: root, bundle: true, platform: "node", format: "cjs", target: "node20", external: ["vscode"], logLevel: "warning" };

/** The licenses of all packages of the bundle. */
function licenses(inputs) {
  const packages = new Set(Object.keys(inputs).flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no license file`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

rmSync(join(root, "dist"), { recursive: true, force: true });
const { metafile } = await build({ ...common, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: true, metafile: true });
writeFileSync(join(root, "dist/licenses.txt"), licenses(metafile.inputs));

if (process.argv.includes("--tests")) {
  rmSync(join(root, "out"), { recursive: true, force: true });
  const tests = readdirSync(join(root, "test")).filter((name) => name.endsWith(".test.ts"));
  await build({ ...common, entryPoints: tests.map((name) => `test/${name}`), outdir: "out/test", sourcemap: "inline" });
}
