// An extension that uses the extension of voxlint as its users do, inside of VS Code. `try-vscode.mjs` installs both. It writes what is seen to
// the file VOXLINT_OUTPUT. The last line is `ok`, or the claim that failed.
const assert = require("node:assert/strict");
const { existsSync, writeFileSync } = require("node:fs");
const vscode = require("vscode");

const PATIENCE = 20_000; // milliseconds; every wait ends much earlier unless something is broken
const lines = [];
const say = (text) => {
  lines.push(text);
  writeFileSync(process.env.VOXLINT_OUTPUT, `${lines.join("\n")}\n`);
};
const run = (command, ...rest) => vscode.commands.executeCommand(command, ...rest);

/** Waits until a claim holds. Its last failure is that of this function. */
async function eventually(claim) {
  for (let end = Date.now() + PATIENCE; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    try {
      return await claim();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

const code = ({ code }) => (typeof code === "object" ? code.value : code);
const findings = ({ uri }) => {
  const own = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "voxlint");
  return own.sort((a, b) => a.range.start.compareTo(b.range.start));
};
const rulesOf = (document) => findings(document).map(code);

async function expectFindings(document, wanted) {
  await eventually(() => assert.deepEqual(rulesOf(document), wanted));
  const name = document.uri.path.split("/").pop();
  for (const found of findings(document)) say(`  ${name}:${found.range.start.line + 1}: [${code(found)}] ${found.message.split("\n")[0]}`);
}

async function open(path) {
  const [folder] = vscode.workspace.workspaceFolders;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, path));
  // Only tabs are checked.
  await vscode.window.showTextDocument(document, { preview: false, viewColumn: vscode.ViewColumn.One });
  return document;
}

const place = (document, text) => {
  const offset = document.getText().indexOf(text);
  assert.notEqual(offset, -1, `the text is missing: ${text}`);
  return document.positionAt(offset + 1);
};

