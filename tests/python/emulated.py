# SPDX-License-Identifier: Apache-2.0
"""A GPU for tests: NVRTC's PTX, run by the emulator of tests/emulator. Memory of this GPU is the process's own.

WARPINT_TEST_EMULATOR names its library; without it, or without NVRTC, there is no GPU."""

import atexit
import ctypes as C
import functools
import os
import shutil
import tempfile

import numpy as np
from warpint import _compile, _device


def reason_without():
    """Why there is no emulated GPU; None if there is one."""
    if not os.environ.get("WARPINT_TEST_EMULATOR"):
        return "WARPINT_TEST_EMULATOR is not set"
    try:
        _compile.compiler()
    except RuntimeError as error:
        return str(error)
    return None


class Driver:
    """In the place of warpint._driver.Driver, strict where a GPU would go wrong in silence."""

    architecture = "compute_90"

    def __init__(self):
        self._library = C.CDLL(os.environ["WARPINT_TEST_EMULATOR"])
        for name in ("load", "kernel"):
            getattr(self._library, f"warpint_emulator_{name}").restype = C.c_void_p
        self.allocated = {}  # address: the memory
        self.launches = []  # (kernel's name, blocks, threads, shared bytes, stream)
        self.synchronized = []
        self._names = {}

    def allocate(self, size):
        memory = np.full(size + 256, 0xA5, np.uint8)
        address = memory.ctypes.data + -memory.ctypes.data % 256
        self.allocated[address] = memory, size
        return address

    def free(self, address):
        del self.allocated[address]

    def _check(self, address, size):
        assert any(a <= address and address + size <= a + s for a, (_, s) in self.allocated.items()), "outside of all memory"

    def write(self, address, values, stream):
        self._check(address, values.nbytes)
        C.memmove(address, values.ctypes.data, values.nbytes)

    def read(self, values, address, stream):
        self._check(address, values.nbytes)
        C.memmove(values.ctypes.data, address, values.nbytes)

    def copy(self, to, address, size, stream):
        self._check(to, size)
        self._check(address, size)
        C.memmove(to, address, size)

    def clear(self, address, size, stream):
        self._check(address, size)
        C.memset(address, 0, size)

    def synchronize(self, stream):
        self.synchronized.append(stream)

    def synchronize_all(self):
        self.synchronized.append("all")

    def ordinal_of(self, address):
        self._check(address, 1)
        return 0

    def load(self, image):
        return self._library.warpint_emulator_load(image.rstrip(b"\0"))

    def kernel(self, module, name):
        kernel = self._library.warpint_emulator_kernel(C.c_void_p(module), name.encode())
        assert kernel, f"no kernel {name}"
        self._names[kernel] = name
        return kernel, self._library.warpint_emulator_max_threads(C.c_void_p(kernel))

    def launch(self, kernel, blocks, threads, shared, parameters, stream):
        self.launches.append((self._names[kernel], blocks, threads, shared, stream))
        held = [C.create_string_buffer(p, len(p)) for p in parameters]
        pointers = (C.c_void_p * len(held))(*map(C.addressof, held))
        self._library.warpint_emulator_launch(C.c_void_p(kernel), C.c_uint(blocks), C.c_uint(threads), C.c_size_t(shared), pointers)


@functools.cache
def _headers_once():
    """Reading the headers takes most of a small formula's time."""
    folder = tempfile.mkdtemp(prefix="warpint-headers-", dir=".")
    atexit.register(shutil.rmtree, os.path.abspath(folder), ignore_errors=True)
    _compile.compiler().keep_headers(folder)


def use():
    """Makes it "cuda:0" of the package."""
    _headers_once()
    return _device._devices.setdefault("cuda:0", _device.Device(0, Driver()))
