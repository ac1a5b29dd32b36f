"""The Python that runs inside a box: one that the box's unprivileged user can really run.

A Python under a private home folder cannot be run by another user, which is found out here, in words, and not inside a box.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from steelyard.errors import SandboxError

VARIABLE = "STEELYARD_SANDBOX_PYTHON"
OLDEST = (3, 9)
COVERED = (
    "/tmp",
    "/box",
    "/mnt",
    "/dev",
    "/proc",
)  # what a box shows in these places is not the host's
SYSTEM = ("/usr/local/bin/python3", "/usr/bin/python3")

# What the code inside needs beyond the language itself, tried where it will be needed.
_QUESTION = (
    "import sys, ctypes, json, resource\n"
    "print(json.dumps([sys.prefix, sys.base_prefix, list(sys.version_info[:3]), sys.path]))"
)


class Interpreter(NamedTuple):
    """A Python: the program itself with no link left in its path, the folder that it needs, its version, and where it
    looks for modules."""

    path: str
    prefix: str
    version: str
    folders: tuple[str, ...]


class _UnfitError(Exception):
    """Why a Python cannot be used."""


def find_interpreter(
    uid: int, gid: int, *, environ: Mapping[str, str] | None = None
) -> Interpreter:
    """The first Python that this user can run; one that was asked for by name is never passed over in silence."""
    asked = (os.environ if environ is None else environ).get(VARIABLE)
    reasons = []
    for candidate in [asked] if asked else dict.fromkeys(_candidates()):
        try:
            return _examine(candidate, uid, gid)
        except _UnfitError as unfit:
            reasons.append(f"{candidate}: {unfit}")
    wanted = ".".join(map(str, OLDEST))
    raise SandboxError(
        f"no Python that user {uid} can run ({'; '.join(reasons)}): install python3 {wanted} or newer for all users, "
        f"or name one in {VARIABLE}"
    )


def _candidates() -> Iterator[str]:
    yield f"{sys.base_prefix}/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    yield from SYSTEM


def _examine(candidate: str, uid: int, gid: int) -> Interpreter:
    path = Path(os.path.realpath(candidate))
    for folder in reversed(path.parents):
        if not _may(folder, stat.S_IXOTH, uid, gid):
            raise _UnfitError(f"{folder} cannot be entered" if folder.exists() else "not there")
    if not path.is_file():
        raise _UnfitError("not there")
    if not _may(path, stat.S_IXOTH | stat.S_IROTH, uid, gid):
        raise _UnfitError("may not be read and executed")
    prefix, version, folders = _ask(str(path), uid, gid)
    if any(Path(prefix).is_relative_to(folder) for folder in COVERED):
        raise _UnfitError(f"lies in {prefix}, where a box has a folder of its own")
    if version < OLDEST:
        raise _UnfitError(f"is Python {'.'.join(map(str, version))}")
    return Interpreter(str(path), prefix, ".".join(map(str, version)), folders)


def _may(path: Path, bits: int, uid: int, gid: int) -> bool:
    """Whether the mode lets this user, who is in no other group, do what the bits (as those of others) say."""
    try:
        found = path.stat()
    except OSError:
        return False
    if uid == 0 or (uid == os.geteuid() and gid == os.getegid()):
        return os.access(path, bits)
    shift = 6 if found.st_uid == uid else 3 if found.st_gid == gid else 0
    return found.st_mode >> shift & bits == bits


def _ask(path: str, uid: int, gid: int) -> tuple[str, tuple[int, ...], tuple[str, ...]]:
    """Its folder, its version and its places for modules, by its own word, as that user: so its library can be read too."""
    other = uid != os.geteuid()
    try:
        done = subprocess.run(
            [path, "-I", "-B", "-c", _QUESTION],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
            cwd="/",
            env={},
            user=uid if other else None,
            group=gid if other else None,
            extra_groups=[] if other else None,
        )
        prefix, base, version, folders = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise _UnfitError("does not answer") from None
    except OSError as failed:
        raise _UnfitError(f"cannot be run: {failed.strerror}") from None
    except ValueError:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise _UnfitError(
            f"does not work: {said[-1][:200] if said else f'exit code {done.returncode}'}"
        ) from None
    if prefix != base:
        raise _UnfitError(f"needs {base} besides {prefix}")
    return str(prefix), tuple(version), tuple(filter(os.path.isdir, folders))
