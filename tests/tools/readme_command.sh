#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints a command of README.md: the first ```sh block after the line "<!-- NAME command -->".
#
#   readme_command.sh <repository> <demo or test>
set -euo pipefail
command=$(awk -v marker="<!-- $2 command -->" '
    $0 == marker                { marked = 1; next }
    marked && /^```sh[ \t]*$/   { inside = 1; next }
    inside && /^```/            { exit }
    inside                      { print }
' "$1/README.md")
[[ -n $command ]] || { echo "README.md has no $2 command after its marker" >&2; exit 1; }
printf '%s\n' "$command"
