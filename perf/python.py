#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the Python package beside gmpy2 and Python's integers: a table in Markdown.

usage: perf/python.py [--widths 256,1024,2048,4096] [--seconds 0.3] [--threads 1]

Numbers a second, the best of the rounds that fit in the time, every operand different unless it says
otherwise. warpint computes from arrays to an array, on so many threads (--threads 0: all cores); gmpy2 and
int are loops over lists of their own numbers, on one thread. "lists" goes from lists of int to a list of
int. Each result is compared with Python's integers before it is measured. Needs numpy; gmpy2's columns
are left out where it is not installed.
"""

import argparse
import math
import os
import sys
import time

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--widths", default="256,1024,2048,4096", help="bits, with commas between")
arguments.add_argument("--seconds", type=float, default=0.3, help="for each figure")
arguments.add_argument("--threads", type=int, default=1, help="of warpint; 0: all cores")
options = arguments.parse_args()
if options.threads:
    os.environ["WARPINT_CPU_THREADS"] = str(options.threads)

import warpint as w  # noqa: E402  (reads the number of threads)

try:
    import gmpy2
except ImportError:
    gmpy2 = None


def seconds(f):
    """The best time of a call, after one that warms up."""
    f()
    best, end = math.inf, time.perf_counter() + options.seconds
    while True:
        begin = time.perf_counter()
        f()
        now = time.perf_counter()
        best = min(best, now - begin)
        if now > end:
            return best


def rate(n, f):
    x = n / seconds(f)
    for unit, factor in (("G", 1e9), ("M", 1e6), ("K", 1e3)):
        if x >= factor:
            return f"{x / factor:.3g} {unit}"
    return f"{x:.3g}"


class Operands:
    """n numbers of `bits` bits: as warpint's, Python's and gmpy2's."""

    def __init__(self, bits, n):
        self.bits, self.n = bits, n
        self.a = w.random(n, bits, seed=1)
        self.b = w.random(n, bits, seed=2)
        self.m = w.random(n, bits, seed=3) | (1 << bits - 1) | 1
        self.m = self.m.eval(bits, False)
        self.half = w.random(n, bits // 2, seed=4) | 1
        self.half = self.half.eval(bits // 2, False)
        self.modulus = (1 << bits) - 189 | 1
        self.out = w.zeros(n, bits)
        self.twice = w.zeros(n, 2 * bits)
        self.ints = {name: getattr(self, name).tolist() for name in ("a", "b", "m", "half")}
        self.mpz = {k: [gmpy2.mpz(x) for x in v] for k, v in self.ints.items()} if gmpy2 else None


def each(f, columns, *names):
    lists = [columns[name] for name in names]
    return lambda: list(map(f, *lists))


# Name, formula, target's name (None: a new array), function and operands of int and of gmpy2, cost: a number of 256 bits in
# microseconds, about, and the power of the width it grows with.
ROWS = [
    ("a + b", lambda o: o.a + o.b, "twice", int.__add__, lambda: gmpy2.add, "ab", 0.05, 1),
    ("a * b", lambda o: o.a * o.b, "twice", int.__mul__, lambda: gmpy2.mul, "ab", 0.1, 2),
    ("a // half", lambda o: o.a // o.half, "out", int.__floordiv__, lambda: gmpy2.f_div, "ah", 0.1, 2),
    ("a * b % m", lambda o: o.a * o.b % o.m, "out", lambda a, b, m: a * b % m, lambda: lambda a, b, m: a * b % m, "abm", 0.2, 2),
    ("pow(a, b, m)", lambda o: pow(o.a, o.b, o.m), "out", pow, lambda: gmpy2.powmod, "abm", 10, 3),
    ("pow(a, 65537, m)", lambda o: pow(o.a, 65537, o.m), "out", lambda a, m: pow(a, 65537, m), lambda: lambda a, m: gmpy2.powmod(a, 65537, m), "am", 1, 2),
    ("invert(a, m)", lambda o: w.invert(o.a, o.m), None, None, lambda: _invert, "am", 2, 2),
    ("gcd(a, b)", lambda o: w.gcd(o.a, o.b), "out", math.gcd, lambda: gmpy2.gcd, "ab", 1, 2),
    ("isqrt(a)", lambda o: w.isqrt(o.a), "out", math.isqrt, lambda: gmpy2.isqrt, "a", 0.2, 2),
    ("is_prime(a)", lambda o: w.is_prime(o.a), None, None, lambda: gmpy2.is_prime, "a", 2, 3),
]
NAMES = {"a": "a", "b": "b", "m": "m", "h": "half"}


def _invert(a, m):
    try:
        return gmpy2.invert(a, m)
    except ZeroDivisionError:
        return None


def measure(bits):
    lines = []
    for name, formula, target, of_int, of_mpz, operands, cost, power in ROWS:
        n = int(min(max(20000 / cost / (bits / 256) ** power, 64), 100000))
        o = Operands(bits, n)
        names = [NAMES[x] for x in operands]
        if of_int is not None:
            assert formula(o).tolist() == each(of_int, o.ints, *names)(), f"{name}, {bits} bits: wrong"
        elif gmpy2:
            got = formula(o).eval()
            wanted = each(of_mpz(), o.mpz, *names)()
            if hasattr(got, "faults"):
                assert got.faults.tolist() == [x is None for x in wanted]
                got, wanted = got[~got.faults].tolist(), [x for x in wanted if x is not None]
            assert list(got) == [int(x) for x in wanted], f"{name}, {bits} bits: wrong"

        def compute(o=o, formula=formula, target=target):
            if target is None:
                formula(o).eval()
            else:
                getattr(o, target)[:] = formula(o)

        def from_lists(o=o, formula=formula):
            class FromLists:
                modulus = o.modulus

            for x in names:
                setattr(FromLists, x, w.array(o.ints[x], getattr(o, x).bits))
            formula(FromLists)._array()._limbs.shape if name == "invert(a, m)" else formula(FromLists).tolist()

        lines.append(
            (
                name,
                bits,
                rate(n, compute),
                rate(n, from_lists),
                rate(n, each(of_mpz(), o.mpz, *names)) if gmpy2 else "",
                rate(n, each(of_int, o.ints, *names)) if of_int else "",
            )
        )
    return lines


def main():
    widths = [int(x) for x in options.widths.split(",")]
    print(f"warpint {w.__version__}, engine {w.engine()}, {w.threads()} thread(s), Python {sys.version.split()[0]}" + (f", gmpy2 {gmpy2.version()}" if gmpy2 else ""))
    print("\n| numbers a second | bits | warpint | lists | gmpy2 | int |\n|---|---|---|---|---|---|")
    for bits in widths:
        for line in measure(bits):
            print("| " + " | ".join(map(str, line)) + " |", flush=True)


if __name__ == "__main__":
    main()
