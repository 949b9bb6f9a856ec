#!/usr/bin/env bash
# Builds the program from the sources of the action into FOLDER/bin.
set -euo pipefail
# Build in the folder of the action, because a toolchain file in the checkout would select another Rust version.
cd "$GITHUB_ACTION_PATH"
if ! command -v cargo > /dev/null; then
  echo "::error::there is no released program for this revision of voxlint, and building it needs Rust: install Rust, or use the tag of a release"
  exit 2
fi
CARGO_TARGET_DIR=$RUNNER_TEMP/voxlint-build cargo install --locked --path . --root "$FOLDER"
