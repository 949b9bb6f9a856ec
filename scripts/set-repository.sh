#!/usr/bin/env bash
# Sets the address of the repository: `scripts/set-repository.sh https://github.com/OWNER/voxlint`.
#
# The address is only in Cargo.toml. The crates inherit it, and builds of wheels, npm packages and Debian packages read it from there.
# The script also replaces OWNER in the pages and examples. Run it once, and commit the result; a second run changes the address.
set -euo pipefail
cd "$(dirname "$0")/.."
address=${1:-}
if ! [[ $address =~ ^https://[A-Za-z0-9.-]+/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] || [[ $address == *.git ]]; then
  echo "expected an address such as https://github.com/OWNER/voxlint, without .git" >&2
  exit 2
fi
before=$(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml)
python3 - "$address" "${before:-https://github.com/OWNER/voxlint}" << 'SCRIPT'
import pathlib, re, sys

address, before = sys.argv[1:]
path = lambda url: url.split("/", 3)[3]


def rewrite(file, change):
    text = file.read_text(encoding="utf-8")
    changed = change(text)
    if changed != text:
        file.write_text(changed, encoding="utf-8")


def set_address(manifest):
    manifest = re.sub(r'^# `repository` is missing.*\n(?:#.*\n)*', "", manifest, flags=re.MULTILINE)
    manifest = re.sub(r'^repository = ".*"\n', "", manifest, flags=re.MULTILINE)
    return re.sub(r'^(license = ".*"\n)', rf'\1repository = "{address}"\n', manifest, count=1, flags=re.MULTILINE)


def inherit(manifest):
    if "publish = false" in manifest or "repository.workspace" in manifest:
        return manifest
    return re.sub(r"^(license\.workspace = true\n)", r"\1repository.workspace = true\n", manifest, count=1, flags=re.MULTILINE)


def pages(text):
    text = text.replace(before, address)
    # Workflows name an action by the path of its repository.
    return re.sub(rf"(?<![\w./-]){re.escape(path(before))}(?![\w./-])", path(address), text)


rewrite(pathlib.Path("Cargo.toml"), set_address)
for manifest in [pathlib.Path("Cargo.toml"), *pathlib.Path("crates").glob("*/Cargo.toml")]:
    rewrite(manifest, inherit)
for page in [pathlib.Path("README.md"), *pathlib.Path("docs").glob("*.md"), *pathlib.Path("examples/publish").iterdir()]:
    rewrite(page, pages)
SCRIPT
cargo metadata --no-deps --format-version 1 --offline > /dev/null
git diff --stat
