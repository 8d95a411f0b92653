# SPDX-License-Identifier: Apache-2.0
"""Every operation against Python's integers: random widths, signs, lengths, and operands at edges."""

import math
import operator

import numpy as np
import pytest
import warpint as w
from support import ROUNDS, a_number, a_width, check, expected, generator, numbers
from warpint import _wide

OPERATORS = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.mod,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]


@pytest.mark.parametrize("f", OPERATORS, ids=lambda f: f.__name__)
def test_operator(f):
    r = generator(f.__name__)
    for _ in range(40 * ROUNDS):
        k, l = a_width(r), a_width(r)
        n = r.choice([1, 2, 9, 33, 70])
        a, b = numbers(r, n, *k), numbers(r, n, *l)
        A, B = w.array(a, *k), w.array(b, *l)
        check(f(A, B), expected(f, a, b), k, l, a, b)
        check(f(A, b[0]), expected(f, a, b[:1] * n), k, a, b[0])
        check(f(b[0], A), expected(f, b[:1] * n, a), k, b[0], a)
        check(f(A, w.array(b[:1], *l)), expected(f, a, b[:1] * n), k, l, a, b[0])
        check(f(A, A), expected(f, a, a), k, a)


def test_unary_and_shifts():
    r = generator("unary")
    for _ in range(60 * ROUNDS):
        k = a_width(r)
        n = r.choice([1, 3, 40])
        a = numbers(r, n, *k)
        A = w.array(a, *k)
        check(-A, [-x for x in a], k, a)
        check(+A, a, k, a)
        check(~A, [~x for x in a], k, a)
        check(abs(A), [abs(x) for x in a], k, a)
        check(w.bit_length(A), [x.bit_length() for x in a], k, a)
        check(w.bit_count(A), [x.bit_count() for x in a], k, a)
        check(w.is_even(A), [x % 2 == 0 for x in a], k, a)
        for count in (0, 1, 31, 32, 33, 64, r.randint(0, 2000), 10**12):
            check(A >> count, [x >> min(count, 10**5) for x in a], k, a, count)
            check(w.bit_test(A, count), [x >> min(count, 10**5) & 1 == 1 for x in a], k, a, count)
            if count < 10**5:
                check(A << count, [x << count for x in a], k, a, count)
        counts = [r.choice([0, 1, 32, 64, r.randint(0, 300)]) for _ in a]
        check(A << w.array(counts), [x << c for x, c in zip(a, counts)], k, a, counts)
        check(A >> np.array(counts), [x >> c for x, c in zip(a, counts)], k, a, counts)
        signed = [c * r.choice([1, -1]) for c in counts]
        check(A << w.array(signed, 16, True), expected(operator.lshift, a, signed), k, a, signed)
        check(A >> w.array(signed, 16, True), expected(operator.rshift, a, signed), k, a, signed)
        check(1 << w.array(counts), [1 << c for c in counts], counts)
    with pytest.raises(ValueError):
        A << -1
    with pytest.raises(OverflowError):
        A << 10**12


def test_modular():
    r = generator("modular")
    for _ in range(40 * ROUNDS):
        widths = [a_width(r)] * 4 if r.random() < 0.5 else [a_width(r) for _ in range(4)]
        if r.random() < 0.5:
            widths = [(bits, False) for bits, _ in widths]
        n = r.choice([1, 2, 17, 40])
        a, b, c, m = columns = [numbers(r, n, *k) for k in widths]
        A, B, C, M = (w.array(x, *k) for x, k in zip(columns, widths))
        check(A * B % M, expected(lambda a, b, m: a * b % m, a, b, m), widths, columns)
        check(w.mulmod(A, B, M), expected(lambda a, b, m: a * b % m, a, b, m), widths, columns)
        check((A * B + C) % M, expected(lambda a, b, c, m: (a * b + c) % m, a, b, c, m), widths, columns)
        check((C + A * B) % M, expected(lambda a, b, c, m: (a * b + c) % m, a, b, c, m), widths, columns)
        check((A * B - C) % M, expected(lambda a, b, c, m: (a * b - c) % m, a, b, c, m), widths, columns)
        check((A * A + C) % m[0], expected(lambda a, c: (a * a + c) % m[0], a, c), widths, columns)
        check(w.invert(A, M), expected(lambda a, m: pow(a, -1, m), a, m), widths, columns)
        check(pow(A, -1, M), expected(lambda a, m: pow(a, -1, m), a, m), widths, columns)
        check(w.divm(A, B, M), expected(lambda a, b, m: a * pow(b, -1, m) % m, a, b, m), widths, columns)
        check(pow(A, 65537, M), expected(lambda a, m: pow(a, 65537, m), a, m), widths, columns)


