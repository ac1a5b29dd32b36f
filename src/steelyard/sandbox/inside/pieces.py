"""Long messages between two sides that take turns: sent in pieces, each of which the other side answers.

So no single message is longer than a box lets through, and whoever passes them on need not know of it. A piece is an
ask of its own: {"ask": "piece", "text": part}, and the last one is {"ask": "last", "text": part}.
"""

from __future__ import annotations

from typing import Any

from . import values

# How much more than a single message two sides may exchange at once: lists of a million numbers.
TIMES = 5
_LENGTH = 1024 * 1024
_LONGEST = TIMES * values.BYTES
_MORE = {"answer": None}


class Pieces:
    """One side's end of the channel."""

    def __init__(self, channel: Any) -> None:
        self._channel = channel
        self._parts: list[str] = []

    def send(self, message: dict[str, Any]) -> None:
        """Sends the message, however long it may take."""
        text = values.dumps(message)
        while len(text) > _LENGTH:
            part, text = text[:_LENGTH], text[_LENGTH:]
            self._channel.send(values.dumps({"ask": "piece", "text": part.decode("ascii")}))
            if self._channel.receive() is None:
                return  # the next who listens will hear of it
            if len(text) <= _LENGTH:
                self._channel.send(values.dumps({"ask": "last", "text": text.decode("ascii")}))
                return
        self._channel.send(text)

    def receive(self) -> dict[str, Any] | None:
        """The next whole message; None when the grader has gone."""
        while True:
            data = self._channel.receive()
            if data is None:
                return None
            message = self.whole(values.loads(data))
            if message is not None:
                return message

    def whole(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """The message, or what its pieces make; None for a piece that is not the last, which is answered here."""
        if message.get("ask") not in {"piece", "last"}:
            return message
        self._parts.append(str(message["text"]))
        if sum(map(len, self._parts)) > _LONGEST:
            raise values.TooLarge("the message is too long")
        if message["ask"] == "piece":
            self._channel.send(values.dumps(_MORE))
            return None
        text, self._parts = "".join(self._parts), []
        return values.loads(text.encode("ascii"), TIMES)
