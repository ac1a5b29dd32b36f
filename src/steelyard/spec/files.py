"""Files that a spec names, put into it when it is loaded: a script, a suite of tests, a solution.

From then on the spec is whole: what such a file held is in the spec's hash, and no later edit of it changes a score.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from steelyard.errors import DataError, SpecError
from steelyard.grading.reading import read_text
from steelyard.primitives.values import describe
from steelyard.spec.problems import Problems, join
from steelyard.spec.reading import plain, read_file

# The parameters of a scorer that may be given as {"file": …}, and whether the file is JSON.
_OF_SCORERS = {"script": {"script": False}, "tests": {"task": True, "solution": False}}


def inline_files(raw: dict[str, Any], folder: Path | None, problems: Problems) -> None:
    """Replace every file that a dimension names by its content."""
    entries = raw.get("dimensions")
    for place, entry in enumerate(entries if isinstance(entries, list) else ()):
        # A scorer may be named under "primitive" too.
        scorer = entry.get("scorer", entry.get("primitive")) if isinstance(entry, dict) else None
        for key, is_json in _OF_SCORERS.get(scorer, {}).items() if isinstance(scorer, str) else ():
            for holder in _holders(entry, key):
                _inline(
                    holder, key, is_json, _Reader(folder, f"dimensions[{place}].{key}", problems)
                )


def _holders(entry: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    """Where a dimension has the parameter: beside its other keys, or among its ``params``."""
    for holder in (entry, entry.get("params")):
        if isinstance(holder, dict) and key in holder:
            yield holder


def _inline(holder: dict[str, Any], key: str, is_json: bool, reader: _Reader) -> None:
    if is_file(holder[key]):
        holder[key] = (reader.json if is_json else reader.text)(holder[key]["file"])
    if not is_json or not isinstance(holder[key], dict):
        return
    checker = holder[key].get("checker")
    if is_file(checker):
        holder[key]["checker"] = {"source": reader.below("checker").text(checker["file"])}


def is_file(value: object) -> bool:
    """Whether a value names a file: ``{"file": …}`` and nothing else."""
    return isinstance(value, dict) and list(value) == ["file"]


class _Reader:
    """Reads the files of one parameter; what cannot be read is noted."""

    def __init__(self, folder: Path | None, path: str, problems: Problems) -> None:
        self._folder, self._path, self._problems = folder, path, problems

    def below(self, key: str) -> _Reader:
        """The same for a key inside the parameter."""
        return _Reader(self._folder, f"{self._path}.{key}", self._problems)

    def text(self, name: object) -> str:
        """The text of a file beside the spec."""
        path = self._found(name)
        try:
            return "" if path is None else read_text(path)
        except DataError as wrong:
            self._problems.add(f"{self._path}.file", str(wrong))
            return ""

    def json(self, name: object) -> Any:
        """The JSON value of a file beside the spec, with exact decimals; a file that it names is beside it."""
        path = self._found(name)
        if path is None:
            return {}
        self._folder = path.parent
        try:
            inner = Problems()
            found = plain(read_file(path), inner)
            inner.tell()
        except SpecError as wrong:
            for problem in wrong.problems:
                self._problems.add(
                    join(f"{self._path}.file", problem.path), f"{path}: {problem.message}"
                )
            return {}
        return found

    def _found(self, name: object) -> Path | None:
        path = PurePosixPath(name) if isinstance(name, str) else PurePosixPath()
        if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in str(name):
            said = f"must be the name of a file beside the spec, not {describe(name)}"
            self._problems.add(f"{self._path}.file", said)
        elif self._folder is None:
            self._problems.add(
                f"{self._path}.file",
                "is beside no spec: this one is not in a file; give the text itself",
            )
        else:
            return self._folder / path
        return None
