#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: rsa_test.sh <path of rsa> [device]
# Files there and back, every block against `openssl pkeyutl` in both directions, and bad input.
# Exit code 77: skipped, there is no openssl program.
set -u

rsa=$(realpath "$1")
[ -x "$rsa" ] || { echo "no program $rsa"; exit 1; }
device=${2:-auto}
command -v openssl > /dev/null || { echo "skipped: no openssl program"; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
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
    local per_block blocks
    per_block=$(message_size "$1" "$2")
    blocks=$((($3 + per_block - 1) / per_block))
    [ "$3" -eq 0 ] && blocks=1
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
from_pipe() {
    "$rsa" encrypt --key 1024.pub --in <(cat plain) --out enc --device "$device" &&
        "$rsa" decrypt --key 1024.pem --in <(cat enc) --out back --device "$device" &&
        cmp plain back
}
check "input from a pipe" from_pipe
progress_bar() {
    "$rsa" encrypt --key 1024.pub --in <(cat plain; sleep 1.2; head -c 200000 /dev/zero) --out enc \
        --progress --device "$device" 2> messages && grep -q encrypting messages
}
check "progress bar" progress_bar

demo() {
    "$rsa" demo --bits 1024 --in plain --seconds 0.05 --device "$device" > messages &&
        [ "$(grep -c '^ok ' messages)" -eq 3 ] && grep -q '^OpenSSL' messages
}
check "demo" demo

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
messages=$folder.messages
trap 'rm -rf "$folder" "$messages"' EXIT
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
decrypt "truncated" 1024.pem truncated
decrypt "truncated" 1024.pem <(cat truncated)
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
decrypt "block 0 (at byte 0) is corrupted" 1024.pem highest
head -c 128 /dev/zero > zero
decrypt "block 0 (at byte 0) is corrupted" 1024.pem zero
decrypt "block 0 (at byte 0) is corrupted" 1024.pem zero --padding pkcs1
decrypt "block 0 (at byte 0) is corrupted" 1024.pem enc --padding pkcs1
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out other.pem 2> /dev/null
# Any block: one that is not below this random key's modulus is found before the padding is looked at.
decrypt "is corrupted, or was not encrypted with this key" other.pem enc

check "rejects: no such folder" rejects "cannot write no/out: No such file" \
    encrypt --key 1024.pub --in plain --out no/out --device "$device"
check "rejects: output is a folder" rejects "cannot write directory: it is a directory" \
    encrypt --key 1024.pub --in plain --out directory --device "$device"
check "rejects: output is a device" rejects "cannot write /dev/null: it is not a regular file" \
    encrypt --key 1024.pub --in plain --out /dev/null --device "$device"
full_disk() {
    (
        trap '' XFSZ
        ulimit -f 1
        rejects "cannot write out: File too large" \
            encrypt --key 1024.pub --in plain --out out --device "$device"
    )
}
check "rejects: no room for the output" full_disk
check "rejects: no subcommand" rejects ""
check "rejects: unknown subcommand" rejects "" sign
check "rejects: missing options" rejects "required" encrypt --key 1024.pub
check "rejects: unknown option" rejects "" \
    encrypt --key 1024.pub --in plain --out out --mode fast
encrypt "" 1024.pub plain --padding none
encrypt "" 1024.pub plain --device tpu
check "rejects: bits" rejects "" demo --bits 1000
check "rejects: demo without file" rejects "cannot read nothing" demo --in nothing
if ! "$rsa" encrypt --key 1024.pub --in plain --out enc --device gpu 2> /dev/null; then
    check "rejects: no GPU" rejects "GPU" encrypt --key 1024.pub --in plain --out out --device gpu
fi

echo "$passed checks passed, $failed failed"
[ "$failed" -eq 0 ]
