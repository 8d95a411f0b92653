#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists what nvcc makes of each operation at each width: registers, stack, spills and instructions.

Compiles the kernels of listing.cu one by one and disassembles them with cuobjdump (from --cuobjdump,
the PATH or the toolkit). For each kernel there is a frame: the same loads and stores around exclusive
ors. "net other" is what remains of the other instructions without those of the frame, its exclusive ors
apart: thread index and addresses.

Exits with 1 if a promise is broken: no spill in add, sub, mul and sqr up to 1024 bits, and a product of
256 bits in at most 64 wide multiplications and 40 other instructions.

With --since REVISION the same is listed with the headers of that revision of the repository, and only what
differs is printed. The exit status is then 1 where registers, spills or instructions grew.
"""

import argparse
import collections
import concurrent.futures
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import revisions

HERE = pathlib.Path(__file__).resolve().parent
OPERATIONS = ["add", "sub", "mul", "sqr", "mul_low", "mul_high", "divmod", "less", "equal",
              "shift_left", "shift_right"]
WIDTHS = [128, 256, 384, 512, 1024, 2048]
UNSPILLED = {"add", "sub", "mul", "sqr"}
UNSPILLED_BITS = 1024

MEMORY = re.compile(r"^(LD|ST|ULD)")  # LDG, STG, LDL, STL, LDC, ULDC, LDS
CONTROL = {"EXIT", "BRA", "NOP", "S2R", "S2UR", "CS2R", "BSSY", "BSYNC", "RET", "CALL", "WARPSYNC",
           "BREAK", "DEPBAR"}
ADDRESS = re.compile(r", 0x[0-9a-f]+, ")  # an index times a size; no product of limbs has a constant
LOGIC = {"LOP3", "ULOP3"}


def find_cuobjdump(given, nvcc):
    """The disassembler: as given, from the PATH or from beside nvcc."""
    beside = str(pathlib.Path(shutil.which(nvcc) or nvcc).resolve().parent)
    found = given or shutil.which("cuobjdump") or shutil.which("cuobjdump", path=beside)
    if not found:
        sys.exit("listing.py: no cuobjdump: give one with --cuobjdump")
    return found


def run(command):
    """The output of a command; the program ends where it fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
    except OSError as error:
        sys.exit(f"listing.py: {error}")
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[:2000]}")
    return done.stdout


def mnemonics(disassembly):
    """{function: [mnemonic]} from cuobjdump -sass, for instance IMAD.WIDE.U32.X; "address" for a wide
    multiplication that computes one."""
    functions = collections.defaultdict(list)
    name = None
    for line in disassembly.splitlines():
        head = re.match(r"\s*Function : (\S+)", line)
        if head:
            name = head.group(1)
        code = re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P[0-9T]+\s+)?([A-Z][A-Z0-9_.]*)(.*)", line)
        if code and name:
            address = code.group(1).startswith("IMAD.WIDE") and ADDRESS.search(code.group(2))
            functions[name].append("address" if address else code.group(1))
    return functions


def summarise(instructions):
    """Counts by class."""
    count = collections.Counter()
    for full in instructions:
        base = full.split(".")[0]
        if MEMORY.match(base):
            count["memory"] += 1
        elif base in CONTROL:
            count["control"] += base != "NOP"
        elif full == "address":
            count["control"] += 1
        elif full.startswith("IMAD.WIDE.U32"):
            count["wide"] += 1
        else:
            count["other"] += 1
            count["logic"] += base in LOGIC
        count["total"] += base != "NOP"
    return count


def measure(operation, bits, options, folder, include):
    """One row of the table as a dictionary, compiled with the headers in `include`."""
    cubin = os.path.join(folder, f"{operation}_{bits}.cubin")
    log = run([options.nvcc, "-std=c++20", f"-arch={options.arch}", "-cubin", "-Xptxas", "-v",
               f"-I{include}", f"-DLISTING_OPERATION={operation}",
               f"-DLISTING_BITS={bits}", "-o", cubin, str(HERE / "listing.cu")])
    used = re.search(r"function 'kernel'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, "
                     r"(\d+) bytes spill loads.*?Used (\d+) registers", log, re.S)
    functions = mnemonics(run([options.cuobjdump, "-sass", cubin]))
    if not used or "kernel" not in functions or "frame" not in functions:
        sys.exit(f"listing.py: the output of nvcc or cuobjdump was not understood:\n{log}")
    kernel, frame = summarise(functions["kernel"]), summarise(functions["frame"])
    return {"operation": operation, "bits": bits, "registers": int(used.group(4)),
            "stack": int(used.group(1)), "spilled": int(used.group(2)) + int(used.group(3)),
            "total": kernel["total"], "wide": kernel["wide"], "other": kernel["other"],
            "memory": kernel["memory"],
            "net_other": kernel["other"] - (frame["other"] - frame["logic"]),
            "mnemonics": collections.Counter(functions["kernel"])}


