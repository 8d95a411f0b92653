#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds warpint_perf, measures everything on this machine, and writes FOLDER: results.jsonl, all figures as a table
# (results.txt), the papers' tables (papers.txt) and, where matplotlib is found, the report. Ends with a short table,
# and with how many results were found right. Exits with 1 where one is wrong, where a row failed, and where none was
# checked.
#
#   perf/run.sh FOLDER [OPTION...]     options of warpint_perf, for instance --quick or --with FILE; with --device cpu
#                                      no CUDA source is compiled
set -euo pipefail
folder=${1:?"usage: perf/run.sh FOLDER [OPTION...]"}
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$folder"
rm -f "$folder"/{results.jsonl,results.jsonl.part,results.txt,papers.txt,report.html,tables.md}
rm -f "$folder"/results-*.{svg,png}

build=$root/build/perf
without=()
if [[ " $* " == *" --device cpu "* ]]; then # in a folder of its own: the other keeps its settings
    build=$root/build/perf_cpu
    without=(-DWARPINT_CUDA=OFF)
fi
(cd "$root" && cmake --preset perf -B "$build" "${without[@]}" && cmake --build "$build") > "$folder/build.txt" ||
    { tail -40 "$folder/build.txt"; exit 1; }
status=0
"$build/perf/warpint_perf" "$@" --json "$folder/results.jsonl" > "$folder/results.txt" || status=$?
if [ ! -e "$folder/results.jsonl" ]; then
    echo "the run did not end: there are no results" >&2
    exit $((status == 0 ? 1 : status))
fi
python3 "$root/perf/papers.py" "$folder/results.jsonl" > "$folder/papers.txt"
if python3 -c 'import matplotlib' 2> /dev/null; then
    python3 "$root/perf/report.py" "$folder/results.jsonl" "$folder" || status=1
fi
python3 "$root/perf/tables.py" "$folder/results.jsonl" || status=1
python3 "$root/perf/lines.py" "$folder/results.jsonl" || status=1
exit "$status"
