#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: secp256k1_test.sh <path of secp256k1> [device]
# Public keys and signatures against openssl, edge cases against python3's integers, and bad input.
# SIGNATURES=1000000 in the environment makes the demo's check long (default 1000 a curve).
# Exit code 77: skipped, there is no openssl or no python3.
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
needs openssl python3
run() { # run <subcommand> <arguments>...
    local command=$1
    shift
    "$program" "$command" --device "$device" "$@"
}

# Plain affine arithmetic on both curves, and lines for `verify` with the answers that are due.
cat > curves.py << 'PYTHON'
import secrets, sys

CURVES = {  # p, a, b, n, G
    "secp256k1": (2**256 - 2**32 - 977, 0, 7,
        0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141,
        (0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798,
         0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8)),
    "p256": (2**256 - 2**224 + 2**192 + 2**96 - 1, -3,
        0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b,
        0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551,
        (0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
         0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5)),
}
p, a, b, n, G = CURVES[sys.argv[1]]

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
    for bit in bin(k % n)[2:]:
        R = add(R, R)
        if bit == "1":
            R = add(R, P)
    return R

def compressed(P): return "%02x%064x" % (2 + P[1] % 2, P[0])
def full(P): return "04%064x%064x" % P

def valid(Q, hash_text, r, s):  # SEC 1, 4.1.4
    if not (0 < r < n and 0 < s < n):
        return False
    w = pow(s, -1, n)
    R = add(multiply(int(hash_text[:64], 16) * w, G), multiply(r * w, Q))
    return R is not None and R[0] % n == r

def sign(d, hash_text, k):
    r = multiply(k, G)[0] % n
    return r, pow(k, -1, n) * (int(hash_text[:64], 16) + r * d) % n

def random(): return secrets.randbelow(n - 1) + 1

