#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether kernels stand apart from hosts' code, so that a run-time compiler can take them.

kernel_headers.py COMPILER INCLUDE               checks the tree INCLUDE/warpint
kernel_headers.py COMPILER INCLUDE --self-test   checks that planted violations are reported; INCLUDE is not looked at

- __global__ stands in headers of folders `kernels` only, and these launch nothing.
- With what it includes, each of these headers can be read as NVRTC reads it: alone, where the standard library has no
  more than FREESTANDING. (COMPILER reads it here, told that it is NVRTC.)
- What is left then neither throws nor names what only hosts have.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

# What libcu++ has for GPUs too.
FREESTANDING = "bit cfloat concepts cstddef cstdint type_traits utility".split()
PRETENDED = ["-D__CUDACC__", "-D__CUDACC_RTC__", "-D__CUDA_ARCH__=900"]
WORDS = re.compile(
    r"\b(?:throw|try|catch|new|thread_local|typeid|dynamic_cast"
    r"|std\s*::\s*(?:(?:basic_)?string(?:_view)?|vector|array|span|optional|function|any|variant|map|list|format"
    r"|(?:unique|shared|weak)_ptr|make_(?:unique|shared)|allocator|atomic|mutex|lock_guard|thread|(?:basic_)?[io]?stringstream"
    r"|(?:basic_)?[io]stream|c(?:out|err|in)|exception|\w+_error|invalid_argument|out_of_range|bad_\w+|numeric_limits"
    r"|chrono|to_string|f?printf|abort|malloc)"
    r"|cuda(?:[A-Z]\w*|\w+_t))\b"
)
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
LAUNCHES = re.compile(r"<<<|\bcudaLaunch\w*")
MARKER = re.compile(r'# (\d+) "([^"]*)"')


def preprocess(compiler, include, header, standard):
    command = [compiler, "-std=c++20", "-E", "-x", "c++", "-nostdinc", "-nostdinc++", "-isystem", str(standard)]
    return subprocess.run(
        [*command, f"-I{include}", *PRETENDED, "-"], input=f"#include <{header}>\n", capture_output=True, text=True
    )


def words_in(text, include):
    """(file:line, word) of what only hosts have in preprocessed text."""
    file, line = "", 0
    for each in text.splitlines():
        marker = MARKER.match(each)
        if marker:
            file, line = marker.group(2), int(marker.group(1))
            continue
        for word in WORDS.findall(LITERALS.sub('""', each)):
            name = Path(file).resolve()
            yield f"{name.relative_to(include) if name.is_relative_to(include) else name}:{line}", word
        line += 1


def violations(compiler, include):
    include = Path(include).resolve()
    found = []
    kernels = []
    for path in sorted((include / "warpint").rglob("*.h")):
        name = path.relative_to(include).as_posix()
        text = LITERALS.sub('""', COMMENTS.sub("", path.read_text()))
        if path.parent.name == "kernels":
            kernels.append(name)
            if LAUNCHES.search(text):
                found.append(f"{name}: launches a kernel")
        elif "__global__" in text:
            found.append(f"{name}: has a kernel, which belongs in a folder `kernels`")
    if not kernels:
        found.append("there is no header in a folder `kernels`")
    with tempfile.TemporaryDirectory() as standard:
        for header in FREESTANDING:
            Path(standard, header).write_text("")
        seen = set()
        for name in kernels:
            result = preprocess(compiler, include, name, standard)
            if result.returncode != 0:
                found.append(f"{name}: {result.stderr.strip()}")
            for place, word in words_in(result.stdout, include):
                if (place, word) not in seen:
                    seen.add((place, word))
                    found.append(f"{name}: {place} has {word}")
    return found


def self_test(compiler):
    failed = []

    def expect(expected, files):
        with tempfile.TemporaryDirectory() as include:
            for name, text in files.items():
                path = Path(include, "warpint", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = violations(compiler, include)
            if len(found) != (expected is not None) or (expected is not None and not re.search(expected, found[0])):
                failed.append(f"{files} should give {expected}, gave {found}")

    kernel = "execution/kernels/one.h"
    guarded = "#if !defined(__CUDACC_RTC__)\n#include <string>\nstd::string f() { throw 1; }\n#endif\n"
    clean = {kernel: "#include <cstdint>\n__global__ void k() {}\n"}
    expect(None, clean)
    expect(None, {kernel: '#include "../../number.h"\n', "number.h": guarded})
    expect(None, {kernel: '// throw\nconst char *text = "std::string";\n'})
    expect(None, clean | {"execution/launch.h": "#include <vector>\nvoid f() { k<<<1, 1>>>(); throw 1; }\n"})
    expect("no header in a folder", {"number.h": guarded})
    expect("launch.h: has a kernel", clean | {"execution/launch.h": "__global__ void other() {}\n"})
    expect("one.h: launches", {kernel: "void f() { k<<<1, 1>>>(); }\n"})
    expect("string", {kernel: "#include <string>\n"})
    expect("number.h.*vector", {kernel: '#include "../../number.h"\n', "number.h": "#include <vector>\n"})
    expect("number.h:2 has throw", {kernel: '#include "../../number.h"\n', "number.h": "\nvoid f() { throw 1; }\n"})
    expect("has std::shared_ptr", {kernel: "std::shared_ptr<int> x;\n"})
    expect("has std::domain_error", {kernel: "using E = std::domain_error;\n"})
    expect("has thread_local", {kernel: "thread_local int x;\n"})
    expect("has cudaStream_t", {kernel: "void f(cudaStream_t);\n"})
    return failed


def main():
    if len(sys.argv) < 3 or sys.argv[3:] not in ([], ["--self-test"]):
        sys.exit(__doc__)
    found = self_test(sys.argv[1]) if sys.argv[3:] else violations(sys.argv[1], sys.argv[2])
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
