// Uses every function with its types: `tsc --strict` must accept it, and reject the lines below `@ts-expect-error`.
import voxlint, {
  Context,
  InternalError,
  Project,
  UsageError,
  check,
  checkAsync,
  checkMany,
  checkManyAsync,
  diff,
  diffAsync,
  explain,
  explainAsync,
  plan,
  planAsync,
  predict,
  predictAsync,
  version,
  type Diagnostic,
  type Difference,
  type Kind,
  type Plan,
  type Prediction,
  type Report,
} from "voxlint";

const update = { version_number: 3, kb_max_chunks: 12 };
const bytes = new Uint8Array();

export const report: Report = check(update, { path: "en.json", kind: "update", format: "json", stored: {}, facts: "{}", config: "", agentId: "7c1" });
export const later: Promise<Report> = checkAsync(bytes);
export const prediction: Prediction = predict("{}");
export const predicted: Promise<Prediction> = predictAsync(bytes.buffer as ArrayBuffer);
export const difference: Difference = diff("{}", update, { complete: true });
export const compared: Promise<Difference> = diffAsync(bytes, update);
export const planned: Plan = plan([{ path: "en.json", document: update, stored: "{}", base: bytes }]);
export const plannedLater: Promise<Plan> = planAsync(new Set([{ path: "en.json", document: update }]));
export const page: string = explain("out-of-range", { config: "" });
export const pageLater: Promise<string> = explainAsync("out-of-range");
export const same: typeof check = voxlint.check;
export const release: string = version;

const context = new Context({ stored: update });
export const other: Context = context.withStored(null);
export const created: Promise<Context> = Context.create({ facts: bytes }).then((it) => it.withStoredAsync(update));
export const fromContext: Report = context.check(update, { kind: "settings" });

export async function many(): Promise<number> {
  let errors = 0;
  for (const { ok } of checkMany(["{}", update], { threads: 2 })) if (!ok) errors++;
  async function* source() {
    yield "{}";
    yield update;
  }
  for await (const { summary } of checkManyAsync(source(), { threads: 2 })) errors += summary.errors;
  for await (const { summary } of context.checkManyAsync([Promise.resolve("{}")])) errors += summary.errors;
  return errors;
}

export function marked(text: string, finding: Diagnostic): string | undefined {
  return finding.span.utf16 === null ? undefined : text.slice(finding.span.utf16.start, finding.span.utf16.end);
}

export function first(results: Report): [Kind, string] | undefined {
  const [file] = results.files;
  const [finding] = file?.diagnostics ?? [];
  return results.clean ? undefined : file && finding && [file.kind, finding.message];
}

export function project(path: string): string | undefined {
  const all = new Project(path, { facts: "workspace.yaml" });
  const checked: Report = all.check(["agents"]);
  const { bodies, order }: Plan = all.plan(null, { base: "main" });
  return checked.summary.errors === 0 ? order.map((name) => bodies[name]).at(0) : undefined;
}

export function failure(error: unknown): string {
  if (error instanceof InternalError) return error.code;
  return error instanceof UsageError ? `${error.code}: ${error.message}` : "";
}

// @ts-expect-error: a number is not a document
check(3);
// @ts-expect-error: not a format
check("{}", { format: "xml" });
// @ts-expect-error: no such option
check("{}", { agent_id: "7c1" });
// @ts-expect-error: results are frozen
report.summary.errors = 0;
// @ts-expect-error: results are frozen
report.files.push();
// @ts-expect-error: a plan needs names
plan([{ document: update }]);
// @ts-expect-error: threads are for many documents
check("{}", { threads: 2 });
// @ts-expect-error: the stored configuration is an argument
diff("{}", "{}", { stored: "{}" });
// @ts-expect-error: an update is predicted, whatever it looks like
predict("{}", { kind: "agent" });
// @ts-expect-error: not an iterable
checkMany(3);
