#!/usr/bin/env bash
# Installs the wheel and the npm packages of a folder that scripts/build-release.sh has filled, and checks a document with each:
#
#   scripts/load-release.sh FOLDER
#
# Needs Python and Node.js of the platform that the packages are for.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(cd "$1" && pwd)
python=$(command -v python || command -v python3)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faulty='{ "version_number": 3, "kb_max_chunks": 12 }'

"$python" -m venv "$work/venv"
installed=$work/venv/bin
[ -d "$installed" ] || installed=$work/venv/Scripts
"$installed/python" -m pip install --quiet --no-index --find-links "$out" voxlint
"$installed/python" -c 'import sys, voxlint; assert not voxlint.check(sys.argv[1]).ok' "$faulty"
"$installed/python" -m voxlint --version

# The package that users install depends on no platform. The release builds it last.
packages=("$out"/voxlint-*.tgz)
if ! ls "$out"/voxlint-[0-9]*.tgz > /dev/null 2>&1; then
  VOXLINT_PARTS=npm scripts/build-release.sh --complete "$work/complete"
  packages+=("$work"/complete/voxlint-*.tgz)
fi
mkdir "$work/app"
cd "$work/app"
echo '{ "private": true }' > package.json
npm install --silent --offline --ignore-scripts "${packages[@]}"
node -e 'const assert = require("node:assert"); assert.ok(require("voxlint").check(process.argv[1]).summary.errors > 0)' "$faulty"
npx --offline voxlint --version
