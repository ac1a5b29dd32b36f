"""Function tasks: one run in which the entry point is called for every case; only plain data comes back.

The worker and the candidate share a process, so whatever is said there counts as the candidate's word: a value is
taken as its answer and compared out here, and nothing that it says can be a verdict.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import msgspec

from steelyard.grading.equal import difference
from steelyard.grading.record import CaseResult, one_line
from steelyard.grading.task import Case, Task
from steelyard.grading.verdict import Verdict, broken_limit, of_failure, of_silence
from steelyard.grading.words import how_it_ended
from steelyard.sandbox.box import Box
from steelyard.sandbox.inside import values
from steelyard.sandbox.job import Job, Outcome
from steelyard.sandbox.protocol import Sandbox

# Whatever equals a value is at most so much longer in the channel's notation: characters may be escaped, an array
# may be a tuple, an integer a float. What is longer is not even decoded, so it cannot fill our memory.
_LONGER, _LONGER_BYTES = 32, 65_536
_MORE_MARKS, _MORE_MARKS_COUNT = 2, 1_000
_MARKS = (b"[", b"{", b",")


class Ran(NamedTuple):
    """The tests of a program, and what is known of its runs."""

    tests: tuple[CaseResult, ...]
    stdout: bytes = b""
    stderr: bytes = b""
    wall_s: float = 0.0
    peak_memory: int | None = None


class Finding(NamedTuple):
    """What one case came to; ``over`` if the program is of no more use after it."""

    verdict: Verdict
    reason: str = ""
    over: bool = False
    wall_s: float | None = None


class _Failed(msgspec.Struct):
    type: str = ""
    text: str = ""
    errno: int | None = None


class _Reply(msgspec.Struct):
    """A worker's message; what it does not have to have is left undecoded."""

    done: int | None = None
    value: msgspec.Raw = msgspec.Raw()
    failed: _Failed | None = None
    call: int | None = None
    loaded: msgspec.Raw = msgspec.Raw()


_READ = msgspec.json.Decoder(_Reply)


def run_function(task: Task, source: str, sandbox: Sandbox) -> Ran:
    """The verdict of each case; a SandboxError where the box failed us."""
    box = sandbox.start(Job(worker="function"), task.limits)
    try:
        findings = _ask_all(box, task, source)
        outcome = box.finish()
    finally:
        box.stop()
    tests = _tests(task, findings, outcome)
    return Ran(tests, outcome.stdout, outcome.stderr, outcome.wall_s, outcome.peak_memory)


def _ask_all(box: Box, task: Task, source: str) -> list[Finding | None]:
    """A finding for each case that was asked; None for the one in which the run was over."""
    box.send(
        values.dumps(
            {"load": {"source": source, "entry_point": task.entry_point, "alternatives": []}}
        )
    )
    loading = _loading(box.receive())
    if loading is None or loading.over:
        return [loading]
    findings: list[Finding | None] = []
    for number, case in enumerate(task.cases, start=1):
        asked = time.monotonic()
        box.send(_call(number, task.entry_point, case))
        reply = box.receive()
        took = round(time.monotonic() - asked, 4)
        found = _answer(reply, number, task, case)
        findings.append(found and found._replace(wall_s=took))
        if found is None or found.over:
            break
    return findings


def _call(number: int, name: str, case: Case) -> bytes:
    args = [values.encode(value) for value in case.args]
    kwargs = {name: values.encode(value) for name, value in case.kwargs.items()}
    return values.dumps({"call": number, "name": name, "args": args, "kwargs": kwargs})


def _loading(message: bytes | None) -> Finding | None:
    """What came of loading the program: a finding that is ``over`` where no case can be asked."""
    if message is None:
        return None
    reply = _read(message)
    if reply is not None and reply.loaded and reply.failed is None:
        return Finding("accepted")
    if reply is None or reply.failed is None:
        return Finding(
            "no_result", "the program gave no readable sign that it was loaded", over=True
        )
    return Finding(
        of_failure(_fields(reply.failed)),
        f"the program does not load: {_told(reply.failed)}",
        over=True,
    )


