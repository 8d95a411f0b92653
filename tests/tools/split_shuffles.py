#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the functions in which nvcc puts the same shuffles into both arms of a branch; no GPU is needed.

split_shuffles.py [--nvcc=NVCC] [--expect=NAME] SOURCE.cu [options for nvcc]
split_shuffles.py [--expect=NAME] FILE.ptx

nvcc 13.0 makes two loops, in the arms of a branch, of a loop that shuffles and selects by a condition that
does not change in it. Lanes that differ in the condition then no longer shuffle together; ptxas drops, in one
arm, the shuffles whose values that arm does not read, and lanes of the other arm read from lanes that take no
part. (gather_all in include/warpint/arith/lanes/move.h is how the library avoids it.)

A branch counts if a vote does not decide it and both its arms begin with equally many shuffles, one at least.

Exit status:
  0   no function has such a branch; with --expect, NAME and no other function has
  1   functions have; with --expect, not just that one has
  2   SOURCE.cu does not compile
  77  skipped: nvcc was not found
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BRANCH = re.compile(r"@!?(%p\d+) bra\s+(\$\w+);")
JUMP = re.compile(r"bra\.uni\s+(\$\w+);")
LABEL = re.compile(r"(\$\w+):")


def functions(text):
    """The lines of each function's body, by its name."""
    name, depth, body = None, 0, []
    for line in map(str.strip, text.splitlines()):
        if depth == 0:
            found = re.search(r"\.entry\s+(\w+)", line) or re.search(r"\.func\s+(?:\(.*?\)\s*)?(\w+)", line)
            name = found.group(1) if found else name
        depth += line.startswith("{") - line.startswith("}")
        if depth > 0 and name:
            body.append(line)
        elif body:
            yield name, body
            name, body = None, []


def split_branches(body):
    """The branches of a function that have shuffles in both arms."""
    blocks, order, decided_by = {"": []}, [""], {}
    for line in body:
        label = LABEL.match(line)
        if label:
            order.append(label.group(1))
            blocks[order[-1]] = []
            continue
        blocks[order[-1]].append(line)
        defined = re.match(r"(\S+)\s+(%p\d+)\b", line)
        if defined:
            decided_by[defined.group(2)] = defined.group(1)

    def shuffles(label):
        count = 0
        for line in blocks[label]:
            if BRANCH.match(line):
                break
            count += line.startswith("shfl.sync")
        return count

    place = {label: i for i, label in enumerate(order)}
    for i, label in enumerate(order):
        lines = blocks[label]
        for k, line in enumerate(lines):
            branch = BRANCH.match(line)
            if not branch or decided_by.get(branch.group(1), "").startswith("vote"):
                continue
            jump = JUMP.match(lines[k + 1]) if k + 1 < len(lines) else None
            other = jump.group(1) if jump else order[i + 1] if k + 1 == len(lines) and i + 1 < len(order) else None
            arm = branch.group(2)
            if other is None or arm not in place or other not in place:
                continue
            if place[arm] > i and place[other] > i and 0 < shuffles(arm) == shuffles(other):
                yield line


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--expect")
    parser.add_argument("source", type=Path)
    arguments, options = parser.parse_known_args()
    if arguments.source.suffix == ".ptx":
        text = arguments.source.read_text()
    else:
        if not shutil.which(arguments.nvcc):
            print("skipped: nvcc was not found")
            sys.exit(77)
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "code.ptx"
            done = subprocess.run([arguments.nvcc, "-std=c++20", "-ptx", *options, str(arguments.source), "-o", str(output)],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                print(done.stderr)
                sys.exit(2)
            text = output.read_text()
    seen, split = 0, []
    for name, body in functions(text):
        seen += 1
        branches = list(split_branches(body))
        if branches:
            split.append(name)
            print(f"{len(branches)} branches with shuffles in both arms: {name}")
    print(f"{seen} functions, {len(split)} with such branches")
    if arguments.expect:
        sys.exit(0 if split == [arguments.expect] else 1)
    sys.exit(0 if seen and not split else 1)


main()
