# SPDX-License-Identifier: Apache-2.0
"""Headers of other revisions, for scripts that compare."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def headers(revision, folder):
    """The include folder of a revision, which is put below `folder`; a folder of headers is that folder."""
    if (pathlib.Path(revision) / "warpint" / "warpint.h").is_file():
        return pathlib.Path(revision)
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", "--format=tar", revision, "include"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if archive.returncode != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {archive.stderr.decode()}")
    subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
    return pathlib.Path(folder) / "include"
