"""Classes of tests, run one test at a time so that whatever goes wrong is raised as it is.

The library's own runner keeps some exceptions to itself: one that says to skip or to stop looks like a pass there.
"""

from __future__ import annotations

import unittest
from collections.abc import Callable
from typing import Any

from .attempt import attempt


def cases_of(found: list[Any]) -> list[Any]:
    """The classes of tests among the test's own names."""
    return [
        kind
        for kind in found
        if isinstance(kind, type)
        and issubclass(kind, unittest.TestCase)
        and kind.__module__ == "__main__"
    ]


def run_case(case: type[unittest.TestCase], before: Callable[[], Any] = lambda: None) -> None:
    """Runs a class of tests, each after what has to be done before it; the first failure is raised."""
    names = unittest.TestLoader().getTestCaseNames(case)
    if _marked(case, "__unittest_skip__"):
        return
    case.setUpClass()
    for name in names:
        before()
        if not _marked(getattr(case, name), "__unittest_skip__"):
            _run_test(case, name)
    case.tearDownClass()
    case.doClassCleanups()


def _run_test(case: type[unittest.TestCase], name: str) -> None:
    if not _marked(case, "__unittest_expecting_failure__") and not _marked(
        getattr(case, name), "__unittest_expecting_failure__"
    ):
        case(name).debug()
        return
    _, failed = attempt(case(name).debug)
    if failed is None:
        raise AssertionError("a test that is expected to fail did not")


def _marked(value: Any, mark: str) -> bool:
    return bool(getattr(value, mark, False))
