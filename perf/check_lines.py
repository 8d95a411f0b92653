#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every row of warpint_perf with a tiny batch on the CPU and reads the lines.

usage: perf/check_lines.py WARPINT_PERF FILE

Fails where a row of --list has no line, a check is not right, a field is missing, FILE, the lines
themselves, cannot be read back as lines of another program (--with), or a script that reads them fails;
where a row with a fault (faulty_rows.cpp) is not found; and where bad options, bad files and variables of
Google Benchmark are not refused or change something.
"""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import lines

FIELDS = ("name", "operation", "width", "count", "kind", "layout", "device", "by", "seconds", "rate", "sets")
WITHOUT_PLAN = ("sum(a)", "sort(a)", "to_strings(a)", "assign_text", "RSA private")  # not one formula


SOUND = "^(?!.*faulty)"  # all rows but those with a fault
FEW = ("--device", "cpu", "--smallest", "--filter", "a [+] b/vector/numbers/256/.*/warpint$")


def call(program, *arguments, **options):
    return subprocess.run([program, *arguments], **{"capture_output": True, "text": True} | options)


def faulty_rows(program, folder):
    """Rows with a fault have to be found."""
    path = str(Path(folder) / "faulty.jsonl")
    run = call(program, "--device", "cpu", "--smallest", "--filter", "faulty", "--json", path)
    if run.returncode != 1:
        yield f"rows with a fault: status {run.returncode}\n{run.stdout}{run.stderr}"
    found = {f["by"]: f["check"] for f in lines.read(path)[1] if f["kind"] != "ceiling"}
    expected = {"faulty: never computes": "wrong", "faulty: computes once": "wrong", "faulty: throws": "failed"}
    if found != expected:
        yield f"rows with a fault: {found}"


def refusals(program, folder):
    """Options and files that have to be refused before anything is measured."""
    for count in ("1e6", "12abc", "-1", "abc", "0", "", "99999999999999999999999"):
        run = call(program, *FEW, "--count", count)
        if run.returncode != 2 or "--count" not in run.stderr:
            yield f"--count {count}: status {run.returncode}, {run.stderr}"
    if call(program, "--device", "cpu", "--smallest", "--filter", "no such row").returncode != 2:
        yield "a filter without any row is accepted"
    good = {"operation": "a", "width": 256, "by": "another", "rate": 1.5e6}
    other = Path(folder) / "other.jsonl"
    for text in ("42", "garbage", json.dumps(good)[:-1], "\ufeff" + json.dumps(good), json.dumps(good) + "x",
                 json.dumps(good | {"width": "2048"}), json.dumps(good | {"rate": "fast"}),
                 json.dumps(good | {"rate": 0}), json.dumps(good).replace("1500000.0", "NaN")):
        other.write_text(text + "\n", encoding="utf-8")
        run = call(program, *FEW, "--with", str(other))
        if run.returncode != 2 or "other.jsonl:1" not in run.stderr or run.stdout:
            yield f"--with a line {text}: status {run.returncode}, {run.stderr}"
    if call(program, *FEW, "--with", str(Path(folder) / "none")).stdout:
        yield "--with a missing file is refused after the measurement only"
    other.write_text(json.dumps(good | {"operation": 'with "run" in it'}) + "\n", encoding="utf-8")
    if call(program, *FEW, "--with", str(other)).stdout.count(" 1.50 M/s") != 1:
        yield "--with leaves out a line whose text has the word run"
    for arguments in ((*FEW, "--json", "/dev/full"),):
        if Path("/dev/full").exists() and call(program, *arguments).returncode != 2:
            yield "a full device goes unnoticed: --json"
    for arguments in ((*FEW,), ("--list",), ("--help",)):
        if Path("/dev/full").exists():
            with open("/dev/full", "w", encoding="utf-8") as full:
                if call(program, *arguments, capture_output=False, stdout=full,
                        stderr=subprocess.DEVNULL).returncode != 2:
                    yield f"a full device goes unnoticed: {arguments}"


def whole_files(program, folder):
    """--json replaces a file at the end of a run only, and any run's file can be read."""
    path = Path(folder) / "kept.jsonl"
    path.write_text("an older run\n", encoding="utf-8")
    with subprocess.Popen([program, "--device", "cpu", "--json", str(path)], stdout=subprocess.DEVNULL) as run:
        part = Path(f"{path}.part")
        for _ in range(400):
            if part.exists():
                break
            time.sleep(0.05)
        run.send_signal(signal.SIGKILL)
    if path.read_text(encoding="utf-8") != "an older run\n":
        yield "a run that was stopped has replaced the older file"
    odd = os.fsencode(folder) + b"/odd-\xff.jsonl"
    call(program, *FEW, "--json", odd, text=False)
    with open(odd, "rb") as written:
        try:
            json.loads(written.readline().decode("utf-8"))
        except ValueError as error:
            yield f"a file name that is no UTF-8: {error}"


