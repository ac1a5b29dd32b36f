"""Which user a container runs as: one of its own for each, whoever runs the grader."""

from __future__ import annotations

import os
import random
import threading
from typing import Protocol

from steelyard.errors import SandboxError
from steelyard.sandbox import uids


class Lent(Protocol):
    """A user's number that nobody else has until it is released."""

    uid: int
    gid: int

    def release(self) -> None:
        """Somebody else may have it."""
        ...


class Numbers:
    """Numbers of users that exist nowhere, below 65536 since a daemon may map no others.

    >>> numbers = Numbers(range(7, 8))
    >>> seven = numbers.lend()
    >>> seven.release()
    >>> numbers.lend().uid
    7
    """

    def __init__(self, among: range = range(20_000, 60_000)) -> None:
        self._among, self._taken = among, set[int]()
        self._lock = threading.Lock()

    def lend(self) -> Number:
        """One that is free here; it begins anywhere, so that two graders seldom choose the same."""
        with self._lock:
            start = random.randrange(len(self._among))
            for step in range(len(self._among)):
                uid = self._among[(start + step) % len(self._among)]
                if uid not in self._taken:
                    self._taken.add(uid)
                    return Number(self, uid)
        raise SandboxError("there are no more user numbers for containers; run fewer at a time")

    def give_back(self, uid: int) -> None:
        """The number is free again."""
        with self._lock:
            self._taken.discard(uid)


class Number:
    """One number that is lent."""

    def __init__(self, numbers: Numbers, uid: int) -> None:
        self._numbers, self.uid, self.gid = numbers, uid, uid

    def release(self) -> None:
        """Somebody else may have it."""
        self._numbers.give_back(self.uid)


_numbers = Numbers()


def lend() -> Lent:
    """A user for one container: root shares the numbers of all graders on the machine, others choose their own."""
    return uids.lease() if os.geteuid() == 0 else _numbers.lend()
