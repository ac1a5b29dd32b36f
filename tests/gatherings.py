"""What the tests of gathered statements stand on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text

import postgres
from steelyard.store.database import Database, open_database
from steelyard.store.gathering import Steps
from steelyard.store.prepared import Prepared


@pytest.fixture
def server() -> Iterator[Database]:
    """Only a server of databases gathers."""
    if why := postgres.missing():
        pytest.skip(why)
    opened = open_database(postgres.fresh_database())
    yield opened
    opened.close()


TWICE = Prepared(
    text(
        "SELECT place, 2 * x FROM unnest(CAST(:asked AS int[])) WITH ORDINALITY AS t(x, place) ORDER BY place"
    )
)


def doubled(asked: list[int]) -> Steps[int]:
    """Twice each of them, by the server."""
    found = yield TWICE, {"asked": "{" + ",".join(map(str, asked)) + "}"}
    return [value for _, value in found]


def said(statement: str) -> tuple[Prepared, dict[str, Any]]:
    """A statement without values."""
    return Prepared(text(statement)), {}


def is_open(number: int) -> bool:
    """Whether some file or socket has that number."""
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
