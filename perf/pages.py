#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the figures of a results file into the tables of README and guide, which so cannot disagree.

usage: perf/pages.py [--check] RESULTS PAGE...

A table belongs to the results where its first cell is in TABLES. Its figures are replaced: the columns are
widths, the first cell of a row says what is measured, and bold figures stay bold. Everything else on a page is
left as it is. With --check nothing is written, and the exit status is 1 where a page has other figures.
"""

import sys
from pathlib import Path

from tables import Run


def rate(operation, kind="vector", by="warpint"):
    return lambda run, width: short(of(run, "gpu", operation, kind, by, width, "rate"))


def share(operation):
    return lambda run, width: two_places(of(run, "gpu", operation, "vector", "warpint", width, "share"))


def times(device, peer, operation, kind="vector"):  # the peer's operands differ in each element
    def text(run, width):
        ours = of(run, device, operation, kind, "warpint", width, "rate")
        theirs = of(run, device, operation, "vector", peer, width, "rate")
        return ratio(ours / theirs) if ours and theirs else ""
    return text


def with_cgbn(rows):
    """Adds what a row "times CGBN" below each of them has."""
    return {label: (rate(*what), times("gpu", "CGBN", *what[:2])) for label, what in rows.items()}


# The first cell of a table: the first cell of a row: its figures, and those of a row "times CGBN" below it.
TABLES = {
    "`pow(a, e, m)` per second, bits": with_cgbn({
        "warpint": ("pow(a, e, m)",),
        "exponent 65537, one modulus": ("pow(a, 65537, m)", "Modulus"),
    }),
    "memory to memory, per second, bits": with_cgbn({
        "`c = a * b % m`": ("a * b % m",),
        "`c = a * b % m`, one modulus for all": ("a * b % m", "number"),
        "`c = (a * b + d) % m`, one modulus for all": ("(a * b + c) % m", "Modulus"),
        "`c = a * b` (exact)": ("a * b",),
        "`c = sqr(a)`": ("sqr(a)",),
        "`tie(q, r) = divmod(w, m)`, `w` of twice the width": ("divmod(w, m)",),
        "`c = a / b`, `b` of half the width": ("a / b, b of half the width",),
        "`c = isqrt(a)`": ("isqrt(a)",),
        "`c = gcd(a, b)`": ("gcd(a, b)",),
        "`c = inverse(a, m)`": ("inverse(a, m)",),
        "`c = inverse(a, m)`, one modulus for all": ("inverse(a, m)", "Modulus"),
        "`sort(a)`, random numbers": ("sort(a)",),
        "the same by `thrust::sort`": ("sort(a)", "vector", "thrust::sort"),
    }),
    "share of the memory's bandwidth, bits": {
        "`c = a + b`": (share("a + b"),),
        "`sum(a)`": (share("sum(a)"),),
    },
    "times GMP, bits": {
        "`a + b`": (times("cpu", "GMP", "a + b"),),
        "`a * b`": (times("cpu", "GMP", "a * b"),),
        "`a * b % m`": (times("cpu", "GMP", "a * b % m"),),
        "`pow(a, e, m)`": (times("cpu", "GMP", "pow(a, e, m)"),),
        "`tie(q, r) = divmod(w, m)`": (times("cpu", "GMP", "divmod(w, m)"),),
        "`gcd(a, b)`": (times("cpu", "GMP", "gcd(a, b)"),),
        "`inverse(a, m)`": (times("cpu", "GMP", "inverse(a, m)"),),
    },
}


def of(run, device, operation, kind, by, width, field):
    figure = dict(run.series(device, operation, by=by, kind=kind)).get(width)
    return figure.get(field) if figure else None


def short(rate):
    """3.41e6 as "3.41 M", 58e3 as "58.0 K"."""
    if rate is None:
        return ""
    prefixes = ["", " K", " M", " G", " T", " P"]
    while rate >= 999.5:
        rate, prefixes = rate / 1000, prefixes[1:]
    return (f"{rate:.0f}" if rate >= 99.95 else f"{rate:.1f}" if rate >= 9.995 else f"{rate:.2f}") + prefixes[0]


def ratio(value):
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}"


def two_places(value):
    return "" if value is None else f"{value:.2f}"


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")] if line.lstrip().startswith("|") else None


def rewritten(line, figures):
    label, *old = cells_of(line)
    bold = any(cell.startswith("**") for cell in old)
    new = [f"**{figure}**" if bold and figure else figure for figure in figures]
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in [label] + new)


def page_with_figures(text, run):
    """The page's text with the figures of the run. ValueError where a row of a known table is unknown."""
    lines, rows, widths, above = [], None, [], None
    for line in text.split("\n"):
        cells = cells_of(line)
        if cells is None:
            rows = None
        elif rows is None:
            if cells[0] in TABLES:
                rows, above = TABLES[cells[0]], None
                widths = [int(cell) for cell in cells[1:]]
        elif not all(set(cell) <= set("-:") for cell in cells):
            if cells[0] in rows:
                above = rows[cells[0]]
                figures = above[0]
            elif cells[0] == "times CGBN" and above and len(above) == 2:
                figures = above[1]
            else:
                raise ValueError(f"no row of that table is known as {cells[0]}")
            line = rewritten(line, [figures(run, width) for width in widths])
        lines.append(line)
    return "\n".join(lines)


def main(arguments):
    check = arguments[:1] == ["--check"]
    arguments = arguments[check:]
    if len(arguments) < 2 or arguments[0] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    different = 0
    try:
        run = Run(Path(arguments[0]))
        for page in map(Path, arguments[1:]):
            old = page.read_text(encoding="utf-8")
            new = page_with_figures(old, run)
            if old == new:
                continue
            different += 1
            if not check:
                page.write_text(new, encoding="utf-8")
                continue
            for before, after in zip(old.split("\n"), new.split("\n")):
                if before != after:
                    print(f"{page}:\n- {before}\n+ {after}")
    except (OSError, ValueError) as error:
        print(f"pages.py: {error}", file=sys.stderr)
        return 2
    return 1 if check and different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
