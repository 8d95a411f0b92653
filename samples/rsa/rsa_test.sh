#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: rsa_test.sh <path of rsa> [device]
# Files there and back, every block against `openssl pkeyutl` in both directions, and bad input.
# New keys, which openssl reads and python3 compares with FIPS 186-5.
# Exit code 77: skipped, there is no openssl or python3 program.
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
needs openssl python3
rsa=$program

make_file() { # make_file <bytes> <name>
    head -c "$1" /dev/urandom > "$2"
}

new_key() { # new_key <bits>: writes <bits>.pem and <bits>.pub
    openssl genpkey -algorithm RSA -pkeyopt "rsa_keygen_bits:$1" -out "$1.pem" 2> /dev/null
    openssl pkey -in "$1.pem" -pubout -out "$1.pub"
}

block_size() { # block_size <bits>
    echo $((($1 + 7) / 8))
}

message_size() { # message_size <bits> <padding>
    case $2 in
        oaep) echo $(($(block_size "$1") - 66)) ;;
        pkcs1) echo $(($(block_size "$1") - 11)) ;;
    esac
}

openssl_options() { # openssl_options <padding>
    case $1 in
        oaep) echo "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256" ;;
        pkcs1) echo "-pkeyopt rsa_padding_mode:pkcs1" ;;
    esac
}

# Both directions of the program ---------------------------------------------------------------

there_and_back() { # there_and_back <bits> <padding> <bytes>
    make_file "$3" plain
    rm -f enc back
    "$rsa" encrypt --key "$1.pub" --in plain --out enc --padding "$2" --device "$device" &&
        "$rsa" decrypt --key "$1.pem" --in enc --out back --padding "$2" --device "$device" &&
        cmp plain back || return 1
    local blocks=$(($3 / $(message_size "$1" "$2") + 1)) # the last is never full
    [ "$(stat -c %s enc)" -eq $((blocks * $(block_size "$1"))) ]
}

openssl_decrypts_ours() { # openssl_decrypts_ours <bits> <padding>: the files of there_and_back
    local block
    rm -f block.* back
    split -a 4 -b "$(block_size "$1")" enc block.
    : > back
    for block in block.*; do
        # shellcheck disable=SC2046 # a list of options
        openssl pkeyutl -decrypt -inkey "$1.pem" -in "$block" $(openssl_options "$2") >> back ||
            return 1
    done
    cmp plain back
}

we_decrypt_openssl() { # we_decrypt_openssl <bits> <padding>: the file of there_and_back
    local part
    rm -f part.* enc back
    split -a 4 -b "$(message_size "$1" "$2")" plain part.
    : > enc
    for part in part.*; do
        # shellcheck disable=SC2046 # a list of options
        openssl pkeyutl -encrypt -pubin -inkey "$1.pub" -in "$part" \
            $(openssl_options "$2") >> enc || return 1
    done
    "$rsa" decrypt --key "$1.pem" --in enc --out back --padding "$2" --device "$device" &&
        cmp plain back
}

for bits in 1024 1030 1536 2047 2048 3072 4096; do
    new_key "$bits"
    for padding in oaep pkcs1; do
        per_block=$(message_size "$bits" "$padding")
        for bytes in 0 1 "$per_block" $((per_block + 1)) $((9 * per_block + 5)); do
            check "$bits bits, $padding, $bytes bytes" there_and_back "$bits" "$padding" "$bytes"
        done
        check "$bits bits, $padding, openssl decrypts" openssl_decrypts_ours "$bits" "$padding"
        check "$bits bits, $padding, openssl encrypts" we_decrypt_openssl "$bits" "$padding"
    done
done
check "several batches" there_and_back 1024 oaep 150000
new_key 512
check "512 bits, pkcs1" there_and_back 512 pkcs1 1000

exponent_of_65_bits() {
    openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1100 \
        -pkeyopt rsa_keygen_pubexp:36893488147419103363 -out 1100.pem 2> /dev/null || return 0
    openssl pkey -in 1100.pem -pubout -out 1100.pub
    there_and_back 1100 oaep 200
}
check "a public exponent of more than 64 bits" exponent_of_65_bits

# New keys -------------------------------------------------------------------------------------

