# SPDX-License-Identifier: Apache-2.0
"""Text to code for a GPU, by NVRTC, kept in a cache."""

import atexit
import contextlib
import ctypes as C
import functools
import hashlib
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LEAST = (13, 3)  # 13.0 compiles some kernels wrong; from 13.3 on it brings the headers with it
INSTALL = (
    "pip install 'warpint[cuda13]' (nvidia-cuda-nvrtc 13.3 or newer); where another package holds that back, set WARPINT_NVRTC to the "
    "libnvrtc.so.13 of another folder"
)
HEADERS = Path(__file__).resolve().parent / "include"
# What kernels use of the standard library forwards to libcu++.
STANDARD = {
    name: f"#pragma once\n#include <cuda/std/{name}>\nnamespace std {{\nusing namespace cuda::std;\n}}\n"
    for name in ("bit", "concepts", "cstddef", "cstdint", "type_traits", "utility")
} | {
    "cfloat": "#pragma once\n#define FLT_MANT_DIG 24\n#define FLT_MAX_EXP 128\n#define DBL_MANT_DIG 53\n#define DBL_MAX_EXP 1024\n"
    "#define LDBL_MANT_DIG DBL_MANT_DIG\n#define LDBL_MAX_EXP DBL_MAX_EXP\n"
}
_MAGIC = b"warpint 1\n"


class CompileError(RuntimeError):
    """NVRTC refused the text of a formula; its messages follow."""


def cache_folder():
    """WARPINT_CACHE_DIR, or ~/.cache/warpint."""
    given = os.environ.get("WARPINT_CACHE_DIR")
    return Path(given) if given else Path(os.path.expanduser("~"), ".cache", "warpint")


def _found():
    given = os.environ.get("WARPINT_NVRTC")
    if given:
        return [given]
    in_packages = [Path(folder, "nvidia/cu13/lib/libnvrtc.so.13") for folder in sys.path]
    return [str(path) for path in in_packages if path.exists()] + ["libnvrtc.so.13"]


