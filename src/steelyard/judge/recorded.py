"""A judge out of a file: replies by the id of what was judged, or the calls that a run stored."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, ModelError
from steelyard.judge.store import JudgeStore
from steelyard.models.recorded import RecordedModel
from steelyard.models.types import Model, Reply, Request


class StoredModel:
    """Stands for the judge whose calls are stored: it has its identity, and says nothing new."""

    def __init__(self, identity: Mapping[str, Any]) -> None:
        self._identity = dict(identity)

    @property
    def identity(self) -> Mapping[str, Any]:
        """That of the judge whose calls were stored."""
        return self._identity

    async def ask(self, request: Request) -> Reply:
        """There is nobody to ask."""
        raise ModelError("only stored replies are there", kind="missing")

    async def close(self) -> None:
        """There is nothing to give back."""


def open_recorded(path: Path, name: str | None = None) -> tuple[Model, JudgeStore]:
    """The judge of a file, with the store that its replies are looked up in.

    A file of stored calls may hold those of several judges: then ``name`` says which one is meant.
    """
    if not _has_calls(path):
        return RecordedModel(path), JudgeStore(None)
    store = JudgeStore(path, offline=True)
    judges = {
        msgspec.json.encode(call.judge, order="deterministic"): call.judge for call in store.calls()
    }
    meant = [judge for judge in judges.values() if name is None or judge.get("name") == name]
    if len(meant) != 1:
        there = ", ".join(sorted(repr(judge.get("name")) for judge in judges.values()))
        store.close()
        raise DataError(
            f"one judge is needed, and the stored calls are of {there}; choose with --judge-id",
            file=str(path),
        )
    return StoredModel(meant[0]), store


def _has_calls(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            first = msgspec.json.decode(file.readline() or b"null")
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror or failed}", file=str(path)) from None
    except msgspec.DecodeError:
        return False  # what is wrong with it, the reader of recorded replies says
    return isinstance(first, dict) and {"key", "judge", "messages", "reply"} <= first.keys()
