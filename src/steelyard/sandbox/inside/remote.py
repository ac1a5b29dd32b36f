"""What stands in the test's process for an object of the candidate's.

It can do what the object can: be called, iterated, indexed, measured. Whether it equals something is never the
candidate's to say: it equals itself, and nothing else. It has no order, no arithmetic, no hash but its identity, and
membership goes by iteration over it, compared here.

An object that the test made by calling a class that the author names may answer as it likes: it is what is tested.
Any other one is a result, of which a test wants data: its length, items and iteration all come from one copy of what
it holds, and it is not asked what only data can be trusted with, such as `startswith` or `count`.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable
from typing import Any, TypeVar

from .peer import Peer

T = TypeVar("T")
_MOST_AT_ONCE = 256
_SCALARS = frozenset({int, float, bool, complex, str, bytes, type(None)})
# What the methods of plain data say about an argument, or about themselves: data is believed, an object is not.
_SAY = """all any count endswith equals find index isalnum isalpha isascii isdecimal isdigit isdisjoint
is_integer isidentifier islower isnumeric isprintable isspace issubset issuperset istitle isupper rfind rindex
startswith"""
ASSURANCES = frozenset(_SAY.split())


class _State:
    """What is known of the object: where it is, how it came here, and what of it is here already."""

    __slots__ = (
        "at_once",
        "failed",
        "held",
        "items",
        "made",
        "makes",
        "number",
        "peer",
        "truth",
        "unproxied",
    )

    def __init__(self, peer: Peer, number: int, unproxied: Callable[[str], Any]) -> None:
        self.peer, self.number, self.unproxied = peer, number, unproxied
        self.made = self.makes = False
        self.held: Any = None
        self.truth: bool | None = None
        self.items: collections.deque[Any] = collections.deque()
        self.at_once = 1
        self.failed: BaseException | None = None

    def ask(self, what: str, name: str = "", args: Any = (), kwargs: Any = None) -> Any:
        return self.peer.ask(what, self.number, name, args, kwargs)

    def contents(self) -> Any:
        """A copy of what the object holds, which all further answers come from."""
        if self.held is None:
            found = self.ask("held")
            if type(found) not in {list, dict}:
                raise TypeError("the object gives no items")
            self.held = found
        return self.held

    def next(self) -> Any:
        """The next item of an iterator; simple ones are fetched several at a time, more each time."""
        if not self.items and self.failed is None:
            self._fetch()
        if self.items:
            return self.items.popleft()
        failed = self.failed
        if not isinstance(failed, StopIteration):
            self.failed = None
        raise failed or StopIteration

    def _fetch(self) -> None:
        before = self.peer.served
        found, ended, failed = self.ask("take", "", (self.at_once,))
        self.items.extend(found)
        if ended:
            self.failed = StopIteration()
        elif failed is not None:
            self.failed = self.peer.raised(failed, "take")
        # Whoever calls back in between can see how far the iterator is, and a list may be filled again later.
        simple = self.peer.served == before and all(map(_is_simple, found))
        self.at_once = min(2 * self.at_once, _MOST_AT_ONCE) if simple else 1


def _is_simple(value: Any) -> bool:
    return type(value) in _SCALARS or (
        type(value) is tuple and all(type(item) in _SCALARS for item in value)
    )


class Remote:
    """An object of the candidate's."""

    __slots__ = ("_Remote__state",)

    def __init__(self, state: _State) -> None:
        object.__setattr__(self, "_Remote__state", state)

    def __getattr__(self, name: str) -> Any:
        state = self.__state
        if name.startswith("__") or (name in ASSURANCES and not (state.made or state.makes)):
            raise AttributeError(name)
        found = state.ask("get", name)
        if isinstance(found, Remote):
            state.held = None  # a method, which may change what the object holds
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        self.__state.held = None
        self.__state.ask("set", name, (value,))

    def __str__(self) -> str:
        return _of_type(str, self.__state.ask("str"))

    def __repr__(self) -> str:
        return _of_type(str, self.__state.ask("repr"))

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __instancecheck__(self, instance: Any) -> bool:
        return self.__is("instance", instance)

    def __subclasscheck__(self, subclass: Any) -> bool:
        return self.__is("subclass", subclass)

    def __is(self, what: str, value: Any) -> bool:
        """Plain data, and whatever is the test's own, has nothing to do with a class of the candidate's."""
        if number_of(value) is None:
            return False
        return _of_type(bool, self.__state.ask(what, "", (value,)))

    def __mro_entries__(self, bases: Any) -> Any:
        return self.__state.unproxied("the test makes a subclass of a class of the candidate's")


def _state(value: Any) -> _State:
    found: _State = object.__getattribute__(value, "_Remote__state")
    return found


def _call(self: Any, *args: Any, **kwargs: Any) -> Any:
    state = _state(self)
    found = state.ask("call", "", args, kwargs)
    if state.makes and isinstance(found, Remote):
        _state(found).made = True
    return found


def _iter(self: Any) -> Any:
    state = _state(self)
    if hasattr(type(self), "__next__"):
        return self
    if not state.made:
        return iter(state.contents())
    found = state.ask("iter")
    if not hasattr(type(found), "__next__"):
        raise TypeError("the object gives no iterator")
    return found


def _len(self: Any) -> int:
    state = _state(self)
    return _of_type(int, state.ask("len")) if state.made else len(state.contents())


def _item(self: Any, key: Any) -> Any:
    state = _state(self)
    return state.ask("item", "", (key,)) if state.made else state.contents()[key]


def _set_item(self: Any, key: Any, value: Any) -> None:
    _state(self).held = None
    _state(self).ask("setitem", "", (key, value))


def _delete_item(self: Any, key: Any) -> None:
    _state(self).held = None
    _state(self).ask("delitem", "", (key,))


def _bool(self: Any) -> bool:
    state = _state(self)
    if state.made or state.truth is None:
        state.truth = _of_type(bool, state.ask("bool"))
    return state.truth


ABILITIES: dict[str, Any] = {
    "__call__": _call,
    "__iter__": _iter,
    "__next__": lambda self: _state(self).next(),
    "__len__": _len,
    "__getitem__": _item,
    "__setitem__": _set_item,
    "__delitem__": _delete_item,
    "__bool__": _bool,
}


@functools.lru_cache(maxsize=256)
def _class_with(abilities: frozenset[str]) -> Any:
    members = {name: what for name, what in ABILITIES.items() if name in abilities}
    return type("Remote", (Remote,), {"__slots__": (), "__module__": __name__, **members})


def stand_in(peer: Peer, number: int, kind: str, unproxied: Callable[[str], Any]) -> Any:
    """What stands for the object, with the abilities that its kind names."""
    return _class_with(frozenset(kind.split()))(_State(peer, number, unproxied))


def name_class(value: Any) -> None:
    """The author names this as a class: what is made by calling it may answer for itself."""
    if isinstance(value, Remote):
        _state(value).makes = True


def number_of(value: Any) -> int | None:
    """The number of the object for which the value stands, if it stands for one."""
    return _state(value).number if isinstance(value, Remote) else None


async def awaitable(peer: Peer, number: int) -> Any:
    """Stands for something that the candidate's side will wait for."""
    return peer.ask("await", number)


def _of_type(kind: type[T], value: Any) -> T:
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, not {type(value).__name__}")
    return value
