#!/usr/bin/env bash
# Tests the packages of voxlint in empty environments: the hook, the wheel, the npm packages and the action.
#
#   scripts/try-packages.sh           with an existing build, in less than a minute
#   scripts/try-packages.sh --full    also builds as users do: `language: rust`, `cargo install`, a source distribution
#
# pip installs maturin and pre-commit into a temporary folder, unless VOXLINT_TOOLS names a virtual environment that has them. Tests
# whose tools are not available are skipped, with a message. Tests run without a network if `unshare` allows it. VOXLINT_BINARY is the program
# (default: target/release/voxlint, which is built).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
full=${1:-}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false
export PRE_COMMIT_HOME=$folder/pre-commit CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=voxlint GIT_AUTHOR_EMAIL=voxlint@example.com
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
# The environment of this run must not affect the hook and the action.
unset GITHUB_ACTIONS GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

alone=()
if unshare -rn true 2> "$folder/unshare"; then
  alone=(unshare -rn)
else
  echo "skipped: unshare cannot disable the network"
fi

ok() { echo "ok: $*"; }
skipped() { echo "skipped: $*"; }
fail() {
  echo "failed: $*" >&2
  sed 's/^/  | /' "$folder/output" >&2
  exit 1
}
# expect CODE WHAT COMMAND...: the command must exit with CODE. Its output is in $folder/output.
expect() {
  local wanted=$1 what=$2 status=0
  shift 2
  "$@" > "$folder/output" 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] || fail "$what: exit code $status, expected $wanted"
}
says() { grep -qF -- "$1" "$folder/output" || fail "missing in the output: $1"; }
is_silent_about() { ! grep -qF -- "$1" "$folder/output" || fail "unexpected in the output: $1"; }

binary=${VOXLINT_BINARY:-}
unset VOXLINT_BINARY
if [ -z "$binary" ]; then
  cargo build --release --locked --quiet --bin voxlint
  binary=$CARGO_TARGET_DIR/release/voxlint
fi
binary=$(realpath "$binary")
mkdir "$folder/bin"
ln -s "$binary" "$folder/bin/voxlint"
version=$("$binary" --version)
good='{ "version_number": 3, "kb_max_chunks": 3 }'
bad='{ "version_number": 3, "kb_max_chunks": 12 }'

mkdir "$folder/documents"
echo "$good" > "$folder/documents/good.json"
echo "$bad" > "$folder/documents/bad.json"
# works NAME COMMAND...: the command runs voxlint and passes its exit codes on.
works() {
  local name=$1
  shift
  cd "$folder/documents"
  expect 0 "$name" "${alone[@]}" "$@" --version
  says "$version"
  expect 0 "$name" "${alone[@]}" "$@" check good.json
  expect 1 "$name" "${alone[@]}" "$@" check bad.json
  says "out-of-range"
  expect 2 "$name" "${alone[@]}" "$@" check gone.json
  cd "$root"
}

# --- the tools ---------------------------------------------------------------------------------------------------------------
tools=${VOXLINT_TOOLS:-$folder/tools}
if [ ! -x "$tools/bin/pip" ]; then
  python3 -m venv "$tools" > "$folder/output" 2>&1 && "$tools/bin/pip" install -q maturin pre-commit > "$folder/output" 2>&1 || true
fi

