// Shared by the tests, which run in a folder where the package is installed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The folder `fixtures` of the repository. */
export const FIXTURES = process.env.VOXLINT_FIXTURES;

const PROGRAM = process.env.VOXLINT_BINARY;

/** What a command of the program writes. It may find something. */
export function program(folder, ...args) {
  try {
    return execFileSync(PROGRAM, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error.stdout) return error.stdout;
    throw new Error(`voxlint ${args.slice(0, 3).join(" ")}: ${error.stderr ?? error.message}`);
  }
}

/** A folder with some files, which is removed after a test. */
export function folder(test, files) {
  const path = mkdtempSync(join(tmpdir(), "voxlint-"));
  test.after(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

/** A result without the offsets that only the module has. */
export const asWritten = (result) => JSON.parse(JSON.stringify(result, (name, value) => (name === "utf16" ? undefined : value)));

/** Every place in a result, with the path of its text; `path` is that of the document. */
export function* places(path, findings) {
  for (const finding of findings) {
    yield [finding.path, finding.span];
    for (const related of finding.related) yield [related.path ?? path, related.span];
    for (const fix of finding.fixes) for (const edit of fix.edits) yield [fix.path ?? path, edit];
  }
}

export const GOOD = '{ "version_number": 3, "kb_max_chunks": 3 }';
export const BAD = '{ "version_number": 3, "kb_max_chunks": 12 }';
