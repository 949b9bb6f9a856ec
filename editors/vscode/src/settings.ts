// The settings of the user, and what the server is told of them. Nothing in this file depends on VS Code.
import { expand, type Surroundings } from "./program.js";

/** What the server calls its settings. */
export interface ServerSettings {
  readonly configuration: string | null;
  readonly undecided: boolean;
  readonly workspaceDiagnostics: boolean;
}

/** Reads settings of VS Code, in which a user may have written values of any type. */
export function serverSettings(get: (key: string) => unknown, surroundings: Surroundings): ServerSettings {
  const stated = get("configuration");
  const expanded = typeof stated === "string" && stated.trim() !== "" ? expand(stated.trim(), surroundings) : undefined;
  return {
    configuration: expanded !== undefined && "path" in expanded ? expanded.path : null,
    undecided: get("showUndecided") === true,
    workspaceDiagnostics: get("workspaceDiagnostics") === true,
  };
}

/** The languages of documents. Only some of them are part of VS Code, so files are also selected by their names. */
const LANGUAGES = ["json", "jsonc", "jsonl", "yaml", "toml", "handlebars"];

/** The texts that the server is told about: agent documents, configurations, and texts that may belong to a document. */
export const DOCUMENTS: { scheme: string; language?: string; pattern?: string }[] = [
  ...["file", "untitled"].flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language }))),
  { scheme: "file", pattern: "**/*.{json,jsonc,jsonl,ndjson,yaml,yml,toml,hbs,handlebars}" },
  // `text_files` in voxlint.toml may name files like these. The server reports nothing about the others.
  ...["markdown", "plaintext"].map((language) => ({ scheme: "file", language })),
];
