#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins the pages that doxygen wrote: a list of all of them beside each, links to the previous and the next page of the
guide below it, no links from code to a function that is only one of several of its name, and no namespace in every line.

    pages.py <folder of html> <index.md> <tag file>

The pages of the guide, and their order, are those that index.md links to.
"""

import html
import pathlib
import re
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from filter import CHAPTERS, page_name


def guide(index):
    """[(title, page)] of the guide, in order. A sample has the title that index.md gives it."""
    found = [("Start", "index.html")]
    for link, target in re.findall(r"\[([^]]*)\]\((\w+\.md|[./]+samples/\w+/README\.md)\)", index.read_text(encoding="utf-8")):
        text = (index.parent / target).read_text(encoding="utf-8")
        name = page_name(target) + ".html"
        if name not in [page for _, page in found]:
            found.append((link if "samples/" in target else re.match(r"# (.*)", text).group(1), name))
    return found


def ambiguous_functions(tags):
    """{name: page} of the functions of which pages describe several: for code the page is that of none."""
    pages = {}
    for member in xml.etree.ElementTree.parse(tags).getroot().iter("member"):
        if member.get("kind") == "function":
            pages.setdefault(member.findtext("name"), set()).add(member.findtext("anchorfile"))
    return {name for name, found in pages.items() if len(found) > 1}


def is_sample(entry):
    return entry[1].startswith("guide_sample_")


def sidebar(pages, chapters, name):
    """The list of all pages; the one that is shown is marked."""
    def links(entries):
        lines = ["<ul>"]
        for title, page in entries:
            here = ' aria-current="page"' if page == name else ""
            lines.append(f'<li><a href="{page}"{here}>{html.escape(title)}</a></li>')
        return lines + ["</ul>"]
    lines = ['<nav id="pages" aria-label="All pages">',
             '<input type="checkbox" id="pages-shown"/><label for="pages-shown">All pages</label>', "<div>",
             "<h2>Guide</h2>", *links([entry for entry in pages if not is_sample(entry)]),
             "<h2>Samples</h2>", *links([entry for entry in pages if is_sample(entry)]),
             "<h2>Reference</h2>", *links(chapters), "</div>", "</nav>"]
    return "\n".join(lines)


def neighbours(pages, name):
    """Links to the page before and the page behind this one."""
    place = [page for _, page in pages].index(name)
    lines = ['<nav id="neighbours" aria-label="Previous and next page">']
    for step, word in ((-1, "Previous"), (1, "Next")):
        if 0 <= place + step < len(pages):
            title, page = pages[place + step]
            lines.append(f'<a class="{word.lower()}" href="{page}"><small>{word}</small>{html.escape(title)}</a>')
    return "\n".join(lines + ["</nav>"])


def without_links(text, names):
    """A page without links from code to functions of these names, and from variables and parameters to functions of their
    names."""
    def mend(link):
        name = html.unescape(link.group(1)).split("::")[-1]
        is_variable = re.match(r"[a-z]\w*$", name) and not re.search(r"_(?:vector|view|handle|group|t)$", name) and not link.group(2)
        return link.group(1) + link.group(2) if name in names or is_variable else link.group()
    text = re.sub(r'<a class="code[^"]*" href="[^"]*">([^<]*)</a>((?:\(|&lt;)?)', mend, text)
    return re.sub(r'(&amp;|\*|\b(?:T|int|bool|size_t) )<a class="el" href="[^"]*#[^"]*">([a-z]\w*)</a>', r"\1\2", text)


def with_whole_options(text):
    """A page on which options of commands in running text are not broken after a hyphen."""
    def mend(code):
        return re.sub(r"(?<![^\s>])-[^\s<&]{1,36}(?![^\s<])", r'<span class="option">\g<0></span>', code.group())
    return re.sub(r"<code>[^<]*</code>", mend, text)


def with_short_names(text):
    """A page whose headings and declarations do not repeat the namespace, nor what kind of page it is. Lists of functions
    show the types of results without `constexpr`."""
    def mend(place):
        if re.match(r'<td class="mem(?:Templ)?ItemLeft"', place.group()):
            return re.sub(r"(?<![\w/])warpint::|\bconstexpr ?", "", place.group())
        return re.sub(r"(?<![\w/])warpint::", "", re.sub(r"(?: Struct| Class| Concept)(?: Template)? Reference(?=<)", "", place.group()))
    parts = "memItemLeft|memItemRight|memTemplItemLeft|memTemplItemRight|memname|paramtype|title"
    text = re.sub(rf'<(td|div) class="(?:{parts})".*?</\1>', mend, text, flags=re.DOTALL)
    # Pages of concepts name the header that holds them, which is not the one that users include.
    return re.sub(r"<p><code>#include &lt;warpint/(?:\w+/)+\w+\.h&gt;</code></p>\n", "", text)


def main(folder, index, tags):
    pages = guide(index)
    chapters = [(title, f"group__{name.replace('_', '__')}.html") for name, (title, _) in CHAPTERS.items()]
    chapters.append(("All types", "annotated.html"))
    names = ambiguous_functions(tags)
    top, bottom = "</div><!-- top -->", "</div><!-- contents -->"
    for path in sorted(folder.glob("*.html")):
        text = path.read_text(encoding="utf-8")
        if top not in text or bottom not in text:
            sys.exit(f"{path}: no place for the list of pages")
        text = text.replace(top, top + "\n" + sidebar(pages, chapters, path.name), 1)
        if path.name in [page for _, page in pages]:
            end = "</div><!-- PageDoc -->" if "</div></div><!-- PageDoc -->" in text else bottom
            before, after = text.rsplit(end, 1)
            text = before + neighbours(pages, path.name) + "\n" + end + after
        path.write_text(with_whole_options(with_short_names(without_links(text, names))), encoding="utf-8")
    for _, page in pages + chapters:
        if not (folder / page).exists():
            sys.exit(f"{page} is in the list of pages, but does not exist")


if __name__ == "__main__":
    main(*(pathlib.Path(argument) for argument in sys.argv[1:4]))
