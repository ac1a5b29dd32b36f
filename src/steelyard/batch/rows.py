"""Lines of JSON to typed rows, with the field names that the user gave."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from steelyard.batch.block import Block
from steelyard.errors import DataError

Scalar = str | int | float | bool | None

# What each kind of row may hold. Targets stay raw: a number is taken as the text that was written.
ANSWER_FIELDS: dict[str, Any] = {
    "id": Scalar,
    "response": str | None | UnsetType,
    "target": Raw | UnsetType,
    "metadata": dict[str, Any] | None,
    "error": Any,
}
SUBMISSION_FIELDS: dict[str, Any] = {
    "id": Scalar,
    "submission": Any,
    "truth": Any,
    "time_used": Any,
    "trajectory": Any,
    "verified": bool | None | UnsetType,
    "metadata": dict[str, Any] | None,
    "error": Any,
}
_OPTIONAL = frozenset({"id", "metadata", "error", "group"})
_LONE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")

_PLAIN = {"str": "string", "int": "number", "float": "number", "bool": "boolean", "Expected": "expected"}
_WORD = re.compile(rf"\b({'|'.join(_PLAIN)})\b")


class Unreadable(msgspec.Struct, frozen=True):
    """Stands where a row should be, with what is wrong."""

    message: str
    id: Scalar = None
    metadata: dict[str, Any] | None = None
    error: Any = None
    group: Any = None


class Rows:
    """Reads blocks of lines; ``names`` maps our fields to the user's, ``group`` is a top-level key to keep.

    >>> rows = Rows(ANSWER_FIELDS, {"response": "out.text"})
    >>> rows.line(b'{"out": {"text": "Paris"}, "target": 7}').response
    'Paris'
    """

    def __init__(
        self,
        fields: Mapping[str, Any],
        names: Mapping[str, str] | None = None,
        *,
        group: str | None = None,
        exact: bool = False,
    ) -> None:
        names = names or {}
        self._names = {ours: names.get(ours, ours) for ours in fields}
        if group is not None:
            self._names["group"] = group
        hook: Callable[[str], Any] | None = Decimal if exact else None
        # Two fields may be read from one key, or from inside an object: then each row is picked apart.
        keys = list(self._names.values())
        self._plain = len(set(keys)) == len(keys) and not any("." in key for key in keys)
        renames = self._names if self._plain else {ours: ours for ours in self._names}
        columns = [(n, fields.get(n, Any), None if n in _OPTIONAL else UNSET) for n in self._names]
        row = msgspec.defstruct("Row", columns, rename=renames, gc=False)
        self._decoder = msgspec.json.Decoder(row, float_hook=hook)
        self._object = msgspec.json.Decoder(dict[str, Raw])
        self._array = msgspec.json.Decoder(list[Raw])

    def block(self, block: Block) -> tuple[list[int], list[Any]]:
        """The line numbers and the rows of a block; what cannot be read is an Unreadable in its place."""
        if self._plain and (rows := self._whole(block.data)) is not None:
            return list(block.lines or range(block.first, block.first + len(rows))), rows
        lines: list[int] = []
        rows = []
        numbers = iter(block.lines) if block.lines is not None else None
        for offset, text in enumerate(block.data.split(b"\n")):
            if text.strip():
                lines.append(next(numbers) if numbers is not None else block.first + offset)
                rows.append(self._checked(text))
        return lines, rows

    def _whole(self, data: bytes) -> list[Any] | None:
        """All rows at once, or None where anything is odd and the lines have to be looked at one by one."""
        try:
            if not data.isascii():
                data.decode("utf-8")
            rows: list[Any] = self._decoder.decode_lines(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        # No object holds "}", a line's end and "{" in a row. So where every line's end is such a seam, or the
        # end of the block, each line is one object.
        seams = data.count(b"}\n{") + data.count(b"}\r\n{")
        ends = data.count(b"\n") - data.endswith(b"\n")
        return rows if seams == ends == len(rows) - 1 and data.startswith(b"{") else None

    def _checked(self, text: bytes) -> Any:
        try:
            return self.line(text)
        except DataError as wrong:
            return Unreadable(wrong.message)

    def line(self, text: bytes) -> Any:
        """One row, or a DataError that says what is wrong with it."""
        try:
            text.decode("utf-8")
            return self._decoder.decode(text if self._plain else self._picked(text))
        except UnicodeDecodeError as wrong:
            raise DataError(f"not UTF-8: byte {wrong.start + 1} of the line cannot be read") from None
        except msgspec.ValidationError as wrong:
            raise DataError(_told(wrong)) from None
        except msgspec.DecodeError as wrong:
            hint = " (a lone surrogate is not text)" if _LONE_SURROGATE.search(text) else ""
            raise DataError(f"not JSON: {_short(wrong)}{hint}") from None
        except RecursionError:
            raise DataError("nested too deeply") from None

    def _picked(self, text: bytes) -> bytes:
        """The same row with our names on the top level."""
        top = self._object.decode(text)
        found = ((ours, self._find(top, key)) for ours, key in self._names.items())
        return b"{" + b",".join(b'"%s":%s' % (k.encode(), bytes(v)) for k, v in found if v is not None) + b"}"

    def _find(self, top: dict[str, Raw], path: str) -> Raw | None:
        if path in top:
            return top[path]
        head, *rest = path.split(".")
        here = top.get(head)
        for key in rest:
            if here is None:
                return None
            kind = bytes(here)[:1]
            if kind == b"{":
                here = self._object.decode(here).get(key)
            elif kind == b"[" and key.isdecimal():
                items = self._array.decode(here)
                here = items[int(key)] if int(key) < len(items) else None
            else:
                return None
        return here


def _short(wrong: Exception) -> str:
    return str(wrong).removeprefix("JSON is malformed: ")


def _told(wrong: msgspec.ValidationError) -> str:
    message, _, path = str(wrong).partition(" - at `$")
    message = _WORD.sub(lambda word: _PLAIN[word[0]], message.replace("`", ""))
    where = path.rstrip("`").lstrip(".")
    return f"{where}: {message}" if where else f"a row is a JSON object: {message}"
