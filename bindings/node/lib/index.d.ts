/**
 * The linter voxlint as a module: predicts what a voice-agent service will answer to an agent configuration, before it is published.
 *
 * Results are frozen plain objects in the JSON format of the command line (docs/json.md). New versions may add fields and values. Mistakes in
 * a document are findings in its result. An argument that cannot be used throws a {@link UsageError}, or a `TypeError` or `RangeError` if it
 * has the wrong type or is out of range.
 */

/** The version of voxlint. */
export const version: string;

/** An argument cannot be used, for example because an option does not have one of the allowed values. */
export class UsageError extends Error {
  readonly name: "UsageError";
  readonly code: "ERR_VOXLINT_USAGE";
}

/** A bug of voxlint, which no caller can avoid. It fails one call; others still work. */
export class InternalError extends Error {
  readonly name: "InternalError";
  readonly code: "ERR_VOXLINT_INTERNAL";
}

// --- inputs ------------------------------------------------------------------------------------------------------------------

/**
 * A document: its text, the bytes of its file (a `Buffer` is a `Uint8Array`), or an object, which is checked as `JSON.stringify` writes it.
 * Positions in an object are those in that text.
 */
export type DocumentInput = string | Uint8Array | ArrayBuffer | object;

/** The format of a text. `ndjson` has one JSON document per line, and `hbs` is a Handlebars template alone. */
export type Format = "json" | "jsonc" | "yaml" | "toml" | "ndjson" | "hbs";

/** The kind of a document. `update` is the body of an update of an agent. */
export type Kind =
  | "update"
  | "settings"
  | "agent"
  | "version"
  | "api-keys"
  | "error"
  | "stored"
  | "facts"
  | "template";

/** How one document of a known kind is read. */
export interface TextOptions {
  /** The format of its text. Default: the one of the extension of `path`, or else `json`. A value is always `json`. */
  format?: Format | undefined;
  /** The path that reports show, and that patterns in `config` match. No file is read. */
  path?: string | undefined;
}

/** How one document is read. */
export interface DocumentOptions extends TextOptions {
  /** The kind of document. Default: recognized by its fields, or else `update`. A template is a text, not a value. */
  kind?: Kind | undefined;
}

/** The stored configuration, facts and configuration that documents are checked with. */
export interface ContextOptions {
  /**
   * The stored configuration of the agent: the agent or the settings of its version as the service returns them, or both as
   * `{ agent, version, complete: true }`. An update keeps the stored value of every field that it omits.
   */
  stored?: DocumentInput | undefined;
  /** Facts about the workspace, such as its voices and phone numbers. */
  facts?: DocumentInput | undefined;
  /** The text of a `voxlint.toml`. Files that it names are not read; use a {@link Project} for that. */
  config?: string | undefined;
  /** The id of the agent that documents are for. */
  agentId?: string | undefined;
}

/** How one document is read, and what it is checked with. */
export interface CheckOptions extends DocumentOptions, ContextOptions {}

/** Options for many documents. */
export interface ManyOptions {
  /** How many documents are checked at the same time. Default: the number of cores. */
  threads?: number | undefined;
}

/** Options of a difference. */
export interface CompleteOptions {
  /** Whether a setting that the desired ones omit is to be unset, instead of keeping its stored value. */
  complete?: boolean | undefined;
}

// --- results -----------------------------------------------------------------------------------------------------------------

/** A range of a text, from `start` to `end`. `end` is exclusive. */
export interface Offsets {
  readonly start: number;
  readonly end: number;
}

/** A line and a column, counted from 1. The column counts Unicode code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A range of a text. `start` and `end` are offsets in bytes. */
export interface Span extends Offsets {
  /** The position of `start`; null if the text is not known. */
  readonly from: Position | null;
  /** The position of `end`; null if the text is not known. */
  readonly to: Position | null;
  /** The same offsets in UTF-16 units, as in `text.slice(start, end)`; null if the text is not known. */
  readonly utf16: Offsets | null;
}

/** The input that a position is in. */
export type Origin = "document" | "stored" | "facts" | "text";

/** `reject`: the service rejects the document. `possible`: it may reject it. `advice`: it accepts it, but this is probably a mistake. */
export type Verdict = "reject" | "possible" | "advice";

/** How severe a finding is. */
export type Severity = "error" | "warning" | "info";