# What OpenSSL says of one PEM file: sound, as long as it should be, with the usual exponent, and
# under the conditions of FIPS 186-5 (those on p - 1 and q - 1 follow from there being a d).
is_good_key() { # is_good_key <bits> <file>
    openssl pkey -in "$2" -check -noout 2> /dev/null | grep -q '^Key is valid' &&
        openssl rsa -in "$2" -text -noout 2> /dev/null > text &&
        grep -q "($1 bit, 2 primes)" text && grep -q '^publicExponent: 65537 ' text &&
        [ "$(head -n 1 "$2")" = "-----BEGIN PRIVATE KEY-----" ] &&
        python3 - "$1" text <<'END'
import re, sys

half = int(sys.argv[1]) // 2
text = open(sys.argv[2]).read()


def number(name):
    digits = re.search(name + r":\n((?:    .*\n)+)", text).group(1)
    return int(re.sub(r"[\s:]", "", digits), 16)


p, q, d = number("prime1"), number("prime2"), number("privateExponent")
assert p.bit_length() == q.bit_length() == half
assert min(p, q) ** 2 > 1 << (2 * half - 1)
assert abs(p - q) > 1 << (half - 100)
assert d > 1 << half
END
}
keys_in_folder() { # keys_in_folder <bits> <count> <first> <last>
    rm -rf keys
    "$rsa" keygen --bits "$1" --count "$2" --out keys/ --device "$device" &&
        [ "$(ls keys | wc -l)" -eq "$2" ] && [ "$(ls keys | head -n 1)" = "$3" ] &&
        [ "$(ls keys | tail -n 1)" = "$4" ] || return 1
    local key
    for key in keys/*; do
        is_good_key "$1" "$key" && [ "$(stat -c %a "$key")" = 600 ] || return 1
    done
    [ "$(cat keys/* | sort | uniq | wc -l)" -gt $(($2 * $1 / 128)) ] && # all differ
        [ "$(stat -c %a keys)" = 700 ]
}
check "keygen: 12 keys of 1024 bits" keys_in_folder 1024 12 key-01.pem key-12.pem
check "keygen: 100 keys, several batches" keys_in_folder 1024 100 key-001.pem key-100.pem
check "keygen: keys of 1030 bits" keys_in_folder 1030 3 key-1.pem key-3.pem
check "keygen: keys of 3072 bits" keys_in_folder 3072 1 key-1.pem key-1.pem
check "keygen: keys of 4096 bits" keys_in_folder 4096 1 key-1.pem key-1.pem
empty_folder() {
    rm -rf keys
    mkdir keys
    "$rsa" keygen --bits 1024 --count 2 --out keys --device "$device" &&
        [ "$(ls keys)" = "$(printf 'key-1.pem\nkey-2.pem')" ]
}
check "keygen: an empty folder" empty_folder
keys_in_file() {
    rm -f many.pem
    (umask 0 && "$rsa" keygen --bits 1024 --count 20 --out many.pem --device "$device") &&
        [ "$(stat -c %a many.pem)" = 600 ] || return 1
    rm -f one.*
    csplit -s -z -f one. many.pem '/BEGIN/' '{*}' && [ "$(ls one.* | wc -l)" -eq 20 ] || return 1
    local key
    for key in one.*; do
        is_good_key 1024 "$key" || return 1
    done
}
check "keygen: many keys in a file" keys_in_file
keys_on_standard_output() {
    "$rsa" keygen --bits 1024 --count 2 --out - --device "$device" > many.pem &&
        [ "$(grep -c 'BEGIN PRIVATE KEY' many.pem)" -eq 2 ] && [ ! -e - ]
}
check "keygen: standard output" keys_on_standard_output
new_keys_there_and_back() { # new_keys_there_and_back <bits>
    rm -f "$1.pem"
    "$rsa" keygen --bits "$1" --out "$1.pem" --device "$device" &&
        openssl pkey -in "$1.pem" -pubout -out "$1.pub" || return 1
    local padding
    for padding in oaep pkcs1; do
        there_and_back "$1" "$padding" 900 && openssl_decrypts_ours "$1" "$padding" &&
            we_decrypt_openssl "$1" "$padding" || return 1
    done
}
for bits in 1030 1536 2048; do
    check "keygen: $bits bits, there and back" new_keys_there_and_back "$bits"
done
keeps_key() { # without --force
    echo precious > precious
    ! "$rsa" keygen --bits 1024 --out precious --device "$device" 2> messages &&
        grep -q "^rsa: error: precious is there already" messages && [ "$(cat precious)" = precious ]
}
check "keygen: replaces no file" keeps_key
keeps_late_file() { # which appears while keys are made
    "$rsa" keygen --bits 1024 --count 100 --out late --device "$device" 2> messages &
    until compgen -G "late.part-*" > /dev/null || ! kill -0 $! 2> /dev/null; do :; done
    (set -C; echo precious > late) || return 1 # the keys were there first
    ! wait $! && grep -q "^rsa: error: late is there already" messages &&
        [ "$(cat late)" = precious ] && ! compgen -G "late.part-*"
}
check "keygen: replaces no file that appears meanwhile" keeps_late_file
one_wins() { # of three at a time
    local jobs=() job won=0
    for job in 1 2 3; do
        "$rsa" keygen --bits 1024 --count 20 --out one --device "$device" 2> messages.$job &
        jobs+=($!)
    done
    for job in "${jobs[@]}"; do
        wait "$job" && won=$((won + 1))
    done
    [ "$won" -eq 1 ] && [ "$(grep -c BEGIN one)" -eq 20 ] && ! compgen -G "one.part-*" &&
        [ "$(cat messages.? | grep -c "^rsa: error: one is there already")" -eq 2 ]
}
check "keygen: one of three at a time writes the file" one_wins
forced_key() {
    chmod 644 precious
    "$rsa" keygen --bits 1024 --out precious --force --device "$device" &&
        is_good_key 1024 precious && [ "$(stat -c %a precious)" = 600 ]
}
check "keygen --force" forced_key

# Forms of keys and files ----------------------------------------------------------------------

encrypts_with() { # encrypts_with <key>
    rm -f enc back
    "$rsa" encrypt --key "$1" --in plain --out enc --device "$device" &&
        "$rsa" decrypt --key 1024.pem --in enc --out back --device "$device" && cmp plain back
}
make_file 500 plain
openssl rsa -in 1024.pem -traditional -out 1024.pkcs1.pem 2> /dev/null
openssl rsa -in 1024.pem -RSAPublicKey_out -out 1024.pkcs1.pub 2> /dev/null
check "encrypt with a private key" encrypts_with 1024.pem
check "encrypt with a PKCS#1 public key" encrypts_with 1024.pkcs1.pub
check "encrypt with a PKCS#1 private key" encrypts_with 1024.pkcs1.pem
pkcs1_private() {
    "$rsa" decrypt --key 1024.pkcs1.pem --in enc --out back --device "$device" && cmp plain back
}
check "decrypt with a PKCS#1 private key" pkcs1_private

in_place() {
    cp plain same
    "$rsa" encrypt --key 1024.pub --in same --out same --device "$device" &&
        "$rsa" decrypt --key 1024.pem --in same --out same --device "$device" && cmp plain same
}
check "output over input" in_place
through_link() {
    : > behind
    ln -sf behind link
    "$rsa" encrypt --key 1024.pub --in plain --out link --device "$device" && [ -L link ] &&
        "$rsa" decrypt --key 1024.pem --in behind --out back --device "$device" && cmp plain back
}
check "output through a link" through_link
through_dangling_link() {
    mkdir -p elsewhere
    rm -f elsewhere/new
    ln -sf elsewhere/new dangling
    "$rsa" encrypt --key 1024.pub --in plain --out dangling --device "$device" &&
        [ -L dangling ] && [ -f elsewhere/new ]
}
check "output through a link to nothing yet" through_dangling_link
from_pipe() {
    "$rsa" encrypt --key 1024.pub --in <(cat plain) --out enc --device "$device" &&
        "$rsa" decrypt --key 1024.pem --in <(cat enc) --out back --device "$device" &&
        cmp plain back
}
check "input from a pipe" from_pipe
standard_streams() { # binary data, and nothing else, on stdout; no file of this name
    "$rsa" encrypt --key 1024.pub --in - --out - --device "$device" < plain > enc &&
        "$rsa" decrypt --key 1024.pem --in - --out - --progress --device "$device" < enc \
            2> /dev/null | cmp plain - && [ ! -e - ]
}
check "- is standard input and output" standard_streams
appended() {
    echo first > log
    "$rsa" decrypt --key 1024.pem --in enc --out /dev/stdout --device "$device" >> log &&
        { echo first; cat plain; } | cmp - log
}
check "output appended through /dev/stdout" appended
to_pipes() {
    mkfifo fifo
    timeout 10 cat fifo > enc &
    "$rsa" encrypt --key 1024.pub --in plain --out fifo --device "$device" && wait $! &&
        [ -p fifo ] && "$rsa" decrypt --key 1024.pem --in enc --out back --device "$device" &&
        cmp plain back
}
check "output to a pipe with a name" to_pipes
to_device() {
    "$rsa" encrypt --key 1024.pub --in plain --out /dev/null --device "$device" && [ -c /dev/null ]
}
check "output to a device" to_device
openssl_full_block() { # a last block that is full: OpenSSL knows no end
    head -c 62 plain > part
    # shellcheck disable=SC2046 # a list of options
    openssl pkeyutl -encrypt -pubin -inkey 1024.pub -in part $(openssl_options oaep) > enc &&
        "$rsa" decrypt --key 1024.pem --in enc --out back --any-end --device "$device" &&
        cmp part back
}
check "a full block of OpenSSL with --any-end" openssl_full_block

# Owner and permissions ------------------------------------------------------------------------

encrypted_mode() { # encrypted_mode <mode> <target>: encrypting to the target leaves this mode
    "$rsa" encrypt --key 1024.pub --in plain --out "$2" --device "$device" &&
        [ "$(stat -L -c %a "$2")" = "$1" ]
}
for mode in 600 640 666 755; do
    : > kept
    chmod $mode kept
    check "target keeps mode $mode" encrypted_mode $mode kept
done
keeps_mode_in_place() {
    cp plain same
    chmod 600 same
    encrypted_mode 600 same
}
check "output over input keeps the mode" keeps_mode_in_place
keeps_mode_through_link() {
    ln -sf kept link
    chmod 600 kept
    encrypted_mode 600 link && [ -L link ]
}
check "output through a link keeps the mode" keeps_mode_through_link
new_file_has_umask() {
    rm -f new
    (umask 027 && encrypted_mode 640 new) && rm new && (umask 002 && encrypted_mode 664 new)
}
check "a new file has the permissions of the umask" new_file_has_umask
private_while_written() {
    echo old > kept
    chmod 644 kept
    mkfifo slow
    exec 3<> slow
    "$rsa" encrypt --key 1024.pub --in slow --out kept --device "$device" 3>&- &
    local modes _
    for _ in {1..100}; do
        modes=$(stat -c %a kept.part-* 2> /dev/null) && break
        sleep 0.1
    done
    cat plain >&3
    exec 3>&-
    wait $! && [ "$modes" = 600 ] && [ "$(stat -c %a kept)" = 644 ]
}
check "only the owner reads a file being written" private_while_written
keeps_owner() {
    : > owned
    chown 1234:4321 owned
    encrypted_mode 644 owned && [ "$(stat -c %u:%g owned)" = 1234:4321 ]
}
as_stranger() { # as_stranger <command>...: without the rights of root
    if [ $EUID -eq 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi
}
read_only() { # a target that its user may not write, in a folder that he may
    cp 1024.pub plain "$shared" && chmod 644 "$shared/1024.pub" "$shared/plain"
    echo old > "$shared/target"
    chmod 444 "$shared/target"
    ! as_stranger "$rsa" encrypt --key "$shared/1024.pub" --in "$shared/plain" \
        --out "$shared/target" --device "$device" 2> messages &&
        grep -q "cannot write .*/target: Permission denied" messages &&
        [ "$(cat "$shared/target")" = old ]
}
shared=$(mktemp -d)
chmod 777 "$shared"
cp "$rsa" "$shared/rsa"
if [ $EUID -eq 0 ]; then
    check "target keeps its owner" keeps_owner
