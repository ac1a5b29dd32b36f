"""The way from a test into the candidate's code, where both share a process.

Functions of the candidate's, and the methods of its classes, run in threads of their own when the test calls them:
from there no frame leads back to the test. What a call changes in modules and classes that the test rests on is put
back before the test goes on.
"""

from __future__ import annotations

import _thread
import functools
import types
from collections.abc import Callable
from typing import Any

from .guard import in_thread

_GENERATORS = (types.GeneratorType, map, filter, zip, enumerate, reversed)
_OF_A_CACHE = ("cache_info", "cache_clear", "cache_parameters")


class Doorway:
    """``known`` are the classes that were there before the candidate was; ``learn`` takes note of how things are."""

    def __init__(self, known: frozenset[int], learn: Callable[[], None]) -> None:
        self._known, self._learn = known, learn
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
        return self._result(in_thread(fn, *args, **kwargs))

    def _function(self, fn: Any) -> Any:
        @functools.wraps(fn)
        def call(*args: Any, **kwargs: Any) -> Any:
            if _thread.get_ident() != self._test:
                return fn(*args, **kwargs)
            return self.enter(fn, *args, **kwargs)

        call.__dict__.update({name: getattr(fn, name) for name in _OF_A_CACHE if hasattr(fn, name)})
        return call

    def _result(self, value: Any) -> Any:
        if isinstance(value, _GENERATORS):
            return self._steps(value)
        if isinstance(value, types.FunctionType):
            return self._function(value)
        self._guard_class(value if isinstance(value, type) else type(value))
        return value

    def _steps(self, iterator: Any) -> Any:
        while True:
            try:
                item = self.enter(next, iterator)
            except StopIteration:
                return
            yield item

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
        if type(member) in {staticmethod, classmethod} and isinstance(member.__func__, types.FunctionType):
            return type(member)(self._function(member.__func__))
        if type(member) is property:
            get, put, drop = (
                part and self._function(part) for part in (member.fget, member.fset, member.fdel)
            )
            return property(get, put, drop, member.__doc__)
        return None
