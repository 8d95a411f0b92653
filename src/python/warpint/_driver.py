# SPDX-License-Identifier: Apache-2.0
"""The CUDA driver, as far as arrays on GPUs need it. Its library is loaded by its name; nothing of CUDA is linked."""

import ctypes as C

import numpy as np

MULTIPROCESSORS, CAPABILITY_MAJOR, CAPABILITY_MINOR = 16, 75, 76  # CUdevice_attribute
MAX_THREADS_PER_BLOCK, MAX_SHARED_BYTES = 0, 8  # CUfunction_attribute
POINTER_DEVICE_ORDINAL = 9  # CUpointer_attribute


class DriverError(RuntimeError):
    """What the CUDA driver refused."""


class OutOfMemory(DriverError, MemoryError):
    pass


_OUT_OF_MEMORY = 2
_NEEDS = "device='cuda' needs an NVIDIA GPU of compute capability 7.5 or newer and its driver for CUDA 13 (580 or newer)"
_LEAST_CAPABILITY, _LEAST_DRIVER = (7, 5), 13000


class Driver:
    """One GPU. Addresses, streams, modules and kernels are integers; stream 0 is the default stream.

    Tests put another class in its place: this is all that the package asks of a GPU."""

    def __init__(self, ordinal):
        try:
            self._library = C.CDLL("libcuda.so.1")
        except OSError:
            raise RuntimeError(f"no CUDA driver (libcuda.so.1): {_NEEDS}") from None
        code, version, count = self._library.cuInit(C.c_uint(0)), C.c_int(), C.c_int()
        if code:
            raise RuntimeError(f"no GPU, the CUDA driver says: {self._text(code)}: {_NEEDS}")
        self._check("cuDriverGetVersion", self._library.cuDriverGetVersion(C.byref(version)))
        if version.value < _LEAST_DRIVER:
            raise RuntimeError(f"the CUDA driver is one for CUDA {version.value // 1000}.{version.value % 1000 // 10}: {_NEEDS}")
        self._check("cuDeviceGetCount", self._library.cuDeviceGetCount(C.byref(count)))
        if ordinal >= count.value:
            raise RuntimeError(f"no GPU cuda:{ordinal}: the CUDA driver has {count.value}, and CUDA_VISIBLE_DEVICES may hide others")
        self._device, self._context = C.c_int(), C.c_void_p()
        self._check("cuDeviceGet", self._library.cuDeviceGet(C.byref(self._device), C.c_int(ordinal)))
        major, minor = self._attribute(CAPABILITY_MAJOR), self._attribute(CAPABILITY_MINOR)
        if (major, minor) < _LEAST_CAPABILITY:
            raise RuntimeError(f"cuda:{ordinal} has compute capability {major}.{minor}: {_NEEDS}")
        self._check("cuDevicePrimaryCtxRetain", self._library.cuDevicePrimaryCtxRetain(C.byref(self._context), self._device))
        # What code is compiled for, as NVRTC names it: of 9.0 with the instructions that no other GPU has.
        self.architecture = f"sm_{major}{minor}" + ("a" if (major, minor) == (9, 0) else "")
        self.multiprocessors = self._attribute(MULTIPROCESSORS)

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

    def fill(self, address, byte, size, stream):
        self._call("cuMemsetD8Async", C.c_uint64(address), C.c_ubyte(byte), C.c_size_t(size), C.c_void_p(stream))

    def synchronize(self, stream):
        self._call("cuStreamSynchronize", C.c_void_p(stream))

    def synchronize_all(self):
        """Waits for the work of all streams, other libraries' too."""
        self._call("cuCtxSynchronize")

    def ordinal_of(self, address):
        """The GPU on which this memory lies."""
        ordinal = C.c_int()
        self._call("cuPointerGetAttribute", C.byref(ordinal), C.c_int(POINTER_DEVICE_ORDINAL), C.c_uint64(address))
        return ordinal.value

    def load(self, image):
        """A module from what NVRTC made."""
        module = C.c_void_p()
        self._call("cuModuleLoadData", C.byref(module), C.c_char_p(image))
        return module.value

    def kernel(self, module, name):
        """(kernel, the most threads of a block)"""
        kernel, threads = C.c_void_p(), C.c_int()
        self._call("cuModuleGetFunction", C.byref(kernel), C.c_void_p(module), name.encode())
        self._call("cuFuncGetAttribute", C.byref(threads), C.c_int(MAX_THREADS_PER_BLOCK), kernel)
        return kernel.value, threads.value

    def allow_shared_bytes(self, kernel, size):
        """Whether the kernel's blocks may have so many bytes of shared memory, which are more than any kernel may without asking."""
        try:
            self._call("cuFuncSetAttribute", C.c_void_p(kernel), C.c_int(MAX_SHARED_BYTES), C.c_int(size))
        except DriverError:
            return False
        return True

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
            kind = OutOfMemory if code == _OUT_OF_MEMORY else DriverError
            raise kind(f"{name}: {self._text(code)}")

    def _text(self, code):
        text = C.c_char_p()
        self._library.cuGetErrorString(C.c_int(code), C.byref(text))
        return f"{(text.value or b'error').decode()} ({code})"


def _pointer(values):
    assert isinstance(values, np.ndarray) and values.flags.c_contiguous
    return C.c_void_p(values.ctypes.data)
