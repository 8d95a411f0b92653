#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: paillier_test.sh <path of paillier> [device]
# python3 decrypts what the program encrypts, adds and multiplies, and encrypts what it decrypts.
# Exit code 77: skipped, there is no python3.
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
needs python3
paillier=$program

# The trusted calculator: Paillier's scheme as in the paper, by lambda and mu ---------------------

cat > calculator.py << 'END'
import math, random, sys

def lines(path):
    return open(path).read().split()

def numbers(path, base):
    return [int(line, base) for line in lines(path)]

def ciphertexts(path, n):  # as many of one length as the first line says, of the key that it names
    word, last_digits, count, *rest = lines(path)
    digits = n.bit_length() // 2
    assert word == "paillier-ciphertexts" and int(last_digits, 16) == n % 2**64
    assert len(last_digits) == 16 and int(count) == len(rest) > 0
    assert all(len(c) == digits for c in rest)
    return [int(c, 16) for c in rest]

def private(name):
    word, p, q = lines(name + ".private")
    assert word == "paillier-private-key"
    return int(p, 16), int(q, 16)

def decrypted(name, path):
    p, q = private(name)
    n = p * q
    lam = math.lcm(p - 1, q - 1)
    inverse = pow(p * p, -1, q * q)
    def power(c):  # c^lam modulo n^2, from the squares of p and q
        x, y = pow(c, lam, p * p), pow(c, lam, q * q)
        return x + p * p * ((y - x) * inverse % (q * q))
    mu = pow((power(n + 1) - 1) // n, -1, n)
    result = []
    for c in ciphertexts(path, n):
        assert 0 < c < n * n
        m = (power(c) - 1) // n * mu % n
        result.append(m - n if m > n // 2 else m)
    return result

def is_prime(n):  # five strong tests, for numbers that nobody chose to fool them
    s = ((n - 1) & -(n - 1)).bit_length() - 1
    def passes(base):
        x = pow(base, (n - 1) >> s, n)
        return x in (1, n - 1) or any((x := x * x % n) == n - 1 for _ in range(s - 1))
    return all(map(passes, (2, 3, 5, 7, 11)))

def jacobi(a, p, q):  # (a / p q), by Euler's criterion
    return (1 if pow(a, p // 2, p) == 1 else -1) * (1 if pow(a, q // 2, q) == 1 else -1)

command, *rest = sys.argv[1:]
if command == "key":  # key <name> <bits> [dj-short]
    p, q = private(rest[0])
    word, n, *base = lines(rest[0] + ".public")
    if rest[2:] == ["dj-short"]:
        assert p % 4 == q % 4 == 3 and math.gcd(p - 1, q - 1) == 2
        h = int(base[0], 16)
        assert len(base) == 1 and len(base[0]) == len(n) and 1 < h < p * q - 1
        assert all(pow(-h, prime // 2, prime) == 1 for prime in (p, q))  # -h is a square
    else:
        assert not base
    assert word == "paillier-public-key" and int(n, 16) == p * q and p != q
    assert int(n, 16).bit_length() == int(rest[1])
    assert p.bit_length() == q.bit_length() == int(rest[1]) // 2
    assert is_prime(p) and is_prime(q)
elif command == "column":  # column <name> <count> <file>: values with the extremes of the key
    p, q = private(rest[0])
    half = p * q // 2
    random.seed(1)
    values = [0, 1, -1, half, -half, half - 1, 1 - half, 2**64, -(2**64)]
    values += [random.randrange(-half, half) >> random.randrange(2000) for _ in values]
    values = (values * (int(rest[1]) // len(values) + 1))[: int(rest[1])]
    open(rest[2], "w").writelines(f"{v}\n" for v in values)
elif command == "decrypts":  # decrypts <name> <ciphertexts> <values>, all ciphertexts different
    values = numbers(rest[2], 10)
    assert decrypted(rest[0], rest[1]) == values and values
    assert len(set(lines(rest[1])[3:])) == len(values)
elif command == "symbols":  # symbols <name> <ciphertexts> <dj-short or textbook>
    # Powers of h have Jacobi symbol 1, random numbers in half of all cases.
    p, q = private(rest[0])
    found = {jacobi(c, p, q) for c in ciphertexts(rest[1], p * q)}
    assert found == ({1} if rest[2] == "dj-short" else {1, -1})
elif command in ("sum", "sums", "scaled"):  # ... <name> <result> <values> [<values or factor>]
    p, q = private(rest[0])
    a = numbers(rest[2], 10)
    if command == "sum":
        expected = [sum(a)]
    elif command == "sums":
        expected = [x + y for x, y in zip(a, numbers(rest[3], 10), strict=True)]
    else:
        expected = [x * int(rest[3]) for x in a]
    n = p * q
    wrapped = [(x + n // 2) % n - n // 2 for x in expected]
    assert decrypted(rest[0], rest[1]) == wrapped
elif command == "encrypt":  # encrypt <name> <values> <ciphertexts> [dj-short]
    n = int(lines(rest[0] + ".public")[1], 16)
    secret = random.SystemRandom()
    if rest[3:] == ["dj-short"]:
        h_s = pow(int(lines(rest[0] + ".public")[2], 16), n, n * n)
        power = lambda: pow(h_s, secret.getrandbits(n.bit_length() // 2), n * n)
    else:
        power = lambda: pow(secret.randrange(1, n), n, n * n)
    encrypted = [(1 + m % n * n) * power() % (n * n) for m in numbers(rest[1], 10)]
    with open(rest[2], "w") as file:
        print(f"paillier-ciphertexts {n % 2**64:016x} {len(encrypted)}", file=file)
        file.writelines(f"{c:0{n.bit_length() // 2}X}\n" for c in encrypted)
elif command == "number":  # number <name> <formula of n, p, q>: in the length of a ciphertext
    p, q = private(rest[0])
    n = p * q
    print(f"{eval(rest[1]):0{n.bit_length() // 2}x}")
elif command == "lines":  # lines <from> <file> <count>: its first ciphertexts only
    (word, key, _), *body = (line.split() for line in open(rest[0]))
    print(word, key, int(rest[1]))
    for c in body[:int(rest[1])]: print(*c)
elif command == "half":  # half <name>: the first number that does not fit
    print(int(lines(rest[0] + ".public")[1], 16) // 2 + 1)
END
calculate() {
    python3 calculator.py "$@" 2> "$messages" || { tail -n 1 "$messages"; false; }
}
run() { # run <subcommand> <arguments>...
    "$paillier" "$@" --device "$device"
}

# Keys and values -------------------------------------------------------------------------------

new_key() { # new_key <name> <bits>
    run keygen --bits "$2" --out "$1" && calculate key "$1" "$2" &&
        [ "$(stat -c %a "$1.private")" = 600 ]
}
all_steps() { # all_steps <name> <count>
    local name=$1
    calculate column "$name" "$2" a && tac a > b && { echo head,value; sed 's/^/x,/' a; } > a.csv &&
        run encrypt --key "$name.public" --in a.csv --column value --out a.enc &&
        calculate decrypts "$name" a.enc a &&
        run encrypt --key "$name.public" --in b --column 1 --out b.enc &&
        run decrypt --key "$name.private" --in a.enc --out back && cmp a back &&
        run add --key "$name.public" --in a.enc --out sum.enc && calculate sum "$name" sum.enc a &&
        run add --key "$name.public" --in a.enc b.enc --out sums.enc &&
        calculate sums "$name" sums.enc a b &&
        [ "$(stat -c %a back)" = 600 ]
}
scaled() { # scaled <name> <factor>: the ciphertexts of all_steps
    run scale --key "$1.public" --in a.enc --by "$2" --out scaled.enc &&
        calculate scaled "$1" scaled.enc a "$2"
}
theirs() { # theirs <name>: we decrypt what python3 encrypts
    calculate encrypt "$1" a theirs.enc && run decrypt --key "$1.private" --in theirs.enc --out back &&
        cmp a back
}
for bits in 3072 2048; do
    check "$bits bits: key" new_key key$bits $bits
    check "$bits bits: encrypt, add, decrypt" all_steps key$bits 18
    for factor in 12 0 -1; do
        check "$bits bits: scale by $factor" scaled key$bits $factor
    done
    check "$bits bits: python3 encrypts" theirs key$bits
done

# Short exponents: such a key serves both schemes -------------------------------------------------

short_key() { # short_key <bits>
    run keygen --scheme dj-short --bits "$1" --out short$1 && calculate key short$1 "$1" dj-short &&
        [ "$(stat -c %a short$1.private)" = 600 ]
}
short_steps() { # short_steps <bits> <count>
    local name=short$1
    calculate column "$name" "$2" a && tac a > b &&
        run encrypt --scheme dj-short --key "$name.public" --in a --column 1 --out short.enc &&
        calculate decrypts "$name" short.enc a && calculate symbols "$name" short.enc dj-short &&
        run encrypt --key "$name.public" --in b --column 1 --out usual.enc &&
        calculate decrypts "$name" usual.enc b && calculate symbols "$name" usual.enc textbook &&
        run decrypt --key "$name.private" --in short.enc --out back && cmp a back &&
        run add --key "$name.public" --in short.enc --out sum.enc &&
        calculate sum "$name" sum.enc a &&
        run add --key "$name.public" --in short.enc usual.enc --out sums.enc &&
        calculate sums "$name" sums.enc a b &&
        run scale --key "$name.public" --in short.enc --by -3 --out scaled.enc &&
        calculate scaled "$name" scaled.enc a -3
}
short_theirs() { # short_theirs <bits>: we decrypt what python3 encrypts
    calculate encrypt "short$1" a theirs.enc dj-short &&
        run decrypt --key "short$1.private" --in theirs.enc --out back && cmp a back
}
for bits in 3072 2048; do
    check "$bits bits, dj-short: key" short_key $bits
    check "$bits bits, dj-short: encrypt, add, scale, decrypt" short_steps $bits 36
    check "$bits bits, dj-short: python3 encrypts" short_theirs $bits
done
several_short_keys() {
    run keygen --scheme dj-short --count 3 --out djs && calculate key djs-1 2048 dj-short &&
        calculate key djs-2 2048 dj-short && calculate key djs-3 2048 dj-short &&
        [ "$(tail -qn 1 djs-?.public | sort -u | wc -l)" -eq 3 ]
}
check "several keys for dj-short" several_short_keys

several_batches() {
    seq -300 300 > a && run encrypt --key key2048.public --in a --column 1 --out a.enc &&
        run decrypt --key key2048.private --in a.enc --out - | cmp a - &&
        run add --key key2048.public --in a.enc --out sum.enc && calculate sum key2048 sum.enc a
}
check "several batches" several_batches
other_line_ends() { # of another system
    printf '5\n-6\n' > pair && run encrypt --key key2048.public --in pair --column 1 --out pair.enc &&
        sed 's/$/\r/' pair.enc > crlf.enc &&
        run decrypt --key key2048.private --in crlf.enc --out - | cmp pair - &&
        sed 's/$/\r/' key2048.private > crlf.private &&
        run decrypt --key crlf.private --in pair.enc --out - | cmp pair - &&
        run add --key key2048.public --in crlf.enc --out crlf.sum &&
        [ "$(run decrypt --key key2048.private --in crlf.sum --out -)" = -1 ]
}
check "ciphertexts and keys with CRLF" other_line_ends
scaled_by_n() { # n has as many bits as the key
    run scale --key key2048.public --in crlf.enc --out scaled.n \
        --by "$(python3 -c 'print(int(open("key2048.public").read().split()[1], 16))')" &&
        [ "$(run decrypt --key key2048.private --in scaled.n --out - | tr '\n' ' ')" = "0 0 " ]
}
check "scale by n" scaled_by_n
several_keys() {
    run keygen --count 3 --out many && calculate key many-1 2048 && calculate key many-2 2048 &&
        calculate key many-3 2048 && [ "$(sort -u many-?.public | wc -l)" -eq 4 ]
}
check "several keys" several_keys
csv() { # csv <column> <text> <expected>
    printf "$2" > table.csv
    run encrypt --key key2048.public --in table.csv --column "$1" --out c &&
        [ "$(run decrypt --key key2048.private --in c --out - | tr '\n' ' ')" = "$3 " ]
}
check "csv: by name" csv pay 'name,pay\nx,5\ny,-6\n' "5 -6"
check "csv: by number, no last end of line" csv 2 'x,5\ny,-6' "5 -6"
check "csv: ends of lines, blanks" csv pay 'name, pay \r\nx, 5 \r\n' "5"
check "csv: byte order mark" csv pay '\xef\xbb\xbfpay,x\n5,1\n' "5"
check "csv: quotes" csv 'the "pay"' '"a,b","the ""pay"""\n"c,d","007"\n' "7"
check "demo" run demo --rows 40 --seconds 0.001 > demo
demo_lines() { [ "$(grep -c '^rate .* /s$' demo)" -eq 6 ] && [ "$(grep -c '^ok ' demo)" -eq 8 ]; }
check "demo: lines" demo_lines
check "demo --json" json "r['bits'] == 2048 and r['rows'] == 40 and len(r['rates']) == 6 and len(r['checks']) == 8" \
    run demo --rows 40 --seconds 0.001

# Bad input -------------------------------------------------------------------------------------

rejects() { # rejects <exit code> <pattern> <arguments>...: one line on stderr, nothing written
    local code=$1 pattern=$2 before after got
    shift 2
    before=$(ls -A)
    "$paillier" "$@" > /dev/null 2> "$messages"
    got=$?
    after=$(ls -A)
    if [ $got -ne "$code" ] || [ "$before" != "$after" ] || [ "$(wc -l < "$messages")" -ne 1 ] ||
        ! grep -qE "^paillier: error: .*$pattern" "$messages"; then
        echo "exit code $got, stderr:"
        cat "$messages"
        return 1
    fi
}
bad() { # bad <pattern> <subcommand> <arguments>...
    check "rejects: $*" rejects 1 "$@" --out new --device "$device"
}
printf 'name,pay\nx,5\ny,6\n' > table.csv
bad "has no column named age" encrypt --key key2048.public --in table.csv --column age
printf 'pay,x,pay\n5,x,6\n' > twins.csv
bad "twins.csv has two columns named pay" encrypt --key key2048.public --in twins.csv --column pay
bad "table.csv: line 1: it has no column 3" encrypt --key key2048.public --in table.csv --column 3
bad "table.csv: line 1: column 2: " encrypt --key key2048.public --in table.csv --column 2
bad "table.csv: line 2: column name: " encrypt --key key2048.public --in table.csv --column name
no_type() { ! grep -q '::' "$messages"; }
for text in "" 1.5 1e3 0x10 "$(calculate half key2048)" "-$(calculate half key2048)"; do
    printf 'pay,x\n5,\n%s,\n' "$text" > bad.csv
    bad "bad.csv: line 3: " encrypt --key key2048.public --in bad.csv --column pay
    check "no name of a type in the message" no_type
done
printf 'pay\n"5\n' > bad.csv
bad "line 2: a quote is not closed" encrypt --key key2048.public --in bad.csv --column pay
printf 'pay\n' > bad.csv
bad "bad.csv has no rows" encrypt --key key2048.public --in bad.csv --column pay
: > empty
bad "empty has no rows" encrypt --key key2048.public --in empty --column 1
bad "is not a paillier-public-key" encrypt --key key2048.private --in a --column 1
bad "is not a paillier-private-key" decrypt --key key2048.public --in a.enc
bad "is not a paillier-public-key" add --key empty --in a.enc
head -c 400 key2048.public > short.public
bad "is not a key of 2048 or 3072 bits" add --key short.public --in a.enc
sed '2s/.$/0/' key2048.public > even.public
bad "not a product of two primes" add --key even.public --in a.enc
sed '2s/^./g/' key2048.public > bad.public
bad "bad.public: line 2" add --key bad.public --in a.enc
bad "key2048.public has no base for dj-short: .*keygen --scheme dj-short" encrypt \
    --scheme dj-short --key key2048.public --in a --column 1
for text in 0 1 'n - 1' n 'n + 1' p '(p + 1) // 4 * q' "next(h for h in range(2, n) if jacobi(h, p, q) == -1)"; do
    { head -n 2 short2048.public; calculate number short2048 "$text" | tail -c 513; } > bad.public
    for scheme in dj-short textbook; do
        bad "bad.public: line 3" encrypt --scheme $scheme --key bad.public --in a --column 1
    done
done
sed '3s/^./g/' short2048.public > bad.public
bad "bad.public: line 3" encrypt --scheme dj-short --key bad.public --in a --column 1
sed '3s/^.//' short2048.public > bad.public
bad "bad.public: line 3: it has not the digits of n" add --key bad.public --in short.enc
sed '3s/$/0/' short2048.public > bad.public
bad "bad.public: line 3: it has not the digits of n" add --key bad.public --in short.enc
sed '3p' short2048.public > bad.public
bad "is not a paillier-public-key" add --key bad.public --in short.enc
sed '2d' short2048.public > bad.public # without n: its base, which is even or too short or another number
bad "is not a key|not a product|belongs to another key" add --key bad.public --in short.enc
sed '2s/.$/1/; 3s/.$/1/' key2048.private > bad.private
sed '3d; 2p' key2048.private > same.private
bad "not two primes" decrypt --key same.private --in a.enc
if ! cmp -s bad.private key2048.private; then
    bad "not two primes" decrypt --key bad.private --in a.enc
fi
for text in "" 0 -1 xyz "$(calculate number key2048 'n * n')" "$(calculate number key2048 n)" \
    "$(calculate number key2048 p)" "$(calculate number key2048 0)" \
    "$(calculate number key2048 'n * n - q')" "$(calculate number key3072 'n + 1')"; do
    sed "3s/.*/$text/" a.enc > bad.enc
    bad "bad.enc: .*line 3" decrypt --key key2048.private --in bad.enc
    bad "bad.enc: .*line 3" scale --key key2048.public --in bad.enc --by 2
done
bad "empty is not a file of ciphertexts" decrypt --key key2048.private --in empty
head -c 1000 /dev/urandom > random
bad "random is not a file of ciphertexts" add --key key2048.public --in random
calculate lines a.enc 2 > two
bad "a.enc belongs to another key" decrypt --key many-1.private --in a.enc
bad "a.enc belongs to another key" add --key many-2.public --in a.enc
bad "a.enc belongs to another key" scale --key key3072.public --in a.enc --by 2
for bytes in 1000 2100 100000; do # a cut file, within a line or where one ends
    head -c $bytes a.enc > cut
    bad "cut is damaged|cut: line" decrypt --key key2048.private --in cut
done
head -n 100 a.enc > cut
bad "cut is damaged" add --key key2048.public --in cut
head -c -1 a.enc > cut
bad "cut is damaged" decrypt --key key2048.private --in cut
sed '$p' a.enc > long
bad "long is damaged" decrypt --key key2048.private --in long
sed '5s/^.//' a.enc > short
bad "short: line 5: not a ciphertext" decrypt --key key2048.private --in short
bad "has more than 65536 bytes" decrypt --key /dev/zero --in a.enc
bad "has 601 lines and two has 2" add --key key2048.public --in a.enc two
check "rejects: --by" rejects 2 "by: expected a decimal digit" scale --key key2048.public \
    --in two --by 1.5 --out new --device "$device"
bad "cannot read nothing" add --key key2048.public --in nothing
check "rejects: full device" rejects 1 "No space left" decrypt --key key2048.private --in two \
    --out /dev/full --device "$device"
check "rejects: no such folder" rejects 1 "cannot write no/key.public" keygen --out no/key
check "rejects: standard output" rejects 2 "two files" keygen --out -
check "rejects: bits" rejects 2 "bits" keygen --bits 1024 --out new
check "rejects: an unknown scheme" rejects 2 "scheme" encrypt --scheme dj --key key2048.public \
    --in a --column 1 --out new
check "rejects: hexadecimal bits" rejects 2 "bits" keygen --bits 0x800 --out new

# All files of new keys or none, and old keys stay ------------------------------------------------

sha256sum key2048.* many-* > sums
check "rejects: a private key that is there" rejects 1 "key2048.private is there already" \
    keygen --out key2048 --device "$device"
check "rejects: one of many" rejects 1 "many-1.private is there already" \
    keygen --out many --count 2 --device "$device"
mkdir taken.private other-2.public
check "rejects: a folder in place of the private key" rejects 1 "taken.private: it is a dir" \
    keygen --out taken --device "$device"
check "rejects: a folder in place of one of many" rejects 1 "other-2.public: it is a dir" \
    keygen --out other --count 3 --device "$device"
for command in encrypt add scale decrypt; do
    kind=$([ $command = decrypt ] && echo private || echo public)
    arguments=(--in a.enc)
    [ $command = encrypt ] && arguments=(--in a --column 1)
    [ $command = scale ] && arguments+=(--by 2)
    check "rejects: $command over its key" rejects 1 "key2048.$kind: it is the file of the key" \
        $command --key key2048.$kind "${arguments[@]}" --out key2048.$kind --device "$device"
done
check "the keys are as they were" sha256sum --quiet -c sums
forced() { run keygen --out many-3 --force && calculate key many-3 2048 && ! sha256sum --status -c sums; }
check "keygen --force" forced
interrupted_keys() {
    local before
    before=$(ls -A)
    timeout --preserve-status -s INT 3 "$paillier" keygen --count 5000 --out new --device cpu
    [ $? -eq 130 ] && [ "$before" = "$(ls -A)" ]
}
check "interrupted keygen: nothing left" interrupted_keys
check "rejects: no subcommand" rejects 2 ""
interrupted() {
    local before
    before=$(ls -A)
    timeout --preserve-status -s INT 0.5 "$paillier" encrypt --key key2048.public \
        --in <(seq 10000000) --column 1 --out new 2> /dev/null
    [ $? -eq 130 ] && [ "$before" = "$(ls -A)" ]
}
check "interrupted: nothing left" interrupted
help_examples() { # the commands of --help, on files that it names
    printf 'name,salary\nx,5\ny,-7\n' > salaries.csv
    printf 'x,1\ny,2\n' > bonus.csv
    local commands
    commands=$("$paillier" --help | grep -E '^  paillier (keygen|encrypt|add|scale|decrypt) ')
    paillier() { "$program" "$@"; }
    [ "$(grep -c . <<< "$commands")" -eq 9 ] && [ "$(eval "set -e; $commands")" = -2 ] &&
        [ "$(paillier decrypt --key mine.private --in both.enc --out - | tr '\n' ' ')" = "6 -5 " ] &&
        [ "$(paillier decrypt --key fast.private --in fast.enc --out - | tr '\n' ' ')" = "1 2 " ]
}
program=$paillier
check "the examples of --help" help_examples

finish
