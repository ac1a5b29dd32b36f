"""Tests that were written to share a process with the code under test, run so that they do not.

The test runs in a box of its own, which holds the assertions; the candidate's names are stand-ins there. Every call
goes from that box through here to the candidate's box and back, as bytes that are passed on unread. What the test's
box says at its end is believed, for nothing of the candidate's runs in it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from steelyard.errors import SandboxError
from steelyard.grading.author import modules
from steelyard.grading.dry_run import why_author
from steelyard.grading.equipment import require
from steelyard.grading.fallback import run_inside
from steelyard.grading.legacy_test import (
    LegacyTest,
    limits_for_test,
    load_message,
    material,
    open_box,
)
from steelyard.grading.names import Names
from steelyard.grading.prompt import Prompt
from steelyard.grading.record import one_line
from steelyard.grading.trees import parse
from steelyard.grading.verdict import Verdict, broken_limit, of_failure, of_silence
from steelyard.grading.way import why_not_proxied
from steelyard.grading.words import how_it_ended
from steelyard.sandbox.box import Box
from steelyard.sandbox.inside import values
from steelyard.sandbox.job import Outcome
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

__all__ = ["Examined", "LegacyTest", "examine"]

Way = Literal["proxied", "fallback"]
_RELAYED = (b'{"ask"', b'{"answer"', b'{"failed"')
_MOST_ENDS = 2


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """What a test came to: the verdict, and the way in which it was run with the reason for that way."""

    verdict: Verdict
    reason: str
    way: Way
    why: str = ""
    assertions: int = 0
    used: int = 0
    loaded: bool = True
    stdout: bytes = b""
    stderr: bytes = b""
    wall_s: float = 0.0
    peak_memory: int | None = None


class _Found(msgspec.Struct, frozen=True):
    """A finding before the boxes have been looked at; ``silent`` where the candidate said no more.

    ``in_calls`` are the seconds that went by in calls of the candidate, where the test may have taken the others.
    """

    verdict: Verdict
    reason: str
    assertions: int = 0
    used: int = 0
    silent: bool = False
    loaded: bool = True
    in_calls: float | None = None


_SILENT = _Found("no_result", "", silent=True)


class _Unproxied(Exception):  # noqa: N818 - no error: the test is run in the other way
    """The test does what stand-ins cannot do."""


def examine(test: LegacyTest, sources: Sequence[str], sandbox: Sandbox, limits: Limits) -> Examined:
    """The verdict on the first of the sources that loads; a SandboxError where a box or the test itself failed."""
    prompt = Prompt.read(test.prompt, test.entry_point)
    require(sandbox, modules([parse(test.source), parse(prompt.complete)]))
    first = found = _examined(test, prompt, sources, sandbox, limits)
    for tried in range(1, min(len(sources), _MOST_ENDS + 1)):
        if found.loaded or found.verdict != "no_result":
            break
        # It ended itself while it was loaded, and the process with it: the next reading has a box of its own.
        found = _examined(test, prompt, sources[tried:], sandbox, limits)
        found = msgspec.structs.replace(found, used=found.used + tried)
    return found if found.loaded else first


def _examined(
    test: LegacyTest, prompt: Prompt, sources: Sequence[str], sandbox: Sandbox, limits: Limits
) -> Examined:
    why = _why_not_proxied(test, prompt)
    if why:
        return _fall_back(test, prompt, sources, sandbox, limits, why)
    try:
        return _proxied(test, prompt, sources, sandbox, limits)
    except _Unproxied as unproxied:
        return _fall_back(test, prompt, sources, sandbox, limits, str(unproxied))


def _why_not_proxied(test: LegacyTest, prompt: Prompt) -> str:
    """What the author's own words show to be impossible with stand-ins, whatever the candidate does."""
    operators = prompt.operators()
    if operators:
        return f"the task asks for {operators[0]}"
    return why_not_proxied(parse(test.source), parse(prompt.complete), test.entry_point)


def _proxied(
    test: LegacyTest, prompt: Prompt, sources: Sequence[str], sandbox: Sandbox, limits: Limits
) -> Examined:
    with (
        open_box(sandbox, "function", limits) as candidate,
        open_box(sandbox, "tester", limits_for_test(limits)) as tester,
    ):
        candidate.send(load_message(test, sources))
        tester.send(values.dumps({"test": material(test, prompt)}))
        began = time.monotonic()
        found = _loaded(candidate.receive())
        if found.verdict == "accepted":
            spent = time.monotonic() - began
            found = msgspec.structs.replace(
                _relayed(tester, candidate, test, spent), used=found.used
            )
        examined = _settled(found, candidate.finish(), "proxied")
    if found.in_calls is not None:
        _blame_author_for(examined.verdict, found.in_calls, (test, prompt, sandbox, limits))
    return examined


def _blame_author_for(
    limit: Verdict, in_calls: float, tried: tuple[LegacyTest, Prompt, Sandbox, Limits]
) -> None:
    """A SandboxError where the test reaches the limit, or takes most of the time, by itself."""
    why = why_author(*tried, limit=limit, in_calls=in_calls)
    if why is not None:
        raise SandboxError(why)