# --- the wheel ---------------------------------------------------------------------------------------------------------------
if [ -x "$tools/bin/maturin" ]; then
  PATH=$tools/bin:$PATH
  # maturin needs the crates of every platform, and a build fetches only those of its own.
  expect 0 "the crates are fetched" cargo fetch --locked --quiet --manifest-path bindings/Cargo.toml
  expect 0 "the wheel is built" env CARGO_NET_OFFLINE=true VOXLINT_PROGRAM="$(realpath "$binary")" \
    "$tools/bin/pip" wheel --no-deps --no-build-isolation --wheel-dir "$folder/wheels" .
  wheel=("$folder"/wheels/voxlint-*-abi3-*.whl)
  expect 0 "the wheel is listed" python3 -m zipfile -l "${wheel[0]}"
  for name in LICENSE-APACHE LICENSE-MIT scripts/voxlint voxlint/_native.abi3.so voxlint/py.typed; do says "$name"; done
  unzipped=$(python3 -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.read(next(n for n in z.namelist() if n.endswith("/METADATA"))).decode())' "${wheel[0]}")
  echo "$unzipped" > "$folder/output"
  says "Version: ${version#voxlint }"
  says "# voxlint"
  python3 -m venv "$folder/empty"
  expect 0 "the wheel is installed" "${alone[@]}" "$folder/empty/bin/pip" install --no-index --find-links "$folder/wheels" voxlint
  works "the wheel" "$folder/empty/bin/voxlint"
  works "python -m voxlint" "$folder/empty/bin/python" -m voxlint
  expect 0 "import voxlint" "${alone[@]}" "$folder/empty/bin/python" -c "import voxlint; assert voxlint.check('$good').ok and not voxlint.check('$bad').ok"
  ok "the wheel, in an empty environment ($(basename "${wheel[0]}"), $(du -k "${wheel[0]}" | cut -f1) KiB)"
  if [ "$full" = --full ]; then
    expect 0 "build is installed" "$tools/bin/pip" install -q build
    expect 0 "the source distribution is made" "$tools/bin/python" -m build --sdist --no-isolation --outdir "$folder/sdist" .
    python3 -m venv "$folder/sources"
    expect 0 "maturin is installed" "$folder/sources/bin/pip" install -q maturin
    expect 0 "the source distribution is installed" env PATH="$folder/sources/bin:$PATH" \
      "$folder/sources/bin/pip" install --no-index --no-build-isolation "$folder"/sdist/voxlint-*.tar.gz
    works "the source distribution" "$folder/sources/bin/voxlint"
    expect 0 "import voxlint" "$folder/sources/bin/python" -c "import voxlint; assert voxlint.check('$good').ok"
    ok "the source distribution"
  fi
else
  skipped "the wheel: pip cannot fetch maturin"
fi

