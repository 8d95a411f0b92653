# SPDX-License-Identifier: Apache-2.0
"""Formulas on GPUs: the text of each over the library's headers, its kernel, its launch; and what else arrays there do."""

import numpy as np

from . import _formula, _powers
from ._device import Rows, device
from ._formula import Formula, array, limb_count, name_of, width_of
from ._program import CAPACITY, INCLUDES, MOST_PARAMETERS, Program

# Wider values are computed on the CPU: what NVRTC takes for a kernel grows with the width.
MAX_OPERAND_BITS, MAX_BITS = 16384, 32768
# The text of a kernel prepares such a modulus, which takes the longer to compile, the wider it is: of 2048 bits a power takes 15 s,
# not 7. In C++ pow(a, 65537, m) takes 0.93 of the time by it, a * b % m all of it.
MAX_PREPARED_BITS = 1024
MAX_SCHEDULED_BITS = 8192  # expression/prepare.h: an exponent's schedule takes nine times the memory of the exponent

# Faults here do not say which kind they are.
UNKNOWN = 3

_SIMPLE = {
    "add": "Add",
    "sub": "Subtract",
    "mul": "Multiply",
    "neg": "Negate",
    "bit_and": "And",
    "bit_or": "Or",
    "bit_xor": "Xor",
    "lt": "Less",
    "le": "LessEqual",
    "eq": "Equal",
    "ne": "NotEqual",
    "isqrt": "SquareRoot",
    "jacobi": "Jacobi",
    "is_prime": "IsProbablePrime",
    "sqrt_mod": "SquareRootModulo",
    "absolute": "Absolute",
    "where": "Choose",
    "muladdmod": "MultiplyAddModulo",
}
_OTHERS = {"floordiv", "mod", "mulmod", "powmod", "invmod", "gcd", "iroot", "shl", "shr", "shl_by", "shr_by", "invert", "bit_length", "bit_count", "cast"}
_MAY_FAULT = {"floordiv", "mod", "mulmod", "muladdmod", "powmod", "invmod", "isqrt", "iroot", "jacobi", "sqrt_mod", "shl_by", "shr_by"}


def type_of(bits, signed):
    return f"{'Signed' if signed else ''}BigInt<{bits}>"


def has_kernel(operation, operands, bits):
    return (operation in _SIMPLE or operation in _OTHERS) and bits <= MAX_BITS and all(o.bits <= MAX_OPERAND_BITS for o in operands)


def node(operation, *operands):
    return f"make_node(operation::{operation}{{}}, {', '.join(operands)})"


class Leaf:
    """An operand of a kernel: an array, a number for all elements, such a modulus or exponent, or a count."""

    def __init__(self, kind, type_, value, bits=0):
        self.kind, self.type, self.value, self.bits = kind, type_, value, bits

    def __str__(self):
        if self.kind == "Count":
            return "rtc::Count"
        return f"rtc::{self.kind}<{self.type}>"

    def fixed(self):
        """What of it is a part of the kernel's parameters: nothing of an array but its address."""
        if self.kind in ("Count", "Batch"):
            return self.value if self.kind == "Count" else None
        return self.value._host()._limbs.tobytes()


