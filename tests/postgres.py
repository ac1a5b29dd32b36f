"""A PostgreSQL of the tests' own: one server for a process, one database for a test."""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).parent.parent / "scripts"
_NUMBERS = itertools.count(1)


def missing() -> str:
    """Why there can be no server here; nothing where there can."""
    return "" if Path("/usr/lib/postgresql").exists() else "there is no PostgreSQL server"


@functools.cache
def server() -> str:
    """The address of a server that ends with this process."""
    folder = tempfile.mkdtemp(prefix="steelyard-postgres-")
    os.chmod(folder, 0o755)
    atexit.register(_stop, folder, os.getpid())
    done = subprocess.run(
        ["sh", SCRIPTS / "start_postgres.sh", f"{folder}/cluster"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def fresh_database() -> str:
    """The address of a new, empty database."""
    import psycopg

    name = f"test_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server().rsplit("/", 1)[0] + f"/{name}"


def _stop(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # a forked child must not end its parent's server
        subprocess.run(
            ["sh", SCRIPTS / "stop_postgres.sh", f"{folder}/cluster"], timeout=60, check=False
        )
        shutil.rmtree(folder, ignore_errors=True)