/** A reading of the service's description on which a verdict depends. */
export interface AssumedReading {
  readonly name: string;
  /** The values of `[readings]` in `voxlint.toml`; null if the reading is open. */
  readonly set_to: readonly string[] | null;
  /** Where it is set, such as `voxlint.toml:12`. */
  readonly set_in: string | null;
  /** The values under which the service rejects the document. */
  readonly rejects: readonly string[];
}

/** A finding in a document. */
export interface Diagnostic {
  /** The id of the rule, for {@link explain}. */
  readonly rule: string;
  readonly verdict: Verdict;
  readonly severity: Severity;
  /** The HTTP status of the rejection; null for advice, and for documents that are not sent to the service. */
  readonly status: number | null;
  /** Another status that the description allows. */
  readonly other_status?: number;
  /** A JSON Pointer into the effective configuration. */
  readonly field: string;
  /** The input that `span` refers to. */
  readonly in: Origin;
  /** The path of that input; null if its text is not known. */
  readonly path: string | null;
  /** What is wrong. */
  readonly message: string;
  /** How to fix it. */
  readonly help: string | null;
  /** What the service would answer, or what that depends on. */
  readonly note: string | null;
  /** The readings of the description on which the verdict depends. */
  readonly readings?: readonly AssumedReading[];
  readonly span: Span;
  /** Other positions that are involved. */
  readonly related: readonly Related[];
  readonly fixes: readonly Fix[];
  /** The number of the document in its text, from 0, if there are several. */
  readonly record?: number;
  /** The kind of that document, if it is not the kind of the file. */
  readonly kind?: Kind;
  /** The number of findings that this one represents, if there are too many to list. */
  readonly count?: number;
}

/** Another position that a finding refers to. */
export interface Related {
  readonly in: Origin;
  /** The path of its text, if that is not the document. */
  readonly path?: string;
  /** A JSON Pointer into that text. */
  readonly field: string;
  readonly message: string;
  readonly span: Span;
}

/** A change that resolves a finding. */
export interface Fix {
  readonly title: string;
  /** `safe`: the meaning stays the same. `unsafe`: review it before applying it. */
  readonly safety: "safe" | "unsafe";
  readonly in: Origin;
  /** The path of the text that it changes, if that is not the document. */
  readonly path?: string;
  readonly edits: readonly Edit[];
}

/** One replacement of a fix. `start` and `end` are offsets in bytes. */
export interface Edit extends Offsets {
  readonly text: string;
  /** The same offsets in UTF-16 units; null if the text is not known. */
  readonly utf16: Offsets | null;
}

/** A rule that depends on an unknown value. */
export interface Undecided {
  readonly rule: string;
  /** The values that would decide it. */
  readonly missing: readonly string[];
  /** The same in words. */
  readonly why: string;
  /** The open readings of the description that would decide it. */
  readonly readings?: readonly AssumedReading[];
  /** The number of the document in its text, from 0, if there are several. */
  readonly record?: number;
}

/** The program that produced a result. */
export interface Tool {
  readonly name: string;
  readonly version: string;
}

/** The documents of one file or text. */
export interface FileReport {
  readonly path: string;
  readonly kind: Kind;
  readonly diagnostics: readonly Diagnostic[];
  readonly undecided: readonly Undecided[];
}

/** A file that was skipped. */
export interface Skipped {
  readonly path: string;
  readonly why: string;
}

/** What could not be read or checked. */
export interface Failure {
  readonly path: string;
  readonly message: string;
}

/** The counts of a report. */
export interface Summary {
  readonly files: number;
  readonly documents: number;
  readonly skipped: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly undecided: number;
  readonly fixable: number;
  readonly unsafe_fixable: number;
  readonly fixed: number;
  readonly suppressed: number;
  readonly baselined: number;
}

/** The result of a check: what `voxlint check --format json` writes. */
export interface Report {
  readonly schema: 1;
  readonly tool: Tool;
  /** The checked documents: one item for a text. */
  readonly files: readonly FileReport[];
  readonly skipped: readonly Skipped[];
  /** What could not be read or checked. If there are failures, do not treat the input as checked. */
  readonly failures: readonly Failure[];
  readonly summary: Summary;
  /**
   * Whether nothing fails a run of the command line: there is no error, and everything was read. Not enumerable, so that the JSON of a
   * report is that of the command line.
   */
  readonly ok: boolean;
  /** Whether it is {@link ok} without any finding. Not enumerable. */
  readonly clean: boolean;
}

