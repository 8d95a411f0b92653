#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows doxygen the comments of a header, which are plain // comments.

    filter.py <file>     writes the page of the guide, as doxygen is to read it
    filter.py --reference <folder>
                         writes the chapters of the reference and the headers to a folder, as doxygen is to read them

What stands directly in namespace warpint is public; the namespaces below it are the library's own. A comment before a
declaration describes that and those that follow it without an empty line. The comment at the top of a header
describes the group of what the header holds. A header that users include is a chapter; what the headers behind it hold
are sections of that. What looks like code in a comment is shown as code.
"""

import pathlib
import re
import sys
import textwrap

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"

# The chapters of the reference: the headers that users include, and what of the headers behind them each brings,
# with the titles of their pages, in the order in which they are shown.
CHAPTERS = {
    "bigint": ("Numbers", {
        "number_storage": "BigInt and SignedBigInt",
        "number_arithmetic": "Arithmetic operators",
        "number_compare": "Comparison",
        "number_bits": "Bits and shifts",
        "number_fields": "Bit fields",
        "number_carry": "Carry and overflow",
        "number_order": "min, max, abs, swap",
        "number_power": "Powers",
        "number_root": "Square roots",
        "number_bytes": "Bytes",
        "number_optional": "Optional"}),
    "text": ("Text and literals", {
        "number_text": "parse, to_string, to_chars, from_chars",
        "number_literals": "Literals",
        "number_stream": "Streams",
        "number_print": "Printing from kernels"}),
    "modular": ("Modular arithmetic", {
        "number_modular_power": "pow(a, e, m)",
        "number_modular_arithmetic": "addmod, submod, mulmod, sqrmod",
        "number_modular_inverse": "inverse(a, m)",
        "number_modular_modulus": "Modulus",
        "number_modular_residue": "Residue",
        "number_modular_static_residue": "StaticResidue",
        "number_modular_residue_operators": "Operators of residues",
        "number_modular_power_constant": "Powers with a constant exponent",
        "number_modular_fixed_base": "Powers of one base",
        "number_modular_inverse_all": "Many inverses at once"}),
    "number_theory": ("Number theory", {
        "number_theory_gcd": "gcd, lcm, gcd_ext, jacobi",
        "number_theory_prime": "Primality",
        "number_theory_next_prime": "Finding primes",
        "number_theory_sqrt_mod": "Square roots modulo a prime",
        "number_theory_crt": "Chinese remainder theorem"}),
    "random": ("Random numbers", {"number_random": "Philox"}),
    "vector": ("Vectors and formulas", {
        "vector_vector": "host_vector and device_vector",
        "vector_view": "batch_view",
        "expression_operators": "Operators in formulas",
        "expression_functions": "Functions in formulas",
        "vector_eval": "eval, evaluate, tie, explain",
        "vector_reduce": "Reductions",
        "vector_text": "Text of whole vectors",
        "vector_bytes": "Bytes of whole vectors",
        "vector_stream": "Vectors on streams",
        "vector_residue_element": "Elements of vectors of residues",
        "expression_limb_major": "Limbs in rows",
        "vector_element": "Elements of device vectors",
        "vector_element_ranges": "Element types",
        "vector_copy": "Asynchronous copies",
        "execution_memory_resource": "Memory resources",
        "execution_memory_error": "Exceptions",
        "execution_memory_backend": "The device in use",
        "execution_memory_cpu_threads": "CPU threads",
        "expression_batch": "Locations and streams",
        "execution_plan_plan": "Explanation",
        "execution_plan_tuning_row": "Tuning rows"}),
    "sort": ("Sorting", {"vector_sort": "sort, sort_by_key, argsort"}),
    "sharded": ("Several GPUs", {
        "vector_device_group": "device_group",
        "vector_sharded_vector": "sharded_vector",
        "vector_sharded": "Formulas and reductions",
        "vector_sharded_sort": "Sorting on several GPUs"}),
    "distributed": ("Many machines", {
        "distributed_group": "process_group",
        "distributed_vector": "distributed_vector",
        "distributed_order": "Sorting and gathering over MPI",
        "distributed_chunks": "for_each_chunk",
        "distributed_errors": "Exceptions of processes"}),
    "warp_int": ("Numbers over several lanes", {
        "number_warp_int_storage": "WarpInt and SignedWarpInt",
        "number_warp_int_arithmetic": "Arithmetic over lanes",
        "number_warp_int_compare": "Comparison over lanes",
        "number_warp_int_bits": "Bits over lanes",
        "number_warp_int_modular": "Modular functions over lanes",
        "number_warp_int_residue": "Residues over lanes",
        "number_warp_int_root": "Powers and square roots over lanes",
        "number_warp_int_gcd": "Inverses over lanes",
        "number_warp_int_prime": "Primes over lanes",
        "number_warp_int_random": "Random numbers and text over lanes"}),
    "constant_time": ("Constant time", {
        "number_modular_secret": "Constant-time modular arithmetic",
        "number_secret": "Constant-time selection and comparison"}),
    "gmp": ("GMP", {}),
    "warpint": ("Everything", {}),
    "version": ("Version", {}),
}
# Headers that are listed nowhere above belong to the chapter of their folder.
CHAPTER_OF_FOLDER = {"number": "bigint", "number/modular": "modular", "number/theory": "number_theory",
                     "number/warp_int": "warp_int", "expression": "vector", "execution": "vector",
                     "execution/evaluation": "vector", "execution/kernels": "vector", "execution/plan/tuning": "vector",
                     "vector": "vector", "vector/kernels": "vector", "distributed": "distributed"}
CHAPTER_OF = {group: chapter for chapter, (_, groups) in CHAPTERS.items() for group in groups}

# Types whose operators and functions are free: their pages link to those.
FUNCTIONS_OF = {
    "BigInt": ["bigint", "text", "modular", "number_theory"],
    "SignedBigInt": ["bigint", "text", "modular", "number_theory"],
    "Residue": ["modular"],
    "BasicStaticResidue": ["modular"],
    "batch_vector": ["vector", "sort"],
    "batch_view": ["vector"],
    "sharded_batch": ["sharded", "vector"],
    "distributed_batch": ["distributed", "vector"],
    "BasicWarpInt": ["warp_int"],
}

# The inline namespace of what C++ and CUDA files have different types of: not shown.
BACKEND = "WARPINT_BACKEND"

# Comments of what is public in the language only.
NOT_FOR_USERS = re.compile(r"^\s*// (For this library|The parts that residue_operators|.*here for (its|their) message)")

# Names of the library's own namespaces in a declaration: a type is shown as auto (the comment says which it is),
# a width by its name alone, a constraint not at all.
INNER = r"(?:number|warp_int|expression|execution|containers|message_passing|arith)::"
INNER_WIDTHS = re.compile(INNER + r"(?:modulus_bits_v|bits_of)\b")
INNER_WIDER = re.compile(INNER + r"wider_bits\b")
INNER_TYPE = re.compile(INNER + r"\w+_t<[^<>]*(?:<[^<>]*>[^<>]*)*>(?=[ >,])")

# Code in the running text of a comment: calls, templates, qualified names, names with underscores, headers, files.
CODE = re.compile(
    r"(`[^`]*`)"
    r"|(<\w+(?:/\w+)*(?:\.h)?>"
    r"|\b[A-Za-z_]\w*(?:::\w+)+(?:<[^<>]*>)?(?:\([^()]*\))?"
    r"|\b(?!operator)[A-Za-z_]\w*<[^<>=]*(?:<[^<>]*>[^<>=]*)?>(?:::\w+)*(?:\([^()]*\))?"
    r"|\b(?:\w+\.)*[A-Za-z_]\w*\([^()]*(?:\([^()]*\)[^()]*)?\)"
    r"|\b\w+(?:/\w+)*\.(?:h|cpp|py)\b"
    r"|\b[A-Za-z]\w*_\w+\b)")


def marked(text, is_first):
    """Text of a comment with what looks like code between backquotes. Doxygen writes the first letter of a description
    large, which is wrong for a name: a small one begins code."""
    text = CODE.sub(lambda match: match.group(1) or f"`{match.group(2)}`", text)
    if is_first:
        text = re.sub(r"^( *)([a-z][^\s`:,;]*)(?=[\s:,;])", r"\1`\2`", text)
    return text


def escape(text):
    """Text in which nothing means anything to doxygen but code between backquotes."""
    text = re.sub(r"(`[^`]*`)|[\\@<>%#&$]", lambda match: match.group(1) or "\\" + match.group(), text)
    return re.sub(r"^( *)([+*])", r"\1\\\2", text)


def without_constraints(text):
    """Declarations without their constraints that name something of the library's own namespaces."""
    result = ""
    while True:
        found = re.search(r"^ *requires\b *", text, re.MULTILINE)
        if not found:
            return result + text
        end = end_of_constraint(text, found.end())
        inner = re.search(r"\b" + INNER, text[found.end():end])
        result += text[:found.start()] if inner else text[:end]
        text = text[end:]


