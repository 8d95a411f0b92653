# SPDX-License-Identifier: Apache-2.0
"""A GPU for tests: NVRTC's PTX, run by the emulator of tests/emulator. Memory of this GPU is the process's own.

WARPINT_TEST_EMULATOR names its library; without it, or without NVRTC, there is no GPU. With WARPINT_TEST_GPU=1 it is the machine's
first GPU itself: install the package and run `WARPINT_TEST_GPU=1 python -m pytest tests/python/test_gpu.py`."""

import atexit
import ctypes as C
import functools
import os
import shutil
import tempfile

import numpy as np
from warpint import _compile, _device, _driver

ON_GPU = os.environ.get("WARPINT_TEST_GPU") == "1"


def reason_without():
    """Why there is no GPU; None if there is one."""
    if ON_GPU:
        return None
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
    multiprocessors = 2

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
        self.synchronize(stream)

    def read(self, values, address, stream):
        self._check(address, values.nbytes)
        C.memmove(values.ctypes.data, address, values.nbytes)
        self.synchronize(stream)

    def copy(self, to, address, size, stream):
        self._check(to, size)
        self._check(address, size)
        C.memmove(to, address, size)

    def fill(self, address, byte, size, stream):
        self._check(address, size)
        C.memset(address, byte, size)

    def synchronize(self, stream):
        self.synchronized.append(stream)

    def synchronize_all(self):
        self.synchronized.append("all")

    def ordinal_of(self, address):
        self._check(address, 1)
        return 0

    def make_stream(self):
        return 48

    def load(self, image):
        return self._library.warpint_emulator_load(image.rstrip(b"\0"))

    def kernel(self, module, name):
        kernel = self._library.warpint_emulator_kernel(C.c_void_p(module), name.encode())
        assert kernel, f"no kernel {name}"
        self._names[kernel] = name
        return kernel, self._library.warpint_emulator_max_threads(C.c_void_p(kernel))

    def allow_shared_bytes(self, kernel, size):
        return size <= 227 << 10

    def launch(self, kernel, blocks, threads, shared, parameters, stream):
        self.launches.append((self._names[kernel], blocks, threads, shared, stream))
        held = [C.create_string_buffer(p, len(p)) for p in parameters]
        pointers = (C.c_void_p * len(held))(*map(C.addressof, held))
        self._library.warpint_emulator_launch(C.c_void_p(kernel), C.c_uint(blocks), C.c_uint(threads), C.c_size_t(shared), pointers)


class Observed(_driver.Driver):
    """The driver itself. Tests see what it is asked for."""

    def __init__(self):
        super().__init__(0)
        self.allocated, self.launches, self.synchronized, self._names = {}, [], [], {}

    def allocate(self, size):
        address = super().allocate(size)
        self.allocated[address] = size
        return address

    def free(self, address):
        super().free(address)
        del self.allocated[address]

    def synchronize(self, stream):
        self.synchronized.append(stream)
        super().synchronize(stream)

    def synchronize_all(self):
        self.synchronized.append("all")
        super().synchronize_all()

    def make_stream(self):
        stream = C.c_void_p()
        self._call("cuStreamCreate", C.byref(stream), C.c_uint(0))
        return stream.value

    def kernel(self, module, name):
        found = super().kernel(module, name)
        self._names[found[0]] = name
        return found

    def launch(self, kernel, blocks, threads, shared, parameters, stream):
        self.launches.append((self._names[kernel], blocks, threads, shared, stream))
        super().launch(kernel, blocks, threads, shared, parameters, stream)


@functools.cache
def _headers_once():
    """Reading the headers takes most of a small formula's time."""
    folder = tempfile.mkdtemp(prefix="warpint-headers-", dir=".")
    atexit.register(shutil.rmtree, os.path.abspath(folder), ignore_errors=True)
    _compile.compiler().keep_headers(folder)


def use():
    """Makes it "cuda:0" of the package."""
    _headers_once()
    if "cuda:0" not in _device._devices:
        _device._devices["cuda:0"] = _device.Device(0, Observed() if ON_GPU else Driver())
    return _device._devices["cuda:0"]
