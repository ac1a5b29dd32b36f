"""Folders of problems, references and solutions: one a file, and the id inside decides which is which."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from steelyard.batch.reference.evidence import kind_of
from steelyard.batch.reference.ids import natural, read_id
from steelyard.batch.reference.json_file import JsonFile, read_json_file
from steelyard.errors import DataError

REFERENCE = "_reference_solution.json"
PROBLEM = "_problem.json"
SCORES = "_scores.json"
SUMMARY = "summary.json"
# Whatever we write says so itself, and is never read as a solution.
OWN_FORMAT = "steelyard.reference."


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a folder: its id, and why it cannot be used if it cannot; ``odd`` is only worth a warning."""

    id: str
    path: str
    sha256: str | None
    value: Any = None
    fault: str = ""
    odd: str = ""
    twice: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's own name, without its folder."""
        return os.path.basename(self.path)


def json_files(folder: str | Path) -> list[str]:
    """The JSON files of a folder, sorted; a folder that cannot be read is a DataError.

    >>> json_files("no_such_folder")
    Traceback (most recent call last):
    steelyard.errors.DataError: no_such_folder: there is no such folder
    """
    place = os.fspath(folder)
    try:
        with os.scandir(place) as found:
            names = [
                entry.name
                for entry in found
                if entry.name.lower().endswith(".json") and not is_folder(entry)
            ]
    except FileNotFoundError:
        raise DataError("there is no such folder", file=place) from None
    except NotADirectoryError:
        raise DataError("is a file; a folder is needed", file=place) from None
    except (OSError, ValueError) as failed:
        raise DataError(
            f"cannot be read: {getattr(failed, 'strerror', None) or failed}", file=place
        ) from None
    visible = (name for name in names if not name.startswith("."))
    return [os.path.join(place, name) for name in sorted(visible, key=natural)]


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder; a link that leads nowhere, or to itself, is none and stops nobody."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def read_references(folder: str | Path) -> list[Entry]:
    """The references of a folder, with what is wrong with each file as a whole.

    Files are named ``{id}_reference_solution.json``; a folder without any is a DataError.
    """
    paths = [path for path in json_files(folder) if path.endswith(REFERENCE)]
    if not paths:
        raise DataError(f"there are no files named {{id}}{REFERENCE}", file=os.fspath(folder))
    return [read_entry(read_json_file(path), reference_fault) for path in paths]


def read_problems(folder: str | Path) -> list[Entry]:
    """The problems of a folder: files named ``{id}_problem.json``; a folder without any is a DataError."""
    paths = [path for path in json_files(folder) if path.endswith(PROBLEM)]
    if not paths:
        raise DataError(f"there are no files named {{id}}{PROBLEM}", file=os.fspath(folder))
    return [read_entry(read_json_file(path), problem_fault) for path in paths]


def read_solutions(folder: str | Path, *, besides: Iterable[str] = ()) -> list[Entry]:
    """The solutions of a folder, without their values: every JSON file that is nothing else.

    ``besides`` are files that are known to be something else, such as references in the same folder. A folder
    that holds score files and no solution is a DataError: scores are made from solutions, not from scores.
    """
    known = {os.path.realpath(path) for path in besides}
    found, own = [], 0
    for path in json_files(folder):
        if path.endswith(PROBLEM) or os.path.realpath(path) in known:
            continue
        entry = read_entry(read_json_file(path), solution_fault)
        if _is_own(entry.value):
            own += 1
        else:
            found.append(msgspec.structs.replace(entry, value=None))
    if own and not found:
        raise DataError(
            "holds scores; the folder of the solutions is needed", file=os.fspath(folder)
        )
    return found


def _is_own(value: Any) -> bool:
    named = value.get("format") if isinstance(value, dict) else None
    return isinstance(named, str) and named.startswith(OWN_FORMAT)


def read_entry(file: JsonFile, fault_of: Any) -> Entry:
    """A file as an entry; ``fault_of`` looks at an object of its kind."""
    if file.fault:
        return Entry(id="", path=file.path, sha256=file.sha256, fault=file.fault)
    if not isinstance(file.value, dict):
        return Entry(
            id="", path=file.path, sha256=file.sha256, fault="the file must hold an object"
        )
    if "id" not in file.value:
        found, odd = "", "there is no 'id'"
    else:
        found, odd = read_id(file.value["id"])
    fault = fault_of(file.value) if found else odd
    return Entry(
        id=found,
        path=file.path,
        sha256=file.sha256,
        value=file.value,
        fault=fault,
        odd=odd if found else "",
        twice=file.twice,
    )


def solution_fault(value: dict[str, Any]) -> str:
    """Why an object cannot be scored as a solution; empty if it can.

    >>> solution_fault({"id": "2003-1", "answer": [1]})
    "'answer' must be an object of question and entry, not a list"
    """
    return _answer_fault(value, "entry")


def reference_fault(value: dict[str, Any]) -> str:
    """Why an object cannot be used as a reference at all; empty if it can.

    >>> reference_fault({"id": "2003-1", "answer": {}})
    "'answer' is empty: there is no question to score"
    """
    fault = _answer_fault(value, "reference")
    if not fault and not value["answer"]:
        return "'answer' is empty: there is no question to score"
    return fault


def problem_fault(value: dict[str, Any]) -> str:
    """Why an object cannot be used as a problem; empty if it can."""
    form = value.get("answer_format", {})
    if isinstance(form, (dict, bool)):
        return ""
    return f"'answer_format' must be a JSON Schema, not {kind_of(form)}"


def _answer_fault(value: dict[str, Any], what: str) -> str:
    if "answer" not in value:
        return "there is no 'answer'"
    if not isinstance(value["answer"], dict):
        return f"'answer' must be an object of question and {what}, not {kind_of(value['answer'])}"
    return ""


def refuse_twins(
    entries: Sequence[Entry], what: str, *, wanted: Iterable[str] | None = None
) -> None:
    """A DataError where two files have one id: nobody can tell which of them counts."""
    only = None if wanted is None else set(wanted)
    for first, second in twins(entries):
        if only is None or first.id in only:
            said = (
                f"has the id {first.id!r}, and so has {first.name}; there can be one {what} an id"
            )
            raise DataError(said, file=second.path)


def twins(entries: Sequence[Entry]) -> list[tuple[Entry, Entry]]:
    """Pairs of files with one id: the first that has it, and each later one."""
    first: dict[str, Entry] = {}
    for entry in entries:
        first.setdefault(entry.id, entry)
    return [
        (first[entry.id], entry) for entry in entries if entry.id and first[entry.id] is not entry
    ]
