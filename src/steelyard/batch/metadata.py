"""The metadata of a table's rows: what its own column says, and all columns without a meaning of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

# In a CSV cell these hold JSON; every other cell is the text that stands there.
JSON_CELLS = frozenset({"metadata", "submission", "truth", "trajectory", "time_used", "verified"})
_TEXTS = frozenset({"response", "target", "id", "error"})
_MEANT = JSON_CELLS | _TEXTS
_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="number")


def json_columns(names: Mapping[str, str]) -> set[str]:
    """The columns whose text is JSON; one that ``names`` makes a text of is none.

    >>> sorted(json_columns({"target": "truth"}) & {"metadata", "truth"})
    ['metadata']
    """
    return {names.get(field, field) for field in JSON_CELLS} - {
        names[field] for field in _TEXTS if field in names
    }


class Metadata:
    """Tells columns with a meaning from others, by the ``names`` that fields have.

    >>> Metadata({"response": "out"}).merged({"out": "x", "topic": "t", "metadata": {"level": 1}})
    {'out': 'x', 'topic': 't', 'metadata': {'level': 1, 'topic': 't'}}
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._name = names.get("metadata", "metadata")
        self._meant = {names.get(field, field) for field in _MEANT}
        self._heads = {name.partition(".")[0] for name in self._meant}

    def needs(self, column: str) -> bool:
        """Whether a field is read from the column, or from inside it."""
        return column in self._meant or column in self._heads

    def merged(self, row: dict[str, Any]) -> dict[str, Any]:
        """The row with the other columns in its metadata, whose own keys win; what is no object stays, and is told later."""
        if self._name not in row and "." in self._name:
            return row  # it is inside a column
        others = {name: value for name, value in row.items() if name not in self._meant}
        own = row.get(self._name)
        if own is None:
            return {**row, self._name: others}
        if not others:
            return row
        return {
            **row,
            self._name: _in_text(own, others)
            if isinstance(own, msgspec.Raw)
            else _in_object(own, others),
        }


def _in_object(own: Any, others: dict[str, Any]) -> Any:
    """In Parquet every row has every key; one without a value says nothing."""
    if not isinstance(own, dict):
        return own
    return {**own, **{name: value for name, value in others.items() if own.get(name) is None}}


def _in_text(own: msgspec.Raw, others: dict[str, Any]) -> msgspec.Raw:
    """Of a key that is there twice the last one counts; so what is written stays as it is, whatever JSON it is."""
    written = bytes(own).strip()
    if not written.startswith(b"{"):
        return own
    rest = written[1:].lstrip()
    return msgspec.Raw(
        _encoder.encode(others)[:-1] + (b"" if rest.startswith(b"}") else b",") + rest
    )
