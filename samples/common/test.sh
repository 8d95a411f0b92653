# SPDX-License-Identifier: Apache-2.0
# What the tests of all samples begin with. Sourced with the test's own arguments, by
#
#   source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" <path of the program> [device]
#
# Sets program, device and messages (a file outside of the working folder), and changes into a new folder, which goes at the
# end with everything in it.
set -u

program=$(realpath "$1")
[ -x "$program" ] || { echo "no program $program"; exit 1; }
device=${2:-auto}

needs() { # needs <program>...: skips the test where one is missing
    local needed
    for needed in "$@"; do
        command -v "$needed" > /dev/null || { echo "skipped: no program $needed"; exit 77; }
    done
}

folder=$(mktemp -d)
messages=$folder.messages
trap 'rm -rf "$folder" "$messages" "$messages.json"' EXIT
cd "$folder" || exit 1

passed=0
failed=0

check() { # check <name> <command>...
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
    fi
}

json() { # json <expression> <command>...: with --json it prints one object and nothing else; r is the object
    "${@:2}" --json > "$messages.json" && python3 - "$1" "$messages.json" << 'END'
import json, sys
text = open(sys.argv[2], encoding="utf-8").read()
r = json.loads(text)
assert text.count("\n") == 1 and r["rates"] and all(x["per_second"] > 0 for x in r["rates"]), r
assert r["command"] and r["version"] and r["device"] and r["ok"] is True and all(x["ok"] for x in r["checks"]), r
assert eval(sys.argv[1]), r
END
}

finish() { # the last command of a test: its status is the test's
    echo "$passed checks passed, $failed failed"
    [ "$failed" -eq 0 ]
}
