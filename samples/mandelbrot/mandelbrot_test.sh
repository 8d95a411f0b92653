#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests the sample program from outside: mandelbrot_test.sh <path of mandelbrot> [device]
# Every point's count against the same iteration with python3's integers, the PNGs by zlib, and bad
# input. Exit code 77: skipped, there is no python3.
source "$(dirname "${BASH_SOURCE[0]}")/../common/test.sh" "$@"
needs python3
mandelbrot=$program

run() { # run <arguments>...
    "$mandelbrot" "$@" --device "$device"
}

# Counts ------------------------------------------------------------------------------------------

cat > oracle.py <<'P'
# oracle.py <bits> <re> <im> <zoom> <width> <height> <iterations>: the counts as CSV. The same fixed
# point, without the search for cycles.
import math, sys
bits, re, im, zoom, width, height, limit = sys.argv[1:]
bits, zoom, width, height, limit = int(bits), float(zoom), int(width), int(height), int(limit)
F, widest = bits - 16, 1024
def coordinate(text):
    sign = -1 if text.startswith("-") else 1
    whole, _, decimals = text.lstrip("+-").partition(".")
    decimals = decimals[:320]
    magnitude = (int("0" + whole + decimals) << widest - 16) // 10 ** len(decimals)
    return sign * magnitude >> widest - bits
mantissa, exponent = math.frexp(4 / (zoom * width))
step = (int(math.ldexp(mantissa, 53)) << widest) >> 53 + 16 - exponent >> widest - bits
left = coordinate(re) - step * width // 2
top = coordinate(im) + step * height // 2
def count(cx, cy):
    x = y = 0
    for n in range(limit):
        x2, y2 = x * x >> F, y * y >> F
        if x2 + y2 >> F >= 64: return n
        x, y = x2 - y2 + cx, (x * y >> F - 1) + cy
    return limit
for row in range(height):
    print(",".join(str(count(left + step * c, top - step * row)) for c in range(width)))
P

equals_python() { # equals_python <bits> <re> <im> <zoom> <width> <height> <iterations>
    run --center-re "$2" --center-im "$3" --zoom "$4" --size "$5x$6" --iterations "$7" \
        --counts found --out picture.png > out && grep -q "^drawn  *$5 x $6 points, " out &&
        grep -q "^rate .*, $1 bits " out &&
        python3 oracle.py "${@:1:7}" > expected && cmp expected found &&
        [ "$(tr ',' '\n' < found | sort -u | wc -l)" -ge "${8:-8}" ] # no picture of one colour
}
re=-0.743643887037158704752191506114774
im=0.131825904205311970493132056385139
check "the whole set" equals_python 128 -0.5 0 1 33 25 300
check "the whole set, odd centre" equals_python 128 +.25 -.5 0.7 24 17 100
# About -2 and i counts grow with the depth only, however deep a picture is.
check "128 bits" equals_python 128 $re $im 1e8 24 18 2500
check "128 bits about -2" equals_python 128 -2 0 1e20 24 18 1000 4
check "256 bits" equals_python 256 -2 0 1e50 24 18 1000 4
check "512 bits" equals_python 512 -2 0 1e90 24 18 1000 4
check "1024 bits" equals_python 1024 -2 0 1e250 16 8 1000 3
check "1024 bits about i" equals_python 1024 0 "1.$(printf '0%.0s' $(seq 400))7" 1e260 12 9 2000 4
check "a limit of one" equals_python 128 -0.5 0 1 8 6 1 1

# PNGs ---------------------------------------------------------------------------------------------

cat > png.py <<'P'
# png.py <file> <width> <height>: reads an RGB PNG by hand and prints the number of its colours.
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
width, height = map(int, sys.argv[2:])
assert data[:8] == b"\x89PNG\r\n\x1a\n"
at, pixels, names = 8, b"", []
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + body)
    if name == b"IHDR": assert struct.unpack(">IIBB", body[:10]) == (width, height, 8, 2)
    if name == b"IDAT": pixels += body
    names.append(name)
    at += 12 + size
