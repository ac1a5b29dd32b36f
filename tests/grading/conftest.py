"""One sandbox for all tests of grading: opened, and so tested by itself, once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from steelyard.sandbox.opening import open_sandbox
from steelyard.sandbox.protocol import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """The default sandbox, as a user gets it."""
    found = open_sandbox()
    yield found
    found.close()
