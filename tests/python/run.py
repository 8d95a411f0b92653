# SPDX-License-Identifier: Apache-2.0
"""Installs the Python package as a user does, in a new environment, and runs its tests.

usage: run.py SOURCE_DIR WORK_DIR CXX [EMULATOR]

Prints "skipped: <reason>" and ends with 77 where Python's headers, its venv or pip's packages are missing. The package
gets three classes of widths instead of its many: all that is wider goes through Python's integers, which is tested too.
EMULATOR is the library of tests/emulator, by which formulas for GPUs run; without it, or where pip has no NVRTC, the tests of
these are skipped.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

PACKAGES = ["scikit-build-core>=1.0", "numpy", "pytest", "hypothesis"]
NVRTC = "nvidia-cuda-nvrtc>=13.3,<14"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def main():
    source, work, compiler = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    if sys.version_info < (3, 11):
        skip("needs Python 3.11 or newer")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        skip("needs Python's headers (Debian: python3-dev)")
    work.mkdir(parents=True, exist_ok=True)
    environment = work / "venv"
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", environment], capture_output=True, text=True)
    if made.returncode:
        skip("needs Python's venv and pip (Debian: python3-venv)")
    python = environment / "bin/python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    got = subprocess.run([*pip, "--retries", "1", *PACKAGES], capture_output=True, text=True)
    if got.returncode:
        lines = got.stderr.strip().splitlines() or ["pip failed"]
        skip(f"pip cannot install {', '.join(PACKAGES)}: {lines[-1]}")
    emulator = sys.argv[4] if len(sys.argv) > 4 else ""
    if emulator:
        got = subprocess.run([*pip, "--retries", "1", NVRTC], capture_output=True, text=True)
        if got.returncode:
            print(f"without formulas for GPUs: pip cannot install {NVRTC}")
    settings = {
        "build-dir": work / "build",
        "build.tool-args": "-j1",
        "cmake.define.WARPINT_PYTHON_WIDTHS": "64;256;1024",
        "cmake.define.CMAKE_CXX_FLAGS": "-Werror",
    }
    options = [f"--config-settings={name}={value}" for name, value in settings.items()]
    subprocess.run(
        [*pip, "--no-build-isolation", "--no-deps", "--force-reinstall", *options, source], env={**os.environ, "CXX": compiler}, check=True
    )
    tests = subprocess.run(
        [python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--tb=short", source / "tests/python"],
        cwd=work,
        env={**os.environ, "WARPINT_TEST_EMULATOR": emulator},
    )
    sys.exit(tests.returncode)


if __name__ == "__main__":
    main()