else
    echo "not run without root: target keeps its owner"
fi
rsa=$shared/rsa check "a target that is read-only" read_only
progress_bar() {
    "$rsa" encrypt --key 1024.pub --in plain --out enc --progress --device "$device" 2> messages &&
        grep -q encrypting messages && grep -q '^\*\{51\}$' messages &&
        "$rsa" encrypt --key 1024.pub --in <(cat plain) --out enc --progress --device "$device" \
            2> messages && [ ! -s messages ] # the size of a pipe is unknown
}
check "progress bar" progress_bar

demo() {
    "$rsa" demo --bits 1024 --in plain --seconds 0.05 --device "$device" > messages &&
        [ "$(grep -c '^ok ' messages)" -eq 4 ] && [ "$(grep -c '(all 9 blocks)' messages)" -eq 2 ] &&
        grep -Eq '^rate +blocks, decryption .* /s, OpenSSL [^,]*, [0-9a-z]+ threads? .* times$' messages &&
        [ "$(grep -Ec 'crypt: read [0-9]+%,.* arithmetic [0-9]+%,.* write [0-9]+% busy$' messages)" \
            -eq 2 ] &&
        grep -Eq '^rate +new keys +[0-9.e+]+ /s, OpenSSL .* times$' messages
}
check "demo" demo
check "demo --json" json "r['bits'] == 1024 and len(r['rates']) in (5, 9) and len(r['checks']) == 4 \
    and all(x['peer_per_second'] > 0 for x in r['rates'])" \
    "$rsa" demo --bits 1024 --in plain --seconds 0.05 --device "$device"
