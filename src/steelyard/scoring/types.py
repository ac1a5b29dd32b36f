"""The input of all scorers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from steelyard.errors import DataError


class ScorerInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """A response, the target it is compared with, and what else is known of the sample.

    >>> ScorerInput(response="  Paris.  ", target="paris").metadata
    {}
    """

    response: str
    target: str = ""
    metadata: dict[str, Any] = {}

    def __post_init__(self) -> None:
        if type(self.response) is not str or type(self.target) is not str:
            self._read_as_text()
        if type(self.metadata) is not dict:
            self._read_metadata()

    def _read_as_text(self) -> None:
        """A missing response is an empty one; a number or a truth value as the target is its JSON text."""
        if self.response is None:
            msgspec.structs.force_setattr(self, "response", "")
        elif not isinstance(self.response, str):
            raise DataError(f"the response is {type(self.response).__name__}; a string is needed")
        if not isinstance(self.target, str):
            text = "" if self.target is None else msgspec.json.encode(self.target).decode()
            msgspec.structs.force_setattr(self, "target", text)

    def _read_metadata(self) -> None:
        """Missing metadata are empty ones."""
        if self.metadata is None:
            msgspec.structs.force_setattr(self, "metadata", {})
        elif not isinstance(self.metadata, Mapping):
            raise DataError(f"the metadata are {type(self.metadata).__name__}; an object is needed")
