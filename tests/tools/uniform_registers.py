#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds where ptxas lets some threads of a warp overwrite a uniform register that the others still read.

uniform_registers.py [options] FILE...   .cubin files, executables with device code, and nvdisasm -c's text
uniform_registers.py [options] SOURCE.cu [options for nvcc]
uniform_registers.py --self-test

A warp has one set of uniform registers (UR0, ...). Where its threads go two ways at a branch, one way runs
after the other, and what the first writes into a uniform register is there for the second: a write is
right only where the other threads do not read the register's old value, then or after they have met again.
ptxas does it wrong in some functions with early returns (tests/compiler/uniform_registers/README.md).

Machine code for sm_75 to sm_90 is disassembled (by cuobjdump and nvdisasm from the PATH, the toolkit, or
NVIDIA's wheels in the Python environment --environment, which is made where it is missing), and in every
kernel with its functions:

  - a branch is divergent if its condition depends on the thread: on its index, on what it loads from its
    own or a generic address, on what other threads did, or on which way it came. Kernel parameters,
    constants, block indices and loads from one address are the same for all. Memory that the compiler
    spills registers to is followed, other local memory is not;
  - the ways of a branch end where they meet: at the nearest point that all ways to the end pass, or at the
    BSYNC of a barrier that was set before the branch;
  - reported is a uniform register that is written on one way and of which another way, or what follows
    their meeting, reads the value from before; unless both values are the same constant.

A report is a fault if the threads of a warp can differ at that branch, which only the source tells: a
condition may be equal for reasons that machine code does not show, such as a local copy of a parameter.

Exit status: 0 nothing is reported, 1 something is, 2 a source does not compile or an instruction is unknown,
77 skipped because a tool is missing.
"""

import argparse
import itertools
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import sass_taint
from sass_taint import bits_of, installed_cuobjdump, is_predicate

ARCHITECTURES = re.compile(r"\.sm_(75|80|86|87|89|90)a?\.cubin$")  # those whose instructions the tables below have
LINE = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(?:@(!?U?P(?:\d|T))\s+)?([A-Z][A-Z0-9_.]*)\s*(.*?)\s*;")
LABEL = re.compile(r"([.$\w]+):\s*$")
TARGETS = re.compile(r'BRANCH_TARGETS ([^"]*)"')
SAME_PREDICATE = re.compile(r"PLOP3\.LUT (P\d), PT, PT, PT, (UP\d), 0x80, 0x0")
NAMED = re.compile(r"`\((.*?)\)")

UNIFORM = bits_of(" ".join(f"UR{i}" for i in range(64)) + " " + " ".join(f"UP{i}" for i in range(7)))
PREDICATES = bits_of(" ".join(f"P{i}" for i in range(7)))
VECTOR = bits_of(" ".join(f"R{i}" for i in range(255))) | PREDICATES

# What instructions write, beyond what sass_taint.py knows: nothing, two operands, one and the carries after it; one
# if they are not listed.
NO_RESULT = sass_taint.NO_RESULT | set("""RED REDG REDS ENDCOLLECTIVE LDGSTS CGAERRBAR CCTLL BRXU JMX KILL ACQBULK
    PREEXIT FENCE UBLKCP UBLKPF UBLKRED UTMALDG UTMASTG UTMAPF UTMACCTL UTMACMDFLUSH UTMAREDG UCGABAR_ARV
    UCGABAR_WAIT USETMAXREG SYNCS""".split())
TWO_RESULTS = sass_taint.TWO_RESULTS | {"HSETP2", "ATOMG", "ATOM"}
CARRIES = set("IADD3 UIADD3 IMAD UIMAD LEA ULEA VIADD IADD LOP3 ULOP3 VOTE VOTEU MATCH".split())
# The uniform instructions that the tables cover: of others it is not known what they write.
UNIFORM_NAMES = set("""ULDC UMOV UIADD3 UIMAD ULEA USHF ULOP3 USEL UFLO UPOPC UBMSK UBREV USGXT UPRMT UIABS UIMNMX
    UISETP UPLOP3 UP2UR UR2UP ULEPC UVIADD UVIMNMX""".split())
DIVERGENT = set("S2R CS2R LDL LD ATOM ATOMG ATOMS SHFL MATCH B2R LDSM LEPC".split())
STORES = set("STG STL STS ST RED REDG REDS".split())
SAME_FOR_ALL = re.compile(r"SR_(?:CTAID|NCTAID|NTID|CgaCtaId|CLOCK|.*CTAID)|SRZ")

ENDS = {"BRA", "BRX", "BRXU", "JMP", "JMX", "EXIT", "KILL", "RET", "CALL"}


class Instruction:
    """One line: what it reads and writes as sets of bits, and whether its results differ between threads."""

    def __init__(self, address, guard, name, rest):
        rest, _, comment = rest.partition("(*")
        rest = rest.rstrip()
        self.address, self.name, self.rest = address, name, rest
        self.guard = None if guard in ("PT", "UPT") else guard
        self.base = name.split(".")[0]
        self.operands = [operand.strip() for operand in rest.split(",")] if rest else []
        self.spill = "SpillRefill" in comment
        self.targets = NAMED.findall(rest)[:1]
        listed = TARGETS.search(comment)
        if listed:
            self.targets = listed.group(1).split(",")
        self.known = self.base[0] != "U" or self.base in UNIFORM_NAMES or self.base in NO_RESULT

        count = self.results()
        wide = self.width()
        self.written = 0
        for operand in self.operands[:count]:
            self.written |= bits_of(operand, 1 if is_predicate(operand) else wide)
        if self.base == "UR2UP":
            self.written = UNIFORM & bits_of(" ".join(f"UP{i}" for i in range(7)))
        self.condition = bits_of(self.guard or "")
        self.read = self.condition
        registers = 0
        for operand in self.operands[count:]:
            pair = 1
            if not is_predicate(operand):
                registers += 1
                data = self.base in STORES and "[" not in operand
                if self.base in ("F2I", "I2F"):
                    pair = 2 if re.search("F64" if self.base == "F2I" else "[US]64", self.name) else 1
                elif data or self.base[0] == "D" or (wide == 2 and "[" not in operand and ".WIDE" not in self.name):
                    pair = wide
                elif (".WIDE" in self.name and registers == 3) or self.base in ("RET", "BRX", "JMX"):
                    pair = 2
            elif self.base in ("BRA", "JMP"):
                self.condition |= bits_of(operand)
            self.read |= bits_of(operand, pair)
        if self.base in ("BRX", "JMX"):
            self.condition |= self.read
        if "PR" in self.operands:  # all predicates, and no uniform one
            self.read &= VECTOR
            self.written &= VECTOR
        self.divergent = self.base in DIVERGENT and not SAME_FOR_ALL.search(rest)
        self.slots = []
        if self.spill:
            start = re.search(r"\[R1(?:\+(0x[0-9a-f]+))?\]", rest)
            if start:
                self.slots = [int(start.group(1) or "0", 16) + 4 * i for i in range(wide)]
                self.divergent = False

    def results(self):
        """How many operands are results."""
        if self.base in NO_RESULT or not self.operands:
            return 0
        count = 1
        if self.base in TWO_RESULTS:
            return 2 if self.base != "ATOMG" or is_predicate(self.operands[0]) else 1
        if self.base in CARRIES:
            first = is_predicate(self.operands[0])
            while count < len(self.operands) and is_predicate(self.operands[count]) and count < (2 if first else 3):
                count += 1
            if self.base in ("VOTE", "VOTEU", "MATCH") and first:
                count = 1
        return count

    def width(self):
        """How many registers its first result, or what it stores, takes."""
        if ".128" in self.name:
            return 4
        if self.base in ("SHF", "USHF", "LEA", "ULEA", "MUFU", "ISETP", "UISETP"):
            return 1
        if self.base in ("F2I", "I2F"):
            return 2 if re.search(r"[US]64" if self.base == "F2I" else "F64", self.name) else 1
        return 2 if re.search(r"\.WIDE|64", self.name) or self.base[0] == "D" or self.base == "CS2R" else 1

    def conditional(self):
        return self.guard is not None or ".DIV" in self.name or ".CONV" in self.name or (
            self.base in ("BRA", "JMP") and any(map(is_predicate, self.operands)))

    def copies(self):
        return self.base in ("MOV", "UMOV") or self.base == "IMAD" and self.operands[1:3] == ["RZ", "RZ"]

    def constant(self):
        """Its text if the result is the same wherever it runs."""
        if self.guard is None and self.base in ("ULDC", "UMOV") and self.read == 0:
            return f"{self.name} {self.rest}"
        return None


def parse(lines):
    """Yields (instructions, {label: index}) of each section of nvdisasm -c's text."""
    instructions, labels = [], {}
    for line in lines:
        if line.lstrip().startswith(".section"):
            if instructions:
                yield instructions, labels
            instructions, labels = [], {}
            continue
        code = LINE.match(line)
        if code:
            instructions.append(Instruction(int(code.group(1), 16), *code.group(2, 3, 4)))
            continue
        label = LABEL.match(line)
        if label:
            labels[label.group(1)] = len(instructions)
    if instructions:
        yield instructions, labels


class Block:
    def __init__(self, function, first, last):
        self.function, self.first, self.last = function, first, last  # instructions [first, last)
        self.after, self.before = [], []
        self.callee = None
        self.written = 0  # with what a function that it calls writes
        self.must = self.read = 0  # surely written; read before that
        self.live = 0  # registers read from here on
        self.state = None  # at its begin: registers that differ between threads, uniform ones that hold something
        self.joins = 0  # those that differ because threads came here on different ways
        self.meet = None  # the nearest block that all ways to the function's end pass


class Function:
    def __init__(self, entry, name):
        self.entry, self.name = entry, name
        self.blocks = []
        self.written = 0
        self.own = self.passed = 0  # live at entry for itself; what lives on through it
        self.live_after = 0
        self.leaves = None  # registers that differ between threads at its end
        self.joins = 0
        self.calls = []
        self.source = False  # it, or what it calls, has results that differ for equal operands
        self.slots = set()  # spill slots whose contents differ


class Section:
    """A kernel with its functions."""

    def __init__(self, instructions, labels):
        self.code = instructions
        self.follow(labels)
        self.find_meetings()
        self.find_live()
        self.find_divergence()

    def follow(self, labels):
        """Functions, blocks and the ways between them."""
        code = self.code
        entries = {index: name for name, index in labels.items() if not name.startswith(".L_") and index < len(code)}
        entries.setdefault(0, "?")
        starts = set(entries)
        for index, instruction in enumerate(code):
            starts.update(labels[target] for target in instruction.targets if target in labels)
            if instruction.base in ENDS:
                starts.add(index + 1)
            if instruction.base in ("BSYNC", "WARPSYNC"):
                starts.add(index)
        starts = sorted(start for start in starts if start < len(code))
        self.functions, self.blocks, at, function = {}, [], {}, None
        for first, last in zip(starts, starts[1:] + [len(code)]):
            if first in entries:
                function = self.functions[first] = Function(first, entries[first])
            at[first] = Block(function, first, last)
            self.blocks.append(at[first])
            function.blocks.append(at[first])
        for block in self.blocks:
            last = code[block.last - 1]
            goals = [at[labels[target]] for target in last.targets if target in labels and labels[target] in at]
            falls = True
            if last.base == "CALL":
                block.callee = self.functions.get(goals[0].first) if goals else None
                if block.callee:
                    block.callee.calls.append(block)
            elif last.base in ENDS:
                falls = last.conditional()
                if last.base not in ("EXIT", "KILL", "RET"):
                    block.after = [goal for goal in dict.fromkeys(goals) if goal.function is block.function]
            following = at.get(block.last)
            if falls and following and following.function is block.function and following not in block.after:
                block.after.append(following)
            for goal in block.after:
                goal.before.append(block)

    def find_meetings(self):
        """Block.meet: immediate postdominators (Cooper, Harvey, Kennedy)."""
        for function in self.functions.values():
            order, seen = [], set()
            ends = [block for block in function.blocks if not block.after or
                    self.code[block.last - 1].base in ("EXIT", "RET", "KILL")]
            final = set(ends)
            for root in ends + function.blocks:  # the latter: endless loops
                if root in seen:
                    continue
                final.add(root)
                seen.add(root)
                stack = [(root, iter(root.before))]
                while stack:
                    block, rest = stack[-1]
                    for earlier in rest:
                        if earlier not in seen:
                            seen.add(earlier)
                            stack.append((earlier, iter(earlier.before)))
                            break
                    else:
                        order.append(block)
                        stack.pop()
            number = {block: index for index, block in enumerate(order)}
            end = len(order)  # behind all returns
            nearest = [None] * end + [end]
            changed = True
            while changed:
                changed = False
                for index in range(end - 1, -1, -1):
                    block = order[index]
                    new = end if block in final else None
                    for goal in block.after:
                        other = number[goal]
                        if nearest[other] is None:
                            continue
                        if new is None:
                            new = other
                        while new != other:
                            while new < other:
                                new = nearest[new]
                            while other < new:
                                other = nearest[other]
                    if new != nearest[index]:
                        nearest[index] = new
                        changed = True
            for index, block in enumerate(order):
                block.meet = order[nearest[index]] if nearest[index] not in (None, end) else None

    def scan(self, block):
        """What a block writes surely, and what it reads before that.

        What is written under a guard is not what is read under the same guard. ptxas also copies such a
        register without a guard, and uses the copy only under one: then the copying is no reading.
        """
        under = {}
        copies, used = {}, set()  # {bits of a copy: bits of the register}; those used under a guard
        for instruction in self.code[block.first:block.last]:
            read = instruction.read & ~block.must
            if instruction.guard is None:
                for copy in [copy for copy in copies if copy & instruction.read]:
                    read |= copies.pop(copy)
                if instruction.copies():
                    for written in under.values():
                        if read & written:
                            copies[instruction.written] = read & written
                            read &= ~written
            else:
                read &= ~under.get(instruction.guard, 0)
                used.update(copy for copy in copies if copy & instruction.read)
            block.read |= read
            block.written |= instruction.written
            under = {guard: bits for guard, bits in under.items() if not bits_of(guard) & instruction.written}
            same = SAME_PREDICATE.fullmatch(f"{instruction.name} {instruction.rest}")
            if same and same.group(2) in under:
                under[same.group(1)] = under[same.group(2)]
            if instruction.guard is None:
                block.must |= instruction.written
            else:
                under[instruction.guard] = under.get(instruction.guard, 0) | instruction.written
        for copy in copies.keys() - used:
            block.read |= copies[copy]

    def find_live(self):
        """What functions write, and Block.live."""
        code = self.code
        for block in self.blocks:
            self.scan(block)
            for instruction in code[block.first:block.last]:
                block.function.source = block.function.source or instruction.divergent
            block.function.written |= block.written
        changed = True
        while changed:
            changed = False
            for function in self.functions.values():
                for block in function.calls:
                    caller = block.function
                    new = caller.written | function.written, caller.source or function.source
                    if new != (caller.written, caller.source):
                        caller.written, caller.source = new
                        changed = True
        for block in self.blocks:
            if block.callee:
                block.written |= block.callee.written

        def solve(function, at_end, reads=True):
            for block in function.blocks:
                block.live = 0
            work = list(function.blocks)
            while work:
                block = work.pop()
                live = at_end if code[block.last - 1].base == "RET" else 0
                for goal in block.after:
                    live |= goal.live
                if block.callee:
                    # What a call may change and may leave alone is of no use behind it.
                    live &= block.callee.passed & ~block.callee.written
                    live |= block.callee.own if reads else 0
                live &= ~block.must
                live |= block.read if reads else 0
                if live != block.live:
                    block.live = live
                    work.extend(block.before)
            return function.blocks[0].live

        changed = True
        while changed:
            changed = False
            for function in self.functions.values():
                own, passed = solve(function, 0), solve(function, UNIFORM | VECTOR, False)
                if (own, passed) != (function.own, function.passed):
                    function.own, function.passed = own, passed
                    changed = True
        changed = True
        while changed:
            changed = False
            for function in self.functions.values():
                function.live_after = 0
                for block in function.calls:
                    for goal in block.after:
                        function.live_after |= goal.live
                function.live_after &= ~(function.passed & function.written)
                before = [block.live for block in function.blocks]
                solve(function, function.live_after)
                changed = changed or before != [block.live for block in function.blocks]

    def find_divergence(self):
        """Block.state, and the branches at which threads may part."""
        self.divergent = {}  # with the uniform registers that may have been written before
        work = []

        def reach(block, state):
            state |= block.joins
            if block.state is None or state & ~block.state:
                block.state = state | (block.state or 0)
                work.append(block)

        called = {id(block.callee) for block in self.blocks if block.callee}
        for function in self.functions.values():
            if id(function) not in called:
                reach(function.blocks[0], 0)
        while work:
            block = work.pop()
            state, function = block.state, block.function
            for index in range(block.first, block.last):
                instruction = self.code[index]
                differs = instruction.divergent or instruction.base != "VOTE" and state & instruction.read & VECTOR
                if instruction.slots:
                    if instruction.written:
                        differs = differs or not function.slots.isdisjoint(instruction.slots)
                    elif differs and not function.slots.issuperset(instruction.slots):
                        function.slots.update(instruction.slots)
                        work.extend(other for other in function.blocks if other.state is not None)
                if differs:
                    state |= instruction.written & VECTOR
                elif instruction.guard is None:
                    state &= ~instruction.written
                state |= instruction.written & UNIFORM
            last = self.code[block.last - 1]
            if len(block.after) > 1 and block not in self.divergent and last.base in ENDS and (
                    state & last.condition & VECTOR and ".DIV" not in last.name and ".CONV" not in last.name):
                self.divergent[block] = 0
                for join, written in self.joins(block):
                    if join is None:
                        function.joins |= written
                    elif written & ~join.joins:
                        join.joins |= written
                        if join.state is not None:
                            reach(join, join.state)
                if function.joins:
                    work.extend(other for other in function.blocks
                                if other.state is not None and self.code[other.last - 1].base == "RET")
            if block in self.divergent:
                self.divergent[block] = state & UNIFORM
            if last.base == "RET":
                leaves = state | function.joins
                if function.leaves is None or leaves & ~function.leaves:
                    function.leaves = leaves | (function.leaves or 0)
                    work.extend(caller for caller in function.calls if caller.state is not None)
            if block.callee:
                reach(block.callee.blocks[0], state)
                callee = block.callee
                if callee.leaves is None:
                    continue
                # equal operands give equal results, whatever other calls have
                equal = not callee.source and not state & callee.own & VECTOR
                state = state & ~callee.written | callee.leaves & callee.written & (UNIFORM if equal else ~0)
            elif last.base == "CALL":
                state |= VECTOR
            for goal in block.after:
                reach(goal, state)

    def joins(self, branch):
        """[(block where threads from two ways come together, registers written on the ways)]; None is the end."""
        label = {goal: goal for goal in branch.after}
        work, written = list(branch.after), 0
        joins = {branch.meet}
        while work:
            block = work.pop()
            if block is branch.meet:
                continue
            for goal in block.after:
                new = label[block]
                old = label.get(goal)
                if old is not None and old is not new and old is not goal:
                    joins.add(goal)
                    new = goal
                if old is None or new is not old and (old is not goal):
                    label[goal] = new
                    work.append(goal)
                elif old is goal and new is not goal and goal in branch.after:
                    joins.add(goal)
        for block in label:
            if block is not branch.meet:
                written |= block.written & VECTOR
        return [(join, written) for join in joins]

    def way(self, start, meet):
        """The blocks from start to where the ways meet: before meet, and before the BSYNC of an outer barrier."""
        seen, work = set(), [(start, 0)]
        while work:
            block, inner = work.pop()
            if (block, inner) in seen or block is meet:
                continue
            first = self.code[block.first]
            if first.base == "BSYNC" and not inner >> int(first.operands[0][1:]) & 1:
                continue
            seen.add((block, inner))
            for index in range(block.first, block.last):
                instruction = self.code[index]
                if instruction.base == "BSSY":
                    inner |= 1 << int(instruction.operands[0][1:])
            work.extend((goal, inner) for goal in block.after)
        return {block for block, _ in seen}

    def values(self, block, register):
        """The texts of the constants that a register holds at a block's end; None among them for anything else."""
        found, seen, work = set(), set(), [(block, block.last)]
        while work:
            block, end = work.pop()
            for index in range(end - 1, block.first - 1, -1):
                if self.code[index].written & register:
                    found.add(self.code[index].constant())
                    break
            else:
                if not block.before:
                    found.add(None)
                for earlier in block.before:
                    if earlier not in seen:
                        seen.add(earlier)
                        if earlier.callee and earlier.callee.written & register:
                            found.add(None)
                        work.append((earlier, earlier.last))
        return found

    def writers(self, blocks, register):
        """[(address, constant or None)] of what writes a register in blocks."""
        found = []
        for block in blocks:
            for index in range(block.first, block.last):
                if self.code[index].written & register:
                    found.append((self.code[index].address, self.code[index].constant()))
            if block.callee and block.callee.written & register:
                found.append((self.code[block.last - 1].address, None))
        return sorted(found, key=lambda writer: writer[0])

    def reports(self):
        """[(function, address of the branch, register, address of the write)]"""
        found = []
        for branch in sorted(self.divergent, key=lambda block: block.first):
            ways = [(goal, self.way(goal, branch.meet)) for goal in branch.after]
            after = UNIFORM & (branch.meet.live if branch.meet else branch.function.live_after)
            for goal, blocks in ways:
                written = 0
                for block in blocks:
                    written |= block.written & UNIFORM
                other_reads = 0
                for other, other_blocks in ways:
                    if other is goal:
                        continue
                    # read on the other way, or behind the meeting and not written on the other way
                    other_reads |= other.live if other is not branch.meet else after
                    for block in other_blocks:
                        if after:
                            other_reads |= block.written & UNIFORM & after
                wrong = written & other_reads & self.divergent[branch]
                while wrong:
                    register = wrong & -wrong
                    wrong &= wrong - 1
                    writers = self.writers(blocks, register)
                    before = self.values(branch, register) | {constant for other, other_blocks in ways if other is not goal
                                                              for _, constant in self.writers(other_blocks, register)}
                    if len(before | {constant for _, constant in writers}) == 1 and None not in before:
                        continue
                    name = register.bit_length() - 1
                    name = f"UR{name - 256}" if name < 340 else f"UP{name - 340}"
                    found.append((branch.function.name, self.code[branch.last - 1].address, name,
                                  [address for address, _ in writers]))
        return found


def readable(name):
    """A kernel's or function's name; that of a function follows its kernel's."""
    name = name.removeprefix(".text.")
    name = name[max(name.rfind("$"), 0):].removeprefix("$")
    demangler = shutil.which("c++filt") or shutil.which("cu++filt")
    if demangler is None:
        return name
    return subprocess.run([demangler, name], capture_output=True, text=True).stdout.strip() or name


def check(text):
    """(number of functions, of divergent branches, lines of the report, names of unknown instructions)"""
    functions = branches = 0
    lines, unknown = [], set()
    for instructions, labels in parse(text.splitlines()):
        unknown |= {instruction.name for instruction in instructions if not instruction.known}
        section = Section(instructions, labels)
        functions += len(section.functions)
        branches += len(section.divergent)
        for (name, branch), found in itertools.groupby(section.reports(), key=lambda report: report[:2]):
            what = ", ".join(f"{register} written at {addresses[0]:#x}" for _, _, register, addresses in found)
            lines.append(f"{readable(name)}\n    branch at {branch:#x}: {what}")
    return functions, branches, lines, unknown


FAULT = """
 .section .text.kernel,"ax",@progbits
kernel:
 /*0000*/ S2R R0, SR_TID.X ;
 /*0010*/ UMOV UR4, 0x100 ;
 /*0020*/ UMOV UR5, 0x200 ;
 /*0030*/ BSSY B0, `(.L_x_1) ;
 /*0040*/ CALL.REL.NOINC `($kernel$reduce) ;
 /*0050*/ BSYNC B0 ;
.L_x_1:
 /*0060*/ EXIT ;
$kernel$reduce:
 /*0070*/ NOP ;
 /*0080*/ LDL R0, [R0] ;
 /*0090*/ BSSY B1, `(.L_x_3) ;
 /*00a0*/ ISETP.NE.AND P0, PT, R0, RZ, PT ;
 /*00b0*/ @!P0 BREAK B1 ;
 /*00c0*/ @P0 BRA `(.L_x_2) ;
 /*00d0*/ ULDC WRITTEN, c[0x0][0x20] ;
 /*00e0*/ UIADD3 WRITTEN, -WRITTEN, UR4, URZ ;
 /*00f0*/ STL [WRITTEN], R0 ;
 /*0100*/ RET.REL.NODEC R20 `(kernel) ;
.L_x_2:
 /*0110*/ BSYNC B1 ;
.L_x_3:
 /*0120*/ IMAD.U32 R3, RZ, RZ, UR5 ;
 /*0130*/ STL [R3], R0 ;
 /*0140*/ RET.REL.NODEC R20 `(kernel) ;
"""


def self_test():
    """Excerpts with the fault, and others that differ from it in what makes them harmless."""
    fault = FAULT.replace("WRITTEN", "UR5")
    cases = [
        ("the fault", fault, 1),
        ("another register", FAULT.replace("WRITTEN", "UR6"), 0),
        ("one condition for all threads", fault.replace("LDL R0, [R0]", "LDC R0, c[0x0][0x210]"), 0),
        ("decided by a vote", fault.replace("ISETP.NE.AND P0, PT, R0, RZ, PT", "VOTE.ANY P0, P1"), 0),
        ("read before the branch", fault.replace("IMAD.U32 R3, RZ, RZ, UR5", "NOP").replace(
            "LDL R0, [R0]", "LDL R0, [UR5]"), 0),
        ("written again before it is read", fault.replace("IMAD.U32 R3, RZ, RZ, UR5",
                                                          "ULDC UR5, c[0x0][0x210]"), 0),
        ("nothing there yet", fault.replace("UMOV UR5, 0x200", "NOP"), 0),
        ("the same constant", fault.replace("NOP", "ULDC UR5, c[0x0][0x20]").replace(
            "UIADD3 UR5, -UR5, UR4, URZ", "NOP"), 0),
        ("another constant", fault.replace("NOP", "ULDC UR5, c[0x0][0x24]").replace(
            "UIADD3 UR5, -UR5, UR4, URZ", "NOP"), 1),
        ("read behind a meeting", fault.replace("RET.REL.NODEC R20 `(kernel) ;\n.L_x_2", "BRA `(.L_x_2) ;\n.L_x_2"), 1),
        ("a pair", fault.replace("ULDC UR5", "ULDC.64 UR4").replace("UIADD3 UR5, -UR5, UR4, URZ", "NOP"), 1),
    ]
    wrong = [name for name, text, expected in cases if len(check(text)[2]) != expected]
    for name in wrong:
        print(f"wrong: {name}")
    print(f"{len(cases)} excerpts, {len(wrong)} wrong")
    return 1 if wrong else 0


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          check=False, **options)
    if done.returncode != 0:
        print(f"{' '.join(map(str, command))}\n{done.stdout[:4000]}")
        sys.exit(2)
    return done.stdout


