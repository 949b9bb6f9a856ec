#!/usr/bin/env bash
# Runs `voxlint check` for the action. Its inputs are environment variables, so that they are never executed.
set -euo pipefail

# lines TEXT: fills `lines` with the lines of a text, without empty ones and without spaces at their ends.
lines() {
  lines=()
  local line
  while IFS= read -r line; do
    line=$(sed 's/^[[:space:]]*//; s/[[:space:]]*$//' <<< "$line")
    [ -z "$line" ] || lines+=("$line")
  done <<< "$1"
}

counts=$RUNNER_TEMP/voxlint-report.json
page=$RUNNER_TEMP/voxlint-summary.md
rm -f "$counts" "$page"
arguments=(check --output "json=$counts")
lines "$ARGS"
# The bash of macOS treats an empty array as an unset variable.
arguments+=(${lines[@]+"${lines[@]}"})
[ -z "${SETTINGS_FROM:-}" ] || arguments+=("--settings-from=$SETTINGS_FROM")
[ -z "$SARIF" ] || arguments+=(--output "sarif=$SARIF")
[ "$SUMMARY" != true ] || arguments+=(--output "markdown=$page")
lines "$PATHS"
arguments+=(-- ${lines[@]+"${lines[@]}"})

status=0
"$PROGRAM" "${arguments[@]}" || status=$?

# count NAME: prints a number from the summary at the end of the report.
count() { if [ -f "$counts" ]; then sed -n '/^  "summary": {$/,$ s/^    "'"$1"'": \([0-9]*\),\{0,1\}$/\1/p' "$counts"; fi; }
{
  echo "exit-code=$status"
  echo "errors=$(count errors)"
  echo "warnings=$(count warnings)"
  # `upload-sarif` needs a path from the checkout. The output is empty if the run ended before the file was written.
  if [ -n "$SARIF" ] && [ -f "$SARIF" ]; then
    case $SARIF in
      /* | ?:*) sarif=$SARIF ;;
      *) sarif=$WORKING_DIRECTORY/$SARIF ;;
    esac
    # An input with a line break must not become another output.
    printf 'sarif=%s\n' "${sarif//[$'\r\n']/}"
  fi
} >> "$GITHUB_OUTPUT"
# The runner rejects a summary of more than one MiB.
if [ -s "$page" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then head -c 1000000 "$page" >> "$GITHUB_STEP_SUMMARY"; fi
exit "$status"
