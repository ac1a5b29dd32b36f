"""Where programs are run for a submission: one sandbox, and every run only once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

from steelyard.sandbox.protocol import Sandbox
from steelyard.scoring.program import Program
from steelyard.scoring.suite import Suite
from steelyard.scoring.suite_run import SuiteRun, run_suite

T = TypeVar("T")
_KEPT = 64


class Desk:
    """A sandbox with the results of the last runs, so that several dimensions can read one of them."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self._done: OrderedDict[Hashable, object] = OrderedDict()

    def tested(self, suite: Suite, program: Program) -> SuiteRun:
        """What the program comes to in the suite."""
        return self.once(
            ("suite", suite.key, program), lambda: run_suite(suite, program, self.sandbox)
        )

    def once(self, key: Hashable, run: Callable[[], T]) -> T:
        """What the run gives, or gave when it was last asked for under this key."""
        if key not in self._done:
            self._done[key] = run()
            while len(self._done) > _KEPT:
                self._done.popitem(last=False)
        return self._done[key]  # type: ignore[return-value]
