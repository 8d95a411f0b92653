#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the Python package on a GPU beside the same formulas in C++, and compares results with GMP's or Python's integers: two
tables in Markdown.

usage: perf/python_gpu.py [--widths 256,2048] [--elements 1000000] [--seconds 0.3] [--check 2] [--device cuda:0] [--nvcc nvcc]

compile   seconds until a formula can run that no cache has, and those when the cache has it, as in a later process; meanwhile nvcc
          compiles the programs in C++ on the other cores
one       microseconds of a formula of one element, written, computed and read
ms        milliseconds for all elements from Python, the formula's writing included: the best of the rounds that fit
          in the time; a round has enough of them to last 50 ms, and waits for the GPU at its end
G/s       10^9 elements a second, from it
C++       milliseconds of the same formula in C++ (python_gpu.cu), of other random numbers; - without nvcc
checked   elements that were compared, and how many of them were wrong; as many as --check seconds allow, the first ones at
          edges (0, 1, 2^k, 2^k - 1, moduli of 0 and 1), the others random

The second table: what CuPy and torch take to add or copy the same memory as 64-bit integers, where they are installed, and what
it takes to hand an array to them and back.

Needs gmpy2 for the comparison, or takes Python's integers, and is then slower. Ends with 1 if anything was wrong.
"""

import argparse
import concurrent.futures
import importlib
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--widths", default="256,2048", help="bits, with commas between")
arguments.add_argument("--elements", type=int, default=1_000_000)
arguments.add_argument("--seconds", type=float, default=0.3, help="for each figure")
arguments.add_argument("--check", type=float, default=2, help="seconds for the comparison of each formula")
arguments.add_argument("--device", default="cuda:0")
arguments.add_argument("--nvcc", default="nvcc", help="what compiles C++, with options")
EDGES = 512


def operands(w, n, bits, seed, least=0, odd=False):
    """n numbers of `bits` bits: some at edges, the others random; odd: these."""
    a = w.random(n, bits, seed=seed)
    if odd:
        a.limbs[EDGES:, 0] |= 1
    edges = [0, 1, 2, 3, (1 << bits) - 1, (1 << bits) - 2, 1 << bits - 1, (1 << bits - 1) - 1]
    edges += [x for k in range(0, bits, max(bits // 32, 1)) for x in (1 << k, (1 << k) - 1, (1 << bits) - (1 << k))]
    for i in range(0, min(EDGES, n), 2):  # beside random ones, in another order for each operand
        a[i] = max(edges[(i // 2 * (2 * seed + 1) + i // (2 * len(edges))) % len(edges)], least)
    return a


def formulas():
    """name, formula, operands; python_gpu.cu has them in this order."""
    return [
        ("a + b", lambda a, b: a + b, "ab"),
        ("a * b", lambda a, b: a * b, "ab"),
        ("a * b % m", lambda a, b, m: a * b % m, "abm"),
        ("a * b % M, one M", lambda a, b, M: a * b % M, "abM"),
        ("pow(a, b, o)", lambda a, b, o: pow(a, b, o), "abo"),
        ("pow(a, 65537, o)", lambda a, o: pow(a, 65537, o), "ao"),
        ("sum(a)", lambda a: a, "a"),
        ("sum(a * b % p)", lambda a, b, p: a * b % p, "abp"),
    ]


class Programs:
    """Those in C++, compiled while Python goes on."""

    def __init__(self, nvcc, architecture, widths, folder):
        self.folder, self.jobs = folder, {}
        command = nvcc.split()
        if shutil.which(command[0]) is None:
            command[0] = f"/usr/local/cuda/bin/{command[0]}"
        if shutil.which(command[0]) is None:
            return
        command += ["-std=c++20", "-O3", f"-arch={architecture}", "-w", f"-I{HERE.parent / 'include'}", str(HERE / "python_gpu.cu")]
        pool = concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 2))
        for bits in sorted(widths, reverse=True):
            for formula in range(len(formulas())):
                options = [f"-DFORMULA={formula}", f"-DBITS={bits}", "-o", self.path(formula, bits)]
                self.jobs[formula, bits] = pool.submit(subprocess.run, [*command, *options], capture_output=True, text=True, check=False)

    def path(self, formula, bits):
        return os.path.join(self.folder, f"{formula}_{bits}")

    def wait(self):
        for (formula, bits), job in self.jobs.items():
            if job.result().returncode:
                print(f"{formulas()[formula][0]} of {bits} bits in C++: {job.result().stderr[:1000]}", file=sys.__stderr__)

    def milliseconds(self, formula, bits, count):
        """None if it does not run."""
        if not os.path.exists(self.path(formula, bits)):
            return None
        done = subprocess.run([self.path(formula, bits), str(count)], capture_output=True, text=True, check=False)
        return float(done.stdout) if done.returncode == 0 else None


def timed(f):
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


def milliseconds(compute, wait, seconds):
    """Of one computation, in rounds of so many that one lasts 50 ms."""

    def round_of(count):
        for _ in range(count):
            compute()
        wait()

    round_of(2)
    count, best, end = 1, math.inf, time.perf_counter() + seconds
    while True:
        spent = timed(lambda: round_of(count))
        if spent < 0.05 and count < 10000:
            count = min(10000, max(count + 1, int(count * 0.06 / max(spent, 1e-6))))
            continue
        best = min(best, spent / count)
        if time.perf_counter() > end:
            return best * 1e3


def compared(got, faults, function, columns, seconds):
    """(elements compared, how many were wrong, the first of them)"""
    wrong, first, end = 0, None, time.perf_counter() + seconds
    for i, operands_of_one in enumerate(zip(*columns)):
        try:
            wanted = function(*operands_of_one)
        except (ZeroDivisionError, ValueError):
            wanted = None
        if faults[i] != (wanted is None) or got[i] != (wanted or 0):
            wrong += 1
            first = i if first is None else first
        if i % 64 == 0 and time.perf_counter() > end:
            return i + 1, wrong, first
    return len(got), wrong, first


class Row:
    """A formula at a width."""

    def __init__(self, w, bits, formula, on_host, device):
        self.bits, self.name, self.formula = bits, formulas()[formula][0], formulas()[formula][1]
        self.number, self.names = formula, formulas()[formula][2]
        self.is_sum = self.name.startswith("sum")
        self.values = [on_host[x] if isinstance(on_host[x], int) else on_host[x].to(device) for x in self.names]
        self.few = [x if isinstance(x, int) else w.array([x[EDGES + 1 if len(x) > EDGES + 1 else 1]], bits, device=device) for x in self.values]

    def compile(self, w, gpu):
        f = self.formula(*self.values)
        if f._value is not None:  # an array
            self.compiling = self.loading = math.nan
            return
        self.compiling = timed(lambda: w.precompile(f))
        gpu.programs.clear()
        self.loading = timed(lambda: w.precompile(f))

    def measure(self, w, device, seconds):
        if self.is_sum:
            ms = milliseconds(lambda: self.formula(*self.values).sum(), lambda: None, seconds)
            return ms, milliseconds(lambda: self.formula(*self.few).sum(), lambda: None, seconds / 2)
        bits = self.formula(*self.values).bits
        out, one = (w.zeros(len(x[0]), bits, device=device) for x in (self.values, self.few))

        def compute():
            out[:] = self.formula(*self.values)

        def compute_one():
            one[:] = self.formula(*self.few)
            one[0]

        return milliseconds(compute, lambda: out[1], seconds), milliseconds(compute_one, lambda: None, seconds / 2)

    def check(self, w, of_ints, ints, seconds):
        f = self.formula(*self.values)
        host = f.to("cpu")
        got = w.from_limbs(host.limbs, host.bits, host.signed).tolist()
        checked, wrong, first = compared(got, host.faults, of_ints, [ints[x] for x in self.names], seconds)
        if self.is_sum and f.sum() != sum(got):
            wrong, first = wrong + 1, "the sum"
        return checked, wrong, first


def other_libraries(w, a, b, seconds):
    """(what, milliseconds) of CuPy and torch, for the memory of two arrays."""
    rows = []
    for name, kind in (("cupy", "uint64"), ("torch", "int64")):
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        wait = library.cuda.Stream.null.synchronize if name == "cupy" else library.cuda.synchronize
        x, y = (library.from_dlpack(array.limbs).view(getattr(library, kind)) for array in (a, b))
        z = library.empty_like(x)
        copy = (lambda z=z, x=x, library=library: library.copyto(z, x)) if name == "cupy" else (lambda z=z, x=x: z.copy_(x))
        rows.append((f"{name}: x + y, {kind}", milliseconds(lambda library=library, x=x, y=y, z=z: library.add(x, y, out=z), wait, seconds)))
        rows.append((f"{name}: copy of x", milliseconds(copy, wait, seconds)))

        def there_and_back(library=library):
            return w.from_limbs(library.from_dlpack(a.limbs), a.bits, copy=False)

        rows.append((f"{name}: from_limbs(from_dlpack(a.limbs))", milliseconds(there_and_back, wait, seconds)))
    return rows


def main():
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="warpint-perf-") as folder:
        os.environ["WARPINT_CACHE_DIR"] = folder
        sys.exit(1 if measured(options, folder) else 0)


def measured(options, folder):
    """Whether something was wrong."""
    import warpint as w
    from warpint import _compile, _device

    try:
        from gmpy2 import mpz, powmod, version

        number, by = mpz, f"gmpy2 {version()}"
    except ImportError:
        number, powmod, by = int, pow, "Python's integers"
    gpu = _device.device(w.zeros(1, 32, device=options.device).device)
    major, minor = _compile.compiler().version
    device, n = options.device, options.elements
    widths = list(map(int, options.widths.split(",")))
    print(
        f"warpint {w.__version__}, {gpu.driver.architecture}, NVRTC {major}.{minor}, Python {sys.version.split()[0]}, {n} elements, compared with {by}"
    )
    print("\n| formula | bits | compile s | from cache s | one us | ms | G/s | C++ ms | checked | wrong |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    stderr, sys.stderr = sys.stderr, open(os.devnull, "w")  # of each compilation a line
    programs = Programs(options.nvcc, gpu.driver.architecture, widths, folder)
    rows, on_host, ints = [], {}, {}
    for bits in widths:
        of = on_host[bits] = {name: operands(w, n, bits, seed) for name, seed in (("a", 1), ("b", 2), ("m", 3))}
        of |= {"o": operands(w, n, bits, 4, odd=True), "p": operands(w, n, bits, 5, least=1), "M": (1 << bits) - 189 | 1}
        ints[bits] = {name: [number(x)] * n if isinstance(x, int) else list(map(number, x.tolist())) for name, x in of.items()}
        for formula in range(len(formulas())):
            rows.append(Row(w, bits, formula, of, device))
            rows[-1].compile(w, gpu)
    programs.wait()
    of_ints = {"pow(a, b, o)": powmod, "pow(a, 65537, o)": lambda a, o: powmod(a, 65537, o)}
    failed = False
    for row in rows:
        ms, one = row.measure(w, device, options.seconds)
        in_cpp = programs.milliseconds(row.number, row.bits, n)
        checked, wrong, first = row.check(w, of_ints.get(row.name, row.formula), ints[row.bits], options.check)
        failed = failed or wrong != 0
        compiling = "| - | - |" if math.isnan(row.compiling) else f"| {row.compiling:.1f} | {row.loading:.3f} |"
        cpp, note = "-" if in_cpp is None else f"{in_cpp:.3g}", f"{wrong}, the first at {first}" if wrong else "0"
        print(
            f"| {row.name} | {row.bits} {compiling} {one * 1e3:.0f} | {ms:.3g} | {n / ms / 1e6:.3g} | {cpp} | {checked} | {note} |", flush=True
        )
        w.release_memory()  # for the programs in C++
    print("\n| the same memory | bits | ms |\n|---|---|---|")
    for bits in widths:
        for what, ms in other_libraries(w, on_host[bits]["a"].to(device), on_host[bits]["b"].to(device), options.seconds):
            print(f"| {what} | {bits} | {ms:.3g} |")
    sys.stderr = stderr
    return failed


if __name__ == "__main__":
    main()
