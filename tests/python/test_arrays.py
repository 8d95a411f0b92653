# SPDX-License-Identifier: Apache-2.0
"""Arrays: what they are made of, what becomes of them, indices, assignment, and when formulas are computed."""

import copy
import os
import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import warpint as w
from support import ROUNDS, OnlyDlpack, a_width, check, generator, limits, numbers


def test_from_integers():
    r = generator("from")
    for _ in range(60 * ROUNDS):
        bits, signed = a_width(r)
        values = numbers(r, r.choice([0, 1, 5]), bits, signed)
        a = w.array(values, bits, signed)
        assert a.tolist() == values and len(a) == len(values) and (a.bits, a.signed) == (bits, signed)
        assert w.array(values).tolist() == values
        assert w.array(a).tolist() == values and w.array(tuple(values), bits, signed).tolist() == values
        low, high = limits(bits, signed)
        for beyond in (low - 1, high + 1, 1 << 3000, -(1 << 3000)):
            with pytest.raises(OverflowError, match="element 1 does not fit"):
                w.array([0, beyond], bits, signed)
        assert w.array([low, high], bits, signed).tolist() == [low, high]
    assert (w.array([5]).bits, w.array([1 << 32]).bits, w.array([-1]).signed, w.array([1 << 31, -1]).bits) == (32, 64, True, 64)
    for wrong in ([1.5], [None], ["1", 2], np.array([1.5]), [1j]):
        with pytest.raises(TypeError):
            w.array(wrong)
    for wrong in ("12", b"12", 7):
        with pytest.raises(TypeError):
            w.array(wrong)
    for bits in (0, -1, 1 << 40):
        with pytest.raises(ValueError):
            w.array([1], bits)


def test_text():
    r = generator("text")
    for _ in range(40 * ROUNDS):
        bits, signed = a_width(r, 2000)
        values = numbers(r, 6, bits, signed)
        a = w.array(values, bits, signed)
        assert a.to_strings() == [str(x) for x in values]
        assert a.to_strings(16) == [f"{x:x}" for x in values]
        assert w.array([hex(x) for x in values]).tolist() == values
        assert w.array([str(x) for x in values], bits, signed).tolist() == values
        for base in (2, 3, 7, 8, 10, 16, 36):
            assert w.parse(a.to_strings(base), bits, base, signed).tolist() == values
            assert w.parse([t.upper() for t in a.to_strings(base)], None, base).tolist() == values
        low, high = limits(bits, signed)
        for beyond in (low - 1, high + 1, 10**900, -(10**900)):
            with pytest.raises(OverflowError, match="does not fit"):
                w.parse(["0", str(beyond)], bits, signed=signed)
    assert w.parse(["+5", "-0", "000000000000000000000000000000000000007"], 8, signed=False).tolist() == [5, 0, 7]
    for wrong in ("", "-", "+", "0x", "1 ", " 1", "1_0", "12a", "--1", "1\0", "é", "٣"):
        with pytest.raises(ValueError, match="text 1 is no number"):
            w.array(["1", wrong], 64)
        with pytest.raises(ValueError, match="text 1 is no number"):
            w.parse(["1", wrong])
    with pytest.raises(ValueError):
        w.parse(["1"], base=37)


def test_bytes():
    r = generator("bytes")
    for _ in range(40 * ROUNDS):
        bits, signed = a_width(r)
        values = numbers(r, 5, bits, signed)
        a = w.array(values, bits, signed)
        size = (bits + 7) // 8
        for order in ("big", "little"):
            data = a.tobytes(order)
            assert data == b"".join(x.to_bytes(size, order, signed=signed) for x in values)
            assert w.from_bytes(data, bits, signed, order).tolist() == values
            longer = b"".join(x.to_bytes(size + 5, order, signed=signed) for x in values)
            assert w.from_bytes(longer, bits, signed, order, size=size + 5).tolist() == values
        if not signed:
            assert w.array([x.to_bytes(size, "big") for x in values], bits).tolist() == values
    with pytest.raises(OverflowError):
        w.from_bytes(b"\xff", 7)
    with pytest.raises(ValueError):
        w.from_bytes(b"123", 16)