/** A reason for an answer. */
export interface Reason {
  readonly rule: string;
  readonly verdict: Verdict | "undecided";
  readonly field: string | null;
  readonly message: string;
  /** What the rejection depends on; null if it is certain. */
  readonly depends_on: string | null;
  readonly missing: readonly string[];
}

/** An answer that the service may give. */
export interface Answer {
  readonly status: number;
  readonly phrase: string;
  /** Whether the service gives this answer unless another one takes precedence. */
  readonly expected: boolean;
  readonly reasons: readonly Reason[];
  /** The body of the answer; null if it is unknown. */
  readonly body: unknown;
  /** Why the body is unknown. */
  readonly no_body?: string;
  /** `voxlint` if the messages in the body are voxlint's own. */
  readonly words?: string;
}

/** The answers of the service to an update: what `voxlint predict --format json` writes. */
export interface Prediction {
  readonly schema: 1;
  readonly tool: Tool;
  readonly path: string;
  readonly kind: Kind;
  /** The statuses of all answers, in ascending order. */
  readonly statuses: readonly number[];
  /** Whether there is exactly one answer, whatever the unknown values are. */
  readonly certain: boolean;
  /** Statuses that a certain rejection could have instead. */
  readonly other_rejections: readonly number[];
  /** Whether a rejection depends on an unknown value, so that the update may be accepted. */
  readonly may_be_accepted: boolean;
  /** Whether the document cannot be sent, because its YAML or TOML cannot be read: then there are no answers. */
  readonly unsendable: boolean;
  readonly answers: readonly Answer[];
  readonly diagnostics: readonly Diagnostic[];
  readonly undecided: readonly Undecided[];
}

/** What an update does to a setting. */
export type ChangeKind =
  | "publishing"
  | "number-detached"
  | "number-moved"
  | "functions-removed"
  | "analysis-cleared"
  | "destinations-changed"
  | "prompt-emptied"
  | "fallback-switched-off"
  | "fallback-cleared"
  | "switched-off"
  | "set"
  | "changed"
  | "unset"
  | "repeated";

/** A change that an update makes. */
export interface Change {
  readonly field: string;
  readonly kind: ChangeKind;
  /** Whether the change should be reviewed before the update is sent. */
  readonly dangerous: boolean;
  readonly old: string | null;
  readonly new: string | null;
  readonly message: string;
}

/** A stored value that no update can unset. */
export interface CannotUnset {
  readonly field: string;
  readonly value: string;
  readonly message: string;
}

/** The smallest update between two states: what `voxlint diff --format json` writes. Spans refer to `body`. */
export interface Difference {
  readonly schema: 1;
  readonly tool: Tool;
  /**
   * The update as a value; null if there is nothing to send. JavaScript may round its numbers: send `body`. Its secrets are not masked,
   * so the property is not enumerable: neither logs nor the JSON of the difference show it.
   */
  readonly update: object | null;
  /**
   * The text of the update to send; null if there is nothing to send. Numbers keep all their digits. Like `update`, it is not masked and
   * not enumerable.
   */
  readonly body: string | null;
  /** Whether the service would certainly reject the update. */
  readonly rejected: boolean;
  /** The changes that the update makes, riskiest changes first. */
  readonly changes: readonly Change[];
  readonly cannot_unset: readonly CannotUnset[];
  readonly notes: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly undecided: readonly Undecided[];
}

/** What would happen to an agent if its document were sent. */
export type Outcome = "no-change" | "update" | "publish" | "refused" | "depends" | "no-stored-state";

/** A status that the service may answer with. Each reason ends with the id of a rule. */
export interface PlannedStatus {
  readonly status: number;
  readonly phrase: string;
  readonly expected: boolean;
  readonly reasons: readonly string[];
}

/** A change that a planned update makes. */
export interface PlannedChange {
  readonly field: string;
  readonly kind: ChangeKind;
  readonly danger: boolean;
  readonly old: string | null;
  readonly new: string | null;
  readonly message: string;
  /** Whether it overwrites a change made in the service. */
  readonly overwrites: boolean;
  /** Whether it edits a published version. */
  readonly live: boolean;
  /** The documents or stored configurations whose published agents have the phone number. */
  readonly takes_from?: readonly string[];
  /** The whole texts, if they are long. */
  readonly texts?: { readonly old: string; readonly new: string };
}

/** A setting that was changed in the service. */
export interface Drift {
  readonly field: string;
  readonly kind: "service" | "same" | "conflict";
  readonly base: string | null;
  readonly stored: string | null;
  readonly desired: string | null;
  readonly message: string;
  readonly overwritten: boolean;
  readonly published: boolean;
}

