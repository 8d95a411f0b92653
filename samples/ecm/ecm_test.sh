#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: ecm_test.sh <path of ecm> [device]
# Factors against coreutils' factor, points after stage 1 against a plain implementation in python3,
# and bad input. Exit code 77: skipped, there is no factor or no python3.
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
needs factor python3
ecm=$program

run() { # run <arguments>...
    "$ecm" "$@" --device "$device"
}

# Factors ------------------------------------------------------------------------------------------

equals_factor() { # equals_factor <expression> <arguments>...
    local expression=$1
    run "$@" > out && grep -v '^#' out > found &&
        factor "$(python3 -c "print(${expression//^/**})" | sed 's/\.0$//')" > expected &&
        cmp expected found
}
for number in 1 2 97 100 1024 65537 10007 9999999967 10000600009 1000036000099 \
    340282366920938463463374607431768211455 2^67-1 2^101-1 10^21+1 2^59+1 2^97-1 3^40-2^20 \
    "(2^61-1)*(2^31-1)" "(10^17+3)*(10^9+7)*4" "(10^7+19)^3" 2^64 2^89-1 2^127-1; do
    check "factors of $number" equals_factor "$number" --b1 2000
done

check "--json" json "r['number'] == str(2**67 - 1) and r['primes'] == '193707721 761838257287' and r['left'] == ''" \
    run 2^67-1 --b1 2000
left_json() { # a number that is left: the object says so, and the exit status
    run "(2^61-1)*(2^63-25)" --b1 250 --b2 300 --curves 1 --json > out 2> messages
    [ $? -eq 1 ] && python3 -c 'import json
r = json.load(open("out"))
assert r["left"] == str((2**61 - 1) * (2**63 - 25)) and r["primes"] == "" and r["rates"]'
}
check "--json: a composite number is left" left_json
given_factors() { # given_factors <expression> <prime factors>...: too long for factor
    local expression=$1
    shift
    run "$expression" --b1 11000 | grep -v '^#' > found &&
        python3 -c 'import sys
from functools import reduce
number, *factors = map(int, sys.argv[1:])
assert reduce(lambda a, b: a * b, factors) == number
print(f"{number}:", *factors)' "$(python3 -c "print(${expression//^/**})")" "$@" > expected &&
        cmp expected found
}
check "factors of 2^151-1" given_factors 2^151-1 18121 55871 165799 2332951 7289088383388253664437433
check "factors of 2^223-1" given_factors 2^223-1 18287 196687 1466449 2916841 1469495262398780123809 \
    596242599987116128415063
check "factors of about 700 bits" given_factors "(2^607-1)*(10^9+9)*(10^10+19)" 1000000009 \
    10000000019 "$(python3 -c 'print(2**607-1)')"

# Curves -------------------------------------------------------------------------------------------

cat > oracle.py <<'P'
# oracle.py <n> <b1> <sigma> <count>: x of the points after stage 1, by additions with a y and
# Weierstrass' form, which is another way than the program's. With <b2> behind, for a prime n: the
# stage at whose end the point is the one at infinity modulo n, or 0. A prime q in stage 2 comes with
# its mirror image about the nearest multiple of 210.
import sys
n, b1, sigma, count = map(int, sys.argv[1:5])
b2 = int(sys.argv[5]) if len(sys.argv) > 5 else 0
def primes(limit): return [p for p in range(2, limit + 1) if all(p % d for d in range(2, int(p**.5) + 1))]
for s in range(sigma, sigma + count):
    u, v = s * s - 5, 4 * s
    a = (v - u)**3 * (3 * u + v) * pow(4 * u**3 * v, -1, n) - 2
    x = pow(u, 3, n) * pow(v, -3, n) % n
    # b y^2 = x^3 + a x^2 + x with y = 1; with X = (x + a/3) / b, Y = y / b: Y^2 = X^3 + A X + B.
    b = (x**3 + a * x * x + x) % n
    third, inverse_b = pow(3, -1, n), pow(b, -1, n)
    A = (3 - a * a) * third * inverse_b**2 % n
    def add(P, Q):
        if P is None or Q is None: return P or Q
        if P[0] == Q[0]:
            if (P[1] + Q[1]) % n == 0: return None
            slope = (3 * P[0]**2 + A) * pow(2 * P[1], -1, n)
        else:
            slope = (Q[1] - P[1]) * pow(Q[0] - P[0], -1, n)
        X = (slope * slope - P[0] - Q[0]) % n
        return X, (slope * (P[0] - X) - P[1]) % n
    P = ((x + a * third) * inverse_b % n, inverse_b)
    def times(k, P):
        R = None
        for bit in bin(k)[2:]:
            R = add(R, R)
            if bit == "1": R = add(R, P)
        return R
    for p in primes(b1):
        power = p
        while power * p <= b1: power *= p
        P = times(power, P)
    if b2 == 0: print(s, (P[0] * b - a * third) % n)
    elif P is None: print(s, 1)
    else:
        found = any(times(q, P) is None or times((q + 105) // 210 * 420 - q, P) is None
                    for q in primes(b2) if q > b1)
        print(s, 2 if found else 0)
P

points_equal_python() { # points_equal_python <expression> <b1> <sigma> <count>
    run "$1" --b1 "$2" --sigma "$3" --curves "$4" --points > found &&
        python3 oracle.py "$(python3 -c "print(${1//^/**})")" "$2" "$3" "$4" > expected &&
        cmp expected found && [ "$(wc -l < found)" = "$4" ]
}
check "points modulo a prime of 61 bits" points_equal_python 2^61-1 250 6 5
check "points of 128 bits" points_equal_python 2^127-1 300 42 3
check "points of 256 bits" points_equal_python 2^251-9 700 1000000 3
check "points of 512 bits" points_equal_python 2^511-187 400 7 2
check "points of 1024 bits" points_equal_python 2^1023-361 400 2147483000 2

# The order of a curve decides whether and where it finds a factor.
stages() { # stages <prime> <b1> <b2> <sigma> <count>
    local sigma stage
    for ((sigma = $4; sigma < $4 + $5; ++sigma)); do
        run "$1*(2^127-1)" --b1 "$2" --b2 "$3" --sigma $sigma --curves 1 > out 2> messages
        stage=$(sed -n "s/.*found *$1 by .* in stage //p" out)
        echo "$sigma ${stage:-0}"
    done > found
    python3 oracle.py "$1" "$2" "$4" "$5" "$3" > expected && cmp expected found &&
        [ "$(cut -d' ' -f2 found | sort -u | wc -l)" -eq 3 ] # all three cases occur
}
check "stages" stages 1000003 250 3000 6 40
check "stages, bounds that are primes" stages 1000003 257 2999 100 40

help_examples() { # the first ones that --help shows
    "$ecm" --help | grep -E '^  ecm' > commands
    [ "$(wc -l < commands)" -eq 4 ] && PATH=$(dirname "$ecm"):$PATH bash -e commands > out
}
check "the examples of --help" help_examples
help_has_what_the_program_has() { # --results only with MPI, in the examples too
    local count
    count=$("$ecm" --help | grep -c -E -e '^ +(mpirun .*)?--results ')
    [ "$count" -eq 0 ] || [ "$count" -eq 2 ]
}
check "--help shows the options of this build" help_has_what_the_program_has

# Bad input ----------------------------------------------------------------------------------------

rejects() { # rejects <pattern> <arguments>...: one line on stderr that matches
    local pattern=$1 code
    shift
    timeout 20 "$ecm" "$@" --device "$device" > out 2> messages
    code=$?
    if [ $code -eq 0 ] || [ $code -ge 124 ] || [ "$(wc -l < messages)" -ne 1 ] ||
        ! grep -q "^ecm: error: .*$pattern" messages; then
        echo "exit code $code, stderr:"
        cat messages
        return 1
    fi
    status=$code
}
for text in "" " " x 2^ ^2 2++3 "(2" "2)" 0x10 1e5 "2 ^ 3" 2.5 +5 --5 "$(head -c 90000 /dev/urandom | base64 -w 0)"; do
    check "rejects: '${text:0:20}'" rejects "" "$text"
done
wrong_argument() { # wrong_argument <pattern> <arguments>...: exit status 2
    rejects "$@"
    [ $? -eq 0 ] && [ "$status" -eq 2 ]
}
check "rejects: a missing number" wrong_argument "a number is missing at position 3" 2^
check "rejects: 0" wrong_argument "no factors" 5-5
check "rejects: negative" rejects "negative" 5-7
check "rejects: a remainder" rejects "remainder" 7/2
check "rejects: division by zero" rejects "a division by 0 at" "7/(1-1)"
check "rejects: 2^1024" rejects "1024 bits" 2^1024
widest_number() { # of as many bits as there may be, also where it is longer on the way
    run 2^1024-1 --b1 250 --b2 1000 --curves 1 > out 2> messages
    grep -q "^$(python3 -c 'print(2**1024 - 1)'): 3 5 17 257 " out &&
        run 2^1025/2^1000 | grep -q "^33554432: 2 2 "
}
check "a number of 1024 bits" widest_number
check "rejects: a long result" rejects "1024 bits" "2^1025/2"
check "rejects: a tower" rejects "2048 bits" 9^9^9^9
check "rejects: long digits" rejects "2048 bits" "$(head -c 100000 /dev/zero | tr '\0' 9)"
check "rejects: nesting" rejects "nesting" "$(head -c 50000 /dev/zero | tr '\0' '(')"
check "rejects: nested powers" rejects "nesting" "1$(printf '^1%.0s' $(seq 20000))"
check "rejects: two numbers" rejects "" 5 7
check "rejects: none" rejects ""
check "rejects: b1" rejects "" 15 --b1 10
check "rejects: b2" rejects "" 15 --b2 4000000000
check "rejects: sigma" rejects "" 15 --sigma 5
check "rejects: curves" wrong_argument "from 1 to 1099511627776, found 0" 15 --curves 0
check "rejects: hexadecimal curves" wrong_argument "found 0x10" 15 --curves 0x10
check "rejects: points of an even number" wrong_argument "odd" 2^61 --points --curves 3 --sigma 6
bar() {
    run 2^251-9 --points --sigma 6 --curves 200 --b1 20000 --progress > out 2> messages &&
        grep -q points messages && grep -Eq '^\*{51}$' messages
}
check "the bar of --points" bar
check "rejects: points without sigma" rejects "sigma" 2^61-1 --points --curves 3
check "a composite is left" rejects "is left" "(2^61-1)*(2^63-25)" --b1 250 --b2 1000 --curves 2
full() {
    run 15 > /dev/full 2> messages
    [ $? -eq 1 ]
}
check "rejects: full device" full

finish
