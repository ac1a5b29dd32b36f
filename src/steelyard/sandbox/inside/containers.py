"""Containers of the library that are more than the data in them: a test gets them as what they were.

A task's expected values are JSON, so there a Counter is the dict that it holds. A test written as code may ask it for a
missing key, a named tuple for a field, a bounded deque for its bound. They are rebuilt from plain data here, by the
library's own classes, so that nothing of the candidate's answers in the test's process.
"""

from __future__ import annotations

import collections
import copy
import functools
import types
from collections.abc import Callable
from typing import Any

from .attempt import attempt
from .kinds import read_dict

_FACTORIES = {
    kind.__name__: kind
    for kind in (
        bool,
        bytearray,
        bytes,
        complex,
        dict,
        float,
        frozenset,
        int,
        list,
        set,
        str,
        tuple,
    )
}
_ORDINARY = "value"
# A tree whose branches make branches has no end: so many of them can be asked for in turn.
_NESTED = 6
_MOST_FIELDS = 100


class Default:
    """What a missing key stands for: always the same data, each time as a copy of its own."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        return copy.deepcopy(self.value)


def _write_counter(value: Any) -> tuple[str, Any]:
    return "counter", [[key, item] for key, item in dict.items(value)]


def _write_ordered(value: Any) -> tuple[str, Any]:
    return "ordered", [[key, item] for key, item in collections.OrderedDict.items(value)]


def _write_default(value: Any) -> tuple[str, Any]:
    pairs = [[key, item] for key, item in dict.items(value)]
    return "default", [*_factory(value.default_factory), pairs]


def _factory(made_by: Any, left: int = _NESTED) -> list[Any]:
    """The kind of factory and what it gives: a function of the candidate's is asked once, and that is its answer."""
    if type(made_by) is Default:
        return [_ORDINARY, made_by.value]
    name = next((name for name, kind in _FACTORIES.items() if kind is made_by), None)
    if name is not None or not isinstance(made_by, types.FunctionType) or not left:
        return [name, None]
    found, failed = attempt(made_by)
    if failed is not None:
        return [None, None]
    if type(found) is collections.defaultdict:
        kind, inner = _factory(found.default_factory, left - 1)
        found = collections.defaultdict(
            Default(inner) if kind == _ORDINARY else _FACTORIES.get(kind), found
        )
    return [_ORDINARY, found]


def _write_deque(value: Any) -> tuple[str, Any]:
    items = list(collections.deque.__iter__(value))
    bound = collections.deque.maxlen.__get__(value)
    return ("deque", items) if bound is None else ("bounded", [bound, items])


def _write_tuple(value: Any) -> tuple[str, Any]:
    items = list(tuple.__iter__(value))
    kind = type(value)
    names = next((vars(base)["_fields"] for base in kind.__mro__ if "_fields" in vars(base)), None)
    if (
        type(names) is not tuple
        or len(names) != len(items)
        or not all(type(name) is str for name in names)
    ):
        return "tuple", items
    return "fields", [kind.__name__, list(names), items]


WRITERS: dict[type, Callable[[Any], tuple[str, Any]]] = {
    collections.Counter: _write_counter,
    collections.OrderedDict: _write_ordered,
    collections.defaultdict: _write_default,
    collections.deque: _write_deque,
    tuple: _write_tuple,
}


def _read_counter(pairs: list[Any]) -> Any:
    found: Any = collections.Counter()
    dict.update(found, read_dict(pairs))
    return found


def _read_default(content: list[Any]) -> Any:
    kind, value, pairs = content
    factory = (
        Default(value) if kind == _ORDINARY else _FACTORIES[kind] if kind is not None else None
    )
    return collections.defaultdict(factory, read_dict(pairs))


def _read_bounded(content: list[Any]) -> Any:
    bound, items = content
    if type(bound) is not int or type(items) is not list:
        raise ValueError("a bounded deque has a bound and its items")
    return collections.deque(items, bound)


def _read_fields(content: list[Any]) -> Any:
    """A field that can be called would speak for the candidate under a name that the test trusts, so there is none."""
    name, names, items = content
    if not 0 < len(names) == len(items) or len(names) > _MOST_FIELDS or any(map(callable, items)):
        return tuple(items)
    kind, odd = attempt(_named_tuple, name, tuple(names))
    return tuple(items) if odd is not None else kind(*items)


@functools.lru_cache(maxsize=256)
def _named_tuple(name: str, names: tuple[str, ...]) -> Any:
    return collections.namedtuple(name, names)


def _checked(build: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    """What does not unpack as it was packed is no such container."""

    def read(content: list[Any]) -> Any:
        found, failed = attempt(build, content)
        if failed is not None:
            raise ValueError(str(failed))
        return found

    return read


READERS: dict[str, Callable[[Any], Any]] = {
    "counter": _checked(_read_counter),
    "ordered": _checked(lambda pairs: collections.OrderedDict(read_dict(pairs))),
    "default": _checked(_read_default),
    "bounded": _checked(_read_bounded),
    "fields": _checked(_read_fields),
}
