#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the scripts of this folder with results made up for it,
and that the tables of README and guide are those of the results in this repository.

usage: perf/check_scripts.py
"""

import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUN = {"run": {"date": "2026-01-01T00:00:00Z", "cpu": "a CPU", "gpu": "a GPU", "cores": 2}}


def ceiling(operation, rate):
    return {"operation": operation, "width": 64, "by": "the machine", "kind": "ceiling", "device": "gpu",
            "layout": "registers", "count": 1, "rate": rate, "seconds": 1, "spread": 0}


def row(width, factor=1.0, **fields):
    return {"operation": "a * b", "width": width, "by": "warpint", "kind": "vector", "layout": "numbers",
            "device": "gpu", "count": 1000, "rate": 1e6 * factor, "seconds": 1, "spread": 0.01,
            "check": "right", "samples": 16} | fields


CEILINGS = [ceiling("multiply-add", 1e12), ceiling("copied bytes", 2e12), ceiling("bytes of a sum", 2e12)]
ROWS = [row(64 * (i + 1)) for i in range(30)]


class Scripts(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def file(self, name, entries):
        path = self.folder / name
        path.write_text("".join((entry if isinstance(entry, str) else json.dumps(entry)) + "\n"
                                for entry in [RUN] + entries), encoding="utf-8")
        return str(path)

    def run_script(self, script, *arguments):
        done = subprocess.run([sys.executable, "-B", str(HERE / script), *arguments], capture_output=True, text=True,
                              cwd=self.folder)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def compare(self, before, after, *options):
        return self.run_script("compare.py", "--fail", *options, self.file("before.jsonl", before),
                               self.file("after.jsonl", after))

    def test_compare_accepts_the_same_run(self):
        done = self.compare(CEILINGS + ROWS, CEILINGS + ROWS)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("0 slower, 0 faster, 30 the same", done.stdout)

    def test_compare_finds_regressions_of_most_rows(self):
        after = [row(64 * (i + 1), (1.0, 0.8, 0.6)[i // 10]) for i in range(30)]
        done = self.compare(CEILINGS + ROWS, CEILINGS + after)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("20 slower, 0 faster, 10 the same", done.stdout)

    def test_compare_divides_by_the_drift_of_the_limits(self):
        slow = [figure | {"rate": 0.9 * figure["rate"]} for figure in CEILINGS + ROWS]
        done = self.compare(CEILINGS + ROWS, slow)
        self.assertEqual(done.returncode, 0, done.stdout)
        one_off = [ceiling("multiply-add", 0.5e12)] + CEILINGS[1:] + ROWS  # the median does not follow it
        self.assertIn("30 the same", self.compare(CEILINGS + ROWS, one_off).stdout)
        self.assertEqual(self.compare(CEILINGS + ROWS, slow, "--drift", "5").returncode, 1)

    def test_compare_takes_each_row_own_spread(self):
        after = [row(64 * (i + 1), 0.8, spread=0.5 if i < 10 else 0.01) for i in range(30)]
        self.assertIn("20 slower, 0 faster, 10 the same", self.compare(CEILINGS + ROWS, CEILINGS + after).stdout)

    def test_compare_fails_on_what_it_cannot_compare(self):
        cases = {
            "missing": (ROWS, ROWS[1:]),
            "no figure is in both": (ROWS[:1], ROWS[1:2]),
            "wrong in": ([ROWS[0] | {"check": "wrong"}] + ROWS[1:], ROWS),
            "unchecked in": (ROWS, [figure | {"check": "unchecked"} for figure in ROWS]),
            "failed in": (ROWS, [{k: v for k, v in ROWS[0].items() if k != "rate"} | {"check": "failed"}] + ROWS[1:]),
        }
        for text, (before, after) in cases.items():
            with self.subTest(text):
                done = self.compare(CEILINGS + before, CEILINGS + after)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(text, done.stdout)
        not_a_number = json.dumps(ROWS[0]).replace("1000000.0", "NaN")
        self.assertIn("NaN", not_a_number)
        self.assertNotEqual(self.compare(CEILINGS + ROWS, CEILINGS + [not_a_number] + ROWS[1:]).returncode, 0)
        self.assertNotEqual(self.compare(CEILINGS + ROWS, CEILINGS + ROWS + ROWS[:1]).returncode, 0)

    def test_lines_that_are_none(self):
        for line in ("42", "[]", "{", "\ufeff{}", '{"run": 1}', json.dumps(row(64, rate="fast")),
                     json.dumps(row(64, rate=0)), json.dumps(row("2048")), json.dumps(row(64, seconds=-1)),
                     json.dumps({k: v for k, v in row(64).items() if k != "rate"})):
            path = self.file("odd.jsonl", [line])
            for script, arguments in (("tables.py", [path]), ("papers.py", [path]), ("compare.py", [path, path]),
                                      ("lines.py", [path]), ("pages.py", [path, path])):
                with self.subTest(line=line, script=script):
                    done = self.run_script(script, *arguments)
                    self.assertEqual(done.returncode, 2, done.stdout)
                    self.assertIn("odd.jsonl:2", done.stderr)

    def test_wrong_and_failed_rows_are_seen(self):
        failed = {k: v for k, v in row(128).items() if k != "rate"} | {"check": "failed", "error": "no memory"}
        for faulty, text in ((row(64, check="wrong"), "wrong: gpu 64 bits"), (failed, "no memory")):
            path = self.file("faulty.jsonl", CEILINGS + [row(256), row(256, by="GMP"), faulty])
            done = self.run_script("tables.py", path)
            self.assertEqual(done.returncode, 1)
            self.assertIn(text, done.stdout)
            self.assertEqual(self.run_script("lines.py", path).returncode, 1)
            if importlib.util.find_spec("matplotlib"):
                done = self.run_script("report.py", path, "report")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(text, (self.folder / "report" / "report.html").read_text(encoding="utf-8"))
                self.assertIn(text, (self.folder / "report" / "tables.md").read_text(encoding="utf-8"))

    def test_wrong_figures_are_in_no_ratio(self):
        rates = self.run_script("tables.py", self.file("peers.jsonl", [row(256), row(256, by="GMP", rate=1e3)])).stdout
        self.assertIn("times GMP", rates)
        rates = self.run_script("tables.py", self.file("peers.jsonl", [row(256, check="wrong"),
                                                                      row(256, by="GMP", rate=1e3)])).stdout
        self.assertNotIn("| 1000.00 |", rates)

    def test_pages_replaces_figures(self):
        path = self.file("some.jsonl", [row(256, rate=3.41e9), row(1024, rate=5.8e4), row(256, by="CGBN", rate=1.1e9),
                                        row(512, check="wrong")])
        head = "| memory to memory, per second, bits | 256 | 512 | 1024 |\n|---|---|---|---|\n"
        page = self.folder / "page.md"
        page.write_text(f"before\n\n{head}| `c = a * b` (exact) | **1 G** | | 2 |\n| times CGBN | 9 | 9 | 9 |\n\n| of others | 5 |\n",
                        encoding="utf-8")
        done = self.run_script("pages.py", "--check", path, str(page))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("+ | times CGBN | 3.1 | | |", done.stdout)
        self.assertEqual(self.run_script("pages.py", path, str(page)).returncode, 0)
        self.assertEqual(page.read_text(encoding="utf-8"), f"before\n\n{head}| `c = a * b` (exact) | **3.41 G** | | **58.0 K** |\n"
                         "| times CGBN | 3.1 | | |\n\n| of others | 5 |\n")
        self.assertEqual(self.run_script("pages.py", "--check", path, str(page)).returncode, 0)
        page.write_text(head + "| unknown | 1 | 2 | 3 |\n", encoding="utf-8")
        self.assertEqual(self.run_script("pages.py", path, str(page)).returncode, 2)

    def test_pages_of_this_repository(self):
        pages = [str(HERE.parent / name) for name in ("README.md", "src/docs/guide/performance.md")]
        done = self.run_script("pages.py", "--check", str(HERE / "results" / "h200.jsonl"), *pages)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in pages:  # not because no table is known
            self.assertIn("| memory to memory, per second, bits |", Path(name).read_text(encoding="utf-8"))

    def test_lines_counts_checks(self):
        done = self.run_script("lines.py", self.file("right.jsonl", CEILINGS + ROWS))
        self.assertEqual((done.returncode, done.stdout.split(",")[0]), (0, "30 results right"))
        for rows in ([], [row(64, check="unchecked")]):
            self.assertEqual(self.run_script("lines.py", self.file("none.jsonl", CEILINGS + rows)).returncode, 1)

    def test_honda_takes_the_batch_of_the_paper(self):
        path = self.file("honda.jsonl", [row(1024, count=100_000, rate=1e10), row(1024, count=2_000_000, rate=4e10)])
        lines = self.run_script("papers.py", path, "honda").stdout.splitlines()
        self.assertEqual([line.split()[-1] for line in lines if "here: warpint's choice" in line], ["0.01"])

    def test_before_after_compares_results(self):
        (self.folder / "warpint").mkdir()
        (self.folder / "warpint" / "warpint.h").write_text("", encoding="utf-8")
        compiler = self.folder / "compiler"  # of programs that print half the rate after the change, or other results

        def run_with(result_after):
            compiler.write_text('#!/bin/sh\nfor last; do :; done\ncase $last in */before_*) x="200 aa" ;;'
                                f' *) x="100 {result_after}" ;; esac\n'
                                'printf \'#!/bin/sh\\necho %s\\n\' "$x" > "$last"; chmod +x "$last"\n', encoding="utf-8")
            compiler.chmod(0o755)
            return self.run_script("before_after.py", "--cpu", "--compiler", str(compiler), "--widths", "256", "--operations",
                                   "1", "3", "--", str(self.folder))

        done = run_with("aa")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count(" 0.500"), 4)  # two cells, the mean, the smallest
        done = run_with("bb")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count("THE RESULTS DIFFER"), 2)

    def test_fused_compares_with_pieces(self):
        compiler = self.folder / "compiler"  # of programs that print these milliseconds

        def run_with(fused, same):
            compiler.write_text('#!/bin/sh\nfor last; do :; done\n'
                                f"printf '#!/bin/sh\\nprintf \"a + b\\\\t{fused}\\\\t1.0\\\\t{same}\\\\n\"\\n' "
                                '> "$last"; chmod +x "$last"\n', encoding="utf-8")
            compiler.chmod(0o755)
            return self.run_script("fused.py", "--cpu", "--fail", "--compiler", str(compiler), "--widths", "256",
                                   "--formulas", "1", "2")

        done = run_with("1.04", "same")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 measured, 0 lose", done.stdout)
        done = run_with("1.06", "same")
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 measured, 2 lose", done.stdout)
        done = run_with("1.0", "DIFFERENT")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.count("THE RESULTS DIFFER"), 2)

    def test_missing_programs_and_folders(self):
        for script, arguments in (("papers.py", ["--run", "nosuch"]), ("listing.py", ["--nvcc", "nosuch"]),
                                  ("before_after.py", ["--compiler", "nosuch", str(HERE.parent / "include")]),
                                  ("report.py", [self.file("a.jsonl", ROWS), self.file("b.jsonl", ROWS)])):
            with self.subTest(script):
                done = self.run_script(script, *arguments)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(script, done.stderr)


if __name__ == "__main__":
    unittest.main()