@pytest.mark.parametrize("bits", [(300, 300, 500), (300, 500, 300), (500, 300, 310), (1024, 1000, 1100), (700, 700, 200), (260, 2048, 2048)])
def test_products_side_by_side(bits):
    """Enough unsigned numbers for an engine: factors and modulus of different widths."""
    r = generator("side by side", bits)
    n = 70
    a, b, m = ([r.getrandbits(k) | 1 << k - 1 for _ in range(n)] for k in bits)
    c = [r.getrandbits(600) for _ in range(n)]
    A, B, M = (w.array(x, k) for x, k in zip((a, b, m), bits))
    check(A * B % M, expected(lambda a, b, m: a * b % m, a, b, m), a, b, m)
    check((A * B + w.array(c, 600)) % M, expected(lambda a, b, c, m: (a * b + c) % m, a, b, c, m), a, b, c, m)
    check(A * B, expected(operator.mul, a, b), a, b)
    check(pow(A, 257, M), expected(lambda a, m: pow(a, 257, m), a, m), a, m)
    squares = [x * x - x % 2 for x in a]
    for x, k in ((a, bits[0]), (squares, 2 * bits[0])):
        check(w.isqrt(w.array(x, k)), expected(math.isqrt, x), x)


@pytest.mark.parametrize("most", [64, 130, 300, 1100])
def test_powers(most):
    r = generator("powers", most)
    for _ in range((20 if most < 1000 else 5) * ROUNDS):
        k, l, s = (a_width(r, most) for _ in range(3))
        if r.random() < 0.5:
            k = l = s = (k[0], False)
        n = r.choice([1, 2, 9, 40])
        a, e, m = numbers(r, n, *k), numbers(r, n, *l), numbers(r, n, *s)
        if s != (1, True) and r.random() < 0.5:
            m = [x | 1 for x in m]
        A, E, M = w.array(a, *k), w.array(e, *l), w.array(m, *s)
        check(pow(A, E, M), expected(pow, a, e, m), k, l, s, a, e, m)
        check(pow(A, e[0], m[0]), expected(lambda x: pow(x, e[0], m[0]), a), k, a, e[0], m[0])
        check(w.powmod(a[0], E, m[0]), expected(lambda y: pow(a[0], y, m[0]), e), l, a[0], e, m[0])
    for e in range(6):
        check(A**e, [x**e for x in a], k, a)
    assert w.powmod_base_list([3, -5, 7], -3, 11) == [pow(x, -3, 11) for x in (3, -5, 7)]
    assert w.powmod_exp_list(3, [0, 1, 2, 1 << 200], 11) == [pow(3, x, 11) for x in (0, 1, 2, 1 << 200)]


@pytest.mark.parametrize("operation", [operator.and_, operator.or_, operator.xor])
def test_masks_with_bools(operation):
    values = [4, 5, 6, 2**80]
    a, n = w.array(values), np.array(values, dtype=object)
    mask, of_numpy = a > 4, (n > 4).astype(bool)
    bools = np.array([True, True, False, False])
    for other in (bools, bools.tolist(), True, False, np.True_, a < 6):
        same = np.array([x < 6 for x in values]) if isinstance(other, w.Formula) else other
        wanted = operation(of_numpy, same)
        for f in (operation(mask, other), operation(other, mask)):
            assert a[f].tolist() == n[wanted].tolist()
            assert f.eval().dtype == bool and f.eval().tolist() == wanted.tolist()
            assert (~f).eval().tolist() == (~wanted).tolist()
        b = w.array(values)
        b[operation(mask, other)] = 0
        assert b.tolist() == [0 if x else y for x, y in zip(wanted, values)]
    assert operation(a, bools).tolist() == [operation(x, int(y)) for x, y in zip(values, bools)]


def test_too_wide_powers():
    with pytest.raises(OverflowError):
        w.array([2]) ** (1 << 40)


