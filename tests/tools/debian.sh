#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs commands of README.md as they stand in a root of a Debian release, and there compiles the headers and formulas
# with that release's g++ and many warnings (warnings.cmake).
#
#   debian.sh <release> <repository> <scratch> [<demo or test>...]
#
# The root is made by debootstrap in WARPINT_DEBIAN_ROOTS (by default warpint in the user's cache) and kept there.
# WARPINT_DEBIAN_MIRROR names another mirror. Exit code 77: skipped.
set -euo pipefail
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
release=$1 repository=$2 scratch=$3
shift 3
commands=("${@:-demo}")

skip() { echo "skipped: $1"; exit 77; }
[[ $EUID -eq 0 ]] || skip "needs root rights"
command -v debootstrap > /dev/null || skip "debootstrap was not found"

mkdir -p "$scratch"
roots=${WARPINT_DEBIAN_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/warpint}
mirror=${WARPINT_DEBIAN_MIRROR:-}
root=$roots/$release
if [[ ! -d $root ]]; then
    mkdir -p "$roots"
    rm -rf "$root.part"
    if ! debootstrap --variant=minbase "$release" "$root.part" ${mirror:+"$mirror"} > "$scratch/debootstrap.log" 2>&1; then
        tail -5 "$scratch/debootstrap.log" | sed 's/^/    /'
        rm -rf "$root.part"
        skip "debootstrap could not make a root"
    fi
    mv "$root.part" "$root"
fi
cp /etc/resolv.conf /etc/hosts "$root/etc/"

# With its own /proc where that may be mounted.
within() {
    if unshare --mount --pid --fork true 2> /dev/null; then
        unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" "$@"
    else
        chroot "$root" "$@"
    fi
}
variables=(-i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive)

"$tools/clean_copy.sh" "$repository" "$root/warpint"
for name in "${commands[@]}"; do
    command=$("$tools/readme_command.sh" "$repository" "$name")
    printf '+ %s\n' "$command"
    within env "${variables[@]}" bash -euo pipefail -c "cd /warpint; time { $command
}"
done
within env "${variables[@]}" apt-get install -y -q libgmp-dev > "$scratch/apt.log" 2>&1
within env "${variables[@]}" cmake -DCOMPILER=g++ -DSOURCE_DIR=/warpint -DWORK_DIR=/warpint/build/warnings \
    -P /warpint/tests/tools/warnings.cmake
