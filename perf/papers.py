#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints tables of published papers beside the same experiments here.

usage: perf/papers.py RESULTS [PAPER...]
       perf/papers.py --run WARPINT_PERF [PAPER...]

RESULTS is what `warpint_perf --json RESULTS` wrote. With --run the program measures the rows of these
papers first. The papers: kashani, honda, lee, emmart. README.md says where they were published.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import lines


class Lookup:
    """Rates of a run by what was measured, on its GPU where it has one."""

    def __init__(self, run, figures):
        self.device = "gpu" if any(f["device"] == "gpu" for f in figures) else "cpu"
        self.machine = run.get("gpu") if self.device == "gpu" else \
            f"{run.get('cpu', 'a CPU')}, {run.get('cores', '?')} threads"
        self.figures = figures

    def figure(self, operation, width, method="", by="", device=None, **fields):
        """The figure whose fields are these; of several batches the largest. By: warpint's own choice, or its
        method of this name, or another's code."""
        by = by or ("warpint: " + method if method else "warpint")
        found = [f for f in self.figures
                 if f["operation"] == operation and f["width"] == width and f["by"] == by
                 and f["device"] == (device or self.device) and f.get("check") not in lines.FAULTS
                 and all(f.get(key) == value for key, value in fields.items())]
        return max(found, key=lambda f: f.get("count", 0), default=None)

    def rate(self, *arguments, **fields):
        figure = self.figure(*arguments, **fields)
        return figure["rate"] if figure else None


def rate(value):
    return "" if value is None else lines.short(value)


def ratio(value, base):
    if value is None or not base:
        return ""
    return f"{value / base:.0f}" if value >= 100 * base else f"{value / base:.3g}"


