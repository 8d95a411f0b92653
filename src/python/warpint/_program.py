# SPDX-License-Identifier: Apache-2.0
"""Kernels of formulas, compiled and loaded, and their launch."""

import secrets
import struct

import numpy as np

from . import _compile
from ._device import current_stream

INCLUDES = ["#include <warpint/rtc.h>"]

# execution/kernels/generated.h: GeneratedWords, places of parameters, and CUDA's limit for those of a kernel
CAPACITY, _TARGET_AT, _TREE_AT, MOST_PARAMETERS = 96, 256, 512, 32764
_INTEGERS = ("version", "target", "tree", "can_fault", "small_below", "elements", "staged", "transposed", "shared_limit")
_ROW = ("over_lanes", "lanes", "threads", "through_shared")
DESCRIBE = "execution::describe_kernel<Run>"
LARGE = "execution::formula_kernel<execution::tuning::Slot::large, Run::Tree, Run::Result>"
SMALL = "execution::formula_kernel<Run::small_slot, Run::Tree, Run::Result>"


class Program:
    """The kernels of a formula's text on a GPU."""

    def __init__(self, text, place):
        self._load([(str(text), (DESCRIBE, LARGE, SMALL))], place)

    def _load(self, parts, place):
        self.device = place
        self.kernels = {}  # name: (kernel, the most threads of a block)
        for (_, names), (code, symbols) in zip(parts, _compile.compiler().cached(parts, place.driver.architecture)):
            module = place.driver.load(code)
            self.kernels |= {name: place.driver.kernel(module, symbol) for name, symbol in zip(names, symbols)}
        self.plan = None
        self._described = {}  # numbers and counts: what describe() gives

    def describe(self, leaves):
        """The kernel's parameters for these leaves, as the library lays them out on the GPU: their bytes, and the places of
        addresses in them."""
        with self.device.lock:
            fixed = tuple(leaf.fixed() for leaf in leaves)
            found = self._described.get(fixed)
            if found is None:
                found = self._describe(leaves, fixed)
                if len(self._described) == 16:  # of loops over numbers the last ones
                    del self._described[next(iter(self._described))]
                self._described[fixed] = found
            return found

    def _describe(self, leaves, fixed):
        written, marks = self._written(DESCRIBE, leaves, fixed)
        integers = struct.unpack_from("<32i", written)
        self.plan = dict(zip(_INTEGERS, integers)) | {"large": dict(zip(_ROW, integers[12:16])), "small": dict(zip(_ROW, integers[16:20]))}
        return [Parameter(written, at, self.plan[size], marks) for at, size in ((_TARGET_AT, "target"), (_TREE_AT, "tree"))]

    def _written(self, kernel, leaves, fixed):
        """(what a kernel that describes tells, the marks that stand in it for addresses: of results, of their faults, and of
        each array's elements and faults)"""
        driver, stream = self.device.driver, current_stream()
        base = secrets.randbits(46) << 16
        words, marks, held = [base, base + 1], [base, base + 1], []
        for leaf, value in zip(leaves, fixed):
            if leaf.kind == "Batch":
                marks += [base + len(marks), base + len(marks) + 1]
                words += marks[-2:]
            elif leaf.kind == "Count":
                words.append(value)
            else:
                held.append(self.device.upload(np.frombuffer(value, np.uint8)))
                held[-1].on(stream)
                words.append(held[-1].address)
        out = self.device.cleared(_TREE_AT + MOST_PARAMETERS + 4)
        packed = struct.pack(f"<{CAPACITY}Q", *words, *[0] * (CAPACITY - len(words)))
        driver.launch(self.kernels[kernel][0], 1, 1, 0, [packed, struct.pack("<Q", out.address)], out.on(stream))
        return out.read(np.empty(_TREE_AT + MOST_PARAMETERS + 4, np.uint8)).tobytes(), marks

    def fit(self, count, is_aligned):
        """The launch for so many elements: as fit() in execution/plan/fit.h."""
        plan = self.plan
        is_small = count < plan["small_below"]
        row, (kernel, most) = (plan["small"], self.kernels[SMALL]) if is_small else (plan["large"], self.kernels[LARGE])
        threads, shared, elements = min(row["threads"], most // 32 * 32), 0, 1
        if not row["over_lanes"]:
            elements = plan["elements"]
            if plan["staged"]:
                while threads > 32 and threads // 32 * plan["staged"] > plan["shared_limit"]:
                    threads = threads // 64 * 32
                shared = threads // 32 * plan["staged"]
            elif row["through_shared"] and is_aligned:
                shared = threads // 32 * plan["transposed"]
                shared = shared if shared <= plan["shared_limit"] else 0
        blocks = -(-count // (threads // row["lanes"] * elements))
        return kernel, blocks, threads, shared, row

    def run(self, leaves, count, rows, faults):
        """Stores `count` results. faults: memory of their bits, or None."""
        parts, addresses = self.describe(leaves), addresses_in(leaves, rows, faults)
        self._launch(self.fit(count, not any(a % 16 for a in addresses)), count, parts, addresses, 0)

    def _launch(self, launch, count, parts, addresses, marked):
        """marked: the address of a bit for each element that is computed; 0: all are."""
        kernel, blocks, threads, shared, _ = launch
        target, tree = (part.of(addresses) for part in parts[:2])
        vectors = shared // (threads // 32) // 16
        parameters = [target, struct.pack("<Q", count), struct.pack("<I", vectors), struct.pack("<Q", marked), tree]
        self.device.driver.launch(kernel, blocks, threads, shared, parameters, current_stream().handle)


class Parameter:
    """A parameter of a kernel, in which addresses are still missing."""

    def __init__(self, written, at, size, marks):
        self._bytes = written[at : at + size]
        words = ((i, struct.unpack_from("<Q", self._bytes, i)[0]) for i in range(0, size - 7, 8))
        self._places = [(i, marks.index(word)) for i, word in words if word in marks]

    def of(self, addresses):
        filled = bytearray(self._bytes)
        for i, which in self._places:
            struct.pack_into("<Q", filled, i, addresses[which])
        return bytes(filled)


def addresses_in(leaves, rows, faults):
    """Of the results, of their faults, and of each array's elements and faults; the current stream may use that memory."""
    memories = [(rows.memory, rows.address), (faults, faults.address if faults else 0)]
    for leaf in leaves:
        if leaf.kind == "Batch":
            of = leaf.value
            memories += [(of._limbs.memory, of._limbs.address), (of._faults, of._faults.address if of._faults else 0)]
    for memory, _ in memories:
        if memory is not None:
            memory.on(current_stream())
    return [address for _, address in memories]
