// What the server and the program answer, read with care: another version may answer something else.

/** A text to show. */
export interface Result {
  /** The name of a file for it. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
  readonly notes: readonly string[];
}

/** Reads the answer to a command. */
export function readResult(value: unknown): Result | undefined {
  const text = field(value, "text");
  if (typeof text !== "string") return undefined;
  const [name, language, notes] = ["name", "language", "notes"].map((key) => field(value, key));
  return {
    name: typeof name === "string" && name !== "" ? name : "voxlint.txt",
    language: typeof language === "string" ? language : "plaintext",
    text,
    notes: Array.isArray(notes) ? notes.filter((note) => typeof note === "string") : [],
  };
}

/** Reads the output of `voxlint rules --format json`. */
export function readRules(output: string): { id: string; summary: string }[] {
  let list: unknown;
  try {
    list = field(JSON.parse(output), "rules");
  } catch {
    return [];
  }
  if (!Array.isArray(list)) return [];
  return list.flatMap((rule: unknown) => {
    const [id, summary] = [field(rule, "id"), field(rule, "summary")];
    return typeof id === "string" ? [{ id, summary: typeof summary === "string" ? summary : "" }] : [];
  });
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
