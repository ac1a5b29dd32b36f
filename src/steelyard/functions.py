"""What a function tells of itself: the values that its parameters take, and the source that it is known by."""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

_NOTHING = type(None)


def needed_instead(fn: Callable[..., Any], parameter: inspect.Parameter, value: object) -> str:
    """What a parameter takes, as its declared type says, where the value is not that; else nothing.

    A type that is not declared, cannot be found or is nothing that JSON has a form for refuses no value.

    >>> def scorer(sample, *, letters: str = "A-D", seconds: float = 5.0): ...
    >>> said = inspect.signature(scorer).parameters
    >>> needed_instead(scorer, said["letters"], 5), needed_instead(scorer, said["seconds"], 5)
    ('text', '')
    """
    if value is None and parameter.default is None:
        return ""
    declared = _declared(fn, parameter)
    return "" if _fits(value, declared) else _named(declared)


def source_version(fn: Callable[..., Any]) -> str:
    """A user's function is known by its source, so that an edited scorer has another signature."""
    import hashlib

    try:
        source = inspect.getsource(fn)
    except (OSError, TypeError):
        source = getattr(fn, "__qualname__", repr(type(fn)))
    return hashlib.sha256(source.encode()).hexdigest()[:12]


def _declared(fn: Callable[..., Any], parameter: inspect.Parameter) -> Any:
    """The type that a parameter is declared with, which may be written as text; Any where there is none to be found."""
    if parameter.annotation is parameter.empty:
        return Any
    holder = types.SimpleNamespace(__annotations__={"it": parameter.annotation})
    known = getattr(inspect.unwrap(fn), "__globals__", {})
    try:
        return typing.get_type_hints(holder, globalns=known)["it"]
    except (NameError, TypeError, AttributeError, SyntaxError):
        return Any


def _fits(value: object, declared: Any) -> bool:
    origin, inner = typing.get_origin(declared), typing.get_args(declared)
    if origin in {typing.Union, types.UnionType}:
        return any(_fits(value, one) for one in inner)
    if origin is typing.Literal:
        return any(type(value) is type(one) and value == one for one in inner)
    test = _TESTS.get(origin or declared)
    if test is None:
        return True
    if origin is list and inner and isinstance(value, (list, tuple)):
        return all(_fits(item, inner[0]) for item in value)
    return test(value)


def _is_number(value: object) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    """JSON does not tell 64 from 64.0."""
    if isinstance(value, Decimal):
        return value.is_finite() and value == value.to_integral_value()
    return (isinstance(value, Integral) and not isinstance(value, bool)) or (
        isinstance(value, float) and value.is_integer()
    )


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple))


def _is_object(value: object) -> bool:
    return isinstance(value, Mapping)


_TESTS: dict[Any, Callable[[object], bool]] = {
    str: lambda value: isinstance(value, str),
    bool: lambda value: isinstance(value, bool),
    int: _is_whole,
    float: _is_number,
    Decimal: _is_number,
    _NOTHING: lambda value: value is None,
    list: _is_list,
    dict: _is_object,
    collections.abc.Mapping: _is_object,
}
_NAMES: dict[Any, str] = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    Decimal: "a number",
    _NOTHING: "null",
    list: "a list",
    dict: "an object",
    collections.abc.Mapping: "an object",
}


def _named(declared: Any) -> str:
    """What a declared type is to somebody who writes JSON."""
    origin, inner = typing.get_origin(declared), typing.get_args(declared)
    if origin in {typing.Union, types.UnionType}:
        # That null would do as well is of no use to somebody who wanted to set it.
        return " or ".join(dict.fromkeys(_named(one) for one in inner if one is not _NOTHING))
    if origin is typing.Literal:
        return " or ".join(map(repr, inner))
    if origin is list and inner and _named(inner[0]):
        return f"a list of which each is {_named(inner[0])}"
    return _NAMES.get(origin or declared, "")
