"""Rows made into problems; whatever is wrong with one is told with its place, before a model is asked."""

from __future__ import annotations

import itertools
import operator
from array import array
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from steelyard.bench.conversation import Conversation
from steelyard.bench.datasets import Dataset
from steelyard.bench.definition import Benchmark, Problem
from steelyard.bench.rows import BLOCK, Row
from steelyard.bench.scorers import asks_judge
from steelyard.bench.templates import text_of
from steelyard.errors import DataError, SpecError
from steelyard.models.types import Message
from steelyard.registry import nearest
from steelyard.spill import Piles

T = TypeVar("T")
# As many bytes of rows may be there as problems: a small benchmark is made once, of a large one the part in work.
KEPT_BYTES = 1024 * 1024
# The column of the truth where a benchmark names no other.
TARGET = "target"
# What a run itself says of a sample; a column of that name would be taken for it.
RESERVED = frozenset({"response", "messages", "repeat"})


class Problems(Sequence[Problem]):
    """The problems of a benchmark, made from their rows when they are asked for; the last ones used are kept.

    All of them are made once at the beginning, so that what is wrong with one is told then.
    """

    def __init__(self, benchmark: Benchmark, limit: int | None = None) -> None:
        self._benchmark, self._rows = benchmark, benchmark.dataset.rows
        self._count = len(self._rows) if limit is None else min(limit, len(self._rows))
        self._made: dict[int, list[Problem]] = {}  # blocks, the one that was used last at the end
        self._size = 0
        self._check()

    def _check(self) -> None:
        asked_of_judge = (
            self._benchmark.judge_config.columns if self._benchmark.needs_judge else None
        )
        named = _Names()
        for block in range(-(-self._count // BLOCK)):
            rows = self._rows.block(block)[: self._count - block * BLOCK]
            for problem, row in zip(self._make(block, rows), rows, strict=True):
                named.add(problem.id)
                if asked_of_judge is not None:
                    _at(self._benchmark.dataset, row, _check_judging, problem, asked_of_judge)
        if named.twice():
            self._refuse_same_ids()

    def _make(self, block: int, rows: Sequence[Row]) -> list[Problem]:
        first, dataset = block * BLOCK, self._benchmark.dataset
        made = [
            _at(dataset, row, _problem, self._benchmark, first + inside, row)
            for inside, row in enumerate(rows)
        ]
        self._made[block] = made
        self._size += self._rows.size(block)
        while self._size > KEPT_BYTES and len(self._made) > 1:
            oldest = next(iter(self._made))
            del self._made[oldest]
            self._size -= self._rows.size(oldest)
        return made

    def _refuse_same_ids(self) -> None:
        """Two names have one hash; mostly that is because they are one."""
        dataset, seen = self._benchmark.dataset, dict[str, int]()
        for problem, row in zip(self, self._rows, strict=False):
            if problem.id in seen:
                message = (
                    f"the id {problem.id!r} is that of {dataset.unit} {seen[problem.id]} already"
                )
                raise dataset.wrong(row, message)
            seen[problem.id] = row.place

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Problem: ...
    @overload
    def __getitem__(self, at: slice) -> list[Problem]: ...
    def __getitem__(self, at: int | slice) -> Problem | list[Problem]:
        if isinstance(at, slice):
            return [self[index] for index in range(*at.indices(self._count))]
        block, inside = divmod(range(self._count)[at], BLOCK)
        made = self._made.pop(block, None)
        if made is None:
            return self._make(block, self._rows.block(block))[inside]
        self._made[block] = made
        return made[inside]


class _Names:
    """Whether two of many names may be one; what is kept of them is on the disk."""

    def __init__(self) -> None:
        self._piles = Piles(1)

    def add(self, name: str) -> None:
        """Take in a name."""
        self._piles.add(hash(name))

    def twice(self) -> bool:
        """Whether two names have one hash."""
        return any(map(_has_twice, self._piles.ordered()))


def _has_twice(ordered: array[int]) -> bool:
    return any(map(operator.eq, ordered, itertools.islice(ordered, 1, None)))


def _at(dataset: Dataset, row: Row, do: Callable[..., T], *args: Any) -> T:
    """What is done with a row; what is wrong with it is told with its place."""
    try:
        return do(*args)
    except DataError as wrong:
        raise dataset.wrong(row, wrong.message) from None


def _problem(benchmark: Benchmark, index: int, row: Row) -> Problem:
    columns = _renamed(row.columns, benchmark.field_map)
    written = {benchmark.field_map.get(name, name): text for name, text in row.written.items()}
    metadata = dict(columns)
    _set_category(benchmark, columns, metadata)
    target = _target(benchmark, columns, written, metadata)
    messages = _messages(benchmark, columns, written)
    return Problem(
        index=index,
        id=_id(benchmark, columns, index),
        messages=messages,
        target=target,
        metadata=metadata,
        cluster=_cluster(benchmark, columns),
    )


def _check_judging(problem: Problem, columns: tuple[str, ...]) -> None:
    """What the judge will be shown has to be there, and its criteria, if there are some, have to be readable."""
    # Most runs have no judge, and start faster without one.
    from steelyard.judge.checklist import read_criteria

    for name in columns:
        if name not in problem.metadata:
            hint = nearest(name, problem.metadata)
            raise DataError(
                f"the judge's rubric names {{{name}}}, and the row has no such column{hint}"
            )
    try:
        read_criteria(problem.metadata)
    except SpecError as wrong:
        raise DataError(str(wrong)) from None


def _renamed(columns: dict[str, Any], field_map: dict[str, str]) -> dict[str, Any]:
    for theirs, ours in field_map.items():
        if theirs not in columns:
            raise DataError(
                f"field_map renames {theirs!r}, and the row has no such column{nearest(theirs, columns)}"
            )
        if ours in columns and ours != theirs and ours not in field_map:
            raise DataError(
                f"field_map makes {theirs!r} into {ours!r}, and there is a column {ours!r} already"
            )
    found = (
        {field_map.get(name, name): value for name, value in columns.items()}
        if field_map
        else columns
    )
    for name in sorted(RESERVED & found.keys()):
        raise DataError(
            f"the column {name!r} has a name that runs use themselves; rename it with field_map"
        )
    return found


def _messages(
    benchmark: Benchmark, columns: dict[str, Any], written: dict[str, str]
) -> tuple[Message, ...]:
    if isinstance(benchmark.prompt, Conversation):
        asked, checked = benchmark.prompt.messages(columns), not benchmark.prompt.may_be_empty
    else:
        asked, checked = (Message("user", benchmark.prompt.render(columns, written)),), True
    if checked and not asked[-1].content.strip():
        raise DataError("the prompt is empty")
    return (
        (Message("system", benchmark.system_prompt), *asked) if benchmark.system_prompt else asked
    )


def _target(
    benchmark: Benchmark, columns: dict[str, Any], written: dict[str, str], metadata: dict[str, Any]
) -> str:
    field, needs = benchmark.target_field, benchmark.scorer.needs
    if needs == "answers" and columns.get("correct_answers") and columns.get(field) is None:
        return ""
    if not field or (field not in columns and _needs_no_target(benchmark)):
        return ""
    if field not in columns:
        hint = nearest(field, columns) or f"; it has {', '.join(columns)}"
        raise DataError(
            f"the row has no target: there is no column {field!r}{hint}; "
            'target_field="" says that there is none'
        )
    value = columns[field]
    if (
        needs == "answers"
        and isinstance(value, list)
        and value
        and all(isinstance(item, str) for item in value)
    ):
        metadata.setdefault("correct_answers", value)
        return str(value[0])
    text = written.get(field) or text_of(value, field)
    if not text.strip() and needs != "nothing":
        raise DataError(f"the target is empty: the column {field!r} holds nothing")
    return text


def _needs_no_target(benchmark: Benchmark) -> bool:
    """Whether a row may lack the target: nothing is compared with it, or only a judge scores."""
    if benchmark.scorer.needs == "nothing":
        return True
    return benchmark.target_field == TARGET and asks_judge(benchmark.scorer)


def _set_category(benchmark: Benchmark, columns: dict[str, Any], metadata: dict[str, Any]) -> None:
    field = benchmark.category_field
    if not field:
        return
    if field not in columns:
        raise DataError(
            f"the row has no category: there is no column {field!r}{nearest(field, columns)}"
        )
    metadata["category"] = columns[field]


def _cluster(benchmark: Benchmark, columns: dict[str, Any]) -> str | None:
    """What the problem shares with others; None where it stands alone."""
    field = benchmark.cluster_field
    if not field:
        return None
    if field not in columns:
        raise DataError(
            f"the row has no cluster: there is no column {field!r}{nearest(field, columns)}"
        )
    return None if columns[field] is None else text_of(columns[field], field)


def _id(benchmark: Benchmark, columns: dict[str, Any], index: int) -> str:
    value = columns.get(benchmark.id_field)
    if value is None:
        return str(index)
    if isinstance(value, list | dict | bool):
        raise DataError(
            f"the id is {text_of(value, benchmark.id_field)}; text or a number is needed"
        )
    return text_of(value, benchmark.id_field)