def end_of_constraint(text, at):
    """Where the constraint that begins at `at` ends: terms, joined by && and ||."""
    while True:
        at = re.compile(r"[\s!]*(?:[\w:]+)?").match(text, at).end()
        pairs = {"(": ")", "<": ">"}
        while text[at] in pairs:
            at = end_of_bracket(text, at, text[at], pairs[text[at]])
            at = re.compile(r"(?:::\w+)*").match(text, at).end()
        joint = re.compile(r"\s*(?:&&|\|\|)").match(text, at)
        if not joint:
            return at
        at = joint.end()


def end_of_bracket(text, at, opening, closing):
    depth = 0
    while True:
        depth += (text[at] == opening) - (text[at] == closing)
        at += 1
        if depth == 0:
            return at


def told_apart(text):
    """Functions of different concepts with parameters of different names: doxygen takes functions for one that differ in
    their concept alone, and describes one of them."""
    def rename(declaration):
        return re.sub(r"\bT\b", declaration.group(1)[0], declaration.group())
    return re.sub(r"^ *template <[^{;]*?\b(WarpNumber|LiteralNumber) T\b[^{;]*[{;]", rename, text, flags=re.MULTILINE)


def shown(line):
    """A line of a declaration without the names of the library's own namespaces."""
    line = INNER_WIDTHS.sub("bits_of", INNER_WIDER.sub("wider_bits", line))
    line = re.sub(INNER + r"[A-Z]\w*(?:<\w*>)?(?= [A-Z]\w*[,>])", "class", line)  # constrained parameters of templates
    return INNER_TYPE.sub("auto", line)


