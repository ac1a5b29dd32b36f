"""One problem file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steelyard.batch.reference.answer_format import solution_schema
from steelyard.batch.reference.folder import problem_fault
from steelyard.batch.reference.json_file import read_json_file
from steelyard.errors import DataError, SpecError


def read_problem(path: str | Path) -> dict[str, Any]:
    """The object in a problem file; a DataError where there is none, or where its format is no schema.

    >>> read_problem("no_such.json")
    Traceback (most recent call last):
    steelyard.errors.DataError: no_such.json: cannot be read: No such file or directory
    """
    file = read_json_file(path)
    if file.fault:
        raise DataError(file.fault, file=str(path))
    if not isinstance(file.value, dict):
        raise DataError("the file must hold an object", file=str(path))
    fault = problem_fault(file.value)
    if fault:
        raise DataError(fault, file=str(path))
    return file.value


def problem_schema(path: str | Path, *, strict: bool = False) -> dict[str, Any]:
    """The schema of a whole solution of the problem in a file; see ``solution_schema``.

    >>> problem_schema("no_such.json")
    Traceback (most recent call last):
    steelyard.errors.DataError: no_such.json: cannot be read: No such file or directory
    """
    try:
        return solution_schema(read_problem(path), strict=strict)
    except SpecError as wrong:
        raise DataError(str(wrong), file=str(path)) from None