def test_numpy():
    r = generator("numpy")
    for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", ">i4", "<u8"):
        t = np.dtype(kind)
        ends = (False, True) if kind == "?" else (np.iinfo(t).min, np.iinfo(t).max)
        x = np.array([*ends, 0, 1, 5 if kind != "?" else 1], t)
        a = w.array(x)
        assert a.tolist() == [int(v) for v in x]
        assert (a.bits, a.signed) == (1 if kind == "?" else 8 * t.itemsize, t.kind == "i")
        check(a + x, [2 * int(v) for v in x])
        check(x + a, [2 * int(v) for v in x])
        check(x[0] + a, [int(x[0]) + int(v) for v in x])
        assert w.array(x[::2]).tolist() == [int(v) for v in x[::2]]
    with pytest.raises(OverflowError, match="element 1"):
        w.array(np.array([1, 300]), 8)
    with pytest.raises(OverflowError, match="element 0"):
        w.array(np.array([-1]), 8, signed=False)
    big = np.array([1 << 200, -3, 0], object)
    a = w.array(big)
    assert a.to_numpy().dtype == object and a.to_numpy().tolist() == big.tolist()
    assert np.asarray(a).tolist() == big.tolist()
    check(big * a, [x * x for x in big])
    check(np.multiply(a, 3) - np.add(a, a), big.tolist())
    check(np.gcd(a, 6), [2, 3, 6])
    assert np.greater(a, 0).eval().tolist() == [True, False, False]
    assert np.where(a > 0, a, 7).tolist() == [1 << 200, 7, 7]
    assert np.concatenate([a, a]).tolist() == big.tolist() * 2
    assert w.concatenate([w.array([1], 7), w.array([-1], 100, True)]).tolist() == [1, -1]
    with pytest.raises(TypeError):
        a + 1.5
    with pytest.raises(TypeError):
        a / 2
    with pytest.raises(TypeError):
        np.sqrt(a)
    with pytest.raises(ValueError):
        w.array(np.zeros((2, 2), int))
    with pytest.raises(ValueError, match="2 and 3"):
        w.zeros(2, 8) + w.zeros(3, 8)


def test_limbs_and_dlpack():
    limbs = np.array([[1, 2], [0xFFFFFFFF, 0x7F]], np.uint32)
    a = w.array(limbs)
    assert a.tolist() == [1 + (2 << 32), 0x7FFFFFFFFF] and a.bits == 64
    limbs[0, 0] = 9
    assert a[0] == 1 + (2 << 32)
    shared = w.from_limbs(limbs, 40, copy=False)
    limbs[0, 0] = 5
    assert shared[0] == 5 + (2 << 32) and np.shares_memory(shared.limbs, limbs)
    with pytest.raises(ValueError, match="element 1"):
        w.from_limbs(limbs, 38)
    with pytest.raises(ValueError):
        w.from_limbs(limbs, 65)
    assert w.from_limbs(limbs.view(np.int32), 64, True).tolist() == w.from_limbs(limbs).tolist()
    with pytest.raises(ValueError):
        w.from_limbs(np.array([[0xFF]], np.uint32), 8, True)
    view = np.from_dlpack(a)
    assert view.dtype == np.uint32 and view.shape == (2, 2) and np.shares_memory(view, a.limbs)
    assert w.from_limbs(a).tolist() == a.tolist()

    assert w.array(OnlyDlpack(np.array([-5, 7], np.int16))).tolist() == [-5, 7]
    assert w.array(OnlyDlpack(limbs), 64).tolist() == w.array(limbs).tolist()


def test_made():
    assert w.zeros(3, 100).tolist() == [0, 0, 0] and w.full(2, -5).tolist() == [-5, -5]
    assert w.arange(5).tolist() == [0, 1, 2, 3, 4]
    assert w.arange(10, -7, -3).tolist() == list(range(10, -7, -3))
    assert w.arange(1 << 100, (1 << 100) + 10, 4, bits=101).tolist() == [(1 << 100) + k for k in (0, 4, 8)]
    assert w.arange(0).tolist() == []
    with pytest.raises(OverflowError):
        w.arange(300, bits=8)
    a = w.random(4000, 131, seed=7)
    assert a.tolist() == w.random(4000, 131, seed=7).tolist() != w.random(4000, 131, seed=8).tolist()
    assert a.max() < 1 << 131 and all(1800 < sum(x >> k & 1 for x in a) < 2200 for k in (0, 31, 32, 64, 130))
    b = w.random(2000, below=10, seed=3)
    assert b.bits == 4 and b.unique().tolist() == list(range(10))
    for wrong in ({}, {"bits": 3, "below": 3}):
        with pytest.raises(TypeError):
            w.random(3, **wrong)


