"""The way from a test into the candidate's code, where both share a process.

Functions of the candidate's, and the methods of its classes, run in the candidate's own thread when the test calls them:
from there no frame leads back to the test. What a call changes in modules and classes that the test rests on is put
back before the test goes on.
"""

from __future__ import annotations

import _thread
import functools
import types
from collections.abc import Callable
from typing import Any

from .calling import in_main

_LIBRARY = frozenset({"builtins", "itertools"})
_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80, 0x200
_OF_A_CACHE = ("cache_info", "cache_clear", "cache_parameters")


class Doorway:
    """``known`` are the classes that were there before the candidate was; ``learn`` takes note of how things are.

    ``looked_at`` says that the test asks what a function is: a generator function, a coroutine function. Then it is led to
    one of the same kind, which finds fault with its arguments only when it is begun.
    """

    def __init__(self, known: frozenset[int], learn: Callable[[], None], looked_at: bool) -> None:
        self._known, self._learn, self._looked_at = known, learn, looked_at
        self._test = 0
        self._wrapped: set[int] = set()

    def open(self) -> int:
        """The thread that calls this is the test's, by this number."""
        self._test = _thread.get_ident()
        return self._test

    def is_strange(self, kind: type) -> bool:
        """Whether the class came with the candidate."""
        return id(kind) not in self._known

    def guarded(self, value: Any) -> Any:
        """A function behind a thread, a class with its methods behind threads; anything else as it is."""
        kind = value if isinstance(value, type) else type(value)
        if isinstance(value, type) or self.is_strange(kind):
            self._guard_class(kind)
            return value
        return self._function(value) if callable(value) else value

    def enter(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """What the candidate's function gives; the candidate itself just calls it."""
        if _thread.get_ident() != self._test:
            return fn(*args, **kwargs)
        self._learn()
        return self._result(in_main(fn, *args, **kwargs))

    def _function(self, fn: Any) -> Any:
        @functools.wraps(fn)
        def call(*args: Any, **kwargs: Any) -> Any:
            if _thread.get_ident() != self._test:
                return fn(*args, **kwargs)
            return self.enter(fn, *args, **kwargs)

        if self._looked_at and isinstance(fn, types.FunctionType):
            call = _alike(fn, call)
        call.__dict__.update({name: getattr(fn, name) for name in _OF_A_CACHE if hasattr(fn, name)})
        return call

    def _result(self, value: Any) -> Any:
        kind = type(value)
        if hasattr(kind, "__next__") and kind.__module__ in _LIBRARY:
            return _steps(self.enter, value)
        if isinstance(value, (types.FunctionType, functools.partial)):
            return self._function(value)
        self._guard_class(value if isinstance(value, type) else kind)
        return value

    def _guard_class(self, kind: type) -> None:
        for base in kind.__mro__:
            if self.is_strange(base) and id(base) not in self._wrapped:
                self._wrapped.add(id(base))
                found = {name: self._member(member) for name, member in list(vars(base).items())}
                for name in filter(found.get, found):
                    type.__setattr__(base, name, found[name])

    def _member(self, member: Any) -> Any:
        if isinstance(member, types.FunctionType):
            return self._function(member)
        if type(member) in {staticmethod, classmethod} and isinstance(
            member.__func__, types.FunctionType
        ):
            return type(member)(self._function(member.__func__))
        if type(member) is property:
            get, put, drop = (
                part and self._function(part) for part in (member.fget, member.fset, member.fdel)
            )
            return property(get, put, drop, member.__doc__)
        return None


class _Steps:
    """An iterator of the candidate's, each step of which is made in the candidate's thread."""

    def __init__(self, enter: Callable[..., Any], iterator: Any) -> None:
        self._enter, self._iterator = enter, iterator

    def __iter__(self) -> _Steps:
        return self

    def __next__(self) -> Any:
        return self._enter(next, self._iterator)

    def send(self, value: Any) -> Any:
        """Goes on with a value."""
        return self._enter(self._iterator.send, value)

    def throw(self, *failed: Any) -> Any:
        """Goes on with an exception."""
        return self._enter(self._iterator.throw, *failed)

    def close(self) -> None:
        """Ends it, if it is something that has an end of its own."""
        if hasattr(self._iterator, "close"):
            self._enter(self._iterator.close)


def _steps(enter: Callable[..., Any], iterator: Any) -> Any:
    """A generator, as which the test sees it."""
    return (yield from _Steps(enter, iterator))


def _alike(fn: Any, call: Any) -> Any:
    """The call as a function of the same kind as the candidate's."""
    flags = fn.__code__.co_flags
    if flags & _GENERATOR:

        @functools.wraps(fn)
        def generate(*args: Any, **kwargs: Any) -> Any:
            return (yield from call(*args, **kwargs))

        return generate
    if flags & _COROUTINE:

        @functools.wraps(fn)
        async def wait(*args: Any, **kwargs: Any) -> Any:
            return await call(*args, **kwargs)

        return wait
    if flags & _ASYNC_GENERATOR:

        @functools.wraps(fn)
        async def give(*args: Any, **kwargs: Any) -> Any:
            async for item in call(*args, **kwargs):
                yield item

        return give
    return call