class Text:
    """A formula as text. What has no kernel, and what must be an array, is computed before, unless `only_says`.

    A power that has kernels of its own (_powers.py) is a formula by itself: its operands are arrays or numbers, and another
    formula reads it as an array."""

    def __init__(self, f, width, only_says=False):
        self.size, self.device = f.size, f.device
        self.only_says = only_says
        self.powers = None  # the widths of such a power's operands
        self._whole = f = _powers.with_base_below_modulus(f)
        self.leaves, self.names, self.before = [], [], []
        self._known, self._uses, self._keep, self._leaf_of = {}, {}, [], {}
        self._widths = set()
        self._chooses = False
        self._count_uses(f)
        self.body = self._of(f)
        self.result = "std::uint32_t" if f.is_bool and width == (1, False) else type_of(*width)

    def __str__(self):
        operands = ", ".join(f"const auto &a{i}" for i in range(len(self.leaves)))
        lines = []
        body = self.body
        for i, value in enumerate(self.names):
            lines.append(f"        const auto v{i} = {value};")
            lines.append(f"        const auto n{i} = rtc::name_of<{i}>(v{i});")
        for i in reversed(range(len(self.names))):
            body = f"rtc::with_name<{i}>(v{i}, {body})"
        lines.append(f"        return {body};")
        kinds = ", ".join(map(str, self.leaves))
        return "\n".join(
            [
                *(_powers.INCLUDES if self.powers else INCLUDES),
                "using namespace warpint;",
                "using namespace warpint::expression;",
                "struct Generated {",
                f"    static auto of({operands}) {{",
                *lines,
                "    }",
                "};",
                f"using Run = rtc::Program<Generated, {self.result}, {kinds}>;",
                "",
            ]
        )

    def _count_uses(self, x):
        self._uses[id(x)] = self._uses.get(id(x), 0) + 1
        if self._uses[id(x)] > 1:
            return
        if x._value is not None:
            if x.size is not None:
                self._widths.add(x.bits)
            return
        self._chooses = self._chooses or x.operation == "where"
        for o in x.operands:
            self._count_uses(o)
        if x.operation in ("powmod", "invmod"):  # for a sign its operands are read again
            for o in x.operands:
                if o._value is None and (o.signed or x.operands[1].signed):
                    self._uses[id(o)] += 1

    def _of(self, x):
        found = self._known.get(id(x))
        if found is None:
            found = self._known[id(x)] = self._value(x)
            self._keep.append(x)
        return found

    def _value(self, x):
        if x._value is not None:
            return self._leaf(x, x._value)
        if x.size != self.size:  # one number for all
            return self._computed(x, lambda: x._array())
        if _powers.has_own_kernels(x):
            if x is not self._whole:
                return self._computed(x, lambda: evaluate(x, width_of(x)))
            for o in x.operands:
                if o._value is None and o.size == self.size:
                    self._known[id(o)] = self._computed(o, lambda o=o: evaluate(o, width_of(o)))
            base, modulus = self._of(x.operands[0]), self._of(x.operands[2])
            values = base, self._exponent(x.operands[1], modulus), modulus
            self.powers = tuple(self._leaf_of[value].bits for value in values)
            return node("Power", *values)
        operation, operands = _formula.fused(x) if all(self._uses[id(o)] == 1 for o in x.operands) else (x.operation, x.operands)
        if not has_kernel(operation, operands, x.bits):
            return self._computed(x, lambda: on_host(x)._array().to(self.device))
        is_named = self._uses[id(x)] > 1
        if is_named and self._chooses and may_fault(x):  # a choice may forgive one use of it and not another
            return self._computed(x, lambda: evaluate(x, width_of(x)))
        text = self._tree(operation, operands, x)
        if not is_named:
            return text
        self.names.append(text)
        return f"n{len(self.names) - 1}"

    def _computed(self, x, compute):
        self.before.append(x)
        if self.only_says:
            return self._leaf(x, None)
        x._value = compute()
        x._value._note(x)
        return self._leaf(x, x._value)

    def _leaf(self, x, value):
        if self._is_number(x if value is None else value):
            bits = self._number_bits(x)
            return self._add(Leaf("Number", type_of(bits, x.signed), value, bits))
        return self._add(Leaf("Batch", type_of(x.bits, x.signed), value, x.bits))

    def _is_number(self, value):
        """One for all elements, whatever their number. (One that has no value goes as an array of such.)"""
        is_one = value.size is None or value.size == 1 and self.size not in (None, 1)
        return is_one and not (value._value is not None and value.has_faults())

    def _number_bits(self, x):
        """Its own width would be another kernel for 3 and 300: that of an array beside it, or whole limbs."""
        bits = [b for b in self._widths if b >= x.bits and limb_count(b) == limb_count(x.bits)]
        return min(bits) if bits and not x.signed else 32 * limb_count(x.bits)

    def _modulus(self, x):
        """As _of(), of what everything is taken modulo."""
        value = x._value
        if value is None or x.signed or x.bits > MAX_PREPARED_BITS or not self._is_number(value) or value.element(0) == 0:
            return self._of(x)
        key = "modulus", id(x)
        if key not in self._known:
            self._known[key] = self._add(Leaf("SharedModulus", self._number_bits(x), value, self._number_bits(x)))
        return self._known[key]

    def _exponent(self, x, modulus):
        """As _of(), of the exponent of a power modulo an operand: `modulus`, its name."""
        value = x._value
        if value is None or x.signed or self._number_bits(x) > MAX_SCHEDULED_BITS or not self._is_number(value) or modulus not in self._leaf_of:
            return self._of(x)
        bits = self._leaf_of[modulus].bits
        key = "exponent", id(x), bits
        if key not in self._known:
            self._known[key] = self._add(Leaf("SharedExponent", f"{self._number_bits(x)}, {bits}", value, self._number_bits(x)))
        return self._known[key]

    def _add(self, leaf):
        name = f"a{len(self.leaves)}"
        self.leaves.append(leaf)
        self._leaf_of[name] = leaf
        return name

    def _tree(self, operation, operands, x):
        signs = [o.signed for o in operands]
        takes_modulus = operation in ("mod", "mulmod", "muladdmod", "powmod") and not any(signs[1:] if operation == "powmod" else signs[-1:])
        of_last = self._modulus if takes_modulus else self._of
        if operation == "powmod" and not signs[1]:
            modulus = of_last(operands[2])
            values = [self._of(operands[0]), self._exponent(operands[1], modulus), modulus]
        else:
            values = [*map(self._of, operands[:-1]), of_last(operands[-1])]

        def absolute(i):
            return node("Absolute", values[i]) if signs[i] else values[i]

        if operation in _SIMPLE:
            return node(_SIMPLE[operation], *values)
        if operation == "cast":
            return node(f"Cast<{type_of(x.bits, x.signed)}>", *values)
        if operation == "floordiv":
            return node("FloorQuotient" if any(signs) else "Divide", *values)
        if operation == "mod":
            return node("FloorRemainder" if signs[1] else "Remainder", *values)
        if operation == "mulmod":
            if signs[2]:
                return node("FloorRemainder", node("Multiply", *values[:2]), values[2])
            return node("MultiplyModulo", *values)
        if operation == "invmod":
            inverse = node("Inverse", values[0], absolute(1))
            return node("FloorRemainder", inverse, values[1]) if signs[1] else inverse
        if operation == "powmod":
            base, modulus = values[0], absolute(2)
            if signs[1]:
                zero = self._add(Leaf("Count", "int", 0))
                base = node("Choose", node("Less", values[1], zero), node("Inverse", base, modulus), base)
            power = node("Power", base, absolute(1), modulus)
            return node("FloorRemainder", power, values[2]) if signs[2] else power
        if operation == "gcd":
            return node("Gcd", absolute(0), absolute(1))
        if operation == "iroot":
            return node("Root", values[0], self._add(Leaf("Count", "int", x.k)))
        if operation in ("shl", "shl_by"):
            values[0] = node(f"Cast<{type_of(x.bits, x.signed)}>", values[0])
        if operation in ("shl", "shr"):
            return node("ShiftLeft" if operation == "shl" else "ShiftRight", values[0], self._add(Leaf("Count", "int", x.k)))
        if operation in ("shl_by", "shr_by"):
            count = node("NotNegative", values[1]) if signs[1] else values[1]
            return node("ShiftLeft" if operation == "shl_by" else "ShiftRight", values[0], count)
        if operation == "invert":
            return node("Complement", values[0] if signs[0] else node(f"Cast<{type_of(x.bits, True)}>", values[0]))
        return node({"bit_length": "BitWidth", "bit_count": "Popcount"}[operation], absolute(0))


