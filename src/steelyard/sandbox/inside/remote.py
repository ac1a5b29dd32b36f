"""What stands in the test's process for an object of the candidate's.

A test may call it, read its attributes, iterate, index, and ask for its length, truth and text. Whether it equals
something is never the candidate's to say: it equals itself, and nothing else. It has no order, no arithmetic, no
hash but its identity, and membership goes by iteration over it, compared here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .peer import Peer

T = TypeVar("T")


class Remote:
    """An object of the candidate's."""

    __slots__ = ("_Remote__number", "_Remote__peer", "_Remote__unproxied")

    def __init__(self, peer: Peer, number: int, unproxied: Callable[[str], Any]) -> None:
        object.__setattr__(self, "_Remote__peer", peer)
        object.__setattr__(self, "_Remote__number", number)
        object.__setattr__(self, "_Remote__unproxied", unproxied)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__peer.ask("call", self.__number, "", args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.__peer.ask("get", self.__number, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__peer.ask("set", self.__number, name, (value,))

    def __getitem__(self, key: Any) -> Any:
        return self.__peer.ask("item", self.__number, "", (key,))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.__peer.ask("setitem", self.__number, "", (key, value))

    def __delitem__(self, key: Any) -> None:
        self.__peer.ask("delitem", self.__number, "", (key,))

    def __iter__(self) -> Any:
        found = self.__peer.ask("iter", self.__number)
        if not isinstance(found, Remote):
            raise TypeError("the object gives no iterator")
        return found

    def __next__(self) -> Any:
        return self.__peer.ask("next", self.__number)

    def __len__(self) -> int:
        return _of_type(int, self.__peer.ask("len", self.__number))

    def __bool__(self) -> bool:
        return _of_type(bool, self.__peer.ask("bool", self.__number))

    def __str__(self) -> str:
        return _of_type(str, self.__peer.ask("str", self.__number))

    def __repr__(self) -> str:
        return _of_type(str, self.__peer.ask("repr", self.__number))

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
        return _of_type(bool, self.__peer.ask(what, self.__number, "", (value,)))

    def __mro_entries__(self, bases: Any) -> Any:
        return self.__unproxied("the test makes a subclass of a class of the candidate's")


def number_of(value: Any) -> int | None:
    """The number of the object for which the value stands, if it stands for one."""
    return object.__getattribute__(value, "_Remote__number") if type(value) is Remote else None


async def awaitable(peer: Peer, number: int) -> Any:
    """Stands for something that the candidate's side will wait for."""
    return peer.ask("await", number)


def _of_type(kind: type[T], value: Any) -> T:
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, not {type(value).__name__}")
    return value
