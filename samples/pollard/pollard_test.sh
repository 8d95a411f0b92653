#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: pollard_test.sh <path of pollard> [device]
# Curves, logarithms and stored points against python3's integers; a search that is killed and goes
# on; damaged and foreign stores.
# Exit code 77: skipped, there is no python3.
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
needs python3
solve() { # solve <bits> <arguments>...
    local bits=$1
    shift
    "$program" solve --curves "$bits.txt" --curve "random$bits" --device "$device" "$@"
}

cat > curves.py << 'PYTHON'
import sys

name, *numbers = open(sys.argv[1]).read().splitlines()[-1].split()
p, a, b, n, px, py, qx, qy = (int(x, 16) for x in numbers)

def add(P, Q):
    if P is None or Q is None:
        return P or Q
    if P[0] == Q[0] and (P[1] + Q[1]) % p == 0:
        return None
    slope = ((3 * P[0]**2 + a) * pow(2 * P[1], -1, p) if P == Q
             else (Q[1] - P[1]) * pow(Q[0] - P[0], -1, p))
    x = (slope**2 - P[0] - Q[0]) % p
    return x, (slope * (P[0] - x) - P[1]) % p

def multiply(k, P):
    R = None
    for bit in bin(k)[2:]:
        R = add(R, R)
        if bit == "1":
            R = add(R, P)
    return R

def is_prime(m):
    return m > 2 and all(pow(base, m - 1, m) == 1 for base in (2, 3, 5, 7, 11, 13))

def on_curve(x, y): return (y * y - x**3 - a * x - b) % p == 0

if sys.argv[2] == "curve":
    bits = int(sys.argv[3])
    assert p.bit_length() == bits and is_prime(p) and is_prime(n) and n != p
    assert (4 * a**3 + 27 * b**2) % p != 0 and (n - p - 1)**2 <= 4 * p
    assert on_curve(px, py) and on_curve(qx, qy)
    assert multiply(n, (px, py)) is None and multiply(n, (qx, qy)) is None
elif sys.argv[2] == "logarithm":  # "k = ..."
    assert multiply(int(sys.argv[3].removeprefix("k = "), 16), (px, py)) == (qx, qy)