# --- the npm packages --------------------------------------------------------------------------------------------------------
# shellcheck disable=SC2016 # is JavaScript
machine=$(node -p '`${process.platform}-${process.arch}`' 2> "$folder/output" || true)
if [ "${machine#linux-}" != "$machine" ]; then
  libc=$(node -p 'process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl"')
  expect 0 "the packages are put together" node packaging/npm/assemble.mjs "$folder/npm" "$machine-$libc=$binary"
  mkdir "$folder/tarballs" "$folder/app"
  expect 0 "the packages are packed" npm pack --silent --pack-destination "$folder/tarballs" "$folder/npm/voxlint" "$folder/npm/$machine-$libc"
  cd "$folder/app"
  echo '{ "private": true }' > package.json
  expect 0 "the packages are installed" "${alone[@]}" npm install --offline --ignore-scripts "$folder"/tarballs/voxlint-linux-*.tgz \
    "$folder/tarballs/voxlint-${version#voxlint }.tgz"
  cp "$folder"/documents/* .
  for trial in "0 good.json" "1 bad.json" "2 gone.json"; do
    expect "${trial% *}" "npx voxlint check ${trial#* }" "${alone[@]}" npx --offline voxlint check "${trial#* }"
  done
  works "the npm package" "$folder/app/node_modules/.bin/voxlint"
  cd "$folder/app"
  expect 0 "VOXLINT_BINARY" env VOXLINT_BINARY=/bin/echo node_modules/.bin/voxlint hello
  says hello
  expect 2 "a missing program" env VOXLINT_BINARY=/nowhere node_modules/.bin/voxlint check
  says "/nowhere cannot be started"
  # The program waits for input until the signal, and the shim ends with the same signal: 128 + 15.
  mkfifo pipe
  sleep 60 > pipe &
  holder=$!
  node_modules/.bin/voxlint check - < pipe &
  shim=$!
  sleep 1
  kill -TERM "$shim"
  status=0
  wait "$shim" || status=$?
  kill "$holder"
  wait "$holder" || true
  [ "$status" -eq 143 ] || fail "a signal ends the npm package with $status"
  rm -r node_modules/@voxlint
  expect 2 "without the package of the platform" node_modules/.bin/voxlint check
  says "@voxlint/$machine-$libc is not installed"
  cd "$root"
  ok "the npm packages, through npx"
else
  skipped "the npm packages: needs Node.js and Linux"
fi

# --- the hook ----------------------------------------------------------------------------------------------------------------
if [ -x "$tools/bin/pre-commit" ]; then
  expect 0 "the manifest" "$tools/bin/pre-commit" validate-manifest .pre-commit-hooks.yaml
  # The same hooks without the build, because `try-repo` does not keep builds.
  hooks=$folder/hooks
  git init -q "$hooks"
  sed 's/^  language: rust$/  language: system/' .pre-commit-hooks.yaml > "$hooks/.pre-commit-hooks.yaml"
  git -C "$hooks" add -A
  git -C "$hooks" commit -qm hooks
  PATH=$folder/bin:$PATH
  team=$folder/team
  git init -q "$team"
  cd "$team"
  mkdir -p agents stored .github/workflows
  # try CODE WHAT HOOK [FILE...]: runs a hook on the files (default: all).
  try() {
    local status=$1 what=$2 hook=$3
    shift 3
    git add -A
    local files=(--all-files)
    [ $# -eq 0 ] || files=(--files "$@")
    expect "$status" "$what" "$tools/bin/pre-commit" try-repo "$hooks" "$hook" --verbose "${files[@]}"
  }

  echo '{ "name": "shop", "version": "1.0.0", "description": "a shop" }' > package.json
  printf 'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n' > .github/workflows/ci.yml
  printf '[package]\nname = "shop"\nversion = "1.0.0"\n' > Cargo.toml
  printf '// for editors\n{ "compilerOptions": { "strict": true, }, }\n' > tsconfig.json
  echo "$good" > agents/good.json
  try 0 "good and unrelated files" voxlint
  try 0 "good and unrelated files, as a whole" voxlint-all
  for name in a.json b.JSON c.jsonc d.ndjson e.jsonl; do echo "$bad" > "agents/$name"; done
  for name in f.yaml g.yml; do printf 'version_number: 3\nkb_max_chunks: 12\n' > "agents/$name"; done
  printf 'version_number = 3\nkb_max_chunks = 12\n' > agents/h.toml
  for name in i.hbs j.handlebars; do printf 'Hello {{name}.\n' > "agents/$name"; done
  try 1 "bad files" voxlint
  for name in a.json b.JSON c.jsonc d.ndjson e.jsonl f.yaml g.yml h.toml i.hbs j.handlebars; do says "agents/$name:"; done
  for name in good.json package.json ci.yml Cargo.toml tsconfig.json; do is_silent_about "$name:"; done
  try 0 "unrelated files alone" voxlint package.json Cargo.toml tsconfig.json .github/workflows/ci.yml
  try 1 "bad files, as a whole" voxlint-all
  rm agents/*
  ok "the hook with good, bad and unrelated files"

  fixable='{ "version_number": 3, "kb_max_chunks": "3" }'
  echo "$fixable" > agents/fixable.json
  echo "$bad" > agents/bad.json
  # pre-commit fails if a hook has changed a file.
  try 1 "a file that can be fixed" voxlint-fix agents/fixable.json
  says "files were modified by this hook"
  says "fixed 1 finding in 1 file"
  [ "$(cat agents/fixable.json)" = "$good" ] || fail "agents/fixable.json was not fixed"
  try 0 "a file that has been fixed" voxlint-fix agents/fixable.json
  is_silent_about "files were modified by this hook"
  echo "$fixable" > agents/other.json
  try 1 "a file that cannot be fixed" voxlint-fix agents/bad.json
  says "agents/bad.json:"
  says "out-of-range"
  is_silent_about "files were modified by this hook"
  [ "$(cat agents/bad.json)" = "$bad" ] || fail "agents/bad.json was changed"
  [ "$(cat agents/other.json)" = "$fixable" ] || fail "agents/other.json was fixed, although it was not named"
  try 0 "unrelated files alone" voxlint-fix package.json Cargo.toml tsconfig.json .github/workflows/ci.yml
  is_silent_about "files were modified by this hook"
  rm agents/*
  ok "the hook that fixes files"

  printf 'exclude = ["attic/"]\n[[documents]]\nfiles = "agents/"\nstored = "../stored/{stem}.json"\ntext_files = { prompt_text = "{stem}.prompt.hbs" }\n' > voxlint.toml
  printf '[[suppressions]]\nfiles = "agents/*.json"\nrules = "out-of-range"\nreason = "raised for us"\n' >> voxlint.toml
  mkdir attic
  echo "$bad" > attic/old.json
  echo "$bad" > agents/en.json
  echo '{ "version_number": 3, "agent_id": "7c1", "kb_max_chunks": 3, "created_at": "2026-01-01T00:00:00Z" }' > stored/en.json
  printf 'Hello {{name}.\n' > agents/en.prompt.hbs
  try 1 "a text that belongs to a document" voxlint agents/en.prompt.hbs
  says "template-syntax-error"
  echo 'Hello.' > agents/en.prompt.hbs
  try 0 "related files" voxlint
  try 0 "an excluded file" voxlint attic/old.json
  echo "$good" > agents/en.json
  try 0 "a suppression that other files may need" voxlint agents/en.json
  is_silent_about "unused-suppression"
  try 0 "an unused suppression" voxlint-all
  says "unused-suppression"
  rm -r agents/* attic stored voxlint.toml
  ok "the hook with a configuration and related files"

  # As in docs/ci.md: a plain `pre-commit install` does not install hooks for pushes.
  git init -q --bare "$folder/remote"
  git init -q "$folder/pushing"
  cd "$folder/pushing"
  git remote add origin "$folder/remote"
  {
    printf 'repos:\n  - repo: %s\n    rev: %s\n    hooks:\n' "$hooks" "$(git -C "$hooks" rev-parse HEAD)"
    printf '      - id: voxlint\n      - id: voxlint-all\n        stages: [pre-push]\n'
  } > .pre-commit-config.yaml
  echo "$bad" > bad.json
  git add -A
  git commit -qm first
  expect 0 "pre-commit install" "$tools/bin/pre-commit" install
  expect 0 "a push without the hook for pushes" git push -q origin HEAD:first
  expect 0 "pre-commit install for pushes" "$tools/bin/pre-commit" install --hook-type pre-push
  # pre-commit runs no hook for commits that the remote has.
  git commit -qm second --allow-empty --no-verify
  expect 1 "a push with a bad document" git push -q origin HEAD:second
  says "out-of-range"
  echo "$bad" > new.json
  git add -A
  expect 1 "a commit with a bad document" git commit -qm third
  says "new.json:1:"
  cd "$team"
  ok "the hooks as they are installed, for commits and pushes"

  # More names than fit on one command line.
  long=agents/$(printf 'a%.0s' {1..200})
  mkdir -p "$long"
  for number in $(seq 2000); do
    echo "$good" > "$long/$number-of-the-documents-of-a-team.json"
    [ "$((number % 100))" -ne 0 ] || echo "$bad" > "$long/$number-of-the-documents-of-a-team.json"
  done
  # Runs the hook on them.
  many() {
    try 1 "2,000 files" voxlint
    for name in package.json ci.yml Cargo.toml tsconfig.json; do is_silent_about "$name:"; done
    count=$(grep -c "error\[out-of-range\]" "$folder/output" || true)
    runs=$(grep -c "^[0-9]* errors\? in" "$folder/output" || true)
    [ "$count" -eq 20 ] || fail "found $count bad files of 20"
    [ "$runs" -gt 1 ] || fail "the list of 2,000 files was not split"
  }
  many
  ok "the hook with 2,000 files, in $runs runs"
  if [ "$full" = --full ]; then
    hooks=$root
    PATH=${PATH#"$folder/bin:"}
    many
    ok "the hook with 2,000 files, built from this repository"
  fi
  cd "$root"
else
  skipped "the hook: pip cannot fetch pre-commit"
fi

# --- other hook managers: the configurations of docs/ci.md -------------------------------------------------------------------
managers=$folder/managers
mkdir "$managers"
if command -v npm > "$folder/output" && npm install --prefix "$managers" --silent --ignore-scripts lint-staged@16 lefthook@2 > "$folder/output" 2>&1; then
  # fenced LANGUAGE TEXT: the block of docs/ci.md that contains the text.
  fenced() { awk -v fence="\`\`\`$1" -v text="$2" '$0 == fence { block = ""; open = 1; next } /^```$/ { if (open && index(block, text)) printf "%s", block; open = 0 } open { block = block $0 "\n" }' docs/ci.md; }
  fenced yaml "lefthook.yml" > "$managers/lefthook.yml"
  fenced json "lint-staged" > "$managers/package.json"
  for manager in lefthook lint-staged; do
    rm -rf "$folder/staged"
    git init -q "$folder/staged"
    cd "$folder/staged"
    cp "$managers/lefthook.yml" "$managers/package.json" .
    mkdir agents
    echo "$good" > agents/good.json
    # The documents are found among the staged files.
    case $manager in
      lefthook) run=("$managers/node_modules/.bin/lefthook" run pre-commit --colors off) ;;
      lint-staged) run=("$managers/node_modules/.bin/lint-staged") ;;
    esac
    git add -A
    PATH=$folder/bin:$PATH expect 0 "$manager with a good document" "${run[@]}"
    git -c core.hooksPath=/dev/null commit -qm first
    echo "$bad" > "agents/a bad one.json"
    git add -A
    PATH=$folder/bin:$PATH expect 1 "$manager with a bad document" "${run[@]}"
    says "agents/a bad one.json:1:"
    says "out-of-range"
    git rm -qf "agents/a bad one.json"
    echo '{ "name": "shop" }' > package-lock.json
    git add -A
    PATH=$folder/bin:$PATH expect 0 "$manager with unrelated files" "${run[@]}"
    if [ "$manager" = lefthook ]; then
      echo "$bad" > agents/unstaged.json
      PATH=$folder/bin:$PATH expect 1 "lefthook before a push" "$managers/node_modules/.bin/lefthook" run pre-push --colors off
      says "agents/unstaged.json:1:"
    fi
    cd "$root"
    ok "$manager"
  done
else
  skipped "lefthook and lint-staged: npm cannot install them"
fi

# --- the action: its scripts, as a runner would run them -------------------------------------------------------------------------
action=$folder/action
mkdir -p "$action/temp" "$action/bin" "$action/release" "$action/voxlint-1.2.3"
target=$(rustc -vV | sed -n 's/^host: //p')
case $target in
  x86_64-unknown-linux-gnu) processor=X64 ;;
  aarch64-unknown-linux-gnu) processor=ARM64 ;;
  *) processor= ;;
esac
# A release of version 1.2.3, and a `curl` that copies its files.
commit=0123456789012345678901234567890123456789
other=9876543210987654321098765432109876543210
mkdir "$action/voxlint-1.2.3-$target"
cp "$binary" "$action/voxlint-1.2.3-$target/voxlint"
tar -czf "$action/release/voxlint-1.2.3-$target.tar.gz" -C "$action" "voxlint-1.2.3-$target"
echo "$commit" > "$action/release/COMMIT"
(cd "$action/release" && sha256sum -- * > "$action/sums" && mv "$action/sums" SHA256SUMS)
cat > "$action/bin/curl" << 'SCRIPT'
#!/usr/bin/env bash
for argument; do
  [ "${before:-}" != --output ] || to=$argument
  before=$argument
done
case $argument in
  https://github.example/team/voxlint/releases/download/v1.2.3/*) cp "$RELEASE/${argument##*/}" "$to" 2> /dev/null || exit 22 ;;
  *) exit 22 ;;
