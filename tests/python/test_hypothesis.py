# SPDX-License-Identifier: Apache-2.0
"""Formulas of arrays that hypothesis makes and shrinks, where it is installed, compared with Python's integers."""

import math
import operator

import pytest
import warpint as w
from support import ROUNDS, check, expected, limits

hypothesis = pytest.importorskip("hypothesis")
given, settings, st = hypothesis.given, hypothesis.settings, hypothesis.strategies

some = settings(max_examples=100 * ROUNDS, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))


@st.composite
def an_array(draw, count):
    bits, signed = draw(st.integers(1, 1100)), draw(st.booleans())
    low, high = limits(bits, signed)
    values = draw(st.lists(st.integers(low, high), min_size=count, max_size=count))
    return values, w.array(values, bits, signed)


BINARY = [operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.and_, operator.or_, operator.xor]
UNARY = [operator.neg, operator.invert, abs, lambda x: x << 33, lambda x: x >> 33, lambda x: x % 1000003, lambda x: x * -5 + 7]
trees = st.recursive(
    st.integers(0, 2).map(lambda i: lambda x: x[i]),
    lambda of: st.one_of(
        st.tuples(st.sampled_from(UNARY), of).map(lambda t: lambda x: t[0](t[1](x))),
        st.tuples(st.sampled_from(BINARY), of, of).map(lambda t: lambda x: t[0](t[1](x), t[2](x))),
    ),
    max_leaves=6,
)


@some
@given(st.data(), st.integers(1, 40), trees)
def test_trees(data, count, tree):
    columns = [data.draw(an_array(count)) for _ in range(3)]
    lists, arrays = zip(*columns)
    f = tree(arrays)
    if f.operation is not None:
        check(f, expected(lambda *x: tree(x), *lists), *lists)


@some
@given(st.data(), st.integers(1, 40))
def test_modular(data, count):
    (a, x), (e, y), (m, z) = (data.draw(an_array(count)) for _ in range(3))
    check(w.powmod(x, y, z), expected(pow, a, e, m), a, e, m)
    check(w.gcd(x, y) + x * y % z, expected(lambda a, e, m: math.gcd(a, e) + a * e % m, a, e, m), a, e, m)


@some
@given(st.data(), st.integers(1, 40))
def test_reductions(data, count):
    a, x = data.draw(an_array(count))
    assert (x.sum(), x.min(), x.max(), x.prod()) == (sum(a), min(a), max(a), math.prod(a))
    assert (x.argmin(), x.argsort().tolist()) == (a.index(min(a)), sorted(range(count), key=a.__getitem__))
    assert x.sort().tolist() == sorted(a) and x.to_strings(16) == [f"{v:x}" for v in a] and w.parse(x.to_strings(10), x.bits, 10, x.signed).tolist() == a