def counts_and_variables(program, folder):
    """--count leaves each figure one name; Google Benchmark's variables change nothing."""
    path = str(Path(folder) / "few.jsonl")
    options = ("--device", "cpu", "--quick", "--json", path)
    if call(program, *options, "--count", "50", "--filter", r"a \* b % m/vector/numbers/256/.*/warpint$") \
            .returncode != 0:
        yield "--count 50 fails"
    figures = [f for f in lines.read(path)[1] if f["kind"] != "ceiling"]
    if any(f["count"] > 50 or f"/{f['count']}/" not in f["name"] for f in figures) or \
            len({lines.key(f) for f in figures}) != len(figures):
        yield f"--count 50: {[f['name'] for f in figures]}"
    variables = {"BENCHMARK_ENABLE_RANDOM_INTERLEAVING": "1", "BENCHMARK_REPETITIONS": "3",
                 "BENCHMARK_FILTER": "nothing", "BENCHMARK_LIST_TESTS": "1",
                 "BENCHMARK_REPORT_AGGREGATES_ONLY": "1", "BENCHMARK_OUT": str(Path(folder) / "unwanted")}
    run = call(program, *FEW[:3], "--filter", "256/.*/warpint$", "--json", path, env=os.environ | variables)
    names = [f["name"] for f in lines.read(path)[1]] if run.returncode == 0 else []
    if len(names) < 20 or len(set(names)) != len(names) or Path(folder, "unwanted").exists():
        yield f"with {variables}: status {run.returncode}, {len(names)} lines\n{run.stderr}"


def main(program, path):
    names = call(program, "--list", "--smallest", "--device", "cpu", "--filter", SOUND, check=True).stdout.splitlines()
    run = call(program, "--smallest", "--device", "cpu", "--filter", SOUND, "--json", path)
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
            not figure["kind"].startswith("number op") and figure["operation"] not in WITHOUT_PLAN
        if figure.get("check") != expected:
            faults.append(f"{name}: check {figure.get('check')}, not {expected}")
        if expected == "right" and not figure.get("samples"):
            faults.append(f"{name}: no element was compared")
        if expected == "right" and figure["count"] > 1 and figure.get("samples", 0) < 2 * figure.get("sets", 1):
            faults.append(f"{name}: {figure.get('samples')} elements of {figure.get('sets')} sets were compared")
        if formula and not figure.get("plan"):
            faults.append(f"{name}: no plan")
        if not figure.get("rate", 0) > 0 or not figure.get("seconds", 0) > 0:
            faults.append(f"{name}: no rate")
    again = call(program, "--filter", "no such row", "--smallest", "--with", path)
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
    with tempfile.TemporaryDirectory() as folder:
        for check in (faulty_rows, refusals, whole_files, counts_and_variables):
            faults += check(program, folder)
    print(*faults, sep="\n")
    print(f"{len(figures)} lines, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
