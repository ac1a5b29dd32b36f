"""Symbolic equivalence of an answer and its target, with the extra ``steelyard[math]``."""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, NamedTuple, cast

from steelyard.errors import EngineError, SpecError
from steelyard.reading.found import Trace
from steelyard.reading.lines import find_answer
from steelyard.registry import SCORERS
from steelyard.score import Score, full, unscored, zero
from steelyard.scoring.types import ScorerInput
from steelyard.values.formulas import same_value
from steelyard.values.normal import is_blank
from steelyard.values.quantities import same_number

_WORKER = Path(__file__).with_name("symbolic_worker.py")
_LONGEST = 2_000
_MOST_SECONDS = 86_400
_SEGMENT = re.compile(r"\$\$?([^$]+)\$\$?|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_TEXT = re.compile(r"\\(?:text(?:rm|bf|it)?|mathrm|mbox)\s*\{([^{}]*)\}")
# The words after a number: "40 apples", but not the letters of "2ab".
_AFTER_NUMBER = re.compile(r"(?<=[\d)}])\s+((?:[^\W\d_]{3,}[\s.,]*)+)$")
_WORD = re.compile(r"[^\W\d_]+")
_HEDGED = re.compile(r"\b(?:or|not|either|neither|nor|cannot|never)\b|n't\b|n’t\b", re.IGNORECASE)


class Outcome(NamedTuple):
    """How a comparison ended: the steps that were completed, and what ended it early, if anything did."""

    steps: dict[str, bool]
    broke: str


@SCORERS.register("symbolic_match", version="2", of_text=True)
def symbolic_match(
    sample: ScorerInput, *, seconds: float = 5.0, trace: Trace | None = None
) -> Score:
    r"""The answer means the same expression as the target: ``(x-1)(x+1)`` is ``x^2-1``.

    Two plain numbers are compared by exact value. Where both have words (``40 apples``), these have to
    agree too. ``seconds`` bounds the computing time; an answer that needs more is unscored. Needs the
    extra ``steelyard[math]``.

    >>> symbolic_match(ScorerInput(response="Answer: $(x-1)(x+1)$", target="x^2-1")).correct
    True
    """
    _check_seconds(seconds)
    _require()
    found = find_answer(sample.response, trace=trace)
    if found is None:
        return zero("the response is empty", extracted=None)
    if is_blank(sample.target):
        return zero("the target is empty", extracted=found.value, span=found.span)
    got, want = str(found.value), sample.target
    if sample.response.strip() == want.strip():
        return full("equal as written", extracted=got, span=found.span)
    right, reason = _compare(got, want, seconds, trace)
    if right is None:
        return unscored(reason, extracted=got)
    make = full if right else zero
    return make(reason, extracted=got, span=found.span)


def _compare(got: str, want: str, seconds: float, trace: Trace | None) -> tuple[bool | None, str]:
    """Whether the two mean the same, or None where that is not the attempt's fault; and why."""
    right = same_number(got, want)
    if right is not None:
        return right, "the same number" if right else f"the number is not {want[:80]!r}"
    if "".join(got.split()) == "".join(want.split()):
        return True, "equal as written"
    if len(got) > _LONGEST:
        return False, f"an answer of {len(got)} characters is no expression"
    outcome = _ask(_expression(want), _expression(got), seconds)
    if trace is not None:
        trace.add("symbolic", f"{outcome.steps}{'; ' + outcome.broke if outcome.broke else ''}")
    if not outcome.steps.get("want"):
        return _unreadable_target(outcome, got, want)
    if outcome.broke:
        return None, f"the answer could not be worked out: {outcome.broke}"
    if not outcome.steps["got"]:
        return False, "the answer cannot be read as mathematics"
    if not outcome.steps["same"]:
        return False, f"not equivalent to {want[:80]!r}"
    words, wanted = _words(got), _words(want)
    if words <= wanted or words >= wanted:
        return True, "equivalent"
    return False, f"equivalent, but for other words than {want[:80]!r}"


def _unreadable_target(outcome: Outcome, got: str, want: str) -> tuple[bool | None, str]:
    if outcome.broke:
        return None, f"the target {want[:80]!r} could not be worked out: {outcome.broke}"
    if same_value(got, want):
        return True, "the same text"
    return False, f"the target {want[:80]!r} is no mathematics, and the answer is not the same text"


def _expression(text: str) -> str:
    """The formula in the text: what its only pair of dollar signs holds, or the text itself."""
    segments = _SEGMENT.findall(text)
    if len(segments) == 1 and not _HEDGED.search(text):
        text = next(str(part) for part in segments[0] if part)
    # Powers as programs write them.
    return re.sub(r"\*\*\s*(-?\w+|)", r"^{\1}", text.replace("$", " ")).replace("^{}", "^")


def _words(text: str) -> set[str]:
    r"""The words of a text that are not part of its formula, without the s of a plural.

    >>> sorted(_words(r"40\text{ red apples}")), sorted(_words("$40$ pears")), _words("2ab")
    (['apple', 'red'], ['pear'], set())
    """
    found = " ".join(_TEXT.findall(text))
    segments = list(_SEGMENT.finditer(text))
    after = _AFTER_NUMBER.search(text)
    if segments:
        found += " " + text[segments[-1].end() :]
    elif after:
        found += " " + after[1]
    return {word.casefold().removesuffix("s") for word in _WORD.findall(_TEXT.sub(" ", found))}


def _check_seconds(seconds: float) -> None:
    """A clock that is not set never ends, and one beyond a day cannot be set everywhere."""
    if not 0 < seconds <= _MOST_SECONDS:
        raise SpecError(
            f"must be a number of seconds above 0 and at most {_MOST_SECONDS}, not {seconds}",
            path="seconds",
        )


def _require() -> None:
    if importlib.util.find_spec("math_verify") is None:
        raise EngineError("symbolic_match needs math-verify: pip install 'steelyard[math]'")


class _Worker:
    """The helper process of this process; it is started when first needed, and again after it was ended."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.owner = 0
        self.process: subprocess.Popen[str] | None = None

    def ask(self, want: str, got: str, seconds: float) -> Outcome:
        with self.lock:
            process = self._running()
            steps: dict[str, bool] = {}
            try:
                cast("IO[str]", process.stdin).write(json.dumps([want, got, seconds]) + "\n")
                cast("IO[str]", process.stdin).flush()
                while "same" not in steps and (line := cast("IO[str]", process.stdout).readline()):
                    step, outcome = json.loads(line)
                    steps[step] = outcome
            except BrokenPipeError:
                pass
            return Outcome(steps, "" if "same" in steps else self._end(seconds))

    def close(self) -> None:
        """End the helper process, if this process has one."""
        if self.process is not None and self.owner == os.getpid():
            self._end(0)

    def _running(self) -> subprocess.Popen[str]:
        if self.process is None or self.owner != os.getpid():
            self.owner = os.getpid()
            # -P: the folder of the helper has modules that are named like those of the standard library.
            self.process = subprocess.Popen(
                [sys.executable, "-P", str(_WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
        return self.process

    def _end(self, seconds: float) -> str:
        process, self.process = cast("subprocess.Popen[str]", self.process), None
        process.kill()
        for pipe in (process.stdin, process.stdout):
            try:
                cast("IO[str]", pipe).close()
            except BrokenPipeError:
                continue
        code = process.wait()
        return (
            f"it took more than {seconds:g} s"
            if code == -signal.SIGPROF
            else "the helper process ended"
        )


_WORKER_OF_THIS_PROCESS = _Worker()
_ask = _WORKER_OF_THIS_PROCESS.ask
atexit.register(_WORKER_OF_THIS_PROCESS.close)
