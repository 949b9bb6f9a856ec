// Runs the bundle with a stand-in for VS Code, as far as it goes without a server: what a user sees if there is no program.
// `scripts/try-editors.sh` runs the server in real editors.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import Module from "node:module";
import { resolve } from "node:path";
import { test } from "node:test";

interface Extension {
  activate(context: object): Promise<void>;
  deactivate(): Promise<void>;
}

/** What the extension has done. */
interface Seen {
  messages: { text: string; choices: string[] }[];
  commands: unknown[][];
  registered: Map<string, () => unknown>;
  status: Record<string, unknown>;
  subscriptions: unknown[];
}

const disposable = { dispose: () => undefined };

/** The parts of VS Code that are used before the server starts. Everything else is an empty class. */
function standIn(settings: Record<string, unknown>, choice: string | undefined, seen: Seen): object {
  const events = new EventEmitter();
  const listen = (name: string) => (listener: () => void) => {
    events.on(name, listener);
    return disposable;
  };
  const show = (text: string, ...choices: string[]) => {
    seen.messages.push({ text, choices });
    return Promise.resolve(choices.find((offered) => offered === choice));
  };
  const output = { info: () => undefined, error: () => undefined, warn: () => undefined, show: () => undefined, ...disposable };
  const known: Record<string, unknown> = {
    window: { createOutputChannel: () => output, showErrorMessage: show, showWarningMessage: show },
    languages: { createLanguageStatusItem: () => seen.status },
    workspace: {
      workspaceFolders: [],
      getConfiguration: () => ({ get: (key: string, otherwise: unknown) => settings[key] ?? otherwise }),
      onDidChangeConfiguration: listen("configuration"),
      onDidCloseTextDocument: listen("closed"),
      onDidGrantWorkspaceTrust: listen("trust"),
      registerTextDocumentContentProvider: () => disposable,
    },
    commands: {
      executeCommand: (...parts: unknown[]) => Promise.resolve(seen.commands.push(parts)),
      registerCommand: (id: string, run: () => unknown) => {
        seen.registered.set(id, run);
        return disposable;
      },
    },
    Disposable: { from: () => disposable },
    EventEmitter: class {
      event = () => disposable;
      fire = () => undefined;
      dispose = () => undefined;
    },
    LanguageStatusSeverity: { Information: 0, Warning: 1, Error: 2 },
    Uri: { joinPath: (_: unknown, name: string) => name },
  };
  const classes = new Map<string, object>();
  return new Proxy(known, {
    get: (target, name: string) => {
      if (name in target) return target[name];
      // The library extends classes of VS Code when it is loaded.
      if (!classes.has(name)) classes.set(name, class { name = name; });
      return classes.get(name);
    },
  });
}

async function activate(settings: Record<string, unknown>, choice?: string): Promise<{ seen: Seen; extension: Extension }> {
  const seen: Seen = { messages: [], commands: [], registered: new Map(), status: {}, subscriptions: [] };
  const vscode = standIn(settings, choice, seen);
  const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
  const load = loader._load.bind(Module);
  const bundle = resolve("dist/extension.js");
  const require = createRequire(bundle);
  Reflect.deleteProperty(require.cache, bundle);
  loader._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  try {
    const extension = require(bundle) as Extension;
    await extension.activate({ extensionUri: "", subscriptions: seen.subscriptions });
    // What was chosen in a message is done after `activate`.
    await new Promise(setImmediate);
    return { seen, extension };
  } finally {
    loader._load = load;
  }
}

test("a missing program is named once, with two ways out", async () => {
  const { seen, extension } = await activate({ path: "/nowhere/voxlint" });
  assert.deepEqual(seen.messages, [
    {
      text: "The setting `voxlint.path` is `/nowhere/voxlint`, which is not a program.",
      choices: ["Set Path", "How to Install"],
    },
  ]);
  assert.deepEqual(seen.commands, []);
  assert.deepEqual([seen.status["severity"], seen.status["text"]], [2, "voxlint is not running"]);
  await extension.deactivate();
});

test("the ways out lead to the setting and to the page", async () => {
  const path = "/nowhere/voxlint";
  const { seen: first } = await activate({ path }, "Set Path");
  assert.deepEqual(first.commands, [["workbench.action.openSettings", "voxlint.path"]]);
  const { seen: second } = await activate({ path }, "How to Install");
  assert.deepEqual(second.commands, [["markdown.showPreview", "README.md"]]);
});

test("commands without a server offer to start it", async () => {
  const { seen, extension } = await activate({ path: "/nowhere/voxlint" }, "Restart");
  for (const id of ["voxlint.predictDocument", "voxlint.diffWithStored", "voxlint.explainRule"]) {
    seen.messages.length = 0;
    await seen.registered.get(id)?.();
    assert.deepEqual(seen.messages[0], { text: "voxlint is not running.", choices: ["Restart"] }, id);
    // The restart looks for the program again.
    assert.match(seen.messages[1]?.text ?? "", /which is not a program/, id);
  }
  await extension.deactivate();
});
