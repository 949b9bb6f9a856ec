// The extension: it starts the server that `voxlint server` is, and passes settings and commands on to it.
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  DidChangeConfigurationNotification,
  LanguageClient,
  RevealOutputChannelOn,
  TransportKind,
  type LanguageClientOptions,
} from "vscode-languageclient/node";
import { execute, registerCommands, Results } from "./commands.js";
import { find, type Missing, type Program, type Surroundings } from "./program.js";
import { DOCUMENTS, serverSettings, type ServerSettings } from "./settings.js";

const SET_PATH = "Set Path";
const HELP = "How to Install";

/** The server that runs at the moment. */
export interface Running {
  readonly client: LanguageClient;
  readonly program: Program;
}

/** Starts and stops the server. Only one start or stop happens at a time. */
export class Voxlint implements vscode.Disposable {
  private running: Running | undefined;
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly output: vscode.LogOutputChannel,
    readonly results: Results,
    private readonly status: vscode.LanguageStatusItem,
  ) {}

  /** The server, or nothing while none runs. */
  get current(): Running | undefined {
    return this.running;
  }

  /** Stops the server, if one runs, and starts one. */
  restart(): Promise<void> {
    this.queue = this.queue.then(async () => {
      await this.stop();
      await this.start();
    });
    return this.queue;
  }

  private async start(): Promise<void> {
    const surroundings = here();
    const found = await find(settings().get("path", ""), surroundings);
    if (found.kind !== "found") {
      this.show(vscode.LanguageStatusSeverity.Error, "voxlint is not running", found.message);
      // The extension goes on without waiting for an answer.
      void this.explain(found);
      return;
    }
    this.output.info(`voxlint ${found.version}: ${found.path}`);
    const run = { command: found.path, args: ["server"], transport: TransportKind.stdio };
    const client: LanguageClient = new LanguageClient("voxlint", "voxlint", { run, debug: run }, {
      ...this.options(),
      middleware: {
        workspace: { configuration: (asked) => asked.items.map(() => own()) },
        executeCommand: (command, args) => execute(client, this.results, command, asArgument(args[0])),
      },
    });
    try {
      await client.start();
      this.running = { client, program: found };
      this.show(vscode.LanguageStatusSeverity.Information, `voxlint ${found.version}`, found.path);
    } catch (error) {
      const message = `\`${found.path} server\` does not start: ${String(error)}`;
      this.show(vscode.LanguageStatusSeverity.Error, "voxlint is not running", message);
      this.output.error(message);
      void client.dispose().catch(() => undefined);
    }
  }

  private async stop(): Promise<void> {
    const client = this.running?.client;
    this.running = undefined;
    // A server that does not answer is killed after a while, and must not prevent a new start.
    await client?.dispose().catch((error: unknown) => {
      this.output.warn(`stop: ${String(error)}`);
    });
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: DOCUMENTS,
      initializationOptions: own(),
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticCollectionName: "voxlint",
    };
  }

  /** Tells the server its settings, after the user has changed them. */
  async sendSettings(): Promise<void> {
    await this.running?.client.sendNotification(DidChangeConfigurationNotification.type, { settings: { voxlint: own() } });
  }

  private show(severity: vscode.LanguageStatusSeverity, text: string, detail: string): void {
    Object.assign(this.status, { severity, text, detail });
  }

  /** Says why there is no server, and offers what can be done. */
  private async explain(missing: Missing): Promise<void> {
    this.output.error(missing.message);
    const chosen = await vscode.window.showErrorMessage(missing.message, SET_PATH, HELP);
    if (chosen === SET_PATH) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "voxlint.path");
    } else if (chosen === HELP) {
      const page = vscode.Uri.joinPath(this.context.extensionUri, "README.md");
      await vscode.commands.executeCommand("markdown.showPreview", page);
    }
  }

  async dispose(): Promise<void> {
    await this.queue;
    await this.stop();
  }
}

/** The argument of a command of the server: an object, or the rule or address itself. */
function asArgument(value: unknown): object {
  if (typeof value === "object" && value !== null) return value;
  return typeof value === "string" ? { rule: value, uri: value } : {};
}

const settings = () => vscode.workspace.getConfiguration("voxlint");
const own = (): ServerSettings => serverSettings((key) => settings().get(key), here());

function here(): Surroundings {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const local = folders.filter((folder) => folder.uri.scheme === "file");
  return {
    platform: process.platform,
    env: process.env,
    home: homedir(),
    folders: local.map((folder) => ({ name: folder.name, path: folder.uri.fsPath })),
  };
}

let voxlint: Voxlint | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("voxlint", { log: true });
  const status = vscode.languages.createLanguageStatusItem("voxlint", DOCUMENTS);
  status.name = "voxlint";
  status.command = { title: "Restart", command: "voxlint.restart" };
  const results = new Results();
  const started = new Voxlint(context, output, results, status);
  voxlint = started;
  context.subscriptions.push(output, results, status, ...registerCommands(started));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      const needsStart = ["voxlint.path", "voxlint.workspaceDiagnostics"].some((key) => event.affectsConfiguration(key));
      if (needsStart) await started.restart();
      else if (event.affectsConfiguration("voxlint")) await started.sendSettings();
    }),
    // Settings of the workspace take effect once it is trusted.
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
  );
  await started.restart();
}

export async function deactivate(): Promise<void> {
  await voxlint?.dispose();
  voxlint = undefined;
}
