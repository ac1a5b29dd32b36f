"""Judges for tests: one that knows its answers, and one that is down."""

from __future__ import annotations

from collections.abc import Sequence

from steelyard.doors import Pairing, Verdict
from steelyard.errors import JudgeError


class Known:
    """Says yes to the pairs and criteria that it was given, and counts what it is asked."""

    name = "known"

    def __init__(self, *pairs: tuple[str, str], criteria: Sequence[str] = ()) -> None:
        self.pairs, self.criteria, self.asked = (
            set(pairs),
            set(criteria),
            list[tuple[object, ...]](),
        )

    def equivalent(self, reference: str, entry: str, question: str) -> Verdict:
        self.asked.append((reference, entry, question))
        return Verdict(value=(entry, reference) in self.pairs, reason="so it is", evidence=entry)

    def assign(self, items: Sequence[str], references: Sequence[str], question: str) -> Pairing:
        self.asked.append((tuple(items), tuple(references), question))
        found = [
            (i, r)
            for i, item in enumerate(items)
            for r, reference in enumerate(references)
            if (item, reference) in self.pairs
        ]
        return Pairing(
            pairs=tuple(found), reason="these belong together", evidence=", ".join(items)
        )

    def criterion(self, criterion: str, rules: str, explanation: str) -> Verdict:
        self.asked.append((criterion, rules, explanation))
        return Verdict(value=criterion in self.criteria)


class Down:
    """Cannot be reached."""

    name = "down"

    def equivalent(self, reference: str, entry: str, question: str) -> Verdict:
        raise JudgeError("the judge did not answer")

    def assign(self, items: Sequence[str], references: Sequence[str], question: str) -> Pairing:
        raise JudgeError("the judge did not answer")

    def criterion(self, criterion: str, rules: str, explanation: str) -> Verdict:
        raise JudgeError("the judge did not answer")
