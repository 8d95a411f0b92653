# SPDX-License-Identifier: Apache-2.0
"""Arrays and formulas. A formula means the values that its arrays have when it is written."""

import math
import operator
import weakref

import numpy as np

from . import _core, _rules, _wide

OPERATIONS = _core.operations()
NO_VALUE, DIVIDED_BY_ZERO = 1, 2
_MAX_DEPTH = 24  # a deeper formula is computed on the way: loops may build them


class FaultError(ArithmeticError):
    """Elements without a value were read: `count` of them, the first at index `first`.

    What is raised is also a ZeroDivisionError if the first one divides by zero, otherwise a ValueError."""

    def __init__(self, message, count, first):
        super().__init__(message)
        self.count, self.first = count, first

    def __reduce__(self):
        return type(self), (*self.args, self.count, self.first)


class DivisionByZeroFault(FaultError, ZeroDivisionError):
    pass


class NoValueFault(FaultError, ValueError):
    pass


class UnknownFault(FaultError, ZeroDivisionError, ValueError):
    """Of a result that a GPU computed, which does not say of which kind it is."""


def raise_fault(faults):
    bad = np.flatnonzero(faults)
    first = int(bad[0])
    what, kind = {
        DIVIDED_BY_ZERO: ("a division by zero", DivisionByZeroFault),
        NO_VALUE: ("no inverse, no root, a modulus of 0, or another operand without a result", NoValueFault),
    }.get(int(faults[first]), ("a division by zero, or an operand without a result", UnknownFault))
    raise kind(f"{len(bad)} of {len(faults)} elements have no value, the first is element {first}: {what}", len(bad), first)


def limb_count(bits):
    return (bits + 31) // 32


def width_of(x):
    return x.bits, x.signed


def checked_width(bits, signed):
    bits = operator.index(bits)
    if not 1 <= bits <= _rules.MAX_BITS:
        raise ValueError(f"a width is 1 to {_rules.MAX_BITS} bits, not {bits}")
    return bits, bool(signed)


def name_of(bits, signed):
    return f"{'signed ' if signed else ''}{bits} bits"


