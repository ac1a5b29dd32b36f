"""Submissions that lint tries: the ground truth itself, and ones that hold nothing right."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from decimal import Decimal
from importlib import resources
from typing import Any

import msgspec

from steelyard.errors import SpecError
from steelyard.primitives.values import Unreadable, array, key, keys_of, number, wide
from steelyard.spec.evaluator import compare
from steelyard.spec.field import MISSING, find
from steelyard.spec.model import Dimension, Spec

_ITEMS = 10
_MAX_FILLER = 10_000
_MAX_DEPTH = 50


@functools.cache
def _words() -> dict[str, list[str]]:
    path = resources.files("steelyard") / "data" / "lint.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]])


def make_truth(spec: Spec) -> tuple[dict[str, Any], list[str]]:
    """A ground truth that could belong to the spec, and the names of dimensions for which none was found."""
    truth: dict[str, Any] = {}
    lost: list[str] = []
    for field in dict.fromkeys(d.ground_truth_field for d in spec.dimensions if d.ground_truth_field):
        users = [d for d in spec.dimensions if d.ground_truth_field == field]
        fitting = (value for value in _plausible(field) if all(_fits(d, value) for d in users))
        truth[field] = next(fitting, MISSING)
        if truth[field] is MISSING:
            truth[field] = _words()["texts"][0].format(field=field)
            lost += [d.name for d in users]
    return truth, lost


def _plausible(field: str) -> Iterator[Any]:
    texts = [text.format(field=field) for text in _words()["texts"]]
    yield texts[0]
    yield [f"{field} {i}" for i in range(1, _ITEMS + 1)]
    yield [1000 + 37 * i for i in range(_ITEMS)]
    yield 1234
    yield from texts[1:]
    yield True
    yield {"value": texts[0]}


def _fits(dimension: Dimension, value: object) -> bool:
    try:
        return compare(dimension, value, value).value in {1, None}
    except SpecError:
        return False


def with_own_truth(spec: Spec) -> Spec:
    """A spec that knows its answers, as one that compares each field with the same field of a ground truth."""
    compared = tuple(msgspec.structs.replace(d, ground_truth_field=d.field) for d in spec.dimensions)
    return msgspec.structs.replace(spec, dimensions=compared, source=spec.source + b" ")


def right_submission(spec: Spec, truth: Mapping[str, Any]) -> dict[str, Any]:
    """The ground truth handed in as the answer."""
    return _fill(spec, {d.field: find(truth, d.ground_truth_field) for d in reversed(spec.dimensions)
                        if d.field and d.ground_truth_field})  # fmt: skip


def null_submissions(spec: Spec, truth: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Submissions without right content, by name: empty, all null, wrong, and everything attempted at once."""
    fields = list(dict.fromkeys(d.field for d in spec.dimensions if d.field))
    lists = universes(spec, truth)
    wrong = {f: _best(spec, truth, f, list(_wrong_values(spec, truth, f))) for f in fields}
    attempted = {f: _best(spec, truth, f, [wrong[f], *lists]) for f in fields}
    return {
        "empty": {},
        "all null": _fill(spec, dict.fromkeys(fields)),
        "wrong content": _fill(spec, wrong),
        "everything attempted at once": _fill(spec, attempted),
    }


def universes(spec: Spec, truth: Mapping[str, Any]) -> list[list[Any]]:
    """The lists that a solver can name without solving anything.

    The ids that a coverage dimension counts are handed out with the questions, unless another primitive
    compares answers with the same field: then they are the answers themselves.
    """
    found = []
    for dimension in spec.dimensions:
        items = array(find(truth, dimension.ground_truth_field or ""))
        if items is not None and names_only(spec, dimension):
            found.append(items)
    return found


def names_only(spec: Spec, dimension: Dimension) -> bool:
    """Whether a dimension counts attempted ids and not answers."""
    return _is_coverage(dimension) and not any(
        other.ground_truth_field == dimension.ground_truth_field and not _is_coverage(other)
        for other in spec.dimensions
    )


def _is_coverage(dimension: Dimension) -> bool:
    return dimension.kind == "primitive" and dimension.uses == "coverage_ratio"


def _best(spec: Spec, truth: Mapping[str, Any], field: str, values: list[Any]) -> Any:
    """The value that earns most over this field, before gates."""
    return max(values, key=lambda value: _earned(spec, truth, field, value))


def _earned(spec: Spec, truth: Mapping[str, Any], field: str, value: Any) -> float:
    return sum(float(d.weight) * earned for d, earned in _values(spec, truth, field, value))


def _values(spec: Spec, truth: Mapping[str, Any], field: str, value: Any) -> Iterator[tuple[Dimension, float]]:
    for dimension in spec.dimensions:
        if dimension.field == field:
            want = find(truth, dimension.ground_truth_field) if dimension.ground_truth_field else None
            yield dimension, compare(dimension, value, want).value or 0


def _wrong_values(spec: Spec, truth: Mapping[str, Any], field: str) -> Iterator[Any]:
    users = [d for d in spec.dimensions if d.field == field]
    reach = max((number(d.params.get("tolerance", 0)) or 0 for d in users), default=0)
    yield None
    for dimension in users:
        want = find(truth, dimension.ground_truth_field) if dimension.ground_truth_field else "text"
        for value in _wrong(want, reach):
            # A filler that happens to be the answer ("a") is not wrong.
            if not any(earned == 1 for _, earned in _values(spec, truth, field, value)):
                yield value


def _wrong(want: object, reach: int | Decimal, depth: int = 0) -> Iterator[Any]:
    """Values of the same shape that share nothing with the right one."""
    if depth > _MAX_DEPTH:
        yield "wrong"
    elif isinstance(want, str):
        length = min(max(len(want), 1), _MAX_FILLER)
        yield from ((filler * (length // len(filler) + 1))[:length] for filler in _words()["fillers"])
    elif isinstance(want, bool):
        yield not want
    elif (found := number(want)) is not None:
        context = wide(found, reach, 1)
        away = context.add(context.multiply(Decimal(2), Decimal(reach)), Decimal(1))
        yield context.add(Decimal(found), max(away, Decimal(found).copy_abs()))
    elif (items := array(want)) is not None:
        yield _wrong_items(items, reach, depth + 1)
    elif isinstance(want, Mapping):
        yield {name: next(_wrong(value, reach, depth + 1)) for name, value in want.items()}
    else:
        yield "wrong"


def _wrong_items(items: list[object], reach: int | Decimal, depth: int) -> list[Any]:
    taken = set(keys_of(items))
    found = []
    for i, item in enumerate(items):
        wrong = next(_wrong(item, reach, depth))
        try:
            clash = key(wrong) in taken
        except Unreadable:
            clash = True
        found.append(f"wrong {i}" if clash else wrong)
    return found


def _fill(spec: Spec, values: Mapping[Any, Any]) -> dict[str, Any]:
    """A submission with these fields; a dotted field becomes nested objects where it can."""
    submission: dict[str, Any] = {}
    for field, value in values.items():
        *parents, last = str(field).split(".")
        place: Any = submission
        for name in parents:
            place = place.setdefault(name, {}) if isinstance(place, dict) else None
        if isinstance(place, dict):
            place[last] = value
        else:
            submission[field] = value
    return submission
