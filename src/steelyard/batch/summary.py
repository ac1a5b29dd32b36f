"""The summary of a run: one object, shown by every report."""

from __future__ import annotations

from signal import SIGINT
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from steelyard.batch.full_json import dumps_mended
from steelyard.batch.outcomes import ReadingCounts
from steelyard.batch.signature import Signature
from steelyard.batch.tally import Moments, Tally

_OF_THE_MEAN = ("mean", "ci_lower", "ci_upper", "interval", "accuracy")


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """A mean with its denominator: total = scored + pending + unscored, always.

    ``mean`` is over the scored rows. ``worst`` and ``best`` are what it could still become over all rows.
    ``accuracy`` is the share of the scored rows that the scorer called correct; of a spec, that have full marks.
    ``problems`` is how many problems the scored rows are attempts at: rows with one id are attempts at one.
    ``reading`` counts the outcomes of reading, for a scorer that reads answers.
    """

    total: int
    scored: int
    problems: int
    pending: int
    unscored: int
    correct: int
    mean: float | None
    ci_lower: float | None
    ci_upper: float | None
    interval: str | None
    worst: float | None
    best: float | None
    accuracy: float | None
    reading: ReadingCounts | UnsetType = UNSET

    @property
    def complete(self) -> bool:
        """Whether every row has a score."""
        return self.scored == self.total


class Group(Headline, frozen=True, kw_only=True):
    """The headline of one group of rows."""

    name: str


class InputFile(msgspec.Struct, frozen=True, kw_only=True):
    """An input and the hash of its rows that were scored, as the signature has them: not that of the file itself.

    It is None where not all were scored that were asked for.
    """

    name: str
    sha256: str | None


class Summary(Headline, frozen=True, kw_only=True):
    """What a run of the score door came to. Bad lines are among the unscored rows.

    ``failures`` has the shape of ``failure_analysis.json``; ``unscored_reasons`` counts why rows have no score: every
    reason, or, where there are many, every kind of reason. ``broken`` says why an input could not be read to its end: then
    only what stood before that was scored. ``repeated_ids`` says that scored rows share an id: then intervals are clustered.
    ``signal`` is the number of the one that ended the run early, or 0. Where more than half of the lines are bad, the input is
    probably not what it was taken for: then there is no mean and nothing that follows from one.
    """

    bad_lines: int
    repeated_ids: bool
    failures: dict[str, Any]
    unscored_reasons: dict[str, int]
    results: dict[str, int]
    by: str | None
    breakdown: list[Group]
    scorer: dict[str, Any]
    signature: Signature
    signature_text: str
    files: list[InputFile]
    output: str | None
    interrupted: bool
    signal: int = 0
    broken: str | None = None
    seconds: float
    rows_per_second: float

    @property
    def mostly_bad(self) -> bool:
        """Whether more than half of the lines are bad."""
        return 2 * self.bad_lines > self.total

    @property
    def exit_code(self) -> int:
        """0 where every row has a score, 130 after Ctrl-C and 143 after SIGTERM, 2 after bad lines or a broken input, 1
        where scores are missing."""
        if self.interrupted:
            return 128 + (self.signal or SIGINT)
        if self.bad_lines or self.broken:
            return 2
        return 0 if self.complete else 1

    def to_json(self) -> bytes:
        """The summary as one JSON object; no NaN, ever."""
        try:
            return msgspec.json.Encoder(enc_hook=str, decimal_format="number").encode(self)
        except UnicodeEncodeError:  # a file may have a name that is no text
            return dumps_mended(self)


def headline(moments: Moments) -> dict[str, Any]:
    """The fields of a Headline.

    >>> headline(Moments())["mean"] is None
    True
    """
    interval = moments.interval()
    return {
        "total": moments.total,
        "scored": moments.scored,
        "problems": moments.problems,
        "pending": moments.pending,
        "unscored": moments.total - moments.scored - moments.pending,
        "correct": moments.correct,
        "mean": moments.mean,
        "ci_lower": interval.lower if interval else None,
        "ci_upper": interval.upper if interval else None,
        "interval": interval.method if interval else None,
        "worst": moments.worst,
        "best": moments.best,
        "accuracy": moments.correct / moments.scored if moments.scored else None,
        "reading": moments.reading or UNSET,
    }


def groups(tally: Tally) -> list[Group]:
    """The groups of a breakdown, sorted by name."""
    return [Group(name=name, **headline(moments)) for name, moments in sorted(tally.groups.items())]


def without_mean(summary: Summary) -> Summary:
    """The summary without its means and their intervals; what a mean could be stays."""
    bare = [msgspec.structs.replace(group, **_bare(group)) for group in summary.breakdown]
    return msgspec.structs.replace(summary, breakdown=bare, **_bare(summary))


def _bare(found: Headline) -> dict[str, Any]:
    fields: dict[str, Any] = dict.fromkeys(_OF_THE_MEAN)
    if found.reading:
        reading = msgspec.structs.replace(found.reading, mean_if_unclear_right=None)
        if reading.judge:
            judge = msgspec.structs.replace(reading.judge, mean_by_rules=None)
            reading = msgspec.structs.replace(reading, judge=judge)
        fields["reading"] = reading
    return fields
