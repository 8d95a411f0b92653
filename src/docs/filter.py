#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows doxygen the comments of a header, which are plain // comments.

    filter.py <file>     writes the header, or the page of the guide, as doxygen is to read it
    filter.py --rooms    writes the chapters of the reference

What stands directly in namespace warpint is public; the namespaces below it are the library's own. A comment before a
declaration describes that and those that follow it without an empty line. The comment at the top of a header
describes the group of what the header holds.
"""

import pathlib
import re
import sys

# The rooms with something public in them, as chapters of the reference.
ROOMS = {
    "limb": "Version and language",
    "number": "Numbers",
    "modular": "Modular arithmetic",
    "theory": "Number theory",
    "warp_int": "Numbers over several lanes",
    "expression": "Formulas",
    "execution": "Running formulas",
    "vector": "Vectors",
    "gmp": "Other libraries",
}
ROOM_OF = {"version.h": "limb", "bigint.h": "number", "text.h": "number", "random.h": "number", "modular.h": "modular",
           "constant_time.h": "modular", "number_theory.h": "theory", "warp_int.h": "warp_int", "warpint.h": "vector",
           "vector.h": "vector", "sort.h": "vector",
           "sharded.h": "vector", "gmp.h": "gmp", "simd.h": "vector"}


def location(path):
    """The path below include/warpint, as parts, or None for another file."""
    parts = pathlib.PurePath(path).parts
    if "warpint" not in parts:
        return None
    return parts[len(parts) - 1 - parts[::-1].index("warpint") + 1:]


def escape(text):
    """Text, in which nothing means anything to doxygen but code between backquotes."""
    text = re.sub(r"(`[^`]*`)|[\\@<>%#&$]", lambda match: match.group(1) or "\\" + match.group(), text)
    return re.sub(r"^( *)([+*])", r"\1\\\2", text)


def converted(comment, indent):
    """The lines of a // comment as ones of a /// comment. Lines set in by three and more blanks are
    code, or a list if the first begins with a dash."""
    lines = []
    in_code = False
    in_list = False
    for line in comment:
        text = re.sub(r"^\s*//", "", line)
        if text.startswith("   "):
            in_list = not in_code and (in_list or text.lstrip().startswith("- "))
            if in_list:
                lines.append("///" + text[2:4] + escape(text[4:]))
                continue
            if not in_code:
                lines += ["///", "/// @code{.cpp}"]
            in_code = True
            lines.append("///" + text[2:])
        else:
            if in_code:
                lines.append("/// @endcode")
            elif in_list:
                lines.append("///")
            in_code = in_list = False
            lines.append("///" + escape(text))
    if in_code:
        lines.append("/// @endcode")
    return [indent + line for line in lines]


class Header:
    """The lines of a header, converted; `public` if something in it is for users."""

    def __init__(self, path):
        self.path = path
        self.place = location(path)
        self.lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
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
        for line in self.lines[first:]:
            public = bool(spaces) and all(name in ("warpint", "literals") for name in spaces)
            macro = in_macro or line.startswith("#define")
            in_macro = macro and line.endswith("\\")
            opened = re.match(r"^(?:inline )?namespace ([\w:]+) \{$", line)
            if macro:
                self.body.append(line)
            elif opened:
                spaces += opened.group(1).split("::")
                self.body += comment + [line]
                comment, shared = [], []
            elif line.startswith("}") and "namespace" in line:
                for _ in re.search(r"namespace ([\w:]+)", line).group(1).split("::"):
                    spaces.pop()
                self.body.append(line)
            elif public and re.match(r"^//", line) and not in_class:
                comment.append(line)
            elif public and in_class and re.match(r"^    //", line):
                comment.append(line)
            else:
                starts = public and re.match(r"^[A-Za-z\[]", line) and not line.startswith(("public:", "private:", "protected:"))
                member = in_class and re.match(r"^    [A-Za-z\[~]", line) is not None
                if comment and line.strip():
                    indent = "    " if in_class and comment[0].startswith(" ") else ""
                    text = converted(comment, indent)
                    if not in_class:
                        text.append(f"/// @ingroup {self.group()}")
                    self.body += text
                    shared = text
                    self.public = self.public or not in_class
                    comment = []
                elif comment:  # a remark on its own
                    self.body += comment
                    comment = []
                elif shared and self.fresh() and ((starts and not in_class) or member):
                    self.body += shared
                if not line.strip():
                    shared = []
                if public and re.match(r"^(class|struct|union) [^;]*$", line) and "= delete" not in line:
                    in_class = True
                    shared = []
                elif line.startswith("};"):
                    in_class = False
                    shared = []
                self.body.append(line)

    def fresh(self):
        """Whether a declaration may begin here: the line before ended one."""
        last = self.body[-1].rstrip() if self.body else ""
        return re.search(r"(^\}|^    \}|;|^#undef.*|\})$", last) is not None

    def group(self):
        return "_".join(self.place).removesuffix(".h")

    def room(self):
        return ROOM_OF.get(self.place[0], self.place[0])

    def is_entry(self):
        """Whether users include it by name."""
        return len(self.place) == 1

    def title(self):
        """The name of the header, as a heading."""
        if self.is_entry():
            return f"&lt;warpint/{self.place[0]}&gt;"
        return self.place[-1].removesuffix(".h").replace("_", " ").capitalize()

    def write(self, out):
        if self.room() not in ROOMS or not (self.public or self.is_entry()):
            return
        name = "/".join(self.place)
        out.write(f"/// @addtogroup {self.group()} {self.title()}\n/// @ingroup room_{self.room()}\n")
        out.write("\n".join(converted(self.head, "")) + "\n")
        out.write(f"///\n/// Header `warpint/{name}`.\n\n")
        out.write("\n".join(self.body) + "\n")


def write_rooms(out):
    out.write("/// @namespace warpint\n/// @brief Everything for users; the namespaces inside are the library's own.\n\n")
    for room, title in ROOMS.items():
        out.write(f"/// @defgroup room_{room} {title}\n")


if __name__ == "__main__":
    if sys.argv[1] == "--rooms":
        write_rooms(sys.stdout)
    elif location(sys.argv[1]) is None or not sys.argv[1].endswith(".h"):
        text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
        # Pictures by their names alone: doxygen looks for them in IMAGE_PATH.
        text = re.sub(r"(!\[[^]]*\]\()[^)]*/", r"\1", text)
        sys.stdout.write(text)
    else:
        Header(sys.argv[1]).write(sys.stdout)
