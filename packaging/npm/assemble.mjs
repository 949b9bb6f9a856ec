// Creates the npm packages: `node packaging/npm/assemble.mjs FOLDER PLATFORM=PROGRAM[,MODULE]...`, with the platform names of the optional
// dependencies of the package `voxlint`. MODULE is the module for Node.js that cargo builds from `bindings/node`. Without it, the packages
// only contain the program. Each package gets a folder, ready for `npm pack`.
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, ...platforms] = process.argv.slice(2);
const root = join(import.meta.dirname, "../..");
const source = join(import.meta.dirname, "voxlint");
const main = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
const LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"];

// The address of the repository is only in Cargo.toml, once it is set.
const [, address] = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^repository = "(.+)"$/m) ?? [];
const repository = address && { repository: { type: "git", url: `git+${address.replace(/(\.git)?$/, ".git")}` } };

const write = (to, about) => writeFileSync(join(to, "package.json"), `${JSON.stringify({ ...about, ...repository }, null, 2)}\n`);

const to = join(folder, "voxlint");
cpSync(source, to, { recursive: true });
cpSync(join(root, "bindings/node/lib"), join(to, "lib"), { recursive: true });
write(to, main);
for (const file of [...LICENSES, "README.md"]) copyFileSync(join(root, file), join(to, file));

for (const given of platforms) {
  const [platform, files] = given.split("=");
  const [binary, module] = files.split(",");
  const name = `@voxlint/${platform}`;
  if (main.optionalDependencies[name] !== main.version) throw new Error(`${name} ${main.version} is not a dependency of voxlint`);
  const [os, cpu, libc] = platform.split("-");
  const program = os === "win32" ? "voxlint.exe" : "voxlint";
  const to = join(folder, platform);
  mkdirSync(join(to, "bin"), { recursive: true });
  copyFileSync(binary, join(to, "bin", program));
  chmodSync(join(to, "bin", program), 0o755);
  if (module) copyFileSync(module, join(to, "voxlint.node"));
  for (const file of LICENSES) copyFileSync(join(root, file), join(to, file));
  const { version, license, publishConfig } = main;
  const description = `The program and the module of voxlint for ${platform}`;
  const contents = [`bin/${program}`, ...(module ? ["voxlint.node"] : []), ...LICENSES];
  // There are no `exports`, because `voxlint` finds both files by their paths.
  const about = { name, version, description, license, files: contents, os: [os], cpu: [cpu], ...(libc && { libc: [libc] }), publishConfig };
  write(to, about);
}
