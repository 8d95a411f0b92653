# SPDX-License-Identifier: Apache-2.0
"""Powers of wide numbers on GPUs: in a residue number system, as the library's ways/tensor_powers_cuda.h runs them in C++. Of large
batches on tensor cores, of small ones each by a block of threads; what the system cannot have, and batches between, go over
lanes of a warp, as any formula does."""

import struct

from . import _program
from ._device import current_stream
from ._driver import OutOfMemory
from ._formula import Formula, width_of

# execution/plan/tuning/all_gpus.h: bits of the modulus, and of the exponent.
_WIDTHS, _EXPONENTS = range(993, 4096 + 1), range(256, 16384 + 1)

INCLUDES = [*_program.INCLUDES, "#include <warpint/execution/kernels/generated_powers.h>"]

# execution/kernels/generated_powers.h
_CONSTANTS_AT, _SPACE_AT, _BIASES_AT, _OPERANDS_AT = 128, 192, 288, 512
_CONSTANTS, _SPACE, _BIASES = 7, 8, 12  # addresses, addresses before an integer, bytes
_INTEGERS = (
    "version",
    "operands",
    "exponent_at",
    "exponent",
    "tables",
    "table_parts",
    "number",
    "channels",
    "numbers",
    "threads",
    "shared",
    "spread_threads",
    "spread_shared",
    "most_spread",
    "least",
    "suits",
)
_PREPARE_THREADS, _ENTER_THREADS, _LEAVE_THREADS = 128, 256, 128  # execution/kernels/powers.h


def has_own_kernels(x):
    """Whether x is a power that may run so."""
    if x._value is not None or x.operation != "powmod":
        return False
    _, e, m = x.operands
    return not e.signed and not m.signed and m.bits in _WIDTHS and e.bits in _EXPONENTS


def with_base_below_modulus(x):
    """The same, but that the base of such a power has no more bits than its modulus, and no sign."""
    if has_own_kernels(x):
        base, e, m = x.operands
        if base.signed or base.bits > m.bits:
            return Formula("powmod", (Formula("mod", (base, m), width_of(m)), e, m), width_of(x))
    return x


