#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copies the repository to a new folder as a fresh clone has it: without build folders.
#
#   clean_copy.sh <repository> <folder>
set -euo pipefail
rm -rf "$2"
mkdir -p "$2"
cd "$1"
if git rev-parse --show-toplevel > /dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard | tar -cf - --null --ignore-failed-read -T - | tar -xf - -C "$2"
else
    tar -cf - --exclude='./build*' --exclude=./.git . | tar -xf - -C "$2"
fi
