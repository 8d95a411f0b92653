# SPDX-License-Identifier: Apache-2.0
"""Where arrays come from."""

import operator

import numpy as np

from . import _core, _device, _rules, _wide
from ._formula import Formula, array, check_device, checked_width, evaluate, integers, limb_count, name_of, width_of


def _whole_limbs(bits):
    return 32 * limb_count(bits)


def _given(own, bits, signed):
    return checked_width(own[0] if bits is None else bits, own[1] if signed is None else signed)


def _exactly(a, width, what="element"):
    """a in this width; OverflowError if a number does not fit."""
    if width == width_of(a):
        return a
    result = evaluate(a, width)
    bad = np.flatnonzero((result != a).eval())
    if len(bad):
        raise OverflowError(f"{what} {bad[0]} does not fit {name_of(*width)}")
    return result


def from_any(data, bits, signed, device=None):
    if isinstance(data, Formula):
        width = _given(width_of(data), bits, signed)
        a = evaluate(data, width_of(data)) if data._value is None else data._value.copy()
        device = device or a.device
        if (a.device, device) != ("cpu", "cpu"):
            return _exactly(a.to(device), width)
        result = _exactly(a, width)
        result._faults[:] = a._faults
        return result
    if not isinstance(data, (np.ndarray, list, tuple, str, bytes, bytearray, memoryview)) and _device.is_on_gpu(data):
        a = from_limbs(data, bits, bool(signed))
        return a.to(device or a.device)
    return _from_host(data, bits, signed).to(device or "cpu")


def _from_host(data, bits, signed):
    if isinstance(data, (str, bytes, bytearray, memoryview)):
        raise TypeError("one text or bytes object is no list of numbers: array([text]), or from_bytes(data, bits)")
    if not isinstance(data, (np.ndarray, list, tuple)) and hasattr(data, "__dlpack__"):
        data = np.from_dlpack(data)
    if isinstance(data, np.ndarray) and data.dtype.kind not in "OSU":
        return _from_numpy(data, bits, signed)
    if isinstance(data, np.ndarray) and data.ndim != 1:
        raise ValueError("arrays have one dimension")
    values = data.tolist() if isinstance(data, np.ndarray) else list(data)
    kinds = set(map(type, values))
    if any(issubclass(kind, str) for kind in kinds):
        if all(issubclass(kind, str) for kind in kinds):
            return parse(values, bits, signed=signed, base=0)
        raise TypeError("texts and numbers in one list")
    if not kinds <= {int}:
        values = list(map(_integer, values))
    if bits is None or signed is None:
        least, most = (min(values), max(values)) if values else (0, 0)
        signed = least < 0 if signed is None else bool(signed)
        if bits is None:
            own = _rules.common(_rules.of_integer(least), _rules.of_integer(most))
            bits = _whole_limbs(own[0] + (signed and not own[1]))
    return integers(values, *checked_width(bits, signed))


def _integer(x):
    if isinstance(x, (bytes, bytearray)):
        return int.from_bytes(x, "big")
    return int(x) if isinstance(x, np.bool_) else operator.index(x)


def _from_numpy(data, bits, signed):
    if data.ndim == 2 and data.dtype == np.uint32:
        return from_limbs(data, bits, bool(signed))
    if data.dtype.kind not in "iub":
        raise TypeError(f"an array of {data.dtype} has no integers")
    if data.ndim != 1:
        raise ValueError("arrays have one dimension; limbs are an array (n, limbs) of uint32")
    own = 1 if data.dtype.kind == "b" else 8 * data.dtype.itemsize, data.dtype.kind == "i"
    wide = np.ascontiguousarray(data, np.int64 if own[1] else np.uint64).astype("<i8" if own[1] else "<u8")
    a = evaluate(array._of(wide.view(np.uint32).reshape(-1, 2), 64, own[1]), own)
    return _exactly(a, _given(own, bits, signed))


def from_limbs(limbs, bits=None, signed=False, copy=True):
    """Rows of 32-bit limbs, least significant first, as an array.

    limbs   an array (n, limbs) of uint32 (or int32, for libraries without uint32): NumPy's, or what has DLPack or,
            on a GPU, CUDA's array interface; the array is where they are
    bits    ceil(bits / 32) is the number of limbs. Not given: whole limbs
    copy    False: the array shares the memory, which must be in rows without gaps

    ValueError if the unused bits of a last limb are not zero, or copies of the sign."""
    if _device.is_on_gpu(limbs):
        from . import _gpu

        rows = _device.rows_of(limbs, not copy)
        return _gpu.from_rows(rows, _limbs_width(rows, bits, signed), copy)
    if not isinstance(limbs, np.ndarray):
        limbs = np.from_dlpack(limbs)
    if limbs.dtype == np.int32:
        limbs = limbs.view(np.uint32)
    if limbs.dtype != np.uint32 or limbs.ndim != 2 or limbs.shape[1] == 0:
        raise ValueError("limbs are an array (n, limbs) of uint32")
    width = _limbs_width(limbs, bits, signed)
    result = array._of(limbs.copy() if copy else limbs, *width)
    unused = -width[0] % 32
    top = result._limbs[:, -1]
    kept = top << np.uint32(unused)
    kept = (kept.view(np.int32) >> unused).view(np.uint32) if width[1] else kept >> np.uint32(unused)
    bad = np.flatnonzero(kept != top)
    if len(bad):
        raise ValueError(f"element {bad[0]} has bits beyond {name_of(*width)}")
    return result


