#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs README's first command as it stands, in a clean copy of the repository. Packages are not installed:
# `sudo` runs what it is given and `apt-get` does nothing. The compiler must not warn, and the program must end with
# its rates.
#
#   readme_demo.sh <repository> <ON or OFF: what the sample needs is installed> <scratch> <cpu or cuda>
#
# cpu: a GPU, if there is one, has no compiler. Exit code 77: skipped.
set -euo pipefail
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$1 packages=$2 scratch=$3 device=$4

if [[ $packages != ON ]]; then
    echo "skipped: OpenSSL 3, CLI11 or Boost is not installed"
    exit 77
fi
command=$("$tools/readme_command.sh" "$repository" demo)
"$tools/clean_copy.sh" "$repository" "$scratch/clone"

mkdir -p "$scratch/bin"
printf '#!/bin/sh\nexec "$@"\n' > "$scratch/bin/sudo"
printf '#!/bin/sh\n' > "$scratch/bin/apt-get"
chmod +x "$scratch/bin/sudo" "$scratch/bin/apt-get"
export PATH=$scratch/bin:$PATH
unset CC CXX CXXFLAGS # a stranger has none
if [[ $device == cpu && -e /dev/nvidia0 ]]; then
    export CUDACXX=/nonexistent/nvcc
fi

cd "$scratch/clone"
status=0
bash -euo pipefail -c "$command" > "$scratch/log" 2>&1 || status=$?
cat "$scratch/log"
fail() { echo "FAILED: $1"; exit 1; }
[[ $status -eq 0 ]] || fail "README's first command ended with $status"
! grep -q 'warning:' "$scratch/log" || fail "the compiler warns"
grep -q 'OpenSSL' "$scratch/log" || fail "the program shows no rates"
if [[ $device == cpu ]]; then
    grep -q 'warpint: without CUDA' "$scratch/log" || fail "CUDA was not hidden"
else
    grep -q 'warpint: CUDA' "$scratch/log" || fail "CUDA was not found"
fi
