"""A test that was written to share a process with the code under test, and what the boxes are told of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import msgspec

from steelyard.errors import DataError
from steelyard.grading.author import refuse_faults, refuse_uncallable, with_calls
from steelyard.grading.prompt import Prompt
from steelyard.grading.trees import ONE_AT_A_TIME, parse
from steelyard.sandbox.box import Box
from steelyard.sandbox.inside import values
from steelyard.sandbox.inside.counting import prepare
from steelyard.sandbox.job import Job
from steelyard.sandbox.limits import Limits
from steelyard.sandbox.protocol import Sandbox

_LONGEST_TEST = 2_000_000


class LegacyTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test program, the name that it tests, and the code that the task began with."""

    source: str
    entry_point: str
    prompt: str = ""

    def checked(self) -> LegacyTest:
        """Itself, or a DataError where it could not find fault with anything.

        >>> LegacyTest(source="add(1, 2)", entry_point="add").checked()
        Traceback (most recent call last):
        steelyard.errors.DataError: the test has no assertion in it
        """
        if len(self.source) > _LONGEST_TEST:
            raise DataError(f"a test of {len(self.source)} characters is too long")
        if not all(part.isidentifier() for part in self.entry_point.split(".")):
            raise DataError(f"the entry point {self.entry_point[:80]!r} is no name")
        try:
            with ONE_AT_A_TIME:
                prepared = prepare(self.source, self.entry_point)
        except (SyntaxError, ValueError, RecursionError) as failed:
            where = (
                f" in line {failed.lineno}"
                if isinstance(failed, SyntaxError) and failed.lineno
                else ""
            )
            raise DataError(f"the test is no Python{where}: {type(failed).__name__}") from None
        if not prepared.written:
            raise DataError("the test has no assertion in it")
        refuse_uncallable(self.source, prepared.uncalled)
        refuse_faults(self.source, self.entry_point)
        return self


def load_message(test: LegacyTest, sources: Sequence[str], guarded: bool = False) -> bytes:
    """What the candidate's box is told: the sources to try, and the modules that a test beside it will rest on."""
    wanted: dict[str, Any] = {
        "source": sources[0],
        "entry_point": test.entry_point,
        "alternatives": list(sources[1:]),
        "tested": True,
    }
    if guarded:
        wanted["guarded"] = list(_imports(test.source))
    return values.dumps({"load": wanted})


def _imports(source: str) -> Iterator[str]:
    """The modules that the test imports."""
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def material(test: LegacyTest, prompt: Prompt) -> dict[str, Any]:
    """What whoever runs the test is told."""
    return {
        "source": with_calls(test.source, test.entry_point),
        "entry_point": test.entry_point,
        "prompt": prompt.complete,
        "stubs": list(prompt.stubs),
    }


def limits_for_test(limits: Limits) -> Limits:
    """A test gets at least what is usual, whatever the candidate is held to, but no more time."""
    return msgspec.structs.replace(
        Limits(),
        wall_s=limits.wall_s,
        memory_mb=max(limits.memory_mb, Limits().memory_mb),
        output_bytes=max(limits.output_bytes, Limits().output_bytes),
    )


@contextmanager
def open_box(
    sandbox: Sandbox, worker: Literal["function", "tester"], limits: Limits, *, tests: bool = False
) -> Iterator[Box]:
    """A box with that worker in it, which is gone afterwards; with ``tests`` in an interpreter that is prepared for them."""
    box = sandbox.start(Job(worker=worker, tests=tests), limits)
    try:
        yield box
    finally:
        box.stop()
