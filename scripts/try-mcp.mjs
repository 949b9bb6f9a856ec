// Calls every tool of `voxlint mcp` with the official JavaScript client. See try-mcp.sh.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [binary, fixtures] = process.argv.slice(2);
const faulty = '{ "version_number": 3, "kb_max_chunks": 12 }';
const names = ["check", "predict", "diff", "plan", "explain", "describe_field"];

const client = new Client({ name: "try-mcp", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: binary, args: ["mcp", fixtures] }));
await client.ping();
const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), names);

// The client compares `structuredContent` with the output schema.
const call = async (name, parameters) => {
  const result = await client.callTool({ name, arguments: parameters });
  assert.equal(result.isError, false, result.content[0].text);
  return result;
};
const found = await call("check", { text: faulty });
assert.equal(found.structuredContent.files[0].diagnostics[0].rule, "out-of-range");
const answer = await call("predict", { text: faulty });
assert.deepEqual(answer.structuredContent.statuses, [400]);
const both = { path: "gate/front-desk.json", stored_path: "gate/stored.json" };
assert.ok((await call("diff", both)).structuredContent.changes.length > 0);
assert.ok((await call("plan", { paths: ["fleet"] })).structuredContent.agents.length > 10);
assert.match((await call("explain", { rule: "unknown-field" })).content[0].text, /^# unknown-field/);
const field = await call("describe_field", { field: "kb_max_chunks" });
assert.equal(field.structuredContent.fields[0].maximum, 10);
const refused = await client.callTool({ name: "check", arguments: { path: "/etc/passwd" } });
assert.equal(refused.isError, true);
assert.match(refused.content[0].text, /outside of the folders/);
await client.close();
console.log(`@modelcontextprotocol/sdk of npm: ${names.length} tools answered`);
