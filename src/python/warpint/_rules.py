# SPDX-License-Identifier: Apache-2.0
"""The width of a formula's value, (bits, signed), from those of its operands: wide enough for every value."""

MAX_BITS = 1 << 26


def common(a, b):
    """The narrowest width that holds the values of both."""
    if a[1] == b[1]:
        return max(a[0], b[0]), a[1]
    return max(a[0] + (not a[1]), b[0] + (not b[1])), True


def of_integer(x):
    return (max(x.bit_length(), 1), False) if x >= 0 else ((~x).bit_length() + 1, True)


def add(a, b):
    bits, signed = common(a, b)
    return bits + 1, signed


def subtract(a, b):
    return common(a, b)[0] + 1, True


def multiply(a, b):
    return a[0] + b[0], a[1] or b[1]


def floor_divide(a, b):
    # By a negative divisor: -2^(n-1) // -1 is 2^(n-1), and (2^n - 1) // -1 has a sign.
    return a[0] + b[1], a[1] or b[1]


def remainder(a, b):
    return b


def negate(a):
    return a[0] + 1, True


def absolute(a):
    return a[0], False


def invert(a):
    return a[0] + (not a[1]), True


def bit_and(a, b):
    if not a[1] and not b[1]:
        return min(a[0], b[0]), False
    if a[1] != b[1]:  # not negative, and no wider than the one without a sign
        return (b if a[1] else a)[0], False
    return common(a, b)


def shift_left(a, k):
    if a[0] + k > MAX_BITS:
        raise OverflowError(f"a shift by {k} would give numbers of {a[0] + k} bits; the limit is {MAX_BITS}")
    return a[0] + k, a[1]


def shift_right(a, k):
    return max(a[0] - k, 1), a[1]


def counts(a):
    """Of numbers of bits of a."""
    return a[0].bit_length(), False
