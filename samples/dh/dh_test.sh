#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: dh_test.sh <path of dh> [device]
# Keys and secrets against python3's pow() and the openssl program, and bad input.
# Exit code 77: skipped, there is no python3.
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
needs python3
dh=$program

# The trusted calculator ------------------------------------------------------------------------

cat > calculator.py << 'END'
import json, os, subprocess, sys

groups = {name: int(prime, 16) for name, _, prime in map(str.split, open("groups"))}

def numbers(path):
    return [int(line, 16) for line in open(path)]

def is_prime(n):  # one strong test to base 3, for numbers that nobody chose to fool it
    d = n - 1
    s = (d & -d).bit_length() - 1
    x = pow(3, d >> s, n)
    return x in (1, n - 1) or any((x := x * x % n) == n - 1 for _ in range(s - 1))

command, *rest = sys.argv[1:]
if command == "groups":  # safe primes of the right length, and those of the test vectors
    assert len(groups) == 6
    for name, p in groups.items():
        assert p.bit_length() == int(name[-4:]) and is_prime(p) and is_prime(p // 2), name
    if "WARPINT_TEST_VECTORS" in os.environ:
        vectors = json.load(open(os.environ["WARPINT_TEST_VECTORS"] + "/dh_groups.json"))
        for name, p in groups.items():
            vector = vectors["rfc7919-" + name if name[0] == "f" else "rfc3526-" + name[4:]]
            assert p == int(vector["p"], 16) and vector["g"] == 2, name
elif command == "pairs":  # pairs <group> <count> <private> <public>
    p, x, y = groups[rest[0]], numbers(rest[2]), numbers(rest[3])
    usual = {2048: 225, 3072: 275, 4096: 325}[p.bit_length()]
    assert len(x) == int(rest[1]) and y == [pow(2, e, p) for e in x]
    assert len(set(x)) == len(x) and all(0 < e < 2**usual for e in x)
    assert usual - 12 < max(x).bit_length()  # else they are not uniform
elif command == "secrets":  # secrets <group> <private> <public> <secrets>
    p, x, y, z = groups[rest[0]], *map(numbers, rest[1:])
    assert z and z == [pow(base, e, p) for base, e in zip(y, x, strict=True)]
elif command == "edges":  # edges <group> <private> <public>: extreme keys that are valid
    p = groups[rest[0]]
    q = p // 2
    x = [1, 2, q - 1, q - 2, 2**225 - 1, 2**224, q >> 1]
    y = [2, p - 2, p - 2, 2, 3, p // 2, (1 << p.bit_length() - 1) + 1]
    for path, values in zip(rest[1:], (x, y)):
        open(path, "w").writelines(f"{v:X}\n" for v in values)
elif command == "openssl":  # openssl <group> <private> <public> <public of it>: keys that it makes
    for path, lines in zip(rest[1:], zip(*[line.split() for line in sys.stdin])):
        open(path, "w").write("\n".join(lines) + "\n")
elif command == "number":  # number <group> <formula of p>
    print(f"{eval(rest[1], {'p': groups[rest[0]]}):x}")
END
calculate() {
    python3 calculator.py "$@" 2> "$messages" || { tail -n 1 "$messages"; false; }
}

"$dh" groups > groups
check "groups" calculate groups
check "demo: every group and every agreement of it against OpenSSL" \
    "$dh" demo --batch 40 --checked 40 --seconds 0.001 --device "$device" > demo
every_line_checked() {
    [ "$(grep -cE '^ok +(ffdhe|modp)[0-9]+, OpenSSL confirms 40 of 40 agreements$' demo)" -eq 6 ] &&
        [ "$(grep -c '^ok ' demo)" -eq 18 ] &&
        [ "$(grep -cE '^rate +(ffdhe|modp)[0-9]+, .* /s, OpenSSL .* times$' demo)" -eq 18 ]
}
check "demo: lines" every_line_checked
check "demo --json" json "[x['what'] for x in r['rates']] == ['ffdhe2048, ' + w for w in ('key pairs', 'secrets', 'agreements')] \
    and all(x['peer_per_second'] > 0 for x in r['rates']) and len(r['checks']) == 3" \
    "$dh" demo --group ffdhe2048 --batch 40 --seconds 0.001 --device "$device"
check "demo: variable time" "$dh" demo --batch 40 --checked 40 --seconds 0.001 \
    --device "$device" --variable-time --group ffdhe2048 ffdhe3072 modp4096 > demo

both_sides() { # both_sides <group> <count> [option]...
    local group=$1 count=$2 side
    shift 2
    for side in alice bob; do
        rm -f $side.key $side.pub
        "$dh" keygen --group "$group" --count "$count" --private $side.key --public $side.pub \
            --device "$device" "$@" && calculate pairs "$group" "$count" $side.key $side.pub ||
            return 1
    done
    "$dh" agree --group "$group" --private alice.key --public bob.pub --out alice.secrets \
        --device "$device" "$@" &&
        "$dh" agree --group "$group" --private bob.key --public alice.pub --out bob.secrets \
            --device "$device" "$@" &&
        cmp alice.secrets bob.secrets &&
        calculate secrets "$group" alice.key bob.pub alice.secrets &&
        [ "$(stat -c %a alice.key bob.key alice.secrets | sort -u)" = 600 ]
}
for group in ffdhe2048 modp2048 ffdhe3072 modp3072 ffdhe4096 modp4096; do
    check "$group: both sides" both_sides $group 37
done
check "several batches" both_sides ffdhe2048 1100
check "variable time" both_sides ffdhe2048 37 --variable-time

edges() { # edges <group> [option]...: also private keys as long as the prime
    calculate edges "$1" x y && "$dh" agree --group "$1" --private x --public y --out z \
        --device "$device" "${@:2}" && calculate secrets "$1" x y z
}
for group in ffdhe2048 modp3072 ffdhe4096; do
    check "$group: extreme keys" edges $group
    check "$group: extreme keys, variable time" edges $group --variable-time
done

number_of() { # number_of <file of openssl pkey -text> <which>
    sed -n "/^ *$2-key:/,/^[^ ]*[a-zA-Z-]*:[^0-9a-f]*$/p" "$1" | grep -E '^ +[0-9a-f:]+$' | tr -d ' :\n'
}
openssl_program() { # a private key of the openssl program agrees with a public key of ours
    openssl genpkey -algorithm DH -pkeyopt group:ffdhe2048 -out theirs.pem 2> /dev/null &&
        openssl genpkey -algorithm DH -pkeyopt group:ffdhe2048 -out ours.pem 2> /dev/null &&
        openssl pkey -in theirs.pem -pubout -out theirs.pub.pem &&
        openssl pkeyutl -derive -inkey ours.pem -peerkey theirs.pub.pem -out derived || return 1
    openssl pkey -in ours.pem -noout -text > text
    number_of text private > x
    openssl pkey -in theirs.pem -noout -text > text
    number_of text public > y
    "$dh" agree --group ffdhe2048 --private x --public y --out z --device "$device" &&
        [ "$(cat z)" = "$(od -An -v -tx1 derived | tr -d ' \n' | sed 's/^0*//')" ]
}
if command -v openssl > /dev/null; then
    check "keys and secret of the openssl program" openssl_program
else
    echo "not run without the openssl program: its keys"
fi

# Bad input -------------------------------------------------------------------------------------

rejects() { # rejects <exit code> <pattern> <arguments>...: one line on stderr, nothing written
    local code=$1 pattern=$2 before after got
    shift 2
    before=$(ls -A)
    "$dh" "$@" > /dev/null 2> "$messages"
    got=$?
    after=$(ls -A)
    if [ $got -ne "$code" ] || [ "$before" != "$after" ] || [ "$(wc -l < "$messages")" -ne 1 ] ||
        ! grep -qE "^dh: error: .*$pattern" "$messages"; then
        echo "exit code $got, stderr:"
        cat "$messages"
        return 1
    fi
}
bad() { # bad <pattern> <private> <public> [file of secrets]
    check "rejects: $1 ($2, $3)" rejects 1 "$1" agree --group ffdhe2048 --private "$2" \
        --public "$3" --out "${4:-new}" --device "$device"
}
with_line() { # with_line <file> <new file> <line>: its third line is another one
    sed "3s/.*/$3/" "$1" > "$2"
}
"$dh" keygen --group ffdhe2048 --count 5 --private x --public y --force --device "$device"
for value in 0 1 p-1 p p+1 2**2048-1; do
    with_line y bad.y "$(calculate number ffdhe2048 "$value")"
    bad "bad.y: line 3: not a valid public key" x bad.y
done
for value in 0 p//2 p-1 p; do
    with_line x bad.x "$(calculate number ffdhe2048 "$value")"
    bad "bad.x: line 3: not a valid private key" bad.x y
done
with_line y bad.y "$(calculate number ffdhe2048 2**2048)"
bad "bad.y: .*line 3" x bad.y
for text in "" 12z4 0x12 -5 "12 34"; do
    with_line x bad.x "$text"
    bad "bad.x: .*line 3" bad.x y
done
: > empty
bad "empty is empty" x empty
bad "empty is empty" empty y
head -c 1000 "$program" > binary
bad "binary: .*line 1" binary y
head -n 4 y > short
bad "x has 5 keys and short has 4" x short
head -c 3000000 /dev/zero | tr '\0' 7 > huge
bad "huge: .*line 1" x huge
mkdir directory
bad "cannot read directory" directory y
bad "cannot read nothing: No such file" x nothing
bad "cannot write directory: it is a directory" x y directory
bad "cannot write no/new: No such file" x y no/new
bad "cannot write /dev/full: No space left" x y /dev/full
check "rejects: no room for public keys" rejects 1 "No space left" keygen --group ffdhe2048 \
    --private new --public /dev/full --device "$device"
check "rejects: no room for private keys" rejects 1 "No space left" keygen --group ffdhe2048 \
    --private /dev/full --public new --device "$device"
check "rejects: one file for both" rejects 1 "cannot write two files to .*new" keygen \
    --group ffdhe2048 --private new --public ./new --device "$device"
check "rejects: a folder in place of public keys" rejects 1 "cannot write directory" keygen \
    --group ffdhe2048 --private new --public directory --device "$device"
cp x kept
all_or_none() { # private keys that appear while keys are made stay, and so do old public ones
    echo old > late.pub
    "$dh" keygen --group ffdhe2048 --count 10000 --private late --public late.pub \
        --device "$device" 2> messages &
    until compgen -G "late.part-*" > /dev/null || ! kill -0 $! 2> /dev/null; do :; done
    (set -C; echo precious > late) || return 1 # the keys were there first
    ! wait $! && grep -q "^dh: error: late is there already" messages &&
        [ "$(cat late late.pub)" = $'precious\nold' ] && ! compgen -G "late*.part-*"
}
check "keygen: all files or none" all_or_none
check "rejects: private keys that are there" rejects 1 "x is there already" keygen \
    --group ffdhe2048 --private x --public new --device "$device"
bad "cannot write x: it is the file of the key" x y x
check "private keys are as they were" cmp x kept
keeps_old() {
    echo old > old
    ! "$dh" agree --group ffdhe2048 --private x --public short --out old 2> "$messages" &&
        [ "$(cat old)" = old ]
}
check "an older target is untouched" keeps_old
takes_away_permissions() {
    echo old > old
    chmod 644 old
    "$dh" agree --group ffdhe2048 --private x --public y --out old --device "$device" &&
        [ "$(stat -c %a old)" = 600 ]
}
check "secrets over a file that others can read" takes_away_permissions
check "rejects: no subcommand" rejects 2 ""
check "rejects: unknown group" rejects 2 "ffdhe1024" keygen --group ffdhe1024 --private a --public b
check "rejects: count" rejects 2 "count" \
    keygen --group ffdhe2048 --count 0 --private a --public b
check "rejects: unknown device" rejects 2 "tpu" demo --device tpu
for number in 0x10 1e3 -1 +1 1.5 18446744073709551616 many; do
    check "rejects: count $number" rejects 2 "count: expected a whole number from 1 to .* ${number/+/\\+}" \
        keygen --group ffdhe2048 --private a --public b --count $number
done
for number in 0 -1 nan inf 0x1 1s; do
    check "rejects: seconds $number" rejects 2 "seconds: expected a number from 0.001 to .* $number" \
        demo --seconds $number
done
check "rejects: an empty name" rejects 2 "public: must not be empty" keygen --group ffdhe2048 \
    --private a --public ""
check "rejects: a bar that is not there" rejects 2 "progress" demo --progress
decimal() {
    "$dh" keygen --group ffdhe2048 --count 010 --private ten --public ten.pub --device "$device" &&
        [ "$(wc -l < ten)" -eq 10 ]
}
check "a number with a leading zero is decimal" decimal
long_name() {
    local name
    name=$(head -c 255 /dev/zero | tr '\0' k)
    "$dh" keygen --group ffdhe2048 --private "$name" --public new.pub --device "$device" &&
        calculate pairs ffdhe2048 1 "$name" new.pub
}
check "the longest name of a file" long_name

# Streams and signals -----------------------------------------------------------------------------

closed() { # no file takes the place of a stream, and the bar does not get into it
    grep -qvE '^[0-9a-fA-F]+$' c.key c.pub
    [ $? -eq 1 ] && [ "$(wc -l < c.key)" -eq 15000 ]
}
many_keys() {
    "$dh" keygen --group ffdhe2048 --count 15000 --private c.key --public c.pub --progress --force \
        --device cpu --variable-time
}
many_keys 2>&-
check "closed standard error" closed
many_keys <&- >&- 2>&-
check "closed streams" closed
no_output() {
    ! "$dh" groups >&- 2> "$messages" && grep -q "cannot write standard output" "$messages"
}
check "closed standard output" no_output
full_help() {
    ! "$dh" "$@" > /dev/full 2> "$messages" && grep -q "cannot write standard output" "$messages"
}
check "help to a full device" full_help keygen --help
check "version to a full device" full_help --version
too_large() { (ulimit -f 1 && rejects 1 "File too large" "$@"); }
check "a limit for the size of files" too_large keygen --group ffdhe2048 --count 100 \
    --private new --public new.2 --device "$device"
if ! "$dh" demo --device gpu --batch 1 --checked 1 --seconds 0.001 > /dev/null 2>&1; then
    check "rejects: no GPU" rejects 1 "GPU" demo --device gpu
fi
interrupted() { # interrupted <signal> <exit code>
    local before
    before=$(ls -A)
    (
        ulimit -c 0
        timeout --preserve-status -s "$1" 0.5 "$dh" keygen --group ffdhe4096 --count 100000000 \
            --private new --public new.2 --device cpu 2> /dev/null
        [ $? -eq "$2" ]
    ) && [ "$before" = "$(ls -A)" ]
}
check "interrupted: nothing left" interrupted INT 130
check "quit: nothing left" interrupted QUIT 131
cat > terminal.py << 'END'
import os, pty, signal, sys, time
child, terminal = pty.fork()
if child == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test in the background ignores it
    os.execv(sys.argv[1], sys.argv[1:])
seen, start = b"", time.time()
while b"making keys" not in seen and time.time() < start + 20:
    seen += os.read(terminal, 1000)
os.write(terminal, b"\x03")  # Ctrl-C
try:
    while part := os.read(terminal, 1000):
        seen += part
except OSError:  # the terminal's end
    pass
status = os.waitpid(child, 0)[1]
assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, status
END
under_the_bar() {
    local before
    before=$(ls -A)
    python3 terminal.py "$dh" keygen --group ffdhe4096 --count 100000000 --private new \
        --public new.2 --device cpu && [ "$before" = "$(ls -A)" ]
}
check "Ctrl-C while the bar is drawn: nothing left" under_the_bar
help_examples() { # the commands that --help shows first
    local commands
    rm -f alice.* bob.*
    commands=$("$dh" --help | grep -E '^  (dh (keygen|agree)|cmp) ' | sed 's/1000/7/')
    [ "$(grep -c . <<< "$commands")" -eq 5 ] && dh() { "$dh_program" "$@"; } &&
        eval "set -e; $commands"
}
dh_program=$dh
check "the examples of --help" help_examples

finish
