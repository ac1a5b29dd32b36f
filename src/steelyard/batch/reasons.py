"""Why rows have no score: each reason with its count, exact, in memory that stays flat whatever the rows say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

OTHERS = "(others)"
# So many different reasons are told as they are; where there are more, those that differ only in numbers and in what they
# quote are counted together.
MOST_REASONS = 100
MOST_KINDS = 2000
_QUOTED = re.compile(r"""(?<!\w)(['"`])[^'"`]*\1(?!\w)""")
_NUMBERED = re.compile(r"(?<![\w-])[\w-]*\d[\w-]*")


def kind_of(reason: str) -> str:
    """The reason without what it quotes and without its numbers.

    >>> kind_of("the target 'abc' holds no number"), kind_of("request 7f-3 failed after 2.5 s")
    ("the target '…' holds no number", 'request # failed after #.# s')
    """
    return _NUMBERED.sub("#", _QUOTED.sub(r"\1…\1", reason))


class Reasons:
    """Counts of reasons. What it says does not depend on how the rows were divided before they were merged.

    >>> reasons = Reasons()
    >>> reasons.merge({f"request {n} failed": 1 for n in range(500)})
    >>> reasons.merge({"quota exhausted": 900})
    >>> reasons.counts()
    {'quota exhausted': 900, 'request # failed': 500}
    """

    def __init__(self) -> None:
        self._each: Counter[str] = Counter()
        self._many = False
        self._kinds: Counter[str] = Counter()
        self._only: dict[
            str, str | None
        ] = {}  # the one reason of a kind, None where there are several

    def merge(self, counted: Mapping[str, int]) -> None:
        """Take in what the next rows came to."""
        for reason, count in counted.items():
            self._add_kind(reason, count)
            if not self._many:
                self._each[reason] += count
                self._many = len(self._each) > MOST_REASONS
        if self._many:
            self._each.clear()

    def _add_kind(self, reason: str, count: int) -> None:
        kind = kind_of(reason)
        if kind not in self._kinds and len(self._only) >= MOST_KINDS:
            kind = reason = OTHERS
        else:
            same = self._only.setdefault(kind, reason) == reason
            self._only[kind] = reason if same else None
        self._kinds[kind] += count

    def counts(self) -> dict[str, int]:
        """Every reason, or every kind of reason where there are many, the most frequent first."""
        if not self._many:
            return _sorted(self._each.items())
        return _sorted((self._only.get(kind) or kind, count) for kind, count in self._kinds.items())


def _sorted(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    added: Counter[str] = Counter()
    for reason, count in counts:  # a reason may read as the kind of others does
        added[reason] += count
    return dict(added.most_common())
