# SPDX-License-Identifier: Apache-2.0
"""The Python code of README and guide does what they say."""

import contextlib
import doctest
import io
import re
from pathlib import Path

import warpint as w

ROOT = Path(__file__).resolve().parents[2]


def blocks(document):
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / document).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_guide():
    text = "\n".join(blocks("src/docs/guide/python.md"))
    # A test build has fewer classes of widths than the guide's.
    text = re.sub(r"class of \d+ bits", f"class of {next(x for x in w.widths() if x >= 200)} bits", text)
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", "python.md", 0)
    assert len(test.examples) > 30
    report = io.StringIO()
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.write)
    assert result.failed == 0, report.getvalue()


def test_readme():
    (code,) = blocks("README.md")
    printed = io.StringIO()
    names = {}
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    a, b, m = (names[x] for x in "abm")
    x, y = a.tolist(), b.tolist()
    wanted = pow(x[0], -y[0], m) * (x[0] + 7) % m, sum(p // q for p, q in zip(x, y))
    assert printed.getvalue().split() == [str(value) for value in wanted]
