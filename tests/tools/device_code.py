#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a change of the sources left the code of kernels as it was; no GPU is needed.

device_code.py record FOLDER [options for nvcc]      compiles device_code.cu to PTX and keeps what was found
device_code.py compare OLD NEW                       the kernels that differ between two such folders

A kernel is compared with all the functions it calls and its launch bounds; names of kernels, of functions,
labels and the order in the file do not count. Both folders must come from one nvcc with the same options.

Exit status of compare: 0 if all kernels are the same, else 1.
"""

import hashlib
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
GROUPS = range(11)
# As the CMake target compiles for its users.
OPTIONS = ["-std=c++20", "-O3", "-ptx", "-arch=sm_90", "-Xcicc=--Xopt,-disable-ReuseLocalMemoryPass"]

START = re.compile(r"(?:\.visible |\.weak |\.extern )*\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)")
COUNTERS = re.compile(r"__local_depot\d+|\$L__(?:BB|tmp|func_\w+?)\d+(?:_\d+)?|callseq \d+|prototype_\d+|(?<=\w)\$\d+\b")


def functions(ptx):
    """(entry or func, text) of what is defined, by mangled name."""
    found = {}
    name = None
    for line in ptx.splitlines():
        if line.lstrip().startswith("//"):
            continue
        if name is None:
            start = START.match(line)
            if start:
                kind, name, lines, opened = start.group(1), start.group(2), [], False
        if name is not None:
            lines.append(line)
            opened = opened or line.startswith("{")
            if not opened and line.endswith(";"):
                name = None  # a declaration
            elif line == "}":
                found[name] = (kind, "\n".join(lines))
                name = None
    return found


def plain(text, own, names):
    """The text with counters and names of functions replaced."""
    labels = {}
    text = COUNTERS.sub(lambda match: labels.setdefault(match.group(0), f"@{len(labels)}"), text)
    return re.sub(
        r"[\w$]+", lambda match: names.get(match.group(0), match.group(0)), text.replace(own, "@own")
    )


def hashes(ptx):
    """For every kernel: its mangled name, a hash, and counts."""
    all_functions = functions(ptx)
    known = {}

    def hash_of(name, callers=()):
        if name not in known:
            kind, text = all_functions[name]
            called = {
                word
                for word in set(re.findall(r"[\w$]+", text))
                if word in all_functions and word != name and word not in callers
            }
            names = {word: hash_of(word, callers + (name,)) for word in called}
            known[name] = hashlib.sha256(plain(text, name, names).encode()).hexdigest()[:16]
        return known[name]

    result = []
    for name, (kind, text) in all_functions.items():
        if kind != "entry":
            continue
        lines = [line.strip() for line in text.splitlines()]
        count = lambda start: sum(line.startswith(start) for line in lines)
        bounds = re.findall(r"\.(maxntid|minnctapersm) (\d+)", text)
        result.append(
            {
                "name": name,
                "hash": hash_of(name),
                "instructions": sum(line.endswith(";") and not line.startswith(".") for line in lines),
                "multiplications": count("mul") + count("mad"),
                "local": count("ld.local") + count("st.local"),
                "calls": count("call"),
                **{key: int(value) for key, value in bounds},
            }
        )
    return result


def record(folder, options):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    groups = [int(option[2:]) for option in options if re.fullmatch(r"-g\d+", option)] or GROUPS
    options = [option for option in options if not re.fullmatch(r"-g\d+", option)]

    def compile_group(group):
        ptx = folder / f"{group}.ptx"
        subprocess.run(
            ["nvcc", *OPTIONS, f"-DDEVICE_CODE_GROUP={group}", *options, f"-I{INCLUDE}"]
            + [str(HERE / "device_code.cu"), "-o", str(ptx)],
            check=True,
        )
        return hashes(ptx.read_text())

    with ThreadPoolExecutor(1) as pool:
        for group, kernels in zip(groups, pool.map(compile_group, groups)):
            (folder / f"{group}.json").write_text(json.dumps(kernels, indent=1))
            print(f"group {group}: {len(kernels)} kernels", flush=True)


def readable(names):
    text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True).stdout
    text = re.sub(r"warpint::(\w+::)*|\(anonymous namespace\)::", "", text)
    return [re.sub(r"^void |\(.*", "", line)[:200] for line in text.splitlines()]


def compare(old, new):
    differ = 0
    total = 0
    for path in sorted(Path(new).glob("*.json")):
        before = json.loads((Path(old) / path.name).read_text())
        after = json.loads(path.read_text())
        total += len(after)
        for kernel in list(after):
            twin = next((one for one in before if one["hash"] == kernel["hash"]), None)
            if twin:
                before.remove(twin)
                after.remove(kernel)
        for mark, kernels in (("-", before), ("+", after)):
            names = readable([kernel["name"] for kernel in kernels])
            for kernel, name in sorted(zip(kernels, names), key=lambda pair: pair[1]):
                counts = {key: value for key, value in kernel.items() if key not in ("name", "hash")}
                print(mark, f"group {path.stem}", name, counts)
        differ += max(len(before), len(after))
    print(f"{differ} of {total} kernels differ")
    return differ != 0


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "record":
        record(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) == 4 and sys.argv[1] == "compare":
        sys.exit(compare(*sys.argv[2:]))
    else:
        sys.exit(__doc__)
