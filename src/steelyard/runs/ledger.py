"""What a run has of each sample: where its lines stand in the journal. It is kept on the disk, so that many take no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from steelyard.models.spending import CHARACTERS_A_TOKEN
from steelyard.runs.lines import AttemptLine, Line, sample_key, sample_place
from steelyard.spill import Column

_NOWHERE = -1


def guessed_tokens(characters: int) -> int:
    """About how many tokens a text has.

    >>> guessed_tokens(9)
    3
    """
    return -(-characters // CHARACTERS_A_TOKEN)


class Ledger:
    """The samples of a run in their order: all repeats of the first problem, then those of the second, and so on.

    ``asked`` gives the characters of the question that an attempt answers, None where it is not asked like that now.

    >>> ledger = Ledger(2, 3)
    >>> ledger.key(4), ledger.place("1.1"), ledger.place("7.0")
    ('1.1', 4, None)
    """

    def __init__(
        self,
        problems: int,
        repeats: int,
        *,
        by: str = "",
        asked: Callable[[int, AttemptLine], int | None] | None = None,
    ) -> None:
        self.problems, self.repeats, self.by, self._asked = problems, repeats, by, asked
        self.total = problems * repeats
        # Twice the place, and one more where the attempt failed or the score is open.
        self._attempts = Column("q", self.total, fill=_NOWHERE)
        self._scores = Column("q", self.total, fill=_NOWHERE)
        self.input_tokens = self.output_tokens = 0

    def key(self, place: int) -> str:
        """The name of the sample at that place."""
        return sample_key(*divmod(place, self.repeats))

    def place(self, key: str) -> int | None:
        """The place of a sample; None if this run does not ask for it."""
        return sample_place(key, self.problems, self.repeats)

    def note(self, line: Line, offset: int) -> None:
        """Remember where a line stands. A new attempt makes the scores of an earlier one void.

        An attempt at what is asked in other words now, and a score that was come to ``by`` another way, are as if they
        were not there: so a session that changed something may end at any moment.
        """
        place = self.place(line.key)
        if place is None:
            return
        if isinstance(line, AttemptLine):
            characters = self._asked(place, line) if self._asked is not None else 0
            if characters is None:
                return
            self.attempted(place, offset, failed=bool(line.error))
            self._spend(line, characters)
            return
        if line.by != self.by:
            return
        score = line.score
        self._scores[place] = 2 * offset + (score.pending or (line.judged and score.value is None))

    def attempted(self, place: int, offset: int, *, failed: bool) -> None:
        """The attempt at that sample stands there now."""
        self._attempts[place] = 2 * offset + failed
        self._scores[place] = _NOWHERE

    def _spend(self, line: AttemptLine, asked: int) -> None:
        """Count its tokens: where the endpoint did not tell them, by the same guess as while the run was asking."""
        if line.error:
            return
        replied = len(line.response) + len(line.reasoning)
        self.input_tokens += (
            line.input_tokens if line.input_tokens is not None else guessed_tokens(asked)
        )
        self.output_tokens += (
            line.output_tokens if line.output_tokens is not None else guessed_tokens(replied)
        )

    def attempt(self, place: int) -> int | None:
        """Where the attempt of a sample stands."""
        return None if (found := self._attempts[place]) == _NOWHERE else found >> 1

    def score(self, place: int) -> int | None:
        """Where the last score of a sample stands."""
        return None if (found := self._scores[place]) == _NOWHERE else found >> 1

    def to_ask(self) -> Iterator[int]:
        """The samples without a reply, those that an error came for included."""
        return (p for p in range(self.total) if self._attempts[p] & 1)  # as _NOWHERE has it too

    def to_score(self) -> Iterator[int]:
        """The samples with a reply and without a score."""
        return (
            p
            for p in range(self.total)
            if not self._attempts[p] & 1 and self._scores[p] == _NOWHERE
        )

    def to_judge(self) -> Iterator[int]:
        """The samples that a judge has still to speak about."""
        return (
            p for p in range(self.total) if (found := self._scores[p]) != _NOWHERE and found & 1
        )
