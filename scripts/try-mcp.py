"""Calls every tool of `voxlint mcp` with the official Python client. See try-mcp.sh."""

import asyncio
import sys

from mcp import Client, StdioServerParameters

BINARY, FIXTURES = sys.argv[1:]
FAULTY = '{ "version_number": 3, "kb_max_chunks": 12 }'
TOOLS = ["check", "predict", "diff", "plan", "explain", "describe_field"]


def text(result):
    """The text of a result, which the assistant reads."""
    (content,) = result.content
    return content.text


async def check_all(client):
    """Calls each tool, and asserts that it answers the question."""
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS, tools
    assert all(tool.annotations.read_only_hint for tool in tools)

    # The client compares `structuredContent` with the output schema.
    async def call(name, **arguments):
        result = await client.call_tool(name, arguments)
        assert not result.is_error, text(result)
        return result

    found = await call("check", text=FAULTY)
    (file,) = found.structured_content["files"]
    assert [it["rule"] for it in file["diagnostics"]] == ["out-of-range"], file
    found = await call("check", path="gate/front-desk.json", stored_path="gate/stored.json")
    (file,) = found.structured_content["files"]
    assert file["path"] == "gate/front-desk.json", file
    assert "fallback-transcriber-same" in [it["rule"] for it in file["diagnostics"]], file
    answer = await call("predict", text=FAULTY)
    assert answer.structured_content["statuses"] == [400], answer
    difference = await call("diff", path="gate/front-desk.json", stored_path="gate/stored.json")
    assert difference.structured_content["changes"], difference
    plan = await call("plan", paths=["fleet"])
    assert len(plan.structured_content["agents"]) > 10, plan
    assert text(await call("explain", rule="unknown-field")).startswith("# unknown-field")
    field = await call("describe_field", field="kb_max_chunks")
    assert field.structured_content["fields"][0]["maximum"] == 10, field

    for path in ["../Cargo.toml", "/etc/passwd", "/etc/no-such-file"]:
        refused = await client.call_tool("check", {"path": path})
        assert refused.is_error and "outside of the folders" in text(refused), refused
    wrong = await client.call_tool("check", {"txt": FAULTY})
    assert wrong.is_error and "`txt` is not an argument" in text(wrong), wrong


async def main():
    for mode in ["auto", "legacy"]:
        server = StdioServerParameters(command=BINARY, args=["mcp", FIXTURES])
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            await check_all(client)
            print(f"mcp of PyPI, {mode}: {len(TOOLS)} tools answered ({client.protocol_version})")


asyncio.run(main())
