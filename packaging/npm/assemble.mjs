// Creates the npm packages: `node packaging/npm/assemble.mjs FOLDER PLATFORM=BINARY...`, with the platform names of the optional
// dependencies of the package `voxlint`. Each package gets a folder, ready for `npm pack`.
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...binaries] = process.argv.slice(2);
const root = join(import.meta.dirname, "../..");
const source = join(import.meta.dirname, "voxlint");
const main = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
const LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"];

// Cargo.toml is the one place that has the address of the repository, once there is one.
const [, address] = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^repository = "(.+)"$/m) ?? [];
const repository = address && { repository: { type: "git", url: `git+${address.replace(/(\.git)?$/, ".git")}` } };

const write = (to, about) => writeFileSync(join(to, "package.json"), `${JSON.stringify({ ...about, ...repository }, null, 2)}\n`);

cpSync(source, join(folder, "voxlint"), { recursive: true });
write(join(folder, "voxlint"), main);
for (const file of [...LICENSES, "README.md"]) copyFileSync(join(root, file), join(folder, "voxlint", file));

for (const given of binaries) {
  const [platform, binary] = given.split("=");
  const name = `@voxlint/${platform}`;
  if (main.optionalDependencies[name] !== main.version) throw new Error(`${name} ${main.version} is not a dependency of voxlint`);
  const [os, cpu, libc] = platform.split("-");
  const program = os === "win32" ? "voxlint.exe" : "voxlint";
  const to = join(folder, platform);
  mkdirSync(join(to, "bin"), { recursive: true });
  copyFileSync(binary, join(to, "bin", program));
  chmodSync(join(to, "bin", program), 0o755);
  for (const file of LICENSES) copyFileSync(join(root, file), join(to, file));
  const { version, license, publishConfig } = main;
  const description = `The program of voxlint for ${platform}`;
  const files = [`bin/${program}`, ...LICENSES];
  // No `exports`: `voxlint` resolves the program by its path.
  const about = { name, version, description, license, files, os: [os], cpu: [cpu], ...(libc && { libc: [libc] }), publishConfig };
  write(to, about);
}
