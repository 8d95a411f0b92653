#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds warpint_perf, measures everything on this machine, and writes FOLDER: results.jsonl, all figures as a table
# (results.txt), the papers' tables (papers.txt) and, where matplotlib is found, the report. Ends with a short table.
#
#   perf/run.sh FOLDER [OPTION...]     options of warpint_perf, for instance --quick or --with FILE
set -euo pipefail
folder=${1:?"usage: perf/run.sh FOLDER [OPTION...]"}
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake --preset perf > "$folder/build.txt"
cmake --build --preset perf >> "$folder/build.txt" || { tail -40 "$folder/build.txt"; exit 1; }
status=0
build/perf/perf/warpint_perf --json "$folder/results.jsonl" "$@" > "$folder/results.txt" || status=$?
python3 perf/papers.py "$folder/results.jsonl" > "$folder/papers.txt"
if python3 -c 'import matplotlib' 2> /dev/null; then
    python3 perf/report.py "$folder/results.jsonl" "$folder"
fi
python3 perf/tables.py "$folder/results.jsonl"
grep -E 'WRONG|FAILED' "$folder/results.txt" || echo "all results right"
exit "$status"
