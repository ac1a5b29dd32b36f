"""The process that works out expressions, so that one which never ends, or eats all memory, ends with it.

It reads one request a line, ``[want, got, seconds]``, and answers with one line a step: ``want`` and ``got``
with whether each could be read, then the verdict. The clock is the kernel's and counts computing time: it
ends the process even inside a single huge multiplication, and a busy machine does not shorten it.

It is run by its path, without the package around it, and imports nothing of it.
"""

from __future__ import annotations

import json
import logging
import resource
import signal
import sys
from typing import Any

_MEMORY = 2 * 2**30
_DIGITS = 14


def main() -> None:
    """Answer requests until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    logging.disable(logging.CRITICAL)
    import math_verify  # noqa: F401 - loaded before the clock of the first request starts

    _bound(resource.RLIMIT_AS, _MEMORY)
    for line in sys.stdin:
        want, got, seconds = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        answer(want, got)
        signal.setitimer(signal.ITIMER_PROF, 0)


def answer(want: str, got: str) -> None:
    """Say step by step whether the two texts can be read, and whether they mean the same."""
    from math_verify import verify

    wanted = _read(want)
    _say("want", bool(wanted))
    given = _read(got)
    _say("got", bool(given))
    # Without its own timer, which works in the main thread alone and cannot stop a long multiplication.
    same = (
        bool(wanted)
        and bool(given)
        and verify(
            wanted,
            given,
            float_rounding=_DIGITS,
            numeric_precision=2 * _DIGITS,
            timeout_seconds=None,
        )
    )
    _say("same", same)


def _read(text: str) -> list[Any]:
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse

    found: list[Any] = parse(
        f"${text}$",
        extraction_config=[LatexExtractionConfig(), ExprExtractionConfig()],
        fallback_mode="no_fallback",
        extraction_mode="first_match",
        parsing_timeout=None,
    )
    return found


def _say(step: str, outcome: bool) -> None:
    sys.stdout.write(json.dumps([step, outcome]) + "\n")
    sys.stdout.flush()


def _bound(kind: int, limit: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


if __name__ == "__main__":
    main()
