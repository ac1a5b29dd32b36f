"""A program's time: from the moment at which it was let go, whatever it took to get it there and to hear of it."""

from __future__ import annotations

import time

_EARLIER = 1.0  # seconds by which the job may have been sent before this clock was made
_READY = 30.0  # seconds for a box to let its program go; more than that is our failure


class Clock:
    """On the grader's clock; the box only tells when, and is believed as far as that can be.

    Most boxes are on the same machine, and its clock is ours. What cannot be a moment between the sending of the job and now
    comes from another clock: then the program has begun when we hear of it.

    >>> clock = Clock(2.0)
    >>> clock.begin(clock.started)
    >>> clock.deadline - clock.started
    2.0
    """

    def __init__(self, wall_s: float) -> None:
        self._wall_s, self._ahead = wall_s, 0.0
        self.began = False
        self.started = self._asked = time.monotonic()

    def asked(self) -> None:
        """The box was given something: only now can it be late in letting its program go."""
        self._asked = time.monotonic()

    def begin(self, told: float) -> None:
        """The program was let go at that moment of the box's clock."""
        now = time.monotonic()
        self._ahead = 0.0 if self.started - _EARLIER <= told <= now else now - told
        self.started, self.began = told + self._ahead, True

    @property
    def deadline(self) -> float:
        """When the program must have ended, or must at least have begun."""
        return self.started + self._wall_s if self.began else self._asked + _READY

    def in_time(self, told: object, *, by: float = 0.0) -> bool:
        """Whether that moment of the box's clock, if it is one, lies before the deadline by so many seconds."""
        return self.began and isinstance(told, float) and told + self._ahead <= self.deadline - by