class Table:
    def __init__(self, title, columns):
        self.title, self.columns, self.rows = title, [str(column) for column in columns], []

    def add(self, name, cells):
        if any(cells):
            self.rows.append([name] + list(cells))

    def text(self):
        rows = [[""] + self.columns] + self.rows
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        return "\n".join([self.title] + ["  " + "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths))) for row in rows])


class Paper:
    def __init__(self, key, title, gpu, rows, remark, tables):
        self.key, self.title, self.gpu, self.rows, self.remark, self.tables = key, title, gpu, rows, remark, tables


# Kashani, Carlessi ------------------------------------------------------------------------------------

SHORT = (109, 131, 163, 191, 239)


def kashani(find):
    memory = Table("Operations a second, operands in memory", SHORT)
    for operation, kind in (("a + b", "vector"), ("a - b", "vector"), ("(a + b) % m", "vector"),
                            ("(a - b) % m", "vector"), ("a * b", "vector"), ("a * b % m", "Modulus")):
        for layout in ("numbers", "limb-major"):
            memory.add(f"{operation}, {'separate' if layout == 'numbers' else 'interleaved'}",
                       [rate(find.rate(operation, width, kind=kind, layout=layout)) for width in SHORT])
    memory.add("x * y, Montgomery form", [rate(find.rate("x * y", width, kind="residues")) for width in SHORT])
    registers = Table("Operations a second, operands in registers", SHORT)
    registers.add("x + y modulo m", [rate(find.rate("x + y in registers", width)) for width in SHORT])
    for method in ("schoolbook (columns)", "Karatsuba"):
        registers.add(f"a * b, {method}", [rate(find.rate("a * b in registers", width, method)) for width in SHORT])
    registers.add("x * y modulo m, Montgomery", [rate(find.rate("x * y in registers", width)) for width in SHORT])
    tables = [memory, registers]
    grids, blocks = (16, 32, 512, 4096), (16, 32, 128, 256)
    for width in (131, 239):
        table = Table(f"Karatsuba's rate over schoolbook's, {width} bits; rows: blocks, columns: threads of a block",
                      blocks)
        for grid in grids:
            pairs = [[find.rate("a * b in registers", width, f"{method}, {grid} blocks of {block}")
                      for method in ("Karatsuba", "schoolbook (columns)")] for block in blocks]
            table.add(str(grid), [ratio(*pair) for pair in pairs])
        tables.append(table)
    return tables


# Honda, Ito, Nakano ---------------------------------------------------------------------------------------

LONG = (1024, 2048, 4096, 8192, 16384, 32768)
HONDA = {  # milliseconds for 100,000 products
    "a thread, Comba": (5.06, 38.96, 165.56, 684.61, 2806.77, 11411.26),
    "a thread, Karatsuba": (6.59, 21.62, 80.22, 320.46, 1288.00, 5333.75),
    "a thread, Karatsuba twice": (5.62, 16.54, 58.02, 219.59, 867.14, 3896.67),
    "a warp, shuffles, Comba": (1.52, 7.50, 26.16, 103.00, 440.38, 1729.08),
    "a warp, shuffles, Karatsuba": (None, 12.08, 35.48, 118.73, 435.23, 1653.45),
    "a warp, shuffles, Karatsuba twice": (None, None, 53.38, 144.79, 490.27, 1819.33),
    "the best": (1.52, 7.50, 26.16, 103.00, 435.23, 1653.45),
    "GMP 4.1.4, one core of a Xeon X7460": (95.34, 315.65, 1031.40, 3254.28, 10505.87, 30928.49),
}


def honda(find):
    def milliseconds(value):
        return "" if value is None else f"{value:.0f}" if value >= 1000 else f"{value:.3g}"

    table = Table("Milliseconds for 100,000 products", LONG)
    for name, values in HONDA.items():
        table.add(f"paper: {name}", [milliseconds(value) for value in values])
    ours = {}
    for name, fields in (("a thread, schoolbook", {"method": "schoolbook, a thread"}),
                         ("a thread, Karatsuba", {"method": "Karatsuba, a thread"}),
                         ("a thread, Karatsuba twice", {"method": "Karatsuba twice, a thread"}),
                         ("a warp, sum-rotate", {"method": "sum-rotate, a warp"}),
                         ("warpint's choice", {"kind": "vector"} | ({"count": 100_000} if find.device == "gpu" else {})),
                         ("GMP, all cores", {"by": "GMP", "device": "cpu"})):
        ours[name] = [find.rate("a * b", width, **fields) for width in LONG]
        table.add(f"here: {name}", [milliseconds(value and 1e8 / value) for value in ours[name]])
    table.add("warpint here over the paper's best", [
        ratio(best, value and 1e8 / value) for best, value in zip(HONDA["the best"], ours["warpint's choice"])])
    table.add("warpint over GMP, here",
              [ratio(a, b) for a, b in zip(ours["warpint's choice"], ours["GMP, all cores"])])
    return [table]


# Lee ----------------------------------------------------------------------------------------------------

LEE = {  # products a second by blocks of 1024 threads
    "SOS, numbers": {1: 1400147, 4: 6331284, 6: 5862266, 8: 6607136, 16: 5835369, 30: 5312784},
    "SOS, limb-major": {1: 2364254, 4: 9032730, 6: 10617868, 8: 9935453, 16: 8667994, 30: 8433192},
    "CIOS, numbers": {1: 1406254, 4: 6604690, 6: 6024097, 8: 5689509, 16: 5798710, 30: 5400303},
    "CIOS, limb-major": {1: 2328471, 4: 9037997, 6: 11342885, 8: 9472623, 16: 7722238, 30: 8174307},
    "CIOS, limb-major, shared memory": {1: 2508565, 4: 9573027, 6: 12527315, 8: 10999280, 16: 8659033, 30: 8185730},
    "SOS squares, limb-major, shared memory": {1: 2662942, 4: 10691811, 6: 14685497, 8: 15538024, 16: 11379813,
                                               30: 9215151},
    "exponentiation, shared memory (see below)": {1: 3323180, 4: 12941967, 6: 16831728, 8: 17648711, 16: 12165867,
                                                  30: 9206739},
}


def lee(find):
    blocks = (1, 4, 6, 8, 16, 30)
    table = Table("Montgomery products a second, 1024 bits, by blocks of 1024 numbers", list(blocks) + ["large"])
    for name, values in LEE.items():
        table.add(f"paper: {name}", [rate(values[block]) for block in blocks] + [""])
    for method in ("SOS", "CIOS", "FIOS", "FIPS (columns)"):
        for layout in ("numbers", "limb-major"):
            rates = [find.rate("a * b / R % m", 1024, method, layout=layout, count=1024 * block) for block in blocks]
            rates.append(find.rate("a * b / R % m", 1024, method, layout=layout))
            table.add(f"here: {method}, {layout}", [rate(value) for value in rates])
    table.add("here: a * b % M by warpint", [""] * len(blocks) + [rate(find.rate("a * b % m", 1024, kind="Modulus"))])
    keys = Table("A second", (256, 1024, 2048, 4096))
    keys.add("pow(a, e, m), e of twice the width", [rate(find.rate("pow(a, w, m)", width)) for width in (256, 1024, 2048, 4096)])
    for operation, name in (("RSA private", "RSA private operations, by the CRT"),
                            ("pow(2, e, m)", "Diffie-Hellman public numbers"),
                            ("pow(a, e, m)", "Diffie-Hellman secrets")):
        keys.add(name, [rate(find.rate(operation, width)) for width in (256, 1024, 2048, 4096)])
    return [table, keys]


# Emmart, Luitjens, Weems, Woolley ---------------------------------------------------------------------------

FIELDS = (128, 256, 384, 512)
EMMART = (("multiply", "x * y in registers",
           (("GTX 780Ti, row oriented", (7922e6, 2030e6, 892e6, 502e6)),
            ("GTX 980Ti, row oriented", (9227e6, 2501e6, 1131e6, 498e6)),
            ("GTX 980Ti, two-pass", (12219e6, 4027e6, 1948e6, 1081e6))),
           ("95%", "95%", "93%", "87%")),
          ("square", "sqr(x) in registers",
           (("GTX 780Ti, row oriented", (9510e6, 2602e6, 1154e6, 665e6)),
            ("GTX 980Ti, row oriented", (10862e6, 3094e6, 1442e6, 648e6)),
            ("GTX 980Ti, two-pass", (13680e6, 4759e6, 2369e6, 1326e6))),
           ("96%", "96%", "94%", "88%")))


def emmart(find):
    tables = []
    for verb, operation, papers, utilisation in EMMART:
        table = Table(f"{verb.capitalize()} and reduce, a second, in registers", FIELDS)
        for name, values in papers:
            table.add(f"paper: {name}", [rate(value) for value in values])
        table.add("paper: instructions of four a clock, two-pass", utilisation)
        rows = [("rows (CIOS)", "CIOS"), ("rows, own squares (SOS)", "SOS"), ("columns (FIPS)", "FIPS (columns)"),
                ("two-pass", "two-pass")] + [(f"distributed, {n} lanes", f"distributed, {n} lanes") for n in (2, 4)]
        for name, method in rows:
            table.add(f"here: {name}", [rate(find.rate(operation, width, method)) for width in FIELDS])
        table.add("here: warpint's choice",
                  [rate(find.rate(operation, width, kind="residues")) for width in FIELDS])
        shares = [find.figure(operation, width, kind="residues") for width in FIELDS]
        table.add("here: share of the multiplier", [f"{100 * f['share']:.0f}%" if f and "share" in f else ""
                                                    for f in shares])
        tables.append(table)
    return tables


PAPERS = (
    Paper("kashani", "A. Carlessi, S. Kashani, Implementing generic multiple-precision arithmetic on CUDA GPUs, EPFL 2013",
          "NVIDIA Fermi and Kepler GPUs", r"/(109|131|163|191|239)/",
          "The report has plots without figures: operands in registers are much faster than in memory, Karatsuba's "
          "product is faster than the schoolbook's at 131 bits and slower at 239, and its Montgomery reduction never "
          "became correct. Here every result is checked, and the last tables show which product wins on this machine.",
          kashani),
    Paper("honda", "T. Honda, Y. Ito, K. Nakano, A warp-synchronous implementation for multiple-length multiplication on the GPU, "
          "Hiroshima University",
          "NVIDIA GeForce GTX 980", r"/a \* b/vector/numbers/(1024|2048|4096|8192|16384|32768)/",
          "The paper gives a warp to each number because a thread has too few registers; so does warpint at these widths, with "
          "several limbs a lane instead of one, and the rates of its sum-rotate product and of warpint's choice show "
          "what that is worth on one machine.", honda),
    Paper("lee", "Lee W. D., Large integer arithmetic in GPU for cryptography, Universiti Tunku Abdul Rahman 2017",
          "NVIDIA GeForce GTX 1070", r"a \* b / R|a \* b % m/Modulus/.*/1024/|/pow\(|RSA",
          "Limb-major storage doubled the paper's rates because its threads read numbers limb by limb; warpint reads "
          "numbers through shared memory, so both layouts should be near one another. What the report's text calls 17.7 "
          "million exponentiations a second its tables call multiplications: as powers of 2048-bit exponents they would "
          "be far beyond the card's multipliers, so compare them with products.", lee),
    Paper("emmart", "N. Emmart, J. Luitjens, C. Weems, C. Woolley, Optimizing modular multiplication for NVIDIA's Maxwell GPUs, "
          "ARITH 2016",
          "NVIDIA GeForce GTX 780 Ti and GTX 980 Ti", r"in registers/(residues|Montgomery)/",
          "Two passes of half products paid on Maxwell, whose multiplier has 16 bits; since Volta a product of 32 bits "
          "is one instruction, and rows of those win again.", emmart),
)


def report(run, figures, keys):
    """[(paper, machine, [Table])] of these papers."""
    find = Lookup(run, figures)
    return [(paper, find.machine, paper.tables(find)) for paper in PAPERS if paper.key in keys]


def main(arguments):
    program = None
    if arguments[:1] == ["--run"]:
        program, arguments = arguments[1:2], arguments[2:]
    names = [paper.key for paper in PAPERS]
    path = None
    if program is None and arguments:
        path, arguments = arguments[0], arguments[1:]
    if not (program or path) or any(argument not in names for argument in arguments):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    keys = arguments or names
    with tempfile.TemporaryDirectory() as folder:
        if program:
            path = str(Path(folder) / "papers.jsonl")
            rows = "|".join(paper.rows for paper in PAPERS if paper.key in keys)
            try:
                done = subprocess.run([program[0], "--filter", rows, "--json", path], check=False)
            except OSError as error:
                print(f"papers.py: {error}", file=sys.stderr)
                return 2
            if done.returncode != 0:
                return done.returncode
        try:
            run, figures = lines.read(path)
        except (OSError, ValueError) as error:
            print(f"papers.py: {error}", file=sys.stderr)
            return 2
    for paper, machine, tables in report(run, figures, keys):
        print(f"\n{paper.title}\nMeasured there: {paper.gpu}. Here: {machine}.\n{paper.remark}\n")
        for table in tables:
            if table.rows:
                print(table.text() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
