"""A function of the user's as a model, for whoever has a client of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from steelyard.errors import ModelError
from steelyard.models.types import Model, Reply, Request

Function = Callable[[list[dict[str, str]]], str]


class CalledModel:
    """Calls the function with chat messages; its name is all that can be told of it."""

    def __init__(self, function: Function) -> None:
        self._function = function

    @property
    def identity(self) -> Mapping[str, Any]:
        """That it is a function, and which."""
        return {
            "kind": "function",
            "name": getattr(self._function, "__qualname__", type(self._function).__name__),
        }

    async def ask(self, request: Request) -> Reply:
        """What the function returns; anything but a text is a ModelError."""
        messages = [
            {"role": message.role, "content": message.content} for message in request.messages
        ]
        try:
            text = self._function(messages)
        except (
            OSError
        ) as failed:  # connections and time-outs; a bug of the function is its author's to see
            raise ModelError(str(failed) or type(failed).__name__, kind="connection") from failed
        if not isinstance(text, str):
            raise ModelError(
                f"the judge returned {type(text).__name__}; a text is needed", kind="malformed"
            )
        return Reply(text=text)

    async def close(self) -> None:
        """There is nothing to give back."""


def as_model(judge: Model | Function) -> Model:
    """The judge itself, or the function behind the door of a model."""
    return CalledModel(judge) if callable(judge) and not hasattr(judge, "identity") else judge  # type: ignore[return-value]
