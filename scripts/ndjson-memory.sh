#!/usr/bin/env bash
# Checks a large file with one document per line, and prints how much memory that took.
#
#   scripts/ndjson-memory.sh [MEGABYTES] [FORMAT]     default: 1024 megabytes, full format
#
# Not part of CI: it writes a file of that size to TMPDIR and takes a minute. Linux only.
set -euo pipefail
cd "$(dirname "$0")/.."

megabytes=${1:-1024}
format=${2:-full}
limit_kilobytes=$((32 * 1024))

cargo build --release --locked --quiet
voxlint=${CARGO_TARGET_DIR:-target}/release/voxlint
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
file=$folder/export.ndjson

# Documents of a few hundred to a few thousand bytes. One in a thousand has a mistake, and one in ten thousand is truncated.
awk -v bytes=$((megabytes * 1024 * 1024)) 'BEGIN {
  prompt = "You are Asha, the assistant of the front desk. Greet {{caller_name}} and ask what for.\\n"
  for (line = 0; written < bytes; line++) {
    text = ""
    for (i = 0; i <= line % 40; i++) text = text prompt
    record = sprintf("{\"version_number\": %d, \"title\": \"Front desk %d\", \"kb_max_chunks\": %d, \"prompt_text\": \"%s\"}",
      line % 9 + 1, line, line % 1000 == 999 ? 12 : 3, text)
    if (line % 10000 == 5000) record = substr(record, 1, length(record) - 2)
    print record
    written += length(record) + 1
  }
}' > "$file"
echo "$(wc -l < "$file") documents, $(($(stat -c %s "$file") / 1024 / 1024)) MiB"

# The peak memory of the process, read from the kernel while it runs. Its output goes to a file.
started=$(date +%s.%N)
"$voxlint" check "$file" --format "$format" > "$folder/findings.txt" 2> "$folder/summary.txt" &
process=$!
peak=0
while status=$(grep VmHWM "/proc/$process/status" 2> /dev/null); do
  peak=$(tr -dc '0-9' <<< "$status")
  sleep 0.05
done
code=0
wait "$process" || code=$?
seconds=$(awk -v from="$started" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }')

cat "$folder/summary.txt"
echo "exit code $code, $seconds s, $((peak / 1024)) MiB at most, $(($(stat -c %s "$folder/findings.txt") / 1024)) KiB of findings"
if [ "$code" -ne 1 ] || [ "$peak" -ge "$limit_kilobytes" ]; then
  echo "expected exit code 1 and less than $((limit_kilobytes / 1024)) MiB" >&2
  exit 1
fi