esac
SCRIPT
chmod +x "$action/bin/curl"
# The sources of the action, as a runner has them: at version 1.2.3.
mkdir "$action/sources"
cp -r --parents Cargo.lock crates/schema packaging/action "$action/sources"
sed '0,/^version = ".*"$/s//version = "1.2.3"/' Cargo.toml > "$action/sources/Cargo.toml"

# find_program VERSION REF [NAME=VALUE...]: the first step of the action.
find_program() {
  rm -rf "$action/temp/voxlint" "$action/outputs"
  env PATH="$action/bin:$PATH" RELEASE="$action/release" RUNNER_TEMP="$action/temp" RUNNER_OS=Linux RUNNER_ARCH="$processor" \
    GITHUB_OUTPUT="$action/outputs" GITHUB_ACTION_PATH="$action/sources" ACTION_SERVER=https://github.example \
    ACTION_REPOSITORY=team/voxlint VERSION="$1" ACTION_REF="$2" "${@:3}" bash "$action/sources/packaging/action/find.sh"
}
# outputs NAME=VALUE: an output of the last step.
outputs() { grep -qxF -- "$1" "$action/outputs" || { cp "$action/outputs" "$folder/output"; fail "missing among the outputs: $1"; }; }
# finds WHAT READY VERSION REF [NAME=VALUE...]: whether the program is downloaded.
finds() {
  expect 0 "the action with $1" find_program "${@:3}"
  outputs "ready=$2"
  outputs "program=$action/temp/voxlint/bin/voxlint"
  if [ "$2" = true ]; then
    "$action/temp/voxlint/bin/voxlint" --version > /dev/null || fail "the action with $1: the program cannot be started"
  else
    grep -qE '^key=voxlint-Linux-[A-Z0-9]*-[0-9a-f]{64}$' "$action/outputs" || fail "the action with $1: no key for the cache"
    [ ! -e "$action/temp/voxlint/bin/voxlint" ] || fail "the action with $1 has a program"
  fi
}
if [ -n "$processor" ]; then
  finds "the tag of a release" true "" v1.2.3
  finds "the commit of a release" true "" "$commit"
  finds "another commit" false "" "$other"
  finds "a branch" false "" main
  finds "a tag without a release" false "" v1.2.4
  finds "the tag of a release, but a build is wanted" false source v1.2.3
  finds "a branch, but a version is wanted" true 1.2.3 main
  finds "a checkout" false "" v1.2.3 ACTION_REPOSITORY=
  finds "a processor without a program" false "" v1.2.3 RUNNER_ARCH=RISCV64
  cp "$action/outputs" "$action/first"
  echo >> "$action/sources/crates/schema/src/lib.rs"
  finds "other sources" false "" main
  ! cmp -s <(grep ^key= "$action/first") <(grep ^key= "$action/outputs") || fail "the cache has one key for different sources"
  expect 2 "the action with a version that does not exist" find_program 9.9.9 v1.2.3
  says "::error::version 9.9.9 cannot be downloaded"
  # shellcheck disable=SC2016 # must not be expanded
  for hostile in '$(touch here)' '../../../other/1.2.3' $'1.2.3\nready=true' '1.2.3 --output /etc/passwd'; do
    expect 2 "a hostile version" find_program "$hostile" main
    says '`version` must be a version such as 1.2.3'
    ! grep -q ready "$action/outputs" || fail "a hostile version has set an output"
  done
  echo damaged >> "$action/release/voxlint-1.2.3-$target.tar.gz"
  expect 2 "the action with a damaged archive" find_program "" v1.2.3
  says "the checksum of voxlint-1.2.3-$target.tar.gz is not the one in SHA256SUMS"
  [ ! -e "$action/temp/voxlint/bin/voxlint" ] || fail "a damaged archive was unpacked"
  grep -v tar.gz "$action/release/SHA256SUMS" > "$action/sums"
  mv "$action/sums" "$action/release/SHA256SUMS"
  expect 2 "the action with an archive without a checksum" find_program "" v1.2.3
  ok "the step of the action that finds the program (not the runner itself)"