def _answer(message: bytes | None, number: int, task: Task, case: Case) -> Finding | None:
    """What a case came to, by the reply to its call."""
    if message is None:
        return None
    reply = _read(message)
    if reply is None:
        return Finding("no_result", "gave something that is no result", over=True)
    if reply.failed is not None and reply.call == number:
        return Finding(of_failure(_fields(reply.failed)), _failure_words(reply.failed))
    if not reply.value or reply.done != number:
        return Finding("no_result", "gave something that is not this case's result", over=True)
    return _judged(bytes(reply.value), task, case)


def _read(message: bytes) -> _Reply | None:
    try:
        message.decode("utf-8")
        return _READ.decode(message)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _judged(data: bytes, task: Task, case: Case) -> Finding:
    if not plausible(data, values.dumps(values.encode(case.expected))):
        return Finding("wrong_answer", "returned something far larger than the expected value")
    try:
        got = values.decode(values.loads(b'{"v": %b}' % data)["v"])
    except (ValueError, RecursionError):
        return Finding("no_result", "gave something that is no plain data", over=True)
    why = difference(got, case.expected, tolerance=task.tolerance)
    return Finding("accepted") if why is None else Finding("wrong_answer", why)


def plausible(got: bytes, want: bytes) -> bool:
    """Whether a value of that length and number of items can be the wanted one at all.

    >>> plausible(b"[1,2]", b"[1,2]"), plausible(b"[" * 5000 + b"]" * 5000, b"[]")
    (True, False)
    """
    if len(got) > _LONGER * len(want) + _LONGER_BYTES:
        return False
    marks = sum(want.count(mark) for mark in _MARKS)
    return sum(got.count(mark) for mark in _MARKS) <= _MORE_MARKS * marks + _MORE_MARKS_COUNT


def _fields(failed: _Failed) -> dict[str, Any]:
    return {"type": failed.type, "text": failed.text, "errno": failed.errno}


def _told(failed: _Failed) -> str:
    return one_line(f"{failed.type}: {failed.text}" if failed.text else failed.type)


def _failure_words(failed: _Failed) -> str:
    if failed.type == "TooLarge":
        return f"the value returned is {one_line(failed.text)}"
    if failed.type == "NotPlain":
        return f"returned something that is no plain data: {one_line(failed.text)}"
    ended = failed.type in {"SystemExit", "KeyboardInterrupt", "GeneratorExit"}
    return f"ended instead of returning: {_told(failed)}" if ended else f"raised {_told(failed)}"


def _last_seen(outcome: Outcome, most: int) -> str:
    """How the run ended; where less was printed than may be, it was the value that was too much."""
    if outcome.limit == "output" and len(outcome.stdout) + len(outcome.stderr) < most:
        return f"the value returned is larger than {most:,} bytes"
    return how_it_ended(outcome)


def _tests(task: Task, findings: list[Finding | None], outcome: Outcome) -> tuple[CaseResult, ...]:
    silent = Finding(of_silence(outcome), _last_seen(outcome, task.limits.output_bytes), over=True)
    known = [silent if found is None else found for found in findings]
    limit = broken_limit(outcome)
    if limit is not None and None not in findings:
        # No case is to blame for a limit that the run as a whole has broken, so it is every case's verdict.
        charged = Finding(limit, how_it_ended(outcome))
        known = [
            charged if found.verdict in {"accepted", "wrong_answer"} else found for found in known
        ]
    # The last finding also stands for all cases that were never asked.
    last = known[-1]
    left = Finding(last.verdict, f"not run: {last.reason}")
    known += [left] * (len(task.cases) - len(known))
    return tuple(
        CaseResult(
            name=case.name,
            verdict=found.verdict,
            value=float(found.verdict == "accepted"),
            weight=case.weight,
            reason=found.reason,
            wall_s=found.wall_s,
        )
        for case, found in zip(task.cases, known, strict=True)
    )
