#!/usr/bin/env bash
# Checks documents that come one per line: examples/lake/pipe.sh < documents.ndjson > findings.ndjson
#
#   zcat part-*.ndjson.gz | examples/lake/pipe.sh --facts workspace.json
#
# voxlint uses all cores, in a few megabytes of memory. The last line is the summary: without it, the run was interrupted. Neither
# findings nor an empty input fail the run; an unusable option or file does, with exit code 2. Arguments are options of `voxlint check`.
set -euo pipefail
exec voxlint check --format ndjson --exit-zero --allow-empty --quiet --isolated --stdin-filename documents.ndjson "$@" -
