#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: paillier_test.sh <path of paillier> [device]
# python3 decrypts what the program encrypts, adds and multiplies, and encrypts what it decrypts.
# Exit code 77: skipped, there is no python3.
set -u

paillier=$(realpath "$1")
[ -x "$paillier" ] || { echo "no program $paillier"; exit 1; }
device=${2:-auto}
command -v python3 > /dev/null || { echo "skipped: no python3"; exit 77; }

folder=$(mktemp -d)
messages=$folder.messages
trap 'rm -rf "$folder" "$messages"' EXIT
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

# The trusted calculator: Paillier's scheme as in the paper, by lambda and mu ---------------------

cat > calculator.py << 'END'
import math, random, sys

def lines(path):
    return open(path).read().split()

def numbers(path, base):
    return [int(line, base) for line in lines(path)]

def private(name):
    word, p, q = lines(name + ".private")
    assert word == "paillier-private-key"
    return int(p, 16), int(q, 16)

def decrypted(name, path):
    p, q = private(name)
    n = p * q
    lam = math.lcm(p - 1, q - 1)
    mu = pow((pow(n + 1, lam, n * n) - 1) // n, -1, n)
    result = []
    for c in numbers(path, 16):
        assert 0 < c < n * n
        m = (pow(c, lam, n * n) - 1) // n * mu % n
        result.append(m - n if m > n // 2 else m)
    return result

def is_prime(n):  # five strong tests, for numbers that nobody chose to fool them
    s = ((n - 1) & -(n - 1)).bit_length() - 1
    def passes(base):
        x = pow(base, (n - 1) >> s, n)
        return x in (1, n - 1) or any((x := x * x % n) == n - 1 for _ in range(s - 1))
    return all(map(passes, (2, 3, 5, 7, 11)))

command, *rest = sys.argv[1:]
if command == "key":  # key <name> <bits>
    p, q = private(rest[0])
    word, n = lines(rest[0] + ".public")
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
    assert len(set(lines(rest[1]))) == len(values)
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
elif command == "encrypt":  # encrypt <name> <values> <ciphertexts>
    n = int(lines(rest[0] + ".public")[1], 16)
    encrypted = [(1 + m % n * n) * pow(random.SystemRandom().randrange(1, n), n, n * n) % (n * n)
                 for m in numbers(rest[1], 10)]
    open(rest[2], "w").writelines(f"{c:X}\n" for c in encrypted)
elif command == "square":  # square <name>: n^2, which is no ciphertext
    print(f"{int(lines(rest[0] + '.public')[1], 16) ** 2:x}")
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
several_batches() {
    seq -300 300 > a && run encrypt --key key2048.public --in a --column 1 --out a.enc &&
        run decrypt --key key2048.private --in a.enc --out - | cmp a - &&
        run add --key key2048.public --in a.enc --out sum.enc && calculate sum key2048 sum.enc a
}
check "several batches" several_batches
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
check "csv: quotes" csv 'the "pay"' '"a,b","the ""pay"""\n"c,d","007"\n' "7"
check "demo" run demo --rows 40 --seconds 0.001 > demo
demo_lines() { [ "$(grep -c ' per second$' demo)" -eq 5 ] && grep -q '^Every result' demo; }
check "demo: lines" demo_lines

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
bad "table.csv: line 1: it has no column 3" encrypt --key key2048.public --in table.csv --column 3
bad "table.csv: line 1: column 2: " encrypt --key key2048.public --in table.csv --column 2
bad "table.csv: line 2: column name: " encrypt --key key2048.public --in table.csv --column name
for text in "" 1.5 1e3 0x10 "$(calculate half key2048)" "-$(calculate half key2048)"; do
    printf 'pay,x\n5,\n%s,\n' "$text" > bad.csv
    bad "bad.csv: line 3: " encrypt --key key2048.public --in bad.csv --column pay
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
bad "bad.public: .*line 1" add --key bad.public --in a.enc
sed '2s/.$/1/; 3s/.$/1/' key2048.private > bad.private
sed '3d; 2p' key2048.private > same.private
bad "not two primes" decrypt --key same.private --in a.enc
if ! cmp -s bad.private key2048.private; then
    bad "not two primes" decrypt --key bad.private --in a.enc
fi
for text in "" 0 -1 xyz "$(calculate square key2048)" "$(calculate square key3072)"; do
    sed "3s/.*/$text/" a.enc > bad.enc
    bad "bad.enc: .*line 3" decrypt --key key2048.private --in bad.enc
    bad "bad.enc: .*line 3" scale --key key2048.public --in bad.enc --by 2
done
bad "empty is empty" decrypt --key key2048.private --in empty
head -c 1000 /dev/urandom > random
bad "random: .*line 1" add --key key2048.public --in random
head -n 2 a.enc > two
bad "has 601 lines and two has 2" add --key key2048.public --in a.enc two
bad "--by: " scale --key key2048.public --in two --by 1.5
bad "cannot read nothing" add --key key2048.public --in nothing
check "rejects: full device" rejects 1 "No space left" decrypt --key key2048.private --in two \
    --out /dev/full --device "$device"
check "rejects: no such folder" rejects 1 "cannot write no/key.public" keygen --out no/key
check "rejects: bits" rejects 2 "bits" keygen --bits 1024 --out new
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
    [ "$(grep -c . <<< "$commands")" -eq 7 ] && [ "$(eval "set -e; $commands")" = -2 ] &&
        [ "$(paillier decrypt --key mine.private --in both.enc --out - | tr '\n' ' ')" = "6 -5 " ]
}
program=$paillier
check "the examples of --help" help_examples

echo "$passed checks passed, $failed failed"
[ "$failed" -eq 0 ]
