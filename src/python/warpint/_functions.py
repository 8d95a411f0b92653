# SPDX-License-Identifier: Apache-2.0
"""Functions of each element, by the names of Python and gmpy2. All are formulas; operands are arrays, formulas and integers."""

import operator

import numpy as np

from . import _rules
from ._formula import FUNCTIONS, UFUNCS, Formula, _joined_device, array, evaluate, operand, powmod, width_of


def invert(a, m):
    """pow(a, -1, m). No value: m = 0, or no inverse."""
    a, m = operand(a), operand(m)
    return Formula("invmod", (a, m), width_of(m))


def divm(a, b, m):
    """x with b x = a modulo m, of the sign of m. No value: m = 0, or b has no inverse."""
    return operand(a) * invert(b, m) % m


def mulmod(a, b, m):
    """a * b % m."""
    return operand(a) * b % m


def gcd(a, b):
    """The greatest common divisor, not negative; gcd(0, 0) = 0."""
    a, b = operand(a), operand(b)
    return Formula("gcd", (a, b), (max(a.bits, b.bits), False))


def lcm(a, b):
    """The least common multiple, not negative; 0 if one of them is."""
    a, b = abs(operand(a)), abs(operand(b))
    g = gcd(a, b)
    return a // where(g == 0, 1, g) * b


def isqrt(a):
    """floor(sqrt(a)). No value: a < 0."""
    a = operand(a)
    return Formula("isqrt", (a,), ((a.bits + 1) // 2, False))


def isqrt_rem(a):
    """The root s and the rest a - s^2."""
    a = operand(a)
    s = isqrt(a)
    return s, a - s * s


def iroot(a, k):
    """As gmpy2: the integer k-th root, and whether it is exact. k: one integer, 1 or more. No value: a < 0."""
    root = iroot_floor(a, k)
    return root, root ** min(operator.index(k), operand(a).bits + 1) == a


def iroot_floor(a, k):
    """floor(a^(1/k)). k: one integer, 1 or more. No value: a < 0."""
    a, k = operand(a), operator.index(k)
    if k < 1:
        raise ValueError("iroot(a, k) needs k >= 1")
    k = min(k, a.bits + 1)  # above, a root is 0 or 1
    return Formula("iroot", (a,), (-(-a.bits // k), False), k=k)


def jacobi(a, n):
    """The symbol (a / n): -1, 0 or 1. No value: n even or not positive."""
    a, n = operand(a), operand(n)
    return Formula("jacobi", (a, n), (2, True))


def sqrt_mod(a, p):
    """A square root of a modulo a prime p. No value: there is none, or p < 1."""
    a, p = operand(a), operand(p)
    return Formula("sqrt_mod", (a, p), width_of(p))


def is_prime(a):
    """Whether it is prime, by the library's test: no composite number is known that passes it."""
    return Formula("is_prime", (operand(a),), (1, False), is_bool=True)


def next_prime(a):
    """The least prime above a."""
    a = operand(a)
    return Formula("next_prime", (a,), (a.bits + 1, False))


def is_square(a):
    """Whether it is the square of an integer."""
    a = operand(a)
    root = isqrt(abs(a))
    return root * root == a


def is_even(a):
    return (operand(a) & 1) == 0


def is_odd(a):
    return (operand(a) & 1) == 1


def bit_length(a):
    """Bits of |a|, as int.bit_length."""
    return operand(a).bit_length()


def bit_count(a):
    """Ones of |a|, as int.bit_count."""
    return operand(a).bit_count()


def bit_test(a, k):
    """Whether bit k is set (of two's complement, for a negative a)."""
    return ((operand(a) >> k) & 1) == 1


def where(condition, a, b):
    """a where the condition holds, elsewhere b; the value that is not taken may be a fault."""
    condition, a, b = operand(condition), operand(a), operand(b)
    return Formula("where", (condition, a, b), _rules.common(width_of(a), width_of(b)), is_bool=a.is_bool and b.is_bool)


def minimum(a, b):
    a, b = operand(a), operand(b)
    return where(a <= b, a, b)


def maximum(a, b):
    a, b = operand(a), operand(b)
    return where(a >= b, a, b)


def concatenate(arrays):
    """Arrays one after another, in a width that holds all."""
    arrays = [operand(a)._array() for a in arrays]
    if not arrays:
        raise ValueError("no arrays")
    device = _joined_device(arrays)
    arrays = [a._host() for a in arrays]
    width = width_of(arrays[0])
    for a in arrays[1:]:
        width = _rules.common(width, width_of(a))
    parts = [a if width_of(a) == width else evaluate(a, width) for a in arrays]
    return array._of(np.concatenate([p._limbs for p in parts]), *width, np.concatenate([p._faults for p in parts])).to(device)


def array_equal(a, b):
    """Whether lengths and values are the same; widths may differ."""
    a, b = operand(a), operand(b)
    return a.size == b.size and (a == b).all()


def powmod_base_list(bases, e, m):
    """[pow(b, e, m) for b in bases], of integers, on all cores: as gmpy2's."""
    return powmod(array(bases), e, m).tolist()


def powmod_exp_list(base, exponents, m):
    """[pow(base, e, m) for e in exponents], of integers, on all cores: as gmpy2's."""
    return powmod(base, array(exponents), m).tolist()


UFUNCS.update(
    gcd=gcd,
    lcm=lcm,
    minimum=minimum,
    maximum=maximum,
    logical_and=lambda a, b: (a != 0) & (b != 0),
    logical_or=lambda a, b: (a != 0) | (b != 0),
    logical_xor=lambda a, b: (a != 0) ^ (b != 0),
)
FUNCTIONS.update(where=where, concatenate=concatenate, array_equal=array_equal)
