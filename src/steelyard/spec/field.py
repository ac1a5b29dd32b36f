"""Finding a field: its literal name first, else a dotted path into nested objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()


def find(record: object, field: str) -> object:
    """The value of the field, or MISSING.

    >>> find({"a": {"b": 1}, "a.b": 2}, "a.b"), find({"a": {"b": 1}}, "a.b"), find({}, "a.b")
    (2, 1, MISSING)
    """
    # The first is the common one, and found at once.
    if type(record) is not dict and not isinstance(record, Mapping):
        return MISSING
    if field in record:
        return record[field]
    value: object = record
    for name in field.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return MISSING
        value = value[name]
    return value


def depends(field: str | None, other: str) -> bool:
    """Whether a dimension over ``field`` depends on ``other``: the same one, or one inside the other.

    >>> depends("answers.first", "answers"), depends("answers2", "answers")
    (True, False)
    """
    if field is None:
        return False
    return field == other or field.startswith(other + ".") or other.startswith(field + ".")


def nested(values: Mapping[Any, Any]) -> dict[str, Any]:
    """A submission with these fields, without the missing ones; a dotted field becomes nested objects where it can.

    >>> nested({"a.b": 1, "c": MISSING})
    {'a': {'b': 1}}
    """
    submission: dict[str, Any] = {}
    for field, value in values.items():
        if value is MISSING:
            continue
        *parents, last = str(field).split(".")
        place: Any = submission
        for name in parents:
            place = place.setdefault(name, {}) if isinstance(place, dict) else None
        if isinstance(place, dict):
            place[last] = value
        else:
            submission[field] = value
    return submission
