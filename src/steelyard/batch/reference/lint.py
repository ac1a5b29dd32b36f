"""Lint a folder of references: what is wrong with each, where, why, and how to mend it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from steelyard.batch.reference.findings import LEVELS, Found, Level, ReferenceFinding, finding
from steelyard.batch.reference.folder import (
    PROBLEM,
    REFERENCE,
    Entry,
    json_files,
    read_references,
    twins,
)
from steelyard.batch.reference.lint_entry import lint_entry
from steelyard.batch.reference.lint_explanation import lint_explanation
from steelyard.batch.reference.lint_text import lint_keys

__all__ = ["Level", "ReferenceFinding", "ReferenceLint", "as_dict", "lint_references"]


class ReferenceLint(msgspec.Struct, frozen=True, kw_only=True):
    """All findings of a folder, by file; ``ok`` where there is no error."""

    folder: str
    files: int
    questions: int
    ok: bool
    findings: tuple[ReferenceFinding, ...] = ()

    def count(self, level: Level) -> int:
        """How many findings there are of a level."""
        return sum(finding.level == level for finding in self.findings)

    def exit_code(self, *, strict: bool = False) -> int:
        """1 after an error, and where ``strict`` after a warning too; else 0."""
        return int(not self.ok or (strict and self.count("warning") > 0))


def lint_references(folder: str | Path) -> ReferenceLint:
    """Everything that lint finds in a folder of references; a folder that cannot be read is a DataError.

    >>> lint_references("no_such_folder")
    Traceback (most recent call last):
    steelyard.errors.DataError: no_such_folder: there is no such folder
    """
    entries = read_references(folder)
    found = [one for entry in entries for one in lint_entry_file(entry)]
    found += _twin_findings(entries)
    found += _problem_findings(folder, entries)
    order = {entry.name: place for place, entry in enumerate(entries)}
    found.sort(key=lambda one: order.get(one.file, len(order)))
    asked = sum(len(entry.value["answer"]) for entry in entries if not entry.fault)
    ok = not any(one.level == "error" for one in found)
    return ReferenceLint(
        folder=os.fspath(folder), files=len(entries), questions=asked, ok=ok, findings=tuple(found)
    )


def lint_entry_file(entry: Entry) -> Iterator[ReferenceFinding]:
    """The findings of one reference file."""
    for found in _findings(entry):
        yield finding(entry.name, found)


def _findings(entry: Entry) -> Iterator[Found]:
    if entry.fault:
        yield "error", "", entry.fault, "write an object with id, answer and explanation"
        return
    yield from _identity(entry)
    for key in entry.twice:
        yield "error", key, "the key is given twice; only the last one counts", "keep one of them"
    answer = entry.value["answer"]
    yield from lint_keys(answer)
    for question, text in answer.items():
        yield from lint_entry(question, text)
    yield from lint_explanation(entry.value.get("explanation"))


def _identity(entry: Entry) -> Iterator[Found]:
    if entry.odd:
        yield "warning", "id", entry.odd, 'write it as "{year}-{problem_number}", such as "2003-1"'
    stem = entry.name.removesuffix(REFERENCE)
    if stem != entry.id:
        said = (
            f"the file is named after {stem!r}, and the id inside, which decides, is {entry.id!r}"
        )
        yield "warning", "id", said, f"name the file {entry.id}{REFERENCE}"


def _twin_findings(entries: Sequence[Entry]) -> Iterator[ReferenceFinding]:
    for first, second in twins(entries):
        said = f"{first.name} has the id {first.id!r} too"
        yield finding(second.name, ("error", "id", said, "give one of them another id"))


def _problem_findings(
    folder: str | Path, references: Sequence[Entry]
) -> Iterator[ReferenceFinding]:
    """Problems that lie beside the references must have a schema that their references fit."""
    paths = [path for path in json_files(folder) if path.endswith(PROBLEM)]
    if not paths:
        return
    from steelyard.batch.reference.lint_problem import lint_problems

    for file, found in lint_problems(paths, references):
        yield finding(file, found)


def as_dict(found: ReferenceLint) -> dict[str, Any]:
    """The report for a program: the counts, and one object a finding."""
    plain: dict[str, Any] = msgspec.to_builtins(found)
    counts = {f"{level}s": found.count(level) for level in LEVELS}
    return {
        **{key: plain[key] for key in ("folder", "files", "questions", "ok")},
        **counts,
        "findings": plain["findings"],
    }
