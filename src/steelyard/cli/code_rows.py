"""Rows of programs to be graded: ``{"task": path or object, "program": path, or "source": text, "id": …}``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, SpecError
from steelyard.grading.reading import parse_json, read_bytes
from steelyard.grading.task import Task, load_task, read_task
from steelyard.primitives.values import describe
from steelyard.registry import nearest

KEYS = ("id", "task", "program", "source", "metadata")


class Row(msgspec.Struct, frozen=True):
    """One program, with the line it came from."""

    line: int
    id: Any
    task: Task
    program: bytes | str


class Rows:
    """The rows of a file; they can be gone over twice: to see that all are good, and to grade them.

    Paths are those of the file's folder. A row without a task has the one that was given for all.
    """

    def __init__(self, path: str, task: Task | None) -> None:
        self._path, self._task = path, task
        self._name = "<stdin>" if path == "-" else path
        self._folder = Path() if path == "-" else Path(path).parent
        self._tasks: dict[str, Task] = {}
        # Standard input can be read only once.
        self._held = sys.stdin.buffer.read() if path == "-" else None

    def __iter__(self) -> Iterator[Row]:
        for number, line in enumerate(self._lines(), start=1):
            if line.strip():
                yield self._row(number, line)

    def _lines(self) -> Iterator[bytes]:
        if self._held is not None:
            yield from self._held.splitlines()
            return
        try:
            with open(self._path, "rb") as file:
                yield from file
        except OSError as wrong:
            message = (
                "there is no such file"
                if isinstance(wrong, FileNotFoundError)
                else f"cannot be read: {wrong.strerror}"
            )
            raise DataError(message, file=self._name) from None

    def _row(self, number: int, line: bytes) -> Row:
        try:
            raw = parse_json(line.decode("utf-8-sig"), file=self._name, line=number)
        except UnicodeDecodeError as wrong:
            raise self._wrong(
                f"not UTF-8: byte {wrong.start + 1} of the line cannot be read", number
            ) from None
        if not isinstance(raw, dict):
            raise self._wrong(f"a row is an object, not {describe(raw)}", number)
        for key in raw:
            if key not in KEYS:
                raise self._wrong(f"{key}: is not known in a row{nearest(key, KEYS)}", number)
        return Row(
            number, raw.get("id", number), self._task_of(raw, number), self._program_of(raw, number)
        )

    def _task_of(self, raw: dict[str, Any], number: int) -> Task:
        given = raw.get("task")
        if given is None and self._task is not None:
            return self._task
        if isinstance(given, str):
            if given not in self._tasks:
                self._tasks[given] = load_task(self._folder / given)
            return self._tasks[given]
        if given is None:
            raise self._wrong("task: is missing, and no --task is given for all rows", number)
        return read_task(given, where=f"{self._name}:{number}: task", folder=self._folder)

    def _program_of(self, raw: dict[str, Any], number: int) -> bytes | str:
        if ("program" in raw) == ("source" in raw):
            raise self._wrong(
                'a row has either "program", a path, or "source", the text itself', number
            )
        given = raw.get("program", raw.get("source"))
        if not isinstance(given, str):
            key = "program" if "program" in raw else "source"
            raise self._wrong(f"{key}: must be a string, not {describe(given)}", number)
        if "source" in raw:
            return given
        try:
            return read_bytes(self._folder / given)
        except DataError as missing:
            raise self._wrong(f"program: {missing}", number) from None

    def _wrong(self, message: str, number: int) -> DataError:
        return DataError(message, file=self._name, line=number)


def check_rows(rows: Rows) -> tuple[int, set[str]]:
    """How many rows there are and in which languages; a fault in any of them is told before anything runs."""
    count, languages = 0, set()
    for row in rows:
        count += 1
        languages.add(row.task.language)
    if not count:
        raise SpecError("there are no rows")
    return count, languages
