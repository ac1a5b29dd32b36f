"""The corpus as a user with no rights at all, in a copy of the code that such a user can read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from attacks.corpus import HERE
from steelyard.sandbox.interpreter import VARIABLE

SOURCE = HERE.parent.parent / "src"
SYSTEM_PYTHON = "/usr/bin/python3"
USER = 60_000 + os.getpid() % 900  # below the users that are leased, and nobody's account
_TOPS = """
import sys, attacks.drive
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""
_LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", "site-packages", "test", "idlelib", "tkinter", "*.a", "config-*"
)


def run_corpus(names: list[str]) -> list[dict[str, Any]]:
    """What each program came to; as root the user is changed first, otherwise it is the one that runs the tests."""
    # Not in pytest's own folder, which it closes to other users whenever it starts.
    with tempfile.TemporaryDirectory(prefix="steelyard-attacks-") as folder:
        return _run(Path(folder), names)


def _run(folder: Path, names: list[str]) -> list[dict[str, Any]]:
    python, env = _readable_copy(folder)
    drop = (
        ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--"]
        if os.geteuid() == 0
        else []
    )
    command = [*drop, *python, "-m", "attacks.drive", *names]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    last = done.stdout.splitlines()[-1:] or ["nothing"]
    assert done.returncode == 0, f"it ended after {last[0][:200]}: {done.stderr[-2000:]}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def _readable_copy(folder: Path) -> tuple[list[str], dict[str, str]]:
    """An interpreter, the packages and the corpus below the folder, which everybody may enter."""
    folder.chmod(0o755)
    code = folder / "code"
    shutil.copytree(SOURCE / "steelyard", code / "steelyard", ignore=_LEFT_OUT)
    shutil.copytree(HERE, code / "attacks", ignore=_LEFT_OUT)
    _copy_packages(code)
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(code),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
    }
    base = Path(sys.base_prefix)
    if base.is_relative_to("/usr"):
        return [os.path.realpath(sys.executable), "-s"], env
    _copy_python(base, folder / "python")
    if Path(
        SYSTEM_PYTHON
    ).exists():  # what lies in the folder for temporary files is hidden in a box
        env[VARIABLE] = SYSTEM_PYTHON
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return [str(folder / "python" / "bin" / name), "-s"], {
        **env,
        "PYTHONHOME": str(folder / "python"),
    }


def _copy_packages(code: Path) -> None:
    """Whatever the sandbox and the graders import from outside the standard library."""
    paths = os.pathsep.join([str(SOURCE), str(HERE.parent)])
    shown = subprocess.run(
        [sys.executable, "-c", _TOPS],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    sites = [Path(path) for path in sys.path if path.endswith("site-packages")]
    for found in {
        path for site in sites for top in shown.stdout.split() for path in _parts(site, top)
    }:
        if found.is_dir():
            shutil.copytree(found, code / found.name, ignore=_LEFT_OUT, dirs_exist_ok=True)
        else:
            shutil.copy(found, code)


def _parts(site: Path, top: str) -> list[Path]:
    """The files and folders of a package: its own, and libraries that were put beside it."""
    return [path for path in (site / top, *site.glob(f"{top}.*")) if path.exists()]


def _copy_python(base: Path, target: Path) -> None:
    """The interpreter with its library, without what was installed into it."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (target / "bin").mkdir(parents=True)
    shutil.copy(os.path.realpath(base / "bin" / name), target / "bin" / name)
    shutil.copytree(base / "lib" / name, target / "lib" / name, ignore=_LEFT_OUT, symlinks=True)
    for library in (base / "lib").glob("libpython*.so*"):
        shutil.copy(library, target / "lib" / library.name)