def parts_of(f):
    """Formulas and arrays, of which f is made."""
    seen, rest = {}, [f]
    while rest:
        x = rest.pop()
        if id(x) not in seen:
            seen[id(x)] = x
            if x._value is None:
                rest.extend(x.operands)
    return seen.values()


def may_fault(f):
    return any(x.operation in _MAY_FAULT if x._value is None else x._value.has_faults() for x in parts_of(f))


def on_host(x):
    """The same formula of arrays on the CPU."""
    copies = {}

    def copy(x):
        if id(x) not in copies:
            if x._value is not None:
                copies[id(x)] = x._value._host() if x.size is not None else x._value
            else:
                copies[id(x)] = Formula(x.operation, tuple(map(copy, x.operands)), width_of(x), x.k, x.is_bool)
        return copies[id(x)]

    return copy(x)


# ---- programs


def program_of(text, place):
    with place.lock:
        found = place.programs.get(str(text))
        if found is None:
            found = place.programs[str(text)] = (_powers.Powers if text.powers else Program)(text, place)
        return found


def prepared(f, width):
    """(program, leaves) of a formula; its operands are arrays on the GPU, or numbers."""
    text = Text(f, width)
    if sum(2 if leaf.kind == "Batch" else 1 for leaf in text.leaves) > CAPACITY - 2:
        raise OverflowError("a formula of more than 47 arrays: write g.eval() for a part of it first")
    if sum({"Number": 1, "SharedExponent": 9}.get(leaf.kind, 0) * limb_count(leaf.bits) * 4 for leaf in text.leaves) > MOST_PARAMETERS // 2:
        raise OverflowError("a formula of too many wide numbers: write g.eval() for a part of it first, or put them into arrays")
    count = 1 if f.size is None else f.size
    for leaf in text.leaves:
        if leaf.kind == "Batch":
            leaf.value = broadcast(leaf.value, count, f.device)
    return program_of(text, device(f.device)), text.leaves


