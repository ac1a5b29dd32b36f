"""``run.json``: which run this is, what shapes it, where and when it was at work."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError
from steelyard.runs.changes import Change, changes
from steelyard.runs.files import refuse_newer, refuse_repeated, write_json
from steelyard.runs.journal import JournalEnd
from steelyard.version import __version__

NAME = "run.json"
FORMAT = 1


class RunFile(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The content of ``run.json``. ``sessions`` tells each time that somebody went on with the run.

    ``journal`` is the last line of the journal when the program last stopped in order, and ``judge_digest`` the SHA-256
    that ``judge.jsonl`` had then.
    """

    format: int = FORMAT
    benchmark: str
    reference: str
    model: str
    signature: str
    shapes: dict[str, Any]
    problems: int
    repeats: int
    limit: int | None = None
    options: dict[str, Any] = {}
    judge: str = ""
    status: str = "running"
    stopped: str = ""
    journal: JournalEnd | None = None
    judge_digest: str = ""
    changes: list[str] = []
    derived_from: dict[str, Any] = {}
    sessions: list[dict[str, Any]] = []
    environment: dict[str, Any] = {}

    def write(self, folder: Path) -> None:
        """Put it into the run's folder."""
        write_json(folder / NAME, self)

    @classmethod
    def read(cls, folder: Path) -> RunFile:
        """The run in that folder; a DataError where there is none that this version can read."""
        path = folder / NAME
        try:
            data = path.read_bytes()
            refuse_newer(data, FORMAT, path)
            found = msgspec.json.decode(data, type=cls)
        except FileNotFoundError:
            raise DataError("there is no run here: it has no run.json", file=str(folder)) from None
        except OSError as failed:
            raise DataError(
                f"cannot be read: {failed.strerror or failed}", file=str(path)
            ) from None
        except (ValueError, RecursionError) as wrong:
            raise DataError(f"is no run.json that can be read: {wrong}", file=str(path)) from None
        refuse_repeated(data, path)
        return found

    def begin_session(self, **known: Any) -> None:
        """Note that somebody is at work now."""
        self.sessions.append({"begun": stamp(), **known})
        self.status, self.stopped = "running", ""

    def end_session(self, status: str, stopped: str, **known: Any) -> None:
        """Note how that ended."""
        self.status, self.stopped = status, stopped
        self.sessions[-1] |= {"ended": stamp(), "status": status, **known}


def is_run(folder: Path) -> bool:
    """Whether there is a run in the folder."""
    return (folder / NAME).exists()


def went_on(before: RunFile, shapes: Mapping[str, Any]) -> list[Change]:
    """What shapes samples and is not as it was when the run was begun.

    A judge where there was none changes no sample: what waited for one is judged.
    """
    kept = {"judge": shapes["judge"]} if "judge" in shapes and "judge" not in before.shapes else {}
    return changes({**before.shapes, **kept}, shapes)


def stamp() -> str:
    """The time, in the one form that sorts."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def environment() -> dict[str, Any]:
    """Where a run is at work; no name of a person or a machine."""
    return {
        "steelyard": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
    }