def test_number_theory():
    r = generator("theory")
    for _ in range(30 * ROUNDS):
        k, l = a_width(r), a_width(r)
        n = r.choice([1, 2, 20])
        a, b = numbers(r, n, *k), numbers(r, n, *l)
        A, B = w.array(a, *k), w.array(b, *l)
        check(w.gcd(A, B), expected(math.gcd, a, b), k, l, a, b)
        check(w.lcm(A, B), expected(math.lcm, a, b), k, l, a, b)
        check(w.gcd(A * 12, 18), expected(math.gcd, [12 * x for x in a], [18] * n), k, a)
        check(w.isqrt(A), expected(math.isqrt, a), k, a)
        root, rest = w.isqrt_rem(A)
        check(rest, expected(lambda x: x - math.isqrt(x) ** 2, a), k, a)
        check(w.is_square(A), [x >= 0 and math.isqrt(x) ** 2 == x for x in a], k, a)
        check(w.is_square(A * A), [True] * n, k, a)
        degree = r.choice([1, 2, 3, 5, 17, 4000])
        floor, exact = w.iroot(A, degree)
        for x, y, is_exact, bad in zip(a, w.where(floor.faults, 0, w.where(A < 0, 0, A)).tolist(), (~exact).faults, floor.faults):
            assert bad == (x < 0) and is_exact == (x < 0) and (bad or y == x)
        good = [x for x in a if x >= 0]
        if good:
            for x, y, is_exact in zip(good, *map(lambda f: f.tolist(), w.iroot(w.array(good), degree))):
                assert y**degree <= x < (y + 1) ** degree and is_exact == (y**degree == x)
        q, rest = divmod(A, B)
        check(q, expected(operator.floordiv, a, b), k, l, a, b)
        check(rest, expected(operator.mod, a, b), k, l, a, b)
        check(w.where(A < B, A, B), [min(x, y) for x, y in zip(a, b)], k, l, a, b)
        check(w.maximum(A, B), [max(x, y) for x, y in zip(a, b)], k, l, a, b)


def by_trial(n):
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


def test_primes():
    small = list(range(-5, 2000))
    check(w.is_prime(w.array(small)), [by_trial(n) for n in small])
    check(w.next_prime(w.array(small)), [next(p for p in range(max(n, 1) + 1, n + 100 if n > 0 else 100) if by_trial(p)) for n in small])
    mersenne = [2**k - 1 for k in (61, 89, 127, 521, 607)]
    check(w.is_prime(w.array(mersenne + [m * m for m in mersenne])), [True] * 5 + [False] * 5)
    check(w.is_prime(w.array([2**67 - 1, 3215031751, 3825123056546413051, 561])), [False] * 4)
    assert w.next_prime(w.array([2**64 - 1], 64)).tolist() == [2**64 + 13]


