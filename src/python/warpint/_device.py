# SPDX-License-Identifier: Apache-2.0
"""Memory of GPUs, streams, and how other libraries see the limbs there."""

import contextlib
import ctypes as C
import operator
import threading

import numpy as np

from . import _compile
from ._driver import Driver, OutOfMemory

_DLPACK_CUDA, _DLPACK_CUDA_MANAGED = 2, 13
_LEGACY = 1  # what DLPack and CUDA's array interface call the default stream, which is 0 here


class Device:
    """A GPU, the memory that was freed and is kept, and the programs that it has loaded."""

    def __init__(self, ordinal, driver):
        self.ordinal, self.name, self.driver = ordinal, f"cuda:{ordinal}", driver
        self.programs = {}
        self._kept = {}  # size: [(address, the stream that used it last)]

    def allocate(self, size):
        """Memory of at least one byte, on a multiple of 256."""
        size = 256 if size <= 256 else 1 << (size - 1).bit_length() if size <= 1 << 20 else -(-size >> 20) << 20
        kept = self._kept.setdefault(size, [])
        try:
            return Memory(self, *kept.pop(), size)
        except IndexError:
            pass
        try:
            return Memory(self, self.driver.allocate(size), current_stream(), size)
        except OutOfMemory:
            self.release()
            return Memory(self, self.driver.allocate(size), current_stream(), size)

    def keep(self, memory):
        self._kept[memory.size].append((memory.address, memory.stream))

    def release(self):
        """Gives back the memory that no array has."""
        for of_size in self._kept.values():
            while of_size:
                self.driver.free(of_size.pop()[0])

    def upload(self, values):
        values = np.ascontiguousarray(values)
        memory = self.allocate(values.nbytes)
        if values.nbytes:
            self.driver.write(memory.address, values, memory.on(current_stream()))
        return memory

    def cleared(self, size):
        memory = self.allocate(size)
        if size:
            self.driver.clear(memory.address, size, memory.on(current_stream()))
        return memory


class Memory:
    """Bytes of a GPU: its own, which it keeps for others when nobody has them, or another library's."""

    __slots__ = ("device", "address", "stream", "size", "owner")

    def __init__(self, device, address, stream, size, owner=None):
        self.device, self.address, self.stream, self.size, self.owner = device, address, stream, size, owner

    def on(self, stream):
        """The stream, in which work on this memory may follow."""
        if stream != self.stream:
            self.device.driver.synchronize(self.stream)
            self.stream = stream
        return stream

    def read(self, values, offset=0):
        if values.nbytes:
            self.device.driver.read(values, self.address + offset, self.on(current_stream()))
        return values

    def write(self, values, offset=0):
        self.device.driver.write(self.address + offset, values, self.on(current_stream()))

    def copy_from(self, other, size):
        if size:
            stream = self.on(current_stream())
            self.device.driver.copy(self.address, other.address, size, other.on(stream))

    def __del__(self):
        if self.owner is None:
            self.device.keep(self)


_devices = {}


def device(name):
    """The GPU of this name. RuntimeError if it cannot be used; the message says what is missing."""
    found = _devices.get(name)
    if found is None:
        ordinal = int(name.removeprefix("cuda:"))
        found = Device(ordinal, Driver(ordinal))
        _compile.compiler()  # arrays without formulas are of no use
        _devices[name] = found
    return found


# ---- streams

_of_thread = threading.local()


def current_stream():
    return getattr(_of_thread, "stream", 0)


@contextlib.contextmanager
def stream(s):
    """with warpint.stream(s): what runs inside, runs on this CUDA stream.

    s  CuPy's or torch's stream, what has __cuda_stream__, or a handle as an int; 0 is the default stream. It must live until
       the work on it is done. Memory that was used on another stream is waited for."""
    if hasattr(s, "__cuda_stream__"):
        s = s.__cuda_stream__()[1]
    for attribute in ("ptr", "cuda_stream"):
        s = getattr(s, attribute, s)
    before, _of_thread.stream = current_stream(), operator.index(s)
    try:
        yield
    finally:
        _of_thread.stream = before


# ---- limbs


class Rows:
    """The limbs of an array on a GPU, (n, limbs) of uint32: what CuPy and torch take, without a copy, by DLPack or CUDA's array
    interface."""

    __slots__ = ("memory", "shape")
    ndim = 2
    dtype = np.dtype(np.uint32)

    def __init__(self, memory, shape):
        self.memory, self.shape = memory, shape

    @property
    def device(self):
        return self.memory.device.name

    @property
    def address(self):
        return self.memory.address

    @property
    def nbytes(self):
        return 4 * self.shape[0] * self.shape[1]

    def __len__(self):
        return self.shape[0]

    def copy(self):
        made = self.memory.device.allocate(self.nbytes)
        made.copy_from(self.memory, self.nbytes)
        return Rows(made, self.shape)

    def on_host(self):
        return self.memory.read(np.empty(self.shape, np.uint32))

    @property
    def __cuda_array_interface__(self):
        data = self.address if self.nbytes else 0, False
        stream = self.memory.stream or _LEGACY
        return {"shape": self.shape, "typestr": "<u4", "data": data, "strides": None, "version": 3, "stream": stream}

    def __dlpack_device__(self):
        return _DLPACK_CUDA, self.memory.device.ordinal

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("limbs on a GPU go to that GPU: write a.to('cpu') first")
        consumer = 0 if stream in (None, _LEGACY) else stream
        if consumer not in (-1, self.memory.stream):
            self.memory.device.driver.synchronize(self.memory.stream)
        return _export(self.copy() if copy else self)