elif sys.argv[2] == "store":  # each point is distinguished and on the curve, and each walk's own
    first, *records = open(sys.argv[3]).read().splitlines()
    zeros = int(first.split()[-2])
    seen = set()
    for record in records:
        x, walk, _ = (int(word, 16) for word in record.split())
        assert (x >> 10) % (1 << zeros) == 0, record
        assert pow(x**3 + a * x + b, (p - 1) // 2, p) in (0, 1), record
        assert walk not in seen, record
        seen.add(walk)
    assert len(seen) >= int(sys.argv[4]), len(seen)
PYTHON

# Curves and logarithms ------------------------------------------------------------------------

made() { # made <bits> <seed>
    "$program" make --bits "$1" --seed "$2" > "$1.txt" && python3 curves.py "$1.txt" curve "$1"
}
solved() { # solved <bits> <arguments>...
    local bits=$1 k
    shift
    k=$(solve "$bits" "$@") && python3 curves.py "$bits.txt" logarithm "$k"
}
for bits in 20 24 36 40 44; do
    check "make $bits" made $bits 7
    check "solve $bits" solved $bits
done
for seed in 1 2 3; do
    check "make 32, seed $seed" made 32 $seed
    check "solve 32, seed $seed" solved 32
    check "solve 32, seed $seed, few walks" solved 32 --walks 5
    check "solve 32, seed $seed, half of the points distinguished" solved 32 --distinguished 1
done
seeds_differ() {
    [ "$("$program" make --bits 40 --seed 1)" != "$("$program" make --bits 40 --seed 2)" ]
}
check "seeds give different curves" seeds_differ
equal_points() { # Q = P
    awk 'NR == 2 {$8 = $6; $9 = $7} {print}' 40.txt > equal.txt
    [ "$("$program" solve --curves equal.txt --curve random40 --device "$device")" = "k = 1" ]
}
check "Q = P" equal_points

for curve in ECCp-79 ECCp-89 ECCp-97 ECCp-109 ECCp-131; do
    bench() {
        "$program" bench --curve $curve --seconds 0.1 --walks 500 --device "$device" > report &&
            grep -Eq '^ok  *[5-9][0-9] of 500 walks of 200 steps' report &&
            grep -Eq '^rate +steps +[0-9.e+]+ /s$' report
    }
    check "bench $curve" bench
    check "bench $curve --json" json "r['curve'] == '$curve' and r['rates'][0]['what'] == 'steps'" \
        "$program" bench --curve $curve --seconds 0.1 --walks 500 --device "$device"
done
launched() { # launched <arguments>...: 200 steps are no multiple of these launches
    "$program" bench --curve ECCp-97 --seconds 0.1 --device "$device" "$@" > report &&
        grep -Eq '^ok .* walks of 200 steps' report
}
check "one walk" launched --walks 1 --thread-walks 1 --block-warps 16
check "two walks for some threads, one for others" launched --walks 97 --thread-walks 2 --launch-steps 7
check "walks for one thread" launched --walks 70 --thread-walks 100 --block-warps 1 --launch-steps 300
check "solve 40, launches of one step" solved 40 --walks 100 --thread-walks 3 --launch-steps 1

# The store ------------------------------------------------------------------------------------

check "make 46" made 46 1
stored() { # a search that is killed, and goes on
    rm -f store
    "$program" solve --curves 46.txt --curve random46 --device "$device" --store store > out &
    local job=$! _
    for _ in {1..200}; do
        [ -e store ] && [ "$(wc -l < store)" -ge 200 ] && break
        sleep 0.05
    done
    kill -KILL $job
    wait $job 2> /dev/null
    [ ! -s out ] && cp store before && solved 46 --store store &&
        python3 curves.py 46.txt store store 200 &&
        cmp -n "$(sed '$d' before | wc -c)" before store &&
        [ "$(wc -l < store)" -gt "$(wc -l < before)" ]
}
check "killed, and goes on" stored
solved_again() { # from the store alone
    cp store before
    solved 46 --store store && cmp store before
}
check "the store has the solution" solved_again
torn() { # torn <bytes that the last line lacks>
    head -n -2 store > whole
    head -c -"$1" whole > cut
    solved 46 --store cut && cmp -n "$(sed '$d' whole | wc -c)" whole cut &&
        python3 curves.py 46.txt store cut 100
}
for bytes in 1 20; do
    check "a last line without $bytes bytes" torn $bytes
done

begun() { # begun <bytes>: of the store's first line
    head -c "$1" whole > cut
    solved 46 --store cut && python3 curves.py 46.txt store cut 100 &&
        head -n 1 cut | cmp - <(head -n 1 whole)
}
for bytes in 1 50; do
    check "a first line of $bytes bytes" begun $bytes
done

rejects() { # rejects <exit status> <pattern> <arguments>...: one line on stderr
    local status=$1 pattern=$2
    shift 2
    "$program" "$@" > stdout 2> messages
    local code=$?
    if [ $code -ne "$status" ] || [ -s stdout ] || [ "$(wc -l < messages)" -ne 1 ] ||
        ! grep -q "^pollard: error: .*$pattern" messages; then
        echo "exit status $code, messages:"
        cat messages
        return 1
    fi
}
refused() { # refused <pattern> <bits> <arguments>...: and the store `damaged` is as it was
    local pattern=$1 bits=$2
    shift 2
    cp damaged before
    rejects 1 "$pattern" solve --curves "$bits.txt" --curve "random$bits" --store damaged "$@" &&
        cmp damaged before
}
awk 'NR == 100 {sub(/^./, /^1/ ? "2" : "1")} {print}' store > damaged
check "a damaged point" refused "line 100 is damaged" 46
awk 'NR == 100 {sub(/.$/, /0$/ ? "1" : "0")} {print}' store > damaged
check "a damaged check sum" refused "line 100 is damaged" 46
sed '100d; 101s/ .*//' store > damaged
check "a damaged line" refused "line 100 is damaged" 46
head -c 40 /dev/urandom > damaged
check "no store" refused "not a file of distinguished points" 46
echo text > damaged
check "a text" refused "not a file of distinguished points" 46
cp store damaged
check "the store of another curve" refused "belongs to another curve" 40
check "the store of other points" refused "belongs to another curve" 46 --distinguished 3
check "a folder" rejects 1 "cannot use .: Is a directory" solve --curves 40.txt --curve random40 --store .
in_use() {
    cp store damaged
    flock damaged sleep 3 &
    sleep 0.5
    refused "another program writes to it" 46
    local code=$?
    wait
    return $code
}
command -v flock > /dev/null && check "a store in use" in_use
device_store() {
    rejects 1 "cannot use /dev/full: it is no file" solve --curves 40.txt --curve random40 \
        --store /dev/full
}
check "a device" device_store

# Bad input ------------------------------------------------------------------------------------

line() { # line <pattern> <awk program on the line of 40.txt>
    awk "NR == 2 {$2} {print}" 40.txt > wrong.txt
    check "rejects: $1" rejects 1 "$1" solve --curves wrong.txt --curve random40
}
line "a point is not on the curve" '$6 = "1"; $7 = "1"'
line "a point is not on the curve" '$9 = "fff"'
line "p is not prime" '$2 = "10000000000"'
line "the order is not prime" 'sub(/.$/, "0", $5)'
line "the order is impossible for a curve" '$5 = "10000000f"'
line "the order is not that of the points" '$5 = $2'
line "a or b is not below p" '$3 = "ffffffffffff"'
line "four or eight numbers" '$9 = ""'
line "four or eight numbers" '$10 = "1"'
line "random40: " '$4 = "xyz"'
line "fewer than 20 bits" '$2 = "fff1"'
line "random40: " '$2 = "1" $2 $2 $2 $2'
check "no such curve" rejects 1 "has no curve ECCp-80, but ECCp-79, ECCp-89" bench --curve ECCp-80
check "no such file" rejects 1 "cannot read nothing" bench --curves nothing --curve ECCp-79
check "no curve" rejects 2 "required" solve
check "too many bits" rejects 2 "" make --bits 57
check "too few bits" rejects 2 "" make --bits 19
check "no warps" rejects 2 "block-warps" bench --curve ECCp-79 --block-warps 0
check "too many warps" rejects 2 "block-warps" bench --curve ECCp-79 --block-warps 17
check "no walks for a thread" rejects 2 "thread-walks" bench --curve ECCp-79 --thread-walks 0
check "hexadecimal seed" rejects 2 "found 0x1" make --seed 0x1
check "negative seed" rejects 2 "a whole number from 0 on, found -1" make --seed -1
check "no number of seconds" rejects 2 "found nan" bench --curve ECCp-79 --seconds nan
check "no name of a store" rejects 2 "store: must not be empty" solve --curve ECCp-79 --store ""
check "no bar" rejects 2 "progress" bench --curve ECCp-79 --progress
check "endless curves" rejects 1 "has more than 1048576 bytes" bench --curve x --curves /dev/zero
bar() { # soon, however rare distinguished points are
    timeout 4 "$program" solve --curve ECCp-131 --distinguished 30 --device "$device" --progress \
        2> messages
    [ $? -eq 124 ] && grep -q '^\*' messages
}
check "the bar" bar
own_curves() { # wherever the program lies: they are no file that it opens
    cp "$program" moved && ! ./moved bench --curve nothing 2> messages &&
        grep -q "curves.txt of this sample has no curve nothing, but ECCp-79" messages &&
        ! grep -q "pollard/curves.txt" moved
}
check "the program's own curves" own_curves
check "no distinguished points" rejects 2 "" solve --curve ECCp-79 --distinguished 0
check "no such subcommand" rejects 2 "no subcommand is named crack" crack
examples() {
    "$program" --help > help && grep -q 'pollard make --bits 40 > my.txt' help &&
        "$program" make --bits 40 > my.txt &&
        "$program" solve --curves my.txt --curve random40 --device "$device" > /dev/null
}
check "the examples of --help" examples

finish
