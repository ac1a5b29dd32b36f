"""Statements that are put into a database's words once, and from then on only run.

Where a statement touches a row or two, putting it together takes several times as long as running it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect
from sqlalchemy.sql import ClauseElement

_NUMBERED = "numbered"


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

    def numbered(self, dialect: Dialect, values: dict[str, Any]) -> tuple[str, list[bytes | None]]:
        """The statement with numbers in place of its values, and these in their order, as a server of databases takes them."""
        found = self._words.get(_NUMBERED) or self._put_numbered(dialect)
        given = {**found.fixed, **values}
        return found.text, [_sent(given.get(name)) for name in found.order or ()]

    def _put_numbered(self, dialect: Dialect) -> _Words:
        kind: Any = type(dialect)
        self._words[_NUMBERED] = words = self._compiled(kind(paramstyle="numeric_dollar"))
        return words

    def _put(self, connection: Connection) -> _Words:
        self._words[connection.dialect.name] = words = self._compiled(connection.dialect)
        return words

    def _compiled(self, dialect: Dialect) -> _Words:
        made: Any = self._statement.compile(dialect=dialect)
        fixed = {name: bind.value for bind, name in made.bind_names.items() if not bind.required}
        return _Words(made.string, tuple(made.positiontup) if made.positional else None, fixed)


def _sent(value: Any) -> bytes | None:
    return value if value is None or isinstance(value, bytes) else str(value).encode()
