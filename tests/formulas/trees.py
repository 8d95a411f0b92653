# SPDX-License-Identifier: Apache-2.0
"""Random formulas: trees of functions, their values by Python's integers, and their text in C++.

A value has two meanings. In a formula over vectors (the law) everything is exact, and ~, <<, pow(a, e) and counts of bits
depend on the width that an operand's type has by the contract. Of single numbers, + and - wrap, as in C++.
"""

import math
import pathlib
import re


class Shape:
    """The type of a value: width and sign; not exact: at least so wide, the type itself is not pinned."""

    def __init__(self, bits, signed=False, exact=True, built_in=False):
        self.bits, self.signed, self.exact, self.built_in = bits, signed, exact, built_in

    def __eq__(self, other):
        return (self.bits, self.signed) == (other.bits, other.signed)

    def cpp(self):
        return f"{'SignedBigInt' if self.signed else 'BigInt'}<{self.bits}>"

    def store(self, x):
        x %= 1 << self.bits
        return x - (1 << self.bits) if self.signed and x >> (self.bits - 1) else x


BOOL, INT = Shape(1), Shape(32, True)


class Fault(Exception):
    """An element without a value."""


def common(a, b):
    """The narrowest type with the values of both."""
    exact = a.exact and b.exact
    if a.signed == b.signed:
        return Shape(max(a.bits, b.bits), a.signed, exact)
    return Shape(max(a.bits + (not a.signed), b.bits + (not b.signed)), True, exact)


def wider(a, b):
    """The type of a + b of single numbers."""
    if a.built_in or b.built_in:
        return b if a.built_in else a
    if a.bits == b.bits:
        return Shape(a.bits, a.signed and b.signed)
    return a if a.bits > b.bits else b


def truncated(a, b):
    """Quotient and remainder of C++."""
    if b == 0:
        raise Fault
    q = abs(a) // abs(b)
    q = -q if (a < 0) != (b < 0) else q
    return q, a - q * b


def positive(m):
    if m <= 0:
        raise Fault
    return m


def power(a, e, m):
    if e < 0:
        raise Fault
    return pow(a, e, m)


def remainder(a, b, shape):
    if b == 0:
        raise Fault
    return truncated(a, b)[1] if shape.signed else a % b


