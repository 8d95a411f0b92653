#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures formulas beside the same in pieces with vectors of one's own: fusing must never lose.

fused.py [option...]

Each formula of fused.cu at each width is a program; all are compiled first, then run one after another. A line for each
has the milliseconds of both and their ratio, LOSES where the formula takes more than 1.05 times as long. Exits with 1
where the two disagree about the result or a program fails; with --fail also where a formula loses.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
WIDTHS = [128, 256, 521, 640, 1024, 1536, 2048, 3072, 4096, 8192]
MOST = 1.05


def formulas():
    """The numbers of the list in fused.cu."""
    return [int(n) for n in re.findall(r"^ +(?:STORE|REDUCE)\((\d+),", (HERE / "fused.cu").read_text("utf-8"), re.M)]


def compile_program(job):
    """None, or what the compiler said."""
    command, include, formula, bits, count, program = job
    options = [f"-DFORMULA={formula}", f"-DBITS={bits}", f"-DCOUNT={count}", f"-I{include}", HERE / "fused.cu", "-o", program]
    try:
        done = subprocess.run(
            [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except OSError as error:
        return f"fused.py: {error}"
    return None if done.returncode == 0 else f"formula {formula} of {bits} bits: {done.stdout[:2000]}"


def main():
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", action="store_true", help="on the CPU, by a host compiler")
    parser.add_argument("--compiler", help="nvcc, or g++ with --cpu")
    parser.add_argument("--arch", default="native", help="of nvcc")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilations at a time")
    parser.add_argument("--formulas", type=int, nargs="*", default=formulas())
    parser.add_argument("--widths", type=int, nargs="*", default=WIDTHS)
    parser.add_argument("--count", type=int, default=0, help="elements; 0: more than caches hold")
    parser.add_argument("--include", default=HERE.parent / "include", help="other headers")
    parser.add_argument("--fail", action="store_true", help="exit with 1 where a formula loses")
    options = parser.parse_args()

    command = [options.compiler or "nvcc", "-std=c++20", "-O3", f"-arch={options.arch}", "-w"]
    if options.cpu:
        command = [options.compiler or "g++", "-x", "c++", "-std=c++20", "-O2", "-pthread", "-w"]
    failed, lost, measured = False, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        cells = [(formula, bits) for formula in options.formulas for bits in options.widths]
        jobs = [
            (command, options.include, formula, bits, options.count, os.path.join(folder, f"{formula}_{bits}"))
            for formula, bits in sorted(cells, key=lambda cell: -cell[1])
        ]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for failure in pool.map(compile_program, jobs):
                if failure:
                    print(failure, file=sys.stderr)
                    failed = True
        print(f"{'formula':<44}{'bits':>6}{'fused ms':>11}{'pieces ms':>11}{'ratio':>7}")
        for formula, bits in cells:
            program = os.path.join(folder, f"{formula}_{bits}")
            if not os.path.exists(program):
                continue
            done = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                print(f"formula {formula} of {bits} bits failed", file=sys.stderr)
                failed = True
                continue
            name, fused, pieces, same = done.stdout.rstrip("\n").split("\t")
            ratio = float(fused) / float(pieces)
            measured += 1
            lost += ratio > MOST
            failed = failed or same != "same"
            note = ("  LOSES" if ratio > MOST else "") + ("" if same == "same" else "  THE RESULTS DIFFER")
            print(f"{name[:43]:<44}{bits:>6}{float(fused):>11.4f}{float(pieces):>11.4f}{ratio:>7.2f}{note}", flush=True)
    print(f"{measured} measured, {lost} lose")
    return 1 if failed or (options.fail and lost) else 0


if __name__ == "__main__":
    sys.exit(main())
