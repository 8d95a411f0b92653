#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: primes_test.sh <path of primes> [device]
# Against coreutils' factor up to 64 bits, against python3 above, and bad input.
# Exit code 77: skipped, there is no factor or no python3.
# WARPINT_TEST_VECTORS: a folder with pseudoprimes.json, lists of composite numbers that single
# tests take for primes; without it a few of them are tried.
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
needs factor python3
primes=$program

run() { # run <command> <arguments>...
    "$primes" "$@" --device "$device"
}

# Up to 64 bits: every number against factor ------------------------------------------------------

factor_list() { # factor_list <from> <to>: the primes of the range
    seq "$1" "$2" | factor | awk 'NF == 2 {print $2}'
}

list_equals_factor() { # list_equals_factor <from> <to>
    factor_list "$1" "$2" > expected
    run list --from "$1" --to "$2" --out found && cmp expected found
}
check "list 0 to 100000" list_equals_factor 0 100000
check "list 4000 to 300000" list_equals_factor 4000 300000
check "list about 2^32" list_equals_factor 4294900000 4295000000
check "list up to 2^63" list_equals_factor 9223372036854750000 9223372036854775808
check "list up to 2^64 - 1" list_equals_factor 18446744073709540000 18446744073709551615
check "list across 2^64" list_equals_factor 18446744073709551000 18446744073709552000
check "an empty range" list_equals_factor 24 28
check "a range of one prime" list_equals_factor 7919 7919

counted_equals_factor() {
    factor_list 1000000 2000000 | head -n 50000 > expected
    run list --from 1000000 --count 50000 --out found && cmp expected found &&
        [ "$(run list --from 18446744073709551557 --count 2 | tail -n 1)" = 18446744073709551629 ]
}
check "list by count" counted_equals_factor

verdicts_equal_factor() {
    python3 -c 'import random
random.seed(1)
for i in range(20000): print(random.getrandbits(random.randrange(1, 65)))' > numbers
    factor < numbers | awk '{print NF == 2 ? "prime" : "composite"}' > expected
    run test --in numbers --out found --rounds 2 && cmp expected found
}
check "test" verdicts_equal_factor

next_equals_factor() {
    seq 0 3000 > numbers
    factor_list 1 3100 > list
    python3 -c 'import bisect
primes = list(map(int, open("list")))
for n in open("numbers"): print(primes[bisect.bisect_right(primes, int(n))])' > expected
    run next --in numbers --out found && cmp expected found
}
check "next above 0, 1, ... 3000" next_equals_factor

# Above: against python3, which has a test of its own ----------------------------------------------

cat > oracle.py <<'P'
# Strong tests to the first 24 prime bases: no number below has been made to pass them.
import sys
bases = [p for p in range(2, 98) if all(p % d for d in range(2, p))]
def is_prime(n):
    for p in bases:
        if n % p == 0: return n == p
    if n < 2: return False
    s = (n - 1 & 1 - n).bit_length() - 1
    def passes(a):
        x = pow(a, n - 1 >> s, n)
        for _ in range(s):
            if x == n - 1: return True
            if x == 1: return _ == 0
            x = x * x % n
        return False
    return all(passes(a) for a in bases)
def next_prime(n):
    n += 1
    while not is_prime(n): n += 1
    return n
P

next_equals_python() { # next_equals_python <bits>...: two numbers of each
    python3 -c 'import random, sys
random.seed(2)
for bits in map(int, sys.argv[1:]):
    print(2**bits - 1)
    print(random.getrandbits(bits) | 2**(bits - 1))' "$@" > numbers
    run next --in numbers --out found --rounds 3 &&
        python3 -c 'from oracle import *
for n, p in zip(open("numbers"), open("found"), strict=True): assert next_prime(int(n)) == int(p), n'
}
check "next of 65 to 256 bits" next_equals_python 65 66 96 127 128 129 191 200 250 255 256
check "next of up to 640 bits" next_equals_python 257 320 500 640

list_equals_python() { # list_equals_python <from> <length>
    run list --from "$1" --to "$(python3 -c "print($1 + $2)")" --out found &&
        python3 -c "from oracle import *
assert [int(p) for p in open('found')] == [n for n in range($1, $1 + $2 + 1) if is_prime(n)]"
}
check "list from 10^30" list_equals_python 1000000000000000000000000000000 5000
check "list up to 2^256" list_equals_python $(python3 -c 'print(2**256 - 2000)') 3000

mersenne() { # the next prime above 2^p - 2 is 2^p - 1
    python3 -c 'for p in (89, 107, 127, 521, 607, 1279): print(2**p - 2)' > numbers
    python3 -c 'for p in (89, 107, 127, 521, 607, 1279): print(2**p - 1)' > expected
    run next --in numbers --out found && cmp expected found
}
check "next: Mersenne primes" mersenne