else
  skipped "the step of the action that finds the program: $target"
fi

cd "$folder/documents"
# act PATHS ARGS SARIF [NAME=VALUE...]: the last step of the action. Through a pipe, as on a runner: annotations are not written if the
# output is a file.
act() {
  rm -f "$action/outputs" "$action/summary"
  env GITHUB_ACTIONS=true RUNNER_TEMP="$action/temp" GITHUB_OUTPUT="$action/outputs" GITHUB_STEP_SUMMARY="$action/summary" \
    PROGRAM="$binary" PATHS="$1" ARGS="$2" SARIF="$3" SUMMARY=true WORKING_DIRECTORY=. "${@:4}" \
    bash "$root/packaging/action/check.sh" 2>&1 | cat
}
# acts CODE WHAT PATHS ARGS SARIF [NAME=VALUE...]
acts() {
  expect "$1" "$2" act "${@:3}"
  outputs "exit-code=$1"
}
acts 0 "the action" good.json "" ""
outputs errors=0
outputs warnings=0
acts 1 "the action with annotations, SARIF and a summary" $'good.json\n  bad.json  \n\n' $'--strict\n' findings.sarif
says "::error file="
grep -q '"2.1.0"' findings.sarif || fail "the action writes no SARIF"
grep -q 'out-of-range' "$action/summary" || fail "the action writes no summary"
outputs errors=1
outputs sarif=./findings.sarif
acts 1 "the action in a folder" bad.json "" findings.sarif WORKING_DIRECTORY=agents SUMMARY=false
outputs sarif=agents/findings.sarif
[ ! -e "$action/summary" ] || fail "the action writes a summary that was not wanted"
acts 2 "the action without documents" gone.json "" ""
acts 2 "the action with a wrong option" good.json --wrong none.sarif
outputs errors=
! grep -q ^sarif= "$action/outputs" || fail "the action names a SARIF file that does not exist"
# shellcheck disable=SC2016 # must not be expanded
for hostile in '$(touch here); `touch here`' '; touch here' '"; touch here; "' '--output=json=here' $'\nexit-code=0'; do
  acts 2 "a hostile path" "$hostile" "" ""
  [ ! -e here ] || fail "an input of the action was executed"
done
acts 0 "a hostile name" good.json "" $'a\nexit-code=7.sarif'
! grep -q '^exit-code=7' "$action/outputs" || fail "the name of a file has set an output"
cd "$root"
ok "the step of the action that checks documents (not the runner itself)"

# --- cargo -------------------------------------------------------------------------------------------------------------------
if [ "$full" = --full ]; then
  expect 0 "cargo install --path" cargo install --locked --path . --root "$folder/by-path"
  works "cargo install --path" "$folder/by-path/bin/voxlint"
  ok "cargo install --path ."
  expect 0 "cargo install --git" cargo install --locked --git "file://$(git rev-parse --show-toplevel)" --root "$folder/by-git" voxlint-cli
  works "cargo install --git" "$folder/by-git/bin/voxlint"
  ok "cargo install --git"
fi