COLUMNS = ("registers", "stack", "spilled", "total", "memory", "wide", "other", "net_other")
HEAD = f"{'operation':<12} {'bits':>5} {'registers':>9} {'stack':>6} {'spilled':>7} " \
       f"{'instructions':>12} {'memory':>6} {'wide':>6} {'other':>6} {'net other':>9}"


def table_line(row):
    """A row of the table; values are numbers or text."""
    widths = (9, 6, 7, 12, 6, 6, 6, 9)
    return f"{row['operation']:<12} {row['bits']:>5} " + " ".join(
        f"{row[name]:>{width}}" for name, width in zip(COLUMNS, widths))


def list_all(options, include):
    """The rows of all operations and widths, as they are done."""
    jobs = [(operation, bits) for operation in options.operations for bits in options.widths]
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        yield from pool.map(lambda job: measure(*job, options, folder, include), jobs)


def broken_promises(row):
    """Which promises a row breaks, in words."""
    name = f"{row['operation']} at {row['bits']} bits"
    if row["operation"] in UNSPILLED and row["bits"] <= UNSPILLED_BITS and row["spilled"]:
        yield f"{name} spills {row['spilled']} bytes"
    if row["operation"] == "mul" and row["bits"] == 256 and (row["wide"] > 64 or row["net_other"] > 40):
        yield (f"{name} takes {row['wide']} wide multiplications (at most 64) and "
               f"{row['net_other']} other instructions (at most 40)")


def compare(options):
    """Prints what differs since a revision; whether something grew."""
    with tempfile.TemporaryDirectory() as folder:
        before = {(row["operation"], row["bits"]): row
                  for row in list_all(options, revisions.headers(options.since, folder))}
    print(HEAD)
    changed, grown = 0, 0
    for row in list_all(options, HERE.parent / "include"):
        old = before[row["operation"], row["bits"]]
        if all(old[name] == row[name] for name in COLUMNS):
            continue
        changed += 1
        grown += any(row[name] > old[name] for name in ("registers", "spilled", "total"))
        print(table_line(row))
        print(table_line({"operation": "  change", "bits": ""} | {
            name: f"{row[name] - old[name]:+d}" if row[name] != old[name] else "" for name in COLUMNS}), flush=True)
    print(f"since {options.since}: {changed} of {len(before)} kernels differ, {grown} grew")
    return grown > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cuobjdump", default="")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--jobs", type=int, default=1, help="compilations at a time")
    parser.add_argument("--operations", nargs="*", default=OPERATIONS, choices=OPERATIONS)
    parser.add_argument("--widths", nargs="*", type=int, default=WIDTHS)
    parser.add_argument("--mnemonics", action="store_true", help="also list each kernel's instructions")
    parser.add_argument("--since", metavar="REVISION",
                        help="print only what differs since this revision, or from a folder of headers")
    options = parser.parse_args()
    version = re.search(r"release [^,]+, (\S+)", run([options.nvcc, "--version"])).group(1)
    options.cuobjdump = find_cuobjdump(options.cuobjdump, options.nvcc)
    print(f"# {datetime.date.today()}, nvcc {version}, -arch={options.arch} -std=c++20; "
          f"python3 perf/listing.py")
    print("# instructions: all but padding; memory: loads and stores of any kind; wide: products "
          "of limbs, IMAD.WIDE.U32(.X)")
    print("# net other: without what a kernel with the same loads and stores needs for addresses")
    if options.since:
        return 1 if compare(options) else 0
    print(HEAD)
    broken = []
    for row in list_all(options, HERE.parent / "include"):
        print(table_line(row), flush=True)
        if options.mnemonics:
            print("    " + ", ".join(f"{count} {name}" for name, count in row["mnemonics"].most_common()))
        broken += broken_promises(row)
    for line in broken:
        print(f"BROKEN: {line}")
    print(f"{len(broken)} promises broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
