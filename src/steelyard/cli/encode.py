"""Anything as JSON for a program to read."""

from __future__ import annotations

from typing import Any


def encoded(found: Any) -> str:
    """Indented JSON; what JSON cannot say is shown as Python says it, since evidence may hold anything.

    >>> encoded({"a": 1j})
    '{\\n  "a": "1j"\\n}'
    """
    import msgspec

    encoder = msgspec.json.Encoder(enc_hook=repr, decimal_format="number")
    return msgspec.json.format(encoder.encode(found), indent=2).decode("utf-8")
