"""What stands for everything of a candidate's when a test is tried by itself: it can be used for anything, but not for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# More than any test makes of what it is given; a test that goes on using it does not loop by itself.
MOST_USES = 100_000


class Uses:
    """How often something of a candidate's was used; ``enough`` is called when that has no end."""

    def __init__(self, enough: Callable[[], Any]) -> None:
        self._left, self._enough = MOST_USES, enough

    def spend(self) -> None:
        """One more."""
        self._left -= 1
        if self._left < 0:
            self._enough()


class Anything:
    """A function, a number, a list, an object, as it is needed; ``filled`` if it is something rather than nothing."""

    def __init__(self, uses: Uses, filled: bool) -> None:
        self.__dict__["known"] = (uses, filled)

    def _used(self) -> bool:
        uses, filled = self.__dict__["known"]
        uses.spend()
        return bool(filled)


def _itself(self: Any, *args: Any, **kwargs: Any) -> Any:
    self._used()
    return self


def _truth(self: Any, *args: Any) -> bool:
    return bool(self._used())


def _number(self: Any) -> int:
    return int(self._used())


def _text(self: Any, *args: Any) -> str:
    return "a" if self._used() else ""


def _items(self: Any) -> Any:
    return iter([self] if self._used() else [])


def _nothing(self: Any, *args: Any) -> None:
    self._used()


async def _later(self: Any) -> Any:
    return self


_OPERATORS = """add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or"""
_ARITHMETIC = _OPERATORS.split()
_DOES: dict[Any, str] = {
    _itself: "call getitem getattr next enter neg pos abs invert round trunc floor ceil aenter copy deepcopy "
    + " ".join(f"{kind}{name}" for name in _ARITHMETIC for kind in ("", "r", "i")),
    _truth: "bool eq ne lt le gt ge contains instancecheck subclasscheck",
    _number: "len int index hash length_hint",
    _text: "str repr format",
    _nothing: "setitem delitem setattr delattr exit",
}
for _function, _names in _DOES.items():
    for _name in _names.split():
        setattr(Anything, f"__{_name}__", _function)
setattr(Anything, "__iter__", _items)  # noqa: B010 - like all the others
setattr(Anything, "__float__", lambda self: float(self._used()))  # noqa: B010
setattr(Anything, "__complex__", lambda self: complex(self._used()))  # noqa: B010
setattr(Anything, "__bytes__", lambda self: b"a" if self._used() else b"")  # noqa: B010
setattr(Anything, "__await__", lambda self: _later(self).__await__())  # noqa: B010
