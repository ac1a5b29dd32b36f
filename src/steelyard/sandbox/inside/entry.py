"""The candidate's entry point: where its name leads, and whether what it gives has to be waited for."""

from __future__ import annotations

import types
from _functools import partial  # type: ignore[import-not-found]  # without the rest of `functools`, and `collections` with it

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing takes longer to load than all of this
    from typing import Any

_ITERABLE_COROUTINE = 0x100


def resolve(module: types.ModuleType, entry: str) -> Any:
    """The callable of that name: a function, a class, or ``Solution.solve``, for which an instance is made each time.

    A method of a class named Solution is found under its own name too, as long as the module has no such name.
    """
    first, *rest = entry.split(".")
    names = module.__dict__
    if first not in names and not rest and hasattr(names.get("Solution"), first):
        first, rest = "Solution", [first]
    if first not in names:
        raise NameError(f"name {entry!r} is not defined")
    found = names[first]
    for name in rest:
        found = _member(found, name)
    if not callable(found):
        raise NameError(f"{entry!r} is not callable")
    return found


def is_awaitable(value: Any) -> bool:
    """Whether it has to be waited for (as `inspect` says, which takes longer to load than a candidate to run)."""
    if isinstance(value, types.GeneratorType):
        return bool(value.gi_code.co_flags & _ITERABLE_COROUTINE)
    return hasattr(type(value), "__await__")


def _member(owner: Any, name: str) -> Any:
    if not isinstance(owner, type):
        return getattr(owner, name)
    found = next((base.__dict__[name] for base in owner.__mro__ if name in base.__dict__), None)
    if found is None:
        raise AttributeError(f"class {owner.__name__!r} has no {name!r}")
    if isinstance(found, (staticmethod, classmethod)):
        return getattr(owner, name)
    return partial(_call_method, owner, name)


def _call_method(owner: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(owner(), name)(*args, **kwargs)
