#!/usr/bin/env bash
# Uses the language server in real editors: Neovim and Emacs with eglot, without a screen, in a copy of `fixtures/team`, set up as
# docs/editors.md says. Diagnostics, hover, completion, a code action, renames and
# functions in a prompt kept in Markdown must do what `scripts/editors/` expects. Also builds, tests
# and packages the extension for VS Code.
#
#   scripts/try-editors.sh                   fails if Neovim 0.7 shows something else than scripts/editors/neovim.txt
#   UPDATE_PAGES=1 scripts/try-editors.sh    writes what it shows
#
# An editor that is not installed is skipped, with a message. npm installs what the extension needs from its registry. CODE_SERVER is the program
# `code-server` (npm has it), with which the extension is also used in VS Code, in headless Chromium (CHROMIUM is the browser). VOXLINT_BINARY is
# the program (default: target/release/voxlint, which is built).
set -euo pipefail
. "$(dirname "$0")/common.sh"
page=docs/editors.md

# Reports that an editor is skipped. The others are still tested.
left_out() { echo "skipped: $*"; }

binary=$(program)

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
mkdir "$temporary/bin"
ln -s "$binary" "$temporary/bin/voxlint"

# The block of code below a comment of the page.
block() { awk -v mark="<!-- $1 -->" '$0 == mark { found = 1; next } found && /^```/ { if (inside++) exit; next } found && inside' "$page"; }

# try NAME SETUP COMMAND...: runs an editor with an empty home folder, in which SETUP is the block of the page for it. It works in a folder that
# looks like a repository, whose prompt and document use the same variable. It ends by itself, and at the latest after two minutes.
try() {
  local name=$1 home=$temporary/$1 setup=$temporary/$1/$2 folder=$temporary/$1/repository
  shift 2
  mkdir -p "$(dirname "$setup")" "$folder/.git"
  block "file: $name" > "$setup"
  [ -s "$setup" ] || { echo "failed: $page has no block for $name" >&2; exit 1; }
  cp -r fixtures/team "$folder/"
  cp -r scripts/editors/desk "$folder/team/"
  echo 'Greet {{caler_name}}.' >> "$folder/team/agents/front-desk.prompt.hbs"
  printf '\n-- %s\n' "$name"
  if ! env HOME="$home" XDG_CONFIG_HOME="$home/.config" XDG_DATA_HOME="$home/.local" XDG_STATE_HOME="$home/.local" PATH="$temporary/bin:$PATH" \
    VOXLINT_FOLDER="$folder/team" VOXLINT_OUTPUT="$temporary/$name.txt" timeout --kill-after=5 120 "$@" < /dev/null 2> "$temporary/$name.log"; then
    cat "$temporary/$name.txt" "$temporary/$name.log" >&2
    echo "failed: $name" >&2
    exit 1
  fi
  cat "$temporary/$name.txt"
  echo "ok: $name"
}

if command -v nvim > /dev/null; then
  try neovim .config/nvim/init.lua nvim --headless -n -c "luafile $root/scripts/editors/try-neovim.lua"
  # Other versions may show it differently.
  if nvim --version | grep -q '^NVIM v0\.7\.' && ! diff scripts/editors/neovim.txt "$temporary/neovim.txt"; then
    if [ -z "${UPDATE_PAGES:-}" ]; then
      echo "failed: scripts/editors/neovim.txt is stale: UPDATE_PAGES=1 updates it" >&2
      exit 1
    fi
    cp "$temporary/neovim.txt" scripts/editors/neovim.txt
  fi
else
  left_out "Neovim is not installed"
fi

if ! command -v emacs > /dev/null; then
  left_out "Emacs is not installed"
elif ! emacs -q --batch --eval "(progn (require 'package) (package-initialize) (require 'eglot))" > "$temporary/eglot" 2>&1; then
  left_out "Emacs has no eglot"
else
  try emacs .emacs.d/init.el emacs -q --batch --load "$root/scripts/editors/try-emacs.el"
fi

# Uses the extension in VS Code, if there is one.
try_vscode() {
  local chromium=${CHROMIUM:-$(command -v chromium || command -v google-chrome || true)} folder=$temporary/vscode
  if [ -z "${CODE_SERVER:-}" ] || [ -z "$chromium" ]; then
    left_out "the extension is not used in VS Code: CODE_SERVER and Chromium are needed"
    return
  fi
  mkdir "$folder"
  echo '{ "private": true }' > "$folder/package.json"
  npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent puppeteer-core@24
  printf '\n-- VS Code\n'
  timeout --kill-after=5 400 node scripts/editors/try-vscode.mjs "$CODE_SERVER" "$chromium" "$(echo "$root"/editors/vscode/voxlint-*.vsix)" \
    "$binary" "$folder"
  echo "ok: the extension in VS Code"
}

if command -v node > /dev/null && command -v npm > /dev/null; then
  cd editors/vscode
  printf '\n-- the extension for VS Code\n'
  if npm ci --ignore-scripts --no-audit --no-fund --silent > "$temporary/npm" 2>&1; then
    npm run --silent check
    npm test --silent
    npm run --silent package > "$temporary/package" 2>&1 || { cat "$temporary/package" >&2; exit 1; }
    echo "ok: the extension for VS Code is built, tested and packaged ($(du -k voxlint-*.vsix | cut -f1) KiB)"
    cd "$root"
    try_vscode
  else
    left_out "the extension for VS Code: npm cannot install its dependencies"
  fi
  cd "$root"
else
  left_out "the extension for VS Code: npm is not installed"
fi