/** A finding of a rule across documents. */
export interface FleetFinding extends Diagnostic {
  /** The names of the other documents. */
  readonly others: readonly string[];
}

/** The plan of one document. */
export interface AgentPlan {
  readonly name: string;
  readonly agent_id: string | null;
  readonly version_number: string | null;
  readonly title: string | null;
  readonly outcome: Outcome;
  /** Whether any of the changes is dangerous. */
  readonly danger: boolean;
  readonly statuses: readonly PlannedStatus[];
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly string[];
  readonly drift: readonly Drift[];
  readonly findings: readonly FleetFinding[];
  readonly undecided: readonly Undecided[];
}

/** How many agents have each outcome, and what needs a review. */
export interface PlanSummary {
  readonly agents: number;
  readonly no_change: number;
  readonly update: number;
  readonly publish: number;
  readonly refused: number;
  readonly depends: number;
  readonly no_stored_state: number;
  readonly dangers: number;
  readonly drifted: number;
  readonly conflicts: number;
  readonly undecided: number;
}

/** What would happen if documents were sent now: what `voxlint plan --format json` writes. */
export interface Plan {
  readonly schema: 1;
  readonly tool: Tool;
  readonly summary: PlanSummary;
  /** The names of the agents whose bodies are sent, in the order to send them. */
  readonly order: readonly string[];
  readonly agents: readonly AgentPlan[];
  readonly skipped: readonly Skipped[];
  readonly failures: readonly Failure[];
  /**
   * The bodies to send, by the names of the agents. Numbers keep all their digits, and secrets are not masked. The property is not enumerable,
   * so that logs do not show it.
   */
  readonly bodies: Readonly<Record<string, string>>;
}

// --- one text ----------------------------------------------------------------------------------------------------------------

/**
 * Checks a document.
 *
 * ```js
 * const report = check('{ "version_number": 3, "kb_max_chunks": 12 }');
 * report.files[0].diagnostics[0].message; // "`kb_max_chunks` is 12, over the maximum of 10"
 * ```
 */
export function check(document: DocumentInput, options?: CheckOptions): Report;

/** Like {@link check}, on another thread. */
export function checkAsync(document: DocumentInput, options?: CheckOptions): Promise<Report>;

/**
 * Checks documents on several threads. The reports come in the order of the documents, and only a few documents are read ahead.
 *
 * If reading a document fails, the reports of the earlier documents come before the error.
 */
export function checkMany(
  documents: Iterable<DocumentInput>,
  options?: CheckOptions & ManyOptions,
): Generator<Report, void, undefined>;

/**
 * Like {@link checkMany}, without blocking, also for documents that arrive one by one. At most 16 documents per thread are in memory.
 * The threads of Node.js check them; there are four unless `UV_THREADPOOL_SIZE` sets another number.
 * When a loop ends early, the source is closed. If it has been asked for a document, the loop does not wait for that.
 */
export function checkManyAsync(
  documents: Iterable<DocumentInput | Promise<DocumentInput>> | AsyncIterable<DocumentInput>,
  options?: CheckOptions & ManyOptions,
): AsyncGenerator<Report, void, undefined>;

/** What {@link predict} takes. */
export interface PredictOptions extends TextOptions, ContextOptions {}

/** Predicts the answers of the service to an update. Throws if the document is not exactly one update. */
export function predict(document: DocumentInput, options?: PredictOptions): Prediction;

/** Like {@link predict}, on another thread. */
export function predictAsync(document: DocumentInput, options?: PredictOptions): Promise<Prediction>;

/** Options of {@link diff}. `format` and `path` are those of the desired settings. */
export interface DiffOptions extends TextOptions, CompleteOptions, Omit<ContextOptions, "stored"> {}

/** Returns the smallest update that turns the stored configuration into the desired one. */
export function diff(stored: DocumentInput, desired: DocumentInput, options?: DiffOptions): Difference;

/** Like {@link diff}, on another thread. */
export function diffAsync(stored: DocumentInput, desired: DocumentInput, options?: DiffOptions): Promise<Difference>;

/** A document to plan. */
export interface PlanEntry extends TextOptions, ContextOptions {
  document: DocumentInput;
  /** The name of its plan. */
  path: string;
  /** The stored configuration that the repository last knew. With it, changes made in the service are found. */
  base?: DocumentInput | undefined;
  /** A context with the facts, the configuration and the agent id. `stored` replaces its stored configuration. */
  context?: Context | undefined;
}

