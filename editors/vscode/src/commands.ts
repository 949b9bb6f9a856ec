// The commands: each asks the server for a text and shows it as a document that cannot be edited.
import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";
import type { Voxlint } from "./extension.js";
import { run } from "./program.js";
import { readResult, readRules, type Result } from "./results.js";

/** The scheme of documents that only exist in the editor. */
const SCHEME = "voxlint";

/** Shows results of the server. A later result replaces an earlier one of the same name. */
export class Results implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registrations: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor() {
    const closed = vscode.workspace.onDidCloseTextDocument((document) => {
      if (document.uri.scheme === SCHEME) this.texts.delete(document.uri.path);
    });
    const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
    this.registrations = vscode.Disposable.from(provider, closed, this.changed);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  async show(result: Result): Promise<void> {
    if (result.text !== "") {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${result.name}` });
      this.texts.set(uri.path, result.text);
      this.changed.fire(uri);
      const document = await vscode.workspace.openTextDocument(uri);
      if (document.languageId !== result.language) await vscode.languages.setTextDocumentLanguage(document, result.language);
      await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
    }
    if (result.notes.length > 0) void vscode.window.showInformationMessage(result.notes.join("\n"));
  }

  dispose(): void {
    this.registrations.dispose();
  }
}

/** Runs a command of the server. Its text is shown here, not by the server, so that closing it leaves no file behind. */
export async function execute(client: LanguageClient, results: Results, command: string, argument: object): Promise<void> {
  const parameters = { command, arguments: [{ ...argument, show: false }] };
  try {
    const result = readResult(await client.sendRequest(ExecuteCommandRequest.type, parameters));
    if (result !== undefined) await results.show(result);
  } catch (error) {
    void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
  }
}

export function registerCommands(voxlint: Voxlint): vscode.Disposable[] {
  const withServer = async (action: (client: LanguageClient) => Promise<void>): Promise<void> => {
    const client = voxlint.current?.client;
    if (client !== undefined) return action(client);
    const restart = "Restart";
    const chosen = await vscode.window.showWarningMessage("voxlint is not running.", restart);
    if (chosen === restart) await voxlint.restart();
  };
  const ofDocument = (command: string) => (): Promise<void> =>
    withServer(async (client) => {
      const document = vscode.window.activeTextEditor?.document;
      if (document === undefined) {
        void vscode.window.showWarningMessage("Open a document first.");
        return;
      }
      // The server has the text of the editor, saved or not.
      await execute(client, voxlint.results, command, { uri: client.code2ProtocolConverter.asUri(document.uri) });
    });
  const register = vscode.commands.registerCommand;
  return [
    register("voxlint.restart", () => voxlint.restart()),
    register("voxlint.showOutput", () => {
      voxlint.output.show();
    }),
    register("voxlint.predictDocument", ofDocument("voxlint.predict")),
    register("voxlint.diffWithStored", ofDocument("voxlint.diff")),
    register("voxlint.explainRule", () =>
      withServer(async (client) => {
        const rule = await chooseRule(voxlint);
        if (rule !== undefined) await execute(client, voxlint.results, "voxlint.explain", { rule });
      }),
    ),
  ];
}

/** Lets the user choose a rule. Those with a finding in the line of the cursor are first. */
async function chooseRule(voxlint: Voxlint): Promise<string | undefined> {
  const path = voxlint.current?.program.path;
  const rules = path === undefined ? [] : readRules((await run(path, ["rules", "--format", "json"])).output);
  const here = new Set(findingsHere());
  const items = rules.map(({ id, summary }) => ({ label: id, detail: summary }));
  const isHere = (item: { label: string }): boolean => here.has(item.label);
  const sorted = [...items.filter(isHere), ...items.filter((item) => !isHere(item))];
  const options = { placeHolder: "The rule to explain", matchOnDetail: true };
  return (await vscode.window.showQuickPick(sorted, options))?.label;
}

/** The rules of the findings in the line of the cursor. */
function findingsHere(): string[] {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return [];
  const { line } = editor.selection.active;
  const all = vscode.languages.getDiagnostics(editor.document.uri);
  const own = all.filter(({ range, source }) => source === "voxlint" && range.start.line <= line && line <= range.end.line);
  return own.map(({ code }) => String(typeof code === "object" ? code.value : code));
}