def broadcast(a, count, place):
    """The array there, with so many elements."""
    if len(a._limbs) != count:
        a = a._host()
        a = array._of(np.repeat(a._limbs, count, axis=0), a.bits, a.signed, np.repeat(a._faults, count))
    return move(a, place)


def evaluate(f, width, into=None):
    """f in this width, in an array of its own, or into the memory of an array that it does not read."""
    if max(width[0], f.bits) > MAX_BITS:
        return move(_formula.evaluate(on_host(f), width), f.device)
    place, count = device(f.device), 1 if f.size is None else f.size
    shape = count, limb_count(width[0])
    rows = Rows(place.allocate(4 * shape[0] * shape[1]), shape) if into is None else into._limbs
    faults = None
    if count:
        program, leaves = prepared(f, width)
        program.describe(leaves)
        if program.plan["can_fault"] or any(leaf.kind == "Batch" and leaf.value.has_faults() for leaf in leaves):
            faults = place.cleared(fault_bytes(count))
        program.run(leaves, count, rows, faults)
    if into is not None:
        into._faults = faults
        return into
    return array._of(rows, *width, faults)


def precompile(*formulas):
    """Compiles the kernels of formulas of arrays on a GPU, as computing them would, and computes nothing. Formulas of the same text
    share a kernel: widths count, the number of elements and the values of numbers do not."""
    for f in formulas:
        if not isinstance(f, Formula) or f.device == "cpu":
            raise TypeError("precompile takes formulas of arrays on a GPU: a.to('cuda')")
        if f._value is None and f.bits <= MAX_BITS:
            text = Text(f, width_of(f), only_says=True)
            precompile(*(x for x in text.before if x is not f and x.device != "cpu"))
            program = program_of(text, device(f.device))
            if all(leaf.kind == "Batch" or leaf.value is not None for leaf in text.leaves):
                program.describe(text.leaves)