def converted(comment, indent):
    """The lines of a // comment as ones of a /// comment. Lines set in by three and more blanks are
    code, or a list if the first begins with a dash."""
    lines = []
    set_in = []  # lines of code that were read last
    in_list = False

    def end_code():
        if set_in:
            # A table of code and words is no C++.
            statements = [line for line in set_in if re.search(r"[;{}](?: *//.*)?$|^ *//", line)]
            language = "cpp" if 2 * len(statements) >= len(set_in) else "unparsed"
            if lines and not lines[-1].startswith("/// @par"):
                lines.append("///")
            code = textwrap.dedent("\n".join(set_in)).split("\n")
            lines.extend([f"/// @code{{.{language}}}", *("/// " + line for line in code), "/// @endcode"])
            set_in.clear()

    for line in comment:
        text = re.sub(r"^\s*//", "", line)
        if text.startswith("   "):
            in_list = not set_in and (in_list or text.lstrip().startswith("- "))
            if in_list:
                lines.append("///" + text[2:4] + escape(marked(text[4:], False)))
            else:
                set_in.append(text[2:])
        else:
            end_code()
            if in_list:
                lines.append("///")
            in_list = False
            if text == " Example:":
                lines += ["///", "/// @par Example"]
            else:
                lines.append("///" + escape(marked(text, line is comment[0])))
    end_code()
    return [indent + line for line in lines]


