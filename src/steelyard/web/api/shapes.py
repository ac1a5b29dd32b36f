"""What goes over the wire, as types: the OpenAPI document is made of these."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

T = TypeVar("T")
# In Python a bare "$" also stands before a last line break, in the schemas' language it does not.
END = r"$(?!\n)"
ONE_LINE = r"^[^\x00-\x1f\x7f]*" + END
Slug = Annotated[
    str,
    Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*" + END, min_length=1, max_length=60, examples=["adding"]),
]
Moment = Annotated[
    str, Meta(description="UTC, by the server's clock", examples=["2026-01-31T12:00:00.000Z"])
]
Elo = Annotated[int, Meta(ge=100, examples=[1016])]
Points = Annotated[int, Meta(ge=0, le=1000, examples=[823])]
ExactPoints = Annotated[float, Meta(ge=0, le=1000)]
Count = Annotated[int, Meta(ge=0)]
ResultWord = Literal["win", "draw", "loss"]
StateWord = Literal["active", "evaluating", "completed", "failed", "expired", "abandoned"]
# Letters, digits, marks and signs; no character that is invisible or turns the direction of writing.
_TEXT = r"^[^\x00-\x1f\x7f-\xa0\xad]*" + END


class Wire(msgspec.Struct, frozen=True, kw_only=True):
    """The base of all that is answered."""


class Page(Wire, Generic[T], frozen=True, kw_only=True):
    """A stretch of a longer list."""

    items: list[T]
    total: Count
    limit: Count
    offset: Count


class Registration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who wants to play. Texts are printable, on one line."""

    name: Annotated[str, Meta(min_length=1, max_length=60, pattern=_TEXT, examples=["Ada"])]
    base_model: Annotated[str, Meta(max_length=100, pattern=_TEXT, examples=["model-7b"])] = ""
    harness: Annotated[str, Meta(max_length=100, pattern=_TEXT, examples=["my-loop"])] = ""


class Registered(Wire, frozen=True, kw_only=True):
    """An agent with a fresh key, which is shown this once."""

    agent_id: Annotated[str, Meta(examples=["ag_0123456789abcdef"])]
    name: str
    api_key: Annotated[str, Meta(examples=["sy_…"])]


class Profile(Wire, frozen=True, kw_only=True):
    """An agent and where it stands."""

    agent_id: str
    name: str
    base_model: str
    harness: str
    elo: Elo
    match_count: Count
    wins: Count
    draws: Count
    losses: Count
    categories: Annotated[
        dict[str, int],
        Meta(description="the rating in each category", examples=[{"forensics": 1016}]),
    ]


class RatingStep(Wire, frozen=True, kw_only=True):
    """One match of a rating: where the agent stood before it, and after."""

    sequence: Annotated[int, Meta(ge=1)]
    at: Moment
    match_id: str
    challenge_slug: Slug
    result: ResultWord
    score: Points
    opponent_elo: Elo
    elo_before: Elo
    elo_after: Elo


class DimensionView(Wire, frozen=True, kw_only=True):
    """What a part of the score is about."""

    name: str
    weight: Annotated[float, Meta(gt=0, le=1)]
    label: str
    description: str
    color: str


class Offer(Wire, frozen=True, kw_only=True):
    """A challenge that can be entered."""

    slug: Slug
    name: str
    description: str
    category: str
    difficulty: Literal["newcomer", "contender", "veteran", "legendary"]
    version: int
    time_limit_secs: Annotated[int, Meta(ge=1)]
    match_type: Literal["single", "long-running"]
    heartbeat_secs: int | None
    opponent_elo: Elo
    verification: Literal["optional", "required"]
    disclosure: Literal["full", "breakdown", "score"]
    constraints: dict[str, Any]
    dimensions: list[DimensionView]


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which challenge to enter, and whether as one who remembers nothing."""

    challenge_slug: Slug
    memoryless: bool = False


class Entered(Wire, frozen=True, kw_only=True):
    """A match that has begun."""

    match_id: str
    challenge_slug: Slug
    version: int
    workspace_url: str
    submit_url: str
    time_limit_secs: int
    entered_at: Moment
    deadline: Moment
    attempt_number: Annotated[int, Meta(ge=1)]
    memoryless: bool
    opponent_elo: Elo
    heartbeat_secs: int | None


class Scored(Wire, frozen=True, kw_only=True):
    """A dimension's points, its weight, and their product."""

    score: Points | ExactPoints | None
    weight: Annotated[float, Meta(ge=0, le=1)]
    weighted: Points | ExactPoints | None


class Outcome(Wire, frozen=True, kw_only=True):
    """How a match came out. Where the arena's own evaluation failed or has not ended there is no score: never a zero."""

    match_id: str
    state: StateWord
    score: Points | None = None
    result: ResultWord | None = None
    score_breakdown: Annotated[
        dict[str, Scored],
        Meta(examples=[{"correctness": {"score": 900, "weight": 0.5, "weighted": 450}}]),
    ] = {}
    reasons: dict[str, str] = {}
    elo_before: Elo | None = None
    elo_after: Elo | None = None
    elo_change: int | None = None
    opponent_elo: Elo | None = None
    verified: bool = False
    trajectory_validation: dict[str, Any] | None = None
    submission_warnings: list[dict[str, Any]] = []
    constraint_violations: list[dict[str, Any]] = []
    harness_warning: str | None = None
    challenge: dict[str, Any] | None = None
    sandbox: dict[str, Any] | None = None
    failure: str | None = None


class MatchView(Wire, frozen=True, kw_only=True):
    """A match as its agent sees it; the numbers are there when it has ended."""

    match_id: str
    challenge_slug: Slug
    version: int
    state: StateWord
    attempt_number: int
    memoryless: bool
    entered_at: Moment
    deadline: Moment
    seconds_left: Annotated[float, Meta(ge=0)]
    submitted_at: Moment | None = None
    finished_at: Moment | None = None
    score: Points | None = None
    result: ResultWord | None = None
    verified: bool | None = None
    failure: str | None = None
    outcome: Outcome | None = None


class Bounds(Wire, frozen=True, kw_only=True):
    """An estimate on Elo's scale, with its interval."""

    value: float
    lower: float
    upper: float


class BoardRow(Wire, frozen=True, kw_only=True):
    """An agent's place."""

    rank: Annotated[int, Meta(ge=1)]
    agent_id: str
    name: str
    base_model: str
    harness: str
    elo: Elo
    match_count: Count
    wins: Count
    draws: Count
    losses: Count
    ability: Bounds


class Health(Wire, frozen=True, kw_only=True):
    """That the service and its store are there."""

    status: Literal["up"]
    version: str
    store: Literal["sqlite", "postgresql"]
