#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the machine code of constant-time kernels has no secret-dependent branch or address.

Compiles number/modular/constant_time_device.cu for one architecture, disassembles it with cuobjdump (from
--cuobjdump, the PATH, the toolkit, or NVIDIA's wheels in the Python environment --environment, which is
made where it is missing) and follows secrets through each kernel's control flow graph, as
memcheck follows uninitialised bits, but over all paths:

  - secret is what is loaded from global memory; kernel parameters, constants and indices are public;
  - the results of an instruction are secret if an operand or its guard is; an unguarded instruction
    with public operands makes its results public;
  - local memory is one cell: once a secret was stored anywhere, everything loaded is secret;
  - reported are: a branch, exit, call or return whose guard or target is secret; a load or store whose
    address or guard is secret; an instruction that is not in the tables below (the tool must be
    taught what it writes).

Kernels whose names begin with leaky_ leak on purpose and must be reported. Exit status: 0 all as it
must be, 1 a leak (or an unnoticed one), 77 skipped, because a tool is missing. No claim on timing.
"""

import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent

# What instructions write, by the part of their name before the first dot.
TWO_RESULTS = {"ISETP", "UISETP", "PLOP3", "UPLOP3", "PSETP", "FSETP", "DSETP", "SHFL"}
ONE_RESULT = set("""IADD3 UIADD3 VIADD IADD IMAD UIMAD IMUL LEA ULEA LOP3 ULOP3 SHF USHF SHL SHR SEL USEL
    MOV UMOV PRMT UPRMT HFMA2 FADD FMUL FFMA MUFU I2F F2I I2FP F2FP IABS IMNMX VIMNMX UIMNMX FLO UFLO POPC
    UPOPC BREV UBREV SGXT USGXT BMSK UBMSK R2UR S2R S2UR CS2R P2R UP2R VOTE VOTEU REDUX FSEL
    LDC ULDC LDG LDL LDS LD""".split())
NO_RESULT = set("""STG STL STS ST NOP BSSY BSYNC BREAK WARPSYNC BAR MEMBAR DEPBAR LDGDEPBAR ERRBAR CCTL YIELD
    BRA BRX JMP EXIT CALL RET BPT NANOSLEEP""".split())
SECRET_LOADS = {"LDG", "LD"}
MEMORY = {"LDG", "LD", "LDL", "LDS", "LDC", "ULDC", "STG", "ST", "STL", "STS"}
CONTROL = {"BRA", "BRX", "JMP", "EXIT", "CALL", "RET", "BSYNC", "BREAK"}

LOCAL = 400  # the cell that stands for local (and shared) memory
REGISTER = re.compile(r"(?<![A-Za-z0-9_])(UR|UP|R|P)(\d+)((?:\.reuse)?)(\.64)?")
FIRST_BIT = {"R": 0, "UR": 256, "P": 330, "UP": 340}
PREDICATES = sum(1 << bit for bit in range(330, 350))

Instruction = collections.namedtuple("Instruction", "address guard base name operands text")


def bits_of(text, width=1):
    """The registers and predicates that an operand names, as a set of bits; width in registers."""
    found = 0
    for kind, number, _, pair in REGISTER.findall(text):
        count = max(width, 2 if pair or "desc[" in text and kind == "UR" else 1)
        for k in range(count if kind in ("R", "UR") else 1):
            found |= 1 << (FIRST_BIT[kind] + int(number) + k)
    if re.search(r"(?<![A-Z])PR(?![A-Z])", text):
        found |= PREDICATES
    return found


def is_predicate(operand):
    return re.fullmatch(r"!?U?P(\d+|T)", operand) is not None


def result_width(instruction):
    """Registers that its result takes."""
    name = instruction.name
    if ".128" in name:
        return 4
    if ".WIDE" in name or "64" in name or instruction.base[0] == "D":
        return 2
    return 2 if instruction.base == "CS2R" and ".32" not in name else 1


def split_results(instruction):
    """(operands written, operands read)."""
    base, operands = instruction.base, instruction.operands
    if base in NO_RESULT:
        return [], operands
    if base in TWO_RESULTS:
        return operands[:2], operands[2:]
    if base in ("R2P",):
        return operands[:1], operands[1:]
    count = 1
    if base in ("LOP3", "ULOP3") and is_predicate(operands[0]):
        count = 2
    elif base in ("VOTE", "VOTEU"):
        count = 1 if is_predicate(operands[0]) else 2
    elif base in ("IADD3", "UIADD3", "IMAD", "UIMAD", "LEA", "ULEA", "VIADD", "IADD"):
        while count < len(operands) and is_predicate(operands[count]):
            count += 1  # carries
    return operands[:count], operands[count:]


def read_bits(instruction, operands):
    """The bits that these operands read; those of a width of their own first."""
    found = 0
    registers = 0
    for operand in operands:
        width = 1
        if not is_predicate(operand):
            registers += 1
            if ".WIDE" in instruction.name and registers == 3:
                width = 2  # the addend of a wide product
            elif instruction.base in ("STL", "STG", "STS", "ST") and "[" not in operand:
                width = result_width(instruction)
            elif instruction.base[0] == "D" or "64" in instruction.name and "[" not in operand:
                width = 2
        found |= bits_of(operand, width)
    return found


def parse(disassembly):
    """{kernel: [Instruction]} from cuobjdump -sass."""
    kernels = collections.defaultdict(list)
    kernel = None
    for line in disassembly.splitlines():
        head = re.match(r"\s*Function : (\S+)", line)
        if head:
            kernel = head.group(1)
        code = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(?:@(!?U?P(?:\d+|T))\s+)?([A-Z][A-Z0-9_.]*)\s*(.*?)\s*;",
                        line)
        if code and kernel:
            address, guard, name, rest = code.groups()
            operands = [operand.strip() for operand in rest.split(",")] if rest else []
            kernels[kernel].append(Instruction(int(address, 16), guard, name.split(".")[0], name,
                                               operands, f"{name} {rest}"))
    return kernels


def installed_cuobjdump(environment):
    """cuobjdump of NVIDIA's wheels (with nvdisasm, which it runs) in a Python environment; None without."""
    folder = pathlib.Path(environment)
    python = folder / "bin/python"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], **quiet)
    if python.exists():
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20",
                        "--no-deps", "nvidia-cuda-cuobjdump", "nvidia-cuda-nvdisasm"], **quiet)
    found = sorted(folder.glob("lib/python*/site-packages/nvidia/cu*/bin/cuobjdump"))
    return str(found[0]) if found else None


