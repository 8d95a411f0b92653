#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants single faults in a header and says which of them no test notices.

Each mutant is the header with one line changed by a rule (a dropped carry, < for <=, a missing final subtraction, off by one
limb ...). Its nearest tests are compiled with it and run, until one fails: the mutant is killed. Mutants that do not compile
do not count, nor do those that leave the machine code of all these tests as it is: the compiler saw no difference, or the
tests do not instantiate the function (give others with --tests). A survivor shows a hole in the tests, or
code that makes no difference; which of both, somebody has to read. Not part of CI.

    mutants.py include/warpint/arith/limbs/linear.h --count 60
    mutants.py include/warpint/number/fields.h --list
    mutants.py include/warpint/vector/view.h --tests tests/vector/ranges_test.cpp --count 10

A mutant is chosen by the seed; the same seed on the same header gives the same ones.
"""

import argparse
import collections
import hashlib
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A header's nearest tests: those of the longest prefix.
NEAREST = {
    "arith/limbs/linear.h": ["arith/limbs/linear_test", "number/fields_test"],
    "arith/limbs/product/": ["arith/limbs/products_test"],
    "arith/limbs/division/": ["arith/limbs/division_test"],
    "arith/limbs/division/root": ["number/roots_test"],
    "arith/limbs/division/square": ["number/roots_test"],
    "arith/limbs/reduction/": ["arith/limbs/reduction_test", "arith/limbs/montgomery_test"],
    "arith/limbs/gcd/": ["arith/limbs/gcd_test", "number/theory/inverse_exhaustive_test"],
    "arith/limbs/text/": ["arith/limbs/radix_test", "number/text_test"],
    "arith/limbs/fold/": ["arith/limbs/fold_test"],
    "arith/lanes/": ["arith/lanes/linear_test", "arith/lanes/product_test", "arith/lanes/division_test"],
    "arith/lanes/gcd.h": ["arith/lanes/gcd_test"],
    "number/": ["number/functions_test", "number/conversions_test"],
    "number/fields.h": ["number/fields_test"],
    "number/text.h": ["number/text_test", "number/text_errors_test"],
    "number/root.h": ["number/roots_test"],
    "number/modular/": ["number/modular/modular_test", "number/modular/power_test"],
    "number/theory/": ["number/theory/number_theory_test", "number/theory/prime_test"],
    "expression/": ["vector/formulas_test", "vector/functions_test"],
    "execution/": ["vector/formulas_test", "vector/containers_test"],
    "vector/": ["vector/containers_test", "vector/ranges_test", "vector/gather_test"],
}
SUPPORT = ("main", "integer", "limbs", "modular_operands", "number_source", "operand_pairs", "operands", "property",
           "register_operands")

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
    "off by one limb": (r"\[(\w+)\]", r"[\1 - 1 + (\1 == 0 ? 1 : 0)]"),
    "loop begins at 1": (r"\b(int|std::size_t) (\w+) = 0; ", r"\1 \2 = 1; "),
    "loop ends early": (r"(; \w+ < )([\w:]+);", r"\1\2 - 1;"),
    "missing subtraction": (r"^\s*(?:\w+::)*\w*subtract\w*\(.*\);$", ";"),
    "missing addition": (r"^\s*(?:\w+::)*\w*add\w*\(.*\);$", ";"),
    "while once": (r"\bwhile \(", "if ("),
    "<< for >>": (r" >> ", " << "),
    ">> for <<": (r" << ", " >> "),
    "- for +": (r" \+ ", " - "),
    "+ for -": (r" - ", " + "),
    "condition is false": (r"\bif \((?!constexpr)([^()]+)\)", r"if (false && (\1))"),
    "& for |": (r" \| ", " & "),
}


def code_lines(lines):
    """Numbers of the lines in which a fault makes sense: no comments, no preprocessor, no declarations of templates."""
    found = []
    for i, line in enumerate(lines):
        text = line.strip()
        if not text or text.startswith(("//", "#", "template", "static_assert", "requires", "using", "namespace", "struct", "concept")):
            continue
        if text.startswith("if constexpr") or "WARPINT_USES_" in text:  # chooses between ways that are all right
            continue
        if "static_assert" in text or "WARPINT_ASSERT" in text or "operator" in text:
            continue
        found.append(i)
    return found


def mutants_of(lines):
    """[(rule, line number from 0, changed line)], each of one place."""
    found = []
    for i in code_lines(lines):
        code, comment, rest = lines[i].partition("//")
        for rule, (pattern, instead) in RULES.items():
            for match in re.finditer(pattern, code):
                changed = code[:match.start()] + match.expand(instead) + code[match.end():]
                if changed != code:
                    found.append((rule, i, changed + comment + rest))
    return found


def choose(found, count, seed):
    """`count` of them, of each rule about as many."""
    chooser = random.Random(seed)
    by_rule = collections.defaultdict(list)
    for m in found:
        by_rule[m[0]].append(m)
    for each in by_rule.values():
        chooser.shuffle(each)
    chosen = []
    while len(chosen) < count and any(by_rule.values()):
        for rule in RULES:
            if by_rule[rule] and len(chosen) < count:
                chosen.append(by_rule[rule].pop())
    return sorted(chosen, key=lambda m: (m[1], m[0]))


class Tests:
    def __init__(self, names, compiler, folder, seconds):
        self.names, self.folder, self.seconds = names, folder, seconds
        self.command = shlex.split(compiler) + ["-std=c++20", "-w", "-DDOCTEST_CONFIG_SUPER_FAST_ASSERTS"]
        self.include = folder / "include"
        shutil.copytree(ROOT / "include", self.include)
        self.support = []
        for name in SUPPORT:
            out = folder / f"{name}.o"
            subprocess.run([*self.command, f"-I{self.include}", f"-I{ROOT / 'tests'}", "-c", str(ROOT / f"tests/support/{name}.cpp"),
                            "-o", str(out)], check=True)
            self.support.append(str(out))
        self.same = {}

    def outcome(self, is_baseline=False):
        """What becomes of the header as it is now: "killed", "survived", "same code", "does not compile"."""
        changed = False
        for name in self.names:
            object_file = self.folder / "test.o"
            compiled = subprocess.run([*self.command, f"-I{self.include}", f"-I{ROOT / 'tests'}", "-c", str(ROOT / f"tests/{name}.cpp"),
                                       "-o", str(object_file)], capture_output=True)
            if compiled.returncode:
                return "does not compile"
            digest = hashlib.sha256(object_file.read_bytes()).hexdigest()
            if is_baseline:
                self.same[name] = digest
            elif self.same[name] == digest:
                continue
            changed = True
            program = self.folder / "test"
            subprocess.run([self.command[0], str(object_file), *self.support, "-lgmp", "-pthread", "-o", str(program)], check=True)
            try:
                ran = subprocess.run([str(program)], capture_output=True, timeout=self.seconds)
            except subprocess.TimeoutExpired:
                return "killed"
            if ran.returncode:
                return "killed"
        return "survived" if changed or is_baseline else "same code"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("header", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=30, help="of mutants (default 30)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--tests", nargs="+", help="sources of tests instead of the nearest ones")
    parser.add_argument("--compiler", default="g++ -O1", help="with its options")
    parser.add_argument("--seconds", type=int, default=120, help="a test that takes longer has failed")
    parser.add_argument("--list", action="store_true", help="lists all mutants of the header and runs nothing")
    arguments = parser.parse_args()
    header = arguments.header.resolve().relative_to(ROOT / "include" / "warpint").as_posix()
    original = (ROOT / "include" / "warpint" / header).read_text()
    lines = original.split("\n")
    found = mutants_of(lines)
    if arguments.list:
        for rule, i, changed in found:
            print(f"{header}:{i + 1}: {rule}: {changed.strip()}")
        return 0
    if arguments.tests:
        names = [pathlib.Path(t).resolve().relative_to(ROOT / "tests").with_suffix("").as_posix() for t in arguments.tests]
    else:
        prefixes = [p for p in NEAREST if header.startswith(p)]
        if not prefixes:
            sys.exit(f"no test is known for {header}: name some with --tests")
        names = NEAREST[max(prefixes, key=len)]
    chosen = choose(found, arguments.count, arguments.seed)
    print(f"{len(chosen)} of {len(found)} mutants of {header}, by {', '.join(names)}", flush=True)
    counts = collections.Counter()
    by_rule = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as temporary:
        tests = Tests(names, arguments.compiler, pathlib.Path(temporary), arguments.seconds)
        if tests.outcome(is_baseline=True) != "survived":
            sys.exit("the tests fail without a mutant")
        file = tests.include / "warpint" / header
        for rule, i, changed in chosen:
            file.write_text("\n".join(lines[:i] + [changed] + lines[i + 1:]))
            outcome = tests.outcome()
            counts[outcome] += 1
            by_rule[rule][outcome] += 1
            if outcome == "survived":
                print(f"survived: {header}:{i + 1}: {rule}\n    {lines[i].strip()}\n    {changed.strip()}", flush=True)
    run = counts["killed"] + counts["survived"]
    print(f"\n{'rule':24}{'killed':>8}{'survived':>10}")
    for rule, of_rule in by_rule.items():
        if of_rule["killed"] + of_rule["survived"]:
            print(f"{rule:24}{of_rule['killed']:8}{of_rule['survived']:10}")
    print(f"{counts['killed']} of {run} killed ({100 * counts['killed'] // max(run, 1)}%); {counts['same code']} leave the tests' code as it is, "
          f"{counts['does not compile']} do not compile")
    return 0


if __name__ == "__main__":
    sys.exit(main())
