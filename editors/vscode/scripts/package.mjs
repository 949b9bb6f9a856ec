// Makes the package `voxlint-VERSION.vsix` of what is in `dist`. VS Code installs it without a marketplace.
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createVSIX } from "@vscode/vsce";

const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const licenses = ["LICENSE-APACHE", "LICENSE-MIT"];
for (const name of licenses) copyFileSync(join(root, "../..", name), join(root, name));
// vsce ends the process when something is wrong.
process.on("exit", () => licenses.forEach((name) => rmSync(join(root, name))));
// Everything is in the bundle. There are two licenses, and no address of a repository that relative links could lead to.
await createVSIX({
  cwd: root,
  packagePath: join(root, `voxlint-${version}.vsix`),
  dependencies: false,
  skipLicense: true,
  allowMissingRepository: true,
});
