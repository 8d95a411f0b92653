# SPDX-License-Identifier: Apache-2.0
"""Sums of arrays on GPUs, limb by limb, by one kernel for all widths."""

import struct

import numpy as np

from . import _compile
from ._device import current_stream, device

# Kernels and sizes of execution/kernels/column_sum.h, and of ReductionState in kernels/reduce.h.
_TEXT = "#include <warpint/rtc.h>\n"
_NAMES = [f"warpint::execution::sum_columns_kernel<{is_signed}>" for is_signed in ("false", "true")]
_THREADS, _MOST_COLUMNS, _STATE_BYTES = 256, 2048, 24 + 8 * 2048
_MOST_ELEMENTS = 1 << 32  # of a column of 64 bits
_BLOCKS = 1024  # fill any GPU


def suits(a):
    """Whether the kernel takes the array: short enough rows, which begin at a multiple of 16 bytes."""
    count, limbs = a._limbs.shape
    return 0 < count <= _MOST_ELEMENTS and limbs <= _MOST_COLUMNS and a._limbs.address % 16 == 0


def columns(a):
    """The sum of each column of limbs of an array on a GPU that suits. Elements without a value count as 0."""
    place, (count, limbs) = device(a.device), a._limbs.shape
    with place.lock:
        kernels = place.programs.get(_TEXT)
        if kernels is None:
            ((code, symbols),) = _compile.compiler().cached([(_TEXT, _NAMES)], place.driver.architecture)
            module = place.driver.load(code)
            kernels = place.programs[_TEXT] = [place.driver.kernel(module, name)[0] for name in symbols]
    # Vectors of 16 bytes after which columns repeat: the grid has at least so many threads.
    period = limbs // 4 if limbs % 4 == 0 else limbs // 2 if limbs % 2 == 0 else limbs
    words = count * limbs
    needed = -(-(words // 4) // _THREADS)
    blocks = max(-(-period // _THREADS), min(_BLOCKS, needed))
    stride = blocks * _THREADS // period * period
    state, result = place.cleared(_STATE_BYTES), place.allocate(8 * limbs)
    stream = current_stream()
    for memory in (a._limbs.memory, state, result):
        memory.on(stream)
    parameters = [
        struct.pack("<Q", a._limbs.address),
        struct.pack("<Q", words),
        struct.pack("<I", limbs),
        struct.pack("<I", stride),
        struct.pack("<Q", state.address),
        struct.pack("<Q", result.address),
    ]
    place.driver.launch(kernels[a.signed], blocks, _THREADS, 0, parameters, stream.handle)
    sums = result.read(np.empty(limbs, np.uint64))
    return [*sums[:-1].tolist(), int(sums[-1:].view(np.int64 if a.signed else np.uint64)[0])]