def lines():
    """Lines for `verify`, each with the answer that is due."""
    def line(Q, h, r, s, key=None, due=None):
        assert key is not None or valid(Q, h, r, s) == due
        return "%s %s %x %x" % (key or full(Q), h, r, s), due
    d = random()
    Q = multiply(d, G)
    h = secrets.token_hex(32)
    r, s = sign(d, h, random())
    yield line(Q, h, r, s, due=True)
    yield line(Q, h, r, s, compressed(Q), True)
    yield line(Q, h, r, n - s, due=True)  # the other signature
    yield line(Q, h, r, s, compressed((Q[0], p - Q[1])), False)
    yield line(multiply(random(), G), h, r, s, due=False)
    yield line(Q, secrets.token_hex(32), r, s, due=False)
    yield line(Q, h, s, r, due=False)
    for bad_r, bad_s in [(0, s), (r, 0), (0, 0), (n, s), (r, n), (r + n, s), (r, s + n), (n, n),
                         (2**256 - 1, s), (r, 2**256 - 1)]:
        if max(bad_r, bad_s) < 2**256:
            yield line(Q, h, bad_r, bad_s, due=False)
    # Hashes: longer than n, shorter, zero, equal to n and beyond it.
    for text in [secrets.token_hex(64), secrets.token_hex(48), secrets.token_hex(20), "00" * 32,
                 "%064x" % n, "ff" * 32, "ff" * 64]:
        yield line(Q, text, *sign(d, text, random()), due=True)
    # Keys that are no points.
    yield line(Q, h, r, s, "04%064x%064x" % (Q[0], (Q[1] + 1) % p), False)
    yield line(Q, h, r, s, "04" + "00" * 64, False)
    yield line(Q, h, r, s, "04%064x%064x" % (p + 1, Q[1]), False)
    yield line(Q, h, r, s, "04%064x%064x" % (Q[0], 2**256 - 1), False)
    for first in ["01", "05", "06", "07", "0c", "ff"]:
        yield line(Q, h, r, s, first + full(Q)[2:], False)
        yield line(Q, h, r, s, first + compressed(Q)[2:], False)
    yield line(Q, h, r, s, "00" + compressed(Q)[2:], False)
    yield line(Q, h, r, s, "02" + "ff" * 32, False)
    x = 1
    while pow(x**3 + a * x + b, (p - 1) // 2, p) == 1:
        x += 1
    yield line(Q, h, r, s, "02%064x" % x, False)
    # The sum u1 G + u2 Q: infinite for hash = -r d; equal terms, whose sum is a doubling, for
    # hash = r d; u1 = 0; Q = G, -G, 2 G.
    for _ in range(3):
        r, s = random(), random()
        yield line(Q, "%064x" % (-r * d % n), r, s, due=False)
    k = random()
    r = multiply(k, G)[0] % n
    h = "%064x" % (r * d % n)
    yield line(Q, h, r, 2 * r * d * pow(k, -1, n) % n, due=True)
    for d in [1, n - 1, 2, n - 2, 3]:
        Q = multiply(d, G)
        for h in ["%064x" % random(), "00" * 32, "%064x" % 1]:
            yield line(Q, h, *sign(d, h, random()), compressed(Q), True)
            for k in [1, 2, n - 1]:
                yield line(Q, h, *sign(d, h, k), due=True)
    # x in [n, p): r = x - n is the signature's, and x itself is too large.
    x = n + 1
    while pow(x**3 + a * x + b, (p - 1) // 2, p) != 1:
        x += 1
    R = (x, pow(x**3 + a * x + b, (p + 1) // 4, p))
    r, s = x - n, random()
    Q = multiply(s * pow(r, -1, n), R)  # with the hash 0: R = r / s Q
    yield line(Q, "00" * 32, r, s, due=True)
    yield line(Q, "00" * 32, x, s, due=False)
    yield line(Q, "00" * 32, r + 1, s, due=False)

if sys.argv[2] == "edges":
    for text, answer in lines():
        print(text, "ok" if answer else "bad")
elif sys.argv[2] == "keys":
    for line in sys.stdin:
        print(compressed(multiply(int(line, 16), G)))
elif sys.argv[2] == "order":
    print("%x" % (n + int(sys.argv[3])))
PYTHON

for curve in secp256k1 p256; do
    python() { python3 curves.py $curve "$@"; }
    openssl_name=$([ $curve = p256 ] && echo prime256v1 || echo secp256k1)

    # Public keys ----------------------------------------------------------------------------
    printf '%s\n' 1 2 3 ff 100 ffff 0x10000 "$(python order -1)" "$(python order -2)" \
        > private.txt
    openssl rand -hex 320 | fold -w 64 | sed 's/^f/e/' >> private.txt
    same_keys() {
        run pubkeys --curve $curve --in private.txt --out keys.txt &&
            [ "$(wc -l < keys.txt)" -eq 19 ] && python keys < private.txt | cmp - keys.txt
    }
    check "$curve: public keys are those of plain arithmetic" same_keys
    same_as_openssl() {
        local i
        for i in 1 2 3 4 5; do
            openssl ecparam -name $openssl_name -genkey -noout -out key.pem
            openssl ec -in key.pem -text -noout -conv_form compressed 2> /dev/null |
                awk '/^priv/ {part = "private"; next} /^pub/ {part = "public"; next}
                     /^ASN1/ {part = ""} part != "" {gsub(/[ :]/, ""); text[part] = text[part] $0}
                     END {print text["private"] > "private"; print text["public"] > "public"}'
            run pubkeys --curve $curve < <(sed 's/^00//' private) | cmp - public || return 1
        done
    }
    check "$curve: public keys are those of openssl" same_as_openssl
    consecutive() { # consecutive <from> <count>
        run consecutive --curve $curve --from "$1" --count "$2" > keys.txt &&
            python3 -c "import sys
for i in range($2): print('%x' % (int('$1', 16) + i))" > private.txt &&
            run pubkeys --curve $curve --in private.txt | cmp - keys.txt
    }
    check "$curve: consecutive keys from 1" consecutive 1 2000
    check "$curve: one consecutive key" consecutive 5 1
    check "$curve: consecutive keys of two batches" consecutive deadbeef 66000
    check "$curve: the last consecutive keys" consecutive "$(python order -700)" 700
    check "$curve: the very last key" consecutive "$(python order -1)" 1

    # Signatures -----------------------------------------------------------------------------
    edges() {
        python edges > edges.txt && [ "$(grep -c ok edges.txt)" -ge 30 ] || return 1
        cut -d' ' -f1-4 edges.txt | run verify --curve $curve > answers.txt
        [ $? -eq 1 ] && cut -d' ' -f5 edges.txt | cmp - answers.txt
    }
    check "$curve: edge cases of signatures" edges
    parts() { # on one thread of a CPU, parts of 256: one signature, whole parts, others
        local count
        for count in 1 256 257 800; do
            for _ in {1..8}; do cat edges.txt; done | shuf | head -n $count > some.txt
            cut -d' ' -f1-4 some.txt | WARPINT_CPU_THREADS=1 run verify --curve $curve > answers.txt
            cut -d' ' -f5 some.txt | cmp - answers.txt || return 1
        done
    }
    check "$curve: signatures in parts" parts
    all_good() {
        grep 'ok$' edges.txt | cut -d' ' -f1-4 > good.txt
        run verify --curve $curve --in good.txt --out answers.txt && ! grep -qv '^ok$' answers.txt
    }
    check "$curve: exit status 0 where all are good" all_good
    demo() {
        run demo --curve $curve --signatures "${SIGNATURES:-1000}" --seconds 0.1 > report.txt ||
            { cat report.txt; return 1; }
        [ "$(grep -c '^ok ' report.txt)" -eq 3 ] &&
            grep -q "^ok  *${SIGNATURES:-1000} signatures verified" report.txt &&
            [ "$(grep -c '^rate .* /s, OpenSSL .* times$' report.txt)" -eq 2 ] &&
            grep -q '^rate  *verify again  *[1-9][0-9.e+]* /s$' report.txt &&
            grep -q '^rate  *consecutive keys  *[1-9][0-9.e+]* /s$' report.txt # OpenSSL has none
    }
    check "$curve: ${SIGNATURES:-1000} signatures by OpenSSL" demo
    check "$curve: demo --json" json "len(r['rates']) == 4 and len(r['checks']) == 3" run demo --curve $curve \
        --signatures 100 --seconds 0.01
done
other_curve() {
    run verify --curve secp256k1 --in good.txt > answers.txt # of p256
    [ $? -eq 1 ] && ! grep -q ok answers.txt
}
check "signatures of the other curve are bad" other_curve

# Bad input ------------------------------------------------------------------------------------

rejects() { # rejects <exit status> <pattern> <arguments>...: one line on stderr, no output
    local status=$1 pattern=$2
    shift 2
    rm -f out
    "$program" "$@" --out out < input > stdout 2> messages
    local code=$?
    if [ $code -ne "$status" ] || [ -e out ] || [ -s stdout ] || [ "$(wc -l < messages)" -ne 1 ] ||
        ! grep -q "^secp256k1: error: .*$pattern" messages; then
        echo "exit status $code, messages:"
        cat messages
        return 1
    fi
}
keys() { # keys <pattern> <line>...
    local pattern=$1
    shift
    printf '%s\n' "$@" > input
    check "private keys: $pattern" rejects 1 "$pattern" pubkeys
}
order=$(python3 curves.py secp256k1 order 0)
keys "line 2: the private key is not from 1" 1 0
keys "line 1: the private key is not from 1" "$order"
keys "line 1: the private key is not from 1" "$(printf 'f%.0s' {1..64})"
keys "line 3: .*not a hexadecimal number of up to 256 bits" 1 2 "1$order"
keys "not a hexadecimal" -1
keys "not a hexadecimal" xyz
keys "not a hexadecimal" 0x
keys "no private key" ""
signature() { # signature <pattern> <line>
    { head -n 1 good.txt; echo "$2"; } > input
    check "signature: $1" rejects 1 "line 2: .*$1" verify
}
read -r key hash r s < good.txt
signature "four words" "$key $hash $r"
signature "four words" "$key $hash $r $s 1"
signature "66 or 130 digits, not 129" "${key%?} $hash $r $s"
signature "begins with 04" "$(printf '0%.0s' {1..64})02${key:2:64} $hash $r $s"
signature "the public key is not a hex" "${key%?}g $hash $r $s"
signature "the hash" "$key ${hash}1 $r $s"
signature "the hash" "$key ${hash}zz $r $s"
signature "r is not a hex" "$key $hash x $s"
signature "s is not a hex" "$key $hash $r 1$order"
yes "$(head -n 1 good.txt)" | head -n 2000 | sed '700s/.*/x/; 1900s/.*/x/' > input # read by several threads
check "the first bad line is named" rejects 1 "line 700: " verify
: > input
check "no signature" rejects 1 "no signature" verify
check "no such file" rejects 1 "cannot read nothing" verify --in nothing
check "a directory" rejects 1 "it is a directory" pubkeys --in .
check "consecutive beyond the order" rejects 2 "beyond the group's order" \
    consecutive --from "$(python3 curves.py secp256k1 order -3)" --count 4
check "consecutive from 0" rejects 2 "not from 1" consecutive --from 0 --count 4
check "consecutive count 0x10" rejects 2 "found 0x10" consecutive --from 1 --count 0x10
check "consecutive count 0" rejects 2 "from 1 on, found 0" consecutive --from 1 --count 0
check "no such curve" rejects 2 "" pubkeys --curve p521
check "no such subcommand" rejects 2 "no subcommand is named sign" sign
unwritable() {
    ! run verify --in good.txt --curve p256 --out no/out 2> messages &&
        grep -q "cannot write no/out" messages
}
check "unwritable output" unwritable
full() {
    ! run consecutive --from 1 --count 10000 --out /dev/full 2> messages &&
        grep -q "cannot write /dev/full" messages
}
check "full output" full
interrupted() {
    timeout -s INT 1 "$program" consecutive --from 1 --count 1000000000 --out out
    [ $? -eq 124 ] && [ -z "$(ls out* 2> /dev/null)" ]
}
check "interrupted: nothing left" interrupted
help_examples() {
    "$program" --help > help && grep -q 'secp256k1 pubkeys' help && grep -q 'demo --curve' help &&
        [ "$(printf '1\n2\n3\n' | run pubkeys)" = "$(run consecutive --from 1 --count 3)" ]
}
check "the examples of --help" help_examples

finish
