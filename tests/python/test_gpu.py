# SPDX-License-Identifier: Apache-2.0
"""Formulas of arrays on a GPU that is emulated, or on one that is there (emulated.py), compared with Python's integers."""

import ctypes
import itertools
import math
import operator
import os
import pickle
import runpy
import shutil
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import emulated
import numpy as np
import pytest
import warpint as w
from support import ROUNDS, OnlyDlpack, check, expected, generator, limits, numbers
from warpint import _compile, _device, _driver, _formula, _gpu, _wide

REASON = emulated.reason_without()
needs_gpu = pytest.mark.skipif(REASON is not None, reason=str(REASON))


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    """A cache of the tests' own, but for the headers that NVRTC brings, which are written once."""
    before = os.environ.get("WARPINT_CACHE_DIR")
    os.environ["WARPINT_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["WARPINT_CACHE_DIR"]
    else:
        os.environ["WARPINT_CACHE_DIR"] = before


@pytest.fixture
def gpu():
    return emulated.use()


def on_gpu(values, bits, signed=False):
    return w.array(values, bits, signed, device="cuda")


def columns(r, n, *widths):
    """Lists of numbers, and the same on the GPU."""
    lists = [numbers(r, n, bits, signed) for bits, signed in widths]
    return lists, [on_gpu(x, *width) for x, width in zip(lists, widths)]


def check_on_gpu(formula, function, *lists):
    assert formula.device == "cuda:0"
    value = formula.eval()
    if isinstance(value, np.ndarray):
        assert value.tolist() == expected(function, *lists)
        return
    assert value.device == "cuda:0"
    check(value.to("cpu"), expected(function, *lists), *lists)


# ---- formulas


def arithmetic(a, b, s, t):
    return (a + b) * s - t


def floors(a, b, s, t):
    return (s // t) ^ (s % t) + a // t + s % b


def with_bits(a, b, s, t):
    return ((~a & b) | (s ^ ~t)) << 5 >> 2


def shifts_by_arrays(a, b, s, t):
    return (s >> b % 300) + (a >> (t if isinstance(t, w.Formula) else checked_count(t)))


def checked_count(t):
    if t < 0:
        raise ValueError
    return t


def modular(a, b, s, t):
    return (a * b + a) % b * 3 + s * t % b + a * 7 % (2**130 - 5)


@needs_gpu
@pytest.mark.parametrize("function", [arithmetic, floors, with_bits, shifts_by_arrays, modular], ids=lambda f: f.__name__)
def test_operators(gpu, function):
    r = generator(function.__name__)
    lists, arrays = columns(r, 67, (131, False), (131, False), (96, True), (96, True))
    check_on_gpu(function(*arrays), function, *lists)


@needs_gpu
def test_powers_of_all_signs(gpu):
    r = generator("powers")
    lists, arrays = columns(r, 40, (80, True), (16, True), (80, True))
    check_on_gpu(w.powmod(*arrays), pow, *lists)
    wide, (a, e, m) = columns(r, 33, (100, False), (70, False), (100, False))
    check_on_gpu(w.powmod(a, e, m) + w.powmod(a, 65537, 2**89 - 1), lambda a, e, m: pow(a, e, m) + pow(a, 65537, 2**89 - 1), *wide)


PRIME_OF_THE_BASES = 2**31 - 1


@needs_gpu
def test_powers_with_kernels_of_their_own(gpu, monkeypatch):
    """In a residue number system (_powers.py): on tensor cores, by a block each, and what is left over lanes."""
    monkeypatch.setattr(gpu.driver, "multiprocessors", 1)  # 256 at a time on tensor cores, up to 8 by a block each
    r = generator("own powers")
    lists, (a, b, e, m) = columns(r, 300, (1000, False), (1010, False), (256, False), (1000, False))
    lists[2] = [x % 2**20 for x in lists[2]]  # the emulator's time goes by the longest
    lists[3] = [x | 1 for x in lists[3]]
    # Moduli that the system cannot have, and those without a value.
    lists[3][:6] = [0, 1, 2, 2**999 + 2, PRIME_OF_THE_BASES, PRIME_OF_THE_BASES * (2**900 + 1)]
    lists[3][290:295] = [0, 1, 2, 2**999 + 2, PRIME_OF_THE_BASES]
    lists[2][6:9], lists[0][9:11] = [0, 1, 2], [0, 1]
    e, m = on_gpu(lists[2], 256), on_gpu(lists[3], 1000)
    a = on_gpu(lists[0], 1000)

    def kernels_of(f, count):
        before = len(gpu.driver.launches)
        f.eval()
        names = [name for name, *_ in gpu.driver.launches[before:]]
        return [sum(word in name for name in names) for word in ("spread_powers", "13powers_kernel", "14formula")], count

    f = pow(a - b, e, m) * 3 + b  # a base with a sign, and a formula that reads the power
    text = f.explain()
    assert "before: powmod: 1000 bits" in text
    w.precompile(f)
    assert text != f.explain() and f._value is None
    check_on_gpu(f, lambda a, b, e, m: pow(a - b, e, m) * 3 + b, *lists)
    for count, ways, says in ((300, [0, 1, 1], "256 elements on tensor cores"), (8, [1, 0, 1], "8 elements by a block of"), (9, [0, 0, 1], "lanes")):
        f = pow(a[:count], e[:count], m[:count])
        w.precompile(f)
        assert says in f.explain()
        assert kernels_of(f, count) == (ways, count)
        check_on_gpu(f, pow, *(lists[i][:count] for i in (0, 2, 3)))
    out = on_gpu(lists[0], 1000)
    out[:] = pow(out, e, m)  # in place
    check_on_gpu(out + 0, pow, *(lists[i] for i in (0, 2, 3)))
    monkeypatch.setattr(gpu, "allocate", full_from(gpu.allocate, 1 << 20))
    check_on_gpu(pow(a, e, m), pow, *(lists[i] for i in (0, 2, 3)))


def full_from(allocate, least):
    """Memory that is full for what is larger."""

    def allocate_or_not(size):
        if size >= least:
            raise _driver.OutOfMemory
        return allocate(size)

    return allocate_or_not


@needs_gpu
def test_powers_by_what_all_elements_share(gpu):
    r = generator("shared powers")
    lists, (a,) = columns(r, 5, (1000, False))
    e, m = 2**255 + 5, 2**1000 - 3**600
    for modulus in (m, m + 1):
        check_on_gpu(pow(a, e, modulus), lambda a: pow(a, e, modulus), *lists)
    narrow, (b, n) = columns(r, 40, (100, False), (100, False))
    for e in (0, 1, 65537, 2**100 - 3):
        check_on_gpu(pow(b, e, n), lambda b, n: pow(b, e, n), *narrow)
    assert "an exponent of 32 bits, one for all" in pow(b, 65537, n).explain()


@needs_gpu
def test_number_theory(gpu):
    r = generator("theory")
    lists, (a, b, s) = columns(r, 40, (100, False), (100, False), (90, True))
    got = w.gcd(a, s) + w.isqrt(a) * w.iroot_floor(b, 3) - a.bit_length() * s.bit_count()
    check_on_gpu(got, lambda a, b, s: math.gcd(a, s) + math.isqrt(a) * _wide.root(b, 3) - a.bit_length() * s.bit_count(), *lists)
    check_on_gpu(w.invert(s, b) + w.invert(a, s), lambda a, b, s: pow(s, -1, b) + pow(a, -1, s), *lists)


@needs_gpu
def test_conditions(gpu):
    r = generator("conditions")
    lists, (a, b, s) = columns(r, 67, (64, False), (64, False), (65, True))
    check_on_gpu((a < s) & ~(b == a) | (s <= -3), lambda a, b, s: a < s and not b == a or s <= -3, *lists)
    quotient = a // b  # used twice, and forgiven once
    got = w.where(b == 0, s, quotient) + w.where(a > b, quotient, w.where(b == 0, 5, quotient + 1))
    check_on_gpu(got, lambda a, b, s: (a // b if b else s) + (a // b if a > b else a // b + 1 if b else 5), *lists)


@needs_gpu
def test_values_used_twice(gpu):
    r = generator("names")
    lists, (a, b) = columns(r, 40, (70, False), (70, True))
    x = a * b
    y = x * x + a
    launches = len(gpu.driver.launches)
    check_on_gpu(y - x + y * 3, lambda a, b: (a * b) ** 2 + a - a * b + ((a * b) ** 2 + a) * 3, *lists)
    assert len(gpu.driver.launches) - launches == 2  # one tells the parameters, one computes all


def every(*ranges):
    """Each combination of these numbers: lists of the first of each, of the second ..."""
    return map(list, zip(*itertools.product(*ranges)))


@needs_gpu
def test_division_of_all_small_numbers(gpu):
    lists = list(every(range(-8, 8), range(-8, 8)))
    x, y = lists
    s, t, u, v = (on_gpu(values, 4, signed) for values, signed in ((x, True), (y, True), ([p + 8 for p in x], False), ([abs(p) for p in y], False)))
    got = s // t + (s % t << 8) + (u // t << 16) + (u % t << 24) + (s // v << 32) + (s % v << 40) + (u // v << 48) + (u % v << 56)

    def wanted(p, q):
        return sum(of << 8 * i for i, of in enumerate([n for a, b in ((p, q), (p + 8, q), (p, abs(q)), (p + 8, abs(q))) for n in divmod(a, b)]))

    check_on_gpu(got, wanted, *lists)


@needs_gpu
def test_modular_functions_of_all_small_numbers(gpu):
    lists = list(every(range(-4, 4), range(-4, 4), range(-4, 4)))
    a, e, m = (on_gpu(x, 3, True) for x in lists)
    check_on_gpu(pow(a, e, m), pow, *lists)
    check_on_gpu(w.invert(a, m) * 100 + a * e % m * 10 + (a * e + 1) % m, lambda a, e, m: pow(a, -1, m) * 100 + a * e % m * 10 + (a * e + 1) % m, *lists)


@needs_gpu
def test_shifts_at_edges(gpu):
    counts = [-1, 0, 1, 31, 32, 33, 63, 64, 65, 66, 200, 2**39]
    lists = list(every([0, 1, -1, 2**64 - 1, -(2**64), 2**40 + 5], counts))
    a, k = on_gpu(lists[0], 65, True), on_gpu(lists[1], 41, True)
    check_on_gpu(a >> k, operator.rshift, *lists)
    lists = list(every([0, 1, -1, 2**64 - 1, -(2**64), 2**40 + 5], counts[:-1]))
    a, k = on_gpu(lists[0], 65, True), on_gpu(lists[1], 9, True)
    check_on_gpu(a << k, operator.lshift, *lists)


@needs_gpu
def test_symbols_and_primes(gpu):
    r = generator("symbols")
    lists, (a, n, s) = columns(r, 40, (40, False), (40, False), (41, True))
    lists[1] = [x | 1 if i % 4 else x for i, x in enumerate(lists[1])]
    primes = w.next_prime(w.array([x >> 8 for x in lists[0]]))
    n, p = on_gpu(lists[1], 40), primes.eval(40, False).to("cuda")
    check_on_gpu(w.jacobi(s, n), lambda s, n: _wide._jacobi(s, n), lists[2], lists[1])
    got = w.where(w.is_prime(a), 1, 0) + 2 * w.is_prime(p) + 4 * (w.sqrt_mod(s * s, p) ** 2 % p == s * s % p)
    check_on_gpu(got, lambda a, p, s: _wide._is_prime(a) + 6, lists[0], p.tolist(), lists[2])


@needs_gpu
def test_one_number_beside_many(gpu):
    a, one, none = on_gpu([1, 2, 3], 40), on_gpu([7], 40), on_gpu([], 40)
    launches = len(gpu.programs)
    for few, wanted in ((a, [8, 9, 10]), (on_gpu([4], 40), [11]), (none, [])):
        assert (few + 7).tolist() == wanted  # one kernel, whatever the length
    assert len(gpu.programs) == launches + 1
    assert (a + one).tolist() == [8, 9, 10] and (none + one).tolist() == []
    assert (7 - a).tolist() == [6, 5, 4]
    broken = on_gpu([1], 40) // 0
    assert (a + broken).faults.all() and len((a + broken).eval()) == 3
    with pytest.raises(ValueError, match="2 and 3"):
        a + on_gpu([1, 2], 40)
    none[:] = none + 7
    assert none.tolist() == [] and not len((none < 3).eval())


@needs_gpu
def test_conditions_as_numbers(gpu):
    a, b = on_gpu([1, 2, 3], 40), on_gpu([3, 2, 1], 40)
    assert ((a < b) * a + (a == b) * 10 - (a > b)).tolist() == [1, 10, -1]
    assert (a < b).eval(8).tolist() == [1, 0, 0] and (a < b).sum() == 1 and (a <= b).count_nonzero() == 2


@needs_gpu
def test_many_uses_of_one_value_take_no_time(gpu):
    a = on_gpu([1, 2], 40)
    x = a
    for _ in range(20):
        x = x & x
    assert len(_gpu.parts_of(x)) == 21
    assert not _gpu.may_fault(x) and _gpu._reads(x, a) and not _gpu._reads(x, on_gpu([1, 2], 40))


@needs_gpu
def test_over_lanes(gpu):
    r = generator("lanes")
    lists, (a, b, s, t) = columns(r, 9, (2048, False), (2048, False), (2048, True), (1025, True))
    modulus = 2**2048 - 1942289
    f = a * b % modulus
    assert "a modulus of 32 bits, one for all" in (on_gpu([1], 131) % 5).explain()
    w.precompile(f)
    assert "lanes of a warp" in f.explain()
    check_on_gpu(f, lambda a, b, s, t: a * b % modulus, *lists)
    check_on_gpu(w.where((s < t) | (t == a), s // t, a % b), lambda a, b, s, t: s // t if s < t or t == a else a % b, *lists)


@needs_gpu
def test_what_has_no_kernel(gpu):
    r = generator("no kernel")
    lists, (a,) = columns(r, 8, (40, False))
    check_on_gpu(w.next_prime(a) + 1, lambda a: w.next_prime(w.array([a]))[0] + 1, *lists)
    wide, (b,) = columns(r, 3, (20000, False))
    got = b * b % 1000003 + 1
    assert got.device == "cuda:0" and got.tolist() == [x * x % 1000003 + 1 for x in wide[0]]


@needs_gpu
def test_low_bits(gpu):
    r = generator("low bits")
    (x, y), (a, b) = columns(r, 40, (90, False), (90, True))
    low, _ = limits(65, True)
    assert (a * b).eval(65, True).tolist() == [(p * q - low) % (1 << 65) + low for p, q in zip(x, y)]
    assert a.eval(33).tolist() == [p % 2**33 for p in x]


OPERATORS = [operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.and_, operator.or_, operator.xor]


def a_tree(r, depth):
    """(formula of leaves, the same of integers): functions of a list."""
    if depth == 0:
        i = r.randrange(3)
        return lambda x: x[i]
    if r.random() < 0.2:
        one, by = a_tree(r, depth - 1), r.randint(0, 40)
        f = r.choice([operator.neg, operator.invert, abs, lambda x: x << by, lambda x: x >> by])
        return lambda x: f(one(x))
    f, one, other = r.choice(OPERATORS), a_tree(r, depth - 1), a_tree(r, r.randrange(depth))
    return lambda x: f(one(x), other(x))


@needs_gpu
@pytest.mark.parametrize("index", range(ROUNDS))
def test_random_formulas(gpu, index):
    r = generator("trees", index)
    widths = [(r.choice([1, 31, 32, 64, 100, 131]), r.random() < 0.5) for _ in range(3)]
    lists, arrays = columns(r, 40, *widths)
    tree = a_tree(r, 3)
    f = tree(arrays)
    if f.operation is not None:
        check_on_gpu(f, lambda *x: tree(x), *lists)


@needs_gpu
@pytest.mark.skipif(ROUNDS == 1, reason="in the long set (WARPINT_TEST_ROUNDS)")
def test_the_script_that_measures(gpu, monkeypatch, capsys):
    script = Path(__file__).parents[2] / "perf/python_gpu.py"
    monkeypatch.setenv("WARPINT_CACHE_DIR", os.environ["WARPINT_CACHE_DIR"])  # which it changes
    monkeypatch.setattr(sys, "argv", [str(script), "--widths", "70", "--elements", "600", "--seconds", "0.01", "--check", "5", "--nvcc", "/no/nvcc"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(script), run_name="__main__")
    printed = capsys.readouterr().out
    assert ended.value.code == 0 and printed.count("| 600 | 0 |") == 8, printed


# ---- arrays


@needs_gpu
def test_sums(gpu):
    """By one kernel for all widths, which the GPU runs: nothing but the columns comes back."""
    r = generator("sums")
    for bits, signed, count in [(32, False, 1), (40, True, 3), (96, True, 700), (128, False, 5), (1100, True, 40), (33, False, 2000)]:
        values = numbers(r, count, bits, signed)
        a = on_gpu(values, bits, signed=signed)
        before = len(gpu.driver.launches)
        assert a.sum() == sum(values), (bits, signed, count)
        assert len(gpu.driver.launches) == before + 1
        assert a.count_nonzero() == sum(x != 0 for x in values)
        assert (a.any(), a.all()) == (any(values), all(values))
        assert (a - 1).sum() == sum(values) - count
    most = on_gpu([2**64 - 1] * 1000, 64)
    assert most.sum() == 1000 * (2**64 - 1)
    least = on_gpu([-(2**63)] * 1000, 64, signed=True)
    assert least.sum() == -1000 * 2**63
    assert a[:0].sum() == 0 and not a[:0].any() and a[:0].all()
    with pytest.raises(w.FaultError):
        (a // 0).sum()
    with pytest.raises(w.FaultError):
        (a // 0).any()


@needs_gpu
def test_extremes_and_products_by_halves(gpu, monkeypatch):
    """On the GPU down to a few, which alone come back."""
    monkeypatch.setattr(_gpu, "FEW", 9)
    bytes_read, read = [], _device.Memory.read
    monkeypatch.setattr(_device.Memory, "read", lambda memory, values, offset=0: bytes_read.append(values.nbytes) or read(memory, values, offset))
    r = generator("halves")
    for bits, signed, count in [(40, True, 203), (96, False, 64), (40, True, 9)]:
        values = numbers(r, count, bits, signed)
        a = on_gpu(values, bits, signed=signed)
        assert (a.min(), a.max()) == (min(values), max(values))
        assert (a.argmin(), a.argmax()) == (values.index(min(values)), values.index(max(values)))
        for m in (2**61 - 1, -7):
            assert a.prod(m) == math.prod(values) % m
    broken = on_gpu([1] * 20, 40) // on_gpu([1, 0] * 10, 40)
    for f in (broken.min, broken.argmax, lambda: broken.prod(7)):
        with pytest.raises(w.FaultError):
            f()
    a = on_gpu(numbers(r, 400, 320, False), 320)
    a.max()  # the first one also reads how to launch
    del bytes_read[:]
    a.max()
    assert 0 < sum(bytes_read) < 1200  # of 16,000


@needs_gpu
def test_there_and_back(gpu):
    a = w.array([1, -2, 3], bits=70, signed=True)
    b = a.to("cuda")
    assert (b.device, b.bits, b.signed, len(b), b.nbytes) == ("cuda:0", 70, True, 3, 36)
    assert b.to("cuda:0") is b and a.to("cpu") is a
    assert b.tolist() == [1, -2, 3] == b.to("cpu").tolist() == list(b)
    assert (b[1], b[-1], b[1:].tolist(), b[[2, 0]].tolist(), b[1:].device) == (-2, 3, [-2, 3], [3, 1], "cuda:0")
    assert repr(b) == "array([1, -2, 3], bits=70, signed=True, device='cuda:0')"
    assert (b.sum(), b.prod(), b.min(), b.max(), b.argmax(), b.any(), b.all()) == (2, -6, -2, 3, 2, True, True)
    assert b.sort().tolist() == [-2, 1, 3] and b.sort().device == "cuda:0"
    assert pickle.loads(pickle.dumps(b)).tolist() == [1, -2, 3]
    assert w.concatenate([b, b]).tolist() == [1, -2, 3] * 2
    assert w.array(b).device == "cuda:0" and w.array(b, device="cpu").device == "cpu"
    assert w.zeros(3, 40, device="cuda").tolist() == [0] * 3
    assert w.arange(5, device="cuda").tolist() == [0, 1, 2, 3, 4]
    assert b.to_strings(16) == ["1", "-2", "3"]
    assert w.zeros(0, 40, device="cuda").tolist() == []
    for other in (a + 1, a):
        with pytest.raises(ValueError, match="move one"):
            other + b
    assert a.to("cuda:00").device == "cuda:0"
    with pytest.raises(ValueError, match="no such device"):
        a.to("tpu")


@needs_gpu
def test_assignment(gpu):
    a = on_gpu([5, 6, 7, 8], 32)
    address = a.limbs.address
    before = a + 1  # means the values of now
    a[:] = a + 2**32 + 2
    assert (a.tolist(), before.tolist(), a.limbs.address) == ([7, 8, 9, 10], [6, 7, 8, 9], address)
    a[1] = 3
    a[...] = a
    assert a.tolist() == [7, 3, 9, 10]
    a[:] = [1, 2, 0, 4]
    b = on_gpu([5, 6, 7, 8], 32)
    b[:] = b // a
    assert b.faults.tolist() == [False, False, True, False]
    b[2] = 9
    assert b.tolist() == [5, 3, 9, 2]
    b[:] = 4
    assert b.tolist() == [4] * 4
    with pytest.raises(OverflowError):
        b[0] = 2**32
    with pytest.raises(TypeError, match="where"):
        b[1:] = 0


@needs_gpu
def test_faults(gpu):
    a, b = on_gpu([7, 8, 9], 40), on_gpu([2, 0, 3], 40)
    q = (a // b).eval()
    assert q.faults.tolist() == [False, True, False]
    for error in (ZeroDivisionError, ValueError, w.FaultError):
        with pytest.raises(error, match="1 of 3 elements"):
            q.tolist()
    assert q[0] == 3 and q[~q.faults].tolist() == [3, 3]
    with pytest.raises(w.FaultError):
        q[1]
    assert (q + 1).faults.tolist() == q.faults.tolist() == q.copy().faults.tolist()
    assert w.where(b == 0, 1, q).tolist() == [3, 1, 3]
    back = q.to("cpu").to("cuda")
    assert back.faults.tolist() == q.faults.tolist()


@pytest.mark.skipif(not emulated.ON_GPU, reason="needs a GPU (WARPINT_TEST_GPU=1)")
@pytest.mark.parametrize("name", ["cupy", "torch"])
def test_cupy_and_torch(gpu, name):
    library = pytest.importorskip(name)
    a = on_gpu([1, 2**64, 3], 96)
    there = [library.from_dlpack(a.limbs), library.from_dlpack(a)] + ([library.asarray(a.limbs)] if name == "cupy" else [])
    for i, x in enumerate(there):
        assert tuple(x.shape) == (3, 3) and int(x[1, 2]) == 1
        x = x.view(library.int32)  # torch computes little with uint32
        x[0, 0] = 77 + i
        assert a[0] == 77 + i
    on = {"device": "cuda"} if name == "torch" else {}
    limbs = library.arange(8, dtype=library.int32, **on).reshape(2, 4)
    shared, copied = w.from_limbs(limbs, copy=False), w.array(limbs)
    assert copied.tolist() == [sum(x << 32 * j for j, x in enumerate(row)) for row in ([0, 1, 2, 3], [4, 5, 6, 7])]
    shared[:] = shared + 1
    assert limbs[:, 0].tolist() == [1, 5] and (copied + 1 == shared).all()
    with pytest.raises(ValueError, match="contiguous"):
        w.array(limbs[:, :2])
    s = library.cuda.Stream()
    with w.stream(s):
        b = (a * a + 1).eval()
        c = library.from_dlpack(b.limbs)
    del s
    assert b.tolist() == [x * x + 1 for x in a.tolist()] and int(c[2, 0]) == 10
    with pytest.raises(ValueError, match="uint32"):
        w.array(limbs.reshape(8))


class OnlyInterface:
    def __init__(self, x):
        self.__cuda_array_interface__ = x.__cuda_array_interface__
        self.x = x


@needs_gpu
@pytest.mark.parametrize("kind", [OnlyDlpack, OnlyInterface])
def test_other_libraries(gpu, kind):
    a = on_gpu([1, 2**64, 3], 96)
    there = kind(a.limbs)
    shared = w.from_limbs(there, copy=False)
    copied = w.array(there)
    assert shared.limbs.address == a.limbs.address != copied.limbs.address
    a[0] = 77
    assert (shared.tolist(), copied.tolist()) == ([77, 2**64, 3], [1, 2**64, 3])
    with pytest.raises(ValueError, match="element 1 has bits beyond 65 bits"):
        w.from_limbs(kind(on_gpu([1, 2**65, 3], 96).limbs), 65)
    del gpu.driver.synchronized[:]
    del shared, there, a
    assert not _device._given and "all" in gpu.driver.synchronized  # before others get the memory


@needs_gpu
def test_rows_that_cannot_be_shared(gpu):
    a = on_gpu([1, 2, 3], 32)

    def there(**changes):
        made = OnlyInterface(a.limbs)
        made.__cuda_array_interface__ = {**made.__cuda_array_interface__, **changes}
        return made

    later = there(data=(a.limbs.address + 4, False), shape=(2, 1))
    constant = there(data=(a.limbs.address, True))
    assert w.array(later).tolist() == [2, 3] and w.array(constant).tolist() == [1, 2, 3]
    for bad in (later, constant):
        with pytest.raises(ValueError, match="copy=True"):
            w.from_limbs(bad, copy=False)
    for strides in ((8, 4), (5, 4), (-4, 4)):
        with pytest.raises(ValueError, match="contiguous"):
            w.array(there(strides=strides))
    assert w.array(there(strides=(4, 99))).tolist() == [1, 2, 3]  # of one limb, there is no next
    with pytest.raises(ValueError, match="mask"):
        w.array(there(mask=a.limbs))
    for change in ({"typestr": "<u8"}, {"shape": (3,)}, {"shape": (3, 0)}):
        with pytest.raises(ValueError, match=r"\(n, limbs\) of uint32"):
            w.array(there(**change))


@needs_gpu
def test_a_copy_for_others_is_waited_for(gpu):
    a, handle = on_gpu([1, 2, 3], 32), gpu.driver.make_stream()
    with w.stream(handle):
        del gpu.driver.synchronized[:]
        capsule = a.limbs.__dlpack__(stream=1, copy=True)
        assert handle in gpu.driver.synchronized
    del capsule


AT_THE_END = """
import ctypes, gc
import emulated, warpint as w
from warpint import _device
emulated.use()
capsule = w.array([1, 2], device="cuda").limbs.__dlpack__()
_device._Owner.__del__ = lambda self: None
taken = _device._import(capsule)[-1]._managed
vars(_device).clear()  # as Python does at the end
gc.collect()
taken.deleter(ctypes.addressof(taken))
print("let go")
"""


@needs_gpu
def test_others_may_let_go_when_the_process_ends():
    ended = subprocess.run([sys.executable, "-c", AT_THE_END], cwd=Path(emulated.__file__).parent, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"let go\n", b"")


@needs_gpu
def test_a_capsule_that_nobody_takes(gpu):
    a = on_gpu([1, 2], 32)
    capsule = a.limbs.__dlpack__()
    assert len(_device._given) == 1
    del capsule
    assert not _device._given
    assert a.__dlpack_device__() == (2, 0)
    with pytest.raises(BufferError):
        a.limbs.__dlpack__(dl_device=(1, 0))


@needs_gpu
def test_streams(gpu):
    a = on_gpu([1, 2, 3], 32)
    (a + a).eval()
    handle = gpu.driver.make_stream()
    with w.stream(handle):
        del gpu.driver.synchronized[:]
        b = (a + a).eval()
        assert gpu.driver.launches[-1][-1] == handle and 0 in gpu.driver.synchronized
        assert b.limbs.__cuda_array_interface__["stream"] == handle
    del gpu.driver.synchronized[:]
    assert b.tolist() == [2, 4, 6] and gpu.driver.synchronized == [handle, 0]
    assert _device.current_stream().handle == 0
    for same in (0, 1):
        with w.stream(same):
            assert _device.current_stream().handle == 0
    with pytest.raises(ValueError, match="make a stream"), w.stream(2):
        pass
    with pytest.raises(TypeError, match="no stream"), w.stream("48"):
        pass


class SomeStream:
    def __init__(self, handle):
        self.cuda_stream = handle


@needs_gpu
def test_a_stream_lives_as_long_as_its_memory(gpu):
    s = SomeStream(gpu.driver.make_stream())
    alive = weakref.ref(s)
    with w.stream(s):
        a = on_gpu([1, 2, 3], 32)
        b = (a + 1).eval()
    del s, a
    assert alive() is not None and b.tolist() == [2, 3, 4]
    del b
    gpu.release()
    assert alive() is None


@needs_gpu
def test_memory_is_used_again(gpu):
    w.zeros(1000, 64, device="cuda").copy()
    before = len(gpu.driver.allocated)
    for _ in range(3):
        w.zeros(1000, 64, device="cuda").copy()
    assert len(gpu.driver.allocated) == before
    w.release_memory()
    assert len(gpu.driver.allocated) < before


# ---- compiling


@needs_gpu
def test_compiling_is_said_once(gpu, capfd):
    a = on_gpu([1, 2, 3], 45)
    f = a * 5 + 45
    assert "not compiled" in f.explain()
    w.precompile(f)
    message = capfd.readouterr().err
    assert f"compiling a formula for {gpu.driver.architecture}" in message and "kept in" in message
    assert "a thread per number" in f.explain()
    assert f.tolist() == [50, 55, 60] and (a * 6 + 46).tolist() == [52, 58, 64]
    assert not capfd.readouterr().err
    gpu.programs.clear()  # as in another process
    assert (a * 5 + 45).tolist() == [50, 55, 60]
    assert not capfd.readouterr().err
    with pytest.raises(TypeError, match="cuda"):
        w.precompile(w.array([1]) + 1)


KERNEL = 'extern "C" __global__ void twice(int *x) { *x *= 2; }\n'


@needs_gpu
def test_a_bad_cache_is_no_error(gpu, capfd, monkeypatch, tmp_path):
    monkeypatch.setenv("WARPINT_CACHE_DIR", str(tmp_path))
    compiler = _compile.Compiler()
    parts = [(KERNEL, ("twice",))]
    (made,) = compiler.cached(parts, "compute_90")
    (file,) = tmp_path.glob("*.bin")
    whole = file.read_bytes()
    capfd.readouterr()
    assert compiler.cached(parts, "compute_90") == [made] and not capfd.readouterr().err
    for bad in (b"", whole[:-1], whole[:50] + bytes([whole[50] ^ 1]) + whole[51:], b"x" * 100):
        file.write_bytes(bad)
        assert compiler.cached(parts, "compute_90") == [made] and "compiling" in capfd.readouterr().err
        assert file.read_bytes() == whole
    monkeypatch.setenv("WARPINT_CACHE_DIR", str(file / "below a file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert _compile.Compiler().cached(parts, "compute_90") == [made]
    assert "not kept" in capfd.readouterr().err
    monkeypatch.setenv("WARPINT_CACHE_DIR", str(tmp_path))
    for folder in tmp_path.glob("nvrtc-*"):
        shutil.rmtree(folder)
    assert compiler.compile(KERNEL, ("twice",), "compute_90") == made
    with pytest.raises(_compile.CompileError, match="undefined"):
        compiler.compile("__global__ void f() { undefined(); }", (), "compute_90")


TWICE = f"""
import sys
from warpint import _compile
((code, symbols),) = _compile.compiler().cached([({KERNEL!r}, ("twice",))], "compute_90")
assert b"twice" in code and symbols == ["twice"]
"""


@needs_gpu
def test_processes_share_a_cache(tmp_path):
    environment = {**os.environ, "WARPINT_CACHE_DIR": str(tmp_path / "cache")}
    processes = [subprocess.Popen([sys.executable, "-c", TWICE], env=environment, stderr=subprocess.DEVNULL) for _ in range(4)]
    assert [p.wait() for p in processes] == [0] * 4
    headers, kept = sorted((tmp_path / "cache").iterdir(), key=lambda path: path.suffix == ".bin")
    assert kept.suffix == ".bin" and (headers / "cccl/cuda/std/bit").is_file()


@needs_gpu
def test_threads_compile_once(gpu, capfd):
    a = on_gpu([1, 2, 3], 47)
    threads = [threading.Thread(target=lambda: w.precompile(a * a * a - 47)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert capfd.readouterr().err.count("compiling") == 1


class FakeLibrary:
    """Of a CUDA driver, what it says of itself."""

    def __init__(self, code=0, version=13000, count=1, capability=(9, 0)):
        self.code, self.version, self.count, self.capability = code, version, count, capability

    def cuInit(self, flags):
        return self.code

    def cuGetErrorString(self, code, text):
        text._obj.value = b"no device"

    def cuDriverGetVersion(self, version):
        version._obj.value = self.version

    def cuDeviceGetCount(self, count):
        count._obj.value = self.count

    def cuDeviceGet(self, device, ordinal):
        device._obj.value = ordinal.value

    def cuDeviceGetAttribute(self, value, which, device):
        value._obj.value = self.capability[which.value - _driver.CAPABILITY_MAJOR]


def test_what_a_driver_lacks_is_named(monkeypatch):
    for fake, ordinal, message in (
        (FakeLibrary(code=100), 0, r"no device \(100\).*580 or newer"),
        (FakeLibrary(version=12040), 0, r"CUDA 12\.4.*CUDA 13"),
        (FakeLibrary(), 1, r"no GPU cuda:1.* has 1.*CUDA_VISIBLE_DEVICES"),
        (FakeLibrary(capability=(7, 0)), 0, r"capability 7\.0.*7\.5"),
    ):
        monkeypatch.setattr(ctypes, "CDLL", lambda name, fake=fake: fake)
        with pytest.raises(RuntimeError, match=message):
            _driver.Driver(ordinal)


def test_what_is_missing_is_named(monkeypatch):
    if os.path.exists("/dev/nvidia0"):
        pytest.skip("there is a GPU")
    with pytest.raises(RuntimeError, match="driver"):
        w.array([1], device="cuda:1")
    monkeypatch.setenv("WARPINT_NVRTC", "/no/such/library")
    with pytest.raises(RuntimeError, match=r"pip install 'warpint\[cuda13\]'"):
        _compile.Compiler()


def test_every_operation_is_known():
    """Those of the CPU have a kernel, or are computed there."""
    unknown = set(_formula.OPERATIONS) - set(_gpu._SIMPLE) - _gpu._OTHERS - {"next_prime", "cast"}
    assert not unknown
