"""The least that can take a submission: a Litestar handler that reads the body and makes one durable insert.

`ARENA_BARE` is "STYLE URL": in style `plain` each insert has a commit of its own; in style `grouped` those that wait
together share one (SQLite only: PostgreSQL does so by itself). No key, no rules, no scoring, no rating.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
import threading
import time
from typing import Any

import msgspec
from litestar import Litestar, Request, post

from steelyard.store.database import open_database

INSERT = "INSERT INTO bare (match_id, body, digest, at) VALUES ({}, {}, {}, {})"
TABLE = "CREATE TABLE IF NOT EXISTS bare (id {}, match_id TEXT, body {}, digest TEXT, at BIGINT)"
LOCAL = threading.local()


class Payload(msgspec.Struct):
    answer: Any
    metadata: dict[str, Any] = {}


def create() -> Litestar:
    """The application, on the store that the environment names."""
    style, url = os.environ["ARENA_BARE"].split(" ", 1)
    insert = {"plain": _plain, "grouped": _grouped}[style](url)

    @post("/submit/{match_id:str}", status_code=200)
    async def submit(
        request: Request[Any, Any, Any], match_id: str, data: Payload
    ) -> dict[str, Any]:
        body = await request.body()
        await insert((match_id, body, hashlib.sha256(body).hexdigest(), time.time_ns() // 1000))
        return {"ok": True, "data": {"match_id": match_id, "fields": len(data.metadata)}}

    return Litestar([submit], openapi_config=None, logging_config=None)


def _plain(url: str) -> Any:
    """Each insert by itself, in a thread with a connection of its own."""
    embedded = url.startswith("sqlite")
    one = threading.Lock()

    def connect() -> Any:
        if embedded:
            made = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=30, isolation_level=None)
            made.execute("PRAGMA journal_mode = WAL")
            made.execute("PRAGMA synchronous = FULL")
            return made
        import psycopg

        return psycopg.connect(url, autocommit=True)

    def insert(row: tuple[Any, ...]) -> None:
        if not hasattr(LOCAL, "connection"):
            LOCAL.connection = connect()
        if embedded:
            with one:
                LOCAL.connection.execute(INSERT.format(*"????"), row)
        else:
            LOCAL.connection.execute(INSERT.format(*["%s"] * 4), row)

    connect().execute(
        TABLE.format("INTEGER PRIMARY KEY", "BLOB")
        if embedded
        else TABLE.format("BIGSERIAL PRIMARY KEY", "BYTEA")
    )
    return lambda row: asyncio.to_thread(insert, row)


def _grouped(url: str) -> Any:
    """Through the one who writes for the arena."""
    database = open_database(url)
    database.write_now(lambda c: c.exec_driver_sql(TABLE.format("INTEGER PRIMARY KEY", "BLOB")))
    statement = INSERT.format(*"????")
    return lambda row: database.write(lambda c: c.exec_driver_sql(statement, row))
