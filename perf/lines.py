# SPDX-License-Identifier: Apache-2.0
"""Reads what `warpint_perf --json FILE` wrote: one JSON object a line. README.md lists the fields."""

import json
from pathlib import Path

PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "K"))


def read(path):
    """Returns (the description of the run, the figures)."""
    run, figures = {}, []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}:{number}: {error}") from error
        if "run" in entry:
            run = run or entry["run"]
            continue
        missing = [key for key in ("operation", "width", "by") if key not in entry]
        if missing:
            raise ValueError(f"{path}:{number}: without {', '.join(missing)}")
        entry.setdefault("kind", "vector")
        entry.setdefault("layout", "numbers")
        entry.setdefault("device", "gpu")
        figures.append(entry)
    return run, figures


def key(figure):
    """What makes two figures of different runs comparable."""
    return tuple(figure.get(name) for name in
                 ("device", "operation", "kind", "layout", "width", "count", "by"))


def short(rate):
    """3.41e6 as "3.41 M"."""
    for factor, prefix in PREFIXES:
        if rate >= 0.9995 * factor:
            return f"{rate / factor:.3g} {prefix}" if rate < 999.5 * factor else f"{rate / factor:.0f} {prefix}"
    return f"{rate:.3g}"
