#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: matrix_test.sh <path of matrix> [device]
# Products, solutions and ranks against python3's integers, and bad input.
# Exit code 77: skipped, there is no python3.
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
needs python3
matrix=$program

run() { # run <command> <arguments>...
    "$matrix" "$@" --device "$device"
}

cat > calculator.py << 'END'
import random, sys

command, modulus, *rest = sys.argv[1:]
m = eval(modulus)

def read(path):
    return [[int(word, 0 if "x" in word else 10) for word in line.split()] for line in open(path)]

def write(path, rows):
    form = random.choice((str, hex))
    open(path, "w").writelines(" ".join(map(form, row)) + "\n" for row in rows)

def times(a, b):
    return [[sum(x * y for x, y in zip(row, column)) % m for column in zip(*b)] for row in a]

def rank(rows):
    rows, found = [row[:] for row in rows], 0
    for k in range(len(rows[0])):
        pivot = next((i for i in range(found, len(rows)) if rows[i][k]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        inverse = pow(rows[found][k], -1, m)
        for i in range(found + 1, len(rows)):
            f = rows[i][k] * inverse
            rows[i] = [(x - f * y) % m for x, y in zip(rows[i], rows[found])]
        found += 1
    return found

def entry(kind):
    if kind == "extreme":
        return random.choice((0, 1, m - 1, m >> 1, (1 << random.randrange(m.bit_length())) % m))
    if kind == "sparse" and random.random() < 0.7:
        return 0
    return m - 1 if kind == "largest" else random.randrange(m)

def drawn(rows, columns, kind):
    return [[entry(kind) for _ in range(columns)] for _ in range(rows)]

if command == "number":
    print(m)
elif command == "draw":  # draw <modulus> <kind> <rows> <inner> <columns>: files a, b, m
    kind, n, inner, columns = rest[0], *map(int, rest[1:])
    random.seed(repr(rest))
    write("a", drawn(n, inner, kind))
    write("b", drawn(inner, columns, kind))
    open("m", "w").write(random.choice((str, hex))(m))
elif command == "draw-system":  # draw-system <modulus> <kind or rank> <rows> <columns>: m a b, and
    kind, n, columns = rest[0], *map(int, rest[1:])  # the rank is printed
    random.seed(repr(rest))
    if kind == "0":
        a = [[0] * n] * n
    elif kind.isdigit():
        a = times(drawn(n, int(kind), "any"), drawn(int(kind), n, "any"))
    else:
        a = drawn(n, n, kind)
    write("a", a)
    write("b", drawn(n, columns, "any"))
    open("m", "w").write(random.choice((str, hex))(m))
    print(rank(a))
elif command == "product":  # product <modulus> <a> <b> <found>
    a, b, c = map(read, rest)
    assert c == times(a, b)
elif command == "solution":  # solution <modulus> <a> <b> <found>
    a, b, x = map(read, rest)
    assert times(a, x) == [[v % m for v in row] for row in b] and len(x) == len(a)
    assert all(0 <= v < m for row in x for v in row)
END
calculate() {
    python3 calculator.py "$@" 2> "$messages" || { tail -n 1 "$messages"; false; }
}
number() { # number <formula>
    calculate number "$1"
}

# Products -----------------------------------------------------------------------------------------

product() { # product <modulus> <kind> <rows> <inner> <columns> [option]...
    calculate draw "${@:1:5}" &&
        run multiply --modulus "$(cat m)" --a a --b b --out c --verify "${@:6}" > report &&
        calculate product "$1" a b c
}
for modulus in 2 3 6 2**61-1 2**64 2**255-19 2**256-1 2**256 2**512-569 2**521-1 2**1024-1 2**1024 2**2048-1; do
    check "product modulo $modulus" product "$modulus" any 7 9 5
    check "extreme entries modulo $modulus" product "$modulus" extreme 5 6 7
done
check "largest entries, 2048 bits" product 2**2048-1 largest 3 40 2
check "largest entries, 256 bits" product 2**256-1 largest 3 300 2
check "one entry" product 2**256-189 any 1 1 1
check "a row and a column" product 2**256-189 any 1 13 1
check "a column and a row" product 2**256-189 any 13 1 11
for inner in 2 3 4 5 8; do
    check "$inner terms" product 2**256-189 any 3 $inner 4
done
check "more entries than are computed at once" product 2**127-1 any 130 3 131
check "hexadecimal" product 2**256-189 any 4 4 4 --hex
all_hexadecimal() { grep -qvE '^0x[0-9a-f]+( 0x[0-9a-f]+)*$' c; [ $? -eq 1 ]; }
check "hexadecimal output" all_hexadecimal

# Systems ------------------------------------------------------------------------------------------

# system <modulus> <kind, or a rank that is not surpassed> <rows> <columns of b>: the solution, or what is said of a
# where it is singular; then no file is written
system() {
    local rank
    rank=$(calculate draw-system "$@")
    if [ "$rank" = "$3" ]; then
        run solve --modulus "$(cat m)" --a a --b b --out x --verify > report &&
            calculate solution "$1" a b x
    else
        rm -f x
        run solve --modulus "$(cat m)" --a a --b b --out x > report 2> "$messages"
        [ $? -eq 1 ] && [ ! -e x ] && [ ! -s report ] &&
            grep -qx "matrix: error: a is singular: its rank is $rank, of $3 rows" "$messages"
    fi
}
for modulus in 2**61-1 2**255-19 2**256-189 2**512-569 2**521-1 2**1024-105 2**1279-1 2**2048-1942289; do
    check "system modulo $modulus" system "$modulus" any 9 1
    check "several right sides modulo $modulus" system "$modulus" any 5 8
    check "extreme entries: system modulo $modulus" system "$modulus" extreme 7 2
    check "many zeros modulo $modulus" system "$modulus" sparse 6 1
    check "rank 4 of 6 modulo $modulus" system "$modulus" 4 6 1
done
for rows in 1 2 3 4 5 6 7 8; do # some of them are singular
    check "$rows rows modulo 2" system 2 any $rows 3
    check "$rows rows modulo 3" system 3 any $rows 2
    check "$rows rows modulo 65537, sparse" system 65537 sparse $rows 1
done
check "100 rows" system 2**255-19 any 100 1
check "no rank" system 2**255-19 0 5 1
check "one row" system 2**255-19 any 1 1
permuted() { # all pivots in other rows
    printf '0 0 1\n1 0 0\n0 1 0\n' > a
    printf '5\n6\n7\n' > b
    run solve --modulus 65537 --a a --b b > x && [ "$(cat x)" = $'6\n7\n5' ]
}
check "a permutation, to standard output" permuted
streams() {
    printf '6\n' > b
    echo 2 | run solve --modulus 0x7 --a - --b b --out - > x && [ "$(cat x)" = 3 ]
}
check "standard input" streams
named() {
    printf '1 2\n2 4\n' > a
    ! run solve --modulus 7 --a - --b a < a 2> "$messages" &&
        grep -q "^matrix: error: standard input is singular: its rank is 1, of 2 rows" "$messages"
}
check "standard input has a name" named
blanks() { # forms of text
    printf ' 007\t0xFf  1\r\n0 2 0003' > a
    printf '1\n0x1\n1\n' > b
    run multiply --modulus 1000 --a a --b b > c && [ "$(cat c)" = $'263\n5' ]
}
check "blanks, zeros, hexadecimal, no end of the last line" blanks

# Random matrices, and reports ---------------------------------------------------------------------

measured() { # measured <command> <bits> <size>
    run "$1" --bits "$2" --size "$3" --seconds 0.001 --verify > report &&
        grep -qE '^rate     (products|systems) +[0-9.e+]+ /s$' report && grep -q '^ok ' report
}
for bits in 64 256 300 2048; do
    check "$bits bits, product" measured multiply $bits 20
    check "$bits bits, system" measured solve $bits 20
done
check "size 1" measured solve 256 1
check "--json: random" json "r['command'] == 'matrix multiply' and r['bits'] == 256 and r['rows'] == 20 \
    and r['rates'][0]['what'] == 'products' and len(r['checks']) == 1" \
    run multiply --bits 256 --size 20 --seconds 0.001 --verify
check "--json: a file" json "r['command'] == 'matrix multiply' and r['rows'] == 2 and r['checks'] == []" \
    run multiply --modulus 1000 --a a --b b --out c
the_file_too() { [ "$(cat c)" = $'263\n5' ]; }
check "--json: the file is written" the_file_too

# Bad input ----------------------------------------------------------------------------------------

rejects() { # rejects <exit code> <pattern> <arguments>...: one line on stderr, nothing written
    local code=$1 pattern=$2 before after got
    shift 2
    before=$(ls -A)
    "$matrix" "$@" > report 2> "$messages"
    got=$?
    after=$(ls -A)
    if [ $got -ne "$code" ] || [ "$before" != "$after" ] || [ "$(wc -l < "$messages")" -ne 1 ] ||
        [ -s report ] || ! grep -qE "^matrix: error: .*$pattern" "$messages"; then
        echo "exit code $got, stderr:"
        cat "$messages"
        return 1
    fi
}
good=$'1 2\n3 4\n'
bad() { # bad <pattern> <text of a> <text of b> [command] [modulus]
    printf '%s' "$2" > a
    printf '%s' "$3" > b
    check "rejects: $1" rejects 1 "$1" "${4:-multiply}" --modulus "${5:-101}" --a a --b b --out new \
        --device "$device"
}
bad "a is empty" "" "$good"
bad "b is empty" "$good" ""
bad "a: row 2 has 1 entries, the first row has 2" $'1 2\n3\n' "$good"
bad "b: row 2 is empty" "$good" $'1\n\n2\n'
bad "a is 2 x 2, b is 3 x 1: they have no product" "$good" $'1\n2\n3\n'
bad "a is 2 x 3: a system needs a square matrix" $'1 2 3\n4 5 6\n' "$good" solve
bad "a is 2 x 2, b is 1 x 2: a system needs as many rows" "$good" $'1 2\n' solve
bad "a: row 2, column 1: not below the modulus" $'1 2\n101 4\n' "$good"
bad "b: row 1, column 2: not below the modulus" "$good" $'1 0x65\n1 2\n'
bad "a: row 1, column 2: not below the modulus" "1 $(number 2**300)" "$good"
bad "a: row 1, column 1: not below the modulus" "$(number 2**5000) 1" "$good"
for text in -1 1.5 0b11 12z 0x 0xg x1 1,2; do
    bad "a: row 2, column 1: .*" $'1 2\n'"$text"$' 4\n' "$good"
done
LC_ALL=C tr -cd '!-~' < "$program" | head -c 1000 > binary
check "rejects: no numbers" rejects 1 "binary: row 1, column 1: " multiply --modulus 7 --a binary --b binary \
    --device "$device"
bad "the modulus 91 is not prime" "$good" "$good" solve 91
bad "the modulus $(number '(2**61-1)**2') is not prime" "$good" "$good" solve "$(number '(2**61-1)**2')"
bad "a is singular: its rank is 1, of 2 rows" $'1 2\n2 4\n' "$good" solve
mkdir directory
check "rejects: no such file" rejects 1 "cannot read nothing: No such file" multiply --modulus 7 \
    --a nothing --b a --device "$device"
check "rejects: a folder" rejects 1 "cannot read directory: it is a directory" multiply --modulus 7 \
    --a directory --b a --device "$device"
printf '%s' "$good" > a
for out in directory no/new; do
    check "rejects: writing $out" rejects 1 "cannot write $out" multiply --modulus 7 --a a --b a \
        --out $out --device "$device"
done
keeps_old() {
    echo old > old
    printf '1 1\n1 1\n' > a
    ! run solve --modulus 7 --a a --b a --out old 2> "$messages" && [ "$(cat old)" = old ]
}
check "an older target is untouched" keeps_old
for modulus in 0 1 -7 7.0 seven 0x 7x "$(number 2**2048)"; do
    check "rejects: modulus $modulus" rejects 2 "modulus: expected a number from 2 on" multiply \
        --modulus="$modulus" --a a --b a --device "$device"
done
check "rejects: no subcommand" rejects 2 "a subcommand is missing"
check "rejects: no b" rejects 2 "belong together" multiply --a a --modulus 7
check "rejects: no modulus" rejects 2 "belong together" multiply --a a --b a
check "rejects: no a" rejects 2 "need --a" multiply --b a
check "rejects: a modulus of random matrices" rejects 2 "need --a" solve --modulus 7
check "rejects: standard input twice" rejects 2 "cannot both be standard input" multiply --modulus 7 \
    --a - --b -
check "rejects: a size of files" rejects 2 "size" multiply --modulus 7 --a a --b a --size 3
check "rejects: a report and a matrix on standard output" rejects 2 "json needs another file" multiply \
    --modulus 7 --a a --b a --json
check "rejects: bits" rejects 2 "bits: expected a whole number from 64 to 2048" multiply --bits 2049
check "rejects: size" rejects 2 "size: expected a whole number from 1 to 16384" multiply --size 0
if ! "$matrix" multiply --device gpu --size 1 --seconds 0.001 > /dev/null 2>&1; then
    check "rejects: no GPU" rejects 1 "GPU" multiply --device gpu
fi
no_output() {
    ! "$matrix" multiply --size 2 --seconds 0.001 >&- 2> "$messages" &&
        grep -q "cannot write standard output" "$messages"
}
check "closed standard output" no_output

finish
