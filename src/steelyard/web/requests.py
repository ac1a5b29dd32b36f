"""Requests whose bodies are read strictly, as what the handler takes."""

from __future__ import annotations

from typing import Any

from litestar import Request

from steelyard.errors import RuleError
from steelyard.web.strict import read_strictly


class StrictRequest(Request[Any, Any, Any]):
    """The framework would take "true" for true, and the last of two keys."""

    async def body(self) -> bytes:
        """The bytes; where a handler takes a body there must be one."""
        found = await super().body()
        if not found and self.route_handler.parsed_data_field is not None:
            raise RuleError("a body of JSON is needed", status=400)
        return found

    async def json(self) -> Any:
        """The body as the type that the handler's `data` has."""
        field = self.route_handler.parsed_data_field
        return read_strictly(await self.body(), Any if field is None else field.annotation)