def is_on_gpu(x):
    """Whether x is memory of a GPU, by its interface."""
    if isinstance(x, np.ndarray):
        return False
    if hasattr(x, "__dlpack_device__"):
        return x.__dlpack_device__()[0] in (_DLPACK_CUDA, _DLPACK_CUDA_MANAGED)
    return hasattr(x, "__cuda_array_interface__")


def rows_of(x):
    """The limbs in memory of another library, which is shared. ValueError if they are no rows of 32 bits without gaps."""
    if isinstance(x, Rows):
        return x
    if hasattr(x, "__dlpack_device__"):
        place = device(f"cuda:{x.__dlpack_device__()[1]}")
        address, kind, shape, strides, owner = _import(x.__dlpack__(stream=current_stream() or _LEGACY))
        stream = current_stream()
    else:
        it = x.__cuda_array_interface__
        place = device(f"cuda:{getattr(getattr(x, 'device', None), 'id', 0)}")
        address, kind, shape, owner = it["data"][0], it["typestr"], tuple(it["shape"]), x
        strides = None if it.get("strides") is None else tuple(s // 4 for s in it["strides"])
        stream = it.get("stream")
        if stream is None:  # it may be used at once
            stream = current_stream()
        stream = 0 if stream == _LEGACY else stream
    if kind not in ("<u4", "<i4") or len(shape) != 2 or shape[1] == 0:
        raise ValueError("limbs are an array (n, limbs) of uint32")
    if strides not in (None, (shape[1], 1)) and shape[0] > 0:
        raise ValueError("limbs must lie in rows without gaps: copy them first")
    if address % 16:
        raise ValueError("limbs must begin on a multiple of 16 bytes: copy them first")
    return Rows(Memory(place, address, stream, 4 * shape[0] * shape[1], owner), tuple(shape))


# ---- DLPack's structures


class _Tensor(C.Structure):
    _fields_ = [
        ("data", C.c_void_p),
        ("device", C.c_int32 * 2),
        ("ndim", C.c_int32),
        ("code", C.c_uint8),
        ("bits", C.c_uint8),
        ("lanes", C.c_uint16),
        ("shape", C.POINTER(C.c_int64)),
        ("strides", C.POINTER(C.c_int64)),
        ("offset", C.c_uint64),
    ]


_Deleter = C.CFUNCTYPE(None, C.c_void_p)


class _Managed(C.Structure):
    _fields_ = [("tensor", _Tensor), ("context", C.c_void_p), ("deleter", _Deleter)]


_python = C.PyDLL(None)
_python.PyCapsule_New.restype = C.py_object
_python.PyCapsule_New.argtypes = C.c_void_p, C.c_char_p, C.c_void_p
_python.PyCapsule_IsValid.argtypes = C.c_void_p, C.c_char_p
_python.PyCapsule_GetPointer.restype = C.c_void_p
_python.PyCapsule_GetPointer.argtypes = C.c_void_p, C.c_char_p
_python.PyCapsule_SetName.argtypes = C.py_object, C.c_char_p
_NAME, _USED_NAME = b"dltensor", b"used_dltensor"  # capsules keep the address
_given = {}  # what other libraries have: the structure's address, and what must live as long


@_Deleter
def _forget(address):
    _given.pop(address, None)


@_Deleter
def _unused(capsule):
    if _python.PyCapsule_IsValid(capsule, _NAME):
        _forget(_python.PyCapsule_GetPointer(capsule, _NAME))


def _export(rows):
    shape, strides = (C.c_int64 * 2)(*rows.shape), (C.c_int64 * 2)(rows.shape[1], 1)
    managed = _Managed(deleter=_forget)
    tensor = managed.tensor
    tensor.data, tensor.ndim = rows.address, 2
    tensor.device[:] = rows.__dlpack_device__()
    tensor.code, tensor.bits, tensor.lanes = 1, 32, 1
    tensor.shape, tensor.strides = shape, strides
    address = C.addressof(managed)
    _given[address] = managed, shape, strides, rows
    return _python.PyCapsule_New(address, _NAME, C.cast(_unused, C.c_void_p))


class _Owner:
    """Another library's tensor, until nobody has it."""

    def __init__(self, managed):
        self._managed = managed

    def __del__(self):
        if self._managed.deleter:
            self._managed.deleter(C.addressof(self._managed))


def _import(capsule):
    managed = _Managed.from_address(_python.PyCapsule_GetPointer(id(capsule), _NAME))
    _python.PyCapsule_SetName(capsule, _USED_NAME)
    tensor = managed.tensor
    kind = {(0, 32, 1): "<i4", (1, 32, 1): "<u4"}.get((tensor.code, tensor.bits, tensor.lanes), "another")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
    return (tensor.data or 0) + tensor.offset, kind, shape, strides, _Owner(managed)
