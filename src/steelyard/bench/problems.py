"""Rows made into problems; whatever is wrong with one is told with its place, before a model is asked."""

from __future__ import annotations

from typing import Any

from steelyard.bench.conversation import Conversation
from steelyard.bench.datasets import Row
from steelyard.bench.definition import Benchmark, Problem
from steelyard.bench.templates import text_of
from steelyard.errors import DataError, SpecError
from steelyard.judge.checklist import read_criteria
from steelyard.models.types import Message
from steelyard.registry import nearest

# What a run itself says of a sample; a column of that name would be taken for it.
RESERVED = ("response", "messages", "repeat")


def build_problems(benchmark: Benchmark, limit: int | None = None) -> list[Problem]:
    """The first rows as problems."""
    dataset = benchmark.dataset
    asked_of_judge = benchmark.judge_config.columns if benchmark.needs_judge else None
    problems: list[Problem] = []
    seen: dict[str, Row] = {}
    for index, row in enumerate(dataset.rows[:limit]):
        try:
            problem = _problem(benchmark, index, row)
            if asked_of_judge is not None:
                _check_judging(problem, asked_of_judge)
        except DataError as wrong:
            raise dataset.wrong(row, wrong.message) from None
        if problem.id in seen:
            first = seen[problem.id].place
            raise dataset.wrong(row, f"the id {problem.id!r} is that of {dataset.unit} {first} already")
        seen[problem.id] = row
        problems.append(problem)
    return problems


def _problem(benchmark: Benchmark, index: int, row: Row) -> Problem:
    columns = _renamed(row.columns, benchmark.field_map)
    written = {benchmark.field_map.get(name, name): text for name, text in row.written.items()}
    metadata = dict(columns)
    _set_category(benchmark, columns, metadata)
    target = _target(benchmark, columns, written, metadata)
    messages = _messages(benchmark, columns, written)
    return Problem(index=index, id=_id(benchmark, columns, index), messages=messages, target=target, metadata=metadata,
                   cluster=_cluster(benchmark, columns))  # fmt: skip


def _check_judging(problem: Problem, columns: tuple[str, ...]) -> None:
    """What the judge will be shown has to be there, and its criteria, if there are some, have to be readable."""
    for name in columns:
        if name not in problem.metadata:
            hint = nearest(name, problem.metadata)
            raise DataError(f"the judge's rubric names {{{name}}}, and the row has no such column{hint}")
    try:
        read_criteria(problem.metadata)
    except SpecError as wrong:
        raise DataError(str(wrong)) from None


def _renamed(columns: dict[str, Any], field_map: dict[str, str]) -> dict[str, Any]:
    for theirs, ours in field_map.items():
        if theirs not in columns:
            raise DataError(f"field_map renames {theirs!r}, and the row has no such column{nearest(theirs, columns)}")
        if ours in columns and ours != theirs and ours not in field_map:
            raise DataError(f"field_map makes {theirs!r} into {ours!r}, and there is a column {ours!r} already")
    found = {field_map.get(name, name): value for name, value in columns.items()}
    for name in RESERVED:
        if name in found:
            raise DataError(f"the column {name!r} has a name that runs use themselves; rename it with field_map")
    return found


def _messages(benchmark: Benchmark, columns: dict[str, Any], written: dict[str, str]) -> tuple[Message, ...]:
    if isinstance(benchmark.prompt, Conversation):
        asked = benchmark.prompt.messages(columns)
    else:
        asked = (Message("user", benchmark.prompt.render(columns, written)),)
    if not asked[-1].content.strip():
        raise DataError("the prompt is empty")
    return (Message("system", benchmark.system_prompt), *asked) if benchmark.system_prompt else asked


def _target(benchmark: Benchmark, columns: dict[str, Any], written: dict[str, str], metadata: dict[str, Any]) -> str:
    field, needs = benchmark.target_field, benchmark.scorer.needs
    if needs == "answers" and columns.get("correct_answers") and columns.get(field) is None:
        return ""
    if not field or (field not in columns and needs == "nothing"):
        return ""
    if field not in columns:
        hint = nearest(field, columns) or f"; it has {', '.join(columns)}"
        raise DataError(f"the row has no target: there is no column {field!r}{hint}")
    value = columns[field]
    if needs == "answers" and isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        metadata.setdefault("correct_answers", value)
        return str(value[0])
    text = written.get(field) or text_of(value, field)
    if not text.strip() and needs != "nothing":
        raise DataError(f"the target is empty: the column {field!r} holds nothing")
    return text


def _set_category(benchmark: Benchmark, columns: dict[str, Any], metadata: dict[str, Any]) -> None:
    field = benchmark.category_field
    if not field:
        return
    if field not in columns:
        raise DataError(f"the row has no category: there is no column {field!r}{nearest(field, columns)}")
    metadata["category"] = columns[field]


def _cluster(benchmark: Benchmark, columns: dict[str, Any]) -> str | None:
    """What the problem shares with others; None where it stands alone."""
    field = benchmark.cluster_field
    if not field:
        return None
    if field not in columns:
        raise DataError(f"the row has no cluster: there is no column {field!r}{nearest(field, columns)}")
    return None if columns[field] is None else text_of(columns[field], field)


def _id(benchmark: Benchmark, columns: dict[str, Any], index: int) -> str:
    value = columns.get(benchmark.id_field)
    if value is None:
        return str(index)
    if isinstance(value, list | dict | bool):
        raise DataError(f"the id is {text_of(value, benchmark.id_field)}; text or a number is needed")
    return text_of(value, benchmark.id_field)