class Powers(_program.Program):
    """A formula that is such a power."""

    def __init__(self, text, place):
        base, exponent, bits = text.powers
        slots = f"rns::Bases<{bits}>::slots"
        operands = f"PowerOperands<{base}, {exponent}, {bits}, false>"
        self._names = {
            "describe": "execution::describe_powers_kernel<Run>",
            "tables": f"power_tables_kernel<{bits}>",
            "prepare": f"prepare_powers_kernel<{operands}>",
            "enter": f"enter_residues_kernel<{operands}>",
            "leave": f"leave_residues_kernel<{operands}, {text.result}>",
            "tensor": f"powers_kernel<{slots}, {exponent}>",
            "spread": f"spread_powers_kernel<{slots}, {exponent}>",
        }
        own = "\n".join([*INCLUDES, "using namespace warpint;", "using namespace warpint::execution;", ""])
        name = self._names
        parts = [
            (str(text), (_program.DESCRIBE, _program.LARGE, name["describe"])),
            (str(text), (_program.SMALL,)),
            (own, (name["tables"], name["prepare"], name["enter"], name["leave"])),
            (own, (name["tensor"],)),
            (own, (name["spread"],)),
        ]
        self._load(parts, place)
        self._tables = None

    def _describe(self, leaves, fixed):
        written, marks = self._written(self._names["describe"], leaves, fixed)
        self._powers = dict(zip(_INTEGERS, struct.unpack_from(f"<{len(_INTEGERS)}i", written)))
        if self._tables is None:
            self._set_up(written, marks)
        operands = _program.Parameter(written, _OPERANDS_AT, self._powers["operands"], marks)
        exponent = _program.Parameter(written, _OPERANDS_AT + self._powers["exponent_at"], self._powers["exponent"], marks)
        return [*super()._describe(leaves, fixed), operands, exponent, self._powers["suits"]]

    def _set_up(self, written, marks):
        """What all runs share: the tables, and the parameters that do not depend on operands."""
        driver, stream = self.device.driver, current_stream()
        self._tables = self.device.allocate(self._powers["tables"])
        tables = struct.pack("<Q", self._tables.address)
        driver.launch(self._kernel("tables"), 1, self._powers["table_parts"], 0, [tables], self._tables.on(stream))
        offsets = (a - marks[0] for a in struct.unpack_from(f"<{_CONSTANTS}Q", written, _CONSTANTS_AT))
        self._constants = struct.pack(f"<{_CONSTANTS}Q", *(self._tables.address + offset for offset in offsets))
        *self._space, self._entry_of_base = struct.unpack_from(f"<{_SPACE}Qi", written, _SPACE_AT)
        self._biases = written[_BIASES_AT : _BIASES_AT + _BIASES]
        # A block of tensor cores asks for more than it may have otherwise.
        self._has_tensor = driver.allow_shared_bytes(self._kernel("tensor"), self._powers["shared"])

    def _kernel(self, which):
        return self.kernels[self._names[which]][0]

    def share(self, count, suits=True):
        """(the kernel of a batch's first elements, how many they are, how many of them at a time): as TensorPowers::plan in
        execution/ways/tensor_powers_cuda.h."""
        powers, multiprocessors = self._powers, self.device.driver.multiprocessors
        if not suits or not self.fit(count, True)[-1]["over_lanes"]:
            return None, 0, 0
        if count <= multiprocessors * powers["most_spread"]:
            return "spread", count, count
        most, least = multiprocessors * powers["numbers"], multiprocessors * powers["least"]
        whole = count // most * most if least <= most else 0
        elements = count if count - whole >= least else whole
        if not elements or not self._has_tensor:
            return None, 0, 0
        return "tensor", elements, min(most, -(-elements // powers["numbers"]) * powers["numbers"])

    def run(self, leaves, count, rows, faults):
        *parts, operands, exponent, suits = self.describe(leaves)
        which, elements, at_once = self.share(count, suits)
        words = (count + 31) // 32
        try:
            memory = self.device.allocate(at_once * self._powers["number"] + 4 * words) if elements else None
        except OutOfMemory:  # the formula's own kernel needs none
            elements = 0
        if not elements:
            super().run(leaves, count, rows, faults)
            return
        addresses = _program.addresses_in(leaves, rows, faults)
        driver, powers = self.device.driver, self._powers
        self._tables.on(current_stream())
        stream = memory.on(current_stream())
        left = memory.address + at_once * powers["number"]
        if elements < count:
            first = elements // 32  # rounds are whole words
            driver.fill(left + 4 * first, 0xFF, 4 * (words - first), stream)
        places = [memory.address + at_once * place for place in self._space[:-1]]
        space = struct.pack(f"<{_SPACE}Qixxxx", *places, left, self._entry_of_base)
        tables = struct.pack("<Q", self._tables.address)
        target, operands, exponent = parts[0].of(addresses), operands.of(addresses), exponent.of(addresses)

        def launch(kernel, threads, threads_per_block, shared, parameters):
            driver.launch(self._kernel(kernel), -(-threads // threads_per_block), threads_per_block, shared, parameters, stream)

        for start in range(0, elements, at_once):
            n = min(at_once, elements - start)
            first, numbers = struct.pack("<Q", start), struct.pack("<I", n)
            of_round = [first, numbers, space, tables]
            launch("prepare", n, _PREPARE_THREADS, 0, [operands, *of_round])
            launch("enter", n * powers["channels"], _ENTER_THREADS, 0, [operands, *of_round])
            if which == "spread":
                threads = powers["spread_threads"]
                launch("spread", n * threads, threads, powers["spread_shared"], [exponent, first, space, self._constants])
            else:
                threads = powers["threads"]
                blocks = -(-n // powers["numbers"])
                launch("tensor", blocks * threads, threads, powers["shared"], [exponent, first, numbers, space, self._constants, self._biases])
            launch("leave", n, _LEAVE_THREADS, 0, [target, operands, *of_round])
        # Hardly any of the others are left: in the time of a small batch.
        kernel, _, threads, shared, row = self.fit(max(count - elements, 1), True)
        self._launch((kernel, -(-count // (threads // row["lanes"])), threads, shared, row), count, parts, addresses, left)

    def says(self, count):
        """For explain()."""
        which, elements, at_once = self.share(count)
        if not elements:
            return ""
        if which == "spread":
            return f"{elements} elements by a block of {self._powers['spread_threads']} threads each; those that are left: "
        return f"{elements} elements on tensor cores, {at_once} at a time; those that are left: "