def _limbs_width(limbs, bits, signed):
    width = checked_width(32 * limbs.shape[1] if bits is None else bits, signed)
    if limbs.shape[1] != limb_count(width[0]):
        raise ValueError(f"{width[0]} bits are {limb_count(width[0])} limbs, not {limbs.shape[1]}")
    return width


def from_bytes(data, bits, signed=False, byteorder="big", size=None):
    """Numbers of `size` bytes each (not given: ceil(bits / 8)), one after another, as int.from_bytes reads one."""
    bits, signed = checked_width(bits, signed)
    size = (bits + 7) // 8 if size is None else operator.index(size)
    if byteorder not in ("big", "little"):
        raise ValueError("byteorder is 'big' or 'little'")
    raw = np.frombuffer(data, np.uint8)
    if size < 1 or len(raw) % size:
        raise ValueError(f"{len(raw)} bytes are not whole numbers of {size} bytes")
    rows = raw.reshape(-1, size)
    rows = rows[:, ::-1] if byteorder == "big" else rows
    padded = np.zeros((len(rows), 4 * ((size + 3) // 4)), np.uint8)
    padded[:, :size] = rows
    if signed:
        padded[:, size:] = np.where(rows[:, -1:] >= 128, 255, 0)
    a = array._of(padded.view(np.uint32), 8 * padded.shape[1], signed)
    return _exactly(a, (bits, signed))


def parse(texts, bits=None, base=10, signed=None):
    """Texts in a base of 2 to 36, each with an optional sign. base=0: decimal, or by the prefixes 0x, 0o and 0b.

    ValueError with the index of the first that is no number; OverflowError if one does not fit."""
    texts = list(texts)
    if base != 0 and not 2 <= base <= 36:
        raise ValueError("a base is 2 to 36, or 0")
    if base == 0:
        if not any(t.lstrip("+-")[:1] == "0" and len(t.lstrip("+-")) > 1 for t in texts):
            return parse(texts, bits, 10, signed)
        values = []
        for i, t in enumerate(texts):
            head = t.lstrip("+-")[:2].lower()
            of = {"0x": 16, "0o": 8, "0b": 2}.get(head, 10)
            values.append(_value_of(t.replace(t.lstrip("+-")[:2], "", 1) if of != 10 else t, of, i))
        return from_any(values, bits, signed)
    if signed is None:
        signed = any(t.startswith("-") for t in texts)
    if bits is None:
        longest = max((len(t) for t in texts), default=1)
        bits = int(longest * np.log2(base)) + 2
        if bits <= _core.widths()[-1]:  # as wide as the longest value needs
            a = parse(texts, bits, base, signed)
            most = max(((abs(a)).max().bit_length() if len(a) else 1), 1)
            return evaluate(a, (_whole_limbs(most + signed), signed))
        return from_any([_value_of(t, base, i) for i, t in enumerate(texts)], None, signed)
    bits, signed = checked_width(bits, signed)
    if bits > _core.widths()[-1]:
        return integers([_value_of(t, base, i) for i, t in enumerate(texts)], bits, signed)
    limbs = np.empty((len(texts), limb_count(bits)), np.uint32)
    bad = _core.from_text(texts, limbs, bits, signed, base)
    if bad >= 0:
        value = _value_of(texts[bad], base, bad)
        integers([value], bits, signed)  # says that it does not fit
    return array._of(limbs, bits, signed)


def _value_of(text, base, i):
    try:
        return _wide.integer(text, base)
    except ValueError:
        raise ValueError(f"text {i} is no number in base {base}: {text[:40]!r}") from None


def zeros(n, bits, signed=False, device=None):
    """n zeros of a width."""
    device = check_device(device)
    bits, signed = checked_width(bits, signed)
    return array._of(np.zeros((n, limb_count(bits)), np.uint32), bits, signed).to(device)


def full(n, value, bits=None, signed=None, device=None):
    """n times one integer."""
    device = check_device(device)
    one = array([value], bits, signed)
    return array._of(np.repeat(one._limbs, n, axis=0), one.bits, one.signed).to(device)


def arange(start, stop=None, step=1, bits=None, signed=None, device=None):
    """The integers of range(start, stop, step), of any size; not given, bits are whole limbs for the largest."""
    device = check_device(device)
    values = range(start) if stop is None else range(start, stop, step)
    ends = [values[0], values[-1]] if len(values) else [0]
    width = width_of(array(ends, bits, signed))
    if bits is not None:
        array(ends, bits, signed)
    index = _from_numpy(np.arange(len(values), dtype=np.uint64), None, None)
    return evaluate(index * values.step + values.start, width).to(device)


def random(n, bits=None, below=None, seed=None, device=None):
    """n uniform random numbers: of `bits` bits, or below an integer (with a bias below 2^-64), by NumPy's generator. Not for
    secrets: `array([secrets.randbelow(m) for ...])`. seed: an integer, or a generator of NumPy; the same gives the same."""
    device = check_device(device)
    if (bits is None) == (below is None):
        raise TypeError("either bits or below")
    if below is not None:
        below = operator.index(below)
        if below < 1:
            raise ValueError(f"no number is below {below}")
        wide = random(n, below.bit_length() + 64, seed=seed)
        return evaluate(wide % below, (max((below - 1).bit_length(), 1), False)).to(device)
    bits, _ = checked_width(bits, False)
    limbs = np.random.default_rng(seed).integers(0, 1 << 32, (n, limb_count(bits)), np.uint32)
    limbs[:, -1] >>= np.uint32(-bits % 32)
    return array._of(limbs, bits, False).to(device)
