"""Keys that are given twice in what an author wrote, the target or the truth: nobody can tell which of the two is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from steelyard.batch.full_json import Repeated, loads, parts

_object = msgspec.json.Decoder(dict[str, Raw])


class Twice:
    """Looks for the key that a field is read from, and, of a field that is no text, for those inside it.

    Almost no row has one, so the bytes are counted first, and only what may have one is looked at.

    >>> twice = Twice("truth", inside=True)
    >>> twice.in_line(b'{"truth": {"a": 1, "a": 2}}'), twice.in_line(b'{"truth": {"a": [{"a": 2}]}}')
    ("truth: the key 'a' is given twice", '')
    """

    def __init__(self, name: str, *, inside: bool) -> None:
        self._name, self._inside = name, inside
        self._keys = [msgspec.json.encode(key) for key in {name, *name.split(".")}]
        whole = [("found", Raw | UnsetType, UNSET)]
        self._field = msgspec.json.Decoder(
            msgspec.defstruct("Field", whole, rename={"found": name}, gc=False)
        )

    def in_block(self, data: bytes, found: Sequence[Any]) -> Iterator[tuple[int, str]]:
        """The places of rows with such a key, and what is wrong there; ``found`` has what each row, a line, was read to hold."""
        missing = found.count(UNSET) if UnsetType in set(map(type, found)) else 0
        if data.count(self._keys[0]) != len(found) - missing:
            yield from self._in_lines(data)
        elif self._inside:
            fields: list[Any] = self._field.decode_lines(data)
            written = b"[%s]" % b",".join(
                [field.found for field in fields if field.found is not UNSET]
            )
            # A quote may be written so that one count too few hides one too many.
            if b"\\u0022" in written or _may_repeat(written):
                yield from self._in_lines(data)

    def _in_lines(self, data: bytes) -> Iterator[tuple[int, str]]:
        for place, line in enumerate(data.split(b"\n")):
            if line and (message := self.in_line(line)):
                yield place, message

    def in_line(self, text: bytes) -> str:
        """What is wrong with a row; nothing where no key is given twice."""
        return in_row(text.decode(), self._name, inside=self._inside) if self._may_be(text) else ""

    def _may_be(self, text: bytes) -> bool:
        if not any(text.count(key) > 1 for key in self._keys) and not self._inside:
            return False
        if len(self._keys) > 1:
            return True
        try:
            top = _object.decode(text)
            field = top.get(self._name)
            # What is not inside a value stands on top: of a key that comes twice the first value is lost.
            if (
                text.count(self._keys[0])
                - sum(bytes(value).count(self._keys[0]) for value in top.values())
                > 1
            ):
                return True
            return (
                self._inside
                and field is not None
                and (b"\\u0022" in bytes(field) or _may_repeat(bytes(field)))
            )
        except (msgspec.DecodeError, RecursionError):
            return True


def _may_repeat(written: bytes) -> bool:
    """Whether more keys are written than are read; a text may look as if."""
    if written[:1] not in {b"{", b"["}:
        return False
    try:
        return _colons(written) != _colons(msgspec.json.encode(msgspec.json.decode(written)))
    except (ValueError, OverflowError, RecursionError):
        return True


def _colons(written: bytes) -> int:
    return written.count(b'":') + written.count(b'" :')


def in_row(text: str, name: str, *, inside: bool) -> str:
    """What is wrong with a row, found by reading it key by key; nothing where that cannot be read, which is told elsewhere."""
    try:
        here = loads(text, literals=True, mark=True)
    except ValueError:
        return ""
    for key in [name] if isinstance(here, dict) and name in here else name.split("."):
        if isinstance(here, Repeated) and key in here.twice:
            return f"the key {key!r} is given twice"
        here = _inside(here, key)
    repeated = (
        next((part for part in parts(here) if isinstance(part, Repeated)), None) if inside else None
    )
    return "" if repeated is None else f"{name}: the key {min(repeated.twice)!r} is given twice"


def _inside(here: Any, key: str) -> Any:
    if isinstance(here, list) and key.isdecimal() and int(key) < len(here):
        return here[int(key)]
    return here.get(key) if isinstance(here, dict) else None
