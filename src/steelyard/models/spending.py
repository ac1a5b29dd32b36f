"""What may be spent on asking, and what has been."""

from __future__ import annotations

from collections import Counter
from math import isfinite

import msgspec

from steelyard.errors import DataError
from steelyard.models.types import Reply, Request

CHARACTERS_A_TOKEN = 4
MILLION = 1_000_000


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How a model may be asked: how many calls at once, how often again, how long, and for how much.

    ``deadline`` is for one sample with all its tries; ``max_seconds`` and the other budgets are for all of them.
    ``input_price`` and ``output_price`` are for a million tokens. ``patience`` is how long an endpoint that has
    answered may be out of reach.

    >>> Pace(max_cost=1.0)
    Traceback (most recent call last):
    steelyard.errors.DataError: a limit on cost needs the prices of input and of output tokens
    """

    concurrency: int = 16
    tries: int = 5
    deadline: float = 600.0
    retry_share: float = 0.2
    free_retries: int = 10
    backoff: float = 0.5
    longest_backoff: float = 30.0
    breaker: int = 10
    patience: float = 60.0
    max_tokens: int | None = None
    max_cost: float | None = None
    max_seconds: float | None = None
    input_price: float | None = None
    output_price: float | None = None

    def __post_init__(self) -> None:
        for name in ("concurrency", "tries", "breaker"):
            if getattr(self, name) < 1:
                raise DataError(f"{name} is {getattr(self, name)}; at least 1 is needed")
        for name in _AMOUNTS:
            value = getattr(self, name)
            if value is not None and not (isfinite(value) and value >= 0):
                raise DataError(f"{name} is {value}; a number from 0 is needed")
        if self.max_cost is not None and (self.input_price is None or self.output_price is None):
            raise DataError("a limit on cost needs the prices of input and of output tokens")

    @property
    def limited(self) -> bool:
        """Whether there is any budget."""
        return (
            self.max_tokens is not None or self.max_cost is not None or self.max_seconds is not None
        )


_AMOUNTS = (
    "deadline",
    "retry_share",
    "free_retries",
    "backoff",
    "longest_backoff",
    "patience",
    "max_tokens",
    "max_cost",
    "max_seconds",
    "input_price",
    "output_price",
)


class Spent(msgspec.Struct, kw_only=True):
    """What asking has cost so far. ``estimated`` counts replies whose tokens the endpoint did not tell."""

    calls: int = 0
    retries: int = 0
    replies: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: int = 0
    failures: Counter[str] = msgspec.field(default_factory=Counter)

    @property
    def tokens(self) -> int:
        """Those that went in and those that came out."""
        return self.input_tokens + self.output_tokens

    def cost(self, pace: Pace) -> float | None:
        """In the unit of the prices; None where there are none.

        >>> Spent(input_tokens=2_000_000, output_tokens=500_000).cost(Pace(input_price=1.0, output_price=4.0))
        4.0
        """
        if pace.input_price is None and pace.output_price is None:
            return None
        paid = self.input_tokens * (pace.input_price or 0) + self.output_tokens * (
            pace.output_price or 0
        )
        return paid / MILLION

    def note(self, request: Request, reply: Reply) -> None:
        """Count a reply; a budget holds also where the endpoint does not tell its tokens."""
        self.replies += 1
        if reply.input_tokens is None or reply.output_tokens is None:
            self.estimated += 1
        sent, back = reply.input_tokens, reply.output_tokens
        self.input_tokens += (
            sent if sent is not None else _guessed(sum(len(m.content) for m in request.messages))
        )
        self.output_tokens += (
            back if back is not None else _guessed(len(reply.text) + len(reply.reasoning))
        )

    def may_retry(self, pace: Pace, promised: int = 0) -> bool:
        """Whether one more retry leaves them a small share of all calls; a few are free, since every run begins small.

        Those that are ``promised`` and have not begun count too.

        >>> Spent(calls=100, retries=19).may_retry(Pace()), Spent(calls=100, retries=20).may_retry(Pace())
        (True, False)
        """
        return self.retries + promised < max(pace.free_retries, int(self.calls * pace.retry_share))

    def exhausted(self, pace: Pace, seconds: float) -> str:
        """Which budget is used up, in words; empty while none is."""
        if not pace.limited:
            return ""
        cost = self.cost(pace)
        if pace.max_tokens is not None and self.tokens >= pace.max_tokens:
            return f"the budget of {pace.max_tokens:,} tokens is used up ({self.tokens:,} spent)"
        if pace.max_cost is not None and cost is not None and cost >= pace.max_cost:
            return f"the budget of {pace.max_cost:g} is used up ({cost:.4g} spent)"
        if pace.max_seconds is not None and seconds >= pace.max_seconds:
            return f"the time of {pace.max_seconds:g} seconds is over"
        return ""


def _guessed(characters: int) -> int:
    return -(-characters // CHARACTERS_A_TOKEN)