def test_symbols_and_roots_modulo_primes():
    r = generator("symbols")
    primes = [3, 5, 13, 17, 97, 257, 65537, 2**61 - 1, 2**127 - 1, 2**255 - 19, 2**521 - 1]
    for p in primes:
        a = [r.randint(-p, p) for _ in range(20)] + [0, 1, p, -1]
        euler = [(lambda s: -1 if s == p - 1 else s)(pow(x, (p - 1) // 2, p)) for x in a]
        check(w.jacobi(w.array(a), p), euler, p, a)
        roots = w.sqrt_mod(w.array(a), p).eval()
        assert roots.faults.tolist() == [s == -1 for s in euler]
        for x, y, bad in zip(a, w.where(roots.faults, 0, w.array(roots.limbs, roots.bits)).tolist(), roots.faults):
            assert bad or (y * y - x) % p == 0
    # What no class holds: a prime of this kind, and the function itself for primes with many halvings of p - 1.
    a, p = [3, 5, 9, 0, 7], 2**1279 - 1
    roots = w.sqrt_mod(w.array(a), p).eval()
    for x, y, bad in zip(a, w.where(roots.faults, 0, w.array(roots.limbs, roots.bits)).tolist(), roots.faults):
        assert bad == (_jacobi(x, p) == -1) and (bad or (y * y - x) % p == 0)
    for p in (2, 3, 5, 7, 17, 97, 193, 257, 65537, 3 * 2**41 + 1):
        for x in range(min(p, 100)):
            (root,) = expected(_wide._sqrt_mod, [x], [p])
            assert root is ValueError and _jacobi(x, p) == -1 or (root * root - x) % p == 0, (x, p)
    check(w.jacobi(w.array([1, 2, 3]), w.array([4, -3, 15])), [ValueError, ValueError, 0])


def test_wider_than_every_class():
    r = generator("wide")
    bits = w.widths()[-1] + 65
    for n in (1, 3):
        k = (bits, True)
        a, b = numbers(r, n, *k), numbers(r, n, *k)
        A, B = w.array(a, *k), w.array(b, *k)
        check(A * B, expected(operator.mul, a, b), a, b)
        check(A // B + 1, expected(lambda a, b: a // b + 1, a, b), a, b)
        check(A * B % 1000003, expected(lambda a, b: a * b % 1000003, a, b), a, b)
        check(w.gcd(A, B), expected(math.gcd, a, b), a, b)
        check(w.isqrt(A), expected(math.isqrt, a), a)
        check(pow(A, 3, B), expected(lambda a, b: pow(a, 3, b), a, b), a, b)
        check(pow(A, -1, B), expected(lambda a, b: pow(a, -1, b), a, b), a, b)
        check(w.is_prime(abs(A) * 6), [False] * n, a)
        check(w.jacobi(A, B | 1), expected(lambda a, b: _jacobi(a, b | 1), a, b), a, b)
        check(w.iroot_floor(abs(A) ** 3, 3), [abs(x) for x in a], a)
        check(w.jacobi(A, A * A), expected(lambda a: _jacobi(a, a * a), a), a)
        assert w.parse(A.to_strings(7), bits, 7, True).tolist() == a
        assert w.parse(A.to_strings(16), None, 16).tolist() == a
    assert w.next_prime(w.array([2**1279 - 3], 2000)).tolist() == [2**1279 - 1]
    assert w.is_prime(w.array([2**2203 - 1, 2**2203 + 1])).tolist() == [True, False]


def _jacobi(a, n):
    """By the product over the factors' definition: reciprocity, written for the test."""
    if n <= 0 or n % 2 == 0:
        raise ValueError
    a, sign = a % n, 1
    while a:
        while a % 2 == 0:
            a, sign = a // 2, -sign if n % 8 in (3, 5) else sign
        a, n, sign = n, a, -sign if a % 4 == n % 4 == 3 else sign
        a %= n
    return sign if n == 1 else 0


def test_reductions():
    r = generator("reductions")
    for _ in range(30 * ROUNDS):
        k = a_width(r, 300)
        a = numbers(r, r.choice([1, 2, 7, 50]), *k)
        A = w.array(a, *k)
        m = r.choice([1, -7, 1000003, 1 << 70])
        assert A.sum() == sum(a) and np.sum(A) == sum(a)
        assert A.prod() == math.prod(a)
        assert A.prod(m) == math.prod(a) % m
        assert (A.min(), A.max()) == (min(a), max(a)) and np.max(A) == max(a)
        assert (A.argmin(), A.argmax()) == (a.index(min(a)), a.index(max(a)))
        assert A.sort().tolist() == sorted(a) and A.unique().tolist() == sorted(set(a))
        assert A.argsort().tolist() == sorted(range(len(a)), key=a.__getitem__)
        assert (A.any(), A.all(), A.count_nonzero()) == (any(a), all(a), sum(x != 0 for x in a))
        assert a[0] in A and max(a) + 1 not in A
    empty = w.zeros(0, 100)
    assert (empty.sum(), empty.prod(), empty.prod(7), empty.any(), empty.all()) == (0, 1, 1, False, True)
    assert (empty + 1).tolist() == [] and empty.sort().tolist() == []
    with pytest.raises(ValueError):
        empty.max()


def a_tree(r, leaves, depth):
    """A random formula as two functions' worth: of arrays and of integers."""
    if depth == 0 or r.random() < 0.15:
        i = r.randrange(len(leaves) + 1)
        if i < len(leaves):
            return (lambda X: X[i]), (lambda x: x[i])
        constant = a_number(r, 70, True)
        return (lambda X: constant), (lambda x: constant)
    f = r.choice(OPERATORS[:8] + [operator.add, operator.mul, operator.mod])
    (g, g1), (h, h1) = a_tree(r, leaves, depth - 1), a_tree(r, leaves, depth - 1)
    return (lambda X: f(g(X), h(X))), (lambda x: f(g1(x), h1(x)))


def test_random_formulas():
    r = generator("formulas")
    for _ in range(150 * ROUNDS):
        widths = [a_width(r, 200) for _ in range(3)]
        n = r.choice([1, 5, 40, 100])
        columns = [numbers(r, n, *k) for k in widths]
        of_arrays, of_integers = a_tree(r, columns, 3)
        try:
            formula = of_arrays([w.array(c, *k) for c, k in zip(columns, widths)])
        except ZeroDivisionError:
            continue  # two constants
        if isinstance(formula, w.Formula):
            wanted = [ZeroDivisionError if isinstance(x, type) else x for x in expected(lambda *x: of_integers(x), *columns)]
            check(formula, wanted, widths, columns)


def test_many_elements():
    """More than a block, on all cores."""
    n = 20000
    a, b = w.random(n, 200, seed=1), w.random(n, 131, seed=2)
    x, y = a.tolist(), b.tolist()
    f = (a * b + a) % (b + 1) - b
    assert f.tolist() == [(p * q + p) % (q + 1) - q for p, q in zip(x, y)]
    assert (a * a % 997 == 1).eval().tolist() == [p * p % 997 == 1 for p in x]
    assert pow(a, 17, b | 1)[n - 1] == pow(x[-1], 17, y[-1] | 1)
