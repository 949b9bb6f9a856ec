// Uses the extension in VS Code: the program `code-server` has the VS Code that runs here, and headless Chromium opens it. Twice, in a workspace
// that is trusted and in one that is not, whose settings name another program.
//
//   node scripts/editors/try-vscode.mjs CODE_SERVER CHROMIUM VSIX VOXLINT FOLDER
//
// FOLDER is an empty folder in which puppeteer-core can be found.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";

const [codeServer, chromium, vsix, voxlint, folder] = process.argv.slice(2);
const root = join(import.meta.dirname, "../..");
const puppeteer = createRequire(join(folder, "package.json"))("puppeteer-core");

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

for (const isTrusted of [true, false]) {
  const home = join(folder, isTrusted ? "trusted" : "not-trusted");
  const [team, output, marker] = [join(home, "team"), join(home, "output.txt"), join(home, "was-run")];
  for (const name of ["User", "Machine"]) mkdirSync(join(home, "data", name), { recursive: true });
  cpSync(join(root, "fixtures/team"), team, { recursive: true });
  cpSync(join(import.meta.dirname, "desk"), join(team, "desk"), { recursive: true });
  mkdirSync(join(team, ".git"));
  writeFileSync(join(team, "agents/front-desk.prompt.hbs"), "Greet {{caler_name}}.\n", { flag: "a" });
  if (!isTrusted) {
    const other = join(team, "voxlint");
    writeFileSync(other, `#!/bin/sh\ntouch '${marker}'\nexec '${voxlint}' "$@"\n`, { mode: 0o755 });
    mkdirSync(join(team, ".vscode"));
    writeFileSync(join(team, ".vscode/settings.json"), JSON.stringify({ "voxlint.path": "${workspaceFolder}/voxlint" }));
  }
  // VS Code in a browser is a remote window, where paths are settings of the remote machine.
  writeFileSync(join(home, "data/Machine/settings.json"), JSON.stringify({ "voxlint.path": voxlint }));
  const settings = {
    "security.workspace.trust.enabled": !isTrusted,
    "security.workspace.trust.startupPrompt": "never",
    "workbench.startupEditor": "none",
  };
  writeFileSync(join(home, "data/User/settings.json"), JSON.stringify(settings));
  const common = ["--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
  const installed = spawnSync(codeServer, [...common, "--install-extension", vsix], { encoding: "utf8" });
  if (installed.status !== 0) throw new Error(installed.stdout + installed.stderr);
  cpSync(join(import.meta.dirname, "vscode"), join(home, "extensions/voxlint.try-voxlint-0.1.0"), { recursive: true });
  const list = join(home, "extensions/extensions.json");
  const own = join(home, "extensions/voxlint.try-voxlint-0.1.0");
  const entry = {
    identifier: { id: "voxlint.try-voxlint" },
    version: "0.1.0",
    location: { $mid: 1, path: own, scheme: "file" },
    relativeLocation: "voxlint.try-voxlint-0.1.0",
  };
  writeFileSync(list, JSON.stringify([...JSON.parse(readFileSync(list, "utf8")), entry]));

  const port = await freePort();
  const address = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
  const env = { ...process.env, VOXLINT_OUTPUT: output, VOXLINT_MARKER: marker };
  const server = spawn(codeServer, [...common, ...address], { env, stdio: "ignore" });
  const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    const isUp = () => page.goto(`http://127.0.0.1:${port}/?folder=${team}`).then(() => true, () => false);
    for (let tries = 0; tries < 60 && !(await isUp()); tries++) await pause(500);
    const seen = () => (existsSync(output) ? readFileSync(output, "utf8") : "");
    for (let tries = 0; tries < 240 && !/^(ok|failed)/m.test(seen()); tries++) await pause(500);
    await page.screenshot({ path: join(folder, `${isTrusted ? "trusted" : "not-trusted"}.png`) });
    console.log(seen().trimEnd());
    if (!/^ok$/m.test(seen())) process.exitCode = 1;
  } finally {
    await browser.close();
    server.kill();
  }
}
