"""What an agent notes of its way while it works: model calls and tool calls, with their times."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any


class Step:
    """A call that was noted. As a context it measures how long the call took; what is known at its end is added then."""

    def __init__(self, fields: dict[str, Any], elapsed: Callable[[], float]) -> None:
        self._fields, self._elapsed = fields, elapsed

    def update(self, **fields: Any) -> None:
        """Add what is known by now, such as ``output_tokens``."""
        self._fields.update(fields)

    def __enter__(self) -> Step:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        wrong: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._fields["duration_ms"] = max(0, round(self._elapsed() - self._fields["at_ms"]))
        if kind is not None:
            self._fields["error"] = kind.__name__

    def told(self) -> dict[str, Any]:
        """The step as the arena reads it."""
        return dict(self._fields)


class ReplayTracker:
    """The log of one match. Times are milliseconds since the tracker was made, which is when the match began.

    >>> tracker = ReplayTracker(clock=iter([0.0, 0.5, 1.0, 1.25]).__next__)
    >>> _ = tracker.llm_call(model="m", input_tokens=30, output_tokens=12, duration_ms=200)
    >>> with tracker.tool_call(tool="grep"):
    ...     pass
    >>> tracker.log()[0]["at_ms"], tracker.log()[1]["duration_ms"], tracker.tokens
    (300, 250, 42)
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._begun = clock, clock()
        self._lock, self._steps = threading.Lock(), list[Step]()

    def llm_call(
        self, *, model: str, input_tokens: int = 0, output_tokens: int = 0, **more: Any
    ) -> Step:
        """Note a call of a model that ended just now; or, as a context, one that begins."""
        return self._note(
            {
                "type": "llm_call",
                "model": model,
                "input_tokens": input_tokens,
                "output_tokens": output_tokens,
                **more,
            }
        )

    def tool_call(self, *, tool: str, **more: Any) -> Step:
        """Note a call of a tool that ended just now; or, as a context, one that begins."""
        return self._note({"type": "tool_call", "tool": tool, **more})

    def log(self) -> list[dict[str, Any]]:
        """The steps in the order in which they began."""
        with self._lock:
            return sorted((step.told() for step in self._steps), key=lambda step: step["at_ms"])

    @property
    def tokens(self) -> int:
        """The tokens of all steps together."""
        counts = ("input_tokens", "output_tokens")
        return sum(int(step.get(name, 0)) for step in self.log() for name in counts)

    def _elapsed(self) -> float:
        return (self._clock() - self._begun) * 1000

    def _note(self, fields: dict[str, Any]) -> Step:
        with self._lock:
            begun = max(0, round(self._elapsed() - fields.get("duration_ms", 0)))
            step = Step({"at_ms": begun, **fields}, self._elapsed)
            self._steps.append(step)
        return step
