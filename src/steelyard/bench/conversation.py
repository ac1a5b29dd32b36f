"""Prompts that stand in the data as they are sent: one text, or a conversation of several messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from steelyard.errors import DataError
from steelyard.models.types import Message, Role
from steelyard.registry import nearest

_ROLES: tuple[Role, ...] = get_args(Role)
_SAME = {"developer": "system", "human": "user", "model": "assistant"}


class Conversation(msgspec.Struct, frozen=True):
    """The column that holds what is said to the model: a text, or a list of ``{"role", "content"}``.

    ``may_be_empty`` is true where an empty prompt is asked as it stands in the data.

    >>> Conversation("input").messages({"input": [{"role": "user", "content": "Hi"}]})
    (Message(role='user', content='Hi'),)
    """

    column: str
    may_be_empty: bool = False

    @property
    def source(self) -> str:
        """What a signature says of it."""
        return f"<the messages in the column {self.column}>"

    def messages(self, columns: Mapping[str, Any]) -> tuple[Message, ...]:
        """The messages of a row; a DataError where they cannot be read as some."""
        if self.column not in columns:
            raise DataError(f"the row has no column {self.column!r}{nearest(self.column, columns)}")
        given = columns[self.column]
        if isinstance(given, str):
            return (Message("user", given),)
        if given == [] and self.may_be_empty:
            return (Message("user", ""),)
        if not isinstance(given, list) or not given:
            raise DataError(f"{self.column}: a text or a list of messages is needed")
        return tuple(
            _message(message, f"{self.column}[{place}]") for place, message in enumerate(given)
        )


def _message(given: Any, where: str) -> Message:
    if not isinstance(given, Mapping) or not isinstance(given.get("content"), str):
        raise DataError(f"{where}: a message is an object with 'role' and 'content', both text")
    role = _SAME.get(str(given.get("role")), given.get("role"))
    for known in _ROLES:
        if role == known:
            return Message(known, given["content"])
    raise DataError(f"{where}: the role is {given.get('role')!r}; it is one of {', '.join(_ROLES)}")
