#!/usr/bin/env bash
# Tests the module for Node.js as users install it. Builds the module and the npm packages, installs them into an empty folder without a
# network, and runs the tests there. They use CommonJS, ESM and `tsc --strict`, compare every fixture with the command line, and run the
# examples of docs/node.md.
#
#   scripts/try-node.sh           arguments are passed on to `node --test`
#
# npm installs TypeScript into target/node, which needs its registry. Without TypeScript, the test of the types is skipped, with a message.
# VOXLINT_BINARY is the program (default: target/release/voxlint, which is built). VOXLINT_MODULE is the module (default: it is built from
# bindings/node).
set -euo pipefail
. "$(dirname "$0")/common.sh"

command -v node > /dev/null && command -v npm > /dev/null || skipped "Node.js and npm are not installed"
machine=$(node -p '`${process.platform}-${process.arch}`')
[ "${machine#linux-}" != "$machine" ] || skipped "the packages are only tried on Linux"
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 20')" = true ] || skipped "the tests need Node.js 20 or later"
export npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false

binary=$(program)
module=${VOXLINT_MODULE:-}
unset VOXLINT_MODULE
if [ -z "$module" ]; then
  # Both are built together, so that their shared dependencies are built once.
  export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
  cargo build --release --locked --quiet --manifest-path bindings/Cargo.toml --package voxlint-node
  module=$CARGO_TARGET_DIR/release/libvoxlint_node.so
fi

folder=$root/target/node
rm -rf "$folder/app" "$folder/npm" "$folder/tarballs"
mkdir -p "$folder/app" "$folder/tarballs"
libc=$(node -p 'process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl"')
node packaging/npm/assemble.mjs "$folder/npm" "$machine-$libc=$binary,$(realpath "$module")"
npm pack --silent --pack-destination "$folder/tarballs" "$folder/npm/voxlint" "$folder/npm/$machine-$libc" > "$folder/packed"

alone=()
if unshare -rn true 2> "$folder/unshare"; then alone=(unshare -rn); else echo "not tried: unshare cannot disable the network"; fi
cd "$folder/app"
echo '{ "private": true, "type": "module" }' > package.json
"${alone[@]}" npm install --offline --ignore-scripts --silent "$folder"/tarballs/*.tgz
[ "$(npx --offline voxlint --version)" = "$("$binary" --version)" ] || { echo "failed: npx runs another program" >&2; exit 1; }

cp "$root"/bindings/node/test/* .
status=0
VOXLINT_BINARY=$binary VOXLINT_FIXTURES=$root/fixtures VOXLINT_GUIDE=$root/docs/node.md node --test "$@" *.test.*js || status=$?

mkdir -p "$folder/types"
echo '{ "private": true }' > "$folder/types/package.json"
if npm install --prefix "$folder/types" --ignore-scripts --silent typescript@6.0.3; then
  "$folder/types/node_modules/.bin/tsc" --project tsconfig.json || status=1
  [ "$status" -ne 0 ] || echo "ok: the types, with tsc --strict"
else
  echo "skipped: npm cannot install TypeScript, so the types are not tried"
fi
exit "$status"