# The ends of the widest numbers: 2^4096 - 1 is composite, as 2^2048 - 1 and 2^1024 + 1 are.
wide() {
    python3 -c 'for n in (2**4096 - 1, 2**4096 - 2, 2**2203 - 1, 2**3217 - 1, 2**2207 - 1, 0, 2):
        print(n)' > numbers
    printf '%s\n' composite composite prime prime composite composite prime > expected
    run test --in numbers --out found && cmp expected found
}
check "test of up to 4096 bits" wide

pseudoprimes() { # composite numbers that single tests take for primes
    python3 - > numbers 2> /dev/null << 'P'
import json, os
few = [2047, 3215031751, 3825123056546413051, 318665857834031151167461, 5459, 5777, 989, 3239,
       1195068768795265792518361315725116351898245581]
folder = os.environ.get("WARPINT_TEST_VECTORS")
if folder:
    data = json.load(open(folder + "/pseudoprimes.json"))
    def numbers(x):
        if isinstance(x, dict): return [int(x["n"])] if "n" in x else [int(v) for v in x.values()]
        return x if isinstance(x, list) else [int(x)]
    for name, value in data.items():
        if not name.startswith("mersenne"): few += numbers(value)
    few += [2**p - 1 for p in data["mersenne_composite"]]
for n in few: print(n)
P
    [ "$(wc -l < numbers)" -ge "${1:-9}" ] && run test --in numbers --out found &&
        [ "$(wc -l < found)" = "$(wc -l < numbers)" ] && ! grep -q prime found
}
check "pseudoprimes" pseudoprimes "${WARPINT_TEST_VECTORS:+200}"

# Gaps, safe primes, the bench --------------------------------------------------------------------

gaps() {
    factor_list 1000000 1300000 > list
    python3 -c 'import collections
p = list(map(int, open("list")))
count = collections.Counter(b - a for a, b in zip(p, p[1:]))
print("gap,count")
for gap in sorted(count): print(f"{gap},{count[gap]}")' > expected
    run gaps --from 1000000 --to 1300000 --csv found --svg plot.svg && cmp expected found &&
        python3 -c 'import xml.dom.minidom
bars = xml.dom.minidom.parse("plot.svg").getElementsByTagName("title")
assert [b.firstChild.data.replace(": ", ",") for b in bars] == open("found").read().split()[1:]'
}
check "gaps" gaps
check "gaps of too few primes" run gaps --from 24 --to 28 --csv found --svg plot.svg