assert names[0] == b"IHDR" and names[-1] == b"IEND"
raw, line = zlib.decompress(pixels), 3 * width
assert len(raw) == height * (line + 1)
previous, colours = bytearray(line), set()
for row in range(height):
    kind, old = raw[row * (line + 1)], raw[row * (line + 1) + 1:(row + 1) * (line + 1)]
    new = bytearray(line)
    for i in range(line):
        a = new[i - 3] if i >= 3 else 0
        b, c = previous[i], previous[i - 3] if i >= 3 else 0
        p = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
        new[i] = old[i] + (0, a, b, (a + b) // 2, p)[kind] & 255
    colours |= {bytes(new[i:i + 3]) for i in range(0, line, 3)}
    previous = new
    if row == height // 2: middle = bytes(new[line // 2 // 3 * 3:][:3])
print(len(colours), "black" if middle == b"\0\0\0" else "coloured")
P

png() { # png <arguments>...: 60x45 points, the middle in the set, many colours
    run --size 60x45 --iterations 200 --out picture.png "$@" > out &&
        python3 png.py picture.png 60 45 > out && read -r count middle < out &&
        [ "$count" -ge 100 ] && [ "$middle" = black ]
}
check "a PNG" png
check "a PNG with 3 x 3 points a pixel" png --samples 3
standard_output() {
    run --size 20x10 --out - > piped.png && python3 png.py piped.png 20 10 > out
}
check "a PNG on standard output" standard_output
frames() {
    rm -f f-*.png
    run --frames 3 --zoom 1e10 --center-re $re --center-im $im --size 20x15 --out f.png > out &&
        [ "$(echo f-*)" = "f-0001.png f-0002.png f-0003.png" ] &&
        [ "$(sed -n 's/^rate  *iterations, \(zoom [^,]*\), .* \/s$/\1/p' out | tr '\n' ' ')" = "zoom 1 zoom 1e+05 zoom 1e+10 " ] ||
        return 1
    run --zoom 1e5 --center-re $re --center-im $im --size 20x15 --out one.png > out &&
        cmp one.png f-0002.png && ! cmp -s one.png f-0003.png
}
check "frames" frames
check "--json" json "[x['what'] for x in r['rates']] == ['iterations, zoom 1, 128 bits', 'iterations, zoom 100, 128 bits']" \
    run --frames 2 --zoom 100 --size 20x15 --out f.png

# Bad input ----------------------------------------------------------------------------------------

# One line on stderr that matches, a non-zero exit, no new file, an older output untouched.
rejects() { # rejects <pattern> <arguments>...
    local pattern=$1 code
    shift
    echo old > old
    ls -A > before
    run "$@" > out 2> "$messages"
    code=$?
    ls -A > after
    if [ $code -eq 0 ] || [ $code -ge 126 ] || ! cmp before after || [ "$(cat old)" != old ] ||
        [ "$(wc -l < "$messages")" -ne 1 ] ||
        ! grep -q "^mandelbrot: error: .*$pattern" "$messages"; then
        echo "exit code $code, stderr:"
        cat "$messages"
        return 1
    fi
}
touch before after out
for text in x - . 1e5 0x1 1,5 --5 16 100 1.2.3 "1 2" " 1" "$(head -c 70000 /dev/zero | tr '\0' 7)"; do
    check "rejects: centre '${text:0:20}'" rejects "not a decimal number" --center-re="$text" --out old
    check "rejects: centre '${text:0:20}'" rejects "not a decimal number" --center-im="$text" --out new
done
check "rejects: empty centre" rejects "must not be empty" --center-im "" --out new
for text in 5 0x5 5x0 5x 5x5x5 -5x5 99999x99999 5x5a ""; do
    check "rejects: size '$text'" rejects "" --size="$text" --out old
done
check "rejects: zoom" rejects "" --zoom 0 --out old
check "rejects: deep zoom" rejects "" --zoom 1e301 --out old
check "rejects: too deep for all widths" rejects "too deep.*1024" --zoom 1e300 --out old
check "rejects: zoom is no number" rejects "from 0.1 to 1e+300, found nan" --zoom nan --out old
check "rejects: hexadecimal iterations" rejects "found 0x10" --iterations 0x10 --out old
check "rejects: no name" rejects "out: must not be empty" --out ""
for target in - /dev/stdout /dev/null; do
    check "rejects: frames to $target" rejects "no file name" --frames 2 --size 4x4 --out $target
done
check "rejects: one target for both" rejects "two files to" --size 4x4 --out new --counts ./new
check "rejects: standard output for both" rejects "two files to" --size 4x4 --out - --counts -
check "rejects: one full target" rejects "No space left" --size 4x4 --out new --counts /dev/full
wrong_argument() {
    run "$@" --out new 2> "$messages"
    [ $? -eq 2 ]
}
check "exit status of a wrong size" wrong_argument --size 5x
check "exit status of a wrong centre" wrong_argument --center-re 5e
counts_only() { # nothing else on standard output
    run --size 4x3 --counts /dev/stdout > out && [ "$(wc -l < out)" -eq 3 ] &&
        [ "$(grep -cE '^([0-9]+,){3}[0-9]+$' out)" -eq 3 ]
}
check "counts on standard output" counts_only
check "rejects: too far from the set" rejects "too large" --size 2x16384 --out old
check "rejects: iterations" rejects "" --iterations 0 --out old
check "rejects: samples" rejects "" --samples 9 --out old
check "rejects: frames" rejects "" --frames 0 --out old
check "rejects: no output" rejects ""
check "rejects: target" rejects "cannot write no/out.png" --size 4x4 --out no/out.png
check "rejects: full device" rejects "No space left" --size 4x4 --out /dev/full
interrupted() {
    ls -A > before
    timeout --preserve-status -s INT 0.5 "$mandelbrot" --size 4000x4000 --iterations 1000000 \
        --out new --device cpu > out
    [ $? -eq 130 ] && ls -A > after && cmp before after
}
check "interrupted: nothing left" interrupted

finish