async function tryEverything() {
  say(`VS Code ${vscode.version}, ${vscode.workspace.isTrusted ? "trusted" : "not trusted"}`);
  const document = await open("agents/front-desk.json");
  const prompt = await open("agents/front-desk.prompt.hbs");

  say("diagnostics");
  await expectFindings(document, ["title-too-long-for-our-list", "greeting-without-clinic", "unknown-template-variable"]);
  await expectFindings(prompt, ["template-syntax-error"]);
  if (!vscode.workspace.isTrusted) {
    assert.ok(!existsSync(process.env.VOXLINT_MARKER), "the program of a workspace that is not trusted was run");
    say("the program that the workspace names was not run");
    return;
  }

  say("hover");
  for (const [of, text] of [[document, "title"], [document, "caler_name"], [prompt, "wait_seconds"]]) {
    const hovers = await run("vscode.executeHoverProvider", of.uri, place(of, text));
    const shown = hovers.flatMap(({ contents }) => contents.map((part) => part.value ?? part)).join("\n").trim();
    say(`  ${shown.split("\n")[0]}`);
    assert.ok(shown.includes(text), `the hover does not name ${text}: ${shown}`);
  }

  say('completion after `"kb_m`');
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, place(document, '"x_owner"').translate(0, -1), '"kb_m\n  ');
  assert.ok(await vscode.workspace.applyEdit(edit));
  const cursor = place(document, '"kb_m\n').translate(0, 4);
  const list = await run("vscode.executeCompletionItemProvider", document.uri, cursor);
  const chosen = list.items.find(({ label }) => (label.label ?? label) === "kb_min_score");
  assert.ok(chosen, "`kb_min_score` is not offered");
  const editor = await vscode.window.showTextDocument(document);
  assert.ok(await editor.insertSnippet(new vscode.SnippetString(chosen.insertText.value ?? chosen.insertText), chosen.range.inserting ?? chosen.range));
  const line = document.lineAt(cursor.line);
  say(`  the line is then: ${line.text.trim()}`);
  assert.match(line.text, /^ *"kb_min_score": /);
  await editor.edit((builder) => builder.delete(line.rangeIncludingLineBreak));

  say("code actions at `{{doctor}`, of which the first is applied");
  const from = place(prompt, "{doctor}");
  const actions = await run("vscode.executeCodeActionProvider", prompt.uri, new vscode.Range(from, from.translate(0, 7)));
  for (const { title } of actions) say(`  ${title}`);
  assert.match(actions[0].title, /\{\{doctor\}\}/);
  assert.ok(await vscode.workspace.applyEdit(actions[0].edit));
  await expectFindings(prompt, ["unknown-template-variable"]);

  say("rename of `caler_name` to `caller_name` in the prompt");
  assert.ok(await vscode.workspace.applyEdit(await run("vscode.executeDocumentRenameProvider", prompt.uri, place(prompt, "caler_name"), "caller_name")));
  for (const changed of [document, prompt]) say(`  ${changed.lineAt(place(changed, "{{caller_name}}").line).text.trim()}`);
  await expectFindings(document, ["title-too-long-for-our-list", "greeting-without-clinic"]);
  await expectFindings(prompt, ["unknown-template-variable"]);

  say("definitions of `version_number`");
  const targets = await run("vscode.executeDefinitionProvider", document.uri, place(document, "8,"));
  const paths = targets.map((target) => vscode.workspace.asRelativePath(target.uri ?? target.targetUri));
  for (const path of paths) say(`  ${path}`);
  assert.ok(paths.includes("stored/front-desk.json"));

  say("functions in `desk.md`, whose document is `desk.yaml`");
  const markdown = await open("desk/desk.md");
  const name = place(markdown, "book_slot");
  const [hover] = await eventually(async () => {
    const hovers = await run("vscode.executeHoverProvider", markdown.uri, name);
    assert.ok(hovers.length > 0);
    return hovers;
  });
  for (const shown of hover.contents[0].value.trim().split(/\n+/)) say(`  | ${shown}`);
  const [defined] = await run("vscode.executeDefinitionProvider", markdown.uri, name);
  const yaml = await vscode.workspace.openTextDocument(defined.uri ?? defined.targetUri);
  const entry = (defined.range ?? defined.targetRange).start;
  say(`  definition: ${yaml.lineAt(entry.line).text.trim()}`);
  assert.match(yaml.lineAt(entry.line).text, /displayName: book_slot/);
  const used = await run("vscode.executeReferenceProvider", yaml.uri, entry);
  const shown = used.map(({ uri, range }) => `${uri.path.split("/").pop()}:${range.start.line + 1}`);
  say(`  references: ${shown.join(", ")}`);
  assert.deepEqual(shown.sort(), ["desk.md:3", "desk.md:4", "desk.yaml:4"]);
  const inlays = await run("vscode.executeInlayHintProvider", yaml.uri, new vscode.Range(0, 0, yaml.lineCount, 0));
  say(`  hint: ${inlays.map(({ label }) => label).join(", ")}`);
  assert.deepEqual(inlays.map(({ label }) => label), ["2.8 to 4.0 s"]);
  const end = markdown.lineAt(markdown.lineCount - 1).range.end;
  const typed = new vscode.WorkspaceEdit();
  typed.insert(markdown.uri, end, "Then `bo`.");
  assert.ok(await vscode.workspace.applyEdit(typed));
  const offered = await run("vscode.executeCompletionItemProvider", markdown.uri, end.translate(0, 8));
  const offer = offered.items.find(({ label }) => (label.label ?? label) === "book_slot");
  assert.ok(offer, "`book_slot` is not offered");
  const completed = new vscode.WorkspaceEdit();
  completed.replace(markdown.uri, offer.range.inserting ?? offer.range, offer.insertText);
  assert.ok(await vscode.workspace.applyEdit(completed));
  say(`  completion after "Then \`bo": ${markdown.lineAt(end.line).text}`);
  assert.equal(markdown.lineAt(end.line).text, "Then `book_slot`.");
  assert.ok(await vscode.workspace.applyEdit(await run("vscode.executeDocumentRenameProvider", markdown.uri, name, "reserve_slot")));
  for (const line of markdown.getText().trim().split("\n").slice(2)) say(`  | ${line}`);
  assert.match(yaml.getText(), /displayName: reserve_slot/);
  assert.doesNotMatch(markdown.getText(), /`book_slot/);
  assert.match(markdown.getText(), /If book_slot fails/);

  for (const [command, name] of [["voxlint.predictDocument", "prediction-front-desk.txt"], ["voxlint.explain", "out-of-range.md"]]) {
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await run(command, { rule: "out-of-range" });
    await eventually(() => assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), `voxlint:/${name}`));
    say(`${command}: ${vscode.window.activeTextEditor.document.lineAt(0).text}`);
  }

  say("undecided checks as hints, while the setting is on");
  const hints = () => findings(document).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Hint).length;
  const set = (name, value) => vscode.workspace.getConfiguration("voxlint").update(name, value, vscode.ConfigurationTarget.Global);
  assert.equal(hints(), 0);
  await set("showUndecided", true);
  await eventually(() => assert.notEqual(hints(), 0));
  say(`  ${hints()}`);
  await set("showUndecided", undefined);
  await eventually(() => assert.equal(hints(), 0));

  say("findings in a document that is not open, while the setting is on");
  const closed = { uri: vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "drafts/night.json") };
  assert.deepEqual(rulesOf(closed), []);
  await set("workspaceDiagnostics", true);
  await expectFindings(closed, ["unknown-field"]);
  await set("workspaceDiagnostics", undefined);
  await eventually(() => assert.deepEqual(rulesOf(closed), []));

  say("the same findings after a restart of the server");
  await run("voxlint.restart");
  await expectFindings(document, ["title-too-long-for-our-list", "greeting-without-clinic"]);
}

exports.activate = () => {
  tryEverything().then(
    () => say("ok"),
    (error) => say(`failed: ${error.stack}`),
  );
};