demo_sample() {
    make_file 70000 long
    "$rsa" demo --bits 1024 --in long --seconds 0.05 --device "$device" > messages &&
        [ "$(grep -c '(a sample: 1024 of 1130 blocks' messages)" -eq 2 ]
}
check "demo: a sample is called one" demo_sample
demo_full_blocks() {
    head -c $((3 * 62)) plain > long
    "$rsa" demo --bits 1024 --in long --seconds 0.05 --device "$device" | grep -q '(all 4 blocks)'
}
check "demo: full blocks only" demo_full_blocks
demo_next_command() { # as the demo prints it
    local command
    command=$(sed -n '/^next/,$p' messages | sed 's/^next//; s/FILE/plain/g')
    rm -f private.pem
    bash -e -c "$command" 2> /dev/null &&
        "$rsa" decrypt --key private.pem --in plain.enc --out back --device "$device" &&
        cmp plain back
}
check "demo: the next command" demo_next_command
help_examples() { # all commands that --help shows
    local commands
    commands=$("$rsa" --help | grep -E '^  (openssl|rsa|cat) ' | grep -v 'rsa demo')
    [ "$(grep -c . <<< "$commands")" -eq 6 ] && cp plain file || return 1
    rm -rf file.enc private.pem keys
    [ "$(PATH=$shared:$PATH bash -e -c "${commands/1000/3}" 2> /dev/null)" = \
        "$(sha256sum < plain)" ] && cmp plain file && [ "$(ls keys | wc -l)" -eq 3 ]
}
check "the examples of --help" help_examples
version() {
    [ "$("$rsa" --version | wc -l)" -eq 1 ] && "$rsa" --version | grep -Eq '[0-9]+\.[0-9]+\.[0-9]+'
}
check "--version" version