def explain(f):
    text = Text(f, width_of(f), only_says=True)
    place = device(f.device)
    lines = [f"{f.size} elements on {f.device} ({place.driver.architecture}), one kernel"]
    for x in text.before:
        lines.append(f"  before: {x.operation}: {name_of(x.bits, x.signed)}")
    for i, leaf in enumerate(text.leaves):
        kind = {"Number": ", one for all", "Count": f" {leaf.value}"}.get(leaf.kind, "")
        named = {"SharedModulus": "a modulus", "SharedExponent": "an exponent"}.get(leaf.kind)
        type_ = f"{named} of {leaf.bits} bits, one for all" if named else leaf.type
        lines.append(f"  a{i}: {type_}{kind}")
    for i, value in enumerate(text.names):
        lines.append(f"  n{i} = {value}")
    lines.append(f"  {text.result} = {text.body}")
    program = place.programs.get(str(text))
    if program is None or program.plan is None:
        lines.append("  not compiled in this process yet: precompile(f), or compute it")
    else:
        _, blocks, threads, shared, row = program.fit(f.size, True)
        before = program.says(f.size) if text.powers else ""
        family = f"{row['lanes']} lanes of a warp per number" if row["over_lanes"] else "a thread per number"
        lines.append(f"  {before}{family}, {blocks} blocks of {threads} threads, {shared} bytes of shared memory")
    return "\n".join(lines)


# ---- arrays


