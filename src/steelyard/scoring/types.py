"""The input of all scorers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from steelyard.errors import DataError


@dataclass(frozen=True, init=False)
class ScorerInput:
    """A response, the target it is compared with, and what else is known of the sample.

    A missing response is an empty one; a number or a truth value as the target is its JSON text.

    >>> ScorerInput(response="  Paris.  ", target="paris").metadata
    {}
    """

    response: str
    target: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)

    # The generated one sets each field through object.__setattr__, which takes twice as long.
    def __init__(
        self, response: str, target: str = "", metadata: dict[str, Any] | None = None
    ) -> None:
        if type(response) is not str or type(target) is not str:
            response, target = _as_texts(response, target)
        if metadata is None:
            metadata = {}
        elif type(metadata) is not dict and not isinstance(metadata, Mapping):
            raise DataError(f"the metadata are {type(metadata).__name__}; an object is needed")
        fields = self.__dict__
        fields["response"] = response
        fields["target"] = target
        fields["metadata"] = metadata


def _as_texts(response: Any, target: Any) -> tuple[str, str]:
    if response is None:
        response = ""
    elif not isinstance(response, str):
        raise DataError(f"the response is {type(response).__name__}; a string is needed")
    if not isinstance(target, str):
        target = "" if target is None else msgspec.json.encode(target).decode()
    return response, target
