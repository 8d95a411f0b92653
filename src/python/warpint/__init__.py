# SPDX-License-Identifier: Apache-2.0
"""Arrays of big integers of any width: formulas are exact, lazy, and run on all cores."""

from importlib.metadata import version as _version

from ._core import engine, threads, widths
from ._device import release_memory, stream
from ._formula import FaultError, Formula, array, explain, powmod
from ._functions import (
    array_equal,
    bit_count,
    bit_length,
    bit_test,
    concatenate,
    divm,
    gcd,
    invert,
    iroot,
    iroot_floor,
    is_even,
    is_odd,
    is_prime,
    is_square,
    isqrt,
    isqrt_rem,
    jacobi,
    lcm,
    maximum,
    minimum,
    mulmod,
    next_prime,
    powmod_base_list,
    powmod_exp_list,
    sqrt_mod,
    where,
)
from ._gpu import precompile
from ._make import arange, from_bytes, from_limbs, full, parse, random, zeros

popcount = bit_count  # gmpy2's name

__version__ = _version("warpint")
