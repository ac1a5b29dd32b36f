"""What bubblewrap says when it does not start, and what to do about it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


class Remedy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of a complaint, all of which must occur, and what helps."""

    words: tuple[str, ...]
    remedy: str


@cache
def _remedies() -> list[Remedy]:
    data = files("steelyard").joinpath("data", "bubblewrap_complaints.json").read_bytes()
    return msgspec.json.decode(data, type=list[Remedy])


def explain(complaint: str) -> str:
    """One line: what bubblewrap said last, and how to mend it where that is known.

    >>> explain("bwrap: setting up uid map: Permission denied").startswith("bubblewrap may not make user namespaces")
    True
    """
    lines = complaint.strip().splitlines()
    said = lines[-1] if lines else "it ended without a word"
    lowered = complaint.lower()
    for known in _remedies():
        if all(word in lowered for word in known.words):
            return f"{known.remedy} ({said})"
    return f"bubblewrap does not start: {said}"