def test_device():
    for make in (lambda d: w.array([1], device=d), lambda d: w.zeros(1, 8, device=d), lambda d: w.array([1]).to(d)):
        assert make("cpu").tolist() in ([1], [0])
        with pytest.raises(ValueError):
            make("tpu")


def test_indices():
    values = [10, -20, 30, -40, 50]
    a = w.array(values, 100, True)
    assert (a[0], a[-1], a[np.int64(2)]) == (10, 50, 30)
    for i in (5, -6):
        with pytest.raises(IndexError):
            a[i]
    for s in (slice(1, 4), slice(None, None, 2), slice(None, None, -1), slice(4, 1), slice(-2, None)):
        assert a[s].tolist() == values[s] and (a[s] + 1).tolist() == [x + 1 for x in values[s]]
    assert a[[0, 3]].tolist() == [10, -40] and a[[]].tolist() == []
    assert a[np.array([True, False, False, False, True])].tolist() == [10, 50]
    assert a[a < 0].tolist() == [-20, -40] and a[(a > 0) & ~(a == 30)].tolist() == [10, 50]
    assert a[w.array([4, 0])].tolist() == [50, 10]
    assert [x for x in a] == values and list(a + 1) == [x + 1 for x in values]
    with pytest.raises(IndexError):
        a[0, 1]


def test_assignment():
    a = w.zeros(6, 8)
    a[1] = 255
    a[2:4] = [1, 2]
    a[[4, 5]] = 9
    assert a.tolist() == [0, 255, 1, 2, 9, 9]
    for wrong in (256, -1):
        with pytest.raises(OverflowError):
            a[0] = wrong
        with pytest.raises(OverflowError):
            a[:] = [wrong] * 6
    with pytest.raises(ValueError):
        a[:] = [1, 2]
    a[:] = a + 1  # keeps the low bits
    assert a.tolist() == [1, 0, 2, 3, 10, 10]
    a[a == 10] = 7
    a[::2] = w.array([1, 2, 3]) * 100
    assert a.tolist() == [100, 0, 200, 3, 44, 7]
    view = a[2:4]
    view[:] = 5
    a[::-1][:2] = [8, 9]
    assert a.tolist() == [100, 0, 5, 5, 9, 8]
    a[:] = w.array([1, 2, 3, 4, 5, 6]) * 2  # into a's memory
    a[1:] = a[:-1]
    assert a.tolist() == [2, 2, 4, 6, 8, 10]
    other = w.from_limbs(a.limbs, 8, copy=False)  # the same memory, which a does not know
    a[1:] = other[:-1] & 255
    assert a.tolist() == [2, 2, 2, 4, 6, 8]
    a[:] = w.array([3])
    assert a.tolist() == [3] * 6
    s = w.zeros(2, 8, signed=True)
    s[:] = w.array([200, -200])
    assert s.tolist() == [-56, 56]
    s[:] = w.array([200, -200]) + 0
    assert s.tolist() == [-56, 56]


def test_formulas_mean_what_was_there():
    a = w.array([1, 2, 3], 64)
    address = a.limbs.ctypes.data
    f = a * 10
    g = f + a
    a[0] = 100
    assert (f.tolist(), g.tolist()) == ([10, 20, 30], [11, 22, 33])
    h = a + 0
    a[1:][0] = 50  # through a view
    assert h.tolist() == [100, 2, 3]
    value = h.eval()
    value[0] = 5  # the formula keeps its own
    assert h.tolist() == [100, 2, 3] and value.tolist() == [5, 2, 3]
    k = w.array([7]) + h
    h.eval()[:] = 0
    assert k.tolist() == [107, 9, 10]
    a[:] = w.array([1, 1, 1]) + 1
    assert a.limbs.ctypes.data == address
    b = a
    b += 1  # a new formula
    assert a.tolist() == [2, 2, 2] and b.tolist() == [3, 3, 3]
    x = w.array([3], 64)
    for _ in range(300):  # no deeper than may be
        x = (x * x + 1) % 1000003
    y = 3
    for _ in range(300):
        y = (y * y + 1) % 1000003
    assert x.tolist() == [y]
    z = w.array([1])
    for _ in range(70):
        z = z + z  # a formula of 2^70 paths
    assert z.tolist() == [1 << 70]


def test_widths_of_results():
    a, b = w.array([3], 100), w.array([-3], 7, True)
    assert ((a + a).bits, (a - a).signed, (a * b).bits, (a % 7).bits, (a << 9).bits, (a >> 9).bits) == (101, True, 107, 3, 109, 91)
    assert (a * b).eval(5, False).tolist() == [-9 % 32] and (a * b).eval(signed=False).bits == 107
    assert (a + 0).shape == (1,) and a.nbytes == 16 and int(a) == 3 and bool(a)
    with pytest.raises(ValueError):
        bool(w.array([1, 2]) == w.array([1, 2]))