def disassemblies(arguments, options):
    """Yields (name, nvdisasm's text) of all device code in the files."""
    nvcc = shutil.which(arguments.nvcc) if arguments.nvcc else None
    if any(Path(name).suffix in (".cu", ".ptx") for name in arguments.files) and nvcc is None:
        skip(f"{arguments.nvcc} was not found" if arguments.nvcc else "CUDA is off")
    beside = str(Path(nvcc).resolve().parent) if nvcc else ""
    nvdisasm = shutil.which("nvdisasm") or shutil.which("nvdisasm", path=beside)
    cuobjdump = shutil.which("cuobjdump") or shutil.which("cuobjdump", path=beside)
    if not (nvdisasm and cuobjdump) and arguments.environment:
        cuobjdump = installed_cuobjdump(arguments.environment)
        nvdisasm = cuobjdump and shutil.which("nvdisasm", path=str(Path(cuobjdump).parent))
    for name in map(Path, arguments.files):
        if name.suffix in (".sass", ".txt"):
            yield name.name, name.read_text(errors="replace")
            continue
        if not (nvdisasm and cuobjdump):
            skip("nvdisasm was not found")
        with tempfile.TemporaryDirectory() as folder:
            cubins = [name]
            if name.suffix in (".cu", ".ptx"):
                cubins = [Path(folder) / "source.cubin"]
                run(nvcc, "-std=c++20", "-arch=sm_90", "-cubin", *options, name, "-o", cubins[0])
            elif name.suffix != ".cubin":
                run(cuobjdump, "-xelf", "all", name.resolve(), cwd=folder)
                cubins = sorted(cubin for cubin in Path(folder).glob("*.cubin") if ARCHITECTURES.search(cubin.name))
                if not cubins:
                    skip(f"{name.name} has no code for sm_75 to sm_90")
            for cubin in cubins:
                yield name.name if len(cubins) == 1 else cubin.name, run(nvdisasm, "-c", cubin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc", help="the compiler for .cu and .ptx (default: nvcc)")
    parser.add_argument("--environment", default="", help="a Python environment that may get nvdisasm")
    parser.add_argument("--self-test", action="store_true", help="check the checker, without any tool")
    parser.add_argument("files", nargs="*")
    arguments, options = parser.parse_known_args()
    if arguments.self_test:
        return self_test()
    if not arguments.files:
        parser.error("no file is named")

    reported, all_unknown = 0, set()
    for name, text in disassemblies(arguments, options):
        functions, branches, lines, unknown = check(text)
        reported += len(lines)
        all_unknown |= unknown
        print("\n".join(lines + [f"{name}: {functions} functions, {branches} divergent branches, {len(lines)} reported"]))
    if all_unknown:
        print(f"unknown instructions: {' '.join(sorted(all_unknown))}")
        return 2
    return 1 if reported else 0


if __name__ == "__main__":
    sys.exit(main())
