#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the functions in which nvcc 13.0 makes one local array of two; no GPU is needed.

merged_arrays.py [--nvcc=NVCC] [--expect=NAME] SOURCE.cu [options for nvcc]

Compiles SOURCE.cu to PTX twice, as it is and with nvcc's ReuseLocalMemoryPass turned off, and lists the
functions whose code differs. Where that pass acts, nvcc 13.0 may give two arrays that are alive at the
same time one address (tests/compiler/nvcc_local_memory/README.md): whether it does depends on the
layout, so every function on the list is exposed.

Exit status:
  0   no function differs; with --expect, a function whose name contains NAME does
  1   functions differ; with --expect, no such function does: the compiler or the meaning of its
      option has changed, and a clean list means nothing
  2   SOURCE.cu does not compile
  77  skipped: nvcc was not found, is of another version than 13.0, or does not know the option
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PASS_OFF = "-Xcicc=--Xopt,-disable-ReuseLocalMemoryPass"

# Numbers that only count something in the file.
COUNTERS = re.compile(r"__local_depot\d+|\$L__(?:BB|tmp|func_\w+?)\d+(?:_\d+)?|callseq \d+|__unnamed_\d+|\$str\$?\d*")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def compile_to_ptx(nvcc, source, options):
    """nvcc's exit status, its messages and the PTX."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "source.ptx"
        done = subprocess.run(
            [nvcc, "-std=c++20", "-O3", "-ptx", *options, source, "-o", str(output)],
            capture_output=True,
            text=True,
        )
        ptx = output.read_text() if done.returncode == 0 else ""
        return done.returncode, done.stdout + done.stderr, ptx


def functions(ptx):
    """The bodies of kernels and functions by their mangled names."""
    found = {}
    name = None
    lines = []
    for line in ptx.splitlines():
        if name is None:
            start = re.match(r"(?:\.visible |\.weak )*\.(?:entry|func)\s+(?:\(.*?\)\s*)?([\w$]+)", line)
            if start:
                name, lines = start.group(1), []
        if name is not None:
            lines.append(line)
            if line.endswith(";") and not any(part.startswith("{") for part in lines):
                name = None  # a declaration
            elif line == "}":
                # Labels are numbered by function: their order stays.
                labels = {}
                found[name] = COUNTERS.sub(
                    lambda match: labels.setdefault(match.group(0), f"@{len(labels)}"), "\n".join(lines)
                )
                name = None
    return found


def readable(name):
    demangler = shutil.which("c++filt") or shutil.which("cu++filt")
    if demangler is None:
        return name
    return subprocess.run([demangler, name], capture_output=True, text=True).stdout.strip() or name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc", help="the compiler (default: nvcc)")
    parser.add_argument("--expect", metavar="NAME", help="a function that must be on the list")
    parser.add_argument("source")
    arguments, options = parser.parse_known_args()

    nvcc = shutil.which(arguments.nvcc)
    if nvcc is None:
        skip(f"{arguments.nvcc} was not found" if arguments.nvcc else "CUDA is off")
    version = re.search(r"release (\d+\.\d+)", subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout)
    if version is None or version.group(1) != "13.0":
        skip(f"this is about nvcc 13.0, and {nvcc} is {version.group(1) if version else 'of an unknown version'}")

    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(compile_to_ptx, nvcc, arguments.source, [*options, *extra]) for extra in ([], [PASS_OFF])
        ]
    (status, messages, default_ptx), (status_off, messages_off, ptx_off) = (run.result() for run in runs)
    if status != 0:
        print(messages)
        return 2
    if status_off != 0:
        skip(f"nvcc does not know {PASS_OFF}:\n{messages_off}")

    default, off = functions(default_ptx), functions(ptx_off)
    if not default:
        print(f"{arguments.source} has no function")
        return 2
    differing = [name for name in sorted(default.keys() | off.keys()) if default.get(name) != off.get(name)]
    for name in differing:
        print(f"arrays are merged in {readable(name)}")
    print(f"{Path(arguments.source).name} {' '.join(options)}: {len(default)} functions, {len(differing)} with merged arrays")
    if arguments.expect is not None:
        return 0 if any(arguments.expect in name for name in differing) else 1
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