def test_faults():
    a, b = w.array([7, 8, 9, 10]), w.array([2, 0, 3, 0])
    q = (a // b).eval()
    assert q.faults.tolist() == [False, True, False, True] and q[0] == 3 and q.limbs[1, 0] == 0
    for read in (q.tolist, q.to_strings, q.tobytes, q.sum, q.sort, q.max, lambda: q[1], lambda: list(q), q.check, (q + 1).tolist, (q == 0).eval):
        with pytest.raises(ZeroDivisionError) as raised:
            read()
        assert (raised.value.count, raised.value.first) == (2, 1) and "2 of 4" in str(raised.value)
        assert isinstance(raised.value, w.FaultError)
    with pytest.raises(ValueError) as raised:
        w.invert(w.array([1, 2, 3]), 4).tolist()
    assert (raised.value.count, raised.value.first) == (1, 1)
    assert w.where(b == 0, 0, a // b).tolist() == [3, 0, 3, 0]
    assert "no value" in repr(q) and pickle.loads(pickle.dumps(q)).faults.tolist() == q.faults.tolist()
    assert pickle.loads(pickle.dumps(raised.value)).count == 1
    assert w.concatenate([q, a]).faults.tolist() == q.faults.tolist() + [False] * 4
    assert w.array(q).faults.tolist() == q.faults.tolist() == q.copy().faults.tolist() == q.eval(8).faults.tolist()
    out = w.zeros(4, 32)
    out[:] = a // b
    assert out.faults.tolist() == q.faults.tolist()
    out[1:3] = 6  # ends one
    assert out.faults.tolist() == [False, False, False, True]
    out[3:][0] = 1  # through a view
    assert out.tolist() == [3, 6, 6, 1]
    out[::2] = q[1:3]
    assert out.faults.tolist() == [True, False, False, False]


def test_copies_pickles_texts():
    a = w.array([1 << 90, -1, 5], 100, True)
    for b in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a), a.copy()):
        assert b.tolist() == a.tolist() and (b.bits, b.signed) == (100, True) and not np.shares_memory(a.limbs, b.limbs)
    assert repr(w.array([1, -2], 8, True)) == "array([1, -2], bits=8, signed=True)"
    assert repr(w.arange(100, bits=8) + 1) == "array([1, 2, 3, ..., 98, 99, 100], bits=9)"
    assert re.fullmatch(r"array\(\[0x1000000000*\.\.\.0{8}\], bits=1024\)", repr(w.array([1 << 900], 1024)))
    assert repr(a == 5) == repr(np.array([False, False, True]))
    assert w.array_equal(w.array([1, 2], 8), w.array([1, 2], 99, True)) and not w.array_equal(a, a[:2])


def test_the_engine_is_that_of_this_cpu():
    """Of wheels too, whatever compiled them."""
    if os.environ.get("WARPINT_CPU_ENGINES"):
        pytest.skip("WARPINT_CPU_ENGINES chooses")
    try:
        flags = next(line for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines() if line.startswith("flags")).split()
    except (OSError, StopIteration):
        pytest.skip("no flags in /proc/cpuinfo")
    has_ifma = {"avx512f", "avx512dq", "avx512ifma", "avx512_vbmi2"} <= set(flags)
    assert w.engine() == ("avx512_ifma" if has_ifma else "scalar")


def test_explain():
    a, b = w.random(1000, 200, seed=1), w.random(1000, 200, seed=2)
    text = ((a * b + 7) % (b | 1)).explain()
    assert "1000 elements" in text and "muladdmod" in text and f"class of {min(x for x in w.widths() if x >= 200)} bits" in text
    assert "one for all" in text and w.engine() in text
    assert "mul of" in w.explain(a * b) and "stored" in w.explain(a)


def test_selftest(monkeypatch, capsys):
    from warpint import selftest

    monkeypatch.setattr(sys, "argv", ["selftest", "--elements", "40"])
    assert selftest.main() == 0 and "none wrong" in capsys.readouterr().out
    monkeypatch.setattr(selftest, "FUNCTIONS", {"abs": (abs, lambda x: x, 1)})
    assert selftest.main() == 1 and "abs of 64 bits, signed" in capsys.readouterr().out
