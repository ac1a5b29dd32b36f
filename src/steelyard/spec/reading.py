"""A spec as plain JSON: from a file or a dict, with every value checked and none shared with the caller."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from steelyard.primitives.values import describe, number
from steelyard.spec.problems import Problems, join

MAX_DEPTH = 64
_MAX_EXPONENT, _MAX_DIGITS = 308, 1_000


class _Repeated(dict[str, Any]):
    """An object of a file that has a key twice."""

    keys_twice: tuple[str, ...] = ()


def read_file(path: str | Path) -> Any:
    """The JSON value in a file; numbers keep their decimals; a SpecError that names file and line."""
    problems = Problems(str(path))
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        return json.loads(
            text, object_pairs_hook=_object, parse_float=exact_decimal, parse_int=exact_integer
        )
    except json.JSONDecodeError as bad:
        problems.file = f"{path}:{bad.lineno}"
        problems.add(
            "",
            f"is not JSON: {bad.msg.removesuffix(' at')} (line {bad.lineno}, column {bad.colno})",
        )
    except UnicodeDecodeError as bad:
        problems.add("", f"is not UTF-8: byte {bad.start} cannot be read")
    except RecursionError:
        problems.add("", f"is nested too deeply; {MAX_DEPTH} levels are allowed")
    except (OSError, ValueError) as bad:
        problems.add("", f"cannot be read: {getattr(bad, 'strerror', None) or bad}")
    raise problems.error()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    twice = [key for key, _ in pairs if key in seen or seen.add(key)]  # type: ignore[func-returns-value]
    repeated = _Repeated(found)
    repeated.keys_twice = tuple(dict.fromkeys(twice))
    return repeated


def exact_decimal(text: str) -> Decimal:
    """The number that is written; one that no Decimal can hold is an infinity, which no number equals.

    >>> exact_decimal("0.10"), exact_decimal("1e99999999999999999999")
    (Decimal('0.10'), Decimal('Infinity'))
    """
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent beyond all bounds
        return Decimal("-Infinity" if text.startswith("-") else "Infinity")


def exact_integer(text: str) -> int | Decimal:
    """The integer that is written, however long."""
    return int(text) if len(text) < _MAX_DIGITS else Decimal(text)


def plain(value: Any, problems: Problems, path: str = "", depth: int = 0) -> Any:
    """A copy in plain JSON types; what is not JSON, or too deep or too large, becomes a problem."""
    if isinstance(value, str):
        if not value.isascii() and value != value.encode("utf-8", "replace").decode():
            problems.add(path, "holds half of a surrogate pair, which is no character")
            # Reading goes on with a text that can be written, so that everything else is told too.
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return str(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float, Decimal)):
        return _plain_number(value, problems, path)
    if depth >= MAX_DEPTH:
        problems.add(path[:200], f"is nested too deeply; {MAX_DEPTH} levels are allowed")
        return None
    if isinstance(value, Mapping):
        return _plain_object(value, problems, path, depth)
    if isinstance(value, (list, tuple)):
        return [plain(item, problems, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)]
    problems.add(path, f"is {describe(value)}, which is not JSON")
    return None


def _plain_object(
    value: Mapping[Any, Any], problems: Problems, path: str, depth: int
) -> dict[str, Any]:
    for key in getattr(value, "keys_twice", ()):
        problems.add(join(path, key), "is given twice")
    found: dict[str, Any] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            problems.add(path, f"has the key {describe(key)}, which is not a string")
        elif not key.isascii() and key != key.encode("utf-8", "replace").decode():
            problems.add(path, f"has the key {describe(key)}, which holds half of a surrogate pair")
        else:
            found[str(key)] = plain(item, problems, join(path, key), depth + 1)
    return found


def _plain_number(value: float | Decimal, problems: Problems, path: str) -> int | Decimal | None:
    found = number(value)
    if found is None:
        problems.add(path, f"is {describe(value)}, which is not a number that can be used")
        return None
    if isinstance(found, int) and found.bit_length() < 64:
        return found
    written = Decimal(found)
    if written and (
        abs(written.adjusted()) > _MAX_EXPONENT or len(written.as_tuple().digits) > _MAX_DIGITS
    ):
        problems.add(path, f"is {describe(value)}, which is too large, too small or too long")
        return None
    return found if isinstance(found, int) or written else 0
