"""Lines of JSON to typed rows, with the field names that the user gave."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from steelyard.batch import duplicate_keys
from steelyard.batch.block import Block
from steelyard.batch.fields import known_as, refuse_odd, response_of, written_as
from steelyard.batch.full_json import Mended, NoNumber, is_literal, literal, loads, plain_float
from steelyard.errors import DataError
from steelyard.score import Score
from steelyard.spec.reading import exact_decimal

Scalar = str | int | float | bool | None

# What each kind of row may hold. Targets stay raw: a number is taken as the text that was written. So is a response that is
# one, but most are texts, and those are read as such.
ANSWER_FIELDS: dict[str, Any] = {
    "id": Scalar,
    "response": str | None | UnsetType,
    "target": Raw | UnsetType,
    "metadata": dict[str, Any] | None,
    "error": Any,
}
# A judge is shown the question as well.
JUDGED_FIELDS: dict[str, Any] = {**ANSWER_FIELDS, "question": Any}
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
# What the author wrote has to be text and numbers; half a character of the attempt is only shown as unreadable.
_AUTHORED = frozenset({"target", "truth"})

_PLAIN = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "Expected": "expected",
}
_WORD = re.compile(rf"\b({'|'.join(_PLAIN)})\b")
_APART = re.compile(r'[."\\\x00-\x1f]')


class Unreadable(msgspec.Struct, frozen=True):
    """Stands where a row should be, with what is wrong."""

    message: str
    id: Scalar = None
    metadata: dict[str, Any] | None = None
    error: Any = None
    group: Any = None
    target: Any = UNSET
    truth: Any = UNSET


class TargetError(Exception):
    """The target of a row is one that its scorer cannot read: ``score`` has no value, and says so."""

    def __init__(self, score: Score) -> None:
        super().__init__(score.reason)
        self.score = score


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
        self._number: Callable[[str], Any] = exact_decimal if exact else plain_float
        # Two fields may be read from one key, or from inside an object, or from a key that no struct can have: then each
        # row is picked apart.
        keys = list(self._names.values())
        self._plain = len(set(keys)) == len(keys) and not any(_APART.search(key) for key in keys)
        renames = self._names if self._plain else {ours: ours for ours in self._names}
        self._types = {ours: fields.get(ours, Any) for ours in self._names}
        columns = [(n, kind, None if n in _OPTIONAL else UNSET) for n, kind in self._types.items()]
        self._row = msgspec.defstruct("Row", columns, rename=renames, gc=False)
        hook = exact_decimal if exact else None
        self._decoder = msgspec.json.Decoder(self._row, float_hook=hook)
        # In most files every target is text, and then it can be read with its row.
        worded = [
            (n, str | UnsetType if kind == Raw | UnsetType else kind, miss)
            for n, kind, miss in columns
        ]
        self._worded = msgspec.json.Decoder(
            msgspec.defstruct("Row", worded, rename=renames, gc=False), float_hook=hook
        )
        loose = [
            (n, Raw | UnsetType if n == "response" else kind, miss) for n, kind, miss in columns
        ]
        self._loose = msgspec.json.Decoder(
            msgspec.defstruct("Row", loose, rename=renames, gc=False), float_hook=hook
        )
        self._of_answers = "response" in self._types
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
                rows.append(self.line(text))
        return lines, rows

    def _whole(self, data: bytes) -> list[Any] | None:
        """All rows at once, or None where anything is odd and the lines have to be looked at one by one."""
        try:
            if not data.isascii():
                data.decode("utf-8")
            rows = self._decoded(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None
        # No object holds "}", a line's end and "{" in a row. So where every line's end is such a seam, or the
        # end of the block, each line is one object.
        seams = data.count(b"}\n{") + data.count(b"}\r\n{")
        ends = data.count(b"\n") - data.endswith(b"\n")
        if seams != ends or ends != len(rows) - 1 or not data.startswith(b"{"):
            return None
        for place, message in duplicate_keys.in_block(data):
            rows[place] = self._refused(rows[place], message)
        return rows

    def _decoded(self, data: bytes) -> list[Any]:
        rows: list[Any]
        if not self._of_answers:
            rows = self._decoder.decode_lines(data)
            return rows
        with suppress(msgspec.MsgspecError):
            return self._worded.decode_lines(data)
        with suppress(msgspec.ValidationError):
            return self._decoder.decode_lines(data)
        return [self._settled(row) for row in self._loose.decode_lines(data)]

    def line(self, text: bytes) -> Any:
        """One row, or an Unreadable that says what is wrong with it."""
        try:
            decoded = text.decode("utf-8")
            row = self._one(text if self._plain else self._picked(text))
            message = duplicate_keys.in_line(text)
            return self._refused(row, message) if message else row
        except UnicodeDecodeError as wrong:
            return Unreadable(f"not UTF-8: byte {wrong.start + 1} of the line cannot be read")
        except msgspec.ValidationError as wrong:
            message = _told(wrong)
        except msgspec.DecodeError as wrong:
            message = f"not JSON: {_short(wrong)}"
        except RecursionError:
            message = "nested too deeply"
        return self._odd(decoded, message)

    def _one(self, text: bytes) -> Any:
        try:
            return self._decoder.decode(text)
        except msgspec.ValidationError:
            if not self._of_answers:
                raise
            return self._settled(self._loose.decode(text))

    def _settled(self, row: Any) -> Any:
        """The row with its raw response as text, or an Unreadable where that is none."""
        if row.response is UNSET:
            return row
        try:
            row.response = response_of(bytes(row.response))
        except DataError as wrong:
            return self._refused(row, _told(wrong, self._names["response"]))
        return row

    def _refused(self, row: Any, message: str) -> Unreadable:
        """An Unreadable in the place of a row, with what else could be read of it."""
        return Unreadable(
            message, **{name: getattr(row, name, None) for name in ("id", "metadata", "group")}
        )

    def _odd(self, text: str, message: str) -> Any:
        """The row that the fast decoder refused, if it is one: an attempt does not escape by being odd."""
        try:
            top, exact = loads(text, number=self._number, literals=True), loads(text, literals=True)
        except ValueError as wrong:
            return Unreadable(message if message.startswith("not JSON") else f"not JSON: {wrong}")
        if not isinstance(top, dict):
            return Unreadable(message)
        found: dict[str, Any] = {}
        faults: list[str] = []
        for ours, key in self._names.items():
            value = _at(exact if ours in {"target", "response"} else top, key)
            try:
                if value is not UNSET:
                    found[ours] = self._field(ours, value)
            except (msgspec.ValidationError, DataError) as wrong:
                faults.append(_told(wrong, key))
        if message := duplicate_keys.in_text(text):
            faults.append(message)
        if faults:
            kept = {name: found[name] for name in ("id", "metadata", "group") if name in found}
            return Unreadable("; ".join(faults), **kept)
        return self._row(**found)

    def _field(self, ours: str, value: Any) -> Any:
        """The value as the field's type has it; a text that cannot be written is mended unless it is the author's."""
        if ours in _AUTHORED:
            refuse_odd(value)
        if ours == "target":
            return written_as(value)
        if type(value) is Mended:
            return str(value)
        if ours == "response":
            return (
                NoNumber(literal(value))
                if is_literal(value)
                else response_of(bytes(written_as(value)))
            )
        if ours == "id" and isinstance(value, (float, Decimal)):
            return known_as(value)
        return value if self._types[ours] is Any else msgspec.convert(value, self._types[ours])

    def _picked(self, text: bytes) -> bytes:
        """The same row with our names on the top level."""
        top = self._object.decode(text)
        found = ((ours, self._find(top, key)) for ours, key in self._names.items())
        return (
            b"{"
            + b",".join(b'"%s":%s' % (k.encode(), bytes(v)) for k, v in found if v is not None)
            + b"}"
        )

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


def _at(top: dict[str, Any], path: str) -> Any:
    """What stands at a path of keys, UNSET where it leads nowhere."""
    if path in top:
        return top[path]
    here: Any = top
    for key in path.split("."):
        if isinstance(here, dict) and key in here:
            here = here[key]
        elif isinstance(here, list) and key.isdecimal() and int(key) < len(here):
            here = here[int(key)]
        else:
            return UNSET
    return here


def _short(wrong: Exception) -> str:
    return str(wrong).removeprefix("JSON is malformed: ")


def _told(wrong: Exception, key: str = "") -> str:
    message, _, path = str(wrong).partition(" - at `$")
    message = _WORD.sub(lambda word: _PLAIN[word[0]], message.replace("`", ""))
    message = message.replace("number | number", "number")  # they are two types only to the decoder
    where = key + path.rstrip("`") if key else path.rstrip("`").lstrip(".")
    return f"{where}: {message}" if where else f"a row is a JSON object: {message}"
