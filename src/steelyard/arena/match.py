"""A match: one agent's try at one challenge, settled once."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec
from sqlalchemy import Row

SECOND: Final = 1_000_000  # moments are in microseconds


class State(StrEnum):
    """Where a match stands; the last four are ends, and `failed` alone can be left again, by the operator."""

    ACTIVE = "active"
    EVALUATING = "evaluating"
    COMPLETED = "completed"
    FAILED = "failed"
    EXPIRED = "expired"
    ABANDONED = "abandoned"


RATED: Final = (State.COMPLETED, State.EXPIRED, State.ABANDONED)
OPEN: Final = (State.ACTIVE, State.EVALUATING)


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table of matches, without the bulk: truth, submission and outcome are fetched where they are needed."""

    id: str
    agent_id: str
    slug: str
    version: int
    seed: int
    attempt: int
    memoryless: bool
    state: State
    entered_at: int
    deadline: int
    submitted_at: int | None
    submission_digest: str | None
    lease: str | None
    lease_until: int | None
    tries: int
    finished_at: int | None
    score: int | None
    result: str | None
    verified: bool | None
    scorer: str
    failure: str | None

    @property
    def first_attempt(self) -> bool:
        """Whether the agent had never entered the challenge before."""
        return self.attempt == 1

    def seconds_used(self, until: int) -> float:
        """How long the agent has had the match at that moment."""
        return max(0, until - self.entered_at) / SECOND


FIELDS: Final = Match.__struct_fields__


def from_driver(values: Sequence[Any]) -> Match:
    """The match in these fields, in this order, as a driver gives them: SQLite knows neither states nor truth values."""
    fields = dict(zip(FIELDS, values, strict=True))
    fields["state"] = State(fields["state"])
    fields["memoryless"] = bool(fields["memoryless"])
    if fields["verified"] is not None:
        fields["verified"] = bool(fields["verified"])
    return Match(**fields)


def read_match(row: Row[Any]) -> Match:
    """The match that a row of these fields, in this order, holds."""
    return msgspec.convert(dict(zip(FIELDS, row, strict=True)), Match)