def root(a, k):
    if a < 0 or k < 1:
        raise Fault
    low, high = 0, 1 << (a.bit_length() // k + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**k <= a else (low, middle - 1)
    return low


def jacobi(a, n):
    if n <= 0 or n % 2 == 0:
        raise Fault
    a, sign = a % n, 1
    while a:
        while a % 2 == 0:
            a //= 2
            sign = -sign if n % 8 in (3, 5) else sign
        a, n = n, a
        sign = -sign if a % 4 == 3 and n % 4 == 3 else sign
        a %= n
    return sign if n == 1 else 0


def inverse(a, m):
    if math.gcd(a, positive(m)) != 1:
        raise Fault
    return pow(a, -1, m) if m > 1 else 0


def crt(a, m, b, n):
    g = math.gcd(positive(m), positive(n))
    if (b - a) % g:
        raise Fault
    return a % m + m * ((b - a % m) // g * inverse(m // g, n // g) % (n // g))


def is_prime(n):
    """For n < 2^64."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if n < 2 or any(n % p == 0 for p in bases):
        return n in bases
    s = (n - 1 & 1 - n).bit_length() - 1
    return all(pow(b, (n - 1) >> s, n) == 1 or any(pow(b, (n - 1) >> s << i, n) == n - 1 for i in range(s)) for b in bases)


def rotate(a, k, shape):
    k %= shape.bits
    a %= 1 << shape.bits
    return shape.store(a << k | a >> (shape.bits - k))


def extract(a, position, count, shape):
    if position < 0 or count <= 0:
        return 0
    position = min(position, shape.bits)
    return shape.store(a >> position if count >= shape.bits else (a >> position) % (1 << count))


def shift_left(a, k, shape):
    return 0 if k < 0 or k >= shape.bits else shape.store(a << k)


def shift_right(a, k, shape):
    return (-1 if a < 0 else 0) if k < 0 or k >= shape.bits else a >> k


def listed_cases():
    """The cases of random formulas in the list of functions, {name: text in C++, with {0}, {1} ... for its operands}."""
    cases = {}
    text = (pathlib.Path(__file__).resolve().parents[1] / "grid" / "numbers.def").read_text()
    for arity, name, places, rest in re.findall(r"^GRID_CASE(\d)\((\w+), ([^,]*), \w+, (.*)\)$", text, re.M):
        if "in_trees" not in places:
            continue
        *roles, expression = rest.split(", ", int(arity))
        pattern = r"\b(" + "|".join(roles) + r")\b(?!\()"
        expression = re.sub(pattern, lambda m: "{%d}" % roles.index(m.group()), expression)
        cases[name] = expression if re.fullmatch(r"\w+\(.*\)", expression) else f"({expression})"
    return cases


CASES = listed_cases()


class Function:
    """case: of the list, which has the text in C++; value(numbers, shapes); law(shapes) and plain(shapes): the type of the result.

    roles: what each operand is: any; fixed (its width matters); divisor (a constant is not 0); modulus; count (small);
    low (at most 300 bits); like (as<> the type of the first); short (unsigned, at most 64 bits).
    """

    def __init__(self, case, roles, value, law, plain=None, plain_text=None):
        self.text, self.roles, self.value, self.law = CASES.pop(case), roles.split(), value, law
        self.plain = plain or law
        self.plain_text = plain_text or self.text


def loose(bits, signed=False):
    return Shape(bits, signed, False)


def ring(sign):
    return lambda s: Shape(common(*s).bits + 1, sign or common(*s).signed, common(*s).exact)


def same(s):
    return Shape(s[0].bits, s[0].signed, s[0].exact)


def both(function):
    return lambda s: function(s[0], s[1])


def of_modulus(s):
    return Shape(s[-1].bits, False, False)


def any_sign(s):
    return s[0].signed or s[1].signed


BINARY = {
    "add": Function("Sum", "any any", lambda x, s: x[0] + x[1], ring(False), both(wider)),
    "subtract": Function("Difference", "any any", lambda x, s: x[0] - x[1], ring(True), both(wider)),
    "multiply": Function("Product", "any any", lambda x, s: x[0] * x[1],
                         lambda s: Shape(s[0].bits + s[1].bits, any_sign(s), s[0].exact and s[1].exact)),
    "divide": Function("Quotient", "any divisor", lambda x, s: truncated(*x)[0],
                       lambda s: Shape(s[0].bits + s[1].signed, any_sign(s), s[0].exact and s[1].exact), same),
    "remainder": Function("Remainder", "any divisor", lambda x, s: remainder(*x, s[1]),
                          lambda s: Shape(s[1].bits, s[1].signed, s[1].exact)),
    "and": Function("Conjunction", "any any", lambda x, s: x[0] & x[1], both(common), both(wider)),
    "or": Function("Disjunction", "any any", lambda x, s: x[0] | x[1], both(common), both(wider)),
    "xor": Function("Exclusive", "any any", lambda x, s: x[0] ^ x[1], both(common), both(wider)),
    "shift_left": Function("ShiftLeftByOperand", "fixed count", lambda x, s: shift_left(*x, s[0]), same),
    "shift_right": Function("ShiftRightByOperand", "fixed count", lambda x, s: shift_right(*x, s[0]), same),
    "equal": Function("Equal", "any any", lambda x, s: x[0] == x[1], lambda s: BOOL),
    "not_equal": Function("NotEqual", "any any", lambda x, s: x[0] != x[1], lambda s: BOOL),
    "less": Function("Less", "any any", lambda x, s: x[0] < x[1], lambda s: BOOL),
    "less_equal": Function("LessEqual", "any any", lambda x, s: x[0] <= x[1], lambda s: BOOL),
    "greater": Function("Greater", "any any", lambda x, s: x[0] > x[1], lambda s: BOOL),
    "greater_equal": Function("GreaterEqual", "any any", lambda x, s: x[0] >= x[1], lambda s: BOOL),
}
FUNCTIONS = {
    **BINARY,
    "negate": Function("Negative", "any", lambda x, s: -x[0], lambda s: Shape(s[0].bits + 1, True, s[0].exact), same),
    "complement": Function("Complement", "fixed", lambda x, s: s[0].store(~x[0]), same),
    "not": Function("Not", "any", lambda x, s: x[0] == 0, lambda s: BOOL),
    "popcount": Function("Popcount", "fixed", lambda x, s: (x[0] % (1 << s[0].bits)).bit_count(), lambda s: INT),
    "bit_width": Function("BitWidth", "fixed", lambda x, s: (x[0] % (1 << s[0].bits)).bit_length(), lambda s: INT),
    "countl_zero": Function("LeadingZeros", "fixed",
                            lambda x, s: s[0].bits - (x[0] % (1 << s[0].bits)).bit_length(), lambda s: INT),
    "countr_zero": Function("TrailingZeros", "fixed",
                            lambda x, s: (x[0] & -x[0]).bit_length() - 1 if x[0] else s[0].bits, lambda s: INT),
    "square": Function("Square", "any", lambda x, s: x[0] ** 2, lambda s: Shape(2 * s[0].bits, False, s[0].exact)),
    "power_wrapping": Function("Power", "low low", lambda x, s: s[0].store(power(x[0], x[1], 1 << s[0].bits)), same),
    "min": Function("Minimum", "any any", lambda x, s: min(x), both(common)),
    "max": Function("Maximum", "any any", lambda x, s: max(x), both(common)),
    "abs": Function("Absolute", "any", lambda x, s: abs(x[0]), lambda s: Shape(s[0].bits, False, False)),
    "mul_low": Function("LowProduct", "fixed like", lambda x, s: s[0].store(x[0] * x[1]), same),
    "mul_high": Function("HighProduct", "fixed like", lambda x, s: s[0].store(x[0] * x[1] >> s[1].bits), same),
    "isqrt": Function("Root", "any", lambda x, s: root(x[0], 2), lambda s: loose(s[0].bits, s[0].signed)),
    "iroot": Function("RootOfDegree", "low degree", lambda x, s: root(*x), lambda s: loose(s[0].bits, s[0].signed)),
    "is_square": Function("IsSquare", "any", lambda x, s: x[0] >= 0 and math.isqrt(x[0]) ** 2 == x[0], lambda s: BOOL),
    "gcd": Function("Gcd", "low low", lambda x, s: math.gcd(*x), lambda s: loose(max(s[0].bits, s[1].bits))),
    "lcm": Function("Lcm", "low low", lambda x, s: math.lcm(*x), lambda s: loose(s[0].bits + s[1].bits)),
    "jacobi": Function("Jacobi", "low low", lambda x, s: jacobi(*x), lambda s: INT),
    "is_probable_prime": Function("IsProbablePrime", "short", lambda x, s: is_prime(x[0]), lambda s: BOOL),
    "rotl": Function("RotateLeftByOperand", "fixed count", lambda x, s: rotate(x[0], x[1], s[0]), same,
                     plain_text="rotl({0}, places({1}, {0}))"),
    "rotr": Function("RotateRightByOperand", "fixed count", lambda x, s: rotate(x[0], -x[1], s[0]), same,
                     plain_text="rotr({0}, places({1}, {0}))"),
    "test_bit": Function("TestBitOfOperand", "fixed count",
                         lambda x, s: x[0] >> x[1] & 1 if 0 <= x[1] < s[0].bits else x[0] < 0, lambda s: BOOL,
                         plain_text="test_bit({0}, position({1}))"),
    "extract_bits": Function("ExtractBitsOfOperands", "fixed count count", lambda x, s: extract(*x, s[0]), same,
                             plain_text="extract_bits({0}, position({1}), position({2}))"),
    "select": Function("SelectByOperand", "any any any", lambda x, s: x[1] if x[0] else x[2],
                       lambda s: common(s[1], s[2]), plain_text="({0} ? {t}({1}) : {t}({2}))"),
    "addmod": Function("AddModulo", "low low modulus", lambda x, s: (x[0] + x[1]) % positive(x[2]), of_modulus),
    "submod": Function("SubtractModulo", "low low modulus", lambda x, s: (x[0] - x[1]) % positive(x[2]), of_modulus),
    "mulmod": Function("MultiplyModulo", "low low modulus", lambda x, s: x[0] * x[1] % positive(x[2]), of_modulus),
    "sqrmod": Function("SquareModulo", "low modulus", lambda x, s: x[0] ** 2 % positive(x[1]), of_modulus),
    "power": Function("PowerModulo", "low low modulus", lambda x, s: power(x[0], x[1], positive(x[2])), of_modulus),
    "inverse": Function("InverseModulo", "low modulus", lambda x, s: inverse(*x), of_modulus,
                        plain_text="value_of(inverse({0}, {1}))"),
    "crt": Function("TwoCongruences", "low short low short", lambda x, s: crt(*x),
                    lambda s: loose(s[1].bits + s[3].bits), plain_text="value_of(crt({0}, {1}, {2}, {3}))"),
}


if CASES:
    raise ValueError(f"the list has cases of random formulas without a value here: {', '.join(CASES)}")


class Node:
    """A leaf (kind vector, constant, modulus, literal, name) or a function of nodes; cast and let are functions too."""

    def __init__(self, kind, children=(), shape=None, values=None, text=None):
        self.kind, self.children, self.values, self.text = kind, list(children), values, text
        self.law = self.plain = shape
        if kind in FUNCTIONS:
            f = FUNCTIONS[kind]
            self.law = f.law([c.law for c in self.children])
            self.plain = f.plain([c.plain for c in self.children])
        elif kind == "let":
            self.law, self.plain = self.children[1].law, self.children[1].plain

    def is_batch(self):
        return self.kind not in ("constant", "modulus", "literal")

    def size(self):
        return 1 + sum(c.size() for c in self.children)

    def nodes(self):
        yield self
        for c in self.children:
            yield from c.nodes()

    def value(self, row, law, wrong=None, names=()):
        """Of one element; raises Fault."""
        if self.kind == "name":
            return names[-1 - self.values]
        if self.kind == "let":
            return self.children[1].value(row, law, wrong, names + (self.children[0].value(row, law, wrong, names),))
        if not self.children:
            return self.values[row % len(self.values)]
        x = [c.value(row, law, wrong, names) for c in self.children]
        if self.kind == "cast":
            r = self.law.store(x[0])
        else:
            f = FUNCTIONS[self.kind]
            r = int(f.value(x, [c.law if law else c.plain for c in self.children]))
        r += self.kind == wrong
        return r if law else self.plain.store(r)


def cast(a, shape):
    return Node("cast", [a], shape)


def prepared(roles, children):
    """The children as their roles want them."""
    out = []
    for role, c in zip(roles, children):
        limit = 300 if role in ("low", "modulus") else 700
        if role == "like" and not (c.law == out[0].law and c.plain == out[0].plain and c.is_batch() and c.law.exact):
            c = cast(c, Shape(out[0].law.bits, out[0].law.signed)) if c.is_batch() else cast(out[0], out[0].law)
        elif role == "short" and (c.law.bits > 64 or c.law.signed or not c.law.exact) and c.is_batch():
            c = cast(c, Shape(min(c.law.bits, 61), False))
        elif role == "modulus" and (c.law.signed or not c.law.exact) and c.is_batch():
            c = cast(c, Shape(min(c.law.bits, limit), False))
        elif role == "divisor" and not c.law.exact and c.is_batch():
            c = cast(c, Shape(min(c.law.bits, limit), c.law.signed))
        elif c.law.bits > limit or role in ("fixed", "low") and not c.law.exact or role == "fixed" and c.law != c.plain:
            c = cast(c, Shape(min(c.law.bits, limit), c.law.signed))
        out.append(c)
    return out


def function(kind, children):
    return Node(kind, prepared(FUNCTIONS[kind].roles, children))


# ---- random trees

ROWS = 17
WIDTHS = (1, 7, 31, 32, 33, 63, 64, 65, 96, 109, 128, 131, 191, 192, 239, 256)


def number(random, shape):
    """A number of the type, often an extreme one."""
    n = shape.bits
    kind = random.randrange(6)
    if kind == 0:
        x = random.choice((0, 1, 2, 3, -1, -2, (1 << n) - 1, 1 << (n - 1), (1 << (n - 1)) - 1, (1 << (n - 1)) + 1))
    elif kind == 1:
        x = random.getrandbits(random.randint(1, n))
    elif kind == 2:
        x = sum(random.choice((0, 1, 0xffffffff, 0x80000000, 0x7fffffff)) << i for i in range(0, n, 32))
    elif kind == 3:
        x = (1 << random.randrange(n + 1)) + random.choice((-1, 0, 1))
    elif kind == 4:
        x = (1 << random.randrange(n + 1)) - (1 << random.randrange(n + 1))
    else:
        x = random.getrandbits(n)
    return shape.store(x)


def shape_of(random):
    width = random.choice(WIDTHS) if random.randrange(4) else random.randint(1, 270)
    return Shape(max(width, 2), True) if random.randrange(3) == 0 else Shape(width)


def vector(random, shape=None):
    shape = shape or shape_of(random)
    return Node("vector", shape=shape, values=[number(random, shape) for _ in range(ROWS)])


def related(random, a):
    """A vector of numbers that are near those of another."""
    values = [a.law.store(random.choice((x, x + 1, x - 1, 2 * x, -x, number(random, a.law)))) for x in a.values]
    return Node("vector", shape=a.law, values=values)


def leaf(random, role, leaves):
    if role == "count":
        shape = random.choice((Shape(32), Shape(32, True), Shape(8)))
        if random.randrange(2):
            return literal(random.choice((0, 1, 31, 32, 33, 64, 65, 127, 300)), INT)
        return Node("vector", shape=shape, values=[shape.store(random.choice((0, 1, 31, 32, 33, random.randrange(300))))
                                                   for _ in range(ROWS)])
    if role == "degree":
        return literal(random.randrange(1, 8), INT)
    positive_only = role in ("divisor", "modulus", "short")
    kind = random.randrange(6 if role != "first" else 3)
    if kind < 3 or role == "like":
        if leaves and random.randrange(3) == 0:
            return random.choice(leaves)
        made = related(random, random.choice(leaves)) if leaves and random.randrange(3) == 0 else vector(random)
        leaves.append(made)
        return made
    if kind == 3 and role not in ("short",):
        x = random.choice((1, 2, 3, 7, 255, 65537, 0x7fffffff)) * (1 if positive_only or random.randrange(3) else -1)
        return literal(x, INT)
    shape = Shape(random.choice(WIDTHS[1:])) if positive_only else shape_of(random)
    if role == "short":
        shape = Shape(random.randint(2, 64))
    x = number(random, shape) or 1
    made = Node("modulus" if role == "modulus" and random.randrange(2) else "constant", shape=shape, values=[x])
    return made


def literal(x, shape):
    return Node("literal", shape=Shape(shape.bits, shape.signed, built_in=True), values=[x], text=f"({x})" if x < 0 else str(x))


def tree(random, depth, leaves, role="first"):
    """A tree of that depth at most; its first operands are batches."""
    if role in ("degree",) or depth == 0 or (role not in ("first", "top") and random.randrange(5) == 0):
        return leaf(random, role, leaves)
    if role == "count" and random.randrange(4):
        return leaf(random, role, leaves)
    choice = random.randrange(16)
    if choice == 0:
        return cast(tree(random, depth - 1, leaves, "first"), shape_of(random))
    if choice == 1 and depth > 1:
        named = tree(random, depth - 2, leaves, "first")
        if not named.law.exact or named.law != named.plain:
            named = cast(named, Shape(named.law.bits, named.law.signed))
        name = Node("name", shape=Shape(named.law.bits, named.law.signed), values=0)
        kind = random.choice(list(BINARY))
        return Node("let", [named, function(kind, [name, name if random.randrange(2) else tree(random, 0, leaves, "divisor")])])
    kind = random.choice(list(FUNCTIONS))
    roles = FUNCTIONS[kind].roles
    children = [tree(random, depth - 1, leaves, "first" if i == 0 else r) for i, r in enumerate(roles)]
    return function(kind, children)


# ---- C++

def limbs(x, bits):
    x %= 1 << 32 * ((bits + 31) // 32)
    return [x >> i & 0xffffffff for i in range(0, bits, 32)]


class Text:
    """One tree as C++: its columns, and a function tree_<index>()."""

    def __init__(self, root, index, target, space, wrong=None, plain=True):
        self.root, self.index, self.target, self.space, self.wrong = root, index, target, space, wrong
        self.plain = plain
        self.leaves = []
        for n in root.nodes():
            if n.kind in ("vector", "constant", "modulus") and n not in self.leaves:
                self.leaves.append(n)

    def name(self, n):
        return f"{n.kind[0]}{self.leaves.index(n)}"

    def expression(self, n, depth=0):
        if n.kind == "literal":
            return n.text
        if n.kind == "name":
            return f"x{depth - 1 - n.values}"
        if n.kind == "let":
            return f"let({self.expression(n.children[0], depth)}, [&](auto x{depth}) {{ return {self.expression(n.children[1], depth + 1)}; }})"
        if not n.children:
            return self.name(n)
        parts = [self.expression(c, depth) for c in n.children]
        if n.kind == "cast":
            return f"as<{n.law.cpp()}>({parts[0]})"
        return FUNCTIONS[n.kind].text.format(*parts)

    def statements(self, n, out, names=()):
        """The same of single numbers, a variable for each function; returns the text of n."""
        if n.kind == "literal":
            return n.text
        if n.kind == "name":
            return names[-1 - n.values]
        if n.kind == "let":
            return self.statements(n.children[1], out, names + (self.statements(n.children[0], out, names),))
        if not n.children:
            return self.name(n)
        parts = [self.statements(c, out, names) for c in n.children]
        t = n.plain.cpp()
        text = parts[0] if n.kind == "cast" else FUNCTIONS[n.kind].plain_text.format(*parts, t=t)
        variable = f"y{len(out)}"
        out.append(f"        const {t} {variable} = {t}({text});")
        return variable

    def expected(self, law):
        """(limbs of all rows, faults) as they are stored."""
        words, faults = [], []
        shape = self.target if law else self.root.plain
        for row in range(self.rows()):
            try:
                x, fault = shape.store(self.root.value(row, law, self.wrong)), 0
            except Fault:
                x, fault = 0, 1
            words += limbs(x, shape.bits)
            faults.append(fault)
        return words, faults

    def rows(self):
        return max(len(n.values) for n in self.leaves if n.kind == "vector")

    def array(self, what, name, values):
        return f"const {what} {name}[] = {{{', '.join(hex(v) if what != 'bool' else str(v) for v in values)}}};"

    def text(self):
        i = self.index
        lines = [f"namespace tree_{i} {{"]
        for n in self.leaves:
            lines.append(self.array("std::uint32_t", f"of_{self.name(n)}", [w for v in n.values for w in limbs(v, n.law.bits)]))
        words, faults = self.expected(True)
        lines += [self.array("std::uint32_t", "values", words), self.array("bool", "faults", faults)]
        lines.append("void formula() {")
        for n in self.leaves:
            t, name = n.law.cpp(), self.name(n)
            if n.kind == "vector":
                lines.append(f"    const {self.space}<{t}> {name} = column<{self.space}<{t}>>(of_{name});")
            elif n.kind == "modulus":
                lines.append(f"    const Modulus<{n.law.bits}> {name}(number<{t}>(of_{name}));")
            else:
                lines.append(f"    const {t} {name} = number<{t}>(of_{name});")
        lines.append(f"    const auto formula = {self.expression(self.root)};")
        if self.root.law.exact and self.root.kind != "vector":
            lines.append(f"    static_assert(has_shape<decltype(formula)>({self.root.law.bits}, {str(self.root.law.signed).lower()}));")
        lines += [f"    {self.space}<{self.target.cpp()}> r;", "    r = formula;",
                  f"    check({i}, \"formula\", r, values, faults);", "}"]
        if self.plain:
            words, faults = self.expected(False)
            lines += [self.array("std::uint32_t", "plain_values", words), self.array("bool", "plain_faults", faults),
                      "void numbers() {", f"    for (int i = 0; i < {self.rows()}; ++i) {{", "        try {"]
            for n in self.leaves:
                t, name = n.law.cpp(), self.name(n)
                place = f"of_{name} + {'i' if n.kind == 'vector' else '0'} * {t}::limb_count"
                lines.append(f"        const {'Modulus<%d>' % n.law.bits if n.kind == 'modulus' else t} {name}(number<{t}>({place}));")
            out = []
            result = self.statements(self.root, out)
            lines += out + [f"        check_one({i}, i, &{result}, plain_values, plain_faults);", "        } catch (const std::domain_error &) {",
                            f"        check_one({i}, i, static_cast<const {self.root.plain.cpp()} *>(nullptr), plain_values, plain_faults);",
                            "        }", "    }", "}"]
        return "\n".join(lines + ["}"])

    def __str__(self):
        return self.expression(self.root)


PROLOGUE = """// Made by random_formulas.py.
#include <warpint/warpint.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <type_traits>
#include <vector>

using namespace warpint;

#ifdef __CUDACC__ // where vectors of hosts have no formulas
template <class T>
using OnHost = device_vector<T>;
#else
template <class T>
using OnHost = host_vector<T>;
#endif
template <class T>
using OnDevice = device_vector<T>;

namespace {

int wrong = 0;

template <class T>
T number(const std::uint32_t *limbs) {
    T r{};
    for (int i = 0; i < T::limb_count; ++i)
        r.limbs[i] = limbs[i];
    return r;
}
template <class Vector, std::size_t count>
Vector column(const std::uint32_t (&limbs)[count]) {
    using T = typename Vector::value_type;
    std::vector<T> r;
    for (std::size_t i = 0; i < count; i += T::limb_count)
        r.push_back(number<T>(limbs + i));
    return Vector(r);
}
template <class T>
void report(int tree, const char *what, int element, const T *x, const T &expected, bool fault) {
    ++wrong;
    std::printf("wrong %d %s %d got %s expected %s\\n", tree, what, element, x ? to_string(*x, 16).c_str() : "none",
                fault ? "none" : to_string(expected, 16).c_str());
}
template <class T>
void check_one(int tree, int i, const T *x, const std::uint32_t *values, const bool *faults, const char *what = "numbers") {
    const T expected = number<T>(values + i * T::limb_count);
    if ((x == nullptr) != faults[i] || (x != nullptr && *x != expected))
        report(tree, what, i, x, expected, faults[i]);
}
template <class Vector>
void check(int tree, const char *what, Vector &r, const std::uint32_t *values, const bool *faults) {
    const std::vector<bool> mask = r.error_mask();
    r.clear_errors();
    const auto got = r.to_host();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const auto x = got[i];
        check_one(tree, static_cast<int>(i), mask[i] ? nullptr : &x, values, faults, what);
    }
}
template <class Formula>
constexpr bool has_shape(int bits, bool is_signed) {
    using T = typename std::remove_cvref_t<Formula>::value_type;
    if constexpr (std::is_same_v<T, bool>)
        return bits == 1 && !is_signed;
    else if constexpr (std::is_integral_v<T>)
        return bits == static_cast<int>(8 * sizeof(T)) && is_signed == std::is_signed_v<T>;
    else
        return bits == T::bits && is_signed == T::is_signed;
}
template <class T>
int position(const T &x) {
    return x < 0 ? -1 : x > 1000000 ? 1000000 : static_cast<int>(x);
}
template <class K, class T>
int places(const K &k, const T &) {
    return static_cast<int>(k % SignedBigInt<32>(T::bits));
}
template <class T>
T value_of(const Optional<T> &x) {
    if (!x)
        throw std::domain_error("no value");
    return *x;
}
"""


# A tree whose results are wrong in the second element, and without a fault that is there: a program must say so.
CANARY = """
namespace canary {
const std::uint32_t values[] = {12, 13, 0};
const bool faults[] = {false, false, false};
void formula() {
    OnDevice<BigInt<32>> a(3, BigInt<32>(36)), b(3, BigInt<32>(3)), r;
    b[2] = 0;
    r = a / b;
    check(-1, "formula", r, values, faults);
    if (wrong != 2)
        std::printf("the check is blind\\n");
    wrong = 0;
}
} // namespace canary
"""


def source(texts):
    lines = [PROLOGUE, CANARY]
    lines += [t.text() for t in texts]
    calls = [f"    tree_{t.index}::{f}();" for t in texts for f in (("formula", "numbers") if t.plain else ("formula",))]
    lines += ["", "} // namespace", "", "int main() {", "    canary::formula();", *calls, '    std::printf("%d wrong\\n", wrong);',
              "    return wrong == 0 ? 0 : 1;", "}", ""]
    return "\n".join(lines)
