"""What the API's document says of every operation: the errors, each in the same shape, and the key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import SecurityRequirement
from litestar.params import PathParameter, QueryParameter

from steelyard.web.api.shapes import ONE_LINE
from steelyard.web.envelope import Wrong

KEYED: Final[Sequence[SecurityRequirement]] = [{"key": []}]
_MEANING: Final = {
    400: "What came is no JSON, or can be read in two ways",
    401: "There is no key, or it is not known",
    403: "The match belongs to another agent",
    404: "There is no such thing",
    408: "The body did not come in time",
    409: "Something else stands in the way: a name that is taken, a match that is active, another submission",
    410: "The match is over",
    413: "The body is too large",
    422: "What came is JSON, but not what is taken here",
    429: "Too many requests; Retry-After says how many seconds to wait",
    500: "A bug of the server",
    503: "The store or the sandbox cannot be had now; nothing was lost",
}
_ALWAYS = (400, 429, 500, 503)

Limit = Annotated[int, QueryParameter(ge=1, le=200, description="How many to tell at most")]
Offset = Annotated[
    int, QueryParameter(ge=0, le=1_000_000, description="How many to leave out at first")
]

Category = Annotated[
    str | None,
    QueryParameter(max_length=100, pattern=ONE_LINE, description="Only matches of this category"),
]

MatchId = Annotated[str, PathParameter(description="The match, as entering told it")]
AgentId = Annotated[str, PathParameter(description="The agent's id or name")]
SlugInPath = Annotated[str, PathParameter(description="The challenge's name in addresses")]


def wrongs(*statuses: int) -> dict[int, ResponseSpec]:
    """The errors that an operation can end with, and those that every one can."""
    return {
        status: ResponseSpec(
            data_container=Wrong, description=_MEANING[status], generate_examples=False
        )
        for status in sorted({*statuses, *_ALWAYS})
    }
