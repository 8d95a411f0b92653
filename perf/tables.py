#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints results of warpint_perf as tables in Markdown.

usage: perf/tables.py RESULTS...

Rows that are wrong or failed are listed behind the tables; the exit status is 1 then.
"""

import sys
from pathlib import Path

import lines

STREAMS = ("a + b", "a < b", "a << 37")
MULTIPLYING = ("a * b", "sqr(a)", "a * b % m", "pow(a, e, m)")
DIVIDING = ("divmod(w, m)", "a / b, b of half the width", "isqrt(a)", "gcd(a, b)", "inverse(a, m)")
STANDARD = MULTIPLYING + STREAMS[:1] + DIVIDING + ("pow(a, 65537, m)",)


class Run:
    """The figures of one file."""

    def __init__(self, path):
        self.name = path.stem
        self.description, self.figures = lines.read(path)
        self.faults = [figure for figure in self.figures if figure.get("check") in lines.FAULTS]
        self.figures = [figure for figure in self.figures if "rate" in figure]
        self.devices = [device for device in ("gpu", "cpu") if any(f["device"] == device for f in self.figures)]

    def machine(self, device):
        if device == "gpu":
            return self.description.get("gpu", "GPU")
        return f"{self.description.get('cpu', 'CPU')}, {self.description.get('cores', '?')} threads"

    def series(self, device, operation, by="warpint", kind=None, layout="numbers"):
        """[(width, figure)] of the largest batches; wrong figures are none."""
        best = {}
        for figure in self.figures:
            if (figure["device"], figure["operation"], figure["by"], figure["layout"]) != \
                    (device, operation, by, layout) or (kind and figure["kind"] != kind) or figure in self.faults:
                continue
            width = figure["width"]
            if width not in best or figure.get("count", 0) > best[width].get("count", 0):
                best[width] = figure
        return sorted(best.items())

    def ceiling(self, device, operation):
        return next((f["rate"] for f in self.figures if f["kind"] == "ceiling" and f["device"] == device
                     and f["operation"] == operation), None)

    def peers(self, device, operation):
        """Whose code else there is for this operation, over vectors."""
        found = {figure["by"] for figure in self.figures if figure["operation"] == operation
                 and figure["device"] == device and figure["kind"] in ("vector", "Modulus")
                 and figure not in self.faults}
        return sorted(name for name in found if not name.startswith("warpint") and name != "one launch per operator")


def cell(figure):
    if figure is None:
        return ""
    return lines.short(figure["rate"])


def table_of_ceilings(run, device):
    rows = [[f["operation"], f"{f['width']} bits" if f["width"] else "", lines.short(f["rate"]) + "/s"]
            for f in run.figures if f["kind"] == "ceiling" and f["device"] == device]
    return ["limit", "", "measured"], rows


def table_of_rates(run, device):
    widths = sorted({f["width"] for f in run.figures if f["device"] == device and f["kind"] == "vector"
                     and f["width"] & (f["width"] - 1) == 0})
    rows = []
    for operation in STANDARD:
        ours = {kind: dict(run.series(device, operation, kind=kind)) for kind in ("vector", "number", "Modulus")}
        for kind, points in ours.items():
            note = {"vector": "", "number": ", one modulus", "Modulus": ", one Modulus"}[kind]
            if points:
                rows.append([operation + note] + [cell(points.get(width)) for width in widths])
        for name in run.peers(device, operation):
            theirs = dict(run.series(device, operation, by=name))
            kind = next(iter(theirs.values()))["kind"]
            base = ours.get(kind, ours["vector"])
            rows.append([f"times {name}" + (f", one {kind}" if kind == "Modulus" else "")] + [
                f"{base[width]['rate'] / theirs[width]['rate']:.2f}" if width in theirs and width in base else ""
                for width in widths])
    return ["a second, bits"] + [str(width) for width in widths], [row for row in rows if any(row[1:])]


def table_of_all(run, device):
    rows = []
    for figure in run.figures:
        if figure["device"] != device or figure["kind"] == "ceiling":
            continue
        share = f"{100 * figure['share']:.0f}% of {figure['limit']}" if "share" in figure else ""
        rows.append([figure["operation"], str(figure["width"]), str(figure.get("count", "")), figure["kind"],
                     figure["layout"], figure["by"], lines.short(figure["rate"]) + "/s",
                     f"{50 * figure.get('spread', 0):.1f}%", share, figure.get("check", ""), figure.get("plan", "")])
    return ["operation", "bits", "count", "kind", "layout", "by", "rate", "+-", "share", "check", "plan"], rows


def as_markdown(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] +
                     ["| " + " | ".join(row) + " |" for row in rows])


def tables_of(run):
    """[(title, columns, rows)]: rates and limits of each device."""
    tables = []
    for device in run.devices:
        for title, table in (("Rates", table_of_rates), ("Limits", table_of_ceilings)):
            columns, rows = table(run, device)
            if rows:
                tables.append((f"{title}, {run.machine(device)}", columns, rows))
    return tables


def faults_of(run):
    """What is wrong or failed, a line each."""
    return [f"{figure['check']}: {lines.text(figure)} {figure.get('error', '')}".strip() for figure in run.faults]


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    faults = []
    try:
        for path in arguments:
            run = Run(Path(path))
            for title, columns, rows in tables_of(run):
                print(f"## {title}\n\n{as_markdown(columns, rows)}\n")
            faults += faults_of(run)
    except (OSError, ValueError) as error:
        print(f"tables.py: {error}", file=sys.stderr)
        return 2
    if faults:
        print("## Wrong or failed\n\n" + "\n".join(f"- {fault}" for fault in faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
