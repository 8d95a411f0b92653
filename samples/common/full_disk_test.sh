#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs that write to a full disk: full_disk_test.sh <path of a sample>...
# Each says so in one line, ends with 1, and leaves nothing: /dev/full has no room from the start, a limit on the size of
# files ends it on the way (the same job then works without the limit).
# Exit code 77: skipped, there is no /dev/full.
[ -c /dev/full ] || { echo "skipped: no /dev/full"; exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/test.sh" "$1"
for each in "$@"; do
    PATH=$(dirname "$(realpath "$each")"):$PATH
done
is_there() { # is_there <sample>
    local each
    for each in "${paths[@]}"; do
        [ "$(basename "$each")" = "$1" ] && return
    done
    return 1
}
paths=("$@")

says() { # says <status> <pattern>: of the last run, in one line
    [ "$status" -eq 1 ] && [ "$(wc -l < "$messages")" -eq 1 ] && grep -q "$1" "$messages"
}
empty() { # nothing is in the folder, hidden files included
    [ -z "$(ls -A)" ]
}
full_file() { # full_file <command>...
    "$@" > /dev/null 2> "$messages" < /dev/null
    status=$?
    says "cannot write /dev/full: No space left" && empty
}
full_output() { # full_output <command>...
    "$@" > /dev/full 2> "$messages" < /dev/null
    status=$?
    says "cannot write standard output: No space left" && empty
}
# The command writes more than 4 KB to the file `out`, which exists: it stays as it is, and then is replaced.
half_written() { # half_written <command>...
    echo older > out
    (
        trap '' XFSZ
        ulimit -f 4
        exec "$@" > /dev/null 2> "$messages" < /dev/null
    )
    status=$?
    local right=1
    says "cannot write out: " && [ "$(ls -A)" = out ] && [ "$(cat out)" = older ] && right=0
    "$@" > /dev/null 2> "$messages" < /dev/null && [ "$(wc -c < out)" -gt 4096 ] || right=1
    rm -f out
    return $right
}

if is_there dh; then
    check "dh: public keys" full_file dh keygen --group ffdhe2048 --count 2 --private private --public /dev/full
    check "dh: private keys" full_file dh keygen --group ffdhe2048 --count 2 --private /dev/full --public public
fi
if is_there mandelbrot; then
    check "mandelbrot: picture" full_file mandelbrot --size 8x8 --out /dev/full
    check "mandelbrot: counts" full_file mandelbrot --size 8x8 --out picture.png --counts /dev/full
fi
if is_there matrix; then
    check "matrix: report" full_output matrix multiply --size 2 --seconds 0.001
    check "matrix: report by --json" full_output matrix multiply --size 2 --seconds 0.001 --json
    echo 2 > column
    matrix multiply --modulus 7 --a column --b column --out /dev/full > /dev/null 2> "$messages"
    status=$?
    check "matrix: product" says "cannot write /dev/full: No space left"
    rm column
fi
if is_there paillier; then
    paillier keygen --bits 2048 --out key 2> /dev/null
    printf '1\n2\n' > column
    ls -A > "$messages.before"
    paillier encrypt --key key.public --in column --column 1 --out /dev/full 2> "$messages"
    status=$?
    check "paillier: column" says "cannot write /dev/full: No space left"
    check "paillier: nothing more" cmp -s "$messages.before" <(ls -A)
    rm -f key.* column "$messages.before"
fi
if is_there primes; then
    check "primes: list" full_file primes list --from 100 --count 5 --out /dev/full
    check "primes: output" full_output primes list --from 100 --count 5
    check "primes: gaps" full_file primes gaps --from 1000000 --count 100 --csv /dev/full --svg picture
    check "primes: half a list" half_written primes list --from 1000000 --count 2000 --out out
fi
if is_there rsa; then
    check "rsa: key" full_file rsa keygen --bits 1024 --out /dev/full
    check "rsa: half of many keys" half_written rsa keygen --bits 1024 --count 8 --force --out out
fi
if is_there secp256k1; then
    check "secp256k1: keys" full_file secp256k1 consecutive --from 1 --count 3 --out /dev/full
    check "secp256k1: output" full_output secp256k1 consecutive --from 1 --count 3
    check "secp256k1: half of many" half_written secp256k1 consecutive --from 1 --count 300 --out out
fi
if is_there ecm; then
    check "ecm: output" full_output ecm 1001
fi
if is_there pollard; then
    check "pollard: curve" full_output pollard make --bits 20
    # Its store is a file that grows: what was stored before is read again.
    pollard make --bits 40 > curves 2> /dev/null
    (
        trap '' XFSZ
        ulimit -f 1
        exec pollard solve --curves curves --curve random40 --store store --walks 64 --distinguished 3 \
            > /dev/null 2> "$messages" < /dev/null
    )
    status=$?
    check "pollard: a store that cannot grow" says "store: "
    check "pollard: goes on" pollard solve --curves curves --curve random40 --store store --walks 64 \
        --distinguished 3 > /dev/null 2>&1
fi

finish
