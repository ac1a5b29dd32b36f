"""What the tests of runs share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.support import BENCH, PLAN, Bench
from steelyard.models.mock import serving


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes minutes; only `make test-all` runs it")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A benchmark of the user's in a file, and an endpoint that answers it; every fifth question is for a judge."""
    file = tmp_path / "my_bench.py"
    file.write_text(BENCH, encoding="utf-8")
    with serving(PLAN) as server:
        yield Bench(file, server)
