"""What lint says of problem files that lie beside references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from steelyard.batch.reference.answer_format import as_schema, check_format, format_errors
from steelyard.batch.reference.findings import Found
from steelyard.batch.reference.folder import Entry, problem_fault, read_entry, twins
from steelyard.batch.reference.json_file import read_json_file
from steelyard.errors import SpecError
from steelyard.reference import parse_reference, perfect_entry


def lint_problems(paths: Sequence[str], references: Sequence[Entry]) -> Iterator[tuple[str, Found]]:
    """Problems that cannot be read, share an id, have no usable format, or one that their reference breaks."""
    problems = [read_entry(read_json_file(path), problem_fault) for path in paths]
    for first, second in twins(problems):
        said = f"{first.name} has the id {first.id!r} too"
        yield second.name, ("error", "id", said, "give one of them another id")
    known = {entry.id: entry for entry in references if entry.id}
    for problem in problems:
        if problem.fault:
            yield (
                problem.name,
                ("error", "", problem.fault, "write an object with id and answer_format"),
            )
            continue
        if problem.id not in known:
            said = f"there is no reference with the id {problem.id!r}"
            yield problem.name, ("warning", "id", said, "add the reference, or correct the id")
        reference = known.get(problem.id)
        for found in (*_missing(problem, reference), *_format(problem, reference)):
            yield problem.name, found


def _missing(problem: Entry, reference: Entry | None) -> Iterator[Found]:
    """The questions of a problem for which its reference has no answer."""
    if reference is None or reference.fault:
        return
    for question in _questions(problem.value):
        if question not in reference.value["answer"]:
            said = f"{reference.name} has no answer to this question, so nobody's answer counts"
            yield "error", question, said, "add the answer to the reference, or drop the question"


def _questions(problem: dict[str, Any]) -> list[str]:
    """The questions that a problem names: by their texts, and in the schema of the answer."""
    form = problem.get("answer_format")
    schema = as_schema(form) if isinstance(form, dict) else {}
    named = [problem.get("questions"), schema.get("properties"), schema.get("required")]
    listed = [one for one in named if isinstance(one, (dict, list))]
    return list(dict.fromkeys(name for one in listed for name in one if isinstance(name, str)))


def _format(problem: Entry, reference: Entry | None) -> Iterator[Found]:
    form = problem.value.get("answer_format")
    if form is None:
        yield "warning", "answer_format", "there is no 'answer_format'", "add a JSON Schema"
        return
    try:
        check_format(form)
    except SpecError as wrong:
        said = "; ".join(found.message for found in wrong.problems)
        yield "error", "answer_format", said, "write a JSON Schema"
        return
    sample = (
        None
        if reference is None or reference.fault
        else _own_answer(reference.value["answer"], form)
    )
    if sample is not None:
        for said in format_errors(sample, form):
            reason = f"the reference's own answer does not fit: {said}"
            yield "warning", "answer_format", reason, "correct the schema or the reference"


def _own_answer(answer: dict[str, Any], form: Any) -> dict[str, Any] | None:
    """The answer that the reference itself would give; None where a part of it cannot be read."""
    found: dict[str, Any] = {}
    for question, text in answer.items():
        try:
            reference = parse_reference(text)
        except SpecError:
            return None
        found[question] = _own_entry(perfect_entry(reference), form, question)
    return found


def _own_entry(entry: str | list[str], form: Any, question: str) -> str | list[str]:
    """A list of one item may be written as a string, where the format wants one."""
    schema = as_schema(form)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    wanted = properties.get(question) if isinstance(properties, dict) else None
    if (
        isinstance(entry, list)
        and len(entry) == 1
        and isinstance(wanted, dict)
        and wanted.get("type") == "string"
    ):
        return entry[0]
    return entry
