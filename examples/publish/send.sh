#!/bin/sh
# Sends a verified plan. Its arguments are those that the plan was made with. API_KEY and BASE_URL come from the secrets of the job.
set -eu
voxlint plan verify plan/plan.json "$@"
jq -r '.agents[] | select(.body) | [.body.file, (.agent_id // "" | @uri)] | @tsv' plan/plan.json > plan.unsorted
sort plan.unsorted > plan.tsv
# A list that is too short would silently leave updates out.
bodies=$(find plan -maxdepth 1 -name '[0-9]*.json' | wc -l)
[ "$(wc -l < plan.tsv)" -eq "$bodies" ] || { echo "plan.json does not name every body" >&2; exit 1; }
if grep "$(printf '\t')\$" plan.tsv; then echo "the stored configurations do not name these agents" >&2; exit 1; fi
[ "$bodies" -gt 0 ] || { echo "nothing to send"; exit 0; }
while IFS="$(printf '\t')" read -r file agent; do
  echo "sending $file to $agent"
  curl --fail-with-body --silent --show-error --request PATCH "$BASE_URL/v1/agents/$agent" \
    --header "Authorization: Bearer $API_KEY" --header "Content-Type: application/json" \
    --data-binary "@plan/$file"
done < plan.tsv
