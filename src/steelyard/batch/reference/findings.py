"""What lint has to say of references, one finding at a time."""

from __future__ import annotations

from typing import Literal

import msgspec

from steelyard.batch.reference.evidence import short_text

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")
# Of one file: how bad it is, the question or other place, the reason, and how to mend it.
Found = tuple[Level, str, str, str]


class ReferenceFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that lint has to say: the file, the question (or other place in it), the reason and the fix."""

    level: Level
    file: str
    question: str
    reason: str
    fix: str


def finding(file: str, found: Found) -> ReferenceFinding:
    """A finding whose texts can be shown and written whatever the file held.

    >>> finding("a.json", ("note", "1", "half: \\ud800", "")).reason
    'half: �'
    """
    level, question, reason, fix = found
    return ReferenceFinding(
        level=level,
        file=short_text(file),
        question=short_text(question),
        reason=short_text(reason),
        fix=short_text(fix),
    )
