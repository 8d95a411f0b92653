# SPDX-License-Identifier: Apache-2.0
"""Reads what `warpint_perf --json FILE` wrote: one JSON object a line. README.md lists the fields.

usage: python3 perf/lines.py FILE     counts the figures by their check; exit status 1 unless some are right
                                      (or GMP's own) and none is wrong or failed
"""

import collections
import json
import math
import sys
from pathlib import Path

PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "K"))
FAULTS = ("wrong", "failed")


def number(entry, name):
    """A field that has to be a number above 0."""
    value = entry[name]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise ValueError(f"{name} is {value!r}")
    return value


def checked(entry):
    """A line as it is, or ValueError."""
    if not isinstance(entry, dict):
        raise ValueError("no JSON object")
    if "run" in entry:
        if not isinstance(entry["run"], dict):
            raise ValueError("run is no object")
        return entry
    missing = [key for key in ("operation", "width", "by") if key not in entry]
    if entry.get("check") != "failed" and "rate" not in entry:
        missing.append("rate")
    if missing:
        raise ValueError(f"without {', '.join(missing)}")
    if isinstance(entry["width"], bool) or not isinstance(entry["width"], int) or entry["width"] < 0:
        raise ValueError(f"width is {entry['width']!r}")
    for name in ("rate", "seconds", "count"):
        if name in entry:
            number(entry, name)
    return entry


def read(path):
    """Returns (the description of the run, the figures). ValueError where a line is none."""
    run, figures = {}, []
    for place, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = checked(json.loads(line))
        except ValueError as error:
            raise ValueError(f"{path}:{place}: {error}") from error
        if "run" in entry:
            run = run or entry["run"]
            continue
        entry.setdefault("kind", "vector")
        entry.setdefault("layout", "numbers")
        entry.setdefault("device", "gpu")
        figures.append(entry)
    return run, figures


def key(figure):
    """What makes two figures of different runs comparable."""
    return tuple(figure.get(name) for name in
                 ("device", "operation", "kind", "layout", "width", "count", "by"))


def text(figure):
    """Which figure this is, in words."""
    device, operation, kind, layout, width, count, by = key(figure)
    return f"{device} {width} bits, {operation} ({kind}, {layout}, {count}, {by})"


def short(rate):
    """3.41e6 as "3.41 M"."""
    for factor, prefix in PREFIXES:
        if rate >= 0.9995 * factor:
            return f"{rate / factor:.3g} {prefix}" if rate < 999.5 * factor else f"{rate / factor:.0f} {prefix}"
    return f"{rate:.3g}"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        _, figures = read(arguments[0])
    except (OSError, ValueError) as error:
        print(f"lines.py: {error}", file=sys.stderr)
        return 2
    count = collections.Counter(figure.get("check") for figure in figures if figure["kind"] != "ceiling")
    count.update(figure["check"] for figure in figures if figure["kind"] == "ceiling" and "check" in figure)
    for figure in figures:
        if figure.get("check") in FAULTS:
            print(f"{figure['check'].upper()}: {text(figure)} {figure.get('error', '')}")
    print(f"{count['right']} results right, {count['reference']} of GMP itself, "
          f"{count['unchecked'] + count[None]} unchecked, {count['wrong']} wrong, {count['failed']} failed")
    return 0 if count["right"] + count["reference"] and not any(count[fault] for fault in FAULTS) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
