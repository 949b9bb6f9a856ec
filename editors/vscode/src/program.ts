// Finds the program `voxlint` and asks it for its version. Nothing in this file depends on VS Code, so it can be tested without it.
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";

/** The oldest version that has a language server. */
export const MINIMUM_VERSION = "0.1.0";

/** What decides where the program is looked for. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The open folders, with their names. */
  readonly folders: readonly { readonly name: string; readonly path: string }[];
}

/** Why there is no program to run. `message` is a sentence for the user. */
export interface Missing {
  readonly kind: "not-found" | "bad-setting" | "too-old";
  readonly message: string;
}

/** A program that can be started. */
export interface Program {
  readonly kind: "found";
  /** An absolute path, so that the working directory never decides what runs. */
  readonly path: string;
  readonly version: string;
}

const paths = (surroundings: Surroundings) => (surroundings.platform === "win32" ? win32 : posix);

/**
 * Replaces `~`, `${userHome}`, `${workspaceFolder}`, `${workspaceFolder:name}` and `${env:NAME}`. Returns the first variable without
 * a value instead, if there is one.
 */
export function expand(value: string, surroundings: Surroundings): { path: string } | { unknown: string } {
  let unknown: string | undefined;
  const home = value.replace(/^~(?=$|[\\/])/, () => surroundings.home);
  const path = home.replace(/\$\{([^}]*)\}/g, (whole, variable: string) => {
    const [name = "", argument] = variable.split(/:(.*)/s, 2);
    const replacement = valueOf(name, argument, surroundings);
    if (replacement === undefined) unknown ??= whole;
    return replacement ?? whole;
  });
  return unknown === undefined ? { path } : { unknown };
}

function valueOf(name: string, argument: string | undefined, surroundings: Surroundings): string | undefined {
  const { env, folders, home } = surroundings;
  if (name === "userHome" && argument === undefined) return home;
  if (name === "env" && argument !== undefined) return env[argument];
  if (name !== "workspaceFolder") return undefined;
  return (argument === undefined ? folders[0] : folders.find((folder) => folder.name === argument))?.path;
}

async function isProgram(path: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false;
    // Windows has no such permission.
    if (platform !== "win32") await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first `voxlint` on the PATH. Relative entries are left out: what they name depends on the working directory. */
async function onPath(surroundings: Surroundings): Promise<string | undefined> {
  const { env, platform } = surroundings;
  const path = paths(surroundings);
  const list = platform === "win32" ? (env["Path"] ?? env["PATH"]) : env["PATH"];
  const name = platform === "win32" ? "voxlint.exe" : "voxlint";
  for (const folder of (list ?? "").split(path.delimiter)) {
    const program = path.join(folder, name);
    if (path.isAbsolute(folder) && (await isProgram(program, platform))) return program;
  }
  return undefined;
}

/** The path of the program: that of the setting `voxlint.path`, or else the first one on the PATH. */
export async function locate(setting: string, surroundings: Surroundings): Promise<{ path: string } | Missing> {
  const stated = setting.trim();
  if (stated === "") {
    const path = await onPath(surroundings);
    if (path !== undefined) return { path };
    const name = surroundings.platform === "win32" ? "voxlint.exe" : "voxlint";
    const message = `\`${name}\` is not on the PATH. Install voxlint, or set \`voxlint.path\`.`;
    return { kind: "not-found", message };
  }
  const expanded = expand(stated, surroundings);
  if ("unknown" in expanded) {
    return bad(`\`${expanded.unknown}\` in the setting \`voxlint.path\` has no value here.`);
  }
  const { path } = expanded;
  if (!paths(surroundings).isAbsolute(path)) {
    return bad(`The setting \`voxlint.path\` is \`${path}\`, which is not absolute. Begin it with \`\${workspaceFolder}\` or \`~\`.`);
  }
  if (await isProgram(path, surroundings.platform)) return { path };
  return bad(`The setting \`voxlint.path\` is \`${path}\`, which is not a program.`);
}

const bad = (message: string): Missing => ({ kind: "bad-setting", message });

/** How a program ended. */
export interface Ended {
  readonly code: number | undefined;
  readonly output: string;
}

/** Runs a program without a shell and with bounds on its time and output. It never throws. */
export function run(path: string, args: readonly string[], cwd?: string): Promise<Ended> {
  const limits = { timeout: 10_000, maxBuffer: 16 * 1024 * 1024, windowsHide: true, ...(cwd !== undefined && { cwd }) };
  return new Promise((resolve) => {
    execFile(path, [...args], limits, (error, output) => {
      const code = error === null ? 0 : error.code;
      resolve({ code: typeof code === "number" ? code : undefined, output });
    });
  });
}

/** Whether a version is at least another one; `0.2.0-dev` counts as `0.2.0`. */
export function isAtLeast(version: string, minimum: string): boolean {
  const numbers = (text: string) => text.split(/[-+]/, 1)[0]?.split(".").map(Number) ?? [];
  const [is, wanted] = [numbers(version), numbers(minimum)];
  for (const [index, least] of wanted.entries()) {
    const number = is[index] ?? 0;
    if (number !== least) return number > least;
  }
  return true;
}

/** Checks that a program is a voxlint that has a language server. */
export async function identify(path: string): Promise<Program | Missing> {
  const { code, output } = await run(path, ["--version"]);
  const version = /^voxlint (\d+\.\d+\.\d+\S*)\s*$/.exec(output)?.[1];
  if (code !== 0 || version === undefined) {
    const message = `\`${path}\` is not voxlint: \`--version\` does not print its version.`;
    return { kind: "bad-setting", message };
  }
  const hasServer = isAtLeast(version, MINIMUM_VERSION) && (await run(path, ["server", "--help"])).code === 0;
  if (hasServer) return { kind: "found", path, version };
  const message = `\`${path}\` is voxlint ${version}, which has no language server. Install ${MINIMUM_VERSION} or later.`;
  return { kind: "too-old", message };
}

/** Finds the program and checks it. */
export async function find(setting: string, surroundings: Surroundings): Promise<Program | Missing> {
  const located = await locate(setting, surroundings);
  return "path" in located ? identify(located.path) : located;
}
