"""The runs in a folder, by names that addresses can have; nothing outside the folder is ever opened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, SteelyardError
from steelyard.report.run_files import CALIBRATION
from steelyard.runs.files import ATTEMPTS, FAILURES, JUDGE, RESULTS, SCORES, TIMINGS, read_json
from steelyard.runs.lock import locked
from steelyard.runs.run_file import NAME, RunFile, is_run

DEEPEST = 3
MOST_RUNS = 2_000
FILES = (NAME, RESULTS, FAILURES, ATTEMPTS, SCORES, TIMINGS, JUDGE, CALIBRATION)
State = tuple[tuple[int, int], ...]


class _Head(msgspec.Struct, frozen=True):
    """What a list tells of ``results.json``."""

    value: float | None
    scored: int
    total: int
    ci_lower: float | None = None
    ci_upper: float | None = None


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A run in a list: ``status`` is running, complete, incomplete, stopped, interrupted or unreadable.

    ``headline`` is None where it has not come to results; ``why`` is told where it cannot be read or was stopped.
    """

    name: str
    path: Path
    status: str
    about: RunFile | None = None
    headline: dict[str, Any] | None = None
    why: str = ""

    @property
    def begun(self) -> str:
        """When somebody began with it."""
        sessions = self.about.sessions if self.about else []
        return str(sessions[0].get("begun", "")) if sessions else ""


class Folder:
    """The folder that is looked at."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise DataError("there is no such folder", file=str(root))
        self.root = root.resolve()

    def runs(self) -> dict[str, Path]:
        """The folders of runs by name: their way from the root, or the root's own name where it is a run itself."""
        if is_run(self.root):
            return {self.root.name: self.root}
        found: dict[str, Path] = {}
        for path in self._under(self.root, DEEPEST):
            found[path.relative_to(self.root).as_posix()] = path
            if len(found) >= MOST_RUNS:
                break
        return found

    def _under(self, folder: Path, depth: int) -> Iterator[Path]:
        try:
            inside = sorted(
                path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")
            )
        except OSError:
            return  # what may not be read has no runs for us
        for path in inside:
            if not self.keeps(path):
                continue
            if is_run(path):
                yield path
            elif depth > 1:
                yield from self._under(path, depth - 1)

    def keeps(self, path: Path) -> bool:
        """Whether the path leads to something in the folder, whatever links lie on the way; a link to a folder never does."""
        return not (path.is_symlink() and path.is_dir()) and path.resolve().is_relative_to(
            self.root
        )

    def state(self, path: Path) -> State:
        """What a page about a run depends on; what leads out of the folder, or is no file, is a DataError.

        A pipe, once opened, would keep us waiting for whoever writes to it.
        """
        found = []
        for name in FILES:
            file = path / name
            if file.exists() and not self.keeps(file):
                raise DataError("leads out of the folder, and is not opened", file=str(file))
            if file.exists() and not file.is_file():
                raise DataError("is no file, and is not opened", file=str(file))
            found.append(_stamp(file))
        return tuple(found)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        known = path.stat()
    except OSError:
        return (0, -1)
    return (known.st_mtime_ns, known.st_size)


def entry(folder: Folder, name: str, path: Path) -> Entry:
    """The run for a list; what cannot be read is told in its place."""
    try:
        folder.state(path)
        about = RunFile.read(path)
        results = read_json(path / RESULTS) if (path / RESULTS).exists() else None
    except SteelyardError as wrong:
        return Entry(
            name=name,
            path=path,
            status="unreadable",
            why=str(wrong).replace(f"{folder.root}{os.sep}", ""),
        )
    status = _at_work(path) if about.status == "running" else about.status
    return Entry(
        name=name,
        path=path,
        status=status,
        about=about,
        why=about.stopped,
        headline=_headline(results),
    )


def _headline(results: Any) -> dict[str, Any] | None:
    """The headline of a run, where it has one that can be told."""
    try:
        return msgspec.structs.asdict(msgspec.convert(results["headline"], _Head))
    except (KeyError, TypeError, msgspec.ValidationError):
        return None


def _at_work(path: Path) -> str:
    """A run that is at work holds its folder; one that was killed does not."""
    try:
        with locked(path, reading=True):
            return "interrupted"
    except SteelyardError:
        return "running"
