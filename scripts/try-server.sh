#!/usr/bin/env bash
# Tries `voxlint server` with an independent client library, pytest-lsp.
#
#   scripts/try-server.sh           arguments are passed on to pytest
#
# pip installs pytest-lsp into target/client, which needs its registry. Without Python or pip, everything is skipped, with a message.
# VOXLINT_BINARY is the program (default: target/release/voxlint, which is built).
set -euo pipefail
. "$(dirname "$0")/common.sh"

python=$(command -v python3) || skipped "Python is not installed"
folder=$root/target/client
"$python" -m venv "$folder" 2> /dev/null || skipped "Python cannot make a virtual environment"
"$folder/bin/pip" install --quiet --disable-pip-version-check --requirement crates/server/tests/client/requirements.txt \
  || skipped "pip cannot install pytest-lsp"

binary=$(program)
VOXLINT_BINARY=$binary "$folder/bin/python" -m pytest --quiet -p no:cacheprovider crates/server/tests/client "$@"
