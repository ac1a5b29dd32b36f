"""The Python inside: found for a user who owns nothing, or refused with a reason."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skips import needs_root
from steelyard.errors import SandboxError
from steelyard.sandbox import interpreter
from steelyard.sandbox.interpreter import VARIABLE, find_interpreter

NOBODY = 61999
ANSWER = 'echo \'["/opt/snake", "/opt/snake", [{}], ["/usr", "/opt/none.zip"]]\''


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder that everybody can enter."""
    for folder in (tmp_path, *tmp_path.parents):
        if (
            folder.stat().st_uid == os.geteuid()
            and folder.is_relative_to("/tmp")
            and folder != Path("/tmp")
        ):
            folder.chmod(0o755)
    return tmp_path


def script(path: Path, text: str, mode: int = 0o755) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(mode)
    return path


@needs_root
def test_the_one_that_is_found_runs_as_that_user() -> None:
    found = find_interpreter(NOBODY, NOBODY, environ={})
    assert not Path(found.path).is_symlink()
    assert Path(found.path).is_relative_to(found.prefix)
    done = subprocess.run(
        [found.path, "-c", "import os, sys; print(os.getuid(), sys.prefix)"],
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        env={},
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(NOBODY), found.prefix]


def test_for_ourselves_it_is_our_own() -> None:
    found = find_interpreter(os.geteuid(), os.getegid(), environ={})
    assert found.prefix == sys.base_prefix
    assert found.version == sys.version.split()[0]


@needs_root
@pytest.mark.parametrize(
    ("text", "mode", "reason"),
    [
        (ANSWER.format("3, 8, 18"), 0o755, "is Python 3.8.18"),
        (ANSWER.format("3, 12, 0"), 0o700, "may not be read and executed"),
        (ANSWER.format("3, 12, 0"), 0o711, "may not be read and executed"),
        ('echo \'["/tmp/snake", "/tmp/snake", [3, 12, 0], []]\'', 0o755, "lies in /tmp/snake"),
        ("echo hello", 0o755, "does not work: exit code 0"),
        ("echo ImportError: no ctypes >&2; exit 1", 0o755, "does not work: ImportError: no ctypes"),
        ('echo \'["/venv", "/base", [3, 12, 0], []]\'', 0o755, "needs /base besides /venv"),
    ],
)
def test_one_that_was_asked_for_is_never_passed_over(
    shared: Path, text: str, mode: int, reason: str
) -> None:
    asked = script(shared / "python3", text, mode)
    with pytest.raises(SandboxError) as failed:
        find_interpreter(NOBODY, NOBODY, environ={VARIABLE: str(asked)})
    assert reason in str(failed.value)
    assert VARIABLE in str(failed.value)
    assert "\n" not in str(failed.value)


@needs_root
def test_links_are_followed_and_private_folders_told(shared: Path) -> None:
    home = shared / "home"
    home.mkdir()
    python = script(home / "python3.12", ANSWER.format("3, 12, 0"))
    (shared / "python3").symlink_to(python)
    environ = {VARIABLE: str(shared / "python3")}
    found = find_interpreter(NOBODY, NOBODY, environ=environ)
    assert found == (str(python), "/opt/snake", "3.12.0", ("/usr",))
    home.chmod(0o700)
    with pytest.raises(SandboxError, match=f"{home} cannot be entered"):
        find_interpreter(NOBODY, NOBODY, environ=environ)
    os.chown(home, 0, NOBODY)
    home.chmod(0o710)
    assert find_interpreter(NOBODY, NOBODY, environ=environ).version == "3.12.0"
    home.chmod(0o701)  # the group's bits decide for its members, though others may
    with pytest.raises(SandboxError, match="cannot be entered"):
        find_interpreter(NOBODY, NOBODY, environ=environ)


def test_all_that_were_tried_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "_candidates", lambda: ["/nowhere/python3", "/usr/nothing"])
    with pytest.raises(
        SandboxError,
        match=r"/nowhere/python3: not there; /usr/nothing: not there\): install python3 3.9",
    ):
        find_interpreter(NOBODY, NOBODY, environ={})
