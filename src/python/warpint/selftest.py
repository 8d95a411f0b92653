# SPDX-License-Identifier: Apache-2.0
"""Compares functions of arrays with Python's integers on the machine at hand.

    python -m warpint.selftest [--device cuda:0] [--elements 200] [--seed 1]

Ends with 1 if anything was wrong. On a GPU each formula is compiled first: half a minute and more.
"""

import argparse
import math
import operator
import random
import sys

import warpint as w

WIDTHS = ((7, False), (64, True), (256, False), (1000, True), (2048, False))


def root(x):
    return math.isqrt(x) if x >= 0 else 1 // 0


# name -> (of arrays, of integers, how many operands)
FUNCTIONS = {
    "+ - *": (lambda a, b, c: (a + b) * c - a, lambda a, b, c: (a + b) * c - a, 3),
    "//": (operator.floordiv, operator.floordiv, 2),
    "%": (operator.mod, operator.mod, 2),
    "& | ^ ~": (lambda a, b: (a & b) ^ ~(a | b), lambda a, b: (a & b) ^ ~(a | b), 2),
    "<< >>": (lambda a: (a << 33) + (a >> 17), lambda a: (a << 33) + (a >> 17), 1),
    "a * b % m": (lambda a, b, m: a * b % m, lambda a, b, m: a * b % m, 3),
    "pow(a, e, m)": (pow, pow, 3),
    "gcd": (w.gcd, math.gcd, 2),
    "invert": (w.invert, lambda a, m: pow(a, -1, m), 2),
    "isqrt": (w.isqrt, root, 1),
    "bit_length": (w.bit_length, int.bit_length, 1),
    "abs": (abs, abs, 1),
    "<": (operator.lt, operator.lt, 2),
}


def numbers(chooser, count, bits, signed):
    """Half of them at edges."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    edges = [low, low + 1, -1, 0, 1, 2, high - 1, high] + [(1 << chooser.randrange(bits)) - chooser.randrange(2) for _ in range(16)]
    return [min(max(chooser.choice(edges) if i % 2 else chooser.randint(low, high), low), high) for i in range(count)]


def expected(function, *values):
    """What it gives; None where it has no value."""
    try:
        return function(*values)
    except (ZeroDivisionError, ValueError):
        return None


def wrong(got, wanted):
    """How many elements are not as they should be."""
    faults = got.faults.tolist() if hasattr(got, "faults") else [False] * len(wanted)
    kept = [i for i, fault in enumerate(faults) if not fault]
    values = got.tolist() if len(kept) == len(wanted) else [got[i] for i in kept]
    found = [None] * len(wanted)
    for i, value in zip(kept, values):
        found[i] = value
    return sum(x is not y and x != y for x, y in zip(found, wanted))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--elements", type=int, default=200, help="of each array")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chooser = random.Random(arguments.seed)
    compared = bad = 0
    for bits, signed in WIDTHS:
        columns = [numbers(chooser, arguments.elements, bits, signed) for _ in range(3)]
        arrays = [w.array(c, bits, signed).to(arguments.device) for c in columns]
        for name, (of_arrays, of_integers, count) in FUNCTIONS.items():
            wanted = [expected(of_integers, *values) for values in zip(*columns[:count])]
            found = wrong(of_arrays(*arrays[:count]).eval(), wanted)
            compared += len(wanted)
            bad += found
            if found:
                print(f"{name} of {bits} bits{', signed' if signed else ''}: {found} of {len(wanted)} are wrong")
    print(f"warpint {w.__version__}, engine {w.engine()}, on {arguments.device}: {compared} results, {bad or 'none'} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
