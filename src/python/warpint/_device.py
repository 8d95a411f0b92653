# SPDX-License-Identifier: Apache-2.0
"""Memory of GPUs, streams, and how other libraries see the limbs there."""

import contextlib
import ctypes as C
import gc
import operator
import threading

import numpy as np

from . import _compile
from ._driver import Driver, OutOfMemory

_DLPACK_CUDA, _DLPACK_CUDA_MANAGED = 2, 13
_LEGACY, _PER_THREAD = 1, 2  # handles; DLPack and CUDA's array interface call the default stream 1, which is 0 here


class Device:
    """A GPU, the memory that was freed and is kept, and the programs that it has loaded."""

    def __init__(self, ordinal, driver):
        self.ordinal, self.name, self.driver = ordinal, f"cuda:{ordinal}", driver
        self.programs = {}
        self.lock = threading.RLock()  # of the programs: while one thread compiles, others wait
        self._kept = {}  # size: [(address, the stream that used it last)]

    def allocate(self, size):
        """Memory of at least one byte, on a multiple of 256."""
        size = 256 if size <= 256 else 1 << (size - 1).bit_length() if size <= 1 << 20 else -(-size >> 20) << 20
        kept = self._kept.setdefault(size, [])
        with contextlib.suppress(IndexError):
            return Memory(self, *kept.pop(), size)
        try:
            return Memory(self, self.driver.allocate(size), current_stream(), size)
        except OutOfMemory:
            gc.collect()
            self.release()
            return Memory(self, self.driver.allocate(size), current_stream(), size)

    def keep(self, memory):
        self._kept[memory.size].append((memory.address, memory.stream))

    def release(self):
        """Gives back the memory that no array has."""
        for of_size in list(self._kept.values()):
            with contextlib.suppress(IndexError):  # all is given back, or taken by another thread
                while True:
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
            self.driver.fill(memory.address, 0, size, memory.on(current_stream()))
        return memory


class Memory:
    """Bytes of a GPU: its own, which it keeps for others when nobody has them, or another library's."""

    __slots__ = ("device", "address", "stream", "size", "owner", "is_seen")

    def __init__(self, device, address, stream, size, owner=None):
        self.device, self.address, self.stream, self.size, self.owner = device, address, stream, size, owner
        self.is_seen = False  # by another library, which may use it in streams of its own

    def on(self, stream):
        """The stream, in which work on this memory may follow."""
        if stream != self.stream:
            self.device.driver.synchronize(self.stream.handle)
        self.stream = stream
        return stream.handle

    def read(self, values, offset=0):
        if values.nbytes:
            self.device.driver.read(values, self.address + offset, self.on(current_stream()))
        return values

    def write(self, values, offset=0):
        self.device.driver.write(self.address + offset, values, self.on(current_stream()))

    def copy_from(self, other, size):
        if size:
            other.on(current_stream())
            self.device.driver.copy(self.address, other.address, size, self.on(current_stream()))

    def __del__(self):
        if self.owner is not None:  # who may use it for other things
            self.device.driver.synchronize(self.stream.handle)
            return
        if self.is_seen:  # in which streams, is not known
            self.device.driver.synchronize_all()
        self.device.keep(self)


_devices = {}
_lock = threading.Lock()


def device(name):
    """The GPU of this name. RuntimeError if it cannot be used; the message says what is missing."""
    found = _devices.get(name)
    if found is None:
        with _lock:
            if name not in _devices:
                ordinal = int(name.removeprefix("cuda:"))
                made = Device(ordinal, Driver(ordinal))
                _compile.compiler()  # arrays without formulas are of no use
                _devices[name] = made
            found = _devices[name]
    return found


def release_memory():
    """Gives back the GPUs' memory that no array has any more; it is kept for the next arrays otherwise."""
    for gpu in list(_devices.values()):
        gpu.release()


# ---- streams


class Stream:
    """A stream's handle, and what keeps it alive: memory remembers the stream that used it last."""

    __slots__ = ("handle", "owner")
    __hash__ = None

    def __init__(self, handle, owner=None):
        self.handle, self.owner = handle, owner

    def __eq__(self, other):
        return self.handle == other.handle


_DEFAULT = Stream(0)
_of_thread = threading.local()


def current_stream():
    return getattr(_of_thread, "stream", _DEFAULT)


@contextlib.contextmanager
def stream(s):
    """with warpint.stream(s): what runs inside, runs on this CUDA stream.

    s  CuPy's or torch's stream, or what has __cuda_stream__, which then lives as long as arrays that were used on it; or a handle
       as an int, of a stream that lives as long; 0 is the default stream. It is one of the arrays' GPU. Memory that was used
       on another stream is waited for."""
    handle = s.__cuda_stream__()[1] if hasattr(s, "__cuda_stream__") else s
    for attribute in ("ptr", "cuda_stream"):
        handle = getattr(handle, attribute, handle)
    try:
        handle = operator.index(handle)
    except TypeError:
        raise TypeError(f"no stream: {s!r}; write stream(s) of CuPy's or torch's stream, or of a handle as an int") from None
    if handle == _PER_THREAD:
        raise ValueError("the default stream of each thread is many streams of one name: make a stream")
    before = current_stream()
    _of_thread.stream = Stream(handle, s) if handle not in (0, _LEGACY) else _DEFAULT
    try:
        yield
    finally:
        _of_thread.stream = before


