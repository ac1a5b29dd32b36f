"""Runs inside a box, as a program: calls a script under another clock, and writes down what it gives."""

from __future__ import annotations

import datetime
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def moved(real: Callable[[], Any], shift: float, pace: float) -> Callable[[], Any]:
    """A clock that is off by so many of its units, and runs faster."""
    began = real()
    return lambda: type(began)(began + shift + (real() - began) * pace)


def set_clock(shift_s: float, pace: float) -> None:
    """Every clock that a script is likely to ask tells another time from now on."""
    seconds = moved(time.time, shift_s, pace)
    for name in ("time", "monotonic", "perf_counter", "process_time"):
        setattr(time, name, moved(getattr(time, name), shift_s, pace))
        setattr(time, name + "_ns", moved(getattr(time, name + "_ns"), shift_s * 10**9, pace))
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, _with_default(getattr(time, name), seconds))
    stamp, broken_down = time.strftime, time.localtime
    asked: Any = time.asctime
    time.strftime = lambda form, when=None: stamp(form, when or broken_down())
    time.asctime = lambda when=None: asked(when or broken_down())
    _set_calendar(seconds)


def _with_default(real: Callable[..., Any], seconds: Callable[[], float]) -> Callable[..., Any]:
    return lambda when=None: real(seconds() if when is None else when)


def _set_calendar(seconds: Callable[[], float]) -> None:
    class Moment(datetime.datetime):
        """A moment of the other clock."""

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls.fromtimestamp(seconds(), tz)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.fromtimestamp(seconds(), datetime.timezone.utc).replace(tzinfo=None)  # noqa: UP017 - older versions

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    class Day(datetime.date):
        """A day of the other clock."""

        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(seconds())

    datetime.datetime, datetime.date = Moment, Day  # type: ignore[misc]


def main() -> None:
    """The script's answer, as JSON, in the file that the settings name."""
    settings = json.loads(Path("settings.json").read_bytes())
    set_clock(**settings["clock"])
    source = Path("script.py").read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "solution", "__file__": "script.py"}
    exec(compile(source, "script.py", "exec", dont_inherit=True), names)
    found = names[settings["entry"]](*settings["args"])
    Path(settings["result"]).write_text(json.dumps(found, default=float), encoding="utf-8")


if __name__ == "__main__":
    main()
