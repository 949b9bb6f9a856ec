#!/usr/bin/env bash
# Runs `voxlint mcp` through the official clients of the Model Context Protocol: the package `mcp` of PyPI, in its newest way and with a
# handshake, and `@modelcontextprotocol/sdk` of npm. Each lists the tools, calls each of them, and asks for a file outside its folders.
#
#   scripts/try-mcp.sh
#
# pip and npm install the clients into target/mcp, which needs their registries. A client that cannot be installed is skipped, with a
# message. VOXLINT_BINARY is the program (default: target/release/voxlint, which is built).
set -euo pipefail
. "$(dirname "$0")/common.sh"

binary=$(program)

folder=$root/target/mcp
mkdir -p "$folder"

try_python() {
  command -v python3 > /dev/null || { echo "skipped: python3 is not installed"; return; }
  if ! [ -x "$folder/venv/bin/python" ]; then
    python3 -m venv "$folder/venv" || { echo "skipped: python3 cannot create an environment"; return; }
  fi
  "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check mcp==2.3.0 \
    || { echo "skipped: pip cannot install mcp"; return; }
  "$folder/venv/bin/python" scripts/try-mcp.py "$binary" "$root/fixtures"
}

try_node() {
  command -v npm > /dev/null || { echo "skipped: npm is not installed"; return; }
  echo '{ "private": true }' > "$folder/package.json"
  npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent @modelcontextprotocol/sdk@1.32.2 \
    || { echo "skipped: npm cannot install @modelcontextprotocol/sdk"; return; }
  cp scripts/try-mcp.mjs "$folder/"
  node "$folder/try-mcp.mjs" "$binary" "$root/fixtures"
}

try_python
try_node
