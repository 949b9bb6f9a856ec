#!/usr/bin/env bash
# Checks that all sources have the version and address of the release:
#
#   scripts/prepare-release.sh                   with TAG (v1.2.3) and REPOSITORY (its address) of the release, if there are any
#   scripts/prepare-release.sh --notes VERSION   prints the section of the version in CHANGELOG.md
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" = --notes ]; then
  awk -v heading="## $2" '/^## / { inside = ($0 == heading || index($0, heading " ") == 1); next } inside' CHANGELOG.md
  exit 0
fi

problems=0
problem() {
  echo "$*" >&2
  problems=$((problems + 1))
}
declared() { sed -n "s/^$1 = \"\(.*\)\"$/\1/p" "$2" | head -n 1; }
version=$(declared version Cargo.toml)
repository=$(declared repository Cargo.toml)

# Every place that has the version, including the dependencies between the crates of the workspace.
while IFS= read -r line; do
  problem "Cargo.toml: another version than $version: $line"
done < <(grep -E '^voxlint[a-z-]* = .*version = ' Cargo.toml | grep -vF "version = \"$version\"")
for file in bindings/Cargo.toml editors/vscode/package.json; do
  other=
  [ ! -f "$file" ] || other=$(sed -nE 's/^(version = |  "version": )"(.*)",?$/\2/p' "$file" | head -n 1)
  [ -z "$other" ] || [ "$other" = "$version" ] || problem "$file: another version than $version: $other"
done
while IFS= read -r line; do
  problem "packaging/npm/voxlint/package.json: another version than $version: $line"
done < <(grep -E '"(version|@voxlint/[a-z0-9-]+)": ' packaging/npm/voxlint/package.json | grep -vF ": \"$version\"")

if [ -n "${TAG:-}" ]; then
  [ "$TAG" = "v$version" ] || problem "the tag is $TAG, and the version in Cargo.toml is $version"
  [ -n "$("$0" --notes "$version")" ] || problem "CHANGELOG.md: the section \"## $version\" is missing or empty"
  # npm rejects the provenance of a package that names another repository, and crates.io shows it.
  [ "$repository" = "${REPOSITORY:-}" ] || problem "Cargo.toml: \`repository\` is \"$repository\": run scripts/set-repository.sh ${REPOSITORY:-}"
fi
[ "$problems" -eq 0 ] || exit 1
echo "version $version"
[ -z "${GITHUB_OUTPUT:-}" ] || echo "version=$version" >> "$GITHUB_OUTPUT"
