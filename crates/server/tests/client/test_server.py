"""The language server, as a real client library sees it: scripts/try-server.sh."""

import asyncio
import json
import os
import pathlib
import subprocess

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

BINARY = os.environ["VOXLINT_BINARY"]

PROJECT = {
    "voxlint.toml": """root = true
facts = "workspace.json"
variables = ["caller_number"]

[[documents]]
files = "agents/"
stored = "../stored/{stem}.json"
text_files = { welcome_message = "{stem}.hbs" }
""",
    "workspace.json": json.dumps({"transcribers": {"tr_a": {}, "tr_b": {}}}),
    "stored/en.json": json.dumps(
        {
            "agent": {
                "id": "ag_1",
                "agent_type": "Single_Prompt_Agent",
                "current_version_number": 3,
                "versions": [{"version_number": 3, "is_published": False}],
            },
            "version": {"version_number": 3, "is_published": False, "title": "Old", "kb_max_chunks": 4},
            "complete": True,
        }
    ),
    "agents/en.json": """{
  "version_number": 3,
  "titel": "Front desk",
  "speech_normalization": "false",
  "kb_max_chunks": 12,
  "prompt_text": "Greet {{name}}. {{#if vip}}Dear {{name}}.{{/if}}",
  "default_dynamic_variables": { "name": "Ann" }
}
""",
    "agents/en.hbs": "Hello {{name}}, this is the front desk.\n",
}


class Project:
    """A client with a project."""

    def __init__(self, client: LanguageClient, folder: pathlib.Path, server: types.InitializeResult):
        self.client, self.folder, self.server = client, folder, server

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def text(self, name: str) -> str:
        return (self.folder / name).read_text()

    def open(self, name: str, text: str | None = None) -> types.TextDocumentIdentifier:
        item = types.TextDocumentItem(
            uri=self.uri(name), language_id="json", version=1, text=self.text(name) if text is None else text
        )
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return types.TextDocumentIdentifier(self.uri(name))

    def change(self, name: str, version: int, start, end, text: str):
        part = types.TextDocumentContentChangePartial(range=types.Range(start, end), text=text)
        document = types.VersionedTextDocumentIdentifier(uri=self.uri(name), version=version)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [part]))

    async def found(self, name: str) -> list[types.Diagnostic]:
        """What is shown in a text: asked for if the server offers that, otherwise waited for."""
        if self.server.capabilities.diagnostic_provider:
            document = types.TextDocumentIdentifier(self.uri(name))
            parameters = types.DocumentDiagnosticParams(text_document=document)
            report = await self.client.text_document_diagnostic_async(parameters)
            return list(report.items)
        # Those of related files may come first.
        while True:
            await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            if self.uri(name) in self.client.diagnostics:
                return list(self.client.diagnostics[self.uri(name)])


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[BINARY, "server", "--stdio"]),
    params=["visual-studio-code", "neovim@v0.10.0", "neovim", "emacs"],
)
async def client(request, lsp_client: LanguageClient, tmp_path: pathlib.Path):
    for name, text in PROJECT.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(*_):
        """Files are not watched: a test says itself what has changed."""

    result = await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=tmp_path.as_uri(), name="project")],
        )
    )
    lsp_client.project = Project(lsp_client, tmp_path, result)
    yield
    await lsp_client.shutdown_session()


def at(text: str, part: str, skip: int = 0) -> types.Position:
    """The position of a part of a text. The texts are ASCII, so the units do not matter."""
    before = text[: text.index(part) + skip]
    return types.Position(line=before.count("\n"), character=len(before) - before.rfind("\n") - 1)


