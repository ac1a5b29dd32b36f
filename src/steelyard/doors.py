"""The doors to the world as pure code sees them: small Protocols, so that it can name them without opening them.

A method that cannot do its work raises an EngineError (a judge: JudgeError); no attempt pays for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge says of one thing: yes or no, one sentence why, and the words that it rests on.

    >>> Verdict(value=True, reason="both say that the dog sleeps").evidence
    ''
    """

    value: bool
    reason: str = ""
    evidence: str = ""


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """Which items a judge holds to be equivalent to which references.

    A pair is (position of the item, position of the reference), both from 0. All candidates may be named, also
    several for one item: the best one-to-one choice among them is not the judge's work.

    >>> Pairing(pairs=((0, 1), (2, 1))).reason
    ''
    """

    pairs: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    evidence: str = ""


@runtime_checkable
class Judge(Protocol):
    """Whoever can say whether two texts mean the same, and whether an explanation meets a criterion.

    ``name`` is its identity: a verdict is never taken for another judge's.
    """

    @property
    def name(self) -> str:
        """Who judges, with everything that shapes a verdict."""
        ...

    def equivalent(self, reference: str, entry: str, question: str) -> Verdict:
        """Whether the entry says what the reference says, as an answer to this question."""
        ...

    def assign(self, items: Sequence[str], references: Sequence[str], question: str) -> Pairing:
        """Which of the items say what which of the references say."""
        ...

    def criterion(self, criterion: str, rules: str, explanation: str) -> Verdict:
        """Whether the explanation meets the criterion; ``rules`` is the explanation as it should be."""
        ...
