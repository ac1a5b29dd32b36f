"""The candidate's side of a proxied test: its functions, classes and objects, for the test to use by number."""

from __future__ import annotations

import builtins
import itertools
import time
import types
from collections.abc import Callable
from typing import Any

from . import values
from .attempt import attempt, failure
from .entry import is_awaitable
from .peer import Kept, Peer, Side, is_pure

_MOMENT = 0.02
# What a stand-in can do if the object can.
ABILITIES = (
    "__call__",
    "__iter__",
    "__next__",
    "__len__",
    "__getitem__",
    "__setitem__",
    "__delitem__",
    "__bool__",
)


def _defines(kind: type, name: str) -> bool:
    """Whether objects of the class have the method; to ask the class itself would find its metaclass's."""
    return any(name in vars(base) for base in kind.__mro__)


class TestObject:
    """Stands in the candidate's process for a function of the test's: it can be called, and that is all."""

    def __init__(self, peer: Peer, number: int) -> None:
        self._peer, self._number = peer, number

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._peer.ask("call", self._number, "", args, kwargs)


class TestIterator(TestObject):
    """Stands for an iterator of the test's."""

    def __iter__(self) -> TestIterator:
        return self

    def __next__(self) -> Any:
        return self._peer.ask("next", self._number)


class Candidate(Side):
    """Everything that is no plain data is handed out; everything that the test asks is tried."""

    arrays = True

    def __init__(self, worker: Any) -> None:
        self._worker = worker
        self._made: dict[int, Any] = {}

    def kind_of(self, value: Any) -> str:
        """Built-in things by name; else what the test may need to know of it."""
        if is_pure(value):
            return "builtin"
        if isinstance(value, type):
            return "class __call__"
        if is_awaitable(value):
            return "awaitable"
        return " ".join(["object", *(name for name in ABILITIES if _defines(type(value), name))])

    def stand_in(self, peer: Peer, number: int, kind: str) -> Any:
        """A function or an iterator of the test's."""
        return (TestIterator if kind == "iterator" else TestObject)(peer, number)

    def number_of(self, value: Any) -> int | None:
        """The number of the test's own object."""
        return value._number if isinstance(value, TestObject) else None

    def raised(self, failed: dict[str, Any], what: str) -> BaseException:
        """What a function of the test's raised, by its nearest built-in type."""
        kind = getattr(builtins, failed["base"], Exception)
        made, unusual = attempt(kind, failed["text"])
        return (
            made
            if unusual is None and isinstance(made, BaseException)
            else Exception(failed["text"])
        )

    def serve(
        self, what: str, target: Any, name: str, args: list[Any], kwargs: dict[str, Any]
    ) -> Any:
        """One of the things that a test may do with an object."""
        if what == "call":
            return self._kept(target, target(*args, **kwargs))
        if what == "names":
            return {
                key: self._worker.module.__dict__[key]
                for key in args[0]
                if key in self._worker.module.__dict__
            }
        if what == "entry":
            return self._worker.entry
        if what == "await":
            from .function import materialised

            return materialised(target)
        return _DOES[what](target, name, *args)

    def _kept(self, target: Any, value: Any) -> Any:
        """What a call gave; an object that a class of the candidate's made stays here, though it be a list besides.

        The test made it to use its methods, which data does not have.
        """
        if (
            isinstance(target, type)
            and type(value) is target
            and _has_methods(target, self._worker.module.__dict__)
        ):
            self._made[id(value)] = value
        return Kept(value) if self._made.get(id(value)) is value and value is not None else value


def _has_methods(kind: type, names: dict[str, Any]) -> bool:
    """Whether the class, or one below it, has methods that were written in the module with these names."""
    members = [member for base in kind.__mro__ for member in vars(base).values()]
    found = [
        getattr(member, "fget", None) or getattr(member, "__func__", member) for member in members
    ]
    return any(
        isinstance(member, types.FunctionType) and member.__globals__ is names for member in found
    )


def _take(iterator: Any, count: int) -> list[Any]:
    """The next items, whether that was all, and what went wrong; no more than the time of a moment is spent."""
    items: list[Any] = []
    end = time.monotonic() + _MOMENT
    while len(items) < count and (not items or time.monotonic() < end):
        item, failed = attempt(next, iterator)
        if isinstance(failed, StopIteration):
            return [items, True, None]
        if failed is not None:
            return [items, False, failure(failed)]
        items.append(item)
    return [items, False, None]


def _held(target: Any) -> Any:
    """What the object holds, as a dict or a list; one item more than a value may have, so that it ends."""
    if hasattr(type(target), "keys") and hasattr(type(target), "__getitem__"):
        return {key: target[key] for key in itertools.islice(target.keys(), values.NODES + 1)}
    return list(itertools.islice(iter(target), values.NODES + 1))


_DOES: dict[str, Callable[..., Any]] = {
    "get": lambda target, name: getattr(target, name),
    "set": lambda target, name, value: setattr(target, name, value),
    "item": lambda target, name, key: target[key],
    "setitem": lambda target, name, key, value: target.__setitem__(key, value),
    "delitem": lambda target, name, key: target.__delitem__(key),
    "len": lambda target, name: len(target),
    "bool": lambda target, name: bool(target),
    "str": lambda target, name: values.decode(values.encode(str(target))),
    "repr": lambda target, name: values.decode(values.encode(repr(target))),
    "iter": lambda target, name: iter(target),
    "take": lambda target, name, count: _take(target, count),
    "held": lambda target, name: _held(target),
    # By the classes that something is made of, not by what it or its class says.
    "instance": lambda target, name, value: any(base is target for base in type(value).__mro__),
    "subclass": lambda target, name, value: (
        isinstance(value, type) and any(base is target for base in value.__mro__)
    ),
}