terminated() {
    local before after
    before=$(ls -A)
    "$rsa" encrypt --key 1024.pub --in <(cat plain; sleep 3) --out out --device cpu &
    local job=$!
    sleep 0.5
    kill -TERM $job
    wait $job
    local code=$?
    after=$(ls -A)
    [ $code -eq 143 ] && [ "$before" = "$after" ]
}
check "terminated: nothing left" terminated
interrupted() { # interrupted <arguments>...: nothing left, here or in the folder for temporary files
    local before
    before=$(ls -A)
    mkdir -p "$folder.temporary"
    TMPDIR=$folder.temporary timeout --preserve-status -s INT 0.5 "$rsa" "$@" > /dev/null 2>&1
    [ $? -eq 130 ] && [ "$before" = "$(ls -A)" ] && rmdir "$folder.temporary"
}
check "interrupted: nothing left" interrupted \
    encrypt --key 1024.pub --in <(sleep 3) --out out --device cpu
check "interrupted demo: nothing left" interrupted demo --bits 1024 --device cpu --seconds 9
closed_pipe() {
    mkdir -p "$folder.temporary"
    TMPDIR=$folder.temporary "$rsa" demo --bits 1024 --device cpu --seconds 0.05 2> messages | :
    [ "${PIPESTATUS[0]}" -eq 1 ] && grep -q "cannot write standard output: Broken pipe" messages &&
        rmdir "$folder.temporary"
}
check "demo into a closed pipe: nothing left" closed_pipe

check "interrupted keygen to a file: nothing left" interrupted \
    keygen --bits 4096 --count 100000 --out many --device cpu
check "interrupted keygen to a folder: nothing left" interrupted \
    keygen --bits 1024 --count 100000 --out made/ --device cpu
keygen_killed_late() { # while keys are being written
    local job folder
    "$rsa" keygen --bits 1024 --count 100000 --out made/ --device "$device" &
    job=$!
    for _ in {1..200}; do
        folder=$(ls -d made.part-* 2> /dev/null) && [ -e "$folder/key-000001.pem" ] && break
        sleep 0.05
    done
    [ -e "$folder/key-000001.pem" ] && [ "$(stat -c %a "$folder")" = 700 ] && kill -TERM $job ||
        { kill $job; return 1; }
    wait $job
    [ $? -eq 143 ] && [ ! -e "$folder" ] && [ ! -e made ]
}
check "keygen terminated with keys written: nothing left" keygen_killed_late

# Stages stop each other -----------------------------------------------------------------------

# An input that stays open must not hold up the report of an error behind it.
fails_with_open_input() { # fails_with_open_input <file> <pattern> <arguments>...
    local file=$1 pattern=$2 code job feeder
    shift 2
    rm -f slow out
    mkfifo slow
    exec 3<> slow
    timeout 20 "$rsa" "$@" --in slow --device cpu 2> messages 3>&- &
    job=$!
    cat "$file" >&3 &
    feeder=$!
    wait $job
    code=$?
    kill $feeder 2> /dev/null
    exec 3>&-
    [ $code -eq 1 ] && [ "$(wc -l < messages)" -eq 1 ] && grep -q "$pattern" messages &&
        [ ! -e out ]
}
make_file 45000 long # a batch of the CPU, 512 blocks, and a part of the next
"$rsa" encrypt --key 1024.pub --in long --out enc --device cpu
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out other.pem 2> /dev/null
check "a wrong key, while the input is open" fails_with_open_input enc \
    "not encrypted with this key" decrypt --key other.pem --out out
check "a full device, while the input is open" fails_with_open_input long \
    "cannot write /dev/full: No space left" encrypt --key 1024.pub --out /dev/full
make_file 200000 long
"$rsa" encrypt --key 1024.pub --in long --out enc --device "$device"
first_error() { # the one that comes first in the file, though the end was read before
    { head -c $((700 * 128)) enc; head -c 128 /dev/zero; tail -c +$((701 * 128 + 1)) enc; } > bad
    head -c -5 bad > cut
    ! "$rsa" decrypt --key 1024.pem --in <(cat cut) --out out --device "$device" 2> messages &&
        [ "$(wc -l < messages)" -eq 1 ] &&
        grep -q "block 700 (at byte 89600) is corrupted" messages && [ ! -e out ]
}
for _ in 1 2 3; do
    check "two errors: the first in the file" first_error
done
long_job() { # many batches, from and to pipes
    head -c 3000000 /dev/urandom > long
    "$rsa" encrypt --key 1024.pub --in <(cat long) --out - --device "$device" > enc &&
        "$rsa" decrypt --key 1024.pem --in - --out - --device "$device" < enc | cmp - long
}
check "many batches through pipes" long_job