REFUSED = re.compile(r"\bWARPINT_REFUSED\(|^ *WARPINT_(?:REFUSED_|NOT_A_MEMBER)\w*\(|= delete; //|operator write_")
ENDS_BEFORE = re.compile(r"^\s*$|^\s*//|^\s*#|[;{}:]$|^ *WARPINT_[A-Z_]+\(.*\)$")


def without_refused(lines):
    """Lines without what is there to be refused, for its message, and the comments of that, and without
    specialisations of templates of std."""
    kept = []
    in_macro = False
    at = 0
    while at < len(lines):
        line = lines[at]
        macro = in_macro or re.match(r" *#define", line)
        in_macro = bool(macro) and line.endswith("\\")
        if not macro and re.match(r"struct std::", line):
            while kept and not ENDS_BEFORE.search(kept[-1]):
                kept.pop()
            while not lines[at].endswith("};"):
                at += 1
        elif not macro and REFUSED.search(line):
            while kept and not ENDS_BEFORE.search(kept[-1].split(" //")[0].rstrip()):
                kept.pop()
            while not re.search(r";( //.*)?$|^ *WARPINT_[A-Z_]+\(.*\)$", lines[at]):
                at += 1
            comment = len(kept)
            while comment > 0 and re.match(r" *//", kept[comment - 1]):
                comment -= 1
            text = re.sub(r"\s*// *", " ", "\n".join(kept[comment:]))
            if re.search(r"(here|declared) for (its|their) (message|diagnostic)", text):
                del kept[comment:]
        else:
            kept.append(line)
        at += 1
    return kept


