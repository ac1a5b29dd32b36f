"""Signs of life of a long-running match, sent beside the work."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType

from steelyard.errors import EngineError, RuleError

_SHARE = 0.5  # of the interval: one that is lost on the way costs nothing


class Heartbeats:
    """Calls ``beat`` twice an interval while the context lasts, until the arena says that the match is over."""

    def __init__(self, beat: Callable[[], object], every: float) -> None:
        self._beat, self._pause = beat, every * _SHARE
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeats", daemon=True)

    def __enter__(self) -> Heartbeats:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        wrong: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._done.wait(self._pause):
            try:
                self._beat()
            except EngineError:
                continue  # the next one may come through
            except RuleError:
                return  # over, or not ours: whoever submits will be told
