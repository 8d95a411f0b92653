# SPDX-License-Identifier: Apache-2.0
"""Operands, and comparison with Python's integers."""

import os
import random

import numpy as np
import pytest
import warpint as w

SEED = int(os.environ.get("WARPINT_TEST_SEED", "0")) or random.SystemRandom().getrandbits(32)
ROUNDS = int(os.environ.get("WARPINT_TEST_ROUNDS", "1"))  # more of everything


def generator(*what):
    """Random numbers that a failure's message repeats: WARPINT_TEST_SEED."""
    return random.Random(f"{SEED} {what}")


def a_width(r, most=1100):
    """A width at which something may go wrong, or any."""
    bits = r.choice([1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, r.randint(1, 300), r.randint(1, most)])
    return min(bits, most), r.random() < 0.4


def limits(bits, signed):
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def a_number(r, bits, signed):
    """At an edge, or of any length."""
    low, high = limits(bits, signed)
    k = r.randint(0, bits)
    edges = [0, 1, -1, 2, 3, low, low + 1, high, high - 1, 1 << k, (1 << k) - 1, -(1 << k), 1 - (1 << k), (1 << k) + 1]
    x = r.choice(edges) if r.random() < 0.5 else r.getrandbits(r.randint(1, bits)) * r.choice([1, -1])
    return x if low <= x <= high else r.randint(low, high)


def numbers(r, n, bits, signed):
    return [a_number(r, bits, signed) for _ in range(n)]


def expected(f, *columns):
    """f of each, or the kind of exception that says why there is none."""
    result = []
    for values in zip(*columns):
        try:
            result.append(f(*values))
        except (ZeroDivisionError, ValueError) as error:
            result.append(ZeroDivisionError if isinstance(error, ZeroDivisionError) else ValueError)
    return result


def check(formula, wanted, *operands):
    """The formula's values are those, and its faults where exceptions are wanted."""
    note = f"WARPINT_TEST_SEED={SEED}, operands {operands}"
    got = formula.eval()
    if isinstance(got, np.ndarray):
        assert got.tolist() == wanted, note
        return
    bad = [isinstance(x, type) for x in wanted]
    assert got.faults.tolist() == bad, note
    if any(bad):
        first = bad.index(True)
        with pytest.raises(w.FaultError) as raised:
            got.tolist()
        assert isinstance(raised.value, wanted[first]), note
        assert (raised.value.count, raised.value.first) == (sum(bad), first), note
        assert not got.limbs[got.faults].any(), note
        got = got[~got.faults]
        wanted = [x for x in wanted if not isinstance(x, type)]
    assert got.tolist() == wanted, note
    w.from_limbs(got.limbs, got.bits, got.signed)  # the unused bits are what they must be


class OnlyDlpack:
    """An array as other libraries' are, to us: of it, only the DLPack protocol is seen."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()
