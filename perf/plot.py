#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws modular powers per second against the width, warpint beside CGBN, as SVG.

usage: python3 perf/plot.py RESULTS.txt [OUTPUT.svg]

Reads lines `pow <bits> <warpint per second> <cgbn per second>`; `#` begins a comment, other lines
are skipped, and `-` stands for a figure that was not measured. Without OUTPUT the picture is named
after the results. Needs only Python's standard library.
"""

import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 84, 24, 78, 58  # margins around the axes

# Colours that differ in hue and brightness, for colour-blind readers and for print.
SERIES = [
    ("warpint", "#0b6e4f", "circle"),
    ("CGBN", "#d1731c", "square"),
]
TEXT, GRID, AXIS = "#222222", "#dddddd", "#555555"


def read_results(path):
    """Returns [(bits, (warpint, cgbn))], rates per second or None, by rising width."""
    rows = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        words = line.split("#")[0].split()
        if not words or words[0] != "pow":
            continue
        try:
            bits = int(words[1])
            rates = tuple(None if word == "-" else float(word) for word in words[2:])
        except (IndexError, ValueError):
            rates = ()
        known = [rate for rate in rates if rate is not None]
        if len(rates) != len(SERIES) or bits <= 0 or not all(0 < r < math.inf for r in known):
            raise ValueError(f"{path}:{number}: not `pow <bits> <per second> <per second>`: {line}")
        if bits in rows:
            raise ValueError(f"{path}:{number}: a second line for {bits} bits")
        rows[bits] = rates
    if not any(rate is not None for rates in rows.values() for rate in rates):
        raise ValueError(f"{path}: no line `pow <bits> <per second> <per second>` with a figure")
    return sorted(rows.items())


def short(rate):
    """1.39e8 as 139M: three digits and a prefix."""
    exponent = math.floor(math.log10(rate))
    rate = round(rate, 2 - exponent)
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= factor:
            return f"{rate / factor:.3g}{prefix}"
    return f"{rate:.3g}"


class Axes:
    """Widths evenly spaced on x (they double), rates on a logarithmic y."""

    def __init__(self, rows):
        rates = [rate for _, pair in rows for rate in pair if rate is not None]
        # Whole decades, with room above and below the extreme points for their labels.
        self.low = math.floor(math.log10(min(rates) / 1.6))
        self.high = math.ceil(math.log10(max(rates) * 1.6))
        self.columns = {bits: column for column, (bits, _) in enumerate(rows)}

    def x(self, bits):
        return LEFT + (self.columns[bits] + 0.5) * (WIDTH - LEFT - RIGHT) / len(self.columns)

    def y(self, rate):
        share = (math.log10(rate) - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def text(x, y, content, anchor="middle", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>'
            f"{escape(content)}</text>")


def marker(shape, x, y, colour):
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'
    return f'<rect x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9" fill="{colour}"/>'


def draw_axes(axes, rows):
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for decade in range(axes.low, axes.high + 1):
        y = axes.y(10.0**decade)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="{GRID}"/>')
        parts.append(text(LEFT - 8, y + 4.5, short(10.0**decade), "end"))
    parts.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="{AXIS}"/>')
    for bits, _ in rows:
        x = axes.x(bits)
        parts.append(f'<path d="M{x:.1f} {bottom}v5" stroke="{AXIS}"/>')
        parts.append(text(x, bottom + 20, str(bits)))
    parts.append(text((LEFT + right) / 2, HEIGHT - 14,
                      "width of base, exponent and modulus (bits)"))
    middle = (TOP + bottom) / 2
    parts.append(text(22, middle, "powers per second (logarithmic)",
                      extra=f' transform="rotate(-90 22 {middle:.1f})"'))
    return parts


def draw_series(axes, rows, index):
    _, colour, shape = SERIES[index]
    parts = []
    points = [(bits, pair) for bits, pair in rows if pair[index] is not None]
    path = " ".join(f"{axes.x(bits):.1f},{axes.y(pair[index]):.1f}" for bits, pair in points)
    parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
    for bits, pair in points:
        rate, other = pair[index], pair[1 - index]
        x, y = axes.x(bits), axes.y(rate)
        # The faster one is labelled above its point, the slower one below. Lines fall to the
        # right, so a label moves to the side where the line is on the other side of the point.
        above = other is None or rate > other or (rate == other and index == 0)
        parts.append(marker(shape, x, y, colour))
        parts.append(text(x + (9 if above else -9), y + (-7 if above else 17), short(rate),
                          "start" if above else "end",
                          f' fill="{colour}" font-weight="bold" font-size="12"'))
    return parts


def draw(rows):
    axes = Axes(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13" '
        f'fill="{TEXT}">',
        "<title>Modular powers per second, warpint and CGBN, by width</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#ffffff"/>',
        text(LEFT, 28, "Modular powers per second on one GPU (higher is better)",
             "start", ' font-size="16" font-weight="bold"'),
    ]
    x = LEFT
    for name, colour, shape in SERIES:
        parts.append(f'<path d="M{x} 52h28" stroke="{colour}" stroke-width="2.5"/>')
        parts.append(marker(shape, x + 14, 52, colour))
        parts.append(text(x + 36, 56.5, name, "start"))
        x += 130
    parts += draw_axes(axes, rows)
    for index in reversed(range(len(SERIES))):  # warpint on top
        parts += draw_series(axes, rows, index)
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[0] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stderr)
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    output = Path(arguments[1]) if len(arguments) == 2 else Path(arguments[0]).with_suffix(".svg")
    try:
        output.write_text(draw(read_results(arguments[0])), encoding="utf-8")
    except (OSError, ValueError) as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