# Bad input ------------------------------------------------------------------------------------

# One line on stderr that matches, a non-zero exit, no new file, an older output untouched.
rejects() { # rejects <pattern> <arguments>...
    local pattern=$1 code before after
    shift
    rm -f out
    before=$(ls -A)
    "$rsa" "$@" > /dev/null 2> "$messages"
    code=$?
    after=$(ls -A)
    if [ $code -eq 0 ] || [ $code -ge 126 ] || [ "$before" != "$after" ] ||
        [ "$(wc -l < "$messages")" -ne 1 ] || ! grep -q "^rsa: error: .*$pattern" "$messages"; then
        echo "exit code $code, stderr:"
        cat "$messages"
        return 1
    fi
    echo old > old
    "$rsa" "${@/#out/old}" > /dev/null 2>&1
    [ "$(cat old)" = old ]
}
trap 'rm -rf "$folder" "$folder.temporary" "$messages" "$shared"' EXIT
make_file 700 plain
"$rsa" encrypt --key 1024.pub --in plain --out enc --device "$device"
echo old > old

encrypt() { # encrypt <pattern> <key> <in> [arguments]...
    local pattern=$1 key=$2 in=$3
    shift 3
    check "rejects: $pattern ($key, $in)" \
        rejects "$pattern" encrypt --key "$key" --in "$in" --out out --device "$device" "$@"
}
decrypt() { # decrypt <pattern> <key> <in> [arguments]...
    local pattern=$1 key=$2 in=$3
    shift 3
    check "rejects: $pattern ($key, $in)" \
        rejects "$pattern" decrypt --key "$key" --in "$in" --out out --device "$device" "$@"
}

mkdir directory
encrypt "cannot read nothing: No such file" 1024.pub nothing
encrypt "cannot read directory: it is a directory" 1024.pub directory
decrypt "cannot read nothing: No such file" 1024.pem nothing
encrypt "cannot read key file nothing.pem: No such file" nothing.pem plain
encrypt "cannot read key file directory: it is a directory" directory plain
encrypt "plain holds no readable PEM key" plain plain
decrypt "plain holds no readable PEM key" plain enc
decrypt "1024.pub is a public key" 1024.pub enc
decrypt "1024.pkcs1.pub is a public key" 1024.pkcs1.pub enc

openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ec.pem 2> /dev/null
openssl pkey -in ec.pem -pubout -out ec.pub
openssl ecparam -name prime256v1 -genkey -out ecparam.pem 2> /dev/null
openssl genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:1024 -out pss.pem 2> /dev/null
encrypt "type EC, not an RSA" ec.pub plain
decrypt "type EC, not an RSA" ec.pem enc
decrypt "type EC, not an RSA" ecparam.pem enc
decrypt "type RSA-PSS, not an RSA" pss.pem enc
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -pkeyopt rsa_keygen_primes:3 \
    -out three.pem 2> /dev/null && decrypt "more than two primes" three.pem enc
openssl pkey -in 1024.pem -aes256 -passout pass:secret -out locked.pem
decrypt "protected by a passphrase" locked.pem enc
openssl req -new -x509 -key 1024.pem -subj /CN=test -out certificate.pem 2> /dev/null
encrypt "holds a certificate" certificate.pem plain
head -c 300 1024.pem > half.pem
decrypt "half.pem holds no readable PEM key" half.pem enc
new_key 4104
encrypt "too long" 4104.pub plain
decrypt "too long" 4104.pem enc
encrypt "too short" 512.pub plain
decrypt "too short" 512.pem enc

# A private key whose numbers do not belong together, written as DER by hand.
key_with() { # key_with <name of the wrong number> <value>
    local text names
    text=$(openssl asn1parse -in 1024.pkcs1.pem | awk -F: '/INTEGER/ {print $NF}')
    names=(version modulus e d p q dp dq coefficient)
    {
        printf 'asn1=SEQUENCE:key\n[key]\n'
        local i=0 value
        for value in $text; do
            [ "${names[$i]}" = "$1" ] && value=$2
            echo "${names[$i]}=INTEGER:0x$value"
            i=$((i + 1))
        done
    } > key.conf
    openssl asn1parse -genconf key.conf -noout -out key.der
    { echo "-----BEGIN RSA PRIVATE KEY-----"; openssl base64 -in key.der;
        echo "-----END RSA PRIVATE KEY-----"; } > "wrong.$1.pem"
}
ones() { # ones <digits>
    head -c "$1" /dev/zero | tr '\0' 1
}
key_with p "$(ones 128)"
decrypt "not the product of its primes" wrong.p.pem enc
key_with dp 010001
decrypt "fails its check" wrong.dp.pem enc
key_with coefficient 03
decrypt "fails its check" wrong.coefficient.pem enc
key_with dq "$(ones 160)"
decrypt "longer than its prime" wrong.dq.pem enc
key_with e 10
encrypt "out of range" wrong.e.pem plain