class Header:
    """The lines of a header, converted; `public` if something in it is for users."""

    def __init__(self, path):
        self.path = path
        self.place = pathlib.PurePath(path).relative_to(INCLUDE / "warpint").parts
        self.lines = without_refused(pathlib.Path(path).read_text(encoding="utf-8").splitlines())
        self.public = False
        self.head = []
        self.body = []
        self.convert()

    def convert(self):
        first = 0
        while first < len(self.lines) and self.lines[first].startswith("//"):
            first += 1
        self.head = [line for line in self.lines[:first] if "SPDX-License-Identifier" not in line]
        spaces = []  # of namespaces that are open
        comment = []  # lines of the comment before here
        shared = []  # the comment that the next declaration shares if no empty line comes first
        in_class = False
        in_macro = False
        for number in range(first, len(self.lines)):
            line = self.lines[number]
            public = bool(spaces) and all(name in ("warpint", "literals", BACKEND) for name in spaces)
            macro = in_macro or line.startswith("#define")
            in_macro = macro and line.endswith("\\")
            opened = re.match(r"^(?:inline )?namespace ([\w:]+) \{$", line)
            if macro:
                self.body += comment + [line]  # the comment is a remark on the macro
                comment = []
            elif opened:
                spaces += opened.group(1).split("::")
                self.body += comment + ([] if opened.group(1) == BACKEND else [line])
                comment, shared = [], []
            elif line.startswith("}") and "namespace" in line:
                closed = re.search(r"namespace ([\w:]+)", line).group(1)
                del spaces[-len(closed.split("::")):]
                self.body += [] if closed == BACKEND else [line]
            elif public and re.match(r"^//", line) and not in_class:
                comment.append(line)
            elif public and in_class and re.match(r"^    //", line):
                comment.append(line)
            else:
                starts = public and re.match(r"^[A-Za-z\[]", line) and not line.startswith(("public:", "private:", "protected:"))
                member = in_class and re.match(r"^    [A-Za-z\[~]", line) is not None
                if comment and line.strip():
                    shared, comment = comment, []
                    self.body += self.described(shared, number, in_class)
                elif comment:  # a remark on its own
                    self.body += comment
                    comment = []
                elif shared and self.fresh() and ((starts and not in_class) or member):
                    self.body += self.described(shared, number, in_class)
                if not line.strip():
                    shared = []
                if public and re.match(r"^(class|struct|union) [^;]*$", line) and "= delete" not in line:
                    in_class = True
                    shared = []
                elif line.startswith("};"):
                    in_class = False
                    shared = []
                self.body.append(shown(declared_by_macro(line)) if public else line)

    def described(self, comment, number, in_class):
        """The comment of the declaration that begins in line `number`, for doxygen."""
        declaration = self.declaration(number)
        if any(map(NOT_FOR_USERS.match, [comment[0], *self.head])) or re.match(r" *WARPINT_[A-Z_]+\([^()]*\)$", declared_by_macro(declaration)):
            return []
        text = converted(comment, "    " if in_class and comment[0].startswith(" ") else "")
        if in_class:
            if re.search(r"\bexplicit\b", declaration):
                text[0] = text[0].replace("/// ", "/// `explicit`: ", 1)
            return text
        self.public = True
        name = re.match(r"^(?:class|struct)(?: alignas\([^ ]*\))? (\w+)", declaration)
        if name and name.group(1) in FUNCTIONS_OF:
            groups = [f'@ref {group} "{CHAPTERS[group][0]}"' for group in FUNCTIONS_OF[name.group(1)]]
            text += ["///", "/// @par Operators and functions", "/// " + ", ".join(groups)]
        return text + [f"/// @ingroup {self.group()}"]

    def declaration(self, number):
        """What is declared from line `number` on, without what comes before it of template and constraint, on one line."""
        text = ""
        for line in self.lines[number:number + 12]:
            text += line + " "
            if re.search(r"[{;}]$|^ *WARPINT_[A-Z_]+\(.*\)$", line):
                break
        text = re.sub(r"^ *template <[^{;]*?> (?=class|struct|using|\[\[|requires|WARPINT|constexpr|explicit|inline)", "", text)
        return text.strip()

    def fresh(self):
        """Whether a declaration may begin here: the line before ended one."""
        last = self.body[-1].rstrip() if self.body else ""
        return re.search(r"(^\}|^    \}|;|^#undef.*|\}|^ *WARPINT_[A-Z_]+\([^()]*\))$", last) is not None

    def group(self):
        return "_".join(self.place).removesuffix(".h")

    def chapter(self):
        """The header that users include for this one; None where there is nothing for users."""
        if self.is_entry():
            return self.group()
        return CHAPTER_OF.get(self.group(), CHAPTER_OF_FOLDER.get("/".join(self.place[:-1])))

    def is_entry(self):
        """Whether users include it by name."""
        return len(self.place) == 1

    def write(self, out):
        chapter = self.chapter()
        if chapter is None or not (self.public or self.is_entry()):
            return
        if self.group() in CHAPTER_OF or self.is_entry():
            out.write(f"/// @addtogroup {self.group()}\n")  # write_chapters has named it
        else:
            title = self.place[-1].removesuffix(".h").replace("_", " ").capitalize()
            out.write(f"/// @addtogroup {self.group()} {title}\n/// @ingroup {chapter}\n")
        out.write("\n".join(converted(self.head, "")) + "\n")
        out.write(f"///\n/// Include `<warpint/{chapter}.h>`.\n\n")
        out.write(told_apart(without_constraints("\n".join(self.body))) + "\n")


