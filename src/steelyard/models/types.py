"""What is asked of a model, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

Role = Literal["system", "user", "assistant"]
#: A count above this is no count: a page could not show it as it is.
MOST_TOKENS = 2**53


class Message(msgspec.Struct, frozen=True):
    """One message of a conversation.

    >>> Message("user", "What is 2 + 2?").role
    'user'
    """

    role: Role
    content: str


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation to be continued, with the parameters that shape the reply (temperature, max_tokens, seed, …).

    ``id`` and ``repeat`` say which sample it is asked for. They are sent to nobody: recorded replies are found by them.
    """

    messages: tuple[Message, ...]
    parameters: Mapping[str, Any] = {}
    id: str = ""
    repeat: int = 0


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the model said, with its reasoning kept apart, and what it cost.

    ``text`` is the answer; ``reasoning`` never is. Counts are None where the server does not tell them.
    """

    text: str
    reasoning: str = ""
    finish: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float = 0.0
    served_by: str = ""


class Model(Protocol):
    """Whoever can be asked; a failure is a ModelError, and never an empty reply."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Everything that shapes its replies and can be told: kind, name, address, file hash. Never a key."""
        ...

    async def ask(self, request: Request) -> Reply:
        """The reply to one request."""
        ...

    async def close(self) -> None:
        """Gives back what it holds."""
        ...
