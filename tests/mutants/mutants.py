#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants single faults in headers and says which of them no test notices.

A mutant is a header with one line changed by a rule (a dropped carry, < for <=, a missing final subtraction, off by one
limb ...). The header's nearest tests run with it, one after another, until one fails: the mutant is killed. A survivor shows a
hole in the tests, or code that makes no difference; which of both, somebody has to read. Survivors that make no difference are
in explained.txt, with the reason.

    mutants.py --sample 300 --seed 1             300 over all rooms
    mutants.py --changed HEAD                    ten in a header that the commit changed, or that its hash names (in CI)
    mutants.py include/warpint/arith/limbs/linear.h --count 60
    mutants.py include/warpint/arith/limbs/linear.h --count 60 --alone
    mutants.py include/warpint/number/fields.h --only "< for <=" "no + 1"
    mutants.py include/warpint/number/fields.h --list

All mutants are planted in one program, which the environment tells which of them is active: a test is compiled once and not
once for each mutant. For that a mutant's statement must stand on one line and must not be a constant; mutants that the tests do
not reach are passed over, and others taken for them. --alone compiles each mutant by itself, also those of statements of several
lines, and passes over those that leave the machine code of the tests as it is.

What survives is tried once more, in programs under the address and undefined behaviour sanitizers, as the preset asan compiles them:
reads and writes beyond an array, and memory that is not given back, often change no result.

