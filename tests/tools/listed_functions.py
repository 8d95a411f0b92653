#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every public function of numbers and residues is in the lists under test, tests/grid/*.def.

    listed_functions.py ROOT                check the project
    listed_functions.py ROOT --self-test    check that a function without a line is reported
"""

import pathlib
import re
import sys

# What needs more than operands: a width and a generator (tests/number/modular/bodies.h); the form of a residue
# (tests/number/modular/forms_test.cpp).
ELSEWHERE = {"random_prime", "random_safe_prime", "form_of_number", "value_of_form"}


def public_functions(text):
    return set(re.findall(r"^\[\[nodiscard\]\] WARPINT_HOST_DEVICE\b[^;{]*?\b([a-z]\w*)\(", text, re.M))


def main():
    root = pathlib.Path(sys.argv[1])
    number = root / "include/warpint/number"
    headers = [root / "include/warpint/random.h", *(h for room in (".", "theory", "modular") for h in (number / room).glob("*.h"))]
    functions = set().union(*(public_functions(header.read_text()) for header in headers))
    lists = "".join((root / "tests/grid" / name).read_text() for name in ("numbers.def", "residues.def", "calls.h"))
    if "--self-test" in sys.argv:
        planted = public_functions("template <class A>\n[[nodiscard]] WARPINT_HOST_DEVICE constexpr A\nnew_function(const A &a) {")
        if planted != {"new_function"} or len(functions) < 50:
            sys.exit("the headers' functions are not seen")
        functions |= planted
    missing = sorted(f for f in functions - ELSEWHERE if not re.search(rf"\b{f}\b", lists))
    if "--self-test" in sys.argv:
        sys.exit(0 if missing == ["new_function"] else f"reported: {missing}")
    sys.exit("".join(f"{f}: in no line of tests/grid/numbers.def or residues.def\n" for f in missing) or 0)


if __name__ == "__main__":
    main()
