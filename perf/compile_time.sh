#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Seconds of processor time that compilers take for perf/compile_time.cpp, a file that uses
# BigInt<256> and BigInt<2048> with all operators, and widths between, against the limits: 10 s on the host, 30 s with nvcc
# for one architecture. Exits with 1 if one is exceeded. Compilers that are not installed are left out.
#
#   perf/compile_time.sh [architecture, default sm_90]
here=$(cd "$(dirname "$0")" && pwd)
architecture=${1:-sm_90}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
ulimit -t 120 # a compiler that does not finish has failed

# measure <limit> <compiler> <option>...
measure() {
    local limit=$1 seconds over=""
    shift
    command -v "$1" >/dev/null 2>&1 || { echo "$1: not installed"; return; }
    local command=("$@" -std=c++20 "-I$here/../include" -c "$here/compile_time.cpp")
    local TIMEFORMAT=%U # user seconds, the compiler's children included
    if ! seconds=$({ time "${command[@]}" -o "$folder/out.o" >"$folder/log" 2>&1; } 2>&1); then
        echo "$*: failed"
        head -20 "$folder/log"
        failed=1
        return
    fi
    if awk "BEGIN { exit !($seconds > $limit) }"; then
        over="  OVER THE LIMIT"
        failed=1
    fi
    printf '%7.2f s (limit %d s)  %s%s\n' "$seconds" "$limit" "$*" "$over"
}

measure 10 g++ -O2
measure 10 g++ -O3
measure 10 clang++ -O2
measure 10 clang++ -O3
measure 30 nvcc -x cu "-arch=$architecture"
exit $failed
