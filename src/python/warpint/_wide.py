# SPDX-License-Identifier: Apache-2.0
"""Operations on numbers wider than every class of widths of this build, by Python's integers."""

import math
import operator

import numpy as np

from . import _formula


def _jacobi(a, n):
    if n <= 0 or n % 2 == 0:
        raise ValueError
    a, symbol = a % n, 1
    while a:
        zeros = (a & -a).bit_length() - 1
        a >>= zeros
        if zeros % 2 and n % 8 in (3, 5):
            symbol = -symbol
        if a % 4 == 3 and n % 4 == 3:
            symbol = -symbol
        a, n = n % a, a
    return symbol if n == 1 else 0


_SMALL_PRIMES = [p for p in range(2, 1000) if all(p % d for d in range(2, math.isqrt(p) + 1))]


def _is_prime(n):
    """By small divisors and Miller and Rabin's test with the first 24 primes."""
    if n < 2:
        return False
    for p in _SMALL_PRIMES:
        if n % p == 0:
            return n == p
    zeros = ((n - 1) & (1 - n)).bit_length() - 1
    for base in _SMALL_PRIMES[:24]:
        x = pow(base, (n - 1) >> zeros, n)
        if x in (1, n - 1):
            continue
        for _ in range(zeros - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def _next_prime(n):
    if n < 2:
        return 2
    n += 1 + n % 2
    while not _is_prime(n):
        n += 2
    return n


def root(a, k):
    """floor(a^(1/k)), by Newton's iteration from above."""
    if a < 0:
        raise ValueError
    x = 1 << -(-a.bit_length() // k)
    while a:
        y = ((k - 1) * x + a // x ** (k - 1)) // k
        if y >= x:
            return x
        x = y
    return 0


def _sqrt_mod(a, p):
    """By Tonelli and Shanks, for primes; what comes out is checked."""
    if p < 1:
        raise ValueError
    a %= p
    if p == 2 or a == 0:
        return a
    non_residue = next((z for z in range(2, 1000) if p % 2 and _jacobi(z, p) == -1), None)
    if non_residue is None:
        raise ValueError
    zeros = ((p - 1) & (1 - p)).bit_length() - 1
    odd = (p - 1) >> zeros
    c, t, r = pow(non_residue, odd, p), pow(a, odd, p), pow(a, (odd + 1) // 2, p)
    for level in range(zeros - 1, 0, -1):  # t is a 2^level-th root of 1 after each turn
        if pow(t, 1 << level - 1, p) != 1:
            r, t = r * c % p, t * c * c % p
        c = c * c % p
    if r * r % p != a:
        raise ValueError
    return r


_FUNCTIONS = {
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "powmod": pow,
    "invmod": lambda a, m: pow(a, -1, m),
    "gcd": math.gcd,
    "isqrt": math.isqrt,
    "jacobi": _jacobi,
    "is_prime": _is_prime,
    "next_prime": _next_prime,
    "sqrt_mod": _sqrt_mod,
}


def compute(f):
    """The array of f's values, element after element; its operands are computed first."""
    of_each = (lambda a: root(a, f.k)) if f.operation == "iroot" else _FUNCTIONS[f.operation]
    n = 1 if f.size is None else f.size
    operands = [o._array() for o in f.operands]
    faults = np.zeros(n, np.uint8)
    columns = []
    for o in operands:
        faults = np.where(faults, faults, o._faults)
        values = _formula.array._of(o._limbs, o.bits, o.signed).tolist()
        columns.append(values * n if len(values) == 1 else values)
    results = [0] * n
    for i, values in enumerate(zip(*columns)):
        if faults[i]:
            continue
        try:
            results[i] = int(of_each(*values))
        except ZeroDivisionError:
            faults[i] = _formula.DIVIDED_BY_ZERO
        except ValueError:
            faults[i] = _formula.NO_VALUE
    made = _formula.integers(results, f.bits, f.signed)
    return _formula.array._of(made._limbs, f.bits, f.signed, faults, is_number=f.size is None)


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def text(x, base):
    """x in a base, by halves: str() refuses integers of many digits."""

    def digits(x, count):
        if count <= 64:
            result = ""
            for _ in range(count):
                x, digit = divmod(x, base)
                result = _DIGITS[digit] + result
            return result
        low = count // 2
        high, rest = divmod(x, base**low)
        return digits(high, count - low) + digits(rest, low)

    count = int(x.bit_length() / math.log2(base)) + 2
    return ("-" if x < 0 else "") + (digits(abs(x), count).lstrip("0") or "0")


def integer(line, base):
    """The value of a text of any length: the inverse of text()."""
    negative = line.startswith("-")
    line = line[line[:1] in ("-", "+") :].lower()
    if not line or not set(line) <= set(_DIGITS[:base]):
        raise ValueError

    def value(line):
        if len(line) <= 64:
            return sum(_DIGITS.index(c) * base**i for i, c in enumerate(reversed(line)))
        half = len(line) // 2
        return value(line[:-half]) * base**half + value(line[-half:])

    return -value(line) if negative else value(line)
