#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every row of warpint_perf once with a tiny batch on the CPU and reads the lines.

usage: perf/check_lines.py WARPINT_PERF FILE

Fails where a row of --list has no line, a check is not right, a field is missing, FILE, the lines
themselves, cannot be read back as lines of another program (--with), or a script that reads them fails.
"""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import lines

FIELDS = ("name", "operation", "width", "count", "kind", "layout", "device", "by", "seconds", "rate")
WITHOUT_PLAN = ("sum(a)", "sort(a)", "to_strings(a)", "assign_text", "RSA private")  # not one formula


def main(program, path):
    names = subprocess.run([program, "--list", "--device", "cpu"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    run = subprocess.run([program, "--smallest", "--device", "cpu", "--json", path], capture_output=True, text=True)
    if run.returncode != 0:
        print(run.stdout[-4000:], run.stderr)
        return 1
    description, figures = lines.read(path)
    faults = [f"the run's line has no {key}" for key in ("date", "commit", "cpu", "cores", "command")
              if not description.get(key)]
    if len(names) < 100:
        faults.append(f"--list names {len(names)} rows only")
    seen = [figure.get("name") for figure in figures]
    faults += [f"no line of {name}" for name in names if name not in seen]
    faults += [f"{seen.count(name)} lines of {name}" for name in names if seen.count(name) > 1]
    for figure in figures:
        name = figure.get("name")
        faults += [f"{name}: no {field}" for field in FIELDS if field not in figure]
        expected = None if figure["kind"] == "ceiling" else "reference" if figure["by"] == "GMP" else "right"
        formula = figure["by"].startswith("warpint") and figure["kind"] != "loop" and \
            figure["operation"] not in WITHOUT_PLAN
        if figure.get("check") != expected:
            faults.append(f"{name}: check {figure.get('check')}, not {expected}")
        if expected == "right" and not figure.get("samples"):
            faults.append(f"{name}: no element was compared")
        if formula and not figure.get("plan"):
            faults.append(f"{name}: no plan")
        if not figure.get("rate", 0) > 0 or not figure.get("seconds", 0) > 0:
            faults.append(f"{name}: no rate")
    again = subprocess.run([program, "--filter", "no such row", "--smallest", "--with", path], capture_output=True,
                           text=True)
    if again.returncode != 0 or again.stdout.count(" bits ") < len(figures):
        faults.append(f"--with does not show the lines: {again.stderr}")
    with tempfile.TemporaryDirectory() as folder:
        scripts = [("tables.py", path), ("papers.py", path), ("compare.py", "--fail", path, path)]
        if importlib.util.find_spec("matplotlib"):
            scripts.append(("report.py", path, folder))
        for script, *arguments in scripts:
            done = subprocess.run([sys.executable, "-B", str(Path(__file__).with_name(script)), *arguments],
                                  capture_output=True, text=True)
            if done.returncode != 0 or not done.stdout:
                faults.append(f"{script}: {done.stderr[-2000:]}")
    print(*faults, sep="\n")
    print(f"{len(figures)} lines, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