def declared_by_macro(line):
    """The declaration that a line with one of the macros below stands for; any other line as it is."""
    use = re.match(r"^( *)WARPINT_(\w+)\(([^,()]+)(?:,[^()]*)?\)$", line)
    if not use:
        return line
    indent, macro, name = use.groups()
    for known, declaration in {
            "FORMULA_OF_ONE": "template <class A> constexpr auto {}(A &&a);",
            "FORMULA_OF_TWO": "template <class A, class B> constexpr auto {}(A &&a, B &&b);",
            "FORMULA_OF_THREE": "template <class A, class B, class M> constexpr auto {}(A &&a, B &&b, M &&m);",
            "BINARY_FORMULA": "template <class A, class B> constexpr auto operator{}(A &&a, B &&b);",
            "VECTOR_ASSIGNMENT": "template <class Vector, class B> Vector &operator{}(Vector &a, B &&b);"}.items():
        if macro == known:
            return indent + declaration.format(name)
    return line


def write_chapters(out):
    out.write("/// @namespace warpint\n/// @brief Everything for users; the namespaces inside are the library's own.\n\n")
    for chapter, (title, groups) in CHAPTERS.items():
        out.write(f"/// @defgroup {chapter} {title}\n")
        for group, name in groups.items():
            out.write(f"///\n/// @defgroup {group} {name}\n/// @ingroup {chapter}\n")


def stale_chapters(headers):
    """What CHAPTERS says of the headers, by their groups, that is not, or no longer, so."""
    stale = [f"{chapter}: there is no {chapter}.h" for chapter in CHAPTERS if chapter not in headers]
    for group in CHAPTER_OF:
        if group not in headers:
            stale.append(f"{group}: there is no such header")
        elif not headers[group].public:
            stale.append(f"{group}: the header has nothing for users")
    return stale


def write_reference(folder):
    """The chapters and the headers, as doxygen is to read them, below a folder."""
    headers = [Header(path) for path in sorted(INCLUDE.rglob("*.h"))]
    stale = stale_chapters({header.group(): header for header in headers})
    if stale:
        sys.exit("filter.py: CHAPTERS is out of date:\n  " + "\n  ".join(stale))
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "chapters.dox", "w", encoding="utf-8") as out:
        write_chapters(out)
    for header in headers:
        to = folder / pathlib.Path(header.path).relative_to(INCLUDE)
        to.parent.mkdir(parents=True, exist_ok=True)
        with open(to, "w", encoding="utf-8") as out:
            header.write(out)


def page_name(path):
    """The name of a page of the guide on the web, without .html."""
    path = pathlib.Path(path)
    if path.stem == "README": # of a sample
        return "guide_sample_" + path.parent.name
    return path.stem if path.stem == "index" else "guide_" + path.stem


def page(path):
    """A page of the guide, as doxygen is to read it."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if page_name(path) != "index":
        text = re.sub(r"^# (.*)", rf"# \1 {{#{page_name(path)}}}", text)
    # Links to samples are links to their pages; a sample's own links to its files are names.
    text = re.sub(r"\]\([./]*samples/(\w+)/README\.md\)", r"](@ref guide_sample_\1)", text)
    if pathlib.Path(path).stem == "README":
        text = re.sub(r"(?<!!)\[(\w+[./]\w*)\]\([^):]*\)", r"`\1`", text)
    # Pictures by their names alone: doxygen looks for them in IMAGE_PATH.
    text = re.sub(r"(!\[[^]]*\]\()[^)]*/", r"\1", text)
    # Figures stay on one line.
    text = re.sub(r"^\|.*", lambda row: re.sub(r"(?<=\d) (?=[GMK]\b)", "&nbsp;", row.group()), text, flags=re.MULTILINE)
    text = re.sub(r"^\|.*", lambda row: re.sub(r"(?<=\d) / (?=\d+\.?\d* *[|])", "&nbsp;/&nbsp;", row.group()), text, flags=re.MULTILINE)
    # Code between asterisks: doxygen would show the asterisks.
    return re.sub(r"\*\*(`[^`\n]*`)\*\*", r"<b>\1</b>", text)


if __name__ == "__main__":
    if sys.argv[1] == "--reference":
        write_reference(pathlib.Path(sys.argv[2]))
    else:
        sys.stdout.write(page(sys.argv[1]))
