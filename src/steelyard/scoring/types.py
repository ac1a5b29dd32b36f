"""The input of all scorers."""

from __future__ import annotations

from typing import Any

import msgspec


class ScorerInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """A response, the target it is compared with, and what else is known of the sample.

    >>> ScorerInput(response="  Paris.  ", target="paris").metadata
    {}
    """

    response: str
    target: str = ""
    metadata: dict[str, Any] = {}