def fault_bytes(count):
    return 4 * ((count + 31) // 32)


def bits_of_faults(faults):
    return np.packbits(np.pad(faults != 0, (0, -len(faults) % 32)), bitorder="little")


def upload(a, place):
    gpu = device(place)
    rows = Rows(gpu.upload(a._limbs), a._limbs.shape)
    faults = gpu.upload(bits_of_faults(a._faults)) if a._faults.any() else None
    return array._of(rows, a.bits, a.signed, faults)


def marks_of(a):
    """A bit for each element that has no value, packed, on the CPU."""
    return a._faults.read(np.empty(fault_bytes(len(a._limbs)), np.uint8))


def has_marks(a):
    return a._faults is not None and bool(marks_of(a).any())


def faults_of(a):
    """Of each element, on the CPU."""
    count = len(a._limbs)
    if a._faults is None:
        return np.zeros(count, np.uint8)
    return np.unpackbits(marks_of(a), bitorder="little")[:count] * np.uint8(UNKNOWN)


def download(a):
    return array._of(a._limbs.on_host(), a.bits, a.signed, faults_of(a))


def move(a, place):
    """The array on that device: itself, if it is there."""
    if a.device == place:
        return a
    a = a._host()
    return a if place == "cpu" else upload(a, place)


def copy_of_faults(a):
    if a._faults is None:
        return None
    size = fault_bytes(len(a._limbs))
    made = a._limbs.memory.device.allocate(size)
    made.copy_from(a._faults, size)
    return made


def copy(a):
    return array._of(a._limbs.copy(), a.bits, a.signed, copy_of_faults(a))


FEW = 2048  # elements that the CPU reduces


def shortened(a, combine):
    """combine() of the halves of an array without faults, again and again: an array on the CPU of few elements."""
    rest = []
    while len(a._limbs) > FEW:
        count = len(a._limbs)
        half = count // 8 * 4  # so that both halves begin on a multiple of 16 bytes
        first, second, last = (array._of(a._limbs.part(*part), a.bits, a.signed) for part in ((0, half), (half, half), (2 * half, count - 2 * half)))
        rest.append(last._limbs.on_host())
        a = combine(first, second).eval(a.bits, a.signed)
        a._faults = None  # there are none
    limbs = np.concatenate([a._limbs.on_host(), *rest])
    return array._of(limbs, a.bits, a.signed)


def row(a, i):
    """Element i as an array on the CPU."""
    limbs = a._limbs.memory.read(np.empty((1, a._limbs.shape[1]), np.uint32), 4 * i * a._limbs.shape[1])
    faults = np.zeros(1, np.uint8)
    if a._faults is not None:
        word = a._faults.read(np.empty(1, np.uint8), i // 8)
        faults[0] = UNKNOWN * (int(word[0]) >> i % 8 & 1)
    return array._of(limbs, a.bits, a.signed, faults)


def assign(a, index, value):
    """a[index] = value: of all elements, or of one."""
    count = len(a._limbs)
    if isinstance(index, (int, np.integer)) and not isinstance(index, (bool, np.bool_)):
        i = range(count)[index]
        new = value._array()._host().eval(a.bits, a.signed) if isinstance(value, Formula) else _formula.integers([value], a.bits, a.signed)
        if len(new._limbs) != 1:
            raise ValueError("several numbers for one element")
        a._before_write()
        a._limbs.memory.write(np.ascontiguousarray(new._limbs), 4 * i * a._limbs.shape[1])
        mark = bool(new._faults[0])
        if a._faults is None and mark:
            a._faults = a._limbs.memory.device.cleared(fault_bytes(count))
        if a._faults is not None:
            byte = a._faults.read(np.empty(1, np.uint8), i // 8)
            byte[0] = byte[0] & ~np.uint8(1 << i % 8) | np.uint8(mark << i % 8)
            a._faults.write(byte, i // 8)
        return
    if index is not Ellipsis and not (isinstance(index, slice) and range(count)[index] == range(count)):
        raise TypeError("on a GPU all elements are assigned, a[:] = x, or one, a[i] = x: write where(mask, x, a) for some of them")
    if isinstance(value, Formula):
        if value.device not in ("cpu", a.device):
            raise ValueError(f"a value on {value.device} for an array on {a.device}: write x.to({a.device!r})")
        if value.size not in (None, 1, count):
            raise ValueError(f"{value.size} numbers for {count} elements")
        if value._value is None and value.device == a.device and value.size == count and not _reads(value, a):
            a._before_write()  # this may compute it
            if value._value is None:
                evaluate(value, width_of(a), into=a)
                return
        new = value._array()
        new = new if width_of(new) == width_of(a) else new.eval(a.bits, a.signed)
    elif np.ndim(value) == 0 and not isinstance(value, (str, bytes)):
        new = _formula.integers([value], a.bits, a.signed)
    else:
        new = array(value, a.bits, a.signed)
        if len(new) not in (1, count):
            raise ValueError(f"{len(new)} numbers for {count} elements")
    new = broadcast(new, count, a.device)
    a._before_write()
    if new._limbs.address != a._limbs.address:
        from_ = new._limbs.copy() if _overlap(new._limbs, a._limbs) else new._limbs
        a._limbs.memory.copy_from(from_.memory, a._limbs.nbytes)
    a._faults = copy_of_faults(new)


def _overlap(a, b):
    return a.address < b.address + b.nbytes and b.address < a.address + a.nbytes


def _reads(f, a):
    """Whether f reads this array's memory."""
    arrays = [x._value._limbs for x in parts_of(f) if x._value is not None]
    return any(not isinstance(limbs, np.ndarray) and _overlap(limbs, a._limbs) for limbs in arrays)


def from_rows(rows, width, copies):
    """Limbs on a GPU as an array of this width, whose unused bits are what they must be."""
    rows = rows.copy() if copies else rows
    result = array._of(rows, *width)
    if width[0] % 32:
        whole = array._of(rows, 32 * rows.shape[1], width[1])
        bad = np.flatnonzero((Formula("cast", (whole,), width) != whole).eval()) if len(rows) else ()
        if len(bad):
            raise ValueError(f"element {bad[0]} has bits beyond {name_of(*width)}")
    return result
