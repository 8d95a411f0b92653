#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random formulas against Python's integers.

From a seed it makes trees of the functions of formulas (trees.py), up to 5 deep, of random widths and signs, with what they
give by Python's integers, as one C++ source; compiles and runs it: as formulas over vectors, and of single numbers. A tree
that fails (wrong, ended by a signal, or not to be compiled) is shrunk to the smallest that still fails, which is printed.

    random_formulas.py --trees 10000 --batch 100 --jobs 2 --compiler "g++ -O0" --seed 7
    random_formulas.py --compiler "nvcc -arch=sm_90" --trees 200      (needs a GPU)

With nvcc all formulas run on the GPU. --also links the same objects once more, with the tests' emulator in the place of the CUDA
runtime, say, and runs that program too.

Exit code 0: all right; 1: not.
"""

import argparse
import concurrent.futures
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

from trees import FUNCTIONS, Fault, Node, Shape, Text, cast, function, source, tree

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Runner:
    def __init__(self, compiler, folder, also=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.command = shlex.split(compiler) + ["-std=c++20", f"-I{ROOT / 'include'}"]
        self.links = [[]] + ([shlex.split(also)] if also else [])
        self.suffix = ".cu" if "nvcc" in compiler else ".cpp"
        self.said = {}

    def one(self, texts):
        """None if a program was not to be compiled or ended early, otherwise {index: first message} of wrong trees."""
        file = self.folder / ("formulas" + self.suffix)
        compiled = self.folder / "formulas.o"
        program = self.folder / "formulas"
        file.write_text(source(texts))
        if not self.made([*self.command, "-c", str(file), "-o", str(compiled)], texts):
            return None
        wrong = {}
        for options in self.links:
            if not self.made([*self.command, str(compiled), *options, "-o", str(program)], texts):
                return None
            found = self.ran(program, texts)
            if found is None:
                return None
            wrong = {**found, **wrong}
        return wrong

    def made(self, command, texts):
        compiled = subprocess.run(command, capture_output=True, text=True)
        if compiled.returncode:
            lines = [line for line in compiled.stderr.splitlines() if "error" in line]
            self.said = {t.index: "does not compile: " + (lines or [compiled.stderr[-300:]])[0] for t in texts}
        return compiled.returncode == 0

    def ran(self, program, texts):
        try:
            ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            self.said = {t.index: "takes more than 120 s" for t in texts}
            return None
        if "the check is blind" in ran.stdout or "wrong -1 formula 1" not in ran.stdout:
            sys.exit("the program does not see what is wrong")
        if not re.search(r"^\d+ wrong$", ran.stdout, re.M):
            self.said = {t.index: f"ended with {ran.returncode}: {ran.stderr[-300:]}" for t in texts}
            return None
        wrong = {}
        for line in ran.stdout.splitlines():
            if line.startswith("wrong ") and not line.startswith("wrong -1 "):
                wrong.setdefault(int(line.split()[1]), line.split(" ", 2)[2])
        return wrong

    def failing(self, texts):
        """{index: message}; halves a program that tells nothing until a single tree is to blame."""
        wrong = self.one(texts) if texts else {}
        if wrong is not None:
            return wrong
        if len(texts) == 1:
            return dict(self.said)
        half = len(texts) // 2
        return {**self.failing(texts[:half]), **self.failing(texts[half:])}


class Imitation:
    """Stands for the programs where only the oracle is wrong: a tree fails where it gives something else than the right one."""

    def failing(self, texts):
        def gives(text, row, wrong):
            try:
                return text.target.store(text.root.value(row, True, wrong))
            except Fault:
                return None
        return {t.index: "imitated" for t in texts
                if any(gives(t, i, t.wrong) != gives(t, i, None) for i in range(t.rows()))}


# ---- shrinking

def replaced(node, old, new):
    """The tree with `new` for the node `old`."""
    if node is old:
        return new
    if not node.children:
        return node
    children = [replaced(c, old, new) for c in node.children]
    if all(a is b for a, b in zip(children, node.children)):
        return node
    if node.kind == "cast":
        return cast(children[0], node.law)
    if node.kind == "let":
        return Node("let", children)
    return function(node.kind, children)


def cost(text):
    functions = sum(1 for n in text.root.nodes() if n.children and n.kind != "cast")
    casts = sum(1 for n in text.root.nodes() if n.kind == "cast")
    bits = sum(n.law.bits + 2 for n in text.leaves)
    small = sum(sum(abs(v).bit_length() for v in n.values) for n in text.leaves)
    return (functions, casts, text.rows(), bits + text.target.bits, small)


def smaller(text):
    """Candidates, each with less of something."""
    def variant(root, target=text.target):
        return Text(root, 0, target, text.space, text.wrong, text.plain)
    root = text.root
    inside = [n for n in root.nodes()]
    names = {id(m) for n in inside if n.kind == "let" for m in n.children[1].nodes()}
    found = [variant(n) for n in inside if n is not root and n.children and id(n) not in names]
    for n in inside:
        if n.children and n.kind != "let":
            found += [variant(replaced(root, n, c)) for c in n.children if c.is_batch() and n is not root]
            if id(n) not in names and n is not root and n.law.bits <= 700:
                try:
                    values = [n.law.store(n.value(i, True)) for i in range(text.rows())]
                    found.append(variant(replaced(root, n, Node("vector", shape=Shape(n.law.bits, n.law.signed), values=values))))
                except (Fault, IndexError):  # no leaf has elements without a value, or names
                    pass
    rows = text.rows()
    if rows > 1:
        for begin, end in [(0, rows // 2), (rows // 2, rows)] + ([(i, i + 1) for i in range(rows)] if rows < 5 else []):
            new = root
            for n in text.leaves:
                if n.kind == "vector":
                    new = replaced(new, n, Node("vector", shape=n.law, values=n.values[begin:end]))
            found.append(variant(new))
    for n in text.leaves:
        if n.kind == "modulus":
            found.append(variant(replaced(root, n, Node("constant", shape=n.law, values=n.values))))
        for bits in {max(2, n.law.bits // 2), max(2, n.law.bits - 1)} - {n.law.bits}:
            shape = Shape(bits, n.law.signed)
            values = [shape.store(v) for v in n.values]
            if n.kind == "vector" or values[0] > 0:
                found.append(variant(replaced(root, n, Node(n.kind, shape=shape, values=values))))
        if n.kind == "vector":
            for change in (lambda v: 0, lambda v: min(v, 1), lambda v: v >> 1):
                found.append(variant(replaced(root, n, Node("vector", shape=n.law, values=[change(v) for v in n.values]))))
    for bits in {max(2, text.target.bits // 2), max(2, text.target.bits - 1)} - {text.target.bits}:
        found.append(variant(root, Shape(bits, text.target.signed)))
    return sorted((c for c in found if c.root.children and c.leaves and any(n.kind == "vector" for n in c.leaves)
                   and cost(c) < cost(text)), key=cost)


def shrink(runner, text, rounds, at_once=16):
    for _ in range(rounds):
        candidates = smaller(text)
        for begin in range(0, len(candidates), at_once):
            part = candidates[begin:begin + at_once]
            for i, c in enumerate(part):
                c.index = i
            failing = runner.failing(part)
            if failing:
                text = part[min(failing)]
                break
        else:
            break
    return text


def describe(text):
    lines = [f"    {text}   stored in {text.space}<{text.target.cpp()}>"]
    for n in text.leaves:
        lines.append(f"    {text.name(n)}: {n.kind} of {n.law.cpp()}: {', '.join(hex(v) for v in n.values)}")
    return "\n".join(lines)


# ---- trees from a seed

def make(seed, index, depth, nodes, wrong=None, kinds=None):
    chooser = random.Random(f"{seed} {index}")
    while True:
        leaves = []
        root = tree(chooser, chooser.randint(2, depth), leaves, "top")
        used = [n for n in root.nodes() if n.kind == "vector"]
        if root.children and used and 3 <= root.size() <= nodes and (not kinds or any(n.kind in kinds for n in root.nodes())):
            break
    width = chooser.choice((root.law.bits, root.law.bits, max(2, root.law.bits // 2), chooser.randint(2, 300)))
    target = Shape(max(2, width), chooser.randrange(2) == 1)
    return Text(root, index, target, ("OnDevice", "OnHost")[index % 2], wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++ -O1", help="with its options")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--trees", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="number of the first tree: one tree is made again by its number")
    parser.add_argument("--batch", type=int, default=40, help="trees in one program")
    parser.add_argument("--jobs", type=int, default=1, help="programs at once")
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=20, help="of a tree at most: compilers take seconds for many")
    parser.add_argument("--rounds", type=int, default=60, help="of shrinking, each a program")
    parser.add_argument("--also", metavar="OPTIONS", help="links each program once more, with these options, and runs that too")
    parser.add_argument("--folder", help="where sources and programs stay")
    parser.add_argument("--emit", action="store_true", help="writes the source and nothing else")
    parser.add_argument("--self-test", metavar="FUNCTION", help="a wrong oracle of this function must be found, and shrunk to it")
    parser.add_argument("--imitate", action="store_true", help="with --self-test: compiles nothing")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        return search(arguments, pathlib.Path(arguments.folder or temporary))


def search(arguments, folder):
    wrong = arguments.self_test
    end = arguments.first + arguments.trees

    def texts_of(begin):
        return [make(arguments.seed, i, arguments.depth, arguments.nodes, wrong, wrong and [wrong])
                for i in range(begin, min(begin + arguments.batch, end))]

    def runner_of(begin):
        return Imitation() if arguments.imitate else Runner(arguments.compiler, folder / str(begin), arguments.also)

    if arguments.emit:
        runner = Runner(arguments.compiler, folder)
        (folder / ("formulas" + runner.suffix)).write_text(source(texts_of(arguments.first)))
        return 0

    def batch(begin):
        texts, runner = texts_of(begin), runner_of(begin)
        return texts, runner, runner.failing(texts)

    bad = 0
    seen = set()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for texts, runner, failing in pool.map(batch, range(arguments.first, end, arguments.batch)):
            seen |= {n.kind for t in texts for n in t.root.nodes()}
            for index, message in sorted(failing.items()):
                bad += 1
                text = next(t for t in texts if t.index == index)
                print(f"tree {index} of seed {arguments.seed}: {message}\n{describe(text)}", flush=True)
                smallest = shrink(runner, text, arguments.rounds)
                print(f"  shrunk:\n{describe(smallest)}", flush=True)
                if wrong:
                    functions = [n.kind for n in smallest.root.nodes() if n.kind in FUNCTIONS]
                    right = functions == [wrong]
                    print("found and shrunk to it" if right else "not shrunk to one function")
                    return 0 if right else 1
    if wrong:
        print(f"a wrong {wrong} was not found")
        return 1
    print(f"{arguments.trees} trees of seed {arguments.seed}, {len(seen & set(FUNCTIONS))} of {len(FUNCTIONS)} functions: {bad} fail")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