safe() { # safe <bits> <count> <argument>...
    run safe --bits "$1" --count "$2" --out found "${@:3}" > out &&
        [ "$(grep -c "^rate  *$1 bits, safe primes  *[0-9.e+]* /s$" out)" -eq 1 ] && [ "$(wc -l < out)" -eq 2 ] &&
        python3 -c "from oracle import *
found = [int(p) for p in open('found')]
assert len(found) == $2
for p in found: assert p.bit_length() == $1 and is_prime(p) and is_prime(p // 2)"
}
for bits in 3 4 5 6 7 16 63 64 65; do
    check "safe primes of $bits bits" safe $bits 20
done
check "safe primes of 256 bits" safe 256 2 --rounds 2
check "safe primes from more starts than are sieved at once" safe 40 1200

all_safe() { # all_safe <bits>: of so few, each is found
    safe "$1" 300 --seed 1 && python3 -c "from oracle import *
assert set(map(int, open('found'))) == {p for p in range(2**($1 - 1), 2**$1) if is_prime(p) and is_prime(p // 2)}"
}
for bits in 3 4 5 8; do
    check "all safe primes of $bits bits" all_safe $bits
done
seeds() { # the same primes from the same seed, also on standard output; others from another seed, and each time from none
    run safe --bits 80 --count 5 --seed 7 --out first > out && run safe --bits 80 --count 5 --seed 7 | cmp - first &&
        run safe --bits 80 --count 5 --seed 8 > second && run safe --bits 80 --count 5 > third &&
        run safe --bits 80 --count 5 > fourth && [ "$(sort -u first second third fourth | wc -l)" -eq 20 ]
}
check "safe primes from a seed" seeds

bench() {
    run bench --bits 64 128 --seconds 0.05 > out 2> "$messages" ||
        { grep -q "built without GMP" "$messages" && return; }
    [ "$(grep -c '^ok .* verdicts are GMP' out)" -eq 4 ] && [ "$(grep -c '^rate .* /s, GMP .* times$' out)" -eq 4 ] &&
        json "len(r['checks']) == 4 and all(x['peer'] == 'GMP' and x['peer_per_second'] > 0 for x in r['rates'])" \
            run bench --bits 64 128 --seconds 0.05
}
check "bench" bench
check "safe primes --json" json "r['command'] == 'primes safe' and len(r['rates']) == 1" run safe --bits 64 --out found
json_and_primes() {
    ! run safe --bits 64 --json > out 2> "$messages" && [ ! -s out ] && grep -q "json needs another file" "$messages"
}
check "rejects: a report and primes on standard output" json_and_primes

help_examples() { # all commands that --help shows, but the last, which measures
    "$primes" --help | grep -E '^  (echo|primes)' | grep -v bench > commands
    [ "$(wc -l < commands)" -eq 6 ] && PATH=$(dirname "$primes"):$PATH bash -e commands > /dev/null
}
check "the examples of --help" help_examples

# Bad input ----------------------------------------------------------------------------------------

# One line on stderr that matches, a non-zero exit, no new file, an older output untouched.
rejects() { # rejects <pattern> <arguments>...
    local pattern=$1 code
    shift
    echo old > old
    rm -f new
    ls -A > before
    run "$@" > out 2> "$messages"
    code=$?
    ls -A > after
    if [ $code -eq 0 ] || [ $code -ge 126 ] || ! cmp before after || [ "$(cat old)" != old ] ||
        [ "$(wc -l < "$messages")" -ne 1 ] || ! grep -q "^primes: error: .*$pattern" "$messages"; then
        echo "exit code $code, stderr:"
        cat "$messages"
        return 1
    fi
    status=$code
}
touch before after out
printf '12\n1x\n' > letters
: > empty
printf '5\n\n7\n' > gap
printf '%s\n' -5 > negative
head -c 3000 /dev/urandom > noise
python3 -c 'print(2**4096)' > long
python3 -c 'print(2**4096 - 1)' > last
head -c 100000 /dev/zero | tr '\0' 9 > huge
for target in old new; do
    for command in test next; do
        for file in letters gap negative noise long huge; do
            check "rejects: $command of $file" \
                rejects "not a decimal number" $command --in $file --out $target
        done
        check "rejects: $command of nothing" rejects "no number" $command --in empty --out $target
        check "rejects: no file" rejects "No such file" $command --in none --out $target
    done
done
check "rejects: no next prime" rejects "no more primes" next --in last --out new
check "rejects: list beyond the end" rejects "no more primes" list --from "$(cat last)" --count 1
wrong_argument() { # wrong_argument <pattern> <arguments>...: exit status 2
    rejects "$@"
    [ $? -eq 0 ] && [ "$status" -eq 2 ]
}
check "rejects: from" wrong_argument "not a decimal number" list --from 0x10 --count 1
check "rejects: empty from" wrong_argument "from: must not be empty" list --from "" --count 1
check "rejects: empty to" wrong_argument "to: must not be empty" list --to ""
check "rejects: to" wrong_argument "not a decimal number" list --to 10e3
check "rejects: long to" rejects "4096 bits" list --from "$(cat last)" --to "$(cat long)"
check "rejects: backward" wrong_argument "ends before" list --from 10 --to 9
check "rejects: long range" rejects "too long" list --to 18446744073709551615
check "rejects: no end" rejects "" list --from 5
check "rejects: two ends" rejects "" list --from 5 --to 7 --count 2
check "rejects: count" wrong_argument "a whole number from 1 on, found 0" list --count 0
check "rejects: hexadecimal count" wrong_argument "found 0x10" list --count 0x10
check "rejects: bits" wrong_argument "a whole number from 3 to 4096, found 5000" safe --bits 5000
check "rejects: seed" wrong_argument "seed: expected a whole number" safe --seed -1
check "rejects: target of safe primes" rejects "cannot write no/out" safe --bits 20 --out no/out
check "rejects: full device of safe primes" rejects "No space left" safe --bits 20 --out /dev/full
check "rejects: rounds" wrong_argument "" list --count 1 --rounds -1
check "rejects: bench bits" wrong_argument "from 32 to 4096, found 0x40" bench --bits 64 0x40
check "rejects: bench seconds" wrong_argument "seconds: expected a number" bench --seconds nan
check "rejects: no subcommand" rejects "" --out new
check "rejects: target" rejects "cannot write no/out" list --count 1 --out no/out
check "rejects: second target" rejects "cannot write no/svg" gaps --count 9 --csv new --svg no/svg
check "rejects: full device" rejects "No space left" list --count 1 --out /dev/full
check "rejects: one full target" rejects "No space left" gaps --count 9 --csv /dev/full --svg new
check "rejects: another full target" rejects "No space left" gaps --count 9 --csv new --svg /dev/full
check "rejects: one target for both" rejects "two files to" gaps --count 9 --csv new --svg ./new
ln -s old link
check "rejects: one target behind a link" rejects "two files to" gaps --count 9 --csv old --svg link
wrong_line() { # in the second part of a long file
    { seq 200000; echo x; } > many
    rejects "bits: line 200001: expected a decimal digit, found 'x'" test --in many --out new &&
        ! grep -q '::\|warpint' "$messages"
}
check "rejects: a wrong line far behind" wrong_line
interrupted() {
    ls -A > before
    timeout --preserve-status -s INT 0.5 "$primes" list --from "$(cat last | cut -c 1-1200)" \
        --count 100000 --out new --device cpu
    [ $? -eq 130 ] && ls -A > after && cmp before after
}
check "interrupted: nothing left" interrupted

finish