class Formula:
    """A big integer for each index. Nothing is computed until it is stored, read or printed."""

    __slots__ = ("operation", "operands", "k", "bits", "signed", "size", "is_bool", "depth", "device", "_value", "__weakref__")
    __hash__ = None  # type: ignore[assignment]
    ndim = 1

    def __init__(self, operation, operands, width, k=0, is_bool=False):
        for x in operands:
            if x.depth >= _MAX_DEPTH:
                x._array()
        if width[0] > _rules.MAX_BITS:
            raise OverflowError(f"the result would have {width[0]} bits; the limit is {_rules.MAX_BITS}")
        self.operation, self.operands, self.k, self.is_bool = operation, operands, k, is_bool
        self.bits, self.signed = width
        self.size = _joined_size(operands)
        self.device = _joined_device(operands)
        self.depth = 1 + max(x.depth for x in operands)
        self._value = None
        for x in operands:
            if x._value is not None:
                x._value._note(self)

    # ---- computing

    def _array(self):
        """The values as an array, computed once."""
        if self._value is None:
            self._value = evaluate(self, width_of(self))
            self.operands, self.depth = (), 0  # what it was made of may go
            self._value._note(self)
        return self._value

    def _host(self):
        """The values as an array on the CPU."""
        a = self._array()
        if a.device == "cpu":
            return a
        from . import _gpu

        return _gpu.download(a)

    def eval(self, bits=None, signed=None):
        """The values as an array: exact, or their low bits if a width is given. Of a comparison, a NumPy array of bools."""
        if self.is_bool and bits is None and signed is None:
            return self._host().check().limbs[:, 0] != 0
        bits, signed = checked_width(self.bits if bits is None else bits, self.signed if signed is None else signed)
        if (bits, signed) == width_of(self):
            return self._array()
        return evaluate(self, (bits, signed))

    def explain(self):
        """How it will be computed: a text."""
        return explain(self)

    def to(self, device):
        """The values as an array there: on "cpu", or on a GPU as "cuda:0". The array itself, if it is there."""
        device = check_device(device)
        a = self._array()
        if a.device == device:
            return a
        from . import _gpu

        return _gpu.move(a, device)

    # ---- reading

    @property
    def shape(self):
        return () if self.size is None else (self.size,)

    def tolist(self):
        if self.is_bool:
            return self.eval().tolist()
        return self._array().tolist()

    def to_numpy(self):
        """A NumPy array of Python's integers (dtype object); of a comparison, of bools."""
        if self.is_bool:
            return self.eval()
        values = np.empty(1 if self.size is None else self.size, object)
        values[:] = self.tolist()
        return values

    def __array__(self, dtype=None, copy=None):
        values = self.to_numpy()
        return values if dtype is None else values.astype(dtype, copy=False)

    def __len__(self):
        if self.size is None:
            raise TypeError("a number has no length")
        return self.size

    def __iter__(self):
        len(self)
        return iter(self.tolist())

    def __contains__(self, x):
        return (self == x).any()

    def __getitem__(self, index):
        return self._array()[index]

    def __repr__(self):
        return repr(self.eval())

    def __bool__(self):
        if self.size in (None, 1):
            return self._array().element(0) != 0
        raise ValueError("the truth value of several numbers is ambiguous: write .any() or .all()")

    def __int__(self):
        if self.size in (None, 1):
            return self._array().element(0)
        raise TypeError("only one number can be an int: write .tolist()")

    @property
    def faults(self):
        """Which elements have no value: a NumPy array of bools."""
        return self._array().kinds_of_faults() != 0

    # ---- operators, in Python's meaning

    def __add__(self, other):
        return binary("add", _rules.add, self, other)

    def __radd__(self, other):
        return binary("add", _rules.add, other, self)

    def __sub__(self, other):
        return binary("sub", _rules.subtract, self, other)

    def __rsub__(self, other):
        return binary("sub", _rules.subtract, other, self)

    def __mul__(self, other):
        return binary("mul", _rules.multiply, self, other)

    def __rmul__(self, other):
        return binary("mul", _rules.multiply, other, self)

    def __floordiv__(self, other):
        return binary("floordiv", _rules.floor_divide, self, other)

    def __rfloordiv__(self, other):
        return binary("floordiv", _rules.floor_divide, other, self)

    def __mod__(self, other):
        return binary("mod", _rules.remainder, self, other)

    def __rmod__(self, other):
        return binary("mod", _rules.remainder, other, self)

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __truediv__(self, other):
        raise TypeError("/ would give floating-point numbers: write // for the quotient, rounded down")

    __rtruediv__ = __truediv__

    def __pow__(self, e, m=None):
        if m is not None:
            return powmod(self, e, m)
        try:
            e = operator.index(e)
        except TypeError:
            raise TypeError("without a modulus the exponent is one int; pow(a, e, m) takes arrays") from None
        if e < 0:
            raise ValueError("a negative power is no integer; pow(a, e, m) takes negative exponents")
        if e == 0:
            return binary("eq", lambda a, b: (1, False), self, self)
        if self.bits * e > _rules.MAX_BITS:
            raise OverflowError(f"a power by {e} may have {self.bits * e} bits; the limit is {_rules.MAX_BITS}")
        result, square = None, self
        while True:
            if e & 1:
                result = square if result is None else (result * square).eval()
            e >>= 1
            if e == 0:
                return result
            square = (square * square).eval()

    def __rpow__(self, base, m=None):
        if m is None:
            raise TypeError("the width of this power is not known: write powmod(b, a, m)")
        return powmod(base, self, m)

    def __neg__(self):
        return Formula("neg", (self,), _rules.negate(width_of(self)))

    def __pos__(self):
        return self

    def __abs__(self):
        return Formula("absolute", (self,), _rules.absolute(width_of(self))) if self.signed else self

    def __invert__(self):
        if self.is_bool:
            return compare("eq", self, 0)
        return Formula("invert", (self,), _rules.invert(width_of(self)))

    def __and__(self, other):
        return bitwise("bit_and", _rules.bit_and, self, other)

    def __or__(self, other):
        return bitwise("bit_or", _rules.common, self, other)

    def __xor__(self, other):
        return bitwise("bit_xor", _rules.common, self, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __lshift__(self, k):
        return shift("shl", self, k)

    def __rlshift__(self, other):
        return shift("shl", other, self)

    def __rshift__(self, k):
        return shift("shr", self, k)

    def __rrshift__(self, other):
        return shift("shr", other, self)

    def __lt__(self, other):
        return compare("lt", self, other)

    def __le__(self, other):
        return compare("le", self, other)

    def __gt__(self, other):
        return compare("lt", self, other, swaps=True)

    def __ge__(self, other):
        return compare("le", self, other, swaps=True)

    def __eq__(self, other):
        return compare("eq", self, other)

    def __ne__(self, other):
        return compare("ne", self, other)

    def bit_length(self):
        return Formula("bit_length", (self,), _rules.counts(width_of(self)))

    def bit_count(self):
        return Formula("bit_count", (self,), _rules.counts(width_of(self)))

    # ---- reductions

    def sum(self, axis=None, out=None):
        """The exact sum, an int."""
        check_reduction(axis, out)
        a = self._array().check()
        if not len(a):
            return 0
        return sum(c << 32 * j for j, c in enumerate(column_sums(a)))

    def prod(self, m=None, axis=None, out=None):
        """The product, an int: exact, or modulo m."""
        check_reduction(axis, out)
        if m is None:
            values = self.tolist()
            while len(values) > 1:  # pairs, so that factors stay of about one length
                values = [math.prod(values[i : i + 2]) for i in range(0, len(values), 2)]
            return int(values[0]) if values else 1
        rest = 1 % m
        a = (self % m)._array()
        if a.device != "cpu":
            from . import _gpu

            a = _gpu.shortened(a.check(), lambda x, y: x * y % m)
        while len(a) > 1:
            half = len(a) // 2
            if len(a) % 2:
                rest = rest * a[-1] % m
            a = (a[:half] * a[half : 2 * half] % m).eval()
        return a[0] * rest % m if len(a) else rest

    def _extreme(self, of, wants_index):
        """The least or the greatest, of: np.min, np.max; or the index of the first such."""
        a = self._array().check()
        if not len(a):
            raise ValueError("no elements")
        if a.device == "cpu":
            i = _index_of_extreme(a, of)
            return i if wants_index else a[i]
        from . import _functions, _gpu

        few = _gpu.shortened(a, _functions.minimum if of is np.min else _functions.maximum)
        i = _index_of_extreme(few, of)
        if not wants_index:
            return few[i]
        return i if len(few) == len(a) else int(np.argmax((a == few[i]).eval()))

    def argmin(self, axis=None, out=None):
        check_reduction(axis, out)
        return self._extreme(np.min, wants_index=True)

    def argmax(self, axis=None, out=None):
        check_reduction(axis, out)
        return self._extreme(np.max, wants_index=True)

    def min(self, axis=None, out=None):
        """The least, an int."""
        check_reduction(axis, out)
        return self._extreme(np.min, wants_index=False)

    def max(self, axis=None, out=None):
        """The greatest, an int."""
        check_reduction(axis, out)
        return self._extreme(np.max, wants_index=False)

    def argsort(self):
        """The order of the elements, as NumPy's: stable."""
        a = self._host().check()
        keys = [a.limbs[:, j] for j in range(a.limbs.shape[1])]
        if a.signed:
            keys[-1] = np.ascontiguousarray(keys[-1]).view(np.int32)
        return np.lexsort(keys)

    def sort(self):
        """The elements in order: a new array (of an array too)."""
        a = self._host()
        return a[a.argsort()].to(self.device)

    def unique(self):
        """The different elements, in order."""
        a = self._host().sort()
        if len(a) > 1:
            a = a[np.concatenate(([True], (a.limbs[1:] != a.limbs[:-1]).any(axis=1)))]
        return a.to(self.device)

    def any(self, axis=None, out=None):
        check_reduction(axis, out)
        return self.count_nonzero() > 0

    def all(self, axis=None, out=None):
        check_reduction(axis, out)
        return self.count_nonzero() == len(self)

    def count_nonzero(self):
        if self.device != "cpu":
            return (self if self.is_bool else self != 0).sum()
        return int(self._host().check().limbs.any(axis=1).sum())

    # ---- NumPy

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        f = UFUNCS.get(ufunc.__name__)
        if f is None or method != "__call__" or options:
            return NotImplemented
        # NumPy asks for the operation that its own operand begins: as one of ours it begins here.
        inputs = [x if isinstance(x, Formula) else operand(x) for x in inputs]
        return f(*inputs)

    def __array_function__(self, function, types, arguments, options):
        f = FUNCTIONS.get(function.__name__)
        return NotImplemented if f is None else f(*arguments, **options)


def _index_of_extreme(a, of):
    """Of an array on the CPU: the first."""
    left = np.arange(len(a))
    for j in reversed(range(a.limbs.shape[1])):
        column = a.limbs[left, j]
        if a.signed and j == a.limbs.shape[1] - 1:
            column = column.view(np.int32)
        left = left[column == of(column)]
        if len(left) == 1:
            break
    return int(left[0])


class array(Formula):
    """array(data, bits=None, signed=None, device=None): big integers of one width, in memory as rows of 32-bit limbs.

    data    integers, texts (decimal, or with a prefix as 0x), bytes (most significant first, as int.from_bytes); an
            array of NumPy, of integers or objects, or what has DLPack; an array (n, limbs) of uint32, which is copied;
            a formula
    bits    1 and more. Not given: whole limbs for the longest; of fixed-width integers, theirs
    signed  not given: if an element is negative, or the array's type is signed
    device  "cpu", or a GPU: "cuda", "cuda:1". Not given: where the data are

    An element that does not fit is an OverflowError, no integer a TypeError, a text that is none a ValueError."""

    __slots__ = ("_limbs", "_faults", "_users")

    def __init__(self, data, bits=None, signed=None, device=None):
        from . import _make

        made = _make.from_any(data, bits, signed, None if device is None else check_device(device))
        self._take(made._limbs, made.bits, made.signed, made._faults)

    @classmethod
    def _of(cls, limbs, bits, signed, faults=None, users=None, is_number=False):
        result = cls.__new__(cls)
        result._take(limbs, bits, signed, faults, users, is_number)
        return result

    def _take(self, limbs, bits, signed, faults=None, users=None, is_number=False):
        self.operation, self.operands, self.k, self.is_bool, self.depth = None, (), 0, False, 0
        self.bits, self.signed = bits, signed
        self.size = None if is_number else len(limbs)
        self._limbs = limbs
        self.device = "cpu" if isinstance(limbs, np.ndarray) else limbs.device
        # Of the CPU a byte for each element; of a GPU the memory of a bit for each, or None without any.
        self._faults = np.zeros(len(limbs), np.uint8) if faults is None and self.device == "cpu" else faults
        self._users = [] if users is None else users

    @property
    def _value(self):  # no attribute: a cycle would keep the memory until Python looks for cycles
        return self

    # Formulas that have not been computed are, before an array that they read changes; and a formula whose value
    # this array is, gets a copy.
    def _note(self, formula):
        users = self._users
        if len(users) > 64 and len(users) & (len(users) - 1) == 0:
            users[:] = [r for r in users if r() is not None and (r()._value is None or r()._value._users is users)]
        users.append(weakref.ref(formula))

    def _before_write(self):
        users, self._users[:] = list(self._users), []
        for user in users:
            user = user()
            if user is None:
                continue
            if user._value is None:
                user._array()
            elif user._value is not user and user._value._users is self._users:
                user._value = user._value.copy()

    def has_faults(self):
        """Whether an element has no value; on a GPU, whether one may have none."""
        return self._faults is not None and (self.device != "cpu" or bool(self._faults.any()))

    @property
    def limbs(self):
        """The memory, without a copy: a NumPy array (n, limbs) of uint32, least significant limb first; on a GPU what CuPy and
        torch take as one. Who writes there keeps the unused bits of the last limb zero, or copies of the sign, and
        computes formulas (eval) before."""
        return self._limbs

    @property
    def nbytes(self):
        return self._limbs.nbytes

    def check(self):
        """The array itself. FaultError if an element has no value."""
        if self.has_faults():
            if self.device != "cpu":
                from . import _gpu

                if not _gpu.has_marks(self):
                    return self
            faults = self.kinds_of_faults()
            if faults.any():
                raise_fault(faults)
        return self

    def kinds_of_faults(self):
        """Of each element, 0 for none: a NumPy array."""
        if self.device == "cpu":
            return self._faults
        from . import _gpu

        return _gpu.faults_of(self)

    def element(self, i):
        if self.device != "cpu":
            from . import _gpu

            row = _gpu.row(self, i)
            return row.element(0) if not row._faults[0] else raise_fault(self.kinds_of_faults())
        if self._faults[i]:
            raise_fault(self._faults)
        return _core.to_integers(np.ascontiguousarray(self._limbs[i]), self.bits, self.signed, 1)[0]

    def tolist(self):
        """Python's integers."""
        a = self._host().check()
        return _core.to_integers(np.ascontiguousarray(a._limbs), a.bits, a.signed, len(a._limbs))

    def to_strings(self, base=10):
        """Texts in base 2 to 36, without a prefix."""
        a = self._host().check()
        if not 2 <= base <= 36:
            raise ValueError("a base is 2 to 36")
        if self.bits > _core.widths()[-1]:
            return [_wide.text(x, base) for x in a.tolist()]
        return _core.to_text(np.ascontiguousarray(a._limbs), a.bits, a.signed, len(a._limbs), base)

    def tobytes(self, byteorder="big"):
        """ceil(bits / 8) bytes for each number, as int.to_bytes; from_bytes reads them."""
        a = self._host().check()
        if byteorder not in ("big", "little"):
            raise ValueError("byteorder is 'big' or 'little'")
        rows = np.ascontiguousarray(a._limbs).view(np.uint8)[:, : (self.bits + 7) // 8]
        return (rows if byteorder == "little" else rows[:, ::-1]).tobytes()

    def copy(self):
        if self.device != "cpu":
            from . import _gpu

            return _gpu.copy(self)
        return array._of(self._limbs.copy(), self.bits, self.signed, self._faults.copy())

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        a = self._host()  # of a GPU it comes back on the CPU
        return array._of, (np.ascontiguousarray(a._limbs), a.bits, a.signed, a._faults)

    def __dlpack__(self, **options):
        """The limbs, as an array (n, limbs) of uint32 where they are."""
        return self._limbs.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._limbs.__dlpack_device__()

    def __getitem__(self, index):
        if isinstance(index, (int, np.integer)) and not isinstance(index, (bool, np.bool_)):
            return self.element(range(len(self))[index])
        if self.device != "cpu":
            return self._host()[index].to(self.device)
        index = index_of(index)
        shares = isinstance(index, slice)
        return array._of(self._limbs[index], self.bits, self.signed, self._faults[index], self._users if shares else None)

    def __setitem__(self, index, value):
        """Integers that do not fit are an OverflowError; of a formula or another array the low bits are kept."""
        if self.device != "cpu":
            from . import _gpu

            return _gpu.assign(self, index, value)
        if isinstance(value, Formula) and value.device != "cpu":
            raise ValueError(f"a value on {value.device} for an array on the CPU: write x.to('cpu')")
        is_one = isinstance(index, (int, np.integer)) and not isinstance(index, (bool, np.bool_))
        index = range(len(self))[index] if is_one else index_of(index)
        if isinstance(value, Formula):
            whole = not is_one and isinstance(index, slice) and value.size is not None
            place = self._limbs[index] if whole else None
            if whole and value._value is None and len(place) == value.size and place.flags.c_contiguous and not reads(value, place):
                self._before_write()  # this may compute it
                if value._value is None:
                    evaluate(value, width_of(self), place, self._faults[index])
                    return
            new = value._array().eval(self.bits, self.signed)
        elif is_one or np.ndim(value) == 0 and not isinstance(value, (str, bytes)):
            new = integers([value], self.bits, self.signed)
        else:
            new = array(value, self.bits, self.signed)
        self._before_write()
        limbs, faults = new._limbs, new._faults
        if np.may_share_memory(limbs, self._limbs):
            limbs, faults = limbs.copy(), faults.copy()
        if is_one:
            if len(limbs) != 1:
                raise ValueError("several numbers for one element")
            limbs, faults = limbs[0], faults[0]
        self._limbs[index] = limbs
        self._faults[index] = faults

    def __repr__(self):
        if self.device != "cpu":
            return repr(self._host())[:-1] + f", device={self.device!r})"
        n = len(self._limbs)
        shown = range(n) if n <= 8 else [*range(3), None, *range(n - 3, n)]
        texts = ["..." if i is None else "no value" if self._faults[i] else short_text(self.element(i)) for i in shown]
        return f"array([{', '.join(texts)}], bits={self.bits}{', signed=True' if self.signed else ''})"


def short_text(x):
    if x.bit_length() <= 128:
        return str(x)
    text = hex(x)
    return text if len(text) <= 45 else f"{text[:14]}...{text[-8:]}"


def check_device(device):
    """Its name, "cpu" or "cuda:0". RuntimeError if that GPU cannot be used, ValueError if there is no such name."""
    name = "cpu" if device is None else str(device)
    if name == "cpu":
        return name
    name = "cuda:0" if name == "cuda" else name
    if not name.startswith("cuda:") or not name[5:].isdecimal():
        raise ValueError(f"no such device: {device!r}; there are 'cpu', 'cuda:0', 'cuda:1' ...")
    from . import _device

    name = f"cuda:{int(name[5:])}"
    _device.device(name)
    return name


def column_sums(a):
    """The sum of each column of limbs, of the highest as signed numbers if the array's are. Exact below 2^32 elements."""
    if a.device != "cpu":
        from . import _sums

        if _sums.suits(a):
            return _sums.columns(a)
    limbs = a._host().limbs
    top = limbs[:, -1]
    last = int((top.view(np.int32) if a.signed else top).sum(dtype=np.int64 if a.signed else np.uint64))
    return [*limbs[:, :-1].sum(axis=0, dtype=np.uint64).tolist(), last]


def check_reduction(axis, out):
    if axis not in (None, 0, -1) or out is not None:
        raise TypeError("arrays have one dimension, and a reduction gives one number")


def index_of(index):
    """What NumPy takes as an index."""
    if isinstance(index, array) or isinstance(index, Formula) and not index.is_bool:
        return np.array(index.tolist(), np.int64)
    if isinstance(index, Formula):
        return index.eval()
    if isinstance(index, tuple):
        raise IndexError("arrays have one dimension")
    return index if isinstance(index, slice) or index is Ellipsis else np.asarray(index) if len(index) else np.zeros(0, np.int64)


# ---- operands


def integers(values, bits, signed, is_number=False):
    """An array of a list of integers. OverflowError if one does not fit."""
    limbs = np.empty((len(values), limb_count(bits)), np.uint32)
    bad = _core.from_integers(values, limbs, bits, signed)
    if bad >= 0:
        raise OverflowError(f"element {bad} does not fit {name_of(bits, signed)}: {short_text(operator.index(values[bad]))}")
    return array._of(limbs, bits, signed, is_number=is_number)


def is_mask(x):
    """Whether an array of NumPy or a list is of truth values."""
    if isinstance(x, np.ndarray):
        return x.dtype == np.bool_
    return len(x) > 0 and all(isinstance(y, (bool, np.bool_)) for y in x)


def operand(x):
    """What may stand beside an array: a formula, an integer, a list or an array of integers. TypeError otherwise."""
    if isinstance(x, Formula):
        return x
    if isinstance(x, (list, tuple)) or isinstance(x, np.ndarray) and x.ndim > 0:
        return compare("ne", array(x), 0) if is_mask(x) else array(x)
    if isinstance(x, (bool, np.bool_)):
        return compare("ne", integers([int(x)], 1, False, is_number=True), 0)
    if isinstance(x, np.ndarray):
        return operand(x.item())
    x = operator.index(x)
    return integers([x], *_rules.of_integer(x), is_number=True)


def _joined_size(operands):
    sizes = {x.size for x in operands} - {None}
    if len(sizes) > 1:
        sizes.discard(1)
    if len(sizes) > 1:
        raise ValueError(f"arrays of different lengths: {' and '.join(map(str, sorted(sizes)))}")
    return sizes.pop() if sizes else None


def _joined_device(operands):
    """Where the arrays are; numbers may stand beside all."""
    devices = {x.device for x in operands if x.size is not None or x.device != "cpu"}
    if len(devices) > 1:
        raise ValueError(f"arrays on {' and '.join(sorted(devices))}: move one with a.to(device)")
    return devices.pop() if devices else "cpu"


def binary(operation, rule, a, b):
    try:
        a, b = operand(a), operand(b)
    except TypeError:
        return NotImplemented
    return Formula(operation, (a, b), rule(width_of(a), width_of(b)))


def bitwise(operation, rule, a, b):
    result = binary(operation, rule, a, b)
    if result is not NotImplemented:
        result.is_bool = result.operands[0].is_bool and result.operands[1].is_bool
    return result


def compare(operation, a, b, swaps=False):
    try:
        b = operand(b)
    except TypeError:
        return NotImplemented
    return Formula(operation, (b, a) if swaps else (a, b), (1, False), is_bool=True)


def shift(operation, a, k):
    try:
        a = operand(a)
        if not isinstance(k, Formula) and np.ndim(k) == 0:
            k = operator.index(k)
    except TypeError:
        return NotImplemented
    left = operation == "shl"
    if isinstance(k, int):
        if k < 0:
            raise ValueError("negative shift count")
        rule = _rules.shift_left if left else _rules.shift_right
        return Formula(operation, (a,), rule(width_of(a), k), k=min(k, _rules.MAX_BITS))
    k = operand(k)
    width = width_of(a)
    if left:
        counts = k._host()
        most = counts[~counts.faults].max() if not counts.faults.all() else 0
        width = _rules.shift_left(width, max(most, 0))
    return Formula(operation + "_by", (a, k), width)


def powmod(a, e, m):
    """pow(a, e, m) of each element, as Python's for every sign: a negative exponent inverts, and the result has the sign of
    m. No value: m = 0, or no inverse."""
    a, e, m = operand(a), operand(e), operand(m)
    return Formula("powmod", (a, e, m), width_of(m))


# ---- computing


def fused(f):
    """What computes f at once: (operation, operands)."""
    inner = f.operands[0]
    if f.operation != "mod" or inner._value is not None:
        return f.operation, f.operands
    m = f.operands[1]
    if inner.operation == "mul":
        return "mulmod", (*inner.operands, m)
    if inner.operation == "add":
        for product, c in (inner.operands, inner.operands[::-1]):
            if product.operation == "mul" and product._value is None:
                all_ = (*product.operands, c, m)
                # c has no more bits than the class for the others: more would take a wider one for all.
                if not any(x.signed for x in all_) and c.bits <= max(x.bits for x in (*product.operands, m)):
                    return "muladdmod", all_
    return f.operation, f.operands


class Plan:
    """A formula as the core takes it."""

    def __init__(self, f):
        self.count = 1 if f.size is None else f.size
        self.size = f.size
        self.inputs, self.steps, self.classes = [], [], []
        self._registers = {}
        self._uses = {}
        self._count_uses(f)
        self.result = self._register(f)

    def _count_uses(self, x):
        self._uses[id(x)] = self._uses.get(id(x), 0) + 1
        if self._uses[id(x)] == 1 and x._value is None:
            for o in x.operands:
                self._count_uses(o)

    def _register(self, x):
        found = self._registers.get(id(x))
        if found is None:
            found = self._registers[id(x)] = self._input(x) if self._is_input(x) else self._step(x)
        return found

    def _form(self, x):
        """The operation that computes x, and its operands: one for several where nothing else needs what is between."""
        return fused(x) if all(self._uses[id(o)] == 1 for o in x.operands) else (x.operation, x.operands)

    def _is_input(self, x):
        if x._value is None and x.size != self.size and (x.size is None or x.size == 1):
            x._array()  # one number for all: computed once
        if x._value is None and class_of(*self._form(x)) < 0:  # wider than every class of this build
            x._value = _wide.compute(x)
            x._value._note(x)
        return x._value is not None

    def _input(self, x):
        a = x._value
        shared = len(a._limbs) == 1 and self.count != 1
        limbs, faults = np.ascontiguousarray(a._limbs), np.ascontiguousarray(a._faults)
        self.inputs.append((limbs, a.bits, a.signed, faults, shared))
        return "input", len(self.inputs) - 1

    def _step(self, x):
        operation, operands = self._form(x)
        registers = [self._register(o) for o in operands]
        self.steps.append((OPERATIONS[operation], x.bits, x.signed, registers, x.k))
        self.classes.append((operation, class_of(operation, operands)))
        return "step", len(self.steps) - 1

    def add_cast(self, width):
        self.steps.append((OPERATIONS["cast"], *width, [self.result], 0))
        self.classes.append(("cast", 0))
        self.result = "step", len(self.steps) - 1

    def run(self, limbs, faults):
        n = len(self.inputs)
        index = {"input": 0, "step": n}
        steps = tuple(
            (operation, bits, signed, tuple(index[kind] + i for kind, i in registers), k)
            for operation, bits, signed, registers, k in self.steps
        )
        if self.count:
            _core.run(tuple(self.inputs), steps, limbs, faults, self.count)


def class_of(operation, operands):
    """The bits of the class of widths that it needs; 0: none; -1: it would need one that this build does not have."""
    return _core.class_bits(OPERATIONS[operation], tuple(o.bits for o in operands))


def evaluate(f, width, limbs=None, faults=None):
    """f in this width, into memory of the caller's if there is some."""
    if f.device != "cpu":
        from . import _gpu

        return _gpu.evaluate(f, width)
    plan = Plan(f)
    if plan.result[0] == "input" or plan.steps[-1][1:3] != width:
        plan.add_cast(width)
    if limbs is None:
        limbs = np.empty((plan.count, limb_count(width[0])), np.uint32)
        faults = np.empty(plan.count, np.uint8)
    own = np.empty(plan.count, np.uint8) if not faults.flags.c_contiguous else faults
    plan.run(limbs, own)
    if own is not faults:
        faults[:] = own
    return array._of(limbs, *width, faults, is_number=f.size is None)


def reads(f, memory):
    """Whether f reads this memory."""
    seen, rest = set(), [f]
    while rest:
        x = rest.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        if x._value is None:
            rest.extend(x.operands)
        elif np.may_share_memory(x._value._limbs, memory):
            return True
    return False


def explain(f):
    """How a formula will be computed: a line for each step of its one pass over the elements, with the class of widths that it
    needs. Steps without one cost a pass over the limbs; powers and products of enough elements are taken side by side by
    the CPU's engine, if it has one, in their own width."""
    f = operand(f)
    if f._value is not None:
        return f"stored: {len(f._value._limbs)} elements of {name_of(f.bits, f.signed)}" + (f" on {f.device}" if f.device != "cpu" else "")
    if f.device != "cpu":
        from . import _gpu

        return _gpu.explain(f)
    plan = Plan(f)
    names = {"input": "input ", "step": "step "}
    lines = [f"{plan.count} elements, {_core.threads()} threads, engine: {_core.engine()}"]
    for i, (limbs, bits, signed, _, shared) in enumerate(plan.inputs):
        lines.append(f"  input {i}: {name_of(bits, signed)}{', one for all' if shared else ''}")
    for i, ((_, bits, signed, registers, k), (operation, class_)) in enumerate(zip(plan.steps, plan.classes)):
        of = ", ".join(names[kind] + str(j) for kind, j in registers)
        by = f" {k}" if operation in ("shl", "shr", "iroot") else ""
        lines.append(f"  step {i}: {operation}{by} of {of}: {name_of(bits, signed)}" + (f", class of {class_} bits" if class_ else ""))
    return "\n".join(lines)


UFUNCS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "divmod": divmod,
    "negative": operator.neg,
    "positive": operator.pos,
    "absolute": abs,
    "invert": operator.invert,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "left_shift": operator.lshift,
    "right_shift": operator.rshift,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "logical_not": lambda a: compare("eq", a, 0),
    "bitwise_count": Formula.bit_count,
}  # _functions adds to both
FUNCTIONS = {
    "sum": Formula.sum,
    "prod": Formula.prod,
    "min": Formula.min,
    "max": Formula.max,
    "amin": Formula.min,
    "amax": Formula.max,
    "argmin": Formula.argmin,
    "argmax": Formula.argmax,
    "argsort": Formula.argsort,
    "sort": Formula.sort,
    "unique": Formula.unique,
    "any": Formula.any,
    "all": Formula.all,
    "count_nonzero": Formula.count_nonzero,
    "copy": lambda a: a.eval().copy(),
}