head -c $(($(stat -c %s enc) - 1)) enc > truncated
decrypt "length, 1535 bytes, is no multiple of this key's block of 128 bytes" 1024.pem truncated
decrypt "length, 1535 bytes, is no multiple" 1024.pem <(cat truncated)
{ cat enc; echo; } > longer
decrypt "length, 1537 bytes, is no multiple" 1024.pem longer
: > empty
decrypt "truncated: it is empty" 1024.pem empty
decrypt "truncated: it is empty" 1024.pem <(cat empty)
corrupt() { # corrupt <byte> <text>: enc with these bytes in it
    { head -c "$1" enc; printf '%b' "$2"; tail -c +$(($1 + 5)) enc; } > corrupted
}
corrupt 300 '\x01\x02\x03\x04'
decrypt "block 2 (at byte 256) is corrupted" 1024.pem corrupted
corrupt 0 '\xff\xff\xff\xff' # not below the modulus, or with wrong padding
decrypt "block 0 (at byte 0) is corrupted" 1024.pem corrupted
head -c 256 /dev/zero | tr '\0' '\377' > highest
decrypt "not encrypted with this key and padding: 2 of its first 2 blocks" 1024.pem highest
head -c 128 /dev/zero > zero
decrypt "only block is corrupted, or was not encrypted with this key" 1024.pem zero
decrypt "only block is corrupted, or was not encrypted with this key" 1024.pem zero --padding pkcs1
# A wrong padding passes for the right one in one block of hundreds.
decrypt "not encrypted with this key and padding: 1[0-9] of its first 12" 1024.pem enc --padding pkcs1
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out other.pem 2> /dev/null
decrypt "not encrypted with this key and padding: 12 of its first 12 blocks" other.pem enc
decrypt "no multiple of this key's block of 256 bytes" 2048.pem truncated
# Two bad blocks, one of the first batch and one of the second, which is above any modulus.
make_file 40000 long
"$rsa" encrypt --key 1024.pub --in long --out enc --device "$device"
corrupt $((3 * 128 + 60)) '\x01\x02\x03\x04'
mv corrupted enc
corrupt $((600 * 128)) '\xff\xff\xff\xff'
decrypt "block 3 (at byte 384) is corrupted" 1024.pem corrupted
"$rsa" encrypt --key 1024.pub --in plain --out enc --device "$device"
head -c $((5 * 128)) enc > short
decrypt "truncated: its last block is full" 1024.pem short
decrypt "truncated: its last block is full" 1024.pem <(cat short)
cut_accepted() {
    "$rsa" decrypt --key 1024.pem --in short --out back --any-end --device "$device" &&
        head -c $((5 * 62)) plain | cmp - back
}
check "a cut file with --any-end" cut_accepted

# Blocks encoded by hand for the key of 1024 bits: PADDING.good.NAME, with its message beside it, and
# PADDING.bad.NAME, each wrong in one place.
encode_by_hand() {
    python3 - "$(openssl rsa -in 1024.pem -noout -modulus | cut -d= -f2)" <<'END'
import hashlib, os, sys

modulus, size, hash_size = int(sys.argv[1], 16), 128, 32


def write(name, block, message=None):
    assert len(block) == size
    cipher = pow(int.from_bytes(block, "big"), 65537, modulus)
    open(name, "wb").write(cipher.to_bytes(size, "big"))
    if message is not None:
        open(name + ".message", "wb").write(message)


def masked(data, seed):
    mask = b"".join(hashlib.sha256(seed + i.to_bytes(4, "big")).digest() for i in range(8))
    return bytes(a ^ b for a, b in zip(data, mask))


def oaep(name, rest, message=None, label=b"", first=0):
    data = hashlib.sha256(label).digest() + rest
    data = masked(data, seed := os.urandom(hash_size))
    write("oaep." + name, bytes([first]) + masked(seed, data) + data, message)


def pkcs1(name, rest, message=None, first=0, second=2):
    write("pkcs1." + name, bytes([first, second]) + rest, message)


room = size - 1 - 2 * hash_size
for length in range(room):
    message = bytes([i % 3 for i in range(length)])  # zeros and ones too
    oaep(f"good.{length}", bytes(room - 1 - length) + b"\1" + message, message)
text = b"\1" + bytes(range(40))
zeros = bytes(room - len(text))
oaep("bad.first", zeros + text, first=1)
oaep("bad.label", zeros + text, label=b"other")
oaep("bad.separator", zeros + b"\2" + text[1:])
oaep("bad.none", bytes(room))
oaep("bad.early", b"\x80" + zeros[1:] + text)

room = size - 2
for length in range(room - 8):
    message = bytes([i % 3 for i in range(length)])
    pkcs1(f"good.{length}", b"\xa5" * (room - 1 - length) + b"\0" + message, message)
text = bytes(60)
padding = b"\1" * (room - len(text))
pkcs1("bad.first", padding + text, first=1)
pkcs1("bad.second", padding + text, second=1)
pkcs1("bad.short", b"\1" * 7 + bytes(room - 7))
pkcs1("bad.empty", bytes(room))
pkcs1("bad.none", b"\1" * room)
END
}
good_encodings() { # good_encodings <padding>: all in one file
    local name
    [ "$(ls "$1".good.*[0-9] | wc -l)" -gt 60 ] || return 1
    for name in "$1".good.*[0-9]; do cat "$name"; done > enc
    for name in "$1".good.*[0-9]; do cat "$name.message"; done > plain.by_hand
    "$rsa" decrypt --key 1024.pem --in enc --out back --padding "$1" --any-end --device "$device" &&
        cmp plain.by_hand back
}
encode_by_hand
for padding in oaep pkcs1; do
    check "encoded by hand, $padding" good_encodings "$padding"
    for name in "$padding".bad.*; do
        decrypt "only block is corrupted" 1024.pem "$name" --padding "$padding" --any-end
    done
