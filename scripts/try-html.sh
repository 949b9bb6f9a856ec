#!/usr/bin/env bash
# Opens the HTML reports of the fixtures, and one of hostile documents, in headless Chromium: in two widths and both color schemes, no
# request may leave the page, no script may run, it may not scroll sideways, and axe-core may find no violation of accessibility.
#
#   scripts/try-html.sh           the screenshots are in target/html/screenshots
#
# npm installs puppeteer-core and axe-core into target/html, which needs its registry. Without npm or Chromium, everything is skipped, with a
# message. CHROMIUM is the browser and VOXLINT_BINARY the program (default: target/release/voxlint, which is built).
set -euo pipefail
. "$(dirname "$0")/common.sh"

chromium=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  [ -n "$chromium" ] || chromium=$(command -v "$name" || true)
done
[ -n "$chromium" ] || skipped "Chromium is not installed"
command -v node > /dev/null && command -v npm > /dev/null || skipped "npm is not installed"

binary=$(program)

folder=$root/target/html
mkdir -p "$folder/screenshots" "$folder/hostile/stored"
echo '{ "private": true }' > "$folder/package.json"
npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent puppeteer-core@24 axe-core@4 \
  || skipped "npm cannot install puppeteer-core and axe-core"

# A report of findings or of a rejected update exits with 1.
report() {
  local file=$1 status=0
  shift
  "$binary" "$@" --format html > "$folder/$file" 2> "$folder/errors" || status=$?
  if [ "$status" -gt 1 ]; then
    cat "$folder/errors" >&2
    exit 1
  fi
}

# Texts that would run, load, hide or widen something if they were not escaped.
node > "$folder/hostile/a.json" -e '
  const text = `<script>alert(1)</script><img src="https://example.com/a.png" onerror="alert(1)"><style>body{display:none}</style>` +
    `"><svg onload=alert(1)> \u202e reversed \u0007 ${"x".repeat(3000)} </pre></code></main>`;
  const functions = [{ displayName: text.slice(0, 30), type: "end_call", description: text, config: {} }];
  console.log(JSON.stringify({ version_number: 3, title: text, prompt_text: `${text}\n{{name`, [text]: 1, agent_functions: functions }));'
node > "$folder/hostile/stored/a.json" -e '
  const text = `</ins></del><script>alert(2)</script> ${"y".repeat(3000)}`;
  const version = { version_number: 3, is_published: false, title: text.slice(0, 60), prompt_text: text };
  console.log(JSON.stringify({ agent: { id: "<b>ag</b>", agent_type: "Single_Prompt_Agent" }, version, complete: true }));'
printf '%s\n' 'root = true' 'exclude = ["stored/"]' '[[documents]]' 'files = "*.json"' 'stored = "stored/{stem}.json"' \
  > "$folder/hostile/voxlint.toml"

report check.html check fixtures/team fixtures/realistic/faulty fixtures/gate
report plan.html plan fixtures/fleet
report hostile-check.html check "$folder/hostile"
report hostile-plan.html plan "$folder/hostile"
report clean.html check fixtures/realistic/clean

cd "$folder"
node "$root/scripts/try-html.mjs" "$chromium" screenshots check.html plan.html hostile-check.html hostile-plan.html clean.html
