"""Statements that are put into a database's words once, and from then on only run.

Where a statement touches a row or two, putting it together takes several times as long as running it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.sql import ClauseElement


class _Words(NamedTuple):
    text: str
    order: tuple[str, ...] | None  # of the values, where the database takes them by place
    fixed: dict[str, Any]


class Prepared:
    """A statement whose open values are its `bindparam`s. Values go to the driver as they are, and so come rows back."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._words: dict[str, _Words] = {}

    def run(self, connection: Connection, **values: Any) -> Any:
        """Run it on the driver's own connection, in the transaction that goes on there; the driver's cursor."""
        text, order, fixed = self._words.get(connection.dialect.name) or self._put(connection)
        given = {**fixed, **values}
        driver: Any = connection.connection.driver_connection
        return driver.execute(text, given if order is None else [given[name] for name in order])

    def _put(self, connection: Connection) -> _Words:
        made: Any = self._statement.compile(dialect=connection.dialect)
        fixed = {name: bind.value for bind, name in made.bind_names.items() if not bind.required}
        order = tuple(made.positiontup) if made.positional else None
        self._words[connection.dialect.name] = words = _Words(made.string, order, fixed)
        return words
