#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures README's operations, and others, with the headers of two revisions, in turns, in one run.

before_after.py [option...] BEFORE

BEFORE is a revision of this repository, or a folder with other headers (warpint/warpint.h below it). "after" are the
headers of this checkout. Each cell (an operation at a width) is a program of before_after.cu; all are compiled first,
then those of a cell run in turns: before, after, after, before. A line for each cell has both rates (the better of
two runs) and their ratio; the last line has the geometric mean of the ratios. Exits with 1 where the two disagree
about the results or a program fails.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import revisions

HERE = pathlib.Path(__file__).resolve().parent
OPERATIONS = {
    1: "pow(a, e, m)",
    2: "a * b % m",
    3: "a * b",
    4: "divmod(w, m)",
    5: "isqrt(a)",
    6: "gcd(a, b)",
    7: "inverse(a, m)",
    8: "inverse(x)",
    9: "y / x",
    10: "inverse(x), even",
    11: "y / x, even",
    12: "inverse(a, M)",
    13: "inverse(s)",
    14: "inverse(s), even",
}
# The others have one modulus for all: residues x, y of a Modulus, numbers a, static residues s.
README_OPERATIONS = range(1, 8)
WIDTHS = [256, 512, 1024, 2048, 4096]


def compile_cell(job):
    """None, or what the compiler said."""
    command, include, cell, bits, program = job
    options = [f"-DCELL={cell}", f"-DBITS={bits}", f"-I{include}", HERE / "before_after.cu", "-o", program]
    try:
        done = subprocess.run(
            [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except OSError as error:
        return f"before_after.py: {error}"
    return None if done.returncode == 0 else f"{program}: {done.stdout[:2000]}"


def main():
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="BEFORE")
    parser.add_argument("--cpu", action="store_true", help="on the CPU, by a host compiler")
    parser.add_argument("--compiler", help="nvcc, or g++ with --cpu")
    parser.add_argument("--arch", default="native", help="of nvcc")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilations at a time")
    parser.add_argument(
        "--operations", type=int, nargs="*", default=README_OPERATIONS, help="1 to 14; README's are 1 to 7"
    )
    parser.add_argument("--widths", type=int, nargs="*", default=WIDTHS)
    options = parser.parse_args()

    command = [options.compiler or "nvcc", "-std=c++20", "-O3", f"-arch={options.arch}", "-w"]
    if options.cpu:
        command = [options.compiler or "g++", "-x", "c++", "-std=c++20", "-O2", "-pthread", "-w"]
    with tempfile.TemporaryDirectory() as folder:
        trees = {"before": revisions.headers(options.before, folder), "after": HERE.parent / "include"}
        cells = [(cell, bits) for cell in options.operations for bits in options.widths]
        jobs = [
            (command, include, cell, bits, os.path.join(folder, f"{name}_{cell}_{bits}"))
            for cell, bits in sorted(cells, key=lambda c: -c[1])
            for name, include in trees.items()
        ]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            failures = [failure for failure in pool.map(compile_cell, jobs) if failure]
        if failures:
            sys.exit("\n".join(failures))

        print(f"{'operation':<16}{'bits':>6}{'before':>12}{'after':>12}{'ratio':>8}")
        ratios, differ = [], False
        for cell, bits in cells:
            rates, hashes = {"before": 0.0, "after": 0.0}, set()
            for name in ["before", "after", "after", "before"]:
                program = os.path.join(folder, f"{name}_{cell}_{bits}")
                rate, result = subprocess.run(
                    [program], stdout=subprocess.PIPE, text=True, check=True
                ).stdout.split()
                rates[name] = max(rates[name], float(rate))
                hashes.add(result)
            ratio = rates["after"] / rates["before"]
            ratios.append(ratio)
            note = "" if len(hashes) == 1 else "  THE RESULTS DIFFER"
            differ = differ or len(hashes) != 1
            print(
                f"{OPERATIONS[cell]:<16}{bits:>6}{rates['before']:>12.4g}{rates['after']:>12.4g}{ratio:>8.3f}{note}",
                flush=True,
            )
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of {len(ratios)} ratios: {mean:.3f}; the smallest: {min(ratios):.3f}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
