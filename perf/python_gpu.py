#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the Python package on a GPU, and compares results with GMP's or Python's integers: a table in Markdown.

usage: perf/python_gpu.py [--widths 256,1024,2048] [--elements 1000000] [--seconds 0.5] [--check 20] [--device cuda:0]

compile   seconds until a formula can run that no cache has (the sum's has its kernel from above), and those when the cache has
          it, as in a later process
one       microseconds of a formula of one element, written, computed and read
ms        milliseconds for all elements from Python, the formula's writing included: the best of the rounds that fit
          in the time; a round has enough of them to last 50 ms, and waits for the GPU at its end
G/s       10^9 elements a second, from it
checked   elements that were compared, and how many of them were wrong; as many as --check seconds allow, the first ones at
          edges (0, 1, 2^k, 2^k - 1, moduli of 0 and 1), the others random

Needs gmpy2 for the comparison, or takes Python's integers, and is then slower. Ends with 1 if anything was wrong.
"""

import argparse
import math
import os
import sys
import tempfile
import time

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--widths", default="256,1024,2048", help="bits, with commas between")
arguments.add_argument("--elements", type=int, default=1_000_000)
arguments.add_argument("--seconds", type=float, default=0.5, help="for each figure")
arguments.add_argument("--check", type=float, default=20, help="seconds for the comparison of each formula")
arguments.add_argument("--device", default="cuda:0")
EDGES = 512


def operands(w, n, bits, seed, least=0):
    """n numbers of `bits` bits: some at edges, the others random."""
    a = w.random(n, bits, seed=seed)
    edges = [0, 1, 2, 3, (1 << bits) - 1, (1 << bits) - 2, 1 << bits - 1, (1 << bits - 1) - 1]
    edges += [x for k in range(0, bits, max(bits // 32, 1)) for x in (1 << k, (1 << k) - 1, (1 << bits) - (1 << k))]
    for i in range(0, min(EDGES, n), 2):  # beside random ones, in another order for each operand
        a[i] = max(edges[(i // 2 * (2 * seed + 1) + i // (2 * len(edges))) % len(edges)], least)
    return a


def formulas(w):
    """name, formula, the same of one element, operands."""
    return [
        ("a + b", lambda a, b: a + b, lambda a, b: a + b, "ab"),
        ("a * b", lambda a, b: a * b, lambda a, b: a * b, "ab"),
        ("a * b % m", lambda a, b, m: a * b % m, lambda a, b, m: a * b % m, "abm"),
        ("a * b % M, one M", lambda a, b, M: a * b % M, lambda a, b, M: a * b % M, "abM"),
        ("pow(a, e, m)", lambda a, b, m: pow(a, b, m), pow, "abm"),
        ("sum(a * b % o)", lambda a, b, o: (a * b % o).sum(), lambda a, b, o: a * b % o, "abo"),
    ]


def timed(f):
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


def milliseconds(compute, wait, seconds):
    """Of one computation, in rounds of so many that one lasts 50 ms."""

    def round_of(count):
        for _ in range(count):
            compute()
        wait()

    round_of(2)
    count, best, end = 1, math.inf, time.perf_counter() + seconds
    while True:
        spent = timed(lambda: round_of(count))
        if spent < 0.05 and count < 10000:
            count = min(10000, max(count + 1, int(count * 0.06 / max(spent, 1e-6))))
            continue
        best = min(best, spent / count)
        if time.perf_counter() > end:
            return best * 1e3


def compared(got, faults, function, columns, seconds):
    """(elements compared, how many were wrong, the first of them)"""
    wrong, first, end = 0, None, time.perf_counter() + seconds
    for i, operands_of_one in enumerate(zip(*columns)):
        try:
            wanted = function(*operands_of_one)
        except (ZeroDivisionError, ValueError):
            wanted = None
        if faults[i] != (wanted is None) or got[i] != (wanted or 0):
            wrong += 1
            first = i if first is None else first
        if i % 64 == 0 and time.perf_counter() > end:
            return i + 1, wrong, first
    return len(got), wrong, first


def main():
    options = arguments.parse_args()
    cache = tempfile.TemporaryDirectory(prefix="warpint-perf-")
    os.environ["WARPINT_CACHE_DIR"] = cache.name
    import warpint as w
    from warpint import _compile, _device

    try:
        from gmpy2 import mpz, powmod, version

        number, by = mpz, f"gmpy2 {version()}"
    except ImportError:
        number, powmod, by = int, pow, "Python's integers"
    gpu = _device.device(w.zeros(1, 32, device=options.device).device)
    major, minor = _compile.compiler().version
    print(
        f"warpint {w.__version__}, {gpu.driver.architecture}, NVRTC {major}.{minor}, Python {sys.version.split()[0]}, {options.elements} elements, compared with {by}"
    )
    print("\n| formula | bits | compile s | from cache s | one us | ms | G/s | checked | wrong |\n|---|---|---|---|---|---|---|---|---|", flush=True)
    stderr = sys.stderr
    sys.stderr = open(os.devnull, "w")  # of each compilation a line
    failed = False
    for bits in map(int, options.widths.split(",")):
        n = options.elements
        on_host = {name: operands(w, n, bits, seed) for name, seed in (("a", 1), ("b", 2), ("m", 3))}
        on_host["o"] = operands(w, n, bits, 4, least=1)
        modulus = (1 << bits) - 189 | 1
        on_gpu = {name: a.to(options.device) for name, a in on_host.items()}
        ints = {name: list(map(number, a.tolist())) for name, a in on_host.items()}
        on_gpu["M"], ints["M"] = modulus, [number(modulus)] * n
        for name, formula, of_one, names in formulas(w):
            values = [on_gpu[x] for x in names]
            few = [x if isinstance(x, int) else w.array([x[1]], bits, device=options.device) for x in values]
            is_sum = name.startswith("sum")
            f = values[0] * values[1] % values[2] if is_sum else formula(*values)
            compiling = timed(lambda: w.precompile(f))
            gpu.programs.clear()
            loading = timed(lambda: w.precompile(f))
            if is_sum:
                total = formula(*values)
                ms = milliseconds(lambda: formula(*values), lambda: None, options.seconds)
                one = milliseconds(lambda: formula(*few), lambda: None, options.seconds / 2) * 1e3
            else:
                out, out_of_one = (w.zeros(count, f.bits, device=options.device) for count in (n, 1))

                def compute(out=out, formula=formula, values=values):
                    out[:] = formula(*values)

                def compute_one(out=out_of_one, formula=formula, few=few):
                    out[:] = formula(*few)
                    out[0]

                ms = milliseconds(compute, lambda out=out: out[1], options.seconds)
                one = milliseconds(compute_one, lambda: None, options.seconds / 2) * 1e3
            host = f.to("cpu")
            faults = host.faults
            got = w.from_limbs(host.limbs, host.bits, host.signed).tolist()
            function = powmod if of_one is pow else of_one
            checked, wrong, first = compared(got, faults, function, [ints[x] for x in names], options.check)
            if is_sum and total != sum(got):
                wrong, first = wrong + 1, "the sum"
            failed = failed or wrong != 0
            note = f"{wrong}, the first at {first}" if wrong else "0"
            print(
                f"| {name} | {bits} | {compiling:.1f} | {loading:.3f} | {one:.0f} | {ms:.3g} | {n / ms / 1e6:.3g} | {checked} | {note} |", flush=True
            )
    sys.stderr = stderr
    cache.cleanup()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