class Compiler:
    """NVRTC: the first that is found and new enough. RuntimeError if there is none."""

    def __init__(self):
        old = None
        for path in _found():
            try:
                library = C.CDLL(path)
            except OSError:
                continue
            major, minor = C.c_int(), C.c_int()
            library.nvrtcVersion(C.byref(major), C.byref(minor))
            self.version = (major.value, minor.value)
            if self.version >= LEAST:
                break
            old = f"{path} is NVRTC {major.value}.{minor.value}, too old to compile formulas for GPUs"
        else:
            raise RuntimeError(f"{old or 'no NVRTC, which compiles formulas for GPUs'}: {INSTALL}")
        self._library = library
        self._options = []
        self._folder, self._lock = None, threading.Lock()

    def keep_headers(self, folder):
        """Formulas that this process compiles from now on read the headers once: a file of 290 MB in `folder`, which exists,
        and a GiB of addresses. The caller removes it."""
        self._check(self._library.nvrtcSetPCHHeapSize(C.c_size_t(1 << 30)))
        self._options = ["--pch", f"--pch-dir={folder}"]

    def compile(self, text, names, architecture):
        """(code, symbols of the name expressions): a cubin for "sm_90", PTX for "compute_90"."""
        library, program = self._library, C.c_void_p()
        count = len(STANDARD)
        texts, files = ((C.c_char_p * count)(*(x.encode() for x in of)) for of in (STANDARD.values(), STANDARD))
        self._check(library.nvrtcCreateProgram(C.byref(program), text.encode(), b"formula.cu", count, texts, files))
        try:
            for name in names:
                self._check(library.nvrtcAddNameExpression(program, name.encode()))
            folder = self._bundled()
            options = ["-std=c++20", "-default-device", f"-arch={architecture}", f"-I{HEADERS}", f"-I{folder}/cccl", f"-I{folder}", *self._options]
            code = library.nvrtcCompileProgram(program, len(options), (C.c_char_p * len(options))(*(x.encode() for x in options)))
            if code:
                log = self._get(program, "ProgramLog").decode(errors="replace").rstrip("\0\n")
                raise CompileError(f"NVRTC {self.version[0]}.{self.version[1]}: {log}\n--- the text\n{text}")
            symbols = []
            for name in names:
                symbol = C.c_char_p()
                self._check(library.nvrtcGetLoweredName(program, name.encode(), C.byref(symbol)))
                symbols.append(symbol.value.decode())
            return self._get(program, "CUBIN" if architecture.startswith("sm_") else "PTX"), symbols
        finally:
            library.nvrtcDestroyProgram(C.byref(program))

    def cached(self, parts, architecture):
        """As compile() of each text with its names, from the cache if it was compiled before. Says on stderr that it compiles: the
        texts side by side."""
        paths = []
        for text, names in parts:
            key = hashlib.sha256(repr((text, names, architecture, self.version, hash_of_headers())).encode()).hexdigest()[:40]
            paths.append(cache_folder() / f"{key}.bin")
        made = list(map(_read, paths))
        missing = [i for i, found in enumerate(made) if found is None]
        if not missing:
            return made
        print(f"warpint: compiling a formula for {architecture} ...", end="", file=sys.stderr, flush=True)
        start = time.perf_counter()
        try:
            with ThreadPoolExecutor(len(missing)) as threads:
                for i, one in zip(missing, threads.map(lambda i: self.compile(*parts[i], architecture), missing)):
                    made[i] = one
        except BaseException:
            print(" failed", file=sys.stderr, flush=True)
            raise
        seconds = time.perf_counter() - start
        kept = [_write(paths[i], *made[i]) for i in missing]
        where = f"kept in {cache_folder()}" if all(kept) else f"not kept: {cache_folder()} cannot be written"
        print(f" {seconds:.1f} s, {where}", file=sys.stderr, flush=True)
        return made

    def _bundled(self):
        """The folder of CUDA's own headers, which NVRTC writes: into the cache, or where it can."""
        with self._lock:
            if self._folder is None or not self._folder.is_dir():
                kept = cache_folder() / f"nvrtc-{self.version[0]}.{self.version[1]}"
                self._folder = kept if kept.is_dir() or self._install(kept) else self._installed_for_now()
            return self._folder

    def _install(self, folder):
        """Whether the folder is there afterwards. It comes whole: another process may do the same, or read it."""
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix="nvrtc-", ignore_cleanup_errors=True) as own:
                if self._write_headers(f"{own}/headers"):
                    with contextlib.suppress(OSError):  # another one was first
                        os.rename(f"{own}/headers", folder)
            return folder.is_dir()
        except OSError:
            return False

    def _installed_for_now(self):
        with contextlib.suppress(OSError):
            folder = tempfile.mkdtemp(prefix="warpint-")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            if self._write_headers(f"{folder}/headers"):
                return Path(folder, "headers")
        raise RuntimeError(
            f"NVRTC cannot write its headers, 26 MB, to {cache_folder()}, nor to a temporary folder: set WARPINT_CACHE_DIR to a "
            "folder that can be written"
        )

    def _write_headers(self, folder):
        os.mkdir(folder)
        error, skip_if_there = C.c_char_p(), 1
        return self._library.nvrtcInstallBundledHeaders(folder.encode(), C.c_uint(skip_if_there), C.byref(error)) == 0

    def _get(self, program, what):
        size = C.c_size_t()
        self._check(getattr(self._library, f"nvrtcGet{what}Size")(program, C.byref(size)))
        room = C.create_string_buffer(size.value)
        self._check(getattr(self._library, f"nvrtcGet{what}")(program, room))
        return room.raw

    def _check(self, code):
        if code:
            self._library.nvrtcGetErrorString.restype = C.c_char_p
            raise CompileError(f"NVRTC: {self._library.nvrtcGetErrorString(code).decode()}")


@functools.cache
def compiler():
    return Compiler()


@functools.cache
def hash_of_headers():
    """Of the library's headers: others are other kernels."""
    found = hashlib.sha256(repr(sorted(STANDARD.items())).encode())
    for path in sorted(HEADERS.rglob("*.h")):
        found.update(f"{path.relative_to(HEADERS)}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _read(path):
    """What _write() wrote; None if it is not there, or is not that."""
    try:
        content = path.read_bytes()
        head, digest, rest = content[: len(_MAGIC)], content[len(_MAGIC) : len(_MAGIC) + 32], content[len(_MAGIC) + 32 :]
        if head != _MAGIC or hashlib.sha256(rest).digest() != digest:
            return None
        line, code = rest.split(b"\n", 1)
        return code, json.loads(line)
    except (OSError, ValueError):
        return None


def _write(path, code, symbols):
    """Whether it could be written: whole, or not at all."""
    rest = json.dumps(symbols).encode() + b"\n" + code
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = tempfile.NamedTemporaryFile(dir=path.parent, delete=False)
    except OSError:
        return False
    try:
        with file:
            file.write(_MAGIC + hashlib.sha256(rest).digest() + rest)
        os.replace(file.name, path)
        return True
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(file.name)
        return False
