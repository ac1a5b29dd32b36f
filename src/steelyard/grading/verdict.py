"""The verdicts on a program, their order, and how each follows from what was seen from outside.

Nothing that the program says of itself can make the verdict better: its words only choose among failures.
"""

from __future__ import annotations

import errno
import signal
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast, get_args

import msgspec

from steelyard.sandbox.job import Outcome

Verdict = Literal[
    "accepted",
    "wrong_answer",
    "runtime_error",
    "no_result",
    "output_limit",
    "disk_limit",
    "process_limit",
    "memory_limit",
    "time_limit",
    "security_violation",
    "sandbox_error",
]
# From the mildest to the gravest: a program's verdict is the gravest of its tests'.
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_GRAVITY = {verdict: place for place, verdict in enumerate(VERDICTS)}

_DISK = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
_BY_NAME: dict[str, Verdict] = {
    "MemoryError": "memory_limit",
    "TooLarge": "output_limit",
    "NotPlain": "wrong_answer",
    "SystemExit": "no_result",
    "KeyboardInterrupt": "no_result",
    "GeneratorExit": "no_result",
}
_THREAD = "can't start new thread"
_LIMIT_SIGNALS: dict[int, Verdict] = {signal.SIGXCPU: "time_limit", signal.SIGXFSZ: "disk_limit"}
# How much of the end of standard error is searched for the words of a limit.
_LAST_WORDS = 4096


def gravest(verdicts: Iterable[Verdict]) -> Verdict:
    """The gravest of them; ``accepted`` only if all are.

    >>> gravest(["accepted", "time_limit", "wrong_answer"])
    'time_limit'
    """
    return max(verdicts, key=_GRAVITY.__getitem__, default="no_result")


def broken_limit(outcome: Outcome) -> Verdict | None:
    """The verdict of a run that broke a limit or was stopped by the system-call filter, else None.

    >>> broken_limit(Outcome(limit="time"))
    'time_limit'
    """
    if outcome.violation or outcome.signal == signal.SIGSYS:
        return "security_violation"
    if outcome.limit is not None:
        return cast(Verdict, f"{outcome.limit}_limit")
    return _LIMIT_SIGNALS.get(outcome.signal or 0)


def of_program(outcome: Outcome) -> Verdict | None:
    """The verdict of a command that has ended badly, or None where its output is worth looking at.

    >>> of_program(Outcome(exit_code=1)), of_program(Outcome(exit_code=0))
    ('runtime_error', None)
    """
    if (found := broken_limit(outcome)) is not None:
        return found
    if outcome.exit_code == 0 and outcome.signal is None:
        return None
    return _last_words(outcome.stderr) or "runtime_error"


def of_silence(outcome: Outcome) -> Verdict:
    """The verdict of a worker's program that ended before it gave a result: an exit is never one.

    >>> of_silence(Outcome(exit_code=0)), of_silence(Outcome(signal=11))
    ('no_result', 'runtime_error')
    """
    if (found := broken_limit(outcome)) is not None:
        return found
    if outcome.garbled:
        return "no_result"
    if outcome.signal is not None or outcome.exit_code:
        return _last_words(outcome.stderr) or (
            "runtime_error" if outcome.signal is not None else "no_result"
        )
    return "no_result"


def of_failure(failed: Mapping[str, Any]) -> Verdict:
    """The verdict on an exception that a worker reports, by its type and error number.

    >>> of_failure({"type": "OSError", "errno": 28}), of_failure({"type": "KeyError"})
    ('disk_limit', 'runtime_error')
    """
    name, number = failed.get("type"), failed.get("errno")
    if isinstance(number, int) and number in _DISK:
        return "disk_limit"
    text = failed.get("text")
    if number == errno.EAGAIN or (
        name == "RuntimeError" and isinstance(text, str) and _THREAD in text
    ):
        return "process_limit"
    if number == errno.ENOMEM:
        return "memory_limit"
    return _BY_NAME.get(name, "runtime_error") if isinstance(name, str) else "runtime_error"


def _last_words(stderr: bytes) -> Verdict | None:
    """What a program that failed says of a limit as it ends."""
    end = stderr[-_LAST_WORDS:].rstrip().rpartition(b"\n")[2].decode("utf-8", "replace")
    for verdict, phrases in _phrases().items():
        if any(phrase in end for phrase in phrases):
            return verdict
    return None


@cache
def _phrases() -> dict[Verdict, list[str]]:
    data = files("steelyard").joinpath("data", "last_words.json").read_bytes()
    return msgspec.json.decode(data, type=dict[Verdict, list[str]])