# ---- limbs


class Rows:
    """The limbs of an array on a GPU, (n, limbs) of uint32: what CuPy and torch take, without a copy, by DLPack or CUDA's array
    interface."""

    __slots__ = ("memory", "shape", "offset")
    ndim = 2
    dtype = np.dtype(np.uint32)

    def __init__(self, memory, shape, offset=0):
        self.memory, self.shape, self.offset = memory, shape, offset

    @property
    def device(self):
        return self.memory.device.name

    @property
    def address(self):
        return self.memory.address + self.offset

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
        return self.memory.read(np.empty(self.shape, np.uint32), self.offset)

    def part(self, first, count):
        """Rows of them, of which formulas are made: the same memory."""
        return Rows(self.memory, (count, self.shape[1]), self.offset + 4 * first * self.shape[1])

    @property
    def __cuda_array_interface__(self):
        self.memory.is_seen = True
        data = self.address if self.nbytes else 0, False
        stream = self.memory.stream.handle or _LEGACY
        return {"shape": self.shape, "typestr": "<u4", "data": data, "strides": None, "version": 3, "stream": stream}

    def __dlpack_device__(self):
        return _DLPACK_CUDA, self.memory.device.ordinal

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("limbs on a GPU go to that GPU: write a.to('cpu') first")
        rows = self.copy() if copy else self
        consumer = 0 if stream in (None, _LEGACY) else stream
        if consumer not in (-1, rows.memory.stream.handle):
            rows.memory.device.driver.synchronize(rows.memory.stream.handle)
        rows.memory.is_seen = True
        return _export(rows)


def is_on_gpu(x):
    """Whether x is memory of a GPU, by its interface."""
    if isinstance(x, np.ndarray):
        return False
    if hasattr(x, "__dlpack_device__"):
        return x.__dlpack_device__()[0] in (_DLPACK_CUDA, _DLPACK_CUDA_MANAGED)
    return hasattr(x, "__cuda_array_interface__")


def rows_of(x, shares):
    """The limbs in memory of another library; `shares`: to be written, too. ValueError if they are no rows of 32 bits without
    gaps."""
    if isinstance(x, Rows):
        return x
    if hasattr(x, "__dlpack_device__"):
        place = device(f"cuda:{x.__dlpack_device__()[1]}")
        address, kind, shape, strides, owner = _import(x.__dlpack__(stream=current_stream().handle or _LEGACY))
        stream = current_stream()
    else:
        it = x.__cuda_array_interface__
        (address, is_constant), kind, shape, owner = it["data"], it["typestr"], tuple(it["shape"]), x
        if it.get("mask") is not None:
            raise ValueError("an array with a mask is no array of limbs")
        if is_constant and shares:
            raise ValueError("this memory is only to be read: write copy=True")
        place = device("cuda:0")
        if address:
            place = device(f"cuda:{place.driver.ordinal_of(address)}")
        strides = None if it.get("strides") is None else tuple(it["strides"])
        handle = it.get("stream")  # without one it may be used at once
        stream = current_stream() if handle is None else _DEFAULT if handle in (0, _LEGACY) else Stream(handle, x)
    if kind not in ("<u4", "<i4") or len(shape) != 2 or shape[1] == 0:
        raise ValueError("limbs on a GPU are an array (n, limbs) of uint32: of another one write array(x.get()) or array(x.cpu())")
    if strides is not None and 0 not in shape and any(n > 1 and s != w for n, s, w in zip(shape, strides, (4 * shape[1], 4))):
        raise ValueError("limbs lie in rows without gaps: write cupy.ascontiguousarray(x) or x.contiguous()")
    if shares and address % 16:
        raise ValueError("limbs that are shared begin on a multiple of 16 bytes: write copy=True")
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
_python.Py_IncRef.argtypes = (C.py_object,)
_NAME, _USED_NAME = b"dltensor", b"used_dltensor"  # capsules keep the address
_given = {}  # what other libraries have: the structure's address, and what must live as long


@_Deleter
def _forget(address, given=_given):
    given.pop(address, None)


@_Deleter
def _unused(capsule, python=_python, name=_NAME, given=_given):
    if python.PyCapsule_IsValid(capsule, name):
        given.pop(python.PyCapsule_GetPointer(capsule, name), None)


# Another library may let go of its tensors when this module is gone, at the end of the process.
for _kept in (_given, _forget, _unused, _NAME, _USED_NAME):
    _python.Py_IncRef(_kept)


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
    strides = tuple(tensor.strides[i] * tensor.bits // 8 for i in range(tensor.ndim)) if tensor.strides else None
    return (tensor.data or 0) + tensor.offset, kind, shape, strides, _Owner(managed)