/** Plans what would happen if documents were sent now. `stored` of each is the stored configuration in the service. */
export function plan(documents: Iterable<PlanEntry>): Plan;

/** Like {@link plan}, on another thread. */
export function planAsync(documents: Iterable<PlanEntry>): Promise<Plan>;

/** Returns the page of a rule in Markdown. `config` may define house rules. */
export function explain(rule: string, options?: Pick<ContextOptions, "config">): string;

/** Like {@link explain}, on another thread. */
export function explainAsync(rule: string, options?: Pick<ContextOptions, "config">): Promise<string>;

// --- many texts with the same context ----------------------------------------------------------------------------------------

/**
 * The stored configuration, facts and configuration that documents are checked with, parsed once.
 *
 * ```js
 * const context = new Context({ stored, facts, config });
 * const report = context.check(body);
 * ```
 */
export class Context {
  /** Parses the texts. Throws if one of them cannot be used. */
  constructor(options?: ContextOptions);
  /** Like the constructor, but the texts are parsed on another thread. A value is written as JSON before that. */
  static create(options?: ContextOptions): Promise<Context>;
  /** The same context with another stored configuration, or without one. */
  withStored(stored?: DocumentInput | null): Context;
  /** Like {@link withStored}, on another thread. */
  withStoredAsync(stored?: DocumentInput | null): Promise<Context>;
  check(document: DocumentInput, options?: DocumentOptions): Report;
  checkAsync(document: DocumentInput, options?: DocumentOptions): Promise<Report>;
  checkMany(documents: Iterable<DocumentInput>, options?: DocumentOptions & ManyOptions): Generator<Report, void, undefined>;
  checkManyAsync(
    documents: Iterable<DocumentInput | Promise<DocumentInput>> | AsyncIterable<DocumentInput>,
    options?: DocumentOptions & ManyOptions,
  ): AsyncGenerator<Report, void, undefined>;
  predict(document: DocumentInput, options?: TextOptions): Prediction;
  predictAsync(document: DocumentInput, options?: TextOptions): Promise<Prediction>;
  /** Compares the stored configuration of the context with the desired settings. */
  diff(desired: DocumentInput, options?: TextOptions & CompleteOptions): Difference;
  diffAsync(desired: DocumentInput, options?: TextOptions & CompleteOptions): Promise<Difference>;
  explain(rule: string): string;
  explainAsync(rule: string): Promise<string>;
}

// --- files -------------------------------------------------------------------------------------------------------------------

/** A path, or a `URL` of a file. */
export type FilePath = string | { readonly href: string; readonly protocol: string };

/** The files that a project is checked with, instead of those that its `voxlint.toml` names. */
export interface ProjectOptions {
  /** The file with the stored configuration, for one document. */
  stored?: FilePath | undefined;
  /** The file with facts about the workspace. */
  facts?: FilePath | undefined;
  /** The configuration, instead of the nearest `voxlint.toml` of each file. */
  config?: FilePath | undefined;
  /** The id of the agent that documents are for. */
  agentId?: string | undefined;
}

/**
 * The agent documents of a file or folder, with their `voxlint.toml` and related files, like `voxlint check FOLDER`. Paths are relative to
 * the folder. Each call uses the current content of the files.
 */
export class Project {
  /** Reads nothing yet. Throws if there is no such file or folder. */
  constructor(path: FilePath, options?: ProjectOptions);
  /** Checks some files and folders, or all of the project. */
  check(paths?: string | readonly string[] | null): Report;
  checkAsync(paths?: string | readonly string[] | null): Promise<Report>;
  /** Checks a text as if it were saved at a path. */
  checkText(path: string, text: string): Report;
  checkTextAsync(path: string, text: string): Promise<Report>;
  /** Predicts the answers to the update in a file. */
  predict(path: string): Prediction;
  predictAsync(path: string): Promise<Prediction>;
  /** Compares the stored configuration of a file with the settings in it. */
  diff(path: string, options?: CompleteOptions): Difference;
  diffAsync(path: string, options?: CompleteOptions): Promise<Difference>;
  /** Plans the updates of some files and folders, or of all of the project. `base` is a folder or a git commit. */
  plan(paths?: string | readonly string[] | null, options?: { base?: string | undefined }): Plan;
  planAsync(paths?: string | readonly string[] | null, options?: { base?: string | undefined }): Promise<Plan>;
}