def targets(instruction):
    """Addresses that a branch names."""
    return [int(operand, 16) for operand in instruction.operands if re.fullmatch(r"0x[0-9a-f]+", operand)]


def successors(instructions):
    """Indices of the instructions that may follow each instruction."""
    index = {instruction.address: i for i, instruction in enumerate(instructions)}
    returns = [i + 1 for i, instruction in enumerate(instructions) if instruction.base == "CALL"]
    result = []
    for i, instruction in enumerate(instructions):
        after = [i + 1] if i + 1 < len(instructions) else []
        always = instruction.guard in (None, "PT") and not any(
            is_predicate(operand) for operand in instruction.operands)
        if instruction.base in ("BRA", "JMP", "CALL"):
            named = [index[target] for target in targets(instruction) if target in index]
            after = named + ([] if always and named and ".DIV" not in instruction.name else after)
        elif instruction.base == "RET":
            after = returns + ([] if always else after)
        elif instruction.base == "EXIT" and always:
            after = []
        result.append(after)
    return result


def step(instruction, secret):
    """(the secrets behind the instruction, what it leaks or None)."""
    written, read = split_results(instruction)
    guard = bits_of(instruction.guard or "")
    leak = None
    if instruction.base in MEMORY:
        address = 0
        for operand in instruction.operands:
            if "[" in operand:
                address |= bits_of(operand)
        if secret & (address | guard):
            leak = "address" if secret & address else "guard of a memory access"
    if instruction.base in CONTROL and secret & (guard | read_bits(instruction, read)):
        leak = "branch"

    tainted = (secret & (read_bits(instruction, read) | guard)) != 0
    if instruction.base in ("STL", "STS", "ST"):
        return (secret | 1 << LOCAL if tainted else secret), leak
    if instruction.base in SECRET_LOADS:
        tainted = True
    elif instruction.base in ("LDL", "LDS"):
        tainted = tainted or secret >> LOCAL & 1 == 1
    results = 0
    for operand in written:
        results |= bits_of(operand, result_width(instruction))
    if tainted:
        secret |= results
    elif instruction.guard is None:
        secret &= ~results
    return secret, leak