def _relayed(tester: Box, candidate: Box, test: LegacyTest, spent: float) -> _Found:
    """Passes on what the two ask each other, until the test is over; ``spent`` is the time for the loading."""
    while (message := tester.receive()) is not None:
        if not message.startswith(_RELAYED):
            return msgspec.structs.replace(_read_end(values.loads(message), test), in_calls=spent)
        asked = time.monotonic()
        candidate.send(message)
        answer = candidate.receive()
        spent += time.monotonic() - asked
        if answer is None:
            return msgspec.structs.replace(_SILENT, in_calls=spent)
        tester.send(answer)
    outcome = tester.finish()
    limit = broken_limit(outcome)
    if limit is None:
        raise SandboxError("the test ended without a word")
    return _Found(
        limit, f"the test itself, with what it was given: {how_it_ended(outcome)}", in_calls=spent
    )


def _read_end(message: dict[str, Any], test: LegacyTest) -> _Found:
    if "unproxied" in message:
        raise _Unproxied(message["unproxied"])
    failed = message["finished"]["failed"] or {}
    if failed.get("by") == "test" and failed.get("type") in {"ImportError", "ModuleNotFoundError"}:
        raise SandboxError(f"the test itself fails in line {failed.get('line')}: {failed['type']}")
    _blame_author(message["finished"], test)
    return judge_end(message["finished"])


def _blame_author(finished: dict[str, Any], test: LegacyTest) -> None:
    """A name that neither the test, the prompt, nor the library has, and that nobody calls, is not the candidate's."""
    failed = finished["failed"] or {}
    if failed.get("by") == "test" and failed.get("type") == "NameError":
        complete = Prompt.read(test.prompt, test.entry_point).complete
        missing = Names.read(parse(test.source), parse(complete), test.entry_point).variables
        if missing:
            raise SandboxError(
                f"the test itself fails in line {failed.get('line')}: nobody defines {min(missing)!r}"
            )


def judge_end(finished: dict[str, Any]) -> _Found:
    """What the last word of a test means; it may name a line, and never what was expected there."""
    count, failed = int(finished["assertions"]), finished["failed"]
    if failed is None:
        if not count:
            return _Found("no_result", "no assertion of the test was executed")
        return _Found("accepted", f"{count} assertion{'s' if count > 1 else ''} held", count)
    line = failed.get("line")
    where = f"line {line} of the test: " if line else ""
    name = one_line(str(failed.get("type")), 80)
    if failed.get("by") == "candidate":
        verdict = "no_result" if name == "Malformed" else of_failure(failed)
        told = one_line(str(failed.get("text") or ""))
        return _Found(verdict, f"{where}{name}{': ' + told if told else ''}", count)
    if name == "AssertionError":
        return _Found("wrong_answer", f"{where}the assertion does not hold", count)
    if name == "MemoryError":
        return _Found(
            "memory_limit", f"{where}what came back takes more memory than there is", count
        )
    return _Found("wrong_answer", f"{where}what came back cannot be used there ({name})", count)


def _fall_back(
    test: LegacyTest,
    prompt: Prompt,
    sources: Sequence[str],
    sandbox: Sandbox,
    limits: Limits,
    why: str,
) -> Examined:
    """The test in the candidate's own box, after the candidate was loaded."""
    with open_box(sandbox, "function", limits, tests=True) as candidate:
        candidate.send(load_message(test, sources, guarded=True))
        found = _loaded(candidate.receive())
        if found.verdict != "accepted":
            return _settled(found, candidate.finish(), "fallback", why)
        ended = run_inside(candidate, material(test, prompt))
        _blame_author(ended or {"failed": None}, test)
        found = msgspec.structs.replace(
            _SILENT if ended is None else judge_end(ended), used=found.used
        )
        examined = _settled(found, candidate.finish(), "fallback", why)
    # Whose time it was is not known there: who loops by itself does so without a program.
    _blame_author_for(examined.verdict, 0.0, (test, prompt, sandbox, limits))
    # From here on the test printed to the same place, and may have printed what it expects.
    return msgspec.structs.replace(examined, stdout=b"", stderr=b"")


def _settled(found: _Found, outcome: Outcome, way: Way, why: str = "") -> Examined:
    """A limit that was broken beats whatever was said."""
    verdict, reason = found.verdict, found.reason
    limit = broken_limit(outcome)
    if found.silent:
        verdict, reason = of_silence(outcome), how_it_ended(outcome)
    elif limit is not None and verdict in {"accepted", "wrong_answer", "no_result"}:
        verdict, reason = limit, how_it_ended(outcome)
    return Examined(
        verdict=verdict,
        reason=reason,
        way=way,
        why=why,
        assertions=found.assertions,
        used=found.used,
        loaded=found.loaded,
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        wall_s=outcome.wall_s,
        peak_memory=outcome.peak_memory,
    )


def _loaded(message: bytes | None) -> _Found:
    """Whether the candidate was loaded, by its own word, which can only harm it."""
    if message is None:
        return msgspec.structs.replace(_SILENT, loaded=False)
    try:
        reply = values.loads(message)
        used = reply["loaded"]["used"] if "loaded" in reply else None
        failed: Any = reply.get("failed")
        if type(used) is int:
            return _Found("accepted", "", used=used)
        told = one_line(f"{failed['type']}: {failed['text']}")
        return _Found(of_failure(failed), f"the program does not load: {told}", loaded=False)
    except (ValueError, KeyError, TypeError):
        return _Found(
            "no_result", "the program gave no readable sign that it was loaded", loaded=False
        )