Code for GPUs is not planted in: the tests run on the host. --changed takes only headers of a short list (KEPT), all of whose
mutants are killed or explained, and whose tests compile in some ten seconds, so that it takes a core about a minute and fails
because of the commit: one that changed none of these has its ten in one that its hash names. What other headers' tests miss,
--sample shows. The same seed on the same headers gives the same mutants. The exit status is 1 if more mutants than
--allowed says survived that are not explained.
"""

import argparse
import collections
import hashlib
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ROOT / "include" / "warpint"
EXPLAINED = pathlib.Path(__file__).with_name("explained.txt")
GROUPS = 4  # of headers with the same tests that a sample takes of each room
ROOMS = ("limb", "arith/limbs", "arith/lanes", "arith/simd", "arith/rns", "arith/transform", "number", "expression", "execution", "vector")

# A header's nearest tests: those of the longest prefix. None: it is not code that a host runs, or has no statements.
NEAREST = {
    "limb/": ["arith/limbs/linear_test", "arith/limbs/words_test", "arith/limbs/products_test"],
    "limb/async_copy.h": [], "limb/barrier.h": [], "limb/ptx.h": [], "limb/tensor.h": [], "limb/warp.h": [], "limb/user_function.h": [],
    "limb/debugger": [], "limb/language.h": [], "limb/thread_object.h": [], "limb/refused.h": [], "limb/config.h": [], "limb/assert.h": [],
    "limb/block.h": ["arith/limbs/products_test", "arith/limbs/division_test"],
    "limb/arithmetic.h": ["arith/limbs/linear_test", "arith/limbs/division_test"],
    "limb/float_reciprocal.h": ["arith/limbs/division_test"],
    "limb/binary_step.h": ["arith/limbs/linear_test", "arith/limbs/gcd_test"],
    "limb/lane_row.h": ["arith/lanes/product_test"],
    "arith/limbs/linear.h": ["arith/limbs/linear_test", "number/fields_test"],
    "arith/limbs/tuning.h": [], "arith/limbs/inline_or_call.h": [],
    "arith/limbs/constant_time/": ["number/modular/constant_time_test"],
    "arith/limbs/division/": ["arith/limbs/division_test"],
    "arith/limbs/division/root": ["number/roots_test"],
    "arith/limbs/division/square": ["arith/limbs/division_test", "number/roots_test"],
    "arith/limbs/fold/": ["arith/limbs/fold_test"],
    "arith/limbs/fold/divide_registers.h": ["arith/limbs/division_registers_test"],
    "arith/limbs/gcd/": ["arith/limbs/gcd_test"],
    "arith/limbs/gcd/simultaneous_inverse.h": ["number/modular/inverse_all_test"],
    "arith/limbs/gcd/small_divisors.h": ["number/modular/inverse_all_test"],
    "arith/limbs/power/": ["number/modular/power_test"],
    "arith/limbs/power/addition_chain.h": ["arith/limbs/addition_chain_test"],
    "arith/limbs/power/comb.h": ["number/modular/power_test", "arith/lanes/product_test"],
    "arith/limbs/prime/": ["number/theory/prime_test"],
    "arith/limbs/product/": ["arith/limbs/products_test"],
    "arith/limbs/product/engine.h": ["arith/limbs/engine_test"],
    "arith/limbs/product/word_transform.h": ["arith/limbs/word_transform_test"],
    "arith/limbs/reduction/": ["arith/limbs/reduction_test", "arith/limbs/words_test", "arith/limbs/montgomery_test"],
    "arith/limbs/reduction/barrett.h": ["arith/limbs/reduction_test"],
    "arith/limbs/reduction/modular_sum.h": ["arith/limbs/reduction_test"],
    "arith/limbs/reduction/special_reduction.h": ["arith/limbs/reduction_test"],
    "arith/limbs/text/": ["arith/limbs/radix_test", "number/text_test"],
    "arith/limbs/text/from_digits_group.h": ["arith/limbs/radix_group_test"],
    "arith/limbs/text/to_digits_group.h": ["arith/limbs/radix_group_test"],
    "arith/limbs/text/group_columns.h": ["arith/limbs/radix_group_test"],
    "arith/limbs/text/radix_tree.h": ["arith/limbs/radix_group_test"],
    "arith/lanes/": ["arith/lanes/product_test", "arith/lanes/division_test"],
    "arith/lanes/tuning.h": [],
    "arith/lanes/linear.h": ["arith/lanes/linear_test", "arith/lanes/product_test"],
    "arith/lanes/move.h": ["arith/lanes/linear_test", "arith/lanes/product_test"],
    "arith/lanes/divide.h": ["arith/lanes/division_test"],
    "arith/lanes/square_root.h": ["arith/lanes/division_test"],
    "arith/lanes/top_rows.h": ["arith/lanes/division_test"],
    "arith/lanes/gcd.h": ["arith/lanes/gcd_test"],
    "arith/lanes/modular.h": ["arith/lanes/division_test"],
    "arith/lanes/even_modulus.h": ["arith/lanes/division_test"],
    "arith/simd/": ["arith/simd/emulated_test"],
    "arith/simd/tuning.h": [],
    "arith/simd/divide.h": ["arith/simd/emulated_test", "arith/simd/formulas_products_test emulated"],
    "arith/rns/": ["arith/rns/rns_test"],
    "arith/transform/": ["arith/transform/product_test"],
    "arith/rns/ranges.h": [],  # a proof, at compile time
    "number/": ["number/functions_test", "number/conversions_test"],
    "number/refused.h": [], "number/message.h": [],
    "number/arithmetic.h": ["number/functions_test", "number/conversions_test", "number/bigint_small_test"],
    "number/compare.h": ["number/conversions_test", "number/bigint_small_test"],
    "number/bits.h": ["number/bigint_small_test", "number/functions_test"],
    "number/machine.h": ["number/conversions_test", "number/bigint_small_test"],
    "number/carry.h": ["number/functions_test"],
    "number/bytes.h": ["number/text_test", "number/conversions_test"],
    "number/digits.h": ["number/text_test", "number/text_errors_test"],
    "number/text.h": ["number/text_test", "number/text_errors_test"],
    "number/stream.h": ["number/text_test"],
    "number/format.h": ["number/format_test"],
    "number/fields.h": ["number/fields_test"],
    "number/floating.h": ["number/floating_test"],
    "number/lengths.h": ["number/theory/short_numbers_test", "number/unequal_widths_test"],
    "number/literals.h": ["number/literals_test"],
    "number/random.h": ["number/random_test"],
    "number/root.h": ["number/roots_test"],
    "number/modular/": ["number/modular/modular_test", "number/modular/power_test"],
    "number/modular/tuning.h": [],
    "number/modular/residue": ["number/modular/residue_test"],
    "number/modular/static_residue.h": ["number/modular/static_residue_test"],
    "number/modular/forms.h": ["number/modular/forms_test", "number/modular/modular_test"],
    "number/modular/inverse_all.h": ["number/modular/inverse_all_test"],
    "number/modular/secret.h": ["number/modular/constant_time_test"],
    "number/theory/": ["number/theory/number_theory_test", "number/theory/prime_test", "number/theory/ring_test"],
    "number/theory/crt.h": ["number/theory/sqrt_mod_test"],
    "number/theory/sqrt_mod.h": ["number/theory/sqrt_mod_test"],
    "number/theory/root_modulo.h": ["number/theory/sqrt_mod_test"],
    "number/warp_int/": ["number/warp_int/warp_int_test", "number/warp_int/functions_test"],
    "number/warp_int/gcd.h": ["number/warp_int/theory_test"],
    "number/warp_int/prime.h": ["number/warp_int/prime_test"],
    "expression/": ["vector/containers_test", "vector/formulas_test", "vector/functions_test"],
    "expression/lower.h": ["vector/lowering_test", "vector/formulas_test"],
    "expression/residue.h": ["vector/residue_values_test"],
    "expression/operation.h": ["vector/lowering_test", "vector/formulas_test", "vector/functions_test"],
    "expression/prepare.h": ["vector/formulas_test", "vector/functions_test", "vector/lifetime_test"],
    "expression/limb_major.h": ["vector/limb_major_test"],
    "expression/sharded.h": ["vector/sharded_test"],
    "expression/split.h": ["vector/sharded_test"],
    "execution/": ["vector/containers_test", "vector/formulas_test"],
    "execution/kernels/": [],
    "execution/plan/": ["execution/program_test"],
    "execution/plan/fit.h": ["execution/tuning_test"],
    "execution/plan/tuning/": ["execution/tuning_test"],
    "execution/plan/tuning/sm_90.h": [], "execution/plan/tuning/all_gpus.h": [], "execution/plan/tuning/build_rows.h": [],
    "execution/plan/kernel_facts.h": [],
    "execution/order/order.h": ["vector/order_test"],
    "execution/order/order_cuda.h": [], "execution/order/partition_cuda.h": [],
    "execution/steps_cuda.h": [],
    "execution/ways/formula_cuda.h": [], "execution/ways/tensor_powers_cuda.h": [], "execution/ways/inverses_cuda.h": [],
    "execution/ways/reduction_cuda.h": [], "execution/ways/columns_cuda.h": [],
    "execution/ways/cores.h": ["vector/containers_test", "execution/program_test"],
    "execution/ways/strips.h": ["execution/program_test"],
    "execution/ways/window.h": ["execution/program_test"],
    "execution/ways/side_by_side.h": ["arith/simd/formulas_products_test emulated", "arith/simd/formulas_powers_test emulated"],
    "execution/memory/": ["vector/containers_test", "vector/formulas_test", "vector/lifetime_test"],
    "execution/memory/cuda_support.h": [], "execution/memory/for_each_cuda.h": [],
    "execution/memory/cpu_threads.h": ["vector/cpu_threads_test"],
    "execution/memory/parallel.h": ["vector/cpu_threads_test", "vector/containers_test"],
    "execution/memory/operands.h": ["vector/formulas_test", "vector/limb_major_test", "vector/functions_test"],
    "execution/memory/error.h": ["vector/containers_test", "vector/functions_test"],
    "execution/memory/views.h": ["vector/view_marks_test", "vector/lifetime_test", "vector/ranges_test"],
    "execution/reduce.h": ["vector/reduce_test"],
    "execution/evaluation/reducer.h": ["vector/reduce_test"],
    "execution/evaluation/cut": ["vector/lanes_plan_test"],
    "execution/evaluation/over_lanes.h": ["execution/tuning_test", "vector/lanes_plan_test"],
    "execution/evaluation/warp_context.h": ["vector/lanes_plan_test"],
    "execution/evaluation/staged_operands.h": ["execution/strips_of_warp_test"],
    "execution/evaluation/strips_of_warp.h": ["execution/strips_of_warp_test"],
    "execution/evaluation/tensor_power.h": [],
    "vector/": ["vector/containers_test", "vector/ranges_test", "vector/gather_test"],
    "vector/text_cuda.h": [], "vector/kernels/": [], "vector/device_group.h": [],
    "vector/kernels/text.h": [],
    "vector/element.h": ["vector/elements_test", "vector/containers_test"],
    "vector/bytes.h": ["vector/text_batch_test"],
    "vector/text.h": ["vector/text_batch_test"],
    "vector/sort.h": ["vector/sort_test"],
    "vector/reduce.h": ["vector/reduce_test"],
    "vector/residue_element.h": ["vector/residue_values_test", "vector/residue_container_test"],
    "vector/shard": ["vector/sharded_test"],
    "vector/sharded_sort.h": ["vector/sort_test"],
    "vector/shared_elements.h": ["vector/containers_test", "vector/lifetime_test", "vector/functions_test"],
}
# What some tests need beside their source: other sources, and definitions.
MORE = {
    "arith/limbs/engine_test": ((), ("WARPINT_USE_GMP=1",)),
    "arith/simd/emulated_test": ((), ("WARPINT_SIMD_EMULATED",)),
    "arith/simd/formulas_products_test emulated": ((), ("WARPINT_SIMD_EMULATED",)),
    "arith/simd/formulas_powers_test emulated": ((), ("WARPINT_SIMD_EMULATED",)),
    "arith/rns/rns_test": (("arith/rns/model",), ()),
}
# Headers that are kept free of survivors, and whose tests compile in some ten seconds: CI plants in these.
KEPT = ("arith/limbs/linear.h", "execution/plan/fit.h", "execution/plan/tuning/choose.h", "number/fields.h")
SUPPORT = ("main", "exact", "integer", "limbs", "modular_operands", "number_source", "operand_pairs", "operands", "property",
           "register_operands")

# A fault that no test notices is tried again under these: many that read or write beyond an array change no result.
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")

# name -> (what it looks for in a line, what stands there instead)
RULES = {
    "dropped carry": (r" [+-] (carry|borrow|c|high_carry|difference_borrow)\b", r""),
    "carry is 0": (r"\b(carry|borrow) = (?!0;|false;|\{\};)[^;]+;", r"\1 = 0;"),
    "carry argument is 0": (r", (carry|borrow)(?=[,)])", r", 0"),
    "< for <=": (r" <= ", " < "),
    "<= for <": (r" < ", " <= "),
    "> for >=": (r" >= ", " > "),
    ">= for >": (r" > ", " >= "),
    "== for !=": (r" != ", " == "),
    "!= for ==": (r" == ", " != "),
    "|| for &&": (r" && ", " || "),
    "&& for ||": (r" \|\| ", " && "),
    "no + 1": (r" \+ 1\b(?!u?\w)", ""),
    "no - 1": (r" - 1\b(?!u?\w)", ""),
    "off by one limb": (r"\[((?!0\])\w+)\]", r"[\1 - 1 + (\1 == 0 ? 1 : 0)]"),
    "loop begins at 1": (r"\bfor \((int|std::size_t) (\w+) = 0; ", r"for (\1 \2 = 1; "),
    "loop ends early": (r"(; \w+ < )([\w:]+);", r"\1\2 - 1;"),
    "missing subtraction": (r"^\s*(?:\w+::)*\w*subtract\w*\(.*\);$", ";"),
    "missing addition": (r"^\s*(?:\w+::)*\w*add\w*\(.*\);$", ";"),
    "missing call": (r"^\s*(?:\w+::)*\w+(?:<[^()]*>)?\(.*\);$", ";"),
    "missing barrier": (r"^\s*[\w.:]*(?:barrier|sync|fence)\w*\(.*\);$", ";"),
    "while once": (r"\bwhile \(", "if ("),
    "<< for >>": (r" >> ", " << "),
    ">> for <<": (r" << ", " >> "),
    "- for +": (r" \+ ", " - "),
    "+ for -": (r" - ", " + "),
    "wrong lane": (r"\b(lane|rank|thread)\b(?! =)", r"(\1 ^ 1)"),
    "wrong window": (r"\b(window|window_bits|digit)\b(?! =|\()", r"(\1 - 1)"),
    "wrong row": (r"\b(row|column)\b(?! =|\()", r"(\1 + 1)"),
    "wrong step": (r"\+= (?!1;)(\w+)", r"+= 1 + \1"),
    "lost fault": (r"\b(fault|faults) \|= [^;]+;", r"\1 |= 0;"),
    "condition is false": (r"\bif \((?!constexpr)([^()]+)\)", r"if (false && (\1))"),
    "& for |": (r" \| ", " & "),
}


class Mutant(NamedTuple):
    header: str
    rule: str
    line: int  # from 0
    original: str
    changed: str
    begins: bool  # a statement

    def key(self):
        line = self.original if self.changed.strip() == ";" else self.changed  # of a statement that is missing, the statement
        return f"{self.header}: {self.rule}: {line.split('//')[0].strip()}"

    def __str__(self):
        return f"{self.header}:{self.line + 1}: {self.rule}\n    {self.original.strip()}\n    {self.changed.strip()}"


def room_of(header):
    return next((r for r in ROOMS if header.startswith(r + "/")), "other")


def nearest(header):
    """Its tests; None where it is in the table without any, or not in it."""
    prefixes = [p for p in NEAREST if header.startswith(p)]
    return NEAREST[max(prefixes, key=len)] if prefixes else None


def is_type(head):
    """Whether what stands before a brace begins a type or a namespace, not a function or a block."""
    head = re.sub(r"^(?:(?:public|private|protected):)+", "", head.strip()).strip()
    while head.startswith("template <"):
        depth = 0
        for end, c in enumerate(head):
            depth += (c == "<") - (c == ">")
            if c == ">" and depth == 0:
                break
        head = head[end + 1:].strip()
    head = re.sub(r"^requires .*?(?=\b(?:struct|class)\b)|\balignas\([^()]*\)", "", head)
    return re.match(r"(?:inline )?(?:struct|class|union|enum|namespace|extern)\b", head) is not None and "(" not in head


def in_functions(lines):
    """For each line whether it begins in a function."""
    found = []
    scopes, head = [], ""  # of each open brace whether it is a type's; what stands before the next
    branches = []  # scopes before each #if
    macro = False
    for line in lines:
        found.append(not all(scopes))
        text = line.partition("//")[0].strip()
        if macro or text.startswith("#"):
            macro = text.endswith("\\")
            if text.startswith("#if"):
                branches.append((list(scopes), head))
            elif text.startswith(("#else", "#elif")):
                scopes, head = list(branches[-1][0]), branches[-1][1]
            elif text.startswith("#endif"):
                branches.pop()
            continue
        for c in re.sub(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'", "", text) + " ":
            if c == "{":
                scopes.append(is_type(head))
            elif c == "}" and scopes:
                scopes.pop()
            head = "" if c in "{};" else head + c
    return found


def code_lines(lines):
    """Numbers of the lines in which a fault makes sense: no comments, no preprocessor, no declarations of templates, no code for GPUs,
    no default of a member, in whose place others give values."""
    found = []
    inside = in_functions(lines)
    on_gpu = 0  # depth of #if around code for GPUs
    depth = 0
    asserts = False  # in an assertion, which may go on in further lines
    for i, line in enumerate(lines):
        text = line.strip()
        if text.startswith("#if"):
            depth += 1
            if not on_gpu and re.match(r"#if(def)? .*(?<!!)(?<!!defined\()__CUDA", text):
                on_gpu = depth
        elif text.startswith(("#else", "#elif")) and on_gpu == depth:
            on_gpu = 0
        elif text.startswith("#endif"):
            if on_gpu == depth:
                on_gpu = 0
            depth -= 1
        if on_gpu or not text or text.startswith(("//", "#", "template", "static_assert", "requires", "using", "namespace", "struct",
                                                  "concept")):
            continue
        asserts = asserts or "WARPINT_ASSERT" in text
        if asserts:
            asserts = not text.partition("//")[0].rstrip().endswith(";")
            continue
        if not inside[i] and "constexpr" not in text and text.partition("//")[0].rstrip().endswith(";"):
            continue
        # These choose between ways that are all right.
        if text.startswith("if constexpr") or "WARPINT_USES_" in text or "__builtin_is_constant_evaluated" in text:
            continue
        if "arrays_apart" in text or text.startswith(("asm", "WARPINT_UNROLL", "__builtin")):  # for the compiler
            continue
        if "static_assert" in text or "operator" in text:
            continue
        found.append(i)
    return found


def mutants_of(header):
    """All mutants of a header, each of one place."""
    lines = (HEADERS / header).read_text().split("\n")
    found = []
    for i in code_lines(lines):
        before = next((t for t in (x.partition("//")[0].strip() for x in reversed(lines[:i])) if t), ";")
        begins = before.endswith((";", "{", "}", ":", "else")) or before.startswith(("#", "WARPINT_UNROLL", "if ", "for ", "while "))
        code, comment, rest = lines[i].partition("//")
        seen = {code}
        for rule, (pattern, instead) in RULES.items():
            for match in re.finditer(pattern, code):
                changed = code[:match.start()] + match.expand(instead) + code[match.end():]
                if changed not in seen and code.count('"', 0, match.start()) % 2 == 0:  # not in a text
                    seen.add(changed)
                    found.append(Mutant(header, rule, i, lines[i], changed + comment + rest, begins))
    return found


def in_turn(found, seed):
    """All of them in an order that the seed gives, one of each rule in turn."""
    chooser = random.Random(seed)
    by_rule = collections.defaultdict(list)
    for m in found:
        by_rule[m.rule].append(m)
    for each in by_rule.values():
        chooser.shuffle(each)
    chosen = []
    while any(by_rule.values()):
        for rule in RULES:
            if by_rule[rule]:
                chosen.append(by_rule[rule].pop())
    return chosen


def first_of(found, seed, count, alone=False):
    """Enough of them for `count` that the tests reach: what is planted together costs time to compile."""
    return in_turn(found if alone else [m for m in found if slot_of(m)], seed)[:sys.maxsize if alone else 4 * count + 10]


# One program for many mutants -------------------------------------------------------------------------


def closing(text, opening):
    """Where the parenthesis at `opening` ends, or -1."""
    depth = 0
    for i in range(opening, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return -1


def top_level(text, pattern, begin, end):
    """Matches of the pattern outside all parentheses."""
    return [m for m in re.compile(pattern).finditer(text, begin, end)
            if all(text.count(o, begin, m.start()) == text.count(c, begin, m.start()) for o, c in ("()", "[]", "{}"))]


def slots(text, begin=0):
    """[(begin, end, is a statement)] of the expressions in a line whose value may be another: conditions, what is returned or
    assigned, calls."""
    begin += len(text[begin:]) - len(text[begin:].lstrip())
    head = re.compile(r"(?:\} )?(?:else )?(if|while|for) \(").match(text, begin)
    if head:
        opening = head.end() - 1
        end = closing(text, opening)
        if end < 0:
            return []
        after = slots(text, end + 1) if text[end + 1:].strip() not in ("", "{", ";") else []
        parts = top_level(text, ";", opening + 1, end)
        if head[1] != "for":
            return after + ([] if parts else [(opening + 1, end, False)])
        if len(parts) != 2:  # a range
            return after
        found = [(parts[0].end(), parts[1].start(), False), (parts[1].end(), end, True)]
        starts = top_level(text, " = ", opening + 1, parts[0].start())
        if len(starts) == 1:
            found.append((starts[0].end(), parts[0].start(), False))
        return after + found
    end = len(text.rstrip()) - 1
    if end < begin or text[end] != ";" or any(text.count(o, begin) != text.count(c, begin) for o, c in ("()", "[]", "{}")):
        return []
    if text.startswith("return ", begin):
        return [(begin + len("return "), end, False)]
    assigned = top_level(text, r" (?:[-+*/%&|^]|<<|>>)?= ", begin, end)
    if assigned:
        return [(assigned[0].end(), end, False)]
    return [(begin, end, True)] if re.match(r"[\w:.>+-]+(<.*>)?\(|\+\+|--", text[begin:]) else []


def slot_of(mutant):
    """((begin, end, is a statement), what stands there instead), or None."""
    before, after = mutant.original, mutant.changed
    code = before.partition("//")[0].rstrip()
    if not mutant.begins or "constexpr" in code or mutant.rule == "while once":
        return None
    changed_code = after.partition("//")[0].rstrip()
    longer = len(changed_code) - len(code)
    if changed_code == ";":  # a statement that is missing
        return next(((s, "") for s in slots(code) if s[2]), None)
    same = next((i for i, (x, y) in enumerate(zip(code, changed_code)) if x != y), min(len(code), len(changed_code)))
    for begin, end, is_statement in slots(code):
        if (begin <= same and end + longer >= begin and changed_code[end + longer:] == code[end:]
                and not code[begin:end].lstrip().startswith("{")):
            return (begin, end, is_statement), changed_code[begin:end + longer]
    return None


def switched(line, planted):
    """The line with mutants [(number, slot, instead)] in it."""
    code, comment, rest = line.partition("//")
    by_slot = collections.defaultdict(list)
    for number, slot, instead in planted:
        by_slot[slot].append((number, instead))
    for (begin, end, is_statement), faults in sorted(by_slot.items(), reverse=True):
        def expression(text):
            return (f"(void)({text})" if text.strip() else "(void)0") if is_statement else f"({text})"
        text = expression(code[begin:end])
        for number, instead in faults:
            text = f"::warpint_mutants::is({number}) ? {expression(instead)} : {text}"
        code = f"{code[:begin]}({text}){code[end:]}"
    return code + comment + rest


# Programs of tests --------------------------------------------------------------------------------------


class Programs:
    """Tests that are compiled against a copy of the headers."""

    def __init__(self, folder, compiler, support):
        self.folder = folder
        self.command = shlex.split(compiler) + ["-std=c++20", "-w", "-DDOCTEST_CONFIG_SUPER_FAST_ASSERTS", f"-I{folder / 'include'}",
                                                f"-I{ROOT / 'tests'}", "-include", str(ROOT / "tests/mutants/switch.h")]
        shutil.copytree(ROOT / "include", folder / "include")
        sources = ["mutants/switch"] + ([] if support else [f"support/{name}" for name in SUPPORT])
        self.support = [self.object_of(source, [], check=True)[0] for source in sources] + support

    def object_of(self, source, definitions, options=(), check=False):
        out = self.folder / (source.replace("/", "_") + "".join(definitions) + ".o")
        done = subprocess.run([*self.command, *options, *(f"-D{d}" for d in definitions), "-c", str(ROOT / f"tests/{source}.cpp"), "-o", str(out)],
                              stderr=subprocess.PIPE, text=True)
        if check and done.returncode:
            sys.exit(done.stderr)
        return (str(out) if done.returncode == 0 else None), done.stderr

    def write(self, header, lines):
        (self.folder / "include" / "warpint" / header).write_text("\n".join(lines))

    def compile(self, test, options=()):
        """(program, its machine code's digest, what the compiler said); no program if it does not compile."""
        sources, definitions = MORE.get(test, ((), ()))
        objects = []
        for source in (test.partition(" ")[0], *sources):
            made, said = self.object_of(source, definitions, options)
            if not made:
                return None, "", said
            objects.append(made)
        program = self.folder / "program"
        subprocess.run([*self.command[:1], *objects, *self.support, "-lgmp", "-pthread",
                        *(o for o in (*self.command, *options) if o.startswith("-fsanitize")), "-o", str(program)], check=True)
        return program, hashlib.sha256(b"".join(pathlib.Path(o).read_bytes() for o in objects)).hexdigest(), ""

    def passes(self, program, mutant, cpu_seconds, reached=None, sanitized=False):
        """Whether the test passes, within some processor time and memory; the clock is for one that waits for nothing. Not those of
        times: the switch costs some."""
        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if not sanitized and not any("sanitize" in o for o in self.command):  # sanitizers map terabytes
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        environment = {**os.environ, "WARPINT_MUTANT": str(mutant)}
        if reached:
            environment["WARPINT_MUTANTS_REACHED"] = str(reached)
        try:
            return subprocess.run([str(program), "--abort-after=1", "--no-breaks", "--test-case-exclude=the time of *"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=environment, preexec_fn=limits, timeout=100 * cpu_seconds, cwd=self.folder).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def plant(programs, planted):
    """Writes the headers with the mutants {number: (mutant, slot, instead)}."""
    by_header = collections.defaultdict(lambda: collections.defaultdict(list))
    for number, (m, slot, instead) in planted.items():
        by_header[m.header][m.line].append((number, slot, instead))
    for header, by_line in by_header.items():
        lines = (HEADERS / header).read_text().split("\n")
        for i, of_line in by_line.items():
            lines[i] = switched(lines[i], of_line)
        programs.write(header, lines)


def compile_planted(programs, test, planted, options):
    """The program; mutants on lines that do not compile are taken out of `planted`."""
    while True:
        program, _, said = programs.compile(test, options)
        if program:
            return program
        places = collections.defaultdict(set)
        for number, (m, _, _) in planted.items():
            places[m.header, m.line + 1].add(number)
        for pattern in (r"^(\S+\.h):(\d+):\d+: error", r"^(\S+\.h):(\d+):\d+: "):
            wrong = set()
            for file, line in re.findall(pattern, said, re.M):
                file = pathlib.Path(os.path.normpath(file))
                if file.is_relative_to(programs.folder / "include" / "warpint"):
                    wrong |= places[file.relative_to(programs.folder / "include" / "warpint").as_posix(), int(line)]
            if wrong:
                break
        if not wrong:
            sys.exit(f"{test} does not compile with the mutants:\n{said[:5000]}")
        headers = {planted[n][0].header for n in wrong}
        for n in wrong:
            del planted[n]
        for header in headers:
            programs.write(header, (HEADERS / header).read_text().split("\n"))
        plant(programs, planted)


def run_together(programs, tests, mutants, count, reasons):
    """{mutant: "killed" or "survived"} of the first `count` that the tests reach, of mutants that share a program."""
    planted = {}
    for number, m in enumerate(mutants, 1):
        slot = slot_of(m)
        if slot:
            planted[number] = (m, *slot)
    plant(programs, planted)
    outcomes = {}
    chosen = []  # those that run: the first that the first tests reach, filled up by those that only later ones do

    def left(sanitized):
        return [n for n in chosen if n in planted and outcomes.get(planted[n][0]) != "killed"
                and not (sanitized and planted[n][0].key() in reasons)]

    for options in ((), SANITIZERS):
        for test in tests:
            if (options or len(chosen) >= count) and not left(options):
                break
            program = compile_planted(programs, test, planted, options)
            file = programs.folder / "reached"
            file.unlink(missing_ok=True)
            begin = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
            if not programs.passes(program, -1, 600, file, bool(options)):
                sys.exit(f"{test} fails without a mutant {' '.join(options)}")
            limit = int(5 * (sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - begin)) + 3
            reached = [n for n in map(int, file.read_text().split()) if n in planted]
            if not options:
                chosen += [n for n in reached if n not in chosen][:max(count - len(chosen), 0)]
            for n in left(options):
                if n in reached:
                    passes = programs.passes(program, n, limit, sanitized=bool(options))
                    outcomes[planted[n][0]] = "survived" if passes else "killed"
    for header in {m.header for m in mutants}:
        programs.write(header, (HEADERS / header).read_text().split("\n"))
    return outcomes


def run_alone(programs, tests, mutants, count, reasons):
    """The same, each mutant in a program of its own."""
    digests, limits = {}, {}
    for test in tests:
        program, digests[test], said = programs.compile(test)
        begin = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        if not program or not programs.passes(program, 0, 600):
            sys.exit(f"{test} fails without a mutant\n{said[:5000]}")
        limits[test] = int(5 * (sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - begin)) + 3
    outcomes = {}
    for m in mutants:
        lines = (HEADERS / m.header).read_text().split("\n")
        programs.write(m.header, lines[:m.line] + [m.changed] + lines[m.line + 1:])
        for test in tests:
            program, digest, _ = programs.compile(test)
            if not program:
                outcomes.pop(m, None)
                break
            if digest == digests[test]:
                continue
            outcomes[m] = "survived" if programs.passes(program, 0, limits[test]) else "killed"
            if outcomes[m] == "killed":
                break
        for test in tests if outcomes.get(m) == "survived" and m.key() not in reasons else ():
            program, _, _ = programs.compile(test, SANITIZERS)
            if program and not programs.passes(program, 0, 10 * limits[test], sanitized=True):
                outcomes[m] = "killed"
                break
        programs.write(m.header, lines)
        if len(outcomes) == count:
            break
    return outcomes


def explained():
    """{mutant's key: why it makes no difference}"""
    found = {}
    key = None
    for line in EXPLAINED.read_text().splitlines():
        if line.startswith("    "):
            found[key] = f"{found.get(key, '')} {line.strip()}".strip()
        elif line and not line.startswith("#"):
            key = line
            if key in found:
                sys.exit(f"{EXPLAINED.name} names this twice: {key}")
            found[key] = ""
    known = {m.key() for h in {key.partition(":")[0] for key in found} for m in mutants_of(h)}
    for key, reason in found.items():
        if not reason:
            sys.exit(f"{EXPLAINED.name} does not say why: {key}")
        if key not in known:
            sys.exit(f"{EXPLAINED.name} names what is no mutant any more: {key}")
    return found


# Which mutants ------------------------------------------------------------------------------------------


def all_headers():
    found = sorted(p.relative_to(HEADERS).as_posix() for p in HEADERS.rglob("*.h"))
    return [h for h in found if nearest(h)]


def sampled(count, seed):
    """[(tests, mutants in turn, how many of them)] over all rooms, of each those of a few groups of tests: each must be compiled."""
    groups = []
    for index, room in enumerate(ROOMS):
        by_tests = collections.defaultdict(list)
        for header in all_headers():
            if room_of(header) == room:
                for m in mutants_of(header):
                    if slot_of(m):
                        by_tests[tuple(nearest(header))].append(m)
        if len(by_tests) > GROUPS:
            chooser = random.Random(f"{seed} {room}")
            by_tests = {t: by_tests[t] for t in sorted(by_tests, key=lambda t: chooser.random() ** (1 / len(by_tests[t])))[-GROUPS:]}
        of_room = count // len(ROOMS) + (index < count % len(ROOMS))
        for i, (tests, mutants) in enumerate(by_tests.items()):
            of_group = of_room // len(by_tests) + (i < of_room % len(by_tests))
            groups.append((tests, first_of(mutants, f"{seed} {room}", of_group), of_group))
    return [g for g in groups if g[2] > 0]


def git(*arguments):
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def of_commit(revision, count):
    """The same of one header that the commit changed, or that its hash names; without git, the hash of all headers."""
    commit = git("rev-parse", revision)
    if commit is None:
        commit = hashlib.sha256(b"".join((HEADERS / h).read_bytes() for h in all_headers())).hexdigest()
    changed = (git("diff", "--name-only", f"{revision}~1", revision, "--", "include/warpint") or "").splitlines()
    changed = [h for h in KEPT if f"include/warpint/{h}" in changed]
    commit = commit.strip()
    header = random.Random(commit).choice(changed or KEPT)
    return [(tuple(nearest(header)), first_of(mutants_of(header), commit, count), count)]


def report(outcomes, reasons):
    """Prints the table; how many survived that are not explained."""
    counts = collections.defaultdict(collections.Counter)
    for m, outcome in outcomes.items():
        counts[room_of(m.header)]["explained" if outcome == "survived" and m.key() in reasons else outcome] += 1
    print(f"\n{'room':14}{'planted':>9}{'killed':>9}{'explained':>11}{'survived':>10}")
    for room in (*ROOMS, "other"):
        if c := counts.get(room):
            print(f"{room:14}{sum(c.values()):9}{c['killed']:9}{c['explained']:11}{c['survived']:10}")
    total = sum(counts.values(), collections.Counter())
    print(f"{'all':14}{sum(total.values()):9}{total['killed']:9}{total['explained']:11}{total['survived']:10}")
    return total["survived"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headers", type=pathlib.Path, nargs="*")
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants over all rooms")
    parser.add_argument("--changed", metavar="REV", help="in a header that this commit changed")
    parser.add_argument("--count", type=int, help="of mutants (default 30; with --changed 10; 0: all)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--room", choices=ROOMS, help="with --sample: of this room only")
    parser.add_argument("--tests", nargs="+", help="sources of tests instead of the nearest ones")
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="those whose header, rule or changed line has one of these in it")
    parser.add_argument("--alone", action="store_true", help="compiles each mutant by itself")
    parser.add_argument("--compiler", default="g++ -O1", help="with its options")
    parser.add_argument("--support", nargs="+", default=[], help="objects and libraries of tests/support that are compiled already")
    parser.add_argument("--allowed", type=int, default=0, help="so many survivors are no failure")
    parser.add_argument("--list", action="store_true", help="lists the mutants of the headers and runs nothing")
    arguments = parser.parse_args()
    if arguments.sample:
        groups = [g for g in sampled(arguments.sample, arguments.seed) if arguments.room in (None, room_of(g[1][0].header))]
    elif arguments.changed:
        groups = of_commit(arguments.changed, arguments.count or 10)
    elif arguments.headers:
        headers = [h.resolve().relative_to(HEADERS).as_posix() for h in arguments.headers]
        if arguments.list:
            for m in (m for h in headers for m in mutants_of(h)):
                print(f"{m.header}:{m.line + 1}: {m.rule}: {m.changed.strip()}")
            return 0
        names = [pathlib.Path(t).resolve().relative_to(ROOT / "tests").with_suffix("").as_posix() for t in arguments.tests or []]
        count = 30 if arguments.count is None else arguments.count or sys.maxsize
        by_tests = collections.defaultdict(list)
        for h in headers:
            if not (names or nearest(h)):
                sys.exit(f"no test is known for {h}: name some with --tests")
            by_tests[tuple(names or nearest(h))] += [m for m in mutants_of(h)
                                                     if not arguments.only or any(t in m.key() for t in arguments.only)]
        groups = [(tests, first_of(mutants, arguments.seed, count, arguments.alone), count) for tests, mutants in by_tests.items()]
    else:
        parser.error("name headers, or --sample, or --changed")
    reasons = explained()
    outcomes = {}
    with tempfile.TemporaryDirectory() as temporary:
        programs = Programs(pathlib.Path(temporary), arguments.compiler, [str(pathlib.Path(s).resolve()) for s in arguments.support])
        for tests, mutants, count in groups:
            print(f"{', '.join(sorted({m.header for m in mutants}))}: by {', '.join(tests)}", flush=True)
            found = (run_alone if arguments.alone else run_together)(programs, tests, mutants, count, reasons)
            for m, outcome in found.items():
                if outcome == "survived" and m.key() not in reasons:
                    print(f"survived: {m}", flush=True)
            outcomes.update(found)
            c = collections.Counter(found.values())
            print(f"    {c['killed']} of {len(found)} killed", flush=True)
    return 0 if report(outcomes, reasons) <= arguments.allowed else 1


if __name__ == "__main__":
    sys.exit(main())