done
"$rsa" encrypt --key 1024.pub --in plain --out enc --device "$device"

check "rejects: no such folder" rejects "cannot write no/out: No such file" \
    encrypt --key 1024.pub --in plain --out no/out --device "$device"
check "rejects: output is a folder" rejects "cannot write directory: it is a directory" \
    encrypt --key 1024.pub --in plain --out directory --device "$device"
check "rejects: full device" rejects "cannot write /dev/full: No space left" \
    encrypt --key 1024.pub --in plain --out /dev/full --device "$device"
full_output() { # full_output <arguments>...
    "$rsa" "$@" 2> messages > /dev/full
    [ $? -eq 1 ] && grep -q "^rsa: error: cannot write standard output: No space left" messages
}
check "full standard output" full_output \
    encrypt --key 1024.pub --in plain --out - --device "$device"
check "demo: full standard output" full_output demo --bits 1024 --in plain --seconds 0.05
ln -s loop loop
check "rejects: link to itself" rejects "cannot write loop: Too many levels" \
    encrypt --key 1024.pub --in plain --out loop --device "$device"
full_disk() {
    (
        ulimit -f 1
        rejects "cannot write out: File too large" \
            encrypt --key 1024.pub --in plain --out out --device "$device"
    )
}
check "rejects: no room for the output" full_disk
check "rejects: no subcommand" rejects ""
check "rejects: unknown subcommand" rejects "no subcommand is named sign" sign
check "rejects: unknown option first" rejects "no subcommand is named --fast" --fast
check "rejects: missing options" rejects "required" encrypt --key 1024.pub
check "rejects: unknown option" rejects "" \
    encrypt --key 1024.pub --in plain --out out --mode fast
encrypt "" 1024.pub plain --padding none
encrypt "" 1024.pub plain --device tpu
check "rejects: bits" rejects "" demo --bits 1000
for bits in 0 -2048 1022 2047 4098 1e3 99999999999999999999; do
    check "rejects: keygen --bits $bits" rejects "" keygen --out out --bits $bits
done
for count in 0 -1 1000001 99999999999999999999 many; do
    check "rejects: keygen --count $count" rejects "count" keygen --out out --count $count
done
check "rejects: keygen with hexadecimal bits" rejects "found 0x40b" keygen --out out --bits 0x40b
check "rejects: keygen with odd bits" rejects "even" keygen --out out --bits 1025
check "rejects: demo without a number of seconds" rejects "found nan" demo --seconds nan
check "rejects: demo with hexadecimal bits" rejects "bits" demo --bits 0x400
cp 1024.pem kept
check "rejects: decrypt over the key" rejects "1024.pem: it is the file of the key" \
    decrypt --key 1024.pem --in enc --out 1024.pem --device "$device"
check "the key is as it was" cmp kept 1024.pem
check "rejects: keygen without --out" rejects "required" keygen
check "rejects: keygen into no folder" rejects "cannot write no/out: No such file" \
    keygen --bits 1024 --out no/out --device "$device"
check "rejects: keygen in no folder" rejects "cannot make no/out/: No such file" \
    keygen --bits 1024 --out no/out/ --device "$device"
check "rejects: keygen into a folder with files" rejects "no new or empty folder" \
    keygen --bits 1024 --out .. --force --device "$device"
check "rejects: keygen over a file as folder" rejects "no new or empty folder" \
    keygen --bits 1024 --out plain/ --force --device "$device"
check "rejects: keygen to a full device" rejects "cannot write /dev/full: No space left" \
    keygen --bits 1024 --count 20 --out /dev/full --device "$device"
check "rejects: demo without file" rejects "cannot read nothing" demo --in nothing
if ! "$rsa" encrypt --key 1024.pub --in plain --out enc --device gpu 2> /dev/null; then
    check "rejects: no GPU" rejects "GPU" encrypt --key 1024.pub --in plain --out out --device gpu
fi

finish