def analyse(instructions):
    """[(instruction, what it leaks)], by iteration until nothing changes."""
    known = ONE_RESULT | TWO_RESULTS | NO_RESULT | {"R2P"}
    found = {i: "unknown instruction" for i, instruction in enumerate(instructions)
             if instruction.base not in known}
    follow = successors(instructions)
    entry = [None] * len(instructions)
    entry[0] = 0
    work = [0]
    while work:
        i = work.pop()
        after, leak = step(instructions[i], entry[i])
        if leak:
            found[i] = leak
        for j in follow[i]:
            merged = after | (entry[j] or 0)
            if merged != entry[j]:
                entry[j] = merged
                work.append(j)
    reached = sum(state is not None for state in entry)
    return [(instructions[i], found[i]) for i in sorted(found)], reached


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[:4000]}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cuobjdump", default="")
    parser.add_argument("--environment", default="")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--source", default=str(TESTS / "number/modular/constant_time_device.cu"))
    parser.add_argument("--include", default=str(TESTS.parent / "include"))
    parser.add_argument("--cubin", help="check this instead of compiling")
    parser.add_argument("--list", action="store_true", help="list all branches with their guards")
    options = parser.parse_args()

    nvcc = shutil.which(options.nvcc)
    beside = str(pathlib.Path(nvcc).resolve().parent) if nvcc else ""
    cuobjdump = shutil.which(options.cuobjdump or "cuobjdump") or shutil.which("cuobjdump", path=beside)
    if not cuobjdump and options.environment:
        cuobjdump = installed_cuobjdump(options.environment)
    if not cuobjdump or not (nvcc or options.cubin):
        print(f"skipped: {'nvcc' if cuobjdump else 'cuobjdump'} was not found")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        cubin = options.cubin or os.path.join(folder, "kernels.cubin")
        if not options.cubin:
            run([nvcc, "-std=c++20", f"-arch={options.arch}", "-cubin", f"-I{options.include}", "-o", cubin,
                 options.source])
        kernels = parse(run([cuobjdump, "-sass", cubin]))

    wrong = []
    print(f"{'kernel':<22} {'instructions':>12} {'reached':>8} {'branches':>8} {'guarded':>8} {'secret':>7}")
    for kernel, instructions in sorted(kernels.items()):
        leaks, reached = analyse(instructions)
        branches = [x for x in instructions if x.base in ("BRA", "BRX", "JMP", "CALL", "RET", "EXIT")]
        guarded = [x for x in branches if x.guard or any(map(is_predicate, x.operands))]
        print(f"{kernel:<22} {len(instructions):>12} {reached:>8} {len(branches):>8} {len(guarded):>8} "
              f"{len(leaks):>7}")
        if options.list:
            for x in branches:
                print(f"    {x.address:#06x} {'@' + x.guard if x.guard else '':<5} {x.text}")
        if kernel.startswith("leaky_") != bool(leaks):
            wrong.append(kernel)
        for instruction, leak in leaks[:5] if kernel.startswith("leaky_") else leaks:
            print(f"    {instruction.address:#06x} {leak}: "
                  f"{'@' + instruction.guard + ' ' if instruction.guard else ''}{instruction.text}")
    names = set(kernels)
    if not any(name.startswith("leaky_") for name in names) or len(names) < 2:
        wrong.append("(kernels are missing)")
    print("wrong: " + ", ".join(wrong) if wrong else f"{len(kernels)} kernels as they must be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