def applied(text: str, edits) -> str:
    lines = text.splitlines(keepends=True)
    offset = lambda position: sum(map(len, lines[: position.line])) + position.character
    for edit in sorted(edits, key=lambda it: offset(it.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def edits_of(edit: types.WorkspaceEdit, uri: str):
    if edit.changes:
        return edit.changes.get(uri, [])
    return [it for file in edit.document_changes if file.text_document.uri == uri for it in file.edits]


async def test_diagnostics(client: LanguageClient):
    project = client.project
    project.open("agents/en.json")
    found = await project.found("agents/en.json")
    assert {"unknown-field", "out-of-range"} <= {it.code for it in found}
    assert all(it.source == "voxlint" for it in found)
    text = project.text("agents/en.json")
    project.change("agents/en.json", 2, at(text, "12"), at(text, "12", 2), "8")
    found = await project.found("agents/en.json")
    assert "out-of-range" not in {it.code for it in found}


async def test_prompt_of_a_document(client: LanguageClient):
    project = client.project
    project.open("agents/en.hbs", "Hello {{name}.")
    found = await project.found("agents/en.hbs")
    assert len(found) == 1 and found[0].severity == types.DiagnosticSeverity.Error


async def test_hover(client: LanguageClient):
    project = client.project
    document = project.open("agents/en.json")
    text = project.text("agents/en.json")
    for part, wanted in [("kb_max_chunks", "kb_max_chunks"), ("{{name", "name")]:
        position = at(text, part, 3)
        hover = await client.text_document_hover_async(types.HoverParams(document, position))
        assert hover and wanted in hover.contents.value, part


async def test_completion(client: LanguageClient):
    project = client.project
    text = '{\n  "version_number": 3,\n  "kb_\n}\n'
    document = project.open("agents/en.json", text)
    position = at(text, '"kb_', 4)
    found = await client.text_document_completion_async(types.CompletionParams(document, position))
    items = found.items if isinstance(found, types.CompletionList) else found
    chosen = next(it for it in items if "kb_max_chunks" in it.label)
    assert "kb_max_chunks" in applied(text, [chosen.text_edit])


async def test_code_action(client: LanguageClient):
    project = client.project
    document = project.open("agents/en.json")
    text = project.text("agents/en.json")
    found = await project.found("agents/en.json")
    wrong = next(it for it in found if it.code == "unknown-field")
    parameters = types.CodeActionParams(document, wrong.range, types.CodeActionContext([wrong]))
    actions = await client.text_document_code_action_async(parameters)
    rename = next(it for it in actions if it.title == "rename to `title`")
    fixed = applied(text, edits_of(rename.edit, document.uri))
    assert fixed == text.replace("titel", "title")
    explain = next(it for it in actions if it.title == "explain `unknown-field`")
    assert "voxlint.explain" in repr(explain)


async def test_fix_all(client: LanguageClient):
    project = client.project
    document = project.open("agents/en.json")
    text = project.text("agents/en.json")
    everything = types.Range(types.Position(0, 0), types.Position(9, 0))
    context = types.CodeActionContext([], only=["source.fixAll"])
    parameters = types.CodeActionParams(document, everything, context)
    [action] = await client.text_document_code_action_async(parameters)
    if not action.edit:
        action = await client.code_action_resolve_async(action)
    fixed = applied(text, edits_of(action.edit, document.uri))
    assert fixed == text.replace('"false"', "false")


async def test_navigation_and_rename(client: LanguageClient):
    project = client.project
    document = project.open("agents/en.json")
    text = project.text("agents/en.json")
    position = at(text, "{{name", 3)
    defined = await client.text_document_definition_async(types.DefinitionParams(document, position))
    defined = defined if isinstance(defined, list) else [defined]
    assert [it.range.start.line for it in defined] == [6]
    context = types.ReferenceContext(include_declaration=True)
    used = await client.text_document_references_async(types.ReferenceParams(context, document, position))
    files = sorted(it.uri.rsplit("/", 1)[1] for it in used)
    assert files == ["en.hbs", "en.json", "en.json", "en.json"]
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, position))
    assert prepared.placeholder == "name"
    edit = await client.text_document_rename_async(types.RenameParams(document, position, "caller"))
    renamed = applied(text, edits_of(edit, document.uri))
    assert renamed == text.replace("{{name}}", "{{caller}}").replace('"name":', '"caller":')
    prompt = project.text("agents/en.hbs")
    assert applied(prompt, edits_of(edit, project.uri("agents/en.hbs"))) == prompt.replace("name", "caller")


async def test_structure(client: LanguageClient):
    project = client.project
    document = project.open("agents/en.json")
    text = project.text("agents/en.json")
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    names = {it.name for it in symbols} | {child.name for it in symbols for child in getattr(it, "children", None) or []}
    assert {"version_number", "prompt_text"} <= names
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert tokens.data and len(tokens.data) % 5 == 0


async def test_links(client: LanguageClient):
    project = client.project
    document = project.open("agents/en.json")
    links = await client.text_document_document_link_async(types.DocumentLinkParams(document))
    assert [it.target for it in links] == [project.uri("stored/en.json"), project.uri("agents/en.hbs")]


@pytest.mark.parametrize(
    "command, wanted",
    [("voxlint.predict", "400"), ("voxlint.diff", "title"), ("voxlint.explain", "# out-of-range")],
)
async def test_commands(client: LanguageClient, command: str, wanted: str):
    project = client.project
    text = '{ "version_number": 3, "title": "New"%s }' % (', "kb_max_chunks": 12' if wanted == "400" else "")
    project.open("agents/en.json", text)
    argument = {"uri": project.uri("agents/en.json"), "rule": "out-of-range"}
    parameters = types.ExecuteCommandParams(command, [argument])
    shown = await client.workspace_execute_command_async(parameters)
    text = shown["text"] if isinstance(shown, dict) else shown.text
    assert wanted in text
    assert client.shown_documents or client.messages


async def test_unsaved_configuration(client: LanguageClient):
    project = client.project
    project.open("agents/en.json", '{ "version_number": 3, "kb_max_chunks": 12 }')
    assert [it.code for it in await project.found("agents/en.json")] == ["out-of-range"]
    project.open("voxlint.toml", project.text("voxlint.toml") + "\n[rules]\nout-of-range = 'off'\n")
    for _ in range(100):
        await asyncio.sleep(0.05)
        if project.server.capabilities.diagnostic_provider:
            found = await project.found("agents/en.json")
        else:
            found = client.diagnostics[project.uri("agents/en.json")]
        if not found:
            break
    assert not found


def frame(message) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def test_messages_that_are_none():
    """Bad JSON is answered, and the server goes on."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    stop = {"jsonrpc": "2.0", "id": "two", "method": "shutdown"}
    odd = [b"{", b"", b"[]", b"\xff\xfe", b'{"id": 1.5, "method": 7}', b"[" * 5000]
    end = [request, *odd, stop, {"jsonrpc": "2.0", "method": "exit"}]
    sent = b"what is this?\r\n\r\n" + b"".join(map(frame, end))
    ran = subprocess.run([BINARY, "server"], input=sent, capture_output=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    answers = [json.loads(part[part.index(b"{") :]) for part in ran.stdout.split(b"Content-Length: ")[1:]]
    assert sum("error" in it for it in answers) == len(odd)
    assert [it["id"] for it in answers if "result" in it] == [1, "two"]


@pytest.mark.parametrize("sent, code", [(b"", 1), (frame({"jsonrpc": "2.0", "method": "exit"}), 1)])
def test_exit_code(sent: bytes, code: int):
    ran = subprocess.run([BINARY, "server"], input=sent, capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout) == (code, b"")
