# SPDX-License-Identifier: Apache-2.0
"""The CUDA driver, as far as arrays on GPUs need it. Its library is loaded by its name; nothing of CUDA is linked."""

import ctypes as C

import numpy as np

CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76  # CUdevice_attribute
MAX_THREADS_PER_BLOCK = 0  # CUfunction_attribute


class DriverError(RuntimeError):
    """What the CUDA driver refused."""


class OutOfMemory(DriverError, MemoryError):
    pass


_OUT_OF_MEMORY = 2


class Driver:
    """One GPU. Addresses, streams, modules and kernels are integers; stream 0 is the default stream.

    Tests put another class in its place: this is all that the package asks of a GPU."""

    def __init__(self, ordinal):
        try:
            self._library = C.CDLL("libcuda.so.1")
        except OSError:
            raise RuntimeError("no CUDA driver: device='cuda' needs an NVIDIA GPU with its driver, 580 or newer (libcuda.so.1)") from None
        self._check("cuInit", self._library.cuInit(C.c_uint(0)))
        self._device, self._context = C.c_int(), C.c_void_p()
        self._check("cuDeviceGet", self._library.cuDeviceGet(C.byref(self._device), C.c_int(ordinal)))
        self._check("cuDevicePrimaryCtxRetain", self._library.cuDevicePrimaryCtxRetain(C.byref(self._context), self._device))
        major, minor = self._attribute(CAPABILITY_MAJOR), self._attribute(CAPABILITY_MINOR)
        self.architecture = f"sm_{major}{minor}"  # what code is compiled for, as NVRTC names it

    def allocate(self, size):
        address = C.c_uint64()
        self._call("cuMemAlloc_v2", C.byref(address), C.c_size_t(size))
        return address.value

    def free(self, address):
        self._call("cuMemFree_v2", C.c_uint64(address))

    def write(self, address, values, stream):
        """From a contiguous array of NumPy. It may change when this returns."""
        self._call("cuMemcpyHtoDAsync_v2", C.c_uint64(address), _pointer(values), C.c_size_t(values.nbytes), C.c_void_p(stream))
        self.synchronize(stream)

    def read(self, values, address, stream):
        """Into a contiguous array of NumPy, when the work of the stream is done."""
        self._call("cuMemcpyDtoHAsync_v2", _pointer(values), C.c_uint64(address), C.c_size_t(values.nbytes), C.c_void_p(stream))
        self.synchronize(stream)

    def copy(self, to, address, size, stream):
        self._call("cuMemcpyDtoDAsync_v2", C.c_uint64(to), C.c_uint64(address), C.c_size_t(size), C.c_void_p(stream))

    def clear(self, address, size, stream):
        self._call("cuMemsetD8Async", C.c_uint64(address), C.c_ubyte(0), C.c_size_t(size), C.c_void_p(stream))

    def synchronize(self, stream):
        self._call("cuStreamSynchronize", C.c_void_p(stream))

    def load(self, image):
        """A module from what NVRTC made."""
        module = C.c_void_p()
        self._call("cuModuleLoadData", C.byref(module), image)
        return module.value

    def kernel(self, module, name):
        """(kernel, the most threads of a block)"""
        kernel, threads = C.c_void_p(), C.c_int()
        self._call("cuModuleGetFunction", C.byref(kernel), C.c_void_p(module), name.encode())
        self._call("cuFuncGetAttribute", C.byref(threads), C.c_int(MAX_THREADS_PER_BLOCK), kernel)
        return kernel.value, threads.value

    def launch(self, kernel, blocks, threads, shared, parameters, stream):
        """parameters: of each its bytes, as they lie in memory."""
        held = [C.create_string_buffer(p, len(p)) for p in parameters]
        pointers = (C.c_void_p * len(held))(*map(C.addressof, held))
        sizes = map(C.c_uint, (blocks, 1, 1, threads, 1, 1, shared))
        self._call("cuLaunchKernel", C.c_void_p(kernel), *sizes, C.c_void_p(stream), pointers, None)

    def _attribute(self, which):
        value = C.c_int()
        self._check("cuDeviceGetAttribute", self._library.cuDeviceGetAttribute(C.byref(value), C.c_int(which), self._device))
        return value.value

    def _call(self, name, *arguments):
        """In this GPU's context, which other libraries of the process share; the thread's own is there again afterwards."""
        self._check("cuCtxPushCurrent", self._library.cuCtxPushCurrent_v2(self._context))
        code = getattr(self._library, name)(*arguments)
        self._library.cuCtxPopCurrent_v2(C.byref(C.c_void_p()))
        self._check(name, code)

    def _check(self, name, code):
        if code:
            text = C.c_char_p()
            self._library.cuGetErrorString(C.c_int(code), C.byref(text))
            kind = OutOfMemory if code == _OUT_OF_MEMORY else DriverError
            raise kind(f"{name}: {(text.value or b'error').decode()} ({code})")


def _pointer(values):
    assert isinstance(values, np.ndarray) and values.flags.c_contiguous
    return C.c_void_p(values.ctypes.data)
